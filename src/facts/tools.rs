//! The agents' names for their tools.

use super::arguments::Argument;
use super::command;
use super::keys::{self, Role};
use super::patch;
use crate::protocol::{Access, ToolKind};

/// A known tool: what it does, and what its arguments mean.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(super) nature: Nature,
    /// The keys that a user named, as the agent spells them.
    keys: Vec<(String, Role)>,
}

/// The properties of similar tools.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nature {
    pub(super) kind: ToolKind,
    /// The access to the tool's paths, if it is not the usual one of the kind.
    pub(super) access: Option<Access>,
    /// Whether the tool sends a text to a running program.
    pub(super) is_typed_into: bool,
    /// Whether each command of a list runs in a shell of its own.
    pub(super) has_own_shells: bool,
    /// Whether the tool's command or input is a patch.
    pub(super) is_patch: bool,
    /// Whether the tool, judged by its name, may treat its content as a patch.
    pub(super) may_apply: bool,
    /// Whether the tool's `command` is an operation on a file.
    has_subcommand: bool,
    /// Whether the tool concerns only the agent itself, such as the agent's plan.
    pub(super) is_inward: bool,
}

impl Nature {
    const fn of(kind: ToolKind) -> Self {
        Nature {
            kind,
            access: None,
            is_typed_into: false,
            has_own_shells: false,
            is_patch: false,
            may_apply: false,
            has_subcommand: false,
            is_inward: false,
        }
    }
}

impl Spec {
    /// Creates a tool of this kind, with the usual keys.
    #[must_use]
    pub const fn new(kind: ToolKind) -> Self {
        Spec { nature: Nature::of(kind), keys: Vec::new() }
    }

    /// Returns whether a user said what the tool's arguments mean.
    pub(super) const fn is_told(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Sets the role of one of the tool's arguments.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>, role: Role) -> Self {
        self.keys.push((key.into(), role));
        self
    }

    /// Returns the access to the tool's paths.
    pub(super) fn access(&self) -> Access {
        self.nature.access.unwrap_or(match self.nature.kind {
            ToolKind::Read => Access::Read,
            ToolKind::Search => Access::List,
            ToolKind::Delete => Access::Delete,
            // Assume the worst of an unknown tool.
            _ => Access::Write,
        })
    }

    /// Returns the meaning of an argument.
    pub(super) fn role(&self, argument: &Argument<'_>) -> Option<Role> {
        if let Some((_, role)) = self.keys.iter().find(|(key, _)| *key == argument.written_key) {
            return Some(*role);
        }
        let is = |known: &[&str]| known.contains(&argument.key.as_ref());
        let path = || (is(keys::PATH) || is(keys::PATH_OF_FILE_TOOL)).then(|| Role::Path(self.access()));
        match self.nature.kind {
            ToolKind::Shell if self.nature.is_typed_into => is(keys::TYPED).then_some(Role::Command),
            ToolKind::Shell if is(keys::COMMAND) || argument.key.is_empty() => Some(Role::Command),
            ToolKind::Shell if keys::is_command(&argument.key) => Some(Role::Command),
            ToolKind::Shell if is(keys::WORDS) => Some(Role::Words),
            ToolKind::Shell => is(keys::CWD).then_some(Role::Cwd),
            ToolKind::Write | ToolKind::Edit if is(keys::PATCH) => Some(Role::Patch),
            ToolKind::Write | ToolKind::Edit if self.nature.is_patch && is(keys::PATCH_OF_PATCH_TOOL) => {
                Some(Role::Patch)
            }
            ToolKind::Mcp | ToolKind::Other if is(keys::SURELY_COMMAND) => Some(Role::Command),
            ToolKind::Write | ToolKind::Edit | ToolKind::Mcp | ToolKind::Other if self.is_its_patch(argument) => {
                Some(Role::Patch)
            }
            ToolKind::Write | ToolKind::Edit if is(keys::TEXT) => Some(Role::Text),
            // The agents' own tools drop a key that they do not know, but this may be another tool with the same name.
            ToolKind::Write | ToolKind::Edit => {
                path().or_else(|| (argument.is_text && patch::names_files(&argument.text)).then_some(Role::Patch))
            }
            // The argument is the whole input, or an item of a list that is the whole input.
            ToolKind::Read | ToolKind::Delete if argument.key.is_empty() => Some(Role::Path(self.access())),
            ToolKind::Search if argument.key == "pattern" && self.access() == Access::List => Some(Role::Pattern),
            ToolKind::Search | ToolKind::Read if is(keys::FILTER) => Some(Role::Pattern),
            ToolKind::Read if argument.key == "pattern" => Some(Role::Pattern),
            ToolKind::Read | ToolKind::Delete | ToolKind::Search => path(),
            ToolKind::Fetch if is(keys::URL) => Some(Role::Url),
            ToolKind::Fetch => is(keys::QUERY).then_some(Role::Query),
            ToolKind::Mcp | ToolKind::Other if keys::is_command(&argument.key) => Some(Role::Command),
            ToolKind::Mcp | ToolKind::Other if is(keys::WORDS) => Some(Role::Words),
            ToolKind::Mcp | ToolKind::Other if is(keys::PATCH) => Some(Role::Patch),
            ToolKind::Mcp | ToolKind::Other if is(keys::TEXT) => Some(Role::Text),
            ToolKind::Mcp | ToolKind::Other => {
                let is_path = is(keys::PATH) || is(keys::PATH_OF_FILE_TOOL) && looks_like_path(&argument.text);
                is_path.then(|| Role::Path(self.access()))
            }
            ToolKind::Agent => None,
        }
    }

    /// Returns whether an argument of a patch tool is a patch: a long text, unless its key says that it is something
    /// else, or a text that names files as a patch does.
    fn is_its_patch(&self, argument: &Argument<'_>) -> bool {
        let key = argument.key.as_ref();
        let is_other = || [keys::PATH, keys::CWD, keys::PROSE].iter().any(|keys| keys.contains(&key));
        let is_long = || argument.text.contains('\n') || argument.text.trim_start().starts_with(['{', '[', '"']);
        let is_text = self.nature.is_patch && argument.is_text;
        is_text && (is_long() && !is_other() || patch::names_files(&argument.text))
    }

    /// Changes the kind of an editor that also views and creates files, according to its `command`.
    pub(super) fn follow_subcommand(&mut self, arguments: &[Argument<'_>]) {
        let writes = arguments
            .iter()
            .any(|argument| [keys::TEXT, keys::PATCH].iter().any(|known| known.contains(&argument.key.as_ref())));
        let subcommand = arguments.iter().find(|argument| self.nature.has_subcommand && argument.key == "command");
        match subcommand.filter(|argument| command::is_editor_command(argument)).map(|argument| argument.text.as_ref())
        {
            // A tool that ignores `command` would write the text.
            Some("view") if !writes => self.nature.kind = ToolKind::Read,
            Some("create" | "write") => {
                (self.nature.kind, self.nature.access) = (ToolKind::Write, Some(Access::Create));
            }
            _ => {}
        }
    }
}

/// Returns whether a text that could be anything, such as the `source` of an unknown tool, looks like a path.
fn looks_like_path(text: &str) -> bool {
    let has_extension = || {
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        text.contains('.') && text.chars().all(name) && text.contains(|c: char| c.is_ascii_alphabetic())
    };
    text.starts_with(['.', '~']) || text.contains(['/', '\\']) || has_extension()
}

/// Similar tools, under the agents' names for them.
struct Group {
    nature: Nature,
    names: &'static [&'static str],
}

const PLAIN: Nature = Nature::of(ToolKind::Other);

/// The agents' tools. A name has the same meaning for every agent that uses it.
const GROUPS: &[Group] = &[
    Group {
        nature: Nature { kind: ToolKind::Shell, ..PLAIN },
        names: &[
            "Bash",
            "PowerShell",
            "Shell",
            "Execute",
            "bash",
            "powershell",
            "shell",
            "exec",
            "exec_command",
            "execute_command",
            "local_shell",
            "run_command",
            "run_in_terminal",
            "run_shell_command",
            "run_terminal_command",
            "developer__shell",
            "Monitor",
        ],
    },
    Group { nature: Nature { kind: ToolKind::Shell, has_own_shells: true, ..PLAIN }, names: &["run_commands"] },
    Group {
        nature: Nature { kind: ToolKind::Shell, is_typed_into: true, ..PLAIN },
        names: &["write_bash", "write_powershell", "write_stdin"],
    },
    Group {
        nature: Nature { kind: ToolKind::Read, ..PLAIN },
        names: &[
            "Read",
            "read",
            "view",
            "show_file",
            "read_file",
            "read_files",
            "read_many_files",
            "view_file",
            "readFile",
            "NotebookRead",
        ],
    },
    Group {
        nature: Nature { kind: ToolKind::Write, ..PLAIN },
        names: &["Write", "write", "write_file", "write_to_file"],
    },
    Group {
        nature: Nature { kind: ToolKind::Write, access: Some(Access::Create), ..PLAIN },
        names: &["Create", "create", "createFile", "create_file"],
    },
    Group {
        nature: Nature { kind: ToolKind::Edit, ..PLAIN },
        names: &[
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "edit",
            "editFiles",
            "edit_file",
            "multiedit",
            "replace",
            "replace_in_file",
            "replace_file_content",
        ],
    },
    Group {
        nature: Nature { kind: ToolKind::Edit, has_subcommand: true, ..PLAIN },
        names: &[
            "editor",
            "str_replace_editor",
            "str_replace_based_edit_tool",
            "text_editor",
            "developer__text_editor",
        ],
    },
    Group {
        nature: Nature { kind: ToolKind::Edit, is_patch: true, ..PLAIN },
        names: &["ApplyPatch", "apply_patch", "patch"],
    },
    Group {
        nature: Nature { kind: ToolKind::Delete, ..PLAIN },
        names: &["Delete", "delete", "delete_file", "deleteFile"],
    },
    Group {
        nature: Nature { kind: ToolKind::Search, ..PLAIN },
        names: &["Glob", "LS", "glob", "list", "list_directory", "list_dir", "list_files", "ls"],
    },
    Group {
        nature: Nature { kind: ToolKind::Search, access: Some(Access::Read), ..PLAIN },
        names: &["Grep", "grep", "rg", "grep_search", "search_codebase", "search_files", "search_file_content"],
    },
    Group {
        nature: Nature { kind: ToolKind::Fetch, ..PLAIN },
        names: &[
            "WebFetch",
            "FetchUrl",
            "WebSearch",
            "fetch_web_content",
            "web_fetch",
            "web_search",
            "webfetch",
            "websearch",
            "google_web_search",
            "fetch",
        ],
    },
    Group {
        nature: Nature { kind: ToolKind::Agent, ..PLAIN },
        names: &["Agent", "Task", "agent", "task", "spawn_agent", "invoke_subagent", "runSubagent"],
    },
    Group {
        nature: Nature { is_inward: true, ..PLAIN },
        names: &[
            "AskUserQuestion",
            "BashOutput",
            "EnterPlanMode",
            "ExitPlanMode",
            "KillBash",
            "KillShell",
            "TodoRead",
            "TodoWrite",
            "ask_user",
            "read_bash",
            "read_powershell",
            "report_intent",
            "stop_bash",
            "stop_powershell",
            "think",
            "todoread",
            "todowrite",
            "update_plan",
            "write_todos",
        ],
    },
];

/// The known tools: those of the agents, and those that a user adds.
#[derive(Clone, Debug, Default)]
pub struct Tools(Vec<(String, String, Spec)>);

impl Tools {
    /// The name that means every agent.
    pub const ANY_AGENT: &str = "any";

    /// The names of the agents that hookbox knows, and [`ANY_AGENT`](Self::ANY_AGENT).
    pub const AGENTS: &[&str] = &[
        "claude",
        "codex",
        "gemini",
        "copilot",
        "cursor",
        "qwen",
        "droid",
        "cline",
        "opencode",
        "generic-claude",
        Self::ANY_AGENT,
    ];

    /// Adds a tool of an agent, replacing a known tool with that name.
    pub fn add(&mut self, agent: impl Into<String>, name: impl Into<String>, spec: Spec) {
        self.0.push((agent.into(), name.into(), spec));
    }

    /// Returns whether no tools were added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds all of these tools.
    pub(crate) fn extend(&mut self, more: &Tools) {
        self.0.extend_from_slice(&more.0);
    }

    /// Looks up a tool.
    pub(super) fn spec(&self, agent: Option<&str>, name: &str) -> Option<Spec> {
        let known = || Some(Spec { nature: group(name)?.nature, keys: Vec::new() });
        self.added(agent, name).cloned().or_else(known)
    }

    /// Returns whether this is one of the agents' tools that the user has not described differently.
    pub(super) fn is_built_in(&self, agent: Option<&str>, name: &str) -> bool {
        self.added(agent, name).is_none() && group(name).is_some()
    }

    fn added(&self, agent: Option<&str>, name: &str) -> Option<&Spec> {
        let is_for = |known: &str| known == Self::ANY_AGENT || Some(known) == agent;
        self.0.iter().rev().find(|(known, tool, _)| tool == name && is_for(known)).map(|(_, _, spec)| spec)
    }

    /// Returns the names by which a hook's `match` may refer to a tool, whatever the agent calls it.
    pub(crate) fn aliases(&self, agent: Option<&str>, name: &str) -> &'static [&'static str] {
        let added = self.added(agent, name).map(|spec| spec.nature);
        match added.or_else(|| Some(group(name)?.nature)).map(|nature| nature.kind) {
            Some(ToolKind::Shell) => &["bash", "shell"],
            Some(ToolKind::Read) => &["read"],
            Some(ToolKind::Write) => &["write", "edit"],
            Some(ToolKind::Edit) => &["edit", "write"],
            Some(ToolKind::Delete) => &["delete"],
            Some(ToolKind::Search) => &["search"],
            Some(ToolKind::Fetch) => &["fetch"],
            Some(ToolKind::Agent) => &["agent"],
            Some(ToolKind::Mcp | ToolKind::Other) | None => &[],
        }
    }
}

fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::GROUPS;
    use std::collections::HashSet;

    /// If a name were in two groups, the first would silently win.
    #[test]
    fn a_name_is_in_one_group() {
        let mut known = HashSet::new();
        let mut names = GROUPS.iter().flat_map(|group| group.names);
        assert_eq!(names.find(|name| !known.insert(**name)), None);
    }
}
