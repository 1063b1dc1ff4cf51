//! What the system does for `hookbox run` and `hookbox hook`. Each is a process for one event.

use super::{INPUT, assert_at_most};
use crate::support::component::Guest;
use crate::support::project::Project;
use crate::support::skip;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The user's config: the policy of the README.
const POLICY: &str = "[hooks.no-destructive-commands]\npolicy = \"no-destructive-commands\"\n";

const PAYLOAD: &str = r#"{"session_id":"s","transcript_path":"/tmp/t","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --workspace 2>&1 | tail -50"}}"#;

/// A command, and what it may take. The counts are those of the development build, which is linked to the system's C
/// library and checks more: it has some 40 more system calls and several times the page faults of an installed hookbox.
struct Budget {
    args: &'static [&'static str],
    stdin: &'static str,
    system_calls: u64,
    page_faults: u64,
}

const BUDGETS: [Budget; 2] = [
    Budget { args: &["run"], stdin: INPUT, system_calls: 215, page_faults: 1900 },
    Budget { args: &["hook", "claude"], stdin: PAYLOAD, system_calls: 340, page_faults: 2200 },
];

/// How often a count is taken to find the least. On a busy machine, a call that is held up for long needs a runtime,
/// and a page that the system has dropped faults once more.
const TRIES: usize = 5;

fn project(budget: &Budget) -> Project {
    let project = Project::new().user(POLICY);
    for _ in 0..2 {
        let ran = project.run(budget.args, budget.stdin);
        assert_eq!(ran.status, 0, "{ran:?}");
    }
    project
}

fn start(program: &mut Command, budget: &Budget, project: &Project) -> Child {
    program.args(budget.args).arg("--home").arg(project.home()).current_dir(project.dir());
    program.env_clear().env("HOME", project.home());
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = program.spawn().unwrap();
    child.stdin.take().unwrap().write_all(budget.stdin.as_bytes()).unwrap();
    child
}

fn hookbox() -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin("hookbox")
}

/// Returns the least of several counts, or the reason why there is none.
fn least(count: impl Fn() -> Result<usize, &'static str>) -> Result<usize, &'static str> {
    let counts: Vec<_> = (0..TRIES).map(|_| count()).collect();
    let least = counts.iter().filter_map(|count| count.ok()).min();
    least.ok_or_else(|| counts.iter().find_map(|count| count.err()).unwrap_or("nothing was counted"))
}

/// System calls whose number depends on how long others take: those of the clock, and waiting.
const OF_TIME: [&str; 6] = ["rt_sigreturn", "restart_syscall", "clock_nanosleep", "futex", "ppoll", "poll"];

/// The system calls that start a runtime. Only a call that is held up for long needs one, as on a very busy machine.
const OF_RUNTIME: usize = 23;

fn system_calls(budget: &Budget, project: &Project) -> Result<usize, &'static str> {
    let log = project.dir().join("calls.txt");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o"]).arg(&log).arg(hookbox());
    let traced = start(&mut strace, budget, project).wait_with_output().unwrap();
    let log = std::fs::read_to_string(log).unwrap_or_default();
    if !traced.status.success() || log.is_empty() {
        return Err("strace may not trace here");
    }
    if log.contains("memfd_create") {
        return Err("the machine code of hookbox's own components is not beside it, where `cargo xtask test` puts it");
    }
    // A line has a process, and the name and arguments of a call. A second line may report the end of the call.
    let calls = log.lines().filter_map(|line| line.split_once(' ')?.1.trim_start().split_once('('));
    let counts = |(name, _): &(&str, &str)| {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name && !OF_TIME.contains(name)
    };
    let runtime = if log.contains("epoll_create") { OF_RUNTIME } else { 0 };
    Ok(calls.filter(counts).count().saturating_sub(runtime))
}

#[test]
fn a_process_for_one_event_makes_no_more_system_calls_than_it_did() {
    if Command::new("strace").arg("-V").output().is_err() {
        return skip("`strace` is not installed");
    }
    for budget in &BUDGETS {
        let project = project(budget);
        match least(|| system_calls(budget, &project)) {
            Ok(calls) => {
                let what = format!("system calls of {:?}", budget.args);
                assert_at_most(&what, calls as u64, budget.system_calls);
            }
            Err(why) => return skip(why),
        }
    }
}

/// Instructions that compute for some milliseconds, so that the clock ticks meanwhile.
const LONG: &str = "(local $n i32) (loop $again (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) \
                    (i32.const 5000000)))) (call $answer)";

#[test]
fn a_call_of_a_few_milliseconds_starts_no_runtime() {
    if Command::new("strace").arg("-V").output().is_err() {
        return skip("`strace` is not installed");
    }
    let budget = Budget { args: &["run"], stdin: INPUT, system_calls: 0, page_faults: 0 };
    let project = Project::new().user("[hooks.long]\nevents = [\"pre_tool\"]\ncomponent = \"long.wasm\"\n");
    project.write("home/.agents/long.wasm", Guest::running(LONG).build());
    assert_eq!(project.run(budget.args, budget.stdin).status, 0);
    // On a busy machine, a call that is held up for longer does start one.
    let starts_none = || {
        let log = project.dir().join("calls.txt");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o"]).arg(&log).arg(hookbox());
        let traced = start(&mut strace, &budget, &project).wait_with_output().unwrap();
        let log = std::fs::read_to_string(log).unwrap_or_default();
        !traced.status.success() || !log.contains("epoll_create")
    };
    assert!((0..4 * TRIES).any(|_| starts_none()), "each call started a runtime");
}

/// Returns the page faults of a process and of its own children, read after its end and before it is forgotten.
fn page_faults(budget: &Budget, project: &Project) -> usize {
    let mut child = start(&mut Command::new(hookbox()), budget, project);
    child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
    let stat = Path::new("/proc").join(child.id().to_string()).join("stat");
    let faults = loop {
        let text = std::fs::read_to_string(&stat).unwrap();
        let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
        if fields[0] == "Z" {
            break fields[7].parse::<usize>().unwrap() + fields[8].parse::<usize>().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(child.wait().unwrap().success());
    faults
}

#[test]
fn a_process_for_one_event_meets_no_more_page_faults_than_it_did() {
    for budget in &BUDGETS {
        let project = project(budget);
        let faults = least(|| Ok(page_faults(budget, &project))).unwrap();
        assert_at_most(&format!("page faults of {:?}", budget.args), faults as u64, budget.page_faults);
    }
}
