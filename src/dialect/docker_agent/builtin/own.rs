//! Builtins in a chain of hookbox's own.

use super::{HookTypes, add_context, safer_shell, wants_commands};
use crate::protocol::{Action, Answer, Event, Failure, Input};
use crate::runtime::{Caller, Hook, HookInfo};
use async_trait::async_trait;
use std::sync::Arc;

/// The events on which text for the model is of use.
const CONTEXT: &[Event] = &[Event::SessionStart, Event::TurnStart, Event::PreMessage, Event::PreCompact];

/// The builtins whose answer depends on the Input alone. They are asked again about what a later hook changes.
const PURE: [&str; 2] = ["redact_secrets", safer_shell::NAME];

/// Returns the events on which a builtin does something. `None` if there is no such builtin.
fn useful_on(name: &str) -> Option<&'static [Event]> {
    Some(match name {
        "add_date"
        | "add_environment_info"
        | "add_prompt_files"
        | "add_directory_listing"
        | "add_user_info"
        | "add_git_status"
        | "add_git_diff"
        | "add_recent_commits"
        | add_context::NAME => CONTEXT,
        safer_shell::NAME => &[Event::PreTool],
        "limit_large_tool_results" => &[Event::ToolResponseTransform, Event::SessionEnd],
        "max_iterations" => &[Event::BeforeLlmCall],
        "redact_secrets" => {
            &[Event::PreTool, Event::ToolInputTransform, Event::BeforeLlmCall, Event::ToolResponseTransform]
        }
        "cache_response" => &[Event::PostMessage],
        "snapshot" => {
            &[Event::SessionStart, Event::TurnStart, Event::PreTool, Event::PostTool, Event::TurnEnd, Event::SessionEnd]
        }
        "unload" => &[Event::AgentSwitch],
        "http_post" => Event::ALL,
        _ => return None,
    })
}

/// Checks that the builtin can do something with these arguments. In docker-agent, a builtin that cannot has no effect.
/// In a config of hookbox's own, that can only be a mistake.
fn check(name: &str, args: &[String]) -> Result<(), String> {
    let needs = |is_there: bool, what: &str| if is_there { Ok(()) } else { Err(format!("it needs {what} in `args`")) };
    match name {
        add_context::NAME => add_context::check(args),
        safer_shell::NAME => safer_shell::check(args),
        "add_prompt_files" => needs(!args.is_empty(), "the names of files"),
        "max_iterations" => {
            let limit = args.first().and_then(|limit| limit.parse::<i64>().ok());
            needs(limit.is_some_and(|limit| limit > 0), "a whole number above zero")
        }
        "http_post" => needs(args.first().is_some_and(|url| !url.is_empty()), "a URL"),
        "cache_response" => needs(args.iter().any(|arg| arg.len() > 5 && arg.starts_with("path=")), "`path=FILE`"),
        _ => Ok(()),
    }
}

/// Makes a hook of hookbox's own config from a builtin.
///
/// # Errors
/// Returns an error if there is no such builtin, or if it has nothing to do on one of the hook's events or with these
/// arguments.
pub(in crate::dialect) fn hook(name: &str, args: Vec<String>, mut info: HookInfo) -> Result<Arc<dyn Hook>, String> {
    let types = HookTypes::default();
    let useful = useful_on(name).filter(|_| types.has_builtin(name));
    let useful = useful.ok_or_else(|| format!("names the builtin {name:?}, which this hookbox does not have"))?;
    if let Some((event, _)) = info.events.iter().find(|(event, _)| !useful.contains(event)) {
        let events: Vec<&str> = useful.iter().map(|event| event.as_str()).collect();
        return Err(format!(
            "names the builtin {name:?}, which does nothing on {event}: it is for {}",
            events.join(", ")
        ));
    }
    check(name, &args).map_err(|why| format!("names the builtin {name:?}: {why}"))?;
    info.wants_commands |= wants_commands(name);
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

    fn is_pure(&self) -> bool {
        PURE.contains(&self.name.as_str())
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.answer(input, &Caller::default()).await.result
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        let answered = self.types.ask(&self.name, input, &self.args, caller).await;
        answered.map(Option::unwrap_or_default).map_err(Failure::failed).into()
    }
}
