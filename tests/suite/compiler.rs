//! The compiler in a separate process, and components that it cannot compile.

#![allow(unsafe_code, reason = "the tests vouch for the programs that they take for compilers")]

use crate::support::component::Guest;
use crate::support::{guests, processes, project::Project};
use hookbox::Code;
use hookbox::runtime::component::{Cache, Compiler, Effort, Grants, Limits, Sandbox};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const QUICK: Effort = Effort::EVENT.with_time(Duration::from_millis(500));

/// Returns the result for a component with this compiler.
fn prepare(compiler: Compiler, wasm: &[u8]) -> Result<(), (Code, String)> {
    let sandbox = Sandbox::for_one_call(compiler).unwrap();
    let prepared = sandbox.prepare(wasm, None, Grants::default(), Limits::default());
    prepared.map(|_| ()).map_err(|failure| (failure.code, failure.message))
}

fn hookbox() -> Compiler {
    program(assert_cmd::cargo::cargo_bin("hookbox"))
}

fn program(path: impl Into<PathBuf>) -> Compiler {
    // SAFETY: the program is hookbox's own, or prints nothing that would be taken for machine code, as the tests here
    // show.
    unsafe { Compiler::program(path) }
}

/// Returns a program that acts as a misbehaving compiler.
fn odd(project: &Project, script: &str) -> Compiler {
    program(project.script("compiler", script)).effort(QUICK)
}

#[track_caller]
fn assert_refused(compiler: Compiler, words: &str) {
    let (code, message) = prepare(compiler, &crate::support::component::allowing()).unwrap_err();
    assert_eq!(code, Code::Compile);
    assert!(message.contains(words), "{message}");
}

#[test]
fn both_programs_compile() {
    let wasm = guests::read("plain.wasm");
    assert_eq!(prepare(hookbox(), &wasm), Ok(()));
    assert_eq!(prepare(program(assert_cmd::cargo::cargo_bin("hookbox-compiler")), &wasm), Ok(()));
}

#[test]
fn it_says_why_it_refuses() {
    let mut bytes = crate::support::component::allowing();
    let last = bytes.len() - 1;
    bytes.truncate(last);
    let (code, message) = prepare(hookbox(), &bytes).unwrap_err();
    assert_eq!(code, Code::Compile);
    assert!(message.contains("not a valid component"), "{message}");
}

#[test]
fn without_a_compiler_nothing_is_compiled() {
    assert_refused(Compiler::none(), "this program has no compiler");
    assert_refused(program("/nowhere/hookbox-compiler"), "could not be started (No such file or directory)");
}

#[test]
fn it_is_stopped_when_it_takes_too_long() {
    let project = Project::new();
    let started = Instant::now();
    assert_refused(odd(&project, "exec sleep 60"), "took more than 500ms");
    assert_refused(odd(&project, "exec sleep 60 >&-"), "took more than 500ms");
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Returns a hook with one function of this many additions.
fn long(additions: usize) -> Vec<u8> {
    let work = "(drop (i32.add (i32.const 1) (i32.const 2)))".repeat(additions);
    Guest::running(&format!("{work} (call $answer)")).build()
}

#[test]
fn it_is_stopped_when_it_takes_too_much_memory() {
    let effort = QUICK.with_time(Duration::from_secs(60)).with_memory_bytes(200 << 20);
    // This takes several times the limit, whatever threads and the allocator reserve.
    let (code, message) = prepare(hookbox().effort(effort), &long(800_000)).unwrap_err();
    assert_eq!(code, Code::Compile);
    assert!(message.contains("it took more than 200.0 MiB of memory"), "{message}");
}

#[test]
fn it_is_stopped_when_it_gives_too_much() {
    let project = Project::new();
    let endless = odd(&project, "cat >/dev/null; exec head -c 300000000 /dev/zero");
    let effort = QUICK.with_time(Duration::from_secs(60));
    assert_refused(endless.effort(effort), "more than 256.0 MiB of code");
}

#[test]
fn its_death_is_told() {
    let project = Project::new();
    assert_refused(odd(&project, "kill -SEGV $$"), "the compiler crashed (signal: 11");
    assert_refused(odd(&project, "kill -XCPU $$"), "it took too much");
    assert_refused(odd(&project, "kill -SYS $$"), "tried what its cage forbids");
    assert_refused(odd(&project, "exit 7"), "the compiler crashed (exit status: 7)");
}

#[test]
fn what_something_else_prints_is_not_taken_for_code() {
    let project = Project::new();
    let compiler = assert_cmd::cargo::cargo_bin("hookbox");
    let compile = format!("{} __compile 10 1000000000", compiler.display());
    assert_refused(odd(&project, "cat >/dev/null; echo no code"), "is not the reply of a compiler");
    assert_refused(odd(&project, "cat >/dev/null"), "is not the reply of a compiler");
    // One reply is valid, but to another request, and one comes after a banner.
    let component = project.write("allowing.wasm", crate::support::component::allowing());
    let other = format!("cat >/dev/null; (head -c 32 /dev/zero; cat {}) | {compile}", component.display());
    let effort = QUICK.with_time(Duration::from_secs(60));
    assert_refused(odd(&project, &other).effort(effort), "is not the reply of a compiler");
    assert_refused(odd(&project, &format!("echo hello; {compile}")).effort(effort), "is not the reply of a compiler");
    let itself = odd(&project, &format!("exec {compile}")).effort(effort);
    assert_eq!(prepare(itself, &crate::support::component::allowing()), Ok(()));
}

#[test]
fn it_gets_nothing_of_the_host() {
    let project = Project::new();
    let log = project.write("log", "");
    assert_refused(odd(&project, &format!("(/usr/bin/env; pwd) >{}; exit 7", log.display())), "crashed");
    let said = std::fs::read_to_string(log).unwrap();
    // Variables that the shell itself sets are not from the host.
    let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("PWD=") && !line.starts_with("_=")).collect();
    assert_eq!(lines, ["/"]);
}

#[test]
fn only_what_the_bytes_cause_is_remembered() {
    let project = Project::new();
    let cache = || Arc::new(Cache::new(&project.home().join("cache"), project.home().join("state")));
    let prepare = |compiler: Compiler, wasm: &[u8]| {
        let sandbox = Sandbox::for_one_call(compiler).unwrap().cached_in(cache());
        let prepared = sandbox.prepare(wasm, None, Grants::default(), Limits::default());
        prepared.map(|_| ()).map_err(|failure| failure.message)
    };
    let good = crate::support::component::allowing();
    for (script, words) in [
        ("exec sleep 61.125", "took more than 500ms"),
        ("kill -ABRT $$", "of memory"),
        ("kill -KILL $$", "it took too much"),
        ("kill -SEGV $$", "crashed"),
        ("exit 1", "crashed"),
    ] {
        for background in [None, Some(QUICK)] {
            let compiler = odd(&project, script).background(background);
            let message = prepare(compiler.clone(), &good).unwrap_err();
            let waits = background.is_some() && script.contains("sleep");
            assert!(message.contains(if waits { "is still being compiled" } else { words }), "{script}: {message}");
            if waits {
                end("61.125");
            }
            assert_eq!(prepare(Compiler::none(), &good).unwrap_err(), "was not compiled: this program has no compiler");
        }
    }
    assert!(prepare(program(Path::new("/nowhere")), &good).is_err());
    assert_eq!(prepare(hookbox(), &good), Ok(()), "nothing of that counts");
    assert_eq!(prepare(Compiler::none(), &good), Ok(()), "now there is code");

    let bad = &good[..good.len() - 1];
    let refused = prepare(hookbox(), bad).unwrap_err();
    assert!(refused.contains("not a valid component"), "{refused}");
    assert_eq!(prepare(Compiler::none(), bad).unwrap_err(), refused);
    assert_eq!(prepare(odd(&project, "exit 7"), bad).unwrap_err(), refused);
    // A caller that waits for the compiler makes it try again.
    let patient = odd(&project, "exit 7").effort(QUICK.with_retry(true));
    assert!(prepare(patient, bad).unwrap_err().contains("crashed (exit status: 7)"));
}

/// Ends the processes with this argument.
fn end(argument: &str) {
    for pid in processes::with_argument(argument) {
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        processes::assert_ends(&pid.as_raw_nonzero().to_string());
    }
}

#[test]
fn whoever_waits_is_told_why() {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let project = Project::new();
    let told = |script: &str, effort: Effort| {
        let compiler = odd(&project, script).effort(effort).on_slow(|what| TOLD.lock().unwrap().push(what.to_owned()));
        prepare(compiler, &crate::support::component::allowing()).unwrap_err();
        std::mem::take(&mut *TOLD.lock().unwrap())
    };
    let effort = |time| QUICK.with_time(Duration::from_millis(time));
    assert_eq!(told("exec sleep 60", effort(1200)), ["a component of 420 B"]);
    assert_eq!(told("exec sleep 60", effort(500)), Vec::<String>::new());
    assert_eq!(told("exit 1", effort(5000)), Vec::<String>::new());
}

#[test]
fn components_of_a_config_share_the_time_that_an_agent_waits() {
    let mut toml = String::new();
    let project = Project::new();
    for number in 0..8 {
        let wasm = Guest::answering(&format!(r#"{{"decision":"allow","reason":"{number}"}}"#)).build();
        project.write(&format!("home/.agents/{number}.wasm"), wasm);
        toml += &format!("[hooks.h{number}]\nevents = [\"pre_tool\"]\ncomponent = \"{number}.wasm\"\n");
    }
    let project = project.user(&toml);
    let load = |compiler: Compiler| {
        let cache = Cache::new(&project.home().join("cache"), project.home().join("state"));
        let loader = hookbox::config::Loader::new(project.dir()).home(project.home());
        loader.compiler(compiler).cache(cache).load().problems
    };
    let started = Instant::now();
    let problems = load(odd(&project, "exec sleep 60").background(None));
    // Eight compilers that each took their 500 ms would take 4 s.
    assert!(started.elapsed() < Duration::from_secs(30), "none is waited for to its end: {:?}", started.elapsed());
    assert_eq!(problems.len(), 8);
    assert!(problems[0].message.contains("took more than 500ms"), "{}", problems[0]);
    assert!(problems[7].message.contains("others took the 500ms"), "{}", problems[7]);
    assert_eq!(load(hookbox()), []);
}

/// The variable that is set in a program with its compiler beside it. It names the file for the result of a component.
const SAY_WHERE: &str = "HOOKBOX_TEST_SAY";

#[test]
fn a_compiler_beside_the_program_must_be_nobody_elses() {
    if let Some(path) = std::env::var_os(SAY_WHERE) {
        let made = prepare(Compiler::beside_this_program(), &crate::support::component::allowing());
        std::fs::write(path, format!("{made:?}")).unwrap();
        return;
    }
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (program, compiler) = (dir.path().join("program"), dir.path().join("hookbox-compiler"));
    std::fs::hard_link(std::env::current_exe().unwrap(), &program).unwrap();
    let say = dir.path().join("say");
    let said = || {
        let name = std::thread::current().name().unwrap().to_owned();
        let mut command = assert_cmd::Command::new(&program);
        command.args([name.as_str(), "--exact"]).env(SAY_WHERE, &say).assert().success();
        std::fs::read_to_string(&say).unwrap()
    };
    let mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    assert!(said().contains("hookbox-compiler` could not be started (No such file"), "{}", said());

    std::fs::copy(assert_cmd::cargo::cargo_bin("hookbox-compiler"), &compiler).unwrap();
    mode(&compiler, 0o755);
    assert_eq!(said(), "Ok(())");
    mode(&compiler, 0o757);
    assert!(
        said().contains("Permissions") && said().contains("hookbox-compiler` can be changed by others"),
        "{}",
        said()
    );
    mode(&compiler, 0o755);
    mode(dir.path(), 0o777);
    assert!(
        said().contains("Permissions") && said().contains("can be changed by others (its mode is 777)"),
        "{}",
        said()
    );
    mode(dir.path(), 0o755);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&compiler, Some(65534), None).unwrap();
        assert!(said().contains("Permissions") && said().contains("belongs to another user"), "{}", said());
    } else {
        eprintln!("not root: nobody else's file is tried");
    }
    std::fs::remove_file(&compiler).unwrap();
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("hookbox-compiler"), &compiler).unwrap();
    assert!(said().contains("Permissions") && said().contains("is a link"), "{}", said());
    let link_to = |target: &str| {
        std::fs::remove_file(&compiler).unwrap();
        std::os::unix::fs::symlink(target, &compiler).unwrap();
    };
    link_to("hookbox-compiler");
    assert!(said().contains("Permissions") && said().contains("is a link"), "{}", said());
    // As `cargo binstall` installs it.
    let versioned = dir.path().join("hookbox-compiler-v0.1.0");
    std::fs::copy(assert_cmd::cargo::cargo_bin("hookbox-compiler"), &versioned).unwrap();
    mode(&versioned, 0o755);
    link_to("hookbox-compiler-v0.1.0");
    assert_eq!(said(), "Ok(())");
    mode(&versioned, 0o757);
    assert!(said().contains("can be changed by others"), "{}", said());
    link_to("../hookbox-compiler-v0.1.0");
    assert!(said().contains("is a link"), "{}", said());
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_is_replaced_while_it_runs_compiles_by_itself() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n");
    project.write("home/.agents/guard.wasm", crate::support::component::allowing());
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (program, marker) = (dir.path().join("hookbox"), dir.path().join("marker"));
    std::fs::hard_link(assert_cmd::cargo::cargo_bin("hookbox"), &program).unwrap();
    let mut command = std::process::Command::new(&program);
    command.arg("run").env("HOME", project.home()).current_dir(project.dir());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // The program runs, and waits for its Input.
    let other = project.script("other", &format!("echo it ran >{}", marker.display()));
    std::fs::rename(&other, dir.path().join("other"))
        .or_else(|_| std::fs::copy(&other, dir.path().join("other")).map(drop))
        .unwrap();
    std::fs::rename(dir.path().join("other"), &program).unwrap();
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!marker.exists());
    assert!(std::process::Command::new(&program).status().unwrap().success() && marker.exists(), "it would have run");
}
