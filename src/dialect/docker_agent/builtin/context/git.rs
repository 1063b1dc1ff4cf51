//! `add_git_status`, `add_git_diff`, `add_recent_commits`: tell the model what git says about the working directory.

use super::super::git::Asking;
use super::{dir, said};
use crate::protocol::{Action, Input};
use crate::runtime::Caller;
use crate::runtime::shell::Overflow;
use std::time::Duration;

/// The longest text that the model is told, in bytes.
const MAX_TEXT: usize = 4096;
/// The time limit of git.
const LIMIT: Duration = Duration::from_secs(10);
/// The number of commits that are listed unless an argument says otherwise.
const COMMITS: u32 = 10;

/// The settings of a repository that name programs which `status` or `diff` would run.
const PROGRAMS: &str = r"^(filter\..*\.(clean|process)|diff\..*\.(command|textconv))$";

/// A builtin that asks git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Git {
    Status,
    Diff,
    Commits,
}

impl Git {
    /// Returns the context for the model. `None` outside of a repository, or if git fails.
    pub(in super::super) async fn run(self, input: &Input, args: &[String], caller: &Caller) -> Option<Action> {
        let dir = dir(input)?;
        let count = args.first().and_then(|arg| arg.parse().ok()).filter(|count| *count > 0).unwrap_or(COMMITS);
        let count = count.to_string();
        let is_full = args.first().is_some_and(|arg| arg == "full");
        // git must not look into submodules: their own settings could name programs, too.
        let (header, asked) = match self {
            Git::Status => ("Current git status:", vec!["status", "--short", "--branch", "--ignore-submodules=dirty"]),
            Git::Diff => {
                let mut asked = vec!["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
                asked.extend((!is_full).then_some("--stat"));
                (if is_full { "Current working-tree diff:" } else { "Current working-tree diff (stat):" }, asked)
            }
            Git::Commits => ("Recent commits:", vec!["log", "--oneline", "-n", &count]),
        };
        if self != Git::Commits && names_programs(dir, caller).await {
            tracing::warn!(dir, "the settings of the repository name programs that git would run; git is not asked");
            return None;
        }
        let (success, text) = ask(dir, &asked, caller).await?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim();
        (success && !text.is_empty()).then(|| said(format!("{header}\n\n{}", cut(text))))
    }
}

/// Whether the repository's own settings name programs. Also true if git cannot tell.
async fn names_programs(dir: &str, caller: &Caller) -> bool {
    let found = ask(dir, &["config", "--includes", "--get-regexp", PROGRAMS], caller).await;
    found.is_none_or(|(_, text)| !text.is_empty())
}

/// Asks git. Returns whether it succeeded, and what it wrote.
async fn ask(dir: &str, asked: &[&str], caller: &Caller) -> Option<(bool, Vec<u8>)> {
    const ASKING: Asking = Asking { limit: LIMIT, output: 1 << 20, overflow: Overflow::Discard };
    ASKING.ask(dir, asked, &[], Vec::new(), caller).await
}

/// Cuts a text after its first bytes, with a note that it is longer.
fn cut(text: &str) -> String {
    match text.as_bytes().get(..MAX_TEXT) {
        Some(start) if text.len() > MAX_TEXT => format!("{}\n... (truncated)", String::from_utf8_lossy(start)),
        _ => text.to_owned(),
    }
}
