//! Finds and weighs the evidence for an attack in a text.

use crate::address::Addresses;
use crate::escapes::{Effect, control, repaints, sequence};
use crate::fold::{disguised, is_of_pieces, is_of_word};
use crate::hits::{Hits, Where};
use crate::invisible::{invisible, run};
use crate::lexicon::Class;
use crate::lexicon::class::{ARTICLE, CALL, DEED, MODEL};
use crate::markup::Marks;
use crate::phrases::{Hit, Phrase, Phrases};
use crate::report::{HIGH, LOW, Report};
use crate::sentence::{only_describes, revokes};
use crate::spelled::{joined, seamless, spelled_out, unescaped, unfolded, unstarred, untagged};
use crate::turns::Turns;
use crate::urls::is_image;
use crate::words::{Lexicon, escape, piece, word};

/// The maximum length of the text spelled by hidden tags that is read, in characters.
const MAX_TAGS: usize = 4096;

/// The maximum length of an encoded text that is a message rather than a file, in digits.
const MAX_MESSAGE: usize = 5400;

/// The distance that the end of a sentence adds, in half words.
const SENTENCE: usize = 10;

/// Looks for signs of an attack in a text.
pub(crate) fn scan(text: &str) -> Report {
    // The lexicon takes longer to prepare than a small text to read.
    if text.is_empty() {
        return Report::default();
    }
    let lexicon = Lexicon::new();
    let mut report = Scanner::new(text, &lexicon).scan();
    if !report.instructs && report.is_encoded {
        let shown = Scanner::new(&unfolded(text), &lexicon).scan();
        if shown.instructs {
            report = shown;
        }
    }
    // The marks of Markdown in a word hide nothing: `**AI agent**s`.
    if !report.instructs
        && let Some(shown) = unstarred(text).map(|text| Scanner::new(&text, &lexicon).scan())
        && shown.instructs
    {
        report = shown;
    }
    let is_attack = |decoded: &str, digits: usize| {
        let inner = Scanner::new(decoded, &lexicon).scan();
        // In a long text, signs other than instructions may just be the content of a file.
        inner.instructs || digits < MAX_MESSAGE && inner.visible + inner.concealed >= LOW
    };
    if crate::encoded::any(text, is_attack) {
        report.concealed(HIGH, "encoded text that decodes to instructions");
    }
    let instructs = |text: &str| Scanner::new(text, &lexicon).scan().instructs;
    // This may be a link to a search for the words.
    if text.contains('%') && unescaped(text).any(|part| instructs(&part)) {
        report.concealed(LOW, "encoded text that decodes to instructions");
    }
    let is_split = |whole: Option<String>| whole.is_some_and(|text| instructs(&text));
    let gapless = report.has_gaps.then(|| seamless(text));
    let is_any_split = || is_split(joined(text)) || is_split(untagged(text)) || is_split(spelled_out(text));
    if !report.instructs && (is_any_split() || is_split(gapless)) {
        report.concealed(HIGH, "disguised letters");
    }
    report
}

/// The kind of token that a byte may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Nothing,
    Word,
    Other,
}

const fn begins(byte: u8) -> Begins {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Begins::Word,
        b'<' | b'[' | b']' | b'!' | b'.' | b'?' | b';' | b'&' | b'\\' | b'`' | b'\n' | 0x08 | 0x1B | 0x80.. => {
            Begins::Other
        }
        _ => Begins::Nothing,
    }
}

struct Scanner<'t, 'l> {
    text: &'t str,
    lexicon: &'l Lexicon,
    phrases: Phrases,
    addresses: Addresses,
    turns: Turns,
    hits: Hits,
    /// The distance from the beginning, in half words.
    index: usize,
    comment: usize,
    /// Whether the rest of the text contains no end of a comment.
    has_no_end: bool,
    is_json: bool,
    is_in_fence: bool,
    ticks: usize,
    /// Whether a line or a character is encoded as in a format that breaks long lines.
    is_encoded: bool,
    articles: (u64, usize),
    marks: u64,
    known_marks: Marks,
    bang: usize,
    tags: String,
    longest_run: usize,
    /// Whether invisible characters are between others.
    has_gaps: bool,
    /// The number of words that have invisible characters between their letters.
    splits: usize,
    directions: usize,
    /// The number of characters that reverse even Latin words.
    overrides: usize,
    /// Where the pair of isolates ends that was seen last.
    isolate_end: usize,
    /// The number of words of scripts that are written from right to left.
    right_to_left: usize,
    effects: [usize; 4],
    images: usize,
    /// The number of images whose URLs have only places for the times and sizes of a chart.
    measures: usize,
    /// The number of those whose URLs also have places for other fields of a chart or a card.
    fields: usize,
    /// The number of images whose URLs have a placeholder for a key, and that of links that would take data along.
    keys: usize,
    links: usize,
    link_looks: usize,
    /// The classes of all words.
    classes: Class,
    /// Whether an image refers to a definition, and the number of definitions whose URL carries data.
    has_reference: bool,
    definitions: usize,
    looks: usize,
}

impl<'t, 'l> Scanner<'t, 'l> {
    fn new(text: &'t str, lexicon: &'l Lexicon) -> Self {
        Scanner {
            text,
            lexicon,
            phrases: Phrases::default(),
            addresses: Addresses::default(),
            turns: Turns::default(),
            hits: Hits::default(),
            index: 0,
            comment: 0,
            has_no_end: false,
            is_json: text.trim_start().starts_with(['{', '[']),
            is_in_fence: false,
            ticks: 0,
            is_encoded: false,
            articles: (0, 0),
            marks: 0,
            known_marks: Marks::new(),
            bang: usize::MAX,
            tags: String::new(),
            longest_run: 0,
            has_gaps: false,
            splits: 0,
            directions: 0,
            overrides: 0,
            isolate_end: usize::MAX,
            right_to_left: 0,
            effects: [0; 4],
            images: 0,
            keys: 0,
            measures: 0,
            fields: 0,
            links: 0,
            link_looks: 0,
            classes: 0,
            has_reference: false,
            definitions: 0,
            looks: 0,
        }
    }

    fn scan(mut self) -> Report {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match begins(byte) {
                Begins::Nothing => at + 1,
                Begins::Word => self.word(at),
                Begins::Other => self.other(at, byte),
            };
        }
        self.report()
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn word(&mut self, at: usize) -> usize {
        let word = word(self.text, at, self.lexicon);
        self.index += 2;
        self.is_encoded |= self.is_folded() && self.text.get(..at).is_some_and(|before| before.ends_with('='));
        self.splits += usize::from(word.is_split);
        self.longest_run = self.longest_run.max(word.hidden);
        self.has_gaps |= word.hidden > 0 && self.is_gap(word.end);
        if word.class != 0 {
            self.found(word);
        }
        word.end
    }

    fn found(&mut self, word: crate::words::Word) {
        self.classes |= word.class;
        if word.class & ARTICLE != 0 {
            self.articles.0 |= 1 << (word.hash % 64);
            self.articles.1 += 1;
        }
        let place = match () {
            () if self.is_in_fence || self.ticks % 2 == 1 => Where::Code,
            () if word.start < self.comment => Where::Comment,
            () => Where::Plain,
        };
        self.turns.add(self.text, &word);
        let (hits, text) = (&mut self.hits, self.text);
        if let Some(order) = self.addresses.add(self.text, self.index, &word, self.lexicon) {
            let hit = Hit { phrase: Phrase::Address, start: order.start, end: word.end, is_disguised: false };
            hits.add(text, hit, place, || order.is_weak);
        }
        if word.class == DEED {
            return;
        }
        if let Some(start) = revokes(self.text, &word) {
            let hit = Hit { phrase: Phrase::Override, start, end: word.end, is_disguised: false };
            hits.add(text, hit, place, || false);
        }
        self.phrases.add(self.index, word, |hit| hits.add(text, hit, place, || only_describes(text, &hit)));
    }

    fn other(&mut self, at: usize, byte: u8) -> usize {
        let rest = self.rest(at);
        match byte {
            b'\n' => {
                self.ticks = 0;
                self.is_encoded |= self.is_soft(at, 1);
                return at + 1;
            }
            b'`' if rest.starts_with("```") => {
                self.is_in_fence = !self.is_in_fence;
                return at + 3;
            }
            b'.' | b'?' | b'!' | b';' if rest.get(1..2).is_some_and(|next| next == " " || next == "\n") => {
                self.index += SENTENCE
            }
            b'`' => self.ticks += 1,
            b'<' => return self.tag(at, rest),
            b'[' => {
                if let Some(mark) = self.known_marks.at(rest) {
                    self.marks |= 1 << (mark % 64);
                } else if (rest.starts_with("[//]:") || rest.starts_with("[comment]:")) && self.comment <= at {
                    // This is a Markdown comment.
                    self.comment = at + rest.find('\n').unwrap_or(rest.len());
                }
            }
            b'!' if rest.starts_with("![") => self.bang = at,
            b']' => return self.closing_bracket(at, rest),
            b'&' if rest.starts_with("&#") => return self.word(at),
            b'\\' => return self.backslash(at, rest),
            0x1B => {
                let (effect, len) = sequence(self.rest(at + 1));
                let is_repaint = effect == Effect::Overwrites && repaints(self.text, at);
                self.effect(if is_repaint { Effect::Progress } else { effect });
                return at + 1 + len;
            }
            0x08 => self.effect(Effect::Overwrites),
            0x80.. => return self.character(at, rest),
            _ => {}
        }
        at + 1
    }

    /// Reads a backslash. In JSON text, `\n` is not a letter, and escape characters are written out.
    fn backslash(&mut self, at: usize, rest: &'t str) -> usize {
        if let Some(start) = ["\\u001b", "\\u001B", "\\x1b", "\\033"].iter().find(|start| rest.starts_with(**start)) {
            let end = at + start.len();
            if !start.starts_with("\\u") || !self.is_json {
                return end;
            }
            let (effect, more) = sequence(self.rest(end));
            self.effect(effect);
            return end + more;
        }
        if escape(rest).is_some() {
            return self.word(at);
        }
        if rest.get(1..2).is_none_or(|next| !"nrtbf".contains(next)) {
            return at + 1;
        }
        self.is_encoded |= rest.starts_with("\\n") && self.is_soft(at, 2);
        at + 2
    }

    fn effect(&mut self, effect: Effect) {
        let at = match effect {
            Effect::Colour | Effect::Progress => 0,
            Effect::Conceals => 1,
            Effect::Overwrites => 2,
            Effect::Other => 3,
        };
        if let Some(count) = self.effects.get_mut(at) {
            *count += 1;
        }
    }

    fn tag(&mut self, at: usize, rest: &'t str) -> usize {
        if rest.starts_with("<!--") && self.comment <= at && !self.has_no_end {
            match rest.find("-->") {
                Some(end) => self.comment = at + end,
                None => self.has_no_end = true,
            }
            return at + 4;
        }
        if is_image(rest)
            && let Some(image) = self.image(rest)
        {
            self.add_image(image);
            return at + image.end;
        }
        let second = rest.as_bytes().get(1).copied().unwrap_or_default() | 0x20;
        if !matches!(second, b'a' | b'e' | b'f' | b'i' | b's' | b'm' | b't' | b'u' | b'|' | b'<' | b'/' | 0xE0..) {
            return at + 1;
        }
        if let Some(mark) = self.known_marks.at(rest) {
            self.marks |= 1 << (mark % 64);
        }
        at + 1
    }

    fn character(&mut self, at: usize, rest: &'t str) -> usize {
        let Some(c) = rest.chars().next() else { return at + 1 };
        if let Some(end) = self.isolate(at, c, rest) {
            return end;
        }
        if invisible(c).is_some() {
            let before = self.text.get(..at).and_then(|before| before.chars().next_back());
            let run = run(rest, before);
            if run.odd > 0 {
                self.has_gaps |= self.is_gap(at + run.len);
                self.longest_run = self.longest_run.max(run.odd - run.directions - run.tags.chars().count());
                self.directions += run.directions;
                self.overrides += run.overrides;
                if self.tags.len() < MAX_TAGS {
                    self.tags.push_str(&run.tags);
                }
            }
            return at + run.len;
        }
        if is_of_pieces(c) {
            self.index += 1;
            if let Some(piece) = piece(self.text, at, c, self.lexicon) {
                self.found(piece);
                // Words that only matter after an address shorten no distance.
                if piece.class & (CALL | DEED | MODEL) != 0 {
                    self.index += rest.get(..piece.end - at).map_or(0, |piece| piece.chars().skip(1).count());
                }
                return piece.end;
            }
            return at + c.len_utf8();
        }
        // This begins a control sequence like `ESC [`, or is a part of a character in a wrong encoding.
        if c == '\u{9b}' && control(self.rest(at + 2)).0 == Effect::Conceals {
            self.effect(Effect::Conceals);
        }
        let is_right_to_left = matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC);
        self.right_to_left += usize::from(is_right_to_left);
        if is_of_word(c) || disguised(c).is_some() { self.word(at) } else { at + c.len_utf8() }
    }
}

mod images;
mod lines;
mod weigh;

#[cfg(test)]
mod tests;
