//! ok: the rows that need more than the command line.

use super::super::by_test::{Named, Row, named, row};
use super::{cancelled, hooks_of, loader};
use crate::support::project::Project;
use async_trait::async_trait;
use hookbox::dialect::ok::{Executor, HookOutcome, OkDecision, OkDialect, format_outcome};
use hookbox::runtime::shell::{Call, End, Spawner};
use hookbox::{Caller, Event, Input};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(super) const TESTS: &[Named] = named![
    run_stops_at_first_block,
    run_filters_by_event_and_tool,
    new_runner_nil,
    new_runner_empty,
    new_runner_with_hooks,
    runner_pre_tool_use_block,
    runner_post_tool_use_warn,
    runner_prompt_submit_block,
    a_deadline_of_the_caller,
    cancelled_before,
    cancelled_during,
    the_text_of_a_cancelled_hook,
    timeouts_of_pre_tool_use,
    timeouts_of_user_prompt_submit,
    timeouts_of_post_tool_use,
    timeouts_of_stop,
    a_timeout_of_zero_or_less_is_the_default,
    default_timeout,
];

/// Returns the row that names this test.
fn given(test: &str) -> Row {
    row("ok", test)
}

/// Parses a row's input as JSON.
fn json_of(row: &Row) -> Value {
    serde_json::from_str(row.input()).unwrap_or_else(|error| panic!("{}: {error}", row.name()))
}

/// A spawner that ends each command alike, without a process, and remembers the commands.
struct Stub {
    status: i32,
    stdout: &'static str,
    stderr: &'static str,
    asked: Mutex<Vec<String>>,
}

impl Stub {
    fn ending(status: i32, stdout: &'static str, stderr: &'static str) -> Arc<Self> {
        Arc::new(Stub { status, stdout, stderr, asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Spawner for Stub {
    async fn run(&self, call: Call<'_>) -> End {
        let text = call.command.args.last().unwrap().to_str().unwrap().to_owned();
        self.asked.lock().unwrap().push(text);
        End::Ended {
            status: ExitStatus::from_raw(self.status << 8),
            stdout: self.stdout.into(),
            stderr: self.stderr.into(),
            stdout_held: false,
            stderr_held: false,
            truncated: false,
        }
    }
}

/// Creates a home directory with these hooks.
fn home_with(hooks: &Value) -> Project {
    let project = Project::new();
    project.write("home/.ok/settings.json", json!({ "hooks": hooks }).to_string());
    project
}

/// Returns a runner of these hooks.
fn runner(project: &Project) -> Executor {
    Executor::new(loader(project, "ok").load().registry, project.dir().display().to_string())
}

/// Returns a runner of these hooks that starts no process.
fn runner_with(hooks: &Value, stub: &Arc<Stub>) -> Executor {
    let project = home_with(hooks);
    let spawner: Arc<dyn Spawner> = Arc::clone(stub) as _;
    Executor::new(loader(&project, "ok").spawner(spawner).load().registry, "/")
}

/// Returns a runner that keeps what it tells the user.
fn told(runner: Executor) -> (Executor, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&told);
    (runner.notifying(move |text| sink.lock().unwrap().push(text.to_owned())), told)
}

fn bash() -> Input {
    Input::pre_tool("bash", r#"{"command":"ls"}"#).unwrap()
}

#[tokio::test]
async fn run_stops_at_first_block() {
    let (row, stub) = (given("run_stops_at_first_block"), Stub::ending(2, "", ""));
    let runner = runner_with(&json_of(&row), &stub);
    let report = runner.run(bash(), &Caller::default()).await;
    assert!(report.blocked);
    assert_eq!(report.outcomes.len(), 1);
    assert_eq!(stub.asked(), [row.expected()]);
    row.holds();
}

#[tokio::test]
async fn run_filters_by_event_and_tool() {
    let (row, stub) = (given("run_filters_by_event_and_tool"), Stub::ending(0, "", ""));
    let report = runner_with(&json_of(&row), &stub).run(bash(), &Caller::default()).await;
    assert!(!report.blocked);
    assert_eq!(report.outcomes.len(), 1);
    assert_eq!(stub.asked(), [row.expected()]);
    row.holds();
}

#[tokio::test]
async fn new_runner_nil() {
    let (row, runner) = (given("new_runner_nil"), Executor::default());
    assert!(!runner.is_enabled());
    assert_eq!(runner.pre_tool_use(row.input(), "{}").await.unwrap(), None);
    assert_eq!(runner.user_prompt_submit("hi", 1).await, None);
    runner.post_tool_use("bash", "{}", "").await.unwrap();
    runner.stop("bye", 1).await;
    assert_eq!(runner.run(bash(), &Caller::default()).await.outcomes, []);
    row.holds();
}

#[test]
fn new_runner_empty() {
    let row = given("new_runner_empty");
    assert!(!runner(&Project::new()).is_enabled());
    assert!(!runner(&home_with(&json_of(&row))).is_enabled());
    row.holds();
}

#[test]
fn new_runner_with_hooks() {
    let row = given("new_runner_with_hooks");
    let project = home_with(&json_of(&row));
    let registry = loader(&project, "ok").load().registry;
    assert_eq!(registry.all().len(), 1);
    assert_eq!(registry.all()[0].info().source, OkDialect::global());
    assert!(Executor::new(registry, "/").is_enabled());
    row.holds();
}

#[tokio::test]
async fn runner_pre_tool_use_block() {
    let (row, stub) = (given("runner_pre_tool_use_block"), Stub::ending(2, "", "blocked by policy"));
    let (runner, told) = told(runner_with(&json_of(&row), &stub));
    let text = runner.pre_tool_use("bash", "{}").await.unwrap().expect("it blocks");
    assert_eq!(text, row.expected());
    assert_eq!(*told.lock().unwrap(), [text]);
    row.holds();
}

#[tokio::test]
async fn runner_post_tool_use_warn() {
    let (row, stub) = (given("runner_post_tool_use_warn"), Stub::ending(1, "warning message", ""));
    let (runner, told) = told(runner_with(&json_of(&row), &stub));
    runner.post_tool_use("bash", "{}", "done").await.unwrap();
    assert_eq!(told.lock().unwrap().join("\n"), row.expected());
    row.holds();
}

#[tokio::test]
async fn runner_prompt_submit_block() {
    let (row, stub) = (given("runner_prompt_submit_block"), Stub::ending(2, "", "not allowed"));
    let runner = runner_with(&json_of(&row), &stub);
    let text = runner.user_prompt_submit("hi", 1).await.expect("it blocks");
    assert!(text.contains(row.expected()), "{text}");
    row.holds();
}

/// Returns the outcome of an ok hook for this caller.
async fn ask(event: &str, hook: Value, input: Input, caller: &Caller) -> (bool, HookOutcome) {
    let project = home_with(&json!({ event: [hook] }));
    let mut report = runner(&project).run(input, caller).await;
    assert_eq!(report.outcomes.len(), 1, "{report:?}");
    (report.blocked, report.outcomes.remove(0))
}

#[tokio::test]
async fn a_deadline_of_the_caller() {
    let row = given("a_deadline_of_the_caller");
    let hook = json_of(&row);
    let soon = || Caller::default().until(Instant::now() + Duration::from_millis(200));
    let (blocked, outcome) = ask("PreToolUse", hook.clone(), bash(), &soon()).await;
    assert_eq!((blocked, outcome.decision, outcome.exit_code), (true, OkDecision::Block, -1));
    assert_eq!(outcome.stderr, row.expected());
    let (blocked, outcome) = ask("Stop", hook, Input::post_message("bye"), &soon()).await;
    assert_eq!((blocked, outcome.decision, outcome.exit_code), (false, OkDecision::Warn, -1));
    row.holds();
}

#[tokio::test]
async fn cancelled_before() {
    let row = given("cancelled_before");
    for (event, input) in [("PreToolUse", bash()), ("Stop", Input::post_message("bye"))] {
        let files = Project::new();
        let trace = files.home().join("trace");
        let hook = json!({"command": row.input().replace("{trace}", trace.to_str().unwrap())});
        let (_, ran) = ask(event, hook.clone(), input.clone(), &Caller::default()).await;
        assert!(ran.exit_code == 0 && trace.exists(), "{event}: the hook leaves a trace");
        fs::remove_file(&trace).unwrap();
        let (blocked, outcome) = ask(event, hook, input, &cancelled()).await;
        assert_eq!((blocked, outcome.decision, outcome.exit_code), (false, OkDecision::Error, -1), "{event}");
        assert_eq!(outcome.stderr, row.expected());
        assert!(!trace.exists(), "{event}: the hook ran");
    }
    row.holds();
}

#[tokio::test]
async fn cancelled_during() {
    let row = given("cancelled_during");
    for (event, input) in [("PreToolUse", bash()), ("Stop", Input::post_message("bye"))] {
        let (caller, cancel) = Caller::cancellable();
        let later = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            cancel.cancel();
        };
        let ((blocked, outcome), ()) = tokio::join!(ask(event, json_of(&row), input, &caller), later);
        assert_eq!((blocked, outcome.decision, outcome.exit_code), (false, OkDecision::Error, -1), "{event}");
        assert_eq!(outcome.stderr, row.expected());
    }
    row.holds();
}

#[tokio::test]
async fn the_text_of_a_cancelled_hook() {
    let row = given("the_text_of_a_cancelled_hook");
    let (_, outcome) = ask("Stop", json_of(&row), Input::post_message("bye"), &cancelled()).await;
    assert_eq!(format_outcome(&outcome), row.expected());
    row.holds();
}

/// Returns the time limit of a hook whose entry has this one.
fn limit(event: Event, name: &str, timeout: Option<i64>) -> Duration {
    let mut hook = json!({"command": "true"});
    if let Some(timeout) = timeout {
        hook["timeout"] = timeout.into();
    }
    hooks_of(&loader(&home_with(&json!({ name: [hook] })), "ok").load(), event)[0].info().timeout.unwrap()
}

/// Checks the limits of a row, which has the default and the maximum, in seconds.
#[track_caller]
fn check_limits(event: Event, test: &str) {
    let row = given(test);
    let name = row.input();
    let (default, most) = row.expected().split_once(' ').unwrap();
    let (default, most): (u64, i64) = (default.parse().unwrap(), most.parse().unwrap());
    let seconds = |timeout| limit(event, name, timeout).as_secs();
    assert_eq!(seconds(None), default);
    assert_eq!(seconds(Some(most * 1000)), most.unsigned_abs());
    assert_eq!(seconds(Some(most * 1000 + 1)), most.unsigned_abs());
    assert_eq!(seconds(Some(most * 100_000)), most.unsigned_abs());
    assert_eq!(limit(event, name, Some(most * 1000 - 1)).as_millis(), u128::try_from(most * 1000 - 1).unwrap());
    assert_eq!(limit(event, name, Some(1)).as_millis(), 1);
    row.holds();
}

#[test]
fn timeouts_of_pre_tool_use() {
    check_limits(Event::PreTool, "timeouts_of_pre_tool_use");
}

#[test]
fn timeouts_of_user_prompt_submit() {
    check_limits(Event::PreMessage, "timeouts_of_user_prompt_submit");
}

#[test]
fn timeouts_of_post_tool_use() {
    check_limits(Event::PostTool, "timeouts_of_post_tool_use");
}

#[test]
fn timeouts_of_stop() {
    check_limits(Event::PostMessage, "timeouts_of_stop");
}

#[test]
fn a_timeout_of_zero_or_less_is_the_default() {
    let row = given("a_timeout_of_zero_or_less_is_the_default");
    for timeout in row.input().split_whitespace().map(|timeout| timeout.parse().unwrap()) {
        assert_eq!(limit(Event::PreTool, "PreToolUse", Some(timeout)).as_secs(), 5, "{timeout}");
        assert_eq!(limit(Event::PostMessage, "Stop", Some(timeout)).as_secs(), 30, "{timeout}");
    }
    row.holds();
}

#[test]
fn default_timeout() {
    let row = given("default_timeout");
    let names = row.input().split_whitespace();
    let limits = names.zip([Event::PreTool, Event::PostTool]).map(|(name, event)| limit(event, name, None).as_secs());
    assert_eq!(limits.map(|limit| limit.to_string()).collect::<Vec<_>>().join(" "), row.expected());
    row.holds();
}
