//! The parts of a command that could not be determined.

use crate::scene::Scene;
use crate::typed;
use hookbox_policy::network::unseen_program;
use hookbox_policy::{Command, Findings, UNKNOWN, Word, only_sets_up};
use hookbox_sdk::{Tool, ToolKind};

/// The beginnings of notes about unknown parts whose risk is judged elsewhere: which files a command names, and which
/// program it runs if its arguments show that it deletes nothing.
const JUDGED_ELSEWHERE: [&str; 5] = [
    "a path that the command makes up",
    "the directory that relative paths start from",
    "which program",
    "a script with a part",
    "a word that is too long",
];

/// The beginnings of hookbox's notes about parts of a call that it has not read, and that may be commands.
const UNREAD: [&str; 6] = [
    "an input that is JSON in a string",
    "more arguments than are read",
    "more command lines than are read",
    "more commands than can be told",
    "more texts than are looked at, which may be commands",
    "the commands of the text",
];

/// The beginning and the end of notes that a command is beyond the bounds of what is read.
const BEYOND: (&str, &str) = ("the command ", " to be checked");

/// Paths that open a connection to another machine like a file.
const NETWORK: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];

/// Shells, which can run any text.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "mksh"];

pub(crate) fn judge(tool: &Tool, scene: &Scene<'_>, found: &mut Findings) {
    if tool.kind != ToolKind::Shell {
        let is_beyond = |what: &str| what.starts_with(BEYOND.0) && what.ends_with(BEYOND.1);
        let is_unread = |what: &&String| UNREAD.iter().any(|begin| what.starts_with(begin)) || is_beyond(what);
        let mut unread = tool.unknown.iter().filter(is_unread);
        if let Some(what) = unread.next() {
            found.unknown(format!("a part of the call was not read, and may be a command ({what})"));
        }
        return;
    }
    if tool.commands.is_none() {
        found.unknown("what the command would run was not found out; write it in a simpler way");
        return;
    }
    let is_typed = scene.commands.iter().all(typed::is_read);
    let is_judged = |reason: &str| {
        JUDGED_ELSEWHERE.iter().any(|begin| reason.starts_with(begin)) || is_typed && reason.starts_with(typed::NOTE)
    };
    let reason = tool.unknown.iter().find(|reason| !is_judged(reason));
    match reason.filter(|_| !only_sets_up(scene.commands)) {
        Some(reason) => found.unknown(unseen_program(scene.commands).unwrap_or_else(|| {
            format!("the command runs something that is known only when it runs ({reason}); write it out")
        })),
        None if !tool.complete && tool.unknown.is_empty() => {
            found.unknown("a part of the command is known only when it runs; write it out");
        }
        None => {}
    }
    for command in scene.commands {
        subscript(command, found);
        script(command, scene, found);
        connected(command, found);
    }
}

/// Judges `test -v 'a[$(…)]'`, where the subscript is evaluated.
fn subscript(command: &Command<'_>, found: &mut Findings) {
    let evaluates = matches!(
        command.name,
        "test" | "[" | "[[" | "let" | "declare" | "typeset" | "local" | "unset" | "read" | "printf"
    );
    let is_one = |text: &str| text.contains("[$(") || text.contains("[`");
    if evaluates && command.args().iter().any(|word| is_one(word.text())) {
        found.unknown(format!("{} runs what stands in a subscript; write it as a command of its own", command.quote()));
    }
}

/// Judges a shell that another machine controls.
fn connected(command: &Command<'_>, found: &mut Findings) {
    let mut targets = command.facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref()).map(Word::from);
    let is_remote = |word: Word| NETWORK.iter().any(|network| word.text().starts_with(network));
    let has_script = command.args().iter().any(|word| !word.text().starts_with(['-', '+']));
    if SHELLS.contains(&command.name) && !has_script && targets.any(is_remote) {
        found.unknown(format!("{} runs what another machine sends; leave that out", command.quote()));
    }
}

/// Judges a shell whose script is built from another program's arguments.
fn script(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let is_shell = SHELLS.contains(&command.name);
    let hidden_shell = command.name.is_empty()
        && command
            .words
            .first()
            .is_some_and(|word| ["SHELL", "$0", "${0}", "BASH"].iter().any(|name| word.raw().contains(name)));
    let args = command.args();
    let Some(at) = args
        .iter()
        .position(|word| word.text().starts_with('-') && !word.text().starts_with("--") && word.text().contains('c'))
    else {
        return;
    };
    let is_check = args
        .iter()
        .take(at + 1)
        .any(|word| word.text().starts_with('-') && !word.text().starts_with("--") && word.text().contains('n'));
    if is_check || !(is_shell || hidden_shell) {
        return;
    }
    let script = args.get(at + 1).map_or("", |word| word.text());
    let by = scene.parent(command).filter(|parent| matches!(parent.name, "xargs" | "parallel"));
    let is_handed_on =
        by.is_some_and(|parent| !parent.args().iter().any(|word| word.text() == script && !script.contains("{}")));
    if hidden_shell || is_handed_on || script.starts_with(UNKNOWN) {
        found
            .unknown(format!("{} runs a script that is made of something else; write the script out", command.quote()));
    }
}
