//! The error type of hooks.

use std::fmt;

/// A failure of the hook: it cannot decide.
///
/// The engine reports the text as `E108` and denies on gating events, unless the operator chose otherwise. `?` converts
/// every standard error into this type.
///
/// ```
/// use hookbox_sdk::Error;
///
/// fn port(text: &str) -> Result<u16, Error> {
///     if text.is_empty() {
///         return Err(Error::new("the URL has no port"));
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(port("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// Creates an error with a message for the operator: what is wrong, where, and what to do.
    pub fn new(message: impl Into<String>) -> Self {
        Error(message.into())
    }

    /// Prefixes the message with where the error occurred: `context: error`.
    #[must_use]
    pub fn context(self, context: impl fmt::Display) -> Self {
        Error(format!("{context}: {}", self.0))
    }
}

// `Error` does not implement `std::error::Error`: that would conflict with this blanket conversion.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        use fmt::Write as _;
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            // Writing to a String does not fail.
            let _ = write!(text, ": {error}");
            cause = error.source();
        }
        Error(text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Prints the plain message, so a test that ends in `?` or `unwrap` shows it readably.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
