//! Tests of the YAML tree.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics has failed, which is what it is to do"
)]

use super::*;

mod fuzz;
mod limits;
mod places;
mod refs;
mod refused;
mod values;

fn read(text: &str) -> Node {
    match parse(text) {
        Ok(Some(node)) => node,
        other => panic!("{text:?}: {other:?}"),
    }
}

fn fail(text: &str) -> YamlError {
    match parse(text) {
        Err(error) => error,
        other => panic!("{text:?}: {other:?}"),
    }
}

/// Returns the text at the place of an error, and the message.
fn wrong(text: &str) -> (String, String) {
    let error = fail(text);
    (text[error.at.clone()].to_owned(), error.message)
}

/// Returns the node at a path such as `a.0.b`.
fn at<'a>(node: &'a Node, path: &str) -> &'a Node {
    path.split('.').fold(node, |node, step| match &node.value {
        Value::Sequence(items) => &items[step.parse::<usize>().unwrap()],
        _ => node.get(step).unwrap_or_else(|| panic!("no {step} in {node:?}")),
    })
}

/// Returns the text that a node covers.
fn shown<'a>(text: &'a str, path: &str) -> &'a str {
    let node = read(text);
    &text[at(&node, path).at.clone()]
}

fn keys(node: &Node) -> Vec<&str> {
    node.as_mapping().unwrap().iter().map(|(key, _)| key.scalar().unwrap().text.as_str()).collect()
}
