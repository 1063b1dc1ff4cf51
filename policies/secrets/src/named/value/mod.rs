//! Determines whether a value is a secret, rather than a word, a reference or something that a program computes.

mod reference;
mod stand_ins;

use super::name::Says;
use crate::measure::{self, Kinds, is_monotonous, is_random, is_uuid};
use reference::is_reference;
use stand_ins::{STAND_INS, WORDS};

/// The maximum length of a value that is examined.
pub(super) const MAX_VALUE: usize = 4096;

/// Whether a value is a secret, given what its name says.
pub(super) fn is_secret(says: Says, value: &[u8], is_quoted: bool) -> bool {
    if value.len() < 6 || value.len() > MAX_VALUE || stands_in(value) || is_reference(value, is_quoted) {
        return false;
    }
    match says {
        Says::Password => is_password(value, is_quoted),
        Says::Secret | Says::Authorization => is_drawn(value),
        Says::Perhaps => is_surely_drawn(value),
        Says::Login => is_login(value),
    }
}

/// Whether a value is only a placeholder for a secret.
fn stands_in(value: &[u8]) -> bool {
    is_monotonous(value)
        || WORDS.has(value)
        || value.len() <= 200 && STAND_INS.are_in(value)
        || value.starts_with(b"<") && value.ends_with(b">")
        || value.starts_with(b"[") && value.ends_with(b"]")
}

/// Whether a value looks like a password that people choose: letters with digits or other characters. Letters alone
/// count only if they mix cases.
fn is_password(value: &[u8], is_quoted: bool) -> bool {
    let kinds = Kinds::of(value);
    // Spaces are common in prose, and rare in passwords.
    if value.contains(&b' ') && !(is_quoted && kinds.digits > 0 && kinds.count() >= 3)
        || kinds.letters() + kinds.digits < 4
    {
        return false;
    }
    let is_path = value.contains(&b'\\') || value.iter().filter(|byte| **byte == b'/').count() > 1;
    if is_path && measure::is_name(value) {
        return false;
    }
    let marks = value
        .iter()
        .filter(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.' | b',' | b'/' | b':'))
        .count();
    let has_digits = kinds.digits > 0 && kinds.letters() > 0;
    if has_digits || marks > 0 && kinds.letters() > 0 {
        return !is_label(value) || marks > 0;
    }
    if kinds.letters() == 0 {
        return kinds.digits >= 8 && measure::variety(value) >= 6;
    }
    if measure::is_mixed(value) {
        return true;
    }
    is_quoted
        && value.len() >= 16
        && kinds.lower > 0
        && kinds.upper > 1
        && kinds.others == 0
        && measure::entropy(value) >= 350
}

/// Whether a value consists of words with separators: `rc0.15.0-SNAPSHOT`, `DOC_Vector_5`.
fn is_label(value: &[u8]) -> bool {
    let has_separator = value.iter().any(|byte| matches!(byte, b'_' | b'-' | b'.' | b'/' | b':'));
    has_separator && measure::is_name(value) && !is_random(value, 350)
}

/// Whether a value looks generated, in any length that providers use.
fn is_drawn(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    if value.len() < 8 || value.contains(&b' ') || value.iter().any(|byte| !byte.is_ascii()) {
        return false;
    }
    if is_uuid(value) {
        return true;
    }
    if kinds.letters() == 0 {
        return kinds.digits >= 20 && measure::variety(value) >= 6;
    }
    if kinds.digits == 0 {
        // Letters alone are words, unless capital and lower-case letters alternate randomly.
        return measure::is_mixed(value);
    }
    let least = match value.len() {
        0..=11 => 230,
        12..=19 => 270,
        _ => 290,
    };
    let is_short = value.len() < 12;
    let alternates = kinds.switches >= if is_short { 3 } else { 2 };
    measure::entropy(value) >= least
        && alternates
        && !is_label(value)
        && (is_random(value, least) || kinds.switches >= 4)
}

/// Whether a value certainly looks generated, for names that may mean anything.
fn is_surely_drawn(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    let is_token = value.iter().all(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'%')
    });
    value.len() >= 20
        && is_token
        && !is_uuid(value)
        && kinds.switches >= 4
        && kinds.longest < 9.max(value.len() / 4)
        && measure::entropy(value) >= 320
        && !is_label(value)
        && is_random(value, 320)
}

/// Whether a value is `user:password` in base64.
fn is_login(value: &[u8]) -> bool {
    let decoded = crate::encoded::decode(value).unwrap_or_default();
    let is_text = decoded.iter().all(|byte| matches!(byte, 0x20..=0x7e)) && !decoded.is_empty();
    if is_text { crate::url::of_login(&decoded, 0).is_some() } else { is_surely_drawn(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords() {
        for value in ["Tr0ub4dor&3", "kx7!pq", "m42plxz2wd", "aB3)x]q(9", "zu:Kla!9"] {
            assert!(is_secret(Says::Password, value.as_bytes(), true), "{value}");
        }
        for value in [
            "password",
            "${DB_PASS}",
            "$DB_PASS",
            "<password>",
            "xxxxxxxx",
            "changeme1",
            "real_key",
            "Enter your password",
            "********",
        ] {
            assert!(!is_secret(Says::Password, value.as_bytes(), true), "{value}");
        }
        for value in ["get_password(1)", "config.password2", "os.environ[\"P4\"]", "self.pass1"] {
            assert!(!is_secret(Says::Password, value.as_bytes(), false), "{value}");
        }
    }

    #[test]
    fn tokens() {
        for value in [
            "q7fk2m9x1c8v4b6z",
            "8f4c1d0a9b3e7f2c6d5a4b1e0c9f8a7d",
            "7c91e0b2:58ad0f3e",
            "0736f5ef-7e88-499a-80cc-90c85d2a5180",
        ] {
            assert!(is_secret(Says::Secret, value.as_bytes(), true), "{value}");
        }
        for value in [
            "AbCeFG123",
            "access_token",
            "v1beta1",
            "RefreshTokenCredential",
            "NEXUS-GPT4-API-KEY",
            "https://a.b/c2d3e4f5",
            "text-embedding-3-small",
        ] {
            assert!(!is_secret(Says::Secret, value.as_bytes(), true), "{value}");
        }
    }
}
