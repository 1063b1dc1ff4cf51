//! The hooks of an earlier load, which stay in use when an edit of the config cannot be used.

use super::assemble::Assembly;
use super::summary::Summary;
use crate::protocol::Code;
use crate::runtime::Hook;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A hook, with the config that it was built from.
#[derive(Clone)]
pub(super) struct BuiltHook {
    pub(super) file: PathBuf,
    pub(super) hook: Arc<dyn Hook>,
    pub(super) summary: Summary,
    pub(super) state: State,
}

/// The result of building a hook's entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The hook runs.
    Usable,
    /// The hook cannot run, so it denies in its place in the chain.
    Refused,
    /// The entry cannot be used, so it denies at the end of the chain.
    Unusable,
}

/// Returns whether a failure with this code must stop a hook, however well the hook ran before: the hook is no longer
/// the code that was vouched for, or must not have what it was granted. All other failures are edits that went wrong.
pub(super) const fn ends_hook(code: Code) -> bool {
    matches!(code, Code::Pin | Code::Changed | Code::Untrusted | Code::Permissions | Code::Grant)
}

impl Assembly<'_> {
    /// Finds the previous hook with this name and file, if it ran.
    pub(super) fn previous_hook(&self, file: &Path, name: &str, is_restricted: bool) -> Option<BuiltHook> {
        let of_file = |built: &&BuiltHook| built.file == file && built.state == State::Usable;
        let mut previous = self.previous.into_iter().flatten().filter(of_file);
        previous.find(|built| built.summary.name == name && built.hook.info().restricted == is_restricted).cloned()
    }

    /// Keeps the previous hooks of a file; returns false if none of them ran. Hooks that deny in place of a guard
    /// continue to deny.
    pub(super) fn keep_file(&mut self, file: &Path, why: &str) -> bool {
        let kept: Vec<BuiltHook> =
            self.previous.into_iter().flatten().filter(|built| built.file == file).cloned().collect();
        if !kept.iter().any(|built| built.state == State::Usable) {
            return false;
        }
        for built in kept {
            self.keep(built, why);
        }
        true
    }

    /// Keeps a previous hook.
    pub(super) fn keep(&mut self, built: BuiltHook, why: &str) {
        let does = if built.state == State::Usable { "still runs as it was" } else { "still denies, as it did" };
        let problem = Some(format!("{does} before the last edit, which cannot be used: {why}"));
        self.loaded.hooks.push(Summary { problem, ..built.summary.clone() });
        self.loaded.kept.push(built.summary.name.clone());
        match built.state {
            State::Usable | State::Refused => self.register(Arc::clone(&built.hook)),
            State::Unusable => self.unusable.push(Arc::clone(&built.hook)),
        }
        self.loaded.built.push(built);
    }
}
