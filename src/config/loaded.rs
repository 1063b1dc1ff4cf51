//! The result of loading a config.

use super::previous::BuiltHook;
use super::problem::Problem;
use super::summary::Summary;
use crate::protocol::{Input, Outcome, Warning};
use crate::registry::Registry;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of loading a config.
#[non_exhaustive]
pub struct Loaded {
    /// The hooks, ready to run. If config is broken in a way that its dialect does not tolerate, the registry denies
    /// every event that can be stopped.
    pub registry: Arc<Registry>,
    /// A summary of each hook, in the order of the chain.
    pub hooks: Vec<Summary>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The first file that could not be used as a whole and therefore denies.
    pub broken: Option<Problem>,
    /// The hooks that still run as an earlier load built them, because the current config cannot be used for them.
    pub kept: Vec<String>,
    pub(super) built: Vec<BuiltHook>,
    /// Whether a hook is kept until its replacement is compiled.
    pub(super) is_compiling: bool,
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

    /// Adds the problems of the config to the warnings of an Outcome, unless a hook has already reported them.
    pub fn add_problems(&self, outcome: &mut Outcome) {
        for problem in &self.problems {
            let hook = problem.subject();
            let is_known = outcome.warnings.iter().any(|known| known.hook == hook && known.code == problem.code);
            if !is_known {
                outcome.warnings.push(Warning { hook, code: problem.code, message: problem.to_string() });
            }
        }
    }
}
