//! Programs that print settings for the shell: `eval "$(ssh-agent -s)"`.

use crate::runner::{Program, program};
use crate::{Command, Word};

/// The programs, and the words of which one must be among their arguments for them to print settings.
const PRINTS: &[(&str, &[&str])] = &[
    ("ssh-agent", &["-s", "-c", "-k"]),
    ("gpg-agent", &["--daemon"]),
    ("keychain", &["--eval"]),
    ("dircolors", &[]),
    ("direnv", &["hook", "export"]),
    ("brew", &["shellenv"]),
    ("pyenv", &["init", "virtualenv-init"]),
    ("rbenv", &["init"]),
    ("nodenv", &["init"]),
    ("goenv", &["init"]),
    ("jenv", &["init"]),
    ("fnm", &["env"]),
    ("mise", &["activate", "env"]),
    ("rtx", &["activate"]),
    ("asdf", &["exec-env"]),
    ("starship", &["init"]),
    ("zoxide", &["init"]),
    ("atuin", &["init"]),
    ("mcfly", &["init"]),
    ("fzf", &["--bash", "--zsh"]),
    ("opam", &["env"]),
    ("conda", &["shell.bash", "shell.zsh", "shell.posix"]),
    ("micromamba", &["shell"]),
    ("minikube", &["docker-env", "podman-env"]),
    ("docker-machine", &["env"]),
    ("luarocks", &["path"]),
    ("thefuck", &["--alias"]),
    ("register-python-argcomplete", &[]),
    ("kubectl", &["completion"]),
    ("helm", &["completion"]),
    ("gh", &["completion"]),
    ("npm", &["completion"]),
    ("rustup", &["completions"]),
    ("poetry", &["completions"]),
    ("uv", &["generate-shell-completion"]),
    ("docker", &["completion"]),
    ("podman", &["completion"]),
    ("gulp", &["--completion"]),
    ("just", &["--completions"]),
    ("volta", &["completions"]),
];

fn prints(command: &Command) -> bool {
    let row = PRINTS.iter().find(|(name, _)| *name == command.name);
    row.is_some_and(|(_, among)| among.is_empty() || is_told(command, among))
        || (command.name == "ssh-agent" && command.args().is_empty())
}

/// Whether one of these words is an option or the subcommand of a command. `docker run x completion` has another
/// subcommand.
fn is_told(command: &Command, among: &[&str]) -> bool {
    let mut may_be_value = false;
    for text in command.args().iter().map(Word::text) {
        if among.contains(&text) {
            return true;
        }
        let is_option = text.starts_with('-');
        if !is_option && !may_be_value && !among.iter().any(|word| word.starts_with('-')) {
            return false;
        }
        may_be_value = is_option && !text.contains('=');
    }
    false
}

/// The shells that only read their script with `-n`.
const CHECKERS: [&str; 12] =
    ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "yash", "fish", "csh", "tcsh"];

/// Whether the only hidden commands are settings for the shell that well-known programs print, or a script that a shell
/// only checks (`bash -n`). If so, the unknown parts are harmless.
#[must_use]
pub fn only_sets_up(commands: &[Command]) -> bool {
    let mut excused = 0;
    for (index, command) in commands.iter().enumerate() {
        let is_child =
            |child: &&Command| child.facts.parent == Some(index) && child.facts.via.as_deref() == Some("substitution");
        let children: Vec<&Command> = commands.iter().filter(is_child).collect();
        let checks = CHECKERS.contains(&command.name) && command.args().iter().any(|word| word.text() == "-n");
        match program(command) {
            Program::Code(word) | Program::File(word) if word.is_unknown() => {
                // `eval "$(ssh-agent)" "$MORE"` runs more than what the program prints.
                let unknown = command.args().iter().flat_map(|word| word.text().chars());
                let unknown = unknown.filter(|c| *c == crate::UNKNOWN).count();
                if children.is_empty() || unknown > children.len() || !children.iter().all(|child| prints(child)) {
                    return false;
                }
                excused += 1;
            }
            Program::Nothing if checks => excused += 1,
            Program::Nothing | Program::Code(_) | Program::File(_) => {
                let is_child = command.facts.via.as_deref() == Some("substitution");
                if (!command.facts.reads_from.is_empty() || command.facts.stdin.is_some()) && !is_child {
                    return false;
                }
            }
            Program::Input => return false,
        }
        if command.name.is_empty() && command.words.first().is_some_and(Word::is_unknown) {
            return false;
        }
    }
    excused > 0
}

/// Cmdlets that run a text or a program.
const RUNS: &[&str] = &[
    "invoke-expression",
    "iex",
    "invoke-command",
    "icm",
    "new-object",
    "start-process",
    "start-job",
    "add-type",
    "powershell",
    "pwsh",
];

/// Whether the only unknown is that a command is a PowerShell cmdlet that does not run other commands.
#[must_use]
pub fn only_cmdlets(reason: &str, commands: &[Command]) -> bool {
    let runs = |command: &Command| RUNS.iter().any(|name| command.name.eq_ignore_ascii_case(name));
    reason.starts_with("a command of PowerShell") && !commands.iter().any(runs)
}
