//! Helpers for the readers of payloads. Tool names are left as they are: a name that could pass for another one goes to
//! every hook, whether or not its system's pattern matches.

use crate::protocol::{Event, InputError, Member, typed};
use serde::de::DeserializeOwned;

/// Returns the event that a payload names under `key`, looked up by the system's own names.
pub(super) fn event_of(members: &[Member<'_>], key: &str, names: &[(&str, Event)]) -> Result<Event, InputError> {
    let Some((_, raw)) = members.iter().find(|(name, _)| name == key) else {
        let is_input = key != "event" && members.iter().any(|(name, _)| name == "event");
        let hint = if is_input { "; an Input of hookbox's own needs `--neutral`" } else { "" };
        return Err(shape(&format!("the payload has no `{key}`{hint}")));
    };
    let name: String = member(key, raw.get())?.unwrap_or_default();
    names.iter().find(|(known, _)| *known == name).map(|(_, event)| *event).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
        shape(&format!("`{key}` is {name:?}, which is none of: {}", known.join(", ")))
    })
}

/// Returns the system's own name for an event, or hookbox's if the system has none.
pub(super) fn name_of(event: Event, names: &[(&'static str, Event)]) -> &'static str {
    names.iter().find(|(_, known)| *known == event).map_or(event.as_str(), |(name, _)| name)
}

/// Reads the value of a member. `None` for `null`.
pub(super) fn member<T: DeserializeOwned>(key: &str, text: &str) -> Result<Option<T>, InputError> {
    typed(key, text).map_err(|message| shape(&message))
}

/// Returns the error for a payload that is JSON, but not of the expected shape.
pub(super) fn shape(message: &str) -> InputError {
    InputError::shape(message)
}
