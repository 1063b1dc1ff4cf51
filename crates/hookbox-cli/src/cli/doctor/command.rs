//! The options of the command in an agent's settings, which say what `hookbox hook` reads.

use crate::cli::install::is_program;
use crate::cli::scope::{Scope, behind_command};
use crate::cli::{CliOfAgents, CommandOfAgents};
use clap::Parser;
use std::ffi::OsString;
use std::iter::Peekable;
use std::str::Chars;

/// Returns the scope that a shell command line gives to `hookbox hook`, or `None` if the scope is not known.
pub(super) fn scope(line: &str, agent: &str) -> Option<Scope> {
    let commands = commands(line)?;
    let is_place = |word: &String| word.starts_with("HOME=") || word.starts_with("XDG_");
    if commands.iter().flatten().any(is_place) {
        return None;
    }
    let is_hook = |pair: &[String]| matches!(pair, [word, name] if word == "hook" && name == agent);
    let (words, hook) = commands.iter().find_map(|words| Some((words, words.windows(2).position(is_hook)?)))?;
    // Options may come before `hook`, too.
    let program = words.iter().take(hook).rposition(|word| is_program(word));
    let options = words.iter().skip(program.map_or(hook, |program| program + 1));
    let args: Vec<OsString> = std::iter::once("hookbox".into()).chain(options.map(OsString::from)).collect();
    match CliOfAgents::try_parse_from(behind_command(args)).ok()?.command {
        CommandOfAgents::Hook(hook) => Some(hook.into_scope()),
        CommandOfAgents::Run(_) => None,
    }
}

/// Splits a line into commands, and each command into words, without the files of redirections. Returns `None` if a
/// word depends on anything other than variables that are set.
fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    let mut split = Split::default();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => split.end_word(),
            ';' | '&' | '|' | '\n' | '(' | ')' => split.end_command(),
            '#' if split.word.is_none() => break,
            '<' | '>' => {
                // A number before a redirection is a file descriptor.
                if split.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
                    split.word = None;
                }
                split.end_word();
                while chars.next_if(|c| "<>&|".contains(*c)).is_some() {}
                split.is_file = true;
            }
            '\'' => {
                let mut text = String::new();
                while let Some(c) = chars.next_if(|c| *c != '\'') {
                    text.push(c);
                }
                chars.next()?;
                split.add(&text);
            }
            '"' => split.add(&quoted(&mut chars)?),
            '\\' => split.add(chars.next()?.encode_utf8(&mut [0; 4])),
            '$' => split.add(&variable(&mut chars).filter(|value| !value.contains(char::is_whitespace))?),
            '~' if split.word.is_none() && chars.peek().is_none_or(|next| "/ ".contains(*next)) => {
                split.add(&std::env::var("HOME").ok()?);
            }
            // The command that tests a condition.
            '[' if split.word.is_none() && chars.peek() == Some(&' ') => split.add("["),
            '`' | '*' | '?' | '[' | '{' => return None,
            c => split.add(c.encode_utf8(&mut [0; 4])),
        }
    }
    split.end_command();
    Some(split.commands)
}

#[derive(Default)]
struct Split {
    commands: Vec<Vec<String>>,
    command: Vec<String>,
    word: Option<String>,
    /// Whether the next word is the file of a redirection.
    is_file: bool,
}

impl Split {
    fn add(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if !std::mem::take(&mut self.is_file) {
            self.command.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.commands.push(std::mem::take(&mut self.command));
    }
}

/// Returns the text up to the closing double quote.
fn quoted(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => text.push(c),
                c => text.extend(['\\', c]),
            },
            '$' => text.push_str(&variable(chars)?),
            '`' => return None,
            c => text.push(c),
        }
    }
}

/// Returns the value of the variable whose name follows, if it is set.
fn variable(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let is_braced = chars.next_if_eq(&'{').is_some();
    let mut name = String::new();
    while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
        name.push(c);
    }
    if name.is_empty() || is_braced && chars.next()? != '}' {
        return None;
    }
    std::env::var(name).ok()
}

#[cfg(test)]
mod tests {
    use super::scope;

    #[test]
    fn a_condition_before_the_command_is_no_pattern() {
        let plain = scope("/usr/bin/hookbox hook claude --config a.toml", "claude");
        let guarded = "[ -x /usr/bin/hookbox ] && /usr/bin/hookbox hook claude --config a.toml";
        assert!(plain.is_some() && scope(guarded, "claude") == plain);
        assert!(scope("/usr/bin/hookbox hook claude --config [ab].toml", "claude").is_none());
    }
}
