//! Loads config files into a registry.

use super::assemble::Assembly;
use super::build::{Builder, Built};
use super::dialect::{Dialect, HookboxDialect, Places};
use super::discovery::Layer;
use super::entry::Entry;
use super::file::ConfigFile;
use super::previous::BuiltHook;
use super::problem::{Problem, Severity};
use super::reserved::Reserved;
use super::safety::Safety;
use super::summary::Summary;
use super::trust::TrustStore;
use crate::protocol::{Code, Event, Failure, Input, Kind, Outcome, Source, Warning};
use crate::registry::Registry;
use crate::runtime::Hook;
use crate::runtime::component::{Cache, Compiler, Sandbox};
use crate::runtime::shell::{Codec, Processes, Spawner};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Finds the codec for the shell hooks of a hook system, by the name of its dialect.
pub type Codecs = fn(&str) -> Option<Arc<dyn Codec>>;

/// Returns a user's directories that no component may be granted.
pub type UserDirs = fn(&Places<'_>) -> Vec<PathBuf>;

/// Finds, reads and builds configured hooks. [`Host`](crate::Host) creates a loader that is set up like `hookbox run`.
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
/// project's hooks are not trusted, and there is no trust store to say otherwise; the compiler is [`Compiler::found`],
/// and there is no cache.
#[must_use]
pub struct Loader {
    cwd: PathBuf,
    app: String,
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    files: Vec<PathBuf>,
    host_env: Vec<(OsString, OsString)>,
    trust_all: bool,
    include_untrusted: bool,
    pub(super) trust_store: Option<TrustStore>,
    pub(super) dialect: Arc<dyn Dialect>,
    only_for: Option<(Event, Option<String>)>,
    probe_commands: bool,
    probe_scripts: bool,
    probe_cage: bool,
    pub(super) one_shot: bool,
    pub(super) compiler: Compiler,
    /// Created when the first component needs it, or given by the host.
    sandbox: OnceLock<Sandbox>,
    cache: Option<Arc<Cache>>,
    spawner: Arc<dyn Spawner>,
    codecs: Codecs,
    user_dirs: UserDirs,
    /// Problems found by the host.
    noted: Vec<Problem>,
}

/// The result of loading a config.
#[non_exhaustive]
pub struct Loaded {
    /// The hooks, ready to run. If config is broken in a way that its dialect does not tolerate, the registry denies
    /// every event that can be stopped.
    pub registry: Arc<Registry>,
    /// A summary of each hook, in the order of the chain.
    pub hooks: Vec<Summary>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The first file that could not be used as a whole and therefore denies.
    pub broken: Option<Problem>,
    /// The hooks that still run as an earlier load built them, because the current config cannot be used for them.
    pub kept: Vec<String>,
    pub(super) built: Vec<BuiltHook>,
    /// Whether a hook is kept until its replacement is compiled.
    pub(super) is_compiling: bool,
    /// The files that the configs name.
    pub(super) named: BTreeSet<PathBuf>,
}

impl Loaded {
    /// Asks the hooks about an event, as `hookbox run` does: problems with the config are added to the warnings of the
    /// Outcome.
    pub async fn run(&self, input: impl Into<Box<Input>>) -> Outcome {
        let mut outcome = self.registry.run(input).await;
        self.add_problems(&mut outcome);
        outcome
    }

    /// Adds the problems of the config to the warnings of an Outcome, unless a hook has already reported them.
    pub fn add_problems(&self, outcome: &mut Outcome) {
        for problem in &self.problems {
            let hook = problem.subject();
            let is_known = outcome.warnings.iter().any(|known| known.hook == hook && known.code == problem.code);
            if !is_known {
                outcome.warnings.push(Warning { hook, code: problem.code, message: problem.to_string() });
            }
        }
    }
}

impl Loader {
    /// Creates a loader for an agent that works in this directory, which must be absolute. Hooks run in it, grants are
    /// relative to it, and the search for the project's layers starts from it.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Loader {
            cwd: cwd.into(),
            app: "hookbox".to_owned(),
            home: None,
            config_home: None,
            files: Vec::new(),
            host_env: Vec::new(),
            trust_all: false,
            include_untrusted: false,
            trust_store: None,
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
            user_dirs: |_| Vec::new(),
            noted: Vec::new(),
        }
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

    /// Sets whether the hooks of projects run like those of the user.
    pub const fn trust_all(mut self, trust: bool) -> Self {
        self.trust_all = trust;
        self
    }

    /// Sets the store of the user's trust in projects, for hookbox's own configs. It must not lie in a project.
    pub fn trust_store(mut self, store: TrustStore) -> Self {
        self.trust_store = Some(store);
        self
    }

    /// Also loads hooks that an untrusted project would not run, and warns about them as usual. For a process that runs
    /// no hooks.
    pub const fn include_untrusted(mut self, load: bool) -> Self {
        self.include_untrusted = load;
        self
    }

    /// Sets the hook system whose rules the config follows.
    pub fn dialect(mut self, dialect: Arc<dyn Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Leaves out the hooks that would not be asked about this Input. For a process that handles only this one.
    pub fn only_for(mut self, input: &Input) -> Self {
        self.only_for = Some((input.event, input.tool_name.clone()));
        self
    }

    /// Also checks that each script can be read, by running it in its sandbox without calling its hook. Without this,
    /// only a call would show a fault.
    pub const fn probe_scripts(mut self, probe: bool) -> Self {
        self.probe_scripts = probe;
        self
    }

    /// Also checks whether this system provides all of the cage for the process that compiles components, and warns if
    /// it does not. This starts that process.
    pub const fn probe_cage(mut self, probe: bool) -> Self {
        self.probe_cage = probe;
        self
    }

    /// Also checks whether the commands of shell hooks exist. Without this, only a call would show that one is missing.
    pub const fn probe_commands(mut self, probe: bool) -> Self {
        self.probe_commands = probe;
        self
    }

    /// For a process that asks about one event and exits: skips work that pays off only after many calls.
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

    /// Sets where machine code is kept, so a component is compiled only once.
    pub fn cache(mut self, cache: impl Into<Arc<Cache>>) -> Self {
        self.cache = Some(cache.into());
        self
    }

    /// Sets what runs the commands of shell hooks, in place of processes.
    pub fn spawner(mut self, spawner: Arc<dyn Spawner>) -> Self {
        self.spawner = spawner;
        self
    }

    /// Sets how to find the codec of shell hooks whose entry names a `dialect`:
    /// `dialect::codec`. Without it, such an entry cannot be used.
    pub fn codecs(mut self, by_name: Codecs) -> Self {
        self.codecs = by_name;
        self
    }

    /// Sets more of the user's directories that no component may be granted, such as the host's own; use
    /// `dialect::user_dirs` for those of other hook systems. The directories that were set
    /// on this loader, and hookbox's usual ones in the home directory, need not be named.
    pub fn user_dirs(mut self, of_user: UserDirs) -> Self {
        self.user_dirs = of_user;
        self
    }

    /// Adds a problem, to be reported with those of the config.
    pub(crate) fn note(mut self, problem: Problem) -> Self {
        self.noted.push(problem);
        self
    }

    /// Reads all config and builds its hooks. This never fails: what cannot be used is reported in
    /// [`Loaded::problems`], and denies where it might have guarded something, unless the broken config is a project's.
    ///
    /// Reading files and compiling components takes from milliseconds to seconds.
    #[must_use]
    pub fn load(&self) -> Loaded {
        self.load_with(None)
    }

    /// Like [`load`](Loader::load), for hooks that are reloaded when their files change. `previous` are the hooks of an
    /// earlier load, to fall back to if an edit cannot be used.
    pub(super) fn load_with(&self, previous: Option<&[BuiltHook]>) -> Loaded {
        let mut assembly = self.assembly(previous);
        if !assembly.trusts_projects {
            match self.dialect.trusts_project(&self.places()) {
                Ok(trusts) => assembly.trusts_projects = trusts,
                Err(problem) => assembly.loaded.problems.push(*problem),
            }
        }
        let rules = self.dialect.read_rules();
        let layers: Vec<_> = self.layers().into_iter().map(|layer| (assembly.open(&layer, rules), layer)).collect();
        assembly.reserve(layers.iter().filter_map(|(opened, _)| opened.as_ref().ok()?.as_ref()));
        for (opened, layer) in layers {
            match opened {
                Ok(Some(opened)) => assembly.add_file(opened),
                Ok(None) if self.files.is_empty() => {}
                // A file that was named explicitly must exist, whatever the dialect thinks of missing files.
                Ok(None) => assembly.miss_file(&layer),
                Err(unreadable) => {
                    let is_vouched = layer.source != Source::PROJECT || assembly.trusts_projects;
                    let problem = unreadable.problem.to_string();
                    if is_vouched && assembly.keep_file(&layer.path, &problem) {
                        assembly.loaded.problems.push(*unreadable.problem);
                    } else {
                        assembly.cannot_read(&layer.source, unreadable);
                    }
                }
            }
        }
        let mut loaded = assembly.finish();
        let compiles = loaded.hooks.iter().any(|hook| matches!(hook.kind, Kind::Component | Kind::Script));
        if self.probe_cage && compiles {
            loaded.problems.extend(self.compiler.cage_gaps().and_then(cage_problem));
        }
        loaded.problems.extend(self.cache.as_ref().and_then(|cache| cache_problem(cache)));
        loaded
    }

    pub(super) fn assembly<'a>(&'a self, previous: Option<&'a [BuiltHook]>) -> Assembly<'a> {
        let rule = self.dialect.rule();
        Assembly {
            loaded: Loaded {
                registry: Arc::new(Registry::with_rule(rule)),
                hooks: Vec::new(),
                problems: self.noted.clone(),
                files: Vec::new(),
                broken: None,
                kept: Vec::new(),
                built: Vec::new(),
                is_compiling: false,
                named: BTreeSet::new(),
            },
            builder: self.builder(),
            gating: Event::ALL.iter().copied().filter(|event| rule(*event).gating).collect(),
            // Naming a file explicitly vouches for it.
            trusts_projects: self.trust_all || !self.files.is_empty(),
            include_untrusted: self.include_untrusted,
            trust_store: self.trust_store.as_ref().filter(|_| self.dialect.checks_file_trust()),
            trust_help: self.trust_help(),
            previous,
            only_for: self.only_for.as_ref(),
            unusable: Vec::new(),
            halted: false,
            counts: HashMap::new(),
        }
    }

    /// Builds the hook of one entry of a config, as [`load`](Loader::load) does for all of them. This does not check
    /// whether the file is trusted.
    ///
    /// # Errors
    /// The hook cannot run.
    pub fn hook(&self, file: &ConfigFile, entry: Entry) -> Result<Arc<dyn Hook>, Failure> {
        let Built { hook, failure, .. } = self.builder().build(file, entry);
        failure.map_or(Ok(hook), Err)
    }

    /// Returns the sandbox for the components of this loader. It is created on first use and serves every later load,
    /// so reloading neither maps new pools nor starts new threads.
    ///
    /// # Errors
    /// The platform lacks the resources for a sandbox.
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

    /// Creates a builder for the hooks of a config.
    fn builder(&self) -> Builder<'_> {
        Builder {
            dialect: Arc::clone(&self.dialect),
            cwd: &self.cwd,
            host_env: &self.host_env,
            spawner: Arc::clone(&self.spawner),
            codecs: self.codecs,
            probe_commands: self.probe_commands,
            probe_scripts: self.probe_scripts,
            loader: self,
            preparing: Duration::ZERO,
            safety: Safety::new(self.dialect.checks_file_trust() && self.files.is_empty()),
            reserved: Reserved {
                places: self.places(),
                host_env: &self.host_env,
                stores: self.stores(),
                user_dirs: self.user_dirs,
                read_only: Vec::new(),
            },
            untrusted: false,
            trusted: None,
        }
    }

    /// The host's directories that decide which hooks run, and what they run.
    fn stores(&self) -> Vec<PathBuf> {
        let trust = self.trust_store.iter().map(TrustStore::dir);
        let cache = self.cache.iter().flat_map(|cache| cache.dirs());
        trust.chain(cache).map(Path::to_owned).collect()
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

    fn trust_help(&self) -> String {
        let dialect = self.dialect.name();
        let more = match (self.dialect.checks_file_trust(), self.app.as_str()) {
            (false, _) => format!(" --dialect {dialect}"),
            (true, "hookbox") => String::new(),
            (true, app) => format!(" --app {app}"),
        };
        format!("look at the file, then run `hookbox trust{more}`")
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

/// A warning about what the compiler's cage lacks. It names this program rather than a config file.
fn cage_problem(gaps: String) -> Option<Problem> {
    let program = std::env::current_exe().ok()?;
    Some(Problem { severity: Severity::Warning, ..Problem::about_file(&program, Code::Cage, gaps) })
}

/// A warning about the cache. Without a usable cache, components are recompiled; nothing else changes.
fn cache_problem(cache: &Cache) -> Option<Problem> {
    let message = format!("the cache of compiled components could not be used: {}", cache.fault()?);
    Some(Problem { severity: Severity::Warning, ..Problem::about_file(cache.path(), Code::Cache, message) })
}
