//! Texts made from known ones by a few edits.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The maximum number of edits per text. More edits leave little of what a parser accepts.
const EDITS: usize = 4;

/// The texts and words that new texts are made from.
pub struct Source {
    texts: Vec<Vec<u8>>,
    /// Words of the language, if it has any.
    words: Vec<Vec<u8>>,
}

/// A change of a text.
#[derive(Clone, Debug)]
enum Edit {
    /// Changes one byte.
    Byte(Index, u8),
    /// Inserts a word.
    Word(Index, Vec<u8>),
    Remove(Index, Index),
    Repeat(Index, Index),
    /// Replaces everything from one place with the rest of another text.
    Rest(Index, Vec<u8>, Index),
}

impl Source {
    pub fn new(texts: Vec<Vec<u8>>, dictionary: &Path) -> Self {
        let words = fs::read_to_string(dictionary).unwrap_or_default();
        // JSON has the escapes that these dictionaries use.
        let words = words.lines().filter(|line| line.starts_with('"'));
        let words = words.map(|line| serde_json::from_str::<String>(line).unwrap().into_bytes());
        // These bytes end or escape something in one of the languages.
        let special = ["\0", "\n", "\"", "\\", "{", "}", "[", "]", "'", "=", "\u{feff}"];
        Source { texts, words: words.chain(special.map(|text| text.as_bytes().to_vec())).collect() }
    }

    pub fn mutated(&self) -> impl Strategy<Value = Vec<u8>> + use<> {
        let edit = prop_oneof![
            (any::<Index>(), any::<u8>()).prop_map(|(place, byte)| Edit::Byte(place, byte)),
            (any::<Index>(), select(self.words.clone())).prop_map(|(place, word)| Edit::Word(place, word)),
            (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Edit::Remove(from, to)),
            (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Edit::Repeat(from, to)),
            (any::<Index>(), select(self.texts.clone()), any::<Index>())
                .prop_map(|(place, text, from)| Edit::Rest(place, text, from)),
        ];
        (select(self.texts.clone()), vec(edit, 1..=EDITS)).prop_map(|(mut text, edits)| {
            edits.iter().for_each(|edit| edit.apply(&mut text));
            text
        })
    }
}

impl Edit {
    fn apply(&self, text: &mut Vec<u8>) {
        match self {
            Edit::Byte(_, _) if text.is_empty() => {}
            Edit::Byte(place, byte) => *place.get_mut(text) = *byte,
            Edit::Word(place, word) => {
                let place = within(text, *place);
                text.splice(place..place, word.iter().copied());
            }
            Edit::Remove(from, to) => drop(text.drain(range(text, *from, *to))),
            Edit::Repeat(from, to) => {
                let range = range(text, *from, *to);
                let part = text[range.clone()].to_vec();
                text.splice(range.end..range.end, part);
            }
            Edit::Rest(place, other, from) => {
                text.truncate(within(text, *place));
                text.extend_from_slice(&other[within(other, *from)..]);
            }
        }
    }
}

/// Returns a place in a text, or its end.
fn within(text: &[u8], place: Index) -> usize {
    place.index(text.len() + 1)
}

fn range(text: &[u8], from: Index, to: Index) -> Range<usize> {
    let (from, to) = (within(text, from), within(text, to));
    from.min(to)..from.max(to)
}
