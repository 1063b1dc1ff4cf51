//! Code in other languages. It is not parsed, but some words in it are worth a question.

use crate::verdict::Finding;
use hookbox_sdk::shell::{SimpleCommand, Stdin};

/// The words for deleting whole directories, or for starting commands that nobody has looked at.
const WORDS: [&str; 17] = [
    "rmtree",
    "removedirs",
    "rmSync",
    "rmdirSync",
    "rimraf",
    "rm_r",
    "rm_f",
    "remove_tree",
    "remove_dir_all",
    "deleteTree",
    "os.system",
    "os.popen",
    "os.exec",
    "subprocess",
    "child_process",
    "shell_exec",
    "Open3",
];

/// Whether the command `name` runs code of another language.
pub(super) fn is_interpreter(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(name, "python" | "pypy" | "perl" | "ruby" | "node" | "nodejs" | "bun" | "deno" | "php" | "lua")
}

/// Judges an interpreter with code among its arguments, or on its standard input.
pub(super) fn interpreter(command: &SimpleCommand) -> Option<Finding> {
    let has_code = |text: &str| WORDS.iter().any(|word| text.contains(word)) || calls_system(text);
    let in_arguments = command.arguments().iter().any(|word| has_code(word.pattern()));
    let on_stdin = matches!(&command.stdin, Stdin::Text(text) if has_code(text));
    (in_arguments || on_stdin).then(|| {
        Finding::Ask(format!(
            "{} runs code that can delete directories or start commands; run those by name",
            command.quote()
        ))
    })
}

/// Whether there is a call of `system`, `exec` or `unlink`, as Perl, Ruby, PHP and Lua have them.
fn calls_system(text: &str) -> bool {
    ["system", "exec", "unlink"].iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let (before, after) = text.split_at_checked(at).unwrap_or_default();
            let starts = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
            let after = after.strip_prefix(name).unwrap_or_default().trim_start();
            starts && after.starts_with(['(', '"', '\'', '*'])
        })
    })
}

/// Judges PowerShell's `Remove-Item -Recurse`, which somebody may have typed for another shell.
pub(super) fn remove_item(command: &SimpleCommand) -> Option<Finding> {
    let words = || command.arguments().iter();
    // Options may be abbreviated.
    let is_recursive = words().any(|word| {
        let option = word.pattern().to_ascii_lowercase();
        option.len() > 1 && "-recurse".starts_with(&option)
    });
    let is_whole = |text: &str| {
        let path = text.trim_end_matches(['\\', '/', '*', '.']);
        let mut letters = path.chars();
        let is_drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.as_str() == ":";
        let is_home = path.starts_with('~')
            || path.eq_ignore_ascii_case("$HOME")
            || path.eq_ignore_ascii_case("$env:USERPROFILE");
        path.is_empty() || is_drive || is_home
    };
    (is_recursive && words().any(|word| is_whole(word.raw().trim_matches(['"', '\''])))).then(|| {
        Finding::Deny(format!(
            "{} would delete a whole drive or home directory; name the directory that you mean",
            command.quote()
        ))
    })
}
