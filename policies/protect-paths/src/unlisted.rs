//! Files that are given to a program that nobody listed. It may write to them.

use crate::shell::Judge;
use hookbox_policy::{Command, attached, is_value_of, unlisted_words};
use hookbox_sdk::{Access, ShellWord};

/// Programs that use or check such a file, and change nothing.
#[rustfmt::skip] // Many names to a line.
const USERS: &[&str] = &[
    "act", "actionlint", "ansible-lint", "ansible-playbook", "autossh", "check-jsonschema", "claude", "codex", "commitlint", "cspell",
    "detect-secrets", "direnv", "dotenv-cli", "env-cmd", "fish_indent", "foreman", "gemini", "gitleaks", "godotenv", "hadolint", "heroku", "honcho",
    "husky", "jsonlint", "lefthook", "markdownlint", "mosh", "pre-commit", "pytest", "semgrep",
    "ssh-add", "sshfs", "taplo", "trivy", "trufflehog", "vale", "yamllint", "zizmor",
];

/// Words that the names of options end in whose file is only read.
const INPUTS: &[&str] =
    &["cert", "config", "env", "from", "identity", "input", "key", "rcfile", "schema", "settings", "source"];

/// Asks about each path that an unlisted program gets and that it may not change.
pub(crate) fn judge(at: usize, commands: &[Command<'_>], judge: &mut Judge<'_>) {
    let words = unlisted_words(at, commands);
    let Some(command) = commands.get(at).filter(|command| !USERS.contains(&command.name)) else { return };
    // `dotenv -e .env -- npm start` runs a program, and `dotenv set` writes.
    let sets = || command.args().iter().any(|word| matches!(word.text(), "set" | "unset"));
    if command.name == "dotenv" && !sets() {
        return;
    }
    for (place, word) in words {
        if is_value_of(command, place, INPUTS) {
            continue;
        }
        let text = word.text();
        for path in std::iter::once(text).chain(attached(text)) {
            let is_path = path.contains('/') || path.starts_with(['.', '~']);
            if is_path && !path.contains(char::is_whitespace) && word.known().is_some() {
                let why = format!("{} may write to its arguments", command.quote());
                judge.possibly(&why, |judge| {
                    judge.word(command, &ShellWord::Known(path.to_owned()), Access::Write, false, commands);
                });
            }
        }
    }
}
