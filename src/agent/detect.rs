//! Recognition of the agent that a payload comes from.

use super::payload::Payload;
use super::{Agent, Environment, Reply, claude, cline, codex, copilot, cursor, droid, gemini, generic, opencode, qwen};

/// Gemini's own event names, which no other agent has.
const GEMINI: [&str; 8] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

/// Droid's modes.
const DROID: [&str; 5] = ["off", "spec", "auto-low", "auto-medium", "auto-high"];

/// Qwen Code's modes that no other agent has.
const QWEN: [&str; 2] = ["auto-edit", "yolo"];

/// The directories in which agents keep their transcripts.
const HOMES: [(&str, &dyn Agent); 6] = [
    ("/.claude/", &claude::Claude),
    ("/.codex/", &codex::Codex),
    ("/.copilot/", &copilot::Copilot),
    ("/.factory/", &droid::Droid),
    ("/.gemini/", &gemini::Gemini),
    ("/.qwen/", &qwen::Qwen),
];

/// Tools that only one of the agents that send `PreToolUse` has.
const TOOLS: [(&[&str], &dyn Agent); 2] = [
    (&["ApplyPatch", "Execute", "FetchUrl"], &droid::Droid),
    (&["list_directory", "read_file", "read_many_files", "run_shell_command", "write_file"], &qwen::Qwen),
];

/// The variables that each agent sets for its hooks. An agent that another agent started passes on that agent's
/// variables, so they only decide if payloads are alike.
const VARIABLES: [(&str, &dyn Agent); 5] = [
    ("COPILOT_CLI", &copilot::Copilot),
    ("QWEN_PROJECT_DIR", &qwen::Qwen),
    ("GEMINI_SESSION_ID", &gemini::Gemini),
    ("FACTORY_PROJECT_DIR", &droid::Droid),
    ("CLAUDECODE", &claude::Claude),
];

/// Returns the agent that sent this payload, as far as the payload and the environment reveal it. In doubt, returns the
/// generic agent, whose replies all agents with Claude Code's hooks understand.
#[must_use]
pub fn detect(payload: &[u8], environment: &Environment) -> &'static dyn Agent {
    recognized(payload).unwrap_or_else(|| by_environment(environment))
}

/// Returns the strictest reply to a payload of an unknown agent. If the payload reveals the agent, that agent's own
/// veto is returned; otherwise one that each agent takes for a deny before a tool. The environment does not count,
/// because another agent may have set it.
#[must_use]
pub fn veto_for_all(payload: &[u8], reason: &str) -> Reply {
    recognized(payload).map_or_else(|| Reply::for_all(reason), |agent| agent.veto(reason))
}

/// Returns the only agent that this payload can be from, if there is one.
fn recognized(payload: &[u8]) -> Option<&'static dyn Agent> {
    let payload = Payload::read(payload).ok()?;
    let has = |key| payload.has(key);
    let event = payload.hint("hook_event_name");
    let mode = payload.hint("permission_mode");
    let transcript = payload.hint("transcript_path").and_then(|path| by_transcript(&path));
    let tool = payload.hint("tool_name").and_then(|tool| by_tool(&tool));
    let agent: &'static dyn Agent = match &event {
        _ if has("clineVersion") => &cline::Cline,
        _ if has("cursor_version") || has("conversation_id") => &cursor::Cursor,
        None if has("sessionId") => &copilot::Copilot,
        None if has("event") && has("output") => &opencode::OpenCode,
        None => return None,
        Some(event) if GEMINI.contains(&event.as_str()) => &gemini::Gemini,
        Some(_) if mode.as_deref().is_some_and(|mode| DROID.contains(&mode)) => &droid::Droid,
        Some(_) if has("tool_call_id") => &qwen::Qwen,
        Some(_) if has("turn_id") => &codex::Codex,
        Some(_) if transcript.is_some() => return transcript,
        Some(_) if mode.is_some() && has("timestamp") => &qwen::Qwen,
        Some(_) if has("model") && mode.is_some() => &codex::Codex,
        Some(_) if has("tool_result") || (has("timestamp") && !has("transcript_path")) => &copilot::Copilot,
        Some(_) if mode.as_deref().is_some_and(|mode| QWEN.contains(&mode)) => &qwen::Qwen,
        Some(_) if tool.is_some() => return tool,
        Some(_) if has("prompt_id") => &claude::Claude,
        Some(_) => return None,
    };
    Some(agent)
}

/// Returns the agent in whose directory a transcript is: the outermost one, since projects may have any name.
fn by_transcript(path: &str) -> Option<&'static dyn Agent> {
    let places = HOMES.iter().filter_map(|(home, agent)| Some((path.find(home)?, *agent)));
    places.min_by_key(|(at, _)| *at).map(|(_, agent)| agent)
}

fn by_tool(name: &str) -> Option<&'static dyn Agent> {
    TOOLS.iter().find(|(tools, _)| tools.contains(&name)).map(|(_, agent)| *agent)
}

fn by_environment(environment: &Environment) -> &'static dyn Agent {
    let known = VARIABLES.iter().find(|(variable, _)| environment.get(variable).is_some());
    known.map_or(&generic::Generic, |(_, agent)| *agent)
}
