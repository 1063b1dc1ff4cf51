//! The keys for hooks that run in a sandbox: components and scripts.

use super::net;
use crate::config::entry::{ComponentEntry, Sandboxed};
use crate::config::fields::{At, Fields};
use crate::config::file::ConfigFile;
use crate::runtime::component::{DirAccess, DirGrant, EnvGrant, Grants, Limits, StoreGrant, StoreScope};
use bytesize::ByteSize;
use std::ops::Range;
use std::time::Duration;
use toml::de::DeTable;

const SHA256_HEX_DIGITS: usize = 64;

/// The lowest memory limit, in bytes. With less than one page, no toolchain's component starts.
const MIN_MEMORY_BYTES: usize = 64 << 10;

/// The smallest and the largest store, in bytes.
const MIN_QUOTA: u64 = 1 << 10;
const MAX_QUOTA: u64 = 1 << 30;

/// The shortest and the longest life of a value.
const MIN_TTL: Duration = Duration::from_secs(1);
const MAX_TTL: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

/// The keys that authors might try in place of `net`.
const NETWORK: [&str; 4] = ["network", "http", "hosts", "urls"];

pub(super) fn read(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str, kind: Sandboxed) -> Option<ComponentEntry> {
    let (key, example) = match kind {
        Sandboxed::Component => ("component", r#""policies/guard.wasm""#),
        Sandboxed::Script => ("script", r#""policies/guard.js""#),
        Sandboxed::Policy(_) => ("policy", r#""protect-paths""#),
    };
    let (path, at) = fields.string(key, example)?;
    if path.is_empty() {
        fields.bad_value(&at, format!("`{key}` is empty"), None);
    }
    refuse_tilde(fields, key, path, &at);
    Some(read_entry(fields, file, hook, kind, path, at))
}

/// Reads the keys other than the one that says what runs.
pub(super) fn read_entry(
    fields: &mut Fields<'_>,
    file: &ConfigFile,
    hook: &str,
    kind: Sandboxed,
    path: &str,
    at: Range<usize>,
) -> ComponentEntry {
    let mut entry = ComponentEntry {
        kind,
        path: path.to_owned(),
        at,
        sha256: pin(fields),
        limits: Limits::default(),
        grants: Grants::default(),
    };
    if let Some((table, _)) = fields.table("limits", r#"{ memory = "64MiB" }"#) {
        let mut limits = Fields::new(file, Some(hook), "limits.", table);
        read_limits(&mut limits, &mut entry.limits);
        fields.absorb(limits.into_problems());
    }
    if let Some((table, _)) = fields.table("grants", r#"{ env = ["LANG"] }"#) {
        let mut grants = Fields::new(file, Some(hook), "grants.", table);
        if matches!(kind, Sandboxed::Script) {
            refuse_for_script(&mut grants);
        }
        entry.grants = read_grants(&mut grants, file, hook);
        fields.absorb(grants.into_problems());
    }
    entry
}

fn pin(fields: &mut Fields<'_>) -> Option<String> {
    let (text, at) = fields.string("sha256", "the 64 hex digits that `hookbox inspect` prints")?;
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    if digits.len() != SHA256_HEX_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let help = "`hookbox inspect` prints it";
        fields.bad_value(&at, "`sha256` must be 64 hex digits", Some(help.to_owned()));
    }
    Some(digits.to_ascii_lowercase())
}

fn read_limits(fields: &mut Fields<'_>, limits: &mut Limits) {
    fields.only(&["memory", "fuel", "output"]);
    if let Some(memory) = bytes(fields, "memory", MIN_MEMORY_BYTES, Limits::MAX_MEMORY_BYTES) {
        limits.memory_bytes = memory;
    }
    if let Some(output) = bytes(fields, "output", 1, Limits::MAX_OUTPUT_BYTES) {
        limits.output_bytes = output;
    }
    if let Some((fuel, at)) = fields.integer("fuel", "1_000_000_000") {
        match u64::try_from(fuel) {
            Ok(fuel) if fuel > 0 => limits.fuel = Some(fuel),
            _ => fields.bad_value(&at, "`limits.fuel` must be over 0", None),
        }
    }
}

fn bytes(fields: &mut Fields<'_>, key: &str, least: usize, most: usize) -> Option<usize> {
    let (text, at) = fields.string(key, r#""64MiB""#)?;
    let size = text.parse::<ByteSize>().ok().and_then(|size| usize::try_from(size.as_u64()).ok());
    match size {
        Some(size) if (least..=most).contains(&size) => return Some(size),
        Some(_) => {
            let (least, most) = (ByteSize(least as u64), ByteSize(most as u64));
            fields.bad_value(&at, format!("`limits.{key}` must be from {least} to {most}"), None);
        }
        None => {
            let message = format!("`limits.{key}` is {text:?}, which is not a size");
            fields.bad_value(&at, message, Some("such as \"64MiB\"".to_owned()));
        }
    }
    None
}

fn read_grants(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str) -> Grants {
    fields.only_besides(&["dirs", "env", "clocks", "random", "store", "net", "log"], &NETWORK);
    refuse_network(fields);
    read_log(fields);
    Grants {
        dirs: read_dirs(fields, file, hook),
        env: read_env(fields),
        clocks: fields.boolean("clocks").is_some_and(|(granted, _)| granted),
        random: fields.boolean("random").is_some_and(|(granted, _)| granted),
        store: read_store(fields, file, hook),
        net: net::read(fields, file, hook),
    }
}

/// Refuses all grants for a script other than a store.
fn refuse_for_script(fields: &mut Fields<'_>) {
    for key in ["dirs", "env", "clocks", "random", "net"] {
        if let Some(at) = fields.key_at(key) {
            let help = "a script can have a `store`; what needs more is a component, such as one that `hookbox build` makes \
                        of the script, or a command";
            fields.bad_key(&at, format!("`grants.{key}` does not fit here"), Some(help.to_owned()));
        }
    }
}

/// Refuses `log = false`. Every component may log, so there is nothing to grant.
fn read_log(fields: &mut Fields<'_>) {
    if let Some((false, at)) = fields.boolean("log") {
        let help = "leave it out: what a component logs is bounded, and tells it nothing";
        fields.bad_value(&at, "`grants.log` cannot be taken away", Some(help.to_owned()));
    }
}

fn read_store(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str) -> Option<StoreGrant> {
    let (table, at) = fields.table("store", r#"{ scope = "session" }"#)?;
    let mut store = Fields::new(file, Some(hook), "grants.store.", table);
    store.only(&["scope", "quota", "ttl"]);
    let scopes = [StoreScope::Session, StoreScope::Project, StoreScope::User, StoreScope::Shared];
    let scope = store.word("scope", &scopes.map(|scope| (scope.as_str(), scope)));
    if !store.has("scope") {
        let help = "one of: session, project, user, shared";
        store.bad_key(&at, "a store needs a `scope`", Some(help.to_owned()));
    }
    let mut grant = scope.map(StoreGrant::new);
    if let Some((quota, at)) = store.string("quota", r#""1MiB""#) {
        match quota.parse::<ByteSize>() {
            Ok(ByteSize(quota)) if (MIN_QUOTA..=MAX_QUOTA).contains(&quota) => {
                grant = grant.map(|grant| grant.with_quota(quota));
            }
            Ok(_) => {
                let (least, most) = (ByteSize(MIN_QUOTA), ByteSize(MAX_QUOTA));
                store.bad_value(&at, format!("`grants.store.quota` must be from {least} to {most}"), None);
            }
            Err(_) => {
                let message = format!("`grants.store.quota` is {quota:?}, which is not a size");
                store.bad_value(&at, message, Some("such as \"1MiB\"".to_owned()));
            }
        }
    }
    if let Some((ttl, at)) = store.string("ttl", r#""30d""#) {
        match humantime::parse_duration(ttl.trim()) {
            Ok(ttl) if (MIN_TTL..=MAX_TTL).contains(&ttl) => grant = grant.map(|grant| grant.with_ttl(ttl)),
            Ok(_) => {
                let (least, most) = (humantime::format_duration(MIN_TTL), humantime::format_duration(MAX_TTL));
                store.bad_value(&at, format!("`grants.store.ttl` must be from {least} to {most}"), None);
            }
            Err(_) => {
                let message = format!("`grants.store.ttl` is {ttl:?}, which is not a duration");
                store.bad_value(&at, message, Some("such as \"30d\" or \"12h\"".to_owned()));
            }
        }
    }
    fields.absorb(store.into_problems());
    grant
}

fn read_env(fields: &mut Fields<'_>) -> Vec<EnvGrant> {
    let names = fields.strings("env", r#"["LANG"]"#).map_or_else(Vec::new, |(names, _)| names);
    for (name, at) in &names {
        fields.check_variable_name(name, at);
    }
    names.into_iter().map(|(name, _)| EnvGrant { name: name.to_owned(), value: None }).collect()
}

fn read_dirs(fields: &mut Fields<'_>, file: &ConfigFile, hook: &str) -> Vec<DirGrant> {
    let example = r#"[{ path = ".", as = "/project", access = "read" }]"#;
    let tables: Vec<At<&DeTable<'_>>> = fields.tables("dirs", example).map_or_else(Vec::new, |(dirs, _)| dirs);
    let mut dirs = Vec::new();
    for (table, at) in tables {
        let mut dir = Fields::new(file, Some(hook), "grants.dirs.", table);
        dirs.extend(read_dir(&mut dir, &at));
        fields.absorb(dir.into_problems());
    }
    dirs
}

/// Reports other forms of a network grant with the same message.
fn refuse_network(fields: &mut Fields<'_>) {
    for key in NETWORK {
        // An empty list grants nothing.
        if let Some(at) = fields.key_at(key).filter(|_| !fields.is_empty_list(key)) {
            let help = "the network is granted as `net = [{ url = \"https://api.example.com/v1/\" }]`";
            fields.bad_value(&at, format!("`grants.{key}` is not a grant"), Some(help.to_owned()));
        }
    }
}

fn read_dir(fields: &mut Fields<'_>, at: &Range<usize>) -> Option<DirGrant> {
    fields.only(&["path", "as", "access", "max_bytes"]);
    let access = fields.word("access", &[("read", DirAccess::Read), ("read-write", DirAccess::ReadWrite)]);
    let path = fields.string("path", r#"".""#);
    let name = fields.string("as", r#""/project""#);
    for key in ["path", "as"] {
        if !fields.has(key) {
            fields.bad_key(at, format!("a directory grant needs `{key}`"), None);
        }
    }
    let ((path, path_at), (name, name_at)) = (path?, name?);
    for (key, text, at) in [("path", path, &path_at), ("as", name, &name_at)] {
        if text.is_empty() {
            fields.bad_value(at, format!("`grants.dirs.{key}` is empty"), None);
        }
    }
    refuse_tilde(fields, "path", path, &path_at);
    let access = access.unwrap_or_default();
    let dir = DirGrant::new(path, name, access);
    Some(match read_max_bytes(fields, access) {
        Some(bytes) => dir.with_max_bytes(bytes),
        None => dir,
    })
}

fn read_max_bytes(fields: &mut Fields<'_>, access: DirAccess) -> Option<u64> {
    let (text, at) = fields.string("max_bytes", r#""64MiB""#)?;
    if access == DirAccess::Read {
        let help = "add `access = \"read-write\"`, or leave it out";
        fields.bad_value(
            &at,
            "`grants.dirs.max_bytes` limits nothing where `access` is \"read\"",
            Some(help.to_owned()),
        );
    }
    match text.parse::<ByteSize>() {
        Ok(ByteSize(bytes)) if bytes > 0 => return Some(bytes),
        Ok(_) => fields.bad_value(&at, "`grants.dirs.max_bytes` must be more than 0", None),
        Err(_) => {
            let message = format!("`grants.dirs.max_bytes` is {text:?}, which is not a size");
            fields.bad_value(&at, message, Some("such as \"64MiB\"".to_owned()));
        }
    }
    None
}

/// Refuses a path that starts with `~`, which only shells expand. Taken literally, it would name a directory called
/// `~`.
pub(super) fn refuse_tilde(fields: &mut Fields<'_>, key: &str, path: &str, at: &Range<usize>) {
    if path == "~" || path.starts_with("~/") {
        let message = format!("`{key}` starts with `~`, which is not expanded");
        fields.bad_value(at, message, Some("write the whole path".to_owned()));
    }
}
