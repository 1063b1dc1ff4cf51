//! Reads the arguments of `git push`.

use super::refspec::Refspec;
use hookbox_sdk::shell::Word;

/// The options of `git push` whose value is the next word.
const LONG: &[&str] = &["--push-option", "--repo", "--receive-pack", "--exec"];

/// A `git push`.
#[derive(Debug, Default)]
pub(super) struct Push<'a> {
    /// The position in the text of the command at which an option can be added.
    pub(super) options_at: Option<usize>,
    /// The words that contain `--force` or `-f`.
    pub(super) force: Vec<&'a Word>,
    /// Whether the push forces with a check of the remote, as `--force-with-lease` does.
    pub(super) lease: bool,
    pub(super) delete: bool,
    pub(super) mirror: bool,
    pub(super) all: bool,
    pub(super) dry_run: bool,
    /// The refspecs that are pushed.
    pub(super) refspecs: Vec<Refspec<'a>>,
}

impl<'a> Push<'a> {
    /// Reads the words after the subcommand.
    pub(super) fn new(subcommand: &Word, arguments: &'a [Word], branches: &[String]) -> Self {
        let mut words = arguments.iter();
        let mut push = Self { options_at: subcommand.span().map(|at| at.end), ..Self::default() };
        let mut operands = Vec::new();
        while let Some(word) = words.next() {
            match word.pattern() {
                "--" => operands.extend(words.by_ref()),
                text if LONG.contains(&text) => drop(words.next()),
                text if text.starts_with("--") => push.long(word, text),
                text if text.starts_with('-') => {
                    if push.cluster(word) {
                        words.next();
                    }
                }
                _ => operands.push(word),
            }
        }
        // The first operand is the remote.
        let refspecs = operands.iter().skip(1);
        push.refspecs = refspecs.map(|word| Refspec::new(word, branches)).collect();
        push
    }

    /// Whether the push forces every refspec, with or without a check of the remote.
    pub(super) fn forces_all(&self) -> bool {
        self.lease || !self.force.is_empty()
    }

    fn long(&mut self, word: &'a Word, text: &str) {
        let is = |name: &str, at_least: &str| text.starts_with(at_least) && name.starts_with(text);
        if text == "--force" {
            self.force.push(word);
        } else if text.starts_with("--force-") {
            self.lease = true;
        } else if is("--delete", "--de") {
            self.delete = true;
        } else if is("--dry-run", "--dr") {
            self.dry_run = true;
        } else if is("--mirror", "--m") {
            self.mirror = true;
        } else if is("--all", "--al") || is("--branches", "--b") {
            self.all = true;
        }
    }

    /// Reads a cluster such as `-fu`. Returns whether the next word is the value of its last option.
    fn cluster(&mut self, word: &'a Word) -> bool {
        let letters = word.pattern().strip_prefix('-').unwrap_or_default();
        // The letters after an `o` are its value, not flags.
        let (flags, value) = match letters.split_once('o') {
            Some((flags, value)) => (flags, Some(value)),
            None => (letters, None),
        };
        if flags.contains('f') {
            self.force.push(word);
        }
        self.delete |= flags.contains('d');
        self.dry_run |= flags.contains('n');
        value == Some("")
    }
}
