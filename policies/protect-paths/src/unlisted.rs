//! Files among the arguments of an unknown program, which may write to them.

use crate::shell::Judge;
use hookbox_policy::{Command, attached, is_value_of, unlisted_words};
use hookbox_sdk::{Access, ShellWord};

/// Programs that use or check such a file without changing anything.
#[rustfmt::skip] // Many names to a line.
pub(crate) const USERS: &[&str] = &[
    "actionlint", "ansible-lint", "ansible-playbook", "autossh", "check-jsonschema", "claude", "codex", "commitlint", "cspell",
    "detect-secrets", "direnv", "fish_indent", "gemini", "gitleaks", "hadolint", "husky", "jsonlint", "lefthook", "markdownlint", "mosh", "pre-commit", "semgrep",
    "ssh-add", "sshfs", "taplo", "trivy", "trufflehog", "vale", "visudo", "yamllint", "zizmor",
];

/// Endings of the names of options whose file is only read.
const INPUTS: &[&str] =
    &["cert", "config", "env", "from", "identity", "input", "key", "rcfile", "schema", "settings", "source"];

/// Programs that load a file of variables and then run another program.
const LOADERS: &[&str] =
    &["act", "dotenv", "dotenv-cli", "dotenvx", "env-cmd", "foreman", "godotenv", "heroku", "honcho", "pytest"];

/// The options of these programs that name the file.
const LOADS: &[&str] = &["-e", "-f", "--env", "--envfile", "--env-file", "--file", "--secret-file"];

/// Whether an argument is a file of variables that is only loaded: `dotenv -e .env -- npm start`. `dotenv set` writes.
fn is_loaded(command: &Command<'_>, at: usize) -> bool {
    let args = command.args();
    let is_option = |before: usize| args.get(before).is_some_and(|word| LOADS.contains(&word.text()));
    let is_env =
        args.get(at).is_some_and(|word| word.text().rsplit('/').next().is_some_and(|name| name.starts_with(".env")));
    let sets = args.iter().any(|word| matches!(word.text(), "set" | "unset" | "export"));
    LOADERS.contains(&command.name) && is_env && !sets && at.checked_sub(1).is_some_and(is_option)
}

/// Asks about each path that an unlisted program gets and that it must not change.
pub(crate) fn judge(at: usize, commands: &[Command<'_>], judge: &mut Judge<'_>) {
    let words = unlisted_words(at, commands);
    let Some(command) = commands.get(at).filter(|command| !USERS.contains(&command.name)) else { return };
    for (place, word) in words {
        if is_value_of(command, place, INPUTS) || is_loaded(command, place) {
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
