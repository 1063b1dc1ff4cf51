//! The settings of the operator.

use hookbox_sdk::Action;
use serde::Deserialize;

/// The settings of this hook.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Patterns for the names of files and directories that hold secrets.
    pub secrets: Vec<String>,
    /// Programs that do not use the network.
    pub offline: Vec<String>,
    /// What happens to a call that may use the network after a secret was read.
    pub otherwise: Otherwise,
}

/// What happens to a call that is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Otherwise {
    /// The user is asked.
    Ask,
    /// The call is stopped.
    Deny,
}

impl Default for Settings {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Settings {
            secrets: list(&[
                ".env", ".env.*", ".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".npmrc", ".pypirc", "*.pem", "*.key",
            ]),
            offline: list(&[
                "cat", "cd", "echo", "grep", "head", "jq", "ls", "mkdir", "pwd", "sort", "tail", "test", "true", "wc",
            ]),
            otherwise: Otherwise::Deny,
        }
    }
}

impl Settings {
    /// Returns the Action for a call that is not allowed.
    pub(crate) fn otherwise(&self, reason: String) -> Action {
        match self.otherwise {
            Otherwise::Ask => Action::ask(reason),
            Otherwise::Deny => Action::deny(reason),
        }
    }
}
