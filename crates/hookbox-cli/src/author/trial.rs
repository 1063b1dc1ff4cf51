//! Asks a hook about cases as an agent would: with the engine's registry, chain, sandbox and limits.

use super::cases::{Actual, Case};
use super::subject::Subject;
use hookbox::Registry;
use hookbox::config::Loader;
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Code, Decision, Event, Failure, Field, Input, Json, Kind};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The home directory that the facts of a case speak of.
const HOME: &str = "/home/user";

/// The directory that the agent of a case works in, unless the case names one.
const CWD: &str = "/home/user/project";

/// A hook ready to be asked, with any settings that a case has for it.
pub struct Workbench<'l> {
    loader: &'l Loader,
    subject: &'l Subject,
    cwd: PathBuf,
    kind: Kind,
    /// One registry per override of the hook's settings.
    ready: HashMap<Option<String>, Registry>,
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The answer.
    pub given: Actual,
    /// Whether the hook was asked at all.
    pub asked: bool,
    /// How long it took, including everything that the engine does for it.
    pub took: Duration,
}

impl<'l> Workbench<'l> {
    /// Prepares the hook: compiles a component, or looks up the program of a shell hook. `loader` does this and must
    /// have the subject's dialect; `cwd` is the agent's working directory.
    ///
    /// # Errors
    /// The hook could never answer.
    pub fn new(loader: &'l Loader, subject: &'l Subject, cwd: impl Into<PathBuf>) -> Result<Self, Failure> {
        let kind = Kind::Config;
        let mut bench = Workbench { loader, subject, cwd: cwd.into(), kind, ready: HashMap::new() };
        bench.prepare(None)?;
        Ok(bench)
    }

    /// How the hook is run.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    fn prepare(&mut self, settings: Option<&Json>) -> Result<(), Failure> {
        let key = settings.map(|settings| settings.as_str().to_owned());
        if self.ready.contains_key(&key) {
            return Ok(());
        }
        let entry = &self.subject.entry;
        let entry = entry.clone().with_settings(settings.or(entry.settings.as_ref()).cloned());
        let hook = self.loader.hook(&self.subject.file, entry)?;
        self.kind = hook.kind();
        let registry = Registry::with_rule(self.subject.dialect.rule());
        // Cases must come out the same on every machine.
        registry.find_facts_with(Facts::new(Scene::new(CWD).with_home(HOME), Tools::default()));
        if hook.info().wants_commands {
            registry.read_commands_with(self.loader.sandbox()?.command_reader()?);
        }
        registry.register_shared(hook).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        self.ready.insert(key, registry);
        Ok(())
    }

    /// An Input as the hook sees it: complete, and with the facts of its tool call.
    pub async fn complete(&self, input: &Input) -> Input {
        let mut input = input.clone();
        self.subject.dialect.complete(&mut input, &self.cwd);
        if let Some(registry) = self.ready.get(&None) {
            registry.add_facts(&mut input, self.subject.entry.info.wants_commands).await;
        }
        input
    }

    /// Asks the hook about one case.
    ///
    /// # Errors
    /// With the settings of this case, the hook could never answer.
    pub async fn ask(&mut self, case: &Case) -> Result<Trial, Failure> {
        self.ask_about(&case.input, case.settings.as_ref()).await
    }

    /// Asks the hook about an Input.
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub async fn ask_about(&mut self, input: &Input, settings: Option<&Json>) -> Result<Trial, Failure> {
        self.prepare(settings)?;
        let key = settings.map(|settings| settings.as_str().to_owned());
        let Some(registry) = self.ready.get(&key) else {
            return Err(Failure::new(Code::Internal, "was not prepared"));
        };
        let mut input = input.clone();
        self.subject.dialect.complete(&mut input, &self.cwd);
        let info = &self.subject.entry.info;
        let event = input.event;
        let started = Instant::now();
        let outcome = registry.run(input).await;
        let took = started.elapsed();
        let mut given = Actual { notes: outcome.warnings.iter().map(note).collect(), ..Actual::default() };
        if !info.events.iter().any(|(heard, _)| *heard == event) {
            let events: Vec<&str> = info.events.iter().map(|(event, _)| event.as_str()).collect();
            given.unheard = Some(format!("it does not hear {event}, but {}", events.join(", ")));
        }
        let Some(record) = outcome.hooks.into_iter().next() else {
            given.notes.push("the hook was not asked: its `match` does not concern this tool".to_owned());
            return Ok(Trial { given, asked: false, took });
        };
        let unrest = outcome.warnings.into_iter().find(|warning| warning.code == Code::Unrest);
        given.decision = record.decision;
        given.reason = outcome.reason.or(record.action.reason);
        given.failure = record.failure.or(unrest.map(|warning| Failure::new(warning.code, warning.message)));
        if given.decision == Decision::Modify && given.failure.is_none() {
            given.modified = outcome.input.as_deref().and_then(rewritable);
        }
        if given.failure.is_some() {
            // The failure already contains them.
            given.notes.clear();
        }
        Ok(Trial { given, asked: true, took })
    }
}

fn note(warning: &hookbox::Warning) -> String {
    format!("{}: {}", warning.code, warning.message)
}

/// The part of an Input that a hook can rewrite.
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
