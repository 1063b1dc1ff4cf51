//! Reads a refspec: which branch of the remote it writes to.

use crate::shell::{GLOB, HOME, UNKNOWN, Word};

/// One `[+][source:]destination`.
#[derive(Debug)]
pub(super) struct Refspec<'a> {
    pub(super) word: &'a Word,
    /// Whether it forces the push with a `+`.
    pub(super) plus: bool,
    /// Whether it deletes its destination, as `:branch` does.
    pub(super) deletes: bool,
    name: &'a str,
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
    pub(super) fn new(word: &'a Word) -> Self {
        let text = word.text.as_str();
        let plain = text.strip_prefix('+').unwrap_or(text);
        let (source, name) = plain.split_once(':').unwrap_or((plain, plain));
        Self {
            word,
            plus: plain.len() < text.len(),
            deletes: source.is_empty() && !name.is_empty(),
            name: name.strip_prefix("refs/").unwrap_or(name),
        }
    }

    pub(super) fn destination(&self, branches: &[String]) -> Destination {
        let name = self.name.strip_prefix("heads/").unwrap_or(self.name);
        if matches!(name, "" | "HEAD" | "@") {
            return Destination::Unknown;
        }
        let is_open = |c| matches!(c, UNKNOWN | HOME | GLOB | '*');
        match branches
            .iter()
            .find(|branch| could_be(name, branch, is_open))
        {
            Some(_) if name.contains([UNKNOWN, HOME]) => Destination::Unknown,
            Some(branch) => Destination::Protected(branch.clone()),
            None => Destination::Other,
        }
    }
}

/// Whether `name` can stand for `branch`. The characters that `is_open` holds
/// for stand for any text.
fn could_be(name: &str, branch: &str, is_open: impl Fn(char) -> bool + Copy) -> bool {
    match (name.split(is_open).next(), name.rsplit(is_open).next()) {
        (Some(start), Some(end)) if name.contains(is_open) => {
            branch.len() >= start.len() + end.len()
                && branch.starts_with(start)
                && branch.ends_with(end)
        }
        _ => name == branch,
    }
}
