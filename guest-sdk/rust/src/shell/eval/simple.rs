//! Simple commands: their words, assignments and redirections, once for each choice of values.

use super::execute::Ready;
use super::walk::value;
use super::{Output, Place, Shell};
use crate::shell::command::{Assignment, SimpleCommand};
use crate::shell::env::{self, Env};
use crate::shell::marks::{self, has_unknown};
use crate::shell::syntax::Problem;
use crate::shell::word::Word;
use rable::{Node, NodeKind};
use std::rc::Rc;

impl Shell {
    /// Walks through a simple command. Returns what it prints.
    pub(super) fn simple(&mut self, node: &Node, place: &Place) -> Output {
        let alias = self.unaliased(node);
        let first = self.script.commands.len();
        let was_dead = self.env.dead;
        let printed = self.each_choice(|shell| shell.variant(node, place));
        if let Some(alias) = alias {
            // Many shells do not expand aliases in scripts.
            let without = self.env.clone();
            self.env.dead = was_dead;
            self.aliased(&alias, first, place);
            let with = self.env.clone();
            self.env = self.join(&without, &with);
            return None;
        }
        printed
    }

    /// Walks through a command once for each choice of the values that its own words use. Returns its output.
    pub(super) fn each_choice(&mut self, walk: impl Fn(&mut Self) -> Output) -> Output {
        let before = self.env.clone();
        let choices = self.choices.enter();
        let mut printed = walk(self);
        let mut end: Option<Env> = None;
        while self.choices.has_own() && self.choices.advance() && !self.stopped {
            let after = std::mem::replace(&mut self.env, before.clone());
            end = Some(match end {
                Some(end) => self.join(&end, &after),
                None => after,
            });
            walk(self);
            printed = None;
        }
        if let Some(end) = end {
            let after = self.env.clone();
            self.env = self.join(&end, &after);
        }
        self.choices.leave(choices);
        printed
    }

    /// Walks through a simple command with one choice of values.
    fn variant(&mut self, node: &Node, place: &Place) -> Output {
        let NodeKind::Command { assignments, words, redirects } = &node.kind else {
            return None;
        };
        let first = self.script.commands.len();
        // After `coproc`, the parser mistakes an assignment for the command word.
        let count = words.iter().take_while(|node| is_assignment(node)).count();
        let (more, words) = words.split_at_checked(count).unwrap_or((&[], words));
        let text = self.source.as_ref().map(|source| source.text_of(node).to_owned()).unwrap_or_default();
        let declares = words.first().and_then(value).is_some_and(is_declaration);
        let mut argv = Vec::new();
        for node in words {
            self.argument(node, place, declares, &mut argv);
        }
        let has_words = !argv.is_empty();
        // The files of a command are opened before its own variables are set.
        let opened = has_words.then(|| self.redirected(redirects, place));
        let before = self.env.clone();
        let mut sets = Vec::new();
        for raw in assignments.iter().chain(more).filter_map(value) {
            // Each assignment sees the ones before it.
            if let Some(set) = self.set(raw, place) {
                self.apply(&set);
                if has_words {
                    self.env.export(&set.name);
                }
                sets.push(set);
            }
        }
        let (place, files) = opened.unwrap_or_else(|| self.redirected(redirects, place));
        let listed =
            sets.iter().map(|set| Assignment { name: set.name.clone(), value: Word::new(&set.raw, set.shown.clone()) });
        let command =
            SimpleCommand { words: argv, assignments: listed.collect(), redirects: files, ..self.blank(&place, &text) };
        let printed = if command.words.is_empty() && command.assignments.is_empty() && command.redirects.is_empty() {
            Some(String::new())
        } else {
            self.execute(Ready { command, first: Some(first) }, &place)
        };
        if has_words {
            for set in sets {
                self.env.restore(&set.name, before.get(&set.name).cloned());
            }
        }
        let is_redirected = redirects.iter().any(writes_stdout);
        printed.filter(|_| !is_redirected)
    }

    /// Adds the words that one raw word of the command becomes. With `declares`, an assignment among them is not split.
    fn argument(&mut self, node: &Node, place: &Place, declares: bool, argv: &mut Vec<Word>) {
        let Some(raw) = value(node) else {
            return self.problem(Problem::Syntax);
        };
        // Braces still make several assignments of one, and lists are read on their own.
        let is_whole = declares && is_assignment(node) && !raw.contains("=(") && !raw.replace("${", "").contains('{');
        let texts = if is_whole { vec![self.assignment(raw, place)] } else { self.words(raw, place) };
        let source = self.source.as_ref().and_then(|source| source.range(node, raw));
        // The words of an expansion share one position.
        let source = source.filter(|_| texts.len() == 1);
        // `declare x=(a b)` is one word to the parser.
        argv.extend(texts.into_iter().map(|text| Word::new(raw, text).with_span(source.clone())));
    }

    /// Creates a command without words, with the fields that its place determines.
    pub(in crate::shell) fn blank(&mut self, place: &Place, text: &str) -> SimpleCommand {
        let cwd = match &self.env.cwd {
            crate::shell::env::Cwd::Initial => None,
            cwd => {
                let cwd = cwd.clone();
                let text = self.directory(&cwd, "the working directory");
                Some(Word::new("", text))
            }
        };
        SimpleCommand {
            stdin: place.stdin.clone(),
            function: place.function.clone(),
            is_piped: place.piped,
            is_background: place.background,
            run_by: place.run_by.clone(),
            is_in_patchy_script: place.patchy,
            parent: place.parent,
            via: place.via.clone(),
            reads_from: place.reads.clone(),
            cwd,
            text: crate::shell::word::shortened(text, 200).into(),
            ..SimpleCommand::default()
        }
    }

    /// Reads `name=value`, `name+=value`, `name[index]=value` or `name=(…)`.
    fn set(&mut self, whole: &str, place: &Place) -> Option<Set> {
        // An index may contain `=`.
        let (left, right) = match whole.split_once("]=") {
            Some((left, right)) if left.contains('[') && !left.split('[').next().unwrap_or_default().contains('=') => {
                (left, right)
            }
            _ => whole.split_once('=')?,
        };
        let (left, adds) = match left.strip_suffix('+') {
            Some(left) => (left, true),
            None => (left, false),
        };
        let raw = right;
        let (name, index) = match left.split_once('[') {
            Some((name, index)) => (name, Some(index.trim_end_matches(']'))),
            None => (left, None),
        };
        if let Some(index) = index {
            self.computed(index, place);
        }
        if let Some(inside) = right.strip_prefix('(').and_then(|right| right.strip_suffix(')')) {
            let list = self.elements(inside, place);
            let before = self.env.get(name).and_then(|variable| variable.list.clone());
            let list = match (list, adds, before) {
                (Some(list), false, _) => Some(list),
                (Some(list), true, Some(before)) => Some(before.iter().cloned().chain(list).collect()),
                (Some(list), true, None) if self.env.get(name).is_none() => Some(list),
                _ => None,
            };
            let shown = self.marks.unknown(raw);
            let value = if list.is_some() { SetTo::List(list.unwrap_or_default()) } else { SetTo::Text(shown.clone()) };
            return Some(Set { name: name.to_owned(), raw: raw.to_owned(), shown, value });
        }
        let text = self.one(right, place);
        if matches!(name, "BASH_ALIASES" | "BASH_CMDS") && index.is_some() {
            self.fail(super::Unknown::script(whole, "something else under the name of a command"));
        }
        if let Some(list) = index.filter(|_| !adds).and_then(|index| self.with_element(name, index, &text)) {
            let shown = self.marks.unknown(raw);
            return Some(Set { name: name.to_owned(), raw: raw.to_owned(), shown, value: SetTo::List(list) });
        }
        let (shown, text) = match (index, adds) {
            (Some(_), _) => {
                let unknown = self.marks.unknown(raw);
                (unknown.clone(), unknown)
            }
            (None, true) => {
                let unknown = self.marks.unknown(raw);
                match self.env.get(name) {
                    Some(_) => (unknown, self.variable(name) + &text),
                    None => (unknown.clone(), unknown),
                }
            }
            (None, false) => (text.clone(), text),
        };
        Some(Set { name: name.to_owned(), raw: raw.to_owned(), shown, value: SetTo::Text(text) })
    }

    /// Returns the elements of a list after `name[index]=text`, if all are known.
    fn with_element(&self, name: &str, index: &str, text: &str) -> Option<Vec<String>> {
        let at = env::index(index)?;
        let mut list = match self.env.get(name) {
            Some(variable) => variable.list.as_deref()?.to_vec(),
            None => Vec::new(),
        };
        if at == list.len() {
            list.push(text.to_owned());
        } else {
            *list.get_mut(at)? = text.to_owned();
        }
        Some(list)
    }

    /// Returns the elements of `(a b)`, or `None` if they are not known one by one.
    pub(super) fn elements(&mut self, inside: &str, place: &Place) -> Option<Vec<String>> {
        if !self.spend(crate::shell::syntax::cost(inside)) {
            return None;
        }
        let text = format!(": {}", inside.replace('\n', " "));
        let nodes = crate::shell::syntax::parse(&text).ok();
        let Some(Node { kind: NodeKind::Command { words, redirects, .. }, .. }) =
            nodes.as_deref().and_then(<[_]>::first)
        else {
            self.problem(Problem::Syntax);
            return None;
        };
        let mut list = Vec::new();
        let mut is_plain = redirects.is_empty() && nodes.as_ref().is_some_and(|nodes| nodes.len() == 1);
        for raw in words.iter().skip(1).filter_map(value) {
            is_plain &= !raw.starts_with('[');
            list.extend(self.words(raw, place));
        }
        is_plain.then_some(list)
    }

    fn apply(&mut self, set: &Set) {
        match &set.value {
            SetTo::Text(text) => self.assign(&set.name, vec![text.clone()]),
            SetTo::List(list) => self.assign_list(&set.name, list.clone()),
        }
    }

    /// Returns the script that an alias turns a command into.
    fn unaliased(&mut self, node: &Node) -> Option<Alias> {
        let NodeKind::Command { words, .. } = &node.kind else {
            return None;
        };
        if self.env.aliases.is_empty() {
            return None;
        }
        let raws: Vec<&str> = words.iter().filter_map(value).collect();
        let (name, rest) = raws.split_first()?;
        let mut script = self.env.aliases.get(*name)?.clone();
        let mut rest = rest.iter().copied();
        // After an alias that ends in a blank, the next word may be an alias, too.
        while script.ends_with([' ', '\t'])
            && let Some(word) = rest.next()
        {
            script.push_str(self.env.aliases.get(word).map_or(word, String::as_str));
        }
        rest.for_each(|word| {
            script.push(' ');
            script.push_str(word);
        });
        Some(Alias { name: (*name).to_owned(), script })
    }

    /// Walks through the script that an alias turns a command into. The command is listed from `first` on.
    fn aliased(&mut self, Alias { name, script }: &Alias, first: usize, place: &Place) {
        // The name itself is not expanded again.
        let own = Rc::make_mut(&mut self.env.aliases).remove(name);
        let listed = self.script.commands.get(first..).unwrap_or_default();
        let parent = listed.iter().position(|command| command.parent == place.parent).map(|at| first + at);
        let place = Place { via: Some("alias".into()), parent, ..place.clone() };
        if has_unknown(script) && script.chars().next().is_some_and(|c| marks::kind(c).is_some()) {
            self.fail(super::Unknown::script("an alias", "a text that is not known yet"));
        }
        self.script(script, &place, true);
        if let Some(own) = own {
            Rc::make_mut(&mut self.env.aliases).entry(name.clone()).or_insert(own);
        }
    }
}

/// A command whose name is an alias.
struct Alias {
    name: String,
    /// The script that runs in place of the command.
    script: String,
}

/// An assignment before a command.
struct Set {
    name: String,
    raw: String,
    /// The value as listed.
    shown: String,
    value: SetTo,
}

enum SetTo {
    Text(String),
    List(Vec<String>),
}

fn is_assignment(node: &Node) -> bool {
    let Some(raw) = value(node) else {
        return false;
    };
    let end = raw.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(raw.len());
    let rest = raw.get(end..).unwrap_or_default();
    // The parser knows `name[index]=value` only with a plain index.
    let is_element = || rest.starts_with('[') && (rest.contains("]=") || rest.contains("]+="));
    end > 0 && (rest.starts_with('=') || rest.starts_with("+=") || is_element())
}

/// Whether a command takes assignments as its arguments.
fn is_declaration(name: &str) -> bool {
    matches!(name, "export" | "declare" | "typeset" | "local" | "readonly")
}

/// Whether a redirection diverts the command's output.
fn writes_stdout(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Redirect { op, fd, .. } if op.contains('>') && (*fd == 1 || *fd < 0 || op.contains('&')) )
}
