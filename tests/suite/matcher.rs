//! Which names a pattern matches.

use hookbox::Matcher;
use proptest::prelude::*;
use regex::RegexBuilder;

/// Generates patterns of a few letters, most of which match few names.
fn pattern() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => "[abAB]{1,3}",
        2 => Just("[ab]".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just("\\b".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
        1 => Just(String::new()),
        1 => Just("[a&&b]".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}|{b}")),
            2 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a})(?:{b})")),
            1 => inner.clone().prop_map(|a| format!("(?:{a})?")),
            1 => inner.clone().prop_map(|a| format!("(?:{a})??")),
            1 => inner.clone().prop_map(|a| format!("(?:{a})*")),
            1 => inner.clone().prop_map(|a| format!("(?:{a}){{1,2}}")),
            1 => inner.clone().prop_map(|a| format!("(?:{a}){{2}}")),
            1 => inner.prop_map(|a| format!("(?i:{a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_pattern_matches_the_whole_name(pattern in pattern(), names in prop::collection::vec("[abAB]{1,5}", 20)) {
        let regex = RegexBuilder::new(&format!(r"\A(?:{pattern})\z")).dot_matches_new_line(true).build().unwrap();
        let matcher = Matcher::new(&pattern).unwrap();
        // Short names are the likeliest to match.
        for name in ["a", "b", "ab", "ba", "aa", "A", "abab"].into_iter().chain(names.iter().map(String::as_str)) {
            prop_assert_eq!(matcher.matches(Some(name)), regex.is_match(name), "{:?} on {:?}", pattern, name);
        }
    }
}

#[test]
fn a_list_of_names_matches_these_and_no_others() {
    let matcher = Matcher::new("(?i:bash|shell)|Run.?").unwrap();
    for name in ["bash", "BASH", "Shell", "Run", "Runs", "Run\n"] {
        assert!(matcher.matches(Some(name)), "{name:?}");
    }
    for name in ["bas", "bashh", "run", "xbash", "Runss"] {
        assert!(!matcher.matches(Some(name)), "{name:?}");
    }
}

#[test]
fn a_pattern_that_only_its_anchors_would_close_is_refused() {
    let error = Matcher::new("a)|(b").unwrap_err().to_string();
    assert!(error.contains("unopened group"), "{error}");
}

/// Whether the pattern is a list of names or not, a guard is asked about a call that does not name its tool.
#[test]
fn a_call_without_a_name_concerns_every_pattern() {
    for pattern in ["bash", "bash.*", "[a&&b]"] {
        let matcher = Matcher::new(pattern).unwrap();
        assert!(matcher.matches(None) && matcher.matches(Some("")), "{pattern}");
        assert!(!matcher.matches(Some("other")), "{pattern}");
    }
}
