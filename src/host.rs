//! Everything that `hookbox run` sets up, in one call for programs that embed the engine.

use crate::config::{Dialect, Loaded, Loader, Problem, Severity, TrustStore, discover};
use crate::protocol::{Code, Source};
use crate::runtime::component::{Cache, Compiler};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The variable that turns the cache off if it is set to anything other than the empty string.
const NO_CACHE_VAR: &str = "HOOKBOX_NO_CACHE";

/// A loader for the hooks of a user and a project. It loads them exactly as `hookbox run` does, so that an embedding
/// program reaches the same verdicts: it uses the same layers, XDG directories, trust, cache and dialects.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::{Host, Input};
///
/// let hooks = Host::new(std::env::current_dir()?, std::env::vars_os()).load()?;
/// let outcome = hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#)?).await;
/// # Ok(()) }
/// ```
///
/// Defaults: the app is `hookbox`; the home directory is `$HOME`; the compiler is [`Compiler::found`]; machine code is
/// stored in the user's cache unless `$HOOKBOX_NO_CACHE` is set; a project's hooks run only as far as the user trusts
/// them.
#[derive(Clone)]
#[must_use]
pub struct Host {
    cwd: PathBuf,
    env: Vec<(OsString, OsString)>,
    app: String,
    home: Option<PathBuf>,
    bases: Bases,
    files: Vec<PathBuf>,
    dialect: Option<Arc<dyn Dialect>>,
    compiler: Compiler,
    use_cache: bool,
}

/// The directories to use in place of the usual ones in the home directory.
#[derive(Clone, Default)]
struct Bases {
    config: Option<PathBuf>,
    state: Option<PathBuf>,
    cache: Option<PathBuf>,
}

/// The reason why a [`Host`] cannot look for hooks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The environment names no home directory, or a relative path.
    #[error("the home directory is unknown: set HOME to an absolute path")]
    NoHome,
    /// The home directory does not exist, or is a file.
    #[error("the home directory `{}` is not a directory", .0.display())]
    HomeNotADirectory(PathBuf),
    /// The agent's working directory does not exist, or is a file.
    #[error("the project directory `{}` is not a directory", .0.display())]
    ProjectNotADirectory(PathBuf),
    /// The dialect has no standard location for hooks, and no file was named.
    #[error("{0} has no place of its own for hooks: name the file")]
    NeedsFile(&'static str),
}

impl Host {
    /// Creates a host for an agent that works in `cwd`, which must be absolute, with this environment: usually
    /// [`std::env::vars_os`]. Hooks see only the variables that their config names.
    pub fn new(cwd: impl Into<PathBuf>, env: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Host {
            cwd: cwd.into(),
            env: env.into_iter().collect(),
            app: "hookbox".to_owned(),
            home: None,
            bases: Bases::default(),
            files: Vec::new(),
            dialect: None,
            compiler: Compiler::found(),
            use_cache: true,
        }
    }

    /// Sets the app whose layers are read: `~/.config/<app>/` and `.<app>/`. The name `hygge` also selects hygge's
    /// rules.
    pub fn app(mut self, app: impl Into<String>) -> Self {
        self.app = app.into();
        self
    }

    /// Sets the user's home directory, in place of `$HOME`. State and cache are then in it, regardless of
    /// `$XDG_STATE_HOME` and `$XDG_CACHE_HOME`.
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Sets the directories in place of `$XDG_CONFIG_HOME`, `$XDG_STATE_HOME` and `$XDG_CACHE_HOME`. A base that is
    /// `None` still comes from its variable.
    pub fn bases(mut self, config: Option<PathBuf>, state: Option<PathBuf>, cache: Option<PathBuf>) -> Self {
        self.bases = Bases { config, state, cache };
        self
    }

    /// Adds a file to read in place of all layers, relative to the working directory. It counts as the user's. Call
    /// again for more files; they are read in order.
    pub fn file(mut self, file: impl Into<PathBuf>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Sets the hook system whose config and rules apply, in place of the app's.
    pub fn dialect(mut self, dialect: Arc<dyn Dialect>) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Sets the compiler for components, in place of [`Compiler::found`].
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// Turns the cache off: machine code is neither stored nor reused.
    pub const fn without_cache(mut self) -> Self {
        self.use_cache = false;
        self
    }

    /// Returns the directory that the agent works in.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Reads all config and builds its hooks, as [`Loader::load`] does.
    ///
    /// # Errors
    /// Returns an error if the home directory or the working directory is missing, or if the dialect needs a file and
    /// none was named.
    pub fn load(&self) -> Result<Loaded, HostError> {
        Ok(self.loader()?.load())
    }

    /// Returns a loader with these settings, for programs that want to change more of them.
    ///
    /// # Errors
    /// Returns an error if the home directory or the working directory is missing, or if the dialect needs a file and
    /// none was named.
    pub fn loader(&self) -> Result<Loader, HostError> {
        if !self.cwd.is_dir() {
            return Err(HostError::ProjectNotADirectory(self.cwd.clone()));
        }
        let dialect = self.rules();
        let mut loader = Loader::new(&self.cwd)
            .app(&self.app)
            .env(self.env.iter().cloned())
            .dialect(Arc::clone(&dialect))
            .codecs(codecs())
            .builtins(builtins())
            .models(models())
            .user_dirs(user_dirs())
            .compiler(self.compiler.clone());
        let places = self.places();
        let cache = places.as_ref().ok().filter(|_| self.use_cache).and_then(UserPlaces::cache);
        if let Some(cache) = cache {
            loader = loader.cache(cache);
        }
        // Set even if no layers are read, because no component may be granted these directories.
        if let Ok(places) = &places {
            loader = loader.trust_store(places.trust_store()).state(places.state()).home(places.home());
        }
        if let Some(dir) = &self.bases.config {
            loader = loader.config_home(dir);
        } else if let Some(dir) = self.directory("XDG_CONFIG_HOME") {
            let home = places.as_ref().ok().map(UserPlaces::home);
            loader = match home.is_some_and(|home| self.is_in_project(&dir, home)) {
                false => loader.config_home(dir),
                true => loader.note(disregarded(&dir)),
            };
        }
        if !self.files.is_empty() {
            return Ok(self.files.iter().fold(loader, |loader, file| loader.file(file)));
        }
        if dialect.needs_file() {
            return Err(HostError::NeedsFile(dialect.name()));
        }
        places.map(|_| loader)
    }

    /// Returns the rules that the config and its hooks follow.
    #[must_use]
    pub fn rules(&self) -> Arc<dyn Dialect> {
        self.dialect.clone().unwrap_or_else(|| dialect_of(&self.app))
    }

    /// Returns the locations of the user's files other than config.
    ///
    /// # Errors
    /// Returns an error if the home directory is missing.
    pub fn places(&self) -> Result<UserPlaces, HostError> {
        let home = match &self.home {
            Some(home) => home.clone(),
            None => self.directory("HOME").ok_or(HostError::NoHome)?,
        };
        if !home.is_dir() {
            return Err(HostError::HomeNotADirectory(home));
        }
        let base = |given: &Option<PathBuf>, var: &str, default: &str| {
            let named = self.directory(var).filter(|dir| self.home.is_none() && !self.is_in_project(dir, &home));
            given.clone().or(named).unwrap_or_else(|| home.join(default)).join("hookbox")
        };
        let wants_cache = self.variable(NO_CACHE_VAR).is_none_or(OsStr::is_empty);
        let state = base(&self.bases.state, "XDG_STATE_HOME", ".local/state");
        let cache = base(&self.bases.cache, "XDG_CACHE_HOME", ".cache");
        Ok(UserPlaces { state, cache, wants_cache, home })
    }

    fn variable(&self, name: &str) -> Option<&OsStr> {
        self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Returns a directory that the environment names. A relative path counts as absent: it would mean a different
    /// directory for each project, so the project could choose it.
    fn directory(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Returns whether a directory belongs to the project, which must not decide what is trusted or what runs.
    fn is_in_project(&self, dir: &Path, home: &Path) -> bool {
        let layers = discover(&self.app, Some(home), None, Some(&self.cwd)).into_iter();
        let files = layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path);
        let roots = files.filter_map(|file| Some(file.parent()?.parent()?.to_owned()));
        // A directory that contains the home directory is not a project.
        let mut roots = roots.chain([self.cwd.clone()]).filter(|root| !home.starts_with(root));
        roots.any(|root| dir.starts_with(&root) || real(dir).starts_with(real(&root)))
    }
}

/// The locations of a user's files other than config: the trust store and the cache of compiled components.
#[derive(Clone, Debug)]
pub struct UserPlaces {
    home: PathBuf,
    state: PathBuf,
    cache: PathBuf,
    wants_cache: bool,
}

impl UserPlaces {
    /// Returns the home directory.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the directory of hookbox's state: `~/.local/state/hookbox`, or below `$XDG_STATE_HOME`.
    #[must_use]
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Returns the store of the user's trust in projects.
    #[must_use]
    pub fn trust_store(&self) -> TrustStore {
        TrustStore::new(self.state.join("trust"))
    }

    /// Returns the cache of compiled components. Returns `None` if the user turned it off, and for root in another
    /// user's home, where it would leave files that the user cannot remove.
    #[must_use]
    pub fn cache(&self) -> Option<Cache> {
        let is_own = fs::metadata(&self.home).is_ok_and(|meta| meta.uid() == rustix::process::geteuid().as_raw());
        (is_own && self.wants_cache).then(|| self.any_cache())
    }

    /// Returns the cache, whether it is in use or not.
    #[must_use]
    pub fn any_cache(&self) -> Cache {
        Cache::new(&self.cache, self.state.clone())
    }
}

/// Creates the warning that `dir` in `$XDG_CONFIG_HOME` is ignored: a project must not choose the user's config.
fn disregarded(dir: &Path) -> Problem {
    let message = "lies in the project, so that $XDG_CONFIG_HOME does not count: your config is read from ~/.config";
    let problem = Problem::about_file(dir, Code::Untrusted, message);
    let help = Some("unset the variable, or name a directory outside of the project".to_owned());
    Problem { severity: Severity::Warning, help, ..problem }
}

#[cfg(feature = "dialects")]
fn dialect_of(app: &str) -> Arc<dyn Dialect> {
    crate::dialect::of_app(app)
}

#[cfg(not(feature = "dialects"))]
fn dialect_of(_: &str) -> Arc<dyn Dialect> {
    Arc::new(crate::config::HookboxDialect)
}

/// Returns the function that finds the codec of a shell hook whose entry names a `dialect`.
#[cfg(feature = "dialects")]
fn codecs() -> crate::config::Codecs {
    crate::dialect::codec
}

#[cfg(not(feature = "dialects"))]
fn codecs() -> crate::config::Codecs {
    |_| None
}

/// Returns the function that makes a hook whose entry names a `builtin`.
#[cfg(feature = "dialects")]
fn builtins() -> crate::config::Builtins {
    crate::dialect::builtin
}

#[cfg(not(feature = "dialects"))]
fn builtins() -> crate::config::Builtins {
    |name, _, _| Err(format!("names the builtin {name:?}, which this hookbox does not have"))
}

/// Returns the function that makes a hook whose entry has a `model`.
#[cfg(feature = "model")]
fn models() -> crate::config::Models {
    crate::dialect::model
}

#[cfg(not(feature = "model"))]
fn models() -> crate::config::Models {
    |_, _, _| {
        let message = "asks a model, and this hookbox was built without the feature `model`";
        Err(crate::Failure::new(crate::protocol::Code::ConfigValue, message))
    }
}

/// Returns the function that finds the directories of other hook systems, which no component may be granted.
#[cfg(feature = "dialects")]
fn user_dirs() -> crate::config::UserDirs {
    crate::dialect::user_dirs
}

#[cfg(not(feature = "dialects"))]
fn user_dirs() -> crate::config::UserDirs {
    |_| Vec::new()
}

/// Resolves the links of a path, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|part| Some((part.canonicalize().ok()?, part)));
    found.map_or_else(|| path.to_owned(), |(real, part)| real.join(path.strip_prefix(part).unwrap_or(Path::new(""))))
}
