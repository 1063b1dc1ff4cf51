//! Redirections: the files that they name, and what commands read through them.

use super::walk::value;
use super::{Output, Place, Shell};
use crate::shell::command::{Redirect, Stdin};
use crate::shell::inner::is_stream;
use crate::shell::syntax::Problem;
use crate::shell::word::Word;
use rable::{Node, NodeKind};
use std::rc::Rc;

/// The output of a process substitution.
#[derive(Debug, Clone)]
pub(in crate::shell) struct Stream {
    pub(super) printed: Output,
    /// The commands that print the output.
    pub(super) from: Rc<[usize]>,
}

impl Stream {
    pub(in crate::shell) fn printed(&self) -> Option<&str> {
        self.printed.as_deref()
    }
}

impl Shell {
    /// Remembers the output of the process substitution that `mark` names. Its commands are those from `first` on.
    pub(in crate::shell) fn stream(&mut self, mark: char, printed: Output, first: usize) {
        let from: Rc<[usize]> = (first..self.script.commands.len()).collect();
        let is_other = self.streams.get(&mark).is_some_and(|stream| stream.printed != printed);
        self.streams.insert(mark, Stream { printed: printed.filter(|_| !is_other), from });
    }

    /// Returns the content of a file that is a process substitution or the standard input.
    pub(super) fn stream_of(&self, file: &str) -> Option<Stream> {
        let mut chars = file.chars();
        let mark = chars.next().filter(|_| chars.as_str().is_empty())?;
        self.streams.get(&mark).cloned()
    }

    /// Returns the context of the commands that `redirects` apply to, and the files that `redirects` name.
    pub(super) fn redirected(&mut self, redirects: &[Node], place: &Place) -> (Place, Vec<Redirect>) {
        let mut place = place.clone();
        let mut files = Vec::new();
        for node in redirects {
            match &node.kind {
                NodeKind::Redirect { op, target, fd, varfd } => {
                    let raw = value(target).unwrap_or_default();
                    if !is_word(raw) {
                        self.problem(Problem::Syntax);
                    }
                    if let Some(variable) = varfd {
                        let unknown = self.marks.unknown(&format!("${variable}"));
                        self.assign(variable, vec![unknown]);
                    }
                    let text = self.target(raw, op, &place);
                    match op.as_str() {
                        "<<<" if *fd <= 0 => {
                            place.stdin = Stdin::Text(text.as_str().into());
                            place.reads = Rc::default();
                        }
                        // Another descriptor may be anything that was opened before.
                        "<&" if *fd <= 0 && !matches!(text.as_str(), "0" | "-") => {
                            place.stdin = Stdin::Pipe;
                            place.reads = Rc::default();
                        }
                        "<" | "<>" if *fd <= 0 => self.read_from(&text, &mut place),
                        _ => {}
                    }
                    if op != "<<<" && !is_descriptor(op, raw) {
                        let fd = if *fd >= 0 { *fd } else { i32::from(op.contains('>') && op != "<>") };
                        files.push(Redirect { operator: op.clone(), target: Word::new(raw, text), fd });
                    }
                }
                // A space in a delimiter comes from a bracket that is never closed.
                NodeKind::HereDoc { delimiter, .. }
                    if place.loses_heredocs || delimiter.contains([' ', '\t', '\n']) =>
                {
                    self.problem(Problem::Syntax);
                }
                NodeKind::HereDoc { content, quoted, fd, .. } => {
                    let text = if *quoted {
                        self.spend(content.len());
                        content.clone()
                    } else {
                        let place = Place { heredoc: true, ..place.clone() };
                        self.quoted(content, &place)
                    };
                    // What another descriptor reads is not the input.
                    if *fd <= 0 {
                        place.stdin = Stdin::Text(text.into());
                        place.reads = Rc::default();
                    }
                }
                _ => self.problem(Problem::Syntax),
            }
        }
        self.script.redirects.extend(files.iter().cloned());
        (place, files)
    }

    fn target(&mut self, raw: &str, op: &str, place: &Place) -> String {
        if op == "<<<" {
            return self.one(raw, place);
        }
        let mut texts = self.words(raw, place);
        match (texts.pop(), texts.is_empty()) {
            (Some(text), true) => text,
            _ => self.marks.unknown(raw),
        }
    }

    fn read_from(&self, file: &str, place: &mut Place) {
        place.reads = Rc::default();
        place.stdin = match self.stream_of(file) {
            Some(Stream { printed, from }) => {
                place.reads = from;
                match printed {
                    Some(text) => Stdin::Text(text.into()),
                    None => Stdin::Pipe,
                }
            }
            None if is_stream(file) => Stdin::Pipe,
            None => Stdin::Inherited,
        };
    }
}

/// Whether the target of a redirection is a word. The parser accepts whatever comes next as one, even `;`.
fn is_word(target: &str) -> bool {
    let is_operator = target.starts_with(['\n', ';', '|', '&', '(', ')', '<', '>']);
    let is_substitution = target.starts_with("<(") || target.starts_with(">(");
    !target.is_empty() && (is_substitution || !is_operator)
}

/// Whether the target is a file that is already open, as in `2>&1`.
fn is_descriptor(operator: &str, target: &str) -> bool {
    let is_number = target.chars().all(|c| c.is_ascii_digit() || c == '-');
    operator.ends_with("&-") || (operator.ends_with('&') && is_number)
}
