//! Searches in a list of variables that find only harmless ones.

use crate::quiet::{GREP, RG};
use hookbox_policy::{Command, Word, options};

/// Whether a search outputs a number, or nothing.
pub(crate) fn counts(command: &Command) -> bool {
    let given = options(command.args(), values(command));
    given.has(&["-q", "-c", "--quiet", "--silent", "--count"])
}

/// Whether a search outputs only lines in which a harmless name is found.
pub(crate) fn picks_harmless(command: &Command) -> bool {
    // With these, a search outputs other lines as well, or takes all variables for one line.
    const WIDE: &[&str] = &[
        "-A",
        "-B",
        "-C",
        "-a",
        "-f",
        "-v",
        "-z",
        "--after-context",
        "--before-context",
        "--context",
        "--file",
        "--invert-match",
        "--null-data",
        "--passthrough",
        "--passthru",
        "--text",
    ];
    let given = options(command.args(), values(command));
    // `-5` means five lines of context.
    let has_number = given.options.iter().any(|option| option.name.ends_with(|c: char| c.is_ascii_digit()));
    let mut told = given.values(&["-e", "--regexp"]).peekable();
    let patterns: Vec<&Word> = if told.peek().is_some() { told.collect() } else { given.operands.iter().collect() };
    !has_number
        && !given.has(WIDE)
        && !patterns.is_empty()
        && patterns.iter().all(|pattern| pattern.known().is_some_and(is_harmless))
}

/// Returns the options of a search that take a value.
fn values(command: &Command) -> &'static [&'static str] {
    if command.name == "rg" { RG } else { GREP }
}

/// Whether a pattern matches only variables that contain no secret.
fn is_harmless(pattern: &str) -> bool {
    const SECRET: &[&str] = &[
        "key",
        "token",
        "secret",
        "pass",
        "pwd",
        "auth",
        "cred",
        "api",
        "aws",
        "azure",
        "google",
        "gcp",
        "github",
        "gitlab",
        "npm",
        "anthropic",
        "openai",
        "db",
        "database",
        "url",
        "dsn",
        "private",
        "slack",
        "stripe",
        "sentry",
        "cert",
        "jwt",
        "session",
        "login",
        "docker",
        "gh_",
        "hf_",
        "vault",
    ];
    let lower = pattern.to_lowercase();
    // Each alternative must contain a word that is not optional.
    let is_told = |part: &str| {
        let mut words =
            part.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| word.len() >= 2)
    };
    lower.split(['|', '\n']).all(is_told)
        && !lower.contains(['[', '{'])
        && ![")*", ")?"].iter().any(|end| lower.contains(end))
        && !SECRET.iter().any(|word| lower.contains(word))
        && !lower.contains(".*=")
        && !lower.contains("=.")
}
