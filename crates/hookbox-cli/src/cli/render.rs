//! Prints errors for people, in color on a terminal.

use anstyle::{AnsiColor, Style};
use hookbox::Code;
use hookbox::config::{Location, Problem, Severity};
use std::io::{self, Write};
use std::time::Duration;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Prints an error with its causes to stderr.
pub(super) fn error(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {}", printable(&format!("{error:#}")));
}

/// Prints a coded error to stderr.
pub(super) fn message(code: Code, message: &str) {
    let _ = writeln!(anstream::stderr(), "{ERROR}error[{code}]{ERROR:#}: {}", printable(message));
}

/// Prints a coded warning to stderr.
pub(super) fn warning(code: Code, message: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}warning[{code}]{WARNING:#}: {}", printable(message));
}

/// Prints progress to stderr.
pub(super) fn progress(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", printable(text));
}

/// Prints every problem to stderr, with the line that it refers to.
pub(super) fn problems(problems: &[Problem]) {
    let mut out = anstream::stderr();
    for problem in problems {
        let _ = writeln!(out, "{}", problem_text(problem));
    }
}

fn problem_text(problem: &Problem) -> String {
    let (style, word) = match problem.severity {
        Severity::Error => (ERROR, "error"),
        Severity::Warning => (WARNING, "warning"),
    };
    let code = problem.code;
    let file = printable_line(&problem.file.display().to_string());
    let message = printable(&problem.message);
    let mut text = format!("{style}{word}[{code}]{style:#}{BOLD}: {message}{BOLD:#}\n");
    let pad;
    match &problem.location {
        Some(Location { line, column, width, text: source, .. }) => {
            pad = " ".repeat(line.to_string().len());
            let before: String = source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let carets = "^".repeat(*width);
            text.push_str(&format!(
                "{pad}{FRAME}-->{FRAME:#} {file}:{line}:{column}\n\
                 {pad} {FRAME}|{FRAME:#}\n\
                 {FRAME}{line} |{FRAME:#} {}\n\
                 {pad} {FRAME}|{FRAME:#} {before}{style}{carets}{style:#}\n",
                printable(source)
            ));
        }
        None => {
            pad = " ".to_owned();
            text.push_str(&format!("{pad}{FRAME}-->{FRAME:#} {file}\n"));
        }
    }
    if let Some(help) = &problem.help {
        text.push_str(&format!("{pad} {FRAME}={FRAME:#} help: {}\n", printable(help)));
    }
    text
}

/// Like [`printable`], but on one line.
pub(super) fn printable_line(text: &str) -> String {
    printable(&text.replace(['\n', '\r', '\t'], " "))
}

/// Makes text from files and hooks safe to show on a terminal.
pub(super) fn printable(text: &str) -> String {
    hookbox::visible(text).into_owned()
}

/// The writer of the log to stderr. It escapes control characters, because log lines contain text from hooks.
pub(super) struct LogWriter {
    /// Whether the log is colored. Colors begin with an escape character; the log itself escapes such characters in
    /// other text.
    pub(super) colours: bool,
}

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Each call gets whole lines.
        let text = String::from_utf8_lossy(bytes);
        let text = match self.colours {
            true => text.split('\u{1b}').map(hookbox::visible).collect::<Vec<_>>().join("\u{1b}").into(),
            false => hookbox::visible(&text),
        };
        io::stderr().write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns a duration as text for people.
pub(super) fn span(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        seconds if seconds >= 0.001 => format!("{:.1} ms", seconds * 1e3),
        seconds if seconds >= 1e-6 => format!("{:.1} µs", seconds * 1e6),
        seconds => format!("{:.0} ns", seconds * 1e9),
    }
}
