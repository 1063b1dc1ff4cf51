//! The arguments of `hookbox test` and `hookbox bench` that select a hook.

use super::build::build;
use super::scope::{absolute, compiler};
use super::{Exit, render};
use crate::author::{Language, Recorder, Subject, SubjectError};
use anyhow::{Context, anyhow};
use clap::Args;
use hookbox::Host;
use hookbox::config::{Dialect, HookboxDialect, HostEnv, Loader};
use hookbox::dialect::{self, Options};
use hookbox::runtime::component::Effort;
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
pub(super) struct SubjectArgs {
    /// A folder, whose hook is built first, a component, a script, or a shell hook that can be executed; by default,
    /// the current directory
    #[arg(value_name = "HOOK", conflicts_with_all = ["command", "config"])]
    path: Option<PathBuf>,

    /// A shell hook, as a command line for `sh`
    #[arg(long, value_name = "LINE", conflicts_with_all = ["config", "hook"])]
    command: Option<String>,

    /// A hook of this config, with its settings, grants and limits
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Which hook of the config, if it has several
    #[arg(long, value_name = "NAME")]
    hook: Option<String>,

    /// What the shell hook speaks, or whose config it is, in place of hookbox's own
    #[arg(long, value_name = "DIALECT", value_parser = clap::builder::PossibleValuesParser::new(dialect::NAMES))]
    dialect: Option<String>,

    /// Compile components anew, and keep nothing; $HOOKBOX_NO_CACHE does the same for all commands
    #[arg(long)]
    pub(super) no_cache: bool,
}

/// A hook, with what is needed to load it.
pub(super) struct Found {
    pub(super) subject: Subject,
    pub(super) cwd: PathBuf,
    env: Vec<(OsString, OsString)>,
    dialect: Arc<dyn Dialect>,
    /// The directory for the hook's state while the hook is tried.
    state: tempfile::TempDir,
}

/// The reason why a command cannot continue.
pub(super) enum Stopped {
    /// The problem has already been printed.
    Told,
    /// The problem, not yet printed.
    Error(anyhow::Error),
}

impl From<anyhow::Error> for Stopped {
    fn from(error: anyhow::Error) -> Self {
        Stopped::Error(error)
    }
}

impl Stopped {
    /// Prints the problem, unless that has already happened.
    pub(super) fn exit(self) -> Exit {
        if let Stopped::Error(error) = self {
            render::error(&error);
        }
        Exit::Unusable
    }
}

impl SubjectArgs {
    pub(super) fn find(&self) -> Result<Found, Stopped> {
        let cwd = absolute(Path::new(""))?;
        let env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        let host = HostEnv::new(&env, &cwd);
        let (hook, named) = (self.hook.as_deref(), self.dialect.as_deref());
        let own: Arc<dyn Dialect> = Arc::new(HookboxDialect);
        let (found, dialect) = match (&self.command, &self.config) {
            (Some(line), _) => (Subject::of_command(line, &cwd, named, &host), own),
            (None, Some(config)) => {
                let dialect = named.and_then(|name| dialect::by_name(name, &Options::default())).unwrap_or(own);
                (Subject::of_config(&absolute(config)?, hook, &dialect, &host), dialect)
            }
            (None, None) => {
                let path = current(&absolute(self.path.as_deref().unwrap_or(Path::new("")))?)?;
                (Subject::of_path(&path, hook, named, &host), own)
            }
        };
        match found {
            Ok(subject) => {
                let private = Permissions::from_mode(0o700);
                let state = tempfile::Builder::new().permissions(private).tempdir();
                let state = state.context("no directory for the hook's state")?;
                Ok(Found { subject, cwd, env, dialect, state })
            }
            Err(SubjectError::Config(problems)) => {
                render::problems(&problems);
                Err(Stopped::Told)
            }
            Err(error) => Err(anyhow!("{error}").into()),
        }
    }
}

/// Returns the hook to try at this path, after building it from the project's current source. A script needs no build.
fn current(path: &Path) -> anyhow::Result<PathBuf> {
    match Language::detect(path) {
        Ok(language) if language != Language::JavaScript => {
            let built = build(path, Some(language), None)?;
            // The project's own config entry has more: settings, limits, grants.
            Ok(if path.join("hooks.toml").is_file() { path.to_owned() } else { built.path })
        }
        _ => Ok(path.to_owned()),
    }
}

impl Found {
    /// Returns the loader for the hook. A shell hook's output goes to `recorder`.
    pub(super) fn loader(&self, recorder: &Arc<Recorder>) -> Loader {
        Loader::new(&self.cwd)
            .env(self.env.clone())
            .state(self.state.path())
            // Trying a hook implies trusting it, so its files are used as they are.
            .file(self.subject.dir().join("hooks.toml"))
            .dialect(Arc::clone(&self.dialect))
            .codecs(dialect::codec)
            .builtins(dialect::builtin)
            .user_dirs(dialect::user_dirs)
            .compiler(compiler(Effort::PATIENT))
            .probe_commands(true)
            .spawner(Arc::clone(recorder) as Arc<dyn hookbox::runtime::shell::Spawner>)
    }

    /// Like [`loader`](Self::loader), but checks the user's cache before compiling; `None` if there is no cache.
    pub(super) fn cached_loader(&self, recorder: &Arc<Recorder>) -> Option<Loader> {
        let cache = Host::new(&self.cwd, self.env.clone()).places().ok()?.cache()?;
        Some(self.loader(recorder).cache(cache))
    }

    /// Returns the path for display: relative if it is below the current directory.
    pub(super) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.cwd).unwrap_or(path).display().to_string()
    }
}
