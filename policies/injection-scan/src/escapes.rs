//! Terminal escape sequences.

/// The effect of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The sequence colours text.
    Colour,
    /// The sequence makes text invisible.
    Conceals,
    /// The sequence moves the cursor or deletes what was shown, so the display differs from the text.
    Overwrites,
    /// The sequence sets a title, a link or the clipboard, or is unknown.
    Other,
}

/// Returns the effect and the length of an escape sequence. `rest` begins after the escape character.
pub(crate) fn sequence(rest: &str) -> (Effect, usize) {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'[') {
        let is_text = matches!(bytes.first(), Some(b']' | b'P' | b'X' | b'^' | b'_'));
        let is_save = matches!(bytes.first(), Some(b'7' | b'8' | b'c' | b'D' | b'M' | b'E'));
        return match (is_text, is_save) {
            (true, _) => (Effect::Other, 1),
            (_, true) => (Effect::Overwrites, 1),
            // This selects another character set.
            _ if matches!(bytes.first(), Some(b'(' | b')' | b'*' | b'+' | b'$' | b'.')) => {
                (Effect::Colour, 2.min(bytes.len()))
            }
            _ => (Effect::Other, 0),
        };
    }
    let body = bytes.get(1..).unwrap_or_default();
    let end = body.iter().take(32).position(|byte| (0x40..=0x7E).contains(byte));
    let Some(end) = end else { return (Effect::Other, 1) };
    let parameters = rest.get(1..end + 1).unwrap_or_default();
    let effect = match body.get(end) {
        Some(b'm')
            if parameters.split(';').any(|parameter| parameter == "8" || parameter == "08")
                && !parameters.contains("8;5;")
                && !parameters.contains("8;2;") =>
        {
            Effect::Conceals
        }
        Some(b'm') => Effect::Colour,
        Some(b'A'..=b'H' | b'J' | b'K' | b'S' | b'T' | b'f' | b's' | b'u' | b'P' | b'X' | b'd' | b'L' | b'M') => {
            Effect::Overwrites
        }
        _ => Effect::Other,
    };
    (effect, end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects() {
        assert_eq!(sequence("[31mred"), (Effect::Colour, 4));
        assert_eq!(sequence("[38;5;8m"), (Effect::Colour, 8));
        assert_eq!(sequence("[8mx"), (Effect::Conceals, 3));
        assert_eq!(sequence("[0;8mx"), (Effect::Conceals, 5));
        assert_eq!(sequence("[2K"), (Effect::Overwrites, 3));
        assert_eq!(sequence("]52;c;aGk="), (Effect::Other, 1));
        assert_eq!(sequence(""), (Effect::Other, 0));
        assert_eq!(sequence("["), (Effect::Other, 1));
    }
}
