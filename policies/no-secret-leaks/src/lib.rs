//! Keeps secrets out of prompts, results and the network.
//!
//! Four questions: does a message hold a secret, does a result, does a tool call write or send one, and does it read where
//! secrets are kept, or send from there.

mod arguments;
mod environment;
mod exfiltration;
mod files;
mod hidden;
mod listed;
mod logins;
mod outputs;
mod patterns;
mod printers;
mod reads;
mod searches;
mod settings;
mod spoken;
mod stores;
mod texts;
mod unlisted;
mod users;

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
/// The Input has no facts about the tool call, or a pattern of the settings cannot be read.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// `facts` are those to judge, if they are not the Input's.
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

/// A tool call that is about to happen.
fn call(input: &Input<Settings>, facts: Option<Tool>, finder: &Finder) -> Result<Action, Error> {
    let settings = &input.settings;
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let mut found = Findings::default();
    let commands: Vec<Command> = tool.commands.iter().flatten().map(Command::new).collect();
    let reads = reads::Reading::new(settings, &tool);
    // What leaves this machine outweighs what is read.
    exfiltration::judge(&commands, &reads, &mut found);
    reads::judge(&commands, &tool, &reads, &mut found);
    environment::judge(&commands, settings.reads, &mut found);
    printers::judge(&commands, settings.reads, &mut found);
    spoken::judge(&commands, &mut found);
    if settings.arguments {
        arguments::judge(input, &tool, &commands, finder, &mut found);
    }
    Ok(found.action(NAME, &settings.common()).unwrap_or_default())
}
