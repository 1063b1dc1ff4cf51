//! Sorts a command's arguments into options and operands, like getopt.

use super::Word;

/// The arguments of one command.
#[derive(Debug, Default)]
pub struct Arguments<'a> {
    shorts: String,
    longs: Vec<&'a str>,
    /// The arguments that are not options.
    pub operands: Vec<&'a Word>,
}

impl<'a> Arguments<'a> {
    /// Sorts `words`, the arguments without the command word. Each letter in `with_value` is a short option that takes
    /// a value; the value is dropped.
    #[must_use]
    pub fn new(words: &'a [Word], with_value: &str) -> Self {
        let mut sorted = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word.pattern() == "--" {
                sorted.operands.extend(words);
                break;
            }
            match word.pattern().strip_prefix('-') {
                None | Some("") => sorted.operands.push(word),
                Some(rest) => match rest.strip_prefix('-') {
                    Some(long) => sorted.longs.push(long),
                    None if sorted.cluster(rest, with_value) => drop(words.next()),
                    None => {}
                },
            }
        }
        sorted
    }

    /// Adds a cluster such as `rf`. Returns whether the next word is the value of its last option.
    fn cluster(&mut self, letters: &str, with_value: &str) -> bool {
        for (at, letter) in letters.char_indices() {
            self.shorts.push(letter);
            if with_value.contains(letter) {
                return at + letter.len_utf8() == letters.len();
            }
        }
        false
    }

    /// Whether one of the short options `letters` is given.
    #[must_use]
    pub fn has_short(&self, letters: &[char]) -> bool {
        self.shorts.contains(letters)
    }

    /// Whether the long option `name` is given, possibly abbreviated down to `at_least`.
    #[must_use]
    pub fn has_long(&self, name: &str, at_least: &str) -> bool {
        self.longs
            .iter()
            .map(|long| long.split_once('=').map_or(*long, |(name, _)| name))
            .any(|long| long.starts_with(at_least) && name.starts_with(long))
    }

    /// Whether an operand may turn out to be an option when the command runs.
    #[must_use]
    pub fn may_hide_options(&self) -> bool {
        self.operands.iter().any(|word| word.may_be_option())
    }
}
