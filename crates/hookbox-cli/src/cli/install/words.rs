//! The command lines in agents' settings: whether they call hookbox, and whether they do anything else.

use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// The maximum number of shells that start one another.
const MAX_SHELLS: usize = 4;

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// Programs that start the program which their arguments name, and do nothing else.
const RUNNERS: &[&str] = &[
    "exec", "command", "env", "nice", "nohup", "sudo", "time", "timeout", "npx", "npm", "pnpm", "pnpx", "yarn", "bun",
    "bunx", "node", "uv", "uvx", "pipx", "python", "python3",
];

/// Words of a shell that stand before a command.
const KEYWORDS: &[&str] = &["if", "then", "else", "elif", "while", "do", "!"];

/// Commands of a shell that only prepare or guard the call of hookbox.
const QUIET: &[&str] = &["cd", "[", "test", "which", "type", "hash", "exit", "true", ":", "export", "fi", "done"];

/// Whether a line calls hookbox for this agent. Options may come before `hook`.
pub(super) fn names_hookbox(line: &str, agent: &str) -> bool {
    let calls = |commands: Vec<Vec<String>>| commands.iter().any(|words| calls_hookbox(words, agent));
    looks_like_call(line, agent) || commands(line).is_some_and(calls)
}

/// Whether a line calls hookbox for this agent, and does nothing else that a user could miss.
pub(super) fn is_only_hookbox(line: &str, agent: &str) -> bool {
    let is_nothing_else = || match commands(line) {
        Some(commands) => commands.iter().all(|words| is_harmless(words, agent)),
        // It could not be split, but is one command.
        None => !line.contains([';', '&', '|', '\n']),
    };
    names_hookbox(line, agent) && is_nothing_else()
}

fn is_harmless(words: &[String], agent: &str) -> bool {
    let mut rest = words.iter().skip_while(|word| is_before(word)).map(String::as_str);
    let Some(first) = rest.next() else { return true };
    let is_looked_up = first == "command" && rest.next().is_some_and(|option| ["-v", "-V"].contains(&option));
    let starts_hookbox = is_hookbox(first) || RUNNERS.contains(&base(first));
    QUIET.contains(&first) || is_looked_up || starts_hookbox && calls_hookbox(words, agent)
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
fn is_before(word: &str) -> bool {
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

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a word of a command is the path or the name of a hookbox, possibly with its version.
pub(in crate::cli) fn is_program(word: &str) -> bool {
    let name = base(word).trim_matches(['\'', '"', ')', '`']);
    let Some(rest) = name.strip_prefix("hookbox") else { return false };
    let is_version = |text: &str| text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    rest.is_empty() || rest.starts_with(['@', ':']) || rest.strip_prefix('-').is_some_and(is_version)
}

/// Splits a line into commands, and each command into words, without the files of redirections. What a shell runs with
/// `-c` stands in the place of that shell. Returns `None` if a word depends on anything other than variables that are
/// set.
pub(in crate::cli) fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    in_shells(line, MAX_SHELLS)
}

fn in_shells(line: &str, depth: usize) -> Option<Vec<Vec<String>>> {
    let mut all = Vec::new();
    for command in split(line)? {
        match script(&command) {
            Some(script) => all.extend(in_shells(script, depth.checked_sub(1)?)?),
            None => all.push(command),
        }
    }
    Some(all)
}

/// Returns the script that a shell runs with `-c`.
fn script(command: &[String]) -> Option<&str> {
    let mut words = command.iter().skip_while(|word| is_before(word));
    words.next().filter(|word| SHELLS.contains(&base(word)))?;
    let mut rest = words.skip_while(|word| word.starts_with("--") || word.starts_with('-') && !word.ends_with('c'));
    rest.next().filter(|word| word.starts_with('-'))?;
    rest.next().map(String::as_str)
}

fn split(line: &str) -> Option<Vec<Vec<String>>> {
    let mut split = Split::default();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => split.end_word(),
            ';' | '&' | '|' | '\n' | '(' | ')' => split.end_command(),
            '#' if split.word.is_none() => break,
            '<' | '>' => {
                // A number before a redirection is a file descriptor.
                if split.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
                    split.word = None;
                }
                split.end_word();
                while chars.next_if(|c| "<>&|".contains(*c)).is_some() {}
                split.is_file = true;
            }
            '\'' => {
                let mut text = String::new();
                while let Some(c) = chars.next_if(|c| *c != '\'') {
                    text.push(c);
                }
                chars.next()?;
                split.add(&text);
            }
            '"' => split.add(&quoted(&mut chars)?),
            '\\' => split.add(chars.next()?.encode_utf8(&mut [0; 4])),
            '$' => split.add(&variable(&mut chars).filter(|value| !value.contains(char::is_whitespace))?),
            '~' if split.word.is_none() && chars.peek().is_none_or(|next| "/ ".contains(*next)) => {
                split.add(&std::env::var("HOME").ok()?);
            }
            // The command that tests a condition.
            '[' if split.word.is_none() && chars.peek() == Some(&' ') => split.add("["),
            '`' | '*' | '?' | '[' | '{' => return None,
            c => split.add(c.encode_utf8(&mut [0; 4])),
        }
    }
    split.end_command();
    Some(split.commands)
}

#[derive(Default)]
struct Split {
    commands: Vec<Vec<String>>,
    command: Vec<String>,
    word: Option<String>,
    /// Whether the next word is the file of a redirection.
    is_file: bool,
}

impl Split {
    fn add(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if !std::mem::take(&mut self.is_file) {
            self.command.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.commands.push(std::mem::take(&mut self.command));
    }
}

/// Returns the text up to the closing double quote.
fn quoted(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => text.push(c),
                c => text.extend(['\\', c]),
            },
            '$' => text.push_str(&variable(chars)?),
            '`' => return None,
            c => text.push(c),
        }
    }
}

/// Returns the value of the variable whose name follows, if it is set.
fn variable(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let is_braced = chars.next_if_eq(&'{').is_some();
    let mut name = String::new();
    while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
        name.push(c);
    }
    if name.is_empty() || is_braced && chars.next()? != '}' {
        return None;
    }
    std::env::var(name).ok()
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
        ] {
            assert!(names_hookbox(line, "claude") && is_only_hookbox(line, "claude"), "{line}");
        }
        for line in [
            "my-audit && hookbox hook claude",
            "tee /x/log | hookbox hook claude",
            "my-audit hookbox hook claude",
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
