//! Builtins that change the state of the shell.

use super::call::Run;
use super::{Output, Place, Shell};
use crate::shell::Unknown;
use crate::shell::command::{Stdin, quote};
use crate::shell::env::Cwd;
use crate::shell::marks::{Kind, has_mark, kind};
use crate::shell::word::Word;
use std::rc::Rc;

impl Shell {
    /// Runs a builtin that changes the shell or runs a text in it. Returns `None` if the command is not such a builtin.
    pub(super) fn builtin(&mut self, run: &Run<'_>, place: &Place) -> Option<Output> {
        let silent = Some(Some(String::new()));
        self.indices(run, place);
        match run.name {
            "eval" => return Some(self.eval(run, place)),
            "source" | "." => return Some(self.source(run, place)),
            "trap" => self.trap(run, place),
            "alias" => self.alias(run, place),
            "unalias" => self.unalias(run.arguments()),
            "hash" => self.hash(run.arguments()),
            "cd" | "chdir" | "pushd" | "popd" => self.change_directory(run),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(run, place),
            "unset" => self.unset(run.arguments()),
            "mapfile" | "readarray" if run.arguments().iter().any(|word| word.text().starts_with("-C")) => {
                self.fail(Unknown::script(&quote(run.words), "a command for each line"));
                self.read(run, place);
            }
            "read" | "mapfile" | "readarray" | "getopts" => self.read(run, place),
            // Any later command may read what `exec` opens.
            "exec" if run.arguments().is_empty() => {
                if !matches!(place.stdin, Stdin::Inherited) {
                    self.fail(Unknown::script("a command", "what `exec` opens as its input"));
                }
            }
            // What they leave may end in this state.
            "return" | "break" | "continue" => {
                self.jump(run);
                return None;
            }
            "fc" => self.fail(Unknown::script(&quote(run.words), "commands that ran before")),
            // The builtin then comes from a file, or a program runs instead of it.
            "enable" if run.arguments().iter().any(|word| replaces_builtin(word.text())) => {
                self.fail(Unknown::script(&quote(run.words), "another command in place of a builtin"));
            }
            "disable" if !run.arguments().is_empty() => {
                self.fail(Unknown::script(&quote(run.words), "another command in place of a builtin"));
            }
            "wait" => {
                self.wait(run.arguments());
                return None;
            }
            // `cd` may then read a directory from a variable, so it can go anywhere, as with a search path.
            "shopt" if run.arguments().iter().any(|word| word.text() == "cdable_vars") => {
                let unknown = self.marks.unknown("$CDPATH");
                self.assign("CDPATH", vec![unknown]);
                return None;
            }
            "printf" => return self.print_to_variable(run).then_some(Some(String::new())),
            "set" => self.set_arguments(run.arguments()),
            "shift" => {
                let count = run.arguments().first().map_or(Some(1), |word| word.text().parse::<usize>().ok());
                self.env.arguments = match (&self.env.arguments, count) {
                    // More than there are shifts nothing.
                    (Some(list), Some(count)) => Some(list.get(count..).map_or_else(|| list.clone(), Into::into)),
                    _ => None,
                };
            }
            "let" => {
                for word in run.arguments() {
                    let text = word.text().to_owned();
                    self.computed(&text, place);
                }
            }
            _ => return None,
        }
        silent
    }

    /// Walks through list indices, which the shell evaluates when a builtin gets their text, quoted or not.
    fn indices(&mut self, run: &Run<'_>, place: &Place) {
        let arguments = run.arguments();
        let behind = |option: &str| {
            let at = arguments.iter().position(|word| word.text() == option);
            at.and_then(|at| arguments.get(at + 1)).map(|word| word.text().to_owned())
        };
        let names: Vec<String> = match run.name {
            "test" | "[" => behind("-v").into_iter().collect(),
            "printf" | "wait" => {
                let attached = arguments.iter().filter_map(|word| word.text().strip_prefix("-v").map(str::to_owned));
                behind("-v").into_iter().chain(behind("-p")).chain(attached).collect()
            }
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "export" | "declare" | "typeset" | "local"
            | "readonly" => arguments.iter().map(|word| word.text().to_owned()).collect(),
            _ => return,
        };
        for name in names {
            self.index(&name, &run.inside(place));
        }
    }

    /// Walks through the index in `name[index]`.
    pub(super) fn index(&mut self, text: &str, place: &Place) {
        let Some((name, index)) = text.split_once('[').filter(|_| text.contains(['$', '`'])) else {
            return;
        };
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.computed(index, place);
        }
    }

    /// Runs `wait`, which sets or unsets the variable after `-p`.
    fn wait(&mut self, arguments: &[Word]) {
        for (at, word) in arguments.iter().enumerate().filter(|(_, word)| word.text().starts_with('-')) {
            let name = match word.text().split_once('p') {
                Some((_, "")) => arguments.get(at + 1).map(Word::text),
                other => other.map(|(_, name)| name),
            };
            if let Some(name) = name {
                let unknown = self.marks.unknown(&format!("${name}"));
                self.assign(name, vec![unknown]);
            }
        }
    }

    fn hash(&mut self, arguments: &[Word]) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if word.text() == "-p"
                && let (Some(path), Some(name)) = (words.next(), words.next())
            {
                let path = path.text().to_owned();
                Rc::make_mut(&mut self.env.paths).insert(name.text().to_owned(), path);
            }
        }
    }

    fn unalias(&mut self, arguments: &[Word]) {
        let aliases = Rc::make_mut(&mut self.env.aliases);
        for word in arguments {
            match word.text() {
                "-a" => aliases.clear(),
                name => drop(aliases.remove(name)),
            }
        }
    }

    fn unset(&mut self, arguments: &[Word]) {
        let only_functions = arguments.iter().any(|word| word.text() == "-f");
        for name in arguments.iter().map(Word::text).filter(|text| !text.starts_with('-')) {
            Rc::make_mut(&mut self.env.functions).remove(name);
            // An unquoted index is a wildcard.
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            match end.filter(|end| *end > 0).and_then(|end| name.get(..end)) {
                _ if only_functions => {}
                // The rest of the list is left.
                Some(list) => {
                    let unknown = self.marks.unknown(&format!("${list}"));
                    self.assign(list, vec![unknown]);
                }
                // Without it, words are split at blanks and line breaks.
                None if name == "IFS" => self.assign(name, vec![" \t\n".to_owned()]),
                // The variable that a caller's local variable hides may become visible again.
                None if !self.calls.is_empty() => {
                    let unknown = self.marks.unknown(&format!("${name}"));
                    self.assign(name, vec![String::new(), unknown]);
                }
                // The variable may come from the environment.
                None => self.assign(name, vec![String::new()]),
            }
        }
    }

    fn change_directory(&mut self, run: &Run<'_>) {
        // With `-n` or the number of an entry, the stack changes in ways that are not followed.
        let is_odd = |word: &Word| word.text().len() > 1 && word.text() != "--" && word.text().starts_with(['+', '-']);
        if matches!(run.name, "pushd" | "popd") && run.arguments().iter().any(is_odd) {
            self.env.stack = Rc::default();
            return self.set_directory(Cwd::Unknown);
        }
        let is_option = |word: &&Word| matches!(word.text(), "-P" | "-L" | "-e" | "-@" | "-n" | "-q" | "--");
        let mut operands = run.arguments().iter().filter(|word| !is_option(word)).map(|word| word.text().to_owned());
        let operand = operands.next();
        // Some shells refuse a second directory and stay, others replace a part of the path.
        if operands.next().is_some() {
            return self.set_directory(Cwd::Unknown);
        }
        let before = self.env.cwd.clone();
        let search_path = self.env.get("CDPATH");
        let has_search_path = search_path.is_some_and(|path| path.values.iter().any(|value| !value.is_empty()));
        let after = match (run.name, operand.as_deref()) {
            ("popd", _) => Rc::make_mut(&mut self.env.stack).pop().unwrap_or(Cwd::Unknown),
            ("pushd", None) => Cwd::Unknown,
            ("pushd", Some(path)) if path.starts_with(['+', '-']) => Cwd::Unknown,
            (_, Some("-")) if self.env.get("OLDPWD").is_some() => Cwd::Unknown,
            (_, Some("-")) => self.env.previous.clone().unwrap_or(Cwd::Unknown),
            (_, None) => {
                let home = self.variable("HOME");
                self.entered(&home)
            }
            (_, Some(path)) if has_search_path && !path.starts_with(['/', '.']) => Cwd::Unknown,
            (_, Some(path)) => self.entered(path),
        };
        if run.name == "pushd" {
            let stack = Rc::make_mut(&mut self.env.stack);
            // What is popped from an empty stack is unknown. Without an operand, two entries change places.
            if stack.len() >= 32 || operand.is_none() {
                stack.clear();
            }
            stack.push(before.clone());
        }
        self.set_directory(after);
    }

    fn set_directory(&mut self, dir: Cwd) {
        self.env.previous = Some(std::mem::replace(&mut self.env.cwd, dir));
        // The shell sets both, unless there is no such directory.
        for name in ["PWD", "OLDPWD"] {
            if let Some(mut values) = self.env.get(name).map(|variable| variable.values.to_vec()) {
                values.push(self.marks.unknown(&format!("${name}")));
                self.assign(name, values);
            }
        }
    }

    fn declare(&mut self, run: &Run<'_>, place: &Place) {
        let options = run.arguments().iter().filter(|word| word.text().starts_with('-'));
        let is_global = options.clone().any(|word| word.text().contains('g'));
        let is_local =
            run.name == "local" || (!matches!(run.name, "export" | "readonly") && !is_global && !self.calls.is_empty());
        let exports = run.name == "export" || options.clone().any(|word| word.text().contains('x'));
        // With `-n`, the name refers to another variable, and `-i`, `-l` and `-u` change the value.
        let is_plain = !options.clone().any(|word| word.text().contains(['n', 'i', 'l', 'u', 'c']));
        let is_list = options.clone().any(|word| word.text().contains('a'));
        let is_map = options.clone().any(|word| word.text().contains('A'));
        let is_final = run.name == "readonly" || options.clone().any(|word| word.text().contains('r'));
        // These print variables, or are about functions.
        let shows = options.clone().any(|word| word.text().contains(['f', 'F', 'p']));
        for word in run.arguments().iter().filter(|word| !word.text().starts_with('-')) {
            let (name, value) = match word.text().split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (word.text().to_owned(), None),
            };
            let (name, adds) = match name.strip_suffix('+') {
                Some(name) => (name.to_owned(), true),
                None => (name, false),
            };
            if !shows {
                self.forget_like(&name);
            }
            if is_local && !self.calls.is_empty() {
                let before = self.env.get(&name).cloned();
                self.locals.push((name.clone(), before));
            }
            if let Some(value) = &value
                && exports
            {
                self.setting(&name, value, run.index, place);
            }
            // The order of such a list is not that of its numbers.
            if is_map {
                self.refer(&name);
            }
            if !is_plain && !matches!(run.name, "export" | "readonly") {
                let refers = options.clone().any(|word| word.text().contains('n'));
                self.transform(&name, value.as_deref(), refers, &run.inside(place));
            }
            // With `-a`, quotes around the list make no difference.
            let plain = word.raw().split_once("=(").and_then(|(_, inside)| inside.strip_suffix(')'));
            let quoted =
                value.as_deref().filter(|_| is_list).and_then(|value| value.strip_prefix('(')?.strip_suffix(')'));
            let list = plain.or(quoted).map(str::to_owned);
            match (list, value) {
                (Some(inside), _) => match self.elements(&inside, place) {
                    Some(list) if !adds && is_plain => self.assign_list(&name, list),
                    _ => {
                        let unknown = self.marks.unknown(&format!("${name}"));
                        self.assign(&name, vec![unknown]);
                    }
                },
                (None, Some(value)) if is_plain && !adds && !name.contains('[') => self.assign(&name, vec![value]),
                (None, Some(_)) => {
                    let name = name.split('[').next().unwrap_or_default().to_owned();
                    let unknown = self.marks.unknown(&format!("${name}"));
                    self.assign(&name, vec![unknown]);
                }
                (None, None) if is_local && !self.calls.is_empty() => self.assign(&name, vec![String::new()]),
                (None, None) => {}
            }
            if exports {
                self.env.export(&name);
            }
            if is_final {
                self.readonly.insert(name);
            }
        }
    }

    /// Remembers that a variable changes what it is set to, as after `declare -i`. If it refers to another variable,
    /// whose name is the value, both change together.
    fn transform(&mut self, name: &str, value: Option<&str>, refers: bool, place: &Place) {
        self.transformed.insert(name.to_owned());
        match value {
            Some(other) if refers => self.refer(other),
            // With `-i`, the value is evaluated, and so are list indices in it.
            Some(value) => self.computed(value, place),
            // The current value is the name of the other variable.
            None if refers => {
                let others = self.env.get(name).map(|variable| variable.values.to_vec()).unwrap_or_default();
                others.iter().for_each(|other| self.refer(other));
                self.refer(name);
            }
            None => {}
        }
    }

    /// Forgets a variable that may from now on be set in another way, such as by a second name.
    pub(super) fn refer(&mut self, name: &str) {
        self.transformed.insert(name.to_owned());
        if self.env.get(name).is_some() {
            let unknown = self.marks.unknown(&format!("${name}"));
            self.assign(name, vec![unknown]);
        }
    }

    /// Forgets the variables that a name with an unknown part may mean, as in `export $(cat .env)`.
    pub(super) fn forget_like(&mut self, name: &str) {
        let is_unknown = |c| kind(c) == Some(Kind::Unknown);
        let Some((begin, _)) = name.split_once(is_unknown) else {
            return;
        };
        if begin.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            for name in self.env.names().into_iter().filter(|name| name.starts_with(begin)) {
                let unknown = self.marks.unknown(&format!("${name}"));
                self.assign(&name, vec![unknown]);
            }
        }
    }

    /// Runs `printf -v`. Returns whether the command is one.
    fn print_to_variable(&mut self, run: &Run<'_>) -> bool {
        let Some((option, rest)) = run.arguments().split_first() else {
            return false;
        };
        let (name, rest) = match option.text().strip_prefix("-v") {
            Some("") => match rest.split_first() {
                Some((name, rest)) => (name.text().to_owned(), rest),
                None => return false,
            },
            Some(name) => (name.to_owned(), rest),
            None => return false,
        };
        self.forget_like(&name);
        let value = super::output::formatted(rest).unwrap_or_else(|| self.marks.unknown(&format!("${name}")));
        self.assign(&name, vec![value]);
        true
    }

    fn set_arguments(&mut self, arguments: &[Word]) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.text() {
                "--" => break,
                // A dash ends the options.
                "-" if words.len() == 0 => return,
                "-" => {
                    self.env.arguments = Some(words.map(|word| word.text().to_owned()).collect());
                    return;
                }
                // The name of an option follows an `o`, as in `-euo pipefail`.
                text if text.starts_with(['-', '+']) && text.len() > 1 => {
                    text.chars().filter(|c| *c == 'o').for_each(|_| _ = words.next());
                }
                _ => {
                    let list = std::iter::once(word).chain(words).map(|word| word.text().to_owned());
                    self.env.arguments = Some(list.collect());
                    return;
                }
            }
        }
        let has_end = arguments.iter().any(|word| word.text() == "--");
        if has_end {
            self.env.arguments = Some(words.map(|word| word.text().to_owned()).collect());
        } else if arguments.iter().any(|word| has_mark(word.text())) {
            self.env.arguments = None;
        }
    }
}

/// Whether a word after `enable` may be an option that loads a builtin from a file, or switches one off.
fn replaces_builtin(text: &str) -> bool {
    has_mark(text) || text.starts_with('-') && text.contains(['f', 'n'])
}
