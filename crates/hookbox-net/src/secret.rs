//! The secrets that the host adds to requests. They are read once and never shown.

use crate::refusal::Quoted;
use http::HeaderValue;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The maximum length of a secret, in bytes. All headers of a request together must not exceed 32 KiB.
const MAX: u64 = 8 << 10;

/// The mode bits of the group and of all other users.
const OTHERS: u32 = 0o077;

/// The source of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretSource {
    /// `env:NAME`: an environment variable of the host.
    Env(String),
    /// `file:PATH`: a regular file that belongs to the user, with mode 0600 or stricter.
    File(PathBuf),
}

/// The error for a secret's source that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The text begins with neither `env:` nor `file:`. It is not shown, since it may itself be a secret.
    #[error("write `env:NAME` or `file:PATH`; a secret does not belong into the config itself")]
    Kind,
    /// The name of the variable is empty, or has an invalid character.
    #[error("`env:` is not followed by the name of a variable")]
    Name,
    /// The path is empty or contains a NUL byte.
    #[error("`file:` is not followed by a path")]
    Path,
}

impl SecretSource {
    /// Reads `env:NAME` or `file:PATH`.
    ///
    /// # Errors
    /// Returns an error if the text is neither.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        if let Some(name) = text.strip_prefix("env:") {
            let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let valid = plain && !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit());
            return if valid { Ok(SecretSource::Env(name.to_owned())) } else { Err(SourceError::Name) };
        }
        match text.strip_prefix("file:") {
            Some(path) if path.is_empty() || path.contains('\0') => Err(SourceError::Path),
            Some(path) => Ok(SecretSource::File(path.into())),
            None => Err(SourceError::Kind),
        }
    }
}

impl fmt::Display for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretSource::Env(name) => write!(f, "env:{name}"),
            SecretSource::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

/// The environment and the directory from which rules are loaded. The library itself does not read the environment.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Returns the value of an environment variable.
    pub variables: &'a dyn Fn(&str) -> Option<OsString>,
    /// The directory of the config file, which is the base of relative paths.
    pub dir: &'a Path,
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// A secret that is valid in a header. Neither its `Debug` form nor an error shows its value.
#[derive(Clone)]
pub struct Secret {
    value: String,
    origin: Quoted,
}

impl Secret {
    /// Reads a secret.
    ///
    /// # Errors
    /// Returns an error if the variable is not set; if the file cannot be read, is not a regular file, belongs to
    /// another user or is open to others; or if the value is empty, is longer than 8 KiB, or has characters other than
    /// visible ASCII and inner spaces.
    pub fn load(source: &SecretSource, from: Surroundings<'_>) -> Result<Self, SecretError> {
        let value = match source {
            SecretSource::Env(name) => (from.variables)(name).ok_or(SecretProblem::Unset).map(OsString::into_vec),
            SecretSource::File(path) => read(&from.dir.join(path)).map(without_newline),
        };
        let origin = Quoted::longer(&source.to_string());
        match value.and_then(check) {
            Ok(value) => Ok(Secret { value, origin }),
            Err(problem) => Err(SecretError { origin, problem }),
        }
    }

    /// Returns a header value that ends with the secret and is marked as sensitive.
    ///
    /// # Errors
    /// Returns an error if the prefix is not valid in a header.
    pub fn header(&self, prefix: &str) -> Result<HeaderValue, SecretError> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.value))
            .map_err(|_| SecretError { origin: self.origin.clone(), problem: SecretProblem::Characters })?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// The error for a secret that cannot be used. Its text does not contain the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret `{origin}` {problem}")]
pub struct SecretError {
    origin: Quoted,
    problem: SecretProblem,
}

impl SecretError {
    /// Returns what is wrong with the secret.
    #[must_use]
    pub const fn problem(&self) -> &SecretProblem {
        &self.problem
    }
}

/// What is wrong with a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretProblem {
    /// The variable is not set.
    #[error("is not set")]
    Unset,
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::ErrorKind),
    /// The file is a symlink.
    #[error("is a symlink: name the file itself")]
    Symlink,
    /// The file is a directory, a pipe or something else.
    #[error("is not a regular file")]
    NotAFile,
    /// The file belongs to another user.
    #[error("belongs to another user")]
    Foreign,
    /// The file's mode lets others read or change it.
    #[error("is open to others (mode {0:o}): run `chmod 600` on it")]
    Open(u32),
    /// The value is empty.
    #[error("is empty")]
    Empty,
    /// The value is too long.
    #[error("is longer than 8192 bytes")]
    TooLong,
    /// The value is not valid in a header.
    #[error("has characters that cannot stand in a header: visible ASCII and inner spaces are allowed")]
    Characters,
}

fn read(path: &Path) -> Result<Vec<u8>, SecretProblem> {
    // Without `NONBLOCK`, opening a pipe would wait for its other end.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(SecretProblem::Symlink),
        Err(error) => return Err(SecretProblem::Io(error.kind())),
    };
    let io = |error: io::Error| SecretProblem::Io(error.kind());
    let meta = file.metadata().map_err(io)?;
    if !meta.is_file() {
        return Err(SecretProblem::NotAFile);
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(SecretProblem::Foreign);
    }
    if meta.mode() & OTHERS != 0 {
        return Err(SecretProblem::Open(meta.mode() & 0o777));
    }
    let mut value = Vec::new();
    // The 3 bytes are for a newline of two bytes and for one byte more than allowed.
    file.take(MAX + 3).read_to_end(&mut value).map_err(io)?;
    Ok(value)
}

fn without_newline(mut value: Vec<u8>) -> Vec<u8> {
    if value.last() == Some(&b'\n') {
        value.pop();
        if value.last() == Some(&b'\r') {
            value.pop();
        }
    }
    value
}

fn check(value: Vec<u8>) -> Result<String, SecretProblem> {
    if value.is_empty() {
        return Err(SecretProblem::Empty);
    }
    if value.len() as u64 > MAX {
        return Err(SecretProblem::TooLong);
    }
    let space_outside = value.first() == Some(&b' ') || value.last() == Some(&b' ');
    if space_outside || !value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(SecretProblem::Characters);
    }
    String::from_utf8(value).map_err(|_| SecretProblem::Characters)
}
