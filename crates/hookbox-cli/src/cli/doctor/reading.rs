//! The config that `hookbox hook` reads when it gets the options of a command in an agent's settings.

use super::examine::{Examined, unasked};
use crate::cli::off::{self, Off, Switch};
use crate::cli::scope::Scope;
use hookbox::agent;
use hookbox::config::{Loaded, Severity};

/// What hookbox reads with the arguments of a command.
pub(super) struct Reading {
    scope: Scope,
    pub(super) loaded: Loaded,
    pub(super) off: Option<Off>,
    /// Why the file that turns hookbox off is ignored.
    pub(super) doubt: Option<String>,
}

impl Reading {
    pub(super) fn new(scope: Scope) -> anyhow::Result<Self> {
        let loaded = scope.load_everything()?;
        let (off, doubt) = match Switch::read(&scope.places()?) {
            Switch::On | Switch::Expired(_) => (None, None),
            Switch::Off(off) => (Some(off), None),
            Switch::Doubtful(why) => (None, Some(off::doubt(&why))),
        };
        Ok(Reading { scope, loaded, off, doubt })
    }

    pub(super) const fn scope(&self) -> &Scope {
        &self.scope
    }

    pub(super) fn problems(&self) -> Vec<String> {
        self.loaded.problems.iter().map(ToString::to_string).chain(self.doubt.clone()).collect()
    }

    /// Whether the config has an error. The calls that the unknown hooks in it may guard are then denied.
    pub(super) fn denies(&self) -> bool {
        self.loaded.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Returns the problems of the config that no other part of the report contains.
    fn faults(&self) -> Vec<String> {
        let mut faults = self.problems();
        faults.extend(self.off.as_ref().map(Off::in_words));
        if self.loaded.hooks.is_empty() && !self.denies() {
            faults.push("no hooks are configured there, so everything is allowed".to_owned());
        }
        faults
    }
}

impl Examined {
    /// Examines the configs that the commands in the settings read. `given` is the scope that the arguments of this
    /// process give, and `shared` is the reading that the report uses for all agents.
    pub(super) fn look_at_configs(&mut self, given: &Scope, shared: &Reading) {
        let Some(agent) = agent::by_name(self.agent) else { return };
        let reads = std::mem::take(&mut self.reads);
        if reads.is_empty() || reads.iter().any(|(_, scope)| scope == shared.scope()) {
            self.unasked.extend(unasked(agent, &self.asked, &shared.loaded.hooks));
        }
        for (command, scope) in reads {
            let overlooked = scope.overlooks(given);
            self.problems.extend(overlooked.into_iter().map(|file| {
                format!(
                    "`{command}` does not read `{}`, which is your config in this environment: run \
                     `hookbox install {}`, which writes its place into the settings",
                    file.display(),
                    agent.name()
                )
            }));
            if scope == *shared.scope() {
                continue;
            }
            match Reading::new(scope) {
                Ok(reading) => {
                    let faults = reading.faults().into_iter().map(|fault| format!("what `{command}` reads: {fault}"));
                    self.problems.extend(faults);
                    self.unasked.extend(unasked(agent, &self.asked, &reading.loaded.hooks));
                }
                Err(error) => self.problems.push(format!("what `{command}` reads is not known: {error:#}")),
            }
        }
    }
}
