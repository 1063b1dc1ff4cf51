//! The differences between the hook systems whose configs and hooks hookbox can run.

use super::discovery::{Layer, discover, project_files};
use super::entry::Reading;
use super::file::{ConfigFile, ReadRules};
use super::hooks_toml;
use super::problem::Problem;
use crate::chain::Rule;
use crate::protocol::{Action, Answer, Event, Input, InputError, Json, Outcome, Source};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, Command, End, HookboxCodec};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// The places in which configs are looked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Places<'a> {
    /// The name of the app, as it appears in directory names.
    pub app: &'a str,
    /// The user's home directory.
    pub home: Option<&'a Path>,
    /// The user's config directory, if it is not `.config` in the home directory.
    pub config_home: Option<&'a Path>,
    /// The agent's working directory.
    pub cwd: &'a Path,
}

/// The parts of the host that a config may refer to.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HostEnv<'a> {
    /// The host's environment.
    pub env: &'a [(OsString, OsString)],
    /// The agent's working directory.
    pub cwd: &'a Path,
}

impl<'a> Places<'a> {
    /// Creates the places for an agent that works in this directory, without a user's directories.
    #[must_use]
    pub const fn new(app: &'a str, cwd: &'a Path) -> Self {
        Places { app, home: None, config_home: None, cwd }
    }

    /// Sets the user's home directory.
    #[must_use]
    pub const fn with_home(self, home: &'a Path) -> Self {
        Places { home: Some(home), ..self }
    }

    /// Sets the user's config directory, if it is not `.config` in the home directory.
    #[must_use]
    pub const fn with_config_home(self, config_home: &'a Path) -> Self {
        Places { config_home: Some(config_home), ..self }
    }
}

impl<'a> HostEnv<'a> {
    /// Creates the surroundings of an agent that works in this directory.
    #[must_use]
    pub const fn new(env: &'a [(OsString, OsString)], cwd: &'a Path) -> Self {
        HostEnv { env, cwd }
    }

    /// Returns the value of an environment variable.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&'a OsStr> {
        self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }
}

/// The consequence of a config file that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhenBroken {
    /// hookbox warns.
    Warn,
    /// Every gating event is denied, after the hooks of other files have answered.
    Deny,
    /// Every gating event is denied, and no hook runs.
    Halt,
}

/// The answer of a hook process, as its hook system expects it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The exit status.
    pub exit_code: i32,
    /// The text on stdout.
    pub stdout: String,
    /// The text on stderr, which is the reason.
    pub stderr: String,
}

impl Reply {
    /// Creates an answer.
    pub fn new(exit_code: i32, stdout: impl Into<String>, stderr: impl Into<String>) -> Self {
        Reply { exit_code, stdout: stdout.into(), stderr: stderr.into() }
    }
}

/// A hook system's own record of the projects that a user trusts.
pub trait TrustedProjects {
    /// Returns whether the user trusts exactly this project, by whatever path it is named. If the record cannot be
    /// read, no project is trusted.
    fn is_trusted(&self, root: &Path) -> bool;

    /// Trusts a project, which need not exist yet.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written. The record is then unchanged.
    fn trust(&self, root: &Path) -> io::Result<()>;

    /// Revokes the trust in a project, which need not exist any more. Returns false if the project was not trusted.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written. The record is then unchanged.
    fn revoke(&self, root: &Path) -> io::Result<bool>;

    /// Returns the projects that the user trusts.
    ///
    /// # Errors
    /// Returns an error if the record is malformed.
    fn projects(&self) -> Result<Vec<PathBuf>, Box<Problem>>;

    /// Returns the file that holds the record.
    fn file(&self) -> &Path;
}

/// One hook system: a two-way codec between its protocol and hookbox's.
///
/// To *be the agent*, a dialect reads the system's config, writes the payloads of shell hooks, and reads their answers
/// ([`Codec`]). To *be the hook*, it reads the agent's payload and writes an answer. Between the two is the chain,
/// which follows the system's rule.
pub trait Dialect: Codec {
    /// Returns the name of the dialect.
    fn name(&self) -> &'static str;

    /// Returns where the system's configs are looked for, in the order in which their hooks run in the chain.
    fn layers(&self, places: &Places<'_>) -> Vec<Layer>;

    /// Returns the files, as relative paths, that are looked for in the working directory and then in each directory
    /// above it. Only the nearest one counts.
    fn project_files(&self, _app: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Returns whether a trusted config of a project also counts in repositories inside the project.
    fn keeps_outer_projects(&self) -> bool {
        false
    }

    /// Returns whether hooks have names of their own. If they are named after what they run, two hooks with the same
    /// name are still two hooks.
    fn names_hooks(&self) -> bool {
        true
    }

    /// Returns whether the user must name a file, because there is no standard location.
    fn needs_file(&self) -> bool {
        false
    }

    /// Turns a file that was named explicitly into a layer. The file counts as the user's.
    fn named(&self, file: PathBuf, _: &Places<'_>) -> Layer {
        Layer { path: file, source: Source::USER }
    }

    /// Returns whether the hooks of the project run.
    ///
    /// # Errors
    /// Returns an error if the record of trust cannot be read. The hooks then do not run.
    fn trusts_project(&self, places: &Places<'_>) -> Result<bool, Box<Problem>>;

    /// Returns whether trust depends on the content of a project's files ([`TrustStore`](super::TrustStore)). If so,
    /// files that others can change are refused.
    fn checks_file_trust(&self) -> bool {
        false
    }

    /// Returns how the system's config files are read.
    fn read_rules(&self) -> ReadRules {
        ReadRules::default()
    }

    /// Reads the hooks of a file, and reports what is wrong with the file.
    fn read(&self, file: &ConfigFile, host: &HostEnv<'_>) -> Reading;

    /// Returns the directory that a relative path in `command` is relative to, for an agent that works in `cwd`.
    fn command_base<'a>(&self, _: &'a ConfigFile, cwd: &'a Path) -> &'a Path {
        cwd
    }

    /// Returns the consequence of a file from this source that cannot be used.
    fn when_broken(&self, source: &Source) -> WhenBroken;

    /// Returns whether an unusable entry from this source causes only a warning. Otherwise hookbox denies the events
    /// that the entry might have guarded.
    fn overlooks_broken(&self, _: &Source) -> bool {
        false
    }

    /// Returns how the hooks of each event are asked.
    fn rule(&self) -> fn(Event) -> Rule;

    /// Reads the agent's payload.
    ///
    /// # Errors
    /// Returns an error if the payload is not strict JSON, names no event that hooks are asked about, or has a field of
    /// the wrong type.
    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError>;

    /// Fills in the fields that the system's hooks expect and that the agent left out of the Input.
    fn complete(&self, _: &mut Input, _cwd: &Path) {}

    /// Writes an Action as a hook of the system would answer. Anything that the system cannot express becomes something
    /// more restrictive.
    fn encode_answer(&self, event: Event, action: &Action) -> Reply;

    /// Writes the Outcome as the system itself would report it: one JSON object.
    fn encode_outcome(&self, outcome: &Outcome) -> String;

    /// Returns how the system's hooks behave differently when they are configured in a `hooks.toml`, one sentence for
    /// each difference.
    fn differences(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the system's own record of the projects that this user trusts, if it keeps one.
    fn trusted_projects(&self, _home: &Path) -> Option<Box<dyn TrustedProjects>> {
        None
    }

    /// Returns whether an entry without a command is ignored instead of becoming a hook that fails.
    fn overlooks_empty_commands(&self) -> bool {
        false
    }

    /// Returns whether listings use the system's own columns.
    fn uses_native_listing(&self) -> bool {
        false
    }
}

/// hookbox's own dialect, which is strict and fails closed.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookboxDialect;

impl Codec for HookboxDialect {
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String {
        HookboxCodec.payload(input, settings)
    }

    fn prepare_command(&self, command: &mut Command, input: &Input) {
        HookboxCodec.prepare_command(command, input);
    }

    fn bounds(&self) -> Bounds {
        HookboxCodec.bounds()
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        HookboxCodec.answer(input, info, end)
    }
}

impl Dialect for HookboxDialect {
    fn name(&self) -> &'static str {
        "hookbox"
    }

    fn layers(&self, places: &Places<'_>) -> Vec<Layer> {
        discover(places.app, places.home, places.config_home, Some(places.cwd))
    }

    fn project_files(&self, app: &str) -> Vec<PathBuf> {
        project_files(app)
    }

    fn keeps_outer_projects(&self) -> bool {
        true
    }

    fn trusts_project(&self, _: &Places<'_>) -> Result<bool, Box<Problem>> {
        Ok(false)
    }

    fn checks_file_trust(&self) -> bool {
        true
    }

    fn read(&self, file: &ConfigFile, _: &HostEnv<'_>) -> Reading {
        hooks_toml::read(file)
    }

    /// Returns the directory of the user's file, or for a project the directory that holds `.agents`. If the base were
    /// the working directory, a project could substitute its own program for that of a user's hook, and a subdirectory
    /// could do the same to a project's hook.
    fn command_base<'a>(&self, file: &'a ConfigFile, _: &'a Path) -> &'a Path {
        file.root()
    }

    /// A project's broken config causes only a warning. Otherwise every clone of a repository could stop the agent.
    fn when_broken(&self, source: &Source) -> WhenBroken {
        if *source == Source::PROJECT { WhenBroken::Warn } else { WhenBroken::Deny }
    }

    fn overlooks_broken(&self, source: &Source) -> bool {
        *source == Source::PROJECT
    }

    fn rule(&self) -> fn(Event) -> Rule {
        Rule::hookbox
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        Input::from_slice(payload)
    }

    fn encode_answer(&self, _: Event, action: &Action) -> Reply {
        Reply { stdout: action.to_json(), ..Reply::default() }
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        outcome.to_json_line()
    }
}
