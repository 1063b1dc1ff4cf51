//! The options of the command in an agent's settings, which say what `hookbox hook` reads.

use crate::cli::install::{commands, is_program};
use crate::cli::scope::{Scope, behind_command};
use crate::cli::{CliOfAgents, CommandOfAgents};
use clap::Parser;
use std::ffi::OsString;

/// Returns the scope that a shell command line gives to `hookbox hook`, or `None` if the scope is not known.
pub(super) fn scope(line: &str, agent: &str) -> Option<Scope> {
    let commands = commands(line)?;
    let is_place = |word: &String| word.starts_with("HOME=") || word.starts_with("XDG_");
    if commands.iter().flatten().any(is_place) {
        return None;
    }
    let is_hook = |pair: &[String]| matches!(pair, [word, name] if word == "hook" && name == agent);
    let (words, hook) = commands.iter().find_map(|words| Some((words, words.windows(2).position(is_hook)?)))?;
    // Options may come before `hook`, too.
    let program = words.iter().take(hook).rposition(|word| is_program(word));
    let options = words.iter().skip(program.map_or(hook, |program| program + 1));
    let args: Vec<OsString> = std::iter::once("hookbox".into()).chain(options.map(OsString::from)).collect();
    match CliOfAgents::try_parse_from(behind_command(args)).ok()?.command {
        CommandOfAgents::Hook(hook) => Some(hook.into_scope()),
        CommandOfAgents::Run(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::scope;

    #[test]
    fn a_condition_before_the_command_is_no_pattern() {
        let plain = scope("/usr/bin/hookbox hook claude --config a.toml", "claude");
        let guarded = "[ -x /usr/bin/hookbox ] && /usr/bin/hookbox hook claude --config a.toml";
        assert!(plain.is_some() && scope(guarded, "claude") == plain);
        assert!(scope("/usr/bin/hookbox hook claude --config [ab].toml", "claude").is_none());
        let in_shell = r#"bash -lc "cd /x && /usr/bin/hookbox hook claude --config a.toml""#;
        assert!(scope(in_shell, "claude") == plain);
    }
}
