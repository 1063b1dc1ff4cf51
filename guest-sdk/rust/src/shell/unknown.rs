//! The reasons why a part of a command cannot be known.

use std::fmt;

/// A part of a command that cannot be inspected before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The reason why the part cannot be known.
    pub kind: UnknownKind,
    message: String,
    short: String,
}

/// The reason why a part of a command cannot be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownKind {
    /// The part is not shell syntax that the parser knows.
    Syntax,
    /// The part exceeds one of the [bounds](super#bounds).
    Bounds,
    /// A command runs a text that only exists at run time, as in `curl … | sh` and `eval "$X"`.
    Script,
}

impl Unknown {
    pub(super) fn syntax() -> Self {
        Unknown {
            kind: UnknownKind::Syntax,
            message: "a part of the command is no shell syntax that can be read; simplify it".to_owned(),
            short: "a part of the text is no shell syntax that can be read".to_owned(),
        }
    }

    /// Creates the value for a command beyond the bounds. `what` completes "the command …".
    pub(super) fn bounds(what: &str) -> Self {
        let what = format!("the command {what}");
        let short = what.split(';').next().unwrap_or_default().to_owned();
        Unknown { kind: UnknownKind::Bounds, message: what, short }
    }

    /// Creates the value for a text that only exists at run time. `what` completes "… runs …".
    pub(super) fn script(command: &str, what: &str) -> Self {
        let message = format!("{command} runs {what}; run the commands in it by name");
        Unknown { kind: UnknownKind::Script, message, short: what.to_owned() }
    }

    /// Returns the same value without marks.
    pub(super) fn rendered(self, marks: &super::marks::Marks) -> Self {
        Unknown { message: marks.render(&self.message), short: marks.render(&self.short), ..self }
    }

    /// Returns what is unknown, in a few words, such as `the output of another command`.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.short
    }
}

impl fmt::Display for Unknown {
    /// Writes a clause for the agent: what cannot be known and, after a semicolon, what to do instead.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unknown {}
