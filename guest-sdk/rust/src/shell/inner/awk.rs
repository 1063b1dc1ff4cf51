//! What an awk program runs, reads and writes.

use super::options::Spec;
use super::{Context, Inner, is_wholly_unknown, languages};
use crate::Access;
use crate::shell::word::Word;

const UNKNOWN: &str = "what an awk program makes up";

/// What a program does besides reading its input.
#[derive(Debug, Default)]
pub(in crate::shell) struct Program {
    scripts: Vec<String>,
    /// Whether it may run something unknown.
    is_open: bool,
    /// The files; `None` for one whose name the program computes.
    pub(in crate::shell) files: Vec<(Option<String>, Access)>,
}

/// The options of awk, up to its program.
pub(in crate::shell) const AWK: Spec = Spec {
    shorts: "FvfeilEW",
    longs: &["field-separator", "assign", "file", "source", "include", "load", "exec"],
    flags: &["characters-as-bytes", "posix", "traditional", "re-interval", "sandbox"],
};

/// Returns the arguments without the options whose value must be attached: `-ofile` and the like.
pub(in crate::shell) fn without_attached(arguments: &[Word]) -> Vec<Word> {
    let is_attached = |word: &Word| attached(word).is_some();
    arguments.iter().filter(|word| !is_attached(word)).cloned().collect()
}

/// Returns the file in `-ofile`, `--profile=file` and the like, to which the program is printed.
pub(in crate::shell) fn attached(word: &Word) -> Option<Word> {
    ["-o", "-d", "-p", "--pretty-print", "--dump-variables", "--profile"].iter().find_map(|option| {
        let rest = word.text().strip_prefix(option)?;
        match (rest, option.starts_with("--")) {
            ("", _) => Some(Word::plain(if option.contains('d') { "awkvars.out" } else { "awkprof.out" })),
            (rest, true) if rest.starts_with('=') => word.after(&format!("{option}=")),
            (_, true) => None,
            _ => word.after(option),
        }
    })
}

/// Returns the texts of the program. Program files are not read.
pub(in crate::shell) fn programs(arguments: &[Word]) -> Vec<Word> {
    let arguments = without_attached(arguments);
    let read = AWK.read(&arguments);
    let named = ["-e", "--source"];
    let texts = read.options.iter().filter(|(name, _)| named.contains(&name.as_str()));
    let mut texts: Vec<Word> = texts.filter_map(|(_, value)| value.clone()).collect();
    if !read.has(&["-e", "--source", "-f", "--file", "-E", "--exec"]) {
        texts.extend(read.rest.first().cloned());
    }
    texts
}

/// Returns the commands that awk runs with these arguments.
pub(super) fn inner(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut inners: Vec<Inner> = programs(arguments).iter().flat_map(|word| of_text(word.text())).collect();
    let plain = without_attached(arguments);
    for (name, value) in AWK.read(&plain).options {
        match name.as_str() {
            "-f" | "--file" | "-E" | "--exec" => {
                languages::of_file(value.as_ref(), context, &mut inners, of_text);
            }
            "-W" => inners.push(Inner::Unknown(UNKNOWN)),
            _ => {}
        }
    }
    inners
}

fn of_text(text: &str) -> Vec<Inner> {
    if is_wholly_unknown(text) {
        return vec![Inner::Unknown(UNKNOWN)];
    }
    let program = read(text);
    let unknown = program.is_open.then_some(Inner::Unknown(UNKNOWN));
    program.scripts.iter().map(|script| Inner::script(script)).chain(unknown).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    /// The text between the quotes.
    Text(&'a str),
    Regex,
    Number,
    Name(&'a str),
    Sign(&'a str),
    Line,
}

/// Reads a program.
pub(in crate::shell) fn read(text: &str) -> Program {
    let mut program = Program::default();
    let (tokens, is_sure) = tokens(text);
    if !is_sure && (text.contains("system") || text.contains(['|', '@', '>', '<'])) {
        program.is_open = true;
    }
    let mut depth = 0_usize;
    // The depth of the `print` whose output may go elsewhere.
    let mut printing = None;
    let mut before = Token::Line;
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        match *token {
            Token::Name("print" | "printf") => printing = Some(depth),
            Token::Name("system" | "extension") => match call(rest) {
                Some(script) => program.scripts.push(script.to_owned()),
                None => program.is_open = true,
            },
            Token::Name("getline") => program.files.extend(source(rest)),
            Token::Sign("@") if rest.first() != Some(&Token::Regex) => program.is_open = true,
            Token::Sign("(" | "[" | "{") => depth += 1,
            Token::Sign(sign @ (")" | "]" | "}")) => {
                depth = depth.saturating_sub(1);
                printing = printing.filter(|start| *start <= depth && sign != "}");
            }
            Token::Sign(";") => printing = None,
            Token::Line if !matches!(before, Token::Sign("," | "&&" | "||")) => printing = None,
            Token::Sign("|&") => program.is_open = true,
            Token::Sign("|") => match single(rest).filter(|script| only_filters(script)) {
                Some(script) => program.scripts.push(script.to_owned()),
                None => program.is_open = true,
            },
            Token::Sign(">" | ">>") if printing == Some(depth) => match single(rest) {
                Some("/dev/stdout" | "/dev/stderr") => {}
                Some(file) if file.starts_with("/inet") => program.is_open = true,
                file => program.files.push((file.map(str::to_owned), Access::Write)),
            },
            _ => {}
        }
        before = *token;
    }
    program
}

/// Returns the text that is the only argument of a call.
fn call<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    match tokens {
        [Token::Sign("("), Token::Text(text), Token::Sign(")"), ..] if !text.contains('\\') => Some(text),
        _ => None,
    }
}

/// Returns the text that makes up the rest of the statement.
fn single<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    match tokens {
        [Token::Text(text)] | [Token::Text(text), Token::Line | Token::Sign(";" | "}"), ..] if !text.contains('\\') => {
            Some(text)
        }
        _ => None,
    }
}

/// Returns the file in `getline < file` or `getline variable < file`.
fn source(tokens: &[Token<'_>]) -> Option<(Option<String>, Access)> {
    let is_variable =
        |token: &&Token<'_>| matches!(token, Token::Name(_) | Token::Number | Token::Sign("$" | "[" | "]"));
    let count = tokens.iter().take(8).take_while(is_variable).count();
    match tokens.get(count..)? {
        [Token::Sign("<"), Token::Text("-" | "/dev/stdin"), ..] => None,
        [Token::Sign("<"), Token::Text(file), Token::Sign(")" | ";" | "}") | Token::Line, ..]
        | [Token::Sign("<"), Token::Text(file)]
            if !file.contains('\\') =>
        {
            Some((Some((*file).to_owned()), Access::Read))
        }
        [Token::Sign("<"), ..] => Some((None, Access::Read)),
        _ => None,
    }
}

/// Whether a script is a pipeline of programs that only print their input in another form.
fn only_filters(script: &str) -> bool {
    const FILTERS: [&str; 10] = ["sort", "uniq", "cat", "head", "tail", "wc", "column", "nl", "tac", "rev"];
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " |-,.:_".contains(c);
    let is_filter = |part: &str| part.split_whitespace().next().is_some_and(|name| FILTERS.contains(&name));
    script.chars().all(is_plain) && script.split('|').all(is_filter)
}

/// Returns the tokens of a program, and whether there is only one way to read it.
fn tokens(text: &str) -> (Vec<Token<'_>>, bool) {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut is_sure = true;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                tokens.push(Token::Line);
                1
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            // A backslash continues the line.
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            c if c.is_whitespace() => c.len_utf8(),
            '"' => {
                let (inside, length) = quoted(rest, false);
                is_sure &= inside.is_some();
                tokens.push(Token::Text(inside.unwrap_or_default()));
                length
            }
            '/' => match tokens.last() {
                before if begins_regex(before) => {
                    let (inside, length) = quoted(rest, true);
                    is_sure &= inside.is_some();
                    tokens.push(Token::Regex);
                    length
                }
                before => {
                    let after = rest.get(1..).unwrap_or_default().split(['/', '\n']).next().unwrap_or_default();
                    let is_odd = matches!(before, Some(Token::Sign(")" | "++" | "--")));
                    is_sure &= !(is_odd && after.contains('"'));
                    tokens.push(Token::Sign("/"));
                    1
                }
            },
            c if c.is_ascii_digit() => {
                tokens.push(Token::Number);
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len())
            }
            c if is_of_name(c) => {
                let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
                tokens.push(Token::Name(rest.get(..length).unwrap_or_default()));
                length
            }
            c => {
                let signs = ["&&", "||", "|&", ">>", "++", "--", "==", ">=", "<=", "!="];
                let length = signs.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len());
                tokens.push(Token::Sign(rest.get(..length).unwrap_or_default()));
                length
            }
        };
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    (tokens, is_sure)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// Whether a slash after this token begins a pattern; after a value, it divides.
fn begins_regex(before: Option<&Token<'_>>) -> bool {
    match before {
        None | Some(Token::Line) => true,
        Some(Token::Name(name)) => {
            matches!(*name, "print" | "printf" | "return" | "in" | "else" | "do" | "case" | "getline")
        }
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]" | "++" | "--" | "$"),
        Some(Token::Text(_) | Token::Regex | Token::Number) => false,
    }
}

/// Returns the text between the first character and its next occurrence, or `None` if it has no end, and the length
/// including both.
fn quoted(text: &str, is_regex: bool) -> (Option<&str>, usize) {
    let delimiter = if is_regex { '/' } else { '"' };
    let mut is_escaped = false;
    // Where a list such as `[^/]` began.
    let mut list: Option<usize> = None;
    for (at, c) in text.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
            continue;
        }
        match c {
            '\\' => is_escaped = true,
            '\n' => return (None, at),
            '[' if is_regex && list.is_none() => list = Some(at),
            // As the first character of a list, it is literal.
            ']' if list
                .is_some_and(|start| text.get(start + 1..at).is_some_and(|inside| !matches!(inside, "" | "^"))) =>
            {
                list = None;
            }
            c if c == delimiter && list.is_none() => return (text.get(1..at), at + 1),
            _ => {}
        }
    }
    (None, text.len())
}
