//! Which words of a command name files, and what the command does with them.

mod archives;
mod diff;
mod downloads;
mod git;
mod modes;
mod patches;
mod sources;
mod special;
mod sqlite;
mod table;
mod tools;
mod vim;
mod wordy;

use super::command::{SimpleCommand, Stdin};
use super::inner::is_own_input;
use super::inner::options::Spec;
use super::word::Word;
pub use crate::Access;
pub(super) use sources::find as find_patches;
use table::{Operands, Program};

/// A file that a command names.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileUse {
    /// The file.
    pub path: Word,
    /// What the command does with the file.
    pub access: Access,
}

/// What is known about the files of a command.
#[derive(Default)]
pub(super) struct Files {
    pub(super) all: Vec<FileUse>,
    /// Whether the program's options and operands are known.
    pub(super) is_known: bool,
}

/// Returns the files of a command.
pub(super) fn of(command: &SimpleCommand) -> Files {
    let mut files = Files::default();
    for redirect in &command.redirects {
        if redirect.target.is_process_substitution() {
            continue;
        }
        if redirect.operator == "<>" {
            files.add(&redirect.target, Access::Read);
        }
        files.add(&redirect.target, if redirect.writes() { Access::Write } else { Access::Read });
    }
    if let Some(name) = command.name() {
        // macOS ignores the case of program names.
        let is_found = files.by_name(name, command)
            || name.contains(|c: char| c.is_ascii_uppercase()) && files.by_name(&name.to_ascii_lowercase(), command);
        // GNU programs have the prefix `g` on systems with their own versions.
        if let Some(name) = name.strip_prefix('g').filter(|_| !is_found) {
            files.by_name(name, command);
        }
    }
    files
}

/// How many sources of a copy are mapped to their destinations.
const MAX_SOURCES: usize = 64;

/// Whether a path is on another machine, with the prefix `host:`.
fn is_remote(path: &Word) -> bool {
    path.text().split_once(':').is_some_and(|(host, _)| !host.contains('/') && !host.is_empty())
}

/// Whether a word is written as a directory.
fn is_directory(path: &Word) -> bool {
    let text = path.text();
    matches!(text, "." | "..") || text.ends_with('/') || text.ends_with("/.") || text.ends_with("/..")
}

impl Files {
    /// Adds what a program of this name does with the arguments of a command. Returns `false` if the program is not
    /// known.
    fn by_name(&mut self, name: &str, command: &SimpleCommand) -> bool {
        let arguments = command.arguments();
        if patches::PROGRAMS.contains(&name) {
            patches::read(name, command, self);
        }
        if let Some(input) = command.input.as_ref().filter(|_| vim::EDITORS.contains(&name)) {
            vim::typed(input.text(), self);
        }
        if matches!(name, "sqlite3" | "sqlite") {
            let texts = arguments.iter().chain(command.input.as_deref());
            texts.for_each(|text| sqlite::read(text.text(), self));
        }
        let is_redirected = command.redirects.iter().any(|redirect| !redirect.writes() || redirect.fd == 0);
        let is_typed = is_redirected || !matches!(command.stdin, Stdin::Inherited);
        if special::read(name, arguments, is_typed, self) {
            self.is_known = true;
            return true;
        }
        if tools::read(name, arguments, self) {
            self.is_known = tools::knows_inputs(name);
            return true;
        }
        let program = table::find(name);
        program.iter().for_each(|program| self.by_table(program, arguments));
        self.is_known = program.is_some() || wordy::is_wordy(name);
        program.is_some()
    }

    fn add(&mut self, path: &Word, access: Access) {
        // `-` is the standard input or output.
        let is_stream = is_own_input(path.text()) || path.text().is_empty() || path.is_process_substitution();
        if !is_stream {
            self.all.push(FileUse { path: path.clone(), access });
        }
    }

    fn add_all<'w>(&mut self, paths: impl IntoIterator<Item = &'w Word>, access: Access) {
        for path in paths {
            self.add(path, access);
        }
    }

    /// Adds the files that sources become in their destination directory. With `contents`, a source with a trailing
    /// slash means its content.
    fn add_into(&mut self, directory: &Word, sources: &[Word], access: Access, contents: bool) {
        let is_here = !is_remote(directory);
        // If there are very many sources, each would use up two of the examined paths.
        for source in sources.iter().filter(|_| is_here && sources.len() <= MAX_SOURCES) {
            let source = match source.text().split_once(':') {
                Some((before, _)) if is_remote(source) => source.after(&format!("{before}:")),
                _ => Some(source.clone()),
            };
            let source = source.filter(|source| !(contents && source.text().ends_with('/')));
            if let Some(name) = source.and_then(|source| source.last_name()) {
                self.add(&directory.inside(&name), access);
            }
        }
    }

    /// Adds a path on this machine; `host:path` is on another one.
    fn add_local(&mut self, path: &Word, access: Access) {
        if !is_remote(path) {
            self.add(path, access);
        }
    }

    fn by_table(&mut self, program: &Program, arguments: &[Word]) {
        let spec = Spec { shorts: program.shorts, longs: program.longs, flags: table::FLAGS };
        let (options, mut operands) = match program.operands {
            // What follows is the command of another program.
            Operands::Command => (spec.read(arguments).options, Vec::new()),
            _ => spec.all(arguments),
        };
        if program.names.iter().any(|name| matches!(*name, "less")) {
            // `+10` is a command for the program.
            operands.retain(|word| !word.text().starts_with('+'));
        }
        if program.names.contains(&"ffmpeg") {
            // Options take the nodes of graphics cards as their values.
            operands.retain(|word| !word.text().starts_with("/dev/dri/") || word.text().contains(".."));
        }
        for (name, value) in &options {
            let row = program.options.iter().find(|(option, _)| option == name);
            if let (Some((_, access)), Some(value)) = (row, value) {
                self.add_local(value, *access);
            }
        }
        let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
        let is_one_of = |name: &str| program.names.contains(&name);
        // `convert a.png -write b.png c.png` writes two files.
        if is_one_of("convert") {
            let written = arguments.windows(2).filter(|pair| pair.first().is_some_and(|word| word.text() == "-write"));
            self.add_all(written.filter_map(|pair| pair.get(1)), Access::Write);
        }
        let operation = match &program.operands {
            Operands::IntoLast { to, .. } if is_one_of("rsync") && has(&["--remove-source-files"]) => {
                &Operands::IntoLast { from: Access::Delete, to: *to }
            }
            Operands::IntoLast { from, .. } if is_one_of("rsync") && has(&["-n", "--dry-run"]) => {
                &Operands::IntoLast { from: *from, to: Access::List }
            }
            // With `--dry-run` or an explicit output, `patch` does not change the file.
            Operands::First(_) if is_one_of("patch") && has(&["--dry-run", "-o", "--output"]) => {
                &Operands::First(Access::Read)
            }
            operands => operands,
        };
        match operation {
            Operands::All(access) => self.add_all(&operands, *access),
            Operands::None | Operands::Command => {}
            Operands::First(access) => self.add_all(operands.first(), *access),
            Operands::After { skip, unless, access } => {
                let skip = if has(unless) { 0 } else { *skip };
                self.add_all(operands.iter().skip(skip), *access);
            }
            Operands::IntoLast { from, to } => {
                let has_directory = has(&["-t", "--target-directory"]);
                let contents = program.names.contains(&"rsync");
                for (name, value) in &options {
                    if let Some(directory) =
                        value.as_ref().filter(|_| matches!(name.as_str(), "-t" | "--target-directory"))
                    {
                        self.add_into(directory, &operands, *to, contents);
                    }
                }
                match operands.split_last() {
                    Some((last, sources)) if !has_directory => {
                        sources.iter().for_each(|source| self.add_local(source, *from));
                        // `ln -s target` creates a link of this name here.
                        if !sources.is_empty() || *from == Access::Delete {
                            self.add_local(last, *to);
                            if is_directory(last) || sources.len() > 1 {
                                self.add_into(last, sources, *to, contents);
                            }
                        } else {
                            self.add_local(last, *from);
                        }
                    }
                    _ => operands.iter().for_each(|source| self.add_local(source, *from)),
                }
            }
        }
    }
}
