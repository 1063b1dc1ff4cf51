//! The home directory for one run, with hookbox in its own folder, the agent's settings, the policies, and a project.

use super::kinds::Agent;
use crate::tools;
use anyhow::{Context, Result, bail};
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The directory of policies and their config.
const POLICIES: &str = ".agents";

/// The beginning of every config: a hook that records what it is asked, and allows. It shows that the agent called
/// hookbox, and that hookbox asked its hooks.
const WITNESS: &str = r#"
[hooks.witness]
events = ["session_start", "pre_message", "pre_tool", "post_tool"]
command = "sh"
args = ["-c", 'cat >> "$HOME/asked.jsonl"']
"#;

/// The policy that is a component.
const COMPONENT: &str = "no_destructive_commands.wasm";

/// A temporary home directory.
pub(super) struct Home {
    dir: PathBuf,
    /// The built programs.
    built: PathBuf,
    scratch: TempDir,
}

impl Home {
    /// Creates a home with an empty project and the built hookbox.
    pub(super) fn new(built: &Path) -> Result<Self> {
        let scratch = tempfile::Builder::new().prefix("hookbox-agents-").tempdir()?;
        // Agents know their project by its real path.
        let home = Home { dir: scratch.path().canonicalize()?, built: built.to_owned(), scratch };
        for folder in ["bin", "calls", "project", "tmp"] {
            make_dir(&home.dir.join(folder))?;
        }
        let compiler = built.with_file_name("hookbox-compiler");
        for program in [built, &compiler] {
            let to = home.dir.join("bin").join(program.file_name().unwrap_or_default());
            if program.exists() && fs::hard_link(program, &to).is_err() {
                tools::copy(program, &to)?;
            }
        }
        Ok(home)
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn project(&self) -> PathBuf {
        self.dir.join("project")
    }

    /// Returns the path of the hookbox that the agent's settings name.
    pub(super) fn hookbox(&self) -> PathBuf {
        self.dir.join("bin/hookbox")
    }

    /// Returns the directory in which calls of a replaced hookbox are recorded.
    pub(super) fn calls(&self) -> PathBuf {
        self.dir.join("calls")
    }

    /// Keeps the directory, and returns its path.
    pub(super) fn keep(self) -> PathBuf {
        self.scratch.keep()
    }

    /// Writes a file below the home directory.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.dir.join(path);
        make_dir(path.parent().unwrap_or(&self.dir))?;
        fs::write(&path, text).with_context(|| format!("`{}` cannot be written", path.display()))?;
        // hookbox refuses policies that other users can change.
        Ok(fs::set_permissions(&path, Permissions::from_mode(0o644))?)
    }

    /// Makes hookbox the agent's hook, as a user would.
    pub(super) fn install(&self, agent: &Agent) -> Result<()> {
        self.run_hookbox(&["install", agent.name, "--yes"])
    }

    /// Writes the policies, and has hookbox compile them.
    pub(super) fn set_policies(&self, config: &str, scripts: &[(&str, &str)]) -> Result<()> {
        self.write(&format!("{POLICIES}/hooks.toml"), &format!("{WITNESS}{config}"))?;
        for (name, text) in scripts {
            self.write(&format!("{POLICIES}/{name}"), text)?;
        }
        let component = self.dir.join(POLICIES).join(COMPONENT);
        tools::copy(&crate::guests::out_dir().join(COMPONENT), &component)?;
        fs::set_permissions(&component, Permissions::from_mode(0o644))?;
        self.run_hookbox(&["check"])
    }

    /// Returns what `hookbox check` says about the policies, for people.
    pub(super) fn examine(&self) -> String {
        self.run_hookbox(&["check"]).map_or_else(|error| format!("{error:#}"), |()| "no problems".to_owned())
    }

    fn run_hookbox(&self, args: &[&str]) -> Result<()> {
        let mut hookbox = Command::new(self.hookbox());
        hookbox.args(args).current_dir(self.project()).env_clear().env("HOME", &self.dir).env("PATH", "/usr/bin:/bin");
        let output = hookbox.stdin(Stdio::null()).output().context("hookbox could not be started")?;
        if !output.status.success() {
            let text = [output.stdout, output.stderr].concat();
            bail!("`hookbox {}` ended with {}:\n{}", args.join(" "), output.status, String::from_utf8_lossy(&text));
        }
        Ok(())
    }

    /// Returns an action that breaks the config and records the later calls of hookbox.
    pub(super) fn break_config(&self) -> impl FnOnce() -> Result<()> + Send + use<> {
        let (config, record) = (self.dir.join(POLICIES).join("hooks.toml"), self.record());
        move || {
            tools::write(&config, b"[hooks.\n")?;
            record()
        }
    }

    /// Returns an action that replaces hookbox with a program that records each call and then becomes hookbox.
    fn record(&self) -> impl FnOnce() -> Result<()> + Send + use<> {
        let built = self.built.display().to_string();
        self.replace(&format!(r#"exec '{built}' "$@" < "$call""#))
    }

    /// Returns an action that replaces hookbox with a program that records each call and dies.
    pub(super) fn kill(&self) -> impl FnOnce() -> Result<()> + Send + use<> {
        self.replace("kill -9 $$")
    }

    fn replace(&self, then: &str) -> impl FnOnce() -> Result<()> + Send + use<> {
        let hookbox = self.hookbox();
        let lines = format!("call='{}'/$$.json\ncat > \"$call\"\n{then}", self.calls().display());
        move || tools::script(&hookbox, &lines).map(drop)
    }

    /// Returns an action that removes the policy that is a component, which was compiled and run before.
    pub(super) fn remove_policy(&self) -> impl FnOnce() -> Result<()> + Send + use<> {
        let component = self.dir.join(POLICIES).join(COMPONENT);
        move || Ok(fs::remove_file(component)?)
    }

    /// Returns an action that removes hookbox.
    pub(super) fn remove(&self) -> impl FnOnce() -> Result<()> + Send + use<> {
        let hookbox = self.hookbox();
        move || Ok(fs::remove_file(hookbox)?)
    }
}

fn make_dir(path: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o755).create(path);
    made.with_context(|| format!("`{}` cannot be made", path.display()))
}
