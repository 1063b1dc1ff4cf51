//! `hookbox hook --explain`: shows a person how a payload was understood, which hooks were asked, and what the agent
//! would get.

use super::render::printable_line;
use super::{print_line, render};
use hookbox::agent::{Agent, Call, Plan, Reply};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Input, Outcome, Tool};
use std::borrow::Cow;

/// The maximum length of a command or text that is shown, in characters.
const MAX_SHOWN: usize = 400;

pub(super) fn print(agent: &dyn Agent, call: &Call, outcome: Option<&Outcome>, plan: &Plan, reply: &Reply) {
    row("agent", agent.title());
    match &call.input {
        Some(input) => {
            row("event", &format!("{} ({})", call.event, input.event));
            if let Some(tool) = &input.tool_name {
                row("tool", tool);
            }
            let seen = outcome.and_then(|outcome| outcome.input.as_deref()).unwrap_or(input);
            if let Some(tool) = facts(seen) {
                print_facts(&tool);
            }
        }
        None => row("event", &format!("{}, which is not judged", call.event)),
    }
    row("asks", if call.is_attended { "a person can be asked" } else { "no one can be asked" });
    for hook in outcome.iter().flat_map(|outcome| &outcome.hooks) {
        let reason = hook.action.reason.as_deref().or(hook.failure.as_ref().map(|failure| failure.message.as_str()));
        row("hook", &format!("{}: {} {}", hook.name, hook.decision, reason.unwrap_or_default()));
    }
    for warning in outcome.iter().flat_map(|outcome| &outcome.warnings) {
        render::warning(warning.code, &warning.message);
    }
    for message in outcome.iter().flat_map(|outcome| &outcome.system_messages) {
        row("message", message);
    }
    if let Some(outcome) = outcome {
        row("verdict", &format!("{} {}", outcome.verdict, outcome.reason.as_deref().unwrap_or_default()));
    }
    for loss in &plan.losses {
        row("lost", loss.meaning());
    }
    row("stdout", &reply.stdout);
    row("stderr", &reply.stderr);
    row("status", &reply.status.to_string());
}

/// Prints a value with its name. Further lines of the value are indented, so that they cannot be taken for other rows.
pub(super) fn row(name: &str, value: &str) {
    print_line(format!("{name:<9} {}", value.trim_end().replace('\n', "\n          ")).trim_end());
}

/// Returns what the call means, as hooks saw it or would have seen it.
fn facts(input: &Input) -> Option<Cow<'_, Tool>> {
    let found = || {
        let mut scene = Scene::new(std::env::current_dir().ok()?);
        if let Some(home) = std::env::var_os("HOME") {
            scene = scene.with_home(home);
        }
        Facts::new(scene, Tools::default()).find(input)
    };
    input.facts().map(Cow::Borrowed).or_else(|| found().map(Cow::Owned))
}

fn print_facts(tool: &Tool) {
    let text = |name: &str, value: &str| {
        let shown: String = value.chars().take(MAX_SHOWN).collect();
        let more = if shown.len() < value.len() { "…" } else { "" };
        row(name, &format!("{}{more}", printable_line(&shown)));
    };
    row("kind", tool.kind.as_str());
    for (name, value) in [("server", &tool.server), ("command", &tool.command), ("cwd", &tool.cwd)] {
        if let Some(value) = value {
            text(name, value);
        }
    }
    for path in &tool.paths {
        let real = path.real.as_ref().filter(|real| **real != path.path);
        let leads = real.map(|real| format!(", which is {real}")).unwrap_or_default();
        let name = if path.certain { "path" } else { "may be path" };
        text(name, &format!("{} {}{leads} ({})", path.access, path.path, path.place));
    }
    for added in &tool.added_text {
        text("adds", added);
    }
    for url in &tool.urls {
        text("url", url);
    }
    for what in &tool.unknown {
        text("unknown", what);
    }
}
