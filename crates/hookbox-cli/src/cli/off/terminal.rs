//! The person at the terminal.

use super::started_by;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};

/// The maximum length of an answer, in bytes.
const MAX_ANSWER: u64 = 1024;

/// Checks that no agent started this process, as far as that can be known.
///
/// # Errors
/// Returns an error that says what shows that an agent did.
pub(in crate::cli) fn of_no_agent() -> Result<(), String> {
    started_by::agent().map_or(Ok(()), Err)
}

/// Returns the controlling terminal of this process, if it is also stdin.
///
/// # Errors
/// Returns an error if there is no terminal, or if an agent started this process. The message says which.
pub(in crate::cli) fn of_a_person() -> Result<File, String> {
    of_no_agent()?;
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err("stdin is not a terminal".to_owned());
    }
    let terminal = File::options().read(true).write(true).open("/dev/tty");
    let terminal = terminal.map_err(|_| "there is no controlling terminal".to_owned())?;
    let session = rustix::process::getsid(None).ok();
    let is_ours = |at| rustix::termios::tcgetsid(at).ok() == session && session.is_some();
    if !terminal.is_terminal() || !is_ours(rustix::fd::AsFd::as_fd(&stdin)) {
        return Err("stdin is not the controlling terminal".to_owned());
    }
    Ok(terminal)
}

/// Shows a text on the terminal and reads a line.
pub(super) fn ask(mut terminal: File, text: &str) -> io::Result<String> {
    terminal.write_all(text.as_bytes())?;
    terminal.flush()?;
    let mut line = Vec::new();
    BufReader::new(terminal.take(MAX_ANSWER)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim().to_owned())
}

/// Returns the user at this terminal, for the record.
pub(super) fn who() -> String {
    let name = std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_else(|_| "user".to_owned());
    let terminal = rustix::termios::ttyname(io::stdin(), Vec::new());
    let terminal = terminal.map(|name| name.to_string_lossy().into_owned()).unwrap_or_else(|_| "a terminal".to_owned());
    let name: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
    format!("{name} ({}) at {terminal}", rustix::process::getuid().as_raw())
}
