//! Programs that encrypt files, and files that a call encrypts before it gives them to git.

use hookbox_policy::{Command, Word};

/// Whether a command only encrypts the files that it reads.
pub(crate) fn is_encryptor(command: &Command) -> bool {
    let mut words = command.args().iter().map(Word::text);
    match command.name {
        "ansible-vault" => words.next() == Some("encrypt"),
        "kubeseal" => !words.any(|word| word.trim_start_matches('-').starts_with("recovery")),
        _ => false,
    }
}

/// Whether `git add` gets only the file that the command before it has encrypted in place:
/// `sops -e -i secrets.yaml && git add secrets.yaml`. `text` is the text of the call.
pub(crate) fn is_encrypted(index: usize, commands: &[Command], text: Option<&str>) -> bool {
    let Some((at, add)) = index.checked_sub(1).zip(commands.get(index)) else { return false };
    let (Some(encrypts), Some(text)) = (commands.get(at), text) else { return false };
    let [verb, file] = add.args() else { return false };
    let is_plain = |command: &Command| {
        let facts = command.facts;
        facts.parent.is_none() && facts.function.is_none() && facts.assignments.is_empty() && facts.redirects.is_empty()
    };
    add.name == "git"
        && verb.text() == "add"
        && encrypts_in_place(encrypts, file)
        && is_plain(encrypts)
        && is_plain(add)
        && encrypts.facts.cwd == add.facts.cwd
        // Nothing before may change what the program is.
        && commands.iter().take(at).all(|command| command.name == "cd" && is_plain(command))
        && is_condition(&encrypts.facts.text, &add.facts.text, text)
}

/// Whether a command encrypts this file in place, for the keys in the settings of the project. Other options could name
/// other keys, or what stays as it is.
fn encrypts_in_place(command: &Command, file: &Word) -> bool {
    let words: Vec<&str> = command.words.iter().map(Word::raw).collect();
    let Some(file) = file.known().filter(|file| !file.starts_with('-')) else { return false };
    match words.as_slice() {
        ["sops", "-e" | "--encrypt" | "encrypt", "-i" | "--in-place", name] => *name == file,
        ["sops", "-i" | "--in-place", "-e" | "--encrypt", name] => *name == file,
        ["ansible-vault", "encrypt", name] => *name == file,
        _ => false,
    }
}

/// Whether the second command runs only if the first one has succeeded, which no other one can replace.
fn is_condition(first: &str, second: &str, text: &str) -> bool {
    let Some((before, after)) = text.split_once(first.trim()) else { return false };
    let before = before.trim();
    let next = after.trim_start().strip_prefix("&&").map(str::trim_start);
    (before.is_empty() || before.ends_with("&&") || before.ends_with(';'))
        && next.is_some_and(|next| next.starts_with(second.trim()))
}
