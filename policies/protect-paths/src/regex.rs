//! Regular expressions as patterns of names. Only names that they surely match are wanted, so what may be repeated or
//! left out is there once.

use std::iter::Peekable;
use std::str::Chars;

/// The longest expression whose groups are resolved, in bytes.
const MAX_LENGTH: usize = 256;

/// How many patterns the choices in an expression may become.
const MAX_CHOICES: usize = 64;

/// Returns patterns of names for an expression that matches a whole path: `.*/\.env` matches what `*/.env` matches.
pub(crate) fn whole(expression: &str) -> Vec<String> {
    choices(expression).iter().map(|choice| glob(bounds(choice).0)).collect()
}

/// Returns patterns of names for an expression that matches somewhere in a name.
pub(crate) fn anywhere(expression: &str) -> Vec<String> {
    let around_choice = |choice: &String| {
        let (inside, begins, ends) = bounds(choice);
        around(&glob(inside), begins, ends)
    };
    choices(expression).iter().flat_map(around_choice).collect()
}

/// Returns patterns for names that contain a text, or begin or end with it.
pub(crate) fn around(text: &str, begins: bool, ends: bool) -> Vec<String> {
    let before: &[&str] = if begins { &[""] } else { &["", "*"] };
    let behind: &[&str] = if ends { &[""] } else { &["", "*"] };
    before.iter().flat_map(|before| behind.iter().map(move |behind| format!("{before}{text}{behind}"))).collect()
}

/// Returns the texts that an expression with groups stands for: `ab` and `ac` for `a(b|c)`.
pub(crate) fn choices(expression: &str) -> Vec<String> {
    let mut text = expression.to_owned();
    // In some syntaxes, these signs have a backslash.
    for (written, sign) in [("\\(", "("), ("\\)", ")"), ("\\|", "|")] {
        text = text.replace(written, sign);
    }
    let (mut open, mut done) = (vec![text], Vec::new());
    while let Some(text) = open.pop() {
        let is_small = text.len() <= MAX_LENGTH && done.len() + open.len() < MAX_CHOICES;
        match group(&text).filter(|_| is_small) {
            Some((before, inside, after)) => {
                open.extend(inside.split('|').map(|choice| format!("{before}{choice}{after}")));
                open.extend(after.strip_prefix(['?', '*']).map(|after| format!("{before}{after}")));
            }
            None if is_small => done.extend(text.split('|').map(str::to_owned)),
            None => done.push(text),
        }
    }
    done
}

/// Returns the first group that has no other one inside, and what is before and after it.
fn group(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once(')')?;
    let (before, inside) = before.rsplit_once('(')?;
    // This is `(?:a|b)`, or `(?i)`, which sets a flag.
    let inside = match inside.strip_prefix('?') {
        Some(flags) => flags.split_once(':').map_or("", |(_, inside)| inside),
        None => inside,
    };
    Some((before, inside, after))
}

/// Returns an expression without its anchors, and whether it is bound to the beginning and to the end.
fn bounds(text: &str) -> (&str, bool, bool) {
    let (text, begins) = text.strip_prefix('^').map_or((text, false), |rest| (rest, true));
    match text.strip_suffix('$').filter(|rest| !rest.ends_with('\\')) {
        Some(rest) => (rest, begins, true),
        None => (text, begins, false),
    }
}

/// Returns an expression without groups as a pattern with `*`.
fn glob(expression: &str) -> String {
    let mut glob = String::new();
    let mut rest = expression.chars().peekable();
    while let Some(c) = rest.next() {
        let part = match c {
            '\\' => match rest.next() {
                Some('B' | 'b') | None => continue,
                Some('D' | 'S' | 'W' | 'd' | 's' | 'w') => '*',
                Some(escaped) => escaped,
            },
            '[' => class(&mut rest),
            '.' if matches!(rest.peek(), Some('*' | '+' | '?' | '{')) => '*',
            '*' | '+' | '?' => continue,
            '{' => {
                rest.by_ref().find(|c| *c == '}');
                continue;
            }
            c => c,
        };
        glob.push(part);
    }
    glob
}

/// Returns the character that a class stands for, or a wildcard if it stands for several. The class is read to its end.
fn class(rest: &mut Peekable<Chars<'_>>) -> char {
    let mut inside = String::new();
    for c in rest.by_ref() {
        // A `]` that comes first belongs to the class.
        if c == ']' && !matches!(inside.as_str(), "" | "^") {
            break;
        }
        inside.push(c);
    }
    let mut chars = inside.strip_prefix('\\').unwrap_or(&inside).chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => only,
        _ => '*',
    }
}

#[cfg(test)]
mod tests {
    use super::{anywhere, whole};

    #[test]
    fn expressions_are_patterns_of_names() {
        for (expression, patterns) in [
            (r".*/\.env", vec!["*/.env"]),
            (r".*/[.]env.*", vec!["*/.env*"]),
            (r"[^/]*\.pem", vec!["*.pem"]),
            (r".*\.\(pem\|key\)", vec!["*.key", "*.pem"]),
            (r"\w+\.k{1,2}ey", vec!["*.key"]),
        ] {
            assert_eq!(whole(expression), patterns, "{expression}");
        }
        for (expression, patterns) in [
            (r"^\.env$", vec![".env"]),
            (r"^\.env", vec![".env", ".env*"]),
            (r"\.key$", vec![".key", "*.key"]),
            (r"(?i)^\.env(\.local)?$", vec![".env", ".env.local"]),
            (r"^(a|b(c|d))$", vec!["bd", "a", "bc", "a"]),
            (r"^a|b$", vec!["a", "a*", "b", "*b"]),
        ] {
            assert_eq!(anywhere(expression), patterns, "{expression}");
        }
    }

    #[test]
    fn groups_do_not_multiply_without_end() {
        assert!(whole(&"(a|b)".repeat(40)).len() < 200);
        assert_eq!(whole(&"(".repeat(100_000)).len(), 1);
    }
}
