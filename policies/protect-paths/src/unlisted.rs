//! Files among the arguments of an unknown program, which may write to them.

use crate::shell::Judge;
use crate::{ansible, inputs, mounts};
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
#[rustfmt::skip] // Many names to a line.
const INPUTS: &[&str] = &[
    "cert", "config", "env", "from", "identity", "input", "key", "passphrase", "password", "rcfile", "schema", "settings", "source",
];

/// Programs that load a file of variables and then run another program.
#[rustfmt::skip] // Many names to a line.
const LOADERS: &[&str] = &[
    "act", "caddy", "dotenv", "dotenv-cli", "dotenvx", "env-cmd", "foreman", "godotenv", "heroku", "honcho", "hurl", "just", "newman",
    "process-compose", "pytest", "sam",
];

/// The options of these programs that name the file.
#[rustfmt::skip] // Many names to a line.
const LOADS: &[&str] = &[
    "-E", "-e", "-f", "--dotenv-path", "--env", "--env-file", "--env-vars", "--envfile", "--environment", "--file", "--secret-file", "--variables-file",
];

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
    for (place, word) in words.into_iter().filter(|(_, word)| word.known().is_some()) {
        let text = word.text();
        let is_path =
            |path: &&str| (path.contains('/') || path.starts_with(['.', '~'])) && !path.contains(char::is_whitespace);
        let parts = attached(text).chain(mounts::sources(command, place));
        let mut paths = std::iter::once(text).chain(parts).filter(is_path).peekable();
        if paths.peek().is_none() || is_only_read(command, place) {
            continue;
        }
        for path in paths {
            let why = format!("{} may write to its arguments", command.quote());
            judge.possibly(&why, |judge| {
                judge.word(command, &ShellWord::Known(path.to_owned()), Access::Write, false, commands);
            });
        }
    }
}

/// Whether a program, although it is not listed, surely only reads the file that an argument names.
pub(crate) fn is_only_read(command: &Command<'_>, at: usize) -> bool {
    is_value_of(command, at, INPUTS)
        || is_loaded(command, at)
        || inputs::is_read(command, at)
        || mounts::is_read_only(command, at)
        || ansible::is_read(command, at)
}
