//! Reads the decision log back.

use super::file::full_files;
use super::line::{Line, SCHEMA};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The maximum length of a line that is read, in bytes. No writer writes longer ones, but a damaged file may have them.
const MAX_LINE: u64 = 1 << 20;

/// A line that is not a valid line of the log.
#[derive(Debug, thiserror::Error)]
#[error("{}: byte {offset}: {message}", file.display())]
#[non_exhaustive]
pub struct BrokenLine {
    /// The file.
    pub file: PathBuf,
    /// The offset of the line's first byte.
    pub offset: u64,
    /// What is wrong with the line.
    pub message: String,
}

/// Reads the lines of a log, oldest first: those of the full files beside this one, then its own. A file that does not
/// exist has no lines.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub fn read(path: &Path) -> io::Result<Lines> {
    let mut files = match full_files(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        files => files?,
    };
    let newest_full = files.last().cloned();
    files.push(path.to_owned());
    files.reverse();
    Ok(Lines { log: path.to_owned(), left: files, newest_full, now: None })
}

/// The lines of a log. After the last one, [`refresh`](Lines::refresh) finds those that were written since.
#[derive(Debug)]
pub struct Lines {
    log: PathBuf,
    /// The files that are not yet read, the next one last.
    left: Vec<PathBuf>,
    /// The newest full file that was found so far. Names of full files sort by time.
    newest_full: Option<PathBuf>,
    now: Option<Reading>,
}

#[derive(Debug)]
struct Reading {
    file: BufReader<File>,
    path: PathBuf,
    offset: u64,
    /// Whether reading has failed. The file then counts as read to its end, because the error would occur again.
    has_failed: bool,
}

impl Lines {
    /// Looks for lines that were written since the last one, including those in files that were started since.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    pub fn refresh(&mut self) -> io::Result<()> {
        let Some(now) = &self.now else {
            self.left = vec![self.log.clone()];
            return Ok(());
        };
        let is_now = |meta: io::Result<Metadata>| {
            let now = now.file.get_ref().metadata();
            matches!((meta, now), (Ok(meta), Ok(now)) if (meta.dev(), meta.ino()) == (now.dev(), now.ino()))
        };
        if is_now(fs::metadata(&self.log)) {
            return Ok(());
        }
        let mut newer = full_files(&self.log)?;
        let newest_full = newer.last().cloned();
        match newer.iter().position(|file| is_now(fs::metadata(file))) {
            Some(place) => drop(newer.drain(..=place)),
            // The file was moved or deleted, but the files before it have been read.
            None => newer.retain(|file| Some(file) > self.newest_full.as_ref()),
        }
        self.newest_full = newest_full.max(self.newest_full.take());
        newer.push(self.log.clone());
        newer.reverse();
        self.left = newer;
        Ok(())
    }
}

impl Iterator for Lines {
    type Item = Result<Line, BrokenLine>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.now.is_none() {
                let path = self.left.pop()?;
                match File::open(&path) {
                    Ok(file) => {
                        self.now = Some(Reading { file: BufReader::new(file), path, offset: 0, has_failed: false })
                    }
                    // The file may have been deleted since the directory was read.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Some(Err(BrokenLine { file: path, offset: 0, message: error.to_string() })),
                }
            }
            match self.now.as_mut().and_then(Reading::line) {
                Some(line) => return Some(line),
                None if self.left.is_empty() => return None,
                None => self.now = None,
            }
        }
    }
}

impl Reading {
    /// Returns the next whole line; `None` if there is no whole line yet.
    fn line(&mut self) -> Option<Result<Line, BrokenLine>> {
        if self.has_failed {
            return None;
        }
        let mut bytes = Vec::new();
        let broken = |offset: u64, message: String| BrokenLine { file: self.path.clone(), offset, message };
        if let Err(error) = self.file.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            let error = broken(self.offset, error.to_string());
            self.has_failed = true;
            return Some(Err(error));
        }
        let start = self.offset;
        if !bytes.ends_with(b"\n") && bytes.len() as u64 == MAX_LINE {
            let rest = self.file.skip_until(b'\n').unwrap_or_default();
            self.offset += MAX_LINE + rest as u64;
            return Some(Err(broken(start, format!("it is longer than {MAX_LINE} bytes"))));
        }
        if !bytes.ends_with(b"\n") {
            // The line is still being written; a later read finds its end.
            let _ = self.file.seek(SeekFrom::Start(start));
            return None;
        }
        self.offset += bytes.len() as u64;
        let line = serde_json::from_slice::<Line>(&bytes).map_err(|error| error.to_string());
        let line = line.and_then(|line| {
            if line.schema > SCHEMA {
                return Err(format!("it has the format {}, of a later hookbox", line.schema));
            }
            Ok(line)
        });
        Some(line.map_err(|message| broken(start, message)))
    }
}
