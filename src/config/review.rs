//! A project's config, for the user to review before trusting it.

use super::assemble::{Assembly, Opened};
use super::discovery::Layer;
use super::file::ConfigFile;
use super::loader::Loader;
use super::problem::{Problem, Severity};
use super::summary::{Summary, summarize};
use super::trust::{Change, TrustRecord};
use super::trust_status::TrustStatus;
use crate::protocol::Source;
use std::path::PathBuf;

/// A project's config as it was read, for a user who decides whether its hooks may run. The user trusts what this value
/// contains, even if the files have changed by then.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review {
    /// The file.
    pub file: PathBuf,
    /// The text of the file.
    pub text: String,
    /// The hooks of the config.
    pub hooks: Vec<Summary>,
    /// The problems of the config. An error keeps a hook from being used.
    pub problems: Vec<Problem>,
    /// The version that was trusted before, if there is one.
    pub before: Option<Before>,
    /// The record to store if the user trusts the config. `None` if the config cannot be trusted, or if its dialect
    /// records trust in its own way.
    pub record: Option<TrustRecord>,
}

/// An earlier version of a config, which the user trusted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Before {
    /// The record of that trust.
    pub record: TrustRecord,
    /// The hooks of the config at that time.
    pub hooks: Vec<Summary>,
    /// What has changed since. If empty, the config is trusted as it stands.
    pub changes: Vec<Change>,
}

impl Review {
    /// Returns whether the config is trusted as it stands.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.changes.is_empty())
    }

    /// Returns whether a problem keeps one of its hooks from being used.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    fn of_problem(file: PathBuf, problem: Problem) -> Self {
        Review { file, text: String::new(), hooks: Vec::new(), problems: vec![problem], before: None, record: None }
    }
}

impl Loader {
    /// Returns the project's configs, in the order of the chain, with what the user should know before trusting them.
    /// This runs no hooks, but reads files and compiles components as [`load`](Loader::load) does.
    #[must_use]
    pub fn review(&self) -> Vec<Review> {
        let layers = self.layers().into_iter().filter(|layer| layer.source == Source::PROJECT);
        layers.filter_map(|layer| self.review_layer(&layer)).collect()
    }

    /// Reviews the config of a layer; returns `None` if it does not exist.
    fn review_layer(&self, layer: &Layer) -> Option<Review> {
        let mut assembly = self.assembly(None);
        let opened = match assembly.open(layer, self.dialect.read_rules()) {
            Ok(opened) => opened?,
            Err(unreadable) => return Some(Review::of_problem(layer.path.clone(), *unreadable.problem)),
        };
        if let Some(fault) = opened.fault {
            return Some(Review::of_problem(opened.file.path, *fault));
        }
        Some(self.review_file(assembly, opened))
    }

    fn review_file(&self, mut assembly: Assembly<'_>, mut opened: Opened) -> Review {
        let file = &opened.file;
        let named = assembly.named(file, &opened.reading.entries);
        let (mut before, mut record) = (None, None);
        if self.dialect.checks_file_trust() {
            match assembly.trust_store.map_or(Ok(None), |store| store.look_up(&file.path)) {
                Ok(found) => before = found,
                Err(problem) => assembly.loaded.problems.push(*problem),
            }
            match TrustRecord::for_file(file, &named) {
                Ok(made) => record = Some(made),
                Err(problem) => assembly.loaded.problems.push(*problem),
            }
        }
        let before = before.map(|record| {
            let old = ConfigFile { text: record.text().to_owned(), ..file.clone() };
            let hooks = assembly.read(&old).entries.iter().map(|entry| summarize(&old, entry)).collect();
            let changes = record.changes(&file.text, &named);
            Before { record, hooks, changes }
        });
        // The config is shown as it will run once it is trusted.
        opened.standing = record.clone().map_or(TrustStatus::Vouched, |record| TrustStatus::Trusted(Box::new(record)));
        assembly.reserve(std::iter::once(&opened));
        let Opened { file, reading, standing, .. } = opened;
        assembly.add_reading(&file, reading, standing);
        let loaded = assembly.finish();
        Review { file: file.path, text: file.text, hooks: loaded.hooks, problems: loaded.problems, before, record }
    }
}
