//! Commands that would disable hookbox or other restrictions of agents.

mod agents;
pub(crate) mod git;
mod processes;
pub(crate) mod tool;

use crate::shell::ELSEWHERE;
use hookbox_policy::{Command, Findings, Word, options};

/// Subcommands of hookbox that only the user runs, in their own terminal.
const OF_THE_USER: &[&str] = &["off", "trust", "uninstall"];

/// Programs that remove or stop other programs.
#[rustfmt::skip] // Many names to a line.
const MANAGERS: &[&str] = &[
    "apt", "apt-get", "asdf", "brew", "bun", "cargo", "choco", "dnf", "dpkg", "flatpak", "launchctl", "mise", "nix", "nix-env", "npm", "pacman", "pip",
    "pip3", "pipx", "pnpm", "port", "rpm", "scoop", "service", "snap", "sc", "systemctl", "uv", "volta", "winget", "yarn", "yum", "zypper",
];

/// Actions by which such a program removes or stops another one.
#[rustfmt::skip] // Many words to a line.
const REMOVES: &[&str] = &[
    "-R", "-Rns", "-Rs", "-e", "--erase", "bootout", "delete", "disable", "erase", "kill", "mask", "purge", "remove", "rm", "stop", "un", "uninstall",
    "unload", "-r", "-P", "--remove", "--purge",
];

/// Programs that give a file another name.
const COPIERS: &[&str] = &["cp", "gcp", "install", "ln", "gln", "link", "mv", "gmv", "ditto", "rsync"];

/// Programs that only print or search, or replace texts by others.
const TELLERS: &[&str] = &[
    "ack", "ag", "awk", "cat", "echo", "egrep", "fgrep", "gh", "git", "glab", "grep", "head", "jj", "jq", "less",
    "man", "printf", "rg", "rpl", "sd", "sed", "tail", "tr", "wc", "zgrep",
];

/// Judges a command by its effect on the guards themselves. `text` is the text of the call.
pub(crate) fn judge(at: usize, all: &[Command<'_>], text: Option<&str>, found: &mut Findings) {
    let Some(command) = all.get(at) else { return };
    processes::judge(command, all, text, found);
    match command.name {
        "hookbox" => hookbox(command, found),
        "git" => git::judge(command, found),
        "gh" | "glab" => git::alias(command, found),
        name if MANAGERS.contains(&name) => manage(command, found),
        name if COPIERS.contains(&name) => rename(command, found),
        _ => {}
    }
    // This is `rm $(which hookbox)`.
    let is_it = |file: &hookbox_sdk::ShellFile| {
        file.access.changes() && file.path.known().is_some_and(|path| path == "hookbox")
    };
    if command.facts.files.iter().any(is_it) && looks_it_up(command) {
        found.deny(format!(
            "{} changes hookbox itself, which checks what agents do; leave that to the user",
            command.quote()
        ));
    }
    tells(at, all, found);
    agents::judge(command, all, found);
    let sets_hooks = |text: &str| text.to_ascii_lowercase().contains("core.hookspath");
    let assigned = |prefix: &'static str| {
        let is_it = move |assignment: &&hookbox_sdk::ShellAssignment| assignment.name.starts_with(prefix);
        command.facts.assignments.iter().filter(is_it)
    };
    if assigned("GIT_CONFIG").any(|assignment| assignment.value.known().is_some_and(sets_hooks)) {
        found.deny(git::hooks_path(command));
    }
    let is_other = |assignment: &hookbox_sdk::ShellAssignment| {
        matches!(assignment.name.as_str(), "GIT_CONFIG" | "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM")
            && !matches!(assignment.value.known(), Some("" | "/dev/null"))
    };
    if command.name == "git" && assigned("GIT_CONFIG").any(is_other) {
        found.ask(format!("{} makes git read other settings, which may run programs; is that meant?", command.quote()));
    }
    if command.name == "git" && assigned("GIT_TEMPLATE_DIR").next().is_some() {
        found.ask(format!("{} copies hooks, which git runs, from a template; is that meant?", command.quote()));
    }
}

/// Whether a command asks the shell where hookbox is.
fn looks_it_up(command: &Command<'_>) -> bool {
    let looks_up = ["which hookbox", "command -v hookbox", "type -p hookbox", "type -P hookbox", "whereis hookbox"];
    looks_up.iter().any(|lookup| command.facts.text.contains(lookup))
}

/// Judges a command that renames hookbox. Under another name, hookbox can be switched off without these policies
/// noticing.
fn rename(command: &Command<'_>, found: &mut Findings) {
    let is_it = |word: &Word| matches!(word.text().rsplit('/').next(), Some("hookbox" | "hookbox.exe"));
    let last = command.args().len().saturating_sub(1);
    let is_source = command.args().iter().take(last.max(1)).any(is_it);
    if is_source || looks_it_up(command) {
        found.ask(format!("{} gives hookbox another name; is that meant?", command.quote()));
    }
}

/// Judges words that another program may run: `socat EXEC:'hookbox off',pty STDIO`, `pty.spawn(['hookbox', 'off'])`.
fn tells(at: usize, all: &[Command<'_>], found: &mut Findings) {
    let Some(command) = all.get(at) else { return };
    if command.name == "hookbox" || TELLERS.contains(&command.name) {
        return;
    }
    // A here-document most often is a text to keep.
    let stdin = command.facts.stdin.as_ref().filter(|_| command.facts.text.contains("hookbox")).map(Word::from);
    let is_told = |word: &Word| {
        let mut words =
            word.text().split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').filter(|word| !word.is_empty());
        word.text().contains("hookbox")
            && words.any(|word| word == "hookbox")
            && words.next().is_some_and(|word| OF_THE_USER.contains(&word))
    };
    // A word of a command that this one runs here is judged with that command: `xargs sed -i 's/hookbox off/x/'`.
    let is_run =
        |inner: &&Command<'_>| inner.facts.parent == Some(at) && inner.facts.via.as_deref() == Some(command.name);
    let is_passed_on = |word: &Word| {
        let has_it = |inner: &Command<'_>| inner.args().iter().any(|other| other.text() == word.text());
        !ELSEWHERE.contains(&command.name) && all.iter().filter(is_run).any(has_it)
    };
    let is_own = |word: &Word| is_told(word) && !is_passed_on(word);
    if command.args().iter().any(is_own) || stdin.as_ref().is_some_and(is_told) {
        found.ask(format!("{} may take hookbox off; is that meant?", command.quote()));
    }
}

pub(crate) fn hookbox(command: &Command<'_>, found: &mut Findings) {
    const VALUES: [&str; 9] = [
        "--config",
        "--app",
        "--home",
        "--project",
        "--dialect",
        "--agent",
        "--config-home",
        "--state-home",
        "--cache-home",
    ];
    let given = options(command.args(), &VALUES);
    let Some(subcommand) = given.operands.first().filter(|_| !given.has(&["--help", "-h"])) else {
        return;
    };
    match subcommand.known() {
        Some(name) if OF_THE_USER.contains(&name) => {
            found.deny(format!("{} is for the user, who runs `hookbox {name}` in a terminal", command.quote()));
        }
        // This clears what policies remember, such as that a session has read a secret.
        Some("state") if given.operands.iter().any(|word| word.text() == "clear") => {
            found.deny(format!("{} is for the user, who runs it in a terminal", command.quote()));
        }
        Some("install" | "add" | "init") => {
            found.ask(format!("{} changes which hooks agents ask; is that meant?", command.quote()))
        }
        Some(_) => {}
        None => found.unknown(format!("{} may take hookbox off; write its arguments out", command.quote())),
    }
}

fn manage(command: &Command<'_>, found: &mut Findings) {
    let is_it = |text: &str| {
        let name = text.rsplit(['/', '.']).find(|part| *part != "service" && *part != "plist").unwrap_or(text);
        matches!(name.split(['@', '=']).next(), Some("hookbox" | "hookbox-cli" | "hookboxd"))
    };
    let removes = command.args().iter().any(|word| REMOVES.contains(&word.text()));
    if removes && command.args().iter().any(|word| is_it(word.text())) {
        found.deny(format!("{} removes hookbox, which checks what agents do; leave that to the user", command.quote()));
    }
}
