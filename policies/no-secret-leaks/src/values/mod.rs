//! Values in code: what is open around them, and whether the code prints them as they are.

mod calls;
mod ends;
mod prints;

use std::ops::Range;

/// The number of bytes around a value that are read.
const MAX_NEAR: usize = 400;

/// What a value is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing else.
    Base,
    /// A text in these quotes, or a pattern between slashes.
    Text(char),
    /// A place in a text whose value becomes a part of it: `f"{…}"`, `${…}`.
    Hole,
    /// This bracket.
    Bracket(char),
}

/// Something that is open at a place in the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    kind: Kind,
    /// Where its content begins.
    start: usize,
    /// Where the last part after a comma begins.
    item: usize,
    /// Where the last statement begins.
    statement: usize,
}

impl Frame {
    fn new(kind: Kind, start: usize) -> Self {
        Frame { kind, start, item: start, statement: start }
    }
}

/// A secret value in code.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) place: Range<usize>,
    /// The variable of the environment that it is the value of.
    pub(crate) variable: String,
    /// Whether a text in double quotes that has its name has its value.
    pub(crate) is_bare: bool,
}

/// The code of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'c> {
    pub(crate) name: &'c str,
    pub(crate) text: &'c str,
    /// Whether the program prints the value of the code.
    pub(crate) prints_value: bool,
    /// Whether values in comments are left out.
    pub(crate) has_comments: bool,
}

impl<'c> Code<'c> {
    /// Finds what is open around each value. The values are in order.
    pub(crate) fn walk<'v>(&self, values: &'v [Value], mut visit: impl FnMut(&'v Value, &[Frame])) {
        let mut values = values.iter().peekable();
        let mut frames = vec![Frame::new(Kind::Base, 0)];
        let (mut before, mut last) = ('\n', '\n');
        let (mut is_escaped, mut is_comment) = (false, false);
        for (at, c) in self.text.char_indices() {
            while let Some(value) = values.next_if(|value| value.place.start <= at) {
                if value.place.start == at && !is_comment {
                    visit(value, &frames);
                }
            }
            let was = std::mem::replace(&mut before, c);
            is_comment &= c != '\n';
            let Some(top) = frames.last().copied() else { return };
            if is_comment {
                continue;
            }
            let next = at + c.len_utf8();
            let rest = self.text.get(next..).unwrap_or_default();
            if let Kind::Text(quote) = top.kind {
                if std::mem::take(&mut is_escaped) {
                    if c == '(' && self.name == "swift" {
                        frames.push(Frame::new(Kind::Hole, next));
                    }
                } else if c == '\\' {
                    is_escaped = true;
                } else if c == quote || c == '\n' && quote != '`' {
                    frames.pop();
                } else if self.begins_hole(c, was, rest, top.start) {
                    frames.push(Frame::new(Kind::Hole, next));
                }
                last = c;
                continue;
            }
            match c {
                '\'' if self.is_lisp() => {}
                '"' | '\'' | '`' | '/' if self.begins_text(c, last, rest) => {
                    frames.push(Frame::new(Kind::Text(c), next));
                }
                '(' | '[' | '{' => frames.push(Frame::new(Kind::Bracket(c), next)),
                ')' | ']' | '}' if frames.len() > 1 => {
                    frames.pop();
                }
                _ if self.has_comments && self.begins_comment(c, was, rest) => is_comment = true,
                _ => {
                    let is_line = c == '\n' && !matches!(top.kind, Kind::Bracket('(' | '['));
                    let goes_on = matches!(last, ',' | '+' | '\\' | '.');
                    let is_end = c == ';' && !self.is_lisp() || is_line && !goes_on;
                    if let Some(top) = frames.last_mut().filter(|_| is_end || c == ',') {
                        top.item = next;
                        top.statement = if is_end { next } else { top.statement };
                    }
                }
            }
            if !c.is_whitespace() {
                last = c;
            }
        }
    }

    /// Returns where the bracket that is open at this position ends.
    pub(crate) fn close(&self, from: usize) -> usize {
        let mut depth = 1_usize;
        self.after(from, |c| {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// Returns the position after the next character for which this is true.
    fn after(&self, from: usize, mut is: impl FnMut(char) -> bool) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let found = rest.char_indices().take(MAX_NEAR).find(|(_, c)| is(*c));
        found.map_or(self.text.len(), |(at, c)| from + at + c.len_utf8())
    }

    /// Returns the end of the text between two positions.
    fn near(&self, from: usize, to: usize) -> &'c str {
        let start = self.text.ceil_char_boundary(from.max(to.saturating_sub(MAX_NEAR)));
        self.text.get(start..to).unwrap_or_default()
    }

    /// Returns the letters that say what kind of text begins at this position: `f`, `rb`.
    fn prefix(&self, at: usize) -> &'c str {
        let near = self.near(0, at);
        let letters = near.chars().rev().take(2).take_while(|c| "bBfFrRuU$@".contains(*c)).count();
        near.get(near.len() - letters..).unwrap_or_default()
    }

    /// Whether what looks like a comment may belong to a text that [`Code::walk`] does not know: `%q( #)`.
    pub(crate) fn has_other_texts(&self) -> bool {
        matches!(self.name, "perl" | "ruby")
            && self.text.contains('#')
            && ["%", "<<", "q"].iter().any(|begin| self.text.contains(*begin))
    }

    fn is_lisp(&self) -> bool {
        matches!(self.name, "emacs" | "emacsclient" | "bb" | "clojure" | "clj")
    }

    fn is_awk(&self) -> bool {
        matches!(self.name, "awk" | "gawk" | "mawk" | "nawk")
    }

    /// Whether a text or a pattern begins with this character. `last` is the last character before it that is no space.
    fn begins_text(&self, c: char, last: char, rest: &str) -> bool {
        let has_patterns =
            self.is_awk() || matches!(self.name, "node" | "nodejs" | "bun" | "deno" | "groovy" | "perl" | "ruby");
        let is_operand = "\n(,=:;[!&|?{~".contains(last) || self.is_awk() && last == '}';
        match c {
            '`' => return true,
            '/' if !has_patterns || !is_operand || rest.starts_with(['/', '*']) => return false,
            _ => {}
        }
        // A sign that has no other one on its line is a part of something else: `s/'//`.
        rest.find([c, '\n']).and_then(|at| rest.get(at..)).is_some_and(|end| end.starts_with(c))
    }

    /// Whether a value in a text begins with this character. `start` is where the text begins.
    fn begins_hole(&self, c: char, before: char, rest: &str, start: usize) -> bool {
        let is_format = || self.name.starts_with("python") && self.prefix(start - 1).contains(['f', 'F']);
        let is_php = || self.name == "php" && rest.starts_with('$');
        match c {
            '{' => matches!(before, '$' | '#') || self.name == "raku" || is_format() || is_php(),
            '(' => before == '$' || self.name == "nu",
            _ => false,
        }
    }

    fn begins_comment(&self, c: char, before: char, rest: &str) -> bool {
        let has_slashes = matches!(self.name, "node" | "nodejs" | "bun" | "deno" | "groovy" | "swift" | "jshell");
        let has_hashes = !has_slashes && !self.is_lisp() && !matches!(self.name, "lua" | "luajit" | "ghc");
        match c {
            '#' => has_hashes && before.is_whitespace() && !rest.starts_with('{'),
            // This is `//`, but not in `/\//`.
            '/' => has_slashes && before != '\\' && rest.starts_with('/'),
            _ => false,
        }
    }
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
