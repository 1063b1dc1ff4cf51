//! Patterns of the files that a tool searches or reads.

/// The maximum number of alternatives of one pattern.
const MAX_ALTERNATIVES: usize = 64;

/// The maximum length of a pattern whose alternatives are found, in bytes, and the maximum number of steps to find them.
const MAX_BYTES: usize = 8 << 10;
const MAX_STEPS: usize = 1024;

/// Returns the patterns in one text. Some tools take several, with commas or spaces between them.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let is_end = move |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c == ';' || c.is_whitespace())
    };
    text.split(is_end).filter(|pattern| !pattern.is_empty())
}

/// Returns all patterns that the braces, groups and one-character classes of a pattern stand for: `{.env,[x]}` and
/// `@(.env|x)` are `.env` and `x`. Returns `None` if there are too many, or the pattern is too long.
pub(super) fn alternatives(pattern: &str) -> Option<Vec<String>> {
    if pattern.len() > MAX_BYTES {
        return None;
    }
    let mut open = vec![plain_groups(&plain_classes(pattern))];
    // A backslash either separates names, or makes any character after it a plain one: `.e\\nv`.
    if pattern.contains('\\') {
        let unescaped = plain_groups(&plain_classes(&unescaped(pattern)));
        if !open.contains(&unescaped) {
            open.push(unescaped);
        }
    }
    let mut done = Vec::new();
    let mut steps = 0;
    while let Some(pattern) = open.pop() {
        steps += 1;
        if steps > MAX_STEPS || open.len() + done.len() > MAX_ALTERNATIVES {
            return None;
        }
        match braces(&pattern) {
            Some((before, inside, after)) => {
                // Two more than the maximum show that there are too many.
                let parts = inside.split(',').take(MAX_ALTERNATIVES + 2);
                open.extend(parts.map(|part| format!("{before}{part}{after}")));
            }
            None => done.push(pattern),
        }
    }
    Some(done)
}

/// Returns the text before, in and after the first pair of braces without others in it.
fn braces(pattern: &str) -> Option<(&str, &str, &str)> {
    pattern.match_indices('}').find_map(|(end, _)| {
        let (head, after) = pattern.split_at_checked(end)?;
        let start = head.rfind('{')?;
        Some((head.get(..start)?, head.get(start + 1..)?, after.get(1..)?))
    })
}

/// Replaces `@(a|b)` by `{a,b}`, and `!(a)` by `*`. How often a group occurs makes no difference here.
fn plain_groups(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let inside = after.strip_prefix('(').filter(|_| "@+?*!".contains(c)).and_then(|inside| inside.split_once(')'));
        rest = match inside {
            Some((inside, behind)) => {
                match c {
                    '!' => plain.push('*'),
                    _ => plain.push_str(&format!("{{{}}}", inside.replace('|', ","))),
                }
                behind
            }
            None => {
                plain.push(c);
                after
            }
        };
    }
    plain
}

/// Returns the pattern without the backslashes before characters that have no special meaning, such as letters.
fn unescaped(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some(next)) if "*?[]{}!\\".contains(next) => {
                plain.push(c);
                plain.extend(rest.next());
            }
            ('\\', Some(next)) => {
                plain.push(next);
                rest.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// Replaces `[x]` and `\\x` by `x`.
fn plain_classes(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let mut ahead = rest.clone();
        match (c, ahead.next(), ahead.next()) {
            ('[', Some(only), Some(']')) if only != ']' => {
                plain.push(only);
                rest = ahead;
            }
            ('\\', Some(next), _) if "*?[]{}!\\".contains(next) => {
                plain.push(next);
                rest.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}
