//! Matches commands against entries.

use crate::files;
use crate::place::{Leads, Places};
use crate::program::{self, is_program};
use crate::settings::{Entry, Exact, Settings};
use hookbox_policy::{Command, GLOB, UNKNOWN, Word};

/// The reason why an entry does not allow a command. Later variants are closer to a match, and give more detail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Miss {
    /// The entry is for another command.
    Other,
    /// The entry for the program names other subcommands.
    Sub,
    /// This word can be an option or a path that is not listed.
    Unknown(String),
    /// This option is not listed.
    Flag(String),
    /// This argument is a path that is not listed.
    Path(String),
    /// The command changes a file elsewhere.
    Changes(files::Change),
    /// The command reads a file outside its repository.
    Foreign(String),
}

/// A command, where it runs, and its arguments without those of a nested command.
pub(crate) struct Site<'a> {
    pub(crate) command: &'a Command<'a>,
    pub(crate) base: Option<&'a str>,
    pub(crate) args: &'a [Word],
    pub(crate) places: &'a Places<'a>,
    pub(crate) settings: &'a Settings,
}

impl Entry {
    /// Returns `Ok` if the entry allows the command, and otherwise why it does not.
    pub(crate) fn admits(&self, site: &Site<'_>) -> Result<(), Miss> {
        match self {
            Entry::Words(text) => {
                let mut words = text.split_whitespace();
                if !words.next().is_some_and(|program| is_program(program, site)) {
                    return Err(Miss::Other);
                }
                let sub: Vec<&str> = words.collect();
                behind(site, &sub).ok_or(Miss::Sub)?;
                files::foreign(site).map_or(Ok(()), |path| Err(Miss::Foreign(path)))?;
                files::changed(site, None).map_or(Ok(()), |change| Err(Miss::Changes(change)))
            }
            Entry::Exact(exact) => exact.admits(site),
        }
    }
}

impl Exact {
    fn admits(&self, site: &Site<'_>) -> Result<(), Miss> {
        if !is_program(&self.program, site) {
            return Err(Miss::Other);
        }
        let rests: Vec<&[Word]> = if self.sub.is_empty() {
            vec![site.args]
        } else {
            let subs = self.sub.iter().map(|sub| sub.split_whitespace().collect::<Vec<_>>());
            subs.filter_map(|sub| behind(site, &sub)).collect()
        };
        // It is enough that one of the matching subcommands allows the arguments.
        rests.iter().map(|rest| self.takes(rest, site)).min().unwrap_or(Err(Miss::Sub))?;
        if let Some(paths) = &self.paths
            && let Some(path) = files::read_outside(site, paths)
        {
            return Err(Miss::Path(path));
        }
        files::foreign(site).filter(|_| self.paths.is_none()).map_or(Ok(()), |path| Err(Miss::Foreign(path)))?;
        files::changed(site, self.paths.as_deref()).map_or(Ok(()), |change| Err(Miss::Changes(change)))
    }

    /// Returns `Ok` if the entry allows these arguments.
    fn takes(&self, arguments: &[Word], site: &Site<'_>) -> Result<(), Miss> {
        let any_flag = self.flags.iter().any(|flag| flag == "*");
        let mut only_operands = false;
        for word in arguments {
            let text = word.text();
            if text == "--" && !only_operands {
                only_operands = true;
                continue;
            }
            // An unknown part can be several words, including an option.
            let may_be_flag = text.starts_with([UNKNOWN, GLOB]) || word.is_unknown() && !text.starts_with('/');
            let is_free = any_flag || only_operands;
            if may_be_flag && !is_free {
                return Err(Miss::Unknown(word.raw().to_owned()));
            }
            let is_flag = !only_operands && text.len() > 1 && text.starts_with(['-', '+']);
            if is_flag && !any_flag && !self.has_flag(word) {
                return Err(Miss::Flag(text.split('=').next().unwrap_or(text).to_owned()));
            }
            if let Some(paths) = &self.paths {
                let path = if is_flag { value_of(word) } else { Some(word.clone()) };
                let Some(path) = path.filter(|path| !path.text().is_empty() && files::may_be_file(path, site)) else {
                    continue;
                };
                match site.places.leads(&path, site.base, paths) {
                    Leads::Inside => {}
                    Leads::Outside => return Err(Miss::Path(path.text().replace(GLOB, "*"))),
                    Leads::Unknown => return Err(Miss::Unknown(word.raw().to_owned())),
                }
            }
        }
        Ok(())
    }

    /// Whether an option is listed, or each letter of a cluster such as `-la`.
    fn has_flag(&self, word: &Word) -> bool {
        let text = word.text();
        let is_listed = |flag: &str| self.flags.iter().any(|listed| listed == flag);
        let name = text.split('=').next().unwrap_or(text);
        if is_listed(name) || word.known().is_some_and(is_listed) {
            return true;
        }
        match word.known().and_then(|text| text.strip_prefix('-')) {
            Some(letters) if !letters.starts_with('-') => {
                letters.chars().all(|letter| is_listed(&format!("-{letter}")))
            }
            _ => false,
        }
    }
}

/// Returns the value in `--option=value` or `-ovalue`, if it may be a path.
fn value_of(word: &Word) -> Option<Word> {
    let text = word.text();
    if let Some(at) = text.find('=') {
        return Some(word.after(at + 1));
    }
    // For a short option, the value starts at the first slash, dot or tilde: `-C/etc` and `-I../x`.
    let at = text.starts_with('-').then(|| text.find(['/', '.', '~']))??;
    (!text.starts_with("--")).then(|| word.after(at))
}

/// Returns the arguments after these words, if the arguments begin with them.
fn behind<'a>(site: &Site<'a>, words: &[&str]) -> Option<&'a [Word]> {
    if words.is_empty() {
        return Some(site.args);
    }
    let skipped = program::harmless_globals(site);
    [0, skipped].iter().find_map(|skipped| {
        let mut rest = site.args.get(*skipped..)?.iter();
        words.iter().all(|word| rest.next().is_some_and(|argument| argument.known() == Some(word))).then_some(())?;
        Some(rest.as_slice())
    })
}
