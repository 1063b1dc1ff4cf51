//! Whether a value is a secret, and not a word, a reference or something that a program computes.

use super::name::Says;
use crate::measure::{self, Kinds, begins_with, holds_one_of, is_monotonous, is_random, is_uuid};

/// The longest value that is looked at.
pub(super) const MAX_VALUE: usize = 4096;

/// Values that only stand for a secret, as a part of them says. In small letters.
const STAND_INS: &[&str] = &[
    "example",
    "your",
    "xxxx",
    "****",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "change me",
    "redacted",
    "dummy",
    "sample",
    "insert",
    "todo",
    "fake",
    "foobar",
    "notreal",
    "not_a_real",
    "not-a-real",
    "not_real",
    "replace",
    "secret_here",
    "_here",
    "-here",
    "enter_",
    "enter-",
    "enter ",
    "....",
    "…",
    "some_",
    "some-",
    "real_",
    "-goes-",
    "lorem",
    "ipsum",
    "####",
    "[password]",
    "[token]",
    "[secret]",
    "[redacted",
    "{{",
    "}}",
    "${",
    "$(",
    "#{",
    "<%",
    "%>",
    "@{",
    "%(",
    "process.env",
    "os.environ",
    "getenv",
    "undefined",
    "nullable",
    "not_long",
    "allowlist",
    "not set",
    "goeshere",
    "tooshort",
    "too-short",
    "too_short",
    "\\x",
    "_env",
    "my-secret-",
    "my_secret_",
    "mypassword",
    "my_password",
    "my-password",
    "yourpassword",
    "supersecret",
    "super-secret",
    "super_secret",
];

/// Passwords that nobody has and every document uses.
const WORDS: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "test",
    "testing",
    "tester",
    "test123",
    "test1234",
    "testpass",
    "testpassword",
    "none",
    "null",
    "true",
    "false",
    "admin",
    "root",
    "user",
    "username",
    "guest",
    "postgres",
    "mysql",
    "mongodb",
    "redis",
    "rabbitmq",
    "minio",
    "minioadmin",
    "default",
    "string",
    "string1",
    "sha256",
    "sha512",
    "sha1",
    "md5",
    "base64",
    "bcrypt",
    "argon2",
    "argon2id",
    "utf8",
    "utf-8",
    "hs256",
    "rs256",
    "es256",
    "aes256",
    "aes-256",
    "oauth2",
    "oauth1",
    "int32",
    "int64",
    "uint64",
    "float64",
    "float32",
    "varchar",
    "required",
    "optional",
    "hidden",
    "masked",
    "encrypted",
    "empty",
    "value",
    "value1",
    "value2",
    "key",
    "key1",
    "key2",
    "token1",
    "token2",
    "secret1",
    "secret2",
    "password1",
    "password2",
    "abc",
    "abcd",
    "abc123",
    "foo",
    "bar",
    "baz",
    "passw0rd",
    "pass123",
    "pass1234",
    "password123",
    "password1234",
    "12345678",
    "123456",
    "1234567890",
    "qwerty",
    "letmein",
    "hunter2",
    "sesame",
    "opensesame",
    "p@ssw0rd",
    "p@ssword",
    "p4ssw0rd",
    "pa55word",
    "pa$$word",
    "pa$$w0rd",
    "s3cr3t",
    "s3cret",
    "secr3t",
    "correct horse battery staple",
    "admin123",
    "root123",
    "user123",
    "guest123",
];

/// Whether a value is a secret, by what its name says.
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

/// Whether a value only stands for a secret.
pub(super) fn stands_in(value: &[u8]) -> bool {
    is_monotonous(value)
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
        || value.len() <= 200 && holds_one_of(value, STAND_INS)
        || value.starts_with(b"<") && value.ends_with(b">")
        || value.starts_with(b"[") && value.ends_with(b"]")
}

/// Whether a value says where the secret is, or computes it.
pub(super) fn is_reference(value: &[u8], is_quoted: bool) -> bool {
    let (first, rest) = match value {
        [first, rest @ ..] => (*first, rest),
        [] => return true,
    };
    let is_variable =
        |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'));
    match first {
        // A variable has capitals or words; a password that begins with a dollar sign, other characters too. Modular
        // hashes are no passwords.
        b'$' if is_variable(rest) || begins_with(rest, "2") || begins_with(rest, "argon") => return true,
        b'$' if rest.iter().filter(|byte| **byte == b'$').count() >= 2 => return true,
        b'%' if rest.ends_with(b"%") || is_variable(rest) && rest.len() < 3 => return true,
        b'@' | b'&' | b'*' | b'!' | b'#' | b'<' | b'{' | b'(' | b'|' | b'>' | b'`' | b'[' if !is_quoted => return true,
        b'@' | b'&' | b'*' | b'!' if is_variable(rest) && Kinds::of(rest).digits == 0 => return true,
        b'{' if rest.contains(&b'}') => return true,
        _ => {}
    }
    const SCHEMES: &[&str] = &[
        "http://",
        "https://",
        "file:",
        "ref+",
        "vault:",
        "op://",
        "arn:",
        "urn:",
        "env:",
        "env(",
        "secret:",
        "ssm:",
        "keyvault",
        "kms:",
        "gcp:",
        "doppler:",
        "akv:",
        "data:",
        "git@",
        "enc[",
        "enc(",
        "ssh-rsa",
        "ssh-ed25519",
        "ecdsa-",
        "/",
        "./",
        "../",
        "~/",
    ];
    if SCHEMES.iter().any(|scheme| begins_with(value, scheme)) {
        // A secret in base64 may begin with a slash too.
        let is_path = first != b'/' || value.iter().filter(|byte| **byte == b'/').count() > 1 && !is_random(value, 400);
        return is_path;
    }
    if is_quoted {
        return false;
    }
    // What a program computes: a call, an index, a member, a constant.
    is_code(value) || is_member(value) || is_constant(value) || begins_with(value, "0x")
}

/// `name(…`, `name[…`, `name<…`
fn is_code(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'!' | b'-' | b'>');
    let value = value.strip_prefix(b"&").or_else(|| value.strip_prefix(b"*")).unwrap_or(value);
    let length = value.iter().take_while(|byte| is_part(byte)).count();
    let name = value.get(..length).unwrap_or_default();
    let is_name =
        name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') && measure::is_name(name);
    is_name && name.len() >= 3 && matches!(value.get(length), Some(b'(' | b'[' | b'{' | b'<'))
}

/// `MAX_TOKEN_V2`
fn is_constant(value: &[u8]) -> bool {
    let is_upper =
        value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_' || *byte == b',');
    is_upper && value.contains(&b'_') && value.first().is_some_and(u8::is_ascii_uppercase)
}

/// `config.token2`, `Ed25519::KEY`, `self->key1`
fn is_member(value: &[u8]) -> bool {
    let text = value.strip_suffix(b"?").unwrap_or(value);
    let is_part = |part: &[u8]| {
        part.first().is_none_or(|first| first.is_ascii_alphabetic() || *first == b'_')
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && part.len() < 24
    };
    let has_parts = text.windows(2).any(|pair| pair == b"::" || pair == b"->") || text.contains(&b'.');
    has_parts
        && text.split(|byte| matches!(byte, b'.' | b':' | b'-' | b'>' | b'?')).all(is_part)
        && !is_random(text, 420)
}

/// What people choose: letters with digits or other characters. Of letters alone, only what mixes them.
fn is_password(value: &[u8], is_quoted: bool) -> bool {
    let kinds = Kinds::of(value);
    // In prose there are spaces, in passwords seldom.
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
    is_quoted
        && value.len() >= 16
        && kinds.lower > 0
        && kinds.upper > 1
        && kinds.others == 0
        && measure::entropy(value) >= 350
}

/// `rc0.15.0-SNAPSHOT`, `DOC_Vector_5`: words with separators between.
fn is_label(value: &[u8]) -> bool {
    let has_separator = value.iter().any(|byte| matches!(byte, b'_' | b'-' | b'.' | b'/' | b':'));
    has_separator && measure::is_name(value) && !is_random(value, 350)
}

/// What programs draw, of any length that providers use.
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
        // Letters alone are words.
        return false;
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

/// The same for names that may mean anything.
fn is_surely_drawn(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    let is_token = value.iter().all(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'%')
    });
    value.len() >= 20
        && is_token
        && !is_uuid(value)
        && kinds.switches >= 4
        && kinds.longest < 9
        && measure::entropy(value) >= 320
        && !is_label(value)
        && is_random(value, 320)
}

/// `user:password` in base64.
fn is_login(value: &[u8]) -> bool {
    let decoded = crate::encoded::decode(value).unwrap_or_default();
    decoded.iter().all(|byte| matches!(byte, 0x20..=0x7e)) && crate::url::of_login(&decoded, 0).is_some()
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
