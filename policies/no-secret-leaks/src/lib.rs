//! Keeps secrets out of prompts, results and the network.
//!
//! The policy checks four things: whether a message contains a secret, whether a result does, whether a tool call would
//! write or send one, and whether a tool call reads places where secrets are kept, or sends from there.

mod arguments;
mod copies;
mod dumped;
mod encrypted;
mod endpoints;
mod environment;
mod exfiltration;
mod files;
mod groups;
mod harmless;
mod held;
mod hidden;
mod lines;
mod listed;
mod logins;
mod outputs;
mod patterns;
mod pipes;
mod printed;
mod printers;
mod quiet;
mod reads;
mod scripts;
mod searches;
mod senders;
mod servers;
mod settings;
mod spoken;
mod stores;
mod texts;
mod unlisted;
mod users;
mod values;

use hookbox_policy::{Command, Findings, with_possible};
use hookbox_sdk::{Action, Error, Event, Input, Tool, hook};
use hookbox_secrets::Finder;
pub use settings::{Reads, Settings};

/// The name that reasons begin with.
const NAME: &str = "no-secret-leaks";

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call, or if a pattern in the settings is invalid.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// Answers one event. If `facts` is set, judges these facts instead of the Input's.
fn answer(input: &Input<Settings>, facts: Option<Tool>) -> Result<Action, Error> {
    let settings = &input.settings;
    let finder = Finder::new(&settings.patterns, &settings.allow).map_err(Error::new)?;
    match input.event {
        Event::PreMessage if settings.prompts => Ok(texts::message(input, &finder)),
        Event::PostTool if settings.results => Ok(texts::result(input, &finder)),
        Event::ToolResponseTransform if settings.results => Ok(texts::response(input, &finder)),
        Event::BeforeLlmCall if settings.results => texts::messages(input, &finder),
        Event::PreTool => call(input, facts, &finder),
        _ => Ok(Action::allow()),
    }
}

/// Judges a tool call that is about to happen.
fn call(input: &Input<Settings>, facts: Option<Tool>, finder: &Finder) -> Result<Action, Error> {
    let settings = &input.settings;
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let mut found = Findings::default();
    let commands: Vec<Command> = tool.commands.iter().flatten().map(Command::new).collect();
    let reads = reads::Reading::new(settings, &tool);
    // Sending is judged first, because it is worse than reading.
    exfiltration::judge(&commands, &reads, &mut found);
    servers::judge(&commands, &reads, &mut found);
    reads::judge(&commands, &tool, &reads, &mut found);
    environment::judge(&commands, settings.reads, &mut found);
    printers::judge(&commands, settings.reads, &mut found);
    held::judge(&commands, settings.reads, &mut found);
    groups::judge(&commands, &tool, settings.reads, &mut found);
    let arguments = input.tool_input.as_ref().map(|arguments| arguments.as_str()).unwrap_or_default();
    endpoints::judge(&tool, arguments, settings.reads, &mut found);
    spoken::judge(&commands, &mut found);
    if settings.arguments {
        arguments::judge(input, &tool, &commands, finder, &mut found);
    }
    Ok(found.action(NAME, &settings.common()).unwrap_or_default())
}
