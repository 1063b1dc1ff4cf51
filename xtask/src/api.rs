//! `cargo xtask api`: compares the library's public items with `docs/reference/public-api.txt`.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The listing, which every change to the public API must update.
const LISTING: &str = "docs/reference/public-api.txt";

/// Checks the listing. With `--write`, updates it.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let write = match args {
        [] => false,
        [option] if option == "--write" => true,
        _ => bail!("usage: cargo xtask api [--write]"),
    };
    tools::step("listing the public API");
    let current = list(&describe()?)?;
    let path = tools::root().join(LISTING);
    if write {
        return tools::write(&path, current.as_bytes());
    }
    let recorded = std::fs::read_to_string(&path).with_context(|| format!("`{LISTING}` cannot be read"))?;
    compare(&recorded, &current)
}

/// Makes rustdoc describe the library as JSON. Returns the path of the file.
fn describe() -> Result<PathBuf> {
    // The JSON format is unstable, so rustdoc must be a nightly one or have this variable. The variable must not be set
    // for cargo and the compiler: build scripts would run again, and everything would be checked anew. This version of
    // `public-api` reads the format of the compiler that `rust-toolchain.toml` names.
    let rustdoc = tools::script(
        &tools::root().join("target/rustdoc-json"),
        "RUSTC_BOOTSTRAP=1 exec rustdoc \"$@\" -Z unstable-options --output-format json",
    )?;
    let mut cargo = tools::cargo(&tools::root());
    // All packages of the workspace are documented, as for the documentation, so that the dependencies have the same
    // features and are already built.
    cargo.env("RUSTDOC", rustdoc).args(["doc", "--locked", "--workspace", "--no-deps"]);
    tools::run(&mut cargo)?;
    Ok(tools::root().join("target/doc/hookbox.json"))
}

/// Lists the public items, one on each line. Items that are hidden from the documentation are not part of the API.
fn list(json: &Path) -> Result<String> {
    let api = public_api::Builder::from_rustdoc_json(json).omit_blanket_impls(true).build();
    let api = api.context("the output of rustdoc cannot be read")?;
    Ok(api.items().map(ToString::to_string).filter(|item| is_listed(item)).map(|item| item + "\n").collect())
}

/// Whether the listing has an item. The listing leaves out redundant items: the methods of derived traits, and the auto
/// traits of a type. A type that is not `Send`, `Sync` or `Unpin` is listed as such.
fn is_listed(item: &str) -> bool {
    const DERIVED: [&str; 6] = ["clone(&self)", "eq(&self", "fmt(&self", "hash<", "cmp(&self", "partial_cmp(&self"];
    const AUTO: [&str; 8] =
        ["Freeze", "RefUnwindSafe", "Send", "StructuralPartialEq", "Sync", "Unpin", "UnsafeUnpin", "UnwindSafe"];
    let is_derived = item.starts_with("pub fn") && DERIVED.iter().any(|end| item.contains(&format!("::{end}")));
    let (of, _) = item.split_once(" for ").unwrap_or_default();
    let name = of.rsplit([':', ' ']).next().unwrap_or_default();
    let is_lacking = of.contains('!') && matches!(name, "Send" | "Sync" | "Unpin");
    let is_auto = of.starts_with("impl") && AUTO.contains(&name) && !is_lacking;
    !is_derived && !is_auto
}

fn compare(recorded: &str, current: &str) -> Result<()> {
    let (recorded, current): (BTreeSet<_>, BTreeSet<_>) = (recorded.lines().collect(), current.lines().collect());
    if recorded == current {
        return Ok(());
    }
    for removed in recorded.difference(&current) {
        eprintln!("-{removed}");
    }
    for added in current.difference(&recorded) {
        eprintln!("+{added}");
    }
    bail!(
        "the public API differs from `{LISTING}`: if that is intended, run `cargo xtask api --write`; \
         a line that goes away is a breaking change"
    );
}
