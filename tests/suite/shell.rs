//! Shell hooks: their surroundings, their time, their output, and what they leave behind.

use crate::support::bash;
use crate::support::processes::{assert_ends, assert_reaped, read_line};
use hookbox::runtime::shell::{Command, HookboxCodec, Inherit, ShellHook};
use hookbox::{Code, Event, HookInfo, Input, OnError, Outcome, Registry, Verdict};
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn host_env() -> Vec<(OsString, OsString)> {
    [("PATH", "/usr/bin:/bin"), ("HOME", "/home/me"), ("SECRET", "sk-1"), ("LC_ALL", "C")]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec()
}

fn command(program: &str, args: &[&str]) -> Command {
    Command::new(program, "/")
        .with_args(args)
        .with_env(Command::environment(&host_env(), &Inherit::Common, []))
        .with_search_path(Some("/usr/bin:/bin".into()))
}

fn sh(script: &str) -> Command {
    command("sh", &["-c", script])
}

async fn run_for(command: Command, timeout: Duration, input: Input) -> Outcome {
    let mut info = HookInfo::new("fmt", [Event::PreTool]);
    info.timeout = Some(timeout);
    let registry = Registry::new();
    registry.register(ShellHook::new(info, command, None, Arc::new(HookboxCodec))).unwrap();
    registry.run_pre(input).await
}

async fn run(command: Command) -> Outcome {
    run_for(command, Duration::from_secs(20), bash("ls")).await
}

/// Runs a script that puts its output into its reason, and returns the reason.
async fn shown(command: Command) -> String {
    let outcome = run(command).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    outcome.reason.unwrap()
}

#[track_caller]
fn failed(outcome: &Outcome, code: Code, reason: &str) {
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    assert_eq!(outcome.hooks[0].code, Some(code), "{outcome:?}");
    assert_eq!(outcome.reason.as_deref(), Some(reason));
}

#[tokio::test]
async fn a_hook_that_prints_nothing_and_succeeds_allows() {
    assert_eq!(run(sh("cat >/dev/null")).await.verdict, Verdict::Allow);
    assert_eq!(run(command("true", &[])).await.verdict, Verdict::Allow, "even if it does not read");
}

#[tokio::test]
async fn it_finds_the_input_on_stdin() {
    let reason = shown(sh(r#"printf '{"decision":"deny","reason":"%s"}' "$(base64 -w0)""#)).await;
    let decoded = shown(sh(&format!("echo {reason} | base64 -d >&2; exit 1"))).await;
    assert!(decoded.contains(r#""tool_name":"bash","tool_input":{"command":"ls"}"#), "{decoded}");
}

#[tokio::test]
async fn it_sees_only_the_environment_that_it_was_given() {
    let mut command = sh("env >&2; exit 1");
    command.env = Command::environment(&host_env(), &Inherit::Common, [("POLICY", "strict"), ("HOME", "")]);
    let reason = shown(command).await;
    let said = reason.strip_prefix("E402: hook `fmt` ended with status 1: ").unwrap();
    let said = said.strip_suffix("; the tool call was blocked").unwrap();
    let mut names: Vec<&str> =
        said.lines().filter(|line| !line.starts_with("PWD=") && !line.starts_with("_=")).collect();
    names.sort_unstable();
    assert_eq!(names, ["HOME=", "LC_ALL=C", "PATH=/usr/bin:/bin", "POLICY=strict"]);
}

#[tokio::test]
async fn its_own_path_does_not_change_which_program_is_meant() {
    let mut odd = sh("exit 0");
    odd.env = Command::environment(&host_env(), &Inherit::Common, [("PATH", "/nowhere")]);
    assert_eq!(run(odd).await.verdict, Verdict::Allow);
    let mut unknown = command("sh", &[]);
    unknown.search_path = Some("relative:/nowhere:".into());
    failed(
        &run(unknown).await,
        Code::Spawn,
        "E401: hook `fmt` could not be run: `sh`: not found in PATH; the tool call was blocked",
    );
}

#[tokio::test]
async fn what_cannot_be_executed_is_a_deny_that_says_why() {
    let dir = TempDir::new().unwrap();
    let script = dir.path().join("plain.sh");
    std::fs::write(&script, "echo {}\n").unwrap();
    let cases = [
        ("/no/such/program".to_owned(), "No such file or directory"),
        (script.display().to_string(), "Permission denied"),
        (dir.path().display().to_string(), "Permission denied"),
    ];
    for (program, why) in cases {
        let reason = shown(command(&program, &[])).await;
        assert!(reason.starts_with(&format!("E401: hook `fmt` could not be run: `{program}`: {why}")), "{reason}");
    }
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let reason = shown(command(&script.display().to_string(), &[])).await;
    assert!(reason.contains("Exec format error"), "no shell may step in: {reason}");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    let reason = shown(command(&script.display().to_string(), &[])).await;
    assert!(reason.contains("the interpreter that its first line names does not exist"), "{reason}");
    let mut homeless = sh("exit 0");
    homeless.cwd = "/no/such/dir".into();
    assert!(shown(homeless).await.contains("the working directory `/no/such/dir` does not exist"));
    assert!(shown(command("", &[])).await.contains("the command is empty"));
    assert!(shown(command("sh", &["a\0b"])).await.starts_with("E401"));
}

#[tokio::test]
async fn a_failing_end_is_a_deny_with_what_it_said() {
    let say = |text: &str| format!("E402: hook `fmt` {text}; the tool call was blocked");
    failed(&run(sh("exit 3")).await, Code::Exit, &say("ended with status 3"));
    failed(&run(sh("echo ' because ' >&2; echo '{}'; exit 1")).await, Code::Exit, &say("ended with status 1: because"));
    failed(&run(sh("kill -9 $$")).await, Code::Exit, &say("was ended by signal 9"));
}

#[tokio::test]
async fn output_that_is_no_action_is_a_deny() {
    for printed in ["nope", "\\n", "{} {}", "{\"decision\":\"block\"}", "log line\\n{}"] {
        let outcome = run(sh(&format!("printf '{printed}'"))).await;
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Action)), "{printed}");
    }
}

#[tokio::test]
async fn a_flood_is_a_deny_and_ends_the_hook() {
    let to_stdout = run(sh("yes")).await;
    failed(
        &to_stdout,
        Code::OutputSize,
        "E106: hook `fmt` wrote more than 1048576 bytes to stdout and was ended; the tool call was blocked",
    );
    let to_stderr = run(sh("yes >&2")).await;
    failed(
        &to_stderr,
        Code::OutputSize,
        "E106: hook `fmt` wrote more than 65536 bytes to stderr and was ended; the tool call was blocked",
    );
    let at_once = run(sh("head -c 1048577 /dev/zero")).await;
    assert_eq!(at_once.hooks[0].code, Some(Code::OutputSize));
}

#[tokio::test]
async fn a_large_answer_and_a_large_input_pass() {
    let text = "x".repeat(900_000);
    let input = Input::pre_tool("bash", &format!("\"{text}\"")).unwrap();
    let echo =
        r#"printf '{"decision":"modify","modified_tool_input":"'; head -c 900000 /dev/zero | tr '\0' y; printf '"}'"#;
    let outcome = run_for(sh(&format!("cat >/dev/null; {echo}")), Duration::from_secs(20), input.clone()).await;
    assert_eq!(outcome.input.unwrap().tool_input.unwrap().as_str().len(), 900_002);
    let deaf = run_for(command("true", &[]), Duration::from_secs(20), input).await;
    assert_eq!(deaf.verdict, Verdict::Allow, "not reading a large Input is no failure");
}

#[tokio::test]
async fn a_hook_that_hangs_is_ended_with_all_its_processes() {
    let dir = TempDir::new().unwrap();
    let pid_file = dir.path().join("pid");
    // Neither the hook nor its child reacts to TERM.
    let script = format!("trap '' TERM; (trap '' TERM; sleep 1000) & echo $! >{}; wait; wait", pid_file.display());
    let started = Instant::now();
    let outcome = run_for(sh(&script), Duration::from_millis(300), bash("ls")).await;
    assert!(started.elapsed() < Duration::from_secs(10));
    failed(
        &outcome,
        Code::Timeout,
        "E101: hook `fmt` did not answer within 300ms and was ended; the tool call was blocked",
    );
    assert_ends(&read_line(&pid_file));
}

#[tokio::test]
async fn a_hook_is_asked_to_end_before_it_is_made_to() {
    let dir = TempDir::new().unwrap();
    let (ready, said) = (dir.path().join("ready"), dir.path().join("said"));
    let script = format!(
        "trap 'echo bye >{}; exit' TERM; echo >{}; while :; do sleep 0.01; done",
        said.display(),
        ready.display()
    );
    run_for(sh(&script), Duration::from_millis(500), bash("ls")).await;
    assert_eq!(read_line(&said), "bye");
}

#[tokio::test]
async fn a_process_that_holds_the_pipes_does_not_delay_the_answer() {
    let dir = TempDir::new().unwrap();
    let pid_file = dir.path().join("pid");
    let script =
        format!("sleep 1000 & echo $! >{}; echo '{{\"decision\":\"deny\",\"reason\":\"fast\"}}'", pid_file.display());
    let started = Instant::now();
    assert_eq!(shown(sh(&script)).await, "fast");
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_ends(&read_line(&pid_file));
}

#[tokio::test]
async fn an_answer_that_another_process_passes_on_is_waited_for() {
    let script = r#"exec > >(cat); echo '{"decision":"deny","reason":"late"}'"#;
    assert_eq!(shown(command("bash", &["-c", script])).await, "late");
    let outcome = run(sh("sleep 1000 & exit 0")).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Action)));
    assert!(outcome.reason.unwrap().contains("another process held its stdout"));
    assert_eq!(run(sh("sleep 1000 >/dev/null & exit 0")).await.verdict, Verdict::Allow, "stderr holds no answer");
}

#[tokio::test]
async fn a_deny_outlives_a_failure_that_is_overlooked() {
    let mut info = HookInfo::new("fmt", [Event::PreTool]);
    info.on_error = OnError::Allow;
    let ask = async |script: &str| {
        let registry = Registry::new();
        let hook = ShellHook::new(info.clone(), sh(script), None, Arc::new(HookboxCodec));
        registry.register(hook).unwrap();
        registry.run_pre(bash("ls")).await.verdict
    };
    assert_eq!(ask("exit 2").await, Verdict::Allow);
    assert_eq!(ask("echo '{\"decision\":\"allow\"}'; exit 2").await, Verdict::Allow);
    assert_eq!(ask("echo '{\"decision\":\"deny\"}'; exit 2").await, Verdict::Deny);
    assert_eq!(ask("echo '{\"decision\":\"ask\"}'; exit 2").await, Verdict::Ask);
}

#[tokio::test]
async fn a_permission_outlives_a_failure_on_the_events_that_have_one() {
    let failed = Some(Code::Exit);
    for (event, on_error, permission, verdict, code) in [
        (Event::PreTool, OnError::Allow, "deny", Verdict::Deny, None),
        (Event::PreTool, OnError::Ask, "deny", Verdict::Deny, None),
        (Event::PreTool, OnError::Allow, "ask", Verdict::Ask, None),
        (Event::PreTool, OnError::Ask, "ask", Verdict::Ask, failed),
        (Event::PreTool, OnError::Allow, "allow", Verdict::Allow, failed),
        (Event::PreTool, OnError::Ask, "allow", Verdict::Ask, failed),
        (Event::PreTool, OnError::Deny, "allow", Verdict::Deny, failed),
        (Event::PostTool, OnError::Allow, "deny", Verdict::Allow, failed),
        (Event::PostTool, OnError::Ask, "deny", Verdict::Allow, failed),
    ] {
        let info = HookInfo::new("fmt", [event]).with_on_error(on_error);
        let script = format!("echo '{{\"permission\":\"{permission}\"}}'; exit 1");
        let registry = Registry::new();
        registry.register(ShellHook::new(info, sh(&script), None, Arc::new(HookboxCodec))).unwrap();
        let outcome = registry.run(Input::new(event)).await;
        let row = format!("{permission} on {event}, else {on_error:?}: {outcome:?}");
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (verdict, code), "{row}");
    }
    // The rewrite of a hook that failed does not count.
    let info = HookInfo::new("fmt", [Event::PreTool]).with_on_error(OnError::Allow);
    let script = r#"echo '{"decision":"modify","modified_tool_input":{"command":"x"},"permission":"ask"}'; exit 1"#;
    let registry = Registry::new();
    registry.register(ShellHook::new(info, sh(script), None, Arc::new(HookboxCodec))).unwrap();
    let outcome = registry.run_pre(bash("ls")).await;
    assert_eq!(outcome.verdict, Verdict::Ask);
    assert_eq!(outcome.input.unwrap().tool_input, bash("ls").tool_input);
}

/// The variable that is set in the process whose kernel has no descriptors for processes.
#[cfg(target_os = "linux")]
const LACKS_PIDFD: &str = "HOOKBOX_TEST_LACKS_PIDFD";

#[cfg(target_os = "linux")]
#[test]
fn without_descriptors_for_processes_every_answer_is_heard() {
    if std::env::var_os(LACKS_PIDFD).is_none() {
        let name = std::thread::current().name().unwrap().to_owned();
        let mut command = assert_cmd::Command::new(std::env::current_exe().unwrap());
        command.args([name.as_str(), "--exact", "--test-threads=1"]).env(LACKS_PIDFD, "1");
        let ran = crate::support::project::run(&mut command);
        assert!(ran.status == 0 && ran.stdout.contains("1 passed"), "{ran:?}");
        return;
    }
    crate::support::processes::lose_system_calls([libc::SYS_pidfd_open]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // The ends of stdin and stdout each interrupt the wait for the end of the hook.
    let answering = r#"cat >/dev/null; echo '{"decision":"deny","reason":"heard"}'; exec >&-"#;
    let large = Input::pre_tool("bash", &format!("\"{}\"", "x".repeat(900_000))).unwrap();
    for round in 0..20 {
        for input in [bash("ls"), large.clone()] {
            let outcome = runtime.block_on(run_for(sh(answering), Duration::from_secs(20), input));
            assert_eq!(outcome.reason.as_deref(), Some("heard"), "round {round}: {:?}", outcome.hooks);
        }
    }
    let ended = |script: &str| runtime.block_on(run(sh(script)));
    failed(&ended("exit 3"), Code::Exit, "E402: hook `fmt` ended with status 3; the tool call was blocked");
    failed(&ended("kill -9 $$"), Code::Exit, "E402: hook `fmt` was ended by signal 9; the tool call was blocked");
}

#[cfg(target_os = "linux")]
const LACKS_CLONE: &str = "HOOKBOX_TEST_LACKS_CLONE";

#[cfg(target_os = "linux")]
#[test]
fn where_no_process_can_be_started_the_deny_says_so() {
    if std::env::var_os(LACKS_CLONE).is_none() {
        let name = std::thread::current().name().unwrap().to_owned();
        let mut command = assert_cmd::Command::new(std::env::current_exe().unwrap());
        command.args([name.as_str(), "--exact", "--test-threads=1"]).env(LACKS_CLONE, "1");
        let ran = crate::support::project::run(&mut command);
        assert!(ran.status == 0 && ran.stdout.contains("1 passed"), "{ran:?}");
        return;
    }
    crate::support::processes::lose_system_calls([libc::SYS_clone]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outcome = runtime.block_on(run(sh(":")));
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Spawn)), "{outcome:?}");
    let reason = outcome.reason.unwrap();
    assert!(reason.ends_with("Function not implemented; the tool call was blocked"), "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_given_up_leaves_nothing_behind() {
    let dir = TempDir::new().unwrap();
    let pid_file = dir.path().join("pid");
    let script = format!("echo $$ >{}; exec sleep 1000", pid_file.display());
    for _ in 0..20 {
        let call = tokio::spawn(run(sh(&script)));
        let pid = read_line(&pid_file);
        call.abort();
        assert!(call.await.is_err_and(|error| error.is_cancelled()));
        assert_reaped(&pid).await;
        std::fs::remove_file(&pid_file).unwrap();
    }
}

#[tokio::test]
async fn many_calls_leave_no_file_open() {
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    run(command("true", &[])).await;
    let before = open();
    for _ in 0..20 {
        run(command("true", &[])).await;
    }
    // Other tests in this process open their own files.
    assert!(open() < before + 20, "{before} before, {} after", open());
}
