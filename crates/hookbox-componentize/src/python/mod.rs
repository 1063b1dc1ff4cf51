//! The powers that a hook in Python imports, and its world.

mod imports;

use crate::{Power, World};
use anyhow::{Context, Result};
use imports::imports;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the SDK that stand for a power.
const POWERS: [(&str, Power<'static>); 3] =
    [("hookbox.log", Power::LOG), ("hookbox.store", Power::STORE), ("hookbox.http", Power::HTTP)];

/// The name of the world of a hook in Python, as [`write_python_world`] writes it.
pub const PYTHON_WORLD: &str = "hookbox:hook/python";

/// Returns the powers that `hook.py` in this folder uses, according to its import statements and those of the modules
/// that it imports.
///
/// # Errors
/// Returns an error if a module cannot be read.
pub fn python_powers(dir: &Path) -> Result<Vec<Power<'static>>> {
    let mut used = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut unread = vec![(PathBuf::from("hook.py"), Vec::new())];
    while let Some((file, package)) = unread.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let path = dir.join(&file);
        let bytes = fs::read(&path).with_context(|| format!("`{}` cannot be read", path.display()))?;
        for name in imports(&String::from_utf8_lossy(&bytes)) {
            let Some(name) = absolute(&name, &package) else { continue };
            used.extend(POWERS.iter().position(|(module, _)| name.join(".") == *module));
            unread.extend(files(dir, &name));
        }
    }
    Ok(POWERS.iter().enumerate().filter(|(place, _)| used.contains(place)).map(|(_, (_, power))| *power).collect())
}

/// Returns the parts of a module's absolute name. A name with leading dots is relative to this package.
fn absolute(name: &str, package: &[String]) -> Option<Vec<String>> {
    let rest = name.trim_start_matches('.');
    let dots = name.len() - rest.len();
    let mut parts = match dots {
        0 => Vec::new(),
        _ => package.get(..(package.len() + 1).checked_sub(dots)?)?.to_vec(),
    };
    parts.extend(rest.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
    Some(parts)
}

/// Returns the files of the folder that an import of this module runs, each with the package that it is in.
fn files(dir: &Path, name: &[String]) -> Vec<(PathBuf, Vec<String>)> {
    let mut found = Vec::new();
    let mut outer = PathBuf::new();
    for (depth, part) in name.iter().enumerate() {
        let inner = outer.join(part);
        let (package, module) = (inner.join("__init__.py"), outer.join(format!("{part}.py")));
        if dir.join(&package).is_file() {
            found.push((package, name.iter().take(depth + 1).cloned().collect()));
        } else if dir.join(&module).is_file() {
            found.push((module, name.iter().take(depth).cloned().collect()));
        }
        outer = inner;
    }
    found
}

/// Writes the WIT of [`PYTHON_WORLD`] with these powers into a folder, for componentize-py.
///
/// # Errors
/// Returns an error if the folder cannot be written.
pub fn write_python_world(dir: &Path, powers: &[Power<'_>]) -> Result<()> {
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().unwrap_or(dir))
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("`{}` cannot be written", path.display()))
    };
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("`{}` cannot be removed", dir.display()))?;
    }
    let mut world = "package hookbox:hook@0.1.0;\n\nworld python {\n    include policy;\n".to_owned();
    for (place, power) in powers.iter().enumerate() {
        write(dir.join(format!("deps/power-{place}/power.wit")), power.wit)?;
        for interface in power.interfaces {
            world.push_str(&format!("    import {interface};\n"));
        }
    }
    write(dir.join("hook.wit"), World::POLICY.wit)?;
    write(dir.join("python.wit"), &(world + "}\n"))
}
