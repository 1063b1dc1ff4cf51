//! What happens if files or hooks are missing, broken or refused.

use super::assemble::Assembly;
use super::dialect::WhenBroken;
use super::discovery::Layer;
use super::file::{ConfigFile, Unreadable};
use super::problem::Problem;
use super::trust_status::TrustStatus;
use crate::protocol::{Code, Failure, Kind, Source};
use crate::runtime::{HookInfo, RefusedHook};
use std::path::Path;
use std::sync::Arc;

impl Assembly<'_> {
    /// Leaves out a refused file, and denies for it unless it is untrusted: hooks that the user relies on must not be
    /// missing silently.
    pub(super) fn refuse_file(&mut self, file: &ConfigFile, standing: &TrustStatus, problem: Problem) {
        self.loaded.problems.push(problem.clone());
        if standing.why_untrusted().is_none() {
            self.deny_for(&file.source, problem);
        }
    }

    pub(super) fn miss_file(&mut self, layer: &Layer) {
        let problem = Problem::about_file(&layer.path, Code::ConfigUnreadable, "does not exist");
        self.loaded.problems.push(problem.clone());
        self.deny_for(&layer.source, problem);
    }

    /// Denies for a trusted config that no longer exists: hooks that the user relies on must not be missing silently.
    pub(super) fn miss_trusted(&mut self, layer: &Layer) {
        self.follow(&layer.path);
        self.miss_hooks(&layer.path, "this config of a project is trusted, and is gone");
    }

    /// Makes a reload watch this config and the record of trust in it, even if no layer names the config.
    pub(super) fn follow(&mut self, config: &Path) {
        self.loaded.named.insert(config.to_owned());
        self.loaded.named.extend(self.trust_store.and_then(|store| store.record_of(config)));
    }

    pub(super) fn miss_unread(&mut self, layer: &Layer, problem: Problem) {
        self.follow(&layer.path);
        self.loaded.problems.push(problem);
        self.miss_hooks(&layer.path, "this config of a project is trusted, and cannot be read");
    }

    pub(super) fn miss_hooks(&mut self, file: &Path, what: &str) {
        let help = "put it back, or, if you removed its hooks yourself, run `hookbox trust --revoke` in the project";
        let problem = Problem { help: Some(help.to_owned()), ..Problem::about_file(file, Code::Changed, what) };
        self.loaded.problems.push(problem.clone());
        self.deny_for(&Source::PROJECT, problem);
    }

    /// Reports a file that cannot be read. A file that only exceeds hookbox's size limit denies, whatever its
    /// dialect does about unreadable files, because the system that it was written for would have used it.
    pub(super) fn cannot_read(&mut self, source: &Source, Unreadable { problem, too_large }: Unreadable) {
        self.loaded.problems.push((*problem).clone());
        if too_large
            && self.when_broken(source) == WhenBroken::Warn
            && (*source != Source::PROJECT || self.trusts_projects)
        {
            self.deny_for(source, *problem);
        } else {
            self.note_broken(source, *problem);
        }
    }

    fn when_broken(&self, source: &Source) -> WhenBroken {
        self.builder.dialect.when_broken(source)
    }

    pub(super) fn note_broken(&mut self, source: &Source, problem: Problem) {
        match self.when_broken(source) {
            WhenBroken::Warn => {}
            WhenBroken::Deny => self.deny_for(source, problem),
            WhenBroken::Halt => {
                self.halted = true;
                self.deny_for(source, problem);
            }
        }
    }

    /// Denies every gating event and withholds every result, because unknown hooks may be missing.
    fn deny_for(&mut self, source: &Source, problem: Problem) {
        let mut info = HookInfo::new(problem.subject(), self.guarded.iter().copied());
        info.source = source.clone();
        let failure = Failure::new(problem.code, format!("is not usable: {problem}"));
        self.unusable.push(Arc::new(RefusedHook::new(info, Kind::Config, failure)));
        self.loaded.broken.get_or_insert(problem);
    }
}
