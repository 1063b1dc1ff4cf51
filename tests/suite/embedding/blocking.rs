//! Events without a Tokio runtime.

use super::{denying, host};
use crate::support::component::{Guest, sleeper};
use crate::support::processes::read_line;
use crate::support::project::Project;
use crate::support::{bash, plain};
use async_trait::async_trait;
use hookbox::runtime::component::{Compiler, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{
    Action, Blocking, Caller, Code, Event, Failure, Hook, HookInfo, Input, Mode, NativeHook, OnError, Registry, Run,
    Verdict,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;

#[test]
fn a_component_needs_no_runtime() {
    let registry = Registry::new();
    registry.register(plain("guard", &Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build())).unwrap();
    let hooks = Blocking::new(registry);
    assert_eq!(hooks.run(bash("ls")).unwrap().verdict, Verdict::Deny);
    assert_eq!(hooks.close(), 0);
}

/// The most calls that a sandbox runs at once, on however many cores.
const PLACES: usize = 64;

#[test]
fn a_component_that_must_wait_for_a_place_still_answers() {
    let sandbox = Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap();
    let hook = |wasm: &[u8], grants: Grants| {
        let prepared = sandbox.prepare(wasm, None, grants, Limits::default()).unwrap();
        // A panic in the call would be an allow.
        let info = HookInfo::new("guard", [Event::PreTool]).with_on_error(OnError::Allow);
        ComponentHook::new(info, prepared, None)
    };
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let busy = Registry::new();
    busy.register(hook(&sleeper(), Grants::default().with_clocks(true))).unwrap();
    let mut sleeping: Vec<Run<'_>> = (0..PLACES).map(|_| busy.run(bash("ls"))).collect();
    runtime.block_on(poll_fn(|context| {
        for call in &mut sleeping {
            assert!(Pin::new(call).poll(context).is_pending());
        }
        Poll::Ready(())
    }));
    let registry = Registry::new();
    registry.register(hook(&Guest::answering(r#"{"decision":"deny"}"#).build(), Grants::default())).unwrap();
    // This is polled only once the call waits, and frees the places a turn later.
    let wake = async {
        tokio::task::yield_now().await;
        drop(sleeping);
        pending::<Infallible>().await
    };
    let Ok(outcome) = Blocking::new(registry).run_unless(bash("ls"), Caller::unbounded(), wake).unwrap();
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
}

#[test]
fn shell_hooks_are_asked_from_many_threads_at_once() {
    let project = Project::new().user(&denying("guard", "no"));
    let loaded = host(&project).load().unwrap();
    let hooks = Blocking::new(loaded.registry);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let hooks = hooks.clone();
            std::thread::spawn(move || hooks.run(bash("ls")).unwrap().denied_by)
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap().as_deref(), Some("guard"));
    }
}

struct Sleeper(HookInfo);

#[async_trait]
impl Hook for Sleeper {
    fn info(&self) -> &HookInfo {
        &self.0
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(Action::allow())
    }
}

#[test]
fn a_caller_that_leaves_gets_its_deny() {
    let registry = Registry::new();
    registry.register(Sleeper(HookInfo::new("slow", [Event::PreTool]))).unwrap();
    let hooks = Blocking::new(registry);
    let started = Instant::now();
    let caller = Caller::default().until(started + Duration::from_millis(50));
    let outcome = hooks.run_for(bash("ls"), &caller).unwrap();
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Cancelled)));
    let interrupted = hooks.run_unless(bash("ls"), Caller::unbounded(), tokio_sleep()).unwrap();
    assert_eq!(interrupted.err(), Some("interrupted"));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

async fn tokio_sleep() -> &'static str {
    tokio::time::sleep(Duration::from_millis(50)).await;
    "interrupted"
}

#[test]
fn an_interrupted_call_leaves_no_process() {
    let project = Project::new();
    let file = project.home().join("pid");
    let project = project.user(&format!(
        "[hooks.slow]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", 'echo $$ >{}; exec sleep 1000']\n\
         [hooks.log]\nevents = [\"post_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", 'sleep 0.2']\n",
        file.display()
    ));
    let hooks = Blocking::new(host(&project).load().unwrap().registry);
    let runs = async {
        while !std::fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n')) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(hooks.run_unless(bash("ls"), Caller::unbounded(), runs).unwrap().is_err());
    let process = Path::new("/proc").join(read_line(&file));
    // The runtime does its own work while a call waits. On a busy machine, one call may be too short for it.
    let is_gone = (0..100).any(|_| {
        hooks.run(Input::new(Event::PostTool)).unwrap();
        !process.exists()
    });
    assert!(is_gone, "nobody has waited for the process");
}

/// Async hooks go on when no call is in progress.
#[test]
fn async_hooks_go_on_between_the_calls() {
    let seen = Arc::new(AtomicUsize::new(0));
    let mut info = HookInfo::new("log", []);
    info.events = vec![(Event::PostTool, Mode::Async)];
    let registry = Registry::new();
    let counted = Arc::clone(&seen);
    registry
        .register(NativeHook::with_info(info, move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(Action::allow())
        }))
        .unwrap();
    let hooks = Blocking::new(registry);
    assert!(hooks.run(Input::new(Event::PostTool)).unwrap().hooks[0].is_async);
    let started = Instant::now();
    while seen.load(Ordering::SeqCst) == 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "the async hook was never asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(hooks.close(), 0);
}

/// The runtime of the first call has no thread of its own, because there is no async hook yet.
#[test]
fn an_async_hook_that_is_registered_later_goes_on_between_the_calls() {
    let project = Project::new().user(&denying("guard", "no"));
    let loaded = host(&project).load().unwrap();
    let hooks = Blocking::new(loaded.registry);
    assert_eq!(hooks.run(bash("ls")).unwrap().verdict, Verdict::Deny);
    let (sender, seen) = mpsc::channel();
    let info = HookInfo::new("log", []).with_event(Event::PostTool, Mode::Async);
    let log = NativeHook::with_info(info, move |_| {
        sender.send(()).unwrap();
        Ok(Action::allow())
    });
    hooks.registry().register(log).unwrap();
    assert!(hooks.run(Input::new(Event::PostTool)).unwrap().hooks[0].is_async);
    seen.recv_timeout(Duration::from_secs(20)).expect("the async hook was never asked");
    assert_eq!(hooks.close(), 0);
}

const FEW_DESCRIPTORS: &str = "HOOKBOX_TEST_FEW_DESCRIPTORS";

#[test]
fn with_too_few_descriptors_for_a_runtime_it_returns_an_error() {
    if std::env::var_os(FEW_DESCRIPTORS).is_none() {
        let name = std::thread::current().name().unwrap().to_owned();
        let mut command = assert_cmd::Command::new(std::env::current_exe().unwrap());
        command.args([name.as_str(), "--exact", "--test-threads=1"]).env(FEW_DESCRIPTORS, "1");
        let ran = crate::support::project::run(&mut command);
        assert!(ran.status == 0 && ran.stdout.contains("1 passed"), "{ran:?}");
        return;
    }
    let before = getrlimit(Resource::Nofile);
    let decided = |descriptors| {
        setrlimit(Resource::Nofile, Rlimit { current: Some(descriptors), ..before }).unwrap();
        let registry = Registry::new();
        registry.register(NativeHook::new("guard", [Event::PreTool], |_| Ok(Action::deny("no")))).unwrap();
        Blocking::new(registry).run(bash("ls")).is_ok_and(|outcome| outcome.verdict == Verdict::Deny)
    };
    let first = (3..1_000).find(|descriptors| decided(*descriptors));
    setrlimit(Resource::Nofile, before).unwrap();
    assert!(first.is_some_and(|first| first > 3), "{first:?}");
}
