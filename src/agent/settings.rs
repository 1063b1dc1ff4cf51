//! Where and how agents store their hook commands.

use super::loading::{Kind, Refusal};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that Gemini CLI takes for the home directory.
pub(super) const GEMINI_HOME: &str = "GEMINI_CLI_HOME";

/// How to install hookbox as an agent's hook.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Settings {
    /// By entries in one of the agent's files.
    Entries(&'static Entries),
    /// By hookbox's own files.
    Files(&'static [OwnFile]),
}

/// Entries in a JSON file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entries {
    /// The file of the user, below the home directory.
    pub user: &'static str,
    /// The variable that replaces the first directory in the path of the user's file. `GEMINI_CLI_HOME` replaces the
    /// home directory itself.
    pub home: Option<&'static str>,
    /// The file of a project, below its root.
    pub project: &'static str,
    /// Further files with hooks, where one file can hide another.
    pub others: &'static [OtherFile],
    /// What stops the agent from loading a file: it loads none of the hooks in a file that contains one of these.
    pub refuses: &'static [Refusal],
    /// What makes the agent skip only the hook that contains it.
    pub skips: &'static [Refusal],
    /// Further files with hooks or switches, each with the switches that count there. They are in the user's directory
    /// and in a project, or anywhere if they are absolute. Files that end in `.toml` are TOML.
    pub also: &'static [(&'static str, Switches)],
    /// The switches in the files of the user and the project.
    pub switches: Switches,
    /// Members, as JSON pointers, that switch the hooks of all files off if their value is not of this kind.
    pub shapes: &'static [(&'static str, Kind)],
    /// The member with the events. `None` if they are members of the file itself.
    pub under: Option<&'static str>,
    /// Members that the file must have, each with a number.
    pub header: &'static [(&'static str, u32)],
    /// The events, each with the matcher for all tools, if it has one.
    pub events: &'static [(&'static str, Option<&'static str>)],
    /// Whether an event's list contains groups of hooks, as in Claude Code, rather than the hooks themselves.
    pub is_grouped: bool,
    /// The member of a hook with its command.
    pub command: &'static str,
    /// The member of a hook that says how long the agent waits, and the value, longer than hookbox takes.
    pub wait: (&'static str, u32),
    /// Further members of a hook, such as the one that makes a failure stop the tool.
    pub more: &'static [(&'static str, Member)],
    /// The HTTP hooks, if the agent stops a tool when one of them fails. `None` if it has none, or lets the tool run.
    pub http: Option<HttpHooks>,
    /// What the user still has to do, if anything.
    pub then: Option<&'static str>,
}

/// The members that switch hooks off, as JSON pointers, each with the value that does so. A list of names switches
/// hooks off if hookbox is in it.
pub type Switches = &'static [(&'static str, bool)];

/// Another JSON file that the agent reads the same hooks from.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OtherFile {
    /// The file of the user, below the home directory.
    pub user: &'static str,
    /// The file of a project, below its root.
    pub project: &'static str,
    /// The member with the events. `None` if they are members of the file itself.
    pub under: Option<&'static str>,
    /// The switches in the file.
    pub switches: Switches,
    /// When the agent reads the file.
    pub precedence: Precedence,
}

/// When an agent reads one of two files with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precedence {
    /// Only while the main file does not exist.
    InPlace,
    /// Always, except for the events that are named by the main file, or by the file that is read in its place.
    Behind,
}

/// What is special about the HTTP hooks of an agent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpHooks {
    /// The events for which the agent only runs commands.
    pub never: &'static [&'static str],
}

impl Entries {
    /// Returns the user's file, given the home directory and the value of the [`home`](Self::home) variable.
    #[must_use]
    pub fn user_file(&self, home: &Path, named: Option<&OsStr>) -> PathBuf {
        self.below_home(self.user, home, named)
    }

    /// Returns the same entries for another of the agent's files.
    #[must_use]
    pub const fn in_other(&self, other: &OtherFile) -> Entries {
        let OtherFile { user, project, under, switches, .. } = *other;
        Entries { user, project, under, switches, header: &[], ..*self }
    }

    /// Returns the files that can switch hooks off, each with its switches.
    #[must_use]
    pub fn files_with_switches(&self, home: &Path, named: Option<&OsStr>, project: &Path) -> Vec<(PathBuf, Switches)> {
        let both =
            |user, below, switches| [(self.below_home(user, home, named), switches), (project.join(below), switches)];
        let own = both(self.user, self.project, self.switches);
        let others = self.others.iter().flat_map(|other| both(other.user, other.project, other.switches));
        let also = self.also.iter().flat_map(|(file, switches)| match Path::new(file).is_absolute() {
            true => vec![(PathBuf::from(file), *switches)],
            false => both(file, file, switches).to_vec(),
        });
        let mut files: Vec<_> = own.into_iter().chain(others).chain(also).collect();
        files.sort();
        files.dedup();
        files
    }

    fn below_home(&self, file: &str, home: &Path, named: Option<&OsStr>) -> PathBuf {
        let named = named.map(Path::new).filter(|dir| dir.is_absolute());
        let mut parts = Path::new(self.user).components();
        let first = parts.next().map(|part| part.as_os_str().to_owned()).unwrap_or_default();
        match (named, Path::new(file).strip_prefix(first)) {
            (Some(dir), Ok(_)) if self.home == Some(GEMINI_HOME) => dir.join(file),
            (Some(dir), Ok(rest)) => dir.join(rest),
            _ => home.join(file),
        }
    }
}

/// A problem with some versions of an agent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Flaw {
    /// The first version that has it.
    pub from: [u32; 3],
    /// The first later version without it.
    pub below: [u32; 3],
    /// What the flaw means for hooks.
    pub meaning: &'static str,
}

impl Flaw {
    /// Creates a flaw of all versions before this one.
    pub(super) const fn before(below: [u32; 3], meaning: &'static str) -> Self {
        Flaw { from: [0; 3], below, meaning }
    }

    /// Creates a flaw of this version and, as far as is known, all later ones.
    pub(super) const fn since(from: [u32; 3], meaning: &'static str) -> Self {
        Flaw { from, below: [u32::MAX; 3], meaning }
    }

    /// Whether the version in a program's version text is affected. `None` if the text has no version.
    #[must_use]
    pub fn is_in(&self, version: &str) -> Option<bool> {
        let number = version.split(|c: char| !c.is_ascii_digit() && c != '.').find(|word| {
            let mut parts = word.split('.');
            parts.next().is_some_and(|part| !part.is_empty()) && parts.next().is_some_and(|part| !part.is_empty())
        })?;
        let mut parts = number.split('.').map(|part| part.parse().unwrap_or(0));
        let mut part = || parts.next().unwrap_or(0);
        let version = [part(), part(), part()];
        Some(self.from <= version && version < self.below)
    }
}

/// The note about versions that hookbox was not tested with.
pub(super) const UNTRIED: &str =
    "hookbox was never tried with a version this old, which may drop its denies: update it";

/// The value of a member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Member {
    /// A string.
    Text(&'static str),
    /// `true`.
    True,
}

/// A file that belongs to hookbox.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OwnFile {
    /// The file of the user, below the home directory.
    pub user: &'static str,
    /// The file of a project, below its root.
    pub project: &'static str,
    /// The content of the file, with [`COMMAND`] in place of the command.
    pub content: &'static str,
    /// Whether the file itself is executed.
    pub is_program: bool,
}

/// The placeholders for the command in the content of an [`OwnFile`]: a line for a shell, and a list in JSON.
pub const COMMAND: [&str; 2] = ["{{command line}}", "{{command list}}"];

/// How long agents are told to wait for `hookbox hook`, in seconds: longer than it takes, since most of them let the
/// tool run after a time-out.
pub(super) const WAIT_SECONDS: u32 = 30;

/// The switch of Claude Code, which other agents adopted.
pub(super) const DISABLE_ALL: Switches = &[("/disableAllHooks", true)];

impl Entries {
    /// The entries of Claude Code, which other agents adopted.
    pub(super) const CLAUDE: Entries = Entries {
        user: ".claude/settings.json",
        home: None,
        project: ".claude/settings.json",
        others: &[],
        refuses: &[],
        skips: &[],
        also: &[],
        switches: DISABLE_ALL,
        shapes: &[],
        under: Some("hooks"),
        header: &[],
        events: &[],
        is_grouped: true,
        command: "command",
        wait: ("timeout", WAIT_SECONDS),
        more: &[],
        http: None,
        then: None,
    };
}
