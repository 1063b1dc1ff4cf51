//! How deep a text nests and how long its lists are, found without recursion before a parser sees it that recurses.
//!
//! The count may be too high: what closes counts only where it can hardly be anything else. A text that is made to fool it
//! ends in a trap all the same, and the engine denies.

/// How deep brackets and compound commands may nest. A stack of 256 KiB holds twice as many of the costliest kind.
const MAX_DEPTH: usize = 48;
/// How many commands a text may hold, each of which the parser nests in the one before.
const MAX_SEPARATORS: usize = 2000;

/// Whether a text is within the bounds.
pub(super) fn within(text: &str) -> bool {
    // The patterns of a `case` hold brackets that open nothing.
    let mut scan = Scan { rest: text, counts_closing: !text.contains("case"), starts_command: true, ..Scan::default() };
    while let Some(c) = scan.rest.chars().next() {
        scan.step(c);
    }
    scan.deepest <= MAX_DEPTH && scan.separators <= MAX_SEPARATORS
}

#[derive(Default)]
struct Scan<'a> {
    rest: &'a str,
    counts_closing: bool,
    /// Between double quotes, of whichever level.
    is_quoted: bool,
    /// Whether the next word is the first one of a command.
    starts_command: bool,
    depth: usize,
    deepest: usize,
    separators: usize,
    /// The ends of the here-documents whose bodies begin on the next line.
    heredocs: Vec<&'a str>,
}

impl<'a> Scan<'a> {
    fn step(&mut self, c: char) {
        match c {
            '\\' => self.skip(2),
            '"' => {
                self.is_quoted = !self.is_quoted;
                self.skip(1);
            }
            '\'' if !self.is_quoted => {
                self.skip(1);
                self.rest = self.rest.split_once('\'').map_or("", |(_, rest)| rest);
            }
            '<' if self.rest.starts_with("<<") => self.heredoc(),
            '\n' | ';' | '&' | '|' => {
                self.skip(1);
                self.separators += 1;
                self.starts_command = true;
                if c == '\n' {
                    self.bodies();
                }
            }
            '(' | '`' => {
                self.skip(1);
                self.opens();
            }
            ')' => {
                self.skip(1);
                self.closes(true);
            }
            '$' if self.rest.starts_with("${") => {
                self.skip(2);
                self.opens();
            }
            '}' => {
                self.skip(1);
                self.closes(true);
            }
            c if c.is_whitespace() || ">'<$".contains(c) => self.skip(1),
            _ => self.word(),
        }
    }

    fn word(&mut self) {
        let is_end = |c: char| c.is_whitespace() || ";&|()<>\\'\"`$}".contains(c);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        let starts_command = std::mem::take(&mut self.starts_command);
        match word {
            "if" | "while" | "until" | "for" | "select" | "case" | "{" | "[[" | "!" => self.opens(),
            "then" | "else" | "elif" | "do" | "time" | "coproc" => self.starts_command = true,
            "fi" | "done" | "esac" => self.closes(starts_command),
            "]]" => self.closes(true),
            _ => {}
        }
    }

    fn opens(&mut self) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.starts_command = true;
    }

    fn closes(&mut self, is_sure: bool) {
        if is_sure && self.counts_closing && !self.is_quoted {
            self.depth = self.depth.saturating_sub(1);
        }
        self.starts_command = true;
    }

    /// Keeps the end of a here-document in mind.
    fn heredoc(&mut self) {
        let rest = self.rest.trim_start_matches('<').trim_start_matches('-').trim_start_matches([' ', '\t']);
        let rest = rest.trim_start_matches(['\'', '"', '\\']);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (delimiter, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !self.rest.starts_with("<<<") && !delimiter.is_empty() {
            self.heredocs.push(delimiter);
        }
        self.rest = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
    }

    /// Skips the bodies of here-documents, if they end.
    fn bodies(&mut self) {
        for delimiter in std::mem::take(&mut self.heredocs) {
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
