//! The arguments that a script passes to a power.
#![allow(unsafe_code, reason = "QuickJS shows the bytes of an array by address and length")]

use crate::fault::spell;
use rquickjs::{Ctx, Exception, FromJs, Result, String as Text, TypedArray, Value};

/// Bytes: a string, a `Uint8Array` or an `ArrayBuffer`.
pub(super) struct Bytes(pub(super) Vec<u8>);

impl<'js> FromJs<'js> for Bytes {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        if let Some(text) = value.as_string() {
            return well_formed(ctx, text).map(|text| Bytes(text.into_bytes()));
        }
        if let Ok(array) = TypedArray::<u8>::from_value(value.clone()) {
            // SAFETY: the bytes are copied before any script runs, and only a script could move or change them.
            if let Some(bytes) = unsafe { array.as_bytes() } {
                return Ok(Bytes(bytes.to_vec()));
            }
        }
        if let Some(buffer) = value.as_object().and_then(|object| object.as_array_buffer()) {
            // SAFETY: as above.
            if let Some(bytes) = unsafe { buffer.as_bytes() } {
                return Ok(Bytes(bytes.to_vec()));
            }
        }
        let message = format!("expected a string or a Uint8Array, not {}", spell(&value));
        Err(Exception::throw_type(ctx, &message))
    }
}

/// The key of a value in the store.
pub(super) struct Key(pub(super) String);

impl<'js> FromJs<'js> for Key {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        match value.as_string() {
            Some(text) => well_formed(ctx, text).map(Key),
            None => Err(Exception::throw_type(ctx, &format!("a key is a string, not {}", spell(&value)))),
        }
    }
}

/// Converts a text to UTF-8, which cannot represent half a surrogate pair.
fn well_formed(ctx: &Ctx<'_>, text: &Text<'_>) -> Result<String> {
    text.to_string().map_err(|_| Exception::throw_type(ctx, "the text has half a character in it"))
}
