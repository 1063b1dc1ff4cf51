//! Files that the tool itself reads, rather than a command.

use crate::patterns::NAMES;
use crate::reads::{Reading, tell};
use crate::stores::{Class, class_of_directory, is};
use hookbox_policy::{Command, Findings, GLOB};
use hookbox_sdk::{Access, Tool, ToolKind, ToolPath};

/// Judges the paths that the tool itself uses, rather than a command.
pub(crate) fn judge(commands: &[Command], tool: &Tool, reading: &Reading, found: &mut Findings) {
    let is_known = match tool.kind {
        ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Shell => true,
        // It is not known what third-party tools do with a path.
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
    // A tool that takes a directory as a file may show everything in it, as a search does. A command is judged by what
    // it does.
    if tool.kind != ToolKind::Shell {
        for path in tool.paths.iter().filter(|path| path.certain) {
            // A third-party tool may do something else with the path.
            let most = if is_known { Class::Deny } else { Class::Ask };
            if let Some(class) = class_as_directory(path) {
                tell(class.min(most), &path.as_written, "the tool", reading, found);
            }
        }
    }
}

/// Returns the class of the files in a directory, or in the directory of a pattern.
fn class_as_directory(path: &ToolPath) -> Option<Class> {
    let above = path.path.rsplit_once('/').filter(|(_, name)| name.contains('*')).map(|(above, _)| above);
    let directories = [Some(path.path.as_str()), path.real.as_deref(), above];
    directories.into_iter().flatten().find_map(class_of_directory)
}

/// Asks about a text that may be a path, if the path would be asked about or denied.
fn possible(path: &ToolPath, reading: &Reading, found: &mut Findings) {
    let text = path.as_written.as_str();
    let has_directory = text.contains(['/', '\\', '~', '.']);
    let class = class_of_pattern(path, reading).max(class_as_directory(path).filter(|_| has_directory));
    match class {
        Some(Class::Deny) => {}
        // `.*` is more likely to be a part of a regular expression.
        Some(Class::Ask) if may_be_path(text) && text.rsplit('/').next() != Some(".*") => {}
        _ => return,
    }
    found.ask(format!(
        "the tool may read {text}, where secrets are kept; if that is no file or may be read, add it to `readable`"
    ));
}

/// Whether a text that could name a file is more likely to be a path than something else: `credentials` is also a word,
/// `process.env` is code, and `user.key` is a member.
pub(crate) fn may_be_path(text: &str) -> bool {
    let is_name = !text.contains(['/', '\\', '~']);
    let is_word = is_name && !text.contains(['.', '*', '?', '[', GLOB]);
    let is_member =
        is_name && !text.starts_with(['.', '*', GLOB]) && (text.ends_with(".env") || text.ends_with(".key"));
    !is_word && !is_member
}

/// Returns the class of the files that a search or a tool that reads many files shows. Their paths may be patterns.
fn class_of_pattern(path: &ToolPath, reading: &Reading) -> Option<Class> {
    reading.class_of_path(path).max(class_of_found(&path.path, reading))
}

/// Returns the class of the files that a program finds by its own pattern. Unlike in a shell, a wildcard may match the
/// dot of a hidden file.
pub(crate) fn class_of_found(pattern: &str, reading: &Reading) -> Option<Class> {
    if !pattern.contains(['*', '?', '[', GLOB]) {
        return reading.class_of_text(pattern);
    }
    let marked = marked(pattern);
    let (directory, name) = marked.rsplit_once('/').unwrap_or(("", &marked));
    let spelled = name.chars().filter(|c| c.is_alphanumeric()).count();
    let is_told = |known: &&&str| spelled >= 2 && spelled * 2 >= known.len() - 1;
    let name = name.to_lowercase().replace(GLOB, "*");
    let hidden = NAMES.iter().filter(is_told).filter(|known| is(&name, known));
    let hidden = hidden.filter_map(|known| reading.class(&format!("{directory}/{known}"))).max();
    reading.class_of_text(&marked).max(hidden)
}

/// Returns where a class of characters ends: at the first `]` that is neither its first character nor part of a
/// `[:name:]` in it.
fn class_end(class: &str) -> Option<usize> {
    let mut at = usize::from(class.starts_with(['!', '^']));
    at += usize::from(class.get(at..)?.starts_with(']'));
    loop {
        let rest = class.get(at..)?;
        match (rest.find(']')?, rest.find("[:")) {
            (end, Some(name)) if name < end => at += rest.find(":]")? + 2,
            (end, _) => return Some(at + end).filter(|end| *end > 0),
        }
    }
}

/// Returns a pattern for files, with a mark in place of each wildcard.
pub(crate) fn marked(pattern: &str) -> String {
    let mut marked = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut after = rest.get(c.len_utf8()..).unwrap_or_default();
        let end = class_end(after).filter(|_| c == '[');
        after = end.and_then(|end| after.get(end + 1..)).unwrap_or(after);
        marked.push(if matches!(c, '*' | '?') || end.is_some() { GLOB } else { c });
        rest = after;
    }
    marked
}
