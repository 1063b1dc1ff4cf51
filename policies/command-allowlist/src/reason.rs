//! The texts of the reasons, for the user and the model.

use crate::entry::{Miss, Site};
use crate::files::Change;
use crate::program;

/// Whether an entry did not match because something is known only when the command runs.
pub(crate) fn is_unknown(miss: &Miss) -> bool {
    match miss {
        Miss::Unknown(_) => true,
        Miss::Changes(change) => change.is_unknown,
        _ => false,
    }
}

/// Returns why no entry allows the command.
pub(crate) fn miss(site: &Site<'_>, miss: &Miss) -> String {
    let (command, program) = (site.command.quote(), site.command.name);
    match miss {
        Miss::Other | Miss::Sub => match program::entry_for(site) {
            Some(entry) => format!("{command} is not on the list; the entry \"{entry}\" in `allow` would let it pass"),
            None => no_program(site),
        },
        Miss::Flag(flag) => {
            format!(
                "{command} has the option `{flag}`, which the entry for `{program}` does not list; add it to its `flags`"
            )
        }
        Miss::Path(path) => {
            format!(
                "{command} names `{path}`, which lies outside of what the entry for `{program}` lists; add it to its `paths`"
            )
        }
        Miss::Unknown(word) => {
            format!("{command} has `{word}`, which can be any option or path when it runs; write it out")
        }
        Miss::Foreign(path) => {
            format!(
                "{command} reads `{path}`, which is no file of the project; an entry with this path in its `paths` would let it pass"
            )
        }
        Miss::Changes(change) => self::change(site, change),
    }
}

/// Returns the reason for a change of a file that is not allowed.
pub(crate) fn change(site: &Site<'_>, change: &Change) -> String {
    let (command, path) = (site.command.quote(), &change.path);
    let does = if change.deletes { "deletes" } else { "writes" };
    if change.is_unknown {
        return format!("{command} {does} `{path}`, which is known only when it runs; write the path out");
    }
    let why = if change.is_delicate { ", which says what may run later" } else { "" };
    format!("{command} {does} `{path}`{why}; leave that out, or add \"{path}\" to `write_to`")
}

pub(crate) fn variable(site: &Site<'_>, name: &str) -> String {
    let what = if site.command.words.is_empty() { "the call".to_owned() } else { site.command.quote() };
    format!("{what} sets the variable `{name}`; leave it out, or add \"{name}\" to `env`")
}

pub(crate) fn some_variable(site: &Site<'_>) -> String {
    format!("{} sets a variable whose name is known only when it runs; write the name out", site.command.quote())
}

pub(crate) fn no_program(site: &Site<'_>) -> String {
    format!("{} runs a program that is known only when it runs; write its name out", site.command.quote())
}

pub(crate) fn script(site: &Site<'_>, script: &str) -> String {
    let (command, program) = (site.command.quote(), site.command.name);
    format!(
        "{command} takes its program from `{script}`, which can make `{program}` run anything; put it on the command line"
    )
}

pub(crate) fn written(site: &Site<'_>, program: &str) -> String {
    let command = site.command.quote();
    format!("{command} runs `{program}`, which the same call writes; write it first, and run it in a call of its own")
}

pub(crate) fn in_text(site: &Site<'_>, program: &str) -> String {
    format!("{} runs inside the program of `{program}`; run it by itself, and pipe its output", site.command.quote())
}

pub(crate) fn network(site: &Site<'_>, target: &str) -> String {
    format!("{} talks to the network by `{target}`; leave that redirection out", site.command.quote())
}
