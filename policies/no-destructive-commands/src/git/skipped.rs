//! Commands that skip the repository's own hooks, which check commits and pushes.

use super::Git;
use crate::lost;
use crate::scene::Scene;
use hookbox_policy::{Command, Word, options};

/// The subcommands that run hooks which can refuse, and the options of each whose value is the next word.
const CHECKED: [(&str, &[&str]); 11] = [
    ("commit", &["-m", "-F", "-C", "-c", "-t", "--message", "--file", "--author", "--date", "--fixup", "--template"]),
    ("push", &["-o", "--push-option", "--receive-pack", "--exec", "--repo"]),
    ("merge", &["-m", "-F", "-s", "-X", "--strategy", "--strategy-option", "--file", "--into-name"]),
    ("am", &["--directory", "--exclude", "--include", "--patch-format"]),
    ("rebase", &["-s", "-X", "-x", "--strategy", "--strategy-option", "--exec", "--onto"]),
    ("pull", &["-s", "-X", "--strategy", "--strategy-option"]),
    ("cherry-pick", &["-m", "-s", "-X", "--mainline", "--strategy", "--strategy-option"]),
    ("revert", &["-m", "-s", "-X", "--mainline", "--strategy", "--strategy-option"]),
    // Git runs programs of these names, such as `git-cz`, which commit or push.
    ("cz", &["-m", "--message"]),
    ("spice", &["-m", "--message"]),
    ("town", &["-m", "--message"]),
];

/// Variables that switch off a hook manager, and the values that do not.
const SWITCHES: [(&str, &[&str]); 7] = [
    ("HUSKY", &["", "1", "2"]),
    ("HUSKY_SKIP_HOOKS", &["", "0"]),
    ("LEFTHOOK", &["", "1", "true"]),
    ("OVERCOMMIT_DISABLE", &["", "0"]),
    ("PRE_COMMIT_ALLOW_NO_CONFIG", &["", "0"]),
    ("SKIP", &[""]),
    ("SKIP_SIMPLE_GIT_HOOKS", &["", "0"]),
];

const HOOKS_PATH: &str = "core.hookspath";

/// Returns the part of a command that skips the hooks.
pub(super) fn by(git: &Git<'_>, command: &Command<'_>, scene: &Scene<'_>) -> Option<String> {
    let subcommand = git.subcommand.text();
    if subcommand == "config" {
        return by_setting(git.args);
    }
    let (_, with_value) = CHECKED.iter().find(|(name, _)| *name == subcommand)?;
    let args: Vec<Word> = git.args.iter().map(|word| without_value(subcommand, word)).collect();
    let given = options(&args, with_value);
    // For other subcommands, `-n` has a different meaning.
    let has_short = matches!(subcommand, "commit" | "am") && given.options.iter().any(|option| option.name == "-n");
    if given.has(&["--no-verify"]) {
        return Some("--no-verify".to_owned());
    }
    if has_short {
        return Some("-n".to_owned());
    }
    let of_git = command.args().len().saturating_sub(git.args.len() + 1);
    if command.args().iter().take(of_git).any(|word| word.text().to_ascii_lowercase().contains(HOOKS_PATH)) {
        return Some("core.hooksPath".to_owned());
    }
    by_variable(command, scene)
}

/// Returns the variable that switches off the hooks.
fn by_variable(command: &Command<'_>, scene: &Scene<'_>) -> Option<String> {
    scene.variables(command).into_iter().find(|(name, value)| is_switch(name, value)).map(|(name, _)| name)
}

/// Returns an argument without the value that `-S` or `-u` has in the same word: `-uno` is not `-n`.
fn without_value(subcommand: &str, word: &Word) -> Word {
    let letters = word.text().strip_prefix('-').filter(|letters| !letters.starts_with('-') && subcommand == "commit");
    match letters.and_then(|letters| letters.find(['S', 'u'])) {
        // The dash and the letter are one byte each.
        Some(at) => Word::new(word.text().get(..at + 2).unwrap_or_default()),
        None => word.clone(),
    }
}

/// Programs that commit or push by running git, and pass `--no-verify` on to it.
#[rustfmt::skip] // Many words to a line.
const COMMITTERS: [&str; 10] = [
    "gt", "gs", "git-spice", "git-town", "stg", "cz", "czg", "git-cz", "standard-version", "commit-and-tag-version",
];

/// Returns how a program that runs git for its user is told to skip the hooks: `gt submit --no-verify`.
pub(super) fn by_committer(command: &Command<'_>, scene: &Scene<'_>) -> Option<String> {
    if !COMMITTERS.contains(&command.name) {
        return None;
    }
    let given = options(command.args(), &["-m", "--message"]);
    // What comes after `--` is passed on, too.
    let mut words =
        given.options.iter().map(|option| option.name.as_str()).chain(given.operands.iter().map(Word::text));
    match words.any(|word| word == "--no-verify") {
        true => Some("--no-verify".to_owned()),
        false => by_variable(command, scene),
    }
}

/// Programs that manage hooks, and the word with which each removes all of them.
const MANAGERS: [(&str, &str); 8] = [
    ("pre-commit", "uninstall"),
    ("prek", "uninstall"),
    ("lefthook", "uninstall"),
    ("husky", "uninstall"),
    ("overcommit", "--uninstall"),
    ("captainhook", "uninstall"),
    ("hk", "uninstall"),
    ("grumphp", "git:deinit"),
];

/// Returns the word by which a hook manager is told to remove the hooks.
pub(super) fn removes(command: &Command<'_>) -> Option<&'static str> {
    let (_, how) = MANAGERS.iter().find(|(name, _)| *name == command.name)?;
    let args = || command.args().iter().map(Word::text);
    let is_help = args().any(|arg| matches!(arg, "-h" | "--help"));
    // A subcommand must be the first word that is not an option, since options may have values.
    let is_told = match how.starts_with('-') {
        true => args().any(|arg| arg == *how),
        false => args().find(|arg| !arg.starts_with('-')) == Some(*how),
    };
    (is_told && !is_help).then_some(*how)
}

/// Returns how a command keeps a hook from running without removing it, such as `chmod -x .git/hooks/pre-push` and
/// `: > .git/hooks/pre-push`.
pub(super) fn disables(command: &Command<'_>, scene: &Scene<'_>) -> Option<&'static str> {
    let is_hook = |word: &Word| {
        let text = word.text();
        let path =
            if text.starts_with(['/', '~']) { text.to_owned() } else { format!("{}/{text}", scene.dir(command)) };
        let mut names = path.split('/').skip_while(|name| !matches!(*name, ".git" | ".husky"));
        let is_one = names.next().is_some_and(|dir| dir == ".husky" || names.any(|name| name == "hooks"));
        is_one && !text.ends_with(".sample")
    };
    if command.name == "chmod" {
        let is_one = command.args().iter().any(is_hook) || scene.chooses_git(command);
        return (is_one && forbids_running(command.args())).then_some("chmod");
    }
    let is_emptied = lost::written(command).iter().any(is_hook) && lost::gives_nothing(command, scene);
    is_emptied.then_some("an empty hook")
}

/// Whether the arguments of `chmod` take away the permission to run a file: `-x`, `u=rw`, `644`.
fn forbids_running(args: &[Word]) -> bool {
    let is_mode = |text: &&str| match text.strip_prefix('-') {
        Some(letters) => letters.bytes().all(|letter| b"rwxXst".contains(&letter)),
        None => true,
    };
    let Some(mode) = args.iter().map(Word::text).find(is_mode) else { return false };
    if mode.bytes().all(|byte| byte.is_ascii_digit()) {
        // The third digit from the end is that of the owner. Odd digits permit it.
        return mode.bytes().rev().nth(2).is_none_or(|digit| matches!(digit, b'0' | b'2' | b'4' | b'6'));
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '-', '=']) else { return false };
        let (who, what) = clause.split_at_checked(at).unwrap_or_default();
        let is_owner = who.is_empty() || who.contains(['u', 'a']);
        is_owner && (what.starts_with('-') && what.contains('x') || what.starts_with('=') && !what.contains(['x', 'X']))
    })
}

/// Judges `git config core.hooksPath /dev/null`. A directory in the project is accepted, because hook managers are set
/// up that way.
fn by_setting(args: &[Word]) -> Option<String> {
    let given = options(args, &["-f", "--file", "--blob", "--type", "-t", "--default", "--comment", "--value"]);
    let mut operands = given.operands.iter().map(Word::text).filter(|text| *text != "set");
    let is_it = operands.next().is_some_and(|key| key.eq_ignore_ascii_case(HOOKS_PATH));
    let value = operands.next().filter(|_| is_it)?;
    matches!(value, "" | "/dev/null" | "/tmp" | "/var/empty").then(|| "core.hooksPath".to_owned())
}

fn is_switch(name: &str, value: &str) -> bool {
    let is_setting = name.starts_with("GIT_CONFIG_KEY_") || name == "GIT_CONFIG_PARAMETERS";
    (is_setting && value.to_ascii_lowercase().contains(HOOKS_PATH))
        || SWITCHES.iter().any(|(switch, harmless)| *switch == name && !harmless.contains(&value))
}
