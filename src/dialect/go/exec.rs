//! Go's wording for how a process ended, and for why it could not be started.

use regex::Regex;
use std::ffi::OsStr;
use std::fmt::Write;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::LazyLock;

/// The error for a process that has ended while other processes still hold its pipes.
pub(crate) const WAIT_DELAY: &str = "exec: WaitDelay expired before I/O complete";

/// The error for a process that the caller cancelled.
pub(crate) const CANCELLED: &str = "context canceled";

/// Returns how a process ended, in Go's words.
pub(crate) fn exit_error(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => {
            let dumped = if status.core_dumped() { " (core dumped)" } else { "" };
            format!("signal: {}{dumped}", signal_name(signal))
        }
        (Some(code), None) => format!("exit status {code}"),
        (None, None) => "exit status unknown".to_owned(),
    }
}

/// Returns Go's name for a signal on Linux.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "hangup",
        2 => "interrupt",
        3 => "quit",
        4 => "illegal instruction",
        5 => "trace/breakpoint trap",
        6 => "aborted",
        7 => "bus error",
        8 => "floating point exception",
        9 => "killed",
        10 => "user defined signal 1",
        11 => "segmentation fault",
        12 => "user defined signal 2",
        13 => "broken pipe",
        14 => "alarm clock",
        15 => "terminated",
        16 => "stack fault",
        17 => "child exited",
        18 => "continued",
        19 => "stopped (signal)",
        20 => "stopped",
        21 => "stopped (tty input)",
        22 => "stopped (tty output)",
        23 => "urgent I/O condition",
        24 => "CPU time limit exceeded",
        25 => "file size limit exceeded",
        26 => "virtual timer expired",
        27 => "profiling timer expired",
        28 => "window changed",
        29 => "I/O possible",
        30 => "power failure",
        31 => "bad system call",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

/// Returns why a process could not be started, in Go's words. A path is named as in the config, a bare name by where
/// the program was found.
pub(crate) fn spawn_error(given: &OsStr, program: &Path, error: &io::Error) -> String {
    let is_path = given.as_encoded_bytes().contains(&b'/');
    let program = if is_path { Path::new(given).display() } else { program.display() };
    match error.raw_os_error() {
        Some(code) => {
            // This is the system's text without the number that Rust appends, in lower case like Go's.
            let text = io::Error::from_raw_os_error(code).to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            format!("fork/exec {program}: {}", text.to_lowercase())
        }
        // An argument or a variable has a NUL.
        None if error.kind() == io::ErrorKind::InvalidInput => format!("fork/exec {program}: invalid argument"),
        None => format!("exec: {}: executable file not found in $PATH", quote(&program.to_string())),
    }
}

/// Returns why a process could not be started, like [`spawn_error`], but the working directory may be at fault.
pub(crate) fn start_error(given: &OsStr, program: &Path, cwd: &Path, error: &io::Error) -> String {
    if error.raw_os_error().is_some() && !cwd.is_dir() {
        let why = if cwd.exists() { "not a directory" } else { "no such file or directory" };
        return format!("chdir {}: {why}", cwd.display());
    }
    spawn_error(given, program, error)
}

/// Returns the exit status as Go reports it: -1 for a process that a signal ended.
pub(crate) fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// Whether Go prints a character unescaped: letters, marks, numbers, punctuation, symbols and the plain space.
fn is_printable(c: char) -> bool {
    static PRINTABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$").ok());
    let mut buffer = [0; 4];
    PRINTABLE.as_ref().is_some_and(|printable| printable.is_match(c.encode_utf8(&mut buffer)))
}

/// Quotes a text as Go's `%q` does.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if is_printable(c) => out.push(c),
            // Writing to a string cannot fail.
            c if c < '\u{80}' => drop(write!(out, "\\x{:02x}", u32::from(c))),
            c if c <= '\u{ffff}' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => drop(write!(out, "\\U{:08x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}
