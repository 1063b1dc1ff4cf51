//! Anchors, aliases and merge keys.

use super::*;

#[test]
fn aliases() {
    let text = "a: &x {k: [1, 2]}\nb: *x\nc: [*x, &y 3, *y]\nd: &n ''\n*n : e";
    let node = read(text);
    assert_eq!(at(&node, "b.k.1").kind(), Some(Kind::Int(2)));
    assert_eq!(at(&node, "c.0.k.0").kind(), Some(Kind::Int(1)));
    assert_eq!(at(&node, "c.2").kind(), Some(Kind::Int(3)));
    assert_eq!(node.get("").and_then(Node::as_str), Some("e"));
    // An alias is where it is written, and its contents are where they were written.
    assert_eq!(shown(text, "b"), "*x");
    assert_eq!(at(&node, "b.k").at, at(&node, "a.k").at);
}

#[test]
fn an_anchor_can_be_set_again() {
    let node = read("- &a 1\n- *a\n- &a 2\n- *a");
    let kinds: Vec<_> = node.as_sequence().unwrap().iter().filter_map(Node::kind).collect();
    assert_eq!(kinds, [Kind::Int(1), Kind::Int(1), Kind::Int(2), Kind::Int(2)]);
}

#[test]
fn an_alias_in_its_own_value() {
    for text in ["&a [*a]", "a: &a\n  b: {c: *a}", "&a\n- &b\n  - *a\n- *b", "&a {<<: *a}"] {
        let (shown, message) = wrong(text);
        assert_eq!(
            (shown.as_str(), message.as_str()),
            ("*a", "this alias stands in the very value that it stands for")
        );
    }
}

#[test]
fn an_alias_of_nothing() {
    let (shown, message) = wrong("a: *none");
    assert_eq!((shown.as_str(), message.as_str()), ("*", "while parsing node, found unknown anchor"));
}

#[test]
fn merge_of_a_mapping() {
    let text = "base: &b {x: 1, y: 2}\nuse:\n  first: 0\n  <<: *b\n  y: 3\n";
    let node = read(text);
    assert_eq!(keys(at(&node, "use")), ["first", "x", "y"]);
    assert_eq!(at(&node, "use.x").kind(), Some(Kind::Int(1)));
    assert_eq!(at(&node, "use.y").kind(), Some(Kind::Int(3)));
    assert_eq!(shown(text, "use"), "first: 0\n  <<: *b\n  y: 3");
    assert_eq!(keys(at(&read("a: {<<: {x: 1}, y: 2}"), "a")), ["x", "y"]);
}

#[test]
fn merge_of_a_list() {
    let node = read("- &a {x: 1, y: 1}\n- &b {<<: *a, y: 2, z: 2}\n- {<<: [*b, *a, {w: 3}], z: 4}");
    let values: Vec<_> =
        ["x", "y", "z", "w"].iter().map(|key| at(&node, &format!("2.{key}")).kind().unwrap()).collect();
    assert_eq!(values, [Kind::Int(1), Kind::Int(2), Kind::Int(4), Kind::Int(3)]);
    assert_eq!(keys(at(&node, "2")), ["x", "y", "w", "z"]);
}

#[test]
fn merge_of_something_else() {
    let (shown, message) = wrong("a: 1\n<<: no");
    assert_eq!((shown.as_str(), message.as_str()), ("no", "`<<` takes a mapping or a list of mappings, not a string"));
    assert_eq!(wrong("<<: [{}, [x]]").0, "[x]");
    assert_eq!(wrong("<<:").1, "`<<` takes a mapping or a list of mappings, not null");
    assert_eq!(wrong("<<: {}\n<<: {}").1, "key `<<` is there twice");
    assert_eq!(read("'<<': no").get("<<").and_then(Node::as_str), Some("no"));
}
