//! `hookbox init`: sets up the recommended policies, and installs hookbox for agents.

use super::add::Place;
use crate::cli::ask::{self, Consent};
use crate::cli::doctor::has_program;
use crate::cli::install::{Install, is_set_up};
use crate::cli::scope::Scope;
use crate::cli::{Exit, print_line, render};
use clap::Args;
use hookbox::agent::{self, Agent};
use hookbox::policy::Policy;
use std::path::Path;

/// Set up the recommended policies, and offer to install hookbox for the agents that are here
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox init")]
pub(crate) struct Init {
    #[command(flatten)]
    place: Place,

    /// Do not ask, and install hookbox for each agent that is here
    #[arg(short, long)]
    yes: bool,
}

impl Init {
    pub(crate) fn exec(self) -> anyhow::Result<Exit> {
        let recommended: Vec<&'static Policy> = Policy::all().iter().filter(|policy| policy.is_recommended).collect();
        // A script that has no terminal cannot answer, and has asked for the policies by calling this.
        let Some(file) = self.place.add(&recommended, self.yes || !ask::is_possible())? else {
            return Ok(Exit::Failure);
        };
        let mut scope = Scope::default();
        scope.name_files(vec![file.clone()]);
        let loaded = scope.load_everything()?;
        render::problems(&loaded.problems);
        let is_well = loaded.hooks.iter().all(|hook| hook.problem.is_none()) && !loaded.hooks.is_empty();
        if !is_well {
            print_line(&format!("the config has problems: `hookbox check {}` lists them", file.display()));
            return Ok(Exit::Failure);
        }
        let home = self.place.home().ok();
        let is_here = |agent: &&dyn Agent| is_here(*agent, home.as_deref(), self.place.home.is_some());
        let here: Vec<&'static dyn Agent> = agent::all().iter().copied().filter(is_here).collect();
        if here.is_empty() {
            print_line("No agent was found. `hookbox install AGENT` makes hookbox its hook.");
        }
        let mut ok = true;
        for agent in here {
            // A fault in the settings of one agent does not prevent the installation for the others.
            ok &= self.offer(agent).unwrap_or_else(|error| {
                render::error(&error);
                false
            });
        }
        let undo = "`hookbox uninstall AGENT` takes hookbox out of an agent's settings";
        print_line(&format!("To undo this: delete the entries from {}, and {undo}.", file.display()));
        Ok(if ok { Exit::Success } else { Exit::Failure })
    }

    /// Offers to install hookbox for an agent.
    fn offer(&self, agent: &dyn Agent) -> anyhow::Result<bool> {
        let install =
            || Install::for_agent(agent.name().to_owned(), self.place.project, self.place.home.clone()).exec();
        if self.yes {
            return Ok(install()? == Exit::Success);
        }
        match ask::ask(&format!("make hookbox the hook of {}? [y/N] ", agent.title()))? {
            Consent::Yes => Ok(install()? == Exit::Success),
            Consent::No => Ok(true),
            Consent::NoTerminal => {
                print_line(&format!(
                    "{} is here: `hookbox install {}` makes hookbox its hook",
                    agent.title(),
                    agent.name()
                ));
                Ok(true)
            }
        }
    }
}

/// Whether hookbox knows how to set up the agent, and the agent's program is in the `PATH` or its settings are in the
/// home directory.
fn is_here(agent: &dyn Agent, home: Option<&Path>, is_other_home: bool) -> bool {
    let is_set_up = || home.is_some_and(|home| is_set_up(agent, home, is_other_home));
    agent.settings().is_some() && (has_program(agent) || is_set_up())
}
