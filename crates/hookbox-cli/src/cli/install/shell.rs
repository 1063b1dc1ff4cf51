//! Splits the command lines in agents' settings as a shell does.

use super::words::{base, is_before, is_look_up, is_program};
use std::iter::Peekable;
use std::str::Chars;

/// The maximum number of shells and substitutions that contain one another.
const MAX_SHELLS: usize = 4;

/// Stands in a word for text that only the shell knows. No command line contains it.
const UNKNOWN: &str = "\0";

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// Splits a line into commands, and each command into words, without the files of redirections. What a shell runs with
/// `-c` stands in the place of that shell. Returns `None` if a word depends on anything other than variables that are
/// set, and on where hookbox is.
pub(in crate::cli) fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    let commands: Vec<Vec<String>> = all_commands(line)?.into_iter().map(|command| command.words).collect();
    let is_known = !commands.iter().flatten().any(|word| word.contains(UNKNOWN));
    is_known.then_some(commands)
}

/// Like [`commands`], but with words that depend on more. Returns `None` if the line cannot be split.
pub(super) fn all_commands(line: &str) -> Option<Vec<Command>> {
    in_shells(line, MAX_SHELLS)
}

fn in_shells(line: &str, depth: usize) -> Option<Vec<Command>> {
    let mut all = Vec::new();
    for command in split(&mut line.chars().peekable(), None, depth)? {
        match script(&command.words) {
            Some(script) => all.extend(in_shells(script, depth.checked_sub(1)?)?),
            None => all.push(command),
        }
    }
    Some(all)
}

/// Returns the script that a shell runs with `-c`.
fn script(command: &[String]) -> Option<&str> {
    let mut words = command.iter().skip_while(|word| is_before(word));
    words.next().filter(|word| SHELLS.contains(&base(word)))?;
    let mut rest = words.skip_while(|word| word.starts_with("--") || word.starts_with('-') && !word.ends_with('c'));
    rest.next().filter(|word| word.starts_with('-'))?;
    rest.next().map(String::as_str)
}

/// Splits the text up to `end`, which ends a substitution, or else all of it. The commands of substitutions are among
/// the others.
fn split(chars: &mut Peekable<Chars<'_>>, end: Option<char>, depth: usize) -> Option<Vec<Command>> {
    let mut split = Split { depth, ..Split::default() };
    let mut open = 0_usize;
    loop {
        let Some(c) = chars.next() else {
            split.end_command();
            return end.is_none().then_some(split.commands);
        };
        if Some(c) == end && open == 0 {
            split.end_command();
            return Some(split.commands);
        }
        match c {
            ' ' | '\t' => split.end_word(),
            ';' | '&' | '|' | '\n' => split.end_command(),
            '(' => {
                open += 1;
                split.end_command();
            }
            ')' => {
                open = open.saturating_sub(1);
                split.end_command();
            }
            '#' if split.word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            '<' | '>' => {
                // A number before a redirection is a file descriptor.
                if split.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
                    split.word = None;
                }
                split.end_word();
                let mut is_output = c == '>';
                while let Some(c) = chars.next_if(|c| "<>&|".contains(*c)) {
                    is_output |= c == '>';
                }
                split.file = Some(is_output);
            }
            '\'' => {
                let mut text = String::new();
                while let Some(c) = chars.next_if(|c| *c != '\'') {
                    text.push(c);
                }
                chars.next()?;
                split.add(&text);
            }
            '"' => split.add_quoted(chars)?,
            // A line that goes on.
            '\\' if chars.next_if_eq(&'\n').is_some() => {}
            '\\' => split.add(chars.next()?.encode_utf8(&mut [0; 4])),
            '$' => {
                let text = split.dollar(chars)?;
                split.add(if text.contains(char::is_whitespace) { UNKNOWN } else { &text });
            }
            '`' => {
                let text = split.substitution(chars, '`')?;
                split.add(&text);
            }
            '~' if split.word.is_none() && chars.peek().is_none_or(|next| "/ ".contains(*next)) => {
                split.add(&std::env::var("HOME").ok()?);
            }
            // The commands that test a condition, and the start of a group.
            '[' if split.word.is_none() && chars.peek() == Some(&' ') => split.add("["),
            '[' if split.word.is_none() && chars.next_if_eq(&'[').is_some() => split.add("[["),
            '{' if split.word.is_none() && chars.peek().is_some_and(|next| next.is_whitespace()) => split.add("{"),
            '*' | '?' | '[' | '{' => split.add(UNKNOWN),
            c => split.add(c.encode_utf8(&mut [0; 4])),
        }
    }
}

/// A command of a line.
#[derive(Default)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// The files and the descriptors that its output goes to.
    pub(super) outputs: Vec<String>,
}

#[derive(Default)]
struct Split {
    commands: Vec<Command>,
    command: Command,
    word: Option<String>,
    /// Whether the next word is the file of a redirection, and whether that is one of output.
    file: Option<bool>,
    /// The number of substitutions that may still contain one another.
    depth: usize,
}

impl Split {
    fn add(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.file.take() {
            None => self.command.words.push(word),
            Some(true) => self.command.outputs.push(word),
            Some(false) => {}
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.file = None;
        self.commands.push(std::mem::take(&mut self.command));
    }

    /// Adds the text up to the closing double quote.
    fn add_quoted(&mut self, chars: &mut Peekable<Chars<'_>>) -> Option<()> {
        let mut text = String::new();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => match chars.next()? {
                    '\n' => {}
                    c @ ('"' | '\\' | '$' | '`') => text.push(c),
                    c => text.extend(['\\', c]),
                },
                '$' => text.push_str(&self.dollar(chars)?),
                '`' => text.push_str(&self.substitution(chars, '`')?),
                c => text.push(c),
            }
        }
        self.add(&text);
        Some(())
    }

    /// Returns what a `$` stands for: the value of the variable that follows, if it is set, or the output of a command.
    fn dollar(&mut self, chars: &mut Peekable<Chars<'_>>) -> Option<String> {
        if chars.next_if_eq(&'(').is_some() {
            return self.substitution(chars, ')');
        }
        let unknown = Some(UNKNOWN.to_owned());
        let is_braced = chars.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if is_braced && chars.next_if_eq(&'}').is_none() {
            // Text in place of a variable may run commands, and have quotes with a brace.
            while let Some(c) = chars.next_if(|c| !"$`'\"\\{}".contains(*c)) {
                name.push(c);
            }
            chars.next_if_eq(&'}')?;
            return unknown;
        }
        match name.is_empty() {
            true if chars.peek().is_some_and(|c| "'\"".contains(*c)) => None,
            true => {
                chars.next_if(|c| "?!#@*$-".contains(*c));
                unknown
            }
            false => std::env::var(name).ok().or(unknown),
        }
    }

    /// Takes in the commands of a substitution up to its end. Returns its output, if that can only be a hookbox.
    fn substitution(&mut self, chars: &mut Peekable<Chars<'_>>, end: char) -> Option<String> {
        let commands = split(chars, Some(end), self.depth.checked_sub(1)?)?;
        let program = match commands.as_slice() {
            [Command { words, .. }] => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                words.last().filter(|word| is_look_up(&words) && is_program(word)).map(|word| (*word).to_owned())
            }
            _ => None,
        };
        // A look-up is no call, and does not matter if it says where hookbox is.
        if program.is_none() {
            self.commands.extend(commands);
        }
        Some(program.unwrap_or_else(|| UNKNOWN.to_owned()))
    }
}
