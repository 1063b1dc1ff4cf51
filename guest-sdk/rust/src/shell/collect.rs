//! Collects the commands of a text or of a list of arguments.

use super::command::SimpleCommand;
use super::edit::{SEPARATOR, joined};
use super::eval::{Place, Ready, Shell};
use super::word::Word;
use super::{Script, Unknown};

/// The longest text that is parsed, in bytes. A shell accepts longer ones, but no one reviews them.
pub(super) const MAX_LENGTH: usize = 64 * 1024;
pub(super) const TOO_LONG: &str = "is too long to be checked; split it up";

/// What is known about where a command runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    pub(super) home: Option<String>,
    pub(super) cwd: Option<String>,
}

/// Parses a text that a shell would run.
pub(super) fn text(text: &str, around: Surroundings) -> Script {
    let mut shell = Shell::new(around.home, around.cwd);
    if text.len() > MAX_LENGTH {
        shell.fail(Unknown::bounds(TOO_LONG));
    } else {
        shell.top(text);
    }
    shell.settled()
}

/// Parses a command that runs without a shell.
pub(super) fn arguments(arguments: &[String], around: Surroundings) -> Script {
    let mut shell = Shell::new(around.home, around.cwd);
    match joined(arguments) {
        None => shell.fail(Unknown::bounds("has an argument with a NUL in it, which no program can receive")),
        Some(joined) if joined.len() > MAX_LENGTH => shell.fail(Unknown::bounds(TOO_LONG)),
        Some(_) => {
            let mut start = 0;
            let mut words = Vec::new();
            for text in arguments {
                let at = start..start + text.len();
                start = at.end + SEPARATOR.len_utf8();
                let clean = shell.marks.sanitized(text);
                words.push(Word::new(&clean, clean.clone()).with_span(Some(at)));
            }
            let shown = words.iter().map(Word::raw).collect::<Vec<_>>().join(" ");
            let place = Place::default();
            let command = SimpleCommand { words, ..shell.blank(&place, &shown) };
            shell.execute(Ready { command, first: None }, &place);
            shell.finish();
        }
    }
    shell.settled()
}
