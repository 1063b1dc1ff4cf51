//! The files of a package, as they are installed below a prefix such as `/usr`.

use super::programs::Programs;
use super::{System, scratch};
use crate::tools;
use anyhow::{Context, Result};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder in which a hookbox in `bin` looks for the files that belong to it.
const LIBRARY: &str = "lib/hookbox";

/// The compiler, which only hookbox starts.
pub(super) const COMPILER: &str = "lib/hookbox/hookbox-compiler";

/// The shells that commands are completed in, and where each looks for its script.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/hookbox"),
    ("zsh", "share/zsh/site-functions/_hookbox"),
    ("fish", "share/fish/vendor_completions.d/hookbox.fish"),
];

/// The files below a prefix.
pub(super) struct Tree {
    pub(super) root: PathBuf,
    /// Their paths below the root, sorted, each with whether it is a program.
    pub(super) files: Vec<(String, bool)>,
}

impl Tree {
    fn add(&mut self, name: &str, bytes: &[u8], is_program: bool) -> Result<()> {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().context("a file has a directory")?)?;
        fs::write(&path, bytes)?;
        fs::set_permissions(&path, Permissions::from_mode(if is_program { 0o755 } else { 0o644 }))?;
        self.files.push((name.to_owned(), is_program));
        self.files.sort();
        Ok(())
    }

    fn copy(&mut self, name: &str, from: &Path, is_program: bool) -> Result<()> {
        let bytes = fs::read(from).with_context(|| format!("`{}` cannot be read", from.display()))?;
        self.add(name, &bytes, is_program)
    }
}

/// Lays out the files for a system. `host` is a hookbox that runs on this machine.
pub(super) fn lay_out(system: &System, programs: &Programs, host: &Path) -> Result<Tree> {
    let mut tree = Tree { root: scratch(system.target)?, files: Vec::new() };
    tree.copy("bin/hookbox", &programs.hookbox, true)?;
    tree.copy(COMPILER, &programs.compiler, true)?;
    for file in &programs.own_code {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        tree.copy(&format!("{LIBRARY}/{name}"), file, false)?;
    }
    // The output of these commands is the same for every system.
    for (shell, file) in COMPLETIONS {
        let script = tools::output(Command::new(host).args(["completions", shell]))?;
        tree.add(file, script.as_bytes(), false)?;
    }
    let pages = scratch("man")?;
    tools::output(Command::new(host).arg("__man").arg(&pages))?;
    for page in fs::read_dir(&pages)? {
        let page = page?;
        tree.copy(&format!("share/man/man1/{}", page.file_name().to_string_lossy()), &page.path(), false)?;
    }
    for file in ["LICENSE", "CHANGELOG.md"] {
        tree.copy(&format!("share/doc/hookbox/{file}"), &tools::root().join(file), false)?;
    }
    Ok(tree)
}
