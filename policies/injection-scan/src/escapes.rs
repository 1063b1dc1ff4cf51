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
    /// The sequence shows progress: it sets a title, a link or the cursor's form, or begins the line anew.
    Progress,
    /// The sequence sets the clipboard, or is unknown.
    Other,
}

/// The maximum length of a line of progress, and of the word that it begins with, in bytes.
const MAX_LINE: usize = 200;
const MAX_NAME: usize = 32;

/// Returns the effect and the length of an escape sequence. `rest` begins after the escape character.
pub(crate) fn sequence(rest: &str) -> (Effect, usize) {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'[') {
        // These set titles, and links on texts.
        if rest.get(..3).is_some_and(|head| ["]0;", "]1;", "]2;", "]8;"].contains(&head)) {
            return (Effect::Progress, 1);
        }
        let is_text = matches!(bytes.first(), Some(b']' | b'P' | b'X' | b'^' | b'_'));
        let is_save = matches!(bytes.first(), Some(b'7' | b'8' | b'c' | b'D' | b'M' | b'E'));
        return match (is_text, is_save) {
            (true, _) => (Effect::Other, 1),
            (_, true) => (Effect::Overwrites, 1),
            // This ends a title or a link.
            _ if bytes.first() == Some(&b'\\') => (Effect::Progress, 0),
            // This selects another character set.
            _ if matches!(bytes.first(), Some(b'(' | b')' | b'*' | b'+' | b'$' | b'.')) => {
                (Effect::Colour, 2.min(bytes.len()))
            }
            _ => (Effect::Other, 0),
        };
    }
    let (effect, len) = control(rest.get(1..).unwrap_or_default());
    (effect, len + 1)
}

/// Returns the effect and the length of a control sequence. `rest` begins after its `[`.
pub(crate) fn control(rest: &str) -> (Effect, usize) {
    let end = rest.bytes().take(32).position(|byte| (0x40..=0x7E).contains(&byte));
    let Some(end) = end else { return (Effect::Other, 0) };
    let effect = match rest.as_bytes().get(end) {
        Some(b'm') if conceals(rest.get(..end).unwrap_or_default()) => Effect::Conceals,
        Some(b'm') => Effect::Colour,
        // A carriage return does the same.
        Some(b'G' | b'K') => Effect::Progress,
        Some(b'h' | b'l') if rest.starts_with("?25") && end == 3 => Effect::Progress,
        Some(b'A'..=b'F' | b'H' | b'J' | b'S' | b'T' | b'f' | b's' | b'u' | b'P' | b'X' | b'd' | b'L' | b'M') => {
            Effect::Overwrites
        }
        _ => Effect::Other,
    };
    (effect, end + 1)
}

/// Whether the escape character at this position begins the replacement of a line by a newer form of the same line, with
/// the same word and a colon in front: `a1: Pulling`, `a1: Complete`.
pub(crate) fn repaints(text: &str, at: usize) -> bool {
    let name = |line: &str| line.split_once(": ").map(|(name, _)| name.to_owned()).filter(|name| name.len() < MAX_NAME);
    let from = text.floor_char_boundary(at.saturating_sub(MAX_LINE));
    let before = text.get(from..at).unwrap_or_default().trim_end_matches(['\r', '\n']);
    let last = before.rsplit(['\r', '\n']).next().and_then(name);
    let new = text.get(at..).and_then(|rest| rest.strip_prefix("\u{1b}[1A\u{1b}[2K\r"));
    let new = new.and_then(|new| new.get(..new.floor_char_boundary(MAX_NAME)));
    let is_word = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    last.as_ref().is_some_and(is_word) && last == new.and_then(name)
}

/// Whether the parameters of a sequence that sets colours also hide the text.
fn conceals(parameters: &str) -> bool {
    let mut numbers = parameters.split(';').map(|number| number.trim_start_matches('0'));
    while let Some(number) = numbers.next() {
        // The numbers that define a colour follow these.
        let colour = if matches!(number, "38" | "48" | "58") { numbers.next() } else { None };
        let skipped = match colour {
            Some("5") => 1,
            Some("2") => 3,
            _ => 0,
        };
        if number == "8" || colour == Some("8") {
            return true;
        }
        for _ in 0..skipped {
            numbers.next();
        }
    }
    false
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
        assert_eq!(sequence("[008mx"), (Effect::Conceals, 5));
        assert_eq!(sequence("[38;5;1;8m"), (Effect::Conceals, 10));
        assert_eq!(sequence("[48;2;8;8;8;1m"), (Effect::Colour, 14));
        assert_eq!(sequence("[2K"), (Effect::Progress, 3));
        assert_eq!(sequence("[?25l"), (Effect::Progress, 5));
        assert_eq!(sequence("[?2l"), (Effect::Other, 4));
        assert_eq!(sequence("\\"), (Effect::Progress, 0));
        assert_eq!(sequence("[2A"), (Effect::Overwrites, 3));
        assert_eq!(sequence("]0;title"), (Effect::Progress, 1));
        assert_eq!(sequence("]52;c;aGk="), (Effect::Other, 1));
        assert_eq!(sequence(""), (Effect::Other, 0));
        assert_eq!(sequence("["), (Effect::Other, 1));
    }
}
