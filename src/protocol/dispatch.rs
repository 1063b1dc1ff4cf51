//! The state of an Input while its event is being decided: the time, and its encoded form.

use super::Json;
use std::sync::OnceLock;

/// The state of an Input while its event is being decided. The caller does not get it back.
#[derive(Debug)]
pub(super) struct Dispatch {
    /// The time that hooks see if the caller gave none. It is the same for the whole event; otherwise a hook that
    /// answers twice could contradict itself.
    pub(super) now: Option<String>,
    pub(super) payload: OnceLock<Payload>,
    /// The payload for hooks that do not want the commands of a shell tool, if the facts have commands.
    pub(super) without_commands: OnceLock<Payload>,
}

impl Dispatch {
    pub(super) const fn new(now: Option<String>) -> Self {
        Dispatch { now, payload: OnceLock::new(), without_commands: OnceLock::new() }
    }

    /// Drops the encoded forms.
    pub(super) fn forget(&mut self) {
        self.payload.take();
        self.without_commands.take();
    }
}

impl Clone for Dispatch {
    /// Copies the time only: a copy of the Input may be changed, so it must not share the encoded payload.
    fn clone(&self) -> Self {
        Dispatch::new(self.now.clone())
    }
}

impl PartialEq for Dispatch {
    fn eq(&self, other: &Self) -> bool {
        self.now == other.now
    }
}

impl Eq for Dispatch {}

/// An Input as hooks read it, without settings.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) text: String,
    /// The byte offset at which a member for the settings belongs.
    pub(super) settings_at: usize,
}

impl Payload {
    pub(super) fn into_text(self, settings: Option<&Json>) -> String {
        match settings {
            Some(settings) => self.with_settings(settings),
            None => self.text,
        }
    }

    pub(super) fn with_settings(&self, settings: &Json) -> String {
        let (before, after) = self.text.split_at(self.settings_at);
        [before, ",\"settings\":", settings.as_str(), after].concat()
    }
}
