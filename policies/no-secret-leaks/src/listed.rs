//! Files that one command finds by their names and another shows: `find … -exec cat`, `for f in $(locate id_rsa)`.

use crate::reads::{COPIERS, Reading, is_quiet, unversioned};
use crate::stores::{Class, class_of_directory};
use crate::users::USERS;
use hookbox_policy::Command;

/// Programs that show what is in the files that a loop hands them.
pub(crate) const SHOWING: &[&str] = &[
    "cat", "tac", "bat", "head", "tail", "less", "more", "nl", "base64", "base32", "xxd", "od", "hexdump", "strings",
    "grep", "rg", "awk", "gawk", "sed", "cut", "sort", "jq", "yq", "paste", "curl", "openssl",
];

/// The secret file that a command looks for by its name, for a program that shows it.
pub(crate) fn listed(index: usize, commands: &[Command], reading: &Reading) -> Option<(Class, String)> {
    let command = commands.get(index)?;
    let class = names(command)?.into_iter().filter_map(|name| {
        let class = reading.class(&name.replace('*', "x")).or_else(|| class_of_directory(&name));
        Some((class?, name))
    });
    let class = class.max()?;
    let shows = |user: &Command| {
        !user.name.is_empty()
            && user.name != "xargs"
            && !USERS.contains(&unversioned(user.name))
            && !COPIERS.contains(&user.name)
            && !is_quiet(user)
    };
    let is_xargs = |at: usize| {
        commands.get(at).is_some_and(|reader| reader.name == "xargs" && reader.facts.reads_from.contains(&index))
    };
    let is_user = |user: &Command| user.facts.parent.is_some_and(|parent| parent == index || is_xargs(parent));
    // What a variable names that holds what was found: `for f in $(…)`, `… | while read f`.
    let is_kept = command.facts.via.as_deref().is_some_and(|via| via.contains("substitution"))
        || commands.iter().any(|reader| reader.name == "read" && reader.facts.reads_from.contains(&index));
    let is_looped = |user: &Command| {
        let mut words = user.args().iter();
        is_kept
            && SHOWING.contains(&user.name)
            && !is_quiet(user)
            && words.any(|word| word.known().is_none() && word.raw().trim_start_matches('"').starts_with(['$', '`']))
    };
    commands.iter().any(|user| is_user(user) && shows(user) || is_looped(user)).then_some(class)
}

/// The names that a command looks for, if it lists files.
fn names(command: &Command) -> Option<Vec<String>> {
    let operands = || command.args().iter().filter(|word| !word.text().starts_with('-'));
    match command.name {
        "find" | "gfind" => {
            let names = command.args().windows(2).filter_map(|pair| match pair {
                [option, name] if matches!(option.text(), "-name" | "-iname" | "-path" | "-ipath" | "-wholename") => {
                    Some(name.text().to_owned())
                }
                _ => None,
            });
            Some(names.collect())
        }
        // A regular expression.
        "fd" | "fdfind" | "locate" | "mlocate" | "plocate" => {
            Some(operands().map(|word| word.text().replace(['^', '$', '\\'], "")).collect())
        }
        "ls" => Some(operands().map(|word| word.text().replace(hookbox_policy::GLOB, "x")).collect()),
        _ => None,
    }
}
