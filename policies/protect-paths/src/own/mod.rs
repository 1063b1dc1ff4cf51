//! Commands that would disable hookbox or other restrictions of agents.

mod agents;
pub(crate) mod git;
pub(crate) mod tool;

use hookbox_policy::{Command, Findings, Word, options};

/// Subcommands of hookbox that only the user runs, in their own terminal.
const OF_THE_USER: &[&str] = &["off", "trust", "uninstall"];

/// Programs that end processes.
const KILLERS: &[&str] = &["kill", "killall", "pkill", "skill", "taskkill", "xkill"];

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

/// Programs that only print information about their arguments.
const TELLERS: &[&str] = &[
    "ack", "ag", "awk", "cat", "echo", "egrep", "fgrep", "gh", "git", "glab", "grep", "head", "jj", "less", "man",
    "printf", "rg", "sed", "tail",
];

/// Judges a command by its effect on the guards themselves.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], found: &mut Findings) {
    match command.name {
        "hookbox" => hookbox(command, found),
        "git" => git::judge(command, found),
        "gh" | "glab" => git::alias(command, found),
        "fuser" if command.args().iter().any(|word| matches!(word.text(), "-k" | "--kill")) => {
            kill(command, all, found)
        }
        name if KILLERS.contains(&name) => kill(command, all, found),
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
    tells(command, found);
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
fn tells(command: &Command<'_>, found: &mut Findings) {
    if command.name == "hookbox" || TELLERS.contains(&command.name) || !command.facts.text.contains("hookbox") {
        return;
    }
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let is_told = |word: &Word| {
        let mut words =
            word.text().split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').filter(|word| !word.is_empty());
        words.any(|word| word == "hookbox") && words.next().is_some_and(|word| OF_THE_USER.contains(&word))
    };
    if command.args().iter().chain(&stdin).any(is_told) {
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

fn kill(command: &Command<'_>, all: &[Command<'_>], found: &mut Findings) {
    let names_it = |command: &Command<'_>| command.args().iter().any(|word| finds_it(command.name, word));
    // This covers `kill $(pgrep hookbox)` and `pgrep hookbox | xargs kill`.
    let is_found = || {
        all.iter()
            .any(|other| matches!(other.name, "pgrep" | "pidof" | "ps" | "grep" | "fuser" | "lsof") && names_it(other))
    };
    let is_open = command.args().iter().any(|word| word.is_unknown());
    if names_it(command) || is_open && is_found() || command.name == "fuser" && looks_it_up(command) {
        found.deny(format!("{} ends hookbox, which checks what agents do; leave it running", command.quote()));
    }
}

/// Whether an argument of a program that looks for processes is the name of hookbox or a pattern that matches it.
fn finds_it(program: &str, word: &Word) -> bool {
    let text = word.raw().to_ascii_lowercase();
    if text.contains("hookbox") {
        return true;
    }
    // A pattern matches a name that contains it: `pkill hook`, `killall -r 'h.*x'`.
    let takes_pattern = matches!(program, "pgrep" | "pkill" | "killall" | "skill" | "grep" | "egrep");
    let mut pieces = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty());
    let has_signs = word.known().is_some() && text.contains(['.', '*', '+', '?', '[', '^', '$']);
    let is_part = |piece: &str| "hookbox".contains(piece) && (piece.len() > 1 || has_signs);
    // `pkill .` matches every name.
    let is_any = matches!(program, "pkill" | "killall" | "skill") && has_signs;
    takes_pattern && !text.starts_with('-') && (is_any || pieces.clone().next().is_some()) && pieces.all(is_part)
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
