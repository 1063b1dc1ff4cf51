//! Code of other languages. It is not read, but some calls in it are worth a question.

use hookbox_policy::{Command, Findings, Word};

/// What deletes files, or starts commands that nobody has looked at.
const CALLS: [&str; 37] = [
    "').rm(",
    "\").rm(",
    "').unlink(",
    "rmtree",
    "removedirs",
    "os.remove(",
    "os.unlink(",
    "os.rmdir(",
    "os.truncate(",
    ".unlink(",
    ".rmdir(",
    "rmSync",
    "rmdirSync",
    "unlinkSync",
    "fs.rm(",
    "fs.rmdir(",
    "fs.unlink(",
    "rimraf",
    "rm_r",
    "rm_f",
    "File.delete",
    "Dir.rmdir",
    "remove_tree",
    "remove_dir_all",
    "deleteTree",
    "Deno.remove",
    "os.system",
    "os.popen",
    "os.exec",
    "os.spawn",
    "subprocess",
    "child_process",
    "shell_exec",
    "passthru",
    "proc_open",
    "Open3",
    "execSync",
];

/// Whether the command `name` runs code of another language.
fn is_interpreter(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(
        name,
        "python"
            | "pypy"
            | "perl"
            | "ruby"
            | "node"
            | "nodejs"
            | "bun"
            | "deno"
            | "php"
            | "lua"
            | "luajit"
            | "osascript"
            | "tclsh"
            | "Rscript"
    )
}

pub(crate) fn judge(command: &Command<'_>, found: &mut Findings) {
    if !is_interpreter(command.name) {
        return;
    }
    let has_code = |text: &str| CALLS.iter().any(|call| text.contains(call)) || calls_system(text);
    // A word with a blank or a bracket is code, and no path of a script.
    let is_code = |word: &Word| word.text().contains([' ', '(', '\n', ';', '`']) && has_code(word.text());
    let on_stdin = command.facts.stdin.as_ref().map(Word::from).is_some_and(|text| has_code(text.text()));
    if command.args().iter().any(is_code) || on_stdin {
        let instead = "run those by name";
        found.ask(format!("{} runs code that can delete files or start commands; {instead}", command.quote()));
    }
}

/// Whether there is a call of `system`, `exec` or `unlink`, as Perl, Ruby, PHP and Lua have.
fn calls_system(text: &str) -> bool {
    ["system", "exec", "unlink"].iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let (before, after) = text.split_at_checked(at).unwrap_or_default();
            let starts = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
            let after = after.strip_prefix(name).unwrap_or_default().trim_start();
            starts && after.starts_with(['(', '"', '\'', '*', '@', '$'])
        })
    })
}
