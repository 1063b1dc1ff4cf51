//! The process that compiles is in its cage whenever it compiles, and does its work there. Tests next to the cage
//! itself show what the process cannot do there.

#![cfg(target_os = "linux")]

use crate::support::component::{Guest, allowing};
use crate::support::processes::lose_system_calls;
use crate::support::{guests, project::Project};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn programs() -> [PathBuf; 2] {
    ["hookbox", "hookbox-compiler"].map(assert_cmd::cargo::cargo_bin)
}

/// Starts a compiler with an open file, and with a component on its stdin.
fn start(program: &PathBuf, wasm: &[u8]) -> Child {
    let script = r#"exec 7</etc/passwd; exec "$0" __compile 60 2000000000"#;
    let mut command = Command::new("bash");
    command.args(["-c", script]).arg(program).env_clear();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&[0; 32]).unwrap();
    stdin.write_all(wasm).unwrap();
    child
}

/// Returns what the system reports about a process.
fn status(child: &Child, name: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.unwrap_or_default().trim().to_owned()
}

#[test]
fn it_is_caged_while_it_compiles() {
    // This takes long enough to be examined.
    let work = "(drop (i32.add (i32.const 1) (i32.const 2)))".repeat(200_000);
    let long = Guest::running(&format!("{work} (call $answer)")).build();
    for program in programs() {
        let mut child = start(&program, &long);
        let deadline = Instant::now() + Duration::from_secs(20);
        // Two filters, one after the other.
        while status(&child, "Seccomp_filters") != "2" {
            assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it is not in its cage");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!((status(&child, "NoNewPrivs"), status(&child, "Seccomp")), ("1".into(), "2".into()));
        let threads: usize = status(&child, "Threads").parse().unwrap();
        assert!(threads <= 5, "{threads} threads");
        let files = std::fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        assert_eq!(files, ["0", "1", "2"], "the file that it was started with is closed");
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        assert!(limits.lines().any(|line| line.starts_with("Max open files            0 ")), "{limits}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn what_toolchains_make_is_compiled_there() {
    // The components of other languages and interpreters are included, as far as they were built. Python's is not,
    // because it takes half a minute.
    let fast = ["plain.wasm", "same_rule_c.wasm", "no_destructive_commands.wasm"];
    let all =
        fast.into_iter().chain(["quickjs.wasm", "same_rule_go.wasm"].into_iter().filter(|it| guests::is_built(it)));
    for guest in all {
        let [program, _] = programs();
        let mut child = start(&program, &guests::read(guest));
        let mut reply = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut reply).unwrap();
        assert!(child.wait().unwrap().success(), "{guest}");
        // After the tag come the kind (code), and what the cage lacks (nothing).
        assert_eq!(reply.get(32..34), Some(&[0, 0][..]), "{guest}");
    }
}

/// The variable that is set in the process that becomes a hookbox on a limited kernel. It names the system calls that
/// the kernel lacks.
const LACKS: &str = "HOOKBOX_TEST_LACKS";

/// Runs `hookbox` on a kernel that does not know these system calls.
fn hookbox_without(calls: &str, project: &Project, args: &[&str], stdin: &str) -> (i32, String, String) {
    let name = std::thread::current().name().unwrap().to_owned();
    let mut command = assert_cmd::Command::new(std::env::current_exe().unwrap());
    command.args([name.as_str(), "--exact", "--nocapture", "--test-threads=1"]).env(LACKS, calls);
    command.env("HOOKBOX_TEST_ARGS", args.join("\n")).env("HOME", project.home()).current_dir(project.dir());
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    let ran = crate::support::project::run(command.write_stdin(stdin));
    // The test harness prints something first.
    let stdout = ran.stdout.lines().filter(|line| !line.is_empty() && !line.starts_with("running "));
    (ran.status, stdout.collect::<Vec<_>>().join("\n"), ran.stderr)
}

/// Becomes `hookbox`, without these system calls.
fn become_hookbox(calls: &str) -> ! {
    lose_system_calls(calls.split(',').map(|call| match call {
        "landlock" => libc::SYS_landlock_create_ruleset,
        "seccomp" => libc::SYS_seccomp,
        _ => panic!("{call}"),
    }));
    let args = std::env::var("HOOKBOX_TEST_ARGS").unwrap();
    let error = Command::new(assert_cmd::cargo::cargo_bin("hookbox")).args(args.lines()).exec();
    panic!("{error}");
}

#[test]
fn a_kernel_that_cannot_is_told_of_by_check_alone() {
    if let Ok(calls) = std::env::var(LACKS) {
        become_hookbox(&calls);
    }
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n");
    project.write("home/.agents/guard.wasm", allowing());
    let check = |calls: &str| hookbox_without(calls, &project, &["check", "--no-cache"], "");
    for (calls, words) in [
        ("landlock", vec!["lacks landlock, which keeps it from files"]),
        ("seccomp", vec!["lacks seccomp, which keeps it from all system calls"]),
        ("landlock,seccomp", vec!["landlock, which", "; and seccomp, which"]),
    ] {
        let (status, stdout, stderr) = check(calls);
        assert_eq!(status, 0, "{stdout}{stderr}");
        assert_eq!(stderr.matches("warning[E209]").count(), 1, "{calls}: {stderr}");
        for word in words {
            assert!(stderr.replace("\n  ", " ").contains(word), "{calls}: {stderr}");
        }
        // hookbox still compiles, and an agent is not told.
        let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
        let (status, stdout, stderr) = hookbox_without(calls, &project, &["run", "--no-cache"], input);
        assert_eq!((status, stderr.as_str()), (0, ""), "{calls}: {stdout}");
        assert!(stdout.contains(r#""decision":"allow""#) && !stdout.contains("E209"), "{calls}: {stdout}");
    }
    let ran = project.run(&["check", "--no-cache"], "");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "this kernel lacks nothing");
}
