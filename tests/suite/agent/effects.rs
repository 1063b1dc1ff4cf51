//! A model of what each agent was observed to do with an answer. Anything else lets the tool run.

use hookbox::agent::Reply;
use serde_json::{Map, Value};

/// The fate of a tool call or a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Runs,
    RunsWith(Value),
    Asks,
    Stopped,
}

/// Returns what the agent does with this reply before a tool with this input.
pub fn before_tool(agent: &str, input: &Value, reply: &Reply) -> Effect {
    let document = document(reply);
    match agent {
        "claude" => claude(reply, document.as_ref()),
        "codex" => codex(reply, document.as_ref()),
        "gemini" => gemini(input, reply, document.as_ref()),
        "copilot" => copilot(reply, document.as_ref()),
        "qwen" => qwen(reply, document.as_ref()),
        "cursor" => cursor(reply, document.as_ref()),
        "droid" => droid(reply, document.as_ref()),
        "cline" => cline(document.as_ref()),
        "opencode" => opencode(input, reply, document.as_ref()),
        _ if reply.status == 2 && !reply.stderr.is_empty() => Effect::Stopped,
        _ => Effect::Runs,
    }
}

/// Returns what the agent does with this reply to a prompt.
pub fn at_prompt(agent: &str, reply: &Reply) -> Effect {
    let document = document(reply);
    let word = |key: &str| document.as_ref().and_then(|document| document.get(key)).and_then(Value::as_str);
    let halts = document.as_ref().is_some_and(|document| document.get("continue") == Some(&Value::Bool(false)));
    let vetoes = reply.status == 2 && !reply.stderr.is_empty();
    let blocks = match agent {
        "gemini" => word("decision") == Some("deny") || halts || vetoes,
        // Exit statuses do not stop anything here.
        "copilot" => word("decision") == Some("block"),
        "qwen" => word("decision") == Some("block") || vetoes,
        "codex" => {
            (word("decision") == Some("block") && word("reason").is_some_and(|text| !text.is_empty()))
                || halts
                || vetoes
        }
        "claude" => word("decision") == Some("block") || halts || vetoes,
        "droid" => word("decision") == Some("block") || vetoes,
        "cursor" => halts || vetoes,
        "cline" => cline(document.as_ref()) == Effect::Stopped,
        "opencode" => reply.status != 0 || word("decision") == Some("deny"),
        _ => vetoes,
    };
    match word("modifiedPrompt").filter(|_| agent == "copilot") {
        _ if blocks => Effect::Stopped,
        Some(text) => Effect::RunsWith(text.into()),
        None => Effect::Runs,
    }
}

/// Parses exactly one JSON object. Everything else is text to every agent.
fn document(reply: &Reply) -> Option<Map<String, Value>> {
    serde_json::from_str(&reply.stdout).ok()
}

fn specific<'d>(document: Option<&'d Map<String, Value>>, event: &str) -> Option<&'d Map<String, Value>> {
    let specific = document?.get("hookSpecificOutput")?.as_object()?;
    (specific.get("hookEventName")?.as_str()? == event).then_some(specific)
}

fn decision(object: Option<&Map<String, Value>>, input: &str) -> Effect {
    let Some(object) = object else { return Effect::Runs };
    if object.get("permissionDecisionReason").is_some_and(|reason| !reason.is_string()) {
        return Effect::Runs;
    }
    match object.get("permissionDecision").and_then(Value::as_str) {
        Some("deny") => Effect::Stopped,
        Some("ask") => Effect::Asks,
        _ => object.get(input).map_or(Effect::Runs, |input| Effect::RunsWith(input.clone())),
    }
}

fn claude(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    if reply.status == 2 {
        return Effect::Stopped;
    }
    decision(specific(document, "PreToolUse"), "updatedInput")
}

fn codex(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    if reply.status != 0 {
        return if reply.status == 2 && !reply.stderr.is_empty() { Effect::Stopped } else { Effect::Runs };
    }
    let Some(specific) = specific(document, "PreToolUse") else { return Effect::Runs };
    let keys: Vec<&str> = specific.keys().map(String::as_str).collect();
    let top: Vec<&str> = document.into_iter().flat_map(Map::keys).map(String::as_str).collect();
    match specific.get("permissionDecision").and_then(Value::as_str) {
        Some("deny") => {
            let has_reason =
                specific.get("permissionDecisionReason").and_then(Value::as_str).is_some_and(|text| !text.is_empty());
            let is_exact = keys == ["hookEventName", "permissionDecision", "permissionDecisionReason"];
            if is_exact && has_reason && top == ["hookSpecificOutput"] { Effect::Stopped } else { Effect::Runs }
        }
        Some("allow") => specific.get("updatedInput").map_or(Effect::Runs, |input| Effect::RunsWith(input.clone())),
        _ => Effect::Runs,
    }
}

fn gemini(input: &Value, reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    let Some(document) = document else {
        return if reply.status > 1 && !reply.stderr.is_empty() { Effect::Stopped } else { Effect::Runs };
    };
    let says = document.get("decision").and_then(Value::as_str);
    if says == Some("deny") || document.get("continue") == Some(&Value::Bool(false)) {
        return Effect::Stopped;
    }
    let new = document.get("hookSpecificOutput").and_then(|specific| specific.get("tool_input"));
    match (new.and_then(Value::as_object), input.as_object()) {
        (Some(new), Some(old)) => {
            let mut merged = old.clone();
            merged.extend(new.clone());
            Effect::RunsWith(merged.into())
        }
        _ => Effect::Runs,
    }
}

fn copilot(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    if reply.status != 0 { Effect::Stopped } else { decision(document, "modifiedArgs") }
}

fn qwen(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    if reply.status == 2 {
        return if reply.stderr.is_empty() { Effect::Runs } else { Effect::Stopped };
    }
    match decision(specific(document, "PreToolUse"), "updatedInput") {
        // The rewrite is never applied.
        Effect::RunsWith(_) => Effect::Runs,
        effect => effect,
    }
}

/// Models Cursor by its documentation, because it could not be driven.
fn cursor(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    let Some(document) = document.filter(|_| reply.status == 0) else {
        return if reply.status == 2 || reply.status == 0 { Effect::Stopped } else { Effect::Runs };
    };
    match document.get("permission").and_then(Value::as_str) {
        Some("deny") => Effect::Stopped,
        // This is accepted, and not enforced.
        Some("ask") => Effect::Runs,
        _ => document.get("updated_input").map_or(Effect::Runs, |input| Effect::RunsWith(input.clone())),
    }
}

/// Models Droid by its documentation, because it could not be driven.
fn droid(reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    if reply.status == 2 { Effect::Stopped } else { decision(specific(document, "PreToolUse"), "updatedInput") }
}

/// Models Cline, for which the exit status does not matter.
fn cline(document: Option<&Map<String, Value>>) -> Effect {
    let Some(document) = document else { return Effect::Runs };
    if document.get("cancel") == Some(&Value::Bool(true)) {
        return Effect::Stopped;
    }
    document.get("overrideInput").map_or(Effect::Runs, |input| Effect::RunsWith(input.clone()))
}

fn opencode(input: &Value, reply: &Reply, document: Option<&Map<String, Value>>) -> Effect {
    let Some(document) = document.filter(|_| reply.status == 0) else { return Effect::Stopped };
    if document.get("decision").and_then(Value::as_str) == Some("deny") {
        return Effect::Stopped;
    }
    match (document.get("merge").and_then(Value::as_object), input.as_object()) {
        (Some(new), Some(old)) => {
            let mut merged = old.clone();
            merged.extend(new.clone());
            Effect::RunsWith(merged.into())
        }
        _ => Effect::Runs,
    }
}
