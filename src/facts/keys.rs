//! The agents' names for the arguments of their tools.

use crate::protocol::Access;
use std::borrow::Cow;

/// The meaning of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A command, or a list of its words.
    Command,
    /// The words after a command.
    Words,
    /// The directory that the tool runs in.
    Cwd,
    /// A path.
    Path(Access),
    /// A pattern of paths.
    Pattern,
    /// A text that is written into a file.
    Text,
    /// A patch.
    Patch,
    /// A URL.
    Url,
    /// A query for a search on the network.
    Query,
}

/// Keys of a command. Like all keys here, they are in lower case and without `_` and `-`.
pub(super) const COMMAND: &[&str] =
    &["command", "cmd", "commandline", "shellcommand", "commands", "argv", "script", "code", "shellscript"];

/// Keys of a command for any tool: no other argument has these names.
pub(super) const SURELY_COMMAND: &[&str] =
    &["command", "cmd", "commandline", "shellcommand", "commands", "argv", "shellscript"];

/// The endings of other keys of commands: `bash_command`, `cmdline`.
const ENDS_OF_COMMAND: &[&str] = &["command", "cmd", "commandline", "cmdline", "commandstring", "commandtext"];

/// Returns whether an argument with this key is a command, whatever the tool.
pub(super) fn is_command(key: &str) -> bool {
    let is_other = key.ends_with("subcommand") || key.ends_with("subcmd");
    SURELY_COMMAND.contains(&key) || !is_other && ENDS_OF_COMMAND.iter().any(|end| key.ends_with(end))
}

/// Keys of the input of a command.
pub(super) const STDIN: &[&str] = &["stdin", "input", "standardinput", "stdininput", "inputtext", "inputdata"];

/// Keys of lists of whole commands, rather than of the words of one command.
pub(super) const MANY_COMMANDS: &[&str] = &["commands"];

/// Keys of text that is typed into a running program.
pub(super) const TYPED: &[&str] = &["chars", "input", "text", "keys", "command"];

/// Keys of the words after a command.
pub(super) const WORDS: &[&str] = &["args", "arguments"];

/// Keys of the directory that a command runs in.
pub(super) const CWD: &[&str] =
    &["cwd", "workdir", "workingdirectory", "workingdir", "currentdirectory", "directory", "dirpath", "dir"];

/// Keys of paths, for any tool.
pub(super) const PATH: &[&str] = &[
    "absolutepath",
    "destinationpath",
    "dir",
    "directory",
    "directorypath",
    "dirpath",
    "file",
    "filename",
    "filepath",
    "filepaths",
    "files",
    "folder",
    "newpath",
    "notebookpath",
    "oldpath",
    "outputfile",
    "outputpath",
    "path",
    "paths",
    "relativepath",
    "searchdirectory",
    "searchpath",
    "sourcepath",
    "targetdirectory",
    "targetfile",
    "targetpath",
    "targets",
    "uri",
];

/// Keys of paths, for file tools. Other tools may mean something else by them.
pub(super) const PATH_OF_FILE_TOOL: &[&str] = &["destination", "dest", "dst", "from", "source", "src", "target", "to"];

/// Keys of patterns of the files that a tool searches or reads.
pub(super) const FILTER: &[&str] = &[
    "fileglob",
    "fileglobs",
    "filefilter",
    "filemask",
    "filenamepattern",
    "filepattern",
    "filepatterns",
    "filetypes",
    "glob",
    "globpattern",
    "globpatterns",
    "globs",
    "iglob",
    "include",
    "included",
    "includedfiles",
    "includefiles",
    "includeglob",
    "includeglobs",
    "includepath",
    "includepaths",
    "includepattern",
    "includepatterns",
    "includes",
    "pathpattern",
    "pathpatterns",
    "patterns",
];

/// Keys of texts that are written.
pub(super) const TEXT: &[&str] = &[
    "body",
    "codecontent",
    "codeedit",
    "content",
    "contents",
    "filetext",
    "insert",
    "inserttext",
    "newcontent",
    "newsource",
    "newstr",
    "newstring",
    "newtext",
    "replacement",
    "replacementcontent",
    "text",
];

/// Keys of patches.
pub(super) const PATCH: &[&str] = &["diff", "diffs", "patch", "patches", "patchtext", "unifieddiff"];

/// Keys of the patch of a tool that only applies patches. The empty key is that of a patch that is the whole input.
pub(super) const PATCH_OF_PATCH_TOOL: &[&str] = &["", "command", "input", "patchcontent"];

/// Keys of texts that say what a call is for.
pub(super) const PROSE: &[&str] = &["description", "explanation", "justification", "reason", "summary", "title"];

/// Keys of URLs.
pub(super) const URL: &[&str] = &["link", "uri", "url", "urls"];

/// Keys of search terms.
pub(super) const QUERY: &[&str] = &["prompt", "q", "queries", "query", "searchterm"];

/// Returns a key, spelled as in these lists.
pub(super) fn plain<'a>(key: &Cow<'a, str>) -> Cow<'a, str> {
    if key.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return key.clone();
    }
    Cow::Owned(key.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect())
}
