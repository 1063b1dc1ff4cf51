//! Programs with files of their own, to which they write without being given a path: `aws configure`, `useradd x`.

use crate::names::Names;
use crate::output::after;
use crate::own::git::is_known;
use crate::rules::Target;
use crate::shell::Judge;
use crate::table_stores::{self, Store};
use hookbox_policy::{Command, Word, options};
use hookbox_sdk::{Access, ShellWord};

/// Judges the files to which a command writes by what it does.
pub(crate) fn judge(at: usize, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let Some(command) = all.get(at) else { return };
    edited(at, command, all, judge);
    tree(command, all, judge);
    if makes_key(command) {
        own("~/.ssh/id_ed25519", false, command, judge);
    }
    for store in table_stores::of(command.name).filter(|store| is_written(store, command)) {
        let moved = moved(store, at, all, judge.tool.command.as_deref().unwrap_or_default());
        for path in &moved {
            judge.word(command, path, Access::Write, false, all);
        }
        if moved.is_empty() {
            own(store.path, store.is_asked, command, judge);
        }
    }
}

/// Judges a program's own file.
fn own(path: &str, is_asked: bool, command: &Command<'_>, judge: &mut Judge<'_>) {
    let names = Names::new(path);
    let place = judge.place_of(&names);
    let target = Target { names, shown: path.to_owned(), access: Access::Write, place, keeps_content: false };
    // `ssh-copy-id` writes the file of another machine, which may be this one.
    let verdict = match command.name {
        "ssh-copy-id" => judge.rules.protected_elsewhere(&target),
        _ if is_asked => judge.rules.judge(&target).at_most_ask(),
        _ => judge.rules.judge(&target),
    };
    verdict.by(&command.quote()).tell(judge.found);
}

/// Whether a command is one of those that write a store.
fn is_written(store: &Store, command: &Command<'_>) -> bool {
    let args = command.args();
    let end = args.iter().position(|word| word.text() == "--").unwrap_or(args.len());
    let given = args.get(..end).unwrap_or_default();
    let has = |name: &str| given.iter().any(|word| is_option(word.text(), name));
    // The word after an option may be its value.
    let is_help = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| given.get(before));
        !before.is_some_and(|before| before.text().starts_with('-'))
    };
    let helps = given.iter().enumerate().any(|(at, word)| word.text() == "--help" && is_help(at));
    if helps || store.but.iter().any(|but| but.starts_with('-') && has(but)) {
        return false;
    }
    store.writes.iter().any(|words| {
        let (flags, names): (Vec<&str>, Vec<&str>) = words.split_whitespace().partition(|word| word.starts_with('-'));
        flags.iter().all(|flag| given.iter().any(|word| fits(word.text(), flag)))
            && follow(args, &names).is_some_and(|rest| {
                let only_reads = rest.first().is_some_and(|word| store.but.contains(&word.text()));
                !only_reads && !sets_harmless(store, rest)
            })
    })
}

/// Whether the words after a subcommand set only what is harmless: `fund false`, `fund=false`, `editor vim`.
fn sets_harmless(store: &Store, rest: &[Word]) -> bool {
    let mut words = rest.iter().map(Word::text).peekable();
    let (mut is_set, mut is_skipped) = (false, false);
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            let may_have_value = !word.contains('=') && !matches!(word, "-g" | "--global" | "--user");
            // Where the next word is a setting instead of the option's value, the word after it is judged as a setting.
            let skips = may_have_value && words.next_if(|next| !next.starts_with('-') && !next.contains('=')).is_some();
            if word == "--" || skips && is_skipped {
                return false;
            }
            is_skipped |= skips;
            continue;
        }
        let (key, value) = match word.split_once('=') {
            Some(pair) => pair,
            None => (word, words.next_if(|next| !next.starts_with('-')).unwrap_or_default()),
        };
        let is_editor = matches!(key, "browser" | "editor" | "pager") && is_known(value);
        if store.harmless.is_empty() || !is_editor && !store.harmless.iter().any(|harmless| fits(key, harmless)) {
            return false;
        }
        is_set = true;
    }
    is_set
}

/// Whether an argument is this option, with or without a value.
fn is_option(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Whether a word is the wanted one. A `*` at its start or its end stands for anything.
fn fits(text: &str, wanted: &str) -> bool {
    match (wanted.strip_prefix('*'), wanted.strip_suffix('*')) {
        (Some(end), _) => text.ends_with(end),
        (None, Some(start)) => text.starts_with(start),
        (None, None) => is_option(text, wanted),
    }
}

/// Returns the arguments after these subcommands. Options and their values may be between them.
fn follow<'w>(args: &'w [Word], names: &[&str]) -> Option<&'w [Word]> {
    let Some((name, names)) = names.split_first() else { return Some(args) };
    let mut may_be_value = false;
    for (at, word) in args.iter().enumerate() {
        let text = word.text();
        let is_option = text.starts_with('-');
        if !is_option && fits(text, name) {
            let rest = follow(args.get(at + 1..).unwrap_or_default(), names);
            if rest.is_some() {
                return rest;
            }
        }
        if !is_option && !may_be_value {
            return None;
        }
        may_be_value = is_option && !text.contains('=');
    }
    None
}

/// Returns the files that options and variables name in place of a program's own file. `script` is the whole text.
fn moved(store: &Store, at: usize, all: &[Command<'_>], script: &str) -> Vec<ShellWord> {
    let mut found = Vec::new();
    let Some(command) = all.get(at) else { return found };
    let mut words = command.facts.argv.iter().skip(1);
    while let Some(word) = words.next() {
        let text = Word::from(word);
        match text.text().split_once('=') {
            _ if text.text() == "--" => break,
            Some((option, _)) if store.moved.contains(&option) => found.push(after(word, option.len() + 1)),
            None if store.moved.contains(&text.text()) => found.extend(words.next().cloned()),
            _ => {}
        }
    }
    if !found.is_empty() {
        return found;
    }
    let is_known = |name: &str| !name.starts_with('-') && store.moved.contains(&name);
    let assigned = command.facts.assignments.iter().filter(|assignment| is_known(&assignment.name));
    found.extend(assigned.map(|assignment| assignment.value.clone()));
    // A variable counts only if the shell that starts the program exports it.
    let is_same = |other: &&Command<'_>| {
        other.name == "export"
            && other.facts.parent == command.facts.parent
            && other.facts.shell == command.facts.shell
            && other.facts.function == command.facts.function
            && !other.facts.background
            && !leaves_subshell(script, &other.facts.text, &command.facts.text)
    };
    if found.is_empty() {
        for word in all.iter().take(at).filter(is_same).flat_map(|other| other.facts.argv.iter().skip(1)) {
            let text = Word::from(word);
            if let Some((name, _)) = text.text().split_once('=').filter(|(name, _)| is_known(name)) {
                found = vec![after(word, name.len() + 1)];
            }
        }
    }
    found
}

/// Whether a parenthesis that is open at the first command is closed before the second one, or this is not known:
/// `(export A=b); c`.
fn leaves_subshell(script: &str, first: &str, second: &str) -> bool {
    let between = script.rfind(first).zip(script.rfind(second)).and_then(|(from, to)| script.get(from..to));
    let mut open = 0_usize;
    !between.unwrap_or(")").chars().all(|c| {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
        true
    })
}

/// Whether a command makes a key in the usual place: an `ssh-keygen` that only has options that describe the key.
fn makes_key(command: &Command<'_>) -> bool {
    const DESCRIBE: &[&str] = &["-t", "-b", "-C", "-N", "-a", "-m", "-Z", "-q", "-v", "-o"];
    let given = options(command.args(), &["-t", "-b", "-C", "-N", "-a", "-m", "-Z", "-f"]);
    command.name == "ssh-keygen" && given.options.iter().all(|option| DESCRIBE.contains(&option.name.as_str()))
}

/// Judges the files that `sudo -e` and `sudoedit` change.
fn edited(at: usize, command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    const VALUES: &[&str] = &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U"];
    let given = options(command.args(), VALUES);
    // Otherwise, `-e` is an option of the command that `sudo` runs.
    let runs = || all.iter().any(|other| other.facts.parent == Some(at) && other.facts.via.as_deref() == Some("sudo"));
    let edits = || command.name == "sudo" && given.has(&["-e", "--edit"]) && !runs();
    if command.name != "sudoedit" && !edits() {
        return;
    }
    for word in command.facts.argv.iter().skip(1) {
        if given.operands.contains(&Word::from(word)) {
            judge.word(command, word, Access::Write, false, all);
        }
    }
}

/// Asks about the protected files in the tree of Augeas: `augtool set /files/etc/ssh/sshd_config/X y`.
fn tree(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    const CHANGES: &[&str] =
        &["clear", "clearm", "ins", "insert", "mv", "move", "rename", "rm", "set", "setm", "store", "touch"];
    if command.name != "augtool" {
        return;
    }
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let words = || command.args().iter().chain(&stdin).flat_map(|word| word.text().split_whitespace());
    if words().any(|word| CHANGES.contains(&word)) {
        for path in words().filter_map(|word| word.strip_prefix("/files")) {
            judge.named(command, path, all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{follow, leaves_subshell};
    use hookbox_policy::Word;

    #[test]
    fn subcommands_follow_options() {
        let is_there = |line: &str, names: &[&str]| {
            let words: Vec<Word> = line.split_whitespace().map(Word::new).collect();
            follow(&words, names).map(<[Word]>::len)
        };
        assert_eq!(is_there("config set a b", &["config", "set"]), Some(2));
        assert_eq!(is_there("--prefix x config --json set a", &["config", "set"]), Some(1));
        assert_eq!(is_there("config set-cluster a", &["config", "set*"]), Some(1));
        assert_eq!(is_there("config get set", &["config", "set"]), None);
        assert_eq!(is_there("--verbose=1 x config set", &["config", "set"]), None);
        assert_eq!(is_there("", &[]), Some(0));
    }

    #[test]
    fn a_subshell_keeps_its_variables() {
        for (script, leaves) in [
            ("export A=b; c", false),
            ("(export A=b; c)", false),
            ("export A=b; x $(y); c", false),
            ("(export A=b); c", true),
            ("(x; (export A=b; y)); c", true),
            ("(export A=b; c); c", true),
            ("x; c", true),
        ] {
            assert_eq!(leaves_subshell(script, "export A=b", "c"), leaves, "{script}");
        }
    }
}
