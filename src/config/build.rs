//! From an entry of a config to a hook that can run.

use super::dialect::{Dialect, Host};
use super::entry::{ComponentEntry, Entry, ShellEntry, What};
use super::file::ConfigFile;
use super::late::{LateHook, Preparation};
use super::safety::Safety;
use super::summary::{Summary, deduped};
use super::trust::TrustRecord;
use crate::protocol::{Code, Failure, Kind, Origin};
use crate::runtime::component::{
    Cache, Compiler, ComponentFile, ComponentHook, DirAccess, Grants, MAX_TIMEOUT, Prepared, Sandbox,
};
use crate::runtime::shell::{Codec, ShellHook, Spawner};
use crate::runtime::{Hook, RefusedHook};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What hooks of a config are built with.
pub(crate) struct Builder<'a> {
    pub(super) dialect: Arc<dyn Dialect>,
    pub(super) cwd: &'a Path,
    pub(super) host_env: &'a [(OsString, OsString)],
    pub(super) spawner: Arc<dyn Spawner>,
    pub(super) codecs: fn(&str) -> Option<Arc<dyn Codec>>,
    pub(super) probe_commands: bool,
    pub(super) probe_scripts: bool,
    pub(super) one_shot: bool,
    pub(super) compiler: Compiler,
    pub(super) cache: Option<Arc<Cache>>,
    pub(super) sandbox: Option<Sandbox>,
    /// The time that components have taken so far to be compiled or loaded.
    pub(super) preparing: Duration,
    pub(super) safety: Safety,
    /// What was trusted of the config at hand, if it is a project's that runs on the user's word.
    pub(super) trusted: Option<TrustRecord>,
}

/// A hook with what listings say of it, and why it cannot run if it cannot.
pub(crate) struct Built {
    pub(crate) hook: Arc<dyn Hook>,
    pub(crate) summary: Summary,
    pub(crate) failure: Option<Failure>,
}

impl<'a> Builder<'a> {
    pub(crate) fn build(&mut self, file: &ConfigFile, entry: Entry) -> Built {
        let mut summary = summarize(file, &entry);
        let Entry { mut info, what, settings, .. } = entry;
        if info.origin().command.is_empty() {
            info.origin = Some(Arc::new(Origin { command: summary.runs.clone(), ..info.origin().clone() }));
        }
        let refuse = |kind: Kind, failure: Failure| -> (Arc<dyn Hook>, Option<Failure>) {
            (Arc::new(RefusedHook::new(info.clone(), kind, failure.clone())), Some(failure))
        };
        let (hook, failure): (Arc<dyn Hook>, _) = match what {
            What::Broken(kind, failure) => refuse(kind, failure),
            What::Shell(shell) => match self.shell_codec(file, &shell) {
                Ok(codec) => {
                    let base = self.dialect.command_base(file, self.cwd);
                    let command = shell.into_command(&self.host(), base);
                    let missing = if self.probe_commands { command.probe().err() } else { None };
                    let failure = missing.map(|error| Failure::new(Code::Spawn, format!("could not be run: {error}")));
                    let hook = ShellHook::new(info, command, settings, codec).spawned_by(Arc::clone(&self.spawner));
                    (Arc::new(hook), failure)
                }
                Err(failure) => refuse(Kind::Shell, failure),
            },
            What::Native(native) => {
                let missing = if self.probe_commands { native.hook.probe().err() } else { None };
                (native.hook, missing)
            }
            What::Component(component) => match self.component(file, &component, &mut summary) {
                Ok(prepared) => {
                    let limit = info.timeout.unwrap_or(MAX_TIMEOUT);
                    let found = if self.probe_scripts { prepared.probe_script(limit).err() } else { None };
                    let failure = found.map(|failure| {
                        let why = failure.message.strip_prefix("failed: ").unwrap_or(&failure.message);
                        Failure::new(failure.code, format!("cannot run: {why}"))
                    });
                    (Arc::new(ComponentHook::new(info, prepared, settings)), failure)
                }
                Err((failure, Some(preparation))) if !self.one_shot && preparation.may_come(&failure) => {
                    (Arc::new(LateHook::new(info, settings, *preparation, failure.clone())), Some(failure))
                }
                Err((failure, _)) => refuse(component.kind.into(), failure),
            },
        };
        summary.problem = failure.as_ref().map(|failure| failure.message.clone());
        Built { hook, summary, failure }
    }

    fn host(&self) -> Host<'a> {
        Host { env: self.host_env, cwd: self.cwd }
    }

    /// A component, or why it cannot run, and what it takes to try again.
    fn component(
        &mut self,
        file: &ConfigFile,
        entry: &ComponentEntry,
        summary: &mut Summary,
    ) -> Result<Prepared, (Failure, Option<Box<Preparation>>)> {
        let preparation = self.preparation(file, entry, summary).map_err(|failure| (failure, None))?;
        let started = Instant::now();
        let prepared = preparation.prepare();
        self.preparing += started.elapsed();
        prepared.map_err(|failure| (failure, Some(Box::new(preparation))))
    }

    fn preparation(
        &mut self,
        file: &ConfigFile,
        entry: &ComponentEntry,
        summary: &mut Summary,
    ) -> Result<Preparation, Failure> {
        let path = file.dir().join(&entry.path);
        self.safety.component(file, &path)?;
        let opened = ComponentFile::open(&path)
            .map_err(|failure| Failure { message: format!("cannot run: {}", failure.message), ..failure })?;
        let sha256 = opened.digest().to_string();
        // Only code of these bytes will run: what stands in the file later does not count.
        if self.trusted.as_ref().is_some_and(|record| record.digest_of(&path) != Some(&sha256)) {
            let message = format!("cannot run: `{}` is not the file that was trusted", path.display());
            return Err(Failure::new(Code::Changed, message));
        }
        summary.sha256 = Some(sha256);
        let grants = self.grants(entry)?;
        let left = self.compiler.shared_time().saturating_sub(self.preparing);
        let sandbox = self.sandbox()?.for_component(left, summary.restricted);
        let (kind, limits, pin) = (entry.kind, entry.limits, entry.sha256.clone());
        Ok(Preparation { sandbox, file: opened, kind, pin, grants, limits })
    }

    fn grants(&self, entry: &ComponentEntry) -> Result<Grants, Failure> {
        let mut grants = Grants { clocks: entry.clocks, random: entry.random, ..Grants::default() };
        for name in &entry.env {
            match self.host().var(name).map(OsStr::to_str) {
                Some(Some(value)) => grants.env.push((name.clone(), value.to_owned())),
                Some(None) => {
                    let message = format!("cannot be given `{name}`, which is not UTF-8");
                    return Err(Failure::new(Code::Grant, message));
                }
                None => {}
            }
        }
        for dir in &entry.dirs {
            let host_path = self.cwd.join(&dir.host_path);
            // The sandbox would find out too, but only at the first call.
            fs::read_dir(&host_path).map_err(|error| {
                Failure::new(Code::Grant, format!("cannot be given `{}`: {error}", host_path.display()))
            })?;
            let mut dir = dir.clone();
            dir.host_path = host_path;
            grants.dirs.push(dir);
        }
        Ok(grants)
    }

    /// How a shell hook speaks, if its program may run.
    fn shell_codec(&self, file: &ConfigFile, shell: &ShellEntry) -> Result<Arc<dyn Codec>, Failure> {
        self.safety.command(file, self.dialect.command_base(file, self.cwd), &shell.command)?;
        self.codec(shell.dialect.as_deref())
    }

    /// How a shell hook speaks: as its config does, or as its entry says.
    fn codec(&self, dialect: Option<&str>) -> Result<Arc<dyn Codec>, Failure> {
        let Some(name) = dialect else {
            return Ok(Arc::clone(&self.dialect) as Arc<dyn Codec>);
        };
        (self.codecs)(name).ok_or_else(|| {
            let message = format!("speaks the dialect {name:?}, which is none that is known here");
            Failure::new(Code::ConfigValue, message)
        })
    }

    /// The sandbox of all components of a config, made when the first of them needs it.
    pub(crate) fn sandbox(&mut self) -> Result<Sandbox, Failure> {
        if let Some(sandbox) = &self.sandbox {
            return Ok(sandbox.clone());
        }
        let compiler = self.compiler.clone();
        let sandbox = if self.one_shot { Sandbox::for_one_call(compiler) } else { Sandbox::new(compiler) };
        let sandbox =
            sandbox.map_err(|error| Failure::new(Code::Internal, format!("has no sandbox here: {error:#}")))?;
        let sandbox = match &self.cache {
            Some(cache) => sandbox.cached_in(Arc::clone(cache)),
            None => sandbox,
        };
        self.sandbox = Some(sandbox.clone());
        Ok(sandbox)
    }
}

pub(super) fn summarize(file: &ConfigFile, entry: &Entry) -> Summary {
    let info = &entry.info;
    let (kind, runs, grants) = match &entry.what {
        What::Component(component) => (component.kind.into(), vec![component.path.clone()], sentences(component)),
        What::Shell(_) if !info.origin().command.is_empty() => (Kind::Shell, info.origin().command.clone(), Vec::new()),
        // Whatever has no command has no arguments either.
        What::Shell(shell) if shell.command.is_empty() => (Kind::Shell, Vec::new(), Vec::new()),
        What::Shell(shell) => {
            let runs = std::iter::once(&shell.command).chain(&shell.args).cloned().collect();
            (Kind::Shell, runs, Vec::new())
        }
        What::Native(native) => (Kind::Native, native.runs.clone(), Vec::new()),
        What::Broken(kind, _) => (*kind, Vec::new(), Vec::new()),
    };
    Summary {
        name: info.name.clone(),
        kind,
        source: info.source.clone(),
        events: deduped(&info.events),
        mode: info.mode().as_str(),
        timeout: Summary::timeout_text(info.timeout),
        description: info.description.clone(),
        pattern: entry.pattern.clone(),
        on_error: info.on_error.as_str(),
        file: file.path.clone(),
        line: file.locate(&entry.at).line,
        runs,
        sha256: None,
        grants,
        restricted: info.restricted,
        problem: None,
    }
}

/// The grants of a component as sentences that a user can judge.
fn sentences(entry: &ComponentEntry) -> Vec<String> {
    let dirs = entry.dirs.iter().map(|dir| {
        let may = match dir.access {
            DirAccess::Read => "may read",
            DirAccess::ReadWrite => "may read and change",
        };
        format!("{may} the files in `{}` (as `{}`)", dir.host_path.display(), dir.guest_path)
    });
    let env = entry.env.iter().map(|name| format!("may read the variable `{name}`"));
    let clocks = entry.clocks.then(|| "may read the clocks".to_owned());
    let random = entry.random.then(|| "gets random numbers".to_owned());
    dirs.chain(env).chain(clocks).chain(random).collect()
}
