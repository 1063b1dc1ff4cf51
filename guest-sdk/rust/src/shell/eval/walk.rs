//! Walks over the syntax tree, down to each simple command.

use super::{ENTRY, Output, Place, Shell, add_output};
use crate::shell::command::Stdin;
use crate::shell::env::{Env, Function, Variable};
use crate::shell::syntax::Problem;
use rable::{ListItem, ListOperator, Node, NodeKind};
use std::rc::Rc;

impl Place {
    /// Returns the context of a script whose output becomes part of a command.
    pub(in crate::shell) fn substitution(&self, stdin: Stdin, via: &'static str) -> Self {
        Place {
            stdin,
            via: Some(if self.heredoc { "heredoc" } else { via }.into()),
            heredoc: false,
            parent: Some(super::execute::PENDING),
            run_by: None,
            reads: Rc::default(),
            piped: false,
            background: false,
            ..self.clone()
        }
    }
}

impl Shell {
    /// Walks through a command of any kind. Returns what it prints.
    pub(super) fn node(&mut self, node: &Node, place: &Place) -> Output {
        if self.stopped || self.depth >= super::MAX_DEPTH {
            if !self.stopped {
                self.problem(Problem::Nesting);
            }
            return None;
        }
        self.spend(0);
        self.depth += 1;
        let printed = match &node.kind {
            NodeKind::Command { .. } => self.simple(node, place),
            NodeKind::Pipeline { commands, .. } => self.pipeline(commands, place),
            NodeKind::List { items } => self.items(items, place),
            NodeKind::Function { name, body } => {
                self.define(name, body, place.patchy);
                Some(String::new())
            }
            NodeKind::Negation { pipeline: inner } | NodeKind::Time { pipeline: inner, .. } => self.node(inner, place),
            NodeKind::Coproc { command: inner, .. } => {
                let before = self.env.clone();
                let place = Place { stdin: Stdin::Pipe, ..place.clone() };
                self.outside_loops(|shell| shell.node(inner, &place));
                self.env = before;
                None
            }
            // The parser adds its own redirection for `|&`.
            NodeKind::Empty | NodeKind::Comment { .. } | NodeKind::Redirect { .. } => Some(String::new()),
            _ => self.enclosed(node, place),
        };
        self.depth -= 1;
        printed
    }

    fn define(&mut self, name: &str, body: &Node, patchy: bool) {
        let size = body.span.end.saturating_sub(body.span.start);
        self.spend(ENTRY * size / 4 + ENTRY * self.env.functions.len());
        let id = self.defined.len();
        let function = Function { id, name: name.into(), body: body.clone(), source: self.source.clone(), patchy };
        let function = Rc::new(function);
        Rc::make_mut(&mut self.env.functions).insert(name.to_owned(), vec![function.clone()]);
        if self.env.doubtful.contains(name) {
            Rc::make_mut(&mut self.env.doubtful).remove(name);
        }
        self.defined.push(function);
    }

    /// Walks through a list. The parser nests each item in the one after it, so this descends without recursion.
    fn items(&mut self, items: &[ListItem], place: &Place) -> Output {
        let mut flat: Vec<(&Node, Option<ListOperator>, bool)> = Vec::new();
        let mut pending: Vec<(&ListItem, bool, Option<ListOperator>)> =
            items.iter().rev().map(|item| (item, false, item.operator)).collect();
        while let Some((item, background, operator)) = pending.pop() {
            let background = background || operator == Some(ListOperator::Background);
            match &item.command.kind {
                NodeKind::List { items } => {
                    // The operator after the inner list follows its last item.
                    for (at, inner) in items.iter().enumerate().rev() {
                        let is_last = at + 1 == items.len();
                        let own = if is_last { inner.operator.or(operator) } else { inner.operator };
                        pending.push((inner, background, own));
                    }
                }
                _ => flat.push((&item.command, operator, background)),
            }
        }
        self.sequence(&flat, place)
    }

    fn sequence(&mut self, items: &[(&Node, Option<ListOperator>, bool)], place: &Place) -> Output {
        let mut printed = Some(String::new());
        // The operator before an item, which may run only for one result of the previous command.
        let mut operator = None;
        // The state of the shell if a part of a chain of `&&` was not run.
        let mut skipped: Option<Env> = None;
        let mut last_succeeds = true;
        // The state before a `cd`. The command after this operator runs in it, because it runs if the `cd` fails.
        let mut unmoved: Option<(Env, ListOperator)> = None;
        // The state before a chain that is assumed to succeed, unless nothing in it can fail.
        let mut failed: Option<Env> = None;
        // The state after a chain of `&&` if all of it was run. After a `|| exit`, it is the only possible state.
        let mut whole: Option<Env> = None;
        for (node, next, background) in items {
            let place = Place { background: place.background || *background, ..place.clone() };
            let before = self.env.clone();
            if let Some((unmoved, _)) = unmoved.take().filter(|(_, fails)| operator == Some(*fails)) {
                self.env = unmoved;
            }
            let more = if *background {
                self.outside_loops(|shell| shell.node(node, &place))
            } else {
                self.node(node, &place)
            };
            let leaves = self.env.dead && !before.dead;
            let passed = whole.take();
            // After a chain, an earlier command may have failed.
            if operator != Some(ListOperator::And)
                && let Some(is_reached) = self.reaches(node)
            {
                unmoved = Some((before.clone(), if is_reached { ListOperator::Or } else { ListOperator::And }));
            }
            match operator {
                Some(ListOperator::And) if last_succeeds => {
                    // What follows `cd X && exit` runs in the directory before the `cd`, which has failed.
                    skipped = failed.clone().filter(|_| leaves);
                    add_output(&mut printed, more);
                }
                Some(ListOperator::And) => {
                    // A command after a further `&&` sees what this command sets, since it only runs after it.
                    skipped = Some(match skipped.take() {
                        Some(skipped) => self.join(&skipped, &before),
                        None => before.clone(),
                    });
                    add_output(&mut printed, more.filter(String::is_empty));
                }
                Some(ListOperator::Or) => {
                    let after = self.env.clone();
                    self.env = self.join(passed.filter(|_| leaves).as_ref().unwrap_or(&before), &after);
                    add_output(&mut printed, more.filter(String::is_empty));
                }
                _ => add_output(&mut printed, more),
            }
            let ends = *background || !matches!(next, Some(ListOperator::And));
            if let Some(skipped) = skipped.take_if(|_| ends) {
                let after = self.env.clone();
                self.env = self.join(&skipped, &after);
                whole = Some(after);
            }
            if ends
                && operator == Some(ListOperator::And)
                && let Some(former) = failed.as_ref().and_then(|failed| former(failed, &self.env))
            {
                let after = self.env.clone();
                self.env = self.join(&former, &after);
                whole = whole.or(Some(after));
            }
            if !matches!(operator, Some(ListOperator::And | ListOperator::Or)) {
                failed = None;
            }
            if failed.is_none() && !self.is_certain(node) {
                failed = Some(before.clone());
            }
            last_succeeds = match operator {
                Some(ListOperator::Or) => last_succeeds,
                Some(ListOperator::And) => last_succeeds && self.succeeds(node),
                _ => self.succeeds(node),
            };
            if *background {
                // A background command has its own environment, unless the parser only means the last item of a list.
                let after = self.env.clone();
                self.env = self.join(&before, &after);
            }
            operator = *next;
        }
        printed
    }

    /// Whether a command can be assumed to succeed: an assignment, `cd` and the like. If such a command fails, it does
    /// not change the shell.
    fn succeeds(&self, node: &Node) -> bool {
        let NodeKind::Command { words, assignments, .. } = &node.kind else {
            return false;
        };
        match words.first().and_then(value) {
            // A substitution in an assignment may fail.
            None => {
                let may_fail = |raw: &str| raw.contains('`') || raw.replace("$((", "").contains("$(");
                !assignments.is_empty() && !assignments.iter().filter_map(value).any(may_fail)
            }
            Some(name) => {
                let known = [
                    "cd", "pushd", ":", "true", "export", "echo", "printf", "set", "readonly", "declare", "local",
                    "pwd",
                ];
                known.contains(&name) && !self.env.functions.contains_key(name)
            }
        }
    }

    /// Whether a command cannot fail, as `echo` in `echo "no such file" >&2 && exit 1`.
    fn is_certain(&self, node: &Node) -> bool {
        let NodeKind::Command { words, redirects, .. } = &node.kind else {
            return false;
        };
        if words.is_empty() && redirects.is_empty() {
            return self.succeeds(node);
        }
        let name = words.first().and_then(value);
        redirects.iter().all(is_open)
            && name.is_some_and(|name| matches!(name, ":" | "echo" | "true") && !self.env.functions.contains_key(name))
    }

    /// Whether a `cd` has changed the directory if this command succeeds (`true`) or if it fails (`false`). Returns
    /// `None` if the command is not a `cd`.
    pub(super) fn reaches(&self, node: &Node) -> Option<bool> {
        match &node.kind {
            NodeKind::Negation { pipeline: inner } => self.reaches(inner).map(|is_reached| !is_reached),
            NodeKind::List { items } => match items.as_slice() {
                [item] => self.reaches(&item.command),
                _ => None,
            },
            _ => self.moves(node).then_some(true),
        }
    }

    /// Whether a command only changes the directory, or fails.
    fn moves(&self, node: &Node) -> bool {
        let NodeKind::Command { words, .. } = &node.kind else {
            return false;
        };
        let name = words.first().and_then(value);
        name.is_some_and(|name| matches!(name, "cd" | "pushd" | "popd") && !self.env.functions.contains_key(name))
    }

    fn pipeline(&mut self, commands: &[Node], place: &Place) -> Output {
        let before = self.env.clone();
        let mut place = Place { piped: true, ..place.clone() };
        let mut printed = None;
        // The parser uses separate commands for the `&` of `|&`.
        let commands: Vec<&Node> =
            commands.iter().filter(|node| !matches!(node.kind, NodeKind::Redirect { .. })).collect();
        let last = commands.len().saturating_sub(1);
        for (at, command) in commands.into_iter().enumerate() {
            let first = self.script.commands.len();
            printed = self.outside_loops(|shell| shell.node(command, &place));
            place.stdin = match &printed {
                Some(text) => Stdin::Text(text.as_str().into()),
                None => Stdin::Pipe,
            };
            place.reads = (first..self.script.commands.len()).collect();
            // Each part is a subshell; in some shells, the last one is not.
            let after = self.env.clone();
            self.env = if at == last && !after.dead { self.join(&before, &after) } else { before.clone() };
        }
        printed
    }
}

/// Returns the state after a chain that is assumed to succeed, but with the old values of the variables that it
/// sets, as if it had failed. Returns `None` if it sets no variable that had another value before.
fn former(before: &Env, after: &Env) -> Option<Env> {
    let is_set = |(name, variable): &(&String, &Variable)| after.get(name).is_some_and(|now| now.id != variable.id);
    let mut former = before.vars.iter().filter(is_set).peekable();
    if after.dead || former.peek().is_none() {
        return None;
    }
    let mut vars = after.vars.clone();
    Rc::make_mut(&mut vars).extend(former.map(|(name, variable)| (name.clone(), variable.clone())));
    Some(Env { vars, ..after.clone() })
}

/// Whether a redirection cannot fail.
pub(super) fn is_open(redirect: &Node) -> bool {
    match &redirect.kind {
        NodeKind::Redirect { op, target, .. } => match value(target) {
            Some("1" | "2") => op == ">&",
            target => target == Some("/dev/null"),
        },
        _ => false,
    }
}

/// Returns a word as it was typed.
pub(super) fn value(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Word { value, .. } => Some(value),
        _ => None,
    }
}
