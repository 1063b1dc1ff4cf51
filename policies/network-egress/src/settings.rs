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

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known, such as the host in `curl $URL`.
    pub unknown: Unknown,
    /// Hosts that may be read from: `example.com`, `*.example.com` for all names below it, `localhost:3000`, an address,
    /// a range such as `10.0.0.0/8`, or `*`.
    pub allow: Vec<String>,
    /// Hosts that are denied, whatever the other lists say. The same patterns.
    pub deny: Vec<String>,
    /// What happens when a host is on no list.
    pub default: Verdict,
    /// What happens when a command sends data, as `curl -d` and `scp` do.
    pub upload: Verdict,
    /// Hosts that data may be sent to without `upload` being asked. The same patterns; they may be read from, too.
    pub upload_to: Vec<String>,
    /// What happens with this machine itself: `localhost`, `127.0.0.1`, `[::1]`.
    pub local: Verdict,
    /// Whether the registries and documentation of well-known languages and tools may be read from, such as
    /// `crates.io`, `registry.npmjs.org`, `docs.python.org` and `github.com`.
    pub well_known: bool,
    /// Hosts whose programs may be run as soon as they are fetched, as in `curl https://sh.rustup.rs | sh`. The same
    /// patterns.
    pub run_from: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            allow: Vec::new(),
            deny: Vec::new(),
            default: Verdict::Ask,
            upload: Verdict::Ask,
            upload_to: Vec::new(),
            local: Verdict::Allow,
            well_known: true,
            run_from: Vec::new(),
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
