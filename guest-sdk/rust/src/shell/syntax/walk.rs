//! Walks over the syntax tree, down to each simple command.

use super::reader::Reader;
use super::{Place, Problem, scan};
use crate::shell::command::Stdin;
use rable::{CasePattern, ListItem, ListOperator, Node, NodeKind};

impl Reader {
    /// Reads a command of any kind.
    pub(super) fn node(&mut self, node: &Node, place: &Place) {
        match &node.kind {
            NodeKind::Command { assignments, words, redirects } => self.command(assignments, words, redirects, place),
            NodeKind::Pipeline { commands, .. } => self.pipeline(commands, place),
            NodeKind::List { items } => self.list(items, place),
            NodeKind::Function { name, body } => {
                let place = Place { function: Some(name.as_str().into()), ..Place::default() };
                self.node(body, &place);
            }
            NodeKind::Negation { pipeline: inner }
            | NodeKind::Time { pipeline: inner, .. }
            | NodeKind::Coproc { command: inner, .. } => self.node(inner, place),
            // The parser adds its own redirection for `|&`.
            NodeKind::Empty | NodeKind::Comment { .. } | NodeKind::Redirect { .. } => {}
            _ => self.compound(node, place),
        }
    }

    /// Reads a list. The parser nests each item in the one after it, so this descends without recursion.
    fn list(&mut self, items: &[ListItem], place: &Place) {
        let mut pending: Vec<(&ListItem, Place)> = items.iter().rev().map(|item| (item, place.clone())).collect();
        while let Some((item, mut place)) = pending.pop() {
            place.background |= item.operator == Some(ListOperator::Background);
            match &item.command.kind {
                NodeKind::List { items } => pending.extend(items.iter().rev().map(|item| (item, place.clone()))),
                _ => self.node(&item.command, &place),
            }
        }
    }

    fn pipeline(&mut self, commands: &[Node], place: &Place) {
        let mut place = place.clone();
        place.piped = true;
        for command in commands {
            self.node(command, &place);
            place.stdin = Stdin::Pipe;
        }
    }

    fn compound(&mut self, node: &Node, place: &Place) {
        match &node.kind {
            NodeKind::Subshell { body, redirects } | NodeKind::BraceGroup { body, redirects } => {
                self.block(&[body], redirects, place);
            }
            NodeKind::If { condition, then_body, else_body, redirects } => {
                let mut parts = vec![&**condition, &**then_body];
                parts.extend(else_body.as_deref());
                self.block(&parts, redirects, place);
            }
            NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
                self.block(&[condition, body], redirects, place)
            }
            NodeKind::For { var, words, body, redirects, .. }
            | NodeKind::Select { var, words, body, redirects, .. } => {
                self.substitutions(words.iter().flatten());
                self.sets(var, place);
                self.block(&[body], redirects, place);
            }
            NodeKind::ForArith { init, cond, incr, body, redirects } => {
                for expression in [init, cond, incr] {
                    self.run(&scan::body(expression));
                }
                let mut place = place.clone();
                place.loses_heredocs = true;
                self.block(&[body], redirects, &place);
            }
            NodeKind::Case { word, patterns, redirects } => self.case(word, patterns, redirects, place),
            NodeKind::ArithmeticCommand { raw_content, redirects, .. } => {
                self.run(&scan::body(raw_content));
                self.block(&[], redirects, place);
            }
            NodeKind::ConditionalExpr { body, redirects } => {
                self.condition(body);
                self.block(&[], redirects, place);
            }
            // An unknown kind of command could hide anything.
            _ => self.fail(Problem::Syntax),
        }
    }

    /// Reads the parts of a compound command, which share its redirections.
    fn block(&mut self, parts: &[&Node], redirects: &[Node], place: &Place) {
        self.files(redirects);
        let place = self.redirected(redirects, place);
        for part in parts {
            self.node(part, &place);
        }
    }

    fn case(&mut self, word: &Node, cases: &[CasePattern], redirects: &[Node], place: &Place) {
        self.substitutions(std::iter::once(word));
        let mut bodies = Vec::new();
        for case in cases {
            self.substitutions(&case.patterns);
            bodies.extend(&case.body);
        }
        self.block(&bodies, redirects, place);
    }

    /// Reads the expression of a `[[ … ]]`.
    fn condition(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::CondTerm { value, .. } => self.run(&scan::term(value)),
            NodeKind::UnaryTest { operand: inner, .. }
            | NodeKind::CondNot { operand: inner }
            | NodeKind::CondParen { inner } => self.condition(inner),
            NodeKind::BinaryTest { left, right, .. }
            | NodeKind::CondAnd { left, right }
            | NodeKind::CondOr { left, right } => {
                self.condition(left);
                self.condition(right);
            }
            _ => self.fail(Problem::Syntax),
        }
    }
}
