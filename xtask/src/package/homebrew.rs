//! The formula for Homebrew, which installs the tarballs.

use super::{SYSTEMS, System, VERSION, digest};
use crate::tools;
use anyhow::{Context, Result};
use std::path::Path;

/// The text of the formula, with the placeholders `VERSION`, `URL` and `SYSTEMS`.
const FORMULA: &str = include_str!("formula.rb");

/// Writes the formula, if there is a tarball for each system. `url` is the place of the tarballs, by default `out`.
pub(super) fn write(out: &Path, url: Option<&str>) -> Result<()> {
    let here = format!("file://{}", out.display());
    let url = url.unwrap_or(&here);
    let mut systems = String::new();
    for (os, is_macos) in [("macos", true), ("linux", false)] {
        systems.push_str(&format!("  on_{os} do\n"));
        for system in SYSTEMS.iter().filter(|system| system.is_macos() == is_macos) {
            let file = format!("hookbox-{VERSION}-{}.tar.gz", system.target);
            let Ok(bytes) = std::fs::read(out.join(&file)) else { return Ok(()) };
            let processor = processor(system).context("Homebrew does not know this processor")?;
            systems.push_str(&format!(
                "    on_{processor} do\n      url \"{url}/{file}\"\n      sha256 \"{}\"\n    end\n",
                digest(&bytes)
            ));
        }
        systems.push_str("  end\n");
    }
    let formula = FORMULA.replace("VERSION", VERSION).replace("URL", url).replace("  SYSTEMS\n", &systems);
    tools::write(&out.join("hookbox.rb"), formula.as_bytes())
}

fn processor(system: &System) -> Option<&'static str> {
    match system.target.split('-').next()? {
        "aarch64" => Some("arm"),
        "x86_64" => Some("intel"),
        _ => None,
    }
}
