//! Parses the text of an Input into its fields.
//!
//! This runs once per call, so it must be quick. It must also be small, because ten hooks may share a processor's
//! cache: there is one reader per type of field, not one per field as a derive would generate.

use crate::input::Field;
use crate::json::Key;
use crate::{Error, Event, Input, Json, ToolResult, json};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;

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

/// The way to keep the members of an Input that stay JSON.
trait Keep<'de> {
    fn json(part: &'de RawValue) -> Json;
}

/// Keeps copies, since the text may be freed before the Input.
struct Copied;

impl<'de> Keep<'de> for Copied {
    fn json(part: &'de RawValue) -> Json {
        Json::copied(part)
    }
}

/// Keeps references into a text that is never freed. A large Input has the same megabyte in several members.
struct Kept;

impl Keep<'static> for Kept {
    fn json(part: &'static RawValue) -> Json {
        Json::kept(part)
    }
}

macro_rules! slot {
    ($slot:ident: $type:ty) => {
        impl<'a> From<&'a mut $type> for Slot<'a> {
            fn from(field: &'a mut $type) -> Self {
                Slot::$slot(field)
            }
        }
    };
}

macro_rules! slots {
    ($($slot:ident: $type:ty,)+) => {
        $(slot!($slot: $type);)+
        slot!(Json: Option<Json>);

        impl Slot<'_> {
            fn fill<'de, K: Keep<'de>, A: MapAccess<'de>>(self, map: &mut A) -> Result<(), A::Error> {
                match self {
                    $(Slot::$slot(field) => *field = map.next_value()?,)+
                    Slot::Json(field) => *field = map.next_value::<Option<&RawValue>>()?.map(K::json),
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
    Integer: Option<i64>,
    Natural: Option<u64>,
    Result: Option<ToolResult>,
}

/// Reads an Input and keeps its settings as text. Not generic, so it is compiled only once, here, with everything it
/// calls.
pub(crate) fn input(text: &str) -> Result<Input<Option<Json>>, Error> {
    read::<Copied>(text)
}

/// Like [`input`], but for a text that is never freed.
pub(crate) fn kept_input(text: &'static str) -> Result<Input<Option<Json>>, Error> {
    read::<Kept>(text)
}

fn read<'de, K: Keep<'de>>(text: &'de str) -> Result<Input<Option<Json>>, Error> {
    let read: Result<RawInput<K>, _> = json::object(text);
    read.map(|RawInput(input, _)| input).map_err(|error| Error::from(error).context("the Input cannot be read"))
}

/// An Input whose settings are still JSON.
struct RawInput<K>(Input<Option<Json>>, PhantomData<K>);

impl<'de, K: Keep<'de>> Deserialize<'de> for RawInput<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

struct Members<K>(PhantomData<K>);

impl<'de, K: Keep<'de>> Visitor<'de> for Members<K> {
    type Value = RawInput<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an Input")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawInput<K>, A::Error> {
        let mut input = Input::new(Event::PreTool).with_settings(None);
        // One bit for each key already seen.
        let mut seen = 0_u64;
        while let Some(Key(key)) = map.next_key()? {
            let Some((field, slot)) = input.slot(&key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1 << field as u32;
            if seen & bit != 0 {
                return Err(de::Error::custom(format_args!("duplicate field `{key}`")));
            }
            seen |= bit;
            slot.fill::<K, A>(&mut map)?;
        }
        if seen & 1 << Field::event as u32 == 0 {
            return Err(de::Error::missing_field("event"));
        }
        Ok(RawInput(input, PhantomData))
    }
}

// Each key has its own bit.
const _: () = assert!((Field::settings as u32) < u64::BITS);
