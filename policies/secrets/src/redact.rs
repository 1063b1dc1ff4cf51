//! A text with marks in place of its secrets.

use crate::{Finder, Finding};
use std::collections::{BTreeSet, HashMap};

/// The longest text that is looked at, in bytes. Of a longer one the rest is withheld.
pub const MAX_TEXT: usize = 4 * 1024 * 1024;

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// The text, with `[redacted:KIND#N]` in place of each secret. The same secret has the same number.
    pub text: String,
    /// How many places were replaced.
    pub count: usize,
    /// The kinds of the secrets, sorted.
    pub kinds: Vec<String>,
    /// How many bytes at the end were withheld since the text is too long to be looked at.
    pub withheld: usize,
}

impl Finder {
    /// Replaces the secrets of a text. `None` if there is nothing to replace.
    #[must_use]
    pub fn redact(&self, text: &str) -> Option<Redaction> {
        self.redact_up_to(text, MAX_TEXT)
    }

    fn redact_up_to(&self, whole: &str, most: usize) -> Option<Redaction> {
        let end = if whole.len() > most { whole.floor_char_boundary(most) } else { whole.len() };
        let text = whole.get(..end).unwrap_or_default();
        let findings = self.find(text);
        let withheld = whole.len() - end;
        if findings.is_empty() && withheld == 0 {
            return None;
        }
        let numbers = numbers(text, &findings);
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for (finding, number) in findings.iter().zip(numbers) {
            redacted.push_str(text.get(at..finding.start).unwrap_or_default());
            redacted.push_str(&format!("[redacted:{}#{number}]", finding.kind));
            at = finding.end;
        }
        redacted.push_str(text.get(at..).unwrap_or_default());
        if withheld > 0 {
            redacted
                .push_str(&format!("[withheld: {withheld} bytes behind the first {end}, where nothing is looked for]"));
        }
        let kinds: BTreeSet<&str> = findings.iter().map(|finding| finding.kind.as_ref()).collect();
        Some(Redaction {
            text: redacted,
            count: findings.len(),
            kinds: kinds.into_iter().map(str::to_owned).collect(),
            withheld,
        })
    }
}

/// The number of each finding: the parts of one secret, and the same secret elsewhere, have the same one.
fn numbers(text: &str, findings: &[Finding]) -> Vec<usize> {
    let secret = |finding: &Finding| text.get(finding.start..finding.end).unwrap_or_default().to_owned();
    let mut groups: HashMap<usize, String> = HashMap::new();
    for finding in findings {
        if let Some(group) = finding.group {
            groups.entry(group).or_default().push_str(&secret(finding));
        }
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let number = |finding: &Finding| {
        let secret = match finding.group.and_then(|group| groups.get(&group)) {
            Some(secret) => secret.clone(),
            None => secret(finding),
        };
        let next = numbers.len() + 1;
        *numbers.entry(secret).or_insert(next)
    };
    findings.iter().map(number).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_withheld() {
        let finder = Finder::default();
        let text = "é".repeat(10);
        let redaction = finder.redact_up_to(&text, 7).unwrap();
        assert_eq!(redaction.withheld, 14);
        assert!(redaction.text.starts_with("ééé[withheld: 14 bytes"));
        assert_eq!(finder.redact_up_to(&text, 20), None);
    }
}
