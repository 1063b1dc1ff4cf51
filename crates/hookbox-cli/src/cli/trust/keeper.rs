//! The record of trust: hookbox's own store, or another system's.

use crate::cli::scope::Scope;
use anyhow::bail;
use hookbox::Source;
use hookbox::config::{Problem, Review, TrustStore, TrustedProjects, discover};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

pub(super) enum Keeper {
    /// Hookbox's own store, which keeps trust by the digests of files.
    Files(TrustStore),
    /// Another system's own record, which keeps trust by the project's directory.
    Directory(Box<dyn TrustedProjects>),
}

/// A trusted item, and whether it is still trusted.
#[derive(Serialize)]
pub(super) struct Trusted {
    pub(super) path: PathBuf,
    /// When it was trusted, if known.
    pub(super) since: Option<String>,
    pub(super) state: &'static str,
}

impl Keeper {
    pub(super) fn for_scope(scope: &Scope) -> anyhow::Result<Self> {
        let (places, dialect) = (scope.places()?, scope.dialect());
        if dialect.checks_file_trust() {
            return Ok(Keeper::Files(places.trust_store()));
        }
        match dialect.trusted_projects(places.home()) {
            Some(record) => Ok(Keeper::Directory(record)),
            None => bail!("{} runs a project's hooks without trust: there is nothing to trust", dialect.name()),
        }
    }

    pub(super) fn is_trusted(&self, review: &Review, project: &Path) -> bool {
        match self {
            Keeper::Files(_) => review.is_trusted(),
            Keeper::Directory(store) => store.is_trusted(project),
        }
    }

    /// Returns the question for the user.
    pub(super) const fn question(&self) -> &'static str {
        match self {
            Keeper::Files(_) => "Trust these hooks?",
            Keeper::Directory(_) => "Trust this project, with these hooks and all that it will ever have?",
        }
    }

    /// Trusts what was reviewed, and returns the path that is now trusted.
    pub(super) fn trust(&self, review: &Review, project: &Path) -> io::Result<PathBuf> {
        match (self, &review.record) {
            (Keeper::Files(store), Some(record)) => store.trust(record).map(|()| review.file.clone()),
            (Keeper::Files(_), None) => Err(io::Error::other("it cannot be trusted")),
            (Keeper::Directory(store), _) => store.trust(project).map(|()| project.to_owned()),
        }
    }

    pub(super) fn list(&self) -> (Vec<Trusted>, Vec<Problem>) {
        match self {
            Keeper::Files(store) => {
                let (records, problems) = store.list();
                let trusted = records.iter().map(|record| {
                    let state = match record.config().exists() {
                        false => "missing",
                        true if record.changes_on_disk().is_empty() => "trusted",
                        true => "changed",
                    };
                    Trusted { path: record.config().to_owned(), since: Some(record.since().to_owned()), state }
                });
                (trusted.collect(), problems)
            }
            Keeper::Directory(store) => match store.projects() {
                Ok(projects) => {
                    let state = |path: &Path| if path.exists() { "trusted" } else { "missing" };
                    let trusted = |path: PathBuf| Trusted { state: state(&path), since: None, path };
                    (projects.into_iter().map(trusted).collect(), Vec::new())
                }
                Err(problem) => (Vec::new(), vec![*problem]),
            },
        }
    }

    /// Revokes trust in all configs of the project and below it, including those that no longer exist. Returns them, with
    /// an error for each that stays trusted.
    pub(super) fn revoke(&self, scope: &Scope) -> anyhow::Result<Vec<anyhow::Result<PathBuf>>> {
        let project = scope.project()?;
        let mut ends = Vec::new();
        let mut note = |path: PathBuf, is_revoked: io::Result<bool>| match is_revoked {
            Ok(true) => ends.push(Ok(path)),
            Ok(false) => {}
            Err(error) => {
                let what = format!("the trust in `{}` stays", path.display());
                ends.push(Err(anyhow::Error::new(error).context(what)));
            }
        };
        match self {
            Keeper::Files(store) => {
                let real = project.canonicalize().unwrap_or_else(|_| project.clone());
                let layers = discover(scope.app(), Some(scope.places()?.home()), None, Some(&project)).into_iter();
                let found = layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path);
                let (records, _) = store.list();
                // A search from a subdirectory does not find a deleted config, which would be trusted if it came back.
                let is_above = |path: &Path| path.ancestors().nth(2).is_some_and(|dir| real.starts_with(dir));
                let is_concerned = |path: &Path| path.starts_with(&real) || !path.exists() && is_above(path);
                let kept = records.iter().map(|record| record.config().to_owned()).filter(|path| is_concerned(path));
                for path in found.chain(kept) {
                    let is_revoked = store.revoke(&path);
                    note(path, is_revoked);
                }
            }
            Keeper::Directory(store) => {
                let is_revoked = store.revoke(&project);
                note(project, is_revoked);
            }
        }
        Ok(ends)
    }
}
