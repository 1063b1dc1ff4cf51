//! Scans a text in one pass.

use crate::blocks::{Class, Members};
use crate::lists::Parts;
use crate::measure::{self, is_placeholder, is_random};
use crate::rules::{self, Check, Rule};
use crate::set::UPPER;
use crate::shape::{Fit, fit};
use crate::{aws, cut, encoded, flags, infix, named, pem, url};
use std::ops::Range;

/// How sure a finding is. If secrets overlap, the surest one determines the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sure {
    /// A provider's token, a private key, or a match of a pattern in the settings.
    Shape,
    /// A password in a URL.
    Place,
    /// A value whose name says that it is a secret.
    Name,
}

/// A secret in the scanned text.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) kind: &'static str,
    pub(crate) place: Range<usize>,
    pub(crate) sure: Sure,
    /// The number of the secret that this is a part of, if it has several parts.
    pub(crate) group: Option<usize>,
}

/// The number of bytes that may be examined again, for each byte of a text. Texts of programs and people need less than
/// one; only texts crafted to be slow need more.
const AGAIN: usize = 12;

/// Returns the number of bytes of a text that may be examined again.
pub(crate) const fn effort(text: &[u8]) -> usize {
    text.len().saturating_mul(AGAIN) + 64 * 1024
}

/// Letters and digits.
#[derive(Debug)]
struct Words;

impl Class for Words {
    const RANGES: &'static [(u8, u8)] = &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')];
}

/// Letters and digits, operators, and characters that occur in the middle of some tokens.
#[derive(Debug)]
struct Stops;

impl Class for Stops {
    const RANGES: &'static [(u8, u8)] = &[
        (b'0', b'9'),
        (b'A', b'Z'),
        (b'a', b'z'),
        (b',', b'.'),
        (b':', b':'),
        (b'=', b'>'),
        (b'_', b'_'),
        (b'|', b'|'),
        (b'~', b'~'),
    ];
}

/// A letter or a digit.
const WORD: u8 = 1;
/// A character after which a value may follow.
const BLANK: u8 = 2;
/// A character with which a token may continue.
const JOINS: u8 = 4;
/// An operator.
const SETS: u8 = 8;

/// The kinds of each byte. This table needs one lookup, where comparisons would be as many branches that no processor
/// can predict.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if let Some(slot) = kinds.as_mut_slice().split_at_mut(byte).1.first_mut() {
            let byte = byte as u8;
            if byte.is_ascii_alphanumeric() {
                *slot |= WORD;
            }
            if matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b'=' | b'~' | b'+' | b'|' | b'$') {
                *slot |= JOINS;
            }
            if matches!(byte, b' ' | b'\t') {
                *slot |= BLANK;
            }
            if matches!(byte, b'=' | b':') {
                *slot |= SETS;
            }
        }
        byte += 1;
    }
    kinds
};

#[inline]
fn is(byte: u8, kind: u8) -> bool {
    KINDS.get(usize::from(byte)).is_some_and(|kinds| kinds & kind != 0)
}

#[inline]
fn is_quote(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\'')
}

/// A scan of a text, with the secrets found so far.
#[derive(Debug)]
pub(crate) struct Scan<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) hits: Vec<Hit>,
    /// Whether the text was decoded from another text. If so, it is not decoded again.
    is_inner: bool,
    /// The positions up to which keys of AWS, runs of base64 and private keys have been searched for.
    pub(crate) aws_done: usize,
    encoded_done: usize,
    pub(crate) pem_done: usize,
    /// The number of bytes that may still be examined again.
    effort: usize,
}

impl<'t> Scan<'t> {
    pub(crate) fn new(text: &'t [u8], is_inner: bool) -> Self {
        Scan { text, hits: Vec::new(), is_inner, aws_done: 0, encoded_done: 0, pem_done: 0, effort: effort(text) }
    }

    pub(crate) fn add(&mut self, kind: &'static str, place: Range<usize>, sure: Sure) {
        self.hits.push(Hit { kind, place, sure, group: None });
    }

    pub(crate) fn add_named(&mut self, kind: &'static str, place: Range<usize>) {
        self.add(kind, place, Sure::Name);
    }

    /// Records that these bytes have been examined although they will be examined again.
    pub(crate) fn spend(&mut self, bytes: usize) {
        self.effort = self.effort.saturating_sub(bytes);
    }

    /// Finds all secrets. If the effort runs out, the rest of the text counts as a secret.
    pub(crate) fn run(mut self) -> Vec<Hit> {
        let text = self.text;
        let (mut stops, mut words) = (Members::<Stops>::new(text), Members::<Words>::new(text));
        let mut at = 0;
        while self.effort > 0 {
            // White space and characters without a meaning are skipped.
            let Some(stop) = stops.next(at) else {
                return self.hits;
            };
            at = stop;
            let byte = text.get(at).copied().unwrap_or_default();
            if is(byte, WORD) {
                let start = at;
                at = words.end(at);
                // Most words are short, and the next character shows that they are only words.
                let next = text.get(at).copied();
                let length = at - start;
                if next.is_none() | is(next.unwrap_or_default(), BLANK | JOINS) | (length >= 14) | (length == 6) {
                    at = at.max(self.word(start..at, next));
                }
            } else if is(byte, SETS) {
                at = self.operator(at);
            } else if self.may_mark(byte, at) {
                at = self.mark(byte, at);
            } else {
                at += 1;
            }
        }
        self.add("unexamined-text", at.min(text.len())..text.len(), Sure::Shape);
        self.hits
    }

    /// Judges `=`, `:` or `://`. Returns where to continue.
    #[inline(never)]
    fn operator(&mut self, at: usize) -> usize {
        if self.text.get(at..at + 3) == Some(b"://") {
            url::look(self, at);
            return at + 3;
        }
        infix::colon(self, at);
        named::operator(self, at)
    }

    /// Whether the characters around this one may belong to a token. This check rules out most characters.
    #[inline]
    fn may_mark(&self, byte: u8, at: usize) -> bool {
        let around = |at: usize| self.text.get(at).copied().unwrap_or_default();
        let (before, next) = (around(at.wrapping_sub(1)), around(at + 1));
        (byte == b'.') & ((next == b'e') | (next == b'a') | (before == b'G') | (around(at + 7) == b'.'))
            | (byte == b',') & ((before == b'"') | (before == b'\'') | is(before, WORD) & is_quote(around(at + 2)))
            | (byte == b'_') & (next == b'm')
            | (byte == b'-') & ((next == b'-') | (next == b'u') | (next == b'L'))
            | (byte == b'>')
            | (byte == b'|')
            | (byte == b'~')
    }

    /// Judges a character in the middle of some tokens. Returns where to continue.
    #[inline(never)]
    fn mark(&mut self, byte: u8, at: usize) -> usize {
        match byte {
            b'.' => infix::dot(self, at),
            b'~' => infix::tilde(self, at),
            b'|' => infix::bar(self, at),
            b'_' => infix::underscore(self, at),
            b',' => named::comma(self, at),
            b'>' => named::tag(self, at),
            _ if self.text.get(at..at + 5) == Some(b"-----") => return pem::look(self, at),
            _ => {
                infix::dash(self, at);
                pem::putty(self, at);
            }
        }
        at + 1
    }

    /// Judges a run of letters and digits, and what follows it. Returns where to continue. Most words end here. The
    /// checks are all evaluated without branches, because no processor could predict a branch for each check.
    #[inline]
    fn word(&mut self, word: Range<usize>, next: Option<u8>) -> usize {
        let text = self.text;
        let at = |at: usize| text.get(at).copied().unwrap_or_default();
        let (length, end) = (word.len(), word.end);
        let after = next.unwrap_or_default();
        // A token is long, or continues after this word.
        let goes_on = next.is_none() | is(after, JOINS) & (at(end + 1) > b' ');
        let (first, second) = (at(word.start), at(word.start + 1));
        let before = at(word.start.wrapping_sub(1));
        let has_value = is(after, BLANK)
            & (length >= 3)
            & named::may_be_spoken(at(end.wrapping_sub(3)), at(end.wrapping_sub(2)), at(end.wrapping_sub(1)));
        let is_more = goes_on & (rules::may_begin(first, second) | (before == b'%'))
            | (length >= 14)
            | (before == b'-')
            | has_value
            | (length == 3) & (first | 0x20 == b'a')
            | (length == 6) & (first | 0x20 == b's');
        if is_more { self.telling(word, goes_on, has_value) } else { end }
    }

    /// Judges a word that may be a token, a name or an option.
    #[inline(never)]
    fn telling(&mut self, word: Range<usize>, goes_on: bool, has_value: bool) -> usize {
        let text = self.text;
        let length = word.len();
        let mut done = word.end;
        if goes_on || length >= 14 {
            done = done.max(self.beginning(word.start));
            // In `%3D…`, the two digits belong to the escape.
            if word.start > 0 && text.get(word.start - 1) == Some(&b'%') {
                done = done.max(self.beginning(word.start + 2));
            }
        }
        if length >= 20 {
            self.long(word);
            return done;
        }
        let is_option = word.start > 0 && text.get(word.start - 1) == Some(&b'-');
        if is_option {
            self.option(word.clone());
        }
        if has_value {
            named::word(self, word.clone());
        }
        if matches!(length, 3 | 6) {
            aws::word(self, word);
        }
        done
    }

    /// Judges a word after a dash.
    #[inline(never)]
    fn option(&mut self, word: Range<usize>) {
        if word.len() >= 7 && self.text.get(word.start) == Some(&b'p') && word.start > 1 {
            flags::attached(self, word.clone());
        }
        if matches!(word.len(), 1 | 4) && matches!(self.text.get(word.end), Some(b' ' | b'\t')) {
            flags::look(self, word);
        }
    }

    #[inline(never)]
    fn long(&mut self, word: Range<usize>) {
        self.encoded(word.clone());
        infix::word(self, word);
    }

    /// Looks for tokens that may begin here. Returns where the token ends, or 0 if there is none.
    #[inline]
    fn beginning(&mut self, start: usize) -> usize {
        match self.text.get(start..) {
            Some([first, second, ..]) if rules::may_begin(*first, *second) => self.token(start),
            _ => 0,
        }
    }

    #[inline(never)]
    fn token(&mut self, start: usize) -> usize {
        let text = self.text;
        let (mut cut_off, mut is_known) = (None, false);
        for rule in rules::beginning(text.get(start..).unwrap_or_default()) {
            is_known = true;
            match fit(rule.parts, text, start + rule.prefix.len()) {
                Fit::Yes(end) => {
                    if is_token(rule, text, start..end) {
                        self.add(rule.kind, start..end, Sure::Shape);
                        if rule.kind == "aws-access-key" {
                            aws::near(self, start..end);
                        }
                        return end;
                    }
                    self.spend(end - start);
                }
                Fit::Cut => {
                    self.spend(text.len() - start);
                    cut_off = cut_off.or(Some(rule));
                }
                Fit::No(seen) => self.spend(rule.prefix.len() + seen),
            }
        }
        match cut_off {
            Some(rule) => cut::look(self, rule, start, text.len()),
            None if is_known => cut::before_mark(self, start),
            None => {}
        }
        0
    }

    /// Searches the text inside base64.
    fn encoded(&mut self, word: Range<usize>) {
        if self.is_inner || word.start < self.encoded_done {
            return;
        }
        let text = self.text;
        let run = encoded::run(text, word.clone(), self.encoded_done);
        self.encoded_done = run.end;
        let Some(bytes) = text.get(run.clone()) else {
            return;
        };
        let mut best: Option<Hit> = None;
        encoded::texts(bytes, |inner| {
            best = best.take().into_iter().chain(Scan::new(inner, true).run()).min_by_key(|hit| hit.sure);
        });
        if let Some(hit) = best {
            self.add(hit.kind, run, Sure::Place);
        }
    }
}

/// A placeholder for the characters of a token in documents.
static XXXXX: Parts = Parts::new(&["xxxxx"]);

/// Whether a text in the shape of a token really is one.
pub(crate) fn is_token(rule: &Rule, text: &[u8], place: Range<usize>) -> bool {
    let Some(body) = text.get(place.start + rule.prefix.len()..place.end) else {
        return false;
    };
    // All documents of AWS contain its example keys.
    if is_placeholder(body) || rule.prefix.len() > 6 && text.get(place.clone()).is_some_and(|all| XXXXX.are_in(all)) {
        return false;
    }
    // Letters alone may also be random, if capital letters are spread over them.
    let kinds = measure::Kinds::of(body);
    let has_digit = kinds.digits > 0 || kinds.humps * 4 >= body.len();
    let before = place.start.checked_sub(1).and_then(|at| text.get(at));
    let is_alone = !matches!(before, Some(b'_' | b'-' | b'.' | b'/' | b'+'));
    match rule.check {
        Check::None => rule.prefix != "AKIA" || body.iter().all(|byte| UPPER.has(*byte)),
        Check::Digit => has_digit,
        Check::Alone => has_digit && is_alone,
        Check::Random => has_digit && is_alone && is_random(body, 280),
    }
}
