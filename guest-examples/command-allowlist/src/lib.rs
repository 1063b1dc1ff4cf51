//! A hookbox policy hook that lets only the shell commands on a list pass.
//!
//! The SDK's shell reader lists every command that would run, including those after `sudo`, in `bash -c` and in
//! substitutions. Each of them must match an entry of [`Settings::allow`]; what cannot be known matches none.

mod matching;
mod path;
mod settings;

use hookbox_sdk::shell::{Redirect, Script, SimpleCommand, Word};
use hookbox_sdk::{Action, Error, Event, Input, hook};
pub use settings::{Entry, Exact, Otherwise, Settings};

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the tool's input is not one that a command can be found in.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    if !matches!(input.event, Event::PreTool | Event::PermissionRequest) || input.commands()?.is_empty() {
        return Ok(Action::allow());
    }
    let settings = &input.settings;
    Ok(match objection(&input.script()?, settings, &input.pwd) {
        None if settings.grant => Action::permit("every command in it is on the list"),
        None => Action::allow(),
        Some(reason) if settings.otherwise == Otherwise::Deny => Action::deny(reason),
        Some(reason) => Action::ask(reason),
    })
}

/// Returns why a script may not run as it is.
fn objection(script: &Script, settings: &Settings, pwd: &str) -> Option<String> {
    if let Some(unknown) = script.unknowns().first() {
        return Some(unknown.to_string());
    }
    let commands = script.known_commands();
    let most = settings.max_commands;
    if commands.len() > most {
        return Some(format!("the command holds {} others, and {most} are allowed; split it up", commands.len()));
    }
    let by_command = commands.iter().find_map(|command| off_the_list(command, settings, pwd));
    by_command.or_else(|| script.redirects().iter().find_map(|redirect| off_limits(redirect, settings, pwd)))
}

fn off_the_list(command: &SimpleCommand, settings: &Settings, pwd: &str) -> Option<String> {
    let sets = command.assignments.iter().map(|assignment| assignment.name.as_str());
    let sets = sets.chain(command.words.iter().filter_map(set_by_expansion));
    let is_allowed = |name: &&str| settings.env.iter().any(|allowed| allowed == name) || is_local(name, command);
    if let Some(variable) = sets.into_iter().find(|name| !is_allowed(name)) {
        return Some(format!(
            "{} sets the variable `{variable}`, which is not on the list; leave it out, or have it added to `env`",
            quote(command)
        ));
    }
    if command.words.is_empty() || settings.allow.iter().any(|entry| entry.matches(command, pwd)) {
        return None;
    }
    Some(match matching::entry_for(command) {
        Some(entry) => {
            format!("{} is not on the list; the entry `{entry}` in `allow` would let it pass", quote(command))
        }
        None => format!("{} runs a command that is not known yet; write its name out", quote(command)),
    })
}

/// Quotes the command. One without words, which only sets variables, is called "the command".
fn quote(command: &SimpleCommand) -> String {
    if command.words.is_empty() { "the command".to_owned() } else { command.quote() }
}

/// Whether this is a variable of the script alone: in lower case, not passed to a command, and without a meaning for
/// programs or for zsh.
fn is_local(name: &str, command: &SimpleCommand) -> bool {
    const SPECIAL: [&str; 8] =
        ["path", "fpath", "cdpath", "manpath", "module_path", "mailpath", "prompt", "precmd_functions"];
    let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    command.words.is_empty() && is_plain && !name.ends_with("_proxy") && !SPECIAL.contains(&name)
}

/// Returns the variable that `${name:=value}` or `${name=value}` sets.
fn set_by_expansion(word: &Word) -> Option<&str> {
    word.raw().match_indices("${").find_map(|(at, open)| {
        let inside = word.raw().get(at + open.len()..)?;
        let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let (name, rest) = inside.split_at_checked(end)?;
        (rest.starts_with(":=") || rest.starts_with('=')).then_some(name)
    })
}

fn off_limits(redirect: &Redirect, settings: &Settings, pwd: &str) -> Option<String> {
    let target = &redirect.target;
    let is_network = |file: &str| file.starts_with("/dev/tcp/") || file.starts_with("/dev/udp/");
    let is_fine = match target.known() {
        // The commands in it are judged like all others.
        _ if target.is_process_substitution() => true,
        Some(file) if is_network(file) => false,
        Some(file) => !redirect.writes() || path::is_in(file, &settings.write_to, pwd),
        None => false,
    };
    (!is_fine).then(|| {
        format!(
            "`{} {}` is a file that is not on the list; leave it out, or have it added to `write_to`",
            redirect.operator,
            target.raw()
        )
    })
}
