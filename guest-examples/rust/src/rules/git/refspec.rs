//! Reads a refspec: which branch of the remote it writes to.

use hookbox_sdk::shell::{GLOB, HOME, UNKNOWN, Word};

/// One `[+][source:]destination`.
#[derive(Debug)]
pub(super) struct Refspec<'a> {
    pub(super) word: &'a Word,
    /// Whether the refspec forces the push with a `+`.
    pub(super) plus: bool,
    /// Whether the refspec deletes its destination, as `:branch` does.
    pub(super) deletes: bool,
    pub(super) destination: Destination,
}

/// The branch that a refspec writes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// This protected branch, perhaps among others.
    Protected(String),
    /// Whichever branch is checked out, or whatever a variable says.
    Unknown,
    /// A branch that is not protected.
    Other,
}

impl<'a> Refspec<'a> {
    pub(super) fn new(word: &'a Word, branches: &[String]) -> Self {
        let text = word.pattern();
        let plain = text.strip_prefix('+').unwrap_or(text);
        let (source, name) = plain.split_once(':').unwrap_or((plain, plain));
        Self {
            word,
            plus: plain.len() < text.len(),
            deletes: source.is_empty() && !name.is_empty(),
            destination: destination(name, branches),
        }
    }
}

fn destination(name: &str, branches: &[String]) -> Destination {
    let name = name.strip_prefix("refs/").unwrap_or(name);
    let name = name.strip_prefix("heads/").unwrap_or(name);
    if matches!(name, "" | "HEAD" | "@") {
        return Destination::Unknown;
    }
    match branches.iter().find(|branch| could_be(name, branch)) {
        Some(_) if name.contains([UNKNOWN, HOME]) => Destination::Unknown,
        Some(branch) => Destination::Protected(branch.clone()),
        None => Destination::Other,
    }
}

/// Whether `name` can stand for `branch`, given that a wildcard and an unknown part can stand for any text.
fn could_be(name: &str, branch: &str) -> bool {
    const OPEN: [char; 4] = [UNKNOWN, HOME, GLOB, '*'];
    match (name.split(OPEN).next(), name.rsplit(OPEN).next()) {
        (Some(start), Some(end)) if name.contains(OPEN) => {
            branch.len() >= start.len() + end.len() && branch.starts_with(start) && branch.ends_with(end)
        }
        _ => name == branch,
    }
}
