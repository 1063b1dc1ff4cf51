//! Turns the parts of a simple command into words, and reads the scripts in
//! their substitutions.

use super::scan::{self, Scanned};
use super::word::plain;
use super::{Command, MAX_NESTING, Place, Problem, Redirect, Script, Stdin, Word};
use rable::{Node, NodeKind};
use std::ops::Range;

/// Collects the commands of a text and of the substitutions in it.
#[derive(Default)]
pub(super) struct Reader {
    script: Script,
    nesting: usize,
    source: Option<Source>,
}

impl Reader {
    pub(super) fn finish(self) -> Script {
        self.script
    }

    pub(super) fn fail(&mut self, problem: Problem) {
        self.script.problem.get_or_insert(problem);
    }

    /// Reads a whole text. With `editable`, its words learn where they stand.
    pub(super) fn text(&mut self, text: &str, editable: bool) {
        // Wildcards such as `!(a)` are off, as in a shell that was not asked
        // for them: there, `!(` negates a subshell.
        let Ok(nodes) = rable::parse(text, false) else {
            return self.fail(Problem::Syntax);
        };
        self.source = editable.then(|| Source::new(text));
        for node in &nodes {
            self.node(node, &Place::default());
        }
    }

    /// Reads the scripts that run while a word is expanded.
    pub(super) fn run(&mut self, scanned: &Scanned) {
        if scanned.unreadable {
            self.fail(Problem::Syntax);
        }
        let source = self.source.take();
        self.nesting += 1;
        for script in &scanned.scripts {
            if self.nesting > MAX_NESTING {
                self.fail(Problem::Nesting);
            } else {
                self.text(script, false);
            }
        }
        self.nesting -= 1;
        self.source = source;
    }

    /// Reads a simple command.
    pub(super) fn command(
        &mut self,
        assignments: &[Node],
        words: &[Node],
        redirects: &[Node],
        place: &Place,
    ) {
        self.substitutions(assignments);
        let words = words.iter().flat_map(|node| self.words(node)).collect();
        let place = self.redirected(redirects, place);
        self.files(redirects);
        self.script.commands.push(Command { words, place });
    }

    fn words(&mut self, node: &Node) -> Vec<Word> {
        let NodeKind::Word { value, .. } = &node.kind else {
            self.fail(Problem::Syntax);
            return Vec::new();
        };
        let scanned = scan::word(value);
        self.run(&scanned);
        if scanned.overlong {
            self.fail(Problem::Syntax);
        }
        let source = self.source.as_ref().and_then(|s| s.range(node, value));
        // The words of a brace expansion stand in one place together.
        let source = source.filter(|_| scanned.texts.len() == 1);
        let word = |text| Word {
            raw: value.clone(),
            text,
            source: source.clone(),
        };
        scanned.texts.into_iter().map(word).collect()
    }

    /// Reads the substitutions in words that are no arguments of a command.
    pub(super) fn substitutions<'a>(&mut self, words: impl IntoIterator<Item = &'a Node>) {
        for node in words {
            match &node.kind {
                NodeKind::Word { value, .. } => self.run(&scan::word(value)),
                _ => self.fail(Problem::Syntax),
            }
        }
    }

    /// Collects the files that are read or written.
    pub(super) fn files(&mut self, redirects: &[Node]) {
        let files = redirects.iter().filter_map(file);
        self.script.redirects.extend(files);
    }

    /// Where the commands stand that `redirects` apply to.
    pub(super) fn redirected(&mut self, redirects: &[Node], place: &Place) -> Place {
        let mut place = place.clone();
        for node in redirects {
            match &node.kind {
                NodeKind::Redirect { target, .. } if !is_word(target) => {
                    self.fail(Problem::Syntax);
                }
                NodeKind::Redirect { op, target, .. } => {
                    self.substitutions(std::iter::once(&**target));
                    match op.as_str() {
                        "<<<" => place.stdin = Stdin::Text(here_string(target).into()),
                        "<" => place.stdin = from_file(target),
                        _ => {}
                    }
                }
                NodeKind::HereDoc {
                    content, quoted, ..
                } => place.stdin = Stdin::Text(self.heredoc(content, *quoted).into()),
                _ => self.fail(Problem::Syntax),
            }
        }
        let lost = place.loses_heredocs && matches!(place.stdin, Stdin::Text(_));
        if lost {
            self.fail(Problem::Syntax);
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

/// The parser takes whatever follows a redirection as its target, even `;`.
fn is_word(target: &Node) -> bool {
    let NodeKind::Word { value, .. } = &target.kind else {
        return false;
    };
    value.starts_with("<(")
        || value.starts_with(">(")
        || !(value.is_empty() || value.starts_with(['\n', ';', '|', '&', '(', ')', '<', '>']))
}

fn here_string(target: &Node) -> String {
    match &target.kind {
        NodeKind::Word { value, .. } => scan::word(value).texts.join(" "),
        _ => String::new(),
    }
}

/// A file is read like a script that is named as an argument: not at all.
/// The output of a process substitution is as unknown as that of a pipe.
fn from_file(target: &Node) -> Stdin {
    match &target.kind {
        NodeKind::Word { value, .. } if !value.starts_with("<(") => Stdin::Inherited,
        _ => Stdin::Pipe,
    }
}

fn file(node: &Node) -> Option<Redirect> {
    let NodeKind::Redirect { op, target, .. } = &node.kind else {
        return None;
    };
    let NodeKind::Word { value, .. } = &target.kind else {
        return None;
    };
    Some(Redirect {
        operator: op.clone(),
        target: Word {
            raw: value.clone(),
            text: scan::word(value).texts.into_iter().next()?,
            source: None,
        },
    })
}

/// A text whose words can be rewritten.
struct Source {
    text: String,
    /// The byte offset of each character, since the parser counts those.
    offsets: Vec<usize>,
}

impl Source {
    fn new(text: &str) -> Self {
        let offsets = text.char_indices().map(|(at, _)| at);
        Self {
            text: text.to_owned(),
            offsets: offsets.chain(std::iter::once(text.len())).collect(),
        }
    }

    /// Where `node` stands, unless the parser changed `value` on the way, as
    /// it does with a line continuation.
    fn range(&self, node: &Node, value: &str) -> Option<Range<usize>> {
        let start = *self.offsets.get(node.span.start)?;
        let end = *self.offsets.get(node.span.end)?;
        (self.text.get(start..end)? == value).then_some(start..end)
    }
}
