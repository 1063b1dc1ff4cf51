//! Loads config files into a registry.

use super::dialect::{Dialect, HookboxDialect, Places};
use super::discovery::Layer;
use super::entry::LogEntry;
use super::file::ConfigFile;
use super::model::{ModelEntry, ModelPlace};
use super::problem::Problem;
use super::trust::TrustStore;
use crate::protocol::{Code, Failure, Input};
use crate::record;
use crate::runtime::component::{Cache, Compiler, Sandbox};
use crate::runtime::shell::{Codec, Processes, Spawner};
use crate::runtime::{Hook, HookInfo};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A function that finds the codec for the shell hooks of a hook system by the name of its dialect.
pub type Codecs = fn(&str) -> Option<Arc<dyn Codec>>;

/// A function that makes the builtin of this name with these arguments, or returns why the entry cannot be used.
pub type Builtins = fn(&str, Vec<String>, HookInfo) -> Result<Arc<dyn Hook>, String>;

/// A function that makes a hook that asks a model, or returns why the entry cannot be used.
pub type Models = fn(ModelEntry, HookInfo, ModelPlace) -> Result<Arc<dyn Hook>, Failure>;

/// A function that returns the user's directories that no component may be granted.
pub type UserDirs = fn(&Places<'_>) -> Vec<PathBuf>;

/// A loader that finds, reads and builds configured hooks. [`Host`](crate::Host) creates one that is set up like
/// `hookbox run`.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::{Input, config::Loader};
///
/// let hooks = Loader::new("/home/me/project").home("/home/me").env(std::env::vars_os()).load();
/// let outcome = hooks.registry.run_pre(Input::pre_tool("bash", r#"{"command":"ls"}"#)?).await;
/// # Ok(()) }
/// ```
///
/// Defaults: the app is `hookbox`; there is no home directory and so no user layers; the environment is empty; a
/// project's hooks are not trusted, and there is no trust store that could change this; the compiler is
/// [`Compiler::found`]; there is no cache.
#[must_use]
pub struct Loader {
    pub(super) cwd: PathBuf,
    pub(super) also_in: Vec<PathBuf>,
    pub(super) app: String,
    pub(super) home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    pub(super) files: Vec<PathBuf>,
    pub(super) host_env: Vec<(OsString, OsString)>,
    pub(super) trust_all: bool,
    pub(super) include_untrusted: bool,
    pub(super) trust_store: Option<TrustStore>,
    pub(super) state: Option<PathBuf>,
    pub(super) dialect: Arc<dyn Dialect>,
    pub(super) only_for: Option<Input>,
    pub(super) probe_commands: bool,
    pub(super) probe_scripts: bool,
    pub(super) probe_cage: bool,
    pub(super) one_shot: bool,
    pub(super) compiler: Compiler,
    /// The sandbox for components, created when the first component needs it, or given by the host.
    sandbox: OnceLock<Sandbox>,
    pub(super) cache: Option<Arc<Cache>>,
    pub(super) spawner: Arc<dyn Spawner>,
    pub(super) codecs: Codecs,
    pub(super) builtins: Builtins,
    pub(super) models: Models,
    pub(super) user_dirs: UserDirs,
    /// Problems found by the host.
    pub(super) noted: Vec<Problem>,
}

impl Loader {
    /// Creates a loader for an agent that works in this directory, which must be absolute. Hooks run in it, grants are
    /// relative to it, and the search for the project's layers starts from it.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Loader {
            cwd: cwd.into(),
            also_in: Vec::new(),
            app: "hookbox".to_owned(),
            home: None,
            config_home: None,
            files: Vec::new(),
            host_env: Vec::new(),
            trust_all: false,
            include_untrusted: false,
            trust_store: None,
            state: None,
            dialect: Arc::new(HookboxDialect),
            only_for: None,
            probe_commands: false,
            probe_scripts: false,
            probe_cage: false,
            one_shot: false,
            compiler: Compiler::found(),
            sandbox: OnceLock::new(),
            cache: None,
            spawner: Arc::new(Processes),
            codecs: |_| None,
            builtins: |name, _, _| Err(format!("names the builtin {name:?}, but no builtins are known here")),
            models: |_, _, _| {
                Err(Failure::new(Code::ConfigValue, "asks a model, but this program has no client for any"))
            },
            user_dirs: |_| Vec::new(),
            noted: Vec::new(),
        }
    }

    /// Adds more directories that the agent may work in. The search does not start from them, but configs of their
    /// projects that the user has trusted also count.
    pub fn also_in(mut self, dirs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.also_in.extend(dirs);
        self
    }

    /// Sets the app whose layers are read: `~/.config/<app>/` and `.<app>/`.
    pub fn app(mut self, app: impl Into<String>) -> Self {
        self.app = app.into();
        self
    }

    /// Sets the user's home directory.
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Sets the user's config directory, if it is not `.config` in the home directory.
    pub fn config_home(mut self, dir: impl Into<PathBuf>) -> Self {
        self.config_home = Some(dir.into());
        self
    }

    /// Adds a file to read in place of all layers, relative to the working directory. It counts as the user's. Call
    /// again for more files; they are read in order.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Sets the host's environment. Hooks get only the variables that their config and [`INHERITED_VARS`] name.
    ///
    /// [`INHERITED_VARS`]: crate::runtime::shell::INHERITED_VARS
    pub fn env(mut self, vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.host_env = vars.into_iter().collect();
        self
    }

    /// Sets whether the hooks of projects run like the user's own.
    pub const fn trust_all(mut self, trust: bool) -> Self {
        self.trust_all = trust;
        self
    }

    /// Sets the store of the user's trust in projects, for hookbox's own configs. It must not lie in a project.
    pub fn trust_store(mut self, store: TrustStore) -> Self {
        self.trust_store = Some(store);
        self
    }

    /// Sets the directory in which components with a store keep their values. It must be private to the user, and must
    /// not lie in a project. Without it, no component can be granted a store.
    pub fn state(mut self, dir: impl Into<PathBuf>) -> Self {
        self.state = Some(dir.into());
        self
    }

    /// Returns the settings of the decision log that a config asks for; `None` if the config names no file and there is
    /// no state directory.
    pub(super) fn log(&self, entry: &LogEntry, config: &ConfigFile) -> Option<record::Settings> {
        let file = match &entry.file {
            Some(file) => config.dir().join(file),
            None => self.state.as_ref()?.join("decisions.jsonl"),
        };
        let mut settings = record::Settings::new(file);
        settings.what = entry.what.unwrap_or(settings.what);
        settings.inputs = entry.inputs.unwrap_or(settings.inputs);
        settings.max_size = entry.max_size.unwrap_or(settings.max_size);
        settings.keep = entry.keep.unwrap_or(settings.keep);
        Some(settings)
    }

    /// Sets whether to also load the hooks that an untrusted project would not run. The loader still warns about them.
    /// Meant for a process that runs no hooks.
    pub const fn include_untrusted(mut self, load: bool) -> Self {
        self.include_untrusted = load;
        self
    }

    /// Sets the hook system whose rules the config follows.
    pub fn dialect(mut self, dialect: Arc<dyn Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Leaves out the hooks that would not be asked about this Input. Meant for a process that handles only this Input.
    pub fn only_for(mut self, input: &Input) -> Self {
        self.only_for = Some(input.subject());
        self
    }

    /// Sets whether to check that each script can be read, by running it in its sandbox without calling its hook.
    /// Without this check, a fault shows only when the hook is called.
    pub const fn probe_scripts(mut self, probe: bool) -> Self {
        self.probe_scripts = probe;
        self
    }

    /// Sets whether to check that this system provides the whole cage for the process that compiles components, and to
    /// warn if it does not. The check starts that process.
    pub const fn probe_cage(mut self, probe: bool) -> Self {
        self.probe_cage = probe;
        self
    }

    /// Sets whether to check that the commands of shell hooks exist. Without this check, a missing command shows only
    /// when the hook is called.
    pub const fn probe_commands(mut self, probe: bool) -> Self {
        self.probe_commands = probe;
        self
    }

    /// Sets whether to skip work that pays off only after many calls. Meant for a process that asks about one event and
    /// exits.
    pub const fn one_shot(mut self, one_shot: bool) -> Self {
        self.one_shot = one_shot;
        self
    }

    /// Sets the compiler for components, in place of [`Compiler::found`].
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// Sets the sandbox for components, in place of the loader's own. Loaders that share one also share its pools, its
    /// clock, its compiler and its cache.
    pub fn share_sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = OnceLock::from(sandbox);
        self
    }

    /// Sets the cache for machine code, so that each component is compiled only once.
    pub fn cache(mut self, cache: impl Into<Arc<Cache>>) -> Self {
        self.cache = Some(cache.into());
        self
    }

    /// Sets the spawner that runs the commands of shell hooks, in place of real processes.
    pub fn spawner(mut self, spawner: Arc<dyn Spawner>) -> Self {
        self.spawner = spawner;
        self
    }

    /// Sets how to find the codec of shell hooks whose entry names a `dialect`: usually `dialect::codec`. Without it,
    /// such an entry cannot be used.
    pub fn codecs(mut self, by_name: Codecs) -> Self {
        self.codecs = by_name;
        self
    }

    /// Sets how to make the hooks whose entry names a `builtin`: usually `dialect::builtin`. Without it, such an entry
    /// cannot be used.
    pub fn builtins(mut self, by_name: Builtins) -> Self {
        self.builtins = by_name;
        self
    }

    /// Sets how to make the hooks whose entry has a `model`: usually `dialect::model`. Without it, such an entry cannot
    /// be used.
    pub fn models(mut self, make: Models) -> Self {
        self.models = make;
        self
    }

    /// Sets more of the user's directories that no component may be granted, such as the host's own. Use
    /// `dialect::user_dirs` for those of other hook systems. The directories that are set on this loader, and hookbox's
    /// usual ones in the home directory, are always included.
    pub fn user_dirs(mut self, of_user: UserDirs) -> Self {
        self.user_dirs = of_user;
        self
    }

    /// Adds a problem to report with those of the config.
    pub(crate) fn note(mut self, problem: Problem) -> Self {
        self.noted.push(problem);
        self
    }

    /// Returns the sandbox for the components of this loader. The sandbox is created on first use and serves every
    /// later load, so reloading neither maps new pools nor starts new threads.
    ///
    /// # Errors
    /// Returns an error if the platform lacks the resources for a sandbox.
    pub fn sandbox(&self) -> Result<Sandbox, Failure> {
        if let Some(sandbox) = self.sandbox.get() {
            return Ok(sandbox.clone());
        }
        let compiler = self.compiler.clone();
        let sandbox = if self.one_shot { Sandbox::for_one_call(compiler) } else { Sandbox::new(compiler) }?;
        let sandbox = match &self.cache {
            Some(cache) => sandbox.cached_in(Arc::clone(cache)),
            None => sandbox,
        };
        Ok(self.sandbox.get_or_init(|| sandbox).clone())
    }

    /// Returns the files that [`load`](Self::load) looks for, whether or not they exist. Those of
    /// [`Dialect::project_files`] are listed in the working directory, but are also looked for above it.
    #[must_use]
    pub fn searched(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.layers().into_iter().map(|layer| layer.path).collect();
        if self.files.is_empty() {
            files.extend(self.dialect.project_files(&self.app).into_iter().map(|file| self.cwd.join(file)));
        }
        let mut known = HashSet::new();
        files.retain(|file| known.insert(file.clone()));
        files
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places { app: &self.app, home: self.home.as_deref(), config_home: self.config_home.as_deref(), cwd: &self.cwd }
    }

    pub(super) fn layers(&self) -> Vec<Layer> {
        let places = self.places();
        if self.files.is_empty() {
            return self.dialect.layers(&places);
        }
        self.files.iter().map(|path| self.dialect.named(self.cwd.join(path), &places)).collect()
    }
}
