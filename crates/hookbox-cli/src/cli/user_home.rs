//! The user's home directory as the system knows it. Unlike `$HOME`, no project can set it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Where the system lists its own users.
const USERS: &str = "/etc/passwd";

/// The largest such list that is read here, in bytes.
const MAX_USERS: u64 = 8 << 20;

/// The home directory of the user that runs this process. `None` if the system names none that exists.
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

/// The home directory of the user in a list of the form of `/etc/passwd`.
fn home_in(list: &[u8], user: u32) -> Option<PathBuf> {
    list.split(|byte| *byte == b'\n').find_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        let number = std::str::from_utf8(fields.nth(2)?).ok()?;
        let home = fields.nth(2).filter(|home| number.parse() == Ok(user) && !home.is_empty())?;
        Some(PathBuf::from(OsString::from_vec(home.to_vec())))
    })
}

/// Users whom a directory service lists.
mod lookup {
    #![allow(unsafe_code, reason = "no safe function looks up a user")]

    use std::ffi::{CStr, OsString};
    use std::os::unix::ffi::OsStringExt;
    use std::path::PathBuf;
    use std::{mem, ptr};

    /// Room for the texts of one user.
    const ROOM: usize = 64 << 10;

    pub(super) fn home(user: u32) -> Option<PathBuf> {
        let mut room = vec![0; ROOM];
        // SAFETY: The pointers are those of variables that outlive the call, and `room` has the length that is stated.
        // What `entry` points to afterwards is in `room`.
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

/// A config in another place that the environment names. It may be the user's, whose hooks must not vanish, or a
/// project's, whose hooks must not run: the answer says how to tell.
pub(super) fn config_elsewhere(home: &Path, app: &str, reads_config_home: bool) -> Option<String> {
    let dir = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let own = [home.join(".agents"), home.join(".config").join(app)].map(|dir| dir.join("hooks.toml"));
    let mut named = Vec::new();
    if let Some(dir) = dir("HOME") {
        named.push(("HOME", dir.join(".agents/hooks.toml")));
        named.push(("HOME", dir.join(".config").join(app).join("hooks.toml")));
    }
    if let Some(dir) = dir("XDG_CONFIG_HOME").filter(|_| reads_config_home) {
        named.push(("XDG_CONFIG_HOME", dir.join(app).join("hooks.toml")));
    }
    let is_own = |file: &Path| {
        let real = |path: &Path| path.canonicalize().ok();
        own.iter().any(|own| own == file || (real(own).is_some() && real(own) == real(file)))
    };
    let (variable, file) = named.into_iter().find(|(_, file)| file.symlink_metadata().is_ok() && !is_own(file))?;
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
