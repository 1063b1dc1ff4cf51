//! Hidden text in HTML and Markdown, and imitations of chat markup.

use crate::lexicon::MARKS;

/// The maximum distance back at which elements around a text are looked for, in bytes.
const MAX_BACK: usize = 800;
/// The maximum number of tags that are examined.
const MAX_TAGS: usize = 12;

/// Styles and attributes that hide an element, without white space.
const HIDING: &[&str] = &[
    "display:none",
    "visibility:hidden",
    "visibility:collapse",
    "font-size:0",
    "font-size:1px",
    "font-size:.",
    "opacity:0;",
    "opacity:0\"",
    "opacity:0'",
    "opacity:0.0",
    "opacity:.0",
    "color:white",
    "color:#fff",
    "color:#ffffff",
    "color:transparent",
    "color:rgba(255,255,255",
    "color:rgb(255,255,255",
    "color:rgba(0,0,0,0)",
    "left:-",
    "top:-999",
    "text-indent:-",
    "height:0",
    "width:0",
    "clip:rect(",
    "clip-path:inset(",
    "transform:scale(0",
    "aria-hidden=\"true\"",
    "class=\"hidden",
    "class='hidden",
    "sr-only",
    "visually-hidden",
    "type=\"hidden\"",
    "<template",
    "<noscript",
];

/// Elements that have no end tag.
const VOID: &[&str] = &["<br", "<img", "<hr", "<input", "<meta", "<link", "<wbr", "<!"];

/// The way in which an element hides a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// A style hides the text.
    Style,
    /// The text is in an attribute of a tag.
    Attribute,
}

/// Returns how the elements around the text at `at` hide it.
pub(crate) fn hidden(text: &str, at: usize) -> Option<Hidden> {
    let mut start = at.saturating_sub(MAX_BACK);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..at)?;
    let mut rest = before;
    let mut closed = 0_usize;
    for _ in 0..MAX_TAGS {
        let open = rest.rfind('<')?;
        let (head, tag) = rest.split_at_checked(open)?;
        rest = head;
        let is_tag =
            tag.get(1..).is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'));
        if !is_tag {
            continue;
        }
        let Some(end) = tag.find('>') else {
            // The position is inside the tag itself, and an attribute's name comes before it.
            let is_attribute = tag.contains("=\"") || tag.contains("='");
            if is_attribute && tag.len() < MAX_BACK / 2 {
                return Some(Hidden::Attribute);
            }
            continue;
        };
        let tag = tag.get(..end)?;
        if tag.starts_with("</") {
            closed += 1;
            continue;
        }
        let plain: String = tag.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        // This keeps the colour of a background apart from that of a text.
        let plain = plain.replace("background-color:", "background:");
        let is_void = VOID.iter().any(|void| plain.starts_with(void)) && !plain.starts_with("<metadata");
        if is_void || tag.ends_with('/') {
            continue;
        }
        if closed > 0 {
            closed -= 1;
            continue;
        }
        // White text is hidden only on white. A dark background means that the text is visible.
        let is_shown =
            plain.contains("background") && !plain.contains("background:#fff") && !plain.contains("background:white");
        let is_hidden = HIDING.iter().any(|style| plain.contains(style) && !(is_shown && style.starts_with("color:")))
            || tag.split_ascii_whitespace().any(|attribute| attribute.eq_ignore_ascii_case("hidden"))
            || !is_shown && is_white(&plain)
            || has_one_colour(&plain)
            || is_of_picture(tag, rest);
        if is_hidden {
            return Some(Hidden::Style);
        }
    }
    None
}

/// Whether this is the tag of a font in white: `<font color="#FFFFFF">`. It is in lower case and without white space.
fn is_white(tag: &str) -> bool {
    let attributes = tag.strip_prefix("<font").map(|attributes| attributes.replace(['"', '\''], ""));
    attributes.is_some_and(|attributes| ["color=white", "color=#fff"].iter().any(|white| attributes.contains(white)))
}

/// Whether a tag gives a text the colour of its background.
fn has_one_colour(tag: &str) -> bool {
    let value = |name: &str| {
        let is_name = |at: &usize| tag.get(..*at).is_some_and(|before| before.ends_with([';', '"', '\'', '=']));
        let at = tag.match_indices(name).map(|(at, _)| at).find(is_name)?;
        tag.get(at + name.len()..)?.split([';', '"', '\'', '!']).next()
    };
    let is_own = |colour: &&str| !["inherit", "initial", "unset"].contains(colour);
    value("color:").filter(is_own).is_some_and(|colour| value("background:") == Some(colour))
}

/// Whether a tag begins a description in an SVG picture, which draws nothing. `before` is the text before it.
fn is_of_picture(tag: &str, before: &str) -> bool {
    let name = tag.get(1..).unwrap_or_default().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_in_picture =
        || before.rfind("<svg").is_some_and(|start| before.rfind("</svg").is_none_or(|end| end < start));
    ["desc", "title", "metadata"].iter().any(|known| name.eq_ignore_ascii_case(known)) && is_in_picture()
}

/// A bit set of the markers of chat templates and tool calls, by their first three bytes.
pub(crate) struct Marks([u64; 8]);

impl Marks {
    pub(crate) fn new() -> Self {
        let mut bits = [0; 8];
        for mark in MARKS {
            let (slot, bit) = head(mark.as_bytes());
            if let Some(bits) = bits.get_mut(slot) {
                *bits |= bit;
            }
        }
        Marks(bits)
    }

    /// Returns the index of the marker that a text begins with.
    pub(crate) fn at(&self, rest: &str) -> Option<usize> {
        let rest = rest.as_bytes();
        let (slot, bit) = head(rest);
        if self.0.get(slot).is_none_or(|bits| bits & bit == 0) {
            return None;
        }
        let is = |mark: &str| {
            let head = rest.get(..mark.len()).unwrap_or_default();
            // `[inst]` is a section of settings.
            head == mark.as_bytes() || mark != "[INST]" && head.eq_ignore_ascii_case(mark.as_bytes())
        };
        MARKS.iter().position(|mark| is(mark))
    }
}

/// Returns the position of the first three bytes in the bit set.
fn head(bytes: &[u8]) -> (usize, u64) {
    let hash = bytes.iter().take(3).fold(0_usize, |hash, byte| hash * 31 + usize::from(byte.to_ascii_lowercase()));
    (hash >> 6 & 7, 1 << (hash & 63))
}

#[cfg(test)]
mod tests;
