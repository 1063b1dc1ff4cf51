//! Files that one command finds by their names and another one shows: `find … -exec cat`, `for f in $(locate id_rsa)`.

use crate::environment::{has_letter, is_other_shell};
use crate::files::class_of_found;
use crate::held::is_echo;
use crate::quiet::{hides, lists_files};
use crate::reads::{COPIERS, Reading, is_quiet, unversioned};
use crate::stores::{Class, class_of_directory, is};
use crate::users::USERS;
use hookbox_policy::{Command, GLOB, UNKNOWN, Word};
use hookbox_sdk::{Access, ShellWord};

/// Programs that show the content of the files that a loop passes to them.
#[rustfmt::skip] // Many words to a line.
pub(crate) const SHOWING: &[&str] = &[
    "cat", "tac", "bat", "head", "tail", "less", "more", "nl", "base64", "base32", "xxd", "od", "hexdump", "strings",
    "grep", "rg", "awk", "gawk", "sed", "cut", "sort", "jq", "yq", "paste", "curl", "openssl", "Get-Content", "gc",
];

/// A name that clearly means a key. A pattern such as `*.pem` finds it together with certificates.
const KEY: &str = "key.pem";

/// Returns the secret file that a command looks for by its name, if a program shows it.
pub(crate) fn listed(index: usize, commands: &[Command], reading: &Reading) -> Option<(Class, String)> {
    let command = commands.get(index)?;
    let class = names(command, reading)?.into_iter().filter_map(|name| {
        let key = (name.ends_with(".pem") && is(&name, KEY)).then(|| reading.class(KEY)).flatten();
        let class = class_of_found(&name, reading).max(key).or_else(|| class_of_directory(&name));
        Some((class?, name))
    });
    let class = class.max()?;
    // This shows names, unless a shell may run what it prints.
    let may_run = |other: &Command| is_shell(other.name) || is_other_shell(other.name);
    let shows_names = |user: &Command| is_echo(user) && !commands.iter().any(may_run);
    let shows = |user: &Command| {
        !user.name.is_empty()
            && user.name != "xargs"
            && !USERS.contains(unversioned(user.name))
            && !COPIERS.contains(&user.name)
            && !hides(user, class.0)
            && !shows_names(user)
    };
    let prints = |user: &Command| SHOWING.contains(&user.name) && !hides(user, class.0);
    let is_runner = |at: usize| {
        at == index && !matches!(command.name, "echo" | "ls")
            || commands
                .get(at)
                .is_some_and(|xargs| matches!(xargs.name, "xargs" | "parallel") && is_fed(index, at, commands))
    };
    let is_user = |user: &Command| user.facts.parent.is_some_and(is_runner);
    // This is `find … -exec sh -c 'cat "$1"' _ {} +`.
    let is_in_shell = |user: &Command| {
        let shell = user.facts.parent.and_then(|parent| commands.get(parent));
        shell.is_some_and(|shell| is_shell(shell.name) && is_user(shell)) && prints(user)
    };
    // A variable may contain what was found: `for f in $(…)`, `… | while read f`.
    let is_kept = command.facts.via.as_deref().is_some_and(|via| via.contains("substitution"))
        || commands.iter().enumerate().any(|(at, reader)| reader.name == "read" && is_fed(index, at, commands));
    let is_looped = |user: &Command| {
        let mut words = user.args().iter();
        is_kept
            && prints(user)
            && words.any(|word| word.known().is_none() && word.raw().trim_start_matches('"').starts_with(['$', '`']))
    };
    commands.iter().any(|user| is_user(user) && shows(user) || is_in_shell(user) || is_looped(user)).then_some(class)
}

pub(crate) fn is_showing(command: &Command) -> bool {
    SHOWING.contains(&command.name) && !is_quiet(command)
}

pub(crate) fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh")
}

/// Whether a command reads the output of another one, possibly through further commands or a file.
fn is_fed(from: usize, to: usize, commands: &[Command]) -> bool {
    let (Some(source), Some(reader)) = (commands.get(from), commands.get(to)) else { return false };
    let mut written = source.facts.redirects.iter().filter(|redirect| redirect.op.starts_with('>'));
    let is_read =
        |target: &ShellWord| reader.facts.files.iter().any(|file| file.access == Access::Read && file.path == *target);
    if from < to && written.any(|redirect| redirect.target.as_ref().is_some_and(is_read)) {
        return true;
    }
    let (mut seen, mut at) = (vec![to], 0);
    while let Some(reader) = seen.get(at).and_then(|reader| commands.get(*reader)) {
        for before in &reader.facts.reads_from {
            if *before == from {
                return true;
            }
            if !seen.contains(before) {
                seen.push(*before);
            }
        }
        at += 1;
    }
    false
}

/// Returns the names that a command looks for, or `None` if it does not list files.
fn names(command: &Command, reading: &Reading) -> Option<Vec<String>> {
    let operands = || command.args().iter().filter(|word| !word.text().starts_with('-'));
    match command.name {
        "find" | "gfind" => Some(tests(command, reading).collect()),
        // These take a regular expression.
        "fd" | "fdfind" | "locate" | "mlocate" | "plocate" => {
            let names = operands().map(|word| word.text().replace(['^', '$', '\\'], ""));
            // The option `-e env` names a file ending.
            let endings = command.args().windows(2).filter_map(|pair| match pair {
                [option, ending] if matches!(option.text(), "-e" | "--extension") => {
                    Some(format!(".{}", ending.text()))
                }
                _ => None,
            });
            Some(names.chain(endings).collect())
        }
        "ls" => {
            let here = command.facts.cwd.as_ref().filter(|_| operands().next().is_none()).map(Word::from);
            let named = operands().map(|word| word.text().replace(GLOB, "x"));
            // A substitution is mostly a test for an empty directory: `[ -z "$(ls -A)" ]`.
            let args: Vec<&str> = command.args().iter().map(Word::text).collect();
            let is_test = command.facts.via.as_deref().is_some_and(|via| via.contains("substitution"));
            let is_all = has_letter(&args, 'a', "ITw") || has_letter(&args, 'A', "ITw");
            let hidden = (is_all && !is_test).then(|| ".env".to_owned());
            Some(named.chain(here.map(|here| here.text().to_owned())).chain(hidden).collect())
        }
        _ if lists_files(command) => {
            let read = command.facts.files.iter().filter(|file| file.access == Access::Read);
            Some(read.map(|file| Word::from(&file.path).text().to_owned()).collect())
        }
        // This writes a list to a file, for `xargs`.
        "echo" | "printf" if !command.facts.redirects.is_empty() => {
            Some(operands().map(|word| word.text().trim().to_owned()).collect())
        }
        _ => None,
    }
}

/// Returns the patterns that `find` looks for.
fn tests<'c>(command: &'c Command, reading: &'c Reading) -> impl Iterator<Item = String> + use<'c> {
    let before = command.words.iter().map(Word::text);
    before.enumerate().zip(command.args().windows(2)).filter_map(|((at, before), pair)| {
        let [option, name] = pair else { return None };
        let name = name.text();
        // These files are excluded.
        let is_pruned = command.args().get(at + 2).is_some_and(|word| word.text() == "-prune");
        if is_pruned || matches!(before, "!" | "-not") {
            return None;
        }
        match option.text() {
            "-name" | "-iname" => Some(name.to_owned()),
            "-path" | "-ipath" | "-wholename" | "-iwholename" => {
                Some(in_store(name, command, reading).unwrap_or(name).to_owned())
            }
            "-regex" | "-iregex" => Some(name.replace(".*", "*").replace('\\', "")),
            _ => None,
        }
    })
}

/// Returns the directory of credentials that a pattern for paths refers to: `*/.ssh/*`, or `*ssh*` below a home
/// directory.
fn in_store(pattern: &str, command: &Command, reading: &Reading) -> Option<&'static str> {
    const STORES: [&str; 6] = ["/.ssh", "/.aws", "/.gnupg", "/.kube", "/.docker", "/.azure"];
    let root = command.args().iter().map(Word::text).find(|word| !word.starts_with('-')).unwrap_or_default();
    let root = root.trim_end_matches('/');
    let is_home = matches!(root, "" | "~" | "/home" | "/Users" | "/root")
        || Some(root) == reading.home
        || root.starts_with(UNKNOWN);
    let is_about = |store: &&&str| {
        let name = store.get(2..).unwrap_or_default();
        pattern.contains(store.get(1..).unwrap_or_default())
            || is_home && pattern.trim_matches('*').trim_matches('/') == name
    };
    STORES.iter().find(is_about).copied()
}
