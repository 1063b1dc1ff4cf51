//! Statements of Cypher that delete all nodes of a graph: `MATCH (n) DETACH DELETE n`.

use super::destructive::{Damage, Statements, sure};
use super::lexer::Token;

impl Statements<'_, '_> {
    /// Judges a `DELETE` of Cypher.
    pub(super) fn delete_of_nodes(&self, at: usize, first: usize) -> Option<Damage> {
        let before = at.checked_sub(1).filter(|_| self.is(at, &["delete"]))?;
        let is_after_node = |at: usize| at.checked_sub(1).is_some_and(|node| self.is_mark(node, ")"));
        let is_clause = |at| self.is(first, &["match", "optional", "with", "unwind", "detach"]) || is_after_node(at);
        // Without `DETACH`, it is Cypher if a node comes first: `MATCH (n) DELETE n`.
        let is_cypher = self.is(before, &["detach"]) && is_clause(before)
            || is_after_node(at) && self.is(first, &["match"]) && self.is_mark(first + 1, "(");
        // What another statement says, or another clause after this one, restricts nothing.
        let filter = self.filters.get(self.filters.partition_point(|filter| *filter < first));
        if !is_cypher || filter.is_some_and(|filter| *filter < at) {
            return None;
        }
        sure("deletes all nodes that match".to_owned())
    }
}

/// Returns the positions of `WHERE` and of maps such as `{id: 5}`, which say which nodes, unlike `CALL { … }` and `{}`.
pub(super) fn filters(tokens: &[Token]) -> Vec<usize> {
    let is_map = |tokens: &[Token]| {
        let [before, brace, after, ..] = tokens else { return false };
        brace.is_mark("{") && !after.is_mark("}") && !before.is("call") && !before.is_mark(")")
    };
    let is_where = |tokens: &[Token]| tokens.first().is_some_and(|token| token.is("where"));
    let is_filter = |at: &usize| tokens.get(*at..).is_some_and(|rest| is_where(rest) || is_map(rest));
    (0..tokens.len()).filter(is_filter).collect()
}
