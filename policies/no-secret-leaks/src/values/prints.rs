//! Whether a statement prints a value.

use super::calls::Call;
use super::{Code, Frame, Kind, Value, is_name};
use crate::scripts::parts;

/// The maximum number of brackets and texts around a value that are examined.
const MAX_FRAMES: usize = 24;

/// Words that print what follows without brackets.
#[rustfmt::skip] // Many words to a line.
pub(super) const STATEMENTS: &[&str] = &[
    "print", "println", "printf", "puts", "p", "pp", "say", "put", "note", "echo", "warn", "die", "abort", "raise",
    "throw", "Write-Host", "Write-Output", "Write-Error", "Write-Warning", "croak", "confess",
];

/// Words between which and a value nothing is lost.
#[rustfmt::skip] // Many words to a line.
pub(super) const JOINERS: &[&str] = &[
    "else", "or", "and", "return", "await", "yield", "reverse", "uc", "lc", "ucfirst", "scalar", "join", "STDERR",
    "STDOUT", "stderr", "stdout", "then", "do", "begin",
];

impl<'c> Code<'c> {
    /// Whether the code prints a value that is inside of these frames.
    pub(crate) fn prints(&self, value: &Value, frames: &[Frame]) -> bool {
        let is_said = match frames.last().map(|frame| frame.kind) {
            Some(Kind::Text(quote)) => value.is_bare && quote == '"',
            _ => self.is_whole(value.place.end),
        };
        if !is_said {
            return false;
        }
        let (mut start, mut end) = (value.place.start, value.place.end);
        for frame in frames.iter().rev().take(MAX_FRAMES) {
            let item = self.near(frame.item, start);
            let open = frame.start.saturating_sub(1);
            let call = match frame.kind {
                Kind::Text(quote) => {
                    end = self.after(end, |c| c == quote);
                    start = open - self.prefix(open).len();
                    if !self.is_whole(end) {
                        return false;
                    }
                    continue;
                }
                Kind::Bracket('[') => self.picked(item, open),
                Kind::Hole if self.passes(item) => Call::Keeps(start),
                Kind::Hole => Call::Loses,
                Kind::Base | Kind::Bracket(_) => {
                    let statement = self.near(frame.statement, start);
                    if let Some(behind) = self.behind_print(statement) {
                        let last = behind.len().min(item.len());
                        return self.passes(behind.get(behind.len() - last..).unwrap_or(behind));
                    }
                    match frame.kind {
                        Kind::Base => return self.prints_value && self.is_value(statement, item),
                        Kind::Bracket('(') if self.is_lisp() => self.called_first(self.near(frame.start, start), open),
                        Kind::Bracket('(') if self.passes(item) => self.called(frame, start),
                        _ if self.passes(item) => Call::Keeps(open),
                        _ => Call::Loses,
                    }
                }
            };
            start = match call {
                Call::Prints => return true,
                Call::Loses => return false,
                Call::Keeps(from) => from,
            };
            end = self.close(end);
            if frame.kind != Kind::Hole && !self.is_lisp() && !self.is_whole(end) {
                return false;
            }
        }
        false
    }

    /// Judges a value in square brackets, which are a list unless they pick something from what is before them.
    fn picked(&self, item: &str, open: usize) -> Call {
        let picks = self.near(0, open).ends_with(|c: char| is_name(c) || matches!(c, ')' | ']'));
        if picks || !self.passes(item) { Call::Loses } else { Call::Keeps(open) }
    }

    /// Returns the variable to which a statement assigns a value: `let k = …`, `$k = …`, `k: str = …`, `set k …`.
    pub(crate) fn assigned(&self, value: &Value, frames: &[Frame]) -> Option<&'c str> {
        let frame = frames.last().filter(|frame| !matches!(frame.kind, Kind::Text(_)))?;
        let statement = self.near(frame.statement, value.place.start).trim();
        let target = match statement.strip_suffix("<-").or_else(|| statement.strip_suffix('=')) {
            Some(target) if target.ends_with(['=', '!', '<', '>']) => return None,
            Some(target) => target.split([':', '|', '?']).next()?,
            None => statement.strip_prefix("set ").filter(|_| self.name == "tclsh")?,
        };
        let name = target.trim_end().rsplit(|c: char| c.is_whitespace() || c == '{' || c == '(').next()?;
        let bare = name.trim_start_matches(['$', '@']);
        (!bare.is_empty() && bare.chars().all(is_name) && self.is_whole(value.place.end)).then_some(name)
    }

    /// Returns what comes after the last word of a statement that prints without brackets.
    fn behind_print<'t>(&self, statement: &'t str) -> Option<&'t str> {
        let is_open = |before: &str| !before.ends_with(|c: char| is_name(c) || "-$@:".contains(c));
        let is_followed = |after: &str| {
            let next = after.trim_start();
            (after.is_empty() || next.len() < after.len()) && !next.starts_with(['=', ',', '.', ':', ')'])
        };
        let is_ruby = self.name == "ruby";
        // Every second part is a text.
        let ends = parts(statement).step_by(2).flat_map(|(start, part)| {
            let words = STATEMENTS.iter().filter(move |word| **word != "p" || is_ruby);
            words.flat_map(move |word| part.match_indices(*word)).filter_map(move |(at, word)| {
                let end = at + word.len();
                let is_word = part.get(..at).is_some_and(is_open) && part.get(end..).is_some_and(is_followed);
                is_word.then_some(start + end)
            })
        });
        statement.get(ends.max()?..)
    }

    /// Whether nothing of a value is lost after a text that comes before it.
    pub(super) fn passes(&self, text: &str) -> bool {
        const STOPS: [&str; 7] = ["==", "!=", ">=", "<=", "!", "<-", "->"];
        const JOINS: [&str; 5] = ["<<", "<>", "=>", "||", "??"];
        let text = text.trim_end();
        let ends = |marks: &[&str]| marks.iter().any(|mark| text.ends_with(mark));
        let word = text.rsplit(|c: char| !is_name(c) && c != '-').next().unwrap_or_default();
        let is_option = || word.len() > 1 && word.starts_with('-');
        if text.is_empty() {
            return true;
        }
        !ends(&STOPS)
            && (self.is_awk()
                || ends(&JOINS)
                || text.ends_with(|c: char| "+.%&~:=?,([{*\\\"'`".contains(c))
                || JOINERS.contains(&word)
                // `[c for c in VALUE]`
                || word == "in" && text.contains("for ")
                || is_option())
    }

    /// Whether the program prints the value of a statement. `text` comes before the value in it, and `item` in its part.
    fn is_value(&self, text: &str, item: &str) -> bool {
        let is_set = text.trim_end().ends_with('=');
        let is_command = text.trim_start().starts_with(|c: char| c.is_alphabetic() || "&.".contains(c));
        let hides = match self.name {
            "pwsh" | "powershell" | "nu" | "elvish" => is_set || is_command,
            "Rscript" => is_set,
            _ => false,
        };
        !hides && self.passes(item)
    }
}
