//! Recognizes values that say where a secret is, or that compute it.

use crate::lists::begins_with;
use crate::measure::{self, Kinds, is_random};

/// Whether a value says where the secret is, or computes it.
pub(super) fn is_reference(value: &[u8], is_quoted: bool) -> bool {
    let (first, rest) = match value {
        [first, rest @ ..] => (*first, rest),
        [] => return true,
    };
    let is_variable =
        |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'));
    match first {
        // A variable consists of words or capital letters; a password that begins with a dollar sign also has other
        // characters. Modular hashes are not passwords.
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
        // A secret in base64 may also begin with a slash.
        let is_path = first != b'/' || value.iter().filter(|byte| **byte == b'/').count() > 1 && !is_random(value, 400);
        return is_path;
    }
    if is_quoted {
        return false;
    }
    // These are computed by a program: a call, an index, a member, a constant.
    is_code(value) || is_member(value) || is_constant(value) || begins_with(value, "0x") && !is_wallet_key(value)
}

/// Whether a value is `0x` and 32 bytes, as wallets write their keys.
fn is_wallet_key(value: &[u8]) -> bool {
    value.len() == 66 && value.get(2..).is_some_and(|rest| rest.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a value is code like `name(…`, `name[…` or `name<…`.
fn is_code(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'!' | b'-' | b'>');
    let value = value.strip_prefix(b"&").or_else(|| value.strip_prefix(b"*")).unwrap_or(value);
    let length = value.iter().take_while(|byte| is_part(byte)).count();
    let name = value.get(..length).unwrap_or_default();
    let is_name =
        name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') && measure::is_name(name);
    is_name && name.len() >= 3 && matches!(value.get(length), Some(b'(' | b'[' | b'{' | b'<'))
}

/// Whether a value is a constant, such as `MAX_TOKEN_V2`.
fn is_constant(value: &[u8]) -> bool {
    let is_upper =
        value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_' || *byte == b',');
    is_upper && value.contains(&b'_') && value.first().is_some_and(u8::is_ascii_uppercase)
}

/// Whether a value is a member, such as `config.token2`, `Ed25519::KEY` or `self->key1`.
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
