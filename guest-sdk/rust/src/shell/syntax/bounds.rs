//! Measures how deep a text nests and how long its lists are, without recursion, before the recursive parser sees it.
//!
//! The count may be too high: a closing token only counts if it closes what was opened last. A text crafted to fool the
//! count still ends in a trap, and the engine denies.

/// How deeply brackets and compound commands may nest. A stack of 256 KiB fits twice as many of the costliest kind.
const MAX_DEPTH: usize = 48;
/// The maximum number of commands in a text. The parser nests each in the previous one.
const MAX_SEPARATORS: usize = 2000;
/// The maximum number of arithmetic operators in a text. The parser may nest each in the previous one.
const MAX_OPERATORS: usize = 200;

/// How many `case` words are allowed before closing tokens no longer count.
const MAX_CASES: usize = 24;
/// How much work the braces of a word may cause.
const MAX_BRACES: usize = 4 << 20;
/// How many backquotes may begin inside another pair. A valid text has none; for each, the parser reads the rest of the
/// text again.
const MAX_CROSSED: usize = 2;
/// The maximum number of here-documents in a text.
const MAX_DOCUMENTS: usize = 200;

/// The longest text, in bytes, that is too short to exceed any bound other than the depth, if it has neither backquotes
/// nor arithmetic.
const SHORT: usize = 255;

/// Whether a text is within the bounds.
pub(super) fn within(text: &str) -> bool {
    is_short(text) || is_counted_within(text)
}

/// Whether a text is certainly within the bounds, as most commands are. This saves the count, which takes longer than
/// parsing such a text.
fn is_short(text: &str) -> bool {
    if text.len() > SHORT {
        return false;
    }
    // Everything that nests begins with one of these characters, or is a word of at least two lowercase letters.
    let (mut nesting, mut letters, mut before) = (0, 0, b' ');
    for byte in text.bytes() {
        letters = if byte.is_ascii_lowercase() { letters + 1 } else { 0 };
        match (before, byte) {
            (_, b'`') | (b'(', b'(') => return false,
            (_, b'(' | b'{' | b'[' | b'!') => nesting += 1,
            _ => nesting += usize::from(letters == 2),
        }
        before = byte;
    }
    nesting < MAX_DEPTH
}

fn is_counted_within(text: &str) -> bool {
    // A pattern of a `case` may look like a closing token. A few of them cannot hide much.
    let counts_closing = text.matches("case").count() <= MAX_CASES;
    let mut scan = Scan { rest: text, counts_closing, starts_command: true, at_word: true, ..Scan::default() };
    while let Some(c) = scan.rest.chars().next() {
        let before = scan.rest;
        let is_quoted = scan.open.last() == Some(&Open::Quote);
        scan.step(c);
        let read = before.len().saturating_sub(scan.rest.len());
        scan.word.add(c, before.get(..read).unwrap_or_default(), is_quoted);
        if c.is_whitespace() && !is_quoted && !scan.open.iter().any(|open| open.is_inside()) {
            scan.word = Braces::default();
        }
        scan.at_word = c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')');
        scan.arithmetic(before);
        if scan.depth > MAX_DEPTH
            || scan.separators > MAX_SEPARATORS
            || scan.operators > MAX_OPERATORS
            || scan.documents > MAX_DOCUMENTS
            || scan.crossed > MAX_CROSSED
            || scan.word.work() > MAX_BRACES
        {
            return false;
        }
    }
    true
}

/// An open construct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `"`, which does not nest anything on its own.
    Quote,
    /// `(` at the beginning of a word.
    Bracket,
    /// `(` inside a word, such as that of `$(`.
    Inside,
    /// A backquote.
    Backquote,
    /// `${`
    Expansion,
    /// `{`
    Group,
    /// `[[`
    Test,
    /// `case`, whose patterns end with an unopened bracket.
    Case,
    /// A word such as `if`, which is closed by `fi` or `done`; or `!`, which is never closed.
    Word,
}

impl Open {
    /// Whether a word continues after this construct.
    fn is_inside(self) -> bool {
        matches!(self, Open::Inside | Open::Backquote | Open::Expansion)
    }
}

/// The parts of a word that make the parser reread it: for each brace, every later quote, escape and `$`.
#[derive(Default)]
struct Braces {
    length: usize,
    braces: usize,
    parts: usize,
}

impl Braces {
    fn add(&mut self, c: char, read: &str, is_quoted: bool) {
        self.length += read.len();
        self.parts += usize::from(matches!(c, '\'' | '"' | '\\' | '$' | '`'));
        if !is_quoted && !matches!(c, '\'' | '$' | '\\') {
            self.braces += read.bytes().filter(|byte| *byte == b'{').count();
        }
    }

    fn work(&self) -> usize {
        self.braces.saturating_mul(self.parts + 1).saturating_mul(self.length)
    }
}

/// The position of the scan in a function definition.
#[derive(Default, PartialEq, Eq)]
enum Function {
    #[default]
    None,
    /// After `function`.
    Name,
    /// After the function's name. The body nests even if it is not a compound command.
    Body,
}

#[derive(Default)]
struct Scan<'a> {
    rest: &'a str,
    counts_closing: bool,
    /// Whether the next word is certainly the first one of a command.
    starts_command: bool,
    /// Whether a word may begin here.
    at_word: bool,
    comment: bool,
    function: Function,
    open: Vec<Open>,
    /// The number of open constructs, except quotes.
    depth: usize,
    separators: usize,
    /// The depth at which the outermost `((` that is still open began.
    arithmetic: Option<usize>,
    operators: usize,
    word: Braces,
    /// How many backquotes are inside an open one, after something unterminated.
    crossed: usize,
    /// The number of here-documents. The parser searches each to the end of the text.
    documents: usize,
    /// The delimiters of the here-documents whose bodies begin on the next line.
    heredocs: Vec<&'a str>,
}

impl<'a> Scan<'a> {
    fn step(&mut self, c: char) {
        let is_quoted = self.open.last() == Some(&Open::Quote);
        let starts_command = self.starts_command;
        if !c.is_whitespace() {
            self.starts_command = false;
        }
        match c {
            '\n' if self.comment => {
                self.comment = false;
                self.separator(c);
            }
            // A quote in a comment does not count. Anything else that could open something does, in case it is not a
            // comment.
            '\'' | '"' | '\\' if self.comment => self.skip(1),
            '`' if self.comment && !self.in_backquotes() => self.skip(1),
            '#' if !is_quoted && self.at_word => {
                self.comment = true;
                self.skip(1);
            }
            '\\' => self.skip(2),
            '"' if is_quoted => {
                self.open.pop();
                self.skip(1);
            }
            '"' => {
                self.open.push(Open::Quote);
                self.skip(1);
            }
            '\'' if !is_quoted => {
                self.skip(1);
                let (inside, rest) = self.rest.split_once('\'').unwrap_or((self.rest, ""));
                if !self.ends_backquotes(inside) {
                    self.rest = rest;
                }
            }
            '$' if !is_quoted && self.rest.starts_with("$'") => self.escaped_quote(),
            '<' if !is_quoted && self.rest.starts_with("<<") => self.heredoc(),
            '\n' | ';' | '&' | '|' => self.separator(c),
            '(' if self.rest.starts_with("()") => {
                self.skip(2);
                self.function = Function::Body;
            }
            '(' => {
                self.skip(1);
                self.opens(if self.at_word { Open::Bracket } else { Open::Inside }, true);
            }
            ')' => {
                self.skip(1);
                if !self.closes(Open::Inside) && !self.closes(Open::Bracket) && self.open.last() == Some(&Open::Case) {
                    // A command begins after a pattern of a `case`.
                    self.starts_command = true;
                }
            }
            '`' => {
                self.skip(1);
                self.comment = false;
                if !self.closes(Open::Backquote) {
                    self.crossed += usize::from(self.in_backquotes());
                    self.opens(Open::Backquote, true);
                }
            }
            '$' if self.rest.starts_with("${") => {
                self.skip(2);
                self.opens(Open::Expansion, false);
            }
            '}' => {
                self.skip(1);
                if !self.closes(Open::Expansion) && starts_command {
                    self.closes(Open::Group);
                }
            }
            c if c.is_whitespace() || ">'<$".contains(c) => self.skip(1),
            _ => self.word(starts_command),
        }
    }

    fn in_backquotes(&self) -> bool {
        self.open.contains(&Open::Backquote)
    }

    /// Whether a text only looks quoted, because a backquote ends before the quotes do.
    fn ends_backquotes(&self, quoted: &str) -> bool {
        quoted.contains('`') && self.in_backquotes()
    }

    fn separator(&mut self, c: char) {
        self.skip(1);
        self.separators += 1;
        self.starts_command = true;
        if c == '\n' {
            self.bodies();
        }
    }

    /// Counts the arithmetic operators in the part that was read last.
    fn arithmetic(&mut self, before: &str) {
        if self.arithmetic.is_some_and(|outside| self.open.len() <= outside) {
            self.arithmetic = None;
        } else if self.arithmetic.is_none() && before.starts_with("((") {
            self.arithmetic = Some(self.open.len().saturating_sub(1));
        }
        if self.arithmetic.is_some() {
            let read = before.len().saturating_sub(self.rest.len());
            self.operators += before.chars().take(read).filter(|c| "!~+-=*".contains(*c)).count();
        }
    }

    fn word(&mut self, starts_command: bool) {
        let is_end = |c: char| {
            let is_sign = matches!(c, ';' | '&' | '|' | '(' | ')' | '<' | '>' | '\\' | '\'' | '"' | '`' | '$' | '}');
            is_sign || c.is_whitespace()
        };
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        match std::mem::take(&mut self.function) {
            Function::None => {}
            Function::Name => {
                self.function = Function::Body;
                return;
            }
            Function::Body if word == "{" => {}
            Function::Body => self.opens(Open::Word, true),
        }
        match word {
            "if" | "while" | "until" | "!" => self.opens(Open::Word, true),
            "for" | "select" => self.opens(Open::Word, false),
            "case" => self.opens(Open::Case, false),
            "{" => self.opens(Open::Group, true),
            "[[" => self.opens(Open::Test, false),
            "then" | "else" | "elif" | "do" | "time" | "coproc" => self.starts_command = true,
            "function" => self.function = Function::Name,
            "fi" | "done" if starts_command => {
                self.closes(Open::Word);
            }
            "esac" if starts_command => {
                self.closes(Open::Case);
            }
            "]]" => {
                self.closes(Open::Test);
            }
            _ => {}
        }
    }

    fn opens(&mut self, what: Open, starts_command: bool) {
        self.open.push(what);
        self.depth += 1;
        self.starts_command = starts_command;
        self.function = Function::None;
    }

    /// Closes `what`, and returns whether it was open.
    fn closes(&mut self, what: Open) -> bool {
        let is_open = self.counts_closing && self.open.last() == Some(&what);
        if is_open {
            self.open.pop();
            self.depth -= 1;
        }
        is_open
    }

    /// Skips `$'...'`, which may contain an escaped quote.
    fn escaped_quote(&mut self) {
        self.skip(2);
        let before = self.rest;
        while let Some(c) = self.rest.chars().next() {
            self.skip(if c == '\\' { 2 } else { 1 });
            if c == '\'' {
                break;
            }
        }
        let read = before.len().saturating_sub(self.rest.len());
        if self.ends_backquotes(before.get(..read).unwrap_or_default()) {
            self.rest = before;
        }
    }

    /// Remembers the delimiter of a here-document.
    fn heredoc(&mut self) {
        let rest = self.rest.trim_start_matches('<').trim_start_matches('-').trim_start_matches([' ', '\t']);
        let rest = rest.trim_start_matches(['\'', '"', '\\']);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (delimiter, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !self.rest.starts_with("<<<") && !delimiter.is_empty() {
            self.heredocs.push(delimiter);
            self.documents += 1;
        }
        self.rest = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
    }

    /// Skips the bodies of here-documents, if they are terminated.
    fn bodies(&mut self) {
        let delimiters = std::mem::take(&mut self.heredocs);
        if self.in_backquotes() {
            return;
        }
        for delimiter in delimiters {
            let mut rest = self.rest;
            while !rest.is_empty() {
                let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
                rest = after;
                if line.trim_matches([' ', '\t', ')', '"']) == delimiter {
                    self.rest = rest;
                    break;
                }
            }
        }
    }

    fn skip(&mut self, count: usize) {
        let mut chars = self.rest.chars();
        chars.by_ref().take(count).for_each(drop);
        self.rest = chars.as_str();
    }
}

#[cfg(test)]
mod tests;
