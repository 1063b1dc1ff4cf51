//! Compound commands: branches, loops, groups, functions.

use super::jump::Inside;
use super::walk::value;
use super::{Output, Place, Shell, add_output};
use crate::shell::command::{Assignment, SimpleCommand};
use crate::shell::env::{Env, Function};
use crate::shell::syntax::Problem;
use crate::shell::word::Word;
use rable::{CasePattern, Node, NodeKind};
use std::rc::Rc;

/// How deeply functions may call each other.
const MAX_CALLS: usize = 12;

impl Shell {
    pub(super) fn compound(&mut self, node: &Node, place: &Place) -> Output {
        match &node.kind {
            NodeKind::Subshell { body, redirects } => {
                let before = self.env.clone();
                let jumps = self.jumps.len();
                let place = self.around(node, redirects, place);
                let printed = self.outside_loops(|shell| shell.node(body, &place));
                self.env = before;
                self.jumps.truncate(jumps);
                printed.filter(|_| redirects.is_empty())
            }
            NodeKind::BraceGroup { body, redirects } => {
                let place = self.around(node, redirects, place);
                self.node(body, &place).filter(|_| redirects.is_empty())
            }
            NodeKind::If { condition, then_body, else_body, redirects } => {
                let place = self.around(node, redirects, place);
                let unmoved = self.env.clone();
                let mut printed = self.node(condition, &place);
                let mut before = self.env.clone();
                // One of the branches runs in the directory before the `cd`, because the `cd` has failed.
                match self.reaches(condition) {
                    Some(true) => before = unmoved,
                    Some(false) => self.env = unmoved,
                    None => {}
                }
                add_output(&mut printed, self.silent(then_body, &place));
                let then = std::mem::replace(&mut self.env, before);
                if let Some(body) = else_body {
                    let more = self.silent(body, &place);
                    add_output(&mut printed, more);
                }
                let other = self.env.clone();
                self.env = self.join(&then, &other);
                printed.filter(|_| redirects.is_empty())
            }
            NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
                let place = self.around(node, redirects, place);
                self.repeated(|shell| {
                    shell.node(condition, &place);
                    shell.node(body, &place);
                })
            }
            NodeKind::For { var, words, body, redirects, .. } => {
                self.for_loop(node, (var, words.as_deref(), body), redirects, place)
            }
            NodeKind::Select { var, body, words, redirects, .. } => {
                for word in words.iter().flatten().filter_map(value) {
                    self.one(word, place);
                }
                let place = self.around(node, redirects, place);
                let unknown = self.marks.unknown(&format!("${var}"));
                self.sets(var, &unknown, &place);
                self.repeated(|shell| {
                    shell.assign(var, vec![unknown.clone()]);
                    shell.node(body, &place);
                })
            }
            NodeKind::ForArith { init, cond, incr, body, redirects } => {
                let mut place = self.around(node, redirects, place);
                place.loses_heredocs = true;
                self.computed(init, &place);
                self.repeated(|shell| {
                    shell.computed(cond, &place);
                    shell.computed(incr, &place);
                    shell.node(body, &place);
                })
            }
            NodeKind::Case { word, patterns, redirects } => self.case(node, (word, patterns), redirects, place),
            NodeKind::ArithmeticCommand { raw_content, redirects, .. } => {
                let place = self.around(node, redirects, place);
                self.computed(raw_content, &place);
                Some(String::new())
            }
            NodeKind::ConditionalExpr { body, redirects } => {
                let place = self.around(node, redirects, place);
                self.condition(body, &place);
                Some(String::new())
            }
            // An unknown kind of command could hide anything.
            _ => {
                self.problem(Problem::Syntax);
                None
            }
        }
    }

    /// Walks through a part that may be skipped, so its output is only known if it is empty.
    fn silent(&mut self, node: &Node, place: &Place) -> Output {
        self.node(node, place).filter(String::is_empty)
    }

    /// Lists the redirections of a compound command as a command without words. Returns the place of the body.
    fn around(&mut self, node: &Node, redirects: &[Node], place: &Place) -> Place {
        if redirects.is_empty() {
            return place.clone();
        }
        let (place, files) = self.redirected(redirects, place);
        if !files.is_empty() {
            let text = self.source.as_ref().map(|source| source.text_of(node).to_owned()).unwrap_or_default();
            let command = SimpleCommand { redirects: files, ..self.blank(&place, &text) };
            self.list(command);
        }
        place
    }

    /// Walks through the body of a loop. An iteration may see what the previous one set.
    fn repeated(&mut self, walk: impl Fn(&mut Self)) -> Output {
        let before = self.env.clone();
        let outer = std::mem::take(&mut self.jumps);
        let inside = self.inside;
        self.inside.is_loop = true;
        if !self.dry {
            let touched = std::mem::take(&mut self.touched);
            let after = self.dry_run(&walk);
            self.env = self.join(&before, &after);
            let jumps = std::mem::take(&mut self.jumps);
            self.meet(jumps);
            self.jumps.clear();
            for name in std::mem::replace(&mut self.touched, touched) {
                let mut values = before.get(&name).map(|variable| variable.values.to_vec()).unwrap_or_default();
                let unknown = self.marks.unknown(&format!("${name}"));
                if !values.contains(&unknown) {
                    values.push(unknown);
                }
                self.assign(&name, values);
                self.changed.insert(name);
            }
        }
        walk(self);
        self.inside = inside;
        let after = self.env.clone();
        self.env = self.join(&before, &Env { dead: false, ..after });
        let jumps = std::mem::replace(&mut self.jumps, outer);
        self.meet(jumps);
        None
    }

    /// Walks without side effects, and returns the state at the end.
    pub(super) fn dry_run(&mut self, walk: &impl Fn(&mut Self)) -> Env {
        let (commands, redirects, unknowns) =
            (self.script.commands.len(), self.script.redirects.len(), self.script.unknowns.len());
        let (later, called, stopped) = (self.later.len(), self.called.clone(), self.stopped);
        let defined = self.defined.len();
        let dry = std::mem::replace(&mut self.dry, true);
        walk(self);
        self.dry = dry;
        self.script.commands.truncate(commands);
        self.script.redirects.truncate(redirects);
        if !self.stopped || stopped {
            self.script.unknowns.truncate(unknowns);
        }
        self.later.truncate(later);
        self.defined.truncate(defined);
        self.called = called;
        Env { dead: false, ..self.env.clone() }
    }

    fn for_loop(
        &mut self,
        node: &Node,
        (var, words, body): (&String, Option<&[Node]>, &Node),
        redirects: &[Node],
        place: &Place,
    ) -> Output {
        let mut values: Vec<String> = match words {
            Some(words) => words.iter().filter_map(value).flat_map(|word| self.words(word, place)).collect(),
            None => match &self.env.arguments {
                Some(list) => list.to_vec(),
                None => vec![self.marks.unknown(&format!("${var}"))],
            },
        };
        values.dedup();
        let place = self.around(node, redirects, place);
        if values.len() > 16 {
            // Only this many values are tracked individually; the others are unknown.
            values = vec![self.marks.unknown(&format!("${var}"))];
        }
        let shown = match values.as_slice() {
            [one] => one.clone(),
            _ => self.marks.unknown(&format!("${var}")),
        };
        self.sets(var, &shown, &place);
        // Otherwise the directory after `cd "$d"` is not known.
        let text = self.source.as_ref().map(|source| source.text_of(body)).unwrap_or_default();
        let is_apart = values.len() <= 6 && ["cd ", "pushd "].iter().any(|name| text.contains(name));
        self.repeated(|shell| {
            if !values.is_empty() {
                shell.assign(var, values.clone());
            }
            if is_apart {
                shell.each_value(var, |shell| drop(shell.node(body, &place)));
            } else {
                shell.node(body, &place);
            }
        })
    }

    /// Walks once for each value of a variable, which all commands of that walk see.
    fn each_value(&mut self, name: &str, walk: impl Fn(&mut Self)) {
        let Some((id, count)) = self.env.get(name).map(|variable| (variable.id, variable.values.len())) else {
            return walk(self);
        };
        let before = self.env.clone();
        let mut end: Option<Env> = None;
        for at in 0..count {
            let outer = self.choices.enter();
            self.choices.fix(id, at, count);
            self.env = before.clone();
            walk(self);
            self.choices.leave(outer);
            let after = self.env.clone();
            end = Some(match end {
                Some(end) => self.join(&end, &after),
                None => after,
            });
        }
        self.env = end.unwrap_or(before);
    }

    /// Lists the loop's assignment to its variable.
    fn sets(&mut self, name: &str, value: &str, place: &Place) {
        let assignment = Assignment { name: name.to_owned(), value: Word::new(name, value.to_owned()) };
        let command = SimpleCommand { assignments: vec![assignment], ..self.blank(place, name) };
        self.list(command);
    }

    fn case(
        &mut self,
        node: &Node,
        (word, cases): (&Node, &[CasePattern]),
        redirects: &[Node],
        place: &Place,
    ) -> Output {
        if let Some(word) = value(word) {
            self.one(word, place);
        }
        for pattern in cases.iter().flat_map(|case| &case.patterns).filter_map(value) {
            // A pattern may contain any character.
            if pattern.contains(['$', '`', '<', '>']) {
                self.quoted(pattern, place);
            }
        }
        let place = self.around(node, redirects, place);
        let before = self.env.clone();
        let mut joined = before.clone();
        let mut falls_through = false;
        let mut printed = Some(String::new());
        for case in cases {
            // What falls through to a part meets what its own pattern leads to.
            self.env = if falls_through {
                let after = self.env.clone();
                self.join(&before, &after)
            } else {
                before.clone()
            };
            if let Some(body) = &case.body {
                let more = self.silent(body, &place);
                add_output(&mut printed, more);
            }
            let after = self.env.clone();
            joined = self.join(&joined, &after);
            falls_through = case.terminator.starts_with(";&") || case.terminator.starts_with(";;&");
        }
        self.env = joined;
        printed.filter(|_| redirects.is_empty())
    }

    /// Walks through the expression of a `[[ … ]]`.
    fn condition(&mut self, node: &Node, place: &Place) {
        match &node.kind {
            NodeKind::CondTerm { value, .. } => {
                self.one(value, place);
            }
            NodeKind::UnaryTest { op, operand } if op == "-v" => self.index_in(operand, place),
            // These operators evaluate both sides, and list indices in them, quoted or not.
            NodeKind::BinaryTest { op, left, right }
                if matches!(op.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") =>
            {
                self.index_in(left, place);
                self.index_in(right, place);
            }
            NodeKind::UnaryTest { operand: inner, .. }
            | NodeKind::CondNot { operand: inner }
            | NodeKind::CondParen { inner } => self.condition(inner, place),
            NodeKind::BinaryTest { left, right, .. }
            | NodeKind::CondAnd { left, right }
            | NodeKind::CondOr { left, right } => {
                self.condition(left, place);
                self.condition(right, place);
            }
            _ => self.problem(Problem::Syntax),
        }
    }

    fn index_in(&mut self, node: &Node, place: &Place) {
        match &node.kind {
            NodeKind::CondTerm { value, .. } => {
                let text = self.one(value, place);
                self.index(&text, place);
                self.evaluated(&text, place, 0);
            }
            _ => self.condition(node, place),
        }
    }

    /// Walks through the functions that a command calls.
    pub(super) fn call(&mut self, functions: &[Rc<Function>], arguments: Rc<[String]>, place: &Place) -> Output {
        let before = self.env.clone();
        let outer = self.env.arguments.replace(arguments.clone());
        let mut ends: Option<Env> = None;
        let mut printed = Some(String::new());
        for function in functions {
            self.env = Env { arguments: Some(arguments.clone()), ..before.clone() };
            let more = self.body(function, place);
            add_output(&mut printed, more);
            let after = self.env.clone();
            ends = Some(match ends {
                Some(end) => self.join(&end, &after),
                None => after,
            });
        }
        self.env = Env { arguments: outer, ..ends.unwrap_or(before) };
        printed.filter(|_| functions.len() == 1)
    }

    /// Walks through the body of a function.
    pub(super) fn body(&mut self, function: &Rc<Function>, place: &Place) -> Output {
        if self.calls.contains(&function.name) {
            // The commands in the body have been listed, but not with the state and arguments of the next call.
            self.fail(super::Unknown::script(
                &format!("the function {}", function.name),
                "a function that calls itself",
            ));
            return None;
        }
        if self.calls.len() >= MAX_CALLS {
            self.problem(Problem::Nesting);
            return None;
        }
        self.called.insert(function.id);
        self.calls.push(function.name.clone());
        let outer = std::mem::replace(&mut self.source, function.source.clone());
        let hidden = std::mem::take(&mut self.locals);
        let jumps = self.jumps.len();
        let choices = self.choices.enter();
        let inside = std::mem::replace(&mut self.inside, Inside { is_loop: false, is_body: true });
        let readonly = self.readonly.clone();
        let place = Place { function: Some(function.name.clone()), patchy: function.patchy, ..place.clone() };
        let printed = self.node(&function.body, &place);
        self.inside = inside;
        self.choices.leave(choices);
        let left = self.jumps.split_off(jumps);
        self.meet(left);
        self.jumps.truncate(jumps);
        for (name, before) in std::mem::replace(&mut self.locals, hidden).into_iter().rev() {
            self.env.restore(&name, before);
            if !readonly.contains(&name) {
                self.readonly.remove(&name);
            }
        }
        self.source = outer;
        self.calls.pop();
        printed
    }
}
