//! A small agent that asks hookbox at every point of its loop.
//!
//! ```sh
//! cargo run --example agent -- examples/demo/hooks.toml
//! ```
//!
//! Its model is a script, so it needs no network. It has two tools: `read` reads files, and `bash` only prints what it
//! would run, so that running this example with hooks missing cannot delete anyone's home directory. It adds three
//! hooks to those of the config, one for each event that the config does not use.

#![allow(clippy::print_stdout, reason = "it is a program for a terminal")]

use hookbox::{
    Action, Event, HookInfo, Host, Input, Mode, NativeHook, Outcome, RegisterError, Registry, ToolResult, Verdict,
};
use serde::Deserialize;
use std::error::Error;

/// The model's calls: tool and input.
const SCRIPT: [(&str, &str); 4] = [
    ("read", r#"{"path":"rust-toolchain.toml"}"#),
    ("read", r#"{"path":".env"}"#),
    ("bash", r#"{"command":"rm -rf ~"}"#),
    ("bash", r#"{"command":"git push --force origin feature"}"#),
];

/// How much of a tool's result the model sees, in characters.
const MAX_RESULT: usize = 30;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Components are compiled in a separate process, which runs this program too.
    hookbox::runtime::component::serve_if_asked();
    let mut host = Host::new(std::env::current_dir()?, std::env::vars_os());
    for file in std::env::args_os().skip(1) {
        host = host.file(file);
    }
    let hooks = host.load()?;
    for problem in &hooks.problems {
        println!("config: {problem}");
    }
    add_own_hooks(&hooks.registry)?;

    let sent = hooks.registry.run_pre(Input::pre_message("publish my branch")).await;
    let Some(message) = permitted(&sent).and_then(|input| input.message.as_deref()) else {
        println!("user: (not sent)");
        hooks.registry.close().await;
        return Ok(());
    };
    println!("user: {message}");
    for addition in &sent.system_prompt_additions {
        println!("system: {addition}");
    }
    for (tool, tool_input) in SCRIPT {
        println!("model: {tool} {tool_input}");
        let result = call_tool(&hooks.registry, tool, tool_input).await?;
        println!("tool: {}", result.content);
    }
    hooks.registry.run_post(Input::post_message("done")).await;
    hooks.registry.close().await;
    Ok(())
}

fn add_own_hooks(registry: &Registry) -> Result<(), RegisterError> {
    registry.register(NativeHook::new("house-rules", [Event::PreMessage], |_| {
        Ok(Action::allow().with_system_prompt("Never push to main."))
    }))?;
    registry.register(NativeHook::new("shorten", [Event::PostTool], |input| {
        Ok(match &input.tool_result {
            Some(result) if result.content.chars().count() > MAX_RESULT => Action::modify_tool_result(ToolResult {
                content: result.content.chars().take(MAX_RESULT).chain(['…']).collect(),
                ..result.clone()
            }),
            _ => Action::allow(),
        })
    }))?;
    let mut log = HookInfo::new("log", []);
    log.events = vec![(Event::PostMessage, Mode::Async)];
    registry.register(NativeHook::with_info(log, |input| {
        println!("log: {}", input.message.as_deref().unwrap_or_default());
        Ok(Action::allow())
    }))
}

/// Sends a tool call through the hooks: they are asked about it, it runs with any changes they made, and the result is
/// shown with any changes they made.
async fn call_tool(registry: &Registry, tool: &str, tool_input: &str) -> Result<ToolResult, Box<dyn Error>> {
    let before = registry.run_pre(Input::pre_tool(tool, tool_input)?).await;
    for warning in &before.warnings {
        println!("warning: {}", warning.message);
    }
    let Some(input) = permitted(&before) else {
        let reason = before.reason.as_deref().unwrap_or("no reason given");
        let by = before.denied_by.as_deref().or(before.asked_by.as_deref()).unwrap_or_default();
        return Ok(ToolResult { is_error: true, content: format!("hook {by:?} denied tool call: {reason}") });
    };
    let result = match run_tool(input) {
        Ok(content) => ToolResult { is_error: false, content },
        Err(error) => ToolResult { is_error: true, content: error.to_string() },
    };
    let after = registry.run_post(input.clone().into_post_tool(result)).await;
    after.input.and_then(|input| input.tool_result).ok_or_else(|| "the result is gone".into())
}

/// The Input, if it is allowed. There is no user to ask here, so an ask counts as a deny.
fn permitted(outcome: &Outcome) -> Option<&Input> {
    outcome.input.as_deref().filter(|_| outcome.verdict == Verdict::Allow)
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Arguments {
    path: String,
    command: String,
}

fn run_tool(input: &Input) -> Result<String, Box<dyn Error>> {
    let arguments: Arguments = input.tool_input.as_ref().ok_or("a tool call without input")?.to()?;
    match input.tool_name.as_deref() {
        Some("read") => Ok(std::fs::read_to_string(&arguments.path)?.replace('\n', " ")),
        Some("bash") => Ok(format!("would run: {}", arguments.command)),
        _ => Err("no such tool".into()),
    }
}
