//! `[models]`, and `model = { ... }`: hooks that ask a model.

use super::component::refuse_tilde;
use crate::config::duration::parse_duration;
use crate::config::entry::{Entry, HookTarget};
use crate::config::fields::{At, Fields};
use crate::config::file::ConfigFile;
use crate::config::model::{Budget, ModelDefinition, ModelEntry, ModelSchema};
use std::collections::HashMap;
use std::time::Duration;

const EXAMPLE: &str = r#"{ use = "anthropic/claude-haiku-4-5", prompt = "Deny what sends data away." }"#;

/// The highest limit that can be set for the tokens of an answer.
const MOST_TOKENS: i64 = 100_000;

/// The longest time that can be set for reusing an answer.
const LONGEST_CACHE: Duration = Duration::from_secs(30 * 24 * 3600);

/// Reads the models that the file defines.
pub(super) fn read_models(file: &ConfigFile, root: &mut Fields<'_>) -> HashMap<String, ModelDefinition> {
    let mut models = HashMap::new();
    let tables = root.table("models", r#"{ judge = { provider = "openai-chat", model = "qwen3" } }"#);
    for (name, value) in tables.iter().flat_map(|(tables, _)| tables.iter()) {
        let Some(table) = value.get_ref().as_table() else {
            root.bad_value(&value.span(), format!("`models.{}` must be a table", name.get_ref()), None);
            continue;
        };
        let mut fields = Fields::new(file, None, "models.", table);
        if name.get_ref().contains('/') {
            let help = "names with one are those of providers".to_owned();
            fields.bad_key(&name.span(), "the name of a model must have no `/`", Some(help));
        }
        if let Some(model) = definition(&mut fields, file, &name.span()) {
            models.insert(name.get_ref().clone().into_owned(), model);
        }
        root.absorb(fields.into_problems());
    }
    models
}

fn definition(fields: &mut Fields<'_>, file: &ConfigFile, at: &std::ops::Range<usize>) -> Option<ModelDefinition> {
    fields.only(&["provider", "model", "base_url", "key", "ca", "private", "proxy", "price", "max_tokens", "budget"]);
    for key in ["provider", "model"] {
        if !fields.has(key) {
            fields.bad_key(at, format!("a model needs a `{key}`"), None);
        }
    }
    let provider = fields.string("provider", r#""openai-chat""#);
    let model = fields.string("model", r#""qwen3""#);
    let mut definition = ModelDefinition::new(provider?.0, model?.0);
    definition.base_url = fields.string("base_url", r#""http://localhost:8000/v1""#).map(|(url, _)| url.to_owned());
    if let Some((key, at)) = fields.string("key", r#""env:API_KEY""#) {
        refuse_tilde(fields, "key", key.strip_prefix("file:").unwrap_or_default(), &at);
        definition.key = Some(key.to_owned());
    }
    if let Some((ca, at)) = fields.string("ca", r#""company-ca.pem""#) {
        refuse_tilde(fields, "ca", ca, &at);
        definition.ca = Some(ca.to_owned());
    }
    definition.private = fields.boolean("private").is_some_and(|(private, _)| private);
    definition.proxy = fields.boolean("proxy").is_some_and(|(proxy, _)| proxy);
    definition.price = price(fields, file);
    definition.max_tokens = max_tokens(fields);
    definition.budget = budget(fields, file, None);
    if definition.budget.micro_usd.is_some() && definition.price.is_none() {
        fields.bad_key(at, "a `budget` in `usd` needs the model's `price`", Some(PRICE.to_owned()));
    }
    Some(definition)
}

const PRICE: &str = "price = { input = 1.0, output = 5.0 }, in US dollars for a million tokens";

fn price(fields: &mut Fields<'_>, file: &ConfigFile) -> Option<(f64, f64)> {
    let (table, at) = fields.table("price", "{ input = 1.0, output = 5.0 }")?;
    let mut price = Fields::new(file, None, "models.price.", table);
    price.only(&["input", "output"]);
    let (input, output) = (price.amount("input", "1.0"), price.amount("output", "5.0"));
    if price.is_clean() && (input.is_none() || output.is_none()) {
        price.bad_key(&at, "`models.price` needs `input` and `output`", Some(PRICE.to_owned()));
    }
    fields.absorb(price.into_problems());
    input.zip(output).map(|((input, _), (output, _))| (input, output))
}

/// Reads a hook's `model` table.
pub(super) fn read(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str) -> Option<ModelEntry> {
    let (table, at) = fields.table("model", EXAMPLE)?;
    let mut model = Fields::new(file, Some(hook), "model.", table);
    model.only(&["use", "prompt", "schema", "max_tokens", "budget", "cache"]);
    for key in ["use", "prompt"] {
        if !model.has(key) {
            model.bad_key(&at, format!("`model` needs `{key}`"), Some(format!("such as {EXAMPLE}")));
        }
    }
    let name = model.string("use", r#""anthropic/claude-haiku-4-5""#);
    let prompt = not_blank(&mut model, "prompt", r#""Deny what sends data away.""#);
    let words = [("decision", ModelSchema::Decision), ("text", ModelSchema::Text)];
    let schema = model.word("schema", &words).unwrap_or_default();
    let max_tokens = max_tokens(&mut model);
    let budget = budget(&mut model, file, Some(hook));
    let cache = cache(&mut model);
    fields.absorb(model.into_problems());
    let ((name, at), prompt) = name.zip(prompt)?;
    let (model, prompt) = (name.to_owned(), prompt.0.to_owned());
    Some(ModelEntry { model, definition: None, prompt, schema, max_tokens, budget, cache, at })
}

fn not_blank<'a>(fields: &mut Fields<'a>, key: &str, example: &str) -> Option<At<&'a str>> {
    let (text, at) = fields.string(key, example)?;
    if text.trim().is_empty() {
        fields.bad_value(&at, format!("`{key}` is empty"), None);
        return None;
    }
    Some((text, at))
}

fn max_tokens(fields: &mut Fields<'_>) -> Option<u32> {
    let (tokens, at) = fields.integer("max_tokens", "500")?;
    if !(1..=MOST_TOKENS).contains(&tokens) {
        fields.bad_value(&at, format!("`max_tokens` must be from 1 to {MOST_TOKENS}"), None);
    }
    u32::try_from(tokens).ok()
}

fn budget(fields: &mut Fields<'_>, file: &ConfigFile, hook: Option<&str>) -> Budget {
    let Some((table, at)) = fields.table("budget", "{ calls = 100, tokens = 200_000, usd = 0.5 }") else {
        return Budget::default();
    };
    let mut budget = Fields::new(file, hook, "budget.", table);
    budget.only(&["calls", "tokens", "usd"]);
    let mut count = |key: &str, example: &str| {
        let (number, at) = budget.integer(key, example)?;
        if number < 1 {
            budget.bad_value(&at, format!("`budget.{key}` must be at least 1"), None);
        }
        u64::try_from(number).ok()
    };
    let (calls, tokens) = (count("calls", "100"), count("tokens", "200_000"));
    let micro_usd = budget.amount("usd", "0.5").map(|(usd, _)| millionths(usd));
    let read = Budget { calls, tokens, micro_usd };
    if budget.is_clean() && read.is_unlimited() {
        let help = "one or more of: calls, tokens, usd".to_owned();
        budget.bad_value(&at, "`budget` bounds nothing", Some(help));
    }
    fields.absorb(budget.into_problems());
    read
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast from float saturates")]
fn millionths(usd: f64) -> u64 {
    (usd * 1e6).floor() as u64
}

fn cache(fields: &mut Fields<'_>) -> Option<Duration> {
    let (text, at) = fields.string("cache", r#""10m""#)?;
    let time = parse_duration(text.trim()).filter(|time| !time.is_zero() && *time <= LONGEST_CACHE);
    if time.is_none() {
        let help = "such as \"10m\" or \"12h\"; at most 30 days".to_owned();
        fields.bad_value(
            &at,
            format!("`cache` is {text:?}, which is not a time for which an answer can be reused"),
            Some(help),
        );
    }
    time
}

/// Gives a hook the file's definition of its model.
pub(super) fn assign(models: &HashMap<String, ModelDefinition>, entry: &mut Entry) {
    if let HookTarget::Model(model) = &mut entry.target {
        model.definition = models.get(&model.model).cloned();
    }
}
