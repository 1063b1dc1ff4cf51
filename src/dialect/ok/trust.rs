//! The projects that the user trusts, in ok's own file.

use crate::config::{Problem, Severity, TrustedProjects};
use crate::dialect::go::members;
use crate::private_dir;
use crate::protocol::Code;
use cap_std::fs::Dir;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

const DIR: &str = ".ok";
const FILE: &str = "trust.json";

/// The file that says which projects the user trusts.
#[derive(Clone, Debug)]
pub struct TrustFile {
    file: PathBuf,
}

#[derive(Default, Serialize)]
struct Content {
    projects: BTreeMap<String, bool>,
}

impl TrustFile {
    /// Returns the trust file of the user with this home directory.
    #[must_use]
    pub fn below(home: &Path) -> Self {
        TrustFile { file: home.join(DIR).join(FILE) }
    }

    /// Whether a project is trusted, like [`is_trusted`](TrustedProjects::is_trusted), for callers that distinguish a
    /// malformed file from an absent one.
    ///
    /// # Errors
    /// Returns an error if the file is malformed.
    pub fn look_up(&self, root: &Path) -> Result<bool, Box<Problem>> {
        let Some(key) = key(root).filter(|_| !root.as_os_str().is_empty()) else {
            return Ok(false);
        };
        Ok(self.read()?.projects.get(&key).copied().unwrap_or_default())
    }

    fn dir(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// Locks the directory, to keep other processes from writing between the read and the write. The lock lasts until
    /// the directory is closed.
    fn lock(&self) -> io::Result<Dir> {
        fs::DirBuilder::new().recursive(true).mode(0o755).create(self.dir())?;
        let dir = fs::File::open(self.dir())?;
        dir.lock()?;
        Ok(Dir::from_std_file(dir))
    }

    fn write(&self, dir: &Dir, content: &Content) -> io::Result<()> {
        let text = serde_json::to_string_pretty(content)?;
        private_dir::replace(dir, FILE, |file| file.write_all(text.as_bytes()))
    }

    /// Reads the file. A file that does not exist or cannot be read trusts no project.
    fn read(&self) -> Result<Content, Box<Problem>> {
        let Ok(text) = fs::read_to_string(&self.file) else {
            return Ok(Content::default());
        };
        decode(&text).map_err(|error| {
            let message = format!("hook: malformed trust file at {}: {error}", self.file.display());
            Box::new(Problem {
                severity: Severity::Warning,
                ..Problem::about_file(&self.file, Code::ConfigSyntax, message)
            })
        })
    }
}

impl TrustedProjects for TrustFile {
    fn is_trusted(&self, root: &Path) -> bool {
        self.look_up(root).unwrap_or_default()
    }

    /// Trusts a project. An empty path names no project.
    fn trust(&self, root: &Path) -> io::Result<()> {
        if root.as_os_str().is_empty() {
            return Ok(());
        }
        let key = key(root).ok_or_else(not_text)?;
        let dir = self.lock()?;
        // A malformed file is replaced: it trusts no project.
        let mut content = self.read().unwrap_or_default();
        content.projects.insert(key, true);
        self.write(&dir, &content)
    }

    fn revoke(&self, root: &Path) -> io::Result<bool> {
        if !self.is_trusted(root) {
            return Ok(false);
        }
        let key = key(root).ok_or_else(not_text)?;
        let dir = self.lock()?;
        let mut content = self.read().unwrap_or_default();
        let was_trusted = content.projects.remove(&key).unwrap_or_default();
        self.write(&dir, &content).map(|()| was_trusted)
    }

    fn projects(&self) -> Result<Vec<PathBuf>, Box<Problem>> {
        let projects = self.read()?.projects.into_iter();
        Ok(projects.filter(|(_, trusted)| *trusted).map(|(root, _)| root.into()).collect())
    }

    fn file(&self) -> &Path {
        &self.file
    }
}

/// Reads the file as Go does: keys match in any case, and unknown keys are ignored.
fn decode(text: &str) -> Result<Content, serde_json::Error> {
    let root = members::root(text)?;
    let mut content = Content::default();
    for (_, projects) in root.iter().filter(|(key, _)| members::folded(key) == "projects") {
        let projects: Option<BTreeMap<String, Option<bool>>> = serde_json::from_str(projects.get())?;
        let projects = projects.unwrap_or_default().into_iter();
        content.projects.extend(projects.map(|(root, trusted)| (root, trusted.unwrap_or_default())));
    }
    Ok(content)
}

/// Returns the path without symlinks, or the absolute path if it does not resolve. `None` if the path is not UTF-8: the
/// file cannot name it, and a lossy conversion may name another project.
fn key(root: &Path) -> Option<String> {
    let absolute = || std::path::absolute(root).unwrap_or_else(|_| root.to_owned()).components().collect();
    fs::canonicalize(root).unwrap_or_else(|_| absolute()).to_str().map(str::to_owned)
}

fn not_text() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path of the project is not UTF-8")
}
