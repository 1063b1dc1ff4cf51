//! Builds hooks that can run from the entries of a config.

use super::dialect::{Dialect, HostEnv};
use super::entry::{BuiltinEntry, ComponentEntry, Entry, HookTarget, Sandboxed, ShellEntry};
use super::file::ConfigFile;
use super::late::{LateHook, Preparation, Runs};
use super::loader::{Builtins, Loader};
use super::model::{ModelEntry, ModelPlace};
use super::reserved::Reserved;
use super::safety::Safety;
use super::summary::{Summary, summarize};
use super::trust::TrustRecord;
use crate::policy::Policy;
use crate::protocol::{Code, Failure, Kind, Origin, Source};
use crate::runtime::component::{
    CommandReader, ComponentFile, ComponentHook, EnvGrant, Grants, MAX_TIMEOUT, NetGrant, NetPlace, Prepared,
    StoreGrant, StorePlace, StoreScope, StoreServer,
};
use crate::runtime::shell::{Codec, ShellHook, Spawner};
use crate::runtime::{Hook, HookInfo, RefusedHook};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Everything needed to build the hooks of a config.
pub(super) struct Builder<'a> {
    pub(super) dialect: Arc<dyn Dialect>,
    pub(super) cwd: &'a Path,
    pub(super) host_env: &'a [(OsString, OsString)],
    pub(super) spawner: Arc<dyn Spawner>,
    pub(super) codecs: fn(&str) -> Option<Arc<dyn Codec>>,
    pub(super) builtins: Builtins,
    pub(super) probe_commands: bool,
    pub(super) probe_scripts: bool,
    pub(super) loader: &'a Loader,
    /// The time spent so far on compiling or loading components.
    pub(super) preparing: Duration,
    pub(super) safety: Safety,
    pub(super) reserved: Reserved<'a>,
    /// Whether the current config belongs to a project that is not trusted.
    pub(super) untrusted: bool,
    /// The record of the user's trust in the current config, if the config belongs to a project and runs because of
    /// that trust.
    pub(super) trusted: Option<TrustRecord>,
    /// The parser for the commands of shell tools, or why there is none; `None` until a hook wants the commands.
    pub(super) reader: Option<Result<CommandReader, Failure>>,
}

/// A hook with its summary for listings, and why it cannot run, if it cannot.
pub(super) struct Built {
    pub(super) hook: Arc<dyn Hook>,
    pub(super) summary: Summary,
    pub(super) failure: Option<Failure>,
    /// Whether its component is still being compiled, so a later load may find it ready.
    pub(super) is_late: bool,
    /// Whether it is a script that reads commands which its entry does not ask for.
    pub(super) lacks_commands: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn build(&mut self, file: &ConfigFile, entry: Entry) -> Built {
        let mut summary = summarize(file, &entry);
        let Entry { mut info, target, settings, .. } = entry;
        if info.origin().command.is_empty() {
            info.origin = Some(Arc::new(Origin { command: summary.runs.clone(), ..info.origin().clone() }));
        }
        let refuse = |kind: Kind, failure: Failure| -> (Arc<dyn Hook>, Option<Failure>) {
            (Arc::new(RefusedHook::new(info.clone(), kind, failure.clone())), Some(failure))
        };
        let (mut is_late, mut lacks_commands) = (false, false);
        let (hook, failure): (Arc<dyn Hook>, _) = match target {
            HookTarget::Broken(kind, failure) => refuse(kind, failure),
            HookTarget::Shell(shell) => match self.shell_codec(file, &shell) {
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
            HookTarget::Builtin(BuiltinEntry { name, args }) => match (self.builtins)(&name, args, info.clone()) {
                Ok(hook) => (hook, None),
                Err(message) => refuse(Kind::Native, Failure::new(Code::ConfigValue, message)),
            },
            HookTarget::Model(model) => match self.model(file, *model, info.clone()) {
                Ok(hook) => (hook, None),
                Err(failure) => refuse(Kind::Native, failure),
            },
            HookTarget::Native(native) => {
                let missing = if self.probe_commands { native.hook.probe().err() } else { None };
                (native.hook, missing)
            }
            HookTarget::Component(component) => match self.component(file, &component, &mut summary) {
                Ok(prepared) => {
                    let is_about_tools = info.events.iter().any(|(event, _)| event.has_tool());
                    let should_ask = self.probe_scripts && is_about_tools && !info.wants_commands;
                    lacks_commands = should_ask && prepared.reads_commands();
                    let limit = info.timeout.unwrap_or(MAX_TIMEOUT);
                    let found = if self.probe_scripts { prepared.probe_script(limit).err() } else { None };
                    let failure = found.map(|failure| {
                        let why = failure.message.strip_prefix("failed: ").unwrap_or(&failure.message);
                        Failure::new(failure.code, format!("cannot run: {why}"))
                    });
                    (Arc::new(ComponentHook::new(info, prepared, settings)), failure)
                }
                Err((failure, Some(preparation))) if !self.loader.one_shot && preparation.may_come(&failure) => {
                    is_late = true;
                    (Arc::new(LateHook::new(info, settings, *preparation, failure.clone())), Some(failure))
                }
                Err((failure, _)) => refuse(component.kind.into(), failure),
            },
        };
        if hook.info().wants_commands {
            summary.facts = vec!["commands"];
        }
        let is_asked = failure.is_none() || is_late;
        let unread = if hook.info().wants_commands && is_asked { self.command_reader().err() } else { None };
        let (hook, failure) = match unread {
            Some(unread) => {
                is_late = false;
                let refused = RefusedHook::new(hook.info().clone(), summary.kind, unread.clone());
                (Arc::new(refused) as Arc<dyn Hook>, Some(unread))
            }
            None => (hook, failure),
        };
        summary.problem = failure.as_ref().map(|failure| failure.message.clone());
        Built { hook, summary, failure, is_late, lacks_commands }
    }

    /// Prepares the parser for the commands of shell tools, once for all hooks.
    ///
    /// # Errors
    /// Returns an error if the parser cannot run.
    fn command_reader(&mut self) -> Result<(), Failure> {
        if self.reader.is_none() {
            let started = Instant::now();
            self.reader = Some(self.loader.sandbox().and_then(|sandbox| sandbox.command_reader()));
            self.preparing += started.elapsed();
        }
        match &self.reader {
            Some(Err(failure)) => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    fn host(&self) -> HostEnv<'a> {
        HostEnv { env: self.host_env, cwd: self.cwd }
    }

    /// Prepares a component. On failure, returns the reason and what is needed to try again.
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
        if let Sandboxed::Policy(policy) = entry.kind {
            return self.policy(policy, entry, summary);
        }
        let path = file.dir().join(&entry.path);
        let opened = self.safety.open_component(file, &path, !self.untrusted)?;
        let sandbox = self.loader.sandbox()?;
        let opened = ComponentFile::read_from(opened, &path, sandbox.cache()).map_err(|failure| {
            let message = format!("cannot run: {}", failure.message);
            failure.with_message(message)
        })?;
        let sha256 = opened.digest().to_string();
        // Only these bytes will run: later content of the file does not matter.
        if self.trusted.as_ref().is_some_and(|record| record.digest_of(&path) != Some(&sha256)) {
            let message = format!("cannot run: `{}` is not the file that was trusted", path.display());
            return Err(Failure::new(Code::Changed, message));
        }
        summary.sha256 = Some(sha256);
        let grants = self.grants(file, &summary.name, &entry.grants)?;
        let left = self.loader.compiler.shared_time().saturating_sub(self.preparing);
        let sandbox = sandbox.for_component(left, summary.restricted);
        let runs = match entry.kind {
            Sandboxed::Script => Runs::Script(opened),
            _ => Runs::Component(opened),
        };
        Ok(Preparation { sandbox, runs, pin: entry.sha256.clone(), grants, limits: entry.limits })
    }

    fn policy(
        &self,
        policy: &'static Policy,
        entry: &ComponentEntry,
        summary: &mut Summary,
    ) -> Result<Preparation, Failure> {
        let sandbox = self.loader.sandbox()?;
        summary.sha256 = policy.digest();
        let left = self.loader.compiler.shared_time().saturating_sub(self.preparing);
        // hookbox's own bytes are as trusted as hookbox itself, even if a project asks for them.
        let sandbox = sandbox.for_component(left, false);
        let (grants, limits) = (Grants::default(), entry.limits);
        Ok(Preparation { sandbox, runs: Runs::Policy(policy), pin: entry.sha256.clone(), grants, limits })
    }

    /// Resolves the grants of an entry on this host.
    fn grants(&mut self, file: &ConfigFile, hook: &str, granted: &Grants) -> Result<Grants, Failure> {
        let Grants { dirs, env, clocks, random, store, net } = granted;
        let store = store.clone().map(|store| self.place(file, hook, store)).transpose()?;
        let net = net.clone().map(|net| self.surroundings(file, net)).transpose()?;
        let host = self.host();
        let env = env.iter().map(|variable| {
            let value = host.var(&variable.name).map(|value| {
                value.to_str().map(str::to_owned).ok_or_else(|| {
                    let message = format!("cannot be given `{}`, which is not UTF-8", variable.name);
                    Failure::new(Code::Grant, message)
                })
            });
            Ok(EnvGrant { value: value.transpose()?, ..variable.clone() })
        });
        let dirs = dirs.iter().map(|dir| self.reserved.check(dir, &mut self.safety.walker));
        Ok(Grants {
            store,
            net,
            env: env.collect::<Result<_, Failure>>()?,
            dirs: dirs.collect::<Result<_, Failure>>()?,
            clocks: *clocks,
            random: *random,
        })
    }

    /// Resolves the files and variables that the rules of a network grant name.
    ///
    /// # Errors
    /// Returns an error if a project's own config names a file inside the project, because the content of that file was
    /// never trusted.
    fn surroundings(&self, file: &ConfigFile, net: NetGrant) -> Result<NetGrant, Failure> {
        self.check_not_inside(file, net.files(), "the network")?;
        let host = self.host();
        let variables = net.variables().filter_map(|name| Some((name.to_owned(), host.var(name)?.to_owned())));
        let variables = variables.collect();
        Ok(net.at(NetPlace::new(file.dir(), variables)))
    }

    /// Refuses files that a project's own config names inside the project.
    fn check_not_inside<'p>(
        &self,
        file: &ConfigFile,
        mut named: impl Iterator<Item = &'p Path>,
        what: &str,
    ) -> Result<(), Failure> {
        // The agent may work in a different directory of the project than the config's.
        let project = [self.cwd, file.dir(), file.dir().parent().unwrap_or(self.cwd)];
        // Links, `..` and `/proc/self/cwd` can lead into the project, too.
        let real_project = || project.iter().filter_map(|dir| dir.canonicalize().ok());
        let is_inside = |path: &&Path| {
            path.is_relative()
                || project.iter().any(|dir| path.starts_with(dir))
                || path.canonicalize().is_ok_and(|real| real_project().any(|dir| real.starts_with(dir)))
        };
        match self.trusted.as_ref().and_then(|_| named.find(is_inside)) {
            None => Ok(()),
            Some(path) => {
                let message = format!(
                    "cannot be given {what}: `{}` is a file of the project, and trusting the project does not cover it; \
                     name a file outside of it, or put the hook into your own config",
                    path.display()
                );
                Err(Failure::new(Code::Grant, message))
            }
        }
    }

    /// Creates a hook that asks a model.
    fn model(&self, file: &ConfigFile, entry: ModelEntry, info: HookInfo) -> Result<Arc<dyn Hook>, Failure> {
        self.check_not_inside(file, entry.files(), "its model")?;
        let variables = self.host_env.iter();
        let variables =
            variables.filter_map(|(name, value)| Some((name.to_str()?.to_owned(), value.clone()))).collect();
        let state = self.loader.state.as_ref().map(|dir| (dir.clone(), self.layer(file)));
        (self.loader.models)(entry, info, ModelPlace { dir: file.dir().to_owned(), variables, state })
    }

    /// Returns what distinguishes the state of this config's hooks from that of others: a hook of the same name in
    /// another config is a different hook.
    fn layer(&self, file: &ConfigFile) -> String {
        match &file.source {
            source if *source == Source::USER && self.loader.files.is_empty() => user_layer(file).to_owned(),
            _ => file.path.display().to_string(),
        }
    }

    /// Determines where a hook's store is kept.
    ///
    /// # Errors
    /// Returns an error if this host keeps no state, or if the server of a shared store is not known.
    fn place(&self, file: &ConfigFile, hook: &str, store: StoreGrant) -> Result<StoreGrant, Failure> {
        if store.scope == StoreScope::Shared {
            return self.shared_place(file, hook, store);
        }
        let Some(dir) = &self.loader.state else {
            let message = "cannot be given a store: this program keeps no state (it calls `Loader::state` if it does)";
            return Err(Failure::new(Code::Grant, message.to_owned()));
        };
        let layer = self.layer(file);
        // The agent may work anywhere in the project.
        let project = self.cwd.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(self.cwd);
        Ok(store.at(StorePlace::new(dir, layer, hook).in_project(project)))
    }

    /// Determines where a store that machines share is kept. There, hooks with the same name in users' configs of the
    /// same kind count as one hook, wherever the users' home directories are.
    fn shared_place(&self, file: &ConfigFile, hook: &str, store: StoreGrant) -> Result<StoreGrant, Failure> {
        let cannot = |why: String| Failure::new(Code::Grant, format!("cannot be given its store: {why}"));
        let server = store.server.clone();
        let server = server.ok_or_else(|| {
            let why = if file.source == Source::PROJECT {
                "the scope `shared` is only for hooks in your own hooks.toml"
            } else {
                "the scope `shared` needs a server: set `shared` under `[stores]` in the same file"
            };
            cannot(why.to_owned())
        })?;
        let server = self.resolve_server(server).map_err(cannot)?;
        let layer =
            if file.source == Source::USER { user_layer(file).to_owned() } else { file.path.display().to_string() };
        Ok(store.on(server).at(StorePlace::new("", layer, hook)))
    }

    /// Returns the server with its URL, which may come from an environment variable.
    ///
    /// # Errors
    /// Returns an error if the variable is not set.
    pub(super) fn resolve_server(&self, server: StoreServer) -> Result<StoreServer, String> {
        let Some(name) = server.variable() else { return Ok(server) };
        let url = self.host().var(name).and_then(|url| url.to_str());
        url.map(StoreServer::new).ok_or_else(|| format!("the variable `{name}`, which names its server, is not set"))
    }

    /// Returns the codec of a shell hook, if its program may run.
    fn shell_codec(&mut self, file: &ConfigFile, shell: &ShellEntry) -> Result<Arc<dyn Codec>, Failure> {
        let base = self.dialect.command_base(file, self.cwd);
        self.safety.command(file, base, &shell.command)?;
        self.codec(shell.dialect.as_deref())
    }

    /// Returns the codec of a shell hook: that of its config, or the one that its entry names.
    fn codec(&self, dialect: Option<&str>) -> Result<Arc<dyn Codec>, Failure> {
        let Some(name) = dialect else {
            return Ok(Arc::clone(&self.dialect) as Arc<dyn Codec>);
        };
        (self.codecs)(name).ok_or_else(|| {
            let message = format!("speaks the dialect {name:?}, which is none that is known here");
            Failure::new(Code::ConfigValue, message)
        })
    }
}

/// Returns which of the user's configs this is: the one in `~/.agents`, or the one where XDG has them.
fn user_layer(file: &ConfigFile) -> &'static str {
    if file.dir().ends_with(".agents") { "user" } else { "user, XDG" }
}
