//! Dumps of the bytes of a file, as printed by `xxd`, `hexdump -C`, `od -tx1` and `od -c`.

use crate::encoded::printed;
use crate::scan::Scan;
use crate::set::HEX_ANY;
use std::ops::Range;

/// The minimum number of bytes of a dump that is examined. A shorter dump contains no token.
const LEAST: usize = 16;

/// The maximum number of bytes of a dump that are examined at once. A longer dump is examined in parts.
const MOST: usize = 64 * 1024;

/// The number of bytes that two parts have in common, which is more than the longest token.
const SHARED: usize = 4 * 1024;

/// A dump that contains a secret.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dump {
    pub(crate) kind: &'static str,
    /// The place of its lines, or of some of them.
    pub(crate) place: Range<usize>,
}

/// Returns the dumps in a text that contain secrets.
pub(crate) fn find(text: &[u8]) -> Vec<Dump> {
    let mut found = Vec::new();
    let mut block = Block::default();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        match bytes_of(line) {
            Some(bytes) => {
                if block.bytes.len() >= MOST {
                    block.look(&mut found);
                    block.keep(SHARED);
                }
                block.add(&bytes, start..start + line.trim_ascii_end().len());
            }
            None => std::mem::take(&mut block).look(&mut found),
        }
        start = end;
    }
    block.look(&mut found);
    found
}

/// Lines of one dump.
#[derive(Debug, Default)]
struct Block {
    bytes: Vec<u8>,
    /// The place of each line, and the number of bytes before it.
    lines: Vec<(Range<usize>, usize)>,
}

impl Block {
    fn add(&mut self, bytes: &[u8], line: Range<usize>) {
        self.lines.push((line, self.bytes.len()));
        self.bytes.extend(bytes);
    }

    /// Drops all lines except for the last ones, which have this many bytes.
    fn keep(&mut self, bytes: usize) {
        let dropped = self.bytes.len().saturating_sub(bytes);
        let first = self.lines.iter().position(|(_, before)| *before >= dropped).unwrap_or(self.lines.len());
        let before = self.lines.get(first).map_or(self.bytes.len(), |(_, before)| *before);
        self.lines.drain(..first);
        self.bytes.drain(..before);
        self.lines.iter_mut().for_each(|(_, at)| *at -= before);
    }

    fn look(&self, found: &mut Vec<Dump>) {
        let (Some((first, _)), Some((last, _))) = (self.lines.first(), self.lines.last()) else { return };
        if self.bytes.len() < LEAST {
            return;
        }
        // `hexdump` and `od -x` print words of two bytes, with the second byte first.
        let swapped: Vec<u8> = self.bytes.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect();
        for text in printed(&self.bytes).chain(printed(&swapped)) {
            let hits = Scan::new(text, true).run();
            if let Some(hit) = hits.into_iter().min_by_key(|hit| hit.sure) {
                return found.push(Dump { kind: hit.kind, place: first.start..last.end });
            }
        }
    }
}

/// Returns the bytes that a line of a dump shows, or `None` if it is not a line of a dump.
fn bytes_of(line: &[u8]) -> Option<Vec<u8>> {
    // The text to the right of the bytes repeats them.
    let line = line.split(|byte| matches!(byte, b'|' | b'>')).next()?;
    let line = line.trim_ascii_end();
    let first = line.trim_ascii_start().first()?;
    if !HEX_ANY.has(*first) && line.first() != Some(&b' ') {
        return None;
    }
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty()).peekable();
    // Nearly every line of other texts returns here.
    let may_begin = |word: &&[u8]| {
        word.len() == 1 || word.first() == Some(&b'\\') || word.iter().all(|byte| HEX_ANY.has(*byte) || *byte == b':')
    };
    words.peek().filter(|word| may_begin(word))?;
    let offset = words.next_if(|word| is_offset(word, line));
    let end = end_of_columns(line);
    let words: Vec<&[u8]> = match offset {
        Some(_) => line
            .get(..end)?
            .split(|byte| matches!(byte, b' ' | b'\t'))
            .filter(|word| !word.is_empty())
            .skip(1)
            .collect(),
        None => words.collect(),
    };
    // The last line of a dump is the offset of its end.
    if words.is_empty() {
        return offset.map(|_| Vec::new());
    }
    hexadecimal(&words).or_else(|| characters(&words).filter(|_| offset.is_some() || line.first() == Some(&b' ')))
}

/// Whether a word is the file offset at the beginning of a line.
fn is_offset(word: &[u8], line: &[u8]) -> bool {
    let digits = word.strip_suffix(b":").unwrap_or(word);
    let is_number = (6..=16).contains(&digits.len()) && digits.iter().all(|byte| HEX_ANY.has(*byte));
    // Without a colon, the line must have further words: `xxd -p` prints only one word per line.
    is_number && (digits.len() < word.len() || line.trim_ascii().len() == word.len() || line.contains(&b' '))
}

/// Returns where the bytes end and the text that `xxd` shows for them begins, after two spaces.
fn end_of_columns(line: &[u8]) -> usize {
    let from = line.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 2);
    let rest = line.get(from..).unwrap_or_default();
    let gap = rest.windows(2).position(|pair| pair == b"  ");
    match gap.filter(|_| from > 0) {
        Some(gap) => from + gap,
        None => line.len(),
    }
}

/// Decodes words of two, four or more hexadecimal digits.
fn hexadecimal(words: &[&[u8]]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for word in words {
        let is_whole = word.len() % 2 == 0 && word.len() <= 512 && word.iter().all(|byte| HEX_ANY.has(*byte));
        if !is_whole {
            return None;
        }
        let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
        bytes.extend(word.chunks(2).map(|pair| pair.iter().fold(0, |value, byte| value << 4 | digit(*byte))));
    }
    Some(bytes)
}

/// Decodes the columns of `od -c`: characters, escapes and octal numbers.
fn characters(words: &[&[u8]]) -> Option<Vec<u8>> {
    let is_octal = |word: &[u8]| word.len() == 3 && word.iter().all(|byte| (b'0'..=b'7').contains(byte));
    let byte = |word: &&[u8]| match *word {
        [byte] => Some(*byte),
        [b'\\', b'n'] => Some(b'\n'),
        [b'\\', b'r'] => Some(b'\r'),
        [b'\\', b't'] => Some(b'\t'),
        [b'\\', _] => Some(b' '),
        word if is_octal(word) => Some(b' '),
        _ => None,
    };
    words.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::find;

    /// Returns a made-up text in the shape of a token.
    fn token() -> String {
        ["token=", "ghp", "_", "Zq8rT2vX6yB1nM4kW9", "sD3fG7hJ0pLcVaEuR5\n"].concat()
    }

    fn lines(line: impl Fn(usize, &[u8]) -> String) -> String {
        let token = token();
        let lines: Vec<String> =
            token.as_bytes().chunks(16).enumerate().map(|(at, bytes)| line(at * 16, bytes)).collect();
        lines.join("\n")
    }

    fn hex(bytes: &[u8], group: usize) -> String {
        let groups =
            bytes.chunks(group).map(|group| group.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        groups.collect::<Vec<_>>().join(" ")
    }

    fn shown(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| if byte.is_ascii_graphic() { *byte as char } else { '.' }).collect()
    }

    #[test]
    fn dumps_of_all_programs() {
        let swapped = |bytes: &[u8]| bytes.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect::<Vec<u8>>();
        let character = |byte: &u8| if *byte == b'\n' { "  \\n".to_owned() } else { format!("   {}", *byte as char) };
        for (program, dump) in [
            ("xxd", lines(|at, bytes| format!("{at:08x}: {:<39}  {}", hex(bytes, 2), shown(bytes)))),
            ("xxd -p", lines(|_, bytes| hex(bytes, 16))),
            ("hexdump -C", lines(|at, bytes| format!("{at:08x}  {:<48}  |{}|", hex(bytes, 1), shown(bytes)))),
            ("hexdump", lines(|at, bytes| format!("{at:07x} {}", hex(&swapped(bytes), 2)))),
            ("od -An -tx1", lines(|_, bytes| format!(" {}", hex(bytes, 1)))),
            ("od -tx1", lines(|at, bytes| format!("{at:07o} {}", hex(bytes, 1)))),
            ("od -c", lines(|at, bytes| format!("{at:07o}{}", bytes.iter().map(character).collect::<String>()))),
        ] {
            let text = format!("before\n{dump}\nafter\n");
            let mut places = find(text.as_bytes()).into_iter().map(|dump| dump.place);
            let whole = "before\n".len()..text.len() - "\nafter\n".len();
            assert_eq!((places.next(), places.next()), (Some(whole), None), "{program}:\n{dump}");
        }
    }

    #[test]
    fn other_texts_are_no_dumps() {
        for text in [
            "8f4c1d0a9b3e7f2c\n",
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
            "a b c d e f g h i j k l m n o p q\n",
            "",
            "\n",
        ] {
            assert_eq!(find(text.as_bytes()), [], "{text}");
        }
    }
}
