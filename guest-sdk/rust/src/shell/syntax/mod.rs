//! Parses shell text into the flat list of its own commands.

mod assignment;
mod bounds;
mod braces;
mod expansion;
mod reader;
mod redirect;
mod scan;
mod source;
mod walk;

use super::command::{Redirect, SimpleCommand, Stdin};
use std::rc::Rc;

/// How deep substitutions may nest.
const MAX_NESTING: usize = 8;

/// Everything that a text would run, in no particular order.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The simple commands, wherever they stand.
    pub(super) commands: Vec<SimpleCommand>,
    /// The redirections to and from files, of all commands.
    pub(super) redirects: Vec<Redirect>,
    /// Why a part of the text could not be read.
    pub(super) problem: Option<Problem>,
}

/// Why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// It is not shell syntax that the parser knows.
    Syntax,
    /// Its substitutions nest too deeply.
    Nesting,
}

/// The context of a command.
#[derive(Debug, Clone, Default)]
struct Place {
    /// What the command reads as its standard input.
    stdin: Stdin,
    /// The function whose body the command is part of.
    function: Option<Rc<str>>,
    /// Whether the command is part of a pipeline.
    piped: bool,
    /// Whether the command runs in the background.
    background: bool,
    /// Whether the parser drops the bodies of here-documents here.
    loses_heredocs: bool,
}

/// Reads `text`. With `editable`, its words record their positions in it.
pub(super) fn read(text: &str, editable: bool) -> Reading {
    let mut reader = reader::Reader::default();
    reader.text(text, editable);
    reader.reading
}
