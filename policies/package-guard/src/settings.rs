//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// What happens to something that is on no list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Verdict {
    /// The user is asked.
    #[default]
    Ask,
    /// It is denied.
    Deny,
    /// It is allowed.
    Allow,
}

/// The package managers that a project can be held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Choice {
    /// npm, for JavaScript.
    Npm,
    /// pnpm, for JavaScript.
    Pnpm,
    /// yarn, for JavaScript.
    Yarn,
    /// bun, for JavaScript.
    Bun,
    /// pip, for Python.
    Pip,
    /// uv, for Python.
    Uv,
    /// poetry, for Python.
    Poetry,
    /// pdm, for Python.
    Pdm,
    /// pipenv, for Python.
    Pipenv,
    /// conda, for Python.
    Conda,
}

impl Choice {
    /// Returns the name of the manager's program.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Choice::Npm => "npm",
            Choice::Pnpm => "pnpm",
            Choice::Yarn => "yarn",
            Choice::Bun => "bun",
            Choice::Pip => "pip",
            Choice::Uv => "uv",
            Choice::Poetry => "poetry",
            Choice::Pdm => "pdm",
            Choice::Pipenv => "pipenv",
            Choice::Conda => "conda",
        }
    }
}

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known, such as the package in `npm install $NAME`.
    pub unknown: Unknown,
    /// Packages that may be added: names in which `*` stands for any characters, such as `lodash`, `@types/*`.
    pub allow: Vec<String>,
    /// Places other than the registries that packages may come from: `github.com/acme/*`, `npm.acme.com`, `../common`.
    /// They are written without a scheme; a host stands for all that is on it.
    pub sources: Vec<String>,
    /// What happens when a package is added that is on no list.
    pub new: Verdict,
    /// What happens when a package is installed for all projects, as `npm install --global` does.
    pub global: Verdict,
    /// The package manager of the project, such as `pnpm`. Others for the same language are replaced by it, or denied
    /// where that cannot be done word for word.
    pub manager: Option<Choice>,
    /// Whether `npm install` without names becomes `npm ci`, which keeps to the lock file.
    pub ci: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            allow: Vec::new(),
            sources: Vec::new(),
            new: Verdict::Ask,
            global: Verdict::Deny,
            manager: None,
            ci: false,
        }
    }
}

impl Settings {
    /// Returns the settings that all policies share.
    #[must_use]
    pub fn common(&self) -> Common {
        Common { mode: self.mode, message: self.message.clone(), unknown: self.unknown }
    }
}
