//! The powers that a script uses, according to its text.
//!
//! Uses that the text hides (`globalThis["fet" + "ch"]`) are not found. The interpreter then reports an error that says
//! so.

use super::tokens::{Token, Tokens};

/// The powers that a script uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Whether the script writes to the console.
    pub log: bool,
    /// Whether the script imports `hookbox:store`.
    pub store: bool,
    /// Whether the script calls `fetch`.
    pub http: bool,
}

impl Uses {
    /// Finds the powers in the text of a script.
    #[must_use]
    pub fn of(source: &str) -> Self {
        let mut uses = Uses::default();
        let mut before = [Token::Other(b';'); 2];
        for (token, next) in Tokens::of(source) {
            match token {
                Token::Text("hookbox:store") => uses.store = true,
                Token::Word("console") => uses.log |= is_global(before, next),
                Token::Word("fetch") => uses.http |= is_global(before, next),
                _ => {}
            }
            before = [before[1], token];
        }
        uses
    }

    /// Whether the script uses the interface with this module name.
    pub(super) fn module(self, name: &str) -> bool {
        let is_of = |package: &str| name.starts_with(package);
        (self.log && is_of("hookbox:log/"))
            || (self.store && is_of("hookbox:store/"))
            || (self.http && is_of("hookbox:http/"))
    }

    /// Encodes the powers as bits, for the interpreter.
    pub(super) const fn bits(self) -> u8 {
        self.log as u8 | (self.store as u8) << 1 | (self.http as u8) << 2
    }
}

/// Whether a word between these tokens and this character may name a global. A member of another object than
/// `globalThis` does not, and neither does the key of an object.
fn is_global(before: [Token<'_>; 2], next: Option<u8>) -> bool {
    match before {
        [object, Token::Other(b'.')] => object == Token::Word("globalThis"),
        [_, Token::Other(b'{' | b',')] => next != Some(b':'),
        _ => true,
    }
}
