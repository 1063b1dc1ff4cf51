//! `wasi:logging`: messages from a component to people.
//!
//! The interface needs no grant. The messages are bounded, and the component gets nothing back, so its answer still
//! depends on the Input alone. Nothing here may wait, because a call without grants runs without a timer.

use super::super::state::State;
use crate::protocol::visible;
use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentType, Lift, Linker, LinkerInstance};

/// The maximum number of messages of a call. Further messages are only counted.
const MAX_MESSAGES: usize = 256;
/// The maximum size of the messages of a call, with their contexts, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The maximum size of one message, in bytes. The rest is cut off.
const MAX_MESSAGE: usize = 4 << 10;
/// The maximum size of a context, in bytes.
const MAX_CONTEXT: usize = 128;

/// A message's level. The order is that of the interface.
#[derive(Clone, Copy, ComponentType, Lift)]
#[expect(dead_code, reason = "the engine makes them from what a component passes")]
#[component(enum)]
#[repr(u8)]
pub(in super::super) enum Level {
    #[component(name = "trace")]
    Trace,
    #[component(name = "debug")]
    Debug,
    #[component(name = "info")]
    Info,
    #[component(name = "warn")]
    Warn,
    #[component(name = "error")]
    Error,
    #[component(name = "critical")]
    Critical,
}

/// The amount that a call has logged.
#[derive(Default)]
pub(in super::super) struct Logged {
    messages: usize,
    bytes: usize,
    dropped: usize,
}

impl Logged {
    fn take(&mut self, level: Level, context: &str, message: &str) {
        let (context, message) = (head(context, MAX_CONTEXT), head(message, MAX_MESSAGE));
        self.bytes = self.bytes.saturating_add(context.len()).saturating_add(message.len());
        self.messages = self.messages.saturating_add(1);
        if self.messages > MAX_MESSAGES || self.bytes > MAX_BYTES {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        let (context, text) = (visible(context), visible(message));
        let (stream, context, text) = ("log", &*context, &*text);
        match level {
            Level::Trace => tracing::trace!(stream, context, text, "the guest logged"),
            Level::Debug => tracing::debug!(stream, context, text, "the guest logged"),
            Level::Info => tracing::info!(stream, context, text, "the guest logged"),
            Level::Warn => tracing::warn!(stream, context, text, "the guest logged"),
            // tracing has no level above error.
            Level::Error | Level::Critical => tracing::error!(stream, context, text, "the guest logged"),
        }
    }

    /// Logs how many messages were dropped, if any were.
    pub(in super::super) fn finish(&self) {
        if self.dropped > 0 {
            tracing::warn!(dropped = self.dropped, "the guest logged more than is kept");
        }
    }
}

/// Returns the beginning of a text, at most this many bytes.
fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// Links the standard interface.
pub(in super::super) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    add(&mut linker.instance("wasi:logging/logging@0.1.0-draft")?)
}

/// Links the same interface under hookbox's own name, which no toolchain replaces with a stub.
pub(in super::super) fn link_own(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    add(&mut linker.instance("hookbox:log/logging@0.1.0")?)
}

fn add(instance: &mut LinkerInstance<'_, State>) -> wasmtime::Result<()> {
    instance.func_wrap(
        "log",
        |mut store: StoreContextMut<'_, State>, (level, context, message): (Level, String, String)| {
            store.data_mut().logged.take(level, &context, &message);
            Ok(())
        },
    )
}
