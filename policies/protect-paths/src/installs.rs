//! Directories that programs are told to install into: `pip install --target /opt/x`, `make install PREFIX=/usr/local`.

use crate::output::{KNOWN, after};
use crate::place::told;
use crate::shell::Judge;
use hookbox_policy::{Command, Word, words_before_run};
use hookbox_sdk::{Access, ShellWord};

/// Words by which programs install something.
const VERBS: &[&str] = &["--install", "add", "ci", "i", "install"];

/// Options that name the directory, and variables of makefiles and package managers.
#[rustfmt::skip] // Many names to a line.
const DIRECTORIES: &[&str] = &[
    "--install-dir", "--installdir", "--prefix", "--target", "-t",
    "CARGO_INSTALL_ROOT", "GOBIN", "NPM_CONFIG_PREFIX", "PIP_PREFIX", "PIP_TARGET", "PREFIX", "bindir", "exec_prefix", "npm_config_prefix", "prefix",
];

/// Options and variables that name a directory below which all others are.
const ROOTS: &[&str] = &["--destdir", "--install-root", "--installroot", "--root", "DESTDIR", "INSTALL_ROOT"];

/// Judges the directories that a command installs into.
pub(crate) fn judge(at: usize, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let Some(command) = all.get(at).filter(|command| !KNOWN.contains(&command.name)) else { return };
    // The command that this one runs is judged by itself.
    let end = words_before_run(at, all).unwrap_or(usize::MAX);
    let words = command.facts.argv.get(..end).unwrap_or(&command.facts.argv);
    let is_verb = |word: &ShellWord| {
        let word = Word::from(word);
        let text = word.text();
        VERBS.contains(&text) || text.starts_with("install-") || text.starts_with("install/")
    };
    let is_installer = command.name.starts_with("install") && command.name != "install";
    if !is_installer && !words.iter().skip(1).any(is_verb) {
        return;
    }
    let assigned = command.facts.assignments.iter().map(|set| (set.name.clone(), set.value.clone()));
    let mut named: Vec<(String, ShellWord)> = assigned.collect();
    for (at, word) in words.iter().enumerate().skip(1) {
        let option = Word::from(word);
        match option.text().split_once('=') {
            Some((option, _)) => named.push((option.to_owned(), after(word, option.len() + 1))),
            None => named.extend(words.get(at + 1).map(|value| (option.text().to_owned(), value.clone()))),
        }
    }
    let has_root = named.iter().any(|(name, _)| ROOTS.contains(&name.as_str()));
    let directories = if has_root { ROOTS } else { DIRECTORIES };
    for (_, value) in named.iter().filter(|(name, _)| directories.contains(&name.as_str())) {
        let told = told(value);
        let is_path = told.path.contains(['/', '\\']) || told.path.starts_with(['.', '~']) || told.place.is_some();
        if is_path && !told.is_anywhere {
            judge.word(command, value, Access::Write, false, all);
        }
    }
}
