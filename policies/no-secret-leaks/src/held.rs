//! Secrets that the shell keeps, in a variable or as a parameter, until a later command shows them:
//! `T=$(gh auth token); echo $T`.

use crate::Reads;
use crate::environment::{code, code_options, expanded, has_letter, variable};
use crate::outputs::is_traced;
use crate::pipes::{is_captured, is_showing_input, is_visible, is_word};
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::{ShellPart, ShellWord};

/// The maximum number of commands that keep a secret one after another.
const MAX_KEEPERS: usize = 64;

/// What comes before a text in code that prints it.
const CALLS: [&str; 8] = ["print(", "print ", "console.log(", "puts(", "puts ", "echo ", "say ", "stdout.write("];

/// Judges programs that print a secret variable among their arguments, and shells that do so for any program:
/// `jq -n --arg k "$API_KEY" '$k'`, `set -x; deploy "$API_KEY"`.
pub(crate) fn judge(commands: &[Command], reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow {
        return;
    }
    for (index, command) in commands.iter().enumerate() {
        let by_program = said(command).filter(|_| !is_echo(command)).find_map(variable);
        let is_shown = || is_visible(index, commands) && !is_captured(command, commands);
        let values = command.facts.assignments.iter().map(|set| &set.value);
        let by_shell = || command.facts.argv.iter().skip(1).chain(values).find_map(variable);
        let by_shell = || by_shell().filter(|_| is_traced(index, commands));
        let shown = by_program.filter(|_| is_shown()).or_else(by_shell).or_else(|| in_complaint(command));
        if let Some(variable) = shown {
            found.ask(format!(
                "{} shows {variable}; to see whether it is set, use `[ -n \"${variable}\" ]`",
                command.quote()
            ));
        }
    }
}

/// Returns the secret variable in the message of a program that finds no file of that name: `ls $API_KEY`. Other
/// variables may have the path of a key.
fn in_complaint(command: &Command) -> Option<String> {
    const PATHS: [&str; 5] = ["CREDENTIALS", "PRIVATE_KEY", "SSH", "SSL", "TLS"];
    let is_hidden = command.facts.redirects.iter().any(|redirect| redirect.fd == Some(2));
    if is_hidden || !matches!(command.name, "ls" | "cd" | "pushd" | "stat") {
        return None;
    }
    let name = command.facts.argv.iter().skip(1).find_map(variable)?;
    (!PATHS.iter().any(|part| name.contains(part))).then_some(name)
}

/// Whether a program is for printing its arguments.
pub(crate) fn is_echo(command: &Command) -> bool {
    matches!(command.name, "echo" | "printf" | "print")
}

/// Whether a command reads lines into variables.
pub(crate) fn is_reading(command: &Command) -> bool {
    matches!(command.name, "read" | "mapfile" | "readarray")
}

/// Whether what a command in a substitution outputs is kept, and a later command shows it.
pub(crate) fn is_kept_and_shown(command: &Command, commands: &[Command]) -> bool {
    taker(command, commands)
        .is_some_and(|taker| is_traced(taker, commands) || is_shown_later(taker, &command.facts.text, commands))
}

/// Returns the command that gets the output of one in a substitution. The list of a `for` belongs to no command.
fn taker(command: &Command, commands: &[Command]) -> Option<usize> {
    let text = command.facts.text.as_str();
    let after = || commands.iter().position(|other| std::ptr::eq(other, command)).map_or(0, |at| at + 1);
    let assigns = |other: &Command| {
        other.name.is_empty()
            && other.facts.assignments.iter().any(|set| unknowns(&set.value).any(|part| part.contains(text)))
    };
    command.facts.parent.or_else(|| {
        let after = after();
        commands.iter().skip(after).position(assigns).map(|at| after + at)
    })
}

/// Whether a command shows what an earlier one keeps. `text` is the command in a substitution that outputs it, or an
/// empty text if the earlier one reads it.
pub(crate) fn is_shown_later(keeper: usize, text: &str, commands: &[Command]) -> bool {
    let (mut keepers, mut at) = (vec![(keeper, text)], 0);
    while let Some((first, text)) = keepers.get(at).copied() {
        at += 1;
        let Some(kept) = commands.get(first).map(|keeper| Kept::by(keeper, text)) else { continue };
        for (index, command) in commands.iter().enumerate().skip(first + 1) {
            if !kept.is_shown_by(command) || !is_visible(index, commands) {
                continue;
            }
            if at > MAX_KEEPERS || !is_word(command, commands) {
                return true;
            }
            if let Some(next) = taker(command, commands).filter(|next| keepers.iter().all(|(seen, _)| seen != next)) {
                keepers.push((next, command.facts.text.as_str()));
            }
        }
    }
    false
}

/// What a command keeps.
struct Kept<'c> {
    /// The command whose output it is.
    text: &'c str,
    /// The substitutions. A word that names a known variable has its value, which is one of these.
    parts: Vec<&'c str>,
    /// The names of variables.
    names: Vec<&'c str>,
    /// Whether it is the content of a descriptor.
    is_open: bool,
}

impl<'c> Kept<'c> {
    fn by(keeper: &'c Command, text: &'c str) -> Self {
        let holds = |word: &&ShellWord| !text.is_empty() && unknowns(word).any(|part| part.contains(text));
        let set = keeper.facts.assignments.iter().filter(|set| holds(&&set.value));
        let words = keeper.facts.argv.iter().filter(holds);
        let parts = words.clone().chain(set.clone().map(|set| &set.value)).flat_map(unknowns);
        let mut names: Vec<&str> = Vec::new();
        match keeper.name {
            "" => names.extend(set.map(|set| set.name.as_str())),
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                names.extend(words.filter_map(|word| word.written().split_once('=')).map(|(name, _)| name));
            }
            _ if is_reading(keeper) => {
                names.extend(["REPLY", "MAPFILE"]);
                names.extend(keeper.args().iter().map(Word::text).filter(|word| !word.starts_with('-')));
            }
            _ => {}
        }
        Kept { text, parts: parts.collect(), names, is_open: keeper.name == "exec" }
    }

    fn is_shown_by(&self, command: &Command) -> bool {
        let is_kept = |part: &str| {
            part.contains(self.text) && self.parts.iter().any(|kept| kept.contains(part))
                || named(part).is_some_and(|name| self.names.contains(&name))
        };
        let input = command.facts.stdin.iter().filter(|_| is_showing_input(command));
        let args = || command.args().iter().map(Word::text);
        let is_listing = match command.name {
            "printenv" => true,
            "declare" | "typeset" | "export" | "readonly" => has_letter(&args().collect::<Vec<_>>(), 'p', ""),
            _ => false,
        };
        said(command).chain(input).flat_map(unknowns).any(is_kept)
            || is_listing && args().any(|word| self.names.contains(&word))
            || self.is_open && is_showing_input(command) && command.facts.text.contains("<&")
    }
}

/// Returns the arguments that a command prints, and the code among its arguments or in its input that prints a text of
/// the shell.
fn said<'c>(command: &'c Command) -> impl Iterator<Item = &'c ShellWord> {
    let args = || command.args().iter().map(Word::text);
    let is_all = match command.name {
        "basename" | "dirname" | "yes" => true,
        "jq" | "jaq" | "gojq" => {
            is_showing_input(command) && args().any(|word| word == "--null-input" || has_letter(&[word], 'n', "L"))
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            is_showing_input(command) && args().any(|word| word.contains("BEGIN") && word.contains("print"))
        }
        _ => is_echo(command),
    };
    let is_code = !is_all && code_options(command.name).is_some();
    let is_shown = is_code && is_showing_input(command);
    let is_all = is_all || is_shown && code(command.name, command).is_some_and(prints_arguments);
    let args = command.facts.argv.iter().skip(1).filter(move |word| is_all || is_shown && is_printed_text(word));
    args.chain(command.facts.stdin.iter().filter(move |code| is_code && is_printed_text(code)))
}

/// Whether a piece of code prints a text that the shell puts into it: `print('$T')`.
fn is_printed_text(code: &ShellWord) -> bool {
    let ShellWord::Partly { parts, .. } = code else { return false };
    parts.windows(2).any(|pair| {
        let [ShellPart::Known(before), ShellPart::Unknown { .. }] = pair else { return false };
        is_printing(before)
    })
}

/// Whether code prints the arguments that it gets: `print(sys.argv[1])`.
fn prints_arguments(code: &str) -> bool {
    const ARGUMENTS: [&str; 5] = ["sys.argv", "process.argv", "Deno.args", "ARGV", "$argv"];
    let mut places = ARGUMENTS.iter().flat_map(|name| code.match_indices(*name));
    places.any(|(at, _)| {
        code.get(..at).is_some_and(|before| is_printing(before.trim_end_matches(['*', '.', '$', '@', '{'])))
    })
}

/// Whether code that ends here prints what follows.
fn is_printing(before: &str) -> bool {
    let before = before.trim_end_matches(['"', '\'', '`']);
    let before = before.strip_suffix('f').unwrap_or(before);
    CALLS.iter().any(|call| before.ends_with(call))
}

/// Returns the parts of a word that are known only when the command runs.
fn unknowns(word: &ShellWord) -> impl Iterator<Item = &str> {
    let parts: &[ShellPart] = match word {
        ShellWord::Known(_) => &[],
        ShellWord::Partly { parts, .. } => parts,
    };
    parts.iter().filter_map(|part| match part {
        ShellPart::Unknown { unknown } => Some(unknown.as_str()),
        _ => None,
    })
}

/// Returns the name of the variable whose value an expansion is: `$T`, `${T[0]}`, but neither `${#T}` nor `${T:+set}`.
fn named(part: &str) -> Option<&str> {
    let inside = part.strip_prefix('$')?;
    expanded(inside.strip_prefix('{').unwrap_or(inside)).map(|(name, _)| name)
}
