//! Classifies paths by the damage that destroying them does.

use hookbox_policy::{GLOB, Glob, UNKNOWN};
use std::cell::OnceCell;

/// The target of a command, from least to most severe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// A path in the project.
    Inside,
    /// A path in a directory for scratch files.
    Scratch,
    /// A path elsewhere.
    Outside,
    /// A path that is known only when the command runs.
    Unknown,
    /// The project's root, or something above it.
    Surroundings,
    /// The project's history in git.
    GitData,
    /// Keys, settings and data of the user's programs.
    Settings(String),
    /// A directory that the system needs, or something in it.
    System(String),
    /// A home directory.
    Home,
    /// The root directory `/`.
    FileSystem,
}

/// The top-level directories of a Unix or macOS file system that the system needs, with all of their content.
const SYSTEM: [&str; 19] = [
    "Library", "System", "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "private", "proc", "root",
    "run", "sbin", "snap", "sys", "usr", "var",
];

/// Directories that are needed themselves, although their content may belong to anyone.
const SHARED: [&str; 9] = ["Applications", "Users", "Volumes", "home", "media", "mnt", "opt", "srv", "workspaces"];

/// Directories in a home directory with keys, settings, or data of programs.
const SETTINGS: [&str; 26] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".config",
    ".local",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".agents",
    ".copilot",
    ".qwen",
    ".password-store",
    ".mozilla",
    ".thunderbird",
    "Library",
    "Desktop",
    "Documents",
    "Downloads",
    "Pictures",
    "Music",
    "Movies",
    "Videos",
];

/// The place where the agent works.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place<'a> {
    /// The path components of the project's root, which are empty if the root is not known.
    root: Vec<String>,
    /// The path components of the user's home directory, which are empty if it is not known.
    home: Vec<String>,
    at_home: Option<&'a str>,
    scratch: &'a [String],
    /// The patterns in `scratch`, which most calls do not need.
    globs: OnceCell<Vec<Glob>>,
}

impl<'a> Place<'a> {
    pub(crate) fn new(root: &str, home: Option<&'a str>, scratch: &'a [String]) -> Self {
        let names = |path: &str| if path.starts_with('/') { plain_names(path) } else { Vec::new() };
        let at_home = home.filter(|home| home.starts_with('/'));
        let (root, home) = (names(root), names(home.unwrap_or_default()));
        Place { root, home, at_home, scratch, globs: OnceCell::new() }
    }

    /// Returns the directory that commands run in by default.
    pub(crate) fn dir(&self) -> String {
        if self.root.is_empty() { String::new() } else { format!("/{}", self.root.join("/")) }
    }

    /// Returns the target that a path names, relative to `dir`, which is empty if the directory is not known.
    pub(crate) fn target(&self, path: &str, dir: &str) -> Target {
        let text = path.strip_prefix("./").unwrap_or(path);
        if path.is_empty() {
            return Target::Inside;
        }
        let mut above = 0;
        let mut names: Vec<&str> = Vec::new();
        let (full, is_absolute) = match () {
            () if path.starts_with('~') && !path.starts_with("./") => {
                // This is some user's home directory.
                let rest = path.split_once('/').map_or("", |(_, rest)| rest);
                (format!("/home/~/{rest}"), true)
            }
            () if path.starts_with('/') => (path.to_owned(), true),
            () if path.starts_with(UNKNOWN) => return Target::Unknown,
            () if dir.starts_with('/') => (format!("{dir}/{text}"), true),
            () if dir.contains(UNKNOWN) => return Target::Unknown,
            () => (text.to_owned(), false),
        };
        for name in full.split('/') {
            match name {
                "" | "." => {}
                ".." if names.pop().is_none() => above += 1,
                ".." => {}
                name => names.push(name),
            }
        }
        // Destroying everything in a directory amounts to destroying the directory.
        while names.last().is_some_and(|name| is_everything(name)) {
            names.pop();
        }
        if !is_absolute {
            return match names.as_slice() {
                _ if above > 0 && names.is_empty() => Target::Surroundings,
                _ if above > 0 => Target::Outside,
                [] => Target::Surroundings,
                names if names.iter().any(|name| name.starts_with(UNKNOWN)) => Target::Unknown,
                names => inside(names),
            };
        }
        self.absolute(&names)
    }

    fn absolute(&self, names: &[&str]) -> Target {
        // The unknown part may be empty, which means all of the directory before it.
        if let Some(at) = names.iter().position(|name| name.contains(UNKNOWN)) {
            let is_whole = names.get(at).is_some_and(|name| name.starts_with(UNKNOWN));
            let before = self.absolute(names.get(..at).unwrap_or_default());
            return match before {
                Target::Inside | Target::Scratch | Target::Outside | Target::GitData => before,
                Target::System(_) | Target::Settings(_) if names.len() > 1 && !is_whole => before,
                _ if names.get(..at).is_some_and(|names| self.scratches(names)) => Target::Scratch,
                _ if !is_whole && at > 1 && before == Target::Surroundings => Target::Inside,
                _ => Target::Unknown,
            };
        }
        let root: Vec<&str> = self.root.iter().map(String::as_str).collect();
        let in_root = (!root.is_empty()).then(|| names.strip_prefix(root.as_slice())).flatten();
        match names {
            [] => return Target::FileSystem,
            [name] if name.starts_with(GLOB) => return Target::FileSystem,
            ["home" | "Users", _] | ["root"] => return Target::Home,
            _ => {}
        }
        let home: Vec<&str> = self.home.iter().map(String::as_str).collect();
        if !home.is_empty() {
            match names.strip_prefix(home.as_slice()) {
                Some([]) => return Target::Home,
                Some(names) if is_setting(names) => return Target::Settings(format!("~/{}", names.join("/"))),
                _ => {}
            }
        }
        if let Some(rest) = in_root {
            return if rest.is_empty() { Target::Surroundings } else { inside(rest) };
        }
        if root.starts_with(names) {
            return Target::Surroundings;
        }
        let path = format!("/{}", names.join("/"));
        if self.is_scratch(&path) {
            return Target::Scratch;
        }
        match names {
            ["home" | "Users", _, names @ ..] if is_setting(names) => {
                Target::Settings(format!("~/{}", names.join("/")))
            }
            [top] if SHARED.contains(top) || top.contains(GLOB) => Target::System(path),
            ["tmp"] | ["var", "tmp"] => Target::Scratch,
            ["var", "www", ..] | ["usr", "local", "src", _, ..] | ["root", _, ..] | ["run", "user", _, _, ..] => {
                Target::Outside
            }
            [top, ..] if SYSTEM.contains(top) => Target::System(path),
            _ => Target::Outside,
        }
    }

    /// Whether everything in a directory counts as scratch.
    fn scratches(&self, names: &[&str]) -> bool {
        self.is_scratch(&format!("/{}/x", names.join("/")))
    }

    fn is_scratch(&self, path: &str) -> bool {
        let read = || self.scratch.iter().map(|pattern| Glob::new(pattern, self.at_home)).collect();
        self.globs.get_or_init(read).iter().any(|glob| glob.matches(path, false))
    }
}

/// Whether these names below a home directory mean the owner's data: a whole directory of documents, or any keys and
/// settings.
fn is_setting(names: &[&str]) -> bool {
    match names {
        [name] => SETTINGS.contains(name) || crate::lost::DOT_FILES.contains(name),
        [name, ..] => name.starts_with('.') && SETTINGS.contains(name),
        [] => false,
    }
}

/// Returns the target for a path below the project's root.
fn inside(names: &[&str]) -> Target {
    if names.contains(&".git") { Target::GitData } else { Target::Inside }
}

fn is_everything(name: &str) -> bool {
    // `.[!.]*` matches all hidden names.
    let name = name.replace("!.]", "").replace("^.]", "");
    name.contains(GLOB) && name.chars().all(|c| c == GLOB || c == '.')
}

fn plain_names(path: &str) -> Vec<String> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".").map(str::to_owned).collect()
}
