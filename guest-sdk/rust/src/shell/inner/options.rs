//! Reads the options before an operand, like getopt.

use super::super::marks;
use super::super::word::Word;

/// How to read the options of a program.
#[derive(Debug, Clone, Copy)]
pub(in crate::shell) struct Spec {
    /// The short options that take a value.
    pub(in crate::shell) shorts: &'static str,
    /// The long options that take a value, without dashes.
    pub(in crate::shell) longs: &'static [&'static str],
    /// The other long options.
    pub(in crate::shell) flags: &'static [&'static str],
}

/// The options of a command, and what follows them.
pub(in crate::shell) struct Read<'a> {
    /// The options by name, with their values: `-u`, `--user`.
    pub(in crate::shell) options: Vec<(String, Option<Word>)>,
    pub(in crate::shell) rest: &'a [Word],
    /// Whether an option is unknown, so what follows it may be its value.
    pub(in crate::shell) is_doubtful: bool,
}

impl Read<'_> {
    /// Returns the value of the last of these options.
    pub(in crate::shell) fn value(&self, names: &[&str]) -> Option<&Word> {
        let found = self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
        found.and_then(|(_, value)| value.as_ref())
    }

    pub(in crate::shell) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }
}

impl Spec {
    /// Reads `arguments` up to the first operand.
    pub(in crate::shell) fn read<'a>(&self, arguments: &'a [Word]) -> Read<'a> {
        let mut read = Read { options: Vec::new(), rest: &[], is_doubtful: false };
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            let text = word.text();
            if text == "--" {
                at += 1;
                break;
            }
            let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                break;
            };
            at += 1;
            let takes_next = match letters.strip_prefix('-') {
                Some(long) => self.long(word, long, &mut read),
                None => self.cluster(word, letters, &mut read),
            };
            if takes_next {
                if let Some((_, value)) = read.options.last_mut() {
                    *value = arguments.get(at).cloned();
                }
                at += 1;
            }
        }
        read.rest = arguments.get(at..).unwrap_or_default();
        read
    }

    /// Reads all arguments: options, and operands between and after them.
    pub(in crate::shell) fn all(&self, arguments: &[Word]) -> (Vec<(String, Option<Word>)>, Vec<Word>) {
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        let mut rest = arguments;
        loop {
            let read = self.read(rest);
            let used = rest.len() - read.rest.len();
            let ended = used.checked_sub(1).and_then(|last| rest.get(last)).is_some_and(|word| word.text() == "--");
            options.extend(read.options);
            match read.rest.split_first() {
                Some((operand, after)) if !ended => {
                    operands.push(operand.clone());
                    rest = after;
                }
                _ => {
                    operands.extend(read.rest.iter().cloned());
                    return (options, operands);
                }
            }
        }
    }

    /// Reads `--name`, which may be abbreviated. Returns whether the next word is its value.
    fn long(&self, word: &Word, long: &str, read: &mut Read<'_>) -> bool {
        let (name, value) = match long.split_once('=') {
            Some((name, _)) => (name, word.after(&format!("--{name}="))),
            None => (long, None),
        };
        let all = || self.longs.iter().chain(self.flags).copied();
        let whole = all().find(|known| *known == name).or_else(|| all().find(|known| known.starts_with(name)));
        let is_ambiguous = whole != Some(name) && all().filter(|known| known.starts_with(name)).count() > 1;
        let takes = whole.is_some_and(|whole| self.longs.contains(&whole));
        read.is_doubtful |= value.is_none() && (whole.is_none() || is_ambiguous);
        let takes_next = takes && value.is_none();
        read.options.push((format!("--{}", whole.unwrap_or(name)), value));
        takes_next
    }

    /// Reads a cluster such as `-nu`. Returns whether the next word is the value of its last option.
    fn cluster(&self, word: &Word, letters: &str, read: &mut Read<'_>) -> bool {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            read.is_doubtful |= marks::kind(letter).is_some();
            if !self.shorts.contains(letter) {
                read.options.push((format!("-{letter}"), None));
                continue;
            }
            let value = rest.as_str();
            let before = word.text().strip_suffix(value).unwrap_or_default();
            let word = word.after(before).filter(|_| !value.is_empty());
            let takes_next = word.is_none();
            read.options.push((format!("-{letter}"), word));
            return takes_next;
        }
        false
    }
}
