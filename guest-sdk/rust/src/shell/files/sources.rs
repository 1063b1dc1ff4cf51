//! Where the commands of a text get their patches from, if another command of the same text produces them.

use super::{Access, of, patches};
use crate::shell::command::SimpleCommand;
use crate::shell::word::{Part, Word};
use std::rc::Rc;

/// The most commands of one text whose patches are looked for: each is compared with all others.
const MAX_PATCHERS: usize = 64;

/// Programs whose output is a file, or a diff of what is in the repository already.
const PRINTERS: [&str; 11] =
    ["bzcat", "bzip2", "cat", "git", "gunzip", "gzcat", "gzip", "xz", "xzcat", "zcat", "zstdcat"];

/// Programs that move a file away, perhaps after it was applied.
const MOVERS: [&str; 5] = ["cp", "install", "ln", "mv", "rsync"];

/// Programs whose words name the file that they store their input or download in.
const DOWNLOADERS: [&str; 4] = ["aria2c", "curl", "tee", "wget"];

/// Finds, for each command that applies a patch, which of the other commands write it, and stores the text of the
/// patch, or `None` if it is not known.
pub(in crate::shell) fn find(commands: &mut [SimpleCommand]) {
    let patchers = commands.iter().enumerate().filter(|(_, command)| patches::applies(command));
    let patchers: Vec<usize> = patchers.map(|(at, _)| at).collect();
    if patchers.is_empty() {
        return;
    }
    let files: Vec<Vec<(Word, Access)>> = commands
        .iter()
        .map(|command| of(command).all.into_iter().map(|file| (file.path, file.access)).collect())
        .collect();
    let mut found = Vec::new();
    for (count, at) in patchers.into_iter().enumerate() {
        let sources = if count < MAX_PATCHERS { sources(at, commands, &files) } else { vec![None] };
        found.push((at, sources));
    }
    for (at, sources) in found {
        if let Some(command) = commands.get_mut(at) {
            command.patches = sources;
        }
    }
}

fn sources(at: usize, commands: &[SimpleCommand], files: &[Vec<(Word, Access)>]) -> Vec<Option<Rc<Word>>> {
    let Some(command) = commands.get(at) else { return Vec::new() };
    let operands = operands(command);
    let streams = command.redirects.iter().filter(|redirect| redirect.fd > 0 && !redirect.writes());
    let is_made = operands.iter().chain(streams.map(|redirect| &redirect.target)).any(is_stream);
    let mut sources = Vec::new();
    if is_made {
        sources.push(None);
    }
    for (other, (writer, named)) in commands.iter().zip(files).enumerate() {
        let is_later_move = other > at && is_one_of(writer, &MOVERS);
        let writes = || {
            let written = named.iter().filter(|(_, access)| matches!(access, Access::Write | Access::Create));
            written.into_iter().any(|(file, _)| operands.iter().any(|operand| may_be(operand, file, writer)))
        };
        if other == at || is_later_move || !writes() {
            continue;
        }
        match content(writer, named, commands, files) {
            Content::OnDisk => {}
            Content::Text(text) => sources.push(Some(text)),
            Content::Unknown => sources.push(None),
        }
    }
    sources
}

/// Returns the words that may be the file of a patch.
fn operands(command: &SimpleCommand) -> Vec<Word> {
    // A patch on the standard input is known as such, unless it comes from a file.
    let reads = command.redirects.iter().filter(|redirect| !redirect.writes() && !is_stream(&redirect.target));
    let reads = reads.map(|redirect| redirect.target.clone());
    let words = command.arguments().iter().map(|word| {
        // `-ip.diff`, `--input=p.diff`
        let after = word.text().split_once('=').and_then(|(option, _)| word.after(&format!("{option}=")));
        after.or_else(|| word.after("-i")).unwrap_or_else(|| word.clone())
    });
    words.chain(reads).filter(|word| !word.text().starts_with('-') && !word.text().is_empty()).collect()
}

/// Whether a word is a process substitution, perhaps by way of a variable.
fn is_stream(word: &Word) -> bool {
    let is_typed = |part: &Part| matches!(part, Part::Unknown(typed) if typed.starts_with("<("));
    word.is_process_substitution() || word.parts().iter().any(is_typed)
}

/// Whether an operand may be a file that another command writes. Directories do not count, because both may be spelled
/// in many ways.
fn may_be(operand: &Word, file: &Word, writer: &SimpleCommand) -> bool {
    let last = |word: &Word| word.last_name().map(|name| name.text().to_owned());
    if operand.text() == file.text() || last(operand).is_some_and(|name| Some(name) == last(file)) {
        return true;
    }
    let is_output = || {
        let into = |redirect: &crate::shell::Redirect| redirect.writes() && redirect.target.text() == file.text();
        writer.redirects.iter().any(into) || is_one_of(writer, &DOWNLOADERS)
    };
    operand.is_open() && (file.is_open() || is_output())
}

/// The content that a command writes.
enum Content {
    /// What was in a file or in the repository before.
    OnDisk,
    Text(Rc<Word>),
    Unknown,
}

fn content(
    writer: &SimpleCommand,
    named: &[(Word, Access)],
    commands: &[SimpleCommand],
    files: &[Vec<(Word, Access)>],
) -> Content {
    let mut reads = named.iter().filter(|(_, access)| *access == Access::Read).peekable();
    if let Some(text) = writer.input.as_ref().filter(|_| is_one_of(writer, &["cat", "tee"]) && reads.peek().is_none()) {
        return Content::Text(Rc::clone(text));
    }
    let is_written = |read: &Word| {
        commands.iter().zip(files).any(|(other, named)| {
            let mut written = named.iter().filter(|(_, access)| matches!(access, Access::Write | Access::Create));
            !std::ptr::eq(other, writer) && written.any(|(file, _)| may_be(read, file, other))
        })
    };
    let reads_only_files = writer.reads_from.is_empty() && !writer.arguments().iter().any(is_stream);
    if is_one_of(writer, &PRINTERS) && reads_only_files && !reads.any(|(read, _)| is_written(read)) {
        return Content::OnDisk;
    }
    Content::Unknown
}

fn is_one_of(command: &SimpleCommand, names: &[&str]) -> bool {
    command.name().is_some_and(|name| names.contains(&name))
}
