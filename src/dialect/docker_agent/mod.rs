//! docker-agent, whose hooks all run at once and are weighed in the order of the config: deny beats ask, and ask beats
//! allow.
//!
//! The main target is the generation of v1.58.0. The first generation differs in the events and keys that it knows, and
//! its failures never deny. In the third generation, hooks that rewrite are asked one after another, and each event has
//! a contract that says what an answer to it may contain.

mod answer;
mod builtin;
mod config;
mod contract;
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

pub(super) use builtin::own_hook;
pub use builtin::{
    Builtin, Checkpoint, Handled, Handler, HandlerError, HookTypes, RegisterError, SnapshotError, Snapshots,
};
pub use config::Definition;
pub use executor::{DispatchError, Executor};
#[cfg(feature = "model")]
pub(in crate::dialect) use model::Prompt;
pub use model::{ModelClient, ModelRequest, ResponseSchema, ResponseShape};
pub use outcome::DispatchResult;

/// How long docker-agent waits for a process that holds a hook's pipes: until the hook's time is up.
const PIPE_GRACE: Duration = Duration::from_secs(365 * 24 * 3600);

/// How long the third generation waits for such a process.
const PIPE_GRACE_V3: Duration = Duration::from_millis(500);

/// A generation of docker-agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Generation {
    /// The first generation: five events, and a hook that fails never denies.
    First,
    /// v1.58.0: 23 events, and a hook on `pre_tool_use` that fails denies.
    #[default]
    V1_58,
    /// v1.111.0 and what follows: 28 events, and only answers that are fully understood count.
    V3,
}

impl Generation {
    /// Returns the name of the generation's dialect.
    const fn dialect(self) -> &'static str {
        match self {
            Generation::First => "docker-agent-v1",
            Generation::V1_58 => "docker-agent",
            Generation::V3 => "docker-agent-v3",
        }
    }

    /// Whether the generation knows hooks of several types and all of their keys: the second, or a later one.
    fn is_second(self) -> bool {
        self >= Generation::V1_58
    }

    /// Whether an event's contract decides what counts: the third generation, or a later one.
    fn is_third(self) -> bool {
        self >= Generation::V3
    }
}

/// docker-agent's dialect.
#[derive(Clone, Default)]
pub struct DockerAgent {
    generation: Generation,
    strictness: Strictness,
    /// The agent in the file whose hooks are used.
    agent: Option<String>,
    /// Hooks that are in no file.
    given: Vec<(Event, String)>,
    types: Arc<HookTypes>,
    /// Whether models are asked over HTTP unless `types` has a client.
    #[cfg(feature = "model")]
    asks_models: bool,
}

impl DockerAgent {
    /// Creates the dialect of a generation, with the stock builtins. If no agent is named, it is `root`, or else the
    /// first in the file.
    #[must_use]
    pub fn new(generation: Generation, options: &Options) -> Self {
        // docker-agent ignores blank commands.
        let given = options.hooks.iter().filter(|(_, command)| !command.trim().is_empty()).cloned().collect();
        let (strictness, agent) = (options.strictness, options.agent.clone());
        DockerAgent {
            generation,
            strictness,
            agent,
            given,
            types: Arc::default(),
            #[cfg(feature = "model")]
            asks_models: options.asks_models,
        }
    }

    /// Uses these builtins, handlers and models.
    #[must_use]
    pub fn types(self, types: Arc<HookTypes>) -> Self {
        DockerAgent { types, ..self }
    }
}

/// Returns the rule of an event. All hooks run at once, and the members that they set make up the whole of a tool's new
/// input. In the third generation, hooks that may rewrite run one after another, and what they set is a patch.
fn rule(generation: Generation, event: Event) -> Rule {
    let traits = generation.traits(event);
    let gating = traits.is_some_and(|traits| traits.gating);
    let in_turn = generation.is_third() && traits.is_some_and(|traits| traits.rewrites);
    let order = if in_turn { Order::All } else { Order::AtOnce };
    let base = if generation.is_third() { Base::Current } else { Base::Empty };
    Rule { order, gating, stop_denies: true, base }
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
            pipe_grace: match self.generation.is_third() {
                true => PipeGrace { with_answer: PIPE_GRACE_V3, without_answer: PIPE_GRACE_V3 },
                false => PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE },
            },
        }
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        let (generation, strictness) = (self.generation, self.strictness);
        answer::Reader { generation, strictness, event: input.event, manner: info.origin().manner }.end(info, end)
    }
}

impl Dialect for DockerAgent {
    fn name(&self) -> &'static str {
        self.generation.dialect()
    }

    /// Returns no layers: an agent file is always named explicitly.
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

    /// Halts, because docker-agent does not start with a file that it cannot read.
    fn when_broken(&self, _: &Source) -> WhenBroken {
        WhenBroken::Halt
    }

    fn rule(&self) -> fn(Event) -> Rule {
        match self.generation {
            Generation::First => |event| rule(Generation::First, event),
            Generation::V1_58 => |event| rule(Generation::V1_58, event),
            Generation::V3 => |event| rule(Generation::V3, event),
        }
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        payload::decode(self.generation, payload)
    }

    /// Fills in the working directory. The first generation leaves this to its callers.
    fn complete(&self, input: &mut Input, cwd: &Path) {
        if self.generation.is_second() && input.pwd.as_ref().is_none_or(String::is_empty) {
            input.pwd = Some(cwd.display().to_string());
        }
    }

    fn encode_answer(&self, event: Event, action: &Action) -> Reply {
        answer::encode(self.generation, event, action)
    }

    fn differences(&self) -> &'static [&'static str] {
        const ALL: &[&str] = &[
            "`${env.NAME}` is not put in place; below stands what it was when this file was made.",
            "hooks are asked one after another, each on what those before it changed, and the first deny is the last word.",
            "what a hook puts into a tool's input leaves the other members as they are.",
            "a hook that stands there twice runs twice.",
            "where a component says `stop`, the agent's loop ends, and what is about to happen is not stopped.",
            "a block on post_tool stops nothing.",
        ];
        match ALL {
            // Only the third generation has variables in its config.
            [_, others @ ..] if !self.generation.is_third() => others,
            all => all,
        }
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        DispatchResult::from_outcome(self.generation, outcome).to_json()
    }
}
