//! `hookbox convert`: converts another system's config to a `hooks.toml`.

use super::{Exit, print_raw, render};
use anyhow::{Context, anyhow};
use clap::Args;
use hookbox::Code;
use hookbox::config::{ConfigFile, HostEnv};
use hookbox::dialect::{self, Options};
use std::ffi::OsString;
use std::path::PathBuf;

/// Print the hooks of another system's config as a hooks.toml
///
/// Shell hooks go on speaking their system's protocol. Comments say where their meaning differs. Exit status 1 if a hook has
/// no form in hooks.toml; where it could stop something, a hook that denies stands in its place.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox convert --from docker-agent agent.yaml > hooks.toml")]
pub(super) struct Convert {
    /// Whose config it is
    #[arg(long, value_name = "DIALECT", value_parser = clap::builder::PossibleValuesParser::new(dialect::NAMES))]
    from: String,

    /// The agent whose hooks count, if the config has several
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// The config file
    file: PathBuf,
}

impl Convert {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let options = Options::default().with_agent(self.agent);
        let dialect = dialect::by_name(&self.from, &options).ok_or_else(|| anyhow!("no such dialect"))?;
        let file = match ConfigFile::read(&self.file, hookbox::Source::USER, dialect.read_rules()) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(anyhow!("`{}` does not exist", self.file.display())),
            Err(unreadable) => {
                render::problems(std::slice::from_ref(&*unreadable.problem));
                return Ok(Exit::Failure);
            }
        };
        let cwd = std::env::current_dir().context("the current directory is unknown")?;
        let env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        let converted = match dialect::convert(dialect.as_ref(), &file, &HostEnv::new(&env, &cwd)) {
            Ok(converted) => converted,
            Err(reading) => {
                render::problems(&reading.problems);
                return Ok(Exit::Failure);
            }
        };
        // A config that was cut off at the end of a line is valid, but lacks hooks.
        if !print_raw(converted.text.trim_end()) {
            return Err(anyhow!("the hooks could not be written to stdout"));
        }
        for what in &converted.left_out {
            render::message(Code::ConfigValue, &format!("left out: {what}"));
        }
        Ok(if converted.left_out.is_empty() { Exit::Success } else { Exit::Failure })
    }
}
