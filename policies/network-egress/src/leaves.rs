//! The texts in a tool's input.

use hookbox_sdk::Input;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(untagged)]
enum Node {
    Text(String),
    List(Vec<Node>),
    Members(BTreeMap<String, Node>),
    Other(IgnoredAny),
}

/// Returns all texts in the tool's input, or `None` if the input cannot be read.
pub(crate) fn of<S>(input: &Input<S>) -> Option<Vec<String>> {
    let node = input.tool_input.as_ref()?.to::<Node>().ok()?;
    let mut texts = Vec::new();
    collect(node, &mut texts);
    Some(texts)
}

fn collect(node: Node, texts: &mut Vec<String>) {
    match node {
        Node::Text(text) => texts.push(text),
        Node::List(nodes) => nodes.into_iter().for_each(|node| collect(node, texts)),
        Node::Members(members) => members.into_values().for_each(|node| collect(node, texts)),
        Node::Other(IgnoredAny) => {}
    }
}

/// Whether a URL is an argument rather than part of a longer text. If the texts are not known, it counts as an
/// argument.
pub(crate) fn is_argument(url: &str, texts: &Option<Vec<String>>) -> bool {
    texts
        .as_ref()
        .is_none_or(|texts| texts.iter().any(|text| text.split_whitespace().count() <= 1 && text.contains(url)))
}
