//! What differs between the systems whose `hooks.toml` this is.

use super::entry::Reading;
use super::file::ConfigFile;
use super::native;
use crate::protocol::Source;
use crate::runtime::shell::{Codec, NativeCodec};
use std::path::Path;
use std::sync::Arc;

/// How a system reads its config and treats what comes of it.
pub trait Dialect: Send + Sync {
    /// The hooks of a file, and what is wrong with it.
    fn read(&self, file: &ConfigFile) -> Reading;

    /// How its shell hooks spell payload and answer.
    fn codec(&self) -> Arc<dyn Codec>;

    /// What a relative path in `command` is relative to, for an agent that works in `cwd`.
    fn command_base<'a>(&self, file: &'a ConfigFile, cwd: &'a Path) -> &'a Path;

    /// Whether it denies by its own rules: broken config of the user denies on gating events, and a project's
    /// hooks need the user's trust.
    fn fails_closed(&self) -> bool;
}

/// hookbox itself: strict, and closed on every failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Dialect for Native {
    fn read(&self, file: &ConfigFile) -> Reading {
        native::read(file)
    }

    fn codec(&self) -> Arc<dyn Codec> {
        Arc::new(NativeCodec)
    }

    /// The directory of the user's file; for a project the one that holds `.agents`. Were it the working directory, a
    /// project could slip a program under a user's hook, and a subdirectory one under the project's.
    fn command_base<'a>(&self, file: &'a ConfigFile, cwd: &'a Path) -> &'a Path {
        if file.source == Source::PROJECT { file.dir().parent().unwrap_or(cwd) } else { file.dir() }
    }

    fn fails_closed(&self) -> bool {
        true
    }
}
