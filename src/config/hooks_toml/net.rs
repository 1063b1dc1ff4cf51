//! `grants.net`: the HTTP requests that a component may send.

use super::component::refuse_tilde;
use crate::config::fields::Fields;
use crate::config::file::ConfigFile;
use crate::runtime::component::{BadRule, NetGrant, NetRule, check_net};
use std::ops::Range;

/// The maximum number of entries. Each is compared with all others.
const MAX_RULES: usize = 64;

const EXAMPLE: &str = r#"[{ url = "https://api.example.com/v1/", methods = ["GET"] }]"#;

/// Reads the network grant. An empty list grants nothing.
pub(super) fn read(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str) -> Option<NetGrant> {
    let (tables, at) = fields.tables("net", EXAMPLE)?;
    if tables.len() > MAX_RULES {
        fields.bad_value(&at, format!("`grants.net` has more than {MAX_RULES} entries"), None);
        return None;
    }
    let mut rules = Vec::new();
    for (table, at) in tables {
        let mut entry = Fields::new(file, Some(hook), "grants.net.", table);
        if let Some(rule) = read_rule(&mut entry, &at) {
            rules.push(rule);
            if let (true, Err(BadRule { key, message })) = (entry.is_clean(), check_net(&rules)) {
                entry.bad_value(&entry.key_at(key).unwrap_or(at), message, None);
                rules.pop();
            }
        }
        fields.absorb(entry.into_problems());
    }
    (!rules.is_empty()).then(|| NetGrant::new(rules))
}

fn read_rule(entry: &mut Fields<'_>, at: &Range<usize>) -> Option<NetRule> {
    entry.only(&["url", "methods", "bearer", "header", "private", "ca", "proxy"]);
    if !entry.has("url") {
        entry.bad_key(at, "a network grant needs a `url`", Some(format!("such as {EXAMPLE}")));
    }
    let url = entry.string("url", r#""https://api.example.com/v1/""#);
    let mut rule = NetRule::new(url.map(|(url, _)| url)?);
    if let Some((methods, at)) = entry.strings("methods", r#"["GET", "POST"]"#) {
        if methods.is_empty() {
            entry.bad_value(&at, "`grants.net.methods` is empty", Some("leave it out for `GET`".to_owned()));
        }
        rule = rule.with_methods(methods.into_iter().map(|(method, _)| method.to_owned()).collect());
    }
    if let Some((source, at)) = entry.string("bearer", r#""env:API_TOKEN""#) {
        refuse_tilde(entry, "bearer", file_of(source), &at);
        rule = rule.with_bearer(source);
    }
    for ((name, at), source) in entry.texts("header", r#"{ x-api-key = "env:API_KEY" }"#).unwrap_or_default() {
        refuse_tilde(entry, "header", file_of(source), &at);
        rule = rule.with_header(name, source);
    }
    if let Some((ca, at)) = entry.string("ca", r#""company-ca.pem""#) {
        refuse_tilde(entry, "ca", ca, &at);
        rule = rule.with_ca(ca);
    }
    let private = entry.boolean("private").is_some_and(|(private, _)| private);
    let proxy = entry.boolean("proxy").is_some_and(|(proxy, _)| proxy);
    Some(rule.with_private(private).with_proxy(proxy))
}

/// Returns the path in `file:PATH`.
fn file_of(source: &str) -> &str {
    source.strip_prefix("file:").unwrap_or_default()
}
