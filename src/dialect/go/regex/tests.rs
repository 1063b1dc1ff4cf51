//! Tests that patterns mean what they mean in Go, on every text. Each row was checked with Go. As tool names, some of
//! these texts concern every hook, whatever its pattern.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::compile_whole;

/// Returns the text with its escapes replaced.
fn unescape(text: &str) -> String {
    text.replace(r"\\", "\u{1}").replace(r"\n", "\n").replace(r"\t", "\t").replace('\u{1}', r"\")
}

#[test]
fn every_pattern_matches_as_in_go() {
    let cases = include_str!("../../../../tests/suite/dialects/go_regex_cases.txt");
    let mut seen = 0;
    for line in cases.lines().filter(|line| line.contains('\t')) {
        let mut columns = line.split('\t');
        let [pattern, text, expected] = [(); 3].map(|()| columns.next().unwrap());
        let (pattern, text) = (unescape(pattern), unescape(text));
        let found = match compile_whole(&pattern) {
            Err(_) => "error",
            Ok(regex) if regex.is_match(&text) => "yes",
            Ok(_) => "no",
        };
        assert_eq!(found, expected, "{pattern:?} on {text:?}");
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}
