//! What differs between the hook systems whose config and hooks we run.

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

/// Where config may be.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The app, in the names of directories.
    pub app: &'a str,
    /// The user's home directory.
    pub home: Option<&'a Path>,
    /// The user's config directory, if it is not `.config` in the home directory.
    pub config_home: Option<&'a Path>,
    /// The directory that the agent works in.
    pub cwd: &'a Path,
}

/// What a config may ask for of its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct HostEnv<'a> {
    /// The environment.
    pub env: &'a [(OsString, OsString)],
    /// The directory that the agent works in.
    pub cwd: &'a Path,
}

impl<'a> HostEnv<'a> {
    /// A variable of the environment.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&'a OsStr> {
        self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }
}

/// What follows from a config file that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenBroken {
    /// A warning.
    Warn,
    /// Every event that can be stopped is, after the hooks of other files have had their say.
    Deny,
    /// Every event that can be stopped is, and no hook runs.
    Halt,
}

/// What a hook of a system says by the way its process ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The exit status.
    pub exit_code: i32,
    /// What it prints.
    pub stdout: String,
    /// What it prints as its reason.
    pub stderr: String,
}

/// A hook system's own record of the projects that a user trusts.
pub trait TrustedProjects {
    /// Whether the user trusts exactly this project, by whatever path it is named. A record that cannot be read trusts nobody.
    fn is_trusted(&self, root: &Path) -> bool;

    /// Trusts a project, which need not exist yet.
    ///
    /// # Errors
    /// The record cannot be written; it is then as it was.
    fn trust(&self, root: &Path) -> io::Result<()>;

    /// Takes back the trust in a project, which need not exist any more; false if there was none.
    ///
    /// # Errors
    /// The record cannot be written; it is then as it was.
    fn revoke(&self, root: &Path) -> io::Result<bool>;

    /// The projects that the user trusts.
    ///
    /// # Errors
    /// The record is malformed.
    fn projects(&self) -> Result<Vec<PathBuf>, Box<Problem>>;

    /// The file that holds the record.
    fn file(&self) -> &Path;
}

/// One hook system: a two-way codec between its words and ours.
///
/// To *be the agent*, it reads the system's config, spells the payload of a shell hook and reads its answer ([`Codec`]).
/// To *be the hook*, it reads the agent's payload and spells an answer. In between stands the chain, by the system's rule.
pub trait Dialect: Codec {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Where its config is looked for, in the order in which hooks stand in the chain.
    fn layers(&self, places: &Places<'_>) -> Vec<Layer>;

    /// The files that count where they stand in the working directory or nearest above it, relative to that.
    fn project_files(&self, _app: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether its hooks have names of their own. Where they are named after what they run, two of one name are two hooks.
    fn names_hooks(&self) -> bool {
        true
    }

    /// Whether a file must be named, since there is no place to look for one.
    fn needs_file(&self) -> bool {
        false
    }

    /// A file that was named, as a layer. It counts as the user's.
    fn named(&self, file: PathBuf, _: &Places<'_>) -> Layer {
        Layer { path: file, source: Source::USER }
    }

    /// Whether the hooks of the project run.
    ///
    /// # Errors
    /// What says so cannot be read; then they do not.
    fn trusts_project(&self, places: &Places<'_>) -> Result<bool, Box<Problem>>;

    /// Whether a project is trusted by what its files say ([`TrustStore`](super::TrustStore)), and files that others can
    /// change are refused.
    fn checks_file_trust(&self) -> bool {
        false
    }

    /// How its files are read.
    fn read_rules(&self) -> ReadRules {
        ReadRules::default()
    }

    /// The hooks of a file, and what is wrong with it.
    fn read(&self, file: &ConfigFile, host: &HostEnv<'_>) -> Reading;

    /// What a relative path in `command` is relative to, for an agent that works in `cwd`.
    fn command_base<'a>(&self, _: &'a ConfigFile, cwd: &'a Path) -> &'a Path {
        cwd
    }

    /// What follows from a file of this source that cannot be used.
    fn when_broken(&self, source: &Source) -> WhenBroken;

    /// Whether an entry of this source that cannot be used is only a warning, and not a deny of what it might have
    /// guarded.
    fn overlooks_broken(&self, _: &Source) -> bool {
        false
    }

    /// How the hooks of each event are asked.
    fn rule(&self) -> fn(Event) -> Rule;

    /// Reads the agent's payload.
    ///
    /// # Errors
    /// It is not strict JSON, names no event that hooks are asked about, or has a field of the wrong type.
    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError>;

    /// Puts into an Input what the agent left out and the system's hooks expect.
    fn complete(&self, _: &mut Input, _cwd: &Path) {}

    /// Spells an Action as a hook of the system would answer. What the system has no words for becomes what restricts
    /// more.
    fn encode_answer(&self, event: Event, action: &Action) -> Reply;

    /// The Outcome as the system itself would report it: one JSON object.
    fn encode_outcome(&self, outcome: &Outcome) -> String;

    /// In what its hooks behave in another way when they stand in a `hooks.toml`, one sentence each.
    fn differences(&self) -> &'static [&'static str] {
        &[]
    }

    /// The system's own record of the projects that this user trusts, if it keeps one.
    fn trusted_projects(&self, _home: &Path) -> Option<Box<dyn TrustedProjects>> {
        None
    }

    /// Whether an entry without a command is overlooked, and not a hook that fails.
    fn overlooks_empty_commands(&self) -> bool {
        false
    }

    /// Whether listings have the columns of the system's own.
    fn uses_native_listing(&self) -> bool {
        false
    }
}

/// hookbox itself: strict, and closed on every failure.
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

    fn trusts_project(&self, _: &Places<'_>) -> Result<bool, Box<Problem>> {
        Ok(false)
    }

    fn checks_file_trust(&self) -> bool {
        true
    }

    fn read(&self, file: &ConfigFile, _: &HostEnv<'_>) -> Reading {
        hooks_toml::read(file)
    }

    /// The directory of the user's file; for a project the one that holds `.agents`. Were it the working directory, a
    /// project could slip a program under a user's hook, and a subdirectory one under the project's.
    fn command_base<'a>(&self, file: &'a ConfigFile, _: &'a Path) -> &'a Path {
        file.root()
    }

    /// Broken config of a project is a warning, or every clone of a repository could stop the agent.
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
