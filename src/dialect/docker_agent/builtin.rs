//! Hooks that are looked up by name when they are asked: builtins, and hook types that a host adds.

mod add_date;
mod handler;
mod max_iterations;
mod redact_secrets;
mod secrets;
mod typed;

use super::model::{ModelClient, Models, ResponseSchema};
use crate::protocol::{Action, Event, Input};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

pub use handler::{Handled, Handler, HandlerError};
pub(super) use typed::TypedHook;

/// A hook built into the agent. It receives the Input and its arguments. `None` means that it has nothing to say, an
/// error is a failure.
pub type Builtin = dyn Fn(&Input, &[String]) -> Result<Option<Action>, String> + Send + Sync;

/// Makes the handler for one hook of a type that a host has added.
type Factory = dyn Fn(&str, &[String]) -> Result<Arc<dyn Handler>, String> + Send + Sync;

/// The hooks that configs can name: builtins, and further hook types.
///
/// Hosts add their own. A name that already exists is replaced. Names are looked up when a hook is asked, so a host can
/// still add what an already loaded config names.
pub struct HookTypes {
    builtins: RwLock<HashMap<String, Arc<Builtin>>>,
    factories: RwLock<HashMap<String, Arc<Factory>>>,
    models: RwLock<Models>,
}

/// A builtin or a type of hook cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name is required")]
pub struct RegisterError;

impl fmt::Debug for HookTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookTypes").finish_non_exhaustive()
    }
}

impl Default for HookTypes {
    /// A set with the stock builtins.
    fn default() -> Self {
        let types = HookTypes::empty();
        // The names are not empty, so this cannot fail.
        let _ = types.register("add_date", add_date::run);
        let _ = types.register("max_iterations", max_iterations::run);
        let _ = types.register("redact_secrets", redact_secrets::run);
        types
    }
}

impl HookTypes {
    /// A set without builtins or further types.
    #[must_use]
    pub fn empty() -> Self {
        HookTypes { builtins: RwLock::default(), factories: RwLock::default(), models: RwLock::default() }
    }

    /// Adds a builtin.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register(
        &self,
        name: &str,
        builtin: impl Fn(&Input, &[String]) -> Result<Option<Action>, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if name.is_empty() {
            return Err(RegisterError);
        }
        let mut builtins = self.builtins.write().unwrap_or_else(PoisonError::into_inner);
        builtins.insert(name.to_owned(), Arc::new(builtin));
        Ok(())
    }

    /// Adds a hook type. `factory` receives the `command` and the `args` of an entry.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register_type(
        &self,
        name: &str,
        factory: impl Fn(&str, &[String]) -> Result<Arc<dyn Handler>, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if name.is_empty() {
            return Err(RegisterError);
        }
        let mut factories = self.factories.write().unwrap_or_else(PoisonError::into_inner);
        factories.insert(name.to_owned(), Arc::new(factory));
        Ok(())
    }

    /// Sets the client that model hooks ask.
    pub fn set_model_client(&self, client: Arc<dyn ModelClient>) {
        self.models.write().unwrap_or_else(PoisonError::into_inner).set_client(client);
    }

    /// Adds the meaning of answers with this schema.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register_shape(
        &self,
        schema: &str,
        shape: impl Fn(&str, Event) -> Result<Action, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if schema.is_empty() {
            return Err(RegisterError);
        }
        self.models.write().unwrap_or_else(PoisonError::into_inner).add_shape(schema, Arc::new(shape));
        Ok(())
    }

    /// Adds a schema that a model is told to answer by.
    ///
    /// # Errors
    /// Returns an error if the schema's name is empty.
    pub fn register_schema(&self, schema: ResponseSchema) -> Result<(), RegisterError> {
        if schema.name.is_empty() {
            return Err(RegisterError);
        }
        self.models.write().unwrap_or_else(PoisonError::into_inner).add_schema(schema);
        Ok(())
    }

    /// Whether answers with this schema have a meaning.
    #[must_use]
    pub fn has_shape(&self, schema: &str) -> bool {
        self.models.read().unwrap_or_else(PoisonError::into_inner).has_shape(schema)
    }

    /// The schema that a model is told to answer by, if there is one.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<ResponseSchema> {
        self.models.read().unwrap_or_else(PoisonError::into_inner).schema(name).cloned()
    }

    fn models(&self) -> Models {
        self.models.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The builtin of this name.
    #[must_use]
    pub fn builtin(&self, name: &str) -> Option<Arc<Builtin>> {
        self.builtins.read().unwrap_or_else(PoisonError::into_inner).get(name).map(Arc::clone)
    }

    fn factory(&self, kind: &str) -> Option<Arc<Factory>> {
        self.factories.read().unwrap_or_else(PoisonError::into_inner).get(kind).map(Arc::clone)
    }

    /// Whether a host has added this hook type.
    #[must_use]
    pub fn has_handler(&self, kind: &str) -> bool {
        self.factory(kind).is_some()
    }
}

/// The events to which an agent's flag adds a builtin.
pub(super) fn events_of(builtin: &str) -> &'static [Event] {
    match builtin {
        "add_date" => &[Event::TurnStart],
        "redact_secrets" => &[Event::PreTool, Event::BeforeLlmCall, Event::ToolResponseTransform],
        _ => &[],
    }
}
