//! Whether the hooks of a file may run.

use super::assemble::Assembly;
use super::entry::Entry;
use super::file::ConfigFile;
use super::problem::{Problem, Severity};
use super::trust::{Change, TrustRecord, named_by};
use crate::protocol::{Code, Source};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The maximum number of files that a warning names.
const MAX_NAMED: usize = 5;

/// Whether the hooks of a file may run.
#[derive(Debug)]
pub(super) enum TrustStatus {
    /// The hooks are the user's own, or were vouched for.
    Vouched,
    /// The user trusts this file of a project as it stands.
    Trusted(Box<TrustRecord>),
    /// The user never trusted this file of a project.
    Untrusted,
    /// The user trusted an earlier version of the file.
    Changed {
        /// What is different.
        changes: Vec<Change>,
        /// Whether that version had hooks, and this one has none.
        lost_hooks: bool,
    },
}

/// The numbers of hooks of an untrusted file that are restricted or left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The number of hooks that may only deny or ask.
    pub(super) restricted: usize,
    /// The number of hooks that do not run.
    pub(super) left_out: usize,
}

impl Assembly<'_> {
    /// Determines whether the hooks of a file with these entries may run, and what is wrong with the file's record of
    /// trust.
    pub(super) fn standing(&self, file: &ConfigFile, entries: &[Entry]) -> (TrustStatus, Option<Box<Problem>>) {
        if file.source != Source::PROJECT || self.trusts_projects {
            return (TrustStatus::Vouched, None);
        }
        let record = match self.trust_store.map(|store| store.look_up(&file.path)) {
            Some(Ok(Some(record))) => record,
            Some(Err(problem)) => return (TrustStatus::Untrusted, Some(problem)),
            Some(Ok(None)) | None => return (TrustStatus::Untrusted, None),
        };
        let changes = record.changes(&file.text, &self.named(file, entries));
        if changes.is_empty() {
            return (TrustStatus::Trusted(Box::new(record)), None);
        }
        let had_hooks = || {
            let before = ConfigFile::new(&file.path, file.source.clone(), record.text());
            !self.read(&before).entries.is_empty()
        };
        let lost_hooks = entries.is_empty() && had_hooks();
        (TrustStatus::Changed { changes, lost_hooks }, None)
    }

    /// Returns the files that run as hooks of a config.
    pub(super) fn named(&self, file: &ConfigFile, entries: &[Entry]) -> BTreeSet<PathBuf> {
        let base = self.builder.dialect.command_base(file, self.builder.cwd);
        named_by(file, entries, base, self.builder.cwd)
    }
}

impl TrustStatus {
    /// Returns why the project's hooks do not run like the user's.
    pub(super) const fn why_untrusted(&self) -> Option<&'static str> {
        match self {
            TrustStatus::Vouched | TrustStatus::Trusted(_) => None,
            TrustStatus::Untrusted => Some("is not trusted"),
            TrustStatus::Changed { .. } => Some("has changed since it was trusted"),
        }
    }

    /// Creates a warning about the hooks that do not run or are restricted, and why.
    pub(super) fn warning(&self, file: &Path, tally: Tally, help: &str) -> Option<Problem> {
        let Tally { restricted, left_out } = tally;
        let (code, what) = match self {
            TrustStatus::Vouched | TrustStatus::Trusted(_) => return None,
            TrustStatus::Untrusted => (Code::Untrusted, "this project is not trusted".to_owned()),
            TrustStatus::Changed { changes, .. } => {
                let message = format!("this project has changed since it was trusted ({})", listed(changes));
                (Code::Changed, message)
            }
        };
        let mut parts = Vec::new();
        if left_out > 0 {
            parts.push(format!("{left_out} of its hooks did not run"));
        }
        if restricted > 0 {
            let whose = if left_out > 0 { "" } else { " of its hooks" };
            parts.push(format!("{restricted}{whose} may only deny or ask"));
        }
        (!parts.is_empty()).then(|| Problem {
            severity: Severity::Warning,
            help: Some(help.to_owned()),
            ..Problem::about_file(file, code, format!("{what}: {}", parts.join(", ")))
        })
    }
}

fn listed(changes: &[Change]) -> String {
    let mut listed: Vec<String> = changes.iter().take(MAX_NAMED).map(ToString::to_string).collect();
    if changes.len() > MAX_NAMED {
        listed.push(format!("{} more", changes.len() - MAX_NAMED));
    }
    listed.join(", ")
}
