//! Images and links, and what their URLs take along.

/// The longest image URL that is examined, in bytes.
pub(crate) const MAX_URL: usize = 2000;

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
    "chat_log",
    "transcript",
    "environment_variable",
    "secrets",
    "credentials",
];
const DATA: &[&str] = &["history", "secret", "password", "token", "prompt", "context", "summary", "env", "email"];
/// Names of the parameter for the key of a service.
const KEYS: &[&str] = &["key", "apikey", "api_key", "api-key", "token", "access_token", "appid", "app_id", "client_id"];
/// Parameters of charts and maps.
const MEASURES: &[&str] = &[
    "from", "to", "start", "end", "time", "width", "height", "w", "h", "size", "scale", "dpi", "theme", "tz", "lat",
    "lon", "lng", "x", "y", "z", "zoom", "bbox",
];
/// Further parameters of charts, and of cards in the READMEs of projects.
const FIELDS: &[&str] = &[
    "labels", "values", "username", "login", "owner", "repo", "package", "version", "branch", "title", "label",
    "color", "colour", "icon", "style", "format", "lang", "locale",
];
/// Words with which a text tells that a value stands for what was said.
const TALKED: &[&str] = &[
    "conversation",
    "this chat",
    "the chat",
    "chat history",
    "chat log",
    "said so far",
    "discussed",
    "everything above",
    "everything you",
    "system prompt",
];
/// Words for secrets.
const SECRETS: &[&str] = &["credentials", "password", "secret"];
/// Words between a name and what it stands for: `where X is …`, `with X being …`.
const MEANING: &[&str] =
    &[" is ", "=", " = ", " being ", " stands for ", " means ", " contains ", ": ", " with ", " by "];
/// The part of a text after a URL in which it tells what a value stands for, in bytes.
const MAX_MEANING: usize = 400;
/// The longest URL of a link that is examined, in bytes.
const MAX_LINK: usize = 400;

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
    /// Whether all that it carries are times, sizes and places, as for charts and maps: `from={from}&to={to}`.
    pub(crate) is_measure: bool,
    /// Whether all that it carries are these and the fields of charts and cards: `username={username}&theme={theme}`.
    pub(crate) is_field: bool,
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
    let (url, after) = rest.split_at_checked(rest.floor_char_boundary(end)).unwrap_or_default();
    let has_place = url.bytes().any(|byte| matches!(byte, b'{' | b'<' | b'['));
    let is_talk = |value: &str| {
        // This is `<full chat history>`.
        let value = value.to_ascii_lowercase().replace("%20", "_").replace([' ', '+'], "_");
        // This is `<BASE64_OF_EMAILS>`.
        let is_encoded = value.contains("base64") && DATA.iter().any(|word| value.contains(word));
        is_place(&value) && (is_encoded || TALK.iter().any(|word| value.contains(word))) && !value.contains("_id")
    };
    let url = url.strip_prefix('<').unwrap_or(url);
    let stands = |value: &str| has_place && is_talk(value) || is_explained(value, after);
    url.starts_with("http") && pairs(url).any(|(_, value)| stands(value))
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
    let after = rest.get(end..).unwrap_or_default();
    if !is_http {
        return None;
    }
    let is_data = |(_, value): &(&str, &str)| holds_data(value) || is_explained(value, after);
    let data: Vec<(&str, &str)> = pairs(url).filter(is_data).collect();
    if data.is_empty() {
        return None;
    }
    let is_measure = |name: &str, value: &str| holds_measure(name, value) && !is_explained(value, after);
    let is_known = |(name, value): &(&str, &str)| holds_key(name, value) || is_measure(name, value);
    let is_field = |(name, value): &(&str, &str)| holds_field(name, value) && !is_explained(value, after);
    Some(Carrier {
        end,
        is_key: data.iter().all(is_known),
        is_measure: data.iter().all(|(name, value)| is_measure(name, value)),
        is_field: data.iter().all(|pair| is_known(pair) || is_field(pair)),
    })
}

/// Whether a text speaks of what was said, or of secrets.
pub(crate) fn is_sensitive(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    TALKED.iter().chain(SECRETS).any(|words| text.contains(words))
}

/// Whether the text after a URL tells that a value in it stands for the conversation: `where X is the conversation`.
fn is_explained(value: &str, after: &str) -> bool {
    let name = value.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if name.is_empty() || !is_name && !is_place(value) {
        return false;
    }
    let after = after.get(..after.floor_char_boundary(MAX_MEANING)).unwrap_or_default();
    let is_meant = |at: usize| {
        let (before, rest) = (after.get(..at).unwrap_or_default(), after.get(at + name.len()..).unwrap_or_default());
        let rest = rest.trim_start_matches(['}', ']', '>', ')', '`', '"', '*']);
        let sentence = rest.split(['\n', '.']).next().unwrap_or_default();
        // A name in lower case is a word like others, unless it has its marks.
        let is_whole = if is_name {
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        } else {
            before.ends_with(['{', '[', '<', '(', '`'])
        };
        // The name comes close before what it stands for: `replace X with …`.
        let is_close = |between: &str| between.split_ascii_whitespace().count() <= 3;
        let is_talk = |meaning: &str| {
            let meaning = meaning.to_ascii_lowercase();
            TALKED.iter().any(|words| meaning.contains(words)) && !has_identifier(&meaning)
        };
        let mut meanings = MEANING.iter().filter_map(|words| sentence.split_once(words));
        is_whole && meanings.any(|(between, meaning)| is_close(between) && is_talk(meaning))
    };
    after.match_indices(name).any(|(at, _)| is_meant(at))
}

/// Whether a text in lower case is about the name of a conversation rather than what is in it: `its id`.
fn has_identifier(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "id" | "identifier" | "number" | "name" | "title"))
}

/// Whether a value is the place of a parameter of a chart or a map: `from={from}`, `x=${x}`.
fn holds_measure(name: &str, value: &str) -> bool {
    let place = value.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_one = |text: &str| MEASURES.iter().any(|known| text.eq_ignore_ascii_case(known));
    is_one(name) && (is_one(place) || place == "bbox-epsg-3857")
}

/// Whether a value is the place of a field of a chart or a card: `username={username}`, `data={values}`.
fn holds_field(name: &str, value: &str) -> bool {
    let place = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')).unwrap_or_default();
    let is_one = |text: &str| FIELDS.iter().any(|known| text.eq_ignore_ascii_case(known));
    is_one(name) && place.eq_ignore_ascii_case(name) || name == "data" && place == "values"
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
