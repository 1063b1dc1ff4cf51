//! Collects the commands of a text, including nested ones.

use super::command::{Assignment, SimpleCommand, quote};
use super::edit::{SEPARATOR, joined};
use super::inner::{self, Inner};
use super::syntax::{self, Problem};
use super::word::{HOME, Word, is_marker};
use super::{Script, Unknown};
use std::rc::Rc;

/// The longest text that is parsed, in bytes. A shell accepts longer ones, but no one reviews them.
pub(super) const MAX_LENGTH: usize = 64 * 1024;
/// How deep scripts may nest, such as `bash -c` in `bash -c`.
const MAX_NESTING: usize = 8;
/// How many commands may be chained in one, such as `sudo` before `env`.
const MAX_STEPS: usize = 32;
/// The maximum number of commands in total.
const MAX_COMMANDS: usize = 1000;

/// Parses a text that a shell would run.
pub(super) fn text(text: &str) -> Script {
    let mut collector = Collector::default();
    if text.len() > MAX_LENGTH {
        collector.fail(Unknown::bounds(TOO_LONG));
    } else {
        collector.script(text, 0, None);
    }
    collector.script
}

/// Parses a command that runs without a shell.
pub(super) fn arguments(arguments: &[String]) -> Script {
    let mut collector = Collector::default();
    match joined(arguments) {
        None => collector.fail(Unknown::bounds("has an argument with a NUL in it, which no program can receive")),
        Some(joined) if joined.len() > MAX_LENGTH => collector.fail(Unknown::bounds(TOO_LONG)),
        Some(_) => {
            let mut start = 0;
            let word = |text: &String| {
                let at = start..start + text.len();
                start = at.end + SEPARATOR.len_utf8();
                Word::literal(text, Some(at))
            };
            let words = arguments.iter().map(word).collect();
            collector.command(SimpleCommand { words, ..SimpleCommand::default() }, 0);
        }
    }
    collector.script
}

const TOO_LONG: &str = "is too long to be checked; split it up";

#[derive(Default)]
struct Collector {
    script: Script,
}

impl Collector {
    fn fail(&mut self, unknown: Unknown) {
        if !self.script.unknowns.contains(&unknown) {
            self.script.unknowns.push(unknown);
        }
    }

    fn script(&mut self, text: &str, nesting: usize, run_by: Option<Rc<str>>) {
        if nesting > MAX_NESTING {
            return self.fail(Unknown::bounds("nests too many scripts to be checked; run the inner one"));
        }
        let read = syntax::read(text, nesting == 0);
        match read.problem {
            Some(Problem::Syntax) => self.fail(Unknown::syntax()),
            Some(Problem::Nesting) => {
                self.fail(Unknown::bounds("nests too many substitutions to be checked; split it up"));
            }
            None => {}
        }
        let is_in_patchy_script = text.contains(|c| is_marker(c) && c != HOME);
        self.script.redirects.extend(read.redirects);
        for command in read.commands {
            self.command(SimpleCommand { run_by: run_by.clone(), is_in_patchy_script, ..command }, nesting);
        }
    }

    /// Collects a command and all commands nested in it.
    fn command(&mut self, command: SimpleCommand, nesting: usize) {
        let mut pending = vec![command];
        let mut steps = 0;
        while let Some(command) = pending.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return self.fail(Unknown::bounds("holds too many commands in one another; split it up"));
            }
            if self.script.commands.len() >= MAX_COMMANDS {
                return self.fail(Unknown::bounds("holds too many commands to be checked; split it up"));
            }
            let run_by: Option<Rc<str>> = command.name().map(Rc::from);
            let inners = inner::inner(&command.words, &command.stdin);
            // What a nested command shares with this one.
            let place = if inners.is_empty() {
                SimpleCommand::default()
            } else {
                SimpleCommand { run_by: run_by.clone(), ..command.place() }
            };
            let quoted = if inners.is_empty() { String::new() } else { quote(&command.words) };
            self.script.commands.push(command);
            for inner in inners {
                match inner {
                    Inner::Command { words, settings } => {
                        let mut command = SimpleCommand { words, ..place.clone() };
                        command.assignments.extend(settings.iter().filter_map(Assignment::of_word));
                        pending.push(command);
                    }
                    Inner::Script(text) if text.len() > MAX_LENGTH => self.fail(Unknown::bounds(TOO_LONG)),
                    Inner::Script(text) => self.script(&text, nesting + 1, run_by.clone()),
                    Inner::Unknown(what) => self.fail(Unknown::script(&quoted, what)),
                }
            }
        }
    }
}
