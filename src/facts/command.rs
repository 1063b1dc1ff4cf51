//! The command of a tool call.

use super::arguments::Argument;
use super::keys::{self, Role};
use crate::protocol::ToolShell;
use std::borrow::Cow;

/// The command lines of a tool call.
pub(super) struct CommandLines {
    /// The command lines, each for a shell of its own. Empty if the text is the only one.
    pub(super) lines: Vec<ToolShell>,
    /// All command lines as one text.
    pub(super) text: String,
    /// Whether there are more commands than are read.
    pub(super) is_cut: bool,
}

/// The maximum number of commands of one call that are read, and of words beside the commands.
const MAX_COMMANDS: usize = 256;

/// The maximum number of texts of one call that are treated as input of its commands.
const MAX_INPUTS: usize = 16;

/// What is known about how a tool runs commands.
#[derive(Clone, Copy, Default)]
pub(super) struct Runner {
    /// Whether each command of a list certainly runs in a shell of its own.
    pub(super) has_own_shells: bool,
    /// Whether the tool is not known, so that it may also join words without quotes.
    pub(super) is_unknown: bool,
    /// Whether the tool ignores a directory to run in.
    pub(super) ignores_cwd: bool,
}

/// The characters that begin another command, or a file, if a shell reads them.
const CONTROL: [char; 9] = [';', '|', '&', '$', '`', '<', '>', '\n', '\r'];

/// Returns whether this agent's shell takes no directory to run in, so that the agent ignores a member that names one.
pub(super) fn ignores_cwd(agent: Option<&str>) -> bool {
    matches!(agent, Some("claude" | "cline" | "codex" | "copilot"))
}

/// Words in the names of tools whose `code` and `script` are not shell texts.
const OTHER_LANGUAGES: &[&str] =
    &["python", "node", "javascript", "jupyter", "notebook", "ipython", "sql", "browser", "eval", "js", "ruby", "lua"];

/// Returns whether a tool runs commands, judged only by its name and its arguments.
pub(super) fn is_shell(name: &str, arguments: &[Argument<'_>]) -> bool {
    let has = |known: &[&str]| arguments.iter().any(|argument| known.contains(&argument.key.as_ref()));
    let has_command = arguments.iter().any(|argument| keys::is_command(&argument.key));
    // A file editor may call its operation on the file `command`.
    let edits = arguments.iter().any(is_editor_command) && has(keys::PATH);
    (has_command && !edits) || (has(keys::COMMAND) && !is_of_other_language(name) && !edits)
}

/// Returns whether the name of a tool says that its scripts are not for a shell.
pub(super) fn is_of_other_language(name: &str) -> bool {
    let name = name.to_lowercase();
    OTHER_LANGUAGES.iter().any(|language| name.contains(language))
}

/// Returns whether this is the `command` of an editor for files.
pub(super) fn is_editor_command(argument: &Argument<'_>) -> bool {
    const COMMANDS: [&str; 7] = ["view", "create", "str_replace", "insert", "undo_edit", "write", "replace"];
    argument.key == "command" && COMMANDS.contains(&argument.text.as_ref())
}

/// The maximum size of the words and inputs that are repeated for several commands, in bytes.
const MAX_REPEATED_BYTES: usize = 4 << 20;

/// A command as it is in the arguments.
struct CommandArgument<'a> {
    /// The object that it is a member of.
    object: usize,
    /// The number of the list of its words; 0 for a text.
    list: usize,
    /// Whether it is an item of a list of commands.
    is_item: bool,
    line: Cow<'a, str>,
    /// The words of the command, if the argument is a list of them.
    words: Option<Vec<String>>,
}

/// Finds the command lines in the arguments. If only the tool knows which of several commands it runs, or what it does
/// with the words beside them, each possible command line is included.
pub(super) fn find(arguments: &[Argument<'_>], runner: Runner) -> Option<CommandLines> {
    let mut commands = command_arguments(arguments, runner);
    let mut all_words: Vec<&Argument<'_>> =
        arguments.iter().filter(|word| word.role == Some(Role::Words)).take(MAX_COMMANDS + 1).collect();
    let is_input =
        |input: &&Argument<'_>| input.is_text && keys::STDIN.contains(&input.key.as_ref()) && input.role.is_none();
    let mut inputs: Vec<&Argument<'_>> = arguments.iter().filter(is_input).take(MAX_INPUTS + 1).collect();
    // Nearly every call has only one text, which may be long. The code below would copy it several times.
    if let [CommandArgument { line, words: None, .. }] = commands.as_slice()
        && all_words.is_empty()
        && inputs.is_empty()
    {
        return Some(CommandLines { lines: Vec::new(), text: line.clone().into_owned(), is_cut: false });
    }
    let mut is_cut = commands.len() > MAX_COMMANDS || all_words.len() > MAX_COMMANDS || inputs.len() > MAX_INPUTS;
    commands.truncate(MAX_COMMANDS);
    // Each command of an object gets all words and inputs beside it.
    let beside: usize = all_words.iter().chain(&inputs).map(|argument| argument.text.len()).sum();
    if commands.len() > 1 && beside.saturating_mul(commands.len()) > MAX_REPEATED_BYTES {
        all_words.clear();
        inputs.clear();
        is_cut = true;
    }
    let words_of = |object: usize| -> Vec<&Argument<'_>> {
        all_words.iter().copied().filter(|word| word.at.object == object).collect()
    };
    // Cline's commands are also present as one text, for hooks that look for one text.
    let texts: Vec<String> = commands.iter().map(|command| command.with(&words_of(command.object)).command).collect();
    let is_whole = |at: &usize| {
        let others = texts.iter().enumerate().filter(|(other, _)| other != at).map(|(_, text)| text.as_str());
        let command = commands.get(*at).filter(|command| command.is_text() && command.object == 1 && texts.len() > 1);
        command.is_some_and(|command| command.line == others.collect::<Vec<_>>().join("\n"))
    };
    let whole = (0..commands.len()).find(is_whole).map(|at| commands.remove(at));
    let mut lines = Vec::new();
    let mut add = |line: ToolShell| {
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    for command in &commands {
        let words = words_of(command.object);
        let is_alone = commands.iter().filter(|other| other.object == command.object).count() == 1;
        // `{"command": "npm", "args": ["install"]}`
        let is_program = command.words.is_some() || quoted(&command.line) == command.line;
        // A known tool may ignore the words.
        let is_apart = !runner.is_unknown && command.object == 1;
        if words.is_empty() || command.is_item || is_apart || !(is_alone && is_program) {
            add(command.with(&[]));
        }
        // A list of one text with blanks is a list of commands, rather than a program whose name has blanks.
        if let Some([only]) = command.words.as_deref()
            && only.contains(char::is_whitespace)
        {
            add(ToolShell::text(only.as_str()));
        }
        if runner.has_own_shells {
            command.words.iter().flatten().for_each(|word| add(ToolShell::text(word.as_str())));
        }
        // The input of the command may be a program, or the text that the command writes.
        let reads = |input: &&Argument<'_>| input.at.object == command.object && runner.is_unknown && !command.is_item;
        for input in inputs.iter().copied().filter(reads) {
            add(ToolShell::text(format!("{} <<< {}", command.with(&words).command, quoted(&input.text))));
        }
        if !words.is_empty() {
            let whole = command.with(&words);
            let texts = words.iter().map(|word| word.text.as_ref());
            let joined = std::iter::once(command.line.as_ref()).chain(texts).collect::<Vec<_>>().join(" ");
            let may_join = runner.is_unknown || words.iter().any(|word| !word.is_item);
            // Several words that a tool takes as one text are not a single word.
            let has_several = |word: &&Argument<'_>| !word.is_item && word.text.contains(char::is_whitespace);
            let is_read = |word: &&Argument<'_>| word.text.contains(CONTROL) || has_several(word);
            let differs = whole.command != joined && words.iter().any(is_read);
            let listed = words.iter().filter(|word| !word.is_item);
            let listed = listed.filter_map(|word| serde_json::from_str::<Vec<String>>(&word.text).ok());
            for list in listed {
                add(shell(&command.line, &list.iter().map(String::as_str).collect::<Vec<_>>()));
            }
            add(whole);
            if may_join && differs {
                add(ToolShell::text(joined));
            }
        }
    }
    let texts: Vec<String> = commands.iter().map(|command| command.with(&words_of(command.object)).command).collect();
    let text = texts.join("\n");
    // One shell may run all of the commands.
    if commands.len() > 1 && !runner.has_own_shells {
        add(ToolShell::text(whole.map_or_else(|| text.clone(), |whole| whole.line.into_owned())));
    }
    (!lines.is_empty()).then_some(CommandLines { lines, text, is_cut })
}

fn command_arguments<'a>(arguments: &'a [Argument<'_>], runner: Runner) -> Vec<CommandArgument<'a>> {
    let mut commands: Vec<CommandArgument<'a>> = Vec::new();
    for argument in arguments.iter().filter(|argument| argument.role == Some(Role::Command)) {
        let key = argument.key.as_ref();
        let is_many = keys::MANY_COMMANDS.contains(&key) || runner.has_own_shells && key.is_empty();
        let Argument { is_item, at, .. } = *argument;
        let text = argument.text.as_ref();
        if !is_item || is_many && at.lists == 1 {
            if !text.trim().is_empty() && commands.len() <= MAX_COMMANDS {
                commands.push(CommandArgument {
                    object: at.object,
                    list: 0,
                    is_item,
                    line: Cow::Borrowed(text),
                    words: None,
                });
            }
            continue;
        }
        let last = commands.last_mut().filter(|command| command.list == at.list);
        if let Some(CommandArgument { line, words: Some(words), .. }) = last {
            words.push(text.to_owned());
            let line = line.to_mut();
            line.push(' ');
            line.push_str(&quoted(text));
        } else if commands.len() <= MAX_COMMANDS {
            let (line, words) = (quoted(text), Some(vec![text.to_owned()]));
            commands.push(CommandArgument { object: at.object, list: at.list, is_item: at.lists > 1, line, words });
        }
    }
    commands
}

impl CommandArgument<'_> {
    const fn is_text(&self) -> bool {
        self.words.is_none() && !self.is_item
    }

    /// Returns the command line with these words after it.
    fn with(&self, words: &[&Argument<'_>]) -> ToolShell {
        let words: Vec<&str> = words.iter().map(|word| word.text.as_ref()).collect();
        match &self.words {
            Some(own) => {
                let argv: Vec<String> =
                    own.iter().cloned().chain(words.iter().map(|word| (*word).to_owned())).collect();
                ToolShell { argv: Some(argv), ..ToolShell::text(line(&self.line, &words)) }
            }
            None => shell(&self.line, &words),
        }
    }
}

/// Returns the command line of a program, or of the text of a command, with arguments after it.
pub(crate) fn shell(command: &str, words: &[&str]) -> ToolShell {
    let is_program = !words.is_empty() && quoted(command) == command;
    let argv = is_program.then(|| std::iter::once(command).chain(words.iter().copied()).map(str::to_owned).collect());
    ToolShell { argv, ..ToolShell::text(line(command, words)) }
}

fn line(command: &str, words: &[&str]) -> String {
    let mut line = command.to_owned();
    for word in words {
        line.push(' ');
        line.push_str(&quoted(word));
    }
    line
}

/// Quotes a word so that a shell reads it back unchanged.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
