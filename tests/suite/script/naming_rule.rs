//! The example `naming-rule`, case by case, as its config has it.

use super::block_on;
use hookbox::config::Loader;
use hookbox::runtime::component::Compiler;
use hookbox::{Input, Verdict};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    tool: String,
    input: toml::Table,
    settings: Option<toml::Table>,
    expect: String,
    reason: Option<Reason>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Reason {
    Exact(String),
    Like { contains: Option<String>, regex: Option<String> },
}

#[test]
fn the_cases_of_the_example_hold() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("guest-examples/naming-rule");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let Cases { case: cases } = toml::from_str(&read("cases.toml")).unwrap();
    assert!(cases.len() >= 20);
    assert_eq!(cases.iter().map(|case| &case.name).collect::<HashSet<_>>().len(), cases.len());
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("hook.js"), read("hook.js")).unwrap();
    for case in cases {
        let mut config = read("hooks.toml");
        if let Some(settings) = &case.settings {
            config.push_str("\n[hooks.naming-rule.settings]\n");
            // Strings and lists of them look the same in both.
            config.extend(settings.iter().map(|(key, value)| format!("{key} = {}\n", json!(value))));
        }
        let path = work.path().join("hooks.toml");
        std::fs::write(&path, config).unwrap();
        let loader = Loader::new(work.path()).file(&path).cache(super::cache());
        let loaded = loader.compiler(Compiler::in_process_for_trusted_bytes()).load();
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        let outcome =
            block_on(loaded.registry.run_pre(Input::pre_tool(&case.tool, &json!(case.input).to_string()).unwrap()));
        assert_eq!(outcome.hooks.len(), 1);
        assert_eq!(outcome.hooks[0].failure, None, "{}", case.name);
        let verdict = match case.expect.as_str() {
            "deny" => Verdict::Deny,
            "allow" => Verdict::Allow,
            other => panic!("{other}: the rule has no such answer"),
        };
        assert_eq!(outcome.verdict, verdict, "{}: {:?}", case.name, outcome.reason);
        let said = outcome.reason.unwrap_or_default();
        match case.reason {
            Some(Reason::Exact(reason)) => assert_eq!(said, reason, "{}", case.name),
            Some(Reason::Like { contains, regex }) => {
                assert!(contains.is_none_or(|words| said.contains(&words)), "{}: {said}", case.name);
                let fits = |regex: String| regex::Regex::new(&regex).unwrap().is_match(&said);
                assert!(regex.is_none_or(fits), "{}: {said}", case.name);
            }
            None => {}
        }
    }
}
