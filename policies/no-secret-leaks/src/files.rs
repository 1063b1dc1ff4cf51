//! Files that a tool reads itself, without a command.

use crate::reads::{NAMES, Reading, tell};
use crate::stores::{Class, class_of_directory, is};
use hookbox_policy::{Command, Findings, GLOB};
use hookbox_sdk::{Access, Tool, ToolKind, ToolPath};

/// The paths that the tool itself has, and not a command.
pub(crate) fn judge(commands: &[Command], tool: &Tool, reading: &Reading, found: &mut Findings) {
    let is_known = match tool.kind {
        ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Shell => true,
        // What tools of others do with a path is not known.
        ToolKind::Mcp | ToolKind::Other => false,
        _ => return,
    };
    let files: Vec<(&str, Access)> = commands
        .iter()
        .flat_map(|command| &command.facts.files)
        .map(|file| (file.path.written(), file.access))
        .collect();
    for path in &tool.paths {
        if !path.certain {
            possible(path, reading, found);
            continue;
        }
        if files.contains(&(path.as_written.as_str(), path.access)) {
            continue;
        }
        let class = match tool.kind {
            ToolKind::Read | ToolKind::Search => class_of_pattern(path, reading),
            _ => reading.class_of_path(path),
        };
        if let Some(class) = class.filter(|class| *class != Class::Send && (path.access == Access::Read || !is_known)) {
            tell(class, &path.as_written, "the tool", reading, found);
        }
    }
    // A search through a store shows what is in it.
    if tool.kind == ToolKind::Search {
        for path in tool.paths.iter().filter(|path| path.certain) {
            let above = path.path.rsplit_once('/').filter(|(_, name)| name.contains('*')).map(|(above, _)| above);
            let directories = [Some(path.path.as_str()), path.real.as_deref(), above];
            let class = directories.into_iter().flatten().find_map(class_of_directory);
            if let Some(class) = class {
                tell(class, &path.as_written, "the tool", reading, found);
            }
        }
    }
}

/// A text that may be a path is a question where the path would be one, or denied.
fn possible(path: &ToolPath, reading: &Reading, found: &mut Findings) {
    let class = class_of_pattern(path, reading);
    let text = path.as_written.as_str();
    // `credentials` is a word, too, `process.env` is code, and `user.key` a member.
    let is_name = !text.contains(['/', '\\', '~']);
    let is_word = is_name && !text.contains('.');
    let is_member = is_name && !text.starts_with(['.', '*']) && (text.ends_with(".env") || text.ends_with(".key"));
    match class {
        Some(Class::Deny) => {}
        Some(Class::Ask) if !is_word && !is_member => {}
        _ => return,
    }
    found.ask(format!(
        "the tool may read {text}, where secrets are kept; if that is no file or may be read, add it to `readable`"
    ));
}

/// How secret what a search or a reading of many files shows: their paths may be patterns.
fn class_of_pattern(path: &ToolPath, reading: &Reading) -> Option<Class> {
    let plain = reading.class_of_path(path);
    let (directory, name) = path.path.rsplit_once('/').unwrap_or(("", &path.path));
    if !path.path.contains(['*', '?', '[']) {
        return plain;
    }
    let marked = marked(&path.path);
    // Unlike in a shell, a wildcard may stand for the dot of a hidden file.
    let spelled = name.chars().filter(|c| c.is_alphanumeric()).count();
    let is_told = |known: &&&str| spelled >= 2 && spelled * 2 >= known.len() - 1;
    let name = name.to_lowercase().replace('?', "*");
    let hidden = NAMES.iter().filter(is_told).filter(|known| is(&name, known));
    let hidden = hidden.filter_map(|known| reading.class(&format!("{directory}/{known}"))).max();
    plain.max(reading.class_of_text(&marked)).max(hidden)
}

/// A pattern for files with a mark for each wildcard.
fn marked(pattern: &str) -> String {
    let mut marked = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut after = rest.get(c.len_utf8()..).unwrap_or_default();
        let end = after.find(']').filter(|end| c == '[' && *end > 0);
        after = end.and_then(|end| after.get(end + 1..)).unwrap_or(after);
        marked.push(if matches!(c, '*' | '?') || end.is_some() { GLOB } else { c });
        rest = after;
    }
    marked
}
