//! The result of loading a config.

use super::previous::BuiltHook;
use super::problem::Problem;
use super::summary::Summary;
use crate::protocol::{Input, Outcome, Warning};
use crate::record;
use crate::registry::Registry;
use crate::runtime::Hook;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of loading a config.
#[non_exhaustive]
pub struct Loaded {
    /// The hooks, ready to run. If a config is broken in a way that its dialect does not tolerate, the registry denies
    /// every gating event.
    pub registry: Arc<Registry>,
    /// A summary of each hook, in the order of the chain.
    pub hooks: Vec<Summary>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The problem with the first file that could not be used as a whole and therefore denies.
    pub broken: Option<Problem>,
    /// The names of the hooks that still run as an earlier load built them, because the current config cannot be used
    /// for them.
    pub kept: Vec<String>,
    /// The decision log that the user's config asks for.
    pub log: Option<record::Settings>,
    /// The digest of the config files that were read. It changes if one of the files does.
    pub digest: String,
    pub(super) built: Vec<BuiltHook>,
    /// Whether this result is temporary: a hook is kept until its replacement is compiled, or the hooks of an emptied
    /// file are kept until the file is written.
    pub(super) is_passing: bool,
    /// The problems that concern one hook: the index in `problems`, and the hook.
    pub(super) of_hooks: Vec<(usize, Arc<dyn Hook>)>,
    /// The files that the configs name.
    pub(super) named: BTreeSet<PathBuf>,
}

impl Loaded {
    /// Asks the hooks about an event, as `hookbox run` does: problems with the config are added to the warnings of the
    /// Outcome.
    pub async fn run(&self, input: impl Into<Box<Input>>) -> Outcome {
        let mut outcome = self.registry.run(input).await;
        self.add_problems(&mut outcome);
        outcome
    }

    /// Adds the problems of the config to the warnings of an Outcome, unless a hook has already reported them. Problems
    /// of hooks that are not asked about this event are left out.
    pub fn add_problems(&self, outcome: &mut Outcome) {
        for (place, problem) in self.problems.iter().enumerate() {
            let hook = self.of_hooks.iter().find(|(of, _)| *of == place).map(|(_, hook)| hook);
            let is_asked = |input: &Input| hook.is_none_or(|hook| hook.info().hears_input(input));
            if !outcome.input.as_deref().is_none_or(is_asked) {
                continue;
            }
            let hook = problem.subject();
            let is_known = outcome.warnings.iter().any(|known| known.hook == hook && known.code == problem.code);
            if !is_known {
                outcome.warnings.push(Warning { hook, code: problem.code, message: problem.to_string() });
            }
        }
    }
}
