//! The programs that compile. Their output is run as machine code, so only hookbox's own programs are accepted.

use super::{PROGRAM, Who};
use crate::protocol::{Code, Failure, os_words};
use rustix::fs::{FileType, Mode, OFlags, Stat, open, openat, readlinkat};
use rustix::io::Errno;
use std::env;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that can be started.
pub(super) struct Program {
    /// The program's path, as messages name it.
    pub(super) path: PathBuf,
    /// The file to execute: the one that was checked, even if its path now names another.
    run: PathBuf,
    /// The open file, so that `run` stays valid until the program has been started.
    _handle: Option<OwnedFd>,
}

impl Program {
    /// Finds the program of a compiler.
    ///
    /// # Errors
    /// Returns a failure if the file does not exist, or if others could have put it there.
    pub(super) fn find(who: &Who) -> Result<Self, Failure> {
        match who {
            #[cfg(feature = "compiler")]
            Who::This => Program::this(),
            Who::Beside => Program::beside(),
            Who::Vouched(program) => Ok(Program::at(program.path().to_owned())),
            #[cfg(feature = "compiler")]
            Who::InProcess => Err(no_compiler()),
            Who::Nobody => Err(no_compiler()),
        }
    }

    /// Returns the program of this process, even if its path now names another file.
    #[cfg(feature = "compiler")]
    pub(super) fn this() -> Result<Self, Failure> {
        let path = env::current_exe().map_err(|error| not_found(&os_words(&error)))?;
        if cfg!(target_os = "linux") {
            Ok(Program { path, run: PathBuf::from("/proc/self/exe"), _handle: None })
        } else {
            Ok(Program::at(path))
        }
    }

    fn at(path: PathBuf) -> Self {
        Program { run: path.clone(), path, _handle: None }
    }

    /// Returns the compiler next to this program.
    fn beside() -> Result<Self, Failure> {
        let (path, handle) = open_beside(PROGRAM)?;
        let run = by_handle(&handle).unwrap_or_else(|| path.clone());
        Ok(Program { path, run, _handle: Some(handle) })
    }

    /// Creates a command that starts the program in this mode. The program gets none of the host's variables, and does
    /// not start in the host's directory.
    pub(super) fn command(&self, mode: &str) -> Command {
        let mut command = Command::new(&self.run);
        command.arg0(self.path.file_name().unwrap_or(OsStr::new("hookbox"))).arg(mode).env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// The directory in which packages put the files that belong to a program in `bin`, relative to the parent of `bin`.
const LIBRARY: &str = "lib/hookbox";

/// Opens a file that was installed with this program and whose content determines what runs in this process. The file
/// is next to this program or, if the program is in a directory `bin`, in `../lib/hookbox`.
///
/// # Errors
/// Returns a failure if the file does not exist, or if others could have put it there.
pub(in super::super) fn open_beside(name: &str) -> Result<(PathBuf, OwnedFd), Failure> {
    let this = env::current_exe().map_err(|error| not_found(&os_words(&error)))?;
    let dir = this.parent().unwrap_or(Path::new("/"));
    let is_bin = dir.file_name() == Some(OsStr::new("bin"));
    let library = dir.parent().filter(|_| is_bin).map(|prefix| prefix.join(LIBRARY));
    let path = dir.join(name);
    match library.map(|library| library.join(name)) {
        Some(installed) if !path.exists() && installed.exists() => open_own(installed, name),
        _ => open_own(path, name),
    }
}

fn open_own(path: PathBuf, name: &str) -> Result<(PathBuf, OwnedFd), Failure> {
    let dir = path.parent().unwrap_or(Path::new("/"));
    let failed = |error: Errno| match error {
        Errno::LOOP => unsafe_file(&path, "is a link", "put the file itself there"),
        error => not_started(&path, &os_words(&error.into())),
    };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let opened = open(dir, flags | OFlags::DIRECTORY, Mode::empty()).map_err(failed)?;
    let open_file = |name: &str| openat(&opened, name, flags | OFlags::NOFOLLOW, Mode::empty());
    let handle = open_file(name).or_else(|error| match neighbour(&opened, name) {
        Some(named) if error == Errno::LOOP => open_file(&named),
        _ => Err(error),
    });
    let handle = handle.map_err(failed)?;
    check(dir, &rustix::fs::fstat(&opened).map_err(failed)?)?;
    let stat = rustix::fs::fstat(&handle).map_err(failed)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(unsafe_file(&path, "is not a file", &format!("put hookbox's own `{name}` there")));
    }
    check(&path, &stat)?;
    Ok((path, handle))
}

/// Returns the name of the file that a link leads to, if that file is in the same directory. `cargo binstall` installs
/// each program with its version in its name, and a link to it.
fn neighbour(dir: &OwnedFd, link: &str) -> Option<String> {
    let target = readlinkat(dir, link, Vec::new()).ok()?.into_string().ok()?;
    (Path::new(&target).file_name() == Some(OsStr::new(&target))).then_some(target)
}

/// Returns a path to the open file itself, if the system provides one.
fn by_handle(handle: &OwnedFd) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
    (cfg!(target_os = "linux") && path.exists()).then_some(path)
}

/// Refuses a file that does not belong to this user or root, or that others can write to.
fn check(path: &Path, stat: &Stat) -> Result<(), Failure> {
    let user = rustix::process::geteuid().as_raw();
    if stat.st_uid != 0 && stat.st_uid != user {
        let help = format!("run `chown {user} {}` if you know what is in it", path.display());
        return Err(unsafe_file(path, "belongs to another user", &help));
    }
    let is_dir = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
    // Many systems give each user a group with the same number and no one else in it. The group of a directory such as
    // `/usr/local/bin` is trusted because its members could replace this program as well.
    let is_trusted_group = is_dir || (user != 0 && stat.st_gid == user);
    let is_sticky_dir = is_dir && stat.st_mode & 0o1000 != 0;
    let by_others = stat.st_mode & 0o002 != 0 || (stat.st_mode & 0o020 != 0 && !is_trusted_group);
    if by_others && !is_sticky_dir {
        let mode = stat.st_mode & 0o7777;
        let help = format!("run `chmod go-w {}`", path.display());
        return Err(unsafe_file(path, &format!("can be changed by others (its mode is {mode:03o})"), &help));
    }
    Ok(())
}

fn unsafe_file(path: &Path, what: &str, help: &str) -> Failure {
    Failure::new(Code::Permissions, format!("was not compiled: `{}` {what}: {help}", path.display()))
}

pub(super) fn not_started(path: &Path, why: &str) -> Failure {
    let message = format!("was not compiled: the compiler `{}` could not be started ({why})", path.display());
    Failure::new(Code::Compile, message)
}

fn not_found(why: &str) -> Failure {
    Failure::new(Code::Compile, format!("was not compiled: the path of this program is unknown ({why})"))
}

fn no_compiler() -> Failure {
    Failure::new(Code::Compile, "was not compiled: this program has no compiler")
}
