//! Takes a tool call apart and lets the rules judge everything that it runs.

use crate::rules;
use crate::shell::{self, Problem, Stdin, UNKNOWN, Word};
use crate::unwrap::{self, Inner};
use crate::verdict::{Decision, Finding, quote};

/// The longest text that is read, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// How deep scripts may nest, as `bash -c` in `bash -c` does.
const MAX_NESTING: usize = 8;
/// How many commands may stand in one, as `sudo` before `env` does.
const MAX_STEPS: usize = 32;

/// Judges a text that a shell would run.
#[must_use]
pub fn script(text: &str, branches: &[String]) -> Decision {
    let mut judge = Judge::new(branches);
    if text.len() > MAX_LENGTH {
        judge.ask("the command is too long to be checked; split it up");
    } else {
        judge.script(text, 0);
    }
    judge.decision
}

/// Judges a command that runs without a shell, from its words.
#[must_use]
pub fn arguments(words: Vec<Word>, branches: &[String]) -> Decision {
    let mut judge = Judge::new(branches);
    if words.iter().map(|word| word.text.len()).sum::<usize>() > MAX_LENGTH {
        judge.ask("the command is too long to be checked; split it up");
    } else {
        judge.command(words, &Context::default());
    }
    judge.decision
}

/// What a command is part of.
#[derive(Default)]
struct Context {
    stdin: Stdin,
    /// How many scripts the command is nested in.
    nesting: usize,
    /// Whether parts of the innermost script are not known.
    patchy: bool,
}

struct Judge<'a> {
    branches: &'a [String],
    decision: Decision,
}

impl<'a> Judge<'a> {
    fn new(branches: &'a [String]) -> Self {
        Self { branches, decision: Decision::Allow }
    }

    fn add(&mut self, finding: impl Into<Option<Finding>>) {
        if let Some(finding) = finding.into() {
            let so_far = std::mem::replace(&mut self.decision, Decision::Allow);
            self.decision = so_far.and(finding);
        }
    }

    fn ask(&mut self, reason: &str) {
        self.add(Finding::Ask(reason.to_owned()));
    }

    fn script(&mut self, text: &str, nesting: usize) {
        if nesting > MAX_NESTING {
            return self.ask("the command nests too many scripts to be checked; run the inner one");
        }
        let script = shell::read(text, nesting == 0);
        match script.problem {
            Some(Problem::Syntax) => {
                self.ask("a part of the command is no shell syntax that can be read; simplify it");
            }
            Some(Problem::Nesting) => {
                self.ask("the command nests too many substitutions to be checked; split it up");
            }
            None => {}
        }
        let patchy = text.contains(UNKNOWN);
        for redirect in &script.redirects {
            self.add(rules::redirect(redirect));
        }
        for command in script.commands {
            self.add(rules::fork_bomb(&command));
            let context = Context { stdin: command.place.stdin, nesting, patchy };
            self.command(command.words, &context);
        }
    }

    /// Judges a command and everything inside of it.
    fn command(&mut self, words: Vec<Word>, context: &Context) {
        let mut pending = vec![words];
        let mut steps = 0;
        while let Some(argv) = pending.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return self.ask("a command in the command holds too many others; split it up");
            }
            self.add(rules::command(&argv, self.branches));
            if context.patchy && argv.first().is_some_and(Word::is_unknown) {
                self.ask("a script in the command runs something that is not known yet; name it");
            }
            for inner in unwrap::inner(&argv, &context.stdin) {
                match inner {
                    Inner::Command(inner) => pending.push(inner),
                    Inner::Script(text) => self.script(&text, context.nesting + 1),
                    Inner::Unknown(what) => {
                        self.add(Finding::Ask(format!("{} runs {what}; run the commands in it by name", quote(&argv))))
                    }
                }
            }
        }
    }
}
