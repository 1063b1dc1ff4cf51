//! hygge, whose protocol and config hookbox's own are built on. Its dialect is as lenient as hygge is: config that
//! cannot be used is left out with a warning, and a hook that prints what is no answer allows. What nobody can
//! rely on is closed all the same: output is bounded, and a hook's processes end with it.

mod answer;
mod config;
mod json;
mod payload;

use crate::config::{ConfigFile, Dialect, Reading};
use crate::protocol::{Action, Event, Failure, Input, Json};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Codec, End, PIPE_GRACE, PipeGrace};
use std::path::Path;
use std::sync::Arc;

/// hygge's dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hygge;

impl Dialect for Hygge {
    fn read(&self, file: &ConfigFile) -> Reading {
        config::read(file)
    }

    fn codec(&self) -> Arc<dyn Codec> {
        Arc::new(Hygge)
    }

    fn command_base<'a>(&self, _: &'a ConfigFile, cwd: &'a Path) -> &'a Path {
        cwd
    }

    fn fails_closed(&self) -> bool {
        false
    }
}

impl Codec for Hygge {
    fn payload(&self, input: &Input, _: Option<&Json>) -> String {
        payload::encode(input)
    }

    /// hygge waits for five seconds and then denies. A process that is about to let go of the pipes needs less.
    fn pipe_grace(&self) -> PipeGrace {
        PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE }
    }

    fn answer(&self, event: Event, info: &HookInfo, end: End) -> Result<Action, Failure> {
        Ok(answer::decode(event, info, end))
    }
}
