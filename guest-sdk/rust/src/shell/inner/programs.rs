//! Programs that are not shells but can be told to run a command.

use super::{Inner, shells};
use crate::shell::word::{UNKNOWN, Word};

/// `alias name=script`, because later commands may use it.
pub(super) fn aliased(arguments: &[Word]) -> Vec<Inner> {
    let value = |word: &Word| word.pattern().split_once('=').map(|(_, value)| Inner::Script(value.to_owned()));
    arguments.iter().filter_map(value).collect()
}

/// `git -c alias.x='!…'`, `rebase --exec`, `bisect run` and `submodule foreach`.
pub(super) fn git(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.pattern() {
            "-c" => inners.extend(words.next().and_then(|word| configured(word.pattern()))),
            "-x" | "--exec" if mentions(arguments, "rebase") => inners.extend(words.next().map(shells::script)),
            text if mentions(arguments, "rebase") && text.starts_with("--exec=") => {
                inners.extend(text.strip_prefix("--exec=").map(|script| Inner::Script(script.to_owned())));
            }
            "run" if mentions(arguments, "bisect") => inners.push(Inner::command(words.as_slice())),
            "foreach" if mentions(arguments, "submodule") => {
                let is_option = |word: &&Word| word.pattern().starts_with('-');
                let options = words.as_slice().iter().take_while(is_option).count();
                inners.push(shells::joined(words.as_slice().get(options..).unwrap_or_default()));
            }
            _ => {}
        }
    }
    inners
}

/// The script in the value of a `git -c key=value`.
fn configured(setting: &str) -> Option<Inner> {
    let (key, value) = setting.split_once('=')?;
    let is_command = matches!(
        key.to_ascii_lowercase().as_str(),
        "core.pager"
            | "core.editor"
            | "core.sshcommand"
            | "core.fsmonitor"
            | "core.askpass"
            | "sequence.editor"
            | "diff.external"
            | "credential.helper"
            | "gpg.program"
            | "pager.log"
            | "pager.diff"
    );
    match value.strip_prefix('!') {
        Some(script) => Some(Inner::Script(script.to_owned())),
        None if is_command || key.contains(UNKNOWN) => Some(Inner::Script(value.to_owned())),
        None => None,
    }
}

fn mentions(arguments: &[Word], subcommand: &str) -> bool {
    arguments.iter().any(|word| word.pattern() == subcommand)
}

/// `tar --to-command`, `--checkpoint-action=exec=` and `--use-compress-program`.
pub(super) fn tar(arguments: &[Word]) -> Vec<Inner> {
    const OPTIONS: [&str; 5] =
        ["--to-command", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command"];
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.pattern();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let is_cut_short = |option: &&str| name.len() > "--t".len() && option.starts_with(name);
        if text.starts_with("--check") && text.contains("exec=") {
            inners.extend(text.split("exec=").nth(1).map(|script| Inner::Script(script.to_owned())));
        } else if OPTIONS.iter().any(is_cut_short) || matches!(text, "-I" | "-F") {
            match value {
                Some(script) => inners.push(Inner::Script(script.to_owned())),
                None => inners.extend(words.next().map(shells::script)),
            }
        }
    }
    inners
}

/// An awk program can run commands with `system` and pipes, and computes their text as it runs.
pub(super) fn awk(arguments: &[Word]) -> Vec<Inner> {
    let runs = |word: &Word| {
        let text = word.pattern().replace("||", "");
        text.contains("system") || text.contains(['|', '@'])
    };
    // Skips the separator of `-F '|'`, which is not a program.
    let mut words = arguments.iter();
    let mut found = false;
    while let Some(word) = words.next() {
        match word.pattern() {
            "-F" => drop(words.next()),
            text if text.starts_with("-F") => {}
            _ => found |= runs(word),
        }
    }
    if found { vec![Inner::Unknown("what an awk program makes up")] } else { Vec::new() }
}

/// An editor's options can contain shell commands.
pub(super) fn vim(arguments: &[Word]) -> Vec<Inner> {
    let runs = |word: &Word| {
        let text = word.pattern();
        let after_option = !text.starts_with('-') || text.starts_with("-c");
        after_option && (text.contains('!') || text.contains("system(") || text.contains("term"))
    };
    let has_option = arguments.iter().any(|word| {
        let text = word.pattern();
        text.starts_with('+') || text.starts_with("-c") || text == "--cmd" || text == "-S"
    });
    if has_option && arguments.iter().any(runs) {
        vec![Inner::Unknown("a command of its editor's language")]
    } else {
        Vec::new()
    }
}
