//! JSON that keeps its original text.

use crate::Error;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A JSON value as its original text, byte for byte: numbers keep their digits, members their order.
///
/// ```
/// use hookbox_sdk::Json;
///
/// let mut input = Json::parse(r#"{"timeout": 1.50, "command": "ls", "id": 12345678901234567890123}"#)?;
/// assert_eq!(input.get::<String>("command")?.as_deref(), Some("ls"));
/// input.set("command", "ls -l")?;
/// assert_eq!(input.as_str(), r#"{"timeout": 1.50, "command": "ls -l", "id": 12345678901234567890123}"#);
/// # Ok::<(), hookbox_sdk::Error>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Cow<'static, RawValue>);

impl Json {
    /// Checks that a text is exactly one JSON value, and keeps the text.
    ///
    /// # Errors
    /// Returns an error if the text is not exactly one JSON value.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(serde_json::from_str(text)?)
    }

    /// Serializes a value.
    ///
    /// # Errors
    /// Returns an error if the value cannot be represented in JSON, such as a map whose keys are not strings.
    pub fn from_value(value: &(impl Serialize + ?Sized)) -> Result<Self, Error> {
        Ok(Json(Cow::Owned(serde_json::value::to_raw_value(value)?)))
    }

    /// Copies a part of a text.
    pub(crate) fn copied(part: &RawValue) -> Self {
        Json(Cow::Owned(part.to_owned()))
    }

    /// Keeps a part of a text that is never freed, as the Input is in a component.
    pub(crate) const fn kept(part: &'static RawValue) -> Self {
        Json(Cow::Borrowed(part))
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Deserializes the value.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the type.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, Error> {
        Ok(serde_json::from_str(self.as_str())?)
    }

    /// Whether the value is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.as_str().starts_with('{')
    }

    /// Returns the member `key` of an object, or `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the value is not an object or has the key twice, or if the member does not fit the type. Do
    /// not treat any of these as a missing member: that would let unexamined input pass.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        self.member(key)?.map(|member| parsed(key, member)).transpose()
    }

    /// Like [`get`](Self::get), but for several members, in one pass.
    pub(crate) fn get_all<T: DeserializeOwned, const N: usize>(
        &self,
        keys: [&'static str; N],
    ) -> Result<Vec<(&'static str, T)>, Error> {
        let found = keys.into_iter().zip(self.members(keys)?);
        found.filter_map(|(key, member)| Some(parsed(key, member?).map(|value| (key, value)))).collect()
    }

    /// Like [`get`](Self::get), but for a string. A long text is copied once, without an intermediate buffer.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        match self.member(key)?.and_then(unescaped) {
            Some(text) => Ok(Some(text)),
            None => self.get(key),
        }
    }

    /// Replaces the member `key`, or appends it if it does not exist. Everything else stays unchanged.
    ///
    /// # Errors
    /// Returns an error if the value is not an object, or has the key twice.
    pub fn set(&mut self, key: &str, value: impl Into<Json>) -> Result<(), Error> {
        let text = self.as_str();
        let value = value.into();
        let (before, between, after) = match self.place(key)? {
            Some(at) => (text.get(..at.start), String::new(), text.get(at.end..)),
            None => {
                let end = text.len().saturating_sub(1);
                let is_empty = text.get(1..end).is_some_and(|members| members.trim().is_empty());
                let comma = if is_empty { "" } else { "," };
                (text.get(..end), format!("{comma}{}:", serde_json::to_string(key)?), text.get(end..))
            }
        };
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        *self = Json::parse(&format!("{before}{between}{}{after}", value.as_str()))?;
        Ok(())
    }

    fn member(&self, key: &str) -> Result<Option<&str>, Error> {
        self.members([key]).map(|[member]| member)
    }

    fn members<const N: usize>(&self, keys: [&str; N]) -> Result<[Option<&str>; N], Error> {
        let mut reader = serde_json::Deserializer::from_str(self.as_str());
        Members(keys).deserialize(&mut reader).map_err(|error| Error::new(without_place(&error)))
    }

    /// Returns the byte range of a member's value in the text.
    fn place(&self, key: &str) -> Result<Option<Range<usize>>, Error> {
        Ok(self.member(key)?.map(|value| {
            let start = value.as_ptr().addr().saturating_sub(self.as_str().as_ptr().addr());
            start..start + value.len()
        }))
    }
}

/// Parses a member of an object as this type.
fn parsed<T: DeserializeOwned>(key: &str, member: &str) -> Result<T, Error> {
    // The position is left out: it is relative to the member, which would mislead.
    serde_json::from_str(member).map_err(|error| Error::new(without_place(&error)).context(format_args!("`{key}`")))
}

/// Returns the text of a valid JSON value if it is a string, or `None` if it is not, or has escapes that serde must
/// judge.
fn unescaped(json: &str) -> Option<String> {
    let mut rest = json.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        text.push(match escaped.bytes().next()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            _ => return None,
        });
        rest = escaped.get(1..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// Returns the error message without "at line 1 column 7".
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// A seed that finds the members with these names in an object, as text.
struct Members<'k, const N: usize>([&'k str; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Members<'_, N> {
    type Value = [Option<&'de str>; N];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
    type Value = [Option<&'de str>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(Key(key)) = map.next_key()? {
            let Some((_, place)) = self.0.iter().zip(&mut found).find(|(name, _)| **name == key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if place.replace(map.next_value::<&RawValue>()?.get()).is_some() {
                return Err(de::Error::custom(format_args!("`{key}` is there twice")));
            }
        }
        Ok(found)
    }
}

/// A key, copied only if it contains escapes.
#[derive(Deserialize)]
pub(crate) struct Key<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

impl PartialEq for Json {
    /// Compares the texts.
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        // A `Value` always prints as valid JSON.
        Json::parse(&value.to_string()).unwrap_or_default()
    }
}

impl Default for Json {
    /// Returns `null`.
    fn default() -> Self {
        Json(Cow::Borrowed(RawValue::NULL))
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        serde_json::Value::from(text).into()
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        serde_json::Value::from(text).into()
    }
}

impl From<Vec<String>> for Json {
    fn from(list: Vec<String>) -> Self {
        serde_json::Value::from(list).into()
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        serde_json::Value::from(value).into()
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        serde_json::Value::from(value).into()
    }
}

/// Reads an object strictly into a type: serde's derive would also accept a list for a struct.
pub(crate) fn object<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, serde_json::Error> {
    if !text.trim_ascii_start().starts_with('{') {
        return Err(de::Error::custom("it is no JSON object"));
    }
    serde_json::from_str(text)
}
