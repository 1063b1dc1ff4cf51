//! Tags around the values that a template prints, so that a reader can tell them from the template's own text.

use gotmpl::parse::{CommandNode, Expr, ListNode, Node};
use gotmpl::{Template, Value};

/// The function that adds a tag. No template can name it: names in templates have no dashes.
const TAG: &str = "-tag";

/// Makes the template print each value between `<tag>` and `</tag>`.
pub(super) fn add(template: Template, tag: &str) -> Template {
    let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
    let names: Vec<String> = template.templates().into_iter().map(str::to_owned).collect();
    let mut tagged = template.func(TAG, move |args| {
        let text: String = args.iter().map(ToString::to_string).collect();
        Ok(Value::String(format!("{opening}{text}{closing}").into()))
    });
    for name in names {
        if let Some(mut tree) = tagged.lookup(&name).cloned() {
            add_to(&mut tree);
            tagged = tagged.add_parse_tree(&name, tree);
        }
    }
    tagged
}

fn add_to(list: &mut ListNode) {
    for node in &mut list.nodes {
        match node {
            Node::Action(action) if action.pipe.decl.is_empty() => {
                let pos = action.pos;
                action.pipe.commands.push(CommandNode { pos, args: vec![Expr::Identifier(pos, TAG.into())] });
            }
            node => lists(node).into_iter().for_each(add_to),
        }
    }
}

/// Returns the lists inside a node.
fn lists(node: &mut Node) -> Vec<&mut ListNode> {
    match node {
        Node::List(list) => vec![list],
        Node::If(branch) | Node::Range(branch) | Node::With(branch) => {
            std::iter::once(&mut branch.body).chain(&mut branch.else_body).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the list prints a value anywhere.
pub(super) fn has_values(list: &ListNode) -> bool {
    list.nodes.iter().any(|node| match node {
        Node::Action(action) => action.pipe.decl.is_empty(),
        Node::List(list) => has_values(list),
        Node::If(branch) | Node::Range(branch) | Node::With(branch) => {
            has_values(&branch.body) || branch.else_body.as_ref().is_some_and(has_values)
        }
        _ => false,
    })
}
