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

/// A text in the tool's input.
pub(crate) struct Leaf {
    text: String,
    /// Whether the name of its member says that it is a URL.
    is_url: bool,
}

/// Returns all texts in the tool's input, or `None` if the input cannot be read.
pub(crate) fn of<S>(input: &Input<S>) -> Option<Vec<Leaf>> {
    let node = input.tool_input.as_ref()?.to::<Node>().ok()?;
    let mut leaves = Vec::new();
    collect(node, false, &mut leaves);
    Some(leaves)
}

fn collect(node: Node, is_url: bool, leaves: &mut Vec<Leaf>) {
    match node {
        Node::Text(text) => leaves.push(Leaf { text, is_url }),
        Node::List(nodes) => nodes.into_iter().for_each(|node| collect(node, is_url, leaves)),
        Node::Members(members) => {
            members.into_iter().for_each(|(name, node)| collect(node, is_url || names_url(&name), leaves));
        }
        Node::Other(IgnoredAny) => {}
    }
}

/// Whether a member with this name holds a URL: `url`, `base_url`, `imageUrls`, `href`.
fn names_url(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["url", "uri", "href", "endpoint"].iter().any(|end| lower.trim_end_matches('s').ends_with(end))
}

/// Whether a URL is an argument rather than part of a longer text. If the texts are not known, it counts as an
/// argument. A URL may have spaces, which browsers encode.
pub(crate) fn is_argument(url: &str, leaves: &Option<Vec<Leaf>>) -> bool {
    let is_whole = |leaf: &Leaf| leaf.is_url || leaf.text.split_whitespace().count() <= 1;
    leaves.as_ref().is_none_or(|leaves| leaves.iter().any(|leaf| is_whole(leaf) && leaf.text.contains(url)))
}
