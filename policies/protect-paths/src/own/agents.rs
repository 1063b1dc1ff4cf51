//! Agents that are started without hooks, or in a mode in which they ask nobody.

use super::TELLERS;
use hookbox_policy::{Command, Findings, Options, Word, options};

/// Programs that are agents, including the names of their packages.
#[rustfmt::skip] // Many names to a line.
const AGENTS: &[&str] = &[
    "agent", "aider", "amp", "auggie", "claude", "claude-code", "cline", "codex", "copilot", "crush", "cursor-agent", "devin", "droid", "gemini",
    "gemini-cli", "goose", "interpreter", "kilo", "kilocode", "kiro-cli", "opencode", "q", "qwen", "qwen-code",
];

/// Options that stop an agent from asking or from reading the user's settings, and the agents that have them. An empty
/// list means all agents.
const UNBOUND: &[(&str, &[&str])] = &[
    ("--allow-all", &["copilot"]),
    ("--allow-all-paths", &["copilot"]),
    ("--allow-all-tools", &["copilot"]),
    ("--allow-dangerously-skip-permissions", &[]),
    ("--auto-approve-all", &[]),
    ("--auto-approve-everything", &[]),
    ("--bare", &["claude", "claude-code"]),
    ("--force", &["agent", "cursor-agent"]),
    ("-f", &["agent", "cursor-agent"]),
    ("--full-auto", &["codex"]),
    ("--ignore-user-config", &["codex"]),
    ("--no-hooks", &[]),
    ("--pure", &["opencode"]),
    ("--settings", &["claude", "claude-code"]),
    ("--skip-permissions-unsafe", &[]),
    ("--trust-all-tools", &[]),
    ("-a", &["q", "kiro-cli"]),
    ("--yes", &["aider"]),
    ("--yes-always", &["aider"]),
    ("--yolo", &[]),
    ("-y", &["gemini", "gemini-cli", "qwen", "qwen-code", "cline", "crush", "interpreter"]),
];

/// Options that do so with the given value, as the next word or after `=`.
const UNBOUND_BY: &[(&str, &str, &[&str])] = &[
    ("--ask-for-approval", "never", &["codex"]),
    ("-a", "never", &["codex"]),
    ("--auto", "high", &["droid"]),
    ("--disable", "hooks", &["codex"]),
    ("--setting-sources", "project", &["claude", "claude-code"]),
    ("--setting-sources", "local", &["claude", "claude-code"]),
    ("--setting-sources", "project,local", &["claude", "claude-code"]),
    ("--setting-sources", "local,project", &["claude", "claude-code"]),
    ("--setting-sources", "", &["claude", "claude-code"]),
];

/// Values that do so for any option.
const UNBOUND_VALUES: &[&str] = &["bypassPermissions", "danger-full-access", "yolo"];

/// Settings that do so, and the text that their value contains.
const UNBOUND_SETTINGS: &[(&str, &str)] = &[
    ("disableAllHooks", ""),
    ("features.hooks", "false"),
    ("features={", "hooks=false"),
    ("hooksDisabled", ""),
    ("approval_policy", "never"),
];

/// Variables that select another settings folder, or that answer for the user.
#[rustfmt::skip] // Many names to a line.
const VARIABLES: &[&str] = &[
    "AMP_SETTINGS_FILE", "CLAUDE_CODE_SIMPLE", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_ALLOW_ALL", "COPILOT_HOME", "CURSOR_CONFIG_DIR", "FACTORY_HOME",
    "GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_TRUST_WORKSPACE", "GOOSE_MODE", "OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT",
    "OPENCODE_CONFIG_DIR", "OPENCODE_PERMISSION", "QWEN_HOME", "AIDER_YES", "AIDER_YES_ALWAYS", "HOME", "XDG_CONFIG_HOME",
];

/// Editors with a built-in agent and an option that changes its servers.
const EDITORS: &[&str] = &["code", "code-insiders", "codium", "cursor", "windsurf"];

/// The agents' commands that change their settings.
const SETTERS: &[&str] =
    &["config", "extension", "extensions", "features", "hook", "hooks", "mcp", "plugin", "plugins"];

/// The subcommands of these commands that change nothing.
const GETTERS: &[&str] =
    &["list", "ls", "get", "show", "status", "help", "serve", "login", "validate", "doctor", "inspect"];

/// Judges an agent that a command starts, or whose settings it changes.
pub(super) fn judge(command: &Command<'_>, all: &[Command<'_>], found: &mut Findings) {
    let name = command.name.strip_suffix(".exe").unwrap_or(command.name);
    if let Some(what) = unbound(name, command).or_else(|| AGENTS.contains(&name).then(|| variable(command, all))?) {
        return found.deny(format!(
            "{} starts an agent with `{what}`, which asks nobody or reads other settings; leave that to the user",
            command.quote()
        ));
    }
    let adds_server = |word: &Word| word.text().split('=').next() == Some("--add-mcp");
    if EDITORS.contains(&name) && command.args().iter().any(adds_server) {
        found.ask(format!("{} gives the agent of an editor another server; is that meant?", command.quote()));
    }
    if !AGENTS.contains(&name) {
        return;
    }
    let Options { operands, .. } =
        options(command.args(), &["--scope", "-s", "--transport", "-t", "--model", "-m", "-p", "--print", "--prompt"]);
    if let [first, second, ..] = operands.as_slice()
        && SETTERS.contains(&first.text())
        && !GETTERS.contains(&second.text())
    {
        found.ask(format!("{} changes the settings of an agent; is that meant?", command.quote()));
    }
}

/// Returns the word that makes an agent do things without asking anybody.
fn unbound<'c>(name: &str, command: &'c Command<'_>) -> Option<&'c str> {
    let args = command.args();
    if !AGENTS.contains(&name) {
        // An unlisted wrapper may start an agent.
        let is_meant = |option: &str| {
            let what = ["skip-permissions", "bypass-approvals", "allow-all"];
            option.starts_with("--dangerously-") && what.iter().any(|what| option.contains(what))
        };
        return args.iter().map(|word| word.text()).find(|text| is_meant(text) && !TELLERS.contains(&name));
    }
    let is_for = |agents: &[&str]| agents.is_empty() || agents.contains(&name);
    let is_unbound = |at: usize, text: &str| {
        let (option, value) = text.split_once('=').map_or((text, None), |(option, value)| (option, Some(value)));
        let next = value.or_else(|| Some(args.get(at + 1)?.text())).unwrap_or_default();
        // The value is TOML, in which quotes and spaces may surround the keys.
        let plain = text.replace([' ', '\t', '"', '\''], "");
        option.starts_with("--dangerously-")
            || UNBOUND.iter().any(|(known, agents)| *known == option && is_for(agents))
            || UNBOUND_BY.iter().any(|(known, with, agents)| *known == option && *with == next && is_for(agents))
            || UNBOUND_VALUES.contains(&value.unwrap_or(text))
            || UNBOUND_SETTINGS.iter().any(|(key, with)| plain.contains(key) && plain.contains(with))
    };
    let by_word = args.iter().map(|word| word.text()).enumerate().find(|(at, text)| is_unbound(*at, text));
    by_word.map(|(_, text)| text)
}

/// Returns the variable that makes an agent read other settings or ask nobody.
fn variable<'c>(command: &'c Command<'_>, all: &'c [Command<'_>]) -> Option<&'c str> {
    let exports = all.iter().filter(|other| matches!(other.name, "export" | "declare" | "typeset" | "setenv" | "set"));
    let exported = exports.flat_map(|other| other.args()).map(|word| word.text().split('=').next().unwrap_or_default());
    let assigned = command.facts.assignments.iter().map(|assignment| assignment.name.as_str());
    assigned.chain(exported).find(|name| VARIABLES.contains(name))
}
