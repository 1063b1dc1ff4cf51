//! Texts that are refused, and the messages for them.

use super::*;

#[test]
fn a_key_twice() {
    let error = fail("a: 1\nb:\n  x: 1\n  y: 2\n  \"x\": 3\n");
    assert_eq!((error.at, error.message.as_str()), (24..27, "key `x` is there twice"));
    assert_eq!(fail("{\"k\": 1, \"k\": 1}").at, 9..12);
    assert_eq!(wrong("- &k a: 1\n  b: 2\n  *k : 3").0, "*k");
    read("a: {x: 1}\nb: {x: 1}");
}

#[test]
fn keys_are_scalars() {
    assert_eq!(wrong("[a, b]: c"), ("[a, b]".to_owned(), "a key cannot be a list".to_owned()));
    assert_eq!(wrong("? {a: b}\n: c").1, "a key cannot be a mapping");
    assert_eq!(wrong("- &x {a: b}\n- *x : c").0, "*x");
    assert_eq!(keys(&read("1: a\ntrue: b\n? |\n  long\n: c\n~: d")), ["1", "true", "long\n", "~"]);
}

#[test]
fn one_document() {
    let error = fail("a: 1\n---\nb: 2\n");
    assert_eq!((error.at, error.message.as_str()), (5..8, "a second document starts here, and only one can be read"));
    assert_eq!(fail("a: 1\n---\n").at, 5..8);
    assert_eq!(fail("---\n---\n").at, 4..7);
    assert_eq!(fail("a: 1\n...\nb: 2\n").at.start, 9);
    for text in ["a: 1\n...\n", "---\na: 1\n...\n# c\n...\n", "%YAML 1.2\n---\na: 1\n", "# c\n--- {a: 1}\n"] {
        assert_eq!(keys(&read(text)), ["a"], "{text:?}");
    }
}

#[test]
fn directives() {
    assert_eq!(shown("%WHAT ever # c\n# ü\n---\na: x", "a"), "x");
    let error = fail("# c\n%WHAT ü\n---\na: x");
    assert_eq!((error.at, error.message.as_str()), (4..4, "a directive that is not in ASCII cannot be read"));
    let node = read("%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1");
    assert_eq!(at(&node, "a").as_str(), Some("1"));
}

#[test]
fn tags_that_do_not_fit() {
    let (shown, message) = wrong("a: !!int abc");
    assert_eq!((shown.as_str(), message.as_str()), ("abc", "`abc` is not what the tag `!!int` is for"));
    assert_eq!(wrong("a: !!map x").0, "x");
    assert_eq!(wrong("a: !mine [x]").1, "a list cannot have the tag `!mine`");
    assert_eq!(wrong("a: !!set {x}").1, "a mapping cannot have the tag `!!set`");
    assert_eq!(wrong("!!seq {}").1, "a mapping cannot have the tag `!!seq`");
}

#[test]
fn what_the_parser_says() {
    let cases = [
        ("a: [x, y\n\n", 8..8, "while parsing a flow sequence, expected ',' or ']'"),
        ("a: {x: 1\nb: 2\n", 10..11, "while parsing a flow mapping, did not find expected ',' or '}'"),
        ("ü: \"x\n", 4..5, "while scanning a quoted scalar, found unexpected end of stream"),
        ("a: 'x", 3..4, "while scanning a quoted scalar, found unexpected end of stream"),
        ("a:\n\t- b\n", 4..5, "tabs disallowed within this context (block indentation)"),
        ("ü: b\n c: d\n", 8..9, "mapping values are not allowed in this context"),
        ("a: b\n  - c\n d: e\n", 13..14, "mapping values are not allowed in this context"),
        ("a: ]\n", 3..4, "misplaced bracket"),
        ("a: \"\\q\"", 3..4, "while parsing a quoted scalar, found unknown escape character"),
        // JSON has pairs of escapes for one character, YAML does not.
        ("{\"a\": \"\\ud83e\\udd80\"}", 6..7, "found invalid Unicode character escape code"),
        ("a: @x", 3..4, "unexpected character: `@'"),
        ("a: b\0", 4..5, "found unprintable character"),
    ];
    for (text, at, message) in cases {
        let error = fail(text);
        assert!(error.message.contains(message), "{text:?}: {error:?}");
        assert_eq!(error.at, at, "{text:?}: {error:?}");
    }
}
