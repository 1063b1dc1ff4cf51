//! Secret keys of AWS, which have no prefix of their own: forty characters near an access key, or after certain words.

use crate::measure::{Kinds, is_placeholder};
use crate::scan::{Scan, Sure};
use crate::set::{BASE64, HEX_ANY};
use std::ops::Range;

/// The maximum distance of a secret after the words that announce it, or from its access key, in bytes.
const NEAR: usize = 240;

/// Looks for a secret after the words `aws` and `secret`.
pub(crate) fn word(scan: &mut Scan, word: Range<usize>) {
    let text = scan.text;
    let name = text.get(word.clone()).unwrap_or_default();
    if name.eq_ignore_ascii_case(b"aws") || name.eq_ignore_ascii_case(b"secret") {
        look(scan, word.end..(word.end + 120).min(text.len()));
    }
}

/// Looks for a secret near an access key.
pub(crate) fn near(scan: &mut Scan, key: Range<usize>) {
    let end = (key.end + NEAR).min(scan.text.len());
    look(scan, key.start.saturating_sub(NEAR)..end);
}

/// Looks for forty characters of base64 that are not part of a longer word.
fn look(scan: &mut Scan, place: Range<usize>) {
    let text = scan.text;
    let mut at = place.start.max(scan.aws_done);
    while at < place.end {
        let rest = text.get(at..).unwrap_or_default();
        let length = rest.iter().take(512).take_while(|byte| BASE64.has(**byte)).count();
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let is_alone = !before.is_some_and(|byte| BASE64.has(*byte) || matches!(byte, b'-' | b'_' | b'.'))
            && !matches!(rest.get(length), Some(b'=' | b'-' | b'_' | b'.'));
        let token = rest.get(..length).unwrap_or_default();
        if length == 40 && is_alone && is_key(token) {
            scan.add("aws-secret-key", at..at + 40, Sure::Shape);
        }
        at += length + 1;
    }
    scan.aws_done = scan.aws_done.max(at);
}

fn is_key(token: &[u8]) -> bool {
    let kinds = Kinds::of(token);
    !token.iter().all(|byte| HEX_ANY.has(*byte))
        && kinds.upper > 2
        && kinds.lower > 2
        && kinds.digits > 0
        && !is_placeholder(token)
}
