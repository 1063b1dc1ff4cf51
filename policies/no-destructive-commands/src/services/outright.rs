//! Programs that are in no table, and whose first words say outright that they destroy something: `iocage destroy web`,
//! `tool delete-job x`. For weaker words, see [`verbs`](super::verbs).

use super::DRY;
use super::table::{SERVICES, losses};
use crate::launched;
use crate::possible::{INTERPRETERS, PLAIN};
use crate::prefix::operands;
use hookbox_policy::{Command, Names, Word};

/// Words that mean the loss of data even if nothing tells the program not to ask. `delete` is not one of them: it is
/// also the word for drafts, entries of a list, and what is recreated at once.
const VERBS: [&str; 7] = ["destroy", "drop", "purge", "wipe", "nuke", "erase", "obliterate"];

/// Verbs that mean the loss of data if a noun is attached to them: `delete-job`, `dropDatabase`.
const WITH_NOUN: [&str; 6] = ["delete", "destroy", "purge", "wipe", "erase", "drop"];

/// First words after which a verb is only a name: `tool help destroy`, `task run purge`.
#[rustfmt::skip] // Many words to a line.
const NAMING: [&str; 33] = [
    "help", "docs", "doc", "search", "explain", "man", "info", "show", "describe", "list", "ls", "get", "view", "add", "new", "generate", "g",
    "create", "init", "install", "i", "test", "run", "start", "exec", "find", "build", "edit", "logs", "open", "restart", "status", "stop",
];

/// Options whose value is an action.
const ACTIONS: [&str; 5] = ["--mode", "--action", "--operation", "--op", "--cmd"];

/// Programs to which such a word is a pattern, a topic, a host, or the name of a file, a test, a task, a service or a
/// generator, or that only change the shell.
#[rustfmt::skip] // Many words to a line.
static OTHERS: Names = Names::new(&[
    "jest", "vitest", "mocha", "ava", "tap", "playwright", "cypress", "wdio", "karma", "pytest", "tox", "nox", "rspec", "phpunit", "pest",
    "ctest", "gotestsum", "bats", "coverage", "k6", "fzf", "sk", "ast-grep", "sg", "semgrep", "zoxide", "z", "dict", "wn", "look", "aspell", "module", "ml",
    "ember", "rw", "redwood", "hanami", "kill", "trap", "xargs", "parallel", "watch", "su", "sudo", "env", "claude-code",
    "plocate", "mdfind", "espeak", "ri", "pydoc", "perldoc", "ansible-doc", "ssh", "mosh", "ping", "tmux", "screen", "systemctl", "service",
    "vim", "nvim", "vi", "nano", "emacs", "code", "gdb", "lldb", "strace", "valgrind", "ldd", "nm", "tsx", "ts-node",
    "task", "poe", "invoke", "inv", "ninja", "turbo", "nx", "zig", "mise", "lerna",
]);

/// Returns the word by which a command is told to destroy something.
pub(super) fn told<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let name = command.name;
    let args = || command.args().iter().map(Word::text);
    // Most commands are of a known program, or have none of the words.
    if name.is_empty() || PLAIN.contains(name) || !args().any(may_be_action) {
        return None;
    }
    let is_elsewhere = INTERPRETERS.contains(name) || OTHERS.contains(name);
    let is_known = || SERVICES.contains(name) || losses(name).next().is_some();
    if is_elsewhere || is_known() || is_own(command) || args().any(|arg| DRY.contains(&arg)) {
        return None;
    }
    by_option(command).or_else(|| by_operand(command))
}

/// Whether a word may say that something is destroyed. This is a quick test.
fn may_be_action(text: &str) -> bool {
    text.len() < 64 && (VERBS.iter().any(|verb| text.contains(verb)) || text.contains("delete"))
}

/// Whether the program belongs to the project, or makes something with the name that it gets.
fn is_own(command: &Command<'_>) -> bool {
    let program = command.words.first().map(Word::text).unwrap_or_default();
    let is_script = program.contains('/') && !program.starts_with('/') && !program.contains(":/");
    is_script || launched::is_one(command) || command.name.starts_with("create") || command.name.contains("grep")
}

/// Returns the value of an option such as `--mode` that tells a program to destroy something.
fn by_option<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let is_action = |value: &str| value.split([',', '+']).any(|part| VERBS.contains(&part));
    let args = command.args();
    let next = args.windows(2).filter_map(|pair| match pair {
        [option, value] if ACTIONS.contains(&option.text()) => Some(value.text()),
        _ => None,
    });
    let attached = args.iter().filter_map(|word| word.text().split_once('='));
    let attached = attached.filter(|(option, _)| ACTIONS.contains(option)).map(|(_, value)| value);
    next.chain(attached).find(|value| is_action(value))
}

/// Returns the first or the second operand if it tells a program to destroy something.
fn by_operand<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let operands = operands(command);
    let mut words = operands.iter().filter(|operand| !operand.may_be_value).map(|operand| operand.text);
    let first = words.next()?;
    // `delete-user` alone may be a directory: `linter delete-user`.
    let has_object = || operands.last().is_some_and(|last| last.text != first);
    if is_verb(first) || has_noun(first) && (!first.starts_with("delete") || has_object()) {
        return Some(first);
    }
    // A path or a text is not a group of subcommands.
    let is_group = first.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_group || NAMING.contains(&first) {
        return None;
    }
    words.next().filter(|second| is_verb(second))
}

/// Whether a word is one of the verbs, alone or at the end of its groups: `destroy`, `queue.purge`, `db:drop`.
fn is_verb(text: &str) -> bool {
    let (group, verb) = text.rsplit_once(['.', ':']).unwrap_or(("x", text));
    VERBS.contains(&verb) && group.bytes().all(|byte| byte.is_ascii_lowercase() || b".:-".contains(&byte))
}

/// Whether a word is a verb with a noun: `delete-job`, `dropDatabase`. A name with a dot is a file.
fn has_noun(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && WITH_NOUN.iter().any(|verb| {
            let noun = text.strip_prefix(verb).unwrap_or_default();
            // `drop-zone` and `drop-in` are nouns themselves.
            let after_sign = noun.strip_prefix(['-', '_']).filter(|_| *verb != "drop").unwrap_or_default();
            noun.starts_with(|c: char| c.is_ascii_uppercase())
                || after_sign.starts_with(|c: char| c.is_ascii_alphabetic())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefix::tests::command;

    fn is(text: &str) -> bool {
        told(&Command::new(&command(text))).is_some()
    }

    #[test]
    fn verbs_count_where_a_subcommand_is() {
        assert!(
            ["tool destroy x", "tool -A app purge", "tool queue.purge x", "tool box wipe"].iter().all(|text| is(text))
        );
        assert!(["tool delete-job x", "tool delete_job x", "tool dropDatabase"].iter().all(|text| is(text)));
        assert!(["tool destroy-all", "tool --mode destroy,create x"].iter().all(|text| is(text)));
        assert!(
            ["tool help destroy", "tool add purge", "tool delete draft", "tool a b drop"].iter().all(|text| !is(text))
        );
    }

    #[test]
    fn names_and_files_are_no_verbs() {
        assert!(
            ["tool drop.sql", "tool delete-user.ts", "tool dropdown", "tool drop-zone"].iter().all(|text| !is(text))
        );
        assert!(["jest deleteUser", "create-app delete-me", "module purge"].iter().all(|text| !is(text)));
        assert!(["tool delete-user", "systemctl restart purge", "ts-node deleteUser"].iter().all(|text| !is(text)));
        assert!(!is("tool destroy x --dry-run"));
    }
}
