//! Where agents keep the names of their hook commands, and how.

/// How hookbox becomes an agent's hook.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Settings {
    /// By entries in a file of the agent's.
    Entries(Entries),
    /// By files of hookbox's own.
    Files(&'static [OwnFile]),
}

/// Entries in a JSON file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entries {
    /// The file of the user, below the home directory.
    pub user: &'static str,
    /// The file of a project, below its root.
    pub project: &'static str,
    /// The member that holds the events. `None`: they are members of the file itself.
    pub under: Option<&'static str>,
    /// Members that the file must have, each with a number.
    pub header: &'static [(&'static str, u32)],
    /// The events, each with the matcher for all tools, if it has one.
    pub events: &'static [(&'static str, Option<&'static str>)],
    /// Whether an event's list has groups of hooks, as in Claude Code, or the hooks themselves.
    pub is_grouped: bool,
    /// The member of a hook that holds its command.
    pub command: &'static str,
    /// The member of a hook that holds how long the agent waits, and the value, longer than hookbox takes.
    pub wait: (&'static str, u32),
    /// More members of a hook, such as the one that makes a failure stop the tool.
    pub more: &'static [(&'static str, Member)],
    /// What is left to do for the user, if there is something.
    pub then: Option<&'static str>,
}

/// The value of a member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Member {
    /// A string.
    Text(&'static str),
    /// `true`.
    True,
}

/// A file that is hookbox's own.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OwnFile {
    /// The file of the user, below the home directory.
    pub user: &'static str,
    /// The file of a project, below its root.
    pub project: &'static str,
    /// Its content, with [`COMMAND`] where the command stands.
    pub content: &'static str,
    /// Whether it is run itself.
    pub is_program: bool,
}

/// Stands for the command in the content of an [`OwnFile`]: a line for a shell, or a list in JSON.
pub const COMMAND: [&str; 2] = ["{{command line}}", "{{command list}}"];

/// How long agents are told to wait for `hookbox hook`, in seconds: longer than it takes, since most of them let the
/// tool run when their own time is over.
pub(super) const WAIT_SECONDS: u32 = 30;

impl Entries {
    /// The entries of Claude Code, which others took over.
    pub(super) const CLAUDE: Entries = Entries {
        user: ".claude/settings.json",
        project: ".claude/settings.json",
        under: Some("hooks"),
        header: &[],
        events: &[],
        is_grouped: true,
        command: "command",
        wait: ("timeout", WAIT_SECONDS),
        more: &[],
        then: None,
    };
}
