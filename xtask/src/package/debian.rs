//! The package for Debian.

use super::tree::Tree;
use super::{VERSION, scratch};
use crate::tools;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Packs a tree for an architecture of Debian.
pub(super) fn pack(architecture: &str, tree: &Tree, out: &Path) -> Result<()> {
    let root = scratch(&format!("{architecture}-deb"))?;
    let mut size = 0;
    for (file, _) in &tree.files {
        let to = root.join("usr").join(file);
        fs::create_dir_all(to.parent().context("a file has a directory")?)?;
        size += fs::copy(tree.root.join(file), &to)?;
    }
    let copyright = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
                     Files: *\nCopyright: the authors of hookbox\nLicense: Apache-2.0\n \
                     On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n";
    fs::write(root.join("usr/share/doc/hookbox/copyright"), copyright)?;
    fs::create_dir(root.join("DEBIAN"))?;
    let control = format!(
        "Package: hookbox\nVersion: {VERSION}\nArchitecture: {}\nMaintainer: the authors of hookbox <hookbox@localhost>\n\
         Installed-Size: {}\nSection: utils\nPriority: optional\nSuggests: bash-completion\n\
         Description: hook engine for AI agents whose hooks are sandboxed\n \
         One command that agents ask before each tool call. Its policies are\n WebAssembly components in a fresh sandbox for each call.\n \
         .\n Run \"hookbox uninstall --all\" as each user before you remove it: agents\n keep its path in their settings.\n",
        architecture,
        size / 1024
    );
    fs::write(root.join("DEBIAN/control"), control)?;
    let file = out.join(format!("hookbox_{VERSION}_{architecture}.deb"));
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "-Zxz", "--build"]).arg(&root).arg(&file).env("SOURCE_DATE_EPOCH", "0");
    tools::output(&mut dpkg).context("install dpkg")?;
    Ok(())
}
