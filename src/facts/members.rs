//! The parts of a text that is not prose: options, members of YAML and the like, and markup.
//!
//! A tool that takes its arguments in one text may read a path in each of these.

/// Returns the words of a text that consists of options with their values (`--out x`), or of nothing but paths (`a.txt
/// -> b.txt`).
pub(super) fn options(text: &str) -> Option<Vec<&str>> {
    if !text.contains(char::is_whitespace) {
        return None;
    }
    let is_option = |word: &str| {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let is_path = |word: &str| {
        let word = unquoted(word).trim_end_matches([',', ';']);
        let has_dot = || word.rfind('.').is_some_and(|at| at + 1 < word.len());
        word.starts_with('~') || word.contains(['/', '\\']) || has_dot() || matches!(word, "->" | "=>" | ">" | "<")
    };
    let starts = text.split_whitespace().next().is_some_and(is_option) && text.lines().count() == 1;
    let is_list = || text.split_whitespace().all(is_path);
    (starts || is_list()).then(|| text.split_whitespace().map(|word| word.trim_end_matches([',', ';'])).collect())
}

/// Returns the values of a text that consists of nothing but members: `path: x`, `- x`, `path = "x"`. Values that are
/// prose are left out.
pub(super) fn all(text: &str) -> Option<Vec<&str>> {
    let mut values = Vec::new();
    for line in text.lines().map(str::trim) {
        let is_section = line.starts_with('[') && line.ends_with(']');
        if line.is_empty() || line.starts_with('#') || is_section || matches!(line, "---" | "..." | "{" | "}") {
            continue;
        }
        values.extend(member(line)?);
    }
    Some(values)
}

/// Returns the value of a line, or `Some(None)` if the value is prose; `None` if the line is not a member.
fn member(line: &str) -> Option<Option<&str>> {
    let mut rest = line;
    while let Some(after) = rest.strip_prefix("- ") {
        rest = after.trim_start();
    }
    let is_item = rest.len() < line.len();
    let value = match key_end(rest) {
        Some(end) => rest.get(end + 1..).unwrap_or_default(),
        None if is_item => rest,
        None => return None,
    };
    let value = value.trim().trim_end_matches(',');
    let plain = unquoted(value);
    let is_quoted = plain.len() < value.len();
    let is_prose = value.contains(char::is_whitespace) && !is_quoted;
    // The line is an item of a list of sentences.
    if is_prose && key_end(rest).is_none() {
        return None;
    }
    Some((!is_prose).then_some(plain))
}

/// Returns where the key of a line ends: at a `=`, or at a colon with a space after it.
fn key_end(line: &str) -> Option<usize> {
    let of_key = |c: char| c.is_ascii_alphanumeric() || "_-.\"'".contains(c);
    let end = line.find(|c: char| !of_key(c)).filter(|end| *end > 0)?;
    let rest = line.get(end..)?;
    let at = end + (rest.len() - rest.trim_start().len());
    let after = line.get(at + 1..).unwrap_or_default();
    let is_end = match line.get(at..)?.chars().next()? {
        '=' => true,
        ':' => after.is_empty() || after.starts_with(char::is_whitespace),
        _ => false,
    };
    is_end.then_some(at)
}

/// Returns the values and the texts of markup, if no text is prose: `<path>x</path>`, `<file path="x"/>`.
pub(super) fn markup(text: &str) -> Option<Vec<&str>> {
    if !(text.starts_with('<') && text.ends_with('>')) {
        return None;
    }
    let mut found = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, content) = part.split_once('>')?;
        let content = content.trim();
        if content.contains(char::is_whitespace) {
            return None;
        }
        found.push(content);
        found.extend(
            tag.split_whitespace().filter_map(|member| Some(unquoted(member.split_once('=')?.1.trim_end_matches('/')))),
        );
    }
    Some(found)
}

/// Returns a text without surrounding space and invisible characters, such as a byte order mark.
pub(super) fn visible(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}'))
}

/// Returns a text without the quotes and parentheses around it.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '(', ')'])
}

/// Returns what follows the letter of an option: `-ox` is `-o x`.
pub(super) fn behind_letter(word: &str) -> Option<&str> {
    let mut rest = word.strip_prefix('-')?.chars();
    let letter = rest.next()?;
    (letter.is_ascii_alphabetic() && !rest.as_str().is_empty()).then_some(rest.as_str())
}

/// Returns a text with `%2E` and the like decoded; `None` if there is nothing to decode.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    let mut is_encoded = false;
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                is_encoded = true;
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    is_encoded.then(|| String::from_utf8(bytes).ok()).flatten().filter(|text| !text.contains('\0'))
}
