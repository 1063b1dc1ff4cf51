//! `hookbox __own-code`: for installing hookbox. `cargo xtask dist` calls it.

use super::scope::compiler;
use super::{Exit, print_line};
use clap::Args;
use hookbox::runtime::component::{Effort, Sandbox};
use std::path::PathBuf;

/// Compile hookbox's own components into files that belong beside the program
#[derive(Args)]
pub(super) struct OwnCode {
    /// Where to write them
    dir: PathBuf,
}

impl OwnCode {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        for file in Sandbox::for_one_call(compiler(Effort::PATIENT))?.write_own_code(&self.dir)? {
            print_line(&file.display().to_string());
        }
        Ok(Exit::Success)
    }
}
