//! Whether a command is the one that an entry describes.

use crate::path;
use crate::settings::{Entry, Exact};
use hookbox_sdk::shell::{SimpleCommand, Word};

/// The directories that a program may be named with.
const DIRECTORIES: [&str; 5] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"];

impl Entry {
    /// Whether the entry lets a command pass in the working directory `pwd`.
    pub(crate) fn matches(&self, command: &SimpleCommand, pwd: &str) -> bool {
        match self {
            Entry::Words(text) => {
                let mut words = text.split_whitespace();
                let program = words.next().filter(|program| is_program(command, program));
                program.is_some() && after(command.arguments(), words).is_some()
            }
            Entry::Exact(exact) => exact.matches(command, pwd),
        }
    }
}

impl Exact {
    fn matches(&self, command: &SimpleCommand, pwd: &str) -> bool {
        if !is_program(command, &self.program) {
            return false;
        }
        if self.sub.is_empty() {
            return self.takes(command.arguments(), pwd);
        }
        let rests = self.sub.iter().filter_map(|sub| after(command.arguments(), sub.split_whitespace()));
        rests.into_iter().any(|rest| self.takes(rest, pwd))
    }

    /// Whether these arguments are allowed.
    fn takes(&self, arguments: &[Word], pwd: &str) -> bool {
        let any_flag = self.flags.iter().any(|flag| flag == "*");
        let mut only_operands = false;
        for word in arguments {
            let Some(text) = word.known() else {
                // An unknown word can be several words, including an option, and any path.
                let may_be_option = word.is_unknown() || word.may_be_option();
                let is_free = self.paths.is_none() && (any_flag || only_operands || !may_be_option);
                if is_free { continue } else { return false }
            };
            let is_flag = !only_operands && text.len() > 1 && text.starts_with('-');
            let is_fine = match text {
                "--" if !only_operands => {
                    only_operands = true;
                    true
                }
                _ if is_flag => (any_flag || self.has_flag(text)) && self.leads_in(flag_value(text), pwd),
                _ => self.leads_in(text, pwd),
            };
            if !is_fine {
                return false;
            }
        }
        true
    }

    /// Whether an option is listed, or each letter of a cluster such as `-la`.
    fn has_flag(&self, text: &str) -> bool {
        let is_listed = |flag: &str| self.flags.iter().any(|listed| listed == flag);
        let name = text.split('=').next().unwrap_or(text);
        if is_listed(text) || is_listed(name) {
            return true;
        }
        match text.strip_prefix('-') {
            Some(letters) if !letters.starts_with('-') => {
                letters.chars().all(|letter| is_listed(&format!("-{letter}")))
            }
            _ => false,
        }
    }

    fn leads_in(&self, argument: &str, pwd: &str) -> bool {
        self.paths.as_ref().is_none_or(|paths| argument.is_empty() || path::is_in(argument, paths, pwd))
    }
}

/// Returns the value in `--option=value`, which may be a path.
fn flag_value(text: &str) -> &str {
    text.split_once('=').map_or("", |(_, value)| value)
}

/// Whether the command word is this program, by its name or with the path of one of the system's directories. If the
/// entry has a path, the command must have the same one.
fn is_program(command: &SimpleCommand, program: &str) -> bool {
    let Some(word) = command.words.first().and_then(Word::known) else {
        return false;
    };
    word == program || DIRECTORIES.iter().any(|directory| word.strip_prefix(directory) == Some(program))
}

/// Returns the arguments after these words, if they begin with these words.
fn after<'a, 'w>(arguments: &'a [Word], words: impl Iterator<Item = &'w str>) -> Option<&'a [Word]> {
    let mut rest = arguments.iter();
    for word in words {
        rest.next().filter(|argument| argument.known() == Some(word))?;
    }
    Some(rest.as_slice())
}

/// Returns the entry that would let a command pass, for the person who keeps the list.
pub(crate) fn entry_for(command: &SimpleCommand) -> Option<String> {
    let program = command.words.first()?.known()?;
    let is_sub = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !word.starts_with('-');
    let sub = command.arguments().first().and_then(Word::known).filter(is_sub);
    Some(match sub {
        Some(sub) if !sub.is_empty() => format!("{program} {sub}"),
        _ => program.to_owned(),
    })
}
