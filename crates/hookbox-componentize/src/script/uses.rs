//! The powers that a script uses, as its text shows.
//!
//! What the text hides (`globalThis["fet" + "ch"]`) is not found; the interpreter then reports an error that says so.

use super::tokens::{Token, Tokens};

/// The powers that a script uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// It writes to the console.
    pub log: bool,
    /// It imports `hookbox:store`.
    pub store: bool,
    /// It calls `fetch`.
    pub http: bool,
}

impl Uses {
    /// Reads the text of a script.
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

    /// Whether it uses an interface of the module with this name.
    pub(super) fn module(self, name: &str) -> bool {
        let is_of = |package: &str| name.starts_with(package);
        (self.log && is_of("hookbox:log/"))
            || (self.store && is_of("hookbox:store/"))
            || (self.http && is_of("hookbox:http/"))
    }

    /// The same for the interpreter.
    pub(super) const fn bits(self) -> u8 {
        self.log as u8 | (self.store as u8) << 1 | (self.http as u8) << 2
    }
}

/// Whether a word between these tokens and this character may name something global: it is neither a member of something
/// else nor the key of an object.
fn is_global(before: [Token<'_>; 2], next: Option<u8>) -> bool {
    match before {
        [object, Token::Other(b'.')] => object == Token::Word("globalThis"),
        [_, Token::Other(b'{' | b',')] => next != Some(b':'),
        _ => true,
    }
}
