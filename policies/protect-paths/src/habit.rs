//! Guesses from the name of an unknown tool what the tool does with paths.
//!
//! A name counts as reading only if all of it means reading: `search_and_replace`, `getOrCreateFile` and `readwrite`
//! write.

/// The apparent effect of a tool on its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// The effect that the facts state.
    Known,
    /// The tool reads.
    Reads,
    /// The tool's paths may belong to a service rather than to files.
    Elsewhere,
}

/// Verbs that read.
const READS: &[&str] =
    &["describe", "fetch", "find", "get", "grep", "list", "query", "read", "search", "show", "stat", "tree", "view"];

/// Objects that may follow a verb in the same word: `readfile`, `listdir`.
const OBJECTS: &[&str] = &[
    "all",
    "code",
    "content",
    "contents",
    "dir",
    "directories",
    "directory",
    "dirs",
    "doc",
    "docs",
    "file",
    "files",
    "folder",
    "folders",
    "info",
    "item",
    "items",
    "lines",
    "many",
    "multiple",
    "one",
    "path",
    "paths",
    "resource",
    "resources",
    "s",
    "source",
    "text",
];

/// Words in the names of tools whose paths are paths of files.
const FILES: &[&str] = &[
    "copy", "delete", "dir", "download", "edit", "file", "folder", "move", "patch", "remove", "rename", "replace",
    "save", "write",
];

/// Verbs that change something, at any position in a name.
const CHANGES: &[&str] = &[
    "add",
    "alter",
    "append",
    "apply",
    "assign",
    "change",
    "chmod",
    "chown",
    "clean",
    "clear",
    "copy",
    "create",
    "delete",
    "destroy",
    "discard",
    "download",
    "drop",
    "edit",
    "empty",
    "erase",
    "exec",
    "execute",
    "fix",
    "flush",
    "inject",
    "insert",
    "install",
    "make",
    "mkdir",
    "modify",
    "move",
    "mutate",
    "overwrite",
    "patch",
    "persist",
    "prepend",
    "purge",
    "put",
    "refactor",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "revert",
    "rewrite",
    "rm",
    "rollback",
    "save",
    "set",
    "store",
    "substitute",
    "sync",
    "touch",
    "trash",
    "truncate",
    "uninstall",
    "unlink",
    "unset",
    "update",
    "upload",
    "upsert",
    "wipe",
    "write",
];

/// Verbs that can also be nouns. They count only at the beginning of a name, or after `and` and similar words.
const MAYBE: &[&str] = &[
    "archive",
    "build",
    "close",
    "commit",
    "compile",
    "compress",
    "convert",
    "extract",
    "export",
    "format",
    "generate",
    "import",
    "init",
    "link",
    "lock",
    "log",
    "mark",
    "merge",
    "post",
    "publish",
    "pull",
    "push",
    "render",
    "run",
    "send",
    "sort",
    "start",
    "stop",
    "tag",
    "transform",
];

/// Words that may connect two verbs.
const AND: &[&str] = &["and", "else", "n", "or", "then"];

/// Verbs that examine what was read.
const LOOKS: &[&str] = &[
    "analyse",
    "analyze",
    "check",
    "compare",
    "count",
    "diff",
    "explain",
    "filter",
    "inspect",
    "parse",
    "preview",
    "print",
    "rank",
    "return",
    "scan",
    "summarise",
    "summarize",
    "validate",
    "verify",
];

pub(crate) fn habit(tool: &str) -> Habit {
    let words = words(tool);
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let tool = tool.to_ascii_lowercase();
    let reads = all.first().is_some_and(|word| is_reading(word)) || all.last().is_some_and(|word| READS.contains(word));
    match () {
        () if reads && !changes(&all) => Habit::Reads,
        () if FILES.iter().any(|word| tool.contains(word)) => Habit::Known,
        () => Habit::Elsewhere,
    }
}

/// Whether a word is a verb that reads, with or without an object.
fn is_reading(word: &str) -> bool {
    READS.iter().filter_map(|verb| word.strip_prefix(verb)).any(|rest| rest.is_empty() || OBJECTS.contains(&rest))
}

/// Whether one of the words means that something is changed.
fn changes(words: &[&str]) -> bool {
    let is_change = |(at, word): (usize, &&str)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_second = before.is_some_and(|before| AND.contains(before));
        // In `get_or_init`, a word after another verb is a verb.
        let is_verb = is_second && at.checked_sub(2).and_then(|at| words.get(at)).is_some_and(|verb| is_reading(verb));
        CHANGES.contains(word)
            || (at == 0 || is_second) && MAYBE.contains(word)
            || is_verb && !is_reading(word) && !LOOKS.contains(word)
            || holds_change(word)
    };
    words.iter().enumerate().any(is_change)
}

/// Whether a word without separators is made of several words, of which one changes something: `searchreplace`,
/// `getorcreate`.
fn holds_change(word: &str) -> bool {
    let rests = READS.iter().filter_map(|verb| word.strip_prefix(verb));
    let rests = rests.map(|rest| AND.iter().find_map(|and| rest.strip_prefix(and)).unwrap_or(rest));
    let begins = |rest: &str| CHANGES.iter().any(|verb| rest == *verb || verb.len() > 4 && rest.starts_with(verb));
    rests.into_iter().any(begins)
}

/// Returns the words of a name, in lower case. `getOrCreate`, `get-or-create` and `get_or_create` have the same words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        // In `readHTTPWrite`, the last capital of `HTTPW` begins the next word.
        let is_next = before.is_uppercase() && rest.peek().is_some_and(|next| next.is_lowercase());
        let begins = c.is_uppercase() && (!before.is_uppercase() || is_next);
        if !c.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{Habit, habit, words};

    #[test]
    fn a_name_with_a_verb_that_changes_is_no_reading() {
        for name in [
            "searchAndReplace",
            "search-and-replace",
            "find_and_fix",
            "findOneAndUpdate",
            "getOrCreateFile",
            "get_or_init",
            "listAndRemove",
            "readWrite",
            "readWriteFile",
            "readwritefile",
            "searchreplace",
            "getset",
            "getorcreate",
            "query_exec",
            "show_truncate",
            "add_to_list",
            "export_tree",
            "readability",
        ] {
            assert_ne!(habit(name), Habit::Reads, "{name}");
        }
    }

    #[test]
    fn a_name_that_only_reads_is_one() {
        for name in [
            "read_file",
            "readFile",
            "readfile",
            "ReadFile",
            "get_commit",
            "get_post",
            "list_updates",
            "getSettings",
            "list_deleted_files",
            "search_and_summarize",
            "list_files_and_folders",
            "listDir",
            "code_search",
            "directory_tree",
            "describe-table",
            "fetchAll",
        ] {
            assert_eq!(habit(name), Habit::Reads, "{name}");
        }
    }

    #[test]
    fn all_spellings_have_the_same_words() {
        for name in ["getOrCreate", "get_or_create", "get-or-create", "Get.Or Create", "get__orCreate"] {
            assert_eq!(words(name), ["get", "or", "create"], "{name}");
        }
        assert_eq!(words("readHTTPWrite"), ["read", "http", "write"]);
    }
}
