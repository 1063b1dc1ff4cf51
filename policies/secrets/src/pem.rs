//! Private keys between lines of dashes, including keys with a prefix on each line, and keys with only one of the two
//! lines.

use crate::lists::{MAX_PART, Parts};
use crate::measure::is_monotonous;
use crate::scan::{Hit, Scan, Sure};
use crate::set::{BASE64, Set};
use std::ops::Range;

/// The maximum length of a key, in bytes. A key of 16,384 bits has 13 KiB.
const MAX_KEY: usize = 32 * 1024;
/// The minimum length of a line of a key, except for the last line.
const LINE: usize = 16;
const BODY: Set = BASE64.and(Set::of("="));

/// Judges dashes at this position. Returns where to continue.
pub(crate) fn look(scan: &mut Scan, at: usize) -> usize {
    let text = scan.text;
    let dashes = text.get(at..).unwrap_or_default().iter().take_while(|byte| **byte == b'-').count();
    let next = at + dashes;
    let rest = text.get(next..).unwrap_or_default();
    if let Some(begins) = label(rest, b"BEGIN ") {
        return key(scan, next + begins);
    }
    if label(rest, b"END ").is_some() {
        without_begin(scan, at);
        scan.pem_done = next;
    }
    next
}

/// Returns the length of `BEGIN … PRIVATE KEY-----`, if the text begins with it.
fn label(rest: &[u8], word: &[u8]) -> Option<usize> {
    let name = rest.strip_prefix(word)?;
    let length = name
        .iter()
        .take(48)
        .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ')
        .count();
    let name = name.get(..length)?;
    let is_private = name.windows(11).any(|part| part == b"PRIVATE KEY") || name.ends_with(b"SECRET KEY");
    let dashes = rest.get(word.len() + length..)?.iter().take(5).take_while(|byte| **byte == b'-').count();
    (is_private && dashes >= 4).then_some(word.len() + length + dashes)
}

/// Judges a key after its first line. Returns where to continue.
fn key(scan: &mut Scan, start: usize) -> usize {
    let text = scan.text;
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.get(..rest.len().min(MAX_KEY)).unwrap_or_default();
    let dashes = rest.windows(9).position(|part| part.starts_with(b"-----END ") || part.starts_with(b"-----BEGI"));
    let (body, next) = match dashes {
        Some(length) => (start..start + length, start + length),
        None => {
            let end = start + cut_off(rest);
            (start..end, end.max(start))
        }
    };
    let hits = parts(text, body);
    add(scan, hits);
    scan.pem_done = next;
    next
}

/// Returns where a key without a last line ends: after the last line that only consists of a piece of a key.
fn cut_off(rest: &[u8]) -> usize {
    let mut end = 0;
    let mut at = 0;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        at += line.len();
        let run = longest(line);
        // The last line of the text may be short.
        let is_piece =
            run.len() >= 40 || run.len() >= LINE && end > 0 || (at == rest.len() && end > 0 && run.len() >= 2);
        let is_lead = end == 0 && (line.trim_ascii().is_empty() || line.contains(&b':'));
        if is_piece {
            end = at;
        } else if !is_lead {
            break;
        }
    }
    end
}

/// Judges a key without a first line, whose last line is at this position.
fn without_begin(scan: &mut Scan, end: usize) {
    let text = scan.text;
    let front = text.get(end.saturating_sub(MAX_KEY).max(scan.pem_done.min(end))..end).unwrap_or_default();
    let mut start = end;
    for (number, line) in front.rsplit(|byte| *byte == b'\n').enumerate() {
        let run = longest(line);
        // The first piece seen may be the shortest, and only dashes may come between it and the last line.
        if run.len() < 40 && !(number <= 1 && (run.len() >= 2 || line.trim_ascii().is_empty())) {
            break;
        }
        start = start.saturating_sub(line.len() + usize::from(number > 0));
    }
    let hits = parts(text, start..end);
    add(scan, hits);
}

const KIND: &str = "private-key";

fn add(scan: &mut Scan, places: Vec<Range<usize>>) {
    let group = scan.hits.len();
    scan.hits.extend(places.into_iter().map(|place| Hit { kind: KIND, place, sure: Sure::Shape, group: Some(group) }));
}

/// Placeholders for the rest of a key in a text that only shows what a key looks like.
static CUT: Parts = Parts::new(&["...", "…", "your-", "your_", "your ", "yourkey", "yourprivate"]);

/// Whether a body only shows what a key looks like. What comes before the pieces of the key on their lines, such as the
/// name of a file, says nothing about the key, and neither does a header.
fn is_shown(body: &[u8], lead: &[u8]) -> bool {
    let body = body.get(..body.len().min(MAX_PART)).unwrap_or_default();
    body.split(|byte| *byte == b'\n').any(|line| {
        let line = line.strip_prefix(lead).unwrap_or(line);
        let run = longest(line);
        let is_piece = run.len() >= LINE;
        let from = if is_piece { run.start.saturating_sub("…".len()) } else { 0 };
        let piece = line.get(run).unwrap_or_default();
        let is_yours = is_piece && [&b"your"[..], b"Your", b"YOUR"].iter().any(|word| piece.starts_with(word));
        !is_header(line) && (is_yours || CUT.are_in(line.get(from..).unwrap_or_default()))
    })
}

/// Returns the parts of a body that are the key: all of it, or a part of each line if the lines contain other text.
fn parts(text: &[u8], body: Range<usize>) -> Vec<Range<usize>> {
    let Some(bytes) = text.get(body.clone()) else {
        return Vec::new();
    };
    // The text before the last dashes may come before each line, like `+` in a diff.
    let lead = match text.get(body.end) {
        Some(b'-') => bytes.rsplit(|byte| *byte == b'\n').next().filter(|lead| longest(lead).len() < LINE),
        _ => None,
    };
    let lead = lead.unwrap_or_default();
    if longest(bytes).len() < LINE || is_shown(bytes, lead) || is_monotonous(bytes) {
        return Vec::new();
    }
    if lead.trim_ascii().is_empty() && bytes.iter().all(|byte| BODY.has(*byte) || byte.is_ascii_whitespace()) {
        let start = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let whole = body.start + start..body.start + bytes.trim_ascii_end().len();
        return Vec::from_iter([whole]);
    }
    let is_ended = text.get(body.end) == Some(&b'-');
    let (mut places, mut column) = (Vec::new(), None);
    let mut at = body.start;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let skipped = if line.starts_with(lead) { lead.len() } else { 0 };
        let run = longest(line.get(skipped..).unwrap_or_default());
        let mut run = run.start + skipped..run.end + skipped;
        let several = strings(line, is_ended);
        if several.len() > 1 {
            places.extend(several.into_iter().map(|run| at + run.start..at + run.end));
            at += line.len();
            continue;
        }
        if run.len() < LINE {
            // On the last line, the key is at the same position as on the other lines.
            let start = column.filter(|column| line.get(*column).is_some_and(|byte| BODY.has(*byte)));
            run = match start {
                Some(start) => {
                    start
                        ..start
                            + line.get(start..).unwrap_or_default().iter().take_while(|byte| BODY.has(**byte)).count()
                }
                None => 0..0,
            };
        } else {
            column.get_or_insert(run.start);
        }
        if run.len() >= 2 && !is_header(line) {
            places.push(at + run.start..at + run.end);
        }
        at += line.len();
    }
    places
}

/// Returns the lines of a key that are separate texts on one line: `"…", "…"` or `{"text": "…"}, {"text": "…"}`. The
/// same text comes before each of them. If the key does not end here, a text that is shorter than the first one ends
/// it.
fn strings(line: &[u8], is_ended: bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut rest = 0;
    while let Some(start) = line.get(rest..).and_then(|rest| rest.iter().position(|byte| BODY.has(*byte))) {
        let start = rest + start;
        let end = start + line.get(start..).unwrap_or_default().iter().take_while(|byte| BODY.has(**byte)).count();
        rest = end;
        let Some(first) = found.first().cloned() else {
            if end - start >= LINE && start > 0 {
                found.push(start..end);
            }
            continue;
        };
        if end - start < 2 || front(line, start) != front(line, first.start) || line.get(end) != line.get(first.end) {
            continue;
        }
        found.push(start..end);
        if !is_ended && end - start < first.len() {
            break;
        }
    }
    found
}

/// Returns what comes before a text: quotes and similar characters, and the key of a member.
fn front(line: &[u8], at: usize) -> &[u8] {
    let before = line.get(..at).unwrap_or_default();
    let marks = before.iter().rev().take(16).take_while(|byte| !BODY.has(**byte)).count();
    let mut start = at - marks;
    if line.get(start..at).is_some_and(|marks| marks.contains(&b':')) {
        start -=
            before.get(..start).unwrap_or_default().iter().rev().take(32).take_while(|byte| BODY.has(**byte)).count();
    }
    line.get(start..at).unwrap_or_default()
}

/// Whether a line is a header, such as `Proc-Type: 4,ENCRYPTED` or `Comment: …`.
fn is_header(line: &[u8]) -> bool {
    let name = line.trim_ascii_start();
    ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"]
        .iter()
        .any(|header| name.starts_with(header.as_bytes()))
}

/// Returns the longest run of base64.
fn longest(line: &[u8]) -> Range<usize> {
    let (mut best, mut start) = (0..0, None);
    for (at, byte) in line.iter().enumerate() {
        if BODY.has(*byte) {
            let start = *start.get_or_insert(at);
            if at + 1 - start > best.len() {
                best = start..at + 1;
            }
        } else {
            start = None;
        }
    }
    best
}

/// Judges a key of PuTTY. The dash of `Private-Lines: 8` is at this position.
pub(crate) fn putty(scan: &mut Scan, at: usize) {
    let text = scan.text;
    let is_mark =
        text.get(..at).is_some_and(|front| front.ends_with(b"Private")) && text.get(at..at + 7) == Some(b"-Lines:");
    let Some(rest) = text.get(at + 7..).filter(|_| is_mark) else {
        return;
    };
    // The number of lines is on this line.
    let Some(first) = rest.iter().take(64).position(|byte| *byte == b'\n') else {
        return;
    };
    let start = at + 7 + first + 1;
    let rest = rest.get(first + 1..).unwrap_or_default();
    let rest = rest.get(..rest.len().min(MAX_KEY)).unwrap_or_default();
    // `Private-MAC: …` comes after the last line, which may be short.
    let mut length = 0;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        if line.windows(11).any(|part| part == b"Private-MAC") {
            break;
        }
        length += line.len();
        if longest(line).len() < LINE {
            break;
        }
    }
    scan.spend(length);
    let end = start + cut_off(rest.get(..length).unwrap_or_default());
    let hits = parts(text, start..end);
    add(scan, hits);
}

#[cfg(test)]
mod tests {
    use crate::Finder;

    #[test]
    fn lines_that_are_texts_of_their_own_are_parts_of_the_key() {
        let line = "q7fK2m9X1c8V4b6ZpL3tR5wY0sD2gH4jN6aE8uI1oQ3xC5vB7nM9kT2rF4yG6hW8";
        let lines = ["-----BEGIN PRIVATE KEY-----", line, line, line, "Zk9Qw2==", "-----END PRIVATE KEY-----"];
        for (before, between, after) in [
            (r#"[{"type":"text","text":""#, r#""},{"type":"text","text":""#, r#""}]"#),
            (r#"["#, r#"",""#, r#""]"#),
            (r#"{"lines": [""#, r#"", ""#, r#""]}"#),
            (r#"[{"n":1,"line":""#, r#""},{"n":2,"line":""#, r#""}]"#),
        ] {
            for count in [lines.len(), lines.len() - 1] {
                let text = format!("{before}{}{after}", lines.get(..count).unwrap_or_default().join(between));
                let redacted = Finder::default().redact(&text, usize::MAX).map(|redaction| redaction.text);
                let redacted = redacted.unwrap_or_default();
                assert!(!redacted.contains(line.get(..20).unwrap_or_default()), "{redacted}");
                assert!(!redacted.contains("Zk9Qw2"), "{redacted}");
                assert!(redacted.starts_with(before) && redacted.ends_with(after), "{redacted}");
            }
        }
    }

    #[test]
    fn only_a_placeholder_in_its_place_is_no_key() {
        let line = "q7fK2m9X1c8V4b6ZpL3tR5wY0sD2gH4jN6aE8uI1oQ3xC5vB7nM9kT2rF4yG6hW8";
        let is_key = |lead: &str, body: &str| {
            let text = format!(
                "{lead}-----BEGIN PGP PRIVATE KEY BLOCK-----\n{body}\n{lead}-----END PGP PRIVATE KEY BLOCK-----"
            );
            !Finder::default().find(&text).is_empty()
        };
        assert!(is_key("", &format!("q7fK2m9X1c8V4b6yOUrRZpL3tR5wY0sD2gH4jN6aE8uI1o\n{line}")));
        assert!(is_key("", &format!("Comment: your backup key...\n\n{line}\n{line}")));
        assert!(is_key("your.key:", &format!("your.key:{line}\nyour.key:{line}")));
        for body in [
            "MIIEvQIBADANBgkqhkiG9w0B...",
            "YourPrivateKeyContentHere",
            "MIIEvQIBADANBgkqhkiG9w0B\n<your key>",
            "…q7fK2m9X1c8V4b6Z",
        ] {
            assert!(!is_key("", body), "{body}");
        }
    }

    #[test]
    fn what_stands_in_front_of_each_line_is_no_part_of_the_key() {
        let line = "q7fK2m9X1c8V4b6ZpL3tR5wY0sD2gH4jN6aE8uI1oQ3xC5vB7nM9kT2rF4yG6hW8";
        for lead in ["", "+", "> ", "    ", "12\t", "a.key:3:"] {
            let text = format!(
                "{lead}-----BEGIN PRIVATE KEY-----\n{lead}{line}\n{lead}{line}\n{lead}-----END PRIVATE KEY-----\n"
            );
            let redacted =
                Finder::default().redact(&text, usize::MAX).map(|redaction| redaction.text).unwrap_or_default();
            assert!(!redacted.contains(line.get(..20).unwrap_or_default()), "{redacted}");
            assert_eq!(
                redacted.matches(lead).count(),
                if lead.is_empty() { redacted.len() + 1 } else { redacted.lines().count() },
                "{redacted}"
            );
        }
    }
}
