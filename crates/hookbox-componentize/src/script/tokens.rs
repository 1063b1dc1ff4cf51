//! A tokenizer of JavaScript, precise enough to tell names from strings and comments.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// A name, a keyword or a number.
    Word(&'s str),
    /// The text between quotes, as it is written.
    Text(&'s str),
    /// A regular expression.
    Pattern,
    /// Any other character. `?.` is reported as `.`, and `...` as `,`, because no name of a member follows it.
    Other(u8),
}

/// Keywords after which a `/` begins a regular expression.
const BEFORE_PATTERN: [&str; 14] = [
    "return",
    "typeof",
    "case",
    "do",
    "else",
    "in",
    "instanceof",
    "new",
    "void",
    "delete",
    "throw",
    "yield",
    "await",
    "of",
];

/// Keywords whose parentheses are followed by a statement, which a regular expression may begin.
const BEFORE_HEAD: [&str; 4] = ["if", "while", "for", "with"];

/// What an open brace begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// Code in a template.
    Template,
    /// Statements. A `/` after them begins a regular expression.
    Block,
    /// A value. A `/` after it divides it.
    Value,
}

/// The tokens of a script, each with the next byte after it that is not a space or part of a comment.
pub(super) struct Tokens<'s> {
    source: &'s str,
    at: usize,
    last: Token<'s>,
    braces: Vec<Brace>,
    /// For each open parenthesis, whether a statement follows it.
    heads: Vec<bool>,
    /// Whether a statement may begin after the last closing parenthesis or brace.
    ends_head: bool,
}

impl<'s> Tokens<'s> {
    pub(super) const fn of(source: &'s str) -> Self {
        Tokens { source, at: 0, last: Token::Other(b';'), braces: Vec::new(), heads: Vec::new(), ends_head: false }
    }

    fn rest(&self) -> &'s [u8] {
        self.source.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn slice(&self, from: usize, to: usize) -> &'s str {
        self.source.get(from..to).unwrap_or_default()
    }

    /// Skips spaces, comments and a `#!` line.
    fn skip(&mut self) {
        if self.at == 0 && self.source.starts_with("#!") {
            self.at = self.source.find('\n').unwrap_or(self.source.len());
        }
        loop {
            self.at += match self.rest() {
                [first, ..] if first.is_ascii_whitespace() => 1,
                [b'/', b'/', rest @ ..] => 2 + rest.iter().take_while(|byte| **byte != b'\n').count(),
                [b'/', b'*', rest @ ..] => match rest.windows(2).position(|end| end == b"*/") {
                    Some(length) => length + 4,
                    None => rest.len() + 2,
                },
                _ => return,
            }
        }
    }

    /// Finds the next position at which `ends` holds. Skips characters after a backslash.
    fn until(&self, ends: impl Fn(&[u8]) -> bool) -> usize {
        let mut at = self.at;
        while let Some(rest @ [first, ..]) = self.source.as_bytes().get(at..) {
            if ends(rest) {
                break;
            }
            at += if *first == b'\\' { 2 } else { 1 };
        }
        at.min(self.source.len())
    }

    /// Reads a string, after its opening quote.
    fn text(&mut self, quote: u8) -> Token<'s> {
        let from = self.at;
        // A string that does not end on its line was no string: its quote is inside a regular expression that was not
        // recognized.
        let to = self.until(|rest| rest.first().is_some_and(|byte| *byte == quote || *byte == b'\n'));
        self.at = to + 1;
        Token::Text(self.slice(from, to))
    }

    /// Reads a part of a template, after its opening quote or after the brace that closes the code before it.
    fn template(&mut self) -> Token<'s> {
        let from = self.at;
        let to = self.until(|rest| rest.starts_with(b"`") || rest.starts_with(b"${"));
        let is_code = self.source.as_bytes().get(to) == Some(&b'$');
        self.at = to + if is_code { 2 } else { 1 };
        if !is_code {
            return Token::Text(self.slice(from, to));
        }
        self.braces.push(Brace::Template);
        Token::Other(b'{')
    }

    /// Reads a regular expression, after its opening slash.
    fn pattern(&mut self) -> Token<'s> {
        let mut in_class = false;
        while let [first, ..] = self.rest() {
            match first {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                b'\n' => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        Token::Pattern
    }

    fn may_begin_pattern(&self) -> bool {
        match self.last {
            Token::Word(word) => BEFORE_PATTERN.contains(&word),
            Token::Text(_) | Token::Pattern => false,
            Token::Other(b')' | b'}') => self.ends_head,
            Token::Other(byte) => byte != b']',
        }
    }

    /// Returns what an opening brace begins here.
    fn brace(&self) -> Brace {
        let is_block = match self.last {
            Token::Word(word) => matches!(word, "else" | "do") || !BEFORE_PATTERN.contains(&word),
            Token::Text(_) | Token::Pattern => false,
            // `>` is the end of `=>`.
            Token::Other(byte) => matches!(byte, b')' | b'{' | b'}' | b';' | b'>'),
        };
        if is_block { Brace::Block } else { Brace::Value }
    }

    fn token(&mut self) -> Option<Token<'s>> {
        let from = self.at;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
        let length = self.rest().iter().take_while(|byte| is_word(byte)).count();
        if length > 0 {
            self.at += length;
            return Some(Token::Word(self.slice(from, self.at)));
        }
        let (first, length) = match self.rest() {
            [b'.', b'.', b'.', ..] => (b',', 3),
            [b'?', b'.', after, ..] if !after.is_ascii_digit() => (b'.', 2),
            [first, ..] => (*first, 1),
            [] => return None,
        };
        self.at += length;
        Some(match first {
            b'"' | b'\'' => self.text(first),
            b'`' => self.template(),
            b'/' if self.may_begin_pattern() => self.pattern(),
            b'(' => {
                self.heads.push(matches!(self.last, Token::Word(word) if BEFORE_HEAD.contains(&word)));
                Token::Other(first)
            }
            b')' => {
                self.ends_head = self.heads.pop() == Some(true);
                Token::Other(first)
            }
            b'{' => {
                self.braces.push(self.brace());
                Token::Other(first)
            }
            b'}' => match self.braces.pop() {
                Some(Brace::Template) => self.template(),
                brace => {
                    self.ends_head = brace == Some(Brace::Block);
                    Token::Other(first)
                }
            },
            _ => Token::Other(first),
        })
    }
}

impl<'s> Iterator for Tokens<'s> {
    type Item = (Token<'s>, Option<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip();
        let token = self.token()?;
        self.last = token;
        self.skip();
        Some((token, self.rest().first().copied()))
    }
}
