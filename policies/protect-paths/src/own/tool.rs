//! Settings of git in the arguments of a tool that is not a shell: `{ "key": "core.hooksPath", "value": "x" }`.

use super::git::{is_hooks_path, runs};
use crate::habit::{Habit, habit};
use hookbox_policy::{Findings, Node};
use hookbox_sdk::{Input, Tool, ToolKind};

/// Names of arguments whose value is the name of a setting.
const KEYS: &[&str] = &["config", "config_key", "configkey", "key", "name", "option", "setting"];

/// Names of arguments whose value is the value of a setting.
const VALUES: &[&str] = &["config_value", "configvalue", "new_value", "newvalue", "val", "value"];

/// Names of arguments whose value is a text for people.
const PROSE: &[&str] = &["body", "comment", "content", "description", "message", "summary", "text", "title"];

/// Judges the settings of git that a tool changes.
pub(crate) fn judge<S>(tool: &Tool, input: &Input<S>, found: &mut Findings) {
    let name = tool.tool.as_deref().or(input.tool_name.as_deref()).unwrap_or_default();
    let is_of_git = |name: &str| name.to_ascii_lowercase().contains("git");
    let is_judged = matches!(tool.kind, ToolKind::Mcp | ToolKind::Other)
        && (is_of_git(name) || tool.server.as_deref().is_some_and(is_of_git))
        && habit(name) != Habit::Reads;
    let Some(arguments) = input.tool_input.as_ref().filter(|_| is_judged) else { return };
    match arguments.to::<Node>() {
        Ok(node) => search(name, &node, found),
        Err(_) => found.unknown(format!("the arguments of `{name}` cannot be read")),
    }
}

fn search(tool: &str, node: &Node, found: &mut Findings) {
    match node {
        Node::Text(text) if text.starts_with("config ") => of_words(tool, text.split_whitespace(), found),
        Node::Text(_) | Node::Other(_) => {}
        Node::List(nodes) => {
            of_words(tool, nodes.iter().map(text), found);
            nodes.iter().for_each(|node| search(tool, node, found));
        }
        Node::Members(members) => {
            let named = |names: &'static [&'static str]| {
                let is_named = move |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
                members.iter().filter(move |(name, _)| is_named(name)).map(|(_, node)| text(node))
            };
            for key in named(KEYS) {
                named(VALUES).for_each(|value| set(tool, key, value, found));
            }
            for (name, node) in members {
                if let Node::Text(value) = node {
                    set(tool, name, value, found);
                    if PROSE.contains(&name.to_ascii_lowercase().as_str()) {
                        continue;
                    }
                }
                search(tool, node, found);
            }
        }
    }
}

/// Judges the words of a command: `config --global core.hooksPath x`.
fn of_words<'t>(tool: &str, words: impl Iterator<Item = &'t str>, found: &mut Findings) {
    let words = words.filter(|word| !word.starts_with('-'));
    let words: Vec<&str> = words.skip_while(|word| *word != "config").skip(1).collect();
    let words = words.strip_prefix(&["set"]).unwrap_or(&words);
    if let [key, value, ..] = words {
        set(tool, key, value, found);
    }
}

fn text(node: &Node) -> &str {
    if let Node::Text(text) = node { text } else { "" }
}

/// Judges one setting.
fn set(tool: &str, key: &str, value: &str, found: &mut Findings) {
    let key = key.to_ascii_lowercase();
    if is_hooks_path(&key) {
        found.deny(format!("`{tool}` sets `core.hooksPath`, and git would run other hooks or none; leave it as it is"));
    } else if key.contains('.') && runs(&key, value) {
        found.ask(format!(
            "`{tool}` sets `{key}`, which makes git run a program, or read other settings, each time; is that meant?"
        ));
    }
}
