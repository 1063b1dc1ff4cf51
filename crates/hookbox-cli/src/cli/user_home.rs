//! The user's home directory as the system knows it. Unlike `$HOME`, no project can set it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The file in which the system lists its own users.
const USERS: &str = "/etc/passwd";

/// The maximum size of that list, in bytes.
const MAX_USERS: u64 = 8 << 20;

/// Returns the home directory of the user that runs this process; `None` if the system names none that exists.
pub(super) fn of_system() -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let home = in_list(user).or_else(|| lookup::home(user))?;
    (home.is_absolute() && home.is_dir()).then_some(home)
}

fn in_list(user: u32) -> Option<PathBuf> {
    let small = std::fs::metadata(USERS).is_ok_and(|meta| meta.len() <= MAX_USERS);
    let text = small.then(|| std::fs::read(USERS).ok())??;
    home_in(&text, user)
}

/// Returns the home directory of the user in a list with the format of `/etc/passwd`.
fn home_in(list: &[u8], user: u32) -> Option<PathBuf> {
    list.split(|byte| *byte == b'\n').find_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        let number = std::str::from_utf8(fields.nth(2)?).ok()?;
        let home = fields.nth(2).filter(|home| number.parse() == Ok(user) && !home.is_empty())?;
        Some(PathBuf::from(OsString::from_vec(home.to_vec())))
    })
}

/// The lookup of users that a directory service lists.
mod lookup {
    #![allow(unsafe_code, reason = "no safe function looks up a user")]

    use std::ffi::{CStr, OsString};
    use std::os::unix::ffi::OsStringExt;
    use std::path::PathBuf;
    use std::{mem, ptr};

    /// The size of the buffer for the texts of one user, in bytes.
    const ROOM: usize = 64 << 10;

    pub(super) fn home(user: u32) -> Option<PathBuf> {
        let mut room = vec![0; ROOM];
        // SAFETY: The pointers point to variables that outlive the call, and `room` has the length that is stated. What
        // `entry` points to afterwards is in `room`.
        let home = unsafe {
            let mut entry: libc::passwd = mem::zeroed();
            let mut found = ptr::null_mut();
            let failed = libc::getpwuid_r(user, &raw mut entry, room.as_mut_ptr(), room.len(), &raw mut found);
            if failed != 0 || found.is_null() || entry.pw_dir.is_null() {
                return None;
            }
            CStr::from_ptr(entry.pw_dir).to_bytes().to_vec()
        };
        Some(PathBuf::from(OsString::from_vec(home)))
    }
}

/// The files and directories that mark a directory as a project's: those of version control, of hookbox and of agents,
/// and files with variables that agents read.
const MARKS: [&str; 17] = [
    ".agents",
    ".claude",
    ".clinerules",
    ".codex",
    ".cursor",
    ".env",
    ".envrc",
    ".factory",
    ".gemini",
    ".git",
    ".github",
    ".hg",
    ".hookbox",
    ".jj",
    ".opencode",
    ".qwen",
    ".svn",
];

/// Those of version control alone, which mark the root of a clone. A home directory may well have the others itself.
const ROOTS: [&str; 5] = [".git", ".github", ".hg", ".jj", ".svn"];

/// Returns the directory that `$HOME` names, if hookbox is not set up in the home directory that the system names, so
/// that no hooks can be missing. That is so in a container, or for a test. Returns `None` if the directory is another
/// user's, or is a project or in one.
pub(super) fn of_environment(system: &Path, app: &str) -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute() && home != system)?;
    // `$HOME` may be a link, such as `/proc/self/cwd`, which leads to where the agent is.
    let home = home.canonicalize().ok()?;
    let [agents, config] = configs(system, &system.join(".config"), app);
    let is_set_up = [agents, config, system.join(".local/state/hookbox/configs")].iter().any(|file| exists(file));
    let user = rustix::process::geteuid().as_raw();
    let is_own = home.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == user);
    (!is_set_up && is_own && !is_in_project(&home, system)).then_some(home)
}

/// Checks `$HOME` where the system knows no home directory.
///
/// # Errors
/// Returns an error if `$HOME` is in a project.
pub(super) fn check_only_home() -> Result<(), String> {
    match std::env::var_os("HOME").map(PathBuf::from) {
        Some(home) if home.canonicalize().is_ok_and(|real| is_in_project(&real, Path::new("/"))) => Err(format!(
            "the system knows no home directory of this user, and $HOME is in a project (`{}`), which can set variables: give \
             `hookbox hook` the option --home",
            home.display()
        )),
        _ => Ok(()),
    }
}

/// Returns the directory that a variable names, if it is below this home directory and not in a project there.
pub(super) fn base_in(home: &Path, variable: &str) -> Option<PathBuf> {
    let dir = std::env::var_os(variable).map(PathBuf::from)?.canonicalize().ok()?;
    (dir.starts_with(home) && !is_in_project(&dir, home)).then_some(dir)
}

/// Whether this directory is the root of a clone, or one above it, and below `top`, has the marks of a project.
fn is_in_project(dir: &Path, top: &Path) -> bool {
    let has = |dir: &Path, marks: &[&str]| marks.iter().any(|mark| exists(&dir.join(mark)));
    let mut above = dir.ancestors().skip(1).take_while(|above| *above != top);
    has(dir, &ROOTS) || above.any(|above| has(above, &MARKS))
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the paths of the user's config files.
fn configs(home: &Path, config_home: &Path, app: &str) -> [PathBuf; 2] {
    [home.join(".agents"), config_home.join(app)].map(|dir| dir.join("hooks.toml"))
}

/// Returns a message about a config in another place that the environment names. It may be the user's, whose hooks must
/// not vanish, or a project's, whose hooks must not run. The message tells the user what to do in each case.
pub(super) fn config_elsewhere(home: &Path, app: &str, reads_config_home: bool) -> Option<String> {
    let dir = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let own = configs(home, &home.join(".config"), app);
    let mut named = Vec::new();
    // If this variable is set, it takes precedence.
    if let Some(dir) = dir("XDG_CONFIG_HOME").filter(|_| reads_config_home) {
        named.push(("XDG_CONFIG_HOME", dir.join(app).join("hooks.toml")));
    }
    if let Some(dir) = dir("HOME") {
        named.extend(configs(&dir, &dir.join(".config"), app).map(|file| ("HOME", file)));
    }
    let is_own = |file: &Path| {
        let real = |path: &Path| path.canonicalize().ok();
        own.iter().any(|own| own == file || (real(own).is_some() && real(own) == real(file)))
    };
    let (variable, file) = named.into_iter().find(|(_, file)| exists(file) && !is_own(file))?;
    Some(format!(
        "${variable} names `{}`, and a project can set variables: your home directory is `{}`. If that config is yours, \
         run `hookbox install AGENT`, which writes its place into the agent's settings, or give `hookbox hook` the options \
         --home or --config. If not, unset ${variable}",
        file.display(),
        home.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::home_in;
    use std::path::Path;

    #[test]
    fn the_list_of_users_is_read_by_number() {
        let list = b"root:x:0:0:root:/root:/bin/sh\n# 1000\nu:x:1000:1000::/home/u:/bin/sh\nx:x:10:1::\n";
        assert_eq!(home_in(list, 1000).as_deref(), Some(Path::new("/home/u")));
        assert_eq!(home_in(list, 0).as_deref(), Some(Path::new("/root")));
        assert_eq!(home_in(list, 10), None);
        assert_eq!(home_in(list, 1), None);
    }
}
