//! ub, whose hooks are programs that report failure by their exit status. Each hook's config says whether a failure
//! blocks. Hooks cannot change anything, and every hook that applies to a tool runs.

mod answer;
mod config;
mod discovery;
mod expand;
mod outcome;
mod payload;

use super::payload::name_of;
use super::{MAX_CONFIG_BYTES, Strictness};
use crate::chain::{Base, Order, Rule};
use crate::config::{ConfigFile, Dialect, HostEnv, Layer, Places, Problem, ReadRules, Reading, Reply, WhenBroken};
use crate::protocol::{Action, Answer, Event, Input, InputError, Json, Outcome, Source};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, Command, End, Overflow, PipeGrace};
use std::path::PathBuf;
use std::time::Duration;

pub use outcome::{HookOutcome, UbDecision};

/// The most output of each of a hook's streams that is kept, in bytes. The figure is ub's.
const MAX_OUTPUT_BYTES: usize = 4096;

/// How long a process that a hook left behind may hold its pipes. The figure is ub's.
const PIPE_GRACE: Duration = Duration::from_millis(200);

/// The events, which ub calls triggers.
const EVENTS: [(&str, Event); 4] = [
    ("pre_tool_call", Event::PreTool),
    ("post_tool_call", Event::PostTool),
    ("pre_user_turn", Event::PreMessage),
    ("post_user_turn", Event::PostMessage),
];

/// Returns ub's name for an event.
fn event_name(event: Event) -> &'static str {
    name_of(event, &EVENTS)
}

/// ub's dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ub {
    strictness: Strictness,
}

impl Ub {
    /// Creates the dialect, as lenient as ub or strict.
    #[must_use]
    pub const fn new(strictness: Strictness) -> Self {
        Ub { strictness }
    }
}

/// Returns the rule of an event: every hook runs, and only a tool call can be stopped.
fn rule(event: Event) -> Rule {
    Rule { order: Order::All, gating: event == Event::PreTool, stop_denies: false, base: Base::Current }
}

impl Codec for Ub {
    fn payload(&self, input: &Input, _: Option<&Json>) -> String {
        payload::encode(input)
    }

    /// Adds the event's variables before those that the hook's config lets through, which take precedence.
    fn prepare_command(&self, command: &mut Command, input: &Input) {
        let mut env = payload::variables(input);
        env.retain(|(name, _)| !command.env.iter().any(|(known, _)| known == name));
        env.append(&mut command.env);
        command.env = env;
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            stdout: MAX_OUTPUT_BYTES,
            stderr: MAX_OUTPUT_BYTES,
            overflow: Overflow::Discard,
            pipe_grace: PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE },
        }
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        answer::decode(self.strictness, input.event, info, end)
    }
}

impl Dialect for Ub {
    fn name(&self) -> &'static str {
        "ub"
    }

    fn layers(&self, places: &Places<'_>) -> Vec<Layer> {
        discovery::layers(places)
    }

    fn project_files(&self, _: &str) -> Vec<PathBuf> {
        vec![discovery::PROJECT_FILE.into()]
    }

    fn names_hooks(&self) -> bool {
        false
    }

    fn trusts_project(&self, _: &Places<'_>) -> Result<bool, Box<Problem>> {
        Ok(true)
    }

    fn read_rules(&self) -> ReadRules {
        ReadRules { max_bytes: MAX_CONFIG_BYTES, lossy: false }
    }

    fn read(&self, file: &ConfigFile, host: &HostEnv<'_>) -> Reading {
        config::read(file, host, self.strictness)
    }

    /// Halts, because ub does not start with a file that it cannot read.
    fn when_broken(&self, _: &Source) -> WhenBroken {
        WhenBroken::Halt
    }

    fn overlooks_empty_commands(&self) -> bool {
        true
    }

    fn rule(&self) -> fn(Event) -> Rule {
        rule
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        payload::decode(payload)
    }

    fn encode_answer(&self, event: Event, action: &Action) -> Reply {
        answer::encode(event, action)
    }

    fn differences(&self) -> &'static [&'static str] {
        &[
            "the first hook that blocks ends the chain.",
            "`${NAME}` is not put in place; below stands what it was when this file was made.",
            "a call without a tool's name concerns every hook, whatever its `match`.",
        ]
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        UbDecision::from_outcome(outcome).to_json()
    }
}
