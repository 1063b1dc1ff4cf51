//! The tools of MCP servers, as agents name them.

use crate::protocol::Input;
use serde::Deserialize;

/// A tool of an MCP server.
pub(super) struct McpTool {
    /// The server's name; `None` if the agent's spelling does not show where it ends.
    pub(super) server: Option<String>,
    pub(super) tool: String,
}

/// The server that Claude Code sends beside the tool's name.
#[derive(Deserialize)]
struct Server {
    name: String,
}

/// The names that Gemini CLI sends beside the tool's name.
#[derive(Deserialize)]
struct Context {
    server_name: String,
    tool_name: String,
}

/// Returns the server and the tool that a name means; `None` if the name does not certainly belong to a server.
pub(super) fn split(agent: Option<&str>, name: &str, input: &Input) -> Option<McpTool> {
    let of = |server: &str, tool: &str| {
        let is_named = !server.is_empty() && !tool.is_empty();
        is_named.then(|| McpTool { server: Some(server.to_owned()), tool: tool.to_owned() })
    };
    // Claude Code names the server beside the tool.
    if let Some(server) = input.extra("mcp_server").and_then(|server| server.to::<Server>().ok())
        && let Some(tool) = name.strip_prefix("mcp__").and_then(|rest| rest.strip_prefix(&server.name))
    {
        return of(&server.name, tool.strip_prefix("__")?);
    }
    if let Some(context) = input.extra("mcp_context").and_then(|context| context.to::<Context>().ok()) {
        return of(&context.server_name, &context.tool_name);
    }
    let unknown = |tool: &str| Some(McpTool { server: None, tool: tool.to_owned() });
    if let Some(rest) = name.strip_prefix("mcp__") {
        // Both names may contain `__`, and then it is not known where the server's name ends.
        return match rest.matches("__").count() {
            1 => rest.split_once("__").and_then(|(server, tool)| of(server, tool)).or_else(|| unknown(rest)),
            0 => unknown(rest),
            _ if rest.starts_with("plugin_") => rest.rsplit_once("__").and_then(|(server, tool)| of(server, tool)),
            _ => unknown(rest),
        };
    }
    if let Some(rest) = name.strip_prefix("mcp_") {
        return match rest.matches('_').count() {
            1 => rest.split_once('_').and_then(|(server, tool)| of(server, tool)).or_else(|| unknown(rest)),
            _ => unknown(rest),
        };
    }
    if let Some(rest) = name.strip_prefix("MCP:") {
        return unknown(rest);
    }
    let separator = match agent? {
        "copilot" if name.contains('/') => "/",
        "copilot" => "-",
        "cline" | "goose" => "__",
        "opencode" => "_",
        _ => return None,
    };
    // If the name has several separators, any of them may be the right one.
    match name.matches(separator).count() {
        0 => None,
        1 => name.split_once(separator).and_then(|(server, tool)| of(server, tool)),
        _ => unknown(name),
    }
}
