//! The places of nodes, in bytes.

use super::*;

#[test]
fn places_of_blocks() {
    let text = "a: | # |\n\n  one\n\n  two\n\n# c\nb:\n  # c\n  >-\n  x\nc: &x !!str |+\n  y\n\nd: |- # c\ne:\n- |\n z";
    assert_eq!(shown(text, "a"), "| # |\n\n  one\n\n  two");
    assert_eq!(shown(text, "b"), ">-\n  x");
    assert_eq!(shown(text, "c"), "|+\n  y");
    assert_eq!(shown(text, "d"), "|-");
    assert_eq!(shown(text, "e.0"), "|\n z");
    for text in ["|\n  x\n", "--- |\n  x\n", "\u{feff}# c\n--- # c\n|\n  x\n", "\u{feff}|\n  x"] {
        assert_eq!(&text[read(text).at], "|\n  x", "{text:?}");
    }
}

#[test]
fn places_of_quoted_and_plain() {
    let text = "a: \"x \\\" y\"   # c \"\nb: 'it''s'  # c'\n\"k\" : plain words # c\nd: two\n  lines  # c\n";
    assert_eq!(shown(text, "a"), "\"x \\\" y\"");
    assert_eq!(shown(text, "b"), "'it''s'");
    assert_eq!(shown(text, "k"), "plain words");
    assert_eq!(shown(text, "d"), "two\n  lines");
    let node = read(text);
    let places: Vec<_> = node.as_mapping().unwrap().iter().map(|(key, _)| &text[key.at.clone()]).collect();
    assert_eq!(places, ["a", "b", "\"k\"", "d"]);
}

#[test]
fn places_do_not_take_in_anchors_and_tags() {
    let text = "a: &x !!str 'v' # c\nb: !<!t[,]> &y # c\n  w\nc: &l\n- i\nd: &m\n  k: v\ne: &f [ 1 ] # ]\n&k g: 1";
    assert_eq!(shown(text, "a"), "'v'");
    assert_eq!(shown(text, "b"), "w");
    assert_eq!(shown(text, "c"), "- i");
    assert_eq!(shown(text, "d"), "k: v");
    assert_eq!(shown(text, "e"), "[ 1 ]");
    let node = read(text);
    assert_eq!(&text[node.as_mapping().unwrap()[5].0.at.clone()], "g");
}

#[test]
fn places_of_lists_and_mappings() {
    let text = "a:\n- - x\n  - y\n-   # c\n  k: v\nb: # c\n  - 1\n  - 2\n\n# c\nc: {d: [1, 2] } # c\ne: [f: g, h]\n";
    assert_eq!(shown(text, "a"), "- - x\n  - y\n-   # c\n  k: v");
    assert_eq!(shown(text, "a.0"), "- x\n  - y");
    assert_eq!(shown(text, "a.1"), "k: v");
    assert_eq!(shown(text, "b"), "- 1\n  - 2");
    assert_eq!(shown(text, "c"), "{d: [1, 2] }");
    assert_eq!(shown(text, "c.d"), "[1, 2]");
    assert_eq!(shown(text, "e.0"), "f: g");
    assert_eq!(read(text).at, 0..text.trim_end().len());
}

#[test]
fn places_of_what_is_left_out() {
    let text = "a:   # c\nb: {c, d: , \"e\" }\nf:\n  - # c\n  -\n? g\n? h\nk: !!null\n";
    let node = read(text);
    let place = |path: &str| {
        let range = at(&node, path).at.clone();
        assert!(at(&node, path).is_null() && range.is_empty(), "{path}");
        text[..range.start].to_owned()
    };
    assert!(place("a").ends_with("a:"));
    assert!(place("b.c").ends_with("{c"));
    assert!(place("b.d").ends_with("d:"));
    assert!(place("g").ends_with("? g"));
    assert!(place("h").ends_with("? h"));
    assert!(place("f.0").ends_with("- # c"));
    assert!(place("f.1").trim_end().ends_with('-'));
    assert!(place("k").ends_with("!!null"));
}

#[test]
fn places_are_bytes() {
    let text = "\u{feff}größe: \"süß 🦀\" # 🦀\r\nжук: [é, 🦀, z]\r\nb:\r\n- ñandú\r\n- |\r\n  日本\r\n  語\r\nc: 1";
    assert_eq!(shown(text, "größe"), "\"süß 🦀\"");
    assert_eq!(shown(text, "жук"), "[é, 🦀, z]");
    assert_eq!(shown(text, "жук.1"), "🦀");
    assert_eq!(shown(text, "b.0"), "ñandú");
    assert_eq!(shown(text, "b.1"), "|\r\n  日本\r\n  語");
    assert_eq!(shown(text, "c"), "1");
    let node = read(text);
    assert_eq!(at(&node, "b.1").as_str(), Some("日本\n語\n"));
    assert_eq!(node.at.start, 3);
    assert_eq!(wrong("ü: 🦀\nü: 2").0, "ü");
    assert_eq!(fail("ü: 🦀\nü: 2").at, 9..11);
}
