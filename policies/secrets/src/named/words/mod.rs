//! Words by which names say that they mean a secret, or that they do not.

mod about;
mod beside;
mod harmless;
mod nouns;

pub(super) use about::{ABOUT, ADDITIONS};
pub(super) use beside::{NAMES, TYPES, VALUES};
pub(super) use harmless::{HARMLESS, HARMLESS_KEYS, PUBLIC};
pub(super) use nouns::{ACCOUNTS, ENDINGS, KEYS_OF, PASSWORDS, SECRETS};
