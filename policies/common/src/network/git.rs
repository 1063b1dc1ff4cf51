//! The remotes of `git`.

use super::arguments::remote;
use super::lists::FLAGS;
use super::{Target, Traffic, is_url};
use crate::{Command, UNKNOWN, Word, options_but};

/// The options before the subcommand that take a value.
const GLOBALS: &[&str] = &["-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"];
/// The options of git's subcommands that take a value.
const VALUES: &[&str] = &[
    "-b",
    "--branch",
    "-o",
    "--origin",
    "--upload-pack",
    "--receive-pack",
    "--depth",
    "--reference",
    "--separate-git-dir",
    "--template",
    "-j",
    "--jobs",
    "--shallow-since",
    "--shallow-exclude",
    "--filter",
    "--push-option",
    "--exec",
    "--remote",
    "--repo",
    "--name",
    "--server-option",
    "-t",
    "-m",
    "--refmap",
    "-s",
    "-X",
    "--bundle-uri",
    "--format",
    "--prefix",
    "--output",
    "--to",
    "--cc",
];

/// Reads the repository of a subcommand that reaches one. Returns whether the command was git.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    if command.name != "git" {
        return false;
    }
    let mut words = command.args().iter();
    let mut verb = None;
    while let Some(word) = words.next() {
        let text = word.text();
        if let Some(setting) = text.strip_prefix("-c").filter(|_| !text.starts_with("--")) {
            let given = if setting.is_empty() { words.next().map_or("", Word::text) } else { setting };
            configured(given, traffic);
        } else if GLOBALS.contains(&text) {
            words.next();
        } else if !text.starts_with('-') {
            verb = Some(text);
            break;
        }
    }
    let read = options_but(words.as_slice(), VALUES, FLAGS);
    let first = read.operands.first();
    let sends = match verb.unwrap_or_default() {
        "clone" | "fetch" | "pull" | "ls-remote" | "fetch-pack" | "http-fetch" => {
            // All of these except `fetch --multiple` take one repository.
            first.into_iter().for_each(|word| repository(word, verb == Some("clone"), traffic));
            false
        }
        "push" | "send-pack" | "http-push" => {
            first.or(read.value(&["--repo"])).into_iter().for_each(|word| repository(word, false, traffic));
            true
        }
        "remote" if matches!(first.map(Word::text), Some("add" | "set-url")) => {
            read.operands.iter().skip(2).for_each(|word| repository(word, true, traffic));
            false
        }
        "submodule" if matches!(first.map(Word::text), Some("add" | "set-url")) => {
            read.operands.iter().skip(1).for_each(|word| repository(word, false, traffic));
            false
        }
        "subtree" if matches!(first.map(Word::text), Some("add" | "pull" | "push")) => {
            read.operands.iter().skip(1).for_each(|word| repository(word, false, traffic));
            first.is_some_and(|word| word.text() == "push")
        }
        "archive" => {
            read.values(&["--remote"]).for_each(|word| repository(word, false, traffic));
            false
        }
        "send-email" => {
            let people = read.values(&["--to", "--cc"]);
            for domain in people.filter_map(|word| word.text().rsplit_once('@')) {
                traffic.host(&Word::new(domain.1.trim_end_matches('>')), Some(25));
            }
            true
        }
        "config" => {
            if let [key, value] =
                read.operands.iter().map(Word::text).filter(|text| *text != "set").collect::<Vec<_>>()[..]
            {
                configured(&format!("{key}={value}"), traffic);
            }
            false
        }
        _ => false,
    };
    if sends {
        traffic.sends("what is pushed");
    }
    true
}

/// Reads a repository: a URL, `host:path`, a path, or the name of a remote in the repository's settings.
fn repository(word: &Word, is_address: bool, traffic: &mut Traffic) {
    let text = word.text();
    // The parser of commands handles `ext::sh -c …`. `fd::` is local.
    if let Some((transport, address)) = text.split_once("::").filter(|(transport, _)| !transport.contains('/')) {
        if is_url(address) && transport != "ext" {
            traffic.url(&word.after(transport.len() + 2));
        }
        return;
    }
    let is_opaque = text.starts_with(UNKNOWN) && !text.contains([':', '/']);
    if is_opaque && is_address {
        traffic.reach(word, Target::Opaque);
    } else if !is_opaque {
        remote(word, traffic);
    }
}

/// Reads settings that lead to other hosts.
fn configured(setting: &str, traffic: &mut Traffic) {
    let Some((key, value)) = setting.split_once('=') else {
        return;
    };
    let lower = key.to_ascii_lowercase();
    let rewrites = lower.starts_with("url.") && (lower.ends_with(".insteadof") || lower.ends_with(".pushinsteadof"));
    if rewrites {
        let base = key.get(4..).and_then(|rest| rest.rsplit_once('.')).map_or("", |(base, _)| base);
        remote(&Word::new(base), traffic);
    } else if lower == "core.gitproxy" || (lower.starts_with("http") && lower.ends_with(".proxy")) {
        if !value.is_empty() {
            traffic.url(&Word::new(value));
        }
    } else if lower.starts_with("remote.") && (lower.ends_with(".url") || lower.ends_with(".pushurl")) {
        remote(&Word::new(value), traffic);
    }
}
