//! Replaces the secrets of a text with marks.

use crate::{Finder, Finding};
use std::collections::{BTreeSet, HashMap};

/// The number of bytes that are examined at once. A longer text is examined in parts, since the memory that is needed
/// grows with its length.
const PART: usize = 4 * 1024 * 1024;

/// The number of bytes that each part overlaps with its neighbours, which is more than the longest secret together with
/// the text before it.
const OVERLAP: usize = 128 * 1024;

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// The text, with `[redacted:KIND#N]` in place of each secret. The same secret has the same number.
    pub text: String,
    /// The number of places that were replaced.
    pub count: usize,
    /// The kinds of the secrets, sorted.
    pub kinds: Vec<String>,
    /// The number of bytes at the end that were withheld because the answer would be too long.
    pub withheld: usize,
}

impl Finder {
    /// Replaces the secrets of a text of any length. Returns `None` if there is nothing to replace. The result has at
    /// most `most` bytes as a JSON string; the rest is withheld.
    #[must_use]
    pub fn redact(&self, text: &str, most: usize) -> Option<Redaction> {
        let findings = self.find_in_parts(text, PART, OVERLAP);
        if findings.is_empty() {
            return None;
        }
        let numbers = numbers(text, &findings);
        let mut redacted = String::with_capacity(text.len().min(most));
        let mut room = most;
        let (mut at, mut count) = (0, 0);
        let mut kinds = BTreeSet::new();
        let mut is_whole = true;
        for (finding, number) in findings.iter().zip(numbers) {
            let before = text.get(at..finding.start).unwrap_or_default();
            let mark = format!("[redacted:{}#{number}]", finding.kind);
            at += push(&mut redacted, before, &mut room);
            if at < finding.start || mark.len() > room {
                is_whole = false;
                break;
            }
            redacted.push_str(&mark);
            room -= mark.len();
            at = finding.end;
            count += 1;
            kinds.insert(finding.kind.as_ref());
        }
        if is_whole {
            at += push(&mut redacted, text.get(at..).unwrap_or_default(), &mut room);
        }
        let withheld = text.len() - at;
        if withheld > 0 {
            redacted.push_str(&format!("[withheld: the other {withheld} bytes, which are too many for an answer]"));
        }
        let kinds = kinds.into_iter().map(str::to_owned).collect();
        Some(Redaction { text: redacted, count, kinds, withheld })
    }

    /// Returns the secrets of a text, which is examined in parts that overlap their neighbours by `overlap` bytes.
    fn find_in_parts(&self, text: &str, part: usize, overlap: usize) -> Vec<Finding> {
        if text.len() <= part {
            return self.find(text);
        }
        let mut found: Vec<Finding> = Vec::new();
        let (mut start, mut groups) = (0, 0);
        while start < text.len() {
            let end = text.floor_char_boundary(start.saturating_add(part)).max(text.ceil_char_boundary(start + 1));
            let from = text.floor_char_boundary(start.saturating_sub(overlap));
            let to = text.ceil_char_boundary(end.saturating_add(overlap).min(text.len()));
            let mut next = groups;
            for mut finding in self.find(text.get(from..to).unwrap_or_default()) {
                finding.start += from;
                finding.end += from;
                // A secret that begins after this part belongs to the next part, which also sees the text after the
                // secret.
                if finding.start >= end || finding.end <= start {
                    continue;
                }
                finding.group = finding.group.map(|group| groups + group);
                next = next.max(finding.group.map_or(0, |group| group + 1));
                // The previous part may have found this secret or a part of it.
                finding.start = finding.start.max(found.last().map_or(0, |last| last.end));
                if finding.start < finding.end {
                    found.push(finding);
                }
            }
            (start, groups) = (end, next);
        }
        found
    }
}

/// Appends as much of a text as fits into the remaining room of a JSON string. Returns the length of the appended text.
fn push(out: &mut String, text: &str, room: &mut usize) -> usize {
    let mut length = 0;
    for c in text.chars() {
        let size = match c {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            c => c.len_utf8(),
        };
        let Some(left) = room.checked_sub(size) else { break };
        *room = left;
        length += c.len_utf8();
    }
    out.push_str(text.get(..length).unwrap_or_default());
    length
}

/// Returns the number of each finding. Parts of one secret, and other occurrences of the same secret, have the same
/// number.
fn numbers(text: &str, findings: &[Finding]) -> Vec<usize> {
    let mut groups: HashMap<usize, String> = HashMap::new();
    for finding in findings {
        if let Some(group) = finding.group {
            groups.entry(group).or_default().push_str(secret(text, finding));
        }
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut number_of = |secret| {
        let next = numbers.len() + 1;
        *numbers.entry(secret).or_insert(next)
    };
    // A secret of many parts is looked up once, not for each part.
    let mut known: HashMap<usize, usize> = HashMap::new();
    let number =
        |finding: &Finding| match finding.group.and_then(|group| groups.get(&group).map(|whole| (group, whole))) {
            Some((group, whole)) => *known.entry(group).or_insert_with(|| number_of(whole.as_str())),
            None => number_of(secret(text, finding)),
        };
    findings.iter().map(number).collect()
}

fn secret<'t>(text: &'t str, finding: &Finding) -> &'t str {
    text.get(finding.start..finding.end).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A token that belongs to nobody.
    const TOKEN: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

    #[test]
    fn a_token_that_is_split_over_two_parts_or_encoded_is_replaced() {
        let finder = Finder::default();
        let (head, tail) = TOKEN.split_at(17);
        for text in [
            format!(r#"[{{"type":"text","text":"a {head}"}},{{"type":"text","text":"{tail} b"}}]"#),
            format!(r#"[{{"text":"a {head}","type":"text"}}, {{"text":"{tail} b","type":"text"}}]"#),
            TOKEN.replace('_', "%5F"),
            TOKEN.replace('_', "%5f"),
            TOKEN.replace('_', "%255F"),
            TOKEN.replace('_', "&#95;"),
            TOKEN.replace('_', "&#x5f;"),
            TOKEN.replace('_', "&lowbar;"),
            TOKEN.replace('_', r"\u005f"),
            TOKEN.replace('_', r"\x5f"),
            TOKEN.replace("ghp", "%67%68%70"),
        ] {
            let redacted = finder.redact(&text, usize::MAX).unwrap();
            assert!(!redacted.text.contains(tail), "{}", redacted.text);
            assert_eq!(redacted.kinds, ["github-token"], "{text}");
            if text.starts_with('[') {
                assert!(is_balanced(&redacted.text), "{}", redacted.text);
            }
        }
    }

    /// Whether quotes and brackets occur in pairs.
    fn is_balanced(text: &str) -> bool {
        text.matches('"').count().is_multiple_of(2) && text.matches('{').count() == text.matches('}').count()
    }

    #[test]
    fn what_is_too_long_for_an_answer_is_withheld() {
        let finder = Finder::default();
        let text = format!("{TOKEN} {}", "é\n".repeat(10));
        let whole = finder.redact(&text, 1000).unwrap();
        assert_eq!((whole.withheld, whole.count), (0, 1), "{whole:?}");
        let mark = "[redacted:github-token#1]";
        let part = finder.redact(&text, mark.len() + 1 + 9).unwrap();
        assert!(part.text.starts_with(&format!("{mark} é\né\n[withheld: the other 24 bytes")), "{part:?}");
        let less = finder.redact(&text, mark.len() - 1).unwrap();
        assert!(less.text.starts_with("[withheld") && !less.text.contains("ghp_"), "{less:?}");
        assert_eq!(finder.redact(&"é".repeat(1000), 7), None, "there is nothing to replace");
    }

    #[test]
    fn parts_find_what_the_whole_has() {
        let finder = Finder::default();
        let line = "const é = compute(the_value, 42); // nothing at all\n";
        let text = format!(
            "{}{TOKEN}\n{}DB_PASSWORD=hunter2secretXK92\n{}{TOKEN}",
            line.repeat(7),
            line.repeat(20),
            line.repeat(9)
        );
        let whole: Vec<_> = finder.find(&text).into_iter().map(|found| (found.kind, found.start, found.end)).collect();
        assert_eq!(whole.len(), 3);
        for part in 300..360 {
            let parts = finder.find_in_parts(&text, part, 256);
            let parts: Vec<_> = parts.into_iter().map(|found| (found.kind, found.start, found.end)).collect();
            assert_eq!(parts, whole, "in parts of {part}");
        }
    }

    #[test]
    fn a_key_of_very_many_parts_takes_no_longer() {
        let started = std::time::Instant::now();
        let parts = format!("\",\"{}\"", "q7".repeat(8)) + &",\"q7\"".repeat(6000);
        let key = format!("-----BEGIN RSA PRIVATE KEY-----{parts}-----END RSA PRIVATE KEY-----\n");
        let redacted = Finder::default().redact(&key.repeat(40), usize::MAX);
        assert!(redacted.is_some_and(|redacted| redacted.count >= 6000 * 40));
        assert!(started.elapsed().as_secs() < 10);
    }

    #[test]
    fn a_key_over_several_parts_is_found() {
        let finder = Finder::default();
        let lines = "MIIEpAIBAAKCAQEA7bqRt5yKx0Zk\n".repeat(40);
        let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{lines}-----END RSA PRIVATE KEY-----\n");
        let text = format!("{}{key}{}", "nothing\n".repeat(300), "nothing\n".repeat(300));
        let covered = |findings: Vec<Finding>| -> Vec<usize> {
            findings.iter().flat_map(|finding| finding.start..finding.end).collect()
        };
        let whole = covered(finder.find(&text));
        assert!(whole.len() > 1000);
        for part in 300..340 {
            assert_eq!(covered(finder.find_in_parts(&text, part, 2048)), whole, "in parts of {part}");
        }
    }
}
