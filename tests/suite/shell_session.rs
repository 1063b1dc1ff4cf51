//! What a shell hook does not get from its host: a terminal, descriptors, signal handlers, and a life beyond the
//! host's.

use crate::support::bash;
use crate::support::processes::{assert_ends, read_line};
use crate::support::project::Project;
use hookbox::runtime::shell::{Command, HookboxCodec, ShellHook};
use hookbox::{Event, HookInfo, Outcome, Registry, Verdict};
use serde_json::json;
use std::os::fd::AsRawFd;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

fn sh(script: &str) -> Command {
    Command::new("sh", "/")
        .with_args(["-c", script])
        .with_env([("PATH".into(), "/usr/bin:/bin".into())])
        .with_search_path(Some("/usr/bin:/bin".into()))
}

fn registry(script: &str) -> Registry {
    let mut info = HookInfo::new("fmt", [Event::PreTool]);
    info.timeout = Some(Duration::from_secs(60));
    let registry = Registry::new();
    registry.register(ShellHook::new(info, sh(script), None, Arc::new(HookboxCodec))).unwrap();
    registry
}

async fn run(script: &str) -> Outcome {
    registry(script).run_pre(bash("ls")).await
}

/// Returns what a script prints to stderr.
async fn said(script: &str) -> String {
    let outcome = run(&format!("{{ {script}; }} >&2; exit 1")).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    let reason = outcome.reason.unwrap();
    let said = reason.strip_prefix("E402: hook `fmt` ended with status 1: ").unwrap_or_else(|| panic!("{reason}"));
    said.strip_suffix("; the tool call was blocked").unwrap().to_owned()
}

fn config(script: &str) -> String {
    let args = json!(["-c", script]);
    format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {args}\ntimeout = \"60s\"\n")
}

#[tokio::test]
async fn it_leads_a_session_and_a_process_group() {
    // The fields after the name: state, parent, process group, session, terminal.
    let stat = said("echo $$; sed 's/.*) //' /proc/$$/stat").await;
    let fields: Vec<&str> = stat.split_whitespace().collect();
    let (pid, group, session, terminal) = (fields[0], fields[3], fields[4], fields[5]);
    assert_eq!((group, session, terminal), (pid, pid, "0"), "{stat}");
}

#[test]
fn it_cannot_open_the_terminal() {
    let script = "if (: </dev/tty) 2>/dev/null; then echo open >tty; else echo none >tty; fi";
    let project = Project::new().user(&config(script));
    project.write("home/input", r#"{"event":"pre_tool"}"#);
    // The shell leads a session on that terminal, which shows that a terminal is available.
    project.write(
        "home/ask.sh",
        "(: </dev/tty) && echo the shell has it\nhookbox run --home \"$HOME\" <\"$HOME/input\"\n",
    );
    let (status, shown) = project.shell_terminal("exec setsid --ctty --wait sh \"$HOME/ask.sh\"").end();
    assert!(shown.contains("the shell has it") && shown.contains("\"decision\":\"allow\""), "{shown}");
    assert_eq!((status, read_line(&project.dir().join("tty")).as_str()), (0, "none"));
}

#[tokio::test]
async fn it_has_no_descriptors_of_the_host() {
    // This descriptor has no `O_CLOEXEC`, as a library in C may open it.
    let leaked = rustix::fs::open("/etc/hostname", rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty()).unwrap();
    assert!(leaked.as_raw_fd() > 2);
    let listed = said("ls /proc/self/fd").await;
    // The fourth descriptor is the directory that `ls` reads.
    assert_eq!(listed.split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3"], "{listed}");
    let visible = said("for fd in /proc/$$/fd/*; do readlink $fd; done").await;
    assert!(!visible.contains("hostname"), "{visible}");
    assert_eq!(
        std::fs::read_link(format!("/proc/self/fd/{}", leaked.as_raw_fd())).unwrap().to_str(),
        Some("/etc/hostname")
    );
}

#[tokio::test]
async fn it_has_no_signal_handling_of_the_host() {
    /// Returns the signals that are blocked, ignored and handled, as bits.
    fn masks(status: &str) -> [u64; 3] {
        ["SigBlk:", "SigIgn:", "SigCgt:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            u64::from_str_radix(line.trim(), 16).unwrap()
        })
    }
    let _handled = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::user_defined1()).unwrap();
    let [_, ignored_here, handled_here] = masks(&std::fs::read_to_string("/proc/self/status").unwrap());
    let bit = |signal: rustix::process::Signal| 1_u64 << (signal.as_raw() - 1);
    let pipe = bit(rustix::process::Signal::PIPE);
    assert!(handled_here & bit(rustix::process::Signal::USR1) != 0 && ignored_here & pipe != 0);
    let [blocked, ignored, handled] = masks(&said("cat /proc/self/status").await);
    // Signals ignored by the host's parent stay ignored, as usual.
    assert_eq!((blocked, ignored, handled), (0, ignored_here & !pipe, 0));
}

/// With SIGKILL, hookbox cannot end anything itself.
#[cfg(target_os = "linux")]
#[test]
fn it_dies_with_a_hookbox_that_is_killed() {
    let project = Project::new().user(&config("echo $$ >pid; exec sleep 1000"));
    let input = project.write("home/input", r#"{"event":"pre_tool"}"#);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["run", "--home"]).arg(project.home()).arg("--project").arg(project.dir());
    command.stdin(std::fs::File::open(input).unwrap()).stdout(Stdio::null());
    let mut hookbox = command.spawn().unwrap();
    let pid = read_line(&project.dir().join("pid"));
    assert!(std::path::Path::new("/proc").join(&pid).exists());
    hookbox.kill().unwrap();
    hookbox.wait().unwrap();
    assert_ends(&pid);
}

/// The parent-death signal is sent when the thread that started the process ends.
#[test]
fn it_outlives_the_thread_that_asked_it() {
    let dir = TempDir::new().unwrap();
    let (started, go) = (dir.path().join("started"), dir.path().join("go"));
    let script = format!(
        "echo $$ >{}; while ! test -e {}; do sleep 0.01; done; echo '{{\"decision\":\"ask\"}}'",
        started.display(),
        go.display()
    );
    let runtime = Arc::new(tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap());
    let registry = Arc::new(registry(&script));
    let handle = runtime.handle().clone();
    // The call begins on a thread that ends, and continues on another.
    let call = std::thread::spawn(move || {
        let mut call = Box::pin(async move { registry.run_pre(bash("ls")).await });
        let _inside = handle.enter();
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        for _ in 0..3 {
            assert!(call.as_mut().poll(&mut context).is_pending());
        }
        read_line(&started);
        call
    });
    let call = call.join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    std::fs::write(&go, "").unwrap();
    let outcome = runtime.block_on(call);
    assert_eq!(outcome.verdict, Verdict::Ask, "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_start_at_once() {
    let registry = Arc::new(registry("cat >/dev/null; echo '{\"decision\":\"ask\"}'"));
    let calls: Vec<_> = (0..64)
        .map(|_| {
            let registry = Arc::clone(&registry);
            tokio::spawn(async move { registry.run_pre(bash("ls")).await.verdict })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), Verdict::Ask);
    }
}
