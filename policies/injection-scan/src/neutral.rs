//! Makes invisible characters visible.

use crate::escapes::{Effect, sequence};
use crate::invisible::{invisible, run};

/// Replaces illegitimate invisible characters, and escape sequences other than colours. Returns `None` if there are
/// none. JSON stays valid JSON.
pub(crate) fn neutral(text: &str) -> Option<(String, usize)> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    let mut out = String::new();
    let (mut copied, mut at, mut count) = (0, 0, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let is_spelled = is_json
            && byte == b'\\'
            && bytes.get(at..at + 6).is_some_and(|escape| escape.eq_ignore_ascii_case(b"\\u001b"));
        if byte == b'\\' && is_json && !is_spelled {
            // An escaped character begins nothing.
            at += 2;
            continue;
        }
        if (0x20..0x80).contains(&byte) && !is_spelled {
            at += 1;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let Some(c) = rest.chars().next() else {
            // The position is inside a character, after a backslash.
            at += 1;
            continue;
        };
        let (len, shown) = if is_spelled {
            let is_colour = sequence(text.get(at + 6..).unwrap_or_default()).0 == Effect::Colour;
            if is_colour { (6, None) } else { (6, Some("\\u241b".to_owned())) }
        } else if c == '\u{1b}' {
            let is_colour = sequence(text.get(at + 1..).unwrap_or_default()).0 == Effect::Colour;
            if is_colour { (1, None) } else { (1, Some("\u{241b}".to_owned())) }
        } else if c == '\u{8}' {
            (1, Some("\u{2408}".to_owned()))
        } else if c == '\u{9b}' {
            (2, Some("\u{241b}[".to_owned()))
        } else if invisible(c).is_some() {
            let run = run(rest, text.get(..at).and_then(|before| before.chars().next_back()));
            let plural = if run.count == 1 { "" } else { "s" };
            (run.len, (run.odd > 0).then(|| format!("[{} invisible character{plural}]", run.count)))
        } else {
            (c.len_utf8(), None)
        };
        if let Some(shown) = shown {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str(&shown);
            copied = at + len;
            count += 1;
        }
        at += len;
    }
    if count == 0 {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some((out, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(text: &str) -> String {
        neutral(text).map_or_else(|| text.to_owned(), |(text, _)| text)
    }

    #[test]
    fn only_what_is_invisible_changes() {
        assert_eq!(text("a\u{200b}\u{200b}b"), "a[2 invisible characters]b");
        assert_eq!(text("a\u{202e}b"), "a[1 invisible character]b");
        assert_eq!(text("\u{1b}[31mred\u{1b}[0m"), "\u{1b}[31mred\u{1b}[0m");
        assert_eq!(text("\u{1b}[8mx\u{1b}[2K"), "\u{241b}[8mx\u{241b}[2K");
        assert_eq!(text("{\"a\":\"\\u001b[8mx\"}"), "{\"a\":\"\\u241b[8mx\"}");
        assert_eq!(text("{\"a\":\"\\\\u001b[8mx\"}"), "{\"a\":\"\\\\u001b[8mx\"}");
        assert_eq!(text("👩\u{200d}💻 ❤\u{fe0f} \u{feff}"), "👩\u{200d}💻 ❤\u{fe0f} [1 invisible character]");
    }

    proptest! {
        /// Visible characters stay unchanged, byte for byte.
        #[test]
        fn the_rest_stays(parts in prop::collection::vec(prop::sample::select(vec![
            "a", "é", "{", "\\", "\"", "\u{200b}", "\u{202e}", "\u{e0041}", "\u{1b}", "[8m", "😀", "\u{fe0f}", "\u{8}", "字",
        ]), 0..20)) {
            let original = parts.concat();
            let plain = |text: &str| text.chars().filter(|c| invisible(*c).is_none() && !matches!(c, '\u{1b}' | '\u{8}' | '\u{241b}' | '\u{2408}')).collect::<String>();
            let mut new = text(&original);
            for count in 1..30 {
                new = new.replace(&format!("[{count} invisible character{}]", if count == 1 { "" } else { "s" }), "");
            }
            prop_assert_eq!(plain(&new), plain(&original));
        }
    }
}
