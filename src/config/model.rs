//! A hook that asks a model, as a config describes it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A hook that asks a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelEntry {
    /// The model: a name that the config defines, or `PROVIDER/MODEL`.
    pub model: String,
    /// The config's definition of a model with this name.
    pub definition: Option<ModelDefinition>,
    /// The template of the prompt.
    pub prompt: String,
    /// The meaning of the answer.
    pub schema: ModelSchema,
    /// The maximum number of tokens in an answer.
    pub max_tokens: Option<u32>,
    /// The limits on what the hook may use in one session.
    pub budget: Budget,
    /// How long an answer is reused for an identical question. If `None`, every question is asked.
    pub cache: Option<Duration>,
    /// The byte range of the config that names it.
    pub at: Range<usize>,
}

/// The meaning of a model's answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSchema {
    /// A decision with a reason.
    #[default]
    Decision,
    /// Text for the agent's model.
    Text,
}

/// A model as a config defines it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelDefinition {
    /// The name of the provider whose protocol the model's server speaks.
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    /// The base URL of the provider's paths, if it is not the provider's own.
    pub base_url: Option<String>,
    /// The key, as `env:NAME` or `file:PATH`.
    pub key: Option<String>,
    /// A PEM file with the only certificate authorities to trust.
    pub ca: Option<String>,
    /// Whether the server may be on this machine or in a private network.
    pub private: bool,
    /// Whether to go through the proxy that the environment names.
    pub proxy: bool,
    /// The price of a million tokens of questions and of answers, in US dollars.
    pub price: Option<(f64, f64)>,
    /// The maximum number of tokens in an answer.
    pub max_tokens: Option<u32>,
    /// The limits on what all hooks that ask this model may use together in one session.
    pub budget: Budget,
}

impl ModelDefinition {
    /// Creates a definition of a provider's model.
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        ModelDefinition { provider: provider.into(), model: model.into(), ..ModelDefinition::default() }
    }
}

/// The limits on what may be used in one session. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The maximum number of questions.
    pub calls: Option<u64>,
    /// The maximum number of tokens of questions and answers together.
    pub tokens: Option<u64>,
    /// The highest cost, in millionths of a US dollar.
    pub micro_usd: Option<u64>,
}

impl Budget {
    /// Returns whether nothing is limited.
    #[must_use]
    pub const fn is_unlimited(&self) -> bool {
        self.calls.is_none() && self.tokens.is_none() && self.micro_usd.is_none()
    }
}

/// The parts of this host that the hooks that ask a model use.
#[derive(Clone)]
#[non_exhaustive]
pub struct ModelPlace {
    /// The base of relative paths: the directory of the config.
    pub dir: PathBuf,
    /// The host's environment.
    pub variables: HashMap<String, OsString>,
    /// The directory in which budgets and answers are kept, and the config that the hook comes from.
    pub state: Option<(PathBuf, String)>,
}

impl fmt::Debug for ModelPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelPlace").field("dir", &self.dir).field("state", &self.state).finish_non_exhaustive()
    }
}

impl ModelEntry {
    /// Returns the files that the model's definition names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let key = self.definition.iter().filter_map(|model| model.key.as_deref()?.strip_prefix("file:"));
        key.chain(self.definition.iter().filter_map(|model| model.ca.as_deref())).map(Path::new)
    }

    /// Describes what is sent where, for listings.
    pub(super) fn sentence(&self) -> String {
        let mut text = format!("may send events to the model `{}`", self.model);
        if let Some(model) = &self.definition {
            text.push_str(&format!(" ({} of {}", model.model, model.provider));
            if let Some(url) = &model.base_url {
                text.push_str(&format!(" at {url}"));
            }
            text.push(')');
            // A key that does not name a variable or a file may be the secret itself, so it is not shown.
            let is_name = |key: &&String| key.starts_with("env:") || key.starts_with("file:");
            if let Some(key) = model.key.as_ref().filter(is_name) {
                text.push_str(&format!(", with the key from `{key}`"));
            }
            if model.private {
                text.push_str(", also on this machine and in private networks");
            }
        }
        text
    }
}
