//! Runs a command with expanded words: lists it, and walks through what it runs in turn.

use super::call::Run;
use super::{ENTRY, Output, Place, Shell, WORD};
use crate::shell::Unknown;
use crate::shell::command::{Assignment, SimpleCommand, quote};
use crate::shell::env::{Cwd, Env};
use crate::shell::inner::{self, Context, Inner};
use crate::shell::marks::{Kind, has_mark, has_unknown, kind};
use crate::shell::word::Word;
use std::ops::Range;
use std::rc::Rc;

/// How many commands may be chained in one, such as `sudo` before `env`.
const MAX_STEPS: usize = 32;
/// The index of a parent that comes later in the list.
pub(super) const PENDING: usize = usize::MAX;

/// A command that is about to run.
pub(in crate::shell) struct Ready {
    pub(in crate::shell) command: SimpleCommand,
    /// The index of the first command in this command's substitutions.
    pub(in crate::shell) first: Option<usize>,
}

impl Shell {
    /// Runs a command. Returns what it prints.
    pub(in crate::shell) fn execute(&mut self, ready: Ready, place: &Place) -> Output {
        let Ready { mut command, first } = ready;
        if place.steps >= MAX_STEPS {
            self.fail(Unknown::bounds("holds too many commands in one another; split it up"));
            return None;
        }
        let size: usize = command.words.iter().map(|word| word.raw().len() + word.text().len() + WORD).sum();
        let values: usize = command.assignments.iter().map(|set| 2 * set.value.text().len() + WORD).sum();
        if !self.spend(size + values) {
            return None;
        }
        let own = inner::own_directories(&command.words);
        if !own.is_empty() {
            let outer = self.env.cwd.clone();
            for directory in &own {
                self.env.cwd = self.entered(directory.text());
            }
            let cwd = std::mem::replace(&mut self.env.cwd, outer);
            let text = self.directory(&cwd, "the working directory");
            command.cwd = Some(Word::new("", text));
        }
        let words = command.words.clone();
        let settings = command.assignments.clone();
        let stdin = command.stdin.clone();
        // `$(<file)` is what the file has.
        let prints_file = command.redirects.iter().any(|redirect| redirect.operator.starts_with('<'));
        let index = self.list(command)?;
        if let Some(first) = first {
            self.adopt(first..index, index);
            for set in &settings {
                self.setting(&set.name, set.value.text(), index, place);
            }
        }
        let Some(word) = words.first() else {
            return (!prints_file).then(String::new);
        };
        let name: Option<Rc<str>> = word.command_name().map(Rc::from);
        let via =
            |via: &str| Place { parent: Some(index), via: Some(via.into()), steps: place.steps + 1, ..place.clone() };
        if let Some(functions) = self.env.functions.get(word.text()).cloned() {
            let arguments = words.iter().skip(1).map(|word| word.text().to_owned()).collect();
            let before = self.env.doubtful.contains(word.text()).then(|| self.env.clone());
            let printed = self.call(&functions, arguments, &via("function"));
            let Some(before) = before else {
                return printed;
            };
            // Where the function is not defined, the program of this name runs.
            let after = std::mem::replace(&mut self.env, before);
            Rc::make_mut(&mut self.env.functions).remove(word.text());
            let text = words.iter().map(Word::raw).collect::<Vec<_>>().join(" ");
            let place = Place { steps: place.steps + 1, ..place.clone() };
            let command = SimpleCommand { words, assignments: settings, ..self.blank(&place, &text) };
            self.execute(Ready { command, first: None }, &place);
            let other = self.env.clone();
            self.env = self.join(&after, &other);
            return None;
        }
        let run = Run { name: name.as_deref().unwrap_or_default(), words: &words, index };
        if let Some(printed) = self.builtin(&run, place) {
            return printed;
        }
        if let Some(path) = self.env.paths.get(word.text()).cloned() {
            let mut words = words;
            let text = words.iter().map(Word::raw).collect::<Vec<_>>().join(" ");
            if let Some(first) = words.first_mut() {
                *first = Word::new(first.raw(), path);
            }
            let place = via("alias");
            let command = SimpleCommand { words, assignments: settings, ..self.blank(&place, &text) };
            return self.execute(Ready { command, first: None }, &place);
        }
        let context = Context { stdin: &stdin, streams: &self.streams };
        let inners = inner::inner(&words, &context, &mut self.marks);
        let Some(name) = name.as_deref() else {
            // In a text that `eval` runs, this may be an assignment.
            if let Some((name, _)) = word.text().split_once('=') {
                self.forget_like(name);
            }
            // An unknown command may change anything.
            for inner in inners {
                self.run(inner, &run, (place, &settings));
            }
            return None;
        };
        if inners.is_empty() {
            self.env.dead |= name == "exit" && self.leaves(&run);
            let printed = self.printed(&run, &stdin);
            self.spend(printed.as_ref().map_or(0, String::len));
            return printed;
        }
        let is_one = inners.len() == 1;
        let is_through = inner::passes_output(name);
        let mut printed = None;
        for inner in inners {
            printed = self.run(inner, &run, (place, &settings));
        }
        printed.filter(|_| is_one && is_through)
    }

    /// Makes a command the parent of those of these commands that come from substitutions.
    pub(super) fn adopt(&mut self, children: Range<usize>, index: usize) {
        let children = self.script.commands.get_mut(children).unwrap_or_default();
        for child in children.iter_mut().filter(|child| child.parent == Some(PENDING)) {
            child.parent = Some(index);
        }
    }

    /// Runs the command or script that a command runs.
    fn run(&mut self, inner: Inner, run: &Run<'_>, (place, settings): (&Place, &[Assignment])) -> Output {
        let name: Rc<str> = run.name.into();
        let mut place = Place {
            parent: Some(run.index),
            via: Some(name.clone()),
            run_by: Some(name.clone()),
            steps: place.steps + 1,
            ..place.clone()
        };
        if inner::gives_input(run.name) {
            place.stdin = crate::shell::command::Stdin::Pipe;
        }
        match inner {
            Inner::Unknown(what) => {
                self.fail(Unknown::script(&quote(run.words), what));
                None
            }
            Inner::Command { words, settings: more, cwd, clean, elsewhere } => {
                let is_same = matches!(&*name, "command" | "builtin" | "exec" | "noglob" | "nocorrect" | "time");
                let before = (!is_same).then(|| self.env.clone());
                if !is_same {
                    self.enter(run, clean, elsewhere);
                }
                if matches!(&*name, "xargs" | "parallel" | "find" | "fd") {
                    place.stdin = crate::shell::command::Stdin::Inherited;
                }
                let mut assignments = settings.to_vec();
                for word in &more {
                    if let Some((name, value)) = word.text().split_once('=') {
                        self.assign(name, vec![value.to_owned()]);
                        self.env.export(name);
                    }
                    assignments.extend(Assignment::of_word(word));
                }
                for set in more.iter().filter_map(Assignment::of_word) {
                    self.setting(&set.name, set.value.text(), run.index, &place);
                }
                if let Some(cwd) = cwd {
                    self.env.cwd = self.entered(cwd.text());
                }
                let text = words.iter().map(Word::raw).collect::<Vec<_>>().join(" ");
                // These run the program or builtin, even if a function has its name.
                let hidden = words.first().filter(|_| matches!(&*name, "command" | "builtin" | "exec"));
                let hidden = hidden.map(|word| word.text().to_owned());
                let hidden = hidden.filter(|name| self.env.functions.contains_key(name));
                let own = hidden.as_ref().and_then(|name| Rc::make_mut(&mut self.env.functions).remove(name));
                let command = SimpleCommand { words, assignments, ..self.blank(&place, &text) };
                let printed = self.execute(Ready { command, first: None }, &place);
                if let (Some(name), Some(own)) = (hidden, own) {
                    Rc::make_mut(&mut self.env.functions).entry(name).or_insert(own);
                }
                if let Some(before) = before {
                    self.env = before;
                }
                printed
            }
            Inner::Script(script) => {
                if let Some(via) = script.via {
                    place.via = Some(via.into());
                }
                let before = self.env.clone();
                self.enter(run, script.clean, script.elsewhere);
                self.env.arguments = Some(script.arguments.into());
                self.env.zero = script.zero.map(Into::into);
                if let Some(cwd) = script.cwd {
                    self.env.cwd = self.entered(cwd.text());
                }
                if script.consumes_stdin {
                    place.stdin = crate::shell::command::Stdin::Inherited;
                    place.reads = Rc::default();
                }
                let printed = self.script(&script.text, &place, false);
                self.env = before;
                printed
            }
        }
    }

    /// Turns the environment into that of a program that this command runs.
    fn enter(&mut self, run: &Run<'_>, clean: bool, elsewhere: bool) {
        self.spend(ENTRY * self.env.vars.len());
        self.env = if elsewhere { Env::elsewhere() } else { self.env.child(clean, &mut self.ids) };
        self.env.homeless |= inner::changes_user(run.name);
        if inner::changes_directory(run.name, run.arguments()) {
            self.env.cwd = Cwd::Unknown;
        }
    }

    /// Returns the working directory after `cd path`.
    pub(super) fn entered(&mut self, path: &str) -> Cwd {
        if path.is_empty() {
            return self.env.cwd.clone();
        }
        // A wildcard stands for names in the directory.
        let first = path.chars().next().and_then(kind);
        let is_rooted = path.starts_with('/') || matches!(first, Some(Kind::Unknown | Kind::Home));
        let whole = if is_rooted {
            path.to_owned()
        } else {
            match &self.env.cwd {
                Cwd::At(before) => format!("{before}/{path}"),
                Cwd::Initial => match &self.initial {
                    Some(initial) if !self.env.foreign => format!("{initial}/{path}"),
                    _ => path.to_owned(),
                },
                Cwd::Unknown => return Cwd::Unknown,
            }
        };
        let whole = normalized(&whole);
        // This is the initial directory again, as if the shell had never left it.
        if self.initial.as_ref() == Some(&whole) && !self.env.foreign {
            return Cwd::Initial;
        }
        Cwd::At(whole.into())
    }
}

/// Returns a path without `.`, `..` and double slashes, as `cd` resolves them.
fn normalized(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => match names.last() {
                // The parent of an unknown directory is not known, nor what is above the start of a relative path.
                Some(&last) if last != ".." && !has_unknown(last) && !has_mark(last) => drop(names.pop()),
                None if path.starts_with('/') => {}
                _ => names.push(name),
            },
            name => names.push(name),
        }
    }
    let joined = names.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}
