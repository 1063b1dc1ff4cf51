//! Rows that a test of its own covers.

use std::fs;

/// Looks for the test `file.rs::function` below `tests/`.
///
/// # Errors
/// It is not there, or is no test.
pub fn find(test: &str) -> Result<(), String> {
    let (file, function) = test.split_once("::").ok_or_else(|| format!("{test:?} is not `file.rs::function`"))?;
    let path = crate::support::root().join("tests").join(file);
    let text = fs::read_to_string(path).map_err(|error| format!("tests/{file}: {error}"))?;
    if is_test(&text, function) { Ok(()) } else { Err(format!("tests/{file} has no test `{function}`")) }
}

/// Whether the text has a function of this name whose attributes make it a test that runs.
fn is_test(text: &str, function: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let starts = [format!("fn {function}()"), format!("async fn {function}()")];
    let Some(line) = lines.iter().position(|line| starts.iter().any(|start| line.starts_with(start))) else {
        return false;
    };
    let attributes = || lines[..line].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("///"));
    attributes().any(|line| *line == "#[test]" || line.starts_with("#[tokio::test"))
        && !attributes().any(|line| line.starts_with("#[ignore"))
}

#[test]
fn a_test_is_told_from_other_functions() {
    let text = "fn helper() {}\n#[test]\nfn one() {}\n/// Words.\n#[tokio::test(start_paused = true)]\n#[cfg(unix)]\n\
                async fn two() {}\n#[test]\n#[ignore = \"slow\"]\nfn three() {}\n";
    for (function, expected) in [("one", true), ("two", true), ("helper", false), ("three", false), ("on", false)] {
        assert_eq!(is_test(text, function), expected, "{function}");
    }
}
