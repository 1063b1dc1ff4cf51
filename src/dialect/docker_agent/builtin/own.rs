//! Builtins in a chain of hookbox's own.

use super::HookTypes;
use crate::protocol::{Action, Answer, Event, Failure, Input};
use crate::runtime::{Caller, Hook, HookInfo};
use async_trait::async_trait;
use std::sync::Arc;

/// Where text for the model is of use.
const CONTEXT: &[Event] = &[Event::SessionStart, Event::TurnStart, Event::PreMessage, Event::PreCompact];

/// The events on which a builtin does something; `None` if there is no such builtin.
fn useful_on(name: &str) -> Option<&'static [Event]> {
    Some(match name {
        "add_date" | "add_environment_info" | "add_prompt_files" | "add_directory_listing" | "add_user_info"
        | "add_git_status" | "add_git_diff" | "add_recent_commits" => CONTEXT,
        "limit_large_tool_results" => &[Event::ToolResponseTransform, Event::SessionEnd],
        "max_iterations" => &[Event::BeforeLlmCall],
        "redact_secrets" => {
            &[Event::PreTool, Event::ToolInputTransform, Event::BeforeLlmCall, Event::ToolResponseTransform]
        }
        "cache_response" => &[Event::PostMessage],
        "snapshot" => &[
            Event::SessionStart,
            Event::TurnStart,
            Event::PreTool,
            Event::PostTool,
            Event::TurnEnd,
            Event::SessionEnd,
        ],
        "unload" => &[Event::AgentSwitch],
        "http_post" => Event::ALL,
        _ => return None,
    })
}

/// A builtin as a hook of hookbox's own config.
///
/// # Errors
/// There is no such builtin, or it has nothing to do on one of the hook's events.
pub(in crate::dialect) fn hook(name: &str, args: Vec<String>, info: HookInfo) -> Result<Arc<dyn Hook>, String> {
    let types = HookTypes::default();
    let useful = useful_on(name).filter(|_| types.has_builtin(name));
    let useful = useful.ok_or_else(|| format!("names the builtin {name:?}, which this hookbox does not have"))?;
    if let Some((event, _)) = info.events.iter().find(|(event, _)| !useful.contains(event)) {
        let events: Vec<&str> = useful.iter().map(|event| event.as_str()).collect();
        return Err(format!("names the builtin {name:?}, which does nothing on {event}: it is for {}", events.join(", ")));
    }
    Ok(Arc::new(BuiltinHook { name: name.to_owned(), args, info, types }))
}

struct BuiltinHook {
    name: String,
    args: Vec<String>,
    info: HookInfo,
    types: HookTypes,
}

#[async_trait]
impl Hook for BuiltinHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.answer(input, &Caller::default()).await.result
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        let answered = self.types.ask(&self.name, input, &self.args, caller).await;
        answered.map(Option::unwrap_or_default).map_err(Failure::failed).into()
    }
}
