//! Hooks that ask a model.

mod data;
mod functions;
#[cfg(feature = "model")]
mod http;
mod prompt;
mod shape;
#[cfg(feature = "model")]
mod tags;

#[cfg(feature = "model")]
pub(super) use http::HttpModels;
#[cfg(feature = "model")]
use shape::DECISION;

use super::builtin::HandlerError;
use super::config::Definition;
use crate::protocol::{Action, Event, Input, Json};
use async_trait::async_trait;
pub(in crate::dialect) use prompt::Prompt;
pub(super) use prompt::{TextError, TextTemplate};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// The system message for every model.
const SYSTEM: &str = "You decide as a hook inside an AI agent. Do exactly what the instructions say. Where a JSON \
                      schema is given, answer with one bare JSON object that fits it and nothing else; where none is, \
                      answer in a few words.";

/// Why there is no client, as the end of an error message.
#[cfg(feature = "model")]
const NO_CLIENT: &str = ", so that no model can be asked";
#[cfg(not(feature = "model"))]
const NO_CLIENT: &str = ": this hookbox was built without the feature `model`";

/// A client that calls models.
#[async_trait]
pub trait ModelClient: Send + Sync {
    /// Returns the whole text of the model's answer.
    ///
    /// # Errors
    /// Returns an error that says why there is no answer.
    async fn ask(&self, request: &ModelRequest) -> Result<String, String>;

    /// Checks without a request whether this model, as `provider/model`, can be asked.
    ///
    /// # Errors
    /// Returns an error that says why the model cannot be asked.
    fn probe(&self, _model: &str) -> Result<(), String> {
        Ok(())
    }
}

/// A question to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The model, as `provider/model`.
    pub model: String,
    /// The system message.
    pub system: String,
    /// The user message.
    pub prompt: String,
    /// The form that the answer must have.
    pub schema: Option<ResponseSchema>,
    /// The template that the prompt was made from. Everything else in the prompt is data.
    pub template: String,
    /// The time after which nobody waits for the answer any more.
    pub deadline: Instant,
}

/// The form that a model's answer must have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseSchema {
    /// The schema's name.
    pub name: String,
    /// The JSON schema.
    pub schema: Json,
    /// Whether the model must follow the schema exactly.
    pub strict: bool,
}

impl ResponseSchema {
    /// Creates a schema that the model need not follow exactly.
    pub fn new(name: impl Into<String>, schema: Json) -> Self {
        ResponseSchema { name: name.into(), schema, strict: false }
    }

    /// Sets whether the model must follow the schema exactly.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        ResponseSchema { strict, ..self }
    }
}

/// A function that turns a model's answer to an event into an Action.
pub type ResponseShape = dyn Fn(&str, Event) -> Result<Action, String> + Send + Sync;

/// What model hooks need: a client, and the meaning of its answers.
#[derive(Clone)]
pub(super) struct Models {
    client: Option<Arc<dyn ModelClient>>,
    shapes: HashMap<String, Arc<ResponseShape>>,
    schemas: HashMap<String, ResponseSchema>,
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Models").field("shapes", &self.shapes.keys()).finish_non_exhaustive()
    }
}

impl Default for Models {
    /// Creates a set with the stock shapes and no client.
    fn default() -> Self {
        let mut models = Models { client: None, shapes: HashMap::new(), schemas: HashMap::new() };
        models.add_shape("", Arc::new(shape::text));
        models.add_shape(shape::DECISION, Arc::new(shape::decision));
        if let Some(schema) = shape::decision_schema() {
            models.schemas.insert(shape::DECISION.to_owned(), schema);
        }
        models
    }
}

impl Models {
    pub(super) fn set_client(&mut self, client: Arc<dyn ModelClient>) {
        self.client = Some(client);
    }

    pub(super) fn add_shape(&mut self, name: &str, shape: Arc<ResponseShape>) {
        self.shapes.insert(name.to_owned(), shape);
    }

    pub(super) fn add_schema(&mut self, schema: ResponseSchema) {
        self.schemas.insert(schema.name.clone(), schema);
    }

    pub(super) fn has_shape(&self, name: &str) -> bool {
        self.shapes.contains_key(name)
    }

    pub(super) fn schema(&self, name: &str) -> Option<&ResponseSchema> {
        self.schemas.get(name)
    }
}

/// One model hook, ready to be asked.
pub(super) struct Judge {
    client: Option<Arc<dyn ModelClient>>,
    model: String,
    prompt: Prompt,
    shape: Arc<ResponseShape>,
    schema: Option<ResponseSchema>,
}

impl Judge {
    /// Creates the hook of an entry. `otherwise` is asked if the host has set no client.
    pub(super) fn new(
        models: &Models,
        otherwise: Option<&Arc<dyn ModelClient>>,
        definition: &Definition,
    ) -> Result<Self, HandlerError> {
        let required = |what: &str| HandlerError::new(format!("model hook requires a non-empty {what}"));
        if definition.model.is_empty() {
            return Err(required("model"));
        }
        if definition.prompt.is_empty() {
            return Err(required("prompt"));
        }
        let prompt = Prompt::parse(&definition.prompt)
            .map_err(|error| HandlerError::new(format!("model hook: parse prompt template: {error}")))?;
        let name = &definition.schema;
        let unknown = || {
            let mut known: Vec<&str> = models.shapes.keys().map(String::as_str).filter(|key| !key.is_empty()).collect();
            known.sort_unstable();
            HandlerError::new(format!("model hook: unknown schema {name:?} (known: {})", known.join(", ")))
        };
        Ok(Judge {
            client: models.client.as_ref().or(otherwise).map(Arc::clone),
            model: definition.model.clone(),
            prompt,
            shape: Arc::clone(models.shapes.get(name).ok_or_else(unknown)?),
            schema: models.schemas.get(name).cloned(),
        })
    }

    fn client(&self) -> Result<&Arc<dyn ModelClient>, HandlerError> {
        let none = || HandlerError::new(format!("model hook: no ModelClient configured{NO_CLIENT}"));
        self.client.as_ref().ok_or_else(none)
    }

    /// Checks that there is a client that can ask the model.
    pub(super) fn probe(&self) -> Result<(), HandlerError> {
        self.client()?.probe(&self.model).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &str) -> HandlerError {
        HandlerError::new(format!("model {}: {error}", self.model))
    }

    pub(super) async fn ask(&self, input: &Input, deadline: Instant) -> Result<Action, HandlerError> {
        let client = self.client()?;
        let prompt = self.prompt.render(input).map_err(|error| HandlerError::new(format!("render prompt: {error}")))?;
        let request = ModelRequest {
            model: self.model.clone(),
            system: SYSTEM.to_owned(),
            prompt,
            schema: self.schema.clone(),
            template: self.prompt.text().to_owned(),
            deadline,
        };
        let reply = client.ask(&request).await;
        let reply = reply.map_err(|error| self.failed(&error))?;
        (self.shape)(&reply, input.event).map_err(|error| HandlerError::new(format!("interpret reply: {error}")))
    }
}
