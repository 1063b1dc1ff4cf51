//! A model: the address of its server, and the price of its tokens.

use crate::Provider;
use crate::error::ModelError;
use hookbox_net::{RuleText, Rules, SecretSource};
use std::path::PathBuf;

/// A model that can be asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The provider whose protocol the model's server speaks.
    pub provider: Provider,
    /// The model's name at the provider.
    pub name: String,
    /// The URL to which the provider's paths are appended, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The source of the key, `env:NAME` or `file:PATH`; `None` if the server needs no key.
    pub key: Option<String>,
    /// Whether the server may be on this machine or in a private network.
    pub private: bool,
    /// A PEM file of certificate authorities, which are trusted instead of the system's.
    pub ca: Option<PathBuf>,
    /// Whether requests go through the proxy that the environment names.
    pub proxy: bool,
    /// The price of the model's tokens, if known.
    pub price: Option<Price>,
}

/// The price of a million tokens, in US dollars.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Price {
    /// The price of questions.
    pub input: f64,
    /// The price of answers.
    pub output: f64,
}

impl Price {
    /// Creates a price.
    #[must_use]
    pub const fn new(input: f64, output: f64) -> Self {
        Price { input, output }
    }

    /// Returns the cost of these tokens, in millionths of a dollar, rounded up.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a cast from float saturates, and counts of tokens are far below 2^53"
    )]
    pub fn of(self, usage: crate::Usage) -> u64 {
        (self.input * usage.input as f64 + self.output * usage.output as f64).ceil() as u64
    }
}

impl Model {
    /// Creates a model of a provider, with the provider's own URL and with the key from its usual variable.
    pub fn new(provider: Provider, name: impl Into<String>) -> Self {
        Model {
            provider,
            name: name.into(),
            base_url: provider.base_url().to_owned(),
            key: provider.key_variable().map(|name| format!("env:{name}")),
            private: false,
            ca: None,
            proxy: false,
            price: None,
        }
    }

    /// Creates the model that is called `PROVIDER/MODEL`, such as `anthropic/claude-haiku-4-5` or `ollama/qwen3`.
    ///
    /// # Errors
    /// Returns an error if the provider is not known or the model's name is empty.
    pub fn named(text: &str) -> Result<Self, ModelError> {
        let unknown = || ModelError::Name(text.to_owned(), Model::prefixes().join(", "));
        let (prefix, name) = text.split_once('/').filter(|(_, name)| !name.is_empty()).ok_or_else(unknown)?;
        if let Some((_, base_url)) = LOCAL.iter().find(|(local, _)| *local == prefix) {
            let model = Model::new(Provider::OpenAiChat, name);
            return Ok(Model { base_url: (*base_url).to_owned(), key: None, private: true, ..model });
        }
        let provider = Provider::by_name(prefix).ok_or_else(unknown)?;
        Ok(Model::new(provider, name))
    }

    /// Returns the prefixes that the name of a model can have.
    #[must_use]
    pub fn prefixes() -> Vec<&'static str> {
        Provider::ALL.iter().map(|provider| provider.as_str()).chain(LOCAL.iter().map(|(name, _)| *name)).collect()
    }

    /// Returns the only rule, which allows the requests to the model.
    pub(crate) fn rules(&self) -> Result<Rules, ModelError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/@".contains(c);
        if self.name.is_empty() || self.name.contains("..") || !self.name.chars().all(plain) {
            return Err(ModelError::Characters(self.name.clone()));
        }
        let mut rule = RuleText::new(format!("{}/", self.base_url()));
        rule.methods = Some(vec!["POST".to_owned()]);
        rule.private = self.private;
        rule.ca.clone_from(&self.ca);
        rule.proxy = self.proxy;
        if let Some(key) = &self.key {
            SecretSource::parse(key)?;
            match self.provider.key_header() {
                Some(name) => drop(rule.headers.insert(name.to_owned(), key.clone())),
                None => rule.bearer = Some(key.clone()),
            }
        }
        Ok(Rules::parse(&[rule])?)
    }

    pub(crate) fn base_url(&self) -> &str {
        self.base_url.trim_end_matches('/')
    }

    /// Describes where the model's requests go and with which key, so that a user can judge it.
    ///
    /// # Errors
    /// Returns an error if the model cannot be asked.
    pub fn sentence(&self) -> Result<String, ModelError> {
        let rules = self.rules()?;
        let rule = rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Ok(format!("{} of {rule}", self.name))
    }
}

/// The model runners on this machine, each with the URL at which it listens.
const LOCAL: [(&str, &str); 2] =
    [("ollama", "http://localhost:11434/v1"), ("dmr", "http://localhost:12434/engines/v1")];
