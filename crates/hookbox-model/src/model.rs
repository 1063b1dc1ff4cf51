//! A model: where it is, and what it costs.

use crate::Provider;
use crate::error::ModelError;
use hookbox_net::{RuleText, Rules, SecretSource};
use std::path::PathBuf;

/// A model that can be asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// Whose protocol its server speaks.
    pub provider: Provider,
    /// Its name there.
    pub name: String,
    /// The URL that the provider's paths come after, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The key, as `env:NAME` or `file:PATH`; `None` if the server wants none.
    pub key: Option<String>,
    /// Whether the server may be on this machine or in a private network.
    pub private: bool,
    /// A PEM file with the only certificate authorities to trust, in place of the system's.
    pub ca: Option<PathBuf>,
    /// Whether to go through the proxy that the environment names.
    pub proxy: bool,
    /// What its tokens cost, if known.
    pub price: Option<Price>,
}

/// The price of a million tokens, in US dollars.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Price {
    /// Of questions.
    pub input: f64,
    /// Of answers.
    pub output: f64,
}

impl Price {
    /// Creates a price.
    #[must_use]
    pub const fn new(input: f64, output: f64) -> Self {
        Price { input, output }
    }

    /// The cost of so many tokens, in millionths of a dollar, rounded up.
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
    /// A model of a provider, at the provider's usual place and with the key from its usual variable.
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

    /// The model that is called `PROVIDER/MODEL`, such as `anthropic/claude-haiku-4-5` or `ollama/qwen3`.
    ///
    /// # Errors
    /// No such provider is known, or the model has no name.
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

    /// What the name of a model can begin with.
    #[must_use]
    pub fn prefixes() -> Vec<&'static str> {
        Provider::ALL.iter().map(|provider| provider.as_str()).chain(LOCAL.iter().map(|(name, _)| *name)).collect()
    }

    /// The rule for its requests, and nothing else.
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

    /// Says where its requests go and with which key, for a user to judge.
    ///
    /// # Errors
    /// The model cannot be asked.
    pub fn sentence(&self) -> Result<String, ModelError> {
        let rules = self.rules()?;
        let rule = rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Ok(format!("{} of {rule}", self.name))
    }
}

/// Model runners on this machine, and where each listens.
const LOCAL: [(&str, &str); 2] =
    [("ollama", "http://localhost:11434/v1"), ("dmr", "http://localhost:12434/engines/v1")];
