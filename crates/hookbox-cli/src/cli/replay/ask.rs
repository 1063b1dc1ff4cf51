//! Asks the hooks about recorded events, without effects on anything.

use anyhow::Context;
use async_trait::async_trait;
use hookbox::config::{Loaded, Summary};
use hookbox::record::{HookLine, Line};
use hookbox::{
    Action, Answer, Caller, Code, Decision, Event, Failure, Field, Hook, HookInfo, Input, Kind, Mode, Outcome, Registry,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many tasks share the events. If there are more tasks than cores, all cores stay busy to the end.
const TASKS: usize = 8;

/// The new answer of the hooks to a recorded event.
pub(super) enum Anew {
    Answered {
        outcome: Box<Outcome>,
        /// Why some hook could not be asked. The Outcome is what the others have decided.
        unknown: Option<String>,
    },
    /// The event was not judged, or is not in the log as it was. The text says why.
    LeftOut(&'static str),
}

tokio::task_local! {
    /// The event that is being replayed.
    static NOW: Now;
}

struct Now {
    line: Arc<Line>,
    /// The hooks that could not be asked, by name and entry, each with why.
    unknown: RefCell<BTreeMap<(String, Option<String>), String>>,
    /// Whether an answer was repeated about a form of the Input that the log does not have.
    is_between: Cell<bool>,
}

impl Now {
    /// Returns why the replay cannot go by the answer that it repeated about a form between the first and the last one:
    /// the last one shows that the forms are not those of then.
    fn strayed(&self, outcome: &Outcome) -> Option<String> {
        let last = self.line.final_input.as_ref().or(self.line.input.as_ref());
        let last = last.and_then(|last| Input::from_slice(last.get().as_bytes()).ok());
        let is_as_then = last.zip(outcome.input.as_deref()).is_some_and(|(then, now)| is_same(&then, now));
        let why = "the hooks rewrite the Input otherwise than they did then";
        (self.is_between.get() && !is_as_then).then(|| why.to_owned())
    }
}

/// The config of the replay, as far as it says whether hooks rewrite an Input as they did then.
struct Config {
    digest: String,
    /// The digest of what each hook runs, by the hook's name and source.
    code: Vec<(String, String, Option<String>)>,
}

impl Config {
    fn new(loaded: &Loaded) -> Self {
        let of = |hook: &Summary| (hook.name.clone(), hook.source.to_string(), hook.sha256.clone());
        Config { digest: loaded.digest.clone(), code: loaded.hooks.iter().map(of).collect() }
    }

    /// Returns whether the hooks before this index are those of then, so that the hook at the index gets the same form
    /// of the Input. Those that do more than compute repeat their answers.
    fn is_of(&self, line: &Line, index: usize) -> bool {
        let is_as_then = |said: &HookLine| {
            let mut known = self.code.iter().filter(|(name, source, _)| *name == said.name && *source == said.source);
            let code = known.next().filter(|_| known.next().is_none()).and_then(|(.., code)| code.as_ref());
            said.code.is_none() && (said.entry.is_some() || code.is_some() && code == said.digest.as_ref())
        };
        // A hook may rewrite a mark in place of a secret otherwise than the secret.
        let is_masked = line.masked.iter().any(|pointer| pointer.starts_with("/input"));
        !is_masked
            && line.config.as_ref() == Some(&self.digest)
            && line.host.version == env!("CARGO_PKG_VERSION")
            && line.hooks.iter().take(index).all(is_as_then)
    }
}

/// Asks the hooks about each event, in any order. Returns the answers in the order of `lines`. If `only` is given, only
/// this hook is asked.
pub(super) fn ask(loaded: &Loaded, lines: &[Line], only: Option<&str>) -> anyhow::Result<Vec<Anew>> {
    let registry = &loaded.registry;
    // A hook that is asked alone gets the first form of the Input, whatever the others rewrote.
    let config = only.is_none().then(|| Arc::new(Config::new(loaded)));
    let mut hooks: Vec<Arc<dyn Hook>> = Vec::new();
    for event in Event::ALL {
        for hook in registry.for_event(*event) {
            let is_sync = hook.info().events.contains(&(*event, Mode::Sync));
            if is_sync && only.is_none_or(|only| hook.info().name == only) {
                let (name, source) = (&hook.info().name, &hook.info().source);
                let about = |summary: &&Summary| summary.name == *name && summary.source == *source;
                let mut namesakes = loaded.hooks.iter().filter(about);
                // If several hooks have this name, it is not known which of them gave a recorded answer.
                let summary = namesakes.next().filter(|_| namesakes.next().is_none());
                hooks.push(Arc::new(Replayed::new(hook, *event, summary, config.clone())));
            }
        }
    }
    registry.replace_all(hooks).context("the hooks cannot be replaced")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let lines: Vec<Arc<Line>> = lines.iter().cloned().map(Arc::new).collect();
    let share = lines.len().div_ceil(TASKS).max(1);
    let mut answers: Vec<(usize, Vec<Anew>)> = runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for (index, share) in lines.chunks(share).enumerate() {
            let (share, registry) = (share.to_vec(), Arc::clone(registry));
            tasks.spawn(async move {
                let mut answers = Vec::with_capacity(share.len());
                for line in share {
                    answers.push(ask_about(&registry, line).await);
                }
                (index, answers)
            });
        }
        tasks.join_all().await
    });
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().flat_map(|(_, answers)| answers).collect())
}

async fn ask_about(registry: &Registry, line: Arc<Line>) -> Anew {
    let mut input = match recorded_input(&line) {
        Ok(input) => input,
        Err(why) => return Anew::LeftOut(why),
    };
    input.now.get_or_insert_with(|| line.time.clone());
    let now = Now { line, unknown: RefCell::default(), is_between: Cell::default() };
    NOW.scope(now, async {
        let outcome = Box::new(registry.run(input).await);
        let unknown = NOW.with(|now| now.unknown.take().into_values().next().or_else(|| now.strayed(&outcome)));
        Anew::Answered { outcome, unknown }
    })
    .await
}

fn recorded_input(line: &Line) -> Result<Input, &'static str> {
    if line.verdict == "none" || line.off {
        return Err("it was not judged");
    }
    if line.cut.iter().any(|pointer| pointer.starts_with("/input")) {
        return Err("its Input is shortened in the log");
    }
    if !line.has_recorded_input() {
        return Err("its Input is not the one that was recorded");
    }
    let Some(input) = &line.input else { return Err("its Input is not in the log") };
    Input::from_slice(input.get().as_bytes()).map_err(|_| "its Input is not valid")
}

/// A hook that is asked again if it only computes, and that otherwise repeats its recorded answer.
struct Replayed {
    hook: Arc<dyn Hook>,
    info: HookInfo,
    /// The digest of the hook's entry in the config.
    entry: Option<String>,
    /// Why the hook cannot run.
    problem: Option<String>,
    /// The config, if all its hooks are asked.
    config: Option<Arc<Config>>,
}

impl Replayed {
    fn new(hook: Arc<dyn Hook>, event: Event, summary: Option<&Summary>, config: Option<Arc<Config>>) -> Self {
        let mut info = hook.info().clone();
        info.events = vec![(event, Mode::Sync)];
        let problem = summary.and_then(|summary| summary.problem.clone());
        Replayed { hook, info, entry: summary.and_then(Summary::entry_digest), problem, config }
    }

    fn only_computes(&self) -> bool {
        self.hook.is_pure() && matches!(self.hook.kind(), Kind::Component | Kind::Script)
    }

    /// Returns the hook's recorded answer to this event, if the log has it and if it was about this Input.
    fn recorded(&self, input: &Input) -> Result<Action, Failure> {
        NOW.with(|now| {
            let named = || now.line.hooks.iter().enumerate().filter(|(_, hook)| hook.name == self.info.name);
            // An answer of another hook with this name, such as the same hook with other settings, does not count.
            let of_this = named().find(|(_, said)| self.entry.is_some() && said.entry == self.entry);
            let answers_again = self.hook.is_pure() || self.info.recheck;
            let was_about_this =
                |index| answered(&now.line, index, answers_again).is_some_and(|it| is_same(&it, input));
            // The log has no form between two rewrites. The same hooks come to the same one again.
            let is_between = |index| {
                !answers_again
                    && rewritten(&now.line, index) == Some((true, true))
                    && self.config.as_ref().is_some_and(|config| config.is_of(&now.line, index))
            };
            let answer =
                of_this.filter(|(index, _)| was_about_this(*index) || is_between(*index)).map(|(_, said)| said);
            let key = (self.info.name.clone(), self.entry.clone());
            if let Some(action) = answer.and_then(action) {
                now.unknown.borrow_mut().remove(&key);
                now.is_between.set(now.is_between.get() || of_this.is_some_and(|(index, _)| is_between(index)));
                return Ok(action);
            }
            let is_replaced = answers_again && of_this.is_some_and(|(index, _)| is_replaced(&now.line, index, input));
            let missing = match of_this {
                Some(_) if is_replaced => Missing::Replaced,
                Some(_) if answer.is_none() => Missing::OtherInput,
                Some(_) => Missing::Unrepeatable,
                None if named().next().is_some() => Missing::OtherEntry,
                None => Missing::Unrecorded,
            };
            now.unknown.borrow_mut().insert(key, self.explain(missing));
            // That answer stopped nothing, and counts no more once the hook is asked again.
            if is_replaced {
                Ok(Action::allow())
            } else {
                Err(Failure::new(Code::Cancelled, "is not asked in a replay"))
            }
        })
    }

    /// Returns why the hook could not be asked, for the user.
    fn explain(&self, missing: Missing) -> String {
        let (name, kind) = (&self.info.name, self.hook.kind());
        let why = match (missing, &self.problem) {
            (Missing::OtherEntry | Missing::Unrecorded, Some(problem)) => return format!("`{name}` {problem}"),
            (Missing::Replaced, _) => "the log has only what it said about the rewritten Input",
            (Missing::OtherInput, _) => "was not asked about this rewrite of the Input then",
            (Missing::Unrepeatable, _) => "what it said then cannot be repeated",
            (Missing::OtherEntry, None) => "its entry in the config was another one then",
            (Missing::Unrecorded, None) => "the log has no answer of it",
        };
        format!("`{name}` ({kind}) does more than compute, and {why}")
    }
}

/// Why the log has no answer of a hook that can be repeated.
#[derive(Clone, Copy)]
enum Missing {
    /// The answer to this Input was replaced by one to a later rewrite.
    Replaced,
    /// The answer was to another form of the Input.
    OtherInput,
    /// The answer depends on more than the log has.
    Unrepeatable,
    /// The answer is of a hook with this name and another entry in the config.
    OtherEntry,
    /// The log has no answer of a hook with this name.
    Unrecorded,
}

/// Returns whether hooks before the one at this index, and whether it or hooks after it, have rewritten the Input.
fn rewritten(line: &Line, index: usize) -> Option<(bool, bool)> {
    let rewrite = |hooks: &[HookLine]| hooks.iter().any(|hook| hook.enforce && !hook.rewrites.is_empty());
    let (before, after) = line.hooks.split_at_checked(index)?;
    Some((rewrite(before), rewrite(after)))
}

/// Returns whether the hook at this index, which answers again after later rewrites, was first asked about this Input.
fn is_replaced(line: &Line, index: usize, input: &Input) -> bool {
    rewritten(line, index) == Some((false, true)) && recorded_input(line).is_ok_and(|first| is_same(&first, input))
}

/// Returns the Input that the hook at this index has answered last, if the log has it. The log has the first and the
/// last form of the Input, and none between them. `rechecks` says whether the hook answered again after later rewrites.
fn answered(line: &Line, index: usize, rechecks: bool) -> Option<Input> {
    let form = match rewritten(line, index)? {
        (false, true) if !rechecks => line.input.as_ref(),
        (true, true) if !rechecks => None,
        _ => line.final_input.as_ref().or(line.input.as_ref()),
    };
    Input::from_slice(form?.get().as_bytes()).ok()
}

/// Returns whether two forms of an Input are the same, in all that hooks can rewrite.
fn is_same(one: &Input, other: &Input) -> bool {
    let has_same = |field| one.field(field) == other.field(field);
    (&one.tool_input, &one.tool_result, &one.message) == (&other.tool_input, &other.tool_result, &other.message)
        && has_same(Field::Messages)
        && has_same(Field::Summary)
}

/// Returns a recorded answer as an Action, if that does not depend on anything else.
fn action(said: &HookLine) -> Option<Action> {
    let reason = said.reason.clone().unwrap_or_default();
    match said.decision.as_str() {
        _ if said.code.is_some() => None,
        "allow" => Some(Action::allow()),
        "deny" => Some(Action::deny(reason)),
        "ask" => Some(Action::ask(reason)),
        _ => None,
    }
}

#[async_trait]
impl Hook for Replayed {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        if self.only_computes() { self.hook.run(input).await } else { self.recorded(input) }
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        if self.only_computes() { self.hook.answer(input, caller).await } else { self.recorded(input).into() }
    }

    fn kind(&self) -> Kind {
        self.hook.kind()
    }

    fn is_pure(&self) -> bool {
        self.hook.is_pure()
    }
}

/// Returns what one hook decided.
pub(super) fn decision_of(outcome: &Outcome, hook: &str) -> Option<Decision> {
    outcome.hooks.iter().find(|record| record.name == hook).map(|record| record.decision)
}
