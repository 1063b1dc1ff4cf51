//! Parses the text of an Input into its fields.
//!
//! This runs once per call, so it must be quick. It must also be small, because ten hooks may share a processor's
//! cache: there is one reader per type of field, not one per field as a derive would generate.

use crate::input::Known;
use crate::json::Key;
use crate::{Error, Event, Input, Json, ToolResult, json};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// The field that a value is read into.
pub(crate) enum Slot<'a> {
    Event(&'a mut Event),
    Text(&'a mut String),
    MaybeText(&'a mut Option<String>),
    Json(&'a mut Option<Json>),
    Integer(&'a mut Option<i64>),
    Natural(&'a mut Option<u64>),
    Result(&'a mut Option<ToolResult>),
}

macro_rules! slots {
    ($($slot:ident: $type:ty,)+) => {
        $(impl<'a> From<&'a mut $type> for Slot<'a> {
            fn from(field: &'a mut $type) -> Self {
                Slot::$slot(field)
            }
        })+

        impl Slot<'_> {
            fn fill<'de, A: MapAccess<'de>>(self, map: &mut A) -> Result<(), A::Error> {
                match self {
                    $(Slot::$slot(field) => *field = map.next_value()?,)+
                }
                Ok(())
            }
        }
    };
}

slots! {
    Event: Event,
    Text: String,
    MaybeText: Option<String>,
    Json: Option<Json>,
    Integer: Option<i64>,
    Natural: Option<u64>,
    Result: Option<ToolResult>,
}

/// Reads an Input and keeps its settings as text. Not generic, so it is compiled only once, here, with everything it
/// calls.
pub(crate) fn input(text: &str) -> Result<Input<Option<Json>>, Error> {
    let read: Result<Unsettled, _> = json::object(text);
    read.map(|Unsettled(input)| input).map_err(|error| Error::from(error).context("the Input cannot be read"))
}

struct Unsettled(Input<Option<Json>>);

impl<'de> Deserialize<'de> for Unsettled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Unsettled;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an Input")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unsettled, A::Error> {
        let mut input = Input::new(Event::PreTool).with_settings(None);
        // One bit for each key already seen.
        let mut seen = 0_u64;
        while let Some(Key(key)) = map.next_key()? {
            let Some((known, slot)) = input.slot(&key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1 << known as u32;
            if seen & bit != 0 {
                return Err(de::Error::custom(format_args!("duplicate field `{key}`")));
            }
            seen |= bit;
            slot.fill(&mut map)?;
        }
        if seen & 1 << Known::event as u32 == 0 {
            return Err(de::Error::missing_field("event"));
        }
        Ok(Unsettled(input))
    }
}

// Each key has its own bit.
const _: () = assert!((Known::settings as u32) < u64::BITS);
