//! The parser for the commands of a shell text. The text may come from an attacker, so a component inside hookbox
//! parses it.

use super::embedded::Embedded;
use super::grants::Grants;
use super::limits::Limits;
use super::prepare::{Prepared, Source};
use super::sandbox::Sandbox;
use crate::facts::{ParsedCommands, ShellText};
use crate::protocol::Failure;
use std::time::Duration;

/// The time that parsing a text may take. Only a text that was crafted for it takes longer.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// Returns whether this hookbox was built with the parser for the commands of shell tools.
#[must_use]
pub fn reads_commands() -> bool {
    embedded().is_ok()
}

fn embedded() -> Result<&'static Embedded, Failure> {
    Embedded::find("commands", "what reads shell commands")
}

/// A parser that lists the simple commands that a shell text would run.
#[derive(Clone)]
pub struct CommandReader(Prepared);

impl Sandbox {
    /// Prepares the parser for the commands of shell tools, for [`Registry::read_commands_with`].
    ///
    /// # Errors
    /// Returns a failure if this hookbox was built without the parser, or if the parser cannot be compiled in time.
    ///
    /// [`Registry::read_commands_with`]: crate::Registry::read_commands_with
    pub fn command_reader(&self) -> Result<CommandReader, Failure> {
        let source = Source::Embedded(embedded()?);
        self.prepare_source(&source, None, Grants::default(), Limits::default()).map(CommandReader)
    }
}

impl CommandReader {
    /// Lists the commands that a text would run.
    ///
    /// # Errors
    /// Returns a failure if the component failed, which a crafted text may cause.
    pub(crate) async fn read(&self, text: ShellText<'_>) -> Result<ParsedCommands, Failure> {
        let answer = self.0.call(&text.request(), None, TIME_LIMIT).await?;
        ParsedCommands::from_answer(&answer)
            .map_err(|error| Failure::failed(format!("a list of commands that is not usable: {error}")))
    }
}
