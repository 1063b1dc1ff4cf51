//! The refusal of a request before anything is looked up or sent.

use std::fmt;

/// The maximum length of a guest's text in a message, in characters.
const QUOTE: usize = 80;

/// The reason why a request is refused before anything is looked up or sent. Its text contains no secret, and at most a
/// short, escaped part of what the guest wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The scheme is neither `https` nor `http`.
    #[error("the scheme `{0}` is not supported: use `https`, or `http` where the grant says so")]
    Scheme(Quoted),
    /// The authority does not name a host, or names it in an unusual spelling.
    #[error("the host `{host}` is not valid: {why}")]
    Host {
        /// What the guest asked for.
        host: Quoted,
        /// What is wrong.
        why: &'static str,
    },
    /// The authority has a user part.
    #[error("the authority `{0}` has a user name: credentials are added by the host alone")]
    UserInfo(Quoted),
    /// The port is not a number from 1 to 65535 without leading zeros.
    #[error("the port in `{0}` is not a number from 1 to 65535 without leading zeros")]
    Port(Quoted),
    /// The path is not in its one canonical form.
    #[error("the path `{path}` is not valid: {why}")]
    Path {
        /// What the guest asked for.
        path: Quoted,
        /// What is wrong.
        why: &'static str,
    },
    /// The query has a character that must be percent-encoded.
    #[error("the query of `{0}` is not valid: percent-encode what is not allowed in a URL")]
    Query(Quoted),
    /// Path and query are longer than 8 KiB.
    #[error("the path and the query have {0} bytes, more than 8192")]
    TooLong(usize),
    /// No rule covers the URL.
    #[error("no grant covers `{0}`")]
    NotGranted(Quoted),
    /// A rule covers the URL, but not the method.
    #[error("the method `{method}` is not granted for `{url}`")]
    Method {
        /// The method.
        method: Quoted,
        /// The URL, without its query.
        url: Quoted,
    },
}

impl Refusal {
    pub(crate) fn bad_host(host: &str, why: &'static str) -> Self {
        Refusal::Host { host: Quoted::new(host), why }
    }

    pub(crate) fn bad_path(path: &str, why: &'static str) -> Self {
        Refusal::Path { path: Quoted::new(path), why }
    }
}

/// Untrusted text in a message. It is cut after 80 characters (320 in this crate's own texts with untrusted parts), and
/// everything except printable ASCII is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    pub(crate) fn new(text: &str) -> Self {
        Quoted::cut(text, QUOTE)
    }

    /// Quotes up to four times as much, for texts of this crate that have untrusted parts.
    pub(crate) fn longer(text: &str) -> Self {
        Quoted::cut(text, 4 * QUOTE)
    }

    fn cut(text: &str, most: usize) -> Self {
        let mut quoted = String::new();
        for char in text.chars().take(most) {
            match char {
                ' '..='~' => quoted.push(char),
                _ => quoted.extend(char.escape_unicode()),
            }
        }
        if text.chars().nth(most).is_some() {
            quoted.push('…');
        }
        Quoted(quoted)
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
