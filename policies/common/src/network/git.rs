//! The remotes of `git`.

use super::arguments::remote;
use super::lists::FLAGS;
use super::{Target, Traffic, is_url};
use crate::{Command, UNKNOWN, Word, options_but};

/// The options before the subcommand that take a value.
const GLOBALS: &[&str] = &["-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--attr-source"];
/// The long options of git's subcommands that take a value.
const VALUES: &[&str] = &[
    "--branch",
    "--origin",
    "--config",
    "--upload-pack",
    "--receive-pack",
    "--depth",
    "--deepen",
    "--reference",
    "--reference-if-able",
    "--ref-format",
    "--revision",
    "--separate-git-dir",
    "--template",
    "--jobs",
    "--shallow-since",
    "--shallow-exclude",
    "--filter",
    "--negotiation-tip",
    "--push-option",
    "--exec",
    "--remote",
    "--repo",
    "--name",
    "--server-option",
    "--sort",
    "--refmap",
    "--submodule-prefix",
    "--strategy",
    "--strategy-option",
    "--cleanup",
    "--bundle-uri",
    "--format",
    "--prefix",
    "--output",
    "--to",
    "--cc",
    "--file",
    "--blob",
    "--type",
    "--default",
    "--value",
    "--comment",
];

/// Returns the other options of a subcommand that take a value. A letter means different things to different
/// subcommands: `clone -s` and `fetch -t` take no value.
fn values_of(verb: &str) -> &'static [&'static str] {
    match verb {
        "clone" => &["-b", "-c", "-j", "-o", "-u"],
        "fetch" => &["-j", "-o"],
        "pull" => &["-X", "-j", "-o", "-s"],
        "push" => &["--recurse-submodules", "-o"],
        "ls-remote" | "archive" => &["-o"],
        "remote" => &["-m", "-t"],
        "submodule" => &["-b", "-j"],
        "subtree" => &["-P", "-b", "-m"],
        "config" => &["-f"],
        _ => &[],
    }
}

/// Returns the operands of `git clone`: the repository, and the directory if one is named.
#[must_use]
pub fn clone_operands(args: &[Word]) -> Vec<Word> {
    options_but(args, &[VALUES, values_of("clone")].concat(), FLAGS).operands
}

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
        } else if let Some(setting) = text.strip_prefix("--config-env") {
            // The value is in a variable.
            let given = setting.strip_prefix('=').unwrap_or_else(|| words.next().map_or("", Word::text));
            let key = given.split('=').next().unwrap_or_default().to_ascii_lowercase();
            if is_rewrite(&key) || is_proxy(&key) || is_for_remote(&key) {
                traffic.hides(format!("{given} leads to the host in a variable"));
            }
        } else if GLOBALS.contains(&text) {
            words.next();
        } else if !text.starts_with('-') {
            verb = Some(text);
            break;
        }
    }
    let verb = verb.unwrap_or_default();
    let read = options_but(words.as_slice(), &[VALUES, values_of(verb)].concat(), FLAGS);
    let first = read.operands.first();
    let sends = match verb {
        "clone" | "fetch" | "pull" | "ls-remote" | "fetch-pack" | "http-fetch" => {
            // All of these except `fetch --multiple` take one repository.
            repositories(&read.operands, verb == "clone", traffic);
            read.values(&["--bundle-uri"]).for_each(|word| repository(word, false, traffic));
            read.values(&["-c", "--config"]).for_each(|word| configured(word.text(), traffic));
            false
        }
        "push" | "send-pack" | "http-push" => {
            repositories(&read.operands, false, traffic);
            read.values(&["--repo"]).for_each(|word| repository(word, false, traffic));
            true
        }
        "remote" if matches!(first.map(Word::text), Some("add" | "set-url")) => {
            read.operands.iter().skip(2).for_each(|word| repository(word, true, traffic));
            false
        }
        "remote" | "svn" | "cvsimport" | "request-pull" | "lfs" | "remote-http" | "remote-https" | "remote-ftp" => {
            read.operands.iter().filter(|word| is_url(word.text())).for_each(|word| repository(word, false, traffic));
            verb == "lfs" && first.is_some_and(|word| word.text() == "push")
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
            // A pattern for the old value may follow the new one.
            for pair in read.operands.windows(2) {
                if let [key, value] = pair {
                    configured(&format!("{}={}", key.text(), value.text()), traffic);
                }
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

/// Reads operands that begin with a repository. A URL counts wherever it is, so that the value of an option that is not
/// known cannot take its place.
fn repositories(operands: &[Word], is_address: bool, traffic: &mut Traffic) {
    for (at, word) in operands.iter().enumerate().filter(|(at, word)| *at == 0 || is_url(word.text())) {
        repository(word, is_address && at == 0, traffic);
    }
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
    if is_rewrite(&lower) {
        let base = key.get(4..).and_then(|rest| rest.rsplit_once('.')).map_or("", |(base, _)| base);
        remote(&Word::new(base), traffic);
    } else if is_proxy(&lower) {
        if !value.is_empty() {
            traffic.url(&Word::new(value));
        }
    } else if is_for_remote(&lower) {
        remote(&Word::new(value), traffic);
    }
}

/// Whether a setting puts the address in its name in the place of others.
fn is_rewrite(key: &str) -> bool {
    key.starts_with("url.") && (key.ends_with(".insteadof") || key.ends_with(".pushinsteadof"))
}

/// Whether a setting names a proxy.
fn is_proxy(key: &str) -> bool {
    key == "core.gitproxy" || (key.starts_with("http") || key.starts_with("remote.")) && key.ends_with(".proxy")
}

/// Whether the value of a setting is the address of a repository, or the name of a remote.
fn is_for_remote(key: &str) -> bool {
    let is_of =
        |section: &str, names: &[&str]| key.starts_with(section) && names.iter().any(|name| key.ends_with(name));
    matches!(key, "remote.pushdefault" | "lfs.url" | "lfs.pushurl" | "fetch.bundleuri")
        || is_of("remote.", &[".url", ".pushurl", ".lfsurl", ".lfspushurl"])
        || is_of("branch.", &[".remote", ".pushremote"])
        || is_of("submodule.", &[".url"])
}
