//! Tokens that an output limit has cut off. The beginning of a token must not pass just because the rest is missing.

use crate::lists::Parts;
use crate::measure::{is_placeholder, variety};
use crate::rules::{self, Rule};
use crate::scan::{Scan, Sure};
use crate::set::{DOTTED, Set};

/// The length of a text below which it was hardly cut off.
const LIMIT: usize = 1000;
const TOKEN: Set = DOTTED.and(Set::of("+/~"));
static MARKS: Parts = Parts::new(&["truncated", "omitted", "clipped", "cut off", "more bytes", "output limit"]);

/// Adds a token that reaches the end of the text, if the text may have been cut off.
pub(crate) fn look(scan: &mut Scan, rule: &'static Rule, start: usize, end: usize) {
    if scan.text.len() >= LIMIT {
        add(scan, rule, start, end);
    }
}

/// Adds a token before a mark that says that something is missing.
pub(crate) fn before_mark(scan: &mut Scan, start: usize) {
    let text = scan.text;
    let rest = text.get(start..).unwrap_or_default();
    let Some(rule) = rules::beginning(rest).find(|rule| is_telling(rule)) else {
        return;
    };
    let length = rest.iter().take(400).take_while(|byte| TOKEN.has(**byte)).count();
    scan.spend(length);
    let token = rest.get(..length).unwrap_or_default();
    let dots = token.iter().rev().take_while(|byte| **byte == b'.').count();
    let after = rest.get(length - dots..).unwrap_or_default();
    let after = after.get(..after.len().min(80)).unwrap_or_default();
    let skipped = after.iter().take_while(|byte| matches!(byte, b'.' | b' ' | b'\r' | b'\n' | 0x80..)).count();
    let mark = after.get(skipped..).unwrap_or_default();
    let line = mark.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if matches!(line.first(), Some(b'[' | b'<' | b'(')) && MARKS.are_in(line) {
        add(scan, rule, start, start + length - dots);
    }
}

/// Whether the beginning of a token is long enough to distinguish it from other words.
fn is_telling(rule: &Rule) -> bool {
    rule.prefix.len() >= 4
}

fn add(scan: &mut Scan, rule: &'static Rule, start: usize, end: usize) {
    let body = scan.text.get(start + rule.prefix.len()..end).unwrap_or_default();
    if is_telling(rule) && body.len() >= 4 && variety(body) >= 3 && !is_placeholder(body) {
        scan.add(rule.kind, start..end, Sure::Shape);
    }
}
