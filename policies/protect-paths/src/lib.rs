//! Protects files that decide what runs or who may do what, and keeps changes inside the project.

mod ansible;
mod code;
mod fd;
mod finds;
mod habit;
mod inputs;
mod installs;
mod languages;
mod lexer;
mod links;
mod loaded;
mod mounts;
mod names;
mod output;
mod own;
mod pattern;
mod place;
mod regex;
mod rules;
mod settings;
mod shell;
mod sql;
mod stores;
mod table;
mod table_other;
mod table_stores;
mod unlisted;
mod unpacked;

use hookbox_policy::network::unseen_program;
use hookbox_policy::{Command, Findings, only_sets_up, unread_paths, with_possible};
use hookbox_sdk::{Action, Error, Event, Input, Tool, ToolKind, hook};
use loaded::{is_of_output, only_loads};
use rules::Rules;
pub use settings::{Choice, Settings};
use shell::Judge;

/// The name that reasons begin with.
const NAME: &str = "protect-paths";

/// hookbox's notes that it could not determine which files a patch changes.
const OF_PATCHES: [&str; 8] = [
    "a line of the patch",
    "a name in the patch",
    "a patch in a form that is not known",
    "the content of a binary patch",
    "where a link in the patch leads",
    "which file the patch changes",
    "which files the patch changes",
    "which of several forms a patch has",
];

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call, or if the settings have an invalid pattern.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// Answers one event. If `facts` is set, judges these facts instead of the Input's.
fn answer(input: &Input<Settings>, facts: Option<Tool>) -> Result<Action, Error> {
    if !matches!(input.event, Event::PreTool | Event::PermissionRequest) {
        return Ok(Action::allow());
    }
    let rules = Rules::new(&input.settings)?;
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let mut found = Findings::default();
    let mut judge = Judge::new(&rules, &tool, input, &mut found);
    judge.all();
    let may_change = judge.may_change();
    incomplete(&tool, may_change, &mut found);
    own::tool::judge(&tool, input, &mut found);
    Ok(found.action(NAME, &input.settings.common()).unwrap_or_default())
}

/// Judges the unknown parts of a call, which may be what it writes.
fn incomplete(tool: &Tool, may_change: bool, found: &mut Findings) {
    let writes = match tool.kind {
        ToolKind::Shell | ToolKind::Write | ToolKind::Edit | ToolKind::Delete => true,
        ToolKind::Mcp | ToolKind::Other => tool.command.is_some(),
        _ => false,
    };
    // A command may only read through such a link. A file that it changes is judged by its path.
    let is_judged = |what: &str| tool.kind == ToolKind::Shell && what.starts_with("where the links");
    let unread = unread_paths(tool).filter(|what| may_change && !is_judged(what));
    if let Some(what) = unread {
        found.unknown(format!("what this changes depends on {what}; do it in smaller parts"));
    }
    let is_unread_patch = |what: &&String| may_change && !writes && OF_PATCHES.contains(&what.as_str());
    if let Some(what) = tool.unknown.iter().find(is_unread_patch) {
        found.unknown(format!("what this changes depends on {what}; use another form of it"));
    }
    if !writes {
        return;
    }
    if tool.command.is_some() && tool.commands.is_none() {
        return found.unknown("the commands are not known to this hook; add `facts = [\"commands\"]` to its entry");
    }
    // These paths are judged with their command, which may only read them.
    let is_path = |what: &&String| {
        [
            "a path that the command makes up",
            "the directory that relative paths start from",
            "where the links of a path lead",
        ]
        .iter()
        .any(|known| what.starts_with(known))
    };
    // For a tool that hookbox does not know, all paths are judged as written to.
    let is_told = |what: &&String| what.as_str() != "what the tool does with its arguments";
    let mut unknown = tool.unknown.iter().filter(|what| !is_path(what) && is_told(what));
    if let Some(what) = unknown.next() {
        let commands: Vec<Command> = tool.commands.iter().flatten().map(Command::new).collect();
        let mut all = std::iter::once(what).chain(unknown);
        // A program that prints settings for the shell does not write anything either, nor do variables from a file.
        if only_sets_up(&commands) || all.all(|what| is_of_output(what)) && only_loads(&commands) {
            return;
        }
        let spell_out = || format!("what this changes depends on {what}; spell it out");
        found.unknown(unseen_program(&commands).unwrap_or_else(spell_out));
    } else if !tool.complete && tool.unknown.is_empty() {
        found.unknown("what this changes cannot be known; spell it out");
    }
}
