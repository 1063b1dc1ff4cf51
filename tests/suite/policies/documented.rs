//! The table of `docs/reference/policies.md`: what each policy stops and passes, by the groups of its cases.

use super::{Case, cases};
use hookbox::policy::Policy;

const BEGIN: &str = "<!-- table: begin, written by `cargo test` -->\n";
const END: &str = "<!-- table: end -->";

/// Returns the groups of the cases. A comment between two empty lines, or at the beginning, is the title of the cases
/// that follow.
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

/// With `HOOKBOX_UPDATE_DOCS=1`, this test writes the table.
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

const REASONS: &str = "docs/reference/reasons.md";

/// Returns what reasons of one kind have in common: the reason without quotes, without the words in quotes, and without
/// paths.
fn kind_of(reason: &str) -> String {
    let quotes = regex::Regex::new(r#"`[^`]*`?|"[^"]*"|\([^)]*\)|\d+"#).unwrap();
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    let words = |text: &str| text.split([' ', '/', '@', '=', ':', '.', ',', '(']).map(bare).collect::<Vec<_>>();
    let quoted: Vec<String> = quotes.find_iter(reason).flat_map(|quote| words(quote.as_str())).collect();
    let rest = quotes.replace_all(reason, "");
    let is_common = |word: &&str| {
        let bare = bare(word);
        let is_path = bare.contains(['/', '.', '@', ':', '$', '*', '{', '[', '-', '_']);
        !bare.is_empty() && !is_path && (bare.len() < 3 || !quoted.contains(&bare))
    };
    rest.split_whitespace().filter(is_common).collect::<Vec<_>>().join(" ")
}

/// Returns a text for a cell of a table.
fn cell(text: &str) -> String {
    let text: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// Returns an example of each kind of reason, which is the first one in the cases of its policy.
fn reasons() -> String {
    let project = crate::support::project::Project::new();
    let mut page = String::new();
    for policy in Policy::all() {
        let name = policy.name;
        let config = project.write("hooks.toml", format!("[hooks.{name}]\npolicy = \"{name}\"\n"));
        let cases = crate::support::root().join(format!("policies/{name}/cases.toml"));
        let (config, cases) = (config.to_str().unwrap(), cases.to_str().unwrap());
        let ran = project.run(&["test", "--config", config, "--cases", cases, "--format", "json"], "");
        page.push_str(&format!("\n## {name}\n\n| case | | reason |\n|---|---|---|\n"));
        let mut seen = Vec::new();
        for line in ran.stdout.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let [Some(decision), Some(reason), Some(title)] =
                ["decision", "reason", "name"].map(|key| case[key].as_str())
            else {
                continue;
            };
            // Mistakes in settings are for whoever wrote them, and audits say the same in other words.
            let Some(reason) = reason.strip_prefix(&format!("{name}: ")) else { continue };
            let kind = kind_of(reason);
            if !seen.contains(&kind) {
                page.push_str(&format!("| {} | {decision} | {} |\n", cell(title), cell(reason)));
                seen.push(kind);
            }
        }
        assert!(!seen.is_empty(), "{name}: no reason in {}{}", ran.stdout, ran.stderr);
    }
    page
}

/// The page shows the reasons as users read them. With `HOOKBOX_UPDATE_DOCS=1`, this test writes the page.
#[test]
fn each_reason_has_an_example() {
    let path = crate::support::root().join(REASONS);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (old, after) = rest.split_once(END).unwrap();
    let reasons = reasons();
    if std::env::var_os("HOOKBOX_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{reasons}{END}{after}")).unwrap();
    } else {
        assert_eq!(old, reasons, "run this test with HOOKBOX_UPDATE_DOCS=1");
    }
}
