//! What git runs: aliases and programs from its settings, `rebase --exec`, `bisect run`, `submodule foreach`.

use super::Inner;
use crate::shell::marks::{self, Kind, has_unknown};
use crate::shell::word::Word;
use std::collections::BTreeMap;

/// The options before the subcommand that take a value.
const WITH_VALUE: [&str; 8] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// The subcommands that take the address of a remote.
const REMOTES: [&str; 11] = [
    "fetch",
    "pull",
    "clone",
    "push",
    "ls-remote",
    "fetch-pack",
    "send-pack",
    "remote",
    "submodule",
    "archive",
    "config",
];

/// Returns what git runs with these arguments.
pub(super) fn inner(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut aliases: BTreeMap<String, String> = BTreeMap::new();
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        let text = word.text();
        if !text.starts_with('-') {
            break;
        }
        let setting = match text {
            "-c" => arguments.get(at + 1).map(Word::text),
            "--config-env" => {
                inners.push(Inner::Unknown("a setting that is not known"));
                None
            }
            text if text.starts_with("--config-env=") => {
                inners.push(Inner::Unknown("a setting that is not known"));
                None
            }
            text => text.strip_prefix("-c").filter(|_| !text.starts_with("--")),
        };
        if let Some((key, value)) = setting.and_then(|setting| setting.split_once('=')) {
            match key.to_ascii_lowercase().strip_prefix("alias.") {
                // The last alias of a name counts.
                Some(name) => drop(aliases.insert(name.to_owned(), value.to_owned())),
                None => inners.extend(configured(key, value)),
            }
        } else if setting.is_some_and(has_unknown) {
            inners.push(Inner::Unknown("a setting that is not known"));
        }
        at += if WITH_VALUE.contains(&text) { 2 } else { 1 };
    }
    let globals = arguments.get(..at).unwrap_or_default();
    let Some((subcommand, rest)) = arguments.get(at..).and_then(<[Word]>::split_first) else {
        return inners;
    };
    for (name, value) in aliases {
        if subcommand.text().eq_ignore_ascii_case(&name) {
            inners.push(aliased(&value, globals, rest));
        } else if let Some(script) = value.strip_prefix('!') {
            inners.push(Inner::script(script));
        }
    }
    match subcommand.text() {
        "rebase" => with_option(rest, &["-x", "--exec"], &mut inners),
        "filter-branch" => {
            let names = [
                "--env-filter",
                "--tree-filter",
                "--index-filter",
                "--parent-filter",
                "--msg-filter",
                "--commit-filter",
                "--tag-name-filter",
                "--setup",
            ];
            with_option(rest, &names, &mut inners);
        }
        "difftool" | "mergetool" => with_option(rest, &["-x", "--extcmd"], &mut inners),
        "grep" => with_option(rest, &["-O", "--open-files-in-pager"], &mut inners),
        "fetch" | "pull" | "clone" | "push" | "ls-remote" | "fetch-pack" | "send-pack" => {
            with_option(rest, &["-u", "--upload-pack", "--receive-pack", "--exec"], &mut inners);
            if matches!(subcommand.text(), "push" | "pull") {
                // For these subcommands, `-u` is a different option.
                inners
                    .retain(|inner| !matches!(inner, Inner::Script(script) if !script.text.contains(['/', ' ', '-'])));
            }
            if subcommand.text() == "clone" {
                let given = rest.windows(2).filter_map(|pair| match pair {
                    [option, setting] if matches!(option.text(), "-c" | "--config") => Some(setting.text()),
                    _ => None,
                });
                let attached = rest.iter().map(Word::text).filter_map(|text| {
                    text.strip_prefix("--config=").or_else(|| text.strip_prefix("-c").filter(|rest| !rest.is_empty()))
                });
                let settings = given.chain(attached).filter_map(|setting| setting.split_once('='));
                inners.extend(settings.flat_map(|(key, value)| configured(key, value)));
            }
        }
        "bisect" if rest.first().is_some_and(|word| word.text() == "run") => {
            inners.push(Inner::command(rest.get(1..).unwrap_or_default()));
        }
        "submodule" => {
            let foreach = rest.iter().position(|word| word.text() == "foreach");
            if let Some(words) = foreach.and_then(|at| rest.get(at + 1..)) {
                let options = words.iter().take_while(|word| word.text().starts_with('-')).count();
                inners.push(Inner::joined(words.get(options..).unwrap_or_default()));
            }
        }
        "config" => {
            let operands: Vec<&Word> = rest.iter().filter(|word| !word.text().starts_with('-')).collect();
            if let [.., key, value] = operands.as_slice()
                && key.text().contains('.')
            {
                // Later commands may use the alias.
                let is_alias = key.text().to_ascii_lowercase().starts_with("alias.");
                match value.text().strip_prefix('!') {
                    None if is_alias => inners.push(aliased(value.text(), globals, &[])),
                    _ => inners.extend(configured(key.text(), value.text())),
                }
            }
        }
        _ => {}
    }
    if REMOTES.contains(&subcommand.text()) {
        let program = |word: &Word| {
            let text = word.text().strip_prefix("--remote=").unwrap_or(word.text());
            text.strip_prefix("ext::").map(external)
        };
        inners.extend(rest.iter().filter_map(program));
    }
    inners
}

/// Returns what a remote such as `ext::ssh -p% 22 host %S` runs. Only a space separates words, and `% ` is a space in a
/// word.
fn external(command: &str) -> Inner {
    let mut words = vec![String::new()];
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        if c == ' ' {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            match (c, if c == '%' { chars.next() } else { None }) {
                ('%', Some('S')) => word.push_str("git-upload-pack"),
                ('%', Some('s')) => word.push_str("upload-pack"),
                ('%', escaped) => word.extend(escaped),
                _ => word.push(c),
            }
        }
    }
    Inner::command(words.iter().filter(|word| !word.is_empty()).map(|word| Word::plain(word)).collect::<Vec<_>>())
}

/// Returns what `git name` runs because of this alias.
fn aliased(value: &str, globals: &[Word], rest: &[Word]) -> Inner {
    if value.starts_with(|c| marks::kind(c) == Some(Kind::Unknown)) {
        return Inner::Unknown("an alias that is not known yet");
    }
    let shown =
        rest.iter().map(|word| format!("'{}'", word.text().replace('\'', r"'\''"))).collect::<Vec<_>>().join(" ");
    if let Some(script) = value.strip_prefix('!') {
        return Inner::script(&format!("{script} {shown}"));
    }
    let Some(words) = super::prefix::split(value) else {
        return Inner::Unknown("an alias that cannot be read");
    };
    // Options other than `-c` belong to the command that the alias expands to.
    let mut all = vec![Word::plain("git")];
    let mut globals = globals.iter();
    while let Some(word) = globals.next() {
        match word.text() {
            "-c" => drop(globals.next()),
            text if text.starts_with("-c") => {}
            _ => all.push(word.clone()),
        }
    }
    all.extend(words);
    all.extend(rest.iter().cloned());
    Inner::command(all)
}

/// Adds the scripts in the values of options.
fn with_option(arguments: &[Word], names: &[&str], inners: &mut Vec<Inner>) {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if text == "--" {
            break;
        }
        for name in names {
            if text == *name {
                inners.extend(words.next().map(|word| Inner::script(word.text())));
                break;
            }
            let value = text.strip_prefix(name);
            let value = if name.starts_with("--") { value.and_then(|value| value.strip_prefix('=')) } else { value };
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                inners.push(Inner::script(value));
                break;
            }
        }
    }
}

/// Returns the script in the value of a `git -c key=value`.
fn configured(key: &str, value: &str) -> Option<Inner> {
    let name = key.to_ascii_lowercase();
    let is_command = matches!(
        name.as_str(),
        "core.pager"
            | "core.editor"
            | "core.sshcommand"
            | "core.fsmonitor"
            | "core.askpass"
            | "sequence.editor"
            | "diff.external"
            | "credential.helper"
            | "gpg.program"
            | "gpg.ssh.program"
            | "core.gitproxy"
    ) || name.starts_with("pager.")
        || name.ends_with(".textconv")
        || name.ends_with(".command")
        || name.ends_with(".cmd")
        || name.ends_with(".driver")
        || name.ends_with(".clean")
        || name.ends_with(".smudge")
        || name.ends_with(".process")
        || name.ends_with(".uploadpack")
        || name.ends_with(".receivepack");
    let is_flag = matches!(value, "true" | "false" | "0" | "1" | "");
    match value.strip_prefix('!') {
        Some(script) => Some(Inner::script(script)),
        None if has_unknown(key) => Some(Inner::Unknown("a setting that is not known")),
        None if is_command && !is_flag => Some(Inner::script(value)),
        None => None,
    }
}
