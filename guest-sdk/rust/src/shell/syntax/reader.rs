//! Turns the parts of a simple command into words, and reads the scripts in their substitutions.

use super::scan::{self, Scanned};
use super::source::Source;
use super::{MAX_NESTING, Place, Problem, Reading, assignment, bounds};
use crate::shell::command::{Assignment, SimpleCommand};
use crate::shell::word::Word;
use rable::{Node, NodeKind};

/// How many substitutions may look open at the same time. Beyond that, a text is not parsed: the time grows with a
/// power of their number.
const MAX_OPENINGS: usize = 2 * MAX_NESTING;

/// Collects the commands of a text and of the substitutions in it.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) reading: Reading,
    nesting: usize,
    source: Option<Source>,
}

impl Reader {
    pub(super) fn fail(&mut self, problem: Problem) {
        self.reading.problem.get_or_insert(problem);
    }

    /// Reads a whole text. With `editable`, its words record their positions.
    pub(super) fn text(&mut self, text: &str, editable: bool) {
        if openings(text) > MAX_OPENINGS || !bounds::within(text) {
            return self.fail(Problem::Nesting);
        }
        // Wildcards such as `!(a)` are off, as in a shell by default: without them, `!(` negates a subshell.
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
        if scanned.unreadable || scanned.overlong {
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
    pub(super) fn command(&mut self, assignments: &[Node], words: &[Node], redirects: &[Node], place: &Place) {
        self.substitutions(assignments);
        // After `coproc`, the parser mistakes an assignment for the command word.
        let count = words.iter().take_while(|node| is_assignment(node)).count();
        let (more, words) = words.split_at_checked(count).unwrap_or((&[], words));
        self.substitutions(more);
        let assignments = assignments.iter().chain(more).filter_map(value).filter_map(assignment::read).collect();
        let words = words.iter().flat_map(|node| self.words(node)).collect();
        self.files(redirects);
        let place = self.redirected(redirects, place);
        let Place { stdin, function, piped, background, .. } = place;
        self.reading.commands.push(SimpleCommand {
            words,
            assignments,
            stdin,
            function,
            is_piped: piped,
            is_background: background,
            ..SimpleCommand::default()
        });
    }

    /// Records that a loop sets a variable.
    pub(super) fn sets(&mut self, name: &str, place: &Place) {
        let assignment = Assignment { name: name.to_owned(), value: Word::unknown(name) };
        let Place { stdin, function, .. } = place.clone();
        let assignments = vec![assignment];
        self.reading.commands.push(SimpleCommand { assignments, stdin, function, ..SimpleCommand::default() });
    }

    fn words(&mut self, node: &Node) -> Vec<Word> {
        let Some(value) = value(node) else {
            self.fail(Problem::Syntax);
            return Vec::new();
        };
        let scanned = scan::word(value);
        self.run(&scanned);
        if scanned.splits {
            self.fail(Problem::Syntax);
        }
        let source = self.source.as_ref();
        let source = source.and_then(|source| source.range(node, value));
        // The words of a brace expansion all come from one place.
        let source = source.filter(|_| scanned.texts.len() == 1);
        let word = |text| Word::of_pattern(value, text).with_span(source.clone());
        scanned.texts.into_iter().map(word).collect()
    }

    /// Reads the substitutions in words that are not arguments of a command.
    pub(super) fn substitutions<'a>(&mut self, words: impl IntoIterator<Item = &'a Node>) {
        for node in words {
            match value(node) {
                Some(value) => self.run(&scan::word(value)),
                None => self.fail(Problem::Syntax),
            }
        }
    }
}

/// A word as it was typed.
pub(super) fn value(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Word { value, .. } => Some(value),
        _ => None,
    }
}

fn is_assignment(node: &Node) -> bool {
    let name = value(node).and_then(|value| value.split_once('='));
    name.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// How many substitutions look open at the same time, quoted or not.
fn openings(text: &str) -> usize {
    let mut open = 0_usize;
    let mut most = 0;
    let mut before = ' ';
    for c in text.chars() {
        match (before, c) {
            ('$' | '<' | '>', '(') => open += 1,
            (_, ')') => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
        before = c;
    }
    most
}
