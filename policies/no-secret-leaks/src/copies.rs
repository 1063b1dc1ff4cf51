//! Copies of files, by the names under which other commands find them.

use crate::files::marked;
use crate::quiet::encodes_into_file;
use crate::reads::COPIERS;
use crate::stores::is;
use hookbox_policy::{Command, GLOB, UNKNOWN, Word};

/// Programs that replace a file with a compressed one, and the end of its name.
const COMPRESSORS: &[(&str, &str)] =
    &[("gzip", ".gz"), ("pigz", ".gz"), ("bzip2", ".bz2"), ("xz", ".xz"), ("zstd", ".zst"), ("lzma", ".lzma")];

/// Whether a command copies files on this machine, without showing them.
pub(crate) fn is_copier(command: &Command) -> bool {
    COPIERS.contains(&command.name) || encodes_into_file(command)
}

/// Returns the path of a file that a command names, so that `./a` and `a` are the same. `here` is the directory in which
/// the tool runs. A path that is unknown, or not below a known directory, is returned as it is written.
pub(crate) fn place(command: &Command, file: &str, here: &str) -> String {
    if file.contains([GLOB, UNKNOWN, '$', '`']) {
        return file.to_owned();
    }
    let cwd = command.facts.cwd.as_ref().map(Word::from);
    let directory = cwd.as_ref().map_or(here, Word::raw);
    let mut names: Vec<&str> = Vec::new();
    let above = if file.starts_with('/') { "" } else { directory };
    for name in above.split('/').chain(file.split('/')) {
        let is_up = name == ".." && names.last().is_some_and(|last| *last != ".." && !last.contains('$'));
        if is_up {
            names.pop();
        } else if !matches!(name, "" | ".") {
            names.push(name);
        }
    }
    let root = if file.starts_with('/') || directory.starts_with('/') { "/" } else { "" };
    format!("{root}{}", names.join("/"))
}

/// Whether a path, which may be a pattern, matches this copy. A wildcard matches neither a slash nor the dot of a
/// hidden file.
pub(crate) fn fits(path: &str, copy: &str) -> bool {
    if path == copy {
        return true;
    }
    let pattern = marked(path).replace(GLOB, "*");
    let is_hidden = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    pattern.contains('*')
        && pattern.matches('/').count() == copy.matches('/').count()
        && is_hidden(&pattern) == is_hidden(copy)
        && is(&pattern, copy)
}

/// Returns the files that a command compresses in place, each with the end of the name of its compressed copy.
pub(crate) fn compressed<'c>(command: &'c Command) -> impl Iterator<Item = (Word, &'static str)> + use<'c> {
    let end = COMPRESSORS.iter().find(|(name, _)| *name == command.name).map(|(_, end)| *end);
    let files = command.facts.files.iter().filter(|file| file.access.changes());
    files.filter_map(move |file| Some((Word::from(&file.path), end?)))
}
