//! `cargo xtask policies`: maintains the records about the policies that ship with hookbox.
//!
//! `policies/NAME/released.toml` records the cases of the last released version with its decisions. Cases that the
//! current version decides differently must be listed in `policies/NAME/CHANGELOG.md`, so that no update silently
//! weakens a policy.

use crate::{guests, tools};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml::Table;

/// A case whose decision changed.
struct Change {
    name: String,
    before: String,
    now: String,
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    let (mut check, mut release, mut hookbox) = (false, false, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" if !release => check = true,
            "--release" if !check => release = true,
            "--hookbox" => hookbox = Some(PathBuf::from(args.next().context("`--hookbox` needs a path")?)),
            _ => bail!("usage: cargo xtask policies [--check | --release] [--hookbox PATH]"),
        }
    }
    schemas(check)?;
    guests::build_own()?;
    let hookbox = match hookbox {
        Some(path) => path.canonicalize().with_context(|| format!("`{}` is not there", path.display()))?,
        None => build_hookbox()?,
    };
    for name in guests::POLICIES {
        Released { name, hookbox: &hookbox }.compare(check, release).with_context(|| format!("the policy `{name}`"))?;
    }
    Ok(())
}

/// Writes or checks the schemas of the settings.
fn schemas(check: bool) -> Result<()> {
    tools::step("the schemas of the settings");
    let mut cargo = guests::cargo_own("policies");
    cargo.args(["run", "--quiet", "--locked", "--package", "policy-schemas"]);
    if check {
        cargo.args(["--", "--check"]);
    }
    tools::run(&mut cargo)
}

fn build_hookbox() -> Result<PathBuf> {
    let root = tools::root();
    let mut cargo = tools::cargo(&root);
    cargo.args(["build", "--locked", "--package", "hookbox-cli", "--bin", "hookbox"]);
    tools::run(&mut cargo)?;
    Ok(root.join("target/debug/hookbox"))
}

struct Released<'a> {
    name: &'static str,
    hookbox: &'a Path,
}

impl Released<'_> {
    fn file(&self, name: &str) -> PathBuf {
        tools::root().join("policies").join(self.name).join(name)
    }

    /// Compares the decisions of the released version with those of this one.
    fn compare(&self, check: bool, release: bool) -> Result<()> {
        let version = self.version()?;
        let cases = read(&self.file("cases.toml"))?;
        let Ok(released) = fs::read_to_string(self.file("released.toml")) else {
            ensure!(release, "nothing was released yet: `cargo xtask policies --release` records its cases");
            self.record(&version, &cases)?;
            return self.log(&version, None, &[]);
        };
        let before =
            released.lines().next().and_then(|line| line.strip_prefix("# ")).context("no version in released.toml")?;
        let changes = self.changes(&released)?;
        if changes.is_empty() {
            println!("{} {version}: decides all cases of {before} as that did", self.name);
        } else {
            ensure!(
                before != version,
                "{} of its cases are decided otherwise, so that it needs a new version",
                changes.len()
            );
            println!("{} {version}: decides {} of the cases of {before} otherwise", self.name, changes.len());
            let section = section(&version, Some(before), &changes);
            let is_told = fs::read_to_string(self.file("CHANGELOG.md")).is_ok_and(|log| log.contains(&section));
            if check {
                ensure!(is_told, "CHANGELOG.md does not say what it decides otherwise: run `cargo xtask policies`");
            } else if !is_told {
                self.log(&version, Some(before), &changes)?;
            }
        }
        if release { self.record(&version, &cases) } else { Ok(()) }
    }

    fn version(&self) -> Result<String> {
        let manifest: Table = read(&self.file("Cargo.toml"))?.parse()?;
        let version =
            manifest.get("package").and_then(|package| package.get("version")).and_then(|version| version.as_str());
        Ok(version.context("no version")?.to_owned())
    }

    /// Asks this version about the recorded cases, and returns those that it decides differently.
    fn changes(&self, released: &str) -> Result<Vec<Change>> {
        let dir = guests::own_dir().join("policies-asked");
        fs::create_dir_all(&dir)?;
        let (config, asked) = (dir.join("hooks.toml"), dir.join("cases.toml"));
        tools::write(&config, format!("[hooks.{0}]\npolicy = \"{0}\"\n", self.name).as_bytes())?;
        tools::write(&asked, released.as_bytes())?;
        let mut test = Command::new(self.hookbox);
        test.args(["test", "--update", "--config"]).arg(&config).arg("--cases").arg(&asked);
        let output = test.output().context("hookbox could not be started")?;
        let told = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() != Some(2), "its cases could not be asked: {told}");
        let (before, now) = (decisions(released)?, decisions(&read(&asked)?)?);
        ensure!(before.len() == now.len(), "some cases were lost");
        let pairs = before.into_iter().zip(now).filter(|((_, before), (_, now))| before != now);
        Ok(pairs.map(|((name, before), (_, now))| Change { name, before, now }).collect())
    }

    /// Records the cases as those of the released version.
    fn record(&self, version: &str, cases: &str) -> Result<()> {
        tools::write(&self.file("released.toml"), format!("# {version}\n{cases}").as_bytes())
    }

    /// Puts a section at the top of the changelog.
    fn log(&self, version: &str, before: Option<&str>, changes: &[Change]) -> Result<()> {
        let head = format!("# Changelog of {}\n", self.name);
        let old = fs::read_to_string(self.file("CHANGELOG.md")).unwrap_or_else(|_| head.clone());
        let rest = old.strip_prefix(&head).context("CHANGELOG.md has another heading")?;
        // An existing section for this version is replaced.
        let rest = match rest.split_once(&format!("\n## {version}\n")) {
            Some(("", own)) => own.find("\n## ").and_then(|at| own.get(at..)).unwrap_or_default().to_owned(),
            _ => rest.to_owned(),
        };
        let text = format!("{head}{}{rest}", section(version, before, changes));
        tools::write(&self.file("CHANGELOG.md"), text.as_bytes())
    }
}

fn section(version: &str, before: Option<&str>, changes: &[Change]) -> String {
    let mut text = format!("\n## {version}\n\n");
    let Some(before) = before else { return text + "The first version.\n" };
    text.push_str(&format!("Decides these cases otherwise:\n\n| | {before} | {version} |\n|---|---|---|\n"));
    for Change { name, before, now } in changes {
        let name = name.replace('|', "\\|").replace('\n', " ");
        text.push_str(&format!("| `{name}` | {before} | {now} |\n"));
    }
    text
}

/// Returns the cases and their expected decisions, in order.
fn decisions(cases: &str) -> Result<Vec<(String, String)>> {
    let table: Table = cases.parse()?;
    let cases = table.get("case").and_then(|cases| cases.as_array()).context("no cases")?;
    let text =
        |case: &toml::Value, key: &str| case.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    Ok(cases.iter().map(|case| (text(case, "name"), text(case, "expect"))).collect())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("`{}` cannot be read", path.display()))
}
