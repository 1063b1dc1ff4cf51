//! A reader of lines with a maximum length.

use std::io::{self, ErrorKind, Read};
use std::ops::RangeInclusive;

/// The number of bytes of one read: few at first, because the buffer is zeroed before the read, and more while a line
/// is long.
const CHUNKS: RangeInclusive<usize> = 4 << 10..=64 << 10;

/// The number of bytes that are kept of a line that is too long: enough to find the id and the agent in it.
const BEGINNING: usize = 4 << 10;

/// A line, complete or not.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    Whole(&'l [u8]),
    /// The beginning of the line; the rest was skipped.
    TooLong(&'l [u8]),
    /// A line within which the stream ended.
    Half(&'l [u8]),
}

/// A reader of lines that are at most `most` bytes long, without the line break. Longer lines are skipped as they are
/// read.
pub(super) struct Lines<R> {
    source: R,
    most: usize,
    buffer: Vec<u8>,
    /// The position in the buffer where the next line begins.
    start: usize,
    /// The number of bytes of the next read.
    chunk: usize,
    /// The beginning of a line that was too long.
    beginning: Vec<u8>,
    /// Whether the rest of a line that was too long is still to be skipped.
    skips: bool,
    ended: bool,
}

impl<R: Read> Lines<R> {
    pub(super) const fn new(source: R, most: usize) -> Self {
        let chunk = *CHUNKS.start();
        Lines { source, most, buffer: Vec::new(), start: 0, chunk, beginning: Vec::new(), skips: false, ended: false }
    }

    /// Returns the next line; `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = self.start;
        loop {
            let new = self.buffer.get(searched..).unwrap_or_default();
            if let Some(newline) = memchr::memchr(b'\n', new) {
                let (start, end) = (self.start, searched + newline);
                self.start = end + 1;
                if std::mem::take(&mut self.skips) {
                    return Ok(Some(Line::TooLong(&self.beginning)));
                }
                let line = self.buffer.get(start..end).unwrap_or_default();
                if line.len() > self.most {
                    return Ok(Some(Line::TooLong(line.get(..BEGINNING).unwrap_or(line))));
                }
                return Ok(Some(Line::Whole(line.strip_suffix(b"\r").unwrap_or(line))));
            }
            if self.ended {
                let rest = self.buffer.get(self.start..).unwrap_or_default();
                self.start = self.buffer.len();
                return Ok(match std::mem::take(&mut self.skips) {
                    true => Some(Line::TooLong(&self.beginning)),
                    false => (!rest.is_empty()).then_some(Line::Half(rest)),
                });
            }
            self.buffer.drain(..self.start);
            self.start = 0;
            if !self.skips && self.buffer.len() > self.most {
                self.skips = true;
                self.buffer.get(..BEGINNING).unwrap_or(&self.buffer).clone_into(&mut self.beginning);
            }
            if self.skips {
                self.buffer.clear();
            }
            searched = self.buffer.len();
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let length = self.buffer.len();
        self.buffer.resize(length + self.chunk, 0);
        let read = loop {
            match self.source.read(self.buffer.get_mut(length..).unwrap_or_default()) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let count = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(length + count);
        let next = if count == self.chunk { self.chunk * 2 } else { count };
        self.chunk = next.clamp(*CHUNKS.start(), *CHUNKS.end());
        self.ended = read? == 0;
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Yields the bytes in pieces of these sizes.
    struct Pieces<'a> {
        left: &'a [u8],
        sizes: std::iter::Cycle<std::vec::IntoIter<usize>>,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.next().unwrap_or(1).min(self.left.len()).min(into.len());
            let (now, left) = self.left.split_at(size);
            into.get_mut(..size).unwrap().copy_from_slice(now);
            self.left = left;
            Ok(size)
        }
    }

    proptest! {
        /// The lines are the same in whatever pieces the bytes arrive.
        #[test]
        fn lines_do_not_depend_on_pieces(
            text in "[ab\n]{0,80}",
            sizes in proptest::collection::vec(1..9_usize, 1..6),
            most in 0..12_usize,
        ) {
            let mut lines = Lines::new(Pieces { left: text.as_bytes(), sizes: sizes.into_iter().cycle() }, most);
            let (whole, half) = text.rsplit_once('\n').map_or((None, text.as_str()), |(whole, half)| (Some(whole), half));
            for expected in whole.iter().flat_map(|whole| whole.split('\n')) {
                let line = lines.next().unwrap().unwrap();
                match line {
                    Line::Whole(line) => prop_assert_eq!(line, expected.as_bytes()),
                    Line::TooLong(beginning) => {
                        prop_assert!(expected.len() > most && expected.as_bytes().starts_with(beginning));
                        prop_assert!(beginning.len() > most, "it is kept");
                    }
                    Line::Half(_) => panic!("it has an end"),
                }
                prop_assert!(expected.len() <= most || matches!(line, Line::TooLong(_)));
            }
            let last = lines.next().unwrap();
            match half.len() {
                0 => prop_assert_eq!(last, None),
                length if length > most => prop_assert!(matches!(last, Some(Line::TooLong(_) | Line::Half(_)))),
                _ => prop_assert_eq!(last, Some(Line::Half(half.as_bytes()))),
            }
            prop_assert_eq!(lines.next().unwrap(), None);
        }
    }
}
