//! The texts in a tool's input.

use hookbox_policy::Node;
use hookbox_policy::network::{Reach, Target, looks_like_host, target};
use hookbox_sdk::Input;

/// A text in the tool's input.
pub(crate) struct Leaf {
    text: String,
    /// Whether the name of its member says that it is a URL.
    is_url: bool,
    /// Whether the name says that it can only be a URL, unlike `idOrUrl`.
    is_only_url: bool,
}

/// Returns all texts in the tool's input, or `None` if the input cannot be read.
pub(crate) fn of<S>(input: &Input<S>) -> Option<Vec<Leaf>> {
    let node = input.tool_input.as_ref()?.to::<Node>().ok()?;
    let mut leaves = Vec::new();
    collect(node, false, false, &mut leaves);
    Some(leaves)
}

fn collect(node: Node, is_url: bool, is_only_url: bool, leaves: &mut Vec<Leaf>) {
    match node {
        Node::Text(text) => leaves.push(Leaf { text, is_url, is_only_url }),
        Node::List(nodes) => nodes.into_iter().for_each(|node| collect(node, is_url, is_only_url, leaves)),
        Node::Members(members) => members.into_iter().for_each(|(name, node)| {
            let names_url = names_url(&name);
            let singular = name.trim_end_matches('s');
            let ends = ["url", "uri", "host", "Url", "Uri", "Host", "URL", "URI"];
            let before = ends.iter().find_map(|end| singular.strip_suffix(end)).unwrap_or_default();
            // This is `pathOrUrl`.
            let is_choice = ["Or", "_or_", "-or-"].iter().any(|or| before.ends_with(or));
            let names_only_url = names_url && !is_choice;
            collect(node, is_url || names_url, is_only_url || names_only_url, leaves);
        }),
        Node::Other(_) => {}
    }
}

/// Returns the member of the tool's input by which it sends data: a method that writes, or for a tool that makes
/// requests, their body.
pub(crate) fn sent<S>(input: &Input<S>, is_request: bool) -> Option<String> {
    sending(&input.tool_input.as_ref()?.to::<Node>().ok()?, is_request)
}

fn sending(node: &Node, is_request: bool) -> Option<String> {
    let members = match node {
        Node::Members(members) => members,
        Node::List(nodes) => return nodes.iter().find_map(|node| sending(node, is_request)),
        Node::Text(_) | Node::Other(_) => return None,
    };
    members.iter().find_map(|(name, node)| match (name.to_ascii_lowercase().as_str(), node) {
        ("method" | "httpmethod" | "http_method" | "verb", Node::Text(method)) => {
            let writes = ["POST", "PUT", "PATCH", "DELETE"];
            writes.iter().find(|write| method.trim().eq_ignore_ascii_case(write)).map(|write| (*write).to_owned())
        }
        ("body" | "data" | "json" | "form" | "payload" | "formdata" | "form_data", value) if is_request => {
            let is_empty = match value {
                Node::Text(text) => text.is_empty(),
                Node::List(nodes) => nodes.is_empty(),
                Node::Members(members) => members.is_empty(),
                Node::Other(_) => true,
            };
            (!is_empty).then(|| name.clone())
        }
        (_, node) => sending(node, is_request),
    })
}

/// Whether a member with this name holds a URL or a host: `url`, `base_url`, `imageUrls`, `href`, `hostname`.
fn names_url(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["url", "uri", "href", "endpoint", "host", "hostname"].iter().any(|end| lower.trim_end_matches('s').ends_with(end))
}

/// Whether a URL is an argument rather than part of a longer text. If the texts are not known, it counts as an
/// argument. A URL may have spaces, which browsers encode.
pub(crate) fn is_argument(url: &str, leaves: &Option<Vec<Leaf>>) -> bool {
    let is_whole = |leaf: &Leaf| leaf.is_url || leaf.text.split_whitespace().count() <= 1;
    leaves.as_ref().is_none_or(|leaves| leaves.iter().any(|leaf| is_whole(leaf) && leaf.text.contains(url)))
}

/// Whether a member that is named as a URL contains this URL. If the texts are not known, the answer is yes.
pub(crate) fn is_named(url: &str, leaves: &Option<Vec<Leaf>>) -> bool {
    leaves.as_ref().is_none_or(|leaves| leaves.iter().any(|leaf| leaf.is_url && leaf.text.contains(url)))
}

/// Returns the hosts in members for URLs that are written without `://`, which browsers complete:
/// `example.com/x`, `https:/example.com`.
pub(crate) fn bare_hosts(leaves: &Option<Vec<Leaf>>) -> impl Iterator<Item = (&str, Target)> {
    let named = leaves.iter().flatten().filter(|leaf| leaf.is_only_url && !leaf.text.contains("://"));
    let targets = named.map(|leaf| (leaf.text.as_str(), target(&leaf.text)));
    targets.filter(|(_, target)| match target {
        Target::Host(host) => host.reach() == Reach::Metadata || looks_like_host(&host.name),
        _ => false,
    })
}
