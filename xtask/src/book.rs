//! `cargo xtask book`: makes a book of `docs/`, which can be read and searched in a browser.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The version of mdBook. It is pinned, so that the same text makes the same book.
const MDBOOK: &str = "0.5.4";

pub(crate) fn run(args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask book");
    }
    // mdBook without its server needs far fewer dependencies.
    let mdbook = tools::install("mdbook", MDBOOK, &["--no-default-features", "--features", "search"])?;
    let root = tools::root();
    let book = root.join("target/book");
    if book.exists() {
        fs::remove_dir_all(&book).with_context(|| format!("`{}` cannot be removed", book.display()))?;
    }
    copy(&root.join("docs"), &book.join("docs"), Path::new(""))?;
    fs::copy(root.join("book.toml"), book.join("book.toml"))?;
    tools::step("building the book");
    tools::run(Command::new(mdbook).arg("build").arg(&book).arg("--dest-dir").arg(book.join("html")))?;
    println!("{}", book.join("html/index.html").display());
    Ok(())
}

/// Copies a folder of the docs. `place` is its path below `docs`.
fn copy(from: &Path, to: &Path, place: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("`{}` cannot be made", to.display()))?;
    for entry in from.read_dir().with_context(|| format!("`{}` cannot be read", from.display()))? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&path, &target, &place.join(entry.file_name()))?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?;
            tools::write(&target, inside(&text, place).as_bytes())?;
        } else {
            tools::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Replaces the links of a page to files outside of the book by the paths of these files.
fn inside(page: &str, place: &Path) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((link, after)) = after.split_once(')') else { break };
        let outside = (!link.contains("://")).then(|| outside(place, link)).flatten();
        match (outside, before.rfind('[')) {
            (Some(path), Some(at)) if before.is_char_boundary(at) => {
                let (before, name) = before.split_at(at);
                let name = name.trim_start_matches('[');
                text.push_str(before);
                text.push_str(name);
                if name.trim_matches('`') != path {
                    text.push_str(&format!(" (`{path}`)"));
                }
            }
            _ => text.push_str(&format!("{before}]({link})")),
        }
        rest = after;
    }
    text + rest
}

/// Returns the target of a link, relative to the root of the project, if it is outside of the docs. `place` is the
/// folder of the page below `docs`.
fn outside(place: &Path, link: &str) -> Option<String> {
    let path = link.split('#').next()?;
    let mut place: Vec<_> =
        Path::new("docs").join(place).components().map(|part| part.as_os_str().to_owned()).collect();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => _ = place.pop(),
            part => place.push(part.as_os_str().to_owned()),
        }
    }
    let target: PathBuf = place.iter().collect();
    (!target.starts_with("docs")).then(|| target.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::inside;
    use std::path::Path;

    #[test]
    fn a_link_that_leaves_the_book_becomes_a_path() {
        let page = "see [a *b*](../../guest-examples/rust), [`LICENSE`](../../LICENSE), [c](powers.md#store), \
                    [d](https://example.com/d), [e](../explanation/security.md) and f[0](1";
        assert_eq!(
            inside(page, Path::new("reference")),
            "see a *b* (`guest-examples/rust`), `LICENSE`, [c](powers.md#store), [d](https://example.com/d), \
             [e](../explanation/security.md) and f[0](1"
        );
    }
}
