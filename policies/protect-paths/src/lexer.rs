//! Extracts the texts and the calls of a program in any language, which is enough to see the paths that it names.

use crate::languages::{LISP, Language};

/// The relevant parts of a program.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// The texts, with their escapes replaced.
    pub(crate) texts: Vec<String>,
    /// The number of calls before each text.
    pub(crate) before: Vec<usize>,
    /// The names of its calls, in lower case and without anything before the last dot.
    pub(crate) calls: Vec<String>,
}

/// Extracts the texts and calls of a program.
pub(crate) fn lex(program: &str, language: &Language) -> Lexed {
    let mut lexed = Lexed::default();
    let is_of_r = language.names.contains(&"r");
    let mut rest = program;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let is_variable = matches!(last, '$' | '@');
        last = c;
        // `//` divides in some languages and begins a comment in others.
        let is_comment = rest.starts_with(language.comment) || language.comment == "#" && is_php_comment(rest);
        rest = if is_comment {
            after_comment(rest)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map_or("", |(_, rest)| rest)
        } else if c == '"' || matches!(c, '\'' | '`') && language.comment != LISP {
            let (text, behind) = text(after, c);
            lexed.texts.push(text);
            lexed.before.push(lexed.calls.len());
            behind
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            last = name.chars().next_back().unwrap_or(c);
            let is_called = behind.trim_start().starts_with('(') || language.calls_openly;
            // A name followed by a dot is the owner of a call.
            let is_owner = behind.starts_with('.') || behind.starts_with("::");
            let is_flag = name.starts_with("O_");
            // In R, a dot is part of a name: `write.csv`.
            let is_verb = is_of_r && is_owner && matches!(name, "save" | "write");
            if is_flag || is_verb || is_called && !is_owner && !is_variable {
                lexed.calls.push(name.to_lowercase());
            }
            let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            if is_verb { behind.trim_start_matches(is_of_name) } else { behind }
        } else {
            // The called function has no known name.
            if matches!(c, ']' | ')') && after.starts_with('(') {
                lexed.calls.push("getattr".to_owned());
            }
            after
        };
    }
    lexed
}

fn is_php_comment(rest: &str) -> bool {
    rest.starts_with("#!")
}

/// Returns the text after a comment. In Lua, a comment may span several lines.
fn after_comment(rest: &str) -> &str {
    match rest.strip_prefix("--[[") {
        Some(rest) => rest.split_once("]]").map_or("", |(_, rest)| rest),
        None => rest.split_once('\n').map_or("", |(_, rest)| rest),
    }
}

/// Returns a text up to its closing quote, and the rest.
fn text(rest: &str, quote: char) -> (String, &str) {
    let mut text = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return (text, rest.get(at + c.len_utf8()..).unwrap_or_default());
        }
        if c != '\\' {
            text.push(c);
            continue;
        }
        let Some((_, escaped)) = chars.next() else {
            break;
        };
        let behind = chars.as_str();
        let (code, length) = match escaped {
            'x' => (number(behind, 2, 16), 2),
            'u' if behind.starts_with('{') => {
                let inside = behind.get(1..).and_then(|inside| inside.split_once('}')).map_or("", |(inside, _)| inside);
                (u32::from_str_radix(inside, 16).ok(), inside.len() + 2)
            }
            'u' => (number(behind, 4, 16), 4),
            '0'..='9' => {
                // Lua's escapes are decimal, and those of other languages are octal. Both are tried, and a result that
                // is not a path does no harm.
                let digits: String =
                    std::iter::once(escaped).chain(behind.chars().take(2).take_while(char::is_ascii_digit)).collect();
                let decimal = digits.parse::<u32>().ok().filter(|code| (0x2d..0x7f).contains(code));
                let octal = u32::from_str_radix(&digits, 8).ok();
                let code = if digits.starts_with('0') && decimal.is_some() { decimal } else { octal.or(decimal) };
                (code, digits.len() - 1)
            }
            'n' => (Some(u32::from('\n')), 0),
            't' => (Some(u32::from('\t')), 0),
            other => (Some(u32::from(other)), 0),
        };
        match code.and_then(char::from_u32) {
            Some(c) => {
                text.push(c);
                for _ in 0..length {
                    chars.next();
                }
            }
            None => text.push(escaped),
        }
    }
    (text, "")
}

fn number(text: &str, digits: usize, radix: u32) -> Option<u32> {
    u32::from_str_radix(text.get(..digits)?, radix).ok()
}
