//! The command of a tool call.

use super::arguments::Argument;
use super::keys::{self, Role};
use std::borrow::Cow;

/// A command, as a text for a shell and as words if the tool call has it as such.
pub(super) struct Command {
    pub(super) text: String,
    pub(super) argv: Option<Vec<String>>,
}

/// Words in the names of tools whose `code` and `script` are not shell texts.
const OTHER_LANGUAGES: &[&str] =
    &["python", "node", "javascript", "jupyter", "notebook", "ipython", "sql", "browser", "eval", "js", "ruby", "lua"];

/// Whether a tool, judged only by its name, runs commands.
pub(super) fn is_shell(name: &str, arguments: &[Argument<'_>]) -> bool {
    let has = |known: &[&str]| arguments.iter().any(|argument| known.contains(&argument.key.as_ref()));
    let name = name.to_lowercase();
    // A file editor may call its operation on the file `command`.
    let edits = arguments.iter().any(is_editor_command) && has(keys::PATH);
    let is_other = OTHER_LANGUAGES.iter().any(|language| name.contains(language));
    (has(keys::SURELY_COMMAND) && !edits) || (has(keys::COMMAND) && !is_other && !edits)
}

/// Whether this is the `command` of an editor for files.
pub(super) fn is_editor_command(argument: &Argument<'_>) -> bool {
    const COMMANDS: [&str; 7] = ["view", "create", "str_replace", "insert", "undo_edit", "write", "replace"];
    argument.key == "command" && COMMANDS.contains(&argument.text.as_ref())
}

/// Joins the arguments with these roles into a command. Several commands become lines.
pub(super) fn find(arguments: &[Argument<'_>], role: impl Fn(&Argument<'_>) -> Option<Role>) -> Option<Command> {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    let mut argv: Vec<String> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    for argument in arguments {
        let text = argument.text.as_ref();
        match role(argument) {
            Some(Role::Command) if argument.is_item && !keys::MANY_COMMANDS.contains(&argument.key.as_ref()) => {
                argv.push(text.to_owned());
            }
            Some(Role::Command) if !text.trim().is_empty() => lines.push(Cow::Borrowed(text)),
            Some(Role::Words) => words.push(text.to_owned()),
            _ => {}
        }
    }
    // Cline's commands are also present as one text, for hooks that look for that.
    let is_whole = |at: &usize| {
        let others = lines.iter().enumerate().filter(|(other, _)| other != at).flat_map(|(_, text)| text.lines());
        lines.len() > 1 && lines.get(*at).is_some_and(|text| text.lines().eq(others))
    };
    if let Some(whole) = (0..lines.len()).find(is_whole) {
        lines = vec![lines.swap_remove(whole)];
    }
    if argv.is_empty() && lines.len() == 1 && !words.is_empty() {
        // `{"command": "npm", "args": ["install"]}`
        let only = lines.first()?.clone();
        if quoted(&only) == only {
            argv.push(only.into_owned());
            argv.append(&mut words);
            lines.clear();
        } else {
            let rest: Vec<_> = words.iter().map(|word| quoted(word)).collect();
            lines = vec![Cow::Owned(format!("{only} {}", rest.join(" ")))];
        }
    }
    if argv.is_empty() {
        return (!lines.is_empty()).then(|| Command { text: lines.join("\n"), argv: None });
    }
    let words: Vec<_> = argv.iter().map(|word| quoted(word)).collect();
    lines.push(Cow::Owned(words.join(" ")));
    // If there is also a text, the words are not the whole command.
    let is_alone = lines.len() == 1;
    Some(Command { text: lines.join("\n"), argv: is_alone.then_some(argv) })
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
