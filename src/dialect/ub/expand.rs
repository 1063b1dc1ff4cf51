//! References like `${NAME}` in a config, which ub expands before it reads the YAML.

use crate::config::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

/// The shortest value that is hidden, in bytes. A shorter value is not a secret, and would occur in many texts.
const MIN_HIDDEN: usize = 4;

/// The largest size of an expanded config, in bytes. A config may name a variable many times.
pub(super) const MAX_EXPANDED: usize = 4 << 20;

/// The error for a config that would have more than [`MAX_EXPANDED`] bytes once it is expanded.
#[derive(Debug)]
pub(super) struct TooLarge;

/// An expanded text, and where each part of it came from.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// The names that have neither a value nor a default.
    pub(super) unset: Vec<(String, Range<usize>)>,
    /// The variables that were expanded, with their values.
    values: BTreeMap<String, String>,
    /// Where each part begins in the new text, and the part of the old text that it came from.
    parts: Vec<(usize, Range<usize>)>,
}

/// Expands the variables that `value_of` knows.
pub(super) fn expand(text: &str, value_of: impl Fn(&str) -> Option<String>) -> Result<Expanded, TooLarge> {
    let mut expanded = Expanded::default();
    let last_brace = text.rfind('}').unwrap_or_default();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (plain, tail) = rest.split_at(at);
        let start = text.len() - rest.len();
        expanded.push(plain, start..start + plain.len());
        let start = start + plain.len();
        let (length, new) = match reference(tail, start < last_brace) {
            Some((length, Reference::Dollar)) => (length, "$".to_owned()),
            Some((length, Reference::Variable { name, default })) => {
                let value = value_of(name).filter(|value| !value.is_empty());
                if let Some(value) = &value {
                    expanded.values.insert(name.to_owned(), value.clone());
                }
                if value.is_none() && default.is_none() {
                    expanded.unset.push((name.to_owned(), start..start + length));
                }
                (length, value.or_else(|| default.map(str::to_owned)).unwrap_or_default())
            }
            None => (1, "$".to_owned()),
        };
        expanded.push(&new, start..start + length);
        if expanded.text.len() > MAX_EXPANDED {
            return Err(TooLarge);
        }
        rest = tail.get(length..).unwrap_or_default();
    }
    let start = text.len() - rest.len();
    expanded.push(rest, start..text.len());
    Ok(expanded)
}

enum Reference<'t> {
    Dollar,
    Variable { name: &'t str, default: Option<&'t str> },
}

/// Returns the reference at the start of the text, with its length in bytes. Without `has_brace`, the text is
/// known to have no closing brace. It is then not searched, since a config may have very many opening ones.
fn reference(text: &str, has_brace: bool) -> Option<(usize, Reference<'_>)> {
    if text.starts_with("$$") {
        return Some((2, Reference::Dollar));
    }
    let inner = text.strip_prefix("${").filter(|_| has_brace)?;
    let is_upper = |c: char| c.is_ascii_uppercase() || c == '_';
    let end = inner.find(|c: char| !is_upper(c) && !c.is_ascii_digit()).unwrap_or(inner.len());
    let (name, tail) = inner.split_at(end);
    if !name.starts_with(is_upper) {
        return None;
    }
    if tail.starts_with('}') {
        return Some((2 + name.len() + 1, Reference::Variable { name, default: None }));
    }
    let (default, _) = tail.strip_prefix(":-")?.split_once('}')?;
    let length = 2 + name.len() + 2 + default.len() + 1;
    Some((length, Reference::Variable { name, default: Some(default) }))
}

impl Expanded {
    fn push(&mut self, new: &str, old: Range<usize>) {
        if !new.is_empty() {
            self.parts.push((self.text.len(), old));
            self.text.push_str(new);
        }
    }

    /// Hides the values of variables in a text for people. The longest values go first, since one may be part of
    /// another.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut values: Vec<_> = self.values.iter().filter(|(_, value)| value.len() >= MIN_HIDDEN).collect();
        values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let mut hidden = text.to_owned();
        for (name, value) in values {
            for spelled in [value.clone(), value.escape_debug().to_string()] {
                hidden = hidden.replace(&spelled, &format!("${{{name}}}"));
            }
        }
        hidden
    }

    /// Hides the values of variables in a problem.
    pub(super) fn hide_in(&self, problem: Problem) -> Problem {
        let help = problem.help.map(|help| self.hide(&help));
        Problem { message: self.hide(&problem.message), help, ..problem }
    }

    /// Maps a place in the new text to its place in the old one.
    pub(super) fn original(&self, at: &Range<usize>) -> Range<usize> {
        let place = |offset: usize| {
            let after = self.parts.partition_point(|(start, _)| *start <= offset);
            let part = after.checked_sub(1).and_then(|index| self.parts.get(index));
            part.map_or(0, |(start, old)| (old.start + (offset - start)).min(old.end))
        };
        place(at.start)..place(at.end)
    }
}
