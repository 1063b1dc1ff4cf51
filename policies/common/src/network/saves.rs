//! Code that stores what it fetches in a file: `urlretrieve(URL, "x.py")`.

use super::{code, fetched, host, unseen};
use crate::{Command, Word};
use std::collections::BTreeSet;

/// Markers of code that writes a file, in lower case.
#[rustfmt::skip] // Many words to a line.
const WRITES: &[&str] = &[
    // PHP
    "copy(", "file_put_contents", "fwrite", "curlopt_file",
    // Python
    "urlretrieve", "\"w\"", "'w'", "\"wb\"", "'wb'", "\"w+", "'w+", "\"x\"", "'x'", "\"xb\"", "'xb'", "\"a\"", "'a'", "\"ab\"", "'ab'",
    "write_bytes", "write_text", "copyfileobj", "wget.download",
    // JavaScript
    "writefile", "createwritestream", "appendfile", "writetextfile", "bun.write",
    // Ruby, Perl and Lua
    "file.write", "binwrite", "copy_stream", "getstore", "mirror", "'>", "\">", "io.output",
    // R, Julia, Elixir, Groovy, Lisp and Tcl
    "download", "writelines", "writelns", "newoutputstream", "spit", "-channel", "url-copy-file", "write-region", "write-file",
    // PowerShell
    "-outfile", "-o ", "writealltext", "writeallbytes", "out-file", "set-content",
];

/// Whether a command is an interpreter with code that may store something in a file, or whose output goes there.
pub(super) fn may_store(command: &Command) -> bool {
    let writes = |text: &Word| {
        let lower = text.text().to_lowercase();
        WRITES.iter().any(|name| lower.contains(name))
    };
    code::is_interpreter(command.name)
        && (texts(command).iter().any(writes) || fetched::written(command).next().is_some())
}

/// Returns the names of the files in which the code of a command may store what it fetches. Every text in quotes may be
/// the name, and so may the last part of an address.
pub(super) fn files(index: usize, commands: &[Command]) -> Vec<Word> {
    let Some(command) = commands.get(index).filter(|command| may_store(command)) else {
        return Vec::new();
    };
    // Reading all of what the command reaches would make each policy as large as `network-egress`.
    let fetches = |text: &Word| {
        let urls = code::urls(text.text());
        code::requests(text.text()) && (urls.is_empty() || urls.iter().any(|url| unseen::is_remote(&host::target(url))))
    };
    if !texts(command).iter().any(fetches) {
        return Vec::new();
    }
    let mut names: BTreeSet<String> = fetched::written(command).collect();
    for text in texts(command) {
        let literals = text.text().split(['"', '\'', '`']).skip(1).step_by(2);
        names.extend(literals.filter(|name| is_name(name)).map(str::to_owned));
        let urls = code::urls(text.text());
        let bases = urls.iter().filter_map(|url| url.split(['?', '#']).next()?.rsplit('/').next());
        names.extend(bases.filter(|name| is_name(name)).map(str::to_owned));
    }
    names.iter().map(|name| Word::new(name)).collect()
}

/// Returns the arguments and the standard input of a command, which may contain its code.
fn texts(command: &Command) -> Vec<Word> {
    command.args().iter().cloned().chain(command.facts.stdin.as_ref().map(Word::from)).collect()
}

/// Whether a text may be the name of a file that is run.
fn is_name(text: &str) -> bool {
    text.len() > 2 && !text.contains("://") && !text.contains(char::is_whitespace)
}
