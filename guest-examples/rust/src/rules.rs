//! The rules, each for a few commands.

mod code;
mod delete;
mod device;
mod git;
mod lost;
mod permissions;
mod scene;

use crate::path::Protected;
use crate::verdict::Finding;
use hookbox_sdk::shell::{Redirect, SimpleCommand};
pub use scene::Scene;

/// Judges a command by its name.
#[must_use]
pub fn command(command: &SimpleCommand, scene: &Scene<'_>) -> Vec<Finding> {
    let by_name = match command.name() {
        None => unknown_command(command, scene),
        Some(name) => by_name(name, command, scene),
    };
    fork_bomb(command).into_iter().chain(by_name).collect()
}

fn by_name(name: &str, command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    match name {
        "rm" => delete::rm(command, scene),
        "mv" => delete::mv(command, scene),
        "find" => delete::find(command, scene),
        "chmod" | "chown" | "chgrp" => permissions::change(command, scene),
        "dd" => device::dd(command),
        "git" => git::git(command, scene),
        name if device::formats(name) => device::format(command),
        name if code::is_interpreter(name) => code::interpreter(command),
        name if name.eq_ignore_ascii_case("remove-item") => code::remove_item(command),
        _ => lost::command(name, command),
    }
}

/// Judges a file that output goes to.
#[must_use]
pub fn redirect(redirect: &Redirect) -> Option<Finding> {
    device::redirect(redirect)
}

/// Judges a command whose name is not known: it could be `rm`. If the name is known in part, it is strange enough to
/// ask about whatever `rm` would be asked about. In a script that is not known in full, such a command is a script
/// itself.
fn unknown_command(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let word = command.words.first()?;
    if command.is_in_patchy_script && word.is_unknown() {
        let what = "a script in the command runs something that is not known yet; name it";
        return Some(Finding::Ask(what.to_owned()));
    }
    let finding = delete::rm(command, scene)?;
    let asks = matches!(finding, Finding::Deny(_)) || !word.is_wholly_unknown();
    asks.then(|| {
        Finding::Ask(format!(
            "{} runs a command that is not known yet, and would destroy data if that is `rm`; name the command",
            command.quote()
        ))
    })
}

/// Finds a function that runs itself twice, in the background: `:(){ :|:& };:`.
fn fork_bomb(command: &SimpleCommand) -> Option<Finding> {
    let name = command.words.first()?.pattern();
    let calls_itself = command.function.as_deref() == Some(name);
    (calls_itself && command.is_piped && command.is_background).then(|| {
        Finding::Deny(format!(
            "the function {} starts itself twice in the background until the system halts; leave it out",
            command.quote()
        ))
    })
}

/// Denies a command that would do something to something protected.
fn protected(command: &SimpleCommand, would: &str, what: &Protected) -> Finding {
    let (what, instead) = match what {
        Protected::FileSystem => ("the whole file system".to_owned(), "name the directory that you mean"),
        Protected::Home => ("a whole home directory".to_owned(), "name the directory in it that you mean"),
        Protected::System(path) => (format!("the system directory {path}"), "name only files that belong to your work"),
    };
    Finding::Deny(format!("{} would {would} {what}; {instead}", command.quote()))
}
