//! Commands that would disable hookbox, or other restrictions of agents.

use hookbox_policy::{Command, Findings, Options, options};

/// Subcommands of hookbox that only the user runs, in their own terminal.
const OF_THE_USER: &[&str] = &["off", "trust", "uninstall"];

/// Programs that end processes.
const KILLERS: &[&str] = &["kill", "killall", "pkill", "skill", "taskkill", "xkill"];

/// Programs that remove other programs, or stop them.
const MANAGERS: &[&str] = &[
    "apt",
    "apt-get",
    "asdf",
    "brew",
    "bun",
    "cargo",
    "choco",
    "dnf",
    "dpkg",
    "launchctl",
    "mise",
    "nix-env",
    "npm",
    "pacman",
    "pip",
    "pip3",
    "pipx",
    "pnpm",
    "port",
    "rpm",
    "scoop",
    "service",
    "snap",
    "sc",
    "systemctl",
    "uv",
    "volta",
    "winget",
    "yarn",
    "yum",
    "zypper",
];

/// What such a program does to remove or stop one.
const REMOVES: &[&str] = &[
    "-R",
    "-Rns",
    "-Rs",
    "-e",
    "--erase",
    "bootout",
    "delete",
    "disable",
    "erase",
    "kill",
    "mask",
    "purge",
    "remove",
    "rm",
    "stop",
    "un",
    "uninstall",
    "unload",
    "-r",
    "-P",
    "--remove",
    "--purge",
];

/// Programs that are agents, including the names of their packages.
const AGENTS: &[&str] = &[
    "aider",
    "amp",
    "auggie",
    "claude",
    "claude-code",
    "cline",
    "codex",
    "copilot",
    "crush",
    "cursor-agent",
    "devin",
    "droid",
    "gemini",
    "gemini-cli",
    "goose",
    "kilo",
    "kilocode",
    "kiro-cli",
    "opencode",
    "q",
    "qwen",
    "qwen-code",
];

/// Options that stop an agent from asking, and the agents that have them; an empty list means all.
const UNBOUND: &[(&str, &[&str])] = &[
    ("--allow-all", &["copilot"]),
    ("--allow-all-paths", &["copilot"]),
    ("--allow-all-tools", &["copilot"]),
    ("--allow-dangerously-skip-permissions", &[]),
    ("--auto-approve-everything", &[]),
    ("--force", &["cursor-agent"]),
    ("-f", &["cursor-agent"]),
    ("--no-hooks", &[]),
    ("--skip-permissions-unsafe", &[]),
    ("--trust-all-tools", &[]),
    ("-a", &["q", "kiro-cli"]),
    ("--yes-always", &["aider"]),
    ("--yolo", &[]),
    ("-y", &["gemini", "gemini-cli", "qwen", "qwen-code", "cline", "crush"]),
];

/// Values of options with the same meaning.
const UNBOUND_VALUES: &[&str] = &["bypassPermissions", "danger-full-access", "yolo"];

/// Programs that only print information about their arguments.
const TELLERS: &[&str] = &[
    "ack", "ag", "awk", "cat", "echo", "egrep", "fgrep", "git", "grep", "head", "less", "man", "printf", "rg", "sed",
    "tail",
];

/// The agents' commands that change their settings.
const SETTERS: &[&str] = &["config", "extension", "extensions", "hook", "hooks", "mcp", "plugin", "plugins"];

/// The subcommands there that change nothing.
const GETTERS: &[&str] =
    &["list", "ls", "get", "show", "status", "help", "serve", "login", "validate", "doctor", "inspect"];

/// Git settings that run programs, other than the one that denies.
const GIT_RUNS: &[&str] = &["core.fsmonitor", "core.gitproxy", "core.sshcommand", "include.path", "init.templatedir"];

/// Judges a command by its effect on the guards themselves.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], found: &mut Findings) {
    match command.name {
        "hookbox" => hookbox(command, found),
        "git" => git(command, found),
        name if KILLERS.contains(&name) => kill(command, all, found),
        name if MANAGERS.contains(&name) => manage(command, found),
        _ => {}
    }
    // `rm $(which hookbox)`
    let looks_up = ["which hookbox", "command -v hookbox", "type -p hookbox", "type -P hookbox", "whereis hookbox"];
    let is_it = |file: &hookbox_sdk::ShellFile| {
        file.access.changes() && file.path.known().is_some_and(|path| path == "hookbox")
    };
    if command.facts.files.iter().any(is_it) && looks_up.iter().any(|lookup| command.facts.text.contains(lookup)) {
        found.deny(format!(
            "{} changes hookbox itself, which checks what agents do; leave that to the user",
            command.quote()
        ));
    }
    agent(command, found);
    let sets_hooks = |text: &str| text.to_ascii_lowercase().contains("core.hookspath");
    let by_variable = command.facts.assignments.iter().any(|assignment| {
        assignment.name.starts_with("GIT_CONFIG") && assignment.value.known().is_some_and(sets_hooks)
    });
    if by_variable {
        found.deny(hooks_path(command));
    }
}

fn hookbox(command: &Command<'_>, found: &mut Findings) {
    let given = options(command.args(), &["--config", "--app", "--home", "--project", "--dialect", "--agent"]);
    let Some(subcommand) = given.operands.first().filter(|_| !given.has(&["--help", "-h"])) else {
        return;
    };
    match subcommand.known() {
        Some(name) if OF_THE_USER.contains(&name) => {
            found.deny(format!("{} is for the user, who runs `hookbox {name}` in a terminal", command.quote()));
        }
        Some("install" | "add" | "init") => {
            found.ask(format!("{} changes which hooks agents ask; is that meant?", command.quote()))
        }
        Some(_) => {}
        None => found.unknown(format!("{} may take hookbox off; write its arguments out", command.quote())),
    }
}

fn kill(command: &Command<'_>, all: &[Command<'_>], found: &mut Findings) {
    let names_it =
        |command: &Command<'_>| command.args().iter().any(|word| word.raw().to_ascii_lowercase().contains("hookbox"));
    // `kill $(pgrep hookbox)` and `pgrep hookbox | xargs kill`.
    let finds_it = || {
        all.iter()
            .any(|other| matches!(other.name, "pgrep" | "pidof" | "ps" | "grep" | "fuser" | "lsof") && names_it(other))
    };
    let is_open = command.args().iter().any(|word| word.is_unknown());
    if names_it(command) || is_open && finds_it() {
        found.deny(format!("{} ends hookbox, which checks what agents do; leave it running", command.quote()));
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

fn hooks_path(command: &Command<'_>) -> String {
    format!("{} sets `core.hooksPath`, and git would run other hooks or none; leave it as it is", command.quote())
}

fn git(command: &Command<'_>, found: &mut Findings) {
    let with_value = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--exec-path"];
    let mut args = command.args().iter();
    let mut rest: &[hookbox_policy::Word] = &[];
    while let Some(word) = args.next() {
        let text = word.text();
        if !text.starts_with('-') {
            rest = args.as_slice();
            if text != "config" {
                // `git clone -c core.hooksPath=…`, `git clone --config …`.
                let is_set = |word: &hookbox_policy::Word| setting(word.text()).is_some_and(is_hooks_path);
                if text == "clone" && rest.iter().any(is_set) {
                    found.deny(hooks_path(command));
                }
                return;
            }
            break;
        }
        let value = match text.split_once('=') {
            Some((name, value)) if text.starts_with("--") && with_value.contains(&name) => value,
            _ if with_value.contains(&text) => args.next().map_or("", |word| word.text()),
            _ => text.strip_prefix("-c").unwrap_or_default(),
        };
        if (text.starts_with("-c") || text.starts_with("--config-env")) && setting(value).is_some_and(is_hooks_path) {
            return found.deny(hooks_path(command));
        }
    }
    let given = options(rest, &["-f", "--file", "--blob", "--type", "-t", "--default", "--comment", "--value"]);
    let removes = given.has(&["--unset", "--unset-all", "--remove-section", "--rename-section"]);
    let reads = given.has(&["--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch"]);
    let verb = given.operands.first().map_or("", |word| word.text());
    let (is_verb, removes) = match verb {
        "set" => (true, removes),
        "unset" | "remove-section" | "rename-section" => (true, true),
        "get" | "list" | "edit" | "get-color" | "get-colorbool" => return,
        _ => (false, removes),
    };
    let mut operands = given.operands.iter().skip(usize::from(is_verb));
    let (Some(key), value) = (operands.next(), operands.next()) else {
        return;
    };
    let key = key.text().to_ascii_lowercase();
    if reads || value.is_none() && !removes {
        return;
    }
    if is_hooks_path(&key) || removes && key == "core" {
        return found.deny(hooks_path(command));
    }
    let value = value.map_or("", |word| word.text());
    let is_flag = matches!(value, "true" | "false" | "" | "1" | "0");
    let is_program = ["sh -c", "bash -c", "/tmp/", ";", "|", "$("].iter().any(|part| value.contains(part));
    let names_program = key.ends_with(".textconv")
        || key.starts_with("filter.")
            && [".clean", ".smudge", ".process"].iter().any(|end| key.ends_with(end))
            && !value.starts_with("git-lfs")
        || matches!(key.as_str(), "diff.external" | "core.askpass" | "gpg.program" | "protocol.ext.allow")
        || key.starts_with("merge.") && key.ends_with(".driver")
        || key.starts_with("diff.") && key.ends_with(".command")
        || key == "credential.helper" && value.starts_with(['!', '/'])
        || (key.starts_with("pager.") || matches!(key.as_str(), "core.pager" | "core.editor" | "sequence.editor"))
            && is_program;
    let runs = names_program
        || GIT_RUNS.contains(&key.as_str())
        || key.starts_with("includeif.")
        || key.starts_with("alias.") && value.starts_with('!');
    if runs && !is_flag && !removes {
        found.ask(format!(
            "{} makes git run a program, or read other settings, each time; is that meant?",
            command.quote()
        ));
    }
}

/// The key in `key=value`.
fn setting(text: &str) -> Option<&str> {
    text.split_once('=').map(|(key, _)| key)
}

fn is_hooks_path(key: &str) -> bool {
    key.eq_ignore_ascii_case("core.hookspath")
}

fn agent(command: &Command<'_>, found: &mut Findings) {
    let name = command.name.strip_suffix(".exe").unwrap_or(command.name);
    let args = command.args();
    let is_agent = AGENTS.contains(&name);
    let unbound = args.iter().find(|word| {
        let text = word.text();
        let option = text.split('=').next().unwrap_or_default();
        let is_for = |agents: &[&str]| agents.is_empty() || agents.contains(&name);
        let is_dangerous = option.starts_with("--dangerously-");
        if !is_agent {
            let is_meant =
                ["skip-permissions", "bypass-approvals", "allow-all"].iter().any(|what| option.contains(what));
            return is_dangerous && is_meant && !TELLERS.contains(&name);
        }
        let value = text.split_once('=').map_or(text, |(_, value)| value);
        is_dangerous
            || UNBOUND.iter().any(|(known, agents)| *known == option && is_for(agents))
            || UNBOUND_VALUES.contains(&value)
            || text.contains("disableAllHooks")
    });
    if let Some(word) = unbound {
        return found.deny(format!(
            "{} starts an agent with `{}`, which asks nobody; leave that to the user",
            command.quote(),
            word.text()
        ));
    }
    if !is_agent {
        return;
    }
    let Options { operands, .. } =
        options(args, &["--scope", "-s", "--transport", "-t", "--model", "-m", "-p", "--print", "--prompt"]);
    if let [first, second, ..] = operands.as_slice()
        && SETTERS.contains(&first.text())
        && !GETTERS.contains(&second.text())
    {
        found.ask(format!("{} changes the settings of an agent; is that meant?", command.quote()));
    }
}
