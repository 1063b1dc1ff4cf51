//! hygge, whose protocol and config are the basis of hookbox's own.
//!
//! Its dialect is as lenient as hygge: config that cannot be used is left out with a warning, and a hook whose output
//! is not an answer allows. It is stricter only where no one can rely on the leniency: output is bounded, and a hook's
//! processes end with it.

mod answer;
mod config;
mod outcome;
mod payload;

use super::{MAX_CONFIG_BYTES, Strictness};
use crate::chain::Rule;
use crate::config::{
    ConfigFile, Dialect, HostEnv, Layer, Places, Problem, ReadRules, Reading, Reply, WhenBroken, discover,
    project_files,
};
use crate::protocol::{Action, Answer, Event, Input, InputError, Json, Outcome, Source};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, End, MAX_STDERR_BYTES, MAX_STDOUT_BYTES, Overflow, PIPE_GRACE, PipeGrace};
use std::path::PathBuf;

/// hygge's dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hygge {
    strictness: Strictness,
}

impl Hygge {
    /// Creates the dialect, as lenient as hygge or strict.
    #[must_use]
    pub const fn new(strictness: Strictness) -> Self {
        Hygge { strictness }
    }
}

impl Codec for Hygge {
    fn payload(&self, input: &Input, _: Option<&Json>) -> String {
        payload::encode(input)
    }

    /// Returns the bounds. hygge waits for five seconds and then denies, but a process that is about to release the
    /// pipes needs less.
    fn bounds(&self) -> Bounds {
        Bounds {
            stdout: MAX_STDOUT_BYTES,
            stderr: MAX_STDERR_BYTES,
            overflow: Overflow::End,
            pipe_grace: PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE },
        }
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        answer::decode(self.strictness, input.event, info, end).into()
    }
}

impl Dialect for Hygge {
    fn name(&self) -> &'static str {
        "hygge"
    }

    /// Returns hygge's own places, whatever the app is called.
    fn layers(&self, places: &Places<'_>) -> Vec<Layer> {
        discover("hygge", places.home, places.config_home, Some(places.cwd))
    }

    fn project_files(&self, app: &str) -> Vec<PathBuf> {
        project_files(app)
    }

    fn trusts_project(&self, _: &Places<'_>) -> Result<bool, Box<Problem>> {
        Ok(true)
    }

    fn read_rules(&self) -> ReadRules {
        ReadRules { max_bytes: MAX_CONFIG_BYTES, lossy: false }
    }

    fn read(&self, file: &ConfigFile, _: &HostEnv<'_>) -> Reading {
        config::read(file, self.strictness)
    }

    fn when_broken(&self, _: &Source) -> WhenBroken {
        if self.strictness.is_strict() { WhenBroken::Deny } else { WhenBroken::Warn }
    }

    fn rule(&self) -> fn(Event) -> Rule {
        Rule::hookbox
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        Input::from_slice(payload)
    }

    fn encode_answer(&self, event: Event, action: &Action) -> Reply {
        answer::encode(event, action)
    }

    fn differences(&self) -> &'static [&'static str] {
        &["what is wrong with an entry denies, and does not leave it out."]
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        outcome::encode(outcome)
    }

    fn uses_native_listing(&self) -> bool {
        true
    }
}
