//! `hookbox doctor`: tests whether agents really ask hookbox, and lists what they cannot be told.

mod codex;
mod command;
mod examine;
#[cfg(feature = "listen")]
mod posted;
mod reading;
mod started;

use super::install::{self, Places};
use super::off::Off;
use super::scope::Scope;
use super::unknown_events;
use super::{Exit, Format, FormatArg, print_json, print_line, render};
use clap::Args;
use clap::builder::PossibleValuesParser;
pub(super) use examine::has_program;
use examine::{Examined, examine};
use hookbox::Code;
use hookbox::agent::{self, Agent};
use reading::Reading;
use serde::Serialize;
pub(super) use started::Started;

/// See whether agents ask hookbox, and what they cannot be told; exit status 1 with what to do
///
/// Looks for each agent and its settings, and starts the command in them as the agent does: with a call that must be
/// denied, and with one that does nothing. Of the commands in a project's settings, it starts only those that `hookbox
/// install --project` writes. Without AGENT, it looks at each agent whose program or settings exist.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox doctor claude")]
pub(super) struct Doctor {
    /// The agent
    #[arg(value_name = "AGENT", value_parser = PossibleValuesParser::new(super::install::names()))]
    name: Option<String>,

    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    format: FormatArg,
}

#[derive(Serialize)]
struct Report {
    ok: bool,
    /// How hookbox was turned off, if it is off and no hook is asked.
    off: Option<Off>,
    agents: Vec<Examined>,
    config: Config,
}

/// A summary of the config that all agents share.
#[derive(Serialize)]
struct Config {
    hooks: usize,
    /// The hooks whose answers are recorded, and never applied.
    monitors: Vec<String>,
    problems: Vec<String>,
    /// Whether the config has an error, so that a file with unknown hooks denies what they may have guarded.
    #[serde(skip)]
    denies: bool,
}

impl Doctor {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let home = self.scope.places()?.home().to_owned();
        let project = self.scope.project()?;
        let named = self.name.as_deref().and_then(agent::by_name);
        let examined = |agent: &'static dyn Agent| {
            let mut root = install::project_root(&project, agent, Some(&home));
            // The same directory may have two paths.
            if install::is_same(&root, &home) {
                root.clone_from(&home);
            }
            let places = Places { home: &home, is_other_home: self.scope.names_home(), project: &root };
            examine(agent, &places, &project)
        };
        let mut agents: Vec<Examined> = match named {
            Some(agent) => examined(agent).into_iter().collect(),
            None => agent::all().iter().filter_map(|agent| examined(*agent)).filter(Examined::is_there).collect(),
        };
        // Unless the arguments say what to read, read the config that the command in the settings reads.
        let read = agents.iter().flat_map(|agent| &agent.reads).map(|(_, scope)| scope).next();
        let read = read.filter(|_| self.scope.is_usual()).and_then(|scope| Reading::new(scope.clone()).ok());
        let reading = match read {
            Some(reading) => reading,
            // What is wrong with the arguments in the settings is told with the agent.
            None => Reading::new(self.scope.clone())?,
        };
        let user = reading.scope().places()?;
        for agent in &mut agents {
            agent.look_at_configs(&self.scope, &reading);
            agent.unknown = unknown_events::seen(&user, agent.agent);
        }
        let (problems, denies) = (reading.problems(), reading.denies());
        let Reading { loaded, off, doubt, .. } = reading;
        let monitors = loaded.hooks.iter().filter(|hook| !hook.enforce).map(|hook| hook.name.clone()).collect();
        let config = Config { hooks: loaded.hooks.len(), monitors, problems, denies };
        let is_well = !agents.is_empty() && agents.iter().all(|agent| agent.problems.is_empty());
        let ok = is_well && off.is_none() && config.problems.is_empty() && config.hooks > 0;
        let report = Report { ok, off, agents, config };
        match self.format.format {
            Format::Json => print_json(&report)?,
            Format::Text => print(&report),
        }
        if self.format.format == Format::Text {
            render::problems(&loaded.problems);
            if let Some(doubt) = doubt {
                render::warning(Code::Permissions, &doubt);
            }
        }
        Ok(if report.ok { Exit::Success } else { Exit::Failure })
    }
}

fn print(report: &Report) {
    if let Some(off) = &report.off {
        print_line(&format!("{}; `hookbox on` ends it", off.in_words()));
        print_line("");
    }
    if report.agents.is_empty() {
        print_line("no agent was found; `hookbox install AGENT` makes hookbox its hook");
    }
    for agent in &report.agents {
        agent.print();
        print_line("");
    }
    let line = match report.config.hooks {
        0 if report.config.denies => {
            "no hook can be used, so calls are denied until the problems are mended".to_owned()
        }
        0 if report.agents.iter().any(Examined::is_denied_everything) => {
            "no hooks are configured, and calls are denied all the same: see the problems above".to_owned()
        }
        0 => "no hooks are configured, so everything is allowed: see `hookbox check`".to_owned(),
        1 => "1 hook is configured".to_owned(),
        hooks => format!("{hooks} hooks are configured"),
    };
    print_line(&line);
    for monitor in &report.config.monitors {
        print_line(&format!("`{monitor}` only monitors: what it decides is recorded, and stops nothing"));
    }
}
