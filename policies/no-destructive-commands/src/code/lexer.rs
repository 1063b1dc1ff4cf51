//! Splits code in any language into names, texts and symbols, which is enough to see its calls.

use hookbox_policy::UNKNOWN;

/// The maximum number of tokens that are read. If there are more, the policy asks.
pub(super) const MAX_TOKENS: usize = 20_000;

/// A part of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, without the owner before it.
    Name(String),
    /// A text, or `None` if not every character is known.
    Text(Option<String>),
    /// A text that runs as a command: text in backquotes, in JavaScript only with a `$` before it, as in Bun and zx.
    Command(Option<String>),
    /// Any other symbol.
    Sign(char),
}

/// The differences between a language's syntax and Python's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Whether a text in backquotes is a command.
    pub(super) backquotes_run: bool,
    /// Whether `#` begins a comment.
    pub(super) hash_comments: bool,
    /// Whether such a comment begins only after white space or a `;`, since `$#a` is no comment in Perl.
    pub(super) spaced_comments: bool,
    /// Whether `"$x"`, `"@x"` and `"#{x}"` are interpolated.
    pub(super) interpolates: bool,
    /// Whether `//` and `/* */` are comments.
    pub(super) slash_comments: bool,
}

/// Splits a text into tokens.
pub(super) fn tokens(code: &str, dialect: Dialect) -> Vec<Token> {
    let chars: Vec<char> = code.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        if tokens.len() >= MAX_TOKENS {
            break;
        }
        match c {
            '#' if dialect.hash_comments && (!dialect.spaced_comments || is_spaced(&chars, at)) => {
                at = end_of_line(&chars, at);
            }
            '/' if dialect.slash_comments && chars.get(at + 1) == Some(&'/') => at = end_of_line(&chars, at),
            '/' if dialect.slash_comments && chars.get(at + 1) == Some(&'*') => {
                let inside = chars.get(at + 2..).unwrap_or_default();
                let end = inside.windows(2).position(|pair| pair == ['*', '/']).unwrap_or(inside.len());
                at += end + 4;
            }
            '"' | '\'' | '`' => {
                let (text, end) = text(&chars, at, dialect);
                let is_tagged = at.checked_sub(1).and_then(|before| chars.get(before)) == Some(&'$');
                let runs = c == '`' && (dialect.backquotes_run || is_tagged);
                tokens.push(if runs { Token::Command(text) } else { Token::Text(text) });
                at = end;
            }
            // These are `%x(…)` in Ruby and `qx(…)` in Perl.
            '%' | 'q' if dialect.backquotes_run && is_quoted_command(&chars, at) => {
                let (text, end) = bracketed(&chars, at + 2);
                tokens.push(Token::Command(text));
                at = end;
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = chars.iter().skip(at).take_while(|c| c.is_alphanumeric() || **c == '_').count();
                tokens.push(Token::Name(chars.iter().skip(at).take(length).collect()));
                at += length;
            }
            c if c.is_whitespace() => at += 1,
            c => {
                tokens.push(Token::Sign(c));
                at += 1;
            }
        }
    }
    tokens
}

fn end_of_line(chars: &[char], from: usize) -> usize {
    from + chars.iter().skip(from).take_while(|c| **c != '\n').count()
}

fn is_spaced(chars: &[char], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| chars.get(before)).is_none_or(|c| c.is_whitespace() || *c == ';')
}

fn is_quoted_command(chars: &[char], at: usize) -> bool {
    let starts_word = at.checked_sub(1).and_then(|before| chars.get(before)).is_none_or(|c| !c.is_alphanumeric());
    let opens = |c: Option<&char>| c.is_some_and(|c| matches!(c, '(' | '{' | '[' | '<' | '/' | '!' | '|'));
    starts_word && chars.get(at + 1) == Some(&'x') && opens(chars.get(at + 2))
}

/// Returns the text up to the bracket that closes the one at `at`, and where it ends.
fn bracketed(chars: &[char], at: usize) -> (Option<String>, usize) {
    let close = match chars.get(at) {
        Some('(') => ')',
        Some('{') => '}',
        Some('[') => ']',
        Some('<') => '>',
        Some(c) => *c,
        None => return (None, at),
    };
    let length = chars.iter().skip(at + 1).take_while(|c| **c != close).count();
    let text: String = chars.iter().skip(at + 1).take(length).collect();
    (known(text, true), at + length + 2)
}

/// Returns the text that begins with the quote at `at`, and where it ends.
fn text(chars: &[char], at: usize, dialect: Dialect) -> (Option<String>, usize) {
    let quote = chars.get(at).copied().unwrap_or('"');
    let is_long = chars.get(at + 1) == Some(&quote) && chars.get(at + 2) == Some(&quote) && quote != '`';
    // This covers interpolated texts such as `f"…{x}"`.
    let prefix = at.checked_sub(1).and_then(|before| chars.get(before)).copied().unwrap_or(' ');
    let is_made = matches!(prefix, 'f' | 'F') || quote == '`' || (dialect.interpolates && quote == '"');
    let mut made = String::new();
    let mut next = if is_long { at + 3 } else { at + 1 };
    while let Some(c) = chars.get(next).copied() {
        let closes = if is_long {
            c == quote && chars.get(next + 1) == Some(&quote) && chars.get(next + 2) == Some(&quote)
        } else {
            c == quote
        };
        if closes {
            next += if is_long { 3 } else { 1 };
            return (known(made, is_made), next);
        }
        if c == '\\' {
            let (escaped, length) = unescaped(chars, next + 1);
            made.extend(escaped);
            next += 1 + length;
        } else {
            made.push(c);
            next += 1;
        }
    }
    (known(made, is_made), next)
}

/// Returns the character that an escape after a backslash means, and the escape's length in characters.
fn unescaped(chars: &[char], at: usize) -> (Option<char>, usize) {
    let number = |from: usize, length: usize, radix: u32| {
        let digits: String = chars.iter().skip(from).take(length).take_while(|c| c.is_digit(radix)).collect();
        (u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32), digits.len())
    };
    match chars.get(at) {
        Some('n') => (Some('\n'), 1),
        Some('t') => (Some('\t'), 1),
        Some('x') => {
            let (c, length) = number(at + 1, 2, 16);
            (c, length + 1)
        }
        Some('u') => {
            let (c, length) = number(at + 1, 4, 16);
            (c, length + 1)
        }
        Some('0'..='7') => number(at, 3, 8),
        Some('\n') => (None, 1),
        Some(c) => (Some(*c), 1),
        None => (None, 0),
    }
}

/// Returns the text, unless a value is interpolated.
fn known(text: String, is_made: bool) -> Option<String> {
    let has_value = is_made && text.contains(['{', '$', '@']);
    (!has_value && !text.contains(UNKNOWN)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Token {
        Token::Text(Some(text.to_owned()))
    }

    #[test]
    fn texts_are_told_from_names() {
        let name = |name: &str| Token::Name(name.to_owned());
        let read = tokens("a.b('x\\x20y', \"\"\"z\"\"\") # c", Dialect { hash_comments: true, ..Dialect::default() });
        let signs = |c| Token::Sign(c);
        assert_eq!(
            read,
            [name("a"), signs('.'), name("b"), signs('('), text("x y"), signs(','), text("z"), signs(')')]
        );
    }

    #[test]
    fn texts_with_values_are_not_known() {
        assert_eq!(tokens("f'{x}'", Dialect::default()).last(), Some(&Token::Text(None)));
        assert_eq!(tokens("`${x}`", Dialect::default()), [Token::Text(None)]);
        let perl = Dialect { backquotes_run: true, interpolates: true, hash_comments: true, ..Dialect::default() };
        assert_eq!(tokens("`ls $x`", perl), [Token::Command(None)]);
        assert_eq!(tokens("qx(ls)", perl), [Token::Command(Some("ls".to_owned()))]);
    }

    #[test]
    fn hostile_texts_end() {
        for code in ["'", "\"\"\"", "\\", "`", "%x(", "qx", "'\\", "'\\x", "'\\u12", "f'{"] {
            let all = Dialect { backquotes_run: true, interpolates: true, hash_comments: true, ..Dialect::default() };
            assert!(tokens(code, all).len() < 4);
        }
    }
}
