//! Commands that programs build from their arguments in unusual ways.

use crate::{launched, renamed, typed};
use hookbox_policy::Command;
use hookbox_sdk::{ShellCommand, ShellWord};

/// The maximum number of commands that are built. If there are more, the policy asks.
const MAX: usize = 32;

/// Returns commands that the listed ones may turn into: `watch bash -c 'rm -rf /'` is joined into one text before a
/// shell reads it, and `EXEC:'rm -rf /'` is split. Also returns whether there are more.
pub(crate) fn of(commands: &[ShellCommand]) -> (Vec<ShellCommand>, bool) {
    let made = commands.iter().enumerate().filter_map(|(at, command)| made_of(command, commands, at));
    let mut made = made.chain(typed(commands));
    let first = made.by_ref().take(MAX).collect();
    (first, made.next().is_some())
}

/// Returns the commands that are typed into a shell in another window.
fn typed(commands: &[ShellCommand]) -> Vec<ShellCommand> {
    let mut all = Vec::new();
    for (at, command) in commands.iter().enumerate().filter(|(_, command)| command.name.as_deref() == Some("tmux")) {
        let lines = typed::lines(&Command::new(command)).unwrap_or_default();
        all.extend(lines.into_iter().filter_map(|argv| make(command, argv, at)));
    }
    let moves = all.iter().any(|made| matches!(made.name.as_deref(), Some("cd" | "pushd" | "popd")));
    for made in &mut all {
        made.via = Some(typed::VIA.to_owned());
        if moves {
            made.cwd =
                Some(ShellWord::Partly { raw: "the directory of the other shell".to_owned(), parts: Vec::new() });
        }
    }
    all
}

fn made_of(command: &ShellCommand, commands: &[ShellCommand], at: usize) -> Option<ShellCommand> {
    let renamed = || renamed::of(command).and_then(|argv| make(command, argv, at));
    let launched = || launched(command, commands, at);
    joined(command, commands, at).or_else(|| split(command, at)).or_else(renamed).or_else(launched)
}

/// Returns the program that a command may run by its name, unless hookbox has listed it.
fn launched(command: &ShellCommand, commands: &[ShellCommand], at: usize) -> Option<ShellCommand> {
    let mut made = make(command, launched::of(command)?, at)?;
    let is_listed = |inner: &ShellCommand| inner.parent == Some(at) && inner.via == command.name;
    made.via = Some(launched::VIA.to_owned());
    made.stdin.clone_from(&command.stdin);
    made.reads_from.clone_from(&command.reads_from);
    (!commands.iter().any(is_listed)).then_some(made)
}

/// Returns the command after the `-c` of a shell that another program runs.
fn joined(command: &ShellCommand, commands: &[ShellCommand], at: usize) -> Option<ShellCommand> {
    const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "eval"];
    const JOINERS: [&str; 4] = ["watch", "parallel", "xargs", "ssh"];
    if !command.name.as_deref().is_some_and(|name| SHELLS.contains(&name)) {
        return None;
    }
    let is_joiner = |command: &ShellCommand| command.name.as_deref().is_some_and(|name| JOINERS.contains(&name));
    if !command.parent.and_then(|parent| commands.get(parent)).is_some_and(is_joiner) {
        return None;
    }
    let dash_c = command.argv.iter().position(|word| word.known() == Some("-c"))?;
    let argv: Vec<ShellWord> = command.argv.get(dash_c + 1..)?.to_vec();
    (argv.len() > 1).then(|| make(command, argv, at)).flatten()
}

/// Splits a program name that contains spaces into the words of a command.
fn split(command: &ShellCommand, at: usize) -> Option<ShellCommand> {
    let [ShellWord::Known(text)] = command.argv.as_slice() else { return None };
    let argv: Vec<ShellWord> = text.split_whitespace().map(|word| ShellWord::Known(word.to_owned())).collect();
    (argv.len() > 1).then(|| make(command, argv, at)).flatten()
}

fn make(command: &ShellCommand, argv: Vec<ShellWord>, at: usize) -> Option<ShellCommand> {
    let program = argv.first()?.known()?;
    let name = program.rsplit('/').next()?.to_owned();
    let mut made = ShellCommand::default();
    made.name = Some(name);
    made.argv = argv;
    made.text.clone_from(&command.text);
    made.cwd.clone_from(&command.cwd);
    made.parent = Some(at);
    Some(made)
}
