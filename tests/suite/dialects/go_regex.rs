//! Patterns on tool names mean what they mean in Go, where each row was checked.

use crate::support::project::Project;
use hookbox::{Event, Matcher};
use serde_json::json;

/// Returns the text with its escapes replaced.
fn unescape(text: &str) -> String {
    text.replace(r"\\", "\u{1}").replace(r"\n", "\n").replace(r"\t", "\t").replace('\u{1}', r"\")
}

#[test]
fn every_pattern_matches_as_in_go() {
    let project = Project::new();
    let file = project.dir().join("settings.json");
    let mut wrong = Vec::new();
    for line in include_str!("go_regex_cases.txt").lines().filter(|line| line.contains('\t')) {
        let mut columns = line.split('\t');
        let [pattern, text, expected] = [(); 3].map(|()| columns.next().unwrap());
        let (pattern, text) = (unescape(pattern), unescape(text));
        // An empty pattern means every tool, and so does `*`.
        if matches!(pattern.as_str(), "" | "*") {
            continue;
        }
        let hooks = json!({ "hooks": { "PreToolUse": [{ "match": pattern, "command": "true" }] } });
        std::fs::write(&file, hooks.to_string()).unwrap();
        let loaded = crate::support::loader(project.dir()).file(&file).dialect(super::faithful("ok")).load();
        let hooks = loaded.registry.for_event(Event::PreTool);
        let found = match hooks.first() {
            None => "error",
            Some(hook) if hook.info().hears(Event::PreTool, Some(&text)) => "yes",
            Some(_) => "no",
        };
        // A name that could pass for another goes to every hook; a test next to the patterns' code has these rows, too.
        let is_disguised = Matcher::names(Vec::new()).matches(Some(&text));
        let expected = if is_disguised && expected == "no" { "yes" } else { expected };
        if found != expected {
            wrong.push(format!("{pattern:?} on {text:?}: {found}, in Go {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
