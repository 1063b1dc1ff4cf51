//! URLs in texts.

/// The characters that a URL in a text cannot contain.
const END: &[char] = &['"', '\'', '`', '<', '>', '(', ')', '{', '}', '|', '\\', '^', ';'];

/// Schemes of addresses that are not files of this machine. A text with another scheme is the path of a file for a tool
/// that does not know the scheme.
const ADDRESSES: &[&str] = &[
    "amqp",
    "amqps",
    "azure",
    "docker",
    "ftp",
    "ftps",
    "git",
    "git+http",
    "git+https",
    "git+ssh",
    "grpc",
    "grpcs",
    "gs",
    "http",
    "https",
    "imap",
    "imaps",
    "kafka",
    "ldap",
    "ldaps",
    "mongodb",
    "mongodb+srv",
    "mysql",
    "nats",
    "oci",
    "postgres",
    "postgresql",
    "rabbitmq",
    "redis",
    "rediss",
    "s3",
    "sftp",
    "smtp",
    "smtps",
    "ssh",
    "svn",
    "tcp",
    "udp",
    "ws",
    "wss",
];

/// The maximum number of URLs of one call, and the maximum number of bytes in all of them: a URL may contain others.
const MAX_URLS: usize = 1024;
const MAX_URL_BYTES: usize = 1 << 20;

/// What is unknown about a call with more URLs.
pub(super) const TOO_MANY: &str = "more URLs than are read";

/// Adds the URLs that a text contains, in order, each once. Returns false if there was no room for one of them.
pub(super) fn add_all(urls: &mut Vec<String>, text: &str) -> bool {
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
        if !add(urls, &format!("{scheme}{after}")) {
            return false;
        }
    }
    true
}

/// Adds a URL unless it is already present. Returns false if there was no room for it.
pub(super) fn add(urls: &mut Vec<String>, url: &str) -> bool {
    let url = url.trim();
    if url.is_empty() || urls.iter().any(|known| known == url) {
        return true;
    }
    let bytes: usize = urls.iter().map(String::len).sum();
    let has_room = urls.len() < MAX_URLS && bytes + url.len() <= MAX_URL_BYTES;
    if has_room {
        urls.push(url.to_owned());
    }
    has_room
}

/// Returns the scheme of a text that is the address of something other than a file of this machine.
///
/// An address with a `..` may be a path after all: a program that does not know URLs treats `https://a/../../x` as `x`.
pub(super) fn scheme_of_address(text: &str) -> Option<&str> {
    let (scheme, rest) = text.trim_start().split_once("://")?;
    let is_known = ADDRESSES.iter().any(|known| known.eq_ignore_ascii_case(scheme));
    (is_known && !climbs(rest)).then_some(scheme)
}

/// Returns whether a path has a `..`.
pub(super) fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|name| name.trim() == "..")
}

/// Returns the paths that programs derive from a `file:` URL, each once; none for another text.
///
/// Programs differ: a URL parser takes what follows the host, up to a `?` or `#`, while others just cut off `file://`.
pub(super) fn file_paths(text: &str) -> Vec<String> {
    // URL parsers ignore these characters.
    let text: String = text.trim().chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let text = text.trim_start_matches(|c: char| c.is_control() || c.is_whitespace());
    let split = text.split_at_checked("file:".len());
    let Some((_, rest)) = split.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("file:")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let ends = [rest.find(['?', '#']).unwrap_or(rest.len()), rest.len()];
    for rest in ends.into_iter().filter_map(|end| rest.get(..end)) {
        let rest = rest.replace('\\', "/");
        match rest.strip_prefix("//") {
            Some(behind) => {
                let path = behind.find('/').and_then(|at| behind.get(at..));
                push(&mut found, path.unwrap_or_default());
                push(&mut found, behind);
            }
            None if rest.starts_with('/') => push(&mut found, &rest),
            None => {
                push(&mut found, &format!("/{rest}"));
                push(&mut found, &rest);
            }
        }
    }
    found
}

/// Adds a path with its `%2e` and the like decoded.
fn push(found: &mut Vec<String>, path: &str) {
    let path = decoded(path);
    if !path.is_empty() && !found.contains(&path) {
        found.push(path);
    }
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = [ahead.next(), ahead.next()].map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        let value = match digits {
            [Some(high), Some(low)] if byte == b'%' => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        if value.is_some() {
            rest = ahead;
        }
        bytes.push(value.unwrap_or(byte));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
