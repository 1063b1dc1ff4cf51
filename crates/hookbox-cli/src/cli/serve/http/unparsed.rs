//! The answer to a request that cannot be parsed. hyper's own answer has no body, and an agent takes its status for an
//! allow.

use super::denied::denied;
use hookbox::{Code, Outcome};

const WHY: &str = "the request is not valid HTTP, or its head is too large";

/// The maximum number of bytes that are kept of a request: as many as hyper reads of a head.
const MAX_BYTES: usize = super::connection::MAX_HEAD;

/// The beginning of a request that hyper has not passed on to be answered.
#[derive(Default)]
pub(super) struct Unparsed {
    bytes: Vec<u8>,
    /// How many requests the connection had before this one.
    before: usize,
}

impl Unparsed {
    /// Keeps bytes that were read when the connection had had `before` requests.
    pub(super) fn read(&mut self, bytes: &[u8], before: usize) {
        if self.before != before {
            *self = Unparsed { before, ..Unparsed::default() };
        }
        let room = MAX_BYTES.saturating_sub(self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    /// Returns what to write in place of hyper's own answer: a deny for an agent, an Outcome for others. `before` is
    /// the number of requests up to now, because the path of a pipelined request is not known.
    pub(super) fn answer(&self, written: &[u8], before: usize) -> Option<Vec<u8>> {
        let status = status_of_hyper(written)?;
        let text = String::from_utf8_lossy(if self.before == before { &self.bytes } else { &[] });
        let (line, rest) = text.split_once("\r\n").unwrap_or((&text, ""));
        // The path may be anywhere in the line, because the spaces in the line may be what is wrong.
        let (status, body) = match line.split_once("/v1/agents/") {
            Some((_, path)) => {
                let name = path.split(|c: char| c.is_whitespace() || "?/#".contains(c)).next().unwrap_or_default();
                let payload = rest.split_once("\r\n\r\n").map_or("", |(_, payload)| payload);
                ("200 OK".to_owned(), denied(name, payload.as_bytes(), Code::Usage, &format!("hookbox: {WHY}")))
            }
            None => (status, Outcome::no_verdict(Code::Usage, WHY, None).to_json_line()),
        };
        let headers = "content-type: application/json\r\ncache-control: no-store\r\nconnection: close";
        let length = body.len();
        Some(format!("HTTP/1.1 {status}\r\n{headers}\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes())
    }
}

/// Returns the status of an answer that hyper itself made, if these are its first bytes: an error without a body. All
/// other answers have a content type.
fn status_of_hyper(written: &[u8]) -> Option<String> {
    // Most writes are parts of a large answer, which should not be copied.
    if !written.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let head = String::from_utf8_lossy(written).to_lowercase();
    let is_bare = head.contains("\r\ncontent-length: 0\r\n") && !head.contains("\r\ncontent-type:");
    if !is_bare {
        return None;
    }
    let line = written.split(|byte| *byte == b'\r').next().unwrap_or_default();
    String::from_utf8_lossy(line).strip_prefix("HTTP/1.1 ").map(str::to_owned)
}
