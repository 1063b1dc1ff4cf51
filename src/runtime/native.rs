//! Hooks that are closures in the embedding program.

use super::hook::{Hook, HookInfo};
use crate::protocol::{Action, Code, Event, Failure, Input};
use async_trait::async_trait;

/// A hook that is a closure. It gets the Input and answers immediately.
///
/// ```
/// use hookbox::{Action, Event, NativeHook};
///
/// let guard = NativeHook::new("no-curl", [Event::PreTool], |input| {
///     match input.tool_name.as_deref() {
///         Some("curl") => Ok(Action::deny("use the fetch tool")),
///         _ => Ok(Action::allow()),
///     }
/// });
/// ```
///
/// If the hook has to wait for something, implement [`Hook`] instead.
pub struct NativeHook<F> {
    info: HookInfo,
    answer: F,
}

impl<F> NativeHook<F>
where
    F: Fn(&Input) -> Result<Action, Failure> + Send + Sync,
{
    /// Creates a hook with the defaults of [`HookInfo::new`].
    pub fn new(name: impl Into<String>, events: impl IntoIterator<Item = Event>, answer: F) -> Self {
        NativeHook::with_info(HookInfo::new(name, events), answer)
    }

    /// Creates a hook with these settings.
    pub const fn with_info(info: HookInfo, answer: F) -> Self {
        NativeHook { info, answer }
    }
}

#[async_trait]
impl<F> Hook for NativeHook<F>
where
    F: Fn(&Input) -> Result<Action, Failure> + Send + Sync,
{
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        let action = (self.answer)(input)?;
        match action.changed_kind(input) {
            Some(message) => Err(Failure::new(Code::Action, format!("returned an invalid Action: {message}"))),
            None => Ok(action),
        }
    }
}
