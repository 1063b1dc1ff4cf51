//! The entry of a policy in a `hooks.toml`.

use anyhow::{Context, bail};
use hookbox::policy::{Policy, Setting};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// The settings that come first, because everyone may need them.
const FIRST: [&str; 3] = ["mode", "unknown", "message"];

/// A config with further entries.
pub(super) struct Added {
    pub(super) text: String,
    /// The names of the policies that were added.
    pub(super) names: Vec<&'static str>,
    /// The names of the policies that the config already has, but only for the calls that a `match` selects.
    pub(super) partial: Vec<&'static str>,
}

/// Appends entries to the text of a config. Policies that it already has are skipped.
///
/// # Errors
/// Returns an error if the text is not valid TOML, or has another hook of that name.
pub(super) fn add(text: &str, policies: &[&'static Policy], audit: bool) -> anyhow::Result<Added> {
    let document: DocumentMut = text.parse().context("it is not valid TOML")?;
    let (mut new, mut names, mut partial) = (text.to_owned(), Vec::new(), Vec::new());
    for policy in policies {
        let present = present(&document, policy.name)?;
        if !present.is_empty() {
            if present.iter().all(|entry| entry.get("match").is_some()) {
                partial.push(policy.name);
            }
            continue;
        }
        names.push(policy.name);
        if !new.is_empty() {
            new.push_str(if new.ends_with('\n') { "\n" } else { "\n\n" });
        }
        new.push_str(&entry(policy, audit));
    }
    new.parse::<DocumentMut>()
        .context("its `hooks` is written in a way that no entry can be added to; add it by hand")?;
    Ok(Added { text: new, names, partial })
}

/// Returns the entries of the config that use this policy.
///
/// # Errors
/// Returns an error if there is none, and another hook has the policy's name.
fn present<'d>(document: &'d DocumentMut, name: &str) -> anyhow::Result<Vec<&'d Item>> {
    let Some(hooks) = document.get("hooks").and_then(Item::as_table_like) else { return Ok(Vec::new()) };
    let has_policy = |entry: &Item| entry.get("policy").and_then(Item::as_str) == Some(name);
    let present: Vec<&Item> = hooks.iter().map(|(_, entry)| entry).filter(|entry| has_policy(entry)).collect();
    if present.is_empty() && hooks.contains_key(name) {
        bail!("it has another hook of the name `{name}`: rename that first");
    }
    Ok(present)
}

/// Returns the entry, with every setting as a comment.
fn entry(policy: &Policy, audit: bool) -> String {
    let name = policy.name;
    let mut text = format!("# {}.\n[hooks.{name}]\npolicy = \"{name}\"\n", policy.summary);
    text.push_str(&format!("\n[hooks.{name}.settings]\n"));
    let mut settings = policy.settings();
    settings.sort_by_key(|setting| FIRST.iter().position(|first| *first == setting.name).unwrap_or(FIRST.len()));
    for setting in settings {
        for line in setting.description.lines().filter(|line| !line.is_empty()) {
            text.push_str(&format!("# {line}\n"));
        }
        match (setting.name.as_str(), audit) {
            ("mode", true) => text.push_str("mode = \"audit\"\n"),
            _ => text.push_str(&format!("# {} = {}\n", setting.name, value(&setting))),
        }
    }
    text
}

/// Returns the default as TOML, or an example for a setting that has none.
pub(super) fn value(setting: &Setting) -> String {
    let default: Value = serde_json::from_str(&setting.default).unwrap_or_default();
    let example = || setting.words.first().map_or_else(|| "\"…\"".to_owned(), |word| format!("{word:?}"));
    toml(&default).unwrap_or_else(example)
}

fn toml(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().filter_map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members = members.iter().filter_map(|(key, value)| Some(format!("{key} = {}", toml(value)?)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
    })
}
