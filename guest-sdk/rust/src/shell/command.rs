//! A simple command and its parts.

use super::word::{Word, shortened};
use std::rc::Rc;

/// The longest command that a reason quotes, in characters.
const MAX_QUOTE: usize = 60;

/// A command with its arguments, excluding pipes and lists.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SimpleCommand {
    /// The command word and its arguments. Empty if there are only assignments and redirections.
    pub words: Vec<Word>,
    /// The assignments before the command: its own and those of an `env` or `sudo` that runs it.
    pub assignments: Vec<Assignment>,
    /// What the command reads as its standard input.
    pub stdin: Stdin,
    /// The function whose body the command is part of.
    pub function: Option<Rc<str>>,
    /// Whether the command is part of a pipeline.
    pub is_piped: bool,
    /// Whether the command runs in the background.
    pub is_background: bool,
    /// The name of the command that runs this one, such as `sudo` or `bash`; `None` if the shell runs it directly.
    pub run_by: Option<Rc<str>>,
    /// Whether the command is in a script with unknown parts, as in `bash -c "cd $DIR && make"`. Such a part could be
    /// anything, including more commands.
    pub is_in_patchy_script: bool,
    /// The redirections of the command to and from files.
    pub redirects: Vec<Redirect>,
    /// The working directory, if the script changes it.
    pub cwd: Option<Word>,
    /// The command that runs this one, as an index of [`Script::known_commands`](super::Script::known_commands).
    pub parent: Option<usize>,
    /// How that command runs this one: its name, or `substitution`, `heredoc`, `alias`, `function` or `variable`.
    pub via: Option<Rc<str>>,
    /// The commands whose output this one reads.
    pub reads_from: Rc<[usize]>,
    /// The command as it was typed, shortened.
    pub text: Rc<str>,
    /// The text of the command's standard input.
    pub(super) input: Option<Rc<Word>>,
    /// The patches that the command applies and that other commands of the text produce; `None` for an unknown patch.
    pub(super) patches: Vec<Option<Rc<Word>>>,
}

impl SimpleCommand {
    /// Returns the name of the command: the last component of its path, so `/bin/rm` and `\rm` are both `rm`. Returns
    /// `None` if the name is unknown or there is no command word.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.words.first()?.command_name()
    }

    /// Returns the words after the command word.
    #[must_use]
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns the files that the words and redirections of the command name, and what the command does with them.
    /// Empty for a program that is not in the table.
    #[must_use]
    pub fn files(&self) -> Vec<super::FileUse> {
        super::files::of(self).all
    }

    /// Returns the command as it was typed, in backquotes, on one line and shortened, for use in a reason.
    #[must_use]
    pub fn quote(&self) -> String {
        quote(&self.words)
    }
}

pub(super) fn quote(words: &[Word]) -> String {
    // All words of one expansion were typed as one word, which is quoted once.
    let is_again = |at: usize, word: &Word| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        word.raw().contains(['$', '`', '{']) && before.is_some_and(|before| before.raw() == word.raw())
    };
    let typed = words.iter().enumerate().filter(|(at, word)| !is_again(*at, word));
    let line: Vec<&str> = typed.flat_map(|(_, word)| word.raw().split_whitespace()).collect();
    format!("`{}`", shortened(&line.join(" "), MAX_QUOTE))
}

/// An assignment to a variable: `name=value` before a command or on its own.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The value; unknown for a list.
    pub value: Word,
}

impl Assignment {
    /// Parses a word of the form `name=value`.
    pub(super) fn of_word(word: &Word) -> Option<Self> {
        let (name, value) = word.text().split_once('=')?;
        Some(Assignment { name: name.to_owned(), value: Word::new(word.raw(), value.to_owned()) })
    }
}

/// A redirection to or from a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Redirect {
    /// The operator, such as `>` or `<`.
    pub operator: String,
    /// The file.
    pub target: Word,
    /// The descriptor: 0 for standard input, 1 for standard output.
    pub fd: i32,
}

impl Redirect {
    /// Whether the redirection can write to the file.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.operator.contains('>')
    }
}

/// What a command reads as its standard input.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Stdin {
    /// The tool call's own standard input, or a file.
    #[default]
    Inherited,
    /// The output of another command.
    Pipe,
    /// A here-document or here-string, with markers as in [`Word::pattern`].
    Text(Rc<str>),
}
