//! Asks a hook about cases as an agent would: with the engine's registry, chain, sandbox and limits.

use super::cases::{Actual, Case, Powers};
use super::subject::Subject;
use hookbox::Registry;
use hookbox::config::{Entry, HookTarget, Loader};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::runtime::Hook;
use hookbox::runtime::component::{NetAnswer, NetRecord, StoreScope};
use hookbox::{Code, Decision, Event, Failure, Field, Input, Json, Kind};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The home directory in the facts of a case.
const HOME: &str = "/home/user";

/// The directory that the agent of a case works in, unless the case names one.
const CWD: &str = "/home/user/project";

/// The session of a case whose Input names none. Stores with session scope need one.
const SESSION: &str = "case";

/// The source of the answers to a hook's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// The answers in the hook's case.
    Case,
    /// The servers that the hook asks.
    Live,
}

/// A hook ready to be asked, with any settings that a case has for it.
pub struct Workbench<'l> {
    loader: &'l Loader,
    subject: &'l Subject,
    cwd: PathBuf,
    network: Network,
    /// What the network answered since the last case.
    record: NetRecord,
    kind: Kind,
    /// The prepared hooks, one for each override of the hook's settings and each set of answers.
    ready: HashMap<Key, Ready>,
}

/// The inputs for preparing a hook: the text of its settings, and the answers to its requests.
type Key = (Option<String>, Vec<NetAnswer>);

struct Ready {
    registry: Registry,
    hook: Arc<dyn Hook>,
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The answer.
    pub given: Actual,
    /// Whether the hook was asked at all.
    pub asked: bool,
    /// The values in the hook's store after the call, if it is granted one.
    pub stored: Option<BTreeMap<String, Vec<u8>>>,
    /// How long the call took, including everything that the engine does for it.
    pub took: Duration,
}

impl<'l> Workbench<'l> {
    /// Prepares the hook: compiles a component, or looks up the program of a shell hook. `loader` does this and must
    /// have the subject's dialect; `cwd` is the agent's working directory.
    ///
    /// # Errors
    /// Returns an error if the hook could never answer.
    pub fn new(
        loader: &'l Loader,
        subject: &'l Subject,
        cwd: impl Into<PathBuf>,
        network: Network,
    ) -> Result<Self, Failure> {
        let (cwd, record) = (cwd.into(), NetRecord::default());
        let mut bench = Workbench { loader, subject, cwd, network, record, kind: Kind::Config, ready: HashMap::new() };
        bench.prepare(None, &[])?;
        Ok(bench)
    }

    /// Returns how the hook is run.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    fn prepare(&mut self, settings: Option<&Json>, answers: &[NetAnswer]) -> Result<(), Failure> {
        let key = key(settings, answers);
        if self.ready.contains_key(&key) {
            return Ok(());
        }
        let entry = &self.subject.entry;
        let mut entry = entry.clone().with_settings(settings.or(entry.settings.as_ref()).cloned());
        self.replace_powers(&mut entry, answers);
        let hook = self.loader.hook(&self.subject.file, entry)?;
        self.kind = hook.kind();
        let registry = Registry::with_rule(self.subject.dialect.rule());
        // Cases must have the same result on every machine.
        registry.find_facts_with(Facts::new(Scene::new(CWD).with_home(HOME), Tools::default()));
        if hook.info().wants_commands {
            registry.read_commands_with(self.loader.sandbox()?.command_reader()?);
        }
        let internal = |error: hookbox::RegisterError| Failure::new(Code::Internal, error.to_string());
        registry.register_shared(Arc::clone(&hook)).map_err(internal)?;
        self.ready.insert(key, Ready { registry, hook });
        Ok(())
    }

    /// Replaces the network and a shared store in the hook's grants, because cases must not need a server.
    fn replace_powers(&self, entry: &mut Entry, answers: &[NetAnswer]) {
        let HookTarget::Component(component) = &mut entry.target else { return };
        let grants = &mut component.grants;
        if let Some(store) = grants.store.as_mut().filter(|store| store.scope == StoreScope::Shared) {
            store.scope = StoreScope::User;
        }
        grants.net = grants.net.take().map(|net| match self.network {
            Network::Case => net.answered_by(answers.to_vec()),
            Network::Live => net.recorded_to(self.record.clone()),
        });
    }

    /// Returns an Input as the hook sees it: complete, and with the facts of its tool call.
    pub async fn complete(&self, input: &Input) -> Input {
        let mut input = input.clone();
        self.subject.dialect.complete(&mut input, &self.cwd);
        if let Some(Ready { registry, .. }) = self.ready.get(&key(None, &[])) {
            registry.add_facts(&mut input, self.subject.entry.info.wants_commands).await;
        }
        input
    }

    /// Asks the hook about one case.
    ///
    /// # Errors
    /// Returns an error if the hook could never answer with the settings of this case.
    pub async fn ask(&mut self, case: &Case) -> Result<Trial, Failure> {
        self.ask_with(&case.input, case.settings.as_ref(), &case.powers).await
    }

    /// Asks the hook about an Input, without overriding its settings and with an empty store.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`ask`](Self::ask).
    pub async fn ask_about(&mut self, input: &Input) -> Result<Trial, Failure> {
        self.ask_with(input, None, &Powers::default()).await
    }

    async fn ask_with(&mut self, input: &Input, settings: Option<&Json>, powers: &Powers) -> Result<Trial, Failure> {
        self.prepare(settings, &powers.http)?;
        let Some(Ready { registry, hook }) = self.ready.get(&key(settings, &powers.http)) else {
            return Err(Failure::new(Code::Internal, "was not prepared"));
        };
        let mut input = input.clone();
        let store = hook.as_component().filter(|_| self.has_store());
        if let Some(component) = store {
            let session = input.session_id.get_or_insert_with(|| SESSION.to_owned());
            let before = powers.before.iter().map(|(key, value)| (key.clone(), value.clone().into_bytes())).collect();
            component.restock(Some(session), &before).await?;
        }
        let session = input.session_id.clone();
        self.subject.dialect.complete(&mut input, &self.cwd);
        let info = &self.subject.entry.info;
        let event = input.event;
        let started = Instant::now();
        let outcome = registry.run(input).await;
        let took = started.elapsed();
        let stored = match store {
            Some(component) => component.stored(session.as_deref()).await?,
            None => None,
        };
        let notes = outcome.warnings.iter().map(note).collect();
        let mut given = Actual { notes, requests: self.record.take(), ..Actual::default() };
        if !info.events.iter().any(|(heard, _)| *heard == event) {
            let events: Vec<&str> = info.events.iter().map(|(event, _)| event.as_str()).collect();
            given.unheard = Some(format!("it does not hear {event}, but {}", events.join(", ")));
        }
        let Some(record) = outcome.hooks.into_iter().next() else {
            given.notes.push("the hook was not asked: its `match` does not concern this tool".to_owned());
            return Ok(Trial { given, asked: false, stored, took });
        };
        let unrest = outcome.warnings.into_iter().find(|warning| warning.code == Code::Unrest);
        given.decision = record.decision;
        given.reason = outcome.reason.or(record.action.reason);
        given.failure = record.failure.or(unrest.map(|warning| Failure::new(warning.code, warning.message)));
        if given.decision == Decision::Modify && given.failure.is_none() {
            given.modified = outcome.input.as_deref().and_then(rewritable);
        }
        if given.failure.is_some() {
            // The failure already contains the notes.
            given.notes.clear();
        }
        Ok(Trial { given, asked: true, stored, took })
    }

    fn has_store(&self) -> bool {
        matches!(&self.subject.entry.target, HookTarget::Component(component) if component.grants.store.is_some())
    }
}

fn key(settings: Option<&Json>, answers: &[NetAnswer]) -> Key {
    (settings.map(|settings| settings.as_str().to_owned()), answers.to_vec())
}

fn note(warning: &hookbox::Warning) -> String {
    format!("{}: {}", warning.code, warning.message)
}

/// Returns the part of an Input that a hook can rewrite.
pub(super) fn rewritable(input: &Input) -> Option<Json> {
    match input.event {
        Event::PreTool => input.tool_input.clone(),
        Event::PostTool | Event::ToolResponseTransform => {
            input.tool_result.as_ref().and_then(|result| Json::from_value(result).ok())
        }
        Event::PreMessage | Event::PostMessage => input.message.as_deref().map(Json::string),
        Event::BeforeLlmCall => input.field(Field::Messages).cloned(),
        Event::BeforeCompaction => input.field(Field::Summary).cloned(),
        _ => None,
    }
}
