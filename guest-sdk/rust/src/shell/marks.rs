//! Marks: characters that stand for unknown parts of a text.
//!
//! A text with marks is an ordinary string, so it can be cut, joined and parsed as a script again, and still says where
//! each unknown part came from.

use super::word::shortened;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A part that only the running shell knows.
    Unknown,
    /// An active wildcard.
    Glob,
    /// A home directory.
    Home,
    /// After a path: this path, or any path below it.
    Found,
}

/// The marks of one kind use this many characters of the private-use plane 15.
const SPACE: u32 = 0x4000;
/// How much of the text that a mark replaces is kept, in characters.
const MAX_RAW: usize = 200;
/// How much of a text is shown to people, in bytes.
const MAX_SHOWN: usize = 8 << 10;
const FIRST: u32 = 0xF_0000;
const KINDS: [Kind; 4] = [Kind::Unknown, Kind::Glob, Kind::Home, Kind::Found];

/// A mark for a part that was never in a text.
pub(super) const UNREAD: char = '\u{F0000}';

/// Returns the meaning of `c`, if it is a mark.
pub(super) fn kind(c: char) -> Option<Kind> {
    let at = u32::from(c).checked_sub(FIRST)?;
    KINDS.get((at / SPACE) as usize).copied()
}

/// The lowest first byte of the characters from [`FIRST`] on; some lower characters have it, too. Nearly all texts have
/// no such byte, and looking at their bytes takes a fraction of the time of looking at their characters.
const FIRST_BYTE: u8 = 0xf3;

/// Whether a text may have marks, or other characters that are reserved.
fn may_have_mark(text: &str) -> bool {
    text.bytes().any(|byte| byte >= FIRST_BYTE)
}

/// Whether a text has an unknown part.
pub(super) fn has_mark(text: &str) -> bool {
    may_have_mark(text) && text.contains(|c| kind(c).is_some())
}

/// Whether a text has a part that could be anything.
pub(super) fn has_unknown(text: &str) -> bool {
    may_have_mark(text) && text.contains(|c| kind(c) == Some(Kind::Unknown))
}

/// Whether only the running shell decides what `c` means, since it is a mark, or one of the reader's own control
/// characters.
pub(super) fn is_reserved(c: char) -> bool {
    u32::from(c) >= FIRST
}

/// The texts that the marks replace.
#[derive(Debug, Default)]
pub(super) struct Marks {
    texts: Vec<Rc<str>>,
    known: BTreeMap<(Kind, Rc<str>), char>,
}

impl Marks {
    /// Returns a mark for the part that was typed as `raw`.
    pub(super) fn add(&mut self, kind: Kind, raw: &str) -> char {
        let raw: Rc<str> = shortened(&self.render(raw), MAX_RAW).into();
        if let Some(mark) = self.known.get(&(kind, raw.clone())) {
            return *mark;
        }
        // When there is no room left, parts share a mark and its displayed text.
        let at = (self.texts.len() as u32).min(SPACE - 3);
        if self.texts.len() as u32 <= at {
            self.texts.push(raw.clone());
        }
        let mark = char::from_u32(FIRST + kind as u32 * SPACE + at).unwrap_or('\u{F0000}');
        self.known.insert((kind, raw), mark);
        mark
    }

    /// Returns a text that is wholly unknown.
    pub(super) fn unknown(&mut self, raw: &str) -> String {
        self.add(Kind::Unknown, raw).to_string()
    }

    /// Returns what was typed in place of the mark.
    pub(super) fn raw(&self, mark: char) -> &str {
        let at = u32::from(mark).saturating_sub(FIRST) % SPACE;
        self.texts.get(at as usize).map_or("…", |text| text)
    }

    /// Renders a text for display, or only the beginning of a very long one.
    pub(super) fn render(&self, text: &str) -> String {
        if text.len() <= MAX_SHOWN && !may_have_mark(text) {
            return text.to_owned();
        }
        let mut shown = String::new();
        for c in text.chars() {
            if shown.len() > MAX_SHOWN {
                shown.push('…');
                break;
            }
            match kind(c) {
                Some(_) => shown.push_str(self.raw(c)),
                None => shown.push(c),
            }
        }
        shown
    }

    /// Renders a text that was shortened to `limit` characters, and shortens it again. Most texts stay as they are.
    pub(super) fn shown(&self, text: &Rc<str>, limit: usize) -> Rc<str> {
        if has_mark(text) { shortened(&self.render(text), limit).into() } else { text.clone() }
    }

    /// Replaces the characters of a text from outside that could be mistaken for marks.
    pub(super) fn sanitized(&mut self, text: &str) -> String {
        if !may_have_mark(text) || !text.contains(is_reserved) {
            return text.to_owned();
        }
        let mut clean = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                c if is_reserved(c) => {
                    let mark = self.add_reserved(c);
                    clean.push(mark);
                }
                c => clean.push(c),
            }
        }
        clean
    }

    /// Adds a mark for a reserved character. The character is not rendered, because it is not a mark of this table.
    fn add_reserved(&mut self, c: char) -> char {
        let raw: Rc<str> = c.escape_unicode().to_string().into();
        self.add(Kind::Unknown, &raw)
    }
}
