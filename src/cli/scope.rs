//! Which config a command looks at: the arguments that most of them share.

use anyhow::{Context, anyhow};
use clap::Args;
use hookbox::config::{Dialect, Loaded, Loader, TrustStore, discover};
use hookbox::dialect::{self, Options, Strictness};
use hookbox::{Input, Source};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Default)]
pub(super) struct Scope {
    /// Read this file in place of all layers; may be given again
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// The app whose layers are read: `~/.config/<APP>/` and `.<APP>/`. The name `hygge` also brings hygge's rules
    #[arg(long, default_value = "hookbox", value_parser = app_name)]
    app: String,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,

    /// The directory that the agent works in, in place of the current one
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// Whose config, hooks and rules these are, in place of hookbox's own
    #[arg(long, value_name = "DIALECT", value_parser = clap::builder::PossibleValuesParser::new(dialect::NAMES))]
    dialect: Option<String>,

    /// Deny wherever the dialect would let something pass that failed
    #[arg(long, requires = "dialect")]
    strict: bool,

    /// The agent whose hooks count, where the config has several; without, it is `root` or the first
    #[arg(long, requires = "dialect", value_name = "NAME")]
    agent: Option<String>,

    /// Run a project's hooks like those of the user; what is wrong with its config stays a warning
    #[arg(long)]
    trust_all: bool,
}

impl Scope {
    pub(super) fn load(&self) -> anyhow::Result<Loaded> {
        Ok(self.loader()?.trust_all(self.trust_all).load())
    }

    /// As [`load`](Self::load), with only the hooks that are asked about this Input.
    pub(super) fn load_for(&self, input: &Input) -> anyhow::Result<Loaded> {
        Ok(self.loader()?.trust_all(self.trust_all).only_for(input).load())
    }

    /// As [`load`](Self::load), with every hook of a project: for commands that run none.
    pub(super) fn load_everything(&self) -> anyhow::Result<Loaded> {
        Ok(self.loader()?.trust_all(self.trust_all).untrusted_too(true).probe_commands(true).load())
    }

    /// As somebody sees it who is to trust a project of this place.
    pub(super) fn of_place(
        app: String,
        home: Option<PathBuf>,
        project: Option<PathBuf>,
        dialect: Option<String>,
    ) -> Self {
        Scope { app, home, project, dialect, ..Scope::default() }
    }

    /// The rules that the config and its hooks follow.
    pub(super) fn dialect(&self) -> Arc<dyn Dialect> {
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Faithful };
        let options = Options { strictness, agent: self.agent.clone() };
        let named = self.dialect.as_ref().and_then(|name| dialect::by_name(name, &options));
        named.unwrap_or_else(|| dialect::of_app(&self.app))
    }

    pub(super) fn app(&self) -> &str {
        &self.app
    }

    /// The directory that the agent works in.
    pub(super) fn project(&self) -> anyhow::Result<PathBuf> {
        absolute(self.project.as_deref().unwrap_or(Path::new("")))
    }

    pub(super) fn loader(&self) -> anyhow::Result<Loader> {
        let project = self.project()?;
        if !project.is_dir() {
            return Err(anyhow!("the project directory `{}` is not a directory", project.display()));
        }
        let mut loader = Loader::new(project)
            .app(&self.app)
            .env(std::env::vars_os())
            .dialect(self.dialect())
            .codecs(dialect::codec)
            .one_shot(true);
        for file in &self.config {
            loader = loader.file(std::path::absolute(file).context("the current directory is unknown")?);
        }
        if !self.config.is_empty() {
            return Ok(loader);
        }
        if self.dialect().needs_file() {
            return Err(anyhow!(
                "{} has no place of its own for hooks: name the file with --config",
                self.dialect().name()
            ));
        }
        let home = self.home()?;
        loader = loader.trust_store(TrustStore::new(self.trust_dir(&home)?));
        loader = loader.home(home);
        if let Some(dir) = variable("XDG_CONFIG_HOME") {
            loader = loader.config_home(dir);
        }
        Ok(loader)
    }

    pub(super) fn home(&self) -> anyhow::Result<PathBuf> {
        let home = match &self.home {
            Some(home) => absolute(home)?,
            None => variable("HOME")
                .ok_or_else(|| anyhow!("the home directory is unknown: set HOME, or use --home or --config"))?,
        };
        if !home.is_dir() {
            return Err(anyhow!("the home directory `{}` is not a directory", home.display()));
        }
        Ok(home)
    }

    /// Where trust is kept. Whoever names another home means everything in it; and in the project's own directory, the
    /// project would say itself that it is trusted.
    pub(super) fn trust_dir(&self, home: &Path) -> anyhow::Result<PathBuf> {
        let project = self.project()?;
        let layers = discover(&self.app, Some(home), None, Some(&project)).into_iter();
        let roots = layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path);
        let roots: Vec<PathBuf> = roots.filter_map(|file| Some(file.parent()?.parent()?.to_owned())).collect();
        let in_project =
            |dir: &PathBuf| roots.iter().any(|root| dir.starts_with(root) || real(dir).starts_with(real(root)));
        let named = variable("XDG_STATE_HOME").filter(|dir| self.home.is_none() && !in_project(dir));
        Ok(named.unwrap_or_else(|| home.join(".local/state")).join("hookbox/trust"))
    }
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|part| Some((part.canonicalize().ok()?, part)));
    found.map_or_else(|| path.to_owned(), |(real, part)| real.join(path.strip_prefix(part).unwrap_or(Path::new(""))))
}

/// A directory that the environment names. A relative one would be another for each project, and so the project's to
/// choose; it counts as none.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The path from the root on, without `.` and `..`, so that walking up meets every directory once.
pub(super) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let joined = std::env::current_dir().context("the current directory is unknown")?.join(path);
    let mut clean = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    Ok(clean)
}

/// An app's name becomes a part of paths.
pub(super) fn app_name(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("letters, digits, `-` and `_` only".to_owned());
    }
    Ok(name.to_owned())
}
