//! Agents that call hookbox as their hook command.
//!
//! Each agent has its own format for events and understands different answers: what one takes for a deny, another
//! drops, and the tool runs. [`Agent::decode`] reads a payload as a [`Call`], whose Input the hooks judge. [`plan`]
//! determines how much of their Outcome the agent can be told and makes the rest stricter, never more lenient.
//! [`Agent::encode`] spells the [`Plan`] as a [`Reply`].
//!
//! Each agent is a folder with the same files: `payload`, `reply`, `capabilities` and `settings`. Its line in [`all`]
//! registers it.

mod call;
mod capabilities;
mod claude;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod detect;
mod droid;
mod gemini;
mod generic;
mod loading;
mod opencode;
mod payload;
mod plan;
mod qwen;
mod repaired;
mod reply;
mod result;
mod settings;
mod shared;
mod unknown;

pub use call::{Call, Environment};
pub use capabilities::{Asking, Capabilities, Hole, Rewriting};
pub use detect::{detect, veto_for_all};
pub use loading::{Kind, Refusal};
pub use plan::{Loss, Plan, Say, plan};
pub use repaired::repaired;
pub use reply::Reply;
pub use settings::{COMMAND, Entries, Flaw, HttpHooks, Member, OtherFile, OwnFile, Precedence, Settings, Switches};

use crate::protocol::{Event, InputError, Outcome};
use std::fmt::Debug;

/// The largest payload, in bytes. After a tool, it contains what the tool read or wrote, perhaps twice.
pub const MAX_PAYLOAD_BYTES: usize = 16 << 20;

/// A tool that no agent has, and whose calls `hookbox hook` always denies: used to test whether a deny arrives.
pub const CANARY_TOOL: &str = "hookbox-canary";

/// An agent's protocol.
pub trait Agent: Debug + Send + Sync {
    /// Returns the name in commands, such as `claude`.
    fn name(&self) -> &'static str;

    /// Returns the name for people, such as `Claude Code`.
    fn title(&self) -> &'static str;

    /// Returns the program's name in `PATH`.
    fn program(&self) -> Option<&'static str> {
        Some(self.name())
    }

    /// Returns the agent's events that hookbox knows, each with hookbox's name for it.
    fn events(&self) -> &'static [(&'static str, Event)] {
        shared::EVENTS
    }

    /// Returns hookbox's name for one of the agent's events, or `None` if hookbox does not know the event.
    fn event(&self, name: &str) -> Option<Event> {
        shared::event_of(self.events(), name)
    }

    /// Returns the payload that the agent would send before a call of this tool, for testing its hook.
    fn sample(&self, tool: &str) -> String {
        shared::sample("hook_event_name", "PreToolUse", "tool_name", tool)
    }

    /// Returns the agent that really sent a payload, if another agent runs the hooks in this agent's settings.
    fn sender(&self, _payload: &[u8], _environment: &Environment) -> Option<&'static dyn Agent> {
        None
    }

    /// Reads a payload of at most [`MAX_PAYLOAD_BYTES`].
    ///
    /// # Errors
    /// Returns an error if the payload is not strict JSON or not in the agent's format. Reply with
    /// [`veto`](Agent::veto).
    fn decode(&self, payload: &[u8], environment: &Environment) -> Result<Call, InputError>;

    /// Returns what the agent can be told in answer to this call.
    fn capabilities(&self, call: &Call) -> Capabilities;

    /// Spells the result of [`plan`] for this call.
    fn encode(&self, call: &Call, plan: &Plan) -> Reply;

    /// Returns how to install hookbox as the agent's hook. `None` if that is not known.
    fn settings(&self) -> Option<Settings> {
        None
    }

    /// Returns the events that hookbox's own files ask about, for agents whose settings do not list events.
    fn own_events(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns what is wrong with some versions of the agent.
    fn flaws(&self) -> &'static [Flaw] {
        &[]
    }

    /// Returns the ways past the agent's hooks, apart from what the agent [cannot be told](Capabilities::losses).
    fn holes(&self) -> &'static [Hole] {
        &[]
    }

    /// Returns the strictest reply to a payload that could not be read. The reply stops the event, whichever event it
    /// was, if that is possible.
    fn veto(&self, reason: &str) -> Reply {
        Reply::exit_2(reason)
    }
}

/// Plans what an agent is told about the Outcome of one of its calls, and spells the reply.
#[must_use]
pub fn reply(agent: &dyn Agent, call: &Call, outcome: &Outcome) -> (Plan, Reply) {
    let capabilities = if call.is_unknown_event { unknown::CAPABILITIES } else { agent.capabilities(call) };
    let plan = plan(outcome, call, &capabilities);
    let reply = match &plan.say {
        Say::Deny(reason) if call.is_unknown_event => agent.veto(reason),
        _ => agent.encode(call, &plan),
    };
    (plan, reply)
}

/// Returns every agent, in the order that listings use.
#[must_use]
pub fn all() -> &'static [&'static dyn Agent] {
    &[
        &claude::Claude,
        &codex::Codex,
        &gemini::Gemini,
        &copilot::Copilot,
        &cursor::Cursor,
        &qwen::Qwen,
        &droid::Droid,
        &cline::Cline,
        &opencode::OpenCode,
        &generic::Generic,
    ]
}

/// Returns the agent with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Agent> {
    all().iter().copied().find(|agent| agent.name() == name)
}
