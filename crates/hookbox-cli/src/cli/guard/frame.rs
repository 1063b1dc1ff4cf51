//! The messages from the worker to its guard: replies in frames. The last complete frame counts.

use hookbox::agent::Reply;
use std::io;

/// The length of a frame's header: kind, exit status, and the lengths of the two texts.
const HEADER: usize = 10;

/// The role of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The reply to use if the worker ends without sending another.
    Prepared,
    /// The worker's answer.
    Final,
}

impl Kind {
    const fn byte(self) -> u8 {
        match self {
            Kind::Prepared => b'p',
            Kind::Final => b'f',
        }
    }
}

pub(super) fn encode(kind: Kind, reply: &Reply) -> io::Result<Vec<u8>> {
    let length = |text: &str| u32::try_from(text.len()).map_err(|_| io::Error::other("the reply is too long"));
    let (stdout, stderr) = (length(&reply.stdout)?, length(&reply.stderr)?);
    let mut frame = Vec::with_capacity(HEADER + reply.stdout.len() + reply.stderr.len());
    frame.extend([kind.byte(), reply.status]);
    frame.extend(stdout.to_le_bytes());
    frame.extend(stderr.to_le_bytes());
    frame.extend(reply.stdout.as_bytes());
    frame.extend(reply.stderr.as_bytes());
    Ok(frame)
}

/// Removes the first frame from the bytes and returns it; `None` if it is not complete yet.
///
/// # Errors
/// Returns an error if the bytes are not a frame, or if memory for the texts cannot be allocated.
pub(super) fn take(bytes: &mut Vec<u8>) -> io::Result<Option<(Kind, Reply)>> {
    let Some((&[kind, status], rest)) = bytes.split_first_chunk() else { return Ok(None) };
    let Some((stdout, rest)) = rest.split_first_chunk() else { return Ok(None) };
    let Some((stderr, rest)) = rest.split_first_chunk() else { return Ok(None) };
    let kind = [Kind::Prepared, Kind::Final].into_iter().find(|known| known.byte() == kind);
    let kind = kind.ok_or_else(|| io::Error::other("not a frame"))?;
    let (stdout, stderr) = (u32::from_le_bytes(*stdout) as usize, u32::from_le_bytes(*stderr) as usize);
    let Some(body) = rest.get(..stdout.saturating_add(stderr)) else { return Ok(None) };
    let text = |bytes: Option<&[u8]>| {
        let text = std::str::from_utf8(bytes.unwrap_or_default()).map_err(io::Error::other)?;
        let mut copy = String::new();
        copy.try_reserve_exact(text.len()).map_err(io::Error::other)?;
        copy.push_str(text);
        Ok::<String, io::Error>(copy)
    };
    let mut reply = Reply::silence();
    reply.stdout = text(body.get(..stdout))?;
    reply.stderr = text(body.get(stdout..))?;
    reply.status = status;
    bytes.drain(..HEADER + stdout + stderr);
    Ok(Some((kind, reply)))
}
