//! The text of a config file, and locations in it.

use super::problem::{Location, Problem, Severity};
use crate::protocol::{Code, Source, os_words};
use crate::runtime::component::open_nonblocking;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The largest config file, in bytes. Enough for several hundred hooks.
pub const MAX_CONFIG_BYTES: u64 = 256 << 10;

/// The length of a pause for a program that is writing the file, and the maximum number of pauses.
const PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 20;

/// How long a file must have been empty before a long-lived program accepts that it is meant to be empty. On a busy
/// machine, a program that writes a file may not run for a while after emptying it.
const EMPTY: Duration = Duration::from_secs(2);

/// How a config file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadRules {
    /// The largest size of a file, in bytes.
    pub max_bytes: u64,
    /// Whether bytes that are not UTF-8 become U+FFFD. If not, they make the file unreadable.
    pub lossy: bool,
}

impl Default for ReadRules {
    fn default() -> Self {
        ReadRules { max_bytes: MAX_CONFIG_BYTES, lossy: false }
    }
}

impl ReadRules {
    /// Sets the largest size of a file, in bytes.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: u64) -> Self {
        ReadRules { max_bytes, ..self }
    }
}

/// The error for a config file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
#[non_exhaustive]
pub struct Unreadable {
    /// What is wrong.
    pub problem: Box<Problem>,
    /// Whether the file only exceeds hookbox's limit, so that its own system might still use it.
    pub too_large: bool,
}

/// A config file that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigFile {
    /// The path of the file.
    pub path: PathBuf,
    /// Where the config comes from.
    pub source: Source,
    /// The text of the file.
    pub text: String,
    /// Whether the file became empty a moment ago, so that a program may be about to write it.
    pub(super) is_just_emptied: bool,
}

impl ConfigFile {
    /// Creates a config file from its text, without reading the file.
    pub fn new(path: impl Into<PathBuf>, source: Source, text: impl Into<String>) -> Self {
        ConfigFile { path: path.into(), source, text: text.into(), is_just_emptied: false }
    }

    /// Reads a file; returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is larger than the rules allow, or is not UTF-8.
    pub fn read(path: &Path, source: Source, rules: ReadRules) -> Result<Option<Self>, Unreadable> {
        let file = ConfigFile::open(path).map_err(|error| unreadable(path, &error))?;
        file.map(|file| ConfigFile::read_from(file, path, source, rules)).transpose()
    }

    /// Opens a file; returns `None` if it does not exist.
    pub(super) fn open(path: &Path) -> io::Result<Option<File>> {
        match open_nonblocking(path, true) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !leads_nowhere(path) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Reads a file that was opened at this path.
    pub(super) fn read_from(mut file: File, path: &Path, source: Source, rules: ReadRules) -> Result<Self, Unreadable> {
        let failed = |message: String| Unreadable {
            problem: Box::new(Problem::about_file(path, Code::ConfigUnreadable, message)),
            too_large: false,
        };
        let meta = file.metadata().map_err(|error| unreadable(path, &error))?;
        if !meta.is_file() {
            return Err(failed("cannot be read: it is not a file".to_owned()));
        }
        let most = rules.max_bytes;
        let (bytes, meta) = read_at_rest(&mut file, meta, most).map_err(|error| unreadable(path, &error))?;
        if bytes.len() as u64 > most {
            let message = match meta.len() {
                size if size > most => format!("has {size} bytes; the limit is {most}"),
                _ => format!("has more than {most} bytes, which is the limit"),
            };
            return Err(Unreadable { too_large: true, ..failed(message) });
        }
        let is_young = meta.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age < EMPTY));
        let is_just_emptied = bytes.is_empty() && is_young;
        if rules.lossy {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Ok(ConfigFile { is_just_emptied, ..ConfigFile::new(path, source, text) });
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
            let start =
                error.as_bytes().iter().take(at).rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            failed(format!("is not UTF-8 from line {line}, byte {} on", at - start + 1))
        })?;
        Ok(ConfigFile { is_just_emptied, ..ConfigFile::new(path, source, text) })
    }

    /// Returns the directory of the file.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Returns the directory that the file governs: for a project's config, the one that holds `.agents`; otherwise the
    /// file's own.
    pub(super) fn root(&self) -> &Path {
        ConfigFile::root_of(&self.path, &self.source)
    }

    /// Like [`root`](ConfigFile::root), for a file at this path.
    pub(super) fn root_of<'a>(path: &'a Path, source: &Source) -> &'a Path {
        let levels = if *source == Source::PROJECT { 2 } else { 1 };
        path.ancestors().nth(levels).or(path.parent()).unwrap_or(Path::new(""))
    }

    /// Locates a byte range in the file.
    #[must_use]
    pub fn locate(&self, range: &Range<usize>) -> Location {
        let start = self.text.floor_char_boundary(range.start);
        let end = self.text.floor_char_boundary(range.end).max(start);
        let (before, rest) = self.text.split_at(start);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        let chars = |range: Range<usize>| self.text.get(range).map_or(0, |text| text.chars().count());
        Location {
            line: before.matches('\n').count() + 1,
            column: chars(line_start..start) + 1,
            width: chars(start..end.min(line_end)).max(1),
            text: self.text.get(line_start..line_end).unwrap_or_default().trim_end().to_owned(),
        }
    }

    /// Creates an error about a part of the file.
    pub fn problem(
        &self,
        code: Code,
        hook: Option<&str>,
        at: &Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Problem {
        Problem {
            severity: Severity::Error,
            code,
            file: self.path.clone(),
            location: Some(self.locate(at)),
            hook: hook.map(str::to_owned),
            message: message.into(),
            help,
        }
    }
}

/// Returns whether a file is missing because it, or a directory above it, is a dangling link. Such a config was meant
/// to exist.
fn leads_nowhere(path: &Path) -> bool {
    path.ancestors().any(|part| part.is_symlink() && part.metadata().is_err())
}

/// Reads a file, or its first `most` + 1 bytes, while no program is writing it. Many programs empty a file before they
/// write it, and a config without hooks, or one cut off between two hooks, would look complete.
fn read_at_rest(file: &mut File, mut before: Metadata, most: u64) -> io::Result<(Vec<u8>, Metadata)> {
    let mut pauses = PAUSES;
    loop {
        let mut bytes = Vec::with_capacity(usize::try_from(before.len().min(most)).unwrap_or_default() + 1);
        file.rewind()?;
        (&*file).take(most + 1).read_to_end(&mut bytes)?;
        let after = file.metadata()?;
        let was_written =
            (before.len(), before.mtime(), before.mtime_nsec()) != (after.len(), after.mtime(), after.mtime_nsec());
        let was_just_emptied =
            bytes.is_empty() && after.modified()?.elapsed().is_ok_and(|since| since < PAUSE * PAUSES);
        if !(was_written || was_just_emptied) || pauses == 0 {
            return Ok((bytes, after));
        }
        pauses -= 1;
        thread::sleep(PAUSE);
        before = file.metadata()?;
    }
}

/// Creates the error for a config that cannot be opened or read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Unreadable {
    let message = format!("cannot be read: {}", os_words(error));
    Unreadable { problem: Box::new(Problem::about_file(path, Code::ConfigUnreadable, message)), too_large: false }
}
