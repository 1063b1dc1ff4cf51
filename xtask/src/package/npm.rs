//! The packages for npm: one for each system with the programs, one that chooses among them, and the client.

use super::tree::Tree;
use super::{SYSTEMS, System, VERSION, scratch};
use crate::tools;
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The script that starts the program of this system. hookbox writes the path of the program itself into agents'
/// settings, so that agents do not wait for Node.js.
const SHIM: &str = r#"#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { program } from "../index.js";

const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`hookbox: ${ended.error.message}`);
  process.exit(1);
}
process.exit(ended.status ?? 128 + constants.signals[ended.signal]);
"#;

const INDEX: &str = r#"import { createRequire } from "node:module";

export * from "hookbox-client";

const name = `@hookbox/${process.platform}-${process.arch}`;

function find() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/hookbox`);
  } catch {
    throw new Error(`hookbox has no program for this system: ${name} is not installed`);
  }
}

/** The path of the program. */
export const program = find();
"#;

const TYPES: &str =
    "export * from \"hookbox-client\";\n\n/** The path of the program. */\nexport const program: string;\n";

fn name_of(system: &System) -> String {
    format!("@hookbox/{}-{}", system.npm.0, system.npm.1)
}

pub(super) fn pack(system: &System, tree: &Tree, out: &Path) -> Result<()> {
    let dir = scratch(&format!("{}-npm", system.target))?;
    for (file, _) in &tree.files {
        let to = dir.join(file);
        fs::create_dir_all(to.parent().context("a file has a directory")?)?;
        fs::copy(tree.root.join(file), &to)?;
    }
    let (os, cpu) = system.npm;
    let package = json!({
        "name": name_of(system), "version": VERSION, "license": "Apache-2.0", "os": [os], "cpu": [cpu],
        "description": format!("The programs of hookbox for {os} on {cpu}"), "files": ["bin", "lib", "share"],
    });
    npm_pack(&dir, &package, out)
}

/// Packs the package that people install by name, and the client.
pub(super) fn pack_front(out: &Path) -> Result<()> {
    let dir = scratch("npm")?;
    fs::create_dir(dir.join("bin"))?;
    for (name, text) in [("bin/hookbox.js", SHIM), ("index.js", INDEX), ("index.d.ts", TYPES)] {
        fs::write(dir.join(name), text)?;
    }
    for file in ["README.md", "LICENSE"] {
        fs::copy(tools::root().join(file), dir.join(file))?;
    }
    let optional: Map<String, Value> = SYSTEMS.iter().map(|system| (name_of(system), json!(VERSION))).collect();
    let package = json!({
        "name": "hookbox", "version": VERSION, "license": "Apache-2.0", "type": "module",
        "description": "A hook engine for AI agents whose hooks are sandboxed WebAssembly components",
        "bin": { "hookbox": "bin/hookbox.js" },
        "exports": { ".": { "types": "./index.d.ts", "default": "./index.js" } },
        "files": ["bin", "index.js", "index.d.ts"], "engines": { "node": ">=20.4" },
        "dependencies": { "hookbox-client": VERSION }, "optionalDependencies": optional,
    });
    npm_pack(&dir, &package, out)?;
    let client = tools::root().join("clients/node");
    let npm = |args: &[&str]| tools::output(Command::new("npm").args(args).current_dir(&client));
    npm(&["install", "--no-audit", "--no-fund", "--loglevel=error"])?;
    npm(&["run", "build"])?;
    pack_dir(&client, out)
}

fn npm_pack(dir: &Path, package: &Value, out: &Path) -> Result<()> {
    fs::write(dir.join("package.json"), format!("{package:#}\n"))?;
    pack_dir(dir, out)
}

fn pack_dir(dir: &Path, out: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--loglevel=error", "--pack-destination"]).arg(out).current_dir(dir);
    tools::output(&mut npm).context("install Node.js 20 or later with npm").map(drop)
}
