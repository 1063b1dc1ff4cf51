//! Reads redirections: the files that they name, and what commands read through them.

use super::reader::{Reader, value};
use super::{Place, Problem, scan};
use crate::shell::command::{Redirect, Stdin};
use crate::shell::word::{Word, plain};
use rable::{Node, NodeKind};

impl Reader {
    /// Collects the files that `redirects` name.
    pub(super) fn files(&mut self, redirects: &[Node]) {
        let files = redirects.iter().filter_map(file);
        self.reading.redirects.extend(files);
    }

    /// The context of the commands that `redirects` apply to.
    pub(super) fn redirected(&mut self, redirects: &[Node], place: &Place) -> Place {
        let mut place = place.clone();
        for node in redirects {
            match &node.kind {
                NodeKind::Redirect { op, target, .. } => {
                    let target = value(target).unwrap_or_default();
                    if !is_word(target) {
                        self.fail(Problem::Syntax);
                    }
                    let scanned = scan::word(target);
                    self.run(&scanned);
                    match op.as_str() {
                        "<<<" => place.stdin = Stdin::Text(scanned.texts.join(" ").into()),
                        // The output of a command is as unknown as a pipe's.
                        "<" if target.starts_with("<(") => place.stdin = Stdin::Pipe,
                        "<" => place.stdin = Stdin::Inherited,
                        _ => {}
                    }
                }
                // A blank in a delimiter comes from a bracket that is never closed.
                NodeKind::HereDoc { delimiter, .. }
                    if place.loses_heredocs || delimiter.contains([' ', '\t', '\n']) =>
                {
                    self.fail(Problem::Syntax);
                }
                NodeKind::HereDoc { content, quoted, .. } => {
                    place.stdin = Stdin::Text(self.heredoc(content, *quoted).into())
                }
                _ => self.fail(Problem::Syntax),
            }
        }
        place
    }

    fn heredoc(&mut self, content: &str, quoted: bool) -> String {
        if quoted {
            return content.chars().map(plain).collect();
        }
        let mut scanned = scan::body(content);
        self.run(&scanned);
        scanned.texts.pop().unwrap_or_default()
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

fn file(node: &Node) -> Option<Redirect> {
    let NodeKind::Redirect { op, target, .. } = &node.kind else {
        return None;
    };
    let raw = value(target).filter(|target| !is_descriptor(op, target))?;
    Some(Redirect { operator: op.clone(), target: Word::of_pattern(raw, scan::word(raw).texts.into_iter().next()?) })
}
