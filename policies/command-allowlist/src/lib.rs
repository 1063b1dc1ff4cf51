//! Allows only the commands on a list, matched by structure.
//!
//! Every simple command of a tool call must match an entry of [`Settings::allow`], including the commands after `sudo`,
//! in `bash -c` and in substitutions. A command that is not fully known does not match.

mod entry;
mod files;
mod hidden;
mod place;
mod program;
mod reason;
mod settings;
mod variables;

use entry::{Miss, Site};
use hidden::Written;
use hookbox_policy::{Command, Findings, Mode, Word, unknown_but_paths, with_possible};
use hookbox_sdk::{Action, Error, Event, Input, Tool, ToolKind, hook};
use place::Places;
pub use settings::{Entry, Exact, Otherwise, Settings};

/// The name that reasons begin with.
const NAME: &str = "command-allowlist";

/// The number of positions in a command that are tried as the beginning of a nested command.
const MAX_TRIES: usize = 8;

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call, or if the settings are invalid.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// Answers one event. If `facts` is set, judges these facts instead of the Input's.
fn answer(input: &Input<Settings>, facts: Option<Tool>) -> Result<Action, Error> {
    let settings = &input.settings;
    settings.check()?;
    if !matches!(input.event, Event::PreTool | Event::PermissionRequest) {
        return Ok(Action::allow());
    }
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    if tool.kind != ToolKind::Shell && tool.command.is_none() {
        return Ok(Action::allow());
    }
    if tool.command.is_some() && tool.commands.is_none() {
        return Err(Error::new("the hook's entry lacks `facts = [\"commands\"]`"));
    }
    let mut found = Findings::default();
    look(&tool, settings, &mut found);
    let may_grant = settings.grant && settings.mode == Mode::Enforce && found.is_empty();
    if may_grant && tool.commands.as_ref().is_some_and(|commands| !commands.is_empty()) {
        return Ok(Action::permit("every command in it is on the list"));
    }
    Ok(found.action(NAME, &settings.common()).unwrap_or_default())
}

/// Checks every command.
fn look(tool: &Tool, settings: &Settings, found: &mut Findings) {
    let commands: Vec<Command<'_>> = tool.commands.iter().flatten().map(Command::new).collect();
    let places = Places::new(tool);
    let written = Written::new(tool, &places);
    let own = own_arguments(&commands);
    for (command, own) in commands.iter().zip(own) {
        let base = places.base(command);
        let args = command.args().get(..own).unwrap_or_default();
        let site = Site { command, base: base.as_deref(), args, places: &places, settings };
        let parent = command.facts.parent.and_then(|parent| commands.get(parent));
        look_at(&site, parent, &written, found);
    }
    let (count, most) = (commands.len(), settings.max_commands);
    if count > most {
        found.unknown(format!("the call holds {count} commands, and `max_commands` is {most}; split it up"));
    }
    if let Some(what) = unknown_but_paths(tool) {
        found.unknown(format!("what the call runs cannot be known: {what}; write it out, without indirection"));
    }
}

/// Checks one command, which `parent` runs.
fn look_at(site: &Site<'_>, parent: Option<&Command<'_>>, written: &Written, found: &mut Findings) {
    let command = site.command;
    let object = |found: &mut Findings, reason: String| match site.settings.otherwise {
        Otherwise::Ask => found.ask(reason),
        Otherwise::Deny => found.deny(reason),
    };
    match variables::unlisted(site) {
        None => {}
        Some(Some(name)) => object(found, reason::variable(site, &name)),
        Some(None) => found.unknown(reason::some_variable(site)),
    }
    if let Some(target) = network(site) {
        object(found, reason::network(site, &target));
    }
    if let Some(what) = hidden::expanded_again(site) {
        found.unknown(format!("`{what}` runs the commands that are in the variable; write it without `@P`"));
    }
    if let Some(what) = hidden::in_subscript(site) {
        found.unknown(format!("arithmetic runs the command in `{what}`; leave it out of the variable"));
    }
    if let Some(change) = files::written(site) {
        let reason = reason::change(site, &change);
        if change.is_unknown { found.unknown(reason) } else { object(found, reason) }
    }
    if command.words.is_empty() || program::is_control(&command.words) {
        return;
    }
    if command.words.first().and_then(Word::known).is_none() {
        return found.unknown(reason::no_program(site));
    }
    let results = site.settings.allow.iter().map(|entry| entry.admits(site));
    // The closest entry gives the most useful reason.
    let nearest = results.max_by(|one, other| near(one).cmp(&near(other))).unwrap_or(Err(Miss::Other));
    if let Err(miss) = nearest {
        let reason = reason::miss(site, &miss);
        if reason::is_unknown(&miss) { found.unknown(reason) } else { object(found, reason) }
    }
    if let Some(program) = hidden::runs_in_text(site, parent) {
        object(found, reason::in_text(site, program));
    }
    if let Some(script) = hidden::script(site) {
        found.unknown(reason::script(site, &script));
    }
    if let Some(program) = written.runs(site) {
        found.unknown(reason::written(site, &program));
    }
}

/// Returns how close an entry came: `Ok` is closest.
fn near(result: &Result<(), Miss>) -> (bool, Option<&Miss>) {
    (result.is_ok(), result.as_ref().err())
}

/// Returns a redirection to or from the network, which is not a file.
fn network(site: &Site<'_>) -> Option<String> {
    let targets = site.command.facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref());
    // It is no file even if the host is not known.
    let is_network = |target: &Word| ["/dev/tcp/", "/dev/udp/"].iter().any(|start| target.text().starts_with(start));
    targets.map(Word::from).find(is_network).map(|target| target.raw().to_owned())
}

/// Returns for each command how many of its arguments are its own. The arguments after those are a nested command.
fn own_arguments(commands: &[Command<'_>]) -> Vec<usize> {
    let mut own: Vec<usize> = commands.iter().map(|command| command.args().len()).collect();
    for inner in commands {
        let Some((parent, first)) = inner.facts.parent.zip(inner.words.first()) else {
            continue;
        };
        let Some(outer) = commands.get(parent).filter(|outer| inner.facts.via.as_deref() == Some(outer.name)) else {
            continue;
        };
        let starts = outer.args().iter().enumerate().filter(|(_, word)| *word == first).map(|(at, _)| at);
        let is_start = |at: &usize| {
            let rest = outer.args().get(*at..).unwrap_or_default();
            inner.words.get(..rest.len()).is_some_and(|words| words == rest)
        };
        if let (Some(at), Some(own)) = (starts.take(MAX_TRIES).find(is_start), own.get_mut(parent)) {
            *own = at.min(*own);
        }
    }
    own
}
