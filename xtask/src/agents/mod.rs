//! `cargo xtask agents`: checks with real agents and a scripted model that hookbox's answers take effect.

mod docs;
mod drive;
mod home;
mod install;
mod kinds;
mod model;
mod scenarios;
mod seen;

use crate::{guests, quickjs, tools};
use anyhow::{Context, Result, bail};
use docs::Row;
use drive::Run;
use kinds::Agent;
use scenarios::Scenario;
use seen::Seen;
use std::path::{Path, PathBuf};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask agents [--check] [--only SCENARIO] [--hookbox PATH] [AGENT...]";

/// The maximum length of an agent's output that is printed after an unexpected result, in characters.
const SHOWN: usize = 4000;

#[derive(Default)]
struct Options {
    /// Whether to leave the docs as they are.
    check: bool,
    /// The only scenario to run.
    only: Option<String>,
    /// The hookbox to test, instead of building one.
    hookbox: Option<PathBuf>,
    agents: Vec<&'static Agent>,
}

impl Options {
    fn read(args: &[String]) -> Result<Self> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--check" => options.check = true,
                "--only" => options.only = Some(args.next().context(USAGE)?.clone()),
                "--hookbox" => options.hookbox = Some(Path::new(args.next().context(USAGE)?).canonicalize()?),
                name => match kinds::ALL.iter().find(|agent| agent.name == name) {
                    Some(agent) => options.agents.push(agent),
                    None => bail!(
                        "{name:?} is none of {}\n\n{USAGE}",
                        kinds::ALL.each_ref().map(|agent| agent.name).join(", ")
                    ),
                },
            }
        }
        if options.agents.is_empty() {
            options.agents.extend(&kinds::ALL);
        }
        Ok(options)
    }
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    let options = Options::read(args)?;
    let wanted = |scenario: &&Scenario| options.only.as_deref().is_none_or(|only| only == scenario.name);
    let scenarios: Vec<_> = scenarios::ALL.iter().filter(wanted).collect();
    if scenarios.is_empty() {
        let names = scenarios::ALL.map(|scenario| scenario.name).join(", ");
        bail!("{:?} is none of {names}", options.only.unwrap_or_default());
    }
    let hookbox = match options.hookbox {
        Some(hookbox) => hookbox,
        None => build()?,
    };
    let mut surprises = 0;
    for agent in &options.agents {
        let installed = install::install(agent)?;
        tools::step(&format!("{} {}", agent.title, installed.version));
        let (mut seen, mut is_clear) = (Vec::new(), true);
        for scenario in &scenarios {
            let outcome = play(agent, &installed, &hookbox, scenario)?;
            if outcome != Some(scenario.expects(agent.name)) {
                surprises += 1;
            }
            is_clear &= outcome.is_some();
            seen.extend(outcome.filter(|_| scenario.column.is_some()));
        }
        // A row says exactly what was observed, whether it was expected or not.
        if is_clear && !options.check && options.only.is_none() {
            docs::write(&[Row::new(agent, &installed.version, &seen)])?;
        }
    }
    match surprises {
        0 => Ok(()),
        1 => bail!("one outcome is not the expected one"),
        _ => bail!("{surprises} outcomes are not the expected ones"),
    }
}

/// Builds hookbox with everything that the policies need.
fn build() -> Result<PathBuf> {
    quickjs::build()?;
    guests::build()?;
    tools::step("building hookbox");
    let root = tools::root();
    tools::run(tools::cargo(&root).args(["build", "--locked", "--package", "hookbox-cli"]))?;
    Ok(root.join("target/debug/hookbox"))
}

/// Runs a scenario. Returns the result if it is clear. Prints everything if the result is not the expected one.
fn play(agent: &Agent, installed: &install::Installed, hookbox: &Path, scenario: &Scenario) -> Result<Option<Seen>> {
    let begin = Instant::now();
    let run = drive::run(agent, installed, hookbox, scenario)?;
    let seconds = begin.elapsed().as_secs_f64();
    let (seen, expected) = (look(&run, scenario), scenario.expects(agent.name));
    match &seen {
        Ok(seen) if *seen == expected => println!("{:<10} {:<16} {seen} ({seconds:.1} s)", agent.name, scenario.name),
        Ok(seen) => println!("{:<10} {:<16} {seen}, and not: {expected}", agent.name, scenario.name),
        Err(error) => println!("{:<10} {:<16} unclear: {error:#}", agent.name, scenario.name),
    }
    if seen.as_ref().ok() != Some(&expected) {
        tell(run);
    }
    Ok(seen.ok())
}

fn look(run: &Run, scenario: &Scenario) -> Result<Seen> {
    if let Some(fault) = run.log.faults.first() {
        bail!("{fault}");
    }
    if run.status.is_none() {
        bail!("the agent did not come to an end");
    }
    (scenario.look)(run)
}

/// Prints everything known about a run, and keeps its files.
fn tell(run: Run) {
    let status = run.status.map_or_else(|| "its time was over".to_owned(), |status| status.to_string());
    println!("  the agent ended: {status}; requests to the model: {}", run.log.requests.len());
    for input in &run.asked {
        println!("  hooks were asked: {}", shorten(&input.to_string()));
    }
    for call in &run.calls {
        println!("  hookbox was called: {}", shorten(&call.to_string()));
    }
    if let Some(request) = run.log.requests.last() {
        let text = request.to_string();
        let tail: String = text.chars().skip(text.chars().count().saturating_sub(SHOWN / 2)).collect();
        println!("  the model was told last: …{tail}");
    }
    println!("  stdout: {}\n  stderr: {}", shorten(&run.stdout), shorten(&run.stderr));
    if !run.notes.is_empty() {
        println!("  noted by itself: {}", shorten(&run.notes));
    }
    println!("  the policies: {}", run.home.examine());
    println!("  all of it is in {}", run.home.keep().display());
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
