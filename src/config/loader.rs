//! From config files to a registry.

use super::assemble::Assembly;
use super::build::Builder;
use super::dialect::{Dialect, Own, Places};
use super::discovery::Layer;
use super::file::{ConfigFile, Unreadable};
use super::problem::{Problem, Severity};
use super::safety::Safety;
use super::summary::Summary;
use super::trust::TrustStore;
use crate::protocol::{Code, Event, Input};
use crate::registry::Registry;
use crate::runtime::component::{Cache, Compiler};
use crate::runtime::shell::{Codec, Processes, Spawner};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Finds, reads and builds configured hooks.
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
/// Defaults: the app is `hookbox`; no home directory, so no user's layers; an empty environment; a project's hooks
/// are not trusted, and there is no store that says otherwise; the compiler is the one that is
/// [found](Compiler::found), and there is no cache.
#[must_use]
pub struct Loader {
    cwd: PathBuf,
    app: String,
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    files: Vec<PathBuf>,
    host_env: Vec<(OsString, OsString)>,
    trust_all: bool,
    untrusted_too: bool,
    pub(super) trust_store: Option<TrustStore>,
    pub(super) dialect: Arc<dyn Dialect>,
    only_for: Option<(Event, Option<String>)>,
    probe_commands: bool,
    probe_scripts: bool,
    one_shot: bool,
    compiler: Compiler,
    cache: Option<Arc<Cache>>,
    spawner: Arc<dyn Spawner>,
    codecs: fn(&str) -> Option<Arc<dyn Codec>>,
}

/// What was loaded.
pub struct Loaded {
    /// The hooks, ready to run. Where config is broken in a way that its dialect does not overlook, it denies every event
    /// that can be stopped.
    pub registry: Registry,
    /// What the config says of each hook, in the order of the chain.
    pub hooks: Vec<Summary>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The first file that could not be used as a whole, and therefore denies.
    pub broken: Option<Problem>,
}

impl Loader {
    /// For an agent that works in this directory. It is where hooks run, what grants are relative to, and where
    /// the walk to the project's layers starts; it must be absolute.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Loader {
            cwd: cwd.into(),
            app: "hookbox".to_owned(),
            home: None,
            config_home: None,
            files: Vec::new(),
            host_env: Vec::new(),
            trust_all: false,
            untrusted_too: false,
            trust_store: None,
            dialect: Arc::new(Own),
            only_for: None,
            probe_commands: false,
            probe_scripts: false,
            one_shot: false,
            compiler: Compiler::found(),
            cache: None,
            spawner: Arc::new(Processes),
            codecs: |_| None,
        }
    }

    /// The app whose layers are read: `~/.config/<app>/` and `.<app>/`.
    pub fn app(mut self, app: impl Into<String>) -> Self {
        self.app = app.into();
        self
    }

    /// The user's home directory.
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The user's config directory, if it is not `.config` in the home directory.
    pub fn config_home(mut self, dir: impl Into<PathBuf>) -> Self {
        self.config_home = Some(dir.into());
        self
    }

    /// A file to read in place of all layers, relative to the working directory. It counts as the user's. Call again
    /// for more, in order.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// The host's environment, of which hooks get what their config and [`INHERITED_VARS`] name.
    ///
    /// [`INHERITED_VARS`]: crate::runtime::shell::INHERITED_VARS
    pub fn env(mut self, vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.host_env = vars.into_iter().collect();
        self
    }

    /// Whether the hooks of projects run like those of the user.
    pub const fn trust_all(mut self, trust: bool) -> Self {
        self.trust_all = trust;
        self
    }

    /// Where the user's trust in projects is kept, for configs of hookbox's own. It must not lie in a project.
    pub fn trust_store(mut self, store: TrustStore) -> Self {
        self.trust_store = Some(store);
        self
    }

    /// Also loads what an untrusted project would not run, and warns of it as always. For a process that runs no hook.
    pub const fn untrusted_too(mut self, load: bool) -> Self {
        self.untrusted_too = load;
        self
    }

    /// Whose rules the config follows.
    pub fn dialect(mut self, dialect: Arc<dyn Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Leaves out the hooks that would not be asked about this Input. For a process that asks about one.
    pub fn only_for(mut self, input: &Input) -> Self {
        self.only_for = Some((input.event, input.tool_name.clone()));
        self
    }

    /// Also reads each script as a call of it does, without calling its hook, which running it would tell too. It runs in
    /// its sandbox for that.
    pub const fn probe_scripts(mut self, probe: bool) -> Self {
        self.probe_scripts = probe;
        self
    }

    /// Also looks whether the commands of shell hooks are there, which running them would tell too.
    pub const fn probe_commands(mut self, probe: bool) -> Self {
        self.probe_commands = probe;
        self
    }

    /// For a process that asks about one event and ends: what pays off after many calls is left out.
    pub const fn one_shot(mut self, one_shot: bool) -> Self {
        self.one_shot = one_shot;
        self
    }

    /// What compiles components, in place of the compiler that is [found](Compiler::found).
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// Where machine code is kept, so that a component is compiled once.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = Some(Arc::new(cache));
        self
    }

    /// What runs the commands of shell hooks, if not processes.
    pub fn spawner(mut self, spawner: Arc<dyn Spawner>) -> Self {
        self.spawner = spawner;
        self
    }

    /// How shell hooks speak whose entry names a `dialect`: [`dialect::codec`](crate::dialect::codec). Without it, such an
    /// entry cannot be used.
    pub fn codecs(mut self, by_name: fn(&str) -> Option<Arc<dyn Codec>>) -> Self {
        self.codecs = by_name;
        self
    }

    /// Reads all config and builds its hooks. It never fails: what cannot be used is in [`Loaded::problems`], and
    /// denies where it might have guarded something, unless it is a project's config that is wrong.
    ///
    /// This reads files and compiles components, which takes from milliseconds to seconds.
    #[must_use]
    pub fn load(&self) -> Loaded {
        let mut assembly = self.assembly();
        if !assembly.trusts_projects {
            match self.dialect.trusts_project(&self.places()) {
                Ok(trusts) => assembly.trusts_projects = trusts,
                Err(problem) => assembly.loaded.problems.push(*problem),
            }
        }
        for layer in self.layers() {
            match self.read(&layer) {
                Ok(Some(file)) => assembly.add_file(&file),
                Ok(None) if self.files.is_empty() => {}
                // Whoever names a file means it, whatever a dialect thinks of files that are not there.
                Ok(None) => assembly.miss_file(&layer),
                Err(unreadable) => assembly.cannot_read(&layer.source, unreadable),
            }
        }
        let mut loaded = assembly.finish();
        loaded.problems.extend(self.cache.as_ref().and_then(|cache| cache_problem(cache)));
        loaded
    }

    pub(super) fn assembly(&self) -> Assembly<'_> {
        let rule = self.dialect.rule();
        Assembly {
            loaded: Loaded {
                registry: Registry::with_rule(rule),
                hooks: Vec::new(),
                problems: Vec::new(),
                files: Vec::new(),
                broken: None,
            },
            builder: self.builder(),
            gating: Event::ALL.iter().copied().filter(|event| rule(*event).gating).collect(),
            // Whoever names a file vouches for it.
            trusts_projects: self.trust_all || !self.files.is_empty(),
            untrusted_too: self.untrusted_too,
            trust_store: self.trust_store.as_ref().filter(|_| self.dialect.guards_files()),
            trust_help: self.trust_help(),
            only_for: self.only_for.as_ref(),
            unusable: Vec::new(),
            halted: false,
            counts: HashMap::new(),
        }
    }

    /// What builds the hooks of a config.
    pub(crate) fn builder(&self) -> Builder<'_> {
        Builder {
            dialect: Arc::clone(&self.dialect),
            cwd: &self.cwd,
            host_env: &self.host_env,
            spawner: Arc::clone(&self.spawner),
            codecs: self.codecs,
            probe_commands: self.probe_commands,
            probe_scripts: self.probe_scripts,
            one_shot: self.one_shot,
            compiler: self.compiler.clone(),
            cache: self.cache.clone(),
            sandbox: None,
            preparing: Duration::ZERO,
            safety: Safety { applies: self.dialect.guards_files() && self.files.is_empty() },
            trusted: None,
        }
    }

    pub(super) fn read(&self, layer: &Layer) -> Result<Option<ConfigFile>, Unreadable> {
        ConfigFile::read(&layer.path, layer.source.clone(), self.dialect.read_rules())
    }

    /// The files that [`load`](Self::load) looks for, whether they are there or not. Those of
    /// [`Dialect::project_files`] are named in the working directory, and looked for above it, too.
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
        let more = match (self.dialect.guards_files(), self.app.as_str()) {
            (false, _) => format!(" --dialect {dialect}"),
            (true, "hookbox") => String::new(),
            (true, app) => format!(" --app {app}"),
        };
        format!("look at the file, then run `hookbox trust{more}`")
    }

    fn places(&self) -> Places<'_> {
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

/// What is wrong with the cache, which costs time and nothing else.
fn cache_problem(cache: &Cache) -> Option<Problem> {
    let message = format!("the cache of compiled components was of no use: {}", cache.fault()?);
    Some(Problem { severity: Severity::Warning, ..Problem::about_file(cache.path(), Code::Cache, message) })
}
