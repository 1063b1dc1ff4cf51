//! The answers that a component's requests get from the network, kept for its test.

use super::NetAnswer;
use std::sync::{Arc, Mutex, PoisonError};

/// Headers that are about one connection or one moment, or hold a secret.
#[cfg(feature = "net")]
const NOT_KEPT: [http::HeaderName; 6] = {
    use http::header::{CONNECTION, CONTENT_LENGTH, DATE, HeaderName, SET_COOKIE, TRANSFER_ENCODING};
    [CONNECTION, CONTENT_LENGTH, DATE, HeaderName::from_static("keep-alive"), SET_COOKIE, TRANSFER_ENCODING]
};

/// Keeps the answers that a component's requests get from the network, for tests of hooks.
///
/// Each is read whole before the component gets it.
#[derive(Clone, Debug, Default)]
pub struct NetRecord(Arc<Mutex<Vec<NetAnswer>>>);

impl NetRecord {
    /// Takes what was kept.
    #[must_use]
    pub fn take(&self) -> Vec<NetAnswer> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[cfg(feature = "net")]
    pub(super) fn keep(&self, method: &http::Method, uri: &http::Uri, head: &http::response::Parts, body: &[u8]) {
        let mut answer = NetAnswer::new(method.as_str(), uri.to_string(), body).with_status(head.status.as_u16());
        for (name, value) in head.headers.iter().filter(|(name, _)| !NOT_KEPT.contains(name)) {
            answer = answer.with_header(name.as_str(), String::from_utf8_lossy(value.as_bytes()));
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }
}

/// Two are equal if they are the same one.
impl PartialEq for NetRecord {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for NetRecord {}
