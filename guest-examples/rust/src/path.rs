//! What a path names, judging by its text alone.

use hookbox_sdk::shell::{FOUND, GLOB, HOME, UNKNOWN};

/// What a recursive command would reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Something that no command may destroy.
    Protected(Protected),
    /// The working directory, a directory above it, or everything in one of these.
    Surroundings,
    /// A path that only the running shell knows.
    Unknown,
    /// Anything else.
    Ordinary,
}

/// Something that no command may destroy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Protected {
    /// `/`
    FileSystem,
    /// A directory that the system needs, by its path.
    System(String),
    /// A home directory.
    Home,
}

/// The directories at the top of a Unix or macOS file system. `/tmp` is free.
#[rustfmt::skip] // One name per line would fill a page.
const TOP: &[&str] = &[
    "Applications", "Library", "System", "Users", "Volumes", "bin", "boot", "dev", "etc", "home",
    "lib", "lib32", "lib64", "media", "mnt", "opt", "private", "proc", "root", "run", "sbin",
    "srv", "sys", "usr", "var",
];

/// Directories below those that are needed just as much.
#[rustfmt::skip]
const BELOW: &[&str] = &[
    "private/etc", "private/var", "usr/bin", "usr/include", "usr/lib", "usr/lib64", "usr/libexec",
    "usr/local", "usr/sbin", "usr/share", "var/lib",
];

/// Returns what the pattern of a word names as the path of a recursive command in the working directory `pwd`, which
/// may be empty.
#[must_use]
pub fn target(pattern: &str, pwd: &str) -> Target {
    // What `find` finds below its start matters only where the start itself does.
    match pattern.split_once(FOUND) {
        Some((start, "")) => match target_of(start, "") {
            Target::Surroundings => Target::Ordinary,
            target => target,
        },
        Some(_) => Target::Ordinary,
        None => target_of(pattern, pwd),
    }
}

fn target_of(text: &str, pwd: &str) -> Target {
    let (root, path) = match text.strip_prefix(HOME) {
        Some(path) if path.is_empty() || path.starts_with('/') => (Root::Home, path),
        _ if text.starts_with('/') => (Root::FileSystem, text),
        _ => (Root::Here, text),
    };
    // With a home directory in the middle of a word, the path is not known.
    if text.is_empty() || path.contains([UNKNOWN, HOME]) {
        return if text.is_empty() { Target::Ordinary } else { Target::Unknown };
    }
    let Some(mut names) = normalized(root, path) else {
        return Target::Protected(Protected::System("/home".to_owned()));
    };
    // To destroy everything in a directory is to destroy the directory.
    while names.last().is_some_and(|name| is_everything(name)) {
        names.pop();
    }
    match (root, names.as_slice()) {
        (Root::Here, []) => Target::Surroundings,
        (Root::Home, []) => Target::Protected(Protected::Home),
        (Root::FileSystem, []) => Target::Protected(Protected::FileSystem),
        (Root::FileSystem, ["home" | "Users", _]) => Target::Protected(Protected::Home),
        (Root::FileSystem, names) if is_system(names) => {
            Target::Protected(Protected::System(format!("/{}", names.join("/"))))
        }
        (Root::FileSystem, names) if holds(names, pwd) => Target::Surroundings,
        _ => Target::Ordinary,
    }
}

/// Whether the working directory is in this directory.
fn holds(names: &[&str], pwd: &str) -> bool {
    let mut inside = pwd.split('/').filter(|name| !name.is_empty());
    pwd.starts_with('/') && names.iter().all(|name| inside.next() == Some(name))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    FileSystem,
    Home,
    Here,
}

/// Returns the names in `path` without `.` and `..`, or `None` for a path that leads out of a home directory.
fn normalized(root: Root, path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.pop().is_none() && root == Root::Home => return None,
            ".." => {}
            name => names.push(name),
        }
    }
    Some(names)
}

fn is_everything(name: &str) -> bool {
    name.contains(GLOB) && name.chars().all(|c| c == GLOB || c == '.')
}

fn is_system(names: &[&str]) -> bool {
    match names {
        // A wildcard at the top can stand for any of the directories.
        [top, ..] if top.contains(GLOB) => true,
        [top] => TOP.contains(top),
        [top, below] => BELOW.contains(&format!("{top}/{below}").as_str()),
        _ => false,
    }
}
