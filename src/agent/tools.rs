//! What the agents call their tools.
//!
//! A hook with `match = "bash"` is meant for the tool that runs commands, whatever the agent calls it. So it is asked
//! about all of these names. Being asked too often is no harm: a hook looks at the tool's input itself.

/// The agents' names for a tool, with those by which hooks may call it.
const TOOLS: [(&[&str], &[&str]); 8] = [
    (
        &[
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
            "run_commands",
            "run_in_terminal",
            "run_shell_command",
            "run_terminal_command",
            "developer__shell",
            "write_bash",
            "write_powershell",
            "write_stdin",
        ],
        &["bash", "shell"],
    ),
    (
        &["Read", "read", "view", "show_file", "read_file", "read_files", "read_many_files", "view_file", "readFile"],
        &["read"],
    ),
    (&["Write", "Create", "write", "create", "createFile", "write_file", "write_to_file"], &["write", "edit"]),
    (
        &[
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "ApplyPatch",
            "edit",
            "editor",
            "editFiles",
            "apply_patch",
            "replace",
            "replace_in_file",
            "replace_file_content",
            "str_replace_editor",
        ],
        &["edit", "write"],
    ),
    (&["Delete", "delete", "delete_file"], &["delete"]),
    (
        &["Glob", "Grep", "LS", "glob", "grep", "rg", "list", "list_directory", "grep_search", "search_files"],
        &["search"],
    ),
    (
        &["WebFetch", "FetchUrl", "WebSearch", "web_fetch", "webfetch", "websearch", "google_web_search", "fetch"],
        &["fetch"],
    ),
    (&["Agent", "Task", "task", "spawn_agent", "invoke_subagent", "runSubagent"], &["agent"]),
];

/// The names by which hooks may call this tool of an agent's.
pub(super) fn aliases(tool: &str) -> &'static [&'static str] {
    TOOLS.iter().find(|(names, _)| names.contains(&tool)).map_or(&[], |(_, aliases)| aliases)
}
