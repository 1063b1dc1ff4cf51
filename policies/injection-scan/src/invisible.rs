//! Invisible characters, and the places where they are legitimate.

/// The kind of an invisible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invisible {
    /// A character without width.
    Zero,
    /// A character that joins letters or emoji, or keeps them apart: U+200C, U+200D.
    Joiner,
    /// A mark for where a word may be hyphenated: U+00AD.
    Hyphen,
    /// A character that changes the direction of the text after it.
    Direction,
    /// A mark for the direction at one position.
    Mark,
    /// A character that encodes an ASCII character without showing it.
    Tag(char),
    /// A selector for the form of the preceding character.
    Variation,
    /// A selector from a set that is large enough to encode any byte.
    Selector,
}

/// Returns the kind of an invisible character, or `None` if the character is visible.
pub(crate) fn invisible(c: char) -> Option<Invisible> {
    Some(match u32::from(c) {
        // Most characters end here.
        0..=0xAC | 0xAE..=0x34E | 0x350..=0x61B | 0x61D..=0x115E | 0x2070..=0x3163 | 0x3165..=0xFDFF => return None,
        0x00AD => Invisible::Hyphen,
        0x200C | 0x200D => Invisible::Joiner,
        0x200E | 0x200F | 0x061C => Invisible::Mark,
        0x202A..=0x202E | 0x2066..=0x2069 => Invisible::Direction,
        0x180E | 0x200B | 0x2060..=0x2065 | 0x206A..=0x206F | 0xFEFF | 0x115F | 0x1160 | 0x3164 | 0xFFA0 | 0x034F => {
            Invisible::Zero
        }
        0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xFFF9..=0xFFFB | 0x17B4 | 0x17B5 => Invisible::Zero,
        0xFE00..=0xFE0F => Invisible::Variation,
        0xE0100..=0xE01EF => Invisible::Selector,
        code @ 0xE0000..=0xE007F => Invisible::Tag(char::from_u32(code - 0xE0000).unwrap_or(' ')),
        0xE0080..=0xE00FF | 0xE01F0..=0xE0FFF => Invisible::Zero,
        _ => return None,
    })
}

/// A run of invisible characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// The number of characters.
    pub(crate) count: usize,
    /// The number of characters that are not legitimate.
    pub(crate) odd: usize,
    /// The text that the tags in the run spell.
    pub(crate) tags: String,
    /// The number of characters that change the direction.
    pub(crate) directions: usize,
    /// The number of those that reverse even the letters of Latin words: U+202D, U+202E.
    pub(crate) overrides: usize,
    /// The length of the run, in bytes.
    pub(crate) len: usize,
}

/// Returns the run of invisible characters at the beginning of `rest`. `before` is the preceding character.
pub(crate) fn run(rest: &str, before: Option<char>) -> Run {
    let mut run = Run::default();
    let (mut joiners, mut variations, mut selectors, mut others) = (0, 0, 0, 0);
    for c in rest.chars() {
        let Some(what) = invisible(c) else { break };
        run.count += 1;
        run.len += c.len_utf8();
        match what {
            Invisible::Joiner | Invisible::Mark | Invisible::Hyphen => joiners += 1,
            Invisible::Direction => {
                run.directions += 1;
                run.overrides += usize::from(matches!(c, '\u{202d}' | '\u{202e}'));
            }
            Invisible::Tag(c) => run.tags.push(c),
            Invisible::Variation => variations += 1,
            Invisible::Selector => selectors += 1,
            Invisible::Zero => others += 1,
        }
    }
    let after = rest.get(run.len..).and_then(|rest| rest.chars().next());
    // These are the flags of England, Scotland and Wales.
    if before == Some('\u{1F3F4}') && run.tags.ends_with('\u{7f}') && run.tags.len() < 9 {
        run.tags.clear();
    }
    let is_ascii = |c: Option<char>| c.is_none_or(|c| c.is_ascii());
    let is_between_others = !is_ascii(before) || !is_ascii(after);
    let is_start = before.is_none() && run.count == 1;
    run.odd = run.tags.chars().count() + run.directions;
    run.odd += if is_start { 0 } else { others };
    run.odd += if is_between_others && joiners <= 2 { 0 } else { joiners };
    run.odd += if variations <= 1 && !before.is_some_and(|c| c.is_ascii_alphabetic()) { 0 } else { variations };
    run.odd += if selectors <= 1 && !is_ascii(before) { 0 } else { selectors };
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_its_place_is_not_odd() {
        for (before, text) in [
            (Some('👩'), "\u{200d}💻"),
            (Some('❤'), "\u{fe0f}"),
            (Some('❤'), "\u{fe0f}\u{200d}🔥"),
            (Some('م'), "\u{200c}ی"),
            (Some('葛'), "\u{e0100}"),
            (None, "\u{feff}x"),
            (Some('\u{1F3F4}'), "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"),
        ] {
            assert_eq!(run(text, before).odd, 0, "{text:?}");
        }
        for (before, text, odd) in [
            (Some('a'), "\u{200b}\u{200b}\u{200c}", 3),
            (Some('a'), "\u{e0069}\u{e0067}", 2),
            (Some('a'), "\u{202e}x", 1),
            (Some('😀'), "\u{e0101}\u{e0102}\u{e0103}", 3),
            (Some('a'), "\u{fe00}", 1),
        ] {
            assert_eq!(run(text, before).odd, odd, "{text:?}");
        }
    }
}
