//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use hookbox_sdk::Error;
use serde::Deserialize;

/// The settings, each with a default. Without any, every command is asked about.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known. Unless it is set, the same as `otherwise`.
    pub unknown: Option<Unknown>,
    /// The commands that may run.
    pub allow: Vec<Entry>,
    /// The variables that may be set, for a command or for all that follow.
    pub env: Vec<String>,
    /// The files and directories that any command may write to. `.` is the working directory.
    pub write_to: Vec<String>,
    /// What happens to all other commands.
    pub otherwise: Otherwise,
    /// Whether a call whose commands are all on the list runs without a question to the user.
    pub grant: bool,
    /// How many commands one call may have. A person could not judge more.
    pub max_commands: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: None,
            allow: Vec::new(),
            env: Vec::new(),
            write_to: Vec::new(),
            otherwise: Otherwise::Ask,
            grant: false,
            max_commands: 200,
        }
    }
}

/// What happens to a command that is not on the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Otherwise {
    /// The user decides.
    Ask,
    /// It does not run. For agents that nobody watches.
    Deny,
}

/// A command that may run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "an entry of `allow` is a text such as \"git status\", or a table with `program`, `sub`, `flags`, `paths`"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Entry {
    /// The words that a command begins with, as in `git status`. Whatever follows them is allowed.
    Words(String),
    /// A command down to its arguments.
    Exact(Exact),
}

/// A command down to its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Exact {
    /// The program by its name, or a path to it.
    pub program: String,
    /// The subcommands, one of which must come next: `["status", "stash list"]`. Absent: none is needed.
    #[serde(default)]
    pub sub: Vec<String>,
    /// The options, such as `-l` or `--all`. Absent: none; `["*"]`: any.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The files and directories that arguments may name, with all that is in them. `.` is the working directory.
    /// Absent: any argument.
    pub paths: Option<Vec<String>>,
}

impl Settings {
    /// Returns the settings that all policies share.
    #[must_use]
    pub fn common(&self) -> Common {
        let unknown = match self.otherwise {
            Otherwise::Ask => Unknown::Ask,
            Otherwise::Deny => Unknown::Deny,
        };
        Common { mode: self.mode, message: self.message.clone(), unknown: self.unknown.unwrap_or(unknown) }
    }

    /// Checks for entries that could never match, so that their author learns of the mistake.
    ///
    /// # Errors
    /// Returns an error if an entry, a variable name or a path is invalid.
    pub fn check(&self) -> Result<(), Error> {
        self.allow.iter().try_for_each(Entry::check)?;
        for name in &self.env {
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
            if !is_name {
                return Err(Error::new(format!("`env` has `{name}`, which is no name of a variable")));
            }
        }
        self.write_to.iter().try_for_each(|path| check_path("write_to", path))
    }
}

impl Entry {
    fn check(&self) -> Result<(), Error> {
        let Entry::Exact(exact) = self else {
            let Entry::Words(words) = self else { return Ok(()) };
            return match words.split_whitespace().next() {
                Some(program) => check_program(program),
                None => Err(Error::new("`allow` has an entry without words")),
            };
        };
        if exact.program.split_whitespace().count() != 1 {
            let program = &exact.program;
            return Err(Error::new(format!("the `program` `{program}` is not one word; put what follows into `sub`")));
        }
        check_program(&exact.program)?;
        if exact.sub.iter().any(|sub| sub.trim().is_empty()) {
            return Err(Error::new(format!("the entry for `{}` has an empty `sub`", exact.program)));
        }
        if let Some(flag) = exact.flags.iter().find(|flag| *flag != "*" && !flag.starts_with(['-', '+'])) {
            return Err(Error::new(format!("the flag `{flag}` of `{}` begins with no dash", exact.program)));
        }
        exact.paths.iter().flatten().try_for_each(|path| check_path("paths", path))
    }
}

fn check_program(program: &str) -> Result<(), Error> {
    match program {
        "*" => Err(Error::new("`allow` has `*`, and every program needs an entry of its own")),
        _ => check_path("allow", program),
    }
}

/// Checks a path in the settings. Nothing expands a `~` or a variable in settings, and the home directory is not known
/// here.
fn check_path(key: &str, path: &str) -> Result<(), Error> {
    match path {
        "" => Err(Error::new(format!("`{key}` has an empty path"))),
        path if path.starts_with(['~', '$']) => {
            Err(Error::new(format!("`{key}` has `{path}`; write the whole path, from `/` on")))
        }
        path if path.contains(['*', '?']) => {
            Err(Error::new(format!("`{key}` has `{path}`; name the directory, and all that is in it counts")))
        }
        _ => Ok(()),
    }
}
