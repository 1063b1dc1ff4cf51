//! The compiler in a process of its own, and what becomes of components that it cannot manage.

use crate::support::component::Guest;
use crate::support::{guests, project::Project};
use hookbox::Code;
use hookbox::runtime::component::{Cache, Compiler, Effort, Grants, Limits, Sandbox};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const QUICK: Effort = Effort { time: Duration::from_millis(500), memory_bytes: 1 << 30, retry: false };

/// What comes of a component with this compiler.
fn prepare(compiler: Compiler, wasm: &[u8]) -> Result<(), (Code, String)> {
    let sandbox = Sandbox::for_one_call(compiler).unwrap();
    let prepared = sandbox.prepare(wasm, None, Grants::default(), Limits::default());
    prepared.map(|_| ()).map_err(|failure| (failure.code, failure.message))
}

fn hookbox() -> Compiler {
    Compiler::program(assert_cmd::cargo::cargo_bin("hookbox"))
}

/// A program that stands in for a compiler that does something odd.
fn odd(project: &Project, script: &str) -> Compiler {
    Compiler::program(project.script("compiler", script)).effort(QUICK)
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
    assert_eq!(prepare(Compiler::program(assert_cmd::cargo::cargo_bin("hookbox-compiler")), &wasm), Ok(()));
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
    assert_refused(Compiler::program("/nowhere/hookbox-compiler"), "could not be started (No such file or directory)");
}

#[test]
fn it_is_stopped_when_it_takes_too_long() {
    let project = Project::new();
    let started = Instant::now();
    assert_refused(odd(&project, "exec sleep 60"), "took more than 500ms");
    assert_refused(odd(&project, "exec sleep 60 >&-"), "took more than 500ms");
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A hook with one function of so many additions.
fn long(additions: usize) -> Vec<u8> {
    let work = "(drop (i32.add (i32.const 1) (i32.const 2)))".repeat(additions);
    Guest::running(&format!("{work} (call $answer)")).build()
}

#[test]
fn it_is_stopped_when_it_takes_too_much_memory() {
    let effort = Effort { time: Duration::from_secs(60), memory_bytes: 200 << 20, retry: false };
    // Several times the limit, whatever threads and allocator set apart.
    let (code, message) = prepare(hookbox().effort(effort), &long(800_000)).unwrap_err();
    assert_eq!(code, Code::Compile);
    assert!(message.contains("it took more than 200.0 MiB of memory"), "{message}");
}

#[test]
fn it_is_stopped_when_it_gives_too_much() {
    let project = Project::new();
    let endless = odd(&project, "cat >/dev/null; exec head -c 300000000 /dev/zero");
    let effort = Effort { time: Duration::from_secs(60), ..QUICK };
    assert_refused(endless.effort(effort), "more than 256.0 MiB of code");
}

#[test]
fn its_death_is_a_refusal() {
    let project = Project::new();
    assert_refused(odd(&project, "kill -SEGV $$"), "the compiler crashed (signal: 11");
    assert_refused(odd(&project, "kill -XCPU $$"), "it took too much");
    assert_refused(odd(&project, "exit 7"), "the compiler crashed (exit status: 7)");
    assert_refused(odd(&project, "printf why; exit 3"), "why");
    assert_refused(odd(&project, "echo no code"), "code that cannot be loaded");
}

#[test]
fn it_gets_nothing_of_the_host() {
    let project = Project::new();
    // What the shell itself sets is not from the host.
    let (_, message) =
        prepare(odd(&project, "/usr/bin/env; exit 3"), &crate::support::component::allowing()).unwrap_err();
    let vars: Vec<&str> = message.lines().filter(|line| !line.starts_with("PWD=") && !line.starts_with("_=")).collect();
    assert_eq!(vars, Vec::<&str>::new());
    assert_refused(odd(&project, "pwd; exit 3"), "/\n");
}

#[test]
fn a_failure_is_remembered_for_events_and_tried_again_for_people() {
    let project = Project::new();
    let cache = || Arc::new(Cache::new(&project.home().join("cache"), project.home().join("state")));
    let wasm = crate::support::component::allowing();
    let prepare = |compiler: Compiler, cache: &Arc<Cache>| {
        let sandbox = Sandbox::for_one_call(compiler).unwrap().cached_in(Arc::clone(cache));
        let prepared = sandbox.prepare(&wasm, None, Grants::default(), Limits::default());
        prepared.map(|_| ()).map_err(|failure| failure.message)
    };
    let slow = odd(&project, "exec sleep 60");
    assert!(prepare(slow, &cache()).unwrap_err().contains("`hookbox check` compiles it with more time"));
    let started = Instant::now();
    let message = prepare(hookbox(), &cache()).unwrap_err();
    assert!(message.contains("took more than 500ms") && message.contains("0 min ago"), "{message}");
    assert!(started.elapsed() < Duration::from_millis(400));
    let unusable = Compiler::program(Path::new("/nowhere"));
    assert!(prepare(unusable.effort(Effort::PATIENT), &cache()).is_err());
    assert_eq!(prepare(hookbox().effort(Effort::PATIENT), &cache()), Ok(()));
    assert_eq!(prepare(Compiler::none(), &cache()), Ok(()), "now there is code");
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
    let effort = |time| Effort { time: Duration::from_millis(time), ..QUICK };
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
    let problems = load(odd(&project, "exec sleep 60"));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert_eq!(problems.len(), 8);
    assert!(problems[0].message.contains("took more than 500ms"), "{}", problems[0]);
    assert!(problems[7].message.contains("others took the 500ms"), "{}", problems[7]);
    // Only what had its time is not tried again.
    let words = |problem: &hookbox::config::Problem| problem.message.contains("0 min ago");
    assert_eq!(load(hookbox()).iter().filter(|problem| words(problem)).count(), 1);
    assert_eq!(load(hookbox().effort(Effort::PATIENT)), []);
}
