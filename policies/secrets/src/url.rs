//! Passwords and tokens in URLs.

use crate::lists::{MAX_PART, Parts, Words, begins_with};
use crate::measure::{Kinds, entropy, is_monotonous, is_random};
use crate::named::names_token;
use crate::scan::{Scan, Sure};
use std::ops::Range;

/// The maximum length of a user and password that are read, in bytes.
const MAX_LOGIN: usize = 400;

/// Hosts whose logins have a special form.
static CONTRIBSYS: Parts = Parts::new(&["contribsys.com"]);
static SENTRY: Parts = Parts::new(&["sentry"]);

/// Passwords that appear in documents.
static WORDS: Words = Words::new(&[
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "test",
    "guest",
    "admin",
    "root",
    "user",
    "username",
    "postgres",
    "mysql",
    "mypassword",
    "mypass",
    "mysecret",
    "mytoken",
    "apikey",
    "api_key",
    "dbpass",
    "dbpassword",
    "userpass",
    "userpassword",
    "changeit",
    "example",
    "default",
    "redacted",
    "masked",
    "hidden",
    "devpassword",
    "testpass",
    "testpassword",
    "rootpassword",
    "adminpass",
    "adminpassword",
    "x-oauth-basic",
    "oauth2",
    "anonymous",
    "password123",
    "pass123",
    "minioadmin",
    "postgrespassword",
    "p@ssw0rd",
    "p@ssword",
    "passw0rd",
    "pa$$w0rd",
]);
static STAND_INS: Parts = Parts::new(&[
    "your",
    "yourpass",
    "yourtoken",
    "xxxx",
    "xxxxx",
    "****",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "example",
    "replace",
    "redacted",
    "${",
    "$(",
    "{{",
    "%s",
    "…",
    "...",
    "[password",
    "[token",
    "dummy",
    "insert",
    "_here",
    "sample",
]);

/// Judges a URL whose `://` is at this position.
pub(crate) fn look(scan: &mut Scan, at: usize) {
    let text = scan.text;
    let start = at + 3;
    path(scan, start);
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.get(..rest.len().min(MAX_LOGIN)).unwrap_or_default();
    // The login and host end at quotes, spaces, and characters that begin a path or a query. Brackets may occur in a
    // password.
    let mut length = rest
        .iter()
        .take_while(|byte| {
            !matches!(byte, b'/' | b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
        })
        .count();
    if !rest.get(..length).unwrap_or_default().contains(&b'@') {
        // A slash in a password is invalid, but works in some programs.
        length = match slash(rest) {
            Some(length) => length,
            None => return,
        };
    }
    scan.spend(length);
    let authority = rest.get(..length).unwrap_or_default();
    let Some(end) = authority.iter().rposition(|byte| *byte == b'@') else {
        return;
    };
    let host = authority.get(end + 1..).unwrap_or_default();
    if host
        .first()
        .is_none_or(|first| !first.is_ascii_alphanumeric() && !matches!(first, b'[' | b'$' | b'{' | b'(' | b'%'))
    {
        return;
    }
    let login = authority.get(..end).unwrap_or_default();
    match login.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let (user, password) = (login.get(..colon).unwrap_or_default(), login.get(colon + 1..).unwrap_or_default());
            let is_known_host = CONTRIBSYS.are_in(host);
            if is_password(user, password) || is_known_host && password.len() == 8 {
                scan.add("password", start + colon + 1..start + end, Sure::Place);
            }
            // This is `https://TOKEN:x-oauth-basic@host`.
            if user.len() >= 20 && is_random(user, 320) {
                scan.add("token", start..start + colon, Sure::Place);
            }
        }
        // This is `https://TOKEN@host`. The tokens in the URLs to which Sentry's clients send are public.
        None => {
            let is_dsn = SENTRY.are_in(host) || host.starts_with(b"o") && login.len() == 32;
            if login.len() >= 20 && !is_dsn && is_random(login, 320) && !is_stand_in(login) {
                scan.add("token", start..start + end, Sure::Place);
            }
        }
    }
}

/// The maximum length of a path that is read, in bytes.
const MAX_PATH: usize = 300;

/// Services whose URLs end with a key.
static KEYED: Parts = Parts::new(&["infura.io", "alchemy.com", "quiknode.pro"]);

/// Judges tokens in the path of a URL that begins here: `/token/…`, `/v2/KEY`.
fn path(scan: &mut Scan, start: usize) {
    let text = scan.text;
    let rest = text.get(start..).unwrap_or_default();
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~' | b'%' | b':');
    let length = rest.iter().take(MAX_PATH).take_while(|byte| is_part(byte)).count();
    scan.spend(length);
    let mut at = start;
    let (mut is_next, mut is_keyed) = (false, false);
    for (number, part) in rest.get(..length).unwrap_or_default().split(|byte| *byte == b'/').enumerate() {
        if number == 0 {
            is_keyed = KEYED.are_in(part);
        } else if (is_next && is_token(part)) || is_keyed && part.len() >= 30 && is_random(part, 300) {
            scan.add("token", at..at + part.len(), Sure::Place);
        }
        is_next = number > 0 && names_token(part);
        at += part.len() + 1;
    }
}

/// Whether a part of a path looks random. A part in hexadecimal digits may be a hash of anything.
fn is_token(part: &[u8]) -> bool {
    let is_hex = part.iter().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'-' | b'x'));
    part.len() >= 16 && !is_hex && Kinds::of(part).digits > 0 && is_random(part, 320) && !is_stand_in(part)
}

/// Returns the length of a login and host if the password contains a slash.
fn slash(rest: &[u8]) -> Option<usize> {
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'\'' | b'`' | b'<' | b'>'))
        .unwrap_or(rest.len());
    let whole = rest.get(..end)?;
    let at = whole.iter().position(|byte| *byte == b'@')?;
    let login = whole.get(..at)?;
    let (colon, slash) = (login.iter().position(|byte| *byte == b':')?, login.iter().position(|byte| *byte == b'/')?);
    let port = login.get(colon + 1..slash).unwrap_or_default();
    // This is `host:8080/path@version`.
    let is_port = port.len() <= 5 && port.iter().all(u8::is_ascii_digit);
    let is_login = colon < slash && !is_port && Kinds::of(login.get(colon + 1..)?).digits > 0;
    let host = whole.get(at + 1..)?.iter().take_while(|byte| **byte != b'/').count();
    (is_login && host > 3).then_some(at + 1 + host)
}

fn is_password(user: &[u8], password: &[u8]) -> bool {
    if password.len() < 4
        || user == password
        || is_stand_in(password)
        || is_reference(password)
        || is_monotonous(password)
    {
        return false;
    }
    let kinds = Kinds::of(password);
    // A password of letters alone must be unlike other words: long, or with capital letters inside.
    let is_word = kinds.digits == 0
        && (kinds.others == 0
            || password.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b':' | b'.')));
    match is_word {
        true => password.len() >= 12 && entropy(password) >= 300 || password.len() >= 8 && kinds.humps >= 2,
        false => password.len() >= 6 || kinds.count() >= 3,
    }
}

fn is_stand_in(text: &[u8]) -> bool {
    WORDS.has(text) || text.iter().take(MAX_PART).any(|byte| *byte == b'<') || STAND_INS.are_in(text)
}

/// Whether a text is a reference, such as `$PASSWORD`, `{pass}`, `%PASS%` or `:pass`.
fn is_reference(text: &[u8]) -> bool {
    let is_name = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte == b'.');
    match text {
        [b'$', rest @ ..] => is_name(rest),
        [b'{', .., b'}'] | [b'%', .., b'%'] | [b'[', .., b']'] | [b'(', .., b')'] => true,
        [b':' | b'&' | b'#', rest @ ..] => is_name(rest),
        _ => begins_with(text, "env."),
    }
}

/// Returns the place of the password in a program's login, such as `user:password` after `-u`, if there is one.
pub(crate) fn of_login(login: &[u8], at: usize) -> Option<Range<usize>> {
    let colon = login.iter().position(|byte| *byte == b':')?;
    let (user, password) = (login.get(..colon)?, login.get(colon + 1..)?);
    // These are `key:` and `:key`, for services with a single key.
    let (secret, start) = if password.is_empty() { (user, at) } else { (password, at + colon + 1) };
    is_password(if password.is_empty() { b"" } else { user }, secret).then(|| start..start + secret.len())
}
