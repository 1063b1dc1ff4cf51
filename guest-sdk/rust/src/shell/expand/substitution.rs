//! Reads `$(…)`, backquotes and `<(…)`, and walks through the scripts in them.

use super::Scanner;
use crate::shell::command::Stdin;
use crate::shell::eval::{Output, Place, Shell};
use crate::shell::syntax::{self, Problem};

/// How many closing parentheses are tried as the end of one substitution.
const MAX_ATTEMPTS: usize = 64;

impl Shell {
    /// Walks through the script of a substitution, and returns what it prints.
    pub(in crate::shell) fn substituted(&mut self, script: &str, place: &Place, via: &'static str) -> Output {
        let stdin = Stdin::Inherited;
        let place = place.substitution(stdin, via);
        self.script(script, &place, false)
    }
}

impl Scanner<'_, '_> {
    /// Reads a substitution after its opening parenthesis.
    ///
    /// Quotes, comments, here-documents and `case` patterns may all contain a closing parenthesis, so the parser itself
    /// says whether the script has ended.
    pub(super) fn substitution(&mut self, quoted: bool) {
        match self.script_before(|script| format!(": $( {script})")) {
            Some(script) => {
                let printed = self.shell.substituted(&script, self.place, "substitution");
                self.printed(printed, &format!("$({script})"), quoted);
            }
            None => self.give_up(),
        }
    }

    /// Reads `<(…)`, `>(…)` or `=(…)` after its opening parenthesis.
    pub(super) fn process(&mut self, direction: char) {
        let Some(script) = self.script_before(|script| format!(": $( {script})")) else {
            return self.give_up();
        };
        let first = self.shell.script.known_commands().len();
        // The input of `>(…)` is not known.
        let stdin = if direction == '>' { Stdin::Pipe } else { Stdin::Inherited };
        let place = self.place.substitution(stdin, "substitution");
        let printed = self.shell.script(&script, &place, false);
        let mark = self.shell.marks.add(crate::shell::marks::Kind::Unknown, &format!("{direction}({script})"));
        self.shell.stream(mark, printed, first);
        self.text.push(mark);
    }

    fn printed(&mut self, printed: Output, raw: &str, quoted: bool) {
        match printed {
            Some(text) => {
                // The shell drops each NUL.
                let text = text.replace('\0', "").trim_end_matches('\n').to_owned();
                self.insert(&text, quoted);
            }
            None => self.unknown(raw),
        }
    }

    /// Takes the text before the first `)` for which the result of `whole` parses.
    pub(super) fn script_before(&mut self, whole: impl Fn(&str) -> String) -> Option<String> {
        let rest = self.rest;
        let likely = likely_end(rest);
        let ends = likely.into_iter().chain(rest.match_indices(')').map(|(at, _)| at).take(MAX_ATTEMPTS));
        for at in ends {
            let (script, after) = rest.split_at_checked(at)?;
            if !self.shell.spend(syntax::cost(script)) {
                return None;
            }
            if rable::parse(&whole(script), false).is_ok() {
                self.rest = after.strip_prefix(')').unwrap_or(after);
                return Some(script.to_owned());
            }
        }
        None
    }

    /// Whether a text is a script.
    pub(super) fn parses(&mut self, text: &str) -> bool {
        self.shell.spend(syntax::cost(text)) && rable::parse(text, false).is_ok()
    }

    pub(super) fn give_up(&mut self) {
        self.shell.problem(Problem::Syntax);
        let rest = std::mem::take(&mut self.rest);
        self.unknown(rest);
    }

    /// Reads a backquoted substitution after its opening backquote, and drops the backslashes that only protect the
    /// script from the surrounding quotes.
    pub(super) fn backquoted(&mut self, quoted: bool) {
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
        let printed = self.shell.substituted(&script, self.place, "substitution");
        self.printed(printed, &format!("`{script}`"), quoted);
    }
}

/// Returns where a substitution ends if its script has no comments, `case` patterns or here-documents.
fn likely_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '"' => quoted = !quoted,
            '\'' if !quoted => drop(chars.by_ref().find(|(_, c)| *c == '\'')),
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
