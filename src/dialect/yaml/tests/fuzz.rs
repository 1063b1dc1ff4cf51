//! Tests that any text is read or refused, with correct places, and that JSON is read as it was written.

use super::*;
use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_oneof, proptest};
use std::collections::BTreeMap;

/// Parses, and checks what holds for every text: places are within the text, on character boundaries, and of the right
/// kind.
fn sound(text: &str) {
    match parse(text) {
        Ok(Some(node)) => places_hold(text, &node),
        Ok(None) => {}
        Err(error) => {
            assert!(text.get(error.at.clone()).is_some(), "{text:?}: {error:?}");
            assert!(!error.message.is_empty());
            let directive = text.contains('%') && !text.is_ascii();
            assert!(directive || !error.message.contains("ASCII"), "{text:?}: {error:?}");
        }
    }
}

fn places_hold(text: &str, node: &Node) {
    let shown = text.get(node.at.clone()).unwrap_or_else(|| panic!("{text:?}: {node:?}"));
    let alias = shown.starts_with('*');
    let first = shown.chars().next();
    match &node.value {
        _ if alias => {}
        Value::Scalar(scalar) if scalar.plain => {
            let folded = shown.contains(['\n', '\r']);
            assert!(folded || shown == scalar.text, "{text:?}: {node:?} at {shown:?}");
        }
        Value::Scalar(_) => match first {
            Some(quote @ ('"' | '\'')) => assert!(shown.len() > 1 && shown.ends_with(quote), "{text:?}: {shown:?}"),
            _ => assert!(matches!(first, Some('|' | '>')), "{text:?}: {node:?} at {shown:?}"),
        },
        Value::Sequence(_) => assert!(matches!(first, Some('-' | '[')), "{text:?}: {node:?} at {shown:?}"),
        Value::Mapping(_) => assert!(first.is_some(), "{text:?}: {node:?} at {shown:?}"),
    }
    if let (Some('['), false) = (first, node.as_sequence().is_none()) {
        assert!(shown.ends_with(']'), "{text:?}: {shown:?}");
    }
    let merges = text.contains("<<");
    let nodes: Vec<&Node> = match &node.value {
        Value::Scalar(_) => Vec::new(),
        Value::Sequence(items) => items.iter().collect(),
        Value::Mapping(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
    };
    for child in nodes {
        let within = node.at.start <= child.at.start && child.at.end <= node.at.end;
        assert!(within || alias || merges, "{text:?}: {child:?} is not in {shown:?}");
        places_hold(text, child);
    }
}

const SAMPLES: &[&str] = &[
    "a: 1\nb:\n  - x\n  - y: z\n    w: \"q\" # c\nc: {d: [1, 2.5], 'e': ~}\n",
    "a: &x\n  k: v\nb: *x\nc:\n  <<: [*x, {l: m}]\n  k: n\n",
    "- |\n  one\n   two\n\n- >-\n  three\n  four\n- |+2\n    five\n\n",
    "{\"a\":[1,-2.5e3,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":{}}}",
    "\u{feff}%YAML 1.2\n--- # ü\r\nключ: &я \"süß 🦀\"\r\n? !!str |-\r\n  日本\r\n: - 🦀\r\n  - *я\r\n...\r\n",
    "a:\n- - x\n- ? y\n  : - z\n-\nb: !!set\n? k\n? l\n!t c: !<x> 'it''s'\n",
    "[a: b, ? c : d, {e, f: , : g}, [&h , *h ], ]\n",
    "%FOO ü x\n%TAG !e! tag:e,2000:\n--- !e!x >1-\n  y\n",
];

/// Text that a mutation inserts: characters with a meaning in YAML, and some that take more than one byte.
const PIECES: &[&str] = &[
    "", " ", "  ", "\n", "\r\n", "\r", "\t", "-", "- ", "? ", ": ", ":", ",", "[", "]", "{", "}", "#", " # c", "&a ",
    "*a", "!", "!!str ", "!<", "|", ">", "|-\n", ">2\n", "'", "\"", "\\", "\\x", "%", "%A ü\n", "@", "`", "---", "...",
    "\n---\n", "<<: ", "~", "0x", "ü", "🦀", "\u{feff}", "\0", "\u{85}", "\u{2028}", "a", "1", "=",
];

fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4usize, prop::sample::select(PIECES));
    (prop::sample::select(SAMPLES), prop::collection::vec(edit, 1..6)).prop_map(|(sample, edits)| {
        let mut chars: Vec<char> = sample.chars().collect();
        for (index, cut, piece) in edits {
            let from = index.index(chars.len() + 1);
            let to = (from + cut).min(chars.len());
            chars.splice(from..to, piece.chars());
        }
        chars.into_iter().collect()
    })
}

/// A JSON value, to be written and read back.
#[derive(Clone, Debug)]
enum Json {
    Plain(Kind),
    Str(String),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
}

fn json() -> impl Strategy<Value = Json> {
    let plain = prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Bool),
        any::<i64>().prop_map(Kind::Int),
        (-1.0..1.0).prop_map(Kind::Float)
    ];
    let string = || prop_oneof![any::<String>(), "[ :,#{}&*!|>'\"%@`?a1~<-]{0,6}"];
    let leaf = prop_oneof![plain.prop_map(Json::Plain), string().prop_map(Json::Str)];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6).prop_map(Json::List);
        prop_oneof![list, prop::collection::btree_map(string(), inner, 0..6).prop_map(Json::Map)]
    })
}

fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|char| match char {
        '"' | '\\' => format!("\\{char}"),
        char if char.is_control() => format!("\\u{:04x}", char as u32),
        char => char.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Writes JSON, with `gap` wherever JSON allows a blank.
fn write(json: &Json, gap: &str) -> String {
    let join = |items: Vec<String>| items.join(&format!("{gap},{gap}"));
    match json {
        Json::Plain(Kind::Null) => "null".to_owned(),
        Json::Plain(Kind::Bool(value)) => value.to_string(),
        Json::Plain(Kind::Int(value)) => value.to_string(),
        Json::Plain(Kind::Float(value)) => format!("{value:e}"),
        Json::Plain(Kind::Str) => unreachable!(),
        Json::Str(text) => quoted(text),
        Json::List(items) => format!("[{gap}{}{gap}]", join(items.iter().map(|item| write(item, gap)).collect())),
        Json::Map(map) => {
            let pair = |(key, value): (&String, &Json)| format!("{}{gap}:{gap}{}", quoted(key), write(value, gap));
            format!("{{{gap}{}{gap}}}", join(map.iter().map(pair).collect()))
        }
    }
}

/// Whether a node is what was written, at the place where it was written.
fn same(text: &str, gap: &str, node: &Node, json: &Json) -> bool {
    let here = text[node.at.clone()] == write(json, gap);
    here && match json {
        Json::Plain(kind) => match (node.kind(), kind) {
            // A float such as `1e0` is written without a point, and `-0` as a whole number.
            (Some(Kind::Int(read)), Kind::Float(float)) => read as f64 == *float,
            (read, kind) => read == Some(*kind),
        },
        Json::Str(text) => node.as_str() == Some(text),
        Json::List(items) => {
            let read = node.as_sequence().unwrap_or_default();
            read.len() == items.len() && read.iter().zip(items).all(|(node, item)| same(text, gap, node, item))
        }
        Json::Map(map) => {
            let read = node.as_mapping().unwrap_or_default();
            let is = |((name, node), (key, json)): (&(Node, Node), (&String, &Json))| {
                name.as_str() == Some(key) && same(text, gap, node, json)
            };
            read.len() == map.len() && read.iter().zip(map).all(is)
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        sound(&text);
    }

    #[test]
    fn any_yaml_soup_is_read_or_refused(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30)) {
        sound(&pieces.concat());
    }

    #[test]
    fn mutated_yaml_is_read_or_refused(text in mutated()) {
        sound(&text);
    }

    #[test]
    fn json_is_read_as_written(json in json(), gap in prop::sample::select(&["", " ", "\n", "\r\n\t", "\n    "][..])) {
        let text = write(&json, gap);
        prop_assert!(same(&text, gap, &read(&text), &json), "{text:?}: {:?}", read(&text));
    }
}
