//! Determines which words of a program may be commands.

use super::PLAIN;
use crate::prefix::{begins, is_one_of, operands};
use hookbox_policy::{Command, Word};

/// The part of a command that may be a command that it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Any word, together with the words after it.
    Words,
    /// Only a word that is a whole command line: `--exec='rm -rf x'`, `core.pager='rm -rf x'`.
    Lines,
    Nothing,
}

/// Subcommands that run their words, for programs that mostly do not run words. `|` separates alternatives.
const RUNNING: &[(&str, &str)] = &[
    ("docker|podman|nerdctl|buildah", "unshare|machine|debug|sandbox"),
    ("bun", "exec|run|x"),
    ("npm|pnpm|yarn", "exec|dlx|x"),
    ("nix", "run|develop|shell"),
    ("uv", "run|tool"),
    ("poetry|conda|mamba|rustup|snap|pipx", "run"),
    ("composer|bundle", "exec"),
    ("brew", "sh|exec|bundle|ruby"),
    ("dotnet", "watch|exec"),
    ("gh|glab", "codespace|cs|alias|extension|ext"),
];

/// Programs that are told by options, settings and variables which other programs to run.
const TOLD: &str = "git|hub|hg|svn|jj|make|gmake|cargo|go|mvn|gradle|npm|pnpm|yarn|helm";

/// The subcommands of cargo itself. Any other subcommand is a program named `cargo-…`.
const CARGO: &str = "add|bench|build|b|check|c|clean|clippy|config|doc|d|fetch|fix|fmt|generate-lockfile|help|info|init|install|\
                     locate-project|login|logout|metadata|miri|new|owner|package|pkgid|publish|read-manifest|remove|rm|report|run|r|\
                     rustc|rustdoc|search|test|t|tree|uninstall|update|upgrade|vendor|verify-project|version|yank";

/// Returns the part of a command that may be a command that it runs.
pub(super) fn by(command: &Command<'_>) -> Taken {
    match () {
        () if !PLAIN.contains(command.name) || runs_words(command) => Taken::Words,
        // These words are searched for, or stored for people.
        () if command.name == "git" && begins(&operands(command), &["grep|stash|notes"]) => Taken::Nothing,
        () if is_one_of(command.name, TOLD) => Taken::Lines,
        () => Taken::Nothing,
    }
}

/// Whether a program that mostly takes subcommands is told to run words: `npm pkg set scripts.test='…'`, `just
/// --command rm x`, `gem open -e '…'`, `rpm --eval '%(…)'`, `cargo watch -s '…'`.
fn runs_words(command: &Command<'_>) -> bool {
    let has = |options: &[&str]| command.args().iter().any(|word| options.contains(&word.text()));
    let mut words = command.args().iter().map(Word::text);
    if let "npm" | "pnpm" | "yarn" | "bun" = command.name
        && let (Some("pkg"), Some("set")) = (words.next(), words.next())
    {
        return true;
    }
    match command.name {
        "just" => has(&["--command", "-c", "--shell-arg"]),
        "gem" => has(&["-e", "--editor"]),
        "rpm" => has(&["-E", "--eval", "--pipe"]),
        "cargo" => {
            let operands = operands(command);
            let mut first = operands.iter().filter(|operand| !operand.may_be_value && !operand.text.starts_with('+'));
            first.next().is_some_and(|subcommand| !is_one_of(subcommand.text, CARGO))
        }
        name => {
            let mut rows = RUNNING.iter().filter(|(programs, _)| is_one_of(name, programs)).peekable();
            rows.peek().is_some() && {
                let operands = operands(command);
                rows.any(|(_, subcommands)| begins(&operands, &[subcommands]))
            }
        }
    }
}

/// Long options whose value is prose or a search pattern.
#[rustfmt::skip] // Many words to a line.
const PROSE: &[&str] = &[
    "message", "msg", "title", "body", "description", "comment", "note", "notes", "text", "prompt", "subject", "summary", "reason", "grep",
    "testNamePattern", "test-name-pattern", "filter", "author", "committer", "format", "pretty", "trailer", "date", "in-reply-to", "compose", "to", "cc", "bcc", "from",
];

/// Whether the value of an option is prose, for a known program. Any other program may run the value.
pub(super) fn is_prose(command: &Command<'_>, option: &str) -> bool {
    if let Some(name) = option.strip_prefix("--") {
        return PROSE.contains(&name.split('=').next().unwrap_or_default());
    }
    // Most one-letter options of git take prose. These take a command or a setting.
    match command.name {
        "git" | "hub" => !option.ends_with(['x', 'c', 'b', 'd', 'O', 'u']),
        // This covers `npm test -- -t 'what the test says'`.
        "npm" | "pnpm" | "yarn" => option.ends_with(['m', 't', 'g']),
        _ => option.ends_with('m'),
    }
}
