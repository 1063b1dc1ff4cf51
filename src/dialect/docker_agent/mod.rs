//! docker-agent, whose hooks all run at once and are weighed in the order of the config: deny beats ask, and ask beats
//! allow.
//!
//! The main target is the generation of v1.58.0. The first generation differs in the events and keys that it knows, and
//! its failures never deny.

mod answer;
mod builtin;
mod config;
mod event;
mod executor;
mod model;
mod outcome;
mod payload;

use super::{MAX_CONFIG_BYTES, Options, Strictness};
use crate::chain::{Base, Order, Rule};
use crate::config::{ConfigFile, Dialect, HostEnv, Layer, Places, Problem, ReadRules, Reading, Reply, WhenBroken};
use crate::protocol::{Action, Answer, Event, Input, InputError, Json, Outcome, Source};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, End, MAX_STDOUT_BYTES, Overflow, PipeGrace};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use builtin::{Builtin, Handled, Handler, HandlerError, HookTypes, RegisterError};
pub use config::Definition;
pub use executor::{DispatchError, Executor};
pub use model::{ModelClient, ModelRequest, ResponseSchema, ResponseShape};
pub use outcome::DispatchResult;

/// docker-agent waits for any process that holds a hook's pipes until the hook's time is up.
const PIPE_GRACE: Duration = Duration::from_secs(365 * 24 * 3600);

/// A generation of docker-agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Generation {
    /// The first generation: five events, and a hook that fails never denies.
    First,
    /// v1.58.0: 23 events, and a hook on `pre_tool_use` that fails denies.
    #[default]
    V1_58,
}

/// docker-agent's dialect.
#[derive(Clone, Default)]
pub struct DockerAgent {
    generation: Generation,
    strictness: Strictness,
    /// The agent in the file whose hooks are used.
    agent: Option<String>,
    types: Arc<HookTypes>,
}

impl DockerAgent {
    /// The dialect of a generation, with the stock builtins. If no agent is named, it is `root`, or else the first in
    /// the file.
    #[must_use]
    pub fn new(generation: Generation, options: &Options) -> Self {
        DockerAgent { generation, strictness: options.strictness, agent: options.agent.clone(), types: Arc::default() }
    }

    /// Uses these builtins, handlers and models.
    #[must_use]
    pub fn types(self, types: Arc<HookTypes>) -> Self {
        DockerAgent { types, ..self }
    }
}

/// All hooks run at once. Together, the members that they set are the whole of a tool's new input.
fn rule(generation: Generation, event: Event) -> Rule {
    let gating = generation.traits(event).is_some_and(|traits| traits.gating);
    Rule { order: Order::AtOnce, gating, stop_denies: true, base: Base::Empty }
}

impl Codec for DockerAgent {
    fn payload(&self, input: &Input, _: Option<&Json>) -> String {
        payload::encode(self.generation, input)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            stdout: MAX_STDOUT_BYTES,
            stderr: MAX_STDOUT_BYTES,
            overflow: Overflow::End,
            pipe_grace: PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE },
        }
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        let (generation, strictness) = (self.generation, self.strictness);
        answer::Reader { generation, strictness, event: input.event }.end(info, end)
    }
}

impl Dialect for DockerAgent {
    fn name(&self) -> &'static str {
        match self.generation {
            Generation::First => "docker-agent-v1",
            Generation::V1_58 => "docker-agent",
        }
    }

    /// None: an agent file is always named explicitly.
    fn layers(&self, _: &Places<'_>) -> Vec<Layer> {
        Vec::new()
    }

    fn needs_file(&self) -> bool {
        true
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
        config::read(self, file, host)
    }

    /// docker-agent does not start with a file that it cannot read.
    fn when_broken(&self, _: &Source) -> WhenBroken {
        WhenBroken::Halt
    }

    fn rule(&self) -> fn(Event) -> Rule {
        match self.generation {
            Generation::First => |event| rule(Generation::First, event),
            Generation::V1_58 => |event| rule(Generation::V1_58, event),
        }
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        payload::decode(self.generation, payload)
    }

    /// The first generation leaves this to its callers.
    fn complete(&self, input: &mut Input, cwd: &Path) {
        if self.generation == Generation::V1_58 && input.pwd.as_ref().is_none_or(String::is_empty) {
            input.pwd = Some(cwd.display().to_string());
        }
    }

    fn encode_answer(&self, event: Event, action: &Action) -> Reply {
        answer::encode(self.generation, event, action)
    }

    fn differences(&self) -> &'static [&'static str] {
        &[
            "hooks are asked one after another, each on what those before it changed, and the first deny is the last word.",
            "what a hook puts into a tool's input leaves the other members as they are.",
            "a hook that stands there twice runs twice.",
            "where a component says `stop`, the agent's loop ends, and what is about to happen is not stopped.",
            "a block on post_tool stops nothing.",
        ]
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        DispatchResult::from_outcome(self.generation, outcome).to_json()
    }
}
