//! Events that hookbox does not know, and new keys in events that it knows.
//!
//! An agent that renames an event, or adds one, must not bypass the hooks: an unknown event with a tool call in it, and
//! without a result, is judged as `pre_tool`. How the agent spells the call is not known either, so keys are recognized
//! by the words in them.

use super::call::Call;
use super::capabilities::Capabilities;
use super::payload::{Payload, unwrapped};
use super::shared;
use crate::protocol::{Event, Input, InputError, Json, Member, members};
use serde_json::value::RawValue;

/// What every agent understands in answer to an unknown event: to stop.
pub(super) const CAPABILITIES: Capabilities = Capabilities { deny: true, ..Capabilities::NONE };

/// The members of known events, in plain letters, that are no part of a call: how Gemini CLI starts the server of a tool,
/// and the settings of Cursor's model.
const BESIDE_A_CALL: [&str; 2] = ["mcpcontext", "modelparams"];

/// Reads an event that hookbox does not know, or that has no name.
///
/// # Errors
/// Returns an error if the tool's name or its input does not have the expected form, or if [`Found::find`] fails.
pub(super) fn read(payload: &Payload<'_>, agent: &str, name: impl Into<String>) -> Result<Call, InputError> {
    let name = name.into();
    let Some(found) = Found::find(payload.members())? else { return Ok(Call::unjudged(name)) };
    let mut input = Input::new(Event::PreTool);
    input.tool_name = Some(found.name()?);
    input.tool_input = Some(unwrapped(found.input)?);
    let hint = |keys: &[&str]| keys.iter().find_map(|key| payload.hint(key));
    input.session_id = hint(&["session_id", "sessionId", "conversation_id", "taskId"]);
    let root = || payload.first("workspace_roots").or_else(|| payload.first("workspaceRoots"));
    input.pwd = hint(&["cwd", "directory"]).or_else(root);
    shared::mark(&mut input, agent, &name);
    Ok(Call { input: Some(input), is_unknown_event: true, ..Call::unjudged(name) })
}

/// Adds the parts of the tool call that the Input lacks because they have new keys, if the agent is about to run the
/// tool.
///
/// # Errors
/// Returns an error if the tool's name or its input does not have the expected form, or if [`Found::find`] fails.
pub(super) fn complete(payload: &Payload<'_>, input: &mut Input) -> Result<(), InputError> {
    let is_before_tool = matches!(input.event, Event::PreTool | Event::PermissionRequest);
    if !is_before_tool || input.tool_name.is_some() && input.tool_input.is_some() {
        return Ok(());
    }
    // A tool without arguments may have no input at all.
    let is_beside = |key: &str| input.tool_name.is_some() && BESIDE_A_CALL.contains(&plain(key).as_str());
    let of_call: Vec<Member<'_>> = payload.members().iter().filter(|(key, _)| !is_beside(key)).cloned().collect();
    let Some(found) = Found::find(&of_call)? else { return Ok(()) };
    let name = found.name()?;
    // The payload may also describe another tool.
    if input.tool_name.as_ref().is_none_or(|known| *known == name) {
        input.tool_name = Some(name);
        if input.tool_input.is_none() {
            input.tool_input = Some(unwrapped(found.input)?);
        }
    }
    Ok(())
}

/// A tool call somewhere in a payload.
struct Found {
    tool: Json,
    input: Json,
}

impl Found {
    /// Looks at the payload's members, and at the members of those that are objects.
    ///
    /// # Errors
    /// Returns an error if there is a list of calls, or an input without its tool: they cannot be judged as one call.
    fn find(payload: &[Member<'_>]) -> Result<Option<Self>, InputError> {
        // Cline sends each call twice: as `tool_call`, and again with its arguments as texts.
        let (calls, others): (Vec<_>, Vec<_>) = payload.iter().partition(|(key, _)| plain(key).contains("call"));
        let nested = calls.into_iter().chain(others).filter_map(|(_, raw)| members(raw));
        let objects: Vec<Vec<Member<'_>>> = std::iter::once(payload.to_vec()).chain(nested).collect();
        // The model chooses the keys in a tool's input, so none of them shows that the tool has run.
        let outside = payload.iter().filter(|(key, _)| !is_input_key(key));
        let mut nested = outside.filter_map(|(_, raw)| members(raw)).flatten();
        if payload.iter().any(is_result) || nested.any(|member| is_result(&member)) {
            return Ok(None);
        }
        if payload.iter().any(has_calls) {
            return Err(InputError::shape("the payload has a list of tool calls under a key that is not known"));
        }
        // In a nested object that also has an input, the tool's name may be under `name`.
        let of_one =
            |(place, object): (usize, &Vec<Member<'_>>)| Some((tool(object, place > 0)?, input(object, place > 0)?));
        let of_several = || {
            Some((
                objects.iter().find_map(|object| tool(object, false))?,
                objects.iter().find_map(|object| input(object, false))?,
            ))
        };
        let found = objects.iter().enumerate().find_map(of_one).or_else(of_several);
        let is_tool_input =
            |(key, raw): &Member<'_>| plain(key).starts_with("tool") && is_input_key(key) && is_filled(raw);
        if found.is_none() && payload.iter().any(is_tool_input) {
            return Err(InputError::shape("the payload has a tool's input without the tool's name"));
        }
        Ok(found.map(|(tool, input)| Found { tool, input }))
    }

    fn name(&self) -> Result<String, InputError> {
        self.tool.to().map_err(|_| InputError::shape("the tool's name is not a text"))
    }
}

/// Returns a tool's name. `takes_name` says whether the key `name` counts as well.
fn tool(object: &[Member<'_>], takes_name: bool) -> Option<Json> {
    // A payload may have several of these keys, so the most specific one comes first.
    let mut keys = ["toolname", "tool", "name", "toolid"].into_iter().filter(|key| takes_name || *key != "name");
    let found = keys.find_map(|known| object.iter().find(|(key, raw)| plain(key) == known && is_filled(raw)));
    found.map(|(_, raw)| Json::checked(raw))
}

/// Returns a tool's input.
fn input(object: &[Member<'_>], takes_name: bool) -> Option<Json> {
    // OpenCode puts the tool's name into an object called `input`, and the tool's input elsewhere. Beside a tool's name,
    // such an object is the tool's input, even if the model put a `tool` into it.
    let has_tool = tool(object, takes_name).is_some();
    let is_call = |key: &str, raw: &RawValue| {
        !has_tool && key == "input" && members(raw).is_some_and(|object| tool(&object, false).is_some())
    };
    let inputs = object.iter().filter(|(key, raw)| is_input_key(key) && is_filled(raw) && !is_call(key, raw));
    // The key of another member may contain such a word, too, such as Cursor's `model_params`.
    let found = inputs.min_by_key(|(key, _)| !is_usual_input_key(key));
    found.map(|(_, raw)| Json::checked(raw))
}

fn is_usual_input_key(key: &str) -> bool {
    let key = plain(key);
    let word = key.strip_prefix("tool").unwrap_or(&key);
    matches!(word, "input" | "args" | "arguments" | "params" | "parameters")
}

fn is_input_key(key: &str) -> bool {
    let key = plain(key);
    ["input", "args", "argument", "param"].iter().any(|word| key.contains(word))
}

/// Whether a member is a list of tool calls that have no results yet.
fn has_calls((key, raw): &Member<'_>) -> bool {
    let key = plain(key);
    let whole = |object: &Vec<Member<'_>>| tool(object, true).is_some() && input(object, true).is_some();
    let is_call = |item: &&RawValue| {
        members(item).is_some_and(|object| {
            let inner = || object.iter().filter_map(|(_, raw)| members(raw)).any(|inner| whole(&inner));
            !object.iter().any(is_result) && (whole(&object) || inner())
        })
    };
    (key.contains("call") || key.contains("tooluse"))
        && serde_json::from_str::<Vec<&RawValue>>(raw.get()).is_ok_and(|items| items.iter().any(is_call))
}

/// Whether a member is what a tool returned.
pub(super) fn is_result((key, raw): &Member<'_>) -> bool {
    let key = plain(key);
    let is = ["result", "response", "error"].iter().any(|word| key.contains(word)) || key.ends_with("output");
    // OpenCode uses `output` for what a hook may change, also before a tool.
    is && is_filled(raw) && members(raw).is_none_or(|object| input(&object, false).is_none())
}

/// Whether a value is an object, or a text or a list that is not empty.
fn is_filled(raw: &RawValue) -> bool {
    raw.get().starts_with(['"', '[', '{']) && !matches!(raw.get(), "\"\"" | "[]")
}

/// Returns a key in lower case and without what separates its words.
fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
