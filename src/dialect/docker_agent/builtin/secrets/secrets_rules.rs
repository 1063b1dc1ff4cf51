//! Tests that the catalogue follows its own rules.

use std::{collections::HashSet, iter};

use proptest::{prelude::*, strategy::ValueTree, string::string_regex, test_runner::TestRunner};

use super::{CATALOGUE, Finder, MARKER, redact, rules};

/// Returns texts that match the rule's pattern.
fn examples(finder: &Finder, runner: &mut TestRunner) -> impl Iterator<Item = String> {
    let Finder { rule, .. } = finder;
    // The generator does not support anchors.
    let pattern = rule.pattern.replace(r"(?:^|[^0-9A-Za-z+/_-]|\\[nrt])", "[ =]");
    let strategy = string_regex(&pattern).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
    let regex = finder.regex().unwrap();
    iter::repeat_with(move || strategy.new_tree(runner).unwrap().current()).filter(move |text| {
        let secret = regex.captures(text).and_then(|found| found.name("secret"));
        !rule.needs_digit || secret.is_some_and(|secret| secret.as_str().contains(|c: char| c.is_ascii_digit()))
    })
}

#[test]
fn every_pattern_compiles() {
    for finder in &CATALOGUE.finders {
        assert!(finder.regex().is_some(), "{}", finder.rule.name);
    }
    assert!(CATALOGUE.automaton.is_some());
}

#[test]
fn names_are_unique() {
    let mut names = HashSet::new();
    for rule in rules::all() {
        assert!(names.insert(rule.name), "{}", rule.name);
    }
}

#[test]
fn keywords_are_never_part_of_the_marker() {
    for rule in rules::all() {
        assert!(!rule.keywords.is_empty(), "{}", rule.name);
        for keyword in rule.keywords {
            assert!(keyword.is_ascii() && keyword.len() >= 2, "{}", rule.name);
            assert!(!MARKER.to_ascii_lowercase().contains(&keyword.to_ascii_lowercase()), "{}", rule.name);
        }
    }
}

#[test]
fn groups_are_named_secret() {
    for finder in &CATALOGUE.finders {
        let groups: Vec<_> = finder.regex().map(|regex| regex.capture_names().skip(1).collect()).unwrap_or_default();
        assert!(groups.is_empty() || groups == [Some("secret")], "{}", finder.rule.name);
    }
}

/// Keywords must fit their pattern. The keyword of `registry-login` is outside its match, so it is added.
#[test]
fn every_rule_finds_what_its_pattern_describes() {
    let mut runner = TestRunner::deterministic();
    for finder in &CATALOGUE.finders {
        let rule = finder.rule;
        for mut text in examples(finder, &mut runner).take(8) {
            if rule.name == "registry-login" {
                text = format!("\"auths\": {text}");
            }
            let chosen = CATALOGUE.candidates(&text);
            assert!(
                chosen.iter().any(|other| other.rule.name == rule.name),
                "{} has no keyword in {text:?}",
                rule.name
            );
            let Some(redacted) = redact(&text) else { panic!("{} does not find {text:?}", rule.name) };
            assert_eq!(redact(&redacted), None, "{}: {text:?}", rule.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Glued and cut secrets in any order: the result is stable, and is reached before the limit on passes.
    #[test]
    fn redaction_is_idempotent(picks in prop::collection::vec((any::<prop::sample::Index>(), "[ -~]{0,3}"), 1..6)) {
        let mut runner = TestRunner::deterministic();
        let mut text = String::new();
        for (pick, between) in picks {
            text.extend(examples(pick.get::<Finder>(&CATALOGUE.finders), &mut runner).next());
            text += &between;
        }
        if let Some(redacted) = redact(&text) {
            prop_assert_eq!(redact(&redacted), None);
        }
    }

    #[test]
    fn any_text_is_taken(text in any::<String>()) {
        let _ = redact(&text);
    }
}
