//! The rule itself: no shell command may remove the root or overwrite what others have pushed.

use memchr::memmem;
use serde::{Deserialize, Serialize};

/// What no command may hold.
const FORBIDDEN: [&str; 3] = ["rm -rf /", "git push --force", "mkfs."];

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    tool_name: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    tool_input: Option<ToolInput<'a>>,
}

#[derive(Deserialize)]
struct ToolInput<'a> {
    #[serde(borrow)]
    command: Option<std::borrow::Cow<'a, str>>,
}

#[derive(Serialize)]
struct Action {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Judges an Input in JSON and gives back an Action in JSON.
pub(crate) fn judge(input: &str) -> Result<String, String> {
    let input: Input = serde_json::from_str(input).map_err(|error| error.to_string())?;
    let command = match (input.tool_name.as_deref(), input.tool_input) {
        (Some("bash"), Some(ToolInput { command: Some(command) })) => command,
        _ => return answer("allow", None),
    };
    match FORBIDDEN.iter().find(|words| memmem::find(command.as_bytes(), words.as_bytes()).is_some()) {
        Some(words) => answer("deny", Some(format!("`{words}` is not allowed here"))),
        None => answer("allow", None),
    }
}

fn answer(decision: &'static str, reason: Option<String>) -> Result<String, String> {
    serde_json::to_string(&Action { decision, reason }).map_err(|error| error.to_string())
}
