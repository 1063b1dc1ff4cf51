//! Builtins that run a text in the shell itself: `eval`, `source`, `trap`, `alias`.

use super::{Later, Output, Place, Shell};
use crate::shell::Unknown;
use crate::shell::command::{Stdin, quote};
use crate::shell::inner::{is_own_input, is_stream, is_wholly_unknown};
use crate::shell::word::Word;
use std::rc::Rc;

/// A command that runs.
pub(super) struct Run<'a> {
    pub(super) name: &'a str,
    pub(super) words: &'a [Word],
    /// The command's index in the list.
    pub(super) index: usize,
}

impl Run<'_> {
    pub(super) fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns the place of what this command runs.
    pub(super) fn inside(&self, place: &Place) -> Place {
        Place {
            parent: Some(self.index),
            via: Some(self.name.into()),
            run_by: Some(self.name.into()),
            steps: place.steps + 1,
            ..place.clone()
        }
    }
}

impl Shell {
    /// Records that a script is unknown, and forgets all variables, because the script could be any.
    fn unknown_script(&mut self, run: &Run<'_>, what: &str) -> Output {
        self.fail(Unknown::script(&quote(run.words), what));
        self.forget_all();
        None
    }

    pub(super) fn eval(&mut self, run: &Run<'_>, place: &Place) -> Output {
        let arguments = match run.arguments().split_first() {
            Some((first, rest)) if first.text() == "--" => rest,
            _ => run.arguments(),
        };
        let text = arguments.iter().map(Word::text).collect::<Vec<_>>().join(" ");
        if is_wholly_unknown(&text) {
            return self.unknown_script(run, "a text that is not known yet");
        }
        self.script(&text, &run.inside(place), true)
    }

    pub(super) fn source(&mut self, run: &Run<'_>, place: &Place) -> Output {
        let Some((file, rest)) = run.arguments().split_first() else {
            return Some(String::new());
        };
        let text = match self.stream_of(file.text()) {
            Some(stream) => stream.printed.map(|text| text.into()),
            None if is_own_input(file.text()) => match &place.stdin {
                Stdin::Text(text) => Some(text.clone()),
                Stdin::Pipe => None,
                Stdin::Inherited => return Some(String::new()),
            },
            None if file.is_process_substitution() || is_stream(file.text()) => None,
            None => {
                // A file is a program like any other, but it may set variables.
                let cwd = self.env.cwd.clone();
                self.forget_all();
                self.env.cwd = cwd;
                return None;
            }
        };
        let Some(text) = text.filter(|text| !is_wholly_unknown(text)) else {
            return self.unknown_script(run, "the output of another command");
        };
        let outer = self.env.arguments.clone();
        let given: Option<Rc<[String]>> =
            (!rest.is_empty()).then(|| rest.iter().map(|word| word.text().to_owned()).collect());
        if given.is_some() {
            self.env.arguments.clone_from(&given);
        }
        let place = Place { stdin: Stdin::Inherited, reads: Rc::default(), ..run.inside(place) };
        let before = self.jumps.len();
        let is_body = std::mem::replace(&mut self.inside.is_body, true);
        let printed = self.script(&text, &place, true);
        self.inside.is_body = is_body;
        let mut jumps = self.jumps.split_off(before);
        // A `break` in the script leaves a loop around the `source` command.
        jumps.iter_mut().for_each(|jump| jump.levels = jump.levels.saturating_add(1));
        self.meet(jumps);
        // Without arguments of its own, the script changes those of the shell.
        if given.is_some() {
            self.env.arguments = if self.env.arguments == given { outer } else { None };
        }
        printed
    }

    pub(super) fn trap(&mut self, run: &Run<'_>, place: &Place) {
        let arguments = run.arguments();
        let options = arguments.iter().take_while(|word| word.text().len() > 1 && word.text().starts_with('-')).count();
        let Some(script) = arguments.get(options).map(Word::text).filter(|text| !matches!(*text, "" | "-")) else {
            return;
        };
        if is_wholly_unknown(script) {
            return self.fail(Unknown::script(&quote(run.words), "a text that is not known yet"));
        }
        let mut signals = arguments.iter().skip(options + 1);
        if signals.any(|signal| !matches!(signal.text(), "EXIT" | "0")) {
            self.interrupts(run, script, place);
        }
        if self.later.len() < 16 {
            let place = run.inside(place);
            self.later.push(Later { text: script.to_owned(), env: self.env.clone(), place });
        } else {
            self.fail(Unknown::bounds("sets too many traps; leave them out"));
        }
    }

    /// Forgets what a trap changes, because it may run between any two commands. A trap that exits changes nothing.
    fn interrupts(&mut self, run: &Run<'_>, text: &str, place: &Place) {
        let before = self.env.clone();
        let (touched, changed, jumps) = (self.touched.clone(), self.changed.clone(), self.jumps.len());
        let inside = std::mem::take(&mut self.inside);
        let place = run.inside(place);
        self.dry_run(&|shell: &mut Self| drop(shell.script(text, &place, true)));
        self.inside = inside;
        self.jumps.truncate(jumps);
        (self.touched, self.changed) = (touched, changed);
        let after = std::mem::replace(&mut self.env, before);
        if after.dead {
            return;
        }
        for (name, variable) in after.vars.iter() {
            if self.env.get(name).is_none_or(|before| before.id != variable.id) {
                self.refer(name);
            }
        }
        if after.cwd != self.env.cwd {
            self.fail(Unknown::script(&quote(run.words), "a trap that changes the directory"));
        }
    }

    pub(super) fn alias(&mut self, run: &Run<'_>, place: &Place) {
        // In zsh, such an alias changes the words of other commands, or runs a program for a kind of file.
        let is_odd = |word: &Word| {
            let text = word.text();
            text.starts_with('-') && text.contains(['g', 's']) && !text.contains('=')
        };
        if run.arguments().iter().any(is_odd) {
            self.fail(Unknown::script(&quote(run.words), "an alias for words other than commands"));
        }
        for word in run.arguments() {
            let Some((name, text)) = word.text().split_once('=') else {
                continue;
            };
            if self.env.aliases.len() < 100 {
                Rc::make_mut(&mut self.env.aliases).insert(name.to_owned(), text.to_owned());
            } else {
                self.fail(Unknown::bounds("sets too many aliases; leave them out"));
            }
            // A later command of the same shell may use the alias.
            let place = Place { via: Some("alias".into()), ..run.inside(place) };
            if !is_wholly_unknown(text) && !text.is_empty() {
                let aliases = std::mem::take(&mut self.env.aliases);
                self.script(text, &place, false);
                self.env.aliases = aliases;
            }
        }
    }
}
