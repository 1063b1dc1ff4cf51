//! The arguments of tools, as far as policies search them.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// A value in the arguments of a tool.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Node {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// The members of an object, by name.
    Members(BTreeMap<String, Node>),
    /// A number, a truth value or nothing.
    Other(IgnoredAny),
}
