//! Patches: those of `apply_patch`, unified diffs, and search-and-replace blocks.

use crate::protocol::Access;

/// What a patch does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patch<'a> {
    /// The files that it touches, in order.
    pub(super) files: Vec<(&'a str, Access)>,
    /// The added lines of each file.
    pub(super) added: Vec<String>,
    /// Whether `files` are relative to a root that only the tool knows.
    pub(super) is_diff: bool,
    /// What could not be understood.
    pub(super) unknown: Option<&'static str>,
}

/// Reads a patch of any of the three forms.
pub(super) fn read(text: &str) -> Patch<'_> {
    if text.contains("*** Begin Patch") || text.contains("*** Add File:") || text.contains("*** Update File:") {
        return of_sections(text);
    }
    let is_line = |start: &str| text.lines().any(|line| line.starts_with(start));
    if is_line("+++ ") || is_line("diff --git ") {
        return unified(text);
    }
    if text.contains("<<<<<<<") && text.contains(">>>>>>>") || text.contains("------- SEARCH") {
        return blocks(text);
    }
    Patch { added: vec![text.to_owned()], unknown: Some("a patch in a form that is not known"), ..Patch::default() }
}

/// Collects added lines by file.
#[derive(Default)]
struct Added {
    done: Vec<String>,
    current: String,
}

impl Added {
    fn line(&mut self, line: &str) {
        self.current.push_str(line);
        self.current.push('\n');
    }

    fn end_file(&mut self) {
        if !self.current.is_empty() {
            self.done.push(std::mem::take(&mut self.current));
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.end_file();
        self.done
    }
}

/// `*** Begin Patch` with a section for each file.
fn of_sections(text: &str) -> Patch<'_> {
    const HEADS: [(&str, Access); 4] = [
        ("*** Add File:", Access::Create),
        ("*** Update File:", Access::Write),
        ("*** Delete File:", Access::Delete),
        ("*** Move to:", Access::Write),
    ];
    let mut patch = Patch::default();
    let mut added = Added::default();
    let mut is_inside = false;
    for line in text.lines() {
        // Patch tools differ in whether a header may be indented.
        let trimmed = line.trim();
        let head = HEADS.iter().find_map(|(head, access)| Some((trimmed.strip_prefix(head)?.trim(), *access)));
        if let Some((path, access)) = head {
            if trimmed.starts_with("*** Move to:") {
                // A moved file is deleted at its old path.
                patch.files.extend(patch.files.last().map(|(from, _)| (*from, Access::Delete)));
            } else {
                added.end_file();
            }
            patch.files.push((path, access));
            is_inside = true;
        } else if let Some(line) = line.strip_prefix('+') {
            added.line(line);
        } else if is_inside && !(line.is_empty() || line.starts_with([' ', '-', '@', '\\']) || is_mark(trimmed)) {
            patch.unknown = Some("a line of the patch");
        }
    }
    patch.added = added.finish();
    if patch.files.is_empty() {
        patch.unknown = Some("which files the patch changes");
    }
    patch
}

/// Whether a line is a marker of a patch. What follows the end marker is part of neither the patch nor the shell text.
fn is_mark(line: &str) -> bool {
    ["*** End Patch", "*** Begin Patch", "*** End of File"].contains(&line) || line == "EOF" || line == "PATCH"
}

fn unified(text: &str) -> Patch<'_> {
    let mut patch = Patch { is_diff: true, ..Patch::default() };
    let mut added = Added::default();
    let mut old = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("--- ") {
            old = file_of(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            added.end_file();
            match (old.take(), file_of(path)) {
                (None, Some(new)) => patch.files.push((new, Access::Create)),
                (Some(old), None) => patch.files.push((old, Access::Delete)),
                (Some(old), Some(new)) if old == new => patch.files.push((new, Access::Write)),
                (Some(old), Some(new)) => patch.files.extend([(old, Access::Delete), (new, Access::Write)]),
                (None, None) => patch.unknown = Some("which file the patch changes"),
            }
        } else if let Some(path) = line.strip_prefix("rename from ") {
            patch.files.push((path, Access::Delete));
        } else if let Some(path) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            patch.files.push((path, Access::Write));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            patch.unknown = Some("the content of a binary patch");
        } else if let Some(line) = line.strip_prefix('+') {
            added.line(line);
        }
    }
    patch.added = added.finish();
    patch
}

/// The file of a `---` or `+++` line; `None` for none.
fn file_of(path: &str) -> Option<&str> {
    let path = path.split('\t').next().unwrap_or(path).trim_matches('"');
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (!matches!(path, "/dev/null" | "dev/null")).then_some(path)
}

/// `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, in a file that another argument names.
fn blocks(text: &str) -> Patch<'_> {
    let mut added = Added::default();
    let mut replaces = false;
    for line in text.lines() {
        if line.starts_with("=======") {
            replaces = true;
        } else if line.starts_with(">>>>>>>") || line.starts_with("+++++++ REPLACE") {
            replaces = false;
            added.end_file();
        } else if replaces {
            added.line(line);
        }
    }
    Patch { added: added.finish(), is_diff: true, ..Patch::default() }
}
