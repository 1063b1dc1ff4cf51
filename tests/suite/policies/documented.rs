//! The table of `docs/reference/policies.md`: what each policy stops and passes, by the groups of its cases.

use super::{Case, cases};
use hookbox::policy::Policy;

const BEGIN: &str = "<!-- table: begin, written by `cargo test` -->\n";
const END: &str = "<!-- table: end -->";

/// The groups of the cases: a comment between two empty lines, or at the beginning, is the title of those that follow.
fn groups(text: &str) -> Vec<(String, Vec<super::Case>)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(title) if before.is_empty() => groups.push((title.trim_end_matches('.').to_owned(), String::new())),
            _ => {
                if let Some((_, cases)) = groups.last_mut() {
                    cases.push_str(line);
                    cases.push('\n');
                }
            }
        }
        before = line;
    }
    let groups = groups.into_iter().filter(|(_, text)| text.contains("[[case]]"));
    groups.map(|(title, text)| (title, cases(&text))).collect()
}

fn column_of(case: &Case) -> &str {
    if case.expect == "allow" && case.acts() { "warn" } else { &case.expect }
}

fn table() -> String {
    let mut table =
        "| policy | cases | denied | asked | changed | warned | passed |\n|---|---|---|---|---|---|---|\n".to_owned();
    for policy in Policy::all() {
        let groups = groups(policy.cases);
        let counted: usize = groups.iter().map(|(_, cases)| cases.len()).sum();
        assert_eq!(counted, cases(policy.cases).len(), "{}: a case is in no group", policy.name);
        for (title, cases) in groups {
            let count = |column: &str| match cases.iter().filter(|case| column_of(case) == column).count() {
                0 => String::new(),
                count => count.to_string(),
            };
            let title = title.replace('|', "\\|");
            let [denied, asked, changed, warned, passed] = ["deny", "ask", "modify", "warn", "allow"].map(count);
            let name = policy.name;
            table.push_str(&format!("| {name} | {title} | {denied} | {asked} | {changed} | {warned} | {passed} |\n"));
        }
    }
    table
}

/// With `HOOKBOX_UPDATE_DOCS=1`, writes it.
#[test]
fn what_policies_stop_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/policies.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (old, after) = rest.split_once(END).unwrap();
    if std::env::var_os("HOOKBOX_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", table())).unwrap();
    } else {
        assert_eq!(old, table(), "run this test with HOOKBOX_UPDATE_DOCS=1");
    }
}
