//! A simple command and what belongs to it.

use super::word::{Word, shortened};
use std::rc::Rc;

/// The longest command that a reason quotes, in characters.
const MAX_QUOTE: usize = 60;

/// A command with its arguments, without pipes and lists.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SimpleCommand {
    /// The command word and its arguments. Empty for assignments and redirections alone.
    pub words: Vec<Word>,
    /// The assignments before it, its own and those of an `env` or `sudo` that runs it.
    pub assignments: Vec<Assignment>,
    /// What it reads as its standard input.
    pub stdin: Stdin,
    /// The function whose body it is part of.
    pub function: Option<Rc<str>>,
    /// Whether it is part of a pipeline.
    pub is_piped: bool,
    /// Whether it runs in the background.
    pub is_background: bool,
    /// The name of the command that runs it, such as `sudo` or `bash`; `None` if the shell itself does.
    pub run_by: Option<Rc<str>>,
    /// Whether it stands in a script with parts that are not known, as in `bash -c "cd $DIR && make"`: such a part could be
    /// anything, more commands among it.
    pub is_in_patchy_script: bool,
}

impl SimpleCommand {
    /// The name of the command: the last component of its path, so that `/bin/rm` and `\rm` are both `rm`. `None` if it is not
    /// known, or there is no command word.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.words.first()?.command_name()
    }

    /// The words behind the command word.
    #[must_use]
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The same without its words.
    pub(super) fn place(&self) -> Self {
        SimpleCommand {
            words: Vec::new(),
            assignments: self.assignments.clone(),
            stdin: self.stdin.clone(),
            function: self.function.clone(),
            run_by: self.run_by.clone(),
            ..*self
        }
    }

    /// The command as it was typed, in backquotes, on one line and cut short, for a reason.
    #[must_use]
    pub fn quote(&self) -> String {
        quote(&self.words)
    }
}

pub(super) fn quote(words: &[Word]) -> String {
    let line: Vec<&str> = words.iter().flat_map(|word| word.raw().split_whitespace()).collect();
    format!("`{}`", shortened(&line.join(" "), MAX_QUOTE))
}

/// A variable that is set: `name=value` before a command or alone.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// What it is set to; not known for a list.
    pub value: Word,
}

impl Assignment {
    /// Reads a word of the form `name=value`.
    pub(super) fn of_word(word: &Word) -> Option<Self> {
        let (name, value) = word.pattern().split_once('=')?;
        Some(Assignment { name: name.to_owned(), value: Word::of_pattern(word.raw(), value.to_owned()) })
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
}

impl Redirect {
    /// Whether it can write to the file.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.operator.contains('>')
    }
}

/// What a command reads as its standard input.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Stdin {
    /// Whatever the tool call itself reads, or a file.
    #[default]
    Inherited,
    /// The output of another command.
    Pipe,
    /// A here-document or here-string, with markers as in [`Word::pattern`].
    Text(Rc<str>),
}
