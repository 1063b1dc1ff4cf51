//! Reads what follows a `$`.

use super::{Mode, QUOTE, SPLIT, Scanner};
use crate::shell::env::Cwd;
use crate::shell::eval::Shell;
use crate::shell::marks::{self, Kind};

/// How deeply the values of variables may name other variables in arithmetic.
const MAX_EVALUATIONS: usize = 4;
/// The default word separators.
const BLANKS: &str = " \t\n";

impl Shell {
    /// Returns the value of a variable.
    pub(in crate::shell) fn variable(&mut self, name: &str) -> String {
        if let Some(value) = self.assigned(name) {
            return value;
        }
        match name {
            "IFS" => BLANKS.to_owned(),
            "HOME" => match &self.home {
                Some(home) if !self.env.homeless => home.clone(),
                _ => self.marks.add(Kind::Home, "$HOME").to_string(),
            },
            "PWD" => {
                let cwd = self.env.cwd.clone();
                self.directory(&cwd, "$PWD")
            }
            "OLDPWD" => match self.env.previous.clone() {
                Some(cwd) => self.directory(&cwd, "$OLDPWD"),
                None => self.marks.unknown("$OLDPWD"),
            },
            name => self.marks.unknown(&format!("${name}")),
        }
    }

    /// Returns the value that the script has given a variable.
    pub(super) fn assigned(&mut self, name: &str) -> Option<String> {
        let variable = self.env.get(name)?;
        let (id, values) = (variable.id, variable.values.clone());
        let value = self.choices.pick(id, values.len()).and_then(|at| values.get(at).cloned());
        Some(value.unwrap_or_else(|| self.marks.unknown(&format!("${name}"))))
    }

    /// Returns one of the values that an expansion may have.
    pub(super) fn one_of(&mut self, raw: &str, values: [String; 2]) -> String {
        // The same expansion has the same value throughout a command.
        let hash = raw.bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
        let [first, second] = values;
        match self.choices.pick(hash | 1 << 31, 2) {
            Some(0) => first,
            Some(_) => second,
            None => self.marks.unknown(raw),
        }
    }

    /// Returns the text of a working directory.
    pub(in crate::shell) fn directory(&mut self, cwd: &Cwd, raw: &str) -> String {
        match cwd {
            Cwd::At(path) => path.to_string(),
            Cwd::Initial => match &self.initial {
                Some(path) if !self.env.foreign => path.clone(),
                _ => self.marks.unknown(raw),
            },
            Cwd::Unknown => self.marks.unknown(raw),
        }
    }

    /// Returns the characters that separate words in the value of a variable.
    pub(super) fn separators(&mut self) -> String {
        match self.assigned("IFS") {
            Some(value) if !marks::has_mark(&value) => value,
            _ => BLANKS.to_owned(),
        }
    }
}

impl Scanner<'_, '_> {
    /// Reads what follows a `$`. With `quoted`, the rules of double quotes apply.
    pub(super) fn dollar(&mut self, quoted: bool) {
        if self.rest.starts_with("((") {
            self.arithmetic();
        } else if self.skip("(") {
            self.substitution(quoted);
        } else if self.skip("{") {
            self.parameter(quoted);
        } else if self.skip("[") {
            let inside = self.take_until(']');
            self.computes(inside);
            self.unknown(&format!("$[{inside}]"));
        } else {
            self.simple(quoted);
        }
    }

    /// Reads `$name`, `$1`, `$@` and the like.
    fn simple(&mut self, quoted: bool) {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at_checked(end).unwrap_or_default();
        match name.chars().next() {
            Some(digit) if digit.is_ascii_digit() => {
                self.next();
                let value = self.positional(usize::from(digit as u8 - b'0'));
                self.insert(&value, quoted);
            }
            Some(_) => {
                self.rest = after;
                let value = self.shell.variable(name);
                self.insert(&value, quoted);
            }
            None => match self.rest.chars().next() {
                Some(sign @ ('@' | '*')) => {
                    self.next();
                    let arguments = self.shell.env.arguments.clone();
                    self.list(arguments.as_deref(), sign == '@', quoted, &format!("${sign}"));
                }
                Some('#') => {
                    self.next();
                    match &self.shell.env.arguments {
                        Some(list) => {
                            let count = list.len().to_string();
                            self.text.push_str(&count);
                        }
                        None => self.unknown("$#"),
                    }
                }
                Some(sign @ ('?' | '-' | '$' | '!')) => {
                    self.next();
                    self.unknown(&format!("${sign}"));
                }
                _ => self.text.push('$'),
            },
        }
    }

    /// Returns the value of `$0`, `$1` and so on.
    pub(super) fn positional(&mut self, at: usize) -> String {
        match (at.checked_sub(1), &self.shell.env.arguments) {
            (Some(at), Some(list)) => list.get(at).cloned().unwrap_or_default(),
            (None, _) if self.shell.env.zero.is_some() => self.shell.env.zero.as_deref().unwrap_or_default().to_owned(),
            _ => self.shell.marks.unknown(&format!("${at}")),
        }
    }

    /// Adds all elements of a list, as separate words if unquoted or by `@`.
    pub(super) fn list(&mut self, list: Option<&[String]>, separate: bool, quoted: bool, raw: &str) {
        let Some(list) = list else {
            return self.unknown(raw);
        };
        for (at, element) in list.iter().enumerate() {
            if at > 0 {
                let splits = self.mode == Mode::Words && (separate || !quoted);
                self.text.push(if splits { SPLIT } else { ' ' });
            }
            if quoted {
                self.text.push(QUOTE);
            }
            self.insert(element, quoted);
        }
        // An empty `"$@"` is not a word.
        if quoted && list.is_empty() && separate && self.text.ends_with(QUOTE) {
            self.text.pop();
        }
    }

    /// Reads `$((…))`. The same characters may also be a substitution that starts with a subshell, so a text that
    /// parses as a script counts as one.
    fn arithmetic(&mut self) {
        self.skip("(");
        let Some(inner) = self.script_before(|inner| format!(": $({inner})")) else {
            return self.give_up();
        };
        let expression = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        self.computes(expression.unwrap_or(&inner));
        if !expression.is_some_and(is_balanced) && self.parses(&inner) {
            self.shell.substituted(&inner, self.place, "substitution");
        }
        self.unknown(&format!("$({inner})"));
    }

    /// Reads an arithmetic expression, which may contain substitutions and set variables.
    pub(super) fn computes(&mut self, expression: &str) {
        self.shell.computed(expression, self.place);
    }
}

impl Shell {
    /// Walks through an arithmetic expression.
    pub(in crate::shell) fn computed(&mut self, expression: &str, place: &crate::shell::eval::Place) {
        if expression.contains(['$', '`']) {
            self.quoted(expression, place);
        }
        self.evaluated(expression, place, 0);
        if expression.contains('=') || expression.contains("++") || expression.contains("--") {
            let names = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for name in names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
                let unknown = self.marks.unknown(&format!("${name}"));
                self.assign(name, vec![unknown]);
            }
        }
    }

    /// Walks through the list indices in the values of variables: arithmetic evaluates a value like an expression, and
    /// runs the substitutions in an index of it.
    pub(in crate::shell) fn evaluated(&mut self, expression: &str, place: &crate::shell::eval::Place, depth: usize) {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for name in expression.split(|c| !is_of_name(c)).filter(|name| !name.is_empty()) {
            let Some(values) = self.env.get(name).map(|variable| variable.values.clone()) else {
                continue;
            };
            for value in values.iter() {
                if depth >= MAX_EVALUATIONS || !self.spend(value.len()) {
                    return;
                }
                if value.contains('[') && value.contains(['$', '`']) {
                    self.quoted(value, place);
                }
                self.evaluated(value, place, depth + 1);
            }
        }
    }
}

/// Whether the text in `((…))` is certainly arithmetic, not a script that begins and ends with a subshell: no
/// parenthesis in it closes one that was opened before it. If quotes could hide a parenthesis, it is not certain.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            '\'' | '"' | '\\' => return false,
            // `16#ff` is not a comment.
            '#' if !before.is_ascii_alphanumeric() && !"{$".contains(before) => return false,
            _ => {}
        }
        before = c;
    }
    depth == 0
}
