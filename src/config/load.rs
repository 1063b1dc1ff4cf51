//! From config files to a registry.

use super::build::{Builder, Built, summarize};
use super::dialect::{Dialect, Native};
use super::discovery::{Layer, discover};
use super::entry::{Entry, Reading, What};
use super::file::ConfigFile;
use super::problem::{Problem, Severity};
use super::summary::Summary;
use crate::protocol::{Code, Event, Failure, Input, Kind, Source};
use crate::registry::Registry;
use crate::runtime::{Hook, HookInfo, RefusedHook};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The most time of a hook that nobody vouched for: it must not hold up every event for as long as it likes.
const UNTRUSTED_TIMEOUT: Duration = Duration::from_secs(1);

/// The most hooks of a project that run though nobody vouched for it.
const MAX_UNTRUSTED: usize = 16;

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
/// are not trusted.
#[must_use]
pub struct Loader {
    cwd: PathBuf,
    app: String,
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    files: Vec<PathBuf>,
    host_env: Vec<(OsString, OsString)>,
    trust_all: bool,
    dialect: Arc<dyn Dialect>,
    only_for: Option<(Event, Option<String>)>,
    probe_commands: bool,
}

/// What was loaded.
pub struct Loaded {
    /// The hooks, ready to run. Where config of the user is broken, it denies every gating event.
    pub registry: Registry,
    /// What the config says of each hook, in the order of the chain.
    pub hooks: Vec<Summary>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The first file of the user's that could not be used as a whole.
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
            dialect: Arc::new(Native),
            only_for: None,
            probe_commands: false,
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

    /// Also looks whether the commands of shell hooks are there, which running them would tell too.
    pub const fn probe_commands(mut self, probe: bool) -> Self {
        self.probe_commands = probe;
        self
    }

    /// Reads all config and builds its hooks. It never fails: what cannot be used is in [`Loaded::problems`], and
    /// denies where it might have guarded something, unless it is a project's config that is wrong.
    ///
    /// This reads files and compiles components, which takes from milliseconds to seconds.
    #[must_use]
    pub fn load(&self) -> Loaded {
        let mut loading = Loading {
            loaded: Loaded {
                registry: Registry::new(),
                hooks: Vec::new(),
                problems: Vec::new(),
                files: Vec::new(),
                broken: None,
            },
            builder: Builder::new(self.dialect.as_ref(), &self.cwd, &self.host_env, self.probe_commands),
            trusts_projects: self.trust_all || !self.dialect.fails_closed(),
            only_for: self.only_for.as_ref(),
            unusable: Vec::new(),
        };
        for layer in self.layers() {
            match ConfigFile::read(&layer.path, layer.source.clone()) {
                Ok(Some(file)) => loading.add_file(&file),
                Ok(None) if self.files.is_empty() => {}
                Ok(None) => {
                    // Whoever names a file means it, whatever a dialect thinks of files that are not there.
                    let problem = Problem::about_file(&layer.path, Code::ConfigUnreadable, "does not exist");
                    loading.loaded.problems.push(problem.clone());
                    loading.deny_for(&layer.source, problem);
                }
                Err(problem) => loading.break_file(&layer.source, *problem),
            }
        }
        loading.finish()
    }

    fn layers(&self) -> Vec<Layer> {
        if !self.files.is_empty() {
            let explicit = self.files.iter().map(|path| Layer { path: self.cwd.join(path), source: Source::USER });
            return explicit.collect();
        }
        discover(&self.app, self.home.as_deref(), self.config_home.as_deref(), Some(&self.cwd))
    }
}

struct Loading<'a> {
    loaded: Loaded,
    builder: Builder<'a>,
    trusts_projects: bool,
    only_for: Option<&'a (Event, Option<String>)>,
    /// What denies for entries and files that cannot be used. It stands behind all hooks that can run, so that
    /// these still say what they have to say.
    unusable: Vec<Arc<dyn Hook>>,
}

impl Loading<'_> {
    fn add_file(&mut self, file: &ConfigFile) {
        self.loaded.files.push(file.path.clone());
        let Reading { entries, problems, broken } = self.builder.dialect.read(file);
        self.loaded.problems.extend(problems);
        if let Some(problem) = broken {
            self.note_broken(&file.source, problem);
        }
        let untrusted = file.source == Source::PROJECT && !self.trusts_projects;
        let (mut restricted, mut left_out) = (0, 0);
        for mut entry in entries {
            match &entry.what {
                What::Component(component) if untrusted && component.is_pure() && restricted < MAX_UNTRUSTED => {
                    entry.info.restricted = true;
                    let timeout = entry.info.timeout.unwrap_or(UNTRUSTED_TIMEOUT);
                    entry.info.timeout = Some(timeout.min(UNTRUSTED_TIMEOUT));
                    restricted += 1;
                }
                What::Component(_) | What::Shell(_) if untrusted => {
                    left_out += 1;
                    self.loaded.hooks.push(Summary {
                        problem: Some("does not run, since its project is not trusted".to_owned()),
                        ..summarize(file, &entry)
                    });
                    continue;
                }
                _ => {}
            }
            if self.only_for.is_none_or(|(event, tool)| entry.info.hears(*event, tool.as_deref())) {
                self.add_entry(file, entry);
            }
        }
        if restricted + left_out > 0 {
            self.loaded.problems.push(untrusted_warning(&file.path, restricted, left_out));
        }
    }

    fn add_entry(&mut self, file: &ConfigFile, entry: Entry) {
        let is_broken = matches!(entry.what, What::Broken(..));
        let at = match &entry.what {
            What::Component(component) => component.at.clone(),
            What::Shell(shell) => shell.at.clone(),
            What::Broken(..) => entry.at.clone(),
        };
        let Built { hook, summary, failure } = self.builder.build(file, entry);
        self.loaded.hooks.push(summary);
        let is_refused = failure.is_some();
        if let Some(failure) = failure.filter(|_| !is_broken) {
            let name = &hook.info().name;
            let message = format!("hook `{name}` {}", failure.message);
            self.loaded.problems.push(file.problem(failure.code, Some(name), &at, message, None));
        }
        // Broken config of a project costs that config alone, or every clone of a repository could stop the agent.
        // Neither does what an untrusted project cannot run guard anything: nobody vouched for it.
        match (is_broken, is_refused) {
            (true, _) if file.source == Source::PROJECT => {}
            (true, _) => self.unusable.push(hook),
            (false, true) if hook.info().restricted => {}
            (false, _) => self.register(hook),
        }
    }

    fn break_file(&mut self, source: &Source, problem: Problem) {
        self.loaded.problems.push(problem.clone());
        self.note_broken(source, problem);
    }

    fn note_broken(&mut self, source: &Source, problem: Problem) {
        if *source != Source::PROJECT && self.builder.dialect.fails_closed() {
            self.deny_for(source, problem);
        }
    }

    /// Denies every gating event, since hooks may be missing that nobody knows of.
    fn deny_for(&mut self, source: &Source, problem: Problem) {
        let gating = Event::ALL.into_iter().filter(|event| event.is_gating());
        let mut info = HookInfo::new(problem.subject(), gating);
        info.source = source.clone();
        let failure = Failure::new(problem.code, format!("is not usable: {problem}"));
        self.unusable.push(Arc::new(RefusedHook::new(info, Kind::Config, failure)));
        self.loaded.broken.get_or_insert(problem);
    }

    fn register(&mut self, hook: Arc<dyn Hook>) {
        let name = hook.info().name.clone();
        if let Err(error) = self.loaded.registry.register_shared(hook) {
            // Config is checked before, so this is a hole in the checks: it must not become a missing guard.
            let failure = Failure::new(Code::Internal, format!("could not be registered: {error}"));
            let gating = Event::ALL.into_iter().filter(|event| event.is_gating());
            let name = if name.is_empty() { "(unnamed)" } else { &name };
            self.unusable.push(Arc::new(RefusedHook::new(HookInfo::new(name, gating), Kind::Config, failure)));
        }
    }

    fn finish(mut self) -> Loaded {
        for hook in std::mem::take(&mut self.unusable) {
            // These have a name and no async event.
            let _ = self.loaded.registry.register_shared(hook);
        }
        for problem in &self.loaded.problems {
            tracing::warn!(code = %problem.code, "{problem}");
        }
        self.loaded
    }
}

fn untrusted_warning(file: &Path, restricted: usize, left_out: usize) -> Problem {
    let mut parts = Vec::new();
    if left_out > 0 {
        parts.push(format!("{left_out} of its hooks did not run"));
    }
    if restricted > 0 {
        parts.push(format!("{restricted} may only deny or ask"));
    }
    Problem {
        severity: Severity::Warning,
        help: Some("look at the file, then use `--trust-all` to run them".to_owned()),
        ..Problem::about_file(file, Code::Untrusted, format!("this project is not trusted: {}", parts.join(", ")))
    }
}
