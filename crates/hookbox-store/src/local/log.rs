//! A check of the write-ahead log, before SQLite reads it. SQLite treats a damaged log as if it ended before the
//! damage, so stored data would be lost without an error.
//!
//! A process that is killed leaves at most one unfinished frame, at the end of the log. SQLite has no locks on this
//! file, so this module can open and close it.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The first bytes of a log. They also give the order of bytes in checksums: big-endian if the last bit is set.
const MAGIC: u32 = 0x377f_0682;
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// The number of times that a log that looks damaged is read, because another process may be writing it.
const LOOKS: u32 = 4;
const PAUSE: Duration = Duration::from_millis(5);

/// The maximum length of a log that is checked, in bytes. SQLite empties the log long before.
const MOST: u64 = 64 << 20;

/// Returns what is wrong with the log, if anything.
pub(super) fn fault(path: &Path) -> io::Result<Option<&'static str>> {
    let mut earlier = None;
    for look in 0..LOOKS {
        if look > 0 {
            thread::sleep(PAUSE);
        }
        let bytes = match fs::metadata(path) {
            Ok(meta) if meta.len() > MOST => return Ok(Some("its log is too long")),
            Ok(_) => fs::read(path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(fault) = fault_in(&bytes) else { return Ok(None) };
        // A log that no process is writing has the same content at the next look.
        let digest = blake3::hash(&bytes);
        if earlier == Some(digest) && look == LOOKS - 1 {
            return Ok(Some(fault));
        }
        earlier = Some(digest);
    }
    // Another process writes the log all the time, and will notice the fault if there is one.
    Ok(None)
}

fn fault_in(bytes: &[u8]) -> Option<&'static str> {
    let Some((header, mut rest)) = bytes.split_at_checked(HEADER) else {
        // The log was cut off before anything was written to it, or was emptied.
        return None;
    };
    let magic = word(header, 0);
    if magic & !1 != MAGIC {
        return Some("its log is not one");
    }
    let order = if magic & 1 == 1 { u32::from_be_bytes } else { u32::from_le_bytes };
    let page = usize::try_from(word(header, 8)).ok().filter(|page| page.is_power_of_two() && *page >= 512);
    let Some(page) = page else { return Some("its log has no size of pages") };
    let mut sum = checksum((0, 0), header.get(..HEADER - 8)?, order);
    if sum != (word(header, 24), word(header, 28)) {
        return Some("the beginning of its log is damaged");
    }
    let salts = header.get(16..24)?;
    let mut is_over = false;
    while let Some((frame, after)) = rest.split_at_checked(FRAME_HEADER + page) {
        rest = after;
        let is_of_this_log = frame.get(8..16)? == salts;
        if is_over {
            if is_of_this_log {
                return Some("its log is damaged in the middle");
            }
            continue;
        }
        // The frames after the end are left over from an earlier log.
        if !is_of_this_log {
            is_over = true;
            continue;
        }
        sum = checksum(checksum(sum, frame.get(..8)?, order), frame.get(FRAME_HEADER..)?, order);
        if sum != (word(frame, 16), word(frame, 20)) {
            return Some("its log is damaged");
        }
    }
    None
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Continues SQLite's checksum over some bytes.
fn checksum((mut one, mut two): (u32, u32), bytes: &[u8], order: fn([u8; 4]) -> u32) -> (u32, u32) {
    let (words, _) = bytes.as_chunks::<4>();
    let (pairs, _) = words.as_chunks::<2>();
    for [first, second] in pairs {
        one = one.wrapping_add(order(*first)).wrapping_add(two);
        two = two.wrapping_add(order(*second)).wrapping_add(one);
    }
    (one, two)
}
