//! `hookbox __own-code`: compiles hookbox's own components for an installation. `cargo xtask dist` calls it.

use super::scope::compiler;
use super::{Exit, print_line};
use clap::Args;
use hookbox::Failure;
#[cfg(feature = "cross")]
use hookbox::runtime::component::write_own_code_for;
use hookbox::runtime::component::{Effort, Sandbox};
use std::path::PathBuf;

/// Compile hookbox's own components into files that belong beside the program
#[derive(Args)]
pub(super) struct OwnCode {
    /// Where to write them
    dir: PathBuf,
    /// The system that they are for, instead of this one
    #[cfg(feature = "cross")]
    #[arg(long)]
    target: Option<String>,
}

impl OwnCode {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        for file in self.write()? {
            print_line(&file.display().to_string());
        }
        Ok(Exit::Success)
    }

    fn write(&self) -> Result<Vec<PathBuf>, Failure> {
        #[cfg(feature = "cross")]
        if let Some(target) = &self.target {
            return write_own_code_for(target, &self.dir);
        }
        Sandbox::for_one_call(compiler(Effort::PATIENT))?.write_own_code(&self.dir)
    }
}
