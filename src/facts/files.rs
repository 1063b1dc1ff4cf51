//! The files of a tool call.

use super::keys::Role;
use super::possible::{self, Texts};
use super::{Facts, Finding, members, patch, path, pattern, url};
use crate::protocol::{Access, Tool, ToolKind, ToolPath};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The maximum number of certain paths of one call that are looked at. Each takes a few system calls.
const MAX_PATHS: usize = 256;

/// The maximum number of directories of one call below which its other texts may name files, and the maximum number of
/// those texts.
const MAX_DIRS: usize = 4;
const MAX_NAMES: usize = 16;

impl Facts {
    /// Adds a path to the facts of a tool call. `path` is how the tool interprets the text `written`.
    pub(super) fn add_path(&self, tool: &mut Tool, path: &str, written: &str, access: Access, cwd: Option<&Path>) {
        let is_certain = |path: &&ToolPath| path.certain;
        if tool.paths.iter().filter(is_certain).count() >= MAX_PATHS {
            return tool.note_unknown("more paths than are looked at");
        }
        if path.contains('\0') {
            return tool.note_unknown("a path that no file can have");
        }
        let model = ToolPath { as_written: written.to_owned(), ..ToolPath::new(path, access) };
        self.push_path(tool, model, cwd);
    }

    /// Adds a path that the call may only possibly name.
    pub(super) fn add_possible_path(
        &self,
        tool: &mut Tool,
        path: &str,
        written: &str,
        access: Access,
        cwd: Option<&Path>,
    ) {
        if tool.paths.len() >= MAX_PATHS + possible::MAX_TEXTS {
            return tool.note_unknown("more texts than are looked at, which may be paths");
        }
        if !path.contains('\0') {
            let model = ToolPath { as_written: written.to_owned(), certain: false, ..ToolPath::new(path, access) };
            self.push_path(tool, model, cwd);
        }
    }

    /// Adds a path, given as the tool interprets it, with every place that it may lead to.
    fn push_path(&self, tool: &mut Tool, model: ToolPath, cwd: Option<&Path>) {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let clean = |path: &Path| Some(path::clean(path)).filter(|path| path.as_os_str().len() <= path::MAX_BYTES);
        let Some(absolute) = path::absolute(cwd, &model.path) else {
            tool.note_unknown("the directory that relative paths start from");
            let Some(clean) = clean(Path::new(&model.path)) else {
                return tool.note_unknown("a path that no file can have");
            };
            let is_known = |known: &ToolPath| known.as_written == model.as_written && known.access == model.access;
            if !tool.paths.iter().any(is_known) {
                tool.paths.push(ToolPath { path: text(&clean), ..model });
            }
            return;
        };
        let Some(clean) = clean(&absolute) else {
            return tool.note_unknown("a path that no file can have");
        };
        let real = path::resolve(&clean);
        match real {
            Some(_) => {}
            None if path::is_barred(&clean) => tool.note_unknown("where the links of a path lead, for lack of rights"),
            None => tool.note_unknown("where the links of a path lead"),
        }
        // After a link, `..` leads to different places for a tool that cleans paths and one that asks the system.
        let physical = if clean == absolute { None } else { path::resolve(&absolute) };
        let physical = physical.filter(|physical| Some(physical) != real.as_ref()).map(Some);
        for real in [real].into_iter().chain(physical) {
            let place = self.scene.surroundings().place(&clean, real.as_deref());
            let path = ToolPath { path: text(&clean), real: real.as_deref().map(text), place, ..model.clone() };
            if !tool.paths.contains(&path) {
                // Certain paths come first.
                let end = tool.paths.len();
                let at = tool.paths.iter().position(|known| path.certain && !known.certain).unwrap_or(end);
                tool.paths.insert(at, path);
            }
        }
    }
}

impl Finding<'_> {
    pub(super) fn files(&mut self, cwd: Option<&Path>) {
        let arguments = self.arguments;
        for argument in arguments {
            match argument.role {
                Some(Role::Path(_) | Role::Text | Role::Patch) if !argument.is_text => {
                    self.tool.note_unknown(format!("`{}`, which is not a text", argument.written_key));
                }
                // If the tool is not a file tool, an address is not a path.
                Some(Role::Path(_)) if self.is_open() && is_address(&argument.text, cwd) => {}
                Some(Role::Path(access)) => {
                    self.add_path(&argument.text, access, cwd);
                    // A tool that reads many files may take a pattern in place of each path.
                    if access == Access::Read && argument.text.contains(['{', '[', '(', ',']) {
                        self.pattern(&argument.text, access, cwd);
                    }
                }
                Some(Role::Text) => self.tool.added_text.push(argument.text.clone().into_owned()),
                _ => {}
            }
        }
        // Patches are read last, because other arguments say more about the file than a diff does.
        let patches: Vec<&str> = self.of_role(Role::Patch).collect();
        if self.spec.nature.is_patch && patches.is_empty() && self.of_role(Role::Text).next().is_none() {
            self.tool.note_unknown("which files the patch changes");
        }
        for patch in patches {
            self.patch(patch, cwd);
        }
    }

    fn patch(&mut self, text: &str, cwd: Option<&Path>) {
        let patch = patch::read(text);
        for (path, access) in patch.files {
            // A diff may spell the path of its file differently than the argument that names the file.
            let is_told = |told: &ToolPath| Path::new(&told.path).ends_with(&*path);
            if !patch.is_diff || !self.tool.paths.iter().any(is_told) {
                self.add_path(&path, access, cwd);
            }
        }
        self.tool.added_text.extend(patch.added);
        // For a service, a patch is something else, often JSON.
        let is_of_service = || {
            let is_other = self.is_open() && !self.spec.nature.is_patch && !self.spec.is_told();
            is_other && (!text.contains('\n') || text.trim_start().starts_with(['{', '[']))
        };
        match patch.unknown {
            Some(patch::UNKNOWN_FORM) if is_of_service() => {}
            Some(what) => self.tool.note_unknown(what),
            None if patch.is_diff && self.tool.paths.is_empty() => {
                self.tool.note_unknown("which files the patch changes");
            }
            None => {}
        }
    }

    /// Adds the patterns of the files that are looked for, searched or read.
    pub(super) fn patterns(&mut self, cwd: Option<&Path>) {
        let access = self.spec.access();
        let patterns: Vec<&str> = self.of_role(Role::Pattern).collect();
        if patterns.is_empty() {
            return;
        }
        // Patterns are relative to the directory that the call names, if it names exactly one.
        let mut dirs: Vec<PathBuf> = self.tool.paths.iter().map(|path| PathBuf::from(&path.path)).collect();
        dirs.dedup();
        let base = match dirs.as_slice() {
            [dir] => Some(dir.clone()),
            _ => cwd.map(Path::to_owned),
        };
        for pattern in patterns {
            if access != Access::List {
                self.pattern(pattern, access, base.as_deref());
            } else if let Some(start) = path::start_of_pattern(pattern) {
                self.add_path(start, Access::List, cwd);
            }
        }
    }

    /// Adds a pattern of files whose content is read: each of its alternatives is a path, with its wildcards.
    fn pattern(&mut self, written: &str, access: Access, base: Option<&Path>) {
        // Some tools take several patterns in one text.
        for pattern in pattern::split(written) {
            // A pattern that begins with `!` excludes files.
            if pattern.starts_with('!') {
                continue;
            }
            let Some(alternatives) = pattern::alternatives(pattern) else {
                return self.tool.note_unknown("which files a pattern is for");
            };
            for path in alternatives {
                let expanded = self.facts.scene.expand(&path);
                self.facts.add_path(&mut self.tool, &expanded, written, access, base);
            }
        }
    }

    /// Adds the files of this machine that are among the URLs.
    pub(super) fn files_of_urls(&mut self, cwd: Option<&Path>) {
        for url in self.tool.urls.clone() {
            if !url::file_paths(&url).is_empty() {
                self.add_path(&url, Access::Read, cwd);
            }
        }
    }

    /// Returns whether members of the call other than those with a known key may be paths.
    const fn is_open(&self) -> bool {
        matches!(self.spec.nature.kind, ToolKind::Mcp | ToolKind::Other)
    }

    pub(super) fn add_path(&mut self, written: &str, access: Access, cwd: Option<&Path>) {
        for path in self.readings(written) {
            self.facts.add_path(&mut self.tool, &path, written, access, cwd);
        }
    }

    /// Returns the paths that a program may understand a text as.
    fn readings(&self, written: &str) -> Vec<String> {
        let mut readings = url::file_paths(written);
        // A program that does not know URLs also treats one with a `..` as a path.
        if readings.is_empty() || url::climbs(written) {
            readings.push(written.to_owned());
            let trimmed = members::visible(written);
            if trimmed.len() < written.len() && !trimmed.is_empty() {
                readings.push(trimmed.to_owned());
            }
        }
        readings.iter().map(|path| self.facts.scene.expand(path)).collect()
    }

    /// Adds the texts that may be paths, whatever their keys, because the tool is not known.
    pub(super) fn possible(&mut self, arguments: &str, name: &str, cwd: Option<&Path>) {
        let has_path = !self.tool.paths.is_empty();
        let contents = self.of_role(Role::Text).filter(|_| has_path).map(str::trim).collect::<HashSet<_>>();
        let commands: HashSet<&str> = self.of_role(Role::Command).map(str::trim).collect();
        let name = self.tool.tool.as_deref().unwrap_or(name);
        let texts = Texts::of(arguments, name, contents, self.spec.nature.may_apply);
        if texts.is_cut {
            self.tool.note_unknown("more texts than are looked at, which may be paths");
        }
        let access = self.spec.access();
        let certain: HashSet<String> = self.tool.paths.iter().map(|path| path.as_written.clone()).collect();
        let is_new = |text: &str| !certain.contains(text) && !commands.contains(text) && !is_address(text, cwd);
        for (text, is_output) in texts.found.iter().filter(|(text, _)| is_new(text)) {
            let access = if *is_output { Access::Create } else { access };
            for path in self.readings(text) {
                let absolute = path::absolute(cwd, &path).map(|path| path::clean(&path));
                if absolute.is_some_and(|absolute| !possible::is_plausible(&absolute, text)) {
                    continue;
                }
                let model = ToolPath { as_written: text.clone(), certain: false, ..ToolPath::new(path, access) };
                self.facts.push_path(&mut self.tool, model, cwd);
            }
        }
        self.below_others(&texts, access, cwd);
        for text in &texts.patches {
            for (file, access) in patch::read(text).files {
                // Each path is compared with all others, so there is a limit for all patches together.
                if self.tool.paths.len() >= MAX_PATHS + possible::MAX_TEXTS {
                    return self.tool.note_unknown("more texts than are looked at, which may be paths");
                }
                let path = self.facts.scene.expand(&file);
                let model = ToolPath { as_written: file.into_owned(), certain: false, ..ToolPath::new(path, access) };
                if !certain.contains(&model.as_written) {
                    self.facts.push_path(&mut self.tool, model, cwd);
                }
            }
        }
    }
}

impl Finding<'_> {
    /// Adds the paths that two texts of a call may form together: `{"root": "/home/me/.config", "leaf":
    /// "gh/hosts.yml"}`.
    fn below_others(&mut self, texts: &Texts<'_>, access: Access, cwd: Option<&Path>) {
        let words = || texts.found.iter().filter(|(text, _)| !text.contains(char::is_whitespace));
        let is_absolute = |text: &str| text.starts_with(['/', '~']);
        let is_name = |text: &str| !is_absolute(text) && text.contains(['.', '/']);
        let dirs =
            words().filter(|(text, _)| is_absolute(text)).map(|(text, _)| self.facts.scene.expand(text).to_string());
        let dirs: Vec<String> = dirs.filter(|dir| Path::new(dir).is_dir()).take(MAX_DIRS).collect();
        for dir in dirs {
            for (name, is_output) in words().filter(|(text, _)| is_name(text)).take(MAX_NAMES) {
                let path = Path::new(&dir).join(name);
                if possible::is_plausible(&path::clean(&path), name) {
                    let access = if *is_output { Access::Create } else { access };
                    let path = ToolPath::new(path.to_string_lossy().into_owned(), access);
                    let model = ToolPath { as_written: name.clone(), certain: false, ..path };
                    self.facts.push_path(&mut self.tool, model, cwd);
                }
            }
        }
    }
}

/// Returns whether a text is the address of something that is not a file. It may be a file after all if the working
/// directory has an entry named like the scheme, such as `https:`.
fn is_address(text: &str, cwd: Option<&Path>) -> bool {
    let is_dir = |scheme: &str| cwd.is_some_and(|cwd| cwd.join(format!("{scheme}:")).symlink_metadata().is_ok());
    url::scheme_of_address(text).is_some_and(|scheme| !is_dir(scheme))
}
