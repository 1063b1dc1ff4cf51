//! Reads the decision log back.

use super::file::full_files;
use super::line::Line;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

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
    files.push(path.to_owned());
    files.reverse();
    Ok(Lines { log: path.to_owned(), left: files, now: None })
}

/// The lines of a log. After the last one, [`refresh`](Lines::refresh) finds those that were written since.
#[derive(Debug)]
pub struct Lines {
    log: PathBuf,
    /// The files that are not yet read, the next one last.
    left: Vec<PathBuf>,
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
        if let Some(place) = newer.iter().position(|file| is_now(fs::metadata(file))) {
            newer.drain(..=place);
        }
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
        if let Err(error) = self.file.read_until(b'\n', &mut bytes) {
            let error = broken(self.offset, error.to_string());
            self.has_failed = true;
            return Some(Err(error));
        }
        let start = self.offset;
        if !bytes.ends_with(b"\n") {
            // The line is still being written; a later read finds its end.
            let _ = self.file.seek(SeekFrom::Start(start));
            return None;
        }
        self.offset += bytes.len() as u64;
        let line = serde_json::from_slice(&bytes);
        Some(line.map_err(|error| broken(start, error.to_string())))
    }
}
