//! `[log]`: the decision log.

use crate::config::entry::LogEntry;
use crate::config::fields::Fields;
use crate::config::file::ConfigFile;
use crate::protocol::Source;
use crate::record::{Inputs, What};
use bytesize::ByteSize;

/// The minimum and maximum size at which a new file is started, in bytes. A line has at most 64 KiB.
const MIN_SIZE: u64 = 128 << 10;
const MAX_SIZE: u64 = 1 << 40;

/// The maximum number of full files that can be kept.
const MAX_KEEP: u32 = 10_000;

/// Reads what the decision log records, and where it is.
pub(super) fn read(file: &ConfigFile, root: &mut Fields<'_>) -> Option<LogEntry> {
    let (table, at) = root.table("log", r#"{ inputs = "masked" }"#)?;
    if file.source == Source::PROJECT {
        let help = "write `[log]` into your own hooks.toml";
        root.bad_key(&at, "a project cannot say what is logged", Some(help.to_owned()));
        return None;
    }
    let mut log = Fields::new(file, None, "log.", table);
    log.only(&["file", "what", "inputs", "max_size", "keep"]);
    let mut entry = LogEntry {
        file: path(&mut log),
        what: log.word("what", &What::WORDS),
        inputs: log.word("inputs", &Inputs::WORDS),
        max_size: max_size(&mut log),
        keep: keep(&mut log),
    };
    if !log.is_clean() {
        // The misspelled key or value may have been meant to record less than the default.
        entry.inputs = Some(Inputs::None);
    }
    root.absorb(log.into_problems());
    Some(entry)
}

fn path(log: &mut Fields<'_>) -> Option<String> {
    let (path, at) = log.string("file", r#""/var/log/hookbox/decisions.jsonl""#)?;
    if path.is_empty() || path.ends_with('/') {
        log.bad_value(&at, "`log.file` is not the name of a file", None);
    } else if path.starts_with('~') {
        let help = "write the whole path; a relative one is relative to this file";
        log.bad_value(&at, "`log.file` begins with `~`, which only a shell replaces", Some(help.to_owned()));
    }
    Some(path.to_owned())
}

fn max_size(log: &mut Fields<'_>) -> Option<u64> {
    let (text, at) = log.string("max_size", r#""16MiB""#)?;
    match text.parse::<ByteSize>() {
        Ok(ByteSize(size)) if (MIN_SIZE..=MAX_SIZE).contains(&size) => return Some(size),
        Ok(_) => {
            let (least, most) = (ByteSize(MIN_SIZE), ByteSize(MAX_SIZE));
            log.bad_value(&at, format!("`log.max_size` must be from {least} to {most}"), None);
        }
        Err(_) => {
            let message = format!("`log.max_size` is {text:?}, which is not a size");
            log.bad_value(&at, message, Some("such as \"16MiB\"".to_owned()));
        }
    }
    None
}

fn keep(log: &mut Fields<'_>) -> Option<u32> {
    let (keep, at) = log.integer("keep", "8")?;
    let kept = u32::try_from(keep).ok().filter(|keep| *keep <= MAX_KEEP);
    if kept.is_none() {
        log.bad_value(&at, format!("`log.keep` must be from 0 to {MAX_KEEP}"), None);
    }
    kept
}
