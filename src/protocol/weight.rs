//! What the values of a JSON text weigh: about the bytes that `serde_json` takes for them. A few bytes of text can become
//! hundreds, so a limit of the text's length alone does not bound the memory for it.

use super::json::{JsonError, Member, check_within, members_of};

/// What a text may weigh whatever its length.
const FREE: usize = 8 << 20;

/// What it may weigh more for each byte.
const PER_BYTE: usize = 4;

/// A value in a list or an object, in a vector that grows by doubling.
pub(super) const VALUE: usize = 64;

/// An object that is not empty: the first node of its tree.
pub(super) const OBJECT: usize = 640;

/// How many members the first node has when it is split.
pub(super) const FIRST: usize = 6;

/// Each further member: its part of a node that is half full, and its key.
pub(super) const MEMBER: usize = 140;

/// Checks that the bytes are one strict JSON value, whose values take no more memory than a few times its length.
pub(crate) fn check_weight(bytes: &[u8], max_bytes: usize) -> Result<&str, JsonError> {
    check_within(bytes, max_bytes, FREE + PER_BYTE * bytes.len())
}

/// Reads the members of an object within that limit.
pub(crate) fn light_object(bytes: &[u8], max_bytes: usize) -> Result<Vec<Member<'_>>, JsonError> {
    check_weight(bytes, max_bytes).and_then(members_of)
}
