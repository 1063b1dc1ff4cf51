//! The cursors at which a list of keys continues. A cursor is opaque text that is bound to its namespace.

use crate::namespace::NamespaceId;
use crate::{Error, ErrorKind};

/// The number of hexadecimal digits that bind a cursor to its namespace.
const TAG: usize = 16;

/// Encodes the cursor after a position.
pub(crate) fn encode(id: &NamespaceId, position: &[u8]) -> String {
    let mut cursor = tag(id, position);
    for byte in position {
        cursor.push_str(&format!("{byte:02x}"));
    }
    cursor
}

/// Decodes the position in a cursor.
///
/// # Errors
/// Returns an error if the cursor was not returned by [`encode`] for this namespace.
pub(crate) fn decode(id: &NamespaceId, cursor: &str) -> Result<Vec<u8>, Error> {
    let foreign = || Error::open(ErrorKind::Invalid, "the cursor does not belong to this list of keys");
    let (expected, digits) = cursor.as_bytes().split_at_checked(TAG).ok_or_else(foreign)?;
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let position: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect();
    match position {
        Some(position) if tag(id, &position).as_bytes() == expected => Ok(position),
        _ => Err(foreign()),
    }
}

fn tag(id: &NamespaceId, position: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("hookbox-store 2026-11-23 cursor");
    hasher.update(&id.0).update(position);
    hasher.finalize().to_hex().get(..TAG).unwrap_or_default().to_owned()
}
