//! Reads the expansions of a word: `$name`, `${…}`, `$(…)`, `$((…))`, backquotes and `$'…'`.

use super::scan::Scanner;
use crate::shell::word::{HOME, UNKNOWN};
use rable::NodeKind;

/// How many closing parentheses are tried as the end of one substitution.
const MAX_ATTEMPTS: usize = 64;

impl Scanner<'_> {
    /// Reads what follows a `$`. With `quoted`, the rules of double quotes apply.
    pub(super) fn dollar(&mut self, quoted: bool) {
        if self.rest.starts_with("((") {
            self.arithmetic();
        } else if self.skip("(") {
            self.substitution();
        } else if self.skip("{HOME}") {
            self.text.push(HOME);
        } else if self.skip("{") {
            self.only_scripts(|inner| {
                if quoted {
                    inner.quoted(Some('}'));
                } else {
                    inner.default_value();
                }
            });
        } else if self.skip("[") {
            self.only_scripts(|inner| inner.quoted(Some(']')));
        } else {
            self.variable();
        }
    }

    /// Reads an expansion whose value is unknown but which may run scripts.
    fn only_scripts(&mut self, read: impl FnOnce(&mut Self)) {
        let known = self.text.len();
        read(self);
        self.text.truncate(known);
        self.text.push(UNKNOWN);
    }

    /// Reads the inside of an unquoted `${…}`. Only a default or alternative value can end up in the
    /// command; a pattern cannot.
    fn default_value(&mut self) {
        let splits = self.splits;
        let value = self.rest.split('}').next().unwrap_or_default();
        let stands_in = value.contains(['-', '=', '+']);
        self.unquoted(Some('}'));
        self.splits = splits || (stands_in && self.splits);
    }

    fn variable(&mut self) {
        let name: String = self.rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        match name.chars().next() {
            Some(c) if c.is_ascii_digit() => {
                self.next();
                self.text.push(UNKNOWN);
            }
            Some(_) => {
                self.skip(&name);
                self.text.push(if name == "HOME" { HOME } else { UNKNOWN });
            }
            None if self.rest.starts_with(['@', '*', '#', '?', '-', '$', '!']) => {
                self.next();
                self.text.push(UNKNOWN);
            }
            None => self.text.push('$'),
        }
    }

    /// Reads a substitution after its opening parenthesis.
    ///
    /// Quotes, comments, here-documents and `case` patterns may all contain a closing parenthesis, so the parser itself
    /// finds the first one that ends the script.
    pub(super) fn substitution(&mut self) {
        self.text.push(UNKNOWN);
        match self.script_before(|script| format!(": $( {script})")) {
            Some(script) => self.scripts.push(script),
            None => self.give_up(),
        }
    }

    /// Reads `$((…))`. The same characters may also be a substitution that starts with a subshell, so a text that
    /// parses as a script counts as one.
    fn arithmetic(&mut self) {
        self.skip("(");
        self.text.push(UNKNOWN);
        let Some(inner) = self.script_before(|inner| format!(": $({inner})")) else {
            return self.give_up();
        };
        let mut expression = Scanner::new(&inner);
        expression.quoted(None);
        self.scripts.append(&mut expression.scripts);
        self.unreadable |= expression.unreadable;
        if rable::parse(&inner, false).is_ok() {
            self.scripts.push(inner);
        }
    }

    /// Takes the text before the first `)` for which the result of `whole` parses.
    fn script_before(&mut self, whole: impl Fn(&str) -> String) -> Option<String> {
        let (script, rest) = self
            .rest
            .match_indices(')')
            .take(MAX_ATTEMPTS)
            .filter_map(|(at, _)| self.rest.split_at_checked(at))
            .find(|(script, _)| rable::parse(&whole(script), false).is_ok())?;
        self.rest = rest.strip_prefix(')').unwrap_or(rest);
        Some(script.to_owned())
    }

    fn give_up(&mut self) {
        self.unreadable = true;
        self.rest = "";
    }

    /// Reads a backquoted substitution after its opening backquote, and drops the backslashes that only protect the
    /// script from the surrounding quotes.
    pub(super) fn backquoted(&mut self, quoted: bool) {
        self.text.push(UNKNOWN);
        let mut script = String::new();
        while let Some(c) = self.next() {
            match c {
                '`' => break,
                '\\' => match self.next() {
                    Some(c @ ('`' | '$' | '\\')) => script.push(c),
                    Some('"') if quoted => script.push('"'),
                    Some(c) => script.extend(['\\', c]),
                    None => {}
                },
                c => script.push(c),
            }
        }
        self.scripts.push(script);
    }

    /// Reads `$'…'` after its opening quote. The parser decodes the escapes.
    pub(super) fn ansi_c(&mut self) {
        let mut quoted = String::from(": $'");
        while let Some(c) = self.next() {
            quoted.push(c);
            match c {
                '\'' => break,
                '\\' => quoted.extend(self.next()),
                _ => {}
            }
        }
        match decode_ansi_c(&quoted) {
            Some(decoded) => decoded.chars().for_each(|c| self.literal(c)),
            None => self.text.push(UNKNOWN),
        }
    }
}

/// The text of the single `$'…'` argument of `command`.
fn decode_ansi_c(command: &str) -> Option<String> {
    let node = rable::parse(command, false).ok()?.pop()?;
    let NodeKind::Command { mut words, .. } = node.kind else {
        return None;
    };
    let NodeKind::Word { mut parts, .. } = words.pop()?.kind else {
        return None;
    };
    match parts.pop()?.kind {
        NodeKind::AnsiCQuote { decoded, .. } => Some(decoded),
        _ => None,
    }
}
