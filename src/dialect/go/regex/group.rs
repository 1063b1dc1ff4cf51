//! The groups of an expression, and their contents.

use super::flags::Flags;
use super::repeat::Repetition;

/// A part of the expression in the syntax of the `regex` crate, written so that an operator after it applies to the
/// whole part.
pub(super) struct Piece {
    pub(super) text: String,
    /// How deeply the piece nests.
    height: u32,
    /// The most copies that the piece's counted repetitions make of a single item.
    copies: u32,
    /// How many instructions Go would compile the piece to.
    size: u64,
}

impl Piece {
    /// The deepest nesting. Go allows 1000, but a debug build of the `regex` crate can need 8 KiB of stack per level.
    pub(super) const MAX_HEIGHT: u32 = 100;

    /// Go's limit on the number of instructions. Nearly everything larger is too large for the `regex` crate as well,
    /// but the crate drops parts that only match the empty text, like `(){1000}`.
    const MAX_SIZE: u64 = (128 << 20) / 40;

    fn checked(self) -> Result<Self, String> {
        if self.height > Self::MAX_HEIGHT {
            return Err(format!("expression nests too deeply: over {} levels", Self::MAX_HEIGHT));
        }
        if self.size > Self::MAX_SIZE {
            return Err(format!("expression too large: over {} instructions", Self::MAX_SIZE));
        }
        Ok(self)
    }

    /// Joins a sequence, or alternatives separated by `|`.
    fn join(mut pieces: Vec<Piece>, separator: &str) -> Result<Self, String> {
        if pieces.len() == 1
            && let Some(only) = pieces.pop()
        {
            return Ok(only);
        }
        let texts: Vec<_> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        // Go has an instruction for each `|`.
        let between = u64::from(!separator.is_empty());
        let size: u64 = pieces.iter().map(|piece| piece.size + between).sum();
        Piece {
            text: format!("(?:{})", texts.join(separator)),
            height: 1 + pieces.iter().map(|piece| piece.height).max().unwrap_or(0),
            copies: pieces.iter().map(|piece| piece.copies).max().unwrap_or(1),
            size: size.saturating_sub(between).max(1),
        }
        .checked()
    }
}

/// A group that is being read. Captures are never asked for, so all groups are written alike.
#[derive(Default)]
pub(super) struct Group {
    is_capture: bool,
    /// The flags in force around the group.
    pub(super) outer_flags: Flags,
    /// The alternatives before the last `|`.
    branches: Vec<Piece>,
    /// The alternative that is being read.
    sequence: Vec<Piece>,
}

impl Group {
    pub(super) fn new(is_capture: bool, outer_flags: Flags) -> Self {
        Group { is_capture, outer_flags, ..Group::default() }
    }

    pub(super) fn add(&mut self, piece: Piece) {
        self.sequence.push(piece);
    }

    /// Adds a piece without any nesting.
    pub(super) fn push(&mut self, text: impl Into<String>) {
        self.add(Piece { text: text.into(), height: 1, copies: 1, size: 1 });
    }

    /// Repeats the last piece, if there is one, and returns the number of copies that this makes.
    pub(super) fn repeat(&mut self, repetition: &Repetition<'_>) -> Result<Option<u32>, String> {
        let Some(last) = self.sequence.pop() else {
            return Ok(None);
        };
        let copies = repetition.copies(last.copies);
        let repeated = Piece {
            text: format!("(?:{}{})", last.text, repetition.operator),
            height: last.height + 1,
            copies,
            size: repetition.size(last.size).max(1),
        };
        self.add(repeated.checked()?);
        Ok(Some(copies))
    }

    pub(super) fn end_branch(&mut self) -> Result<(), String> {
        self.branches.push(Piece::join(std::mem::take(&mut self.sequence), "")?);
        Ok(())
    }

    pub(super) fn close(mut self) -> Result<Piece, String> {
        self.end_branch()?;
        let mut all = Piece::join(self.branches, "|")?;
        if self.is_capture {
            // Go uses one level and two instructions for a capture.
            all.height += 1;
            all.size += 2;
        }
        all.checked()
    }
}

/// Returns the text after a capture's name and its `>`. If the name is invalid, the same text is the error.
pub(super) fn after_name(text: &str) -> Result<&str, &str> {
    let (name, after) = text.split_once('>').ok_or("")?;
    let is_name = !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    if is_name { Ok(after) } else { Err(after) }
}
