//! URLs in texts.

/// What a URL in a text cannot contain.
const END: &[char] = &['"', '\'', '`', '<', '>', '(', ')', '{', '}', '|', '\\', '^', ';'];

/// The URLs that a text contains, in order, each once.
pub(super) fn all(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
        let rest = before.trim_end_matches(is_of_scheme).len();
        let Some(scheme) = before.get(rest..).filter(|scheme| scheme.starts_with(|c: char| c.is_ascii_alphabetic()))
        else {
            continue;
        };
        let end = after.find(|c: char| c.is_whitespace() || c.is_control() || END.contains(&c));
        let after = after.get(..end.unwrap_or(after.len())).unwrap_or(after).trim_end_matches([',', '.']);
        add(&mut found, &format!("{scheme}{after}"));
    }
    found
}

/// Adds a URL unless it is already present.
pub(super) fn add(urls: &mut Vec<String>, url: &str) {
    let url = url.trim();
    if !url.is_empty() && !urls.iter().any(|known| known == url) {
        urls.push(url.to_owned());
    }
}

/// The path of a `file:` URL.
pub(super) fn file_path(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_at_checked(7)?;
    let path = rest.find('/').and_then(|at| rest.get(at..)).filter(|_| scheme.eq_ignore_ascii_case("file://"))?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = [ahead.next(), ahead.next()].map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        match digits {
            [Some(high), Some(low)] if byte == b'%' => {
                bytes.push(u8::try_from(high * 16 + low).ok()?);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
