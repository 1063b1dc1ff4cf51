//! docker-agent's own options that add hooks.

use clap::Args;
use hookbox::Event;

/// Commands that run as hooks. Help leaves them out: they concern one dialect, whose page has them.
#[derive(Args, Clone, Default, PartialEq, Eq)]
pub(super) struct GivenHooks {
    /// Run this command before each tool call; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_pre_tool_use: Vec<String>,

    /// Run this command after each tool call; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_post_tool_use: Vec<String>,

    /// Run this command when a session starts; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_session_start: Vec<String>,

    /// Run this command when a session has ended; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_session_end: Vec<String>,

    /// Run this command when the agent waits for the user; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_on_user_input: Vec<String>,

    /// Run this command when the agent has answered; may be given again
    #[arg(long, value_name = "COMMAND", requires = "dialect", hide = true)]
    hook_stop: Vec<String>,
}

impl GivenHooks {
    /// Returns the commands, each with its event.
    pub(super) fn hooks(&self) -> Vec<(Event, String)> {
        let lists = [
            (Event::PreTool, &self.hook_pre_tool_use),
            (Event::PostTool, &self.hook_post_tool_use),
            (Event::SessionStart, &self.hook_session_start),
            (Event::SessionEnd, &self.hook_session_end),
            (Event::UserInput, &self.hook_on_user_input),
            (Event::PostMessage, &self.hook_stop),
        ];
        let pairs = lists.into_iter().flat_map(|(event, list)| list.iter().map(move |command| (event, command)));
        pairs.map(|(event, command)| (event, command.clone())).collect()
    }
}
