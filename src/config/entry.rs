//! One hook as a config describes it, before anything is loaded or run.

use super::dialect::HostEnv;
use super::model::ModelEntry;
use super::problem::{Problem, Severity};
use crate::facts::Tools;
use crate::policy::Policy;
use crate::protocol::{Failure, Json, Kind};
use crate::record;
use crate::runtime::component::{Grants, Limits, StoreServer};
use crate::runtime::shell::{Command, Inherit};
use crate::runtime::{Hook, HookInfo};
use std::ffi::OsStr;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The contents of a config file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Reading {
    /// The hooks, in the order of the file.
    pub entries: Vec<Entry>,
    /// The tools that the file describes.
    pub tools: Tools,
    /// The decision log that the file asks for.
    pub log: Option<LogEntry>,
    /// The server of the stores that machines share, as the file names it.
    pub server: Option<StoreServer>,
    /// The problems found in the file.
    pub problems: Vec<Problem>,
    /// Mistakes that the file's hook system silently ignores. They are reported only when the config is checked.
    pub hints: Vec<Problem>,
    /// The first problem with the file as a whole, which means that unknown hooks may be missing.
    pub broken: Option<Problem>,
    /// Whether the file says that it belongs to another tool.
    pub is_ignored: bool,
}

impl Reading {
    /// Notes a likely mistake.
    pub(crate) fn hint(&mut self, mut problem: Problem) {
        problem.severity = Severity::Warning;
        self.hints.push(problem);
    }

    /// Notes a problem with the file as a whole.
    pub fn break_file(&mut self, problem: Problem) {
        self.problems.push(problem.clone());
        self.broken.get_or_insert(problem);
    }
}

/// The decision log as a config describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEntry {
    /// The log file, relative to the config's directory.
    pub file: Option<String>,
    /// The events that are written.
    pub what: Option<record::What>,
    /// How much of the Input is written.
    pub inputs: Option<record::Inputs>,
    /// The size at which a new file is started, in bytes.
    pub max_size: Option<u64>,
    /// The number of full files to keep.
    pub keep: Option<u32>,
}

/// One hook as a config describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// What the engine must know about the hook.
    pub info: HookInfo,
    /// What the hook runs.
    pub target: HookTarget,
    /// The value that the hook reads as `Input.settings`.
    pub settings: Option<Json>,
    /// The text of the pattern in `info.matcher`, for listings.
    pub pattern: Option<String>,
    /// The byte range in the config file that names the hook.
    pub at: Range<usize>,
}

impl Entry {
    /// Creates an entry without settings for a hook that a config names at this byte range.
    #[must_use]
    pub const fn new(info: HookInfo, target: HookTarget, at: Range<usize>) -> Self {
        Entry { info, target, settings: None, pattern: None, at }
    }

    /// Sets the value that the hook reads as `Input.settings`.
    #[must_use]
    pub fn with_settings(self, settings: Option<Json>) -> Self {
        Entry { settings, ..self }
    }
}

/// What a hook runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HookTarget {
    /// A component or a policy, or a script, which runs in a component that is built into hookbox.
    Component(Box<ComponentEntry>),
    /// A command.
    Shell(ShellEntry),
    /// A hook made by the dialect itself.
    Native(NativeEntry),
    /// A builtin of a hook system.
    Builtin(BuiltinEntry),
    /// A model.
    Model(Box<ModelEntry>),
    /// Nothing, because the entry cannot be used. The kind is the one that the hook would have had.
    Broken(Kind, Failure),
}

/// A component, a script or a policy as a config describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComponentEntry {
    /// Whether this is a component, a script or a policy.
    pub kind: Sandboxed,
    /// The path of the file, relative to the config's directory; for a policy, the policy's name.
    pub path: String,
    /// The byte range of the config that names it.
    pub at: Range<usize>,
    /// The SHA-256 that the file must have, in lower-case hex.
    pub sha256: Option<String>,
    /// The resources that one call may use.
    pub limits: Limits,
    /// The grants. Directories are relative to the agent's working directory, and variables have no value yet.
    pub grants: Grants,
}

/// What runs in a sandbox.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Sandboxed {
    /// A component.
    Component,
    /// A script. It can be granted a store.
    Script,
    /// A policy that ships with hookbox. It has no grants.
    Policy(&'static Policy),
}

impl HookTarget {
    /// Returns the policy that the hook runs, if it runs one that ships with hookbox.
    #[must_use]
    pub fn policy(&self) -> Option<&'static Policy> {
        match self {
            HookTarget::Component(component) => match component.kind {
                Sandboxed::Policy(policy) => Some(policy),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<Sandboxed> for Kind {
    fn from(kind: Sandboxed) -> Self {
        match kind {
            Sandboxed::Component | Sandboxed::Policy(_) => Kind::Component,
            Sandboxed::Script => Kind::Script,
        }
    }
}

impl ComponentEntry {
    /// Creates an entry with the default limits and without grants for a component, script or policy that a config
    /// names at this byte range.
    pub fn new(kind: Sandboxed, path: impl Into<String>, at: Range<usize>) -> Self {
        let (limits, grants) = (Limits::default(), Grants::default());
        ComponentEntry { kind, path: path.into(), at, sha256: None, limits, grants }
    }

    /// Returns whether the entry asks for no grants.
    #[must_use]
    pub const fn is_pure(&self) -> bool {
        self.grants.is_empty()
    }
}

/// A command as a config describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShellEntry {
    /// The program.
    pub command: String,
    /// The byte range of the config that names it.
    pub at: Range<usize>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The part of the host's environment that the command sees.
    pub inherit: Inherit,
    /// The variables that are set in addition to those.
    pub env: Vec<(String, String)>,
    /// The command's working directory, relative to the agent's, if it is a different one.
    pub cwd: Option<PathBuf>,
    /// The hook system whose payloads and answers the command uses, if it is not that of the config.
    pub dialect: Option<String>,
}

impl ShellEntry {
    /// Creates an entry without arguments for a command that a config names at this byte range.
    pub fn new(command: impl Into<String>, at: Range<usize>) -> Self {
        ShellEntry {
            command: command.into(),
            at,
            args: Vec::new(),
            inherit: Inherit::Common,
            env: Vec::new(),
            cwd: None,
            dialect: None,
        }
    }

    /// Turns the entry into a command for an agent on this host. A program given as a relative path is relative to
    /// `base`.
    #[must_use]
    pub fn into_command(self, host: &HostEnv<'_>, base: &Path) -> Command {
        let own = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Command {
            env: Command::environment(host.env, &self.inherit, own),
            program: self.command.into(),
            args: self.args.into_iter().map(Into::into).collect(),
            cwd_is_given: self.cwd.is_some(),
            cwd: self.cwd.map_or_else(|| host.cwd.to_owned(), |dir| host.cwd.join(dir)),
            base: base.to_owned(),
            search_path: host.var("PATH").map(OsStr::to_owned),
        }
    }
}

/// A builtin of a hook system as a config describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuiltinEntry {
    /// The builtin's name.
    pub name: String,
    /// The builtin's arguments.
    pub args: Vec<String>,
}

impl BuiltinEntry {
    /// Creates a builtin with these arguments.
    pub fn new(name: impl Into<String>, args: Vec<String>) -> Self {
        BuiltinEntry { name: name.into(), args }
    }
}

/// A hook made by a dialect itself, such as one that is built into its system.
#[derive(Clone)]
#[non_exhaustive]
pub struct NativeEntry {
    /// The hook.
    pub hook: Arc<dyn Hook>,
    /// What the hook runs, for listings.
    pub runs: Vec<String>,
}

impl fmt::Debug for NativeEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeEntry").field("runs", &self.runs).finish_non_exhaustive()
    }
}
