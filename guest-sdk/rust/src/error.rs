//! Why a hook could not judge.

use std::fmt;

/// The hook failed: it cannot say whether the thing may happen.
///
/// The engine reports the text as `E108` and denies what can be stopped, unless the operator chose otherwise. Every
/// standard error becomes one by `?`.
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
    /// An error in words for the operator: what is wrong, where, and what to do.
    pub fn new(message: impl Into<String>) -> Self {
        Error(message.into())
    }

    /// The same error with words before it that say where it came up: `context: error`.
    #[must_use]
    pub fn context(self, context: impl fmt::Display) -> Self {
        Error(format!("{context}: {}", self.0))
    }
}

// Not a standard error itself, or it could not be made from every other one.
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

/// As it is read, so that a test that ends in `?` or `unwrap` shows the words.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
