//! The replies that agents get.

use crate::protocol::ObjectWriter;

/// The output and exit status of a hook's process, exactly as an agent understands them.
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

/// The reason for a deny that gives none: several agents drop a deny without a reason.
pub(super) const NO_REASON: &str = "a hookbox policy does not allow this";

impl Reply {
    /// Returns an empty reply with exit status 0.
    #[must_use]
    pub const fn silence() -> Self {
        Reply { stdout: String::new(), stderr: String::new(), status: 0 }
    }

    /// Returns a reply with one JSON document and exit status 0, the form that agents drop least often.
    pub(super) fn json(document: String) -> Self {
        Reply { stdout: document, ..Reply::silence() }
    }

    /// Returns the nearest thing to a common veto, for an unknown event. It needs a text on stderr and nothing on
    /// stdout.
    pub(super) fn exit_2(reason: &str) -> Self {
        let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
        Reply { stdout: String::new(), stderr: crate::protocol::visible(reason).into_owned(), status: 2 }
    }

    /// Returns a veto for an unknown agent: exit status 2 with the reason on stderr, and a document for agents that
    /// follow the document instead. Nothing in the document may be invalid for any agent, since the agent could drop it
    /// together with the status.
    pub(super) fn for_all(reason: &str) -> Self {
        let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
        let mut out = object();
        out.flag("cancel", true).text("errorMessage", reason);
        out.flag("continue", false).text("stopReason", reason);
        out.text("decision", "block").text("reason", reason);
        Reply { stdout: out.finish(), ..Reply::exit_2(reason) }
    }
}

/// Starts an object that a model or a terminal may see.
pub(super) fn object() -> ObjectWriter {
    ObjectWriter::printed(256)
}

impl ObjectWriter {
    /// Closes the object and returns it as the whole reply, which is empty if the object is.
    pub(super) fn reply(self) -> Reply {
        if self.is_empty() { Reply::silence() } else { Reply::json(self.finish()) }
    }
}
