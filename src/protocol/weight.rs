//! The weight of the values in a JSON text: about the number of bytes that `serde_json` allocates for them. A few bytes
//! of text can take hundreds of bytes of memory, so a limit on the text's length alone does not bound that memory.

use super::json::{JsonError, Member, check_within, members_of};

/// The weight that a text may have regardless of its length.
const FREE: usize = 8 << 20;

/// The additional weight that a text may have for each of its bytes.
const PER_BYTE: usize = 4;

/// The weight of a value in a list or an object, in a vector that grows by doubling.
pub(super) const VALUE: usize = 64;

/// The weight of an object that is not empty: the first node of its tree.
pub(super) const OBJECT: usize = 640;

/// The number of members in the first node when it is split.
pub(super) const FIRST: usize = 6;

/// The weight of each further member: its share of a half-full node, and its key.
pub(super) const MEMBER: usize = 140;

/// Checks that the bytes are one strict JSON value whose weight is within [`FREE`] and [`PER_BYTE`].
pub(crate) fn check_weight(bytes: &[u8], max_bytes: usize) -> Result<&str, JsonError> {
    check_within(bytes, max_bytes, FREE + PER_BYTE * bytes.len())
}

/// Reads the members of an object, within the same limit as [`check_weight`].
pub(crate) fn light_object(bytes: &[u8], max_bytes: usize) -> Result<Vec<Member<'_>>, JsonError> {
    check_weight(bytes, max_bytes).and_then(members_of)
}
