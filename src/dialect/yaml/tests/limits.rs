//! Texts that expand to more than they seem to.

use super::*;

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    read(&nested(MAX_DEPTH));
    assert_eq!(fail(&nested(MAX_DEPTH + 1)).at.start, MAX_DEPTH);
    assert_eq!(fail(&nested(MAX_DEPTH + 1)).message, "more than 64 lists and mappings in one another");
    for text in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(100_000)] {
        fail(&text);
    }
    // Aliases reach the limit in a few lines, and the error points at the alias.
    let text: String = (1..=80).map(|line| format!("- &a{line} [*a{}]\n", line - 1)).collect();
    let text = format!("- &a0 x\n{text}");
    assert_eq!(fail(&text).message, "more than 64 lists and mappings in one another");
    assert_eq!(wrong(&text).0, "*a63");
}

#[test]
fn nodes_are_limited() {
    // The list is a node too.
    read(&"- x\n".repeat(MAX_NODES - 1));
    let error = fail(&"- x\n".repeat(MAX_NODES));
    assert_eq!(error.at.start, 4 * (MAX_NODES - 1) + 2);
    assert_eq!(error.message, "more than 100000 values, with each alias written out");
}

#[test]
fn billions_of_laughs_are_refused() {
    let started = std::time::Instant::now();
    let mut text = String::from("a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (name, of) in ('b'..='z').zip('a'..) {
        text += &format!("{name}: &{name} [{}]\n", vec![format!("*{of}"); 9].join(", "));
    }
    let (shown, message) = wrong(&text);
    assert_eq!(message, "more than 100000 values, with each alias written out");
    assert!(shown.starts_with('*'), "{shown}");
    assert!(started.elapsed().as_secs() < 5);
    // The same holds for merge keys, although only one key of them would remain.
    let mut text = String::from("a: &a {k: 1}\n");
    for (name, of) in ('b'..='z').zip('a'..) {
        text += &format!("{name}: &{name} {{<<: [{}]}}\n", vec![format!("*{of}"); 9].join(", "));
    }
    fail(&text);
    let long = format!("- &a {}\n{}", "x".repeat(100_000), "- *a\n".repeat(1000));
    assert_eq!(wrong(&long), ("*a".to_owned(), "aliases that repeat more than 16777216 bytes of text".to_owned()));
}
