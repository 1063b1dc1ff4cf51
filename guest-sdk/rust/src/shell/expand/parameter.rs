//! Reads `${…}`.

use super::pattern::Pattern;
use super::{Mode, Scanner};
use crate::shell::Unknown;
use crate::shell::env;
use crate::shell::marks::{self, has_mark};

impl Scanner<'_, '_> {
    /// Reads `${…}` after its opening brace.
    pub(super) fn parameter(&mut self, quoted: bool) {
        let Some(end) = closing(self.rest, quoted) else {
            return self.give_up();
        };
        let (inside, after) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = after.strip_prefix('}').unwrap_or(after);
        let raw = format!("${{{inside}}}");
        // `${ …}` and `${|…}` are substitutions in bash 5.3, and zsh also runs what they contain.
        if inside.starts_with([' ', '\t', '\n', '|']) {
            let script = inside.trim_start_matches('|').to_owned();
            self.shell.substituted(&script, self.place, "substitution");
            return self.unknown(&raw);
        }
        let count = inside.strip_prefix('#').filter(|rest| !rest.is_empty());
        let indirect = inside.strip_prefix('!').filter(|rest| !rest.is_empty());
        let body = count.or(indirect).unwrap_or(inside);
        // In zsh, these split the value, as other shells always do. Two of them do so in quotes, too.
        let split = body.strip_prefix('=').or_else(|| body.strip_prefix("(z)"));
        let quoted = quoted && split.is_none();
        let body = split.or_else(|| body.strip_prefix('~')).unwrap_or(body);
        let name_end = name_end(body);
        let (name, rest) = body.split_at_checked(name_end).unwrap_or((body, ""));
        let (index, operation) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((index, operation)) => (Some(index), operation),
            None => (None, rest),
        };
        if let Some(index) = index.filter(|index| !matches!(*index, "@" | "*")) {
            self.computes(index);
        }
        let list = match (name, index) {
            ("@" | "*", _) => Some(self.shell.env.arguments.clone()),
            (name, Some("@" | "*")) => Some(self.shell.env.get(name).and_then(|variable| variable.list.clone())),
            _ => None,
        };
        if let Some(list) = list {
            let separate = name == "@" || index == Some("@");
            if operation.is_empty() && count.is_none() && indirect.is_none() {
                return self.list(list.as_deref(), separate, quoted, &raw);
            }
            let part = list.as_deref().and_then(|list| part(list, index.is_none(), operation));
            if part.is_some() && count.is_none() && indirect.is_none() {
                return self.list(part, separate, quoted, &raw);
            }
            self.runs_inside(operation);
            return self.unknown(&raw);
        }
        let mut value = self.current(name, index);
        if indirect.is_some() {
            value = match &value {
                Some(name) if !has_mark(name) && name_end_of_all(name) => Some(self.shell.variable(&name.clone())),
                _ => None,
            };
        }
        if count.is_some() {
            match value.filter(|value| !has_mark(value)) {
                Some(value) if operation.is_empty() => {
                    let length = value.chars().count().to_string();
                    return self.text.push_str(&length);
                }
                _ => {
                    self.runs_inside(operation);
                    return self.unknown(&raw);
                }
            }
        }
        self.operate(name, value, operation, &raw, quoted);
    }

    /// Returns the value of a parameter, or `None` if the script does not set it.
    fn current(&mut self, name: &str, index: Option<&str>) -> Option<String> {
        if let Some(index) = index {
            let list = self.shell.env.get(name)?.list.clone()?;
            return list.get(env::index(index)?).cloned();
        }
        if name.is_empty() {
            return None;
        }
        if let Ok(at) = name.parse::<usize>() {
            let known = at > 0 && self.shell.env.arguments.is_some();
            return known.then(|| self.positional(at));
        }
        match name {
            "HOME" | "PWD" | "IFS" => Some(self.shell.variable(name)),
            name => self.shell.assigned(name),
        }
    }

    fn operate(&mut self, name: &str, value: Option<String>, operation: &str, raw: &str, quoted: bool) {
        let (sign, operand) = split_operation(operation);
        let unset = || marks::has_unknown(value.as_deref().unwrap_or_default());
        match sign {
            "" if operation.is_empty() => match value {
                Some(value) => self.insert(&value, quoted),
                None => self.unknown(raw),
            },
            ":-" | "-" | ":=" | "=" => {
                let other = self.operand(operand, quoted);
                let chosen = match &value {
                    Some(value) if value.is_empty() && sign.starts_with(':') => Chosen::Other(other.clone()),
                    Some(value) if !value.is_empty() && !unset() => Chosen::Value(value.clone()),
                    // An empty value may stand for a variable that is not set.
                    Some(value) if !value.is_empty() && !sign.starts_with(':') => Chosen::Value(value.clone()),
                    value => {
                        let itself = value.clone().unwrap_or_else(|| self.shell.marks.unknown(raw));
                        let chosen = self.shell.one_of(raw, [itself.clone(), other.clone()]);
                        if chosen == other { Chosen::Other(chosen) } else { Chosen::Value(chosen) }
                    }
                };
                if sign.ends_with('=') {
                    let plain = plain(match &chosen {
                        Chosen::Value(text) | Chosen::Other(text) => text,
                    });
                    self.shell.assign(name, vec![plain]);
                }
                match chosen {
                    Chosen::Value(value) => self.insert(&value, quoted),
                    // The operand has been split already.
                    Chosen::Other(text) => self.text.push_str(&text),
                }
            }
            ":+" | "+" => {
                let other = self.operand(operand, quoted);
                let text = match &value {
                    Some(value) if value.is_empty() && sign == ":+" => String::new(),
                    Some(value) if !value.is_empty() && !unset() => other,
                    _ => self.shell.one_of(raw, [other, String::new()]),
                };
                self.text.push_str(&text);
            }
            ":?" | "?" => {
                self.runs_inside(operand);
                match value {
                    Some(value) => self.insert(&value, quoted),
                    None => self.unknown(raw),
                }
            }
            "@" if operand == "P" => {
                // The value is expanded like a prompt.
                match value.filter(|value| !has_mark(value)) {
                    Some(value) if !value.contains(['$', '`', '\\', '!']) => return self.insert(&value, quoted),
                    Some(value) => self.runs_inside(&value),
                    None => self.shell.fail(Unknown::script(raw, "a text that is not known yet")),
                }
                self.unknown(raw);
            }
            _ => {
                if sign == ":" {
                    self.computes(operand);
                } else {
                    self.runs_inside(operand);
                }
                let known = value.filter(|value| !has_mark(value));
                match known.and_then(|value| computed(&value, sign, operand)) {
                    Some(value) => self.insert(&value, quoted),
                    None => self.unknown(raw),
                }
            }
        }
    }

    /// Returns the text of a default or alternative value, with the reader's control characters.
    fn operand(&mut self, raw: &str, quoted: bool) -> String {
        let mut scanner = Scanner::new(self.shell, raw, self.mode, self.place);
        scanner.operand = self.mode == Mode::Words && !quoted;
        if quoted || self.mode == Mode::Quoted {
            scanner.double(None);
        } else {
            scanner.unquoted(None);
        }
        scanner.text
    }

    /// Walks through the substitutions of a part that does not end up in the word.
    fn runs_inside(&mut self, raw: &str) {
        if raw.contains(['$', '`']) {
            self.shell.quoted(raw, self.place);
        }
    }
}

enum Chosen {
    Value(String),
    Other(String),
}

/// Returns a text without the reader's control characters.
fn plain(text: &str) -> String {
    let text = super::braces::expand_nothing(text);
    text.replace(super::SPLIT, " ").replace(super::TILDE, "~").replace(super::QUOTE, "")
}

/// Returns the elements that `:from` or `:from:count` leaves of a list. The first argument of a script has the number 1.
fn part<'l>(list: &'l [String], is_of_arguments: bool, operation: &str) -> Option<&'l [String]> {
    let operand = operation.strip_prefix(':')?;
    let (from, count) = operand.split_once(':').map_or((operand, None), |(from, count)| (from, Some(count)));
    let from = env::index(from.trim())?.checked_sub(usize::from(is_of_arguments))?;
    let rest = list.get(from..).unwrap_or_default();
    match count {
        Some(count) => rest.get(..env::index(count.trim())?.min(rest.len())),
        None => Some(rest),
    }
}

/// Returns the result of an operation on a known value, or `None` if the operation is not simple.
fn computed(value: &str, sign: &str, operand: &str) -> Option<String> {
    Some(match sign {
        "#" | "##" => Pattern::new(operand)?.without_prefix(value, sign == "##")?.to_owned(),
        "%" | "%%" => Pattern::new(operand)?.without_suffix(value, sign == "%%")?.to_owned(),
        "/" | "//" => {
            let (pattern, with) = operand.split_once('/').unwrap_or((operand, ""));
            if pattern.is_empty()
                || pattern.starts_with(['#', '%', '\\'])
                || with.contains(['$', '`', '&', '\\', '\'', '"', '~'])
            {
                return None;
            }
            Pattern::new(pattern)?.replaced(value, with, sign == "//")?
        }
        ":" => {
            let (from, count) = operand.split_once(':').map_or((operand, None), |(from, count)| (from, Some(count)));
            let length = value.chars().count() as i64;
            let from = from.trim().parse::<i64>().ok()?;
            let from = if from < 0 { length + from } else { from };
            let end = match count.map(|count| count.trim().parse::<i64>().ok()) {
                None => length,
                Some(None) => return None,
                Some(Some(count)) if count < 0 => length + count,
                Some(Some(count)) => from.saturating_add(count),
            };
            let (from, end) = (usize::try_from(from).ok()?, usize::try_from(end).ok()?);
            value.chars().take(end).skip(from).collect()
        }
        // The case of non-ASCII letters depends on the locale.
        "^^" | ",," | "^" | "," if !value.is_ascii() => return None,
        "@" if operand == "E" && !value.contains('\\') => value.to_owned(),
        "@" if operand == "U" && value.is_ascii() => value.to_ascii_uppercase(),
        "@" if operand == "L" && value.is_ascii() => value.to_ascii_lowercase(),
        "^^" if operand.is_empty() => value.to_ascii_uppercase(),
        ",," if operand.is_empty() => value.to_ascii_lowercase(),
        "^" | "," if operand.is_empty() => {
            let mut chars = value.chars();
            let first: String = chars.next().into_iter().collect();
            let first = if sign == "^" { first.to_ascii_uppercase() } else { first.to_ascii_lowercase() };
            first + chars.as_str()
        }
        _ => return None,
    })
}

fn split_operation(operation: &str) -> (&str, &str) {
    const SIGNS: [&str; 20] =
        [":-", ":=", ":+", ":?", "##", "%%", "//", "^^", ",,", "-", "=", "+", "?", "#", "%", "/", "^", ",", ":", "@"];
    let sign = SIGNS.iter().find(|sign| operation.starts_with(**sign)).copied().unwrap_or("");
    (sign, operation.strip_prefix(sign).unwrap_or(operation))
}

fn name_end(text: &str) -> usize {
    match text.chars().next() {
        Some(c) if c.is_ascii_digit() => text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()),
        Some(c) if c.is_ascii_alphabetic() || c == '_' => {
            text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
        }
        Some('@' | '*' | '#' | '?' | '-' | '$' | '!') => 1,
        _ => 0,
    }
}

fn name_end_of_all(name: &str) -> bool {
    !name.is_empty() && name_end(name) == name.len()
}

/// Returns the position of the brace that closes the one opened before `text`.
fn closing(text: &str, quoted: bool) -> Option<usize> {
    let mut open = vec!['}'];
    let mut double = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\'' if !quoted && !double => drop(chars.by_ref().find(|(_, c)| *c == '\'')),
            '"' => double = !double,
            '`' => drop(chars.by_ref().find(|(_, c)| *c == '`')),
            '$' => match chars.peek() {
                Some((_, '{')) => {
                    chars.next();
                    open.push('}');
                }
                Some((_, '(')) => {
                    chars.next();
                    open.push(')');
                }
                _ => {}
            },
            '(' if open.last() == Some(&')') => open.push(')'),
            c if open.last() == Some(&c) && !(double && open.len() == 1) => {
                open.pop();
                if open.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
