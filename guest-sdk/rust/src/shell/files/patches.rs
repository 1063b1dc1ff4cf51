//! The files of a patch that `patch` or `git apply` reads as its input.

use super::{Access, Files, diff};
use crate::shell::command::SimpleCommand;
use crate::shell::marks;
use crate::shell::word::Word;

/// What the options say about the names in a patch.
#[derive(Default)]
struct Options {
    /// How many directories are dropped. `None` if no option says so.
    strip: Option<usize>,
    /// Where the names start.
    directories: Vec<Word>,
    is_unread: bool,
}

pub(super) fn read(program: &str, command: &SimpleCommand, files: &mut Files) {
    let arguments = command.arguments();
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.text()));
    let only_looks = has(&["--dry-run", "--check", "--stat", "--numstat", "--summary"]) && !has(&["--apply"]);
    let applies = program == "patch" || has(&["apply", "am"]);
    let Some(input) = command.input.as_ref().filter(|_| applies && !only_looks) else {
        return;
    };
    let options = options(program, arguments);
    let diff::Diff { files: named, unknown } = diff::read(input.text());
    let mut is_unread = unknown.is_some() || options.is_unread || has(&["-e", "--ed"]);
    // A script for `ed` names no file, and neither does a form that is not known.
    is_unread |= named.is_empty() && !input.text().trim().is_empty();
    for (name, access) in named {
        if name.contains(marks::is_reserved) {
            is_unread = true;
            continue;
        }
        let access = if access == Access::Read { Access::Read } else { Access::Write };
        for path in options.paths(program, &name) {
            let path = Word::plain(path);
            match options.directories.as_slice() {
                [] => files.add(&path, access),
                directories => directories.iter().for_each(|directory| files.add(&directory.inside(&path), access)),
            }
        }
    }
    if is_unread {
        files.add(&Word::unread("the files of the patch"), Access::Write);
    }
}

fn options(program: &str, arguments: &[Word]) -> Options {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let short = text.strip_prefix('-').filter(|short| !short.starts_with('-')).unwrap_or_default();
        // Options may be abbreviated.
        let is = |full: &str| name.len() > 3 && full.starts_with(name);
        if is("--directory") {
            let value = if value.is_some() { word.behind(&format!("{name}=")) } else { words.next().cloned() };
            options.directories.extend(value);
        } else if is("--strip") {
            options.strip(value.or_else(|| words.next().map(Word::text)).unwrap_or_default());
        } else if program == "patch" && text.starts_with("-d") {
            options.directories.extend(if text == "-d" { words.next().cloned() } else { word.behind("-d") });
        } else if let Some((_, digits)) = short.rsplit_once('p') {
            // Also at the end of other letters, as in `-Np1`.
            options.strip(if digits.is_empty() { words.next().map_or("", Word::text) } else { digits });
        }
    }
    options
}

impl Options {
    fn strip(&mut self, digits: &str) {
        match digits.parse() {
            Ok(strip) => self.strip = Some(strip),
            Err(_) => self.is_unread = true,
        }
    }

    /// The paths that a name may mean. Whether directories are dropped is not always known, so several may count.
    fn paths<'n>(&self, program: &str, name: &'n str) -> Vec<&'n str> {
        let below = |name: &'n str, levels: usize| {
            let at = name.match_indices('/').nth(levels.checked_sub(1)?).map(|(at, _)| at + 1)?;
            name.get(at..).filter(|rest| !rest.is_empty())
        };
        let stripped = below(name, self.strip.unwrap_or(1)).unwrap_or(name);
        let mut paths = vec![stripped];
        let mut add = |path: &'n str| {
            if !paths.contains(&path) {
                paths.push(path);
            }
        };
        if !matches!(name.split_once('/'), Some(("a" | "b", _))) || self.strip == Some(0) {
            add(name);
        }
        if program == "patch" && self.strip.is_none() {
            add(name.rsplit('/').next().unwrap_or(name));
        }
        paths
    }
}
