//! The wheels for Python: one for each system with the programs, and the client, which is the same for all systems.

use super::tree::Tree;
use super::{System, VERSION, scratch};
use crate::languages::{install_program, program_path};
use crate::tools;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

const HATCH: &str = "hatchling==1.27.0";

/// The earliest time that a file in a wheel can have, in seconds since 1970.
const TIME: &str = "315532800";

const INIT: &str = r#""""hookbox, and its client: what `hookbox_client` has. The program that came with it is the one that is started."""

from hookbox_client import *  # noqa: F403
"#;

const MAIN: &str = r#""""`python -m hookbox`: becomes the program."""

import os
import sys
import sysconfig

program = os.path.join(sysconfig.get_path("scripts"), "hookbox")
os.execv(program, [program, *sys.argv[1:]])
"#;

pub(super) fn pack(system: &System, tree: &Tree, out: &Path) -> Result<()> {
    let dir = scratch(&format!("{}-wheel", system.target))?;
    fs::create_dir(dir.join("hookbox"))?;
    for (name, text) in [("__init__.py", INIT), ("__main__.py", MAIN), ("py.typed", "")] {
        fs::write(dir.join("hookbox").join(name), text)?;
    }
    let quoted = |file: &str, to: &str| format!("{:?} = {to:?}\n", tree.root.join(file).display().to_string());
    let mut data = String::new();
    for (file, _) in tree.files.iter().filter(|(file, _)| !file.starts_with("bin/")) {
        data.push_str(&quoted(file, file));
    }
    let project = format!(
        "[build-system]\nrequires = [\"hatchling\"]\nbuild-backend = \"hatchling.build\"\n\n\
         [project]\nname = \"hookbox\"\nversion = \"{VERSION}\"\nreadme = \"README.md\"\nlicense = \"Apache-2.0\"\n\
         description = \"A hook engine for AI agents whose hooks are sandboxed WebAssembly components\"\n\
         requires-python = \">=3.10\"\ndependencies = [\"hookbox-client=={VERSION}\"]\n\n\
         [tool.hatch.build.targets.wheel]\npackages = [\"hookbox\"]\n\n\
         [tool.hatch.build.targets.wheel.hooks.custom]\npath = \"tag.py\"\n\n\
         [tool.hatch.build.targets.wheel.shared-scripts]\n{}\n\
         [tool.hatch.build.targets.wheel.shared-data]\n{data}",
        quoted("bin/hookbox", "hookbox")
    );
    let tag = format!(
        "from hatchling.builders.hooks.plugin.interface import BuildHookInterface\n\n\n\
         class Tag(BuildHookInterface):\n    def initialize(self, version, build_data):\n        \
         build_data[\"pure_python\"] = False\n        build_data[\"tag\"] = \"py3-none-{}\"\n",
        system.wheel
    );
    fs::write(dir.join("pyproject.toml"), project)?;
    fs::write(dir.join("tag.py"), tag)?;
    fs::copy(tools::root().join("README.md"), dir.join("README.md"))?;
    build(&dir, out)
}

/// Packs the client, for which no program has to be built.
pub(super) fn pack_client(out: &Path) -> Result<()> {
    build(&tools::root().join("clients/python"), out)
}

fn build(dir: &Path, out: &Path) -> Result<()> {
    install_program("hatchling", HATCH)?;
    let mut hatch = Command::new(program_path("hatchling"));
    hatch.args(["build", "-t", "wheel", "-d"]).arg(out).current_dir(dir).env("SOURCE_DATE_EPOCH", TIME);
    tools::output(&mut hatch).context("the wheel could not be built").map(drop)
}
