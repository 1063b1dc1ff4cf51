//! Patches: those of `apply_patch`, unified diffs, and search-and-replace blocks.

mod diff;

use crate::protocol::Access;
use std::borrow::Cow;

/// What a patch does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patch<'a> {
    /// The files that it touches, in order.
    pub(super) files: Vec<(Cow<'a, str>, Access)>,
    /// The added lines of each file.
    pub(super) added: Vec<String>,
    /// Whether `files` are relative to a root that only the tool knows.
    pub(super) is_diff: bool,
    /// What could not be understood.
    pub(super) unknown: Option<&'static str>,
}

/// The description of a patch that has none of the known forms.
pub(super) const UNKNOWN_FORM: &str = "a patch in a form that is not known";

/// The beginnings of the lines that start a section of `apply_patch`.
const HEADS: [(&str, Access); 4] = [
    ("*** Add File:", Access::Create),
    ("*** Update File:", Access::Write),
    ("*** Delete File:", Access::Delete),
    ("*** Move to:", Access::Write),
];

/// Returns whether the name of an unknown tool says that it applies patches.
pub(super) fn is_applied_by(name: &str) -> bool {
    const NAMES: [&str; 7] = ["diffedit", "editdiff", "gitam", "gitapply", "patch", "patchfile", "patchfiles"];
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let has = |part: &str| plain.contains(part);
    NAMES.contains(&plain.as_str()) || has("apply") && (has("patch") || has("diff") || has("hunk"))
}

/// Returns whether the name of an unknown tool leaves open whether it writes a text or applies it as a patch.
pub(super) fn may_be_applied_by(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["apply", "diff", "edit", "patch"].iter().any(|word| name.contains(word))
}

/// Returns whether a text has the headers of a patch that names files.
pub(super) fn names_files(text: &str) -> bool {
    has_sections(text) || diff::is_one(text)
}

fn has_sections(text: &str) -> bool {
    let is_mark =
        |line: &str| line.starts_with("*** Begin Patch") || HEADS.iter().any(|(head, _)| line.starts_with(head));
    text.lines().any(|line| is_mark(line.trim_start()))
}

/// Reads a patch of any of the four forms. If the patch has the marks of several forms, only the tool knows which form
/// it has.
pub(super) fn read(text: &str) -> Patch<'_> {
    let has_sections = has_sections(text);
    let has_diff = diff::is_one(text);
    let is_line = |start: &str| text.lines().any(|line| line.starts_with(start));
    let has_blocks = is_line("<<<<<<<") && is_line(">>>>>>>") || is_line("------- SEARCH");
    match (has_sections, has_diff, has_blocks) {
        (true, false, false) => of_sections(text),
        (false, true, false) => unified(text),
        (false, false, _) if has_blocks || text.contains("<<<<<<<") && text.contains(">>>>>>>") => blocks(text),
        (false, false, _) if is_hunks(text) => hunks(text),
        (false, false, _) => Patch { added: vec![text.to_owned()], unknown: Some(UNKNOWN_FORM), ..Patch::default() },
        _ => {
            let mut patch = of_sections(text);
            patch.files.extend(unified(text).files);
            Patch { added: vec![text.to_owned()], unknown: Some("which of several forms a patch has"), ..patch }
        }
    }
}

/// The added lines by file, while they are collected.
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

/// Reads a patch in the form of `*** Begin Patch` with a section for each file.
fn of_sections(text: &str) -> Patch<'_> {
    let mut patch = Patch::default();
    let mut added = Added::default();
    let mut is_inside = false;
    for line in text.lines() {
        // Patch tools differ in whether a header may be indented.
        let trimmed = trimmed(line);
        let path_of = |head: &str| Some(self::trimmed(trimmed.strip_prefix(head)?));
        let head = HEADS.iter().find_map(|(head, access)| Some((path_of(head)?, *access)));
        if let Some((path, access)) = head {
            if trimmed.starts_with("*** Move to:") {
                // A moved file is deleted at its old path.
                patch.files.extend(patch.files.last().map(|(from, _)| (from.clone(), Access::Delete)));
            } else {
                added.end_file();
            }
            patch.files.push((Cow::Borrowed(path), access));
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

/// Returns whether a line is a marker of a patch. What follows the end marker is part of neither the patch nor the
/// shell text.
fn is_mark(line: &str) -> bool {
    ["*** End Patch", "*** Begin Patch", "*** End of File"].contains(&line) || line == "EOF" || line == "PATCH"
}

/// Returns a text without the blanks around it, including the one that only JavaScript treats as a blank.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

fn unified(text: &str) -> Patch<'_> {
    let diff::Diff { files, unknown } = diff::read(text);
    let mut added = Added::default();
    for line in text.lines() {
        if line.starts_with("+++ ") {
            added.end_file();
        } else if let Some(line) = line.strip_prefix('+').or_else(|| line.strip_prefix("! ")) {
            added.line(line);
        }
    }
    let files = files.into_iter().flat_map(|(file, access)| stripped(file).into_iter().map(move |file| (file, access)));
    Patch { files: files.collect(), added: added.finish(), is_diff: true, unknown }
}

/// Returns the files that a name in a diff may mean: its first directory is a prefix, or only the tool knows whether it
/// is one.
fn stripped(name: Cow<'_, str>) -> Vec<Cow<'_, str>> {
    match name.split_once('/') {
        Some(("a" | "b", rest)) if !rest.is_empty() => vec![Cow::Owned(rest.to_owned())],
        Some((first, rest)) if !first.is_empty() && !rest.is_empty() => vec![Cow::Owned(rest.to_owned()), name],
        _ => vec![name],
    }
}

/// Returns whether a text consists only of the hunks of a diff, for a file that another argument names.
fn is_hunks(text: &str) -> bool {
    let is_head = |line: &str| line.starts_with("@@");
    let is_line = |line: &str| line.is_empty() || line.starts_with([' ', '+', '-', '\\']) || is_head(line);
    text.lines().any(is_head) && text.lines().all(is_line)
}

fn hunks(text: &str) -> Patch<'_> {
    let mut added = Added::default();
    text.lines().filter_map(|line| line.strip_prefix('+')).for_each(|line| added.line(line));
    Patch { added: added.finish(), is_diff: true, ..Patch::default() }
}

/// Reads blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, for a file that another argument names.
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
