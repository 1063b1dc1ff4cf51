//! The list of the dependencies in each program, in CycloneDX format.

use super::programs::Programs;
use super::{System, VERSION};
use crate::tools;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// The version of auditable2cdx, which reads the list of dependencies from a program itself. The result therefore says
/// what that program was built from.
const READER: &str = "0.1.0";

pub(super) fn write(system: &System, programs: &Programs, out: &Path) -> Result<()> {
    let reader = tools::install("auditable2cdx", READER, &[])?;
    for (name, program) in [("hookbox", &programs.hookbox), ("hookbox-compiler", &programs.compiler)] {
        let parts = tools::output(Command::new(&reader).arg(program))?;
        tools::write(&out.join(format!("{name}-{VERSION}-{}.cdx.json", system.target)), parts.as_bytes())?;
    }
    Ok(())
}
