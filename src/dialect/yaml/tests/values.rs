//! Texts that are read: scalars of each kind, tags, block scalars and JSON.

use super::*;

fn kind(text: &str) -> Kind {
    read(&format!("[{text}]")).as_sequence().unwrap()[0].kind().unwrap()
}

#[test]
fn keeps_the_order_of_the_file() {
    let node = read("b: 1\na: [x, {c: d}]\n");
    assert_eq!(keys(&node), ["b", "a"]);
    assert_eq!(at(&node, "b").kind(), Some(Kind::Int(1)));
    assert_eq!(at(&node, "a.1.c").as_str(), Some("d"));
    assert!(node.get("z").is_none());
    assert!(at(&node, "b").get("z").is_none());
}

#[test]
fn nothing_is_no_node() {
    for text in ["", " \n\n", "# only\n# comments", "---\n", "--- # c\n...\n", "...\n", "\u{feff}", "\u{feff}# c\n"] {
        assert!(matches!(parse(text), Ok(None)), "{text:?}: {:?}", parse(text));
    }
    assert!(read("~").is_null());
    assert_eq!(read("''").as_str(), Some(""));
    assert_eq!(read("--- !!str\n").as_str(), Some(""));
}

#[test]
fn nulls_and_booleans() {
    for text in ["null", "Null", "NULL", "~", "!!null ''"] {
        assert_eq!(kind(text), Kind::Null, "{text}");
    }
    for (text, value) in [("true", true), ("True", true), ("TRUE", true), ("false", false), ("FALSE", false)] {
        assert_eq!(kind(text), Kind::Bool(value), "{text}");
    }
    for text in ["yes", "no", "on", "off", "y", "tRUE", "nULL", "none"] {
        assert_eq!(kind(text), Kind::Str, "{text}");
    }
    let node = read("a:\nb: ''\nc: ~");
    assert!(at(&node, "a").is_null() && at(&node, "c").is_null());
    assert!(!at(&node, "b").is_null());
}

#[test]
fn whole_numbers() {
    let cases = [("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("0x1F", 31), ("0o17", 15), ("-12", -12)];
    for (text, value) in cases {
        assert_eq!(kind(text), Kind::Int(value), "{text}");
    }
    assert_eq!(kind("9223372036854775807"), Kind::Int(i64::MAX));
    assert_eq!(kind("-9223372036854775808"), Kind::Int(i64::MIN));
    assert_eq!(kind("9223372036854775808"), Kind::Float(9_223_372_036_854_775_808.0));
    assert_eq!(kind("0x10000000000000000"), Kind::Float(18_446_744_073_709_551_616.0));
    for text in ["0x", "0o", "0o8", "0xg", "0x-1", "-0x1", "1_000", "1:30", "0b1", "+", "1 2", "٣"] {
        assert_eq!(kind(text), Kind::Str, "{text}");
    }
}

#[test]
fn floats() {
    let cases = [
        ("1.5", 1.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("+1.5E-1", 0.15),
        (".inf", f64::INFINITY),
        ("-.INF", f64::NEG_INFINITY),
        ("!!float 3", 3.0),
    ];
    for (text, value) in cases {
        assert_eq!(kind(text), Kind::Float(value), "{text}");
    }
    assert!(matches!(kind(".NaN"), Kind::Float(nan) if nan.is_nan()));
    for text in ["inf", "nan", "NaN", "infinity", ".", "e5", "1e", "1.2.3", "-", "--1", ".e1", "+.nan"] {
        // A lone `-` is not a scalar, so it is quoted.
        let text = if text == "-" { "'-'" } else { text };
        assert_eq!(kind(text), Kind::Str, "{text}");
    }
}

#[test]
fn quotes_and_blocks_are_strings() {
    let node = read("- '1'\n- \"true\"\n- |\n  2\n- >-\n  null\n- ''");
    for item in node.as_sequence().unwrap() {
        assert_eq!(item.kind_name(), "a string", "{item:?}");
        assert!(!item.scalar().unwrap().plain);
    }
}

#[test]
fn tags_decide() {
    let node =
        read("a: !!str 1\nb: !!int '2'\nc: !mine 3\nd: ! 4\ne: !<tag:yaml.org,2002:str> 5\nf: !!map {}\ng: !!seq []");
    assert_eq!(at(&node, "a").as_str(), Some("1"));
    assert_eq!(at(&node, "b").kind(), Some(Kind::Int(2)));
    assert_eq!(at(&node, "c").as_str(), Some("3"));
    assert_eq!(at(&node, "c").scalar().unwrap().tag.as_deref(), Some("!mine"));
    assert_eq!(at(&node, "d").as_str(), Some("4"));
    assert_eq!(at(&node, "e").scalar().unwrap().tag.as_deref(), Some("!!str"));
    assert_eq!(at(&node, "f").kind_name(), "a mapping");
    assert_eq!(at(&node, "g").kind_name(), "a list");
}

#[test]
fn names_for_messages() {
    let node = read("[~, true, 1, 1.5, x, [], {}]");
    let names: Vec<_> = node.as_sequence().unwrap().iter().map(Node::kind_name).collect();
    assert_eq!(names, ["null", "a boolean", "a whole number", "a number", "a string", "a list", "a mapping"]);
    let strings: Vec<_> = node.as_sequence().unwrap().iter().filter_map(Node::as_str).collect();
    assert_eq!(strings, ["x"]);
}

#[test]
fn json() {
    let text = "{\"a\":[1,-2.5e3,true,null,\"x\\u00e9\\n\\/\"],\n\t\"b\":{\"c\":{}},\"d\":[]}";
    let node = read(text);
    assert_eq!(keys(&node), ["a", "b", "d"]);
    assert_eq!(at(&node, "a.1").kind(), Some(Kind::Float(-2500.0)));
    assert_eq!(at(&node, "a.4").as_str(), Some("xé\n/"));
    assert!(at(&node, "a.3").is_null());
    assert_eq!(shown(text, "a"), "[1,-2.5e3,true,null,\"x\\u00e9\\n\\/\"]");
    assert_eq!(shown(text, "b"), "{\"c\":{}}");
    assert_eq!(shown(text, "d"), "[]");
    assert_eq!(&text[node.at.clone()], text);
}

#[test]
fn literal_blocks() {
    let node = read("a: |\n  one\n   two\n\n  three\n\nb: |-\n  x\nc: |+\n  y\n\nd: |2\n   z\ne: |\nf: 1\n");
    assert_eq!(at(&node, "a").as_str(), Some("one\n two\n\nthree\n"));
    assert_eq!(at(&node, "b").as_str(), Some("x"));
    assert_eq!(at(&node, "c").as_str(), Some("y\n\n"));
    assert_eq!(at(&node, "d").as_str(), Some(" z\n"));
    assert_eq!(at(&node, "e").as_str(), Some(""));
}

#[test]
fn folded_blocks() {
    let node = read("a: >\n  one\n  two\n\n  three\nb: >-\n  x\n  y\n");
    assert_eq!(at(&node, "a").as_str(), Some("one two\nthree\n"));
    assert_eq!(at(&node, "b").as_str(), Some("x y"));
}
