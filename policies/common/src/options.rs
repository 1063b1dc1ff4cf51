//! The options of a command, parsed by the conventions of POSIX and GNU.

use crate::Word;

/// An option, with its value if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opt {
    /// The option with its dashes: `-r`, `--recursive`, or `-name` for programs whose options have one dash.
    pub name: String,
    /// The value of the option.
    pub value: Option<Word>,
}

/// The arguments of a command, sorted into options and operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The options, in order.
    pub options: Vec<Opt>,
    /// The other arguments, in order.
    pub operands: Vec<Word>,
}

impl Options {
    /// Whether one of these options is given. Abbreviated long options count too, as in GNU programs.
    #[must_use]
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.iter().any(|name| is_for(&option.name, name)))
    }

    /// Returns the value of the last of these options.
    #[must_use]
    pub fn value<'a>(&'a self, names: &'a [&'a str]) -> Option<&'a Word> {
        self.values(names).last()
    }

    /// Returns the values of all of these options.
    pub fn values<'a>(&'a self, names: &'a [&'a str]) -> impl Iterator<Item = &'a Word> {
        let given = self.options.iter().filter(|option| names.iter().any(|name| is_for(&option.name, name)));
        given.filter_map(|option| option.value.as_ref())
    }
}

/// Whether a given option is the option with this full name, or an abbreviation of it.
pub(crate) fn is_for(given: &str, name: &str) -> bool {
    given == name || (given.len() > 3 && given.starts_with("--") && name.starts_with(given))
}

/// Sorts arguments into options and operands. `with_value` names the options that take the next word as their value if
/// none is attached. Short options may be joined, as in `-rf`; after `--`, all words are operands.
#[must_use]
pub fn options(args: &[Word], with_value: &[&str]) -> Options {
    options_but(args, with_value, &[])
}

/// Sorts arguments like [`options`]. `flags` names long options without a value that could be mistaken for an
/// abbreviation of an option with a value: `--head` does not mean `--header`.
#[must_use]
pub fn options_but(args: &[Word], with_value: &[&str], flags: &[&str]) -> Options {
    let mut sorted = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if text == "--" {
            sorted.operands.extend(words.cloned());
            break;
        }
        if text.starts_with("--") {
            let (name, value) = match text.split_once('=') {
                Some((name, _)) => (name, Some(word.after(name.len() + 1))),
                None if with_value.contains(&text)
                    || (!flags.contains(&text) && with_value.iter().any(|option| is_for(text, option))) =>
                {
                    (text, words.next().cloned())
                }
                None => (text, None),
            };
            sorted.options.push(Opt { name: name.to_owned(), value });
        } else if text.len() > 1 && text.starts_with('-') {
            let rest = text.char_indices().skip(1);
            for (at, letter) in rest {
                let name = format!("-{letter}");
                let takes = with_value.contains(&name.as_str());
                let end = at + letter.len_utf8();
                let value = match takes {
                    true if end < text.len() => Some(word.after(end)),
                    true => words.next().cloned(),
                    false => None,
                };
                sorted.options.push(Opt { name, value });
                if takes {
                    break;
                }
            }
        } else {
            sorted.operands.push(word.clone());
        }
    }
    sorted
}

/// Sorts the arguments of a program whose long options have one dash, as is usual for programs in Go: `-plaintext`. Two
/// dashes mean the same, and options cannot be joined.
#[must_use]
pub fn options_with_one_dash(args: &[Word], with_value: &[&str]) -> Options {
    let mut sorted = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if text == "--" {
            sorted.operands.extend(words.cloned());
            break;
        }
        if text.len() < 2 || !text.starts_with('-') {
            sorted.operands.push(word.clone());
            continue;
        }
        let given = text.split('=').next().unwrap_or(text);
        let name = format!("-{}", given.trim_start_matches('-'));
        let value = match with_value.contains(&name.as_str()) {
            _ if given.len() < text.len() => Some(word.after(given.len() + 1)),
            true => words.next().cloned(),
            false => None,
        };
        sorted.options.push(Opt { name, value });
    }
    sorted
}
