//! The arguments that select a config, shared by most commands.

use super::given_hooks::GivenHooks;
use super::render;
use super::user_home;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use hookbox::config::{Dialect, Loaded, Loader};
use hookbox::dialect::{self, Options, Strictness};
use hookbox::internal::clean_path;
use hookbox::runtime::component::{Compiler, Effort};
use hookbox::{Host, HostError, Input, UserPlaces};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Clone, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// Read this file in place of the usual config files; may be given again
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// The app whose config files are read: `~/.config/<APP>/` and `.<APP>/`. The name `hygge` also brings hygge's
    /// rules
    #[arg(long, default_value = "hookbox", value_parser = app_name)]
    app: String,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,

    /// In place of $XDG_CONFIG_HOME, as `hookbox install` writes it
    #[arg(long, value_name = "DIR", hide = true)]
    config_home: Option<PathBuf>,

    /// In place of $XDG_STATE_HOME, as `hookbox install` writes it
    #[arg(long, value_name = "DIR", hide = true)]
    state_home: Option<PathBuf>,

    /// In place of $XDG_CACHE_HOME, as `hookbox install` writes it
    #[arg(long, value_name = "DIR", hide = true)]
    cache_home: Option<PathBuf>,

    /// The directory that the agent works in, in place of the current one
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// Other directories that the agent may work in
    #[arg(skip)]
    also_in: Vec<PathBuf>,

    /// Whose config, hooks and rules these are, in place of hookbox's own
    #[arg(long, value_name = "DIALECT", value_parser = clap::builder::PossibleValuesParser::new(dialect::NAMES))]
    dialect: Option<String>,

    /// Deny wherever the dialect would let something pass that failed
    #[arg(long, requires = "dialect")]
    strict: bool,

    /// The agent whose hooks count, if the config has several; by default `root`, or else the first
    #[arg(long, requires = "dialect", value_name = "NAME")]
    agent: Option<String>,

    #[command(flatten)]
    given: GivenHooks,

    /// Run a project's hooks like those of the user; what is wrong with its config stays a warning
    #[arg(long)]
    trust_all: bool,

    /// Compile components anew, and keep nothing; $HOOKBOX_NO_CACHE does the same for all commands
    #[arg(long)]
    no_cache: bool,
}

impl Scope {
    pub(super) fn load(&self) -> anyhow::Result<Loaded> {
        Ok(self.loader()?.compiler(compiler(Effort::EVENT)).trust_all(self.trust_all).load())
    }

    /// Like [`load`](Self::load), with only the hooks that are asked about this Input.
    pub(super) fn load_for(&self, input: &Input) -> anyhow::Result<Loaded> {
        Ok(self.loader()?.compiler(compiler(Effort::EVENT)).trust_all(self.trust_all).only_for(input).load())
    }

    /// Like [`load`](Self::load), with all hooks of a project, even an untrusted one: for commands that run none.
    pub(super) fn load_everything(&self) -> anyhow::Result<Loaded> {
        Ok(self
            .loader()?
            .trust_all(self.trust_all)
            .include_untrusted(true)
            .probe_commands(true)
            .probe_scripts(true)
            .probe_cage(true)
            .load())
    }

    /// Returns a scope with these arguments, and the defaults for all others.
    pub(super) fn of_place(
        app: String,
        home: Option<PathBuf>,
        project: Option<PathBuf>,
        dialect: Option<String>,
    ) -> Self {
        Scope { app, home, project, dialect, ..Scope::default() }
    }

    /// Returns the dialect whose rules the config and its hooks follow.
    pub(super) fn dialect(&self) -> Arc<dyn Dialect> {
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Faithful };
        let options = Options::default()
            .with_models(true)
            .with_strictness(strictness)
            .with_agent(self.agent.clone())
            .with_hooks(self.given.hooks());
        let named = self.dialect.as_ref().and_then(|name| dialect::by_name(name, &options));
        named.unwrap_or_else(|| dialect::of_app(&self.app))
    }

    /// Returns the scope of the user's own config, whichever files or dialect the arguments name.
    pub(super) fn of_user(&self) -> Self {
        let Scope { app, home, config_home, state_home, cache_home, project, .. } = self.clone();
        Scope { config_home, state_home, cache_home, ..Scope::of_place(app, home, project, None) }
    }

    /// Whether the arguments only say where the user and the agent are.
    pub(super) fn is_usual(&self) -> bool {
        let Scope { home, project, .. } = self.clone();
        *self == Scope::of_place("hookbox".to_owned(), home, project, None)
    }

    /// Returns the files to read instead of all layers.
    pub(super) fn named_files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let absolute = |file: &PathBuf| std::path::absolute(file).context("the current directory is unknown");
        self.config.iter().map(absolute).collect()
    }

    /// Adds files to those that are read instead of all layers.
    pub(super) fn name_files(&mut self, files: Vec<PathBuf>) {
        self.config.extend(files);
    }

    pub(super) fn app(&self) -> &str {
        &self.app
    }

    /// Returns the agent's working directory.
    pub(super) fn project(&self) -> anyhow::Result<PathBuf> {
        absolute(self.project.as_deref().unwrap_or(Path::new("")))
    }

    /// Returns the same scope for an agent that works in this directory.
    pub(super) fn in_project(&self, dir: &Path) -> Self {
        Scope { project: Some(dir.to_owned()), ..self.clone() }
    }

    /// Sets the agent's working directory, unless the arguments name it.
    pub(super) fn default_project(&mut self, dir: &Path) {
        self.project.get_or_insert_with(|| dir.to_owned());
    }

    /// Returns a loader for a process that answers many events.
    pub(super) fn service_loader(&self) -> anyhow::Result<Loader> {
        Ok(self.loader()?.one_shot(false).compiler(compiler(Effort::EVENT)).trust_all(self.trust_all))
    }

    /// Adds directories that the agent may work in, whichever one it reports: the trust in those directories counts,
    /// too.
    pub(super) fn also_in(&mut self, dirs: impl IntoIterator<Item = PathBuf>) {
        self.also_in.extend(dirs.into_iter().filter(|dir| dir.is_absolute()));
    }

    pub(super) fn loader(&self) -> anyhow::Result<Loader> {
        let mut host = self.host()?;
        for file in self.named_files()? {
            host = host.file(file);
        }
        Ok(host.loader().map_err(explain)?.one_shot(true).also_in(self.also_in.clone()))
    }

    /// Whether the arguments name a home directory, in place of that of this process.
    pub(super) const fn names_home(&self) -> bool {
        self.home.is_some()
    }

    /// Takes the home directory from the system, unless an argument names it: a project may have set the environment of
    /// a process that an agent started.
    ///
    /// # Errors
    /// Returns an error if the environment names another place with a config, which may be the user's.
    pub(super) fn take_home_of_system(&mut self) -> Result<(), String> {
        let mut elsewhere = None;
        if self.home.is_none() {
            let Some(system) = user_home::of_system() else { return user_home::check_only_home() };
            let named = user_home::of_environment(&system, &self.app);
            if let Some(home) = &named {
                let base = |given: &mut Option<PathBuf>, variable| {
                    *given = given.take().or_else(|| user_home::base_in(home, variable));
                };
                base(&mut self.config_home, "XDG_CONFIG_HOME");
                base(&mut self.state_home, "XDG_STATE_HOME");
                base(&mut self.cache_home, "XDG_CACHE_HOME");
            }
            let home = named.unwrap_or(system);
            elsewhere = user_home::config_elsewhere(&home, &self.app, self.config_home.is_none());
            self.home = Some(home);
        } else if self.config_home.is_none() && !self.has_config() {
            // If only a variable that was set after `hookbox install` names the config, everything would be allowed.
            let named = std::env::var_os("HOME").map(PathBuf::from);
            let home = self.home.as_deref().filter(|home| named.as_deref() == Some(*home));
            elsewhere = home.and_then(|home| user_home::config_elsewhere(home, &self.app, true));
        }
        if let Some(home) = &self.home {
            self.config_home.get_or_insert_with(|| home.join(".config"));
        }
        elsewhere.filter(|_| self.config.is_empty()).map_or(Ok(()), Err)
    }

    /// Returns the user's config files, whether they exist or not; `None` if other files are read instead.
    pub(super) fn user_files(&self) -> Option<Vec<PathBuf>> {
        let home = self.home.as_deref().filter(|_| self.config.is_empty() && self.dialect.is_none())?;
        let home = absolute(home).ok()?;
        let layers = hookbox::config::discover(&self.app, Some(&home), self.config_home.as_deref(), None);
        Some(layers.into_iter().map(|layer| layer.path).collect())
    }

    /// Whether the user has a config, or the arguments name other files instead.
    fn has_config(&self) -> bool {
        self.user_files().is_none_or(|files| files.iter().any(|file| file.symlink_metadata().is_ok()))
    }

    /// Returns the user's configs in this environment, or with the `given` arguments, that are not read with the
    /// arguments of this scope.
    pub(super) fn overlooks(&self, given: &Self) -> Vec<PathBuf> {
        let Ok(home) = given.places().map(|places| places.home().to_owned()) else { return Vec::new() };
        // The arguments may name the home directory of another user, whose environment is not known.
        let named = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        let named = named.filter(|dir| dir.is_absolute() && !given.names_home());
        let config_home = given.config_home.clone().or(named);
        let users = Scope { home: Some(home), config_home, ..self.clone() };
        let there = |scope: &Self| {
            let files = scope.user_files().unwrap_or_default();
            files.into_iter().filter_map(|file| file.canonicalize().ok()).collect::<Vec<_>>()
        };
        let own = there(self);
        there(&users).into_iter().filter(|file| !own.contains(file)).collect()
    }

    /// Returns the locations of the user's files.
    pub(super) fn places(&self) -> anyhow::Result<UserPlaces> {
        self.host()?.places().map_err(explain)
    }

    fn host(&self) -> anyhow::Result<Host> {
        let is_docker_agent = self.dialect.as_ref().is_some_and(|name| name.starts_with("docker-agent"));
        if !is_docker_agent && !self.given.hooks().is_empty() {
            bail!("the options `--hook-…` are docker-agent's own: they need `--dialect docker-agent`");
        }
        let host = Host::new(self.project()?, std::env::vars_os())
            .app(&self.app)
            .dialect(self.dialect())
            .compiler(compiler(Effort::PATIENT));
        let host = if self.no_cache { host.without_cache() } else { host };
        let dir = |dir: &Option<PathBuf>| dir.as_deref().map(absolute).transpose();
        let host = host.bases(dir(&self.config_home)?, dir(&self.state_home)?, dir(&self.cache_home)?);
        Ok(match &self.home {
            Some(home) => host.home(absolute(home)?),
            None => host,
        })
    }
}

/// Converts the error into one whose message names the options that help.
fn explain(error: HostError) -> anyhow::Error {
    match error {
        HostError::NoHome => anyhow!("the home directory is unknown: set HOME, or use --home or --config"),
        HostError::NeedsFile(dialect) => {
            anyhow!("{dialect} has no place of its own for hooks: name the file with --config")
        }
        error => error.into(),
    }
}

/// Moves the options of [`Scope`] from before the command to after it.
pub(super) fn behind_command(args: Vec<OsString>) -> Vec<OsString> {
    let is_option = |arg: &OsString| arg.as_encoded_bytes().starts_with(b"-");
    if !args.get(1).is_some_and(is_option) {
        return args;
    }
    let known = Scope::augment_args(clap::Command::new(""));
    // Global options, such as --verbose, stay where they are.
    let (mut before, mut moved, mut rest) = (Vec::new(), Vec::new(), args.into_iter().peekable());
    before.extend(rest.next());
    while let Some(arg) = rest.next_if(|arg| arg.as_encoded_bytes().starts_with(b"-")) {
        let text = arg.to_string_lossy().into_owned();
        let (name, has_value) = text.split_once('=').map_or((text.as_str(), false), |(name, _)| (name, true));
        let long = name.strip_prefix("--");
        let Some(option) = known.get_arguments().find(|option| long.is_some() && option.get_long() == long) else {
            before.push(arg);
            continue;
        };
        moved.push(arg);
        if option.get_action().takes_values() && !has_value {
            moved.extend(rest.next());
        }
    }
    let Some(command) = rest.next() else {
        // The moved options are left out, so that the error is about the missing command.
        return before;
    };
    before.push(command);
    before.into_iter().chain(moved).chain(rest).collect()
}

/// Returns the compiler for components, which reports long compilations on a terminal.
pub(super) fn compiler(effort: Effort) -> Compiler {
    Compiler::found().effort(effort).on_slow(|what| {
        if std::io::stderr().is_terminal() {
            render::progress(&format!("compiling {what}; this is done once and may take a minute"));
        }
    })
}

/// Returns the absolute path without `.` and `..`, so that walking up visits every directory once.
pub(super) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    // The current directory may have been deleted.
    if path.is_absolute() {
        return Ok(clean_path(path));
    }
    let cwd = std::env::current_dir().context("the current directory is unknown")?;
    Ok(clean_path(&cwd.join(path)))
}

/// Validates an app's name, because it becomes part of paths.
pub(super) fn app_name(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("letters, digits, `-` and `_` only".to_owned());
    }
    Ok(name.to_owned())
}
