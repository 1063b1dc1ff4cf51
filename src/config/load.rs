//! Reads the layers of a loader and builds their hooks.

use super::assemble::{Assembly, Opened};
use super::build::{Builder, Built};
use super::discovery::{Layer, outer, places_above};
use super::entry::Entry;
use super::file::ConfigFile;
use super::loaded::Loaded;
use super::loader::Loader;
use super::previous::BuiltHook;
use super::problem::{Problem, Severity};
use super::reserved::Reserved;
use super::safety::Safety;
use super::trust::TrustStore;
use crate::facts::{Scene, Tools};
use crate::protocol::{Code, Event, Failure, Kind, Source};
use crate::record;
use crate::registry::Registry;
use crate::runtime::Hook;
use crate::runtime::component::{Cache, StoreServer};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

impl Loader {
    /// Reads all configs and builds their hooks. This never fails: whatever cannot be used is reported in
    /// [`Loaded::problems`], and denies the events that it might have guarded, unless the broken config is a project's.
    ///
    /// Reading files and compiling components takes from milliseconds to seconds.
    #[must_use]
    pub fn load(&self) -> Loaded {
        self.load_with(None)
    }

    /// Like [`load`](Loader::load), but for hooks that are reloaded when their files change. `previous` are the hooks
    /// of an earlier load, which are kept if an edit cannot be used.
    pub(super) fn load_with(&self, previous: Option<&[BuiltHook]>) -> Loaded {
        let mut assembly = self.assembly(previous);
        if !assembly.trusts_projects {
            match self.dialect.trusts_project(&self.places()) {
                Ok(trusts) => assembly.trusts_projects = trusts,
                Err(problem) => assembly.loaded.problems.push(*problem),
            }
        }
        let rules = self.dialect.read_rules();
        let found = self.layers();
        let hidden = self.hidden_layers(&found);
        let mut layers: Vec<_> = found.into_iter().map(|layer| (assembly.open(&layer, rules), layer)).collect();
        let hidden = hidden.into_iter().map(|layer| (assembly.open(&layer, rules), layer));
        // A hidden config that cannot be read is missed below. One that does not exist is in `gone_layers`.
        layers.extend(hidden.filter(|(opened, _)| !matches!(opened, Ok(None))));
        assembly.know_tools(layers.iter().filter_map(|(opened, _)| opened.as_ref().ok()?.as_ref()));
        assembly.reserve(layers.iter().filter_map(|(opened, _)| opened.as_ref().ok()?.as_ref()));
        assembly.find_log(layers.iter().filter_map(|(opened, _)| opened.as_ref().ok()?.as_ref()));
        for (opened, layer) in layers {
            match opened {
                Ok(Some(opened)) => assembly.add_file(opened),
                Ok(None) if self.files.is_empty() => {}
                // A file that was named explicitly must exist, whatever the dialect does about missing files.
                Ok(None) => assembly.miss_file(&layer),
                Err(unreadable) => {
                    let is_vouched = layer.source != Source::PROJECT || assembly.trusts_projects;
                    let problem = unreadable.problem.to_string();
                    if is_vouched && assembly.keep_file(&layer.path, &problem) {
                        assembly.loaded.problems.push(*unreadable.problem);
                    } else if !is_vouched && self.is_trusted(&layer) {
                        assembly.miss_unread(&layer, *unreadable.problem);
                    } else {
                        assembly.cannot_read(&layer.source, unreadable);
                    }
                }
            }
        }
        for layer in self.gone_layers() {
            assembly.miss_trusted(&layer);
        }
        let mut loaded = assembly.finish();
        let compiles = loaded.hooks.iter().any(|hook| matches!(hook.kind, Kind::Component | Kind::Script));
        if self.probe_cage && compiles {
            loaded.problems.extend(self.compiler.cage_gaps().and_then(cage_problem));
        }
        loaded.problems.extend(self.cache.as_ref().and_then(|cache| cache_problem(cache)));
        loaded
    }

    /// Reads the config only to find the decision log that it asks for. Meant for events that are not judged.
    #[must_use]
    pub fn log_settings(&self) -> Option<record::Settings> {
        let mut assembly = self.assembly(None);
        let rules = self.dialect.read_rules();
        let opened: Vec<_> = self.layers().into_iter().filter_map(|layer| assembly.open(&layer, rules).ok()?).collect();
        assembly.find_log(opened.iter());
        assembly.loaded.log
    }

    /// Reads the config only to find the servers of the stores that machines share. A config that is not trusted, or a
    /// layer that does not exist, adds nothing. A config that cannot be used, a missing file that was named explicitly,
    /// or a server whose URL cannot be resolved adds an error.
    #[must_use]
    pub fn store_servers(&self) -> Vec<Result<StoreServer, String>> {
        let mut assembly = self.assembly(None);
        let rules = self.dialect.read_rules();
        let mut servers = Vec::new();
        for layer in self.layers() {
            let opened = match assembly.open(&layer, rules) {
                Ok(Some(opened)) => opened,
                Ok(None) if self.files.is_empty() => continue,
                Ok(None) => {
                    servers.push(Err(format!("`{}` does not exist", layer.path.display())));
                    continue;
                }
                Err(_) if layer.source == Source::PROJECT => continue,
                Err(unreadable) => {
                    servers.push(Err(unreadable.problem.to_string()));
                    continue;
                }
            };
            let Opened { file, fault, reading, standing, .. } = opened;
            if standing.why_untrusted().is_some() {
                continue;
            }
            let fault = fault.map(|fault| *fault).or(reading.broken);
            let server = match (fault, reading.server) {
                (Some(fault), _) => Err(fault.to_string()),
                (None, None) => continue,
                (None, Some(server)) => assembly
                    .builder
                    .resolve_server(server)
                    .map_err(|why| format!("the shared store of `{}`: {why}", file.path.display())),
            };
            if !servers.contains(&server) {
                servers.push(server);
            }
        }
        servers
    }

    /// Returns the configs of projects that the user has trusted and that the search did not find. They must not
    /// silently disappear because of `git init` or a config in a subdirectory, because of a link to the directory, or
    /// because the agent works in another directory.
    fn hidden_layers(&self, found: &[Layer]) -> Vec<Layer> {
        let Some(store) = self.store_of_files() else { return Vec::new() };
        let outer = outer(&self.places_of_projects(), found).into_iter();
        outer.filter(|layer| matches!(store.look_up(&layer.path), Ok(Some(_)))).collect()
    }

    /// Returns the configs that the user has trusted and that no longer exist.
    fn gone_layers(&self) -> Vec<Layer> {
        let Some(store) = self.store_of_files() else { return Vec::new() };
        let gone = self.places_of_projects().into_iter().filter(|place| !place.is_file());
        store.trusted_once(gone).into_iter().map(|place| Layer::new(place, Source::PROJECT)).collect()
    }

    fn is_trusted(&self, layer: &Layer) -> bool {
        self.store_of_files().is_some_and(|store| matches!(store.look_up(&layer.path), Ok(Some(_))))
    }

    pub(super) fn store_of_files(&self) -> Option<&TrustStore> {
        self.trust_store.as_ref().filter(|_| self.files.is_empty() && self.dialect.keeps_outer_projects())
    }

    /// Returns the paths at which the agent's projects may have configs.
    pub(super) fn places_of_projects(&self) -> Vec<PathBuf> {
        let dirs = std::iter::once(&self.cwd).chain(&self.also_in);
        let dirs: Vec<PathBuf> = dirs.flat_map(|dir| [Some(dir.clone()), dir.canonicalize().ok()]).flatten().collect();
        places_above(&self.app, self.home.as_deref(), &dirs)
    }

    pub(super) fn assembly<'a>(&'a self, previous: Option<&'a [BuiltHook]>) -> Assembly<'a> {
        let rule = self.dialect.rule();
        // In other systems, a failure after a tool call has no consequence.
        let judges = |event: &Event| self.dialect.name() == "hookbox" && event.has_result();
        Assembly {
            loaded: Loaded {
                registry: Arc::new(Registry::with_rule(rule)),
                hooks: Vec::new(),
                problems: self.noted.clone(),
                files: Vec::new(),
                broken: None,
                kept: Vec::new(),
                log: None,
                digest: String::new(),
                built: Vec::new(),
                is_passing: false,
                of_hooks: Vec::new(),
                named: BTreeSet::new(),
            },
            builder: self.builder(),
            guarded: Event::ALL.iter().copied().filter(|event| rule(*event).gating || judges(event)).collect(),
            // Naming a file explicitly vouches for it.
            trusts_projects: self.trust_all || !self.files.is_empty(),
            include_untrusted: self.include_untrusted,
            trust_store: self.trust_store.as_ref().filter(|_| self.dialect.checks_file_trust()),
            trust_help: self.trust_help(),
            previous,
            only_for: self.only_for.clone(),
            unusable: Vec::new(),
            halted: false,
            tools: Tools::default(),
            counts: HashMap::new(),
        }
    }

    /// Builds the hook of one entry of a config, as [`load`](Loader::load) does for all of them. This does not check
    /// whether the file is trusted.
    ///
    /// # Errors
    /// Returns an error if the hook cannot run.
    pub fn hook(&self, file: &ConfigFile, entry: Entry) -> Result<Arc<dyn Hook>, Failure> {
        let Built { hook, failure, .. } = self.builder().build(file, entry);
        failure.map_or(Ok(hook), Err)
    }

    /// Creates a builder for the hooks of a config.
    fn builder(&self) -> Builder<'_> {
        Builder {
            dialect: Arc::clone(&self.dialect),
            cwd: &self.cwd,
            host_env: &self.host_env,
            spawner: Arc::clone(&self.spawner),
            codecs: self.codecs,
            builtins: self.builtins,
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
            reader: None,
        }
    }

    /// Returns the directories around the agent, for classifying paths.
    pub(super) fn scene(&self) -> Scene {
        let variable =
            |name: &str| self.host_env.iter().find(|(known, _)| known == name).map(|(_, value)| Path::new(value));
        let mut scene = Scene::new(&self.cwd);
        if let Some(home) = &self.home {
            scene = scene.with_home(home);
        }
        // A relative path would be a different directory for each project.
        if let Some(temp) = variable("TMPDIR").filter(|dir| dir.is_absolute() && dir.parent().is_some()) {
            scene = scene.with_temp(temp);
        }
        self.builder().reserved.own_dirs().into_iter().fold(scene, Scene::with_hookbox)
    }

    /// Returns the host's directories that decide which hooks run, and what they run.
    fn stores(&self) -> Vec<PathBuf> {
        let trust = self.trust_store.iter().map(TrustStore::dir);
        let cache = self.cache.iter().flat_map(|cache| cache.dirs());
        trust.chain(cache).map(Path::to_owned).collect()
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
}

/// Creates a warning about what the compiler's cage lacks. The warning names this program rather than a config file.
fn cage_problem(gaps: String) -> Option<Problem> {
    let program = std::env::current_exe().ok()?;
    Some(Problem { severity: Severity::Warning, ..Problem::about_file(&program, Code::Cage, gaps) })
}

/// Returns a warning if the cache could not be used. Components are then recompiled; nothing else changes.
fn cache_problem(cache: &Cache) -> Option<Problem> {
    let message = format!("the cache of compiled components could not be used: {}", cache.fault()?);
    Some(Problem { severity: Severity::Warning, ..Problem::about_file(cache.path(), Code::Cache, message) })
}
