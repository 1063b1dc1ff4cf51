//! Cases in JSON, one per line.

use super::Rows;
use super::reader::{Member, Row};
use hookbox::config::{ConfigFile, Problem};
use hookbox::internal::{object, value};
use hookbox::{Code, MAX_INPUT_BYTES};
use std::borrow::Cow;
use std::ops::Range;

/// The maximum length of a line, in bytes. It leaves room for the largest Input and the rest of its case.
const MAX_LINE_BYTES: usize = 4 * MAX_INPUT_BYTES;

pub(super) fn rows(file: &ConfigFile) -> Rows {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for (start, line) in lines(&file.text).filter(|(_, line)| !line.trim().is_empty()) {
        match row(file, start, line) {
            Ok(row) => rows.push(row),
            Err(problem) => problems.push(*problem),
        }
    }
    (rows, None, problems)
}

/// Returns the lines of a text without their line breaks, each with the byte offset at which it begins.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

fn row(file: &ConfigFile, start: usize, line: &str) -> Result<Row, Box<Problem>> {
    let at = start..start + line.len();
    let members = object(line.as_bytes(), MAX_LINE_BYTES).map_err(|error| {
        let help = Some("each line is one case, which is a JSON object".to_owned());
        // The line number within the file is shown next to the message.
        let message = error.message.replace(" at line 1 column", " at column");
        Box::new(file.problem(Code::ConfigSyntax, None, &at, message, help))
    })?;
    // Parts borrowed from the line have a position in it; a key with escapes is a separate string.
    let place = |part: &str| -> Option<Range<usize>> {
        let offset = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        (offset + part.len() <= line.len()).then(|| start + offset..start + offset + part.len())
    };
    let members = members.into_iter().map(|(key, raw)| {
        let at = place(raw.get()).unwrap_or_else(|| at.clone());
        let key_at = match &key {
            Cow::Borrowed(key) => place(key).unwrap_or_else(|| at.clone()),
            Cow::Owned(_) => at.clone(),
        };
        Member { key: key.into_owned(), key_at, value: self::value(raw), at }
    });
    Ok(Row { members: members.collect(), at })
}
