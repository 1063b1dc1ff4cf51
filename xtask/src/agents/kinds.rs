//! The agents: where they come from, and how to start them with the scripted model.

use super::home::Home;
use super::model::Turn;
use anyhow::Result;
use serde_json::{Value, json};

/// An agent that can be driven.
pub(super) struct Agent {
    /// hookbox's name for the agent.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    /// Whether the package needs its install script to run.
    pub(super) has_install_script: bool,
    /// Whether the agent needs Node.js 22.
    pub(super) needs_node22: bool,
    /// What readers of the table must know about how the agent was started.
    pub(super) started: Option<&'static str>,
    /// The file below the home directory in which the agent logs what it does not print.
    pub(super) log: Option<&'static str>,
    /// The agent's tool for running a command, and a function that makes the tool's input.
    pub(super) shell: (&'static str, fn(&str) -> Value),
    /// Writes the agent's settings, as a user would have them before hookbox is installed. Returns how to start the
    /// agent.
    pub(super) set_up: fn(&Home, Talk<'_>) -> Result<Start>,
}

/// The task of an agent.
#[derive(Clone, Copy)]
pub(super) struct Talk<'a> {
    /// The address of the model.
    pub(super) model: &'a str,
    pub(super) prompt: &'a str,
}

/// The arguments and the environment of an agent.
pub(super) struct Start {
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(&'static str, String)>,
}

impl Agent {
    /// Returns the model's turn that runs a command.
    pub(super) fn command(&self, command: &str) -> Turn {
        let (tool, input) = self.shell;
        Turn::Call { tool, input: input(command) }
    }
}

/// Node.js 22, for the agents that need it.
pub(super) const NODE22: Agent =
    Agent { name: "node22", title: "Node.js", package: "node", version: "22", has_install_script: true, ..CLAUDE };

/// The agents that cannot be driven without an account.
pub(super) const NOT_DRIVEN: [&str; 2] = ["Cursor", "Factory Droid"];

pub(super) static ALL: [Agent; 7] = [CLAUDE, CODEX, GEMINI, COPILOT, QWEN, CLINE, OPENCODE];

const CLAUDE: Agent = Agent {
    name: "claude",
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.330",
    has_install_script: true,
    needs_node22: false,
    started: None,
    log: None,
    shell: ("Bash", |command| json!({ "command": command, "description": "a test" })),
    set_up: |home, talk| {
        home.write(".claude.json", r#"{"hasCompletedOnboarding":true}"#)?;
        let args = ["-p", talk.prompt, "--model", "scripted", "--allowedTools", "Bash"];
        start(
            &args,
            &[
                ("ANTHROPIC_BASE_URL", talk.model),
                ("ANTHROPIC_API_KEY", "none"),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
                ("DISABLE_AUTOUPDATER", "1"),
            ],
        )
    },
};

const CODEX: Agent = Agent {
    name: "codex",
    title: "Codex CLI",
    package: "@openai/codex",
    version: "0.169.0",
    has_install_script: false,
    started: Some("with `--dangerously-bypass-hook-trust`"),
    shell: ("exec_command", |command| json!({ "cmd": command })),
    set_up: |home, talk| {
        let settings = format!(
            "model = 'gpt-5.5'\nmodel_provider = 'scripted'\napproval_policy = 'never'\n\
             sandbox_mode = 'danger-full-access'\ncheck_for_update_on_startup = false\n\
             [analytics]\nenabled = false\n\
             [model_providers.scripted]\nname = 'scripted'\nbase_url = '{}/v1'\nwire_api = 'responses'\n\
             env_key = 'SCRIPTED_KEY'\nrequest_max_retries = 0\nstream_max_retries = 0\n",
            talk.model
        );
        home.write(".codex/config.toml", &settings)?;
        let args = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", talk.prompt];
        start(&args, &[("SCRIPTED_KEY", "none"), ("RUST_LOG", "error")])
    },
    ..CLAUDE
};

const GEMINI: Agent = Agent {
    name: "gemini",
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    version: "0.61.0",
    has_install_script: false,
    shell: ("run_shell_command", |command| json!({ "command": command })),
    set_up: |home, talk| {
        let settings = json!({
            "general": { "enableAutoUpdate": false },
            "privacy": { "usageStatisticsEnabled": false },
            "security": { "auth": { "selectedType": "gemini-api-key" } },
        });
        home.write(".gemini/settings.json", &settings.to_string())?;
        let args = ["-p", talk.prompt, "--model", "gemini-2.5-pro", "--yolo"];
        start(
            &args,
            &[
                ("GEMINI_API_KEY", "none"),
                ("GOOGLE_GEMINI_BASE_URL", talk.model),
                ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
            ],
        )
    },
    ..CLAUDE
};

const COPILOT: Agent = Agent {
    name: "copilot",
    title: "Copilot CLI",
    package: "@github/copilot",
    version: "1.0.102",
    has_install_script: false,
    needs_node22: true,
    shell: ("bash", |command| json!({ "command": command, "description": "a test" })),
    set_up: |_, talk| {
        start(
            &["-p", talk.prompt, "--no-color", "--allow-all-tools"],
            &[
                ("COPILOT_PROVIDER_BASE_URL", &format!("{}/v1", talk.model)),
                ("COPILOT_PROVIDER_TYPE", "openai"),
                ("COPILOT_PROVIDER_API_KEY", "none"),
                ("COPILOT_MODEL", "scripted"),
                ("COPILOT_OFFLINE", "true"),
                ("COPILOT_AUTO_UPDATE", "false"),
            ],
        )
    },
    ..CLAUDE
};

const QWEN: Agent = Agent {
    name: "qwen",
    title: "Qwen Code",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    has_install_script: false,
    needs_node22: true,
    shell: ("run_shell_command", |command| json!({ "command": command, "is_background": false })),
    set_up: |home, talk| {
        let settings = json!({
            "general": { "enableAutoUpdate": false },
            "privacy": { "usageStatisticsEnabled": false },
            "security": { "auth": { "selectedType": "openai" } },
            "model": { "name": "scripted" },
        });
        home.write(".qwen/settings.json", &settings.to_string())?;
        start(
            &["-p", talk.prompt, "--auth-type", "openai", "--yolo"],
            &[
                ("OPENAI_API_KEY", "none"),
                ("OPENAI_BASE_URL", &format!("{}/v1", talk.model)),
                ("OPENAI_MODEL", "scripted"),
            ],
        )
    },
    ..CLAUDE
};

const CLINE: Agent = Agent {
    name: "cline",
    title: "Cline",
    package: "cline",
    version: "3.0.65",
    has_install_script: false,
    log: Some(".cline/data/logs/cline.log"),
    shell: ("run_commands", |command| json!({ "commands": [command] })),
    set_up: |home, talk| {
        let provider = json!({
            "settings": {
                "provider": "openai-compatible", "apiKey": "none", "model": "scripted",
                "baseUrl": format!("{}/v1", talk.model),
            },
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "tokenSource": "manual",
        });
        let settings = json!({
            "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
            "providers": { "openai-compatible": provider },
        });
        home.write(".cline/data/settings/providers.json", &settings.to_string())?;
        start(
            &["-P", "openai-compatible", "-m", "scripted", talk.prompt],
            &[("CLINE_NO_AUTO_UPDATE", "1"), ("CLINE_TELEMETRY_DISABLED", "1")],
        )
    },
    ..CLAUDE
};

const OPENCODE: Agent = Agent {
    name: "opencode",
    title: "OpenCode",
    package: "opencode-ai",
    version: "1.18.33",
    shell: ("bash", |command| json!({ "command": command, "description": "a test" })),
    set_up: |home, talk| {
        let provider = json!({
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": { "baseURL": format!("{}/v1", talk.model), "apiKey": "none" },
            "models": { "scripted": { "name": "scripted" } },
        });
        let settings = json!({
            "autoupdate": false, "share": "disabled",
            "model": "scripted/scripted", "small_model": "scripted/scripted",
            "provider": { "scripted": provider },
        });
        home.write(".config/opencode/opencode.json", &settings.to_string())?;
        start(
            &["run", talk.prompt],
            &[
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
                ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
                ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
                // Otherwise it would download types for plugin authors on each start in a new home.
                ("npm_config_offline", "true"),
            ],
        )
    },
    ..CLAUDE
};

fn start(args: &[&str], env: &[(&'static str, &str)]) -> Result<Start> {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    Ok(Start { args, env: env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() })
}
