//! One pass over a text.

use crate::measure::{self, is_placeholder, is_random};
use crate::rules::{self, Check, Rule};
use crate::set::{ALNUM, UPPER};
use crate::shape::{Fit, fit};
use crate::{aws, cut, encoded, flags, infix, named, pem, url};
use std::ops::Range;

/// How sure a kind is: of secrets that overlap, the surest gives its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sure {
    /// A token of a provider, a private key, a pattern of the settings.
    Shape,
    /// A password in a URL.
    Place,
    /// What is called a secret.
    Name,
}

/// A secret in the text that was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) kind: &'static str,
    pub(crate) place: Range<usize>,
    pub(crate) sure: Sure,
    /// Hits with the same number are parts of one secret.
    pub(crate) group: Option<usize>,
}

/// A text that is looked at, and what was found.
#[derive(Debug)]
pub(crate) struct Scan<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) hits: Vec<Hit>,
    /// Whether it is what another text encodes: it is not decoded again.
    is_inner: bool,
    /// Up to where keys of AWS and runs of base64 have been looked for.
    pub(crate) aws_done: usize,
    encoded_done: usize,
}

impl<'t> Scan<'t> {
    pub(crate) fn new(text: &'t [u8], is_inner: bool) -> Self {
        Scan { text, hits: Vec::new(), is_inner, aws_done: 0, encoded_done: 0 }
    }

    pub(crate) fn add(&mut self, kind: &'static str, place: Range<usize>, sure: Sure) {
        self.hits.push(Hit { kind, place, sure, group: None });
    }

    pub(crate) fn add_named(&mut self, kind: &'static str, place: Range<usize>) {
        self.add(kind, place, Sure::Name);
    }

    /// Finds all there is.
    pub(crate) fn run(mut self) -> Vec<Hit> {
        let text = self.text;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            if ALNUM.has(byte) {
                let start = at;
                while text.get(at).is_some_and(|byte| ALNUM.has(*byte)) {
                    at += 1;
                }
                self.word(start..at);
                continue;
            }
            match byte {
                b':' if text.get(at..at + 3) == Some(b"://") => {
                    url::look(&mut self, at);
                    at += 3;
                    continue;
                }
                b'=' | b':' => {
                    infix::colon(&mut self, at);
                    at = named::operator(&mut self, at);
                    continue;
                }
                b'.' => infix::dot(&mut self, at),
                b'~' => infix::tilde(&mut self, at),
                b'|' => infix::bar(&mut self, at),
                b'_' => infix::underscore(&mut self, at),
                b'-' => {
                    if text.get(at..at + 5) == Some(b"-----") {
                        at = pem::look(&mut self, at);
                        continue;
                    }
                    infix::dash(&mut self, at);
                    pem::putty(&mut self, at);
                }
                b',' => named::comma(&mut self, at),
                b'>' => named::tag(&mut self, at),
                _ => {}
            }
            at += 1;
        }
        self.hits
    }

    /// A run of letters and digits.
    fn word(&mut self, word: Range<usize>) {
        self.beginning(word.start);
        let text = self.text;
        let length = word.len();
        // `%3D…`: the two digits belong to what is in front.
        if length > 6 && word.start > 0 && text.get(word.start - 1) == Some(&b'%') {
            self.beginning(word.start + 2);
        }
        if length >= 20 {
            self.encoded(word.clone());
            infix::word(self, word);
        } else if matches!(text.get(word.end), Some(b' ' | b'\t')) {
            match length {
                1 | 4 | 10 if text.get(word.start.wrapping_sub(1)) == Some(&b'-') => flags::look(self, word.clone()),
                _ => {}
            }
            if (3..=20).contains(&length) {
                named::word(self, word.clone());
            }
            if matches!(length, 3 | 6) {
                aws::word(self, word);
            }
        } else if length == 6 {
            aws::word(self, word);
        }
    }

    /// Looks for the tokens that may begin here.
    #[inline]
    fn beginning(&mut self, start: usize) {
        if self.text.get(start..).is_some_and(rules::may_begin) {
            self.tokens(start);
        }
    }

    fn tokens(&mut self, start: usize) {
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
                        return;
                    }
                }
                Fit::Cut => cut_off = cut_off.or(Some(rule)),
                Fit::No => {}
            }
        }
        match cut_off {
            Some(rule) => cut::look(self, rule, start, text.len()),
            None if is_known => cut::before_mark(self, start),
            None => {}
        }
    }

    /// Looks into base64.
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
        let inner = encoded::text_in(bytes).or_else(|| encoded::text_in_hex(bytes));
        if let Some(inner) = inner {
            let hits = Scan::new(&inner, true).run();
            if let Some(hit) = hits.into_iter().min_by_key(|hit| hit.sure) {
                self.add(hit.kind, run, Sure::Place);
            }
        }
    }
}

/// Whether what has the shape of a token is one.
pub(crate) fn is_token(rule: &Rule, text: &[u8], place: Range<usize>) -> bool {
    let Some(body) = text.get(place.start + rule.prefix.len()..place.end) else {
        return false;
    };
    // The keys of AWS for tests are named in all its documents.
    if is_placeholder(body)
        || rule.prefix.len() > 6 && text.get(place.clone()).is_some_and(|all| measure::holds_one_of(all, &["xxxxx"]))
    {
        return false;
    }
    // Letters alone may be drawn by lot, too, if capitals are all over them.
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
