//! Hooks of hookbox's own config that ask a model.

mod ledger;
mod question;
mod verdict;

use super::docker_agent::Prompt;
use crate::config::{ModelDefinition, ModelEntry, ModelPlace, ModelSchema};
use crate::protocol::{Action, Answer, Code, Event, Failure, Input};
use crate::runtime::{Caller, CallerLeft, Hook, HookInfo};
use async_trait::async_trait;
use hookbox_model::{Client, Model, Price, Provider, Question};
use hookbox_net::Surroundings;
use ledger::{Cache, Ledger};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The events on which text for the agent's model is of use.
const TEXT_EVENTS: &[Event] = &[Event::SessionStart, Event::TurnStart, Event::PreMessage, Event::PreCompact];

/// Makes the hook of an entry with a `model`.
///
/// # Errors
/// Returns an error if the model, its prompt or an event does not fit, or if its key cannot be used.
pub(super) fn hook(entry: ModelEntry, info: HookInfo, place: ModelPlace) -> Result<Arc<dyn Hook>, Failure> {
    let wrong = |message: String| Failure::new(Code::ConfigValue, message);
    check_events(&entry, &info).map_err(wrong)?;
    let faulty = |error: &str| wrong(format!("has a `prompt` with a fault: {error}"));
    let prompt = Prompt::parse(&entry.prompt).map_err(|error| faulty(&error))?;
    prompt.fault().map_or(Ok(()), |fault| Err(faulty(fault)))?;
    let model = model(&entry).map_err(|error| wrong(format!("cannot ask its model: {error}")))?;
    let definition = entry.definition.as_ref();
    let limit = entry.max_tokens.or(definition.and_then(|model| model.max_tokens));
    let max_tokens = limit.unwrap_or(Question::MAX_TOKENS);
    if entry.budget.micro_usd.is_some() && model.price.is_none() {
        let help = "define the model under `[models]`, with its `price`";
        return Err(wrong(format!("has a `budget` in `usd`, and the price of its model is not known: {help}")));
    }
    let mut ledgers = vec![Ledger::new(&place, &info.name, entry.budget)];
    if let Some(definition) = definition {
        // All hooks that ask this model share the ledger.
        ledgers.push(Ledger::new(&place, &format!("[models.{}]", entry.model), definition.budget));
    }
    let ledgers = ledgers.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let cache = entry.cache.map(|ttl| Cache::new(&place, &info.name, ttl)).transpose()?;
    let variables = |name: &str| place.variables.get(name).cloned();
    let client = Client::new(model, Surroundings { variables: &variables, dir: &place.dir })
        .map_err(|error| Failure::new(Code::Grant, format!("cannot ask its model: {error}")).caused_by(error))?;
    let schema = entry.schema;
    Ok(Arc::new(ModelHook { info, client, prompt, schema, max_tokens, ledgers, cache }))
}

/// Checks that the hook is of use on its events: a verdict where it can stop something, text where a model reads it.
fn check_events(entry: &ModelEntry, info: &HookInfo) -> Result<(), String> {
    let (fits, why): (fn(Event) -> bool, _) = match entry.schema {
        ModelSchema::Decision => (Event::is_gating, "a decision stops nothing there"),
        ModelSchema::Text => (|event| TEXT_EVENTS.contains(&event), "no model reads the text there"),
    };
    let unfit = info.events.iter().find(|(event, _)| !fits(*event));
    unfit.map_or(Ok(()), |(event, _)| Err(format!("asks a model on {event}, where it has no use: {why}")))
}

/// Returns the model that an entry names.
fn model(entry: &ModelEntry) -> Result<Model, String> {
    let Some(definition) = &entry.definition else {
        return Model::named(&entry.model)
            .map_err(|error| format!("{error}; or define `{}` under `[models]` in the same file", entry.model));
    };
    let ModelDefinition { provider, model, base_url, key, ca, private, proxy, price, .. } = definition;
    let known: Vec<&str> = Provider::ALL.iter().map(|provider| provider.as_str()).collect();
    let provider = Provider::by_name(provider)
        .ok_or_else(|| format!("`provider` is {provider:?}, which is none of {}", known.join(", ")))?;
    let mut asked = Model::new(provider, model);
    if let Some(url) = base_url {
        asked.base_url.clone_from(url);
        // The key for the provider's own server must go to no other server.
        asked.key = None;
    }
    if key.is_some() {
        asked.key.clone_from(key);
    }
    asked.ca = ca.as_ref().map(PathBuf::from);
    asked.private = *private;
    asked.proxy = *proxy;
    asked.price = price.map(|(input, output)| Price::new(input, output));
    Ok(asked)
}

/// A hook that asks a model.
struct ModelHook {
    info: HookInfo,
    client: Client,
    prompt: Prompt,
    schema: ModelSchema,
    max_tokens: u32,
    ledgers: Vec<Ledger>,
    cache: Option<Cache>,
}

impl ModelHook {
    async fn ask(&self, input: &Input, deadline: Instant) -> Result<Action, Failure> {
        let question = question::of(&self.prompt, self.schema, input)
            .map_err(|error| Failure::failed(format!("the prompt cannot be made: {error}")))?
            .with_max_tokens(self.max_tokens);
        let accepts = |text: &str| self.read(text).map(drop);
        let key = self.cache.as_ref().map(|_| question::digest(self.client.model(), &question));
        if let (Some(cache), Some(key)) = (&self.cache, &key)
            && let Some(text) = cache.get(key, deadline).await
            && let Ok(action) = self.read(&text)
        {
            return Ok(action);
        }
        let session = input.session_id.as_deref();
        let price = self.client.model().price;
        let mut reserved = Vec::new();
        for ledger in &self.ledgers {
            match ledger.reserve(session, &question, price, deadline).await {
                Ok(reservation) => reserved.push(reservation),
                Err(failure) => {
                    // Nothing is asked, so nothing is used up.
                    for reservation in &reserved {
                        reservation.release().await;
                    }
                    return Err(failure);
                }
            }
        }
        let answer = self.client.ask(&question, &accepts, deadline).await;
        for reservation in reserved {
            reservation.settle(answer.usage, answer.result.is_ok(), price).await;
        }
        tracing::debug!(
            hook = self.info.name,
            input_tokens = answer.usage.input,
            output_tokens = answer.usage.output,
            "a model was asked"
        );
        let text = answer.result.map_err(|error| Failure::failed(format!("the model: {error}")).caused_by(error))?;
        let action = self.read(&text).map_err(|error| Failure::failed(format!("the model: {error}")))?;
        if let (Some(cache), Some(key)) = (&self.cache, &key) {
            cache.set(key, &text, deadline).await;
        }
        Ok(action)
    }

    fn read(&self, text: &str) -> Result<Action, String> {
        match self.schema {
            ModelSchema::Decision => verdict::read(text),
            ModelSchema::Text => Ok(match text.trim() {
                "" => Action::allow(),
                text => Action::allow().with_context(text),
            }),
        }
    }
}

/// The longest wait for a model, for a hook without a time limit.
const LONGEST: Duration = Duration::from_secs(600);

#[async_trait]
impl Hook for ModelHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    /// Returns `true`, so that what the hook has allowed is what runs: it is asked again about what a later hook makes
    /// of the Input.
    fn is_pure(&self) -> bool {
        true
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.answer(input, &Caller::default()).await.result
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        let limit = self.info.timeout.unwrap_or(LONGEST);
        let deadline = Instant::now() + limit;
        let asked = tokio::select! {
            biased;
            asked = tokio::time::timeout_at(deadline.into(), self.ask(input, deadline)) => asked,
            left = caller.left() => return match left {
                CallerLeft::Deadline => Err(Failure::overdue(limit)).into(),
                CallerLeft::Cancelled => {
                    Err(Failure::new(Code::Cancelled, "did not answer before its caller gave up")).into()
                }
            },
        };
        match asked {
            // Whatever gives up at the deadline words its failure in its own way. Here, all of them become the same
            // failure.
            Ok(Err(_)) | Err(_) if Instant::now() >= deadline => Err(Failure::overdue(limit)).into(),
            Ok(answered) => answered.into(),
            Err(_) => Err(Failure::overdue(limit)).into(),
        }
    }
}
