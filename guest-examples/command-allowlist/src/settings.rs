//! The settings of this hook in `hooks.toml`.

use serde::Deserialize;

/// The settings, each with a default. Without any settings, every command is asked about.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The commands that may run.
    pub allow: Vec<Entry>,
    /// The variables that may be set, for a command or for all that follow.
    pub env: Vec<String>,
    /// The files and directories that redirections may write to. `.` is the working directory.
    pub write_to: Vec<String>,
    /// What happens to all other commands.
    pub otherwise: Otherwise,
    /// Whether a command on the list runs without a question to the user.
    pub grant: bool,
    /// How many commands one tool call may contain. More are too many for a person to review.
    pub max_commands: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            allow: Vec::new(),
            env: Vec::new(),
            write_to: vec!["/dev/null".to_owned()],
            otherwise: Otherwise::Ask,
            grant: false,
            max_commands: 50,
        }
    }
}

/// What happens to a command that is not on the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Otherwise {
    /// The user decides.
    Ask,
    /// The command does not run. For agents that nobody watches.
    Deny,
}

/// A command that may run.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "an entry of `allow` is a text such as \"git status\", or a table with `program`, `sub`, `flags`, `paths`"
)]
pub enum Entry {
    /// The words that a command begins with, as in `git status`. Whatever follows them is allowed.
    Words(String),
    /// A command down to its arguments.
    Exact(Exact),
}

/// A command down to its arguments.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    /// The program by its name.
    pub program: String,
    /// The sub-commands, one of which must come next: `["status", "stash list"]`. Absent: none is needed.
    #[serde(default)]
    pub sub: Vec<String>,
    /// The options, such as `-l` or `--all`. Absent: none; `["*"]`: any.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The files and directories that arguments may name, with all that is in them. `.` is the working directory.
    /// Absent: any argument.
    pub paths: Option<Vec<String>>,
}
