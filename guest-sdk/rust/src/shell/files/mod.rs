//! Which words of a command name files, and what the command does with them.

mod archives;
mod downloads;
mod git;
mod modes;
mod special;
mod table;

use super::command::SimpleCommand;
use super::inner::is_own_input;
use super::inner::options::Spec;
use super::word::Word;
pub use crate::Access;
use table::{Operands, Program};

/// A file that a command names.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileUse {
    /// The file.
    pub path: Word,
    /// What the command does with it.
    pub access: Access,
}

/// The files of a command.
pub(super) fn of(command: &SimpleCommand) -> Vec<FileUse> {
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
    let arguments = command.arguments();
    if let Some(name) = command.name()
        && !special::read(name, arguments, &mut files)
        && let Some(program) = table::find(name)
    {
        files.by_table(program, arguments);
    }
    files.all
}

#[derive(Default)]
struct Files {
    all: Vec<FileUse>,
}

impl Files {
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

    /// Adds a path on this machine; `host:path` is on another one.
    fn add_local(&mut self, path: &Word, access: Access) {
        let is_remote = path.text().split_once(':').is_some_and(|(host, _)| !host.contains('/') && !host.is_empty());
        if !is_remote {
            self.add(path, access);
        }
    }

    fn by_table(&mut self, program: &Program, arguments: &[Word]) {
        let spec = Spec { shorts: program.shorts, longs: program.longs, flags: &[] };
        let (options, mut operands) = spec.all(arguments);
        if program.names.iter().any(|name| matches!(*name, "less" | "vim")) {
            // `+10` is a command for it.
            operands.retain(|word| !word.text().starts_with('+'));
        }
        for (name, value) in &options {
            let row = program.options.iter().find(|(option, _)| option == name);
            if let (Some((_, access)), Some(value)) = (row, value) {
                self.add_local(value, *access);
            }
        }
        let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
        match &program.operands {
            Operands::All(access) => self.add_all(&operands, *access),
            Operands::None => {}
            Operands::First(access) => self.add_all(operands.first(), *access),
            Operands::After { skip, unless, access } => {
                let skip = if has(unless) { 0 } else { *skip };
                self.add_all(operands.iter().skip(skip), *access);
            }
            Operands::IntoLast { from, to } => {
                let has_directory = has(&["-t", "--target-directory"]);
                match operands.split_last() {
                    Some((last, sources)) if !has_directory => {
                        sources.iter().for_each(|source| self.add_local(source, *from));
                        // `ln -s target` makes a link of this name here.
                        if !sources.is_empty() || *from == Access::Delete {
                            self.add_local(last, *to);
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
