//! Reads the arguments of `git push`.

use crate::shell::Word;

/// The options of git itself whose value is the next word.
const GLOBAL: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--super-prefix",
    "--config-env",
];

/// The options of `git push` whose value is the next word.
const LONG: &[&str] = &["--push-option", "--repo", "--receive-pack", "--exec"];

/// A `git push`.
#[derive(Debug)]
pub(super) struct Push<'a> {
    /// The word `push`.
    pub(super) word: &'a Word,
    /// The words that hold `--force` or `-f`.
    pub(super) force: Vec<&'a Word>,
    pub(super) lease: bool,
    pub(super) delete: bool,
    pub(super) mirror: bool,
    pub(super) all: bool,
    pub(super) dry_run: bool,
    operands: Vec<&'a Word>,
}

impl<'a> Push<'a> {
    /// Reads the arguments of git, or returns `None` for another subcommand.
    pub(super) fn new(arguments: &'a [Word]) -> Option<Self> {
        let mut words = arguments.iter();
        let word = loop {
            let word = words.next()?;
            if GLOBAL.contains(&word.text.as_str()) {
                words.next();
            } else if !word.text.starts_with('-') {
                break word;
            }
        };
        if word.text != "push" {
            return None;
        }
        let mut push = Self {
            word,
            force: Vec::new(),
            lease: false,
            delete: false,
            mirror: false,
            all: false,
            dry_run: false,
            operands: Vec::new(),
        };
        while let Some(word) = words.next() {
            match word.text.as_str() {
                "--" => push.operands.extend(words.by_ref()),
                text if LONG.contains(&text) => drop(words.next()),
                text if text.starts_with("--") => push.long(word, text),
                text if text.starts_with('-') => {
                    if push.cluster(word) {
                        words.next();
                    }
                }
                _ => push.operands.push(word),
            }
        }
        Some(push)
    }

    /// Whether the push overwrites without looking first.
    pub(super) fn forces(&self) -> bool {
        !self.force.is_empty()
    }

    /// What is pushed. The first operand is the remote.
    pub(super) fn refspecs(&self) -> impl Iterator<Item = &'a Word> {
        self.operands.iter().skip(1).copied()
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

    /// Reads a cluster such as `-fu`. Returns whether the next word is the
    /// value of its last option.
    fn cluster(&mut self, word: &'a Word) -> bool {
        let letters = word.text.strip_prefix('-').unwrap_or_default();
        let flags = letters.split('o').next().unwrap_or_default();
        if flags.contains('f') {
            self.force.push(word);
        }
        for (at, letter) in letters.char_indices() {
            match letter {
                'd' => self.delete = true,
                'n' => self.dry_run = true,
                'o' => return at + 1 == letters.len(),
                _ => {}
            }
        }
        false
    }
}
