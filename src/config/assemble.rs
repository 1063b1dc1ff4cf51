//! Assembles a registry from config files.

use super::build::{Builder, Built};
use super::dialect::HostEnv;
use super::discovery::Layer;
use super::entry::{Entry, HookTarget, Reading};
use super::file::{ConfigFile, ReadRules, Unreadable, unreadable};
use super::loaded::Loaded;
use super::previous::{BuiltHook, State, ends_hook};
use super::problem::{Problem, Severity};
use super::safety::OpenedConfig;
use super::summary::{Summary, summarize};
use super::trust::{TrustStore, possible_arguments};
use super::trust_status::{Tally, TrustStatus};
use crate::facts::{Facts, Tools};
use crate::protocol::{Code, Event, Failure, Input, Kind, Origin, Source};
use crate::registry::Registry;
use crate::runtime::component::DirAccess;
use crate::runtime::{Hook, HookInfo, RefusedHook};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The maximum time limit of an untrusted hook, which must not delay every event for as long as it likes.
const UNTRUSTED_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum number of an untrusted project's hooks that run.
const MAX_UNTRUSTED: usize = 16;

/// The hooks loaded so far, and the state for loading the rest.
pub(super) struct Assembly<'a> {
    pub(super) loaded: Loaded,
    pub(super) builder: Builder<'a>,
    /// The events that a missing hook might have stopped, and those whose result it might have changed.
    pub(super) guarded: Vec<Event>,
    pub(super) trusts_projects: bool,
    /// Whether to load even the hooks that an untrusted project would not run. Set if no hook is run.
    pub(super) include_untrusted: bool,
    pub(super) trust_store: Option<&'a TrustStore>,
    /// The help text for a project that is not trusted.
    pub(super) trust_help: String,
    /// The hooks that an earlier load built, if this load may be followed by later ones.
    pub(super) previous: Option<&'a [BuiltHook]>,
    pub(super) only_for: Option<Input>,
    /// The hooks that deny on behalf of unusable entries and files. They come after all hooks that can run, so those
    /// are still asked.
    pub(super) unusable: Vec<Arc<dyn Hook>>,
    /// Whether a file is broken in a way that lets no hook run.
    pub(super) halted: bool,
    /// The tools that the user's files describe.
    pub(super) tools: Tools,
    /// The number of hooks that each event has so far.
    pub(super) counts: HashMap<Event, usize>,
}

/// A config that was opened and read.
pub(super) struct Opened {
    pub(super) file: ConfigFile,
    /// Why the file is refused, regardless of its content.
    pub(super) fault: Option<Box<Problem>>,
    pub(super) reading: Reading,
    pub(super) standing: TrustStatus,
    /// A problem with the file's record of trust.
    pub(super) problem: Option<Box<Problem>>,
}

impl Assembly<'_> {
    /// Opens and reads the config of a layer; returns `None` if it does not exist.
    pub(super) fn open(&mut self, layer: &Layer, rules: ReadRules) -> Result<Option<Opened>, Unreadable> {
        let opened = self.builder.safety.open_config(layer).map_err(|error| unreadable(&layer.path, &error))?;
        let Some(OpenedConfig { file, fault }) = opened else { return Ok(None) };
        let file = ConfigFile::read_from(file, &layer.path, layer.source.clone(), rules)?;
        let reading = self.read(&file);
        let (standing, problem) = self.standing(&file, &reading.entries);
        Ok(Some(Opened { file, fault, reading, standing, problem }))
    }

    /// Protects the files that decide which hooks run (the configs in use, and the files that they name) from
    /// components that could change them.
    pub(super) fn reserve<'o>(&mut self, opened: impl Iterator<Item = &'o Opened> + Clone) {
        let may_change = |entry: &Entry| match &entry.target {
            HookTarget::Component(component) => {
                component.grants.dirs.iter().any(|dir| dir.access == DirAccess::ReadWrite)
            }
            _ => false,
        };
        if !opened.clone().any(|opened| opened.reading.entries.iter().any(may_change)) {
            return;
        }
        for Opened { file, reading, standing, .. } in opened {
            // An untrusted config must not stop one of the user's hooks.
            if standing.why_untrusted().is_some() {
                continue;
            }
            let config = if file.source == Source::PROJECT { file.dir() } else { &file.path };
            self.builder.reserved.read_only.push(config.to_owned());
            let named = self.named(file, &reading.entries);
            self.builder.reserved.read_only.extend(named);
        }
    }

    /// Collects the tools that the files describe. They decide which hooks are asked about a tool call.
    pub(super) fn know_tools<'o>(&mut self, opened: impl Iterator<Item = &'o Opened>) {
        for opened in opened.filter(|opened| opened.fault.is_none()) {
            self.tools.extend(&opened.reading.tools);
        }
        let facts = Facts::new(self.builder.loader.scene(), self.tools.clone());
        if let Some(input) = &mut self.only_for {
            facts.name_tool(input);
        }
        self.loaded.registry.find_facts_with(facts);
    }

    /// Finds the decision log that the files ask for, and computes the digest that identifies the files together. A
    /// later file overrides the log of an earlier one.
    pub(super) fn find_log<'o>(&mut self, opened: impl Iterator<Item = &'o Opened>) {
        let mut digest = blake3::Hasher::new();
        for Opened { file, fault, reading, .. } in opened {
            for part in [file.path.as_os_str().as_encoded_bytes(), file.text.as_bytes()] {
                digest.update(&(part.len() as u64).to_le_bytes());
                digest.update(part);
            }
            let Some(entry) = reading.log.as_ref().filter(|_| fault.is_none()) else { continue };
            self.loaded.log = self.builder.loader.log(entry, file);
        }
        // No component may change what was recorded.
        self.builder.reserved.stores.extend(self.loaded.log.as_ref().map(|log| log.file.clone()));
        // Half of the digest is still enough to tell any two configs apart.
        self.loaded.digest = digest.finalize().to_hex().chars().take(32).collect();
    }

    /// Adds the hooks of a file, as far as they may run.
    pub(super) fn add_file(&mut self, opened: Opened) {
        let Opened { file, fault, reading, standing, problem } = opened;
        self.loaded.problems.extend(problem.map(|problem| *problem));
        if self.previous.is_some() {
            self.follow(&file.path);
            self.loaded.named.extend(self.named(&file, &reading.entries));
            self.loaded.named.extend(possible_arguments(&reading.entries, self.builder.cwd));
        }
        match fault {
            None => self.add_reading(&file, reading, standing),
            Some(fault) => self.refuse_file(&file, &standing, *fault),
        }
    }

    pub(super) fn read(&self, file: &ConfigFile) -> Reading {
        let host = HostEnv { env: self.builder.host_env, cwd: self.builder.cwd };
        self.builder.dialect.read(file, &host)
    }

    pub(super) fn add_reading(&mut self, file: &ConfigFile, reading: Reading, standing: TrustStatus) {
        self.loaded.files.push(file.path.clone());
        let Reading { entries, problems, hints, broken, is_ignored, .. } = reading;
        self.loaded.problems.extend(problems);
        let is_vouched = matches!(standing, TrustStatus::Vouched);
        if matches!(standing, TrustStatus::Changed { lost_hooks: true, .. }) {
            self.loaded.problems.extend(broken);
            return self
                .miss_hooks(&file.path, "this config of a project was trusted with hooks, and has none any more");
        }
        if file.is_just_emptied && is_vouched && self.keep_file(&file.path, "the file is empty") {
            // The next load finds the file either written or still empty.
            self.loaded.is_passing = true;
            return;
        }
        if let Some(problem) = broken.as_ref().filter(|_| is_vouched)
            && self.keep_file(&file.path, &problem.to_string())
        {
            return;
        }
        if self.builder.probe_commands {
            self.loaded.problems.extend(hints);
            if entries.is_empty() && broken.is_none() && !is_ignored {
                let message = format!("this file has no hook that {} would run", self.builder.dialect.name());
                let severity = Severity::Warning;
                self.loaded
                    .problems
                    .push(Problem { severity, ..Problem::about_file(&file.path, Code::ConfigKey, message) });
            }
        }
        if let Some(problem) = broken {
            self.note_broken(&file.source, problem);
        }
        let tally = self.add_entries(file, entries, &standing);
        self.builder.trusted = None;
        self.builder.untrusted = false;
        self.loaded.problems.extend(standing.warning(&file.path, tally, &self.trust_help));
    }

    fn add_entries(&mut self, file: &ConfigFile, entries: Vec<Entry>, standing: &TrustStatus) -> Tally {
        let untrusted = standing.why_untrusted();
        self.builder.untrusted = untrusted.is_some();
        self.builder.trusted = match standing {
            TrustStatus::Trusted(record) => Some((**record).clone()),
            _ => None,
        };
        let mut tally = Tally::default();
        for mut entry in entries {
            self.count(&mut entry.info);
            match (&entry.target, untrusted) {
                (HookTarget::Broken(..), _) | (_, None) => {}
                (HookTarget::Component(component), Some(_))
                    if component.is_pure() && tally.restricted < MAX_UNTRUSTED =>
                {
                    tally.restricted += 1;
                    if !self.include_untrusted {
                        entry.info.restricted = true;
                        let timeout = entry.info.timeout.unwrap_or(UNTRUSTED_TIMEOUT);
                        entry.info.timeout = Some(timeout.min(UNTRUSTED_TIMEOUT));
                    }
                }
                (_, Some(why)) => {
                    tally.left_out += 1;
                    if !self.include_untrusted {
                        self.loaded.hooks.push(Summary {
                            problem: Some(format!("does not run, since its project {why}")),
                            ..summarize(file, &entry)
                        });
                        continue;
                    }
                }
            }
            if self.only_for.as_ref().is_none_or(|input| entry.info.hears_input(input)) {
                self.add_entry(file, entry, untrusted.is_some() && !self.include_untrusted);
            }
        }
        tally
    }

    /// Gives a hook its index among the hooks of its first event.
    fn count(&mut self, info: &mut HookInfo) {
        if let Some((event, _)) = info.events.first() {
            let count = self.counts.entry(*event).or_default();
            info.origin = Some(Arc::new(Origin { index: *count, ..info.origin().clone() }));
            *count += 1;
        }
    }

    fn add_entry(&mut self, file: &ConfigFile, entry: Entry, untrusted: bool) {
        let is_broken = matches!(entry.target, HookTarget::Broken(..));
        let at = match &entry.target {
            HookTarget::Component(component) => component.at.clone(),
            HookTarget::Shell(shell) => shell.at.clone(),
            HookTarget::Model(model) => model.at.clone(),
            HookTarget::Native(_) | HookTarget::Builtin(_) | HookTarget::Broken(..) => entry.at.clone(),
        };
        let Built { hook, summary, failure, is_late, lacks_commands } = self.builder.build(file, entry);
        // The end of trust also ends the previous hook, which was built while the project was trusted.
        let may_keep = !(untrusted && is_broken);
        if may_keep
            && let Some(failure) = failure.as_ref().filter(|failure| !ends_hook(failure.code))
            && let Some(previous) = self.previous_hook(&file.path, &summary.name, hook.info().restricted)
        {
            self.loaded.is_passing |= is_late;
            if !is_broken {
                let message = format!("hook `{}` {}", summary.name, failure.message);
                self.note_of_hook(&hook, file.problem(failure.code, Some(&summary.name), &at, message, None));
            }
            return self.keep(previous, &failure.message);
        }
        let state = if is_broken {
            State::Unusable
        } else if failure.is_some() && !is_late {
            State::Refused
        } else {
            State::Usable
        };
        self.loaded.hooks.push(summary.clone());
        if lacks_commands {
            let message = format!("hook `{}` reads `tool.commands`, which it never gets", summary.name);
            let help = "add `facts = [\"commands\"]` to its entry".to_owned();
            let problem = file.problem(Code::ConfigKey, Some(&summary.name), &at, message, Some(help));
            self.note_of_hook(&hook, Problem { severity: Severity::Warning, ..problem });
        }
        let is_refused = failure.is_some();
        if let Some(failure) = failure.filter(|_| !is_broken) {
            let name = &hook.info().name;
            let message = format!("hook `{name}` {}", failure.message);
            self.note_of_hook(&hook, file.problem(failure.code, Some(name), &at, message, None));
        }
        // A project's broken config affects only that config. Otherwise every clone of a repository could stop the
        // agent. A hook that an untrusted project cannot run does not guard anything either: nobody has vouched for it.
        let built = BuiltHook { file: file.path.clone(), hook: Arc::clone(&hook), summary, state };
        if is_broken {
            if untrusted || self.builder.dialect.overlooks_broken(&file.source) {
                return;
            }
            self.unusable.push(hook);
        } else if is_refused && hook.info().restricted {
            if !is_late {
                return;
            }
        } else {
            self.register(hook);
        }
        // The next load may have to keep this hook.
        self.loaded.built.push(built);
    }

    /// Notes a problem that matters only to the events that its hook is asked about.
    fn note_of_hook(&mut self, hook: &Arc<dyn Hook>, problem: Problem) {
        self.loaded.of_hooks.push((self.loaded.problems.len(), Arc::clone(hook)));
        self.loaded.problems.push(problem);
    }

    pub(super) fn register(&mut self, hook: Arc<dyn Hook>) {
        let name = hook.info().name.clone();
        if let Err(error) = self.loaded.registry.register_shared(hook) {
            // The config was checked before, so this is a gap in the checks. It must not become a missing guard.
            let failure = Failure::new(Code::Internal, format!("could not be registered: {error}"));
            let name = if name.is_empty() { "(unnamed)" } else { &name };
            let info = HookInfo::new(name, self.guarded.iter().copied());
            self.unusable.push(Arc::new(RefusedHook::new(info, Kind::Config, failure)));
        }
    }

    pub(super) fn finish(mut self) -> Loaded {
        if self.halted {
            self.loaded.registry = Arc::new(Registry::with_rule(self.builder.dialect.rule()));
        }
        if let Some(Ok(reader)) = self.builder.reader {
            self.loaded.registry.read_commands_with(reader);
        }
        for hook in std::mem::take(&mut self.unusable) {
            // Cannot fail: these hooks have a name and no async events.
            let _ = self.loaded.registry.register_shared(hook);
        }
        for problem in &self.loaded.problems {
            tracing::warn!(code = %problem.code, "{problem}");
        }
        self.loaded
    }
}
