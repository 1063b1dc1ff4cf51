//! Determines whether a name means a secret.

use super::trios::Trios;
use super::words::{ABOUT, ACCOUNTS, ADDITIONS, ENDINGS, HARMLESS, HARMLESS_KEYS, KEYS_OF, PASSWORDS, PUBLIC, SECRETS};
use crate::lists::begins_with;

/// The maximum length of a name that is read, in bytes, and the maximum number of words in it.
pub(super) const MAX_NAME: usize = 96;
const MAX_WORDS: usize = 12;

/// The meaning of a name for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// The value is a password, which people choose.
    Password,
    /// The value is a secret, which programs generate.
    Secret,
    /// The value may be a secret.
    Perhaps,
    /// The value is a header, which begins with the scheme.
    Authorization,
    /// The value is a login in base64.
    Login,
}

/// Three letters of each word that means a secret.
#[rustfmt::skip] // A table reads better with several in a line.
static OF_SECRETS: Trios = Trios::new(&[
    ["k", "e", "y"], ["p", "a", "s"], ["p", "w", "d"], ["p", "s", "w"], ["s", "e", "c"], ["t", "o", "k"], ["a", "u", "t"],
    ["c", "r", "e"], ["j", "w", "t"], ["p", "a", "t"], ["s", "a", "s"], ["h", "m", "a"], ["m", "n", "e"], ["s", "e", "e"],
    ["a", "c", "c"], ["l", "o", "o"], ["b", "e", "a"], ["*", "p", "w"], ["t", "r", "a"], ["s", "a", "l"], ["p", "e", "p"],
]);

/// Names of the values with which WordPress signs cookies. The values may contain any characters, like passwords.
/// Elsewhere, a salt is not a secret.
#[rustfmt::skip] // A table reads better with several in a line.
static WORDPRESS: [&[u8]; 8] = [
    b"AUTH_KEY", b"SECURE_AUTH_KEY", b"LOGGED_IN_KEY", b"NONCE_KEY",
    b"AUTH_SALT", b"SECURE_AUTH_SALT", b"LOGGED_IN_SALT", b"NONCE_SALT",
];

/// Names of the salts with which Drupal and CakePHP sign links and encrypt cookies.
static SALTS: [&[u8]; 3] = [b"hash_salt", b"Security.salt", b"SECURITY_SALT"];

/// Returns what a name says about its value.
pub(super) fn says(name: &[u8]) -> Option<Says> {
    if name.len() > MAX_NAME || !OF_SECRETS.are_in(name) {
        return None;
    }
    if WORDPRESS.contains(&name) {
        return Some(Says::Password);
    }
    if SALTS.contains(&name) {
        return Some(Says::Secret);
    }
    let words = Words::of(name);
    let word = |at: usize| words.get(at);
    let count = words.count;
    if let Some(said) = whole(&words) {
        return Some(said);
    }
    // This is the last word that means a secret, and what it says.
    let (at, said) = (0..count).rev().find_map(|at| Some((at, noun(word(at)?, at.checked_sub(1).and_then(word))?)))?;
    let is_key = word(at).is_some_and(|word| word.starts_with(b"key"));
    // The primary key of an encryption is a secret, unlike that of a table.
    let may_be_table = is_key && !words.has("encryption");
    let is_harmless = |word: &[u8]| HARMLESS.has(word) || may_be_table && HARMLESS_KEYS.has(word);
    // In `config.secret_key`, `config` says where the key is, not what it is for.
    let own = words.part(name, at);
    let is_said = |at: usize, word: &[u8]| (at >= own || PUBLIC.has(word)) && is_harmless(word);
    let is_public = (0..at).any(|at| word(at).is_some_and(|word| is_said(at, word)));
    // A harmless word before the noun makes the value public, unless the noun itself is a strong one, such as `secret`.
    if is_public && !(said != Says::Perhaps && is_strong_in_front(&words, at)) {
        return None;
    }
    let after = at + 1..count;
    if after.clone().any(|at| word(at).is_some_and(|word| ABOUT.has(word))) {
        return None;
    }
    let are_numbers = after.clone().all(|at| word(at).is_some_and(is_addition));
    match said {
        _ if are_numbers => Some(said),
        Says::Password if after.len() <= 2 => Some(Says::Password),
        _ => Some(Says::Perhaps),
    }
}

/// Recognizes names that are known as a whole.
fn whole(words: &Words) -> Option<Says> {
    let last = words.get(words.count.checked_sub(1)?)?;
    let before = words.count.checked_sub(2).and_then(|at| words.get(at));
    match (before, last) {
        (_, b"authorization") => Some(Says::Authorization),
        (None, b"auth") => Some(Says::Login),
        // Some services call one half of the secret an id.
        (Some(b"access"), b"id") | (_, b"accessid") if words.has("sumo") || words.has("sumologic") => {
            Some(Says::Secret)
        }
        (Some(b"client"), b"id") if words.has("looker") => Some(Says::Secret),
        _ => None,
    }
}

/// Whether the noun itself means a secret, even after a word that makes other nouns harmless.
fn is_strong_in_front(words: &Words, at: usize) -> bool {
    matches!(words.get(at), Some(b"secret" | b"password" | b"passwd" | b"passphrase")) && !words.has("csrf")
}

/// Returns what a word of a name says, given the word before it.
fn noun(word: &[u8], before: Option<&[u8]>) -> Option<Says> {
    let plain = without_digits(word);
    if PASSWORDS.has(plain) {
        // `pass` and `pwd` mean a password only after certain words, as in `db_pass`, but not in `render_pass`.
        let is_short = matches!(plain, b"pass" | b"pw" | b"psw" | b"pwd");
        let is_account = before.is_some_and(|before| ACCOUNTS.has(before));
        return Some(if is_short && !is_account { Says::Secret } else { Says::Password });
    }
    if SECRETS.has(plain) {
        return match plain {
            b"pat" | b"hmac" | b"sas" | b"bearer" | b"hostkey" | b"cred" | b"passkey" => Some(Says::Perhaps),
            _ => Some(Says::Secret),
        };
    }
    if plain == b"key" {
        return match before {
            Some(before) if KEYS_OF.has(without_digits(before)) => Some(Says::Secret),
            Some(_) => Some(Says::Perhaps),
            // A `key` may belong to anything.
            None => None,
        };
    }
    // Other lists of keys are mostly public keys, or their ids.
    if plain == b"keys" {
        let is_secret = matches!(before, Some(b"api" | b"app" | b"secret" | b"encryption" | b"signing"));
        return is_secret.then_some(Says::Secret);
    }
    let (_, is_password) =
        ENDINGS.iter().find(|(end, _)| plain.len() > end.len() && plain.ends_with(end.as_bytes()))?;
    Some(if *is_password { Says::Password } else { Says::Secret })
}

/// Whether a word after the noun only says which secret it is: `token_2`, `password_prod`.
fn is_addition(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit) || ADDITIONS.has(word)
}

fn without_digits(word: &[u8]) -> &[u8] {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    word.get(..word.len() - digits).unwrap_or_default()
}

/// The words of a name, in lower case.
struct Words {
    text: [u8; MAX_NAME],
    ends: [(u8, u8); MAX_WORDS],
    count: usize,
}

impl Words {
    fn of(name: &[u8]) -> Self {
        let mut words = Words { text: [0; MAX_NAME], ends: [(0, 0); MAX_WORDS], count: 0 };
        let mut start = None;
        for (at, &byte) in name.iter().enumerate() {
            let (last, next) = (at.checked_sub(1).and_then(|at| name.get(at)), name.get(at + 1));
            let is_word = byte.is_ascii_alphanumeric() || byte >= 0x80;
            let begins = byte.is_ascii_uppercase()
                && last.is_some_and(|last| {
                    !last.is_ascii_uppercase() || next.is_some_and(|next| next.is_ascii_lowercase() && *next != b's')
                });
            if !is_word || begins {
                words.end(start.take(), at);
            }
            if is_word {
                start.get_or_insert(at);
            }
            if let Some(slot) = words.text.get_mut(at) {
                *slot = byte.to_ascii_lowercase();
            }
        }
        words.end(start, name.len());
        words
    }

    fn end(&mut self, start: Option<usize>, end: usize) {
        let Some(start) = start else {
            return;
        };
        if self.count == MAX_WORDS {
            // The last words are kept, because they say what the name means.
            self.ends.rotate_left(1);
            self.count -= 1;
        }
        if let (Ok(start), Ok(end)) = (u8::try_from(start), u8::try_from(end))
            && let Some(slot) = self.ends.get_mut(self.count)
        {
            *slot = (start, end);
            self.count += 1;
        }
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        let (start, end) = *self.ends.get(at).filter(|_| at < self.count)?;
        self.text.get(usize::from(start)..usize::from(end))
    }

    /// Returns the first word of the part of a path to which a word belongs: `secret` for `key` in `config.secret_key`.
    /// A word that is a part by itself belongs to the part before, as in `cache.key`.
    fn part(&self, name: &[u8], at: usize) -> usize {
        let end = |at: usize| self.ends.get(at).copied().unwrap_or_default();
        let begins = |at: &usize| {
            let before = at.checked_sub(1).map_or(0, |before| end(before).1);
            let between = name.get(usize::from(before)..usize::from(end(*at).0)).unwrap_or_default();
            between.contains(&b'.')
        };
        let first = |at: usize| (0..=at).rev().find(begins).unwrap_or(0);
        match first(at) {
            own if own == at => first(at.saturating_sub(1)),
            own => own,
        }
    }

    fn has(&self, word: &str) -> bool {
        (0..self.count).any(|at| self.get(at).is_some_and(|found| begins_with(found, word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Says> {
        says(name.as_bytes())
    }

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "mysqlpwd",
            "my_password_super_secure",
            "PGPASSWORD",
            "admin.password",
        ] {
            assert_eq!(of(name), Some(Says::Password), "{name}");
        }
        for name in [
            "githubToken",
            "X_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "api_key",
            "apiKey",
            "APIKey",
            "client-secret",
            "bot_token1",
            "AWSToken",
            "GITHUBTOKEN",
            "SECRET_KEY_BASE",
            "authToken",
            "_authToken",
            "npmAccessToken_token",
            "1password_token",
            "X-Api-Key",
            "secret_value",
            "STRIPE_API_KEY_PROD",
            "sumologic.accessId",
            "launchdarkly_sdk_key",
            "CLOUDFLARE_GLOBAL_KEY",
            "config.api_key",
            "Rails.application.config.secret_key_base",
            "play.http.secret.key",
            "page.access_token",
            "APP_KEYS",
            "config.pepper",
            "hash_salt",
        ] {
            assert_eq!(of(name), Some(Says::Secret), "{name}");
        }
        for name in ["HEROKU_KEY", "loki_key", "VERY_SECRET_TOO", "MAILCHIMPE_KEY", "record_encryption_primary_key"] {
            assert_eq!(of(name), Some(Says::Perhaps), "{name}");
        }
        assert_eq!(of("Authorization"), Some(Says::Authorization));
    }

    #[test]
    fn names_of_something_else() {
        for name in [
            "publicToken",
            "public_key",
            "csrf-token",
            "primaryKey",
            "foreignKey",
            "credentialsId",
            "tokenType",
            "secretName",
            "password_hash",
            "passwordField",
            "max_tokens",
            "keyboard",
            "monkey",
            "accessor",
            "author",
            "passenger",
            "bypass",
            "compass",
            "kms_key_id",
            "next_page_token",
            "tokens",
            "key_length",
            "secretSize",
            "validKeyChars",
            "issuerKeyHash",
            "access_token_url",
            "jetbrains",
            "KEYTAB_FILE",
            "name",
            "version",
            "",
            "_",
            "idempotency_key",
            "cache.key",
            "app.config.key",
            "csrf.token",
            "csrf.session.token",
            "stripe.publishable.api_key",
            "config.cache_key",
            "ssh_keys",
            "encrypted_cookie_salt",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
