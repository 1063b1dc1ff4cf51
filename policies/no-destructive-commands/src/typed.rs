//! Command lines that a terminal types into another program: `tmux send-keys 'npm test' Enter`.

use hookbox_policy::{Command, Word};
use hookbox_sdk::ShellWord;

/// The beginning of hookbox's note that something is typed.
pub(crate) const NOTE: &str = "what is typed into another program";

/// The value of `via` for a command that is typed.
pub(crate) const VIA: &str = "typed";

/// Keys that end a line or discard what was typed before.
const ENDS: [&str; 9] = ["Enter", "KPEnter", "C-m", "C-j", "C-c", "C-l", "C-u", "C-d", "C-z"];

/// Names of other keys, which may edit what was typed or bring back an earlier line.
const EDITS: [&str; 16] = [
    "Up", "Down", "Left", "Right", "Home", "End", "Tab", "BTab", "BSpace", "Escape", "DC", "IC", "NPage", "PageDown",
    "PPage", "PageUp",
];

/// The characters of a line that is a single command, in which a shell replaces nothing.
const PLAIN: &str = "-_./:=@,+% \n~";

/// Programs that only run the words after them.
#[rustfmt::skip] // Many words to a line.
const WRAPPERS: [&str; 12] =
    ["npx", "bunx", "pnpx", "uvx", "sudo", "doas", "exec", "env", "time", "nohup", "command", "nice"];

/// Programs that run other programs if one of the words in `RUNNING` is given.
const RUNNERS: [&str; 12] =
    ["docker", "podman", "nerdctl", "kubectl", "oc", "sh", "bash", "zsh", "dash", "fish", "xargs", "parallel"];
const RUNNING: [&str; 5] = ["exec", "run", "-c", "xargs", "parallel"];

/// Subcommands of tmux that type something, or that run what they read.
#[rustfmt::skip] // Many words to a line.
const TYPERS: [&str; 11] = [
    "send-keys", "send", "paste-buffer", "pasteb", "source-file", "source", "set-hook", "bind-key", "bind", "confirm-before",
    "command-prompt",
];

/// Whether everything that a command types can be read.
pub(crate) fn is_read(command: &Command<'_>) -> bool {
    match command.name {
        "tmux" => lines(command).is_some() || !command.args().iter().any(|word| TYPERS.contains(&word.text())),
        "screen" => !command.args().iter().any(|word| word.text().starts_with('-') && word.text().contains('X')),
        _ => true,
    }
}

/// Returns the commands that a command types, each as its words, or `None` if they are not known.
pub(crate) fn lines(command: &Command<'_>) -> Option<Vec<Vec<ShellWord>>> {
    if command.name != "tmux" {
        return None;
    }
    let texts = typed_by(command.args())?;
    let joined = texts.concat();
    if !joined.chars().all(|c| c.is_alphanumeric() || PLAIN.contains(c)) {
        return None;
    }
    // The texts go into one window or into several.
    let apart: &[String] = if texts.len() > 1 { &texts } else { &[] };
    let mut lines = Vec::new();
    for line in std::iter::once(&joined).chain(apart).flat_map(|text| text.lines()) {
        let is_before = |word: &&str| WRAPPERS.contains(word) || word.starts_with('-') || word.contains('=');
        let words: Vec<&str> = line.split_whitespace().skip_while(is_before).collect();
        // A command that runs another one can be read only if it is a command of the tool call's own text.
        if words.first().is_some_and(|name| RUNNERS.contains(name)) && words.iter().any(|word| RUNNING.contains(word)) {
            return None;
        }
        if !words.is_empty() {
            lines.push(words.into_iter().map(|word| ShellWord::Known(word.to_owned())).collect());
        }
    }
    Some(lines)
}

/// Returns the texts that are typed by the commands of tmux in these words, which `;` separates: `new-session -d \;
/// send-keys q`.
fn typed_by(args: &[Word]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for words in args.split(|word| word.text() == ";") {
        match keys(words) {
            Some(text) => texts.push(text),
            None if words.iter().any(|word| TYPERS.contains(&word.text())) => return None,
            None => {}
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// Returns the text that `tmux send-keys` types.
fn keys(args: &[Word]) -> Option<String> {
    let mut words = args.iter();
    // The choice of the server makes no difference.
    let verb = loop {
        match words.next()?.text() {
            "-L" | "-S" | "-f" => drop(words.next()),
            verb => break verb,
        }
    };
    if !matches!(verb, "send-keys" | "send") {
        return None;
    }
    let (mut text, mut is_literal, mut is_after) = (String::new(), false, false);
    while let Some(word) = words.next() {
        let key = word.known()?;
        match key {
            "--" if !is_after => is_after = true,
            "-t" | "-c" if !is_after => {
                words.next();
                continue;
            }
            "-l" if !is_after => is_literal = true,
            option if option.starts_with('-') && !is_after => return None,
            _ if is_literal => text.push_str(key),
            "Space" => text.push(' '),
            end if ENDS.contains(&end) => text.push('\n'),
            edit if EDITS.contains(&edit) || edit.starts_with(['^', '\\']) => return None,
            edit if ["C-", "M-", "S-"].iter().any(|begin| edit.starts_with(begin)) || is_function(edit) => return None,
            _ => text.push_str(key),
        }
        is_after |= !key.starts_with('-');
    }
    Some(text)
}

/// Whether a key is a function key such as `F1`.
fn is_function(key: &str) -> bool {
    let number = key.strip_prefix('F').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Option<String> {
        let args: Vec<Word> = text.split('|').map(Word::new).collect();
        keys(&args)
    }

    #[test]
    fn commands_of_tmux_type_one_after_another() {
        let all = |text: &str| typed_by(&text.split('|').map(Word::new).collect::<Vec<_>>());
        assert_eq!(all("new|-d|;|send|q|Enter|;|send|-t|x|ls"), Some(vec!["q\n".to_owned(), "ls".to_owned()]));
        assert_eq!(all("new|-d|;|send|Up|Enter"), None);
        assert_eq!(all("send|ls|;|paste-buffer"), None);
        assert_eq!(all("new|-d"), None);
    }

    #[test]
    fn keys_are_told_from_texts() {
        assert_eq!(typed("send-keys|-t|x|npm test|Enter").as_deref(), Some("npm test\n"));
        assert_eq!(typed("-L|s|send|rm|Space|-rf|Space|~|C-m").as_deref(), Some("rm -rf ~\n"));
        assert_eq!(typed("send-keys|-l|Enter").as_deref(), Some("Enter"));
        for text in [
            "send-keys|Up|Enter",
            "send-keys|F5",
            "send-keys|-H|72",
            "send-keys|M-.",
            "paste-buffer",
            "send-keys|\u{F0000}",
        ] {
            assert_eq!(typed(text), None, "{text}");
        }
    }
}
