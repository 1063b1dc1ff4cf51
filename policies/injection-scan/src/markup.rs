//! Hidden text in HTML and Markdown, and imitations of chat markup.

use crate::lexicon::MARKS;

/// The maximum distance back at which elements around a text are looked for, in bytes.
const MAX_BACK: usize = 800;
/// The maximum number of tags that are examined.
const MAX_TAGS: usize = 12;
/// The longest image URL that is examined, in bytes.
pub(crate) const MAX_URL: usize = 2000;

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

/// Placeholders for data that an attacker wants in a URL.
const PLACEHOLDERS: &[&str] = &[
    "DATA",
    "SECRET",
    "KEY",
    "TOKEN",
    "BASE64",
    "ENV",
    "HISTORY",
    "CONVERSATION",
    "SUMMARY",
    "PASSWORD",
    "CONTENT",
    "PROMPT",
    "INFO",
    "TEXT",
    "MESSAGE",
    "CONTEXT",
    "RESULT",
    "YOUR",
    "CREDENTIAL",
    "USER",
    "EMAIL",
    "OUTPUT",
    "ENCODED",
];

/// Words for the conversation in such a place, and for other data of the user.
const TALK: &[&str] = &[
    "system_prompt",
    "system-prompt",
    "systemprompt",
    "conversation",
    "chat_history",
    "chat-history",
    "secrets",
    "credentials",
];
const DATA: &[&str] = &["history", "secret", "password", "token", "prompt", "context", "summary", "env", "email"];
/// Names of the parameter for the key of a service.
const KEYS: &[&str] = &["key", "apikey", "api_key", "api-key", "token", "access_token", "appid", "app_id", "client_id"];
/// The longest URL of a link that is examined, in bytes.
const MAX_LINK: usize = 400;

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

/// Whether a text begins with the tag of an image.
pub(crate) fn is_image(rest: &str) -> bool {
    rest.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("<img"))
}

/// Returns where the values of the attributes `src` and `srcset` begin in a tag.
fn sources(tag: &str) -> impl Iterator<Item = usize> {
    let names = tag.as_bytes().windows(3).enumerate().filter(|(_, name)| name.eq_ignore_ascii_case(b"src"));
    names.filter_map(move |(at, _)| {
        let rest = tag.get(at + 3..)?;
        let set = if rest.get(..3).is_some_and(|set| set.eq_ignore_ascii_case("set")) { 3 } else { 0 };
        let value = rest.get(set..)?.trim_start().strip_prefix('=')?.trim_start();
        Some(tag.len() - value.strip_prefix(['"', '\'']).unwrap_or(value).len())
    })
}

/// Returns the tag that a text begins with. A `>` in quotes does not end it.
fn tag(rest: &str) -> &str {
    let mut quote = None;
    let end = rest.bytes().position(|byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        quote.is_none() && byte == b'>'
    });
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// The URL of an image that carries data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carrier {
    /// The end of the URL.
    pub(crate) end: usize,
    /// Whether all that it carries is the key of a service, for which documentation has a placeholder.
    pub(crate) is_key: bool,
}

/// Returns the URL of an image if it carries data. `rest` begins with the URL, after `](` or the `]:` of a definition, or
/// at an `<img`.
pub(crate) fn image(rest: &str, most: usize) -> Option<Carrier> {
    let rest = rest.get(..rest.floor_char_boundary(most))?;
    let from = |start: usize| {
        let found = carrier(rest.get(start..)?)?;
        Some(Carrier { end: start + found.end, ..found })
    };
    if is_image(rest) { sources(tag(rest)).find_map(from) } else { from(usize::from(rest.starts_with('<'))) }
}

/// Whether a link would take the conversation along. `rest` begins with its URL, after `](`.
pub(crate) fn link(rest: &str) -> bool {
    let end = rest.bytes().take(MAX_LINK).position(|byte| byte == b')').unwrap_or(MAX_LINK);
    let url = rest.get(..rest.floor_char_boundary(end)).unwrap_or_default();
    let has_place = url.bytes().any(|byte| matches!(byte, b'{' | b'<' | b'['));
    let is_talk = |value: &str| {
        let value = value.to_ascii_lowercase();
        // This is `<BASE64_OF_EMAILS>`.
        let is_encoded = value.contains("base64") && DATA.iter().any(|word| value.contains(word));
        is_place(&value) && (is_encoded || TALK.iter().any(|word| value.contains(word))) && !value.contains("_id")
    };
    let url = url.strip_prefix('<').unwrap_or(url);
    has_place && url.starts_with("http") && pairs(url).any(|(_, value)| is_talk(value))
}

/// Returns the names and values of a URL's query.
fn pairs(url: &str) -> impl Iterator<Item = (&str, &str)> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split(['&', ')']).filter_map(|pair| pair.split_once('='))
}

/// Returns the URL at the beginning of a text if it carries data.
fn carrier(rest: &str) -> Option<Carrier> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '>' | '"');
    let end = rest.find(is_end).unwrap_or(rest.len());
    let url = rest.get(..end)?;
    let (scheme, _) = url.split_once("://")?;
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let mut data = pairs(url).filter(|(_, value)| holds_data(value)).peekable();
    if !is_http || data.peek().is_none() {
        return None;
    }
    let is_key = data.all(|(name, value)| holds_key(name, value)) && pairs(url).nth(1).is_some();
    Some(Carrier { end, is_key })
}

/// Whether a value stands for data.
fn holds_data(value: &str) -> bool {
    is_place(value) && !is_object(value) || is_placeholder(value)
}

/// Whether a value is a place that somebody fills in, such as `{{history}}`.
fn is_place(value: &str) -> bool {
    let inner = value.trim_start_matches(['{', '[', '<', '$', '(', '%', '"']);
    inner.len() < value.len() && value.contains(['{', '[', '<', '('])
        || value.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("%7b"))
}

/// Whether a value is a placeholder such as `DATA` and `YOUR_API_KEY`.
fn is_placeholder(value: &str) -> bool {
    let is_upper = value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_upper && PLACEHOLDERS.iter().any(|word| value.contains(word))
}

/// Whether a value holds the place of the reader's own key: `key=YOUR_API_KEY`.
fn holds_key(name: &str, value: &str) -> bool {
    KEYS.iter().any(|key| name.eq_ignore_ascii_case(key))
        && value.starts_with("YOUR_")
        && ["KEY", "TOKEN", "ID"].iter().any(|end| value.ends_with(end))
}

/// Whether a value is an object that is written out, as for a chart: `{type:'bar',data:{labels:['Q1','Q2']}}`.
fn is_object(value: &str) -> bool {
    let mut plain = value.to_ascii_lowercase();
    for (code, c) in [("%7b", "{"), ("%22", "\""), ("%27", "'"), ("%3a", ":"), ("%24", "$"), ("%3c", "<")] {
        plain = plain.replace(code, c);
    }
    let Some(name) = plain.strip_prefix('{').map(|name| name.trim_start_matches(['"', '\''])) else { return false };
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or_default();
    let after = name.get(end..).unwrap_or_default().trim_start_matches(['"', '\'']);
    let has_place = ["{{", "${", "<"].iter().chain(TALK).chain(DATA).any(|place| plain.contains(place));
    end > 0 && after.starts_with(':') && !has_place && !PLACEHOLDERS.iter().any(|word| value.contains(word))
}

#[cfg(test)]
mod tests;
