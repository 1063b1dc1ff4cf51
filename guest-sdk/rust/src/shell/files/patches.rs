//! The files of a patch that `patch` or `git apply` reads as its input.

use super::{Access, Files, diff};
use crate::shell::command::SimpleCommand;
use crate::shell::marks;
use crate::shell::word::Word;

/// What the options say about the names in a patch.
#[derive(Default)]
struct Options {
    /// How many directories are dropped; `None` if no option says so.
    strip: Option<usize>,
    /// The directories where the names start.
    directories: Vec<Word>,
    is_unread: bool,
}

/// The programs that apply patches.
pub(super) const PROGRAMS: [&str; 6] = ["patch", "git", "git-apply", "git-am", "hg", "svn"];

/// Whether a command applies a patch, under any of its names.
pub(super) fn applies(command: &SimpleCommand) -> bool {
    let name = command.name().map(str::to_ascii_lowercase).unwrap_or_default();
    [name.as_str(), name.strip_prefix('g').unwrap_or_default()].iter().any(|name| applies_as(name, command.arguments()))
}

fn applies_as(program: &str, arguments: &[Word]) -> bool {
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.text()));
    let only_looks = has(&["--dry-run", "--check", "--stat", "--numstat", "--summary"]) && !has(&["--apply"]);
    let applies = match program {
        "patch" | "git-apply" | "git-am" => true,
        "git" => has(&["apply", "am"]),
        "hg" => has(&["import", "patch"]),
        "svn" => has(&["patch"]),
        _ => false,
    };
    applies && !only_looks
}

pub(super) fn read(program: &str, command: &SimpleCommand, files: &mut Files) {
    let arguments = command.arguments();
    if !applies_as(program, arguments) {
        return;
    }
    let options = options(program, arguments);
    if program != "patch" && command.input.is_none() {
        // Whatever the patch changes is in the directory.
        options.directories.iter().for_each(|directory| files.add(directory, Access::Write));
    }
    let inputs = command.input.iter().map(Some).chain(command.patches.iter().map(Option::as_ref));
    let mut is_unread = false;
    for input in inputs {
        is_unread |= !input.is_some_and(|input| one(program, input, &options, arguments, files));
    }
    if is_unread {
        files.add(&Word::unread("the files of the patch"), Access::Write);
    }
}

/// Reads one patch. Returns `false` if not all of it could be read.
fn one(program: &str, input: &Word, options: &Options, arguments: &[Word], files: &mut Files) -> bool {
    let diff::Diff { files: named, unknown } = diff::read(input.text());
    let is_script = arguments.iter().any(|word| matches!(word.text(), "-e" | "--ed"));
    let mut is_unread = unknown.is_some() || options.is_unread || is_script;
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
    !is_unread
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
            let value = if value.is_some() { word.after(&format!("{name}=")) } else { words.next().cloned() };
            options.directories.extend(value);
        } else if is("--strip") {
            options.strip(value.or_else(|| words.next().map(Word::text)).unwrap_or_default());
        } else if program == "patch" && text.starts_with("-d") {
            options.directories.extend(if text == "-d" { words.next().cloned() } else { word.after("-d") });
        } else if let Some((_, digits)) = short.rsplit_once('p') {
            // The `p` may also follow other letters, as in `-Np1`.
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

    /// Returns the paths that a name may mean. Whether directories are dropped is not always known, so there may be
    /// several.
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
