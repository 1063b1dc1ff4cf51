//! A compilation that takes longer than an agent waits. It goes on without the agent, only once, and a later call finds
//! its result.

#![allow(unsafe_code, reason = "the tests vouch for the program that compiles")]

use crate::support::component::Guest;
use crate::support::{processes, project::Project};
use hookbox::config::{Loader, Reload};
use hookbox::runtime::component::{Cache, Compiler, Effort, Grants, Limits, Sandbox, digest};
use hookbox::{Code, Verdict};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Like an agent's wait, but shorter.
const HURRY: Effort = Effort::EVENT.with_time(Duration::from_millis(250));
/// An effort that lasts longer than necessary.
const LONG: Effort = Effort::EVENT.with_time(Duration::from_secs(100));

fn hookbox() -> Compiler {
    // SAFETY: the program is hookbox's own.
    unsafe { Compiler::program(assert_cmd::cargo::cargo_bin("hookbox")) }
}

fn cache(home: &Path) -> Cache {
    Cache::new(&home.join("cache"), home.join("state"))
}

fn prepare(compiler: Compiler, home: &Path, wasm: &[u8]) -> Result<(), String> {
    let sandbox = Sandbox::for_one_call(compiler).unwrap().cached_in(Arc::new(cache(home)));
    let prepared = sandbox.prepare(wasm, None, Grants::default(), Limits::default());
    prepared.map(|_| ()).map_err(|failure| {
        assert_eq!(failure.code, Code::Compile);
        failure.message
    })
}

/// The number of additions in [`slow`]. They take several times [`HURRY`] if the compiler is optimised, as it is for
/// these tests. More would only cost time.
const WORK: usize = 20_000;

/// Returns a component that takes a few seconds to compile, a different one for each number.
fn slow(number: u32) -> Vec<u8> {
    // Each addition must be in the result, and depends on the previous one.
    let work = "(i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))".repeat(WORK);
    Guest::running(&format!("{work} (drop (i32.const {number})) (call $answer)")).build()
}

#[track_caller]
fn assert_goes_on(compiler: Compiler, home: &Path, wasm: &[u8]) {
    let message = prepare(compiler, home, wasm).unwrap_err();
    assert!(
        message.starts_with("is still being compiled (0 s so far), and its calls are denied until then"),
        "{message}"
    );
    assert!(message.contains("try again in about ") || message.contains("it ends within "), "{message}");
}

/// Returns the processes that supervise a compilation for this cache.
fn supervisors(home: &Path) -> Vec<Pid> {
    let found = processes::with_argument(&home.join("cache").display().to_string());
    // A process that a supervisor starts briefly looks like the supervisor.
    let is_child = |pid: &Pid| found.iter().any(|parent| children(*parent).contains(pid));
    found.iter().copied().filter(|pid| !is_child(pid)).collect()
}

/// Returns the one process that supervises a compilation for this cache. While it starts another program, neither
/// process has arguments.
#[track_caller]
fn the_supervisor(home: &Path) -> Pid {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        match supervisors(home).as_slice() {
            [only] => return *only,
            other => assert!(Instant::now() < deadline, "{other:?}"),
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[track_caller]
fn the_only(found: Vec<Pid>) -> Pid {
    assert_eq!(found.len(), 1, "{found:?}");
    found[0]
}

/// Returns the fields of a process, or one of its threads, from its state on.
fn stat(path: &Path) -> Vec<i64> {
    let stat = std::fs::read_to_string(path.join("stat")).unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace().skip(1);
    fields.map(|field| field.parse().unwrap_or_default()).collect()
}

fn proc(pid: Pid) -> PathBuf {
    Path::new("/proc").join(pid.as_raw_nonzero().to_string())
}

fn children(parent: Pid) -> Vec<Pid> {
    let of_parent = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let ppid = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
        ppid == Some(parent.as_raw_nonzero().get())
    };
    let pids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(of_parent).filter_map(Pid::from_raw).collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn names(home: &Path) -> Vec<String> {
    let files = std::fs::read_dir(home.join("cache/v1")).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// The variable that is set in the process that acts as an agent's hookbox.
const HOST: &str = "HOOKBOX_TEST_HOST";

#[test]
fn it_goes_on_without_the_agent_and_the_next_call_finds_it() {
    let wasm = slow(1);
    let leaked = Path::new("/etc/hostname");
    if let Ok(home) = std::env::var(HOST) {
        // Without `O_CLOEXEC`, as a library in C may open it.
        let _open = rustix::fs::open(leaked, rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty()).unwrap();
        prepare(hookbox(), Path::new(&home), &wasm).unwrap();
        return;
    }
    let project = Project::new();
    let home = project.home();
    let mut host = Command::new(std::env::current_exe().unwrap());
    let name = thread::current().name().unwrap().to_owned();
    host.args([name.as_str(), "--exact", "--nocapture"]).env(HOST, &home).stdin(Stdio::null()).process_group(0);
    // The host's patience is the compiler's default, so this process is ended as an agent would end it.
    let host = host.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a supervisor", || !supervisors(&home).is_empty());
    let group = Pid::from_child(&host);
    let supervisor = the_supervisor(&home);
    wait_until("a session of its own", || stat(&proc(supervisor))[2] == i64::from(supervisor.as_raw_nonzero().get()));
    // Before that, the supervisor has not received the whole component.
    wait_until("a compiler", || !children(supervisor).is_empty());
    let has_it = |pid| {
        let files = std::fs::read_dir(proc(pid).join("fd")).unwrap();
        files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok()).any(|file| file == leaked)
    };
    assert_eq!((has_it(group), has_it(supervisor)), (true, false), "it keeps a file of the agent's process open");
    kill_process_group(group, Signal::KILL).unwrap();
    host.wait_with_output().unwrap();
    // The supervisor goes on even if the caller is gone, and does not hold the pipes of the agent open. Later callers
    // wait for it.
    assert_eq!(the_supervisor(&home), supervisor, "the output of the agent's process ended with it");
    let message = prepare(hookbox().effort(HURRY), &home, &wasm).unwrap_err();
    assert!(message.starts_with("is still being compiled ("), "{message}");
    assert_eq!(the_supervisor(&home), supervisor);
    assert_eq!(prepare(hookbox().effort(LONG), &home, &wasm), Ok(()));
    assert_eq!(prepare(Compiler::none(), &home, &wasm), Ok(()), "it is in the cache");
    wait_until("an end", || supervisors(&home).is_empty());
    assert_eq!(names(&home).len(), 1, "{:?}", names(&home));
}

#[test]
fn it_makes_room_for_others_once_nobody_waits() {
    let project = Project::new();
    let home = project.home();
    assert_goes_on(hookbox().effort(HURRY), &home, &slow(2));
    let supervisor = the_supervisor(&home);
    let compiler = the_only(children(supervisor));
    let nice = |pid: Pid| -> Vec<i64> {
        let threads = std::fs::read_dir(proc(pid).join("task")).unwrap();
        threads.map(|thread| stat(&thread.unwrap().path())[15]).collect()
    };
    wait_until("a lower priority", || nice(supervisor).iter().chain(&nice(compiler)).all(|nice| *nice == 10));
    assert!(nice(compiler).len() > 1, "its threads have it, too");
    kill_process(supervisor, Signal::KILL).unwrap();

    // A crash leaves nothing behind that others would wait for.
    processes::assert_ends(&compiler.as_raw_nonzero().to_string());
    let wasm = slow(2);
    assert!(prepare(Compiler::none(), &home, &wasm).unwrap_err().contains("no compiler"));
    assert_eq!(prepare(hookbox().effort(LONG), &home, &wasm), Ok(()));
    assert_eq!(names(&home).len(), 1, "{:?}", names(&home));
}

#[test]
fn it_ends_when_its_own_time_is_over_and_nothing_is_remembered() {
    let project = Project::new();
    let (home, wasm) = (project.home(), slow(3));
    let short = Effort::PATIENT.with_time(Duration::from_millis(600));
    assert_goes_on(hookbox().effort(HURRY).background(Some(short)), &home, &wasm);
    let compilers = children(the_supervisor(&home));
    wait_until("an end", || supervisors(&home).is_empty());
    processes::assert_ends(&the_only(compilers).as_raw_nonzero().to_string());
    assert_eq!(names(&home), Vec::<String>::new());
    let message = prepare(hookbox().effort(LONG).background(Some(short)), &home, &wasm).unwrap_err();
    assert_eq!(message, "was not compiled: it took more than 600ms");
    let small = Effort::PATIENT.with_memory_bytes(100 << 20);
    let message = prepare(hookbox().effort(LONG).background(Some(small)), &home, &wasm).unwrap_err();
    assert!(message.starts_with("was not compiled: "), "{message}");
    assert_eq!(names(&home), Vec::<String>::new());
    assert_eq!(prepare(hookbox().effort(LONG), &home, &wasm), Ok(()));
}

#[test]
fn many_calls_share_one() {
    let project = Project::new();
    let (home, wasm) = (project.home(), slow(4));
    thread::scope(|scope| {
        let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| prepare(hookbox().effort(LONG), &home, &wasm))).collect();
        let mut seen = Vec::new();
        while calls.iter().any(|call| !call.is_finished()) {
            seen.extend(supervisors(&home));
            thread::sleep(Duration::from_millis(1));
        }
        seen.sort_by_key(|pid: &Pid| pid.as_raw_nonzero());
        seen.dedup();
        the_only(seen);
        for call in calls {
            assert_eq!(call.join().unwrap(), Ok(()));
        }
    });
    assert_eq!(names(&home).len(), 1, "{:?}", names(&home));
}

#[test]
fn of_projects_that_nobody_trusts_one_component_is_compiled_at_a_time() {
    let user = Project::new();
    let home = user.home();
    let toml = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n";
    let projects = [5, 6].map(|number| {
        let project = Project::new().project(toml);
        project.write("project/.agents/guard.wasm", slow(number));
        project
    });
    let load = |project: &Project, trust: bool| {
        let loader = Loader::new(project.dir()).home(project.home()).trust_all(trust).one_shot(true);
        loader.compiler(hookbox().effort(HURRY)).cache(cache(&home)).load().problems
    };
    let said = |project: &Project, trust: bool| {
        let problems = load(project, trust);
        let problem = problems.into_iter().find(|problem| problem.code == Code::Compile).unwrap();
        assert!(problem.message.contains("guard.wasm` is still being compiled ("), "{problem}");
    };
    said(&projects[0], false);
    let first = the_supervisor(&home);
    said(&projects[1], false);
    assert_eq!(the_supervisor(&home), first, "it waits for the first");
    // Compilations for the user do not wait.
    said(&projects[1], true);
    assert_eq!(supervisors(&home).len(), 2);
    for supervisor in supervisors(&home) {
        kill_process(supervisor, Signal::KILL).unwrap();
        processes::assert_ends(&supervisor.as_raw_nonzero().to_string());
    }
    said(&projects[1], false);
    the_supervisor(&home);
    wait_until("an end", || supervisors(&home).is_empty());
}

#[test]
fn what_a_limit_of_the_shell_stopped_works_once_it_is_lifted() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n");
    project.write("home/.agents/guard.wasm", slow(7));
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    let ask = |limit: &str| {
        let mut command = assert_cmd::Command::new("sh");
        let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
        command.args(["-c", &format!("{limit} exec \"$0\" run"), &hookbox.display().to_string()]);
        command.env_clear().env("HOME", project.home()).current_dir(project.dir());
        crate::support::project::run(command.write_stdin(input))
    };
    let denied = ask("ulimit -v 160000;");
    assert_eq!(denied.status, 2, "{denied:?}");
    assert!(denied.stdout.contains("E204") && denied.stdout.contains("was not compiled: "), "{denied:?}");
    let allowed = ask("");
    assert_eq!(allowed.status, 0, "{allowed:?}");
}

#[tokio::test]
async fn a_host_that_lives_on_has_the_hook_once_it_is_compiled() {
    let toml =
        "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\nlimits = { fuel = 1_000_000_000 }\n";
    let project = Project::new().user(toml);
    let (home, wasm) = (project.home(), slow(8));
    // An entry that cannot be used, as after an update of hookbox, is replaced.
    let entry = project.write(&format!("home/cache/v1/{}.fuel", digest(&wasm)), "another version");
    std::fs::set_permissions(&entry, Permissions::from_mode(0o600)).unwrap();
    std::fs::set_permissions(entry.parent().unwrap(), Permissions::from_mode(0o700)).unwrap();
    project.write("home/.agents/guard.wasm", wasm);
    let loader = Loader::new(project.dir()).home(&home).compiler(hookbox().effort(HURRY)).cache(cache(&home));
    let loaded = loader.load();
    assert!(loaded.problems[0].message.contains("is still being compiled"), "{}", loaded.problems[0]);
    let denied = loaded.registry.run_pre(crate::support::bash("ls")).await;
    assert_eq!((denied.verdict, crate::support::code(&denied)), (Verdict::Deny, Some(Code::Compile)), "{denied:?}");
    // After a crash of the compiler, a later event retries.
    kill_process(the_supervisor(&home), Signal::KILL).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut denied = 0;
    let outcome = loop {
        let outcome = loaded.registry.run_pre(crate::support::bash("ls")).await;
        if outcome.verdict == Verdict::Allow || Instant::now() > deadline {
            break outcome;
        }
        assert_eq!(crate::support::code(&outcome), Some(Code::Compile), "{outcome:?}");
        denied += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!((outcome.verdict, crate::support::code(&outcome)), (Verdict::Allow, None), "{outcome:?}");
    assert!(denied > 0, "an event waited for it");
    assert!(outcome.hooks[0].fuel.is_some(), "{outcome:?}");
}

#[tokio::test]
async fn a_reload_keeps_the_old_component_until_the_new_one_is_compiled() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n");
    let file =
        project.write("home/.agents/guard.wasm", Guest::answering(r#"{"decision":"deny","reason":"old"}"#).build());
    let home = project.home();
    let loader = Loader::new(project.dir()).home(&home).compiler(hookbox().effort(HURRY)).cache(cache(&home));
    let hooks = Reload::start(loader, |_| {}).unwrap();
    let reason = async || hooks.run(crate::support::bash("ls")).await.reason.unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(60);
    while reason().await != "old" {
        assert!(Instant::now() < deadline, "the first component was never compiled: {}", reason().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    std::fs::write(file, slow(8)).unwrap();
    hooks.reload().await;
    assert_eq!((reason().await.as_str(), hooks.current().kept.len()), ("old", 1));
    while !reason().await.is_empty() {
        assert!(Instant::now() < deadline, "the new component never took its place");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(hooks.current().kept.is_empty());
}
