//! The answers that a component's requests get from the network, kept for its test.

use super::NetAnswer;
use std::sync::{Arc, Mutex, PoisonError};

/// The headers that are not kept, because they are about one connection or one moment, or hold a secret.
#[cfg(feature = "net")]
const NOT_KEPT: [http::HeaderName; 6] = {
    use http::header::{CONNECTION, CONTENT_LENGTH, DATE, HeaderName, SET_COOKIE, TRANSFER_ENCODING};
    [CONNECTION, CONTENT_LENGTH, DATE, HeaderName::from_static("keep-alive"), SET_COOKIE, TRANSFER_ENCODING]
};

/// A record of the answers that a component's requests get from the network, for tests of hooks.
///
/// Each answer is read completely before the component gets it.
#[derive(Clone, Debug, Default)]
pub struct NetRecord(Arc<Mutex<Vec<NetAnswer>>>);

impl NetRecord {
    /// Takes the answers that were kept.
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

/// Two records are equal if they are the same record.
impl PartialEq for NetRecord {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for NetRecord {}
