//! The report of the tests that were skipped, in whole or in part.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// The prefix of the tests that need the component that runs scripts.
pub(crate) const SCRIPTS: &str = "script::";

/// The variable that tells the tests in which file to note what they skip. `tests/suite/support` writes that file.
const VARIABLE: &str = "HOOKBOX_SKIPPED_TESTS";

/// The notes that tests write while they run. Each line has the name of a test and the reason why it skipped something.
pub(crate) struct Skipped {
    notes: PathBuf,
}

impl Skipped {
    /// Starts with an empty file of notes.
    pub(crate) fn begin() -> Result<Self> {
        let notes = tools::root().join("target/skipped-tests.txt");
        tools::write(&notes, b"").with_context(|| format!("`{}` cannot be written", notes.display()))?;
        Ok(Skipped { notes })
    }

    /// Makes the tests of this command note what they skip.
    pub(crate) fn note_in(&self, cargo: &mut Command) {
        cargo.env(VARIABLE, &self.notes);
    }

    /// Counts and lists what was skipped.
    pub(crate) fn tell(&self, without_scripts: bool) -> Result<()> {
        let text = std::fs::read_to_string(&self.notes).context("what the tests noted cannot be read")?;
        let mut skipped: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (test, why) in text.lines().filter_map(|line| line.split_once('\t')) {
            let reasons = skipped.entry(test.to_owned()).or_default();
            if !reasons.iter().any(|known| known == why) {
                reasons.push(why.to_owned());
            }
        }
        for test in listed(&["--ignored"])? {
            skipped.insert(test, vec!["it has `#[ignore]`".to_owned()]);
        }
        if without_scripts {
            for test in listed(&[SCRIPTS])? {
                skipped.insert(test, vec!["what runs scripts was not built".to_owned()]);
            }
        }
        eprintln!("\n{} skipped, wholly or in part", tests(skipped.len()));
        for (test, reasons) in &skipped {
            eprintln!("  {test}: {}", reasons.join("; "));
        }
        Ok(())
    }
}

fn tests(count: usize) -> String {
    if count == 1 { "1 test was".to_owned() } else { format!("{count} tests were") }
}

/// Returns the tests of the workspace that these arguments of the test programs select.
fn listed(args: &[&str]) -> Result<Vec<String>> {
    let mut cargo = tools::cargo(&tools::root());
    // Doc tests are not programs that can list their tests.
    cargo.args(["test", "--quiet", "--locked", "--workspace", "--lib", "--bins", "--tests", "--", "--list"]).args(args);
    let output = cargo.output().context("`cargo` could not be started")?;
    if !output.status.success() {
        bail!("the tests cannot be listed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
