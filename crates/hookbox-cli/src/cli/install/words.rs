//! The command lines in agents' settings: whether they call hookbox, and whether they do anything else.

use super::shell::{Command, all_commands};
use std::path::Path;

/// Programs that start the program which their arguments name, and do nothing else, each with its options that take a
/// value.
const RUNNERS: &[(&str, &[&str])] = &[
    ("exec", &[]),
    ("command", &[]),
    ("env", &["-u", "-C", "--unset", "--chdir"]),
    ("nice", &[]),
    ("nohup", &[]),
    ("sudo", &["-u", "-g", "--user", "--group"]),
    ("time", &[]),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"]),
    ("npx", &["-p", "--package"]),
    ("npm", &["--prefix", "-C"]),
    ("pnpm", &["--dir", "-C"]),
    ("pnpx", &[]),
    ("yarn", &["--cwd"]),
    ("bun", &["--cwd"]),
    ("bunx", &[]),
    ("node", &[]),
    ("uv", &["--directory", "--project", "--from", "--with"]),
    ("uvx", &["--from", "--with"]),
    ("pipx", &["--spec"]),
    ("python", &[]),
    ("python3", &[]),
];

/// Words with which a runner is told to run a program.
const RUN: &[&str] = &["exec", "dlx", "x", "run", "tool"];

/// Words of a shell that stand before a command.
const KEYWORDS: &[&str] = &["if", "then", "else", "elif", "while", "do", "!", "{"];

/// Commands that only prepare or guard the call of hookbox, or find something out for it.
const QUIET: &[&str] = &[
    "cd", "[", "[[", "test", "which", "type", "hash", "exit", "true", "false", ":", "export", "unset", "set", "umask",
    "ulimit", "fi", "done", "}", "ls", "pwd", "dirname", "basename", "realpath", "readlink",
];

/// Whether a line calls hookbox for this agent. Options may come before `hook`.
pub(super) fn names_hookbox(line: &str, agent: &str) -> bool {
    let calls = |commands: Vec<Command>| commands.iter().any(|command| calls_hookbox(&command.words, agent));
    looks_like_call(line, agent) || all_commands(line).is_some_and(calls)
}

/// Whether a line calls hookbox for this agent, and does nothing else that a user could miss.
pub(super) fn is_only_hookbox(line: &str, agent: &str) -> bool {
    let is_nothing_else = |commands: Vec<Command>| commands.iter().all(|command| is_harmless(command, agent));
    names_hookbox(line, agent) && all_commands(line).is_some_and(is_nothing_else)
}

fn is_harmless(command: &Command, agent: &str) -> bool {
    let words: Vec<&str> = command.words.iter().skip_while(|word| is_before(word)).map(String::as_str).collect();
    let is_quiet = match words.as_slice() {
        ["git", "rev-parse", ..] | ["cat"] => true,
        // A message about an error is not for the agent, and no record.
        ["echo" | "printf", ..] => command.outputs.iter().any(|file| file == "2"),
        [first, ..] => QUIET.contains(first) || is_look_up(&words),
        [] => true,
    };
    let is_kept = |file: &String| !["1", "2", "-", "/dev/null", "/dev/stderr"].contains(&file.as_str());
    let prepares = is_quiet && !command.outputs.iter().any(is_kept);
    prepares || starts_hookbox(&words) && calls_hookbox(&command.words, agent)
}

/// Whether these words start hookbox, by itself or through programs that start only what they are told to.
fn starts_hookbox(words: &[&str]) -> bool {
    let Some(hookbox) = words.iter().position(|word| is_hookbox(word)) else { return false };
    let mut with_value: &[&str] = &[];
    let mut is_value = false;
    words.iter().take(hookbox).enumerate().all(|(at, word)| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/');
        if let Some((_, options)) = RUNNERS.iter().find(|(name, _)| *name == base(word)).filter(|_| !is_value) {
            with_value = options;
            return true;
        }
        let is_of_runner = at > 0 && (word.starts_with('-') || is_before(word) || RUN.contains(word) || is_number);
        let was_value = std::mem::replace(&mut is_value, with_value.contains(word));
        is_of_runner || was_value
    })
}

/// Whether a command only says where a program is.
pub(super) fn is_look_up(words: &[&str]) -> bool {
    matches!(words, ["command", "-v" | "-V", ..] | ["which" | "type", ..])
}

/// Whether these words of one command call hookbox, by itself or through another program.
fn calls_hookbox(words: &[String], agent: &str) -> bool {
    let is_hook = |pair: &[String]| matches!(pair, [word, name] if word == "hook" && name == agent);
    let Some(hook) = words.windows(2).position(is_hook) else { return false };
    let leads_to_hook = |next: &String| next.starts_with('-') || next == "hook";
    let mut pairs = words.iter().zip(words.iter().skip(1)).take(hook);
    pairs.any(|(word, next)| is_hookbox(word) && leads_to_hook(next))
}

/// Whether the text of a line looks like a call of hookbox, even if the line cannot be split.
fn looks_like_call(line: &str, agent: &str) -> bool {
    let Some((program, options)) = line.split_once(&format!(" hook {agent}")) else { return false };
    let words: Vec<&str> = program.split_whitespace().collect();
    let leads_to_hook = |next: Option<&&str>| next.is_none_or(|next| next.starts_with('-') || *next == "hook");
    let is_named = words.iter().enumerate().any(|(at, word)| is_program(word) && leads_to_hook(words.get(at + 1)));
    (is_named || is_this(program.trim().trim_matches(['\'', '"'])))
        && (options.is_empty() || options.starts_with([' ', ';', '&', '|', '\n', '\'', '"', ')']))
}

/// Whether a word may stand before the program of a command: a keyword, or the assignment of a variable.
pub(super) fn is_before(word: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    KEYWORDS.contains(&word) || word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name))
}

fn is_hookbox(word: &str) -> bool {
    is_program(word) || is_this(word)
}

/// Whether this is the path of the running program, which may have another name.
fn is_this(path: &str) -> bool {
    std::env::current_exe().is_ok_and(|this| this == Path::new(path))
}

pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a word of a command is the path or the name of a hookbox, possibly with its version.
pub(in crate::cli) fn is_program(word: &str) -> bool {
    let name = base(word).trim_matches(['\'', '"', ')', '`']);
    let Some(rest) = name.strip_prefix("hookbox") else { return false };
    let is_version = |text: &str| text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    rest.is_empty() || rest.starts_with(['@', ':']) || rest.strip_prefix('-').is_some_and(is_version)
}

#[cfg(test)]
mod tests {
    use super::{is_only_hookbox, names_hookbox};

    #[test]
    fn a_line_that_does_more_is_the_users() {
        for line in [
            "hookbox hook claude",
            "'/my dir/hookbox' --strict hook claude --home /x 2>/dev/null",
            "npx hookbox@1 hook claude",
            "HOME=/x exec hookbox hook claude",
            "cd /x && hookbox hook claude",
            "[ -x /bin/hookbox ] && /bin/hookbox hook claude || exit 2",
            "if command -v hookbox >/dev/null; then hookbox hook claude; fi",
            "sh -c 'cd /x; hookbox hook claude'",
            "$(which hookbox) hook claude",
            "cd \"$(git rev-parse --show-toplevel)\" && hookbox hook claude",
            "cd ${SOME_DIR:-.} && \\\n `command -v hookbox` hook claude; exit $?",
            "cd \"$UNSET_DIR\" && ls && cat | hookbox hook claude --config *.toml",
            "[[ -x /bin/hookbox ]] && /bin/hookbox hook claude || { echo 'no hookbox' >&2; exit 2; }",
            "sudo -u me timeout 5 npx -p hookbox hookbox hook claude",
        ] {
            assert!(names_hookbox(line, "claude") && is_only_hookbox(line, "claude"), "{line}");
        }
        for line in [
            "my-audit && hookbox hook claude",
            "tee /x/log | hookbox hook claude",
            "my-audit hookbox hook claude",
            "my-audit *.txt hookbox hook claude",
            "python3 my-audit.py hookbox hook claude",
            "timeout 5 my-audit hookbox hook claude",
            "cd $(my-audit) && hookbox hook claude",
            "hookbox hook claude --config \"`my-audit`\"",
            "X=${Y:-$(my-audit)} hookbox hook claude",
            "hookbox hook claude # judges\nmy-audit",
            "ls > /x/log; hookbox hook claude",
            "echo hello && hookbox hook claude",
            "hookbox hook claude && $MY_AUDIT",
            "hookbox hook claude; my-audit *.txt",
            "sh -c 'my-audit; hookbox hook claude'",
            "bash -lc \"hookbox hook claude\" && my-audit",
        ] {
            assert!(names_hookbox(line, "claude") && !is_only_hookbox(line, "claude"), "{line}");
        }
        for line in ["/x/hookbox-rules/check hook claude", "my-hookbox hook claude", "hookbox hook codex"] {
            assert!(!names_hookbox(line, "claude"), "{line}");
        }
    }
}
