//! What an Input has only while its event is being decided: the time, and its encoded form.

use super::Json;
use std::sync::OnceLock;

/// What an Input has only while its event is being decided. It is not part of what the caller gets back.
#[derive(Debug)]
pub(super) struct Dispatch {
    /// The time that hooks see if the caller gave none: one time for the whole event, or a hook that answers twice
    /// could contradict itself.
    pub(super) now: Option<String>,
    pub(super) payload: OnceLock<Payload>,
    /// The same for hooks that do not want the commands of a shell tool, if there are some.
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
    /// A copy may be changed, so it does not take the payload along.
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
    /// Where a member for the settings belongs, as a byte offset.
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
