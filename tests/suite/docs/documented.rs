//! The pages that are written from the program itself. With `HOOKBOX_UPDATE_DOCS=1`, these tests write them.

use crate::support::project::Project;
use crate::support::root;
use hookbox::Code;
use std::fs;

/// The line before the part of a page that is written.
const BEGIN: &str = "<!-- table: begin, written by `cargo test` -->\n";
const END: &str = "<!-- table: end -->";

#[track_caller]
fn is_documented(page: &str, table: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (old, after) = rest.split_once(END).unwrap();
    if std::env::var_os("HOOKBOX_UPDATE_DOCS").is_some() {
        fs::write(path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(old, table, "run this test with HOOKBOX_UPDATE_DOCS=1");
    }
}

#[test]
fn the_table_of_error_codes_is_complete() {
    let rows = Code::ALL.iter().map(|code| format!("| {} | {} | {} |\n", code.as_str(), code.title(), code.meaning()));
    let head = "| code | name | meaning |\n|---|---|---|\n".to_owned();
    is_documented("docs/reference/codes.md", &rows.fold(head, |table, row| table + &row));
}

/// Adds what `--help` says about a command, and about the commands below it.
fn describe(project: &Project, command: &[&str], page: &mut String) {
    let ran = project.run(&[command, &["--help"]].concat(), "");
    assert_eq!(ran.status, 0, "{ran:?}");
    page.push_str(&format!(
        "\n## {}\n\n```text\n{}\n```\n",
        ["hookbox"].iter().chain(command).copied().collect::<Vec<_>>().join(" "),
        ran.stdout.trim_end()
    ));
    let Some((_, rest)) = ran.stdout.split_once("\nCommands:\n") else { return };
    // Further lines of a description are indented more.
    let names = rest.lines().take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        describe(project, &[command, &[name]].concat(), page);
    }
}

#[test]
fn every_command_is_documented() {
    let mut page = String::new();
    describe(&Project::new(), &[], &mut page);
    assert!(page.contains("\n## hookbox state list\n"), "{page}");
    is_documented("docs/reference/commands.md", &page);
}
