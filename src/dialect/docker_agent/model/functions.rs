//! The functions that a template names. Go looks them all up when it parses the template, even functions that are never
//! called.

use gotmpl::Template;
use gotmpl::parse::{Expr, ListNode, Node, PipeNode};

/// Go's own functions.
const STANDARD: [&str; 19] = [
    "and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or", "print", "printf",
    "println", "slice", "urlquery",
];

/// Returns why Go would not parse a template, if it names a function besides Go's own and those in `more`.
pub(super) fn undefined(name: &str, template: &Template, more: &[&str]) -> Option<String> {
    let unknown = |function: &str| !STANDARD.contains(&function) && !more.contains(&function);
    let trees = template.templates().into_iter().filter_map(|name| template.lookup(name));
    let (line, function) = template.lookup(name).into_iter().chain(trees).find_map(|tree| in_list(tree, &unknown))?;
    Some(format!("template: {name}:{line}: function {function:?} not defined"))
}

/// Returns the first unknown function in a list, with its line.
fn in_list(list: &ListNode, unknown: &dyn Fn(&str) -> bool) -> Option<(usize, String)> {
    list.nodes.iter().find_map(|node| match node {
        Node::List(list) => in_list(list, unknown),
        Node::Action(action) => in_pipe(&action.pipe, unknown),
        Node::If(branch) | Node::Range(branch) | Node::With(branch) => in_pipe(&branch.pipe, unknown)
            .or_else(|| in_list(&branch.body, unknown))
            .or_else(|| in_list(branch.else_body.as_ref()?, unknown)),
        Node::Template(template) => in_pipe(template.pipe.as_ref()?, unknown),
        Node::Text(_) | Node::Define(_) | Node::Break(_) | Node::Continue(_) => None,
    })
}

fn in_pipe(pipe: &PipeNode, unknown: &dyn Fn(&str) -> bool) -> Option<(usize, String)> {
    pipe.commands.iter().flat_map(|command| &command.args).find_map(|expr| in_expr(expr, unknown))
}

fn in_expr(expr: &Expr, unknown: &dyn Fn(&str) -> bool) -> Option<(usize, String)> {
    match expr {
        Expr::Identifier(pos, name) if unknown(name.as_str()) => Some((pos.line, name.to_string())),
        Expr::Pipe(_, pipe) => in_pipe(pipe, unknown),
        Expr::Chain(_, inner, _) => in_expr(inner, unknown),
        _ => None,
    }
}
