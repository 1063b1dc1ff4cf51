//! The place of an agent's hooks in a file.

use super::{Fault, flag, text};
use crate::dialect::docker_agent::Generation;
use crate::dialect::yaml::{Kind, Node};
use std::ops::Range;

/// The hooks and flags that a file gives one agent.
#[derive(Default)]
pub(super) struct Located<'n> {
    pub(super) hooks: Option<&'n Node>,
    /// The agent's flags that add a builtin.
    pub(super) flags: Vec<Flag>,
}

/// An agent's flag that adds a builtin to its hooks.
pub(super) struct Flag {
    pub(super) builtin: &'static str,
    /// The arguments that the flag passes to the builtin.
    pub(super) args: Vec<String>,
    pub(super) at: Range<usize>,
}

/// The flags whose builtins hookbox has, in the order in which docker-agent adds them.
const FLAGS: [&str; 4] = ["add_date", "add_environment_info", "add_prompt_files", "redact_secrets"];

/// The agent whose hooks count if none is named.
const ROOT: &str = "root";

/// Finds the hooks in a whole agent file (`agents:`), in a file with only `hooks:`, or in a file of bare events.
///
/// Refuses anything that looks like hooks in a place where nothing would read it: it was meant to guard something.
pub(super) fn hooks<'n>(root: &'n Node, agent: Option<&str>, generation: Generation) -> Result<Located<'n>, Fault> {
    let Some(agents) = root.get("agents") else {
        let hooks = root.get("hooks");
        if hooks.is_some() {
            refuse_strays(root, "beside `hooks`")?;
        }
        return Ok(Located {
            hooks: Some(hooks.unwrap_or(root)).filter(|hooks| !hooks.is_null()),
            ..Located::default()
        });
    };
    refuse_strays(root, "beside `agents`")?;
    if let Some(hooks) = root.get("hooks") {
        return Err(Fault::key(&hooks.at, "`hooks` beside `agents`: it belongs into an agent"));
    }
    let wrong = || Fault::value(&agents.at, format!("`agents` must be a mapping, not {}", agents.kind_name()));
    let pairs = agents.as_mapping().ok_or_else(wrong)?;
    for (_, agent) in pairs {
        refuse_strays(agent, "in an agent, outside of `hooks`")?;
    }
    let named = match agent {
        Some(name) => {
            let unknown = || Fault::value(&agents.at, format!("there is no agent `{name}` in this file"));
            Some(agents.get(name).ok_or_else(unknown)?)
        }
        None => agents.get(ROOT).or_else(|| pairs.first().map(|(_, agent)| agent)),
    };
    let Some(agent) = named else {
        return Ok(Located::default());
    };
    let is_on = |node: &Node| match node.kind() {
        Some(Kind::Bool(flag)) => flag,
        Some(Kind::Null) => false,
        _ => node.as_sequence().is_none_or(|items| !items.is_empty()),
    };
    let given = |name: &'static str| agent.get(name).filter(|node| is_on(node)).map(|node| (name, node));
    let mut flags = Vec::new();
    for (builtin, node) in FLAGS.into_iter().filter_map(given) {
        let items = node.as_sequence().unwrap_or_default().iter().enumerate();
        let args = items.map(|(index, item)| text(item, &format!("{builtin}[{index}]"))).collect::<Result<_, _>>()?;
        flags.push(Flag { builtin, args, at: node.at.clone() });
    }
    if let Some(at) = safer_shell(agent, generation)? {
        flags.push(Flag { builtin: "safer_shell", args: Vec::new(), at });
    }
    // The third generation redacts unless told not to.
    if generation.is_third() && agent.get("redact_secrets").is_none_or(Node::is_null) {
        flags.push(Flag { builtin: "redact_secrets", args: Vec::new(), at: agent.at.clone() });
    }
    if generation.is_third() {
        // This comes after what redacts, so that no secret gets into a file.
        flags.push(Flag { builtin: "limit_large_tool_results", args: Vec::new(), at: agent.at.clone() });
    }
    if let Some(cache) = agent.get("cache").filter(|cache| is_true(cache, "enabled")) {
        let mut args = match cache.get("path").filter(|path| !path.is_null()) {
            Some(path) => vec![format!("path={}", text(path, "cache.path")?)],
            None => Vec::new(),
        };
        let set = ["case_sensitive", "trim_spaces"].into_iter().filter(|name| is_true(cache, name));
        args.extend(set.map(str::to_owned));
        flags.push(Flag { builtin: "cache_response", args, at: cache.at.clone() });
    }
    Ok(Located { hooks: agent.get("hooks").filter(|hooks| !hooks.is_null()), flags })
}

/// Returns where a shell toolset of the agent asks for `safer_shell`, if one does.
fn safer_shell(agent: &Node, generation: Generation) -> Result<Option<Range<usize>>, Fault> {
    const KEY: &str = "safer";
    let toolsets = agent.get("toolsets").and_then(Node::as_sequence).unwrap_or_default();
    let shells = toolsets.iter().filter(|toolset| toolset.get("type").and_then(Node::as_str) == Some("shell"));
    let Some(safer) = shells.filter_map(|shell| shell.get(KEY)).find(|safer| !safer.is_null()) else {
        return Ok(None);
    };
    if !generation.is_third() {
        let help = format!("a later generation has it: use `--dialect {}`", Generation::V3.dialect());
        return Err(Fault::key(&safer.at, format!("unknown key `{KEY}` of a toolset")).help(help));
    }
    Ok(flag(safer, "toolsets.safer")?.then(|| safer.at.clone()))
}

fn is_true(node: &Node, key: &str) -> bool {
    matches!(node.get(key).and_then(Node::kind), Some(Kind::Bool(true)))
}

/// Refuses events, and near misses of `hooks`, where neither belongs.
fn refuse_strays(node: &Node, place: &str) -> Result<(), Fault> {
    /// Below this similarity, a key is not a misspelled `hooks`.
    const ALIKE: f64 = 0.9;
    for (key, _) in node.as_mapping().unwrap_or_default() {
        let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
        if Generation::V3.events().iter().any(|traits| traits.name == name) {
            return Err(Fault::key(&key.at, format!("the event `{name}` stands {place}")));
        }
        if name != "hooks" && strsim::jaro_winkler(&name.to_lowercase(), "hooks") >= ALIKE {
            return Err(Fault::key(&key.at, format!("unknown key `{name}`: did you mean `hooks`?")));
        }
    }
    Ok(())
}
