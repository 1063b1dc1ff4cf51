//! The paths of a call that the facts may lack.

use hookbox_sdk::{Tool, ToolKind};

/// The beginnings of hookbox's notes that it has not looked at a path of a call.
const LIMITS: [&str; 6] = [
    "an input that is JSON in a string",
    "more paths than are looked at",
    "more texts than are looked at",
    "a path that no file can have",
    "where the links of a path lead",
    "which files a pattern is for",
];

/// Returns why the facts may lack a path of a call, or `None` if the facts have all paths that hookbox could find.
///
/// Reaching a limit never means that the rest is harmless: a caller that fills a list up to its limit chooses what
/// comes after it.
#[must_use]
pub fn unread_paths(tool: &Tool) -> Option<&str> {
    let of_files =
        matches!(tool.kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Delete | ToolKind::Search);
    // If this user has no right to read a path, neither has a program of this user.
    let is_limit =
        |what: &str| LIMITS.iter().any(|limit| what.starts_with(limit)) && !what.ends_with("for lack of rights");
    let is_missing = |what: &str| of_files && (what == "which files" || what.ends_with("which is not a text"));
    let mut unknown = tool.unknown.iter().map(String::as_str);
    match unknown.find(|what| is_limit(what) || is_missing(what)) {
        Some(what) => Some(what),
        None if of_files && !tool.complete && tool.unknown.is_empty() => Some("a part of the call"),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_no_end() {
        for (kind, what, is_unread) in [
            (ToolKind::Read, "more paths than are looked at", true),
            (ToolKind::Read, "which files", true),
            (ToolKind::Read, "`path`, which is not a text", true),
            (ToolKind::Read, "", true),
            (ToolKind::Read, "the directory that relative paths start from", false),
            (ToolKind::Mcp, "more texts than are looked at, which may be paths", true),
            (ToolKind::Mcp, "what the tool does with its arguments", false),
            (ToolKind::Mcp, "`file`, which is not a text", false),
            (ToolKind::Mcp, "", false),
        ] {
            let mut tool = Tool::new(kind);
            assert_eq!(unread_paths(&tool), None);
            tool.complete = false;
            tool.unknown.extend(Some(what.to_owned()).filter(|what| !what.is_empty()));
            assert_eq!(unread_paths(&tool).is_some(), is_unread, "{kind:?} {what}");
        }
    }
}
