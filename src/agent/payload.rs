//! The members of a payload.

use super::MAX_PAYLOAD_BYTES;
use crate::protocol::{InputError, Json, Member, ObjectWriter, check_weight, light_object, typed};
use serde::de::DeserializeOwned;

/// The members of a payload, known to be strict JSON. `null` counts as absent.
pub(super) struct Payload<'a>(Vec<Member<'a>>);

impl<'a> Payload<'a> {
    /// Reads a payload. A leading byte order mark is ignored.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a strict JSON object.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, InputError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Ok(Payload(light_object(bytes, MAX_PAYLOAD_BYTES)?))
    }

    fn raw(&self, key: &str) -> Option<&'a str> {
        let value = self.0.iter().find(|(name, _)| name == key).map(|(_, raw)| raw.get());
        value.filter(|text| *text != "null")
    }

    /// Returns all members, with those that are `null`.
    pub(super) fn members(&self) -> &[Member<'a>] {
        &self.0
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.raw(key).is_some()
    }

    /// Returns a value, unchanged.
    pub(super) fn json(&self, key: &str) -> Option<Json> {
        let (_, raw) = self.0.iter().find(|(name, raw)| name == key && raw.get() != "null")?;
        Some(Json::checked(raw))
    }

    /// Returns a value that the Input requires.
    ///
    /// # Errors
    /// Returns an error if the value has another type.
    pub(super) fn typed<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, InputError> {
        self.raw(key).map(|text| typed(key, text).map_err(|message| InputError::shape(&message))).transpose()
    }

    /// Returns a string that the Input requires.
    ///
    /// # Errors
    /// Returns an error if the value is not a string.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, InputError> {
        self.typed(key)
    }

    /// Returns a string that is not essential: a value of another type counts as absent.
    pub(super) fn hint(&self, key: &str) -> Option<String> {
        self.typed(key).ok().flatten()
    }

    /// Returns the first string of a list that is not essential.
    pub(super) fn first(&self, key: &str) -> Option<String> {
        self.json(key)?.to::<Vec<String>>().ok()?.into_iter().next()
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.typed(key).ok().flatten().unwrap_or(false)
    }

    /// Returns an object with the given members, as far as they are present.
    pub(super) fn part(&self, keys: &[&str]) -> Json {
        let mut part = ObjectWriter::with_capacity(256);
        for (key, raw) in self.0.iter().filter(|(key, _)| keys.contains(&key.as_ref())) {
            part.raw(key, raw.get());
        }
        Json::joined(part)
    }
}

/// Returns the value of JSON in a string, which is how some agents send objects and lists. Any other value stays as it
/// is.
///
/// # Errors
/// Returns an error if the string begins like an object or a list, but is not strict JSON.
pub(super) fn unwrapped(args: Json) -> Result<Json, InputError> {
    if !args.as_str().starts_with('"') {
        return Ok(args);
    }
    let text: String = args.to().map_err(|error| InputError::shape(&error.to_string()))?;
    // The tool's input is a plain text.
    if !text.trim_start().starts_with(['{', '[']) {
        return Ok(args);
    }
    check_weight(text.as_bytes(), MAX_PAYLOAD_BYTES)?;
    Ok(Json::unchecked(text.trim()))
}
