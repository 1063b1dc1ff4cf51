//! Shell syntax: what can be parsed, and the positions of words.

mod bounds;
pub(super) mod braces;
mod source;

pub(super) use source::Source;

use rable::Node;

/// How many substitutions may look open at the same time. Beyond that, a text is not parsed: the time grows with a
/// power of their number.
const MAX_OPENINGS: usize = 16;

/// The reason why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// The text is not shell syntax that the parser knows.
    Syntax,
    /// The parts of the text nest too deeply.
    Nesting,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Vec<Node>, Problem> {
    if openings(text) > MAX_OPENINGS || !bounds::within(text) {
        return Err(Problem::Nesting);
    }
    // Wildcards such as `!(a)` are off, as in a shell by default: without them, `!(` negates a subshell.
    rable::parse(text, false).map_err(|_| Problem::Syntax)
}

/// The cost of parsing a byte.
const PARSE: usize = 4;

/// Returns the cost of parsing a text. For an unterminated backquote, the parser rereads the rest for each earlier
/// backquote, and for each substitution around them.
pub(super) fn cost(text: &str) -> usize {
    let backquotes = text.matches('`').count();
    let again = if backquotes == 0 { 0 } else { backquotes.min(openings(text)).pow(3) / 8 };
    text.len().saturating_mul(PARSE).saturating_mul(again + 1)
}

/// Returns how many substitutions look open at the same time, quoted or not.
fn openings(text: &str) -> usize {
    let mut open = 0_usize;
    let mut most = 0;
    let mut before = b' ';
    for byte in text.bytes() {
        match (before, byte) {
            (b'$' | b'<' | b'>', b'(') => open += 1,
            (_, b')') => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
        before = byte;
    }
    most
}
