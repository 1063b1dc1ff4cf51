//! The entry of a policy in a `hooks.toml`.

use anyhow::{Context, bail};
use hookbox::policy::{Policy, Setting};
use serde_json::Value;
use toml_edit::DocumentMut;

/// The settings that come first, because everyone may need them.
const FIRST: [&str; 3] = ["mode", "unknown", "message"];

/// Appends entries to the text of a config. Policies that it already has are skipped; the names of the others are
/// returned.
///
/// # Errors
/// Returns an error if the text is not valid TOML, or has another hook of that name.
pub(super) fn add(
    text: &str,
    policies: &[&'static Policy],
    audit: bool,
) -> anyhow::Result<(String, Vec<&'static str>)> {
    let document: DocumentMut = text.parse().context("it is not valid TOML")?;
    let (mut new, mut added) = (text.to_owned(), Vec::new());
    for policy in policies {
        match has(&document, policy.name)? {
            true => continue,
            false => added.push(policy.name),
        }
        if !new.is_empty() {
            new.push_str(if new.ends_with('\n') { "\n" } else { "\n\n" });
        }
        new.push_str(&entry(policy, audit));
    }
    new.parse::<DocumentMut>()
        .context("its `hooks` is written in a way that no entry can be added to; add it by hand")?;
    Ok((new, added))
}

/// Whether the config has an entry with this policy.
fn has(document: &DocumentMut, name: &str) -> anyhow::Result<bool> {
    let Some(hooks) = document.get("hooks").and_then(|hooks| hooks.as_table_like()) else { return Ok(false) };
    let policy = |entry: &toml_edit::Item| entry.get("policy").and_then(|policy| policy.as_str()).map(str::to_owned);
    if hooks.iter().any(|(_, entry)| policy(entry).as_deref() == Some(name)) {
        return Ok(true);
    }
    if hooks.contains_key(name) {
        bail!("it has another hook of the name `{name}`: rename that first");
    }
    Ok(false)
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
fn value(setting: &Setting) -> String {
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
