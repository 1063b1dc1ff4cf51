//! The parts of a tool call that could not be determined.

use hookbox_sdk::Tool;

/// The beginnings of hookbox's notes that it cannot follow a path of a command. That path is also in the command's own
/// `files`.
const ABOUT_PATHS: [&str; 2] = ["a path that the command makes up", "the directory that relative paths start from"];

/// Returns what could not be determined about a call, except for the paths of its commands: `cat $FILE` only runs
/// `cat`, whatever the file is. This is for policies that check the files of each command themselves.
#[must_use]
pub fn unknown_but_paths(tool: &Tool) -> Option<&str> {
    all_unknown_but_paths(tool).next()
}

/// Returns all that [`unknown_but_paths`] could return. A policy to which some of it does not matter must not take the
/// first alone: what matters may come after it.
pub fn all_unknown_but_paths(tool: &Tool) -> impl Iterator<Item = &str> {
    let is_about_paths = |what: &&str| ABOUT_PATHS.iter().any(|about| what.starts_with(about));
    let others = tool.unknown.iter().map(String::as_str).filter(move |what| !is_about_paths(what));
    others.chain((!tool.complete && tool.unknown.is_empty()).then_some("a part of the call"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox_sdk::ToolKind;

    #[test]
    fn a_path_is_no_command() {
        let mut tool = Tool::new(ToolKind::Shell);
        assert_eq!(unknown_but_paths(&tool), None);
        tool.complete = false;
        assert_eq!(unknown_but_paths(&tool), Some("a part of the call"));
        tool.unknown.push("a path that the command makes up: $FILE".to_owned());
        assert_eq!(unknown_but_paths(&tool), None);
        tool.unknown.push("which program `$CMD` is".to_owned());
        assert_eq!(unknown_but_paths(&tool), Some("which program `$CMD` is"));
    }
}
