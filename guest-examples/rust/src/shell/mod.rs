//! Reads shell text into the flat list of commands that it would run.

mod braces;
mod expansion;
mod reader;
mod redirect;
mod scan;
mod source;
mod walk;
mod word;

use std::rc::Rc;

pub use word::{GLOB, HOME, UNKNOWN, Word};

/// How deep substitutions may nest.
const MAX_NESTING: usize = 8;

/// Everything that a text would run, in no particular order.
#[derive(Debug, Default)]
pub struct Script {
    /// The simple commands, wherever they stand.
    pub commands: Vec<Command>,
    /// The redirections to and from files, of whichever command.
    pub redirects: Vec<Redirect>,
    /// Why a part of the text could not be read.
    pub problem: Option<Problem>,
}

/// Why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It is not shell syntax that the parser knows.
    Syntax,
    /// Its substitutions nest too deep.
    Nesting,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// The command word and its arguments.
    pub words: Vec<Word>,
    /// Where it stands.
    pub place: Place,
}

/// A redirection to or from a file.
#[derive(Debug, Clone)]
pub struct Redirect {
    /// The operator, such as `>` or `<`.
    pub operator: String,
    /// The file.
    pub target: Word,
}

/// What surrounds a command.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// What the command reads as its standard input.
    pub stdin: Stdin,
    /// The function whose body the command is part of.
    pub function: Option<Rc<str>>,
    /// Whether the command is part of a pipeline.
    pub piped: bool,
    /// Whether the command runs in the background.
    pub background: bool,
    /// Whether the parser drops the bodies of here-documents here.
    loses_heredocs: bool,
}

/// What a command reads as its standard input.
#[derive(Debug, Clone, Default)]
pub enum Stdin {
    /// Whatever the tool call itself reads, or a file.
    #[default]
    Inherited,
    /// The output of another command.
    Pipe,
    /// A here-document or here-string.
    Text(Rc<str>),
}

/// Reads `text`. With `editable`, its words know where they stand in it.
#[must_use]
pub fn read(text: &str, editable: bool) -> Script {
    let mut reader = reader::Reader::default();
    reader.text(text, editable);
    reader.script
}
