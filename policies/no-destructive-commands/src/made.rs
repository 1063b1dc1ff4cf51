//! Commands that programs build from their arguments in unusual ways.

use hookbox_sdk::{ShellCommand, ShellWord};

/// The most commands that are built.
const MAX: usize = 32;

/// Commands that the listed ones may turn into: `watch bash -c 'rm -rf /'` is joined into one text before a shell reads
/// it, and `EXEC:'rm -rf /'` is split.
pub(crate) fn of(commands: &[ShellCommand]) -> Vec<ShellCommand> {
    let made = commands
        .iter()
        .enumerate()
        .filter_map(|(at, command)| joined(command, commands, at).or_else(|| split(command, at)));
    made.take(MAX).collect()
}

/// The text after the `-c` of a shell that another program runs.
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

/// A program's name with spaces in it.
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
