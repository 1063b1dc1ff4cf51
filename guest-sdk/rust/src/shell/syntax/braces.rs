//! Brace expansion, on text in which only active braces are marked.

/// An active `{`, `,` or `}`.
pub(in crate::shell) const OPEN: char = '\u{100000}';
/// See [`OPEN`].
pub(in crate::shell) const COMMA: char = '\u{100001}';
/// See [`OPEN`].
pub(in crate::shell) const CLOSE: char = '\u{100002}';

/// How many words one word may expand to before it counts as unknown.
const MAX_WORDS: usize = 64;
/// How much text the expansion may create on the way, in bytes.
const MAX_MADE: usize = 64 << 10;

/// Returns the words that `text` expands to, or `None` if there are too many. `sequence` creates the word part for
/// `1..9` and the like, which can mean many things, like a wildcard.
pub(in crate::shell) fn expand(text: &str, mut sequence: impl FnMut(&str) -> String) -> Option<Vec<String>> {
    if !text.contains(OPEN) {
        return Some(vec![as_typed(text)]);
    }
    if text.matches(OPEN).count() > MAX_WORDS {
        return None;
    }
    let mut done = Vec::new();
    let mut pending = vec![text.to_owned()];
    let mut room = MAX_MADE;
    while let Some(text) = pending.pop() {
        // Each step copies the whole word.
        room = room.checked_sub(text.len())?;
        if done.len() + pending.len() >= MAX_WORDS {
            return None;
        }
        match first_group(&text) {
            Some(group) => pending.extend(group.words(&mut sequence).into_iter().rev()),
            None => done.push(as_typed(&text)),
        }
    }
    Some(done)
}

/// A balanced pair of braces and the text around it.
struct Group<'a> {
    before: &'a str,
    inner: &'a str,
    after: &'a str,
}

impl Group<'_> {
    fn words(&self, sequence: &mut impl FnMut(&str) -> String) -> Vec<String> {
        let alternatives = alternatives(self.inner);
        let inner: Vec<String> = if alternatives.len() > 1 {
            alternatives.into_iter().map(str::to_owned).collect()
        } else if self.inner.contains("..") {
            sequence_words(self.inner).unwrap_or_else(|| vec![sequence(self.inner)])
        } else {
            vec![format!("{{{}}}", self.inner)]
        };
        inner.iter().map(|inner| format!("{}{inner}{}", self.before, self.after)).collect()
    }
}

/// Returns the words of a short sequence of numbers or letters such as `a..e`.
fn sequence_words(inner: &str) -> Option<Vec<String>> {
    let (first, last) = inner.split_once("..")?;
    let letter = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(char::is_ascii_alphabetic).filter(|_| chars.as_str().is_empty()).map(u32::from)
    };
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        let letters = |range: &mut dyn Iterator<Item = u32>| -> Vec<String> {
            range.filter_map(char::from_u32).map(String::from).collect()
        };
        return Some(if first <= last { letters(&mut (first..=last)) } else { letters(&mut (last..=first).rev()) });
    }
    let is_plain = |text: &&str| *text == "0" || !text.trim_start_matches('-').starts_with('0');
    let number = |text: &str| Some(text).filter(is_plain)?.parse::<i32>().ok();
    let (first, last) = (i64::from(number(first)?), i64::from(number(last)?));
    if (first - last).unsigned_abs() >= MAX_WORDS as u64 {
        return None;
    }
    let words = |range: &mut dyn Iterator<Item = i64>| range.map(|number| number.to_string()).collect();
    Some(if first <= last { words(&mut (first..=last)) } else { words(&mut (last..=first).rev()) })
}

fn first_group(text: &str) -> Option<Group<'_>> {
    text.match_indices(OPEN).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let rest = rest.strip_prefix(OPEN)?;
        let end = closing(rest)?;
        let (inner, rest) = rest.split_at_checked(end)?;
        let after = rest.strip_prefix(CLOSE)?;
        Some(Group { before, inner, after })
    })
}

/// Returns the position of the brace that closes the one opened before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE if depth == 0 => return Some(at),
            CLOSE => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at the commas that are not inside nested braces.
fn alternatives(inner: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    inner
        .split(|c| {
            match c {
                OPEN => depth += 1,
                CLOSE => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == COMMA && depth == 0
        })
        .collect()
}

/// Restores braces that do not expand to anything.
fn as_typed(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            OPEN => '{',
            COMMA => ',',
            CLOSE => '}',
            c => c,
        })
        .collect()
}

/// Returns the text with its braces as typed, where braces are not expanded.
pub(in crate::shell) fn expand_nothing(text: &str) -> String {
    as_typed(text)
}
