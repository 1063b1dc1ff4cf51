//! The end of a command's processes. hygge ends only the command, and by KILL; here its process group ends with each
//! call, so nothing is left behind, and gets a TERM first.

use super::fixture::{hygge, loader, shell_hook};
use crate::support::project::Project;
use hookbox::{Input, Verdict};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::oneshot;

/// A named pipe that a hook's processes hold open. It ends with the last of them.
struct Lifeline {
    held: oneshot::Receiver<()>,
    cut: oneshot::Receiver<()>,
}

impl Lifeline {
    /// Creates the pipe `lifeline` in the project's directory.
    fn in_project(project: &Project) -> Self {
        let path: PathBuf = project.dir().join("lifeline");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (tell_held, held) = oneshot::channel();
        let (tell_cut, cut) = oneshot::channel();
        // A separate thread is needed, since opening the pipe waits for a writer.
        std::thread::spawn(move || {
            let mut pipe = File::open(path).unwrap();
            let _ = tell_held.send(());
            pipe.read_to_end(&mut Vec::new()).unwrap();
            let _ = tell_cut.send(());
        });
        Lifeline { held, cut }
    }

    async fn assert_cut(self) {
        let cut = tokio::time::timeout(Duration::from_secs(20), self.cut).await;
        cut.expect("a process of the hook is still there").unwrap();
    }
}

fn call() -> Input {
    Input::pre_tool("bash", "{}").unwrap()
}

#[tokio::test]
async fn what_a_command_leaves_behind_ends_with_its_call() {
    let rows = [
        ("quietly", "exec >/dev/null 2>&1; sleep 60 &", Verdict::Allow),
        ("with its pipes held", "sleep 60 &", Verdict::Deny),
        ("in failure", "exec >/dev/null 2>&1; sleep 60 & exit 1", Verdict::Deny),
        ("deaf to TERM", "exec >/dev/null 2>&1; trap '' TERM; (sleep 60; sleep 60) &", Verdict::Allow),
    ];
    for (row, script, verdict) in rows {
        let project = hygge().project(&shell_hook("t", &["pre_tool"], &format!("exec 3>lifeline; {script}")));
        let lifeline = Lifeline::in_project(&project);
        let outcome = loader(&project).load().registry.run_pre(call()).await;
        assert_eq!(outcome.verdict, verdict, "{row}: {outcome:?}");
        lifeline.assert_cut().await;
    }
}

#[tokio::test]
async fn a_command_that_is_deaf_to_term_is_killed_at_its_deadline_with_its_children() {
    let script = "exec 3>lifeline; trap '' TERM; sleep 60 & sleep 60; sleep 60";
    let project = hygge().project(&(shell_hook("t", &["pre_tool"], script) + "timeout = \"1s\"\n"));
    let lifeline = Lifeline::in_project(&project);
    let outcome = loader(&project).load().registry.run_pre(call()).await;
    assert_eq!(outcome.reason.as_deref(), Some("hook t timed out after 1s"));
    lifeline.assert_cut().await;
}

/// Dropping the call ends the hook silently. A [`Caller`](hookbox::Caller) that has left is told, as by hygge, that the
/// hook timed out: see `conformance/hygge/library.rs`.
#[tokio::test]
async fn the_processes_of_a_call_that_is_given_up_end() {
    let script = "exec 3>lifeline; sleep 60; sleep 60";
    let project = hygge().project(&(shell_hook("t", &["pre_tool"], script) + "timeout = \"0s\"\n"));
    let mut lifeline = Lifeline::in_project(&project);
    let loaded = loader(&project).load();
    tokio::select! {
        outcome = loaded.registry.run_pre(call()) => panic!("ended by itself: {outcome:?}"),
        held = &mut lifeline.held => held.unwrap(),
    }
    lifeline.assert_cut().await;
}

#[tokio::test]
async fn a_command_may_tidy_up_after_its_deadline() {
    let script = "trap ': >tidy; exit' TERM; sleep 60 & wait";
    let project = hygge().project(&(shell_hook("t", &["pre_tool"], script) + "timeout = \"100ms\"\n"));
    let loaded = loader(&project).load();
    // The hook has 100 ms for that, and on a busy machine even its trap may come later than its deadline.
    for _ in 0..20 {
        let outcome = loaded.registry.run_pre(call()).await;
        assert_eq!(outcome.reason.as_deref(), Some("hook t timed out after 100ms"));
        if project.dir().join("tidy").exists() {
            return;
        }
    }
    panic!("was never told");
}
