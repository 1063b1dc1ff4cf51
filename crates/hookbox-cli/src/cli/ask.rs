//! Asks a question on the terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The maximum length of an answer, in bytes.
const MAX_ANSWER: u64 = 1024;

pub(super) enum Consent {
    Yes,
    No,
    /// There is no terminal to ask on.
    NoTerminal,
}

/// Whether stdin, stdout and stderr are terminals: only a user who saw all of the output can answer a question.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question if that is [possible](is_possible).
pub(super) fn ask(question: &str) -> io::Result<Consent> {
    if !is_possible() {
        return Ok(Consent::NoTerminal);
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(question.as_bytes())?;
    stdout.flush()?;
    let mut line = Vec::new();
    io::stdin().lock().take(MAX_ANSWER).read_until(b'\n', &mut line)?;
    let answer = line.trim_ascii().to_ascii_lowercase();
    Ok(if matches!(answer.as_slice(), b"y" | b"yes") { Consent::Yes } else { Consent::No })
}
