//! Adds the facts of a tool call to its Input, before hooks are asked about it.

use super::Registry;
use crate::facts::{Facts, ShellText};
use crate::protocol::{Input, Tool};
use crate::runtime::component::CommandReader;
use std::sync::Arc;

/// The way in which a registry determines the facts of tool calls.
#[derive(Default)]
pub(super) struct FactFinder {
    pub(super) facts: Facts,
    reader: Option<CommandReader>,
}

impl Registry {
    /// Sets how to determine what tool calls mean. By default, tools are recognized by the names that agents give them,
    /// and paths are only cleaned.
    pub fn find_facts_with(&self, facts: Facts) {
        let reader = self.fact_finder.load().reader.clone();
        self.fact_finder.store(Arc::new(FactFinder { facts, reader }));
    }

    /// Sets the parser for the commands of shell tools, for hooks that want them. Without one, the commands are
    /// unknown.
    pub fn read_commands_with(&self, reader: CommandReader) {
        let facts = self.fact_finder.load().facts.clone();
        self.fact_finder.store(Arc::new(FactFinder { facts, reader: Some(reader) }));
    }

    /// Adds the facts of its tool call to an Input, as [`run`](Self::run) does for the hooks that it asks. This is for
    /// programs that ask a hook themselves. `wants_commands` says whether the hook wants the commands of shell tools.
    pub async fn add_facts(&self, input: &mut Input, wants_commands: bool) {
        self.fact_finder.load().add_facts(input, wants_commands).await;
    }
}

impl FactFinder {
    /// Adds the facts of the tool call to an Input that has none yet.
    pub(super) async fn add_facts(&self, input: &mut Input, wants_commands: bool) {
        let Some(mut tool) = self.missing_facts(input, wants_commands) else { return };
        if wants_commands && tool.commands.is_none() {
            self.add_commands(&mut tool).await;
        }
        input.set_facts(tool);
    }

    /// Returns the facts to add. Facts that the caller has given stay as they are, unless a hook wants commands and the
    /// facts have none.
    fn missing_facts(&self, input: &Input, wants_commands: bool) -> Option<Box<Tool>> {
        match &input.tool {
            _ if input.has_facts() => None,
            Some(told) => (wants_commands && told.commands.is_none()).then(|| told.clone()),
            None => self.facts.find(input).map(Box::new),
        }
    }

    /// Adds the commands of a shell text, and the files that these commands name.
    async fn add_commands(&self, tool: &mut Tool) {
        let Some(text) = tool.command.as_deref().or((!tool.shells.is_empty()).then_some("")) else { return };
        let home = self.facts.home();
        let (argv, shells) = (tool.argv.as_deref(), tool.shells.as_slice());
        let text = ShellText { text, argv, shells, home: home.as_deref(), cwd: tool.cwd.as_deref() };
        let Some(reader) = &self.reader else {
            return tool.note_unknown("the commands of the text: nothing was set up to read them");
        };
        match reader.read(text).await {
            Ok(commands) => self.facts.add_commands(tool, commands),
            Err(failure) => tool.note_unknown(format!("the commands of the text: what reads them {failure}")),
        }
    }
}
