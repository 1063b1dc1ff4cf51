//! Code that writes to a disk instead of to the files on it: `open('/dev/sda', 'wb')`.

use super::Code;
use super::lexer::Token;
use crate::devices;

/// Calls that write to the file in their first argument, whatever else they get.
#[rustfmt::skip] // Many names to a line.
const WRITERS: [&str; 11] = [
    "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream", "writeTextFile", "writeTextFileSync", "truncate",
    "truncateSync", "file_put_contents", "binwrite",
];

/// Calls that write to the file in their last argument.
const COPIERS: [&str; 7] = ["copy", "copyfile", "copy2", "copyFile", "copyFileSync", "cp", "cpSync"];

/// Calls on an object made from a path that write to its file.
const METHODS: [&str; 2] = ["write_bytes", "write_text"];

/// Calls that open the file in their first argument, besides those with `open` in their name.
const OPENERS: [&str; 4] = ["new", "FileIO", "RandomAccessFile", "memmap"];

/// Flags with which a file is opened for writing.
const FLAGS: [&str; 4] = ["O_WRONLY", "O_RDWR", "WRONLY", "RDWR"];

impl Code {
    /// Returns the disk that a call writes to.
    pub(super) fn overwritten_disk(&self) -> Option<&str> {
        // Most code names no disk.
        let disk = self.tokens.iter().find_map(disk_of)?;
        // The variables that are set to a disk.
        let is_set = |at: &usize| self.is_sign(at + 1, '=') && self.tokens.get(at + 2).is_some_and(is_disk);
        let variables: Vec<&str> = (0..self.tokens.len()).filter(is_set).filter_map(|at| self.name(at)).collect();
        let names_disk = |token: &Token| match token {
            Token::Name(name) => variables.contains(&name.as_str()),
            token => is_disk(token),
        };
        let mut calls = (0..self.tokens.len()).filter(|at| self.name(*at).is_some() && self.is_called(*at));
        calls.any(|at| self.writes(at, names_disk)).then_some(disk)
    }

    /// Whether a call writes to a disk that one of its arguments names.
    fn writes(&self, at: usize, names_disk: impl Fn(&Token) -> bool) -> bool {
        let Some(name) = self.name(at) else { return false };
        let arguments = self.arguments(at);
        let own = own(arguments);
        if !own.iter().any(|token| names_disk(token)) {
            return false;
        }
        let first = own.first().is_some_and(|token| names_disk(token));
        let last = own.last().is_some_and(|token| names_disk(token));
        let is_written = match name {
            // Other files write the text that they get here.
            "write" => first && matches!(self.owner(at), "File" | "IO"),
            name => first && WRITERS.contains(&name) || last && COPIERS.contains(&name),
        };
        let opens = name.to_ascii_lowercase().contains("open") || OPENERS.contains(&name);
        is_written || opens && own.iter().any(|token| is_mode(token)) || self.writes_after(at + 1 + arguments.len())
    }

    /// Whether a call of a method at this index writes: `Path('/dev/sda').write_bytes(…)`.
    fn writes_after(&self, dot: usize) -> bool {
        let Some(name) = self.name(dot + 1).filter(|_| self.is_sign(dot, '.')) else { return false };
        METHODS.contains(&name) || name == "open" && own(self.arguments(dot + 1)).iter().any(|token| is_mode(token))
    }
}

/// Returns the names and texts in a call's arguments that are not in brackets of their own.
fn own(arguments: &[Token]) -> Vec<&Token> {
    let base = usize::from(arguments.first() == Some(&Token::Sign('(')));
    let (mut depth, mut own) = (0_usize, Vec::new());
    for token in arguments {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Name(_) | Token::Text(_) if depth <= base => own.push(token),
            _ => {}
        }
    }
    own
}

fn is_disk(token: &Token) -> bool {
    disk_of(token).is_some()
}

/// Returns the disk that a text names. In Perl, the mode may be a part of it: `'>/dev/sda'`.
fn disk_of(token: &Token) -> Option<&str> {
    let Token::Text(Some(text)) = token else { return None };
    let path = text.trim_start_matches(['+', '<', '>', ' ']);
    devices::disk_in(path).filter(|_| path.starts_with("/dev/"))
}

/// Whether an argument says that a file is opened for writing: `'wb'`, `'r+'`, `'>'`, `os.O_RDWR`.
fn is_mode(token: &Token) -> bool {
    match token {
        Token::Name(name) => FLAGS.contains(&name.as_str()),
        Token::Text(Some(text)) if text.starts_with(['>', '+']) => text.len() < 4 || is_disk(token),
        Token::Text(Some(text)) => {
            text.len() < 5 && text.contains(['w', 'a', 'c', '+']) && text.chars().all(|c| "rwabct+".contains(c))
        }
        _ => false,
    }
}
