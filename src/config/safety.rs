//! Refuses files that must not decide what runs: files that belong to other users or that others can change, and files
//! outside a project that is not trusted.
//!
//! A file is opened once, and the open file is the one that is checked: its path is followed link by link, everything
//! on the way is checked, the last part is opened without following a link, and the content is read through that
//! handle. A command is checked in the same way, but the system runs it by its path.

use super::discovery::Layer;
use super::file::ConfigFile;
use super::problem::Problem;
use super::walk::{Lost, Route, Walker};
use crate::protocol::{Code, Failure, Source};
use crate::runtime::component::{open_nonblocking, unreadable};
use rustix::io::Errno;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The only other user who may own files: root can change everything anyway.
const ROOT: u32 = 0;

/// The checks that a file must pass before it is used.
#[derive(Debug)]
pub(super) struct Safety {
    /// Whether files are checked. They are not for other systems' configs, which run as they are, or for files that
    /// were named explicitly, because naming a file vouches for it.
    applies: bool,
    user: u32,
    pub(super) walker: Walker,
}

/// Why a file is refused, and what to do about it.
struct Unsafe {
    message: String,
    help: String,
}

/// A config that was opened.
pub(super) struct OpenedConfig {
    pub(super) file: File,
    /// Why the config is refused, if it is.
    pub(super) fault: Option<Box<Problem>>,
}

/// The owner of the files, and the directory that governs them.
struct Scope<'a> {
    is_project: bool,
    /// The directory of the project or of the user's config.
    root: &'a Path,
    /// The root, with its links followed.
    real_root: PathBuf,
    /// Whether the root is a dangling link, or below one.
    dangling: bool,
}

/// A file that was found.
struct Found<T> {
    opened: T,
    meta: Metadata,
    route: Route,
}

impl Safety {
    pub(super) fn new(applies: bool) -> Self {
        Safety { applies, user: rustix::process::geteuid().as_raw(), walker: Walker::default() }
    }

    /// Opens the config of a layer; returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub(super) fn open_config(&mut self, layer: &Layer) -> io::Result<Option<OpenedConfig>> {
        if !self.applies {
            return ConfigFile::open(&layer.path).map(|file| file.map(|file| OpenedConfig { file, fault: None }));
        }
        let root = ConfigFile::root_of(&layer.path, &layer.source);
        let scope = self.scope(&layer.source, root);
        let found = match self.find(&scope, &layer.path, open) {
            Ok(found) => found,
            Err(lost) if lost.error.kind() == io::ErrorKind::NotFound && !lost.dangling && !scope.dangling => {
                return Ok(None);
            }
            Err(lost) => return Err(lost.error),
        };
        let fault = stays_inside(&scope, &layer.path, &found.route.end).and_then(|()| self.judge(&scope, &found));
        let fault = fault.err().map(|found| {
            let message = format!("this config {}", found.message);
            let problem = Problem::about_file(&layer.path, Code::Permissions, message);
            Box::new(Problem { help: Some(found.help), ..problem })
        });
        Ok(Some(OpenedConfig { file: found.opened, fault }))
    }

    /// Opens a component or a script. A file of a project that is not `trusted` must lie in that project.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or is refused.
    pub(super) fn open_component(&mut self, file: &ConfigFile, path: &Path, trusted: bool) -> Result<File, Failure> {
        let cannot_run = |error: io::Error| {
            let failure = unreadable(path, &error);
            let message = format!("cannot run: {}", failure.message);
            failure.with_message(message)
        };
        if !self.applies {
            return open_nonblocking(path, true).map_err(cannot_run);
        }
        let scope = self.scope(&file.source, file.root());
        let mut outside = None;
        // A file outside its project is not even opened, unless trust allows it.
        let open_inside = |end: &Path| match must_stay(&scope, path, end, trusted) {
            Ok(()) => open(end),
            Err(found) => {
                outside = Some(found);
                Err(io::ErrorKind::PermissionDenied.into())
            }
        };
        let found = self.find(&scope, path, open_inside);
        if let Some(found) = outside {
            return Err(refused(path, found));
        }
        let found = found.map_err(|lost| cannot_run(lost.error))?;
        self.judge(&scope, &found).map_err(|found| refused(path, found))?;
        Ok(found.opened)
    }

    /// Checks the program of a shell hook, which is run by its path. A program that is looked up in the `PATH` counts
    /// as the user's.
    ///
    /// # Errors
    /// Returns an error if the program is refused.
    pub(super) fn command(&mut self, file: &ConfigFile, base: &Path, command: &str) -> Result<(), Failure> {
        if !self.applies || !command.contains('/') {
            return Ok(());
        }
        let path: PathBuf = base.join(command).components().collect();
        let scope = self.scope(&file.source, file.root());
        let found = self.find(&scope, &path, |end| {
            let meta = fs::symlink_metadata(end)?;
            Ok((!meta.is_symlink()).then_some(((), meta)))
        });
        // A program that cannot be reached cannot be run either; that is reported elsewhere.
        let Ok(found) = found else { return Ok(()) };
        let judged = stays_inside(&scope, &path, &found.route.end).and_then(|()| self.judge(&scope, &found));
        judged.map_err(|found| refused(&path, found))
    }

    fn scope<'a>(&mut self, source: &Source, root: &'a Path) -> Scope<'a> {
        let (real_root, dangling) = match self.walker.follow(root) {
            Ok(route) => (route.end, false),
            Err(lost) => (lost.route.end, lost.dangling),
        };
        Scope { is_project: *source == Source::PROJECT, root, real_root, dangling }
    }

    /// Follows a path from the root of its scope. Directories above the root are not checked.
    fn find<T>(
        &mut self,
        scope: &Scope<'_>,
        path: &Path,
        open: impl FnMut(&Path) -> io::Result<Option<(T, Metadata)>>,
    ) -> Result<Found<T>, Lost> {
        let (from, path) = match path.strip_prefix(scope.root) {
            Ok(rest) => (scope.real_root.as_path(), rest),
            Err(_) => (Path::new("/"), path),
        };
        let ((opened, meta), route) = self.walker.open(from, path, open)?;
        Ok(Found { opened, meta, route })
    }

    /// Checks that no other user could change a file, or put another one in its place.
    fn judge<T>(&mut self, scope: &Scope<'_>, found: &Found<T>) -> Result<(), Unsafe> {
        let Found { meta, route, .. } = found;
        if self.is_foreign(meta) {
            return Err(foreign("belongs to", meta, &route.end));
        }
        if self.others_may_write(meta, &route.end) {
            return Err(writable("can be changed by others", meta, &route.end));
        }
        for (nth, lookup) in route.lookups.iter().enumerate() {
            if let Some((link, meta)) = lookup.link.as_ref().filter(|(_, meta)| self.is_foreign(meta)) {
                let what = format!("can be replaced through the link `{}` of", link.display());
                return Err(foreign(&what, meta, link));
            }
            // Outside of the scope, only directories whose entries lead to the file count: the last one, and those with
            // links.
            let is_last = nth + 1 == route.lookups.len();
            if is_last || lookup.link.is_some() || lookup.dir.starts_with(&scope.real_root) {
                self.judge_dir(&lookup.dir)?;
            }
        }
        Ok(())
    }

    fn judge_dir(&mut self, dir: &Path) -> Result<(), Unsafe> {
        // A directory that cannot be examined now still led to a file, so it was examined before.
        let Ok(meta) = self.walker.meta(dir).cloned() else { return Ok(()) };
        if self.is_foreign(&meta) {
            let what = format!("can be replaced through `{}`, the directory of", dir.display());
            return Err(foreign(&what, &meta, dir));
        }
        // In a directory with the sticky bit, users cannot remove each other's files.
        if self.others_may_write(&meta, dir) && meta.mode() & 0o1000 == 0 {
            let what = format!("can be replaced by others, who may write to `{}`", dir.display());
            return Err(writable(&what, &meta, dir));
        }
        Ok(())
    }

    fn is_foreign(&self, meta: &Metadata) -> bool {
        ![self.user, ROOT].contains(&meta.uid())
    }

    /// Returns whether users other than the owner may write to a file. `path` contains no links.
    fn others_may_write(&self, meta: &Metadata, path: &Path) -> bool {
        // On many systems each user has their own group, with the same number and no other members. If there is an
        // access control list, the group's bits apply to everyone whom the list names.
        let is_own_group = || self.user != ROOT && meta.gid() == self.user && !has_access_list(path);
        meta.mode() & 0o002 != 0 || (meta.mode() & 0o020 != 0 && !is_own_group())
    }
}

#[cfg(target_os = "linux")]
fn has_access_list(path: &Path) -> bool {
    let size = rustix::fs::lgetxattr(path, "system.posix_acl_access", &mut [0; 0][..]);
    !matches!(size, Err(Errno::NODATA | Errno::OPNOTSUPP))
}

#[cfg(not(target_os = "linux"))]
fn has_access_list(_: &Path) -> bool {
    false
}

/// Opens a file; returns `None` for a link.
fn open(path: &Path) -> io::Result<Option<(File, Metadata)>> {
    match open_nonblocking(path, false) {
        Ok(file) => {
            let meta = file.metadata()?;
            Ok(Some((file, meta)))
        }
        Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks that a path in a project leads to a file in it.
fn stays_inside(scope: &Scope<'_>, path: &Path, end: &Path) -> Result<(), Unsafe> {
    let is_inside = clean_path(path).starts_with(clean_path(scope.root));
    if scope.is_project && is_inside && !end.starts_with(&scope.real_root) {
        return Err(Unsafe {
            message: format!("leads out of its project, to `{}`", end.display()),
            help: "put the file itself there in place of a link".to_owned(),
        });
    }
    Ok(())
}

/// Like [`stays_inside`], but without trust, no path of a project may lead out of it.
fn must_stay(scope: &Scope<'_>, path: &Path, end: &Path, trusted: bool) -> Result<(), Unsafe> {
    stays_inside(scope, path, end)?;
    if scope.is_project && !trusted && !end.starts_with(&scope.real_root) {
        return Err(Unsafe {
            message: "is outside of its project, which is not trusted".to_owned(),
            help: "copy it into the project, or trust the project".to_owned(),
        });
    }
    Ok(())
}

fn refused(path: &Path, found: Unsafe) -> Failure {
    let Unsafe { message, help } = found;
    Failure::new(Code::Permissions, format!("cannot run: `{}` {message}: {help}", path.display()))
}

fn writable(what: &str, meta: &Metadata, path: &Path) -> Unsafe {
    Unsafe {
        message: format!("{what} (its mode is {:03o})", meta.mode() & 0o7777),
        help: format!("run `chmod go-w {}`", shell_word(&path.display().to_string())),
    }
}

fn foreign(what: &str, meta: &Metadata, path: &Path) -> Unsafe {
    let user = rustix::process::geteuid().as_raw();
    Unsafe {
        message: format!("{what} {}", name_of(meta.uid())),
        help: format!(
            "run `chown -h {user} {}` as root, or put a copy of your own in its place",
            shell_word(&path.display().to_string())
        ),
    }
}

/// Returns the name of a user, for messages.
fn name_of(uid: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then_some(name)
    });
    match name {
        Some(name) => format!("the user `{name}` ({uid})"),
        None => format!("the user {uid}"),
    }
}

/// Removes `.` and `..` from a path without looking at the file system.
#[must_use]
pub fn clean_path(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Quotes a text as one word of a shell's command line.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',' | '@');
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
