//! Directories that programs are told to install or clone into: `pip install --target /opt/x`, `git clone URL /opt/x`.

use crate::output::{KNOWN, after};
use crate::place::told;
use crate::shell::Judge;
use crate::unpacked;
use hookbox_policy::network::clone_operands;
use hookbox_policy::{Command, Word, options, words_before_run};
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

/// Judges the directories that a command installs or clones into.
pub(crate) fn judge(at: usize, all: &[Command<'_>], judge: &mut Judge<'_>) {
    if let Some(command) = all.get(at) {
        cloned(command, all, judge);
        linked(command, all, judge);
        unpacked::judge(command, all, judge);
    }
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

/// Judges the directory that a repository is cloned into.
fn cloned(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let verbs: &[&str] = match command.name {
        "git" | "gh" | "hg" => &["clone"],
        "svn" => &["checkout", "co", "export"],
        _ => return,
    };
    let args = command.args();
    let Some(verb) = args.iter().position(|word| verbs.contains(&word.text())) else { return };
    let rest = args.get(verb + 1..).unwrap_or_default();
    let operands = match command.name {
        "git" => clone_operands(rest),
        "svn" => options(rest, &["-r", "--revision", "--depth", "--username", "--password"]).operands,
        _ => options(rest, &["-u", "--upstream-remote-name", "-r", "--rev", "-b", "--branch"]).operands,
    };
    let is_first = verb == usize::from(command.name == "gh");
    let has_options = args.first().is_some_and(|word| word.text().starts_with('-'));
    if !is_first && !has_options {
        return;
    }
    let argv = &command.facts.argv;
    let words: Vec<&ShellWord> = match operands.get(1) {
        Some(directory) => argv.iter().skip(verb + 2).filter(|word| Word::from(*word) == *directory).collect(),
        // This is `git -C /opt clone URL`.
        None if operands.len() == 1 => {
            argv.iter().take(verb + 1).skip_while(|word| word.known() != Some("-C")).skip(1).take(1).collect()
        }
        None => return,
    };
    for word in words {
        let told = told(word);
        // After `git -C`, other paths begin elsewhere.
        let is_above = (is_first || operands.len() < 2) && told.path.starts_with("..");
        let leads_away = is_above || told.path.starts_with(['/', '~']) || told.place.is_some();
        if leads_away && !told.is_anywhere {
            judge.word(command, word, Access::Write, false, all);
        }
    }
}

/// Judges the directory in which `stow` makes links: `stow -t ~ bash`.
fn linked(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let args = command.args();
    let is_try = |word: &Word| {
        let text = word.text();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        // A value follows these two letters.
        let flags = letters.and_then(|letters| letters.split(['t', 'd']).next());
        matches!(text, "--no" | "--simulate" | "--version") || flags.is_some_and(|flags| flags.contains(['n', 'V']))
    };
    let is_target = |name: &str| name.len() > 2 && "--target".starts_with(name);
    if command.name != "stow" || args.iter().any(is_try) {
        return;
    }
    for (at, word) in command.facts.argv.iter().enumerate().skip(1) {
        let option = Word::from(word);
        let text = option.text();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        // This is also `-vt DIR` and `-vtDIR`.
        let short = letters.find(['t', 'd']).and_then(|at| letters.get(at..)?.strip_prefix('t'));
        let value = match (short, text.split_once('=')) {
            (Some(""), _) => command.facts.argv.get(at + 1).cloned(),
            (Some(value), _) => Some(after(word, text.len() - value.len())),
            (None, Some((name, _))) if is_target(name) => Some(after(word, name.len() + 1)),
            (None, None) if is_target(text) => command.facts.argv.get(at + 1).cloned(),
            _ => None,
        };
        if let Some(value) = value.filter(|value| !told(value).is_anywhere) {
            judge.word(command, &value, Access::Write, false, all);
        }
    }
}
