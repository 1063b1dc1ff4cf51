//! Links that a command creates, through which a later command may write.

use crate::names::Names;
use crate::rules::{Rules, Target, Verdict};
use hookbox_policy::{Command, Findings};
use hookbox_sdk::{Access, ShellFile, Tool, ToolPath};

/// A link that a command creates.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    at: Names,
    to: Names,
}

impl Link {
    /// Returns where a path through the link leads.
    pub(crate) fn follow(&self, path: &Names) -> Option<Names> {
        let rest = path.all.get(self.at.all.len()..).filter(|_| path.is_in(&self.at))?;
        Some(self.to.join(&rest.join("/")))
    }
}

/// Whether a command creates links to its sources.
pub(crate) fn is_linker(command: &Command<'_>) -> bool {
    match command.name {
        "ln" | "gln" | "link" => true,
        "cp" | "gcp" => command.args().iter().any(|word| {
            let text = word.text();
            let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
            letters.contains(['s', 'l']) || matches!(text, "--link" | "--symbolic-link")
        }),
        _ => false,
    }
}

/// Returns the files of a command with one kind of access, together with the facts about their paths.
fn files<'t>(
    command: &'t Command<'_>,
    tool: &'t Tool,
    is_it: impl Fn(Access) -> bool + 't,
) -> impl Iterator<Item = (&'t ShellFile, &'t ToolPath)> {
    let files = command.facts.files.iter().filter(move |file| is_it(file.access));
    files.flat_map(|file| {
        let is_same =
            |path: &&ToolPath| path.certain && path.access == file.access && path.as_written == file.path.written();
        tool.paths.iter().filter(is_same).map(move |path| (file, path))
    })
}

/// Returns the links that a command creates.
pub(crate) fn made(command: &Command<'_>, tool: &Tool) -> Vec<Link> {
    if !is_linker(command) {
        return Vec::new();
    }
    let mut links = Vec::new();
    let places: Vec<Names> = files(command, tool, Access::changes).map(|(_, path)| Names::new(&path.path)).collect();
    for (source, path) in files(command, tool, |access| access == Access::Read) {
        for at in &places {
            // A relative target starts at the directory of the link.
            let above = at.join("..");
            let to = if path.as_written.starts_with('/') {
                Names::new(&path.path)
            } else {
                above.join(source.path.written())
            };
            let inside = at.join(to.last());
            links.push(Link { at: at.clone(), to: to.clone() });
            links.push(Link { at: inside, to });
        }
    }
    links
}

/// Judges links to protected files, which are equivalent to the files themselves.
pub(crate) fn judge(command: &Command<'_>, tool: &Tool, rules: &Rules, found: &mut Findings) {
    if !is_linker(command) {
        return;
    }
    for (file, path) in files(command, tool, |access| access == Access::Read) {
        for names in [Names::new(&path.path), Names::new(file.path.written())] {
            let shown = file.path.written().to_owned();
            let target = Target { names, shown, access: Access::Write, place: Some(path.place), keeps_content: false };
            if let Verdict::Deny(reason) = rules.protected(&target) {
                found.deny(format!("{} makes a link to it: {reason}", command.quote()));
            }
        }
    }
}
