//! Terminals that run a command, or type one into another program.

use super::Inner;
use super::options::Spec;
use crate::shell::word::Word;

const TYPED: &str = "what is typed into another program";

/// Returns what `tmux new-window COMMAND` and the like run. Several commands are separated by `;`.
pub(super) fn tmux(arguments: &[Word]) -> Vec<Inner> {
    let globals = Spec { shorts: "cfLST", longs: &[], flags: &[] }.read(arguments);
    let mut inners: Vec<Inner> = globals.value(&["-c"]).map(|word| Inner::script(word.text())).into_iter().collect();
    for words in in_commands(globals.rest) {
        if let Some((verb, rest)) = words.split_first() {
            inners.extend(of_tmux(verb.text(), rest));
        }
    }
    inners
}

/// Splits words into the commands of tmux. The `;` may also be the last character of a word, unless `\` is before it.
fn in_commands(words: &[Word]) -> Vec<Vec<Word>> {
    let mut all = vec![Vec::new()];
    for word in words {
        let before = word.text().strip_suffix(';').filter(|before| !before.ends_with('\\'));
        let kept = before.map_or_else(|| word.clone(), Word::plain);
        if let Some(words) = all.last_mut().filter(|_| before != Some("")) {
            words.push(kept);
        }
        if before.is_some() {
            all.push(Vec::new());
        }
    }
    all
}

fn of_tmux(verb: &str, arguments: &[Word]) -> Vec<Inner> {
    let shorts = match verb {
        "new-session" | "new" => "cefFnstxy",
        "new-window" | "neww" => "ceFnt",
        "split-window" | "splitw" => "ceFlpt",
        "respawn-pane" | "respawnp" | "respawn-window" | "respawnw" => "cet",
        "run-shell" | "run" => "cdt",
        "pipe-pane" | "pipep" => "t",
        "display-popup" | "popup" => "bcdehsStTwxy",
        "if-shell" | "if" => "t",
        "send-keys" | "send" | "paste-buffer" | "pasteb" | "source-file" | "source" | "set-hook" | "bind-key"
        | "bind" | "confirm-before" | "command-prompt" => return vec![Inner::Unknown(TYPED)],
        _ => return Vec::new(),
    };
    let rest = Spec { shorts, longs: &[], flags: &[] }.read(arguments).rest;
    match verb {
        "if-shell" | "if" => rest.iter().map(|word| Inner::script(word.text())).collect(),
        _ if rest.is_empty() => Vec::new(),
        _ => vec![Inner::joined(rest)],
    }
}

/// Returns what `screen COMMAND` runs.
pub(super) fn screen(arguments: &[Word]) -> Vec<Inner> {
    // `-Logfile FILE` reads as single letters, and the last one, `e`, also takes a value.
    let read = Spec { shorts: "cehpsStT", longs: &[], flags: &[] }.read(arguments);
    if read.has(&["-X"]) {
        return vec![Inner::Unknown(TYPED)];
    }
    if read.rest.is_empty() { Vec::new() } else { vec![Inner::command(read.rest)] }
}

/// Returns the command of a window, which comes after `-e`, `-x` or `--`.
pub(super) fn window(arguments: &[Word]) -> Vec<Inner> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(script) = word.text().strip_prefix("--command=") {
            return vec![Inner::script(script)];
        }
        if matches!(word.text(), "-e" | "-x" | "--" | "--command" | "--execute") {
            return match words.as_slice() {
                [] => Vec::new(),
                [script] => vec![Inner::script(script.text())],
                words => vec![Inner::command(words)],
            };
        }
    }
    Vec::new()
}
