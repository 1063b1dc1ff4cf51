//! What an agent gets back.

use crate::protocol::ObjectWriter;

/// How a hook's process ends, exactly as an agent understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The content of stdout: one JSON document, or nothing.
    pub stdout: String,
    /// The content of stderr.
    pub stderr: String,
    /// The exit status.
    pub status: u8,
}

/// The reason if there is none: several agents drop a deny without one.
pub(super) const NO_REASON: &str = "a hookbox policy does not allow this";

impl Reply {
    /// Silence.
    #[must_use]
    pub const fn silence() -> Self {
        Reply { stdout: String::new(), stderr: String::new(), status: 0 }
    }

    /// One JSON document, and success: the form that agents drop least often.
    pub(super) fn json(document: String) -> Self {
        Reply { stdout: document, ..Reply::silence() }
    }

    /// The nearest thing to a common veto, for an unknown event: it must have a text on stderr and nothing on stdout.
    pub(super) fn exit_2(reason: &str) -> Self {
        let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
        Reply { stdout: String::new(), stderr: crate::protocol::visible(reason).into_owned(), status: 2 }
    }

    /// A veto for an agent that is not known: exit status 2 with the reason on stderr, and a document for those that follow
    /// it instead. Nothing in the document may be invalid for any agent, since it could be dropped together with the status.
    pub(super) fn for_all(reason: &str) -> Self {
        let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
        let mut out = object();
        out.flag("cancel", true).text("errorMessage", reason);
        out.flag("continue", false).text("stopReason", reason);
        out.text("decision", "block").text("reason", reason);
        Reply { stdout: out.finish(), ..Reply::exit_2(reason) }
    }
}

/// An object that a model or a terminal may see.
pub(super) fn object() -> ObjectWriter {
    ObjectWriter::printed(256)
}

impl ObjectWriter {
    /// Closes the object and makes it the whole reply; silence if it is empty.
    pub(super) fn reply(self) -> Reply {
        if self.is_empty() { Reply::silence() } else { Reply::json(self.finish()) }
    }
}
