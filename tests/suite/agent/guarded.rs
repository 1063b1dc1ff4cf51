//! Ends of `hookbox hook` that leave it no time for an answer. The agent gets a deny all the same.

use super::effects::{self, Effect};
use super::{AGENTS, after_tool, before_tool};
use crate::support::component::allowing;
use crate::support::is_root;
use crate::support::project::{Project, Ran};
use hookbox::agent::Reply;
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Creates a project with a hook for tool events that runs this script.
fn scripted(script: &str) -> Project {
    let args = json!(["-c", script]);
    let hook = format!("[hooks.h]\nevents = [\"pre_tool\", \"post_tool\"]\ncommand = \"sh\"\nargs = {args}\n");
    Project::new().user(&hook)
}

fn reply(status: i32, stdout: &str, stderr: &str) -> Reply {
    let mut reply = Reply::silence();
    reply.stdout = stdout.to_owned();
    reply.stderr = stderr.to_owned();
    reply.status = u8::try_from(status).unwrap();
    reply
}

/// Returns the effect on the tool call when a hook of this agent ended in this way.
fn effect(agent: &str, ran: &Ran) -> Effect {
    effects::before_tool(agent, &json!({"command": "ls"}), &reply(ran.status, &ran.stdout, &ran.stderr))
}

fn call(agent: &str) -> String {
    before_tool(agent, "Bash", &json!({"command": "ls"})).to_string()
}

/// Returns `hookbox hook AGENT`, started by a shell after these commands.
fn in_shell(project: &Project, before: &str, agent: &str, redirection: &str) -> Command {
    let line = format!("{before}\nexec \"$0\" hook {agent} --home \"$HOME\" {redirection}");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).arg(assert_cmd::cargo::cargo_bin("hookbox"));
    command.env("HOME", project.home()).current_dir(project.dir());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(output: &Output) -> Ran {
    Ran {
        status: output.status.code().unwrap_or_else(|| panic!("ended by signal {:?}", output.status.signal())),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn start(mut command: Command, payload: &str) -> std::process::Child {
    let mut child = command.spawn().unwrap();
    // The process may be gone before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    child
}

#[test]
fn whatever_signal_ends_it_the_agent_gets_a_deny() {
    for signal in ["KILL", "ABRT", "SEGV", "BUS", "ILL", "SYS", "XCPU", "USR1", "ALRM"] {
        // A hook's parent is the process that judges.
        let project = scripted(&format!("kill -{signal} $PPID; exec sleep 20"));
        for agent in if signal == "KILL" { &AGENTS[..] } else { &["claude", "cline"] } {
            let ran = project.run(&["hook", agent], &call(agent));
            assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent} {signal}: {ran:?}");
        }
    }
}

#[test]
fn the_result_of_a_tool_is_withheld() {
    let project = scripted("kill -KILL $PPID; exec sleep 20");
    for agent in ["claude", "copilot", "opencode"] {
        let payload = after_tool(agent, &json!({"command": "cat key"}), "secret-of-the-tool");
        let ran = project.run(&["hook", agent], &payload.to_string());
        assert_eq!(ran.status, 0, "{agent}: {ran:?}");
        assert!(ran.stdout.contains("E101") && !ran.stdout.contains("secret-of-the-tool"), "{agent}: {ran:?}");
    }
}

/// If the result cannot be withheld, the model is told.
#[test]
fn a_result_that_cannot_be_withheld_is_said_to_be_unchecked() {
    let project = scripted("kill -KILL $PPID; exec sleep 20");
    for agent in ["droid", "cline", "cursor"] {
        let payload = after_tool(agent, &json!({"command": "cat key"}), "secret-of-the-tool");
        let ran = project.run(&["hook", agent], &payload.to_string());
        let text: Value = serde_json::from_str(&ran.stdout).unwrap();
        let text = text.to_string();
        assert!(text.contains("E101") && text.contains("could not be withheld"), "{agent}: {ran:?}");
        assert!(!text.contains("\"cancel\":true") && ran.status == 0, "{agent}: the run goes on: {ran:?}");
    }
    let payload = after_tool("claude", &json!({"command": "cat key"}), "secret-of-the-tool");
    let ran = project.run(&["hook", "generic-claude"], &payload.to_string());
    assert!(ran.status == 2 && ran.stderr.contains("E101"), "{ran:?}");
}

/// Returns the process that judges, once it exists.
fn worker(guard: u32) -> Option<rustix::process::Pid> {
    let children = std::fs::read_to_string(format!("/proc/{guard}/task/{guard}/children")).ok()?;
    rustix::process::Pid::from_raw(children.split_whitespace().next()?.parse().ok()?)
}

/// Kills the process that judges after many delays, from its first instruction to its end.
#[test]
fn at_no_moment_does_its_death_let_a_tool_run() {
    let project = scripted("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'");
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    let (mut killed, mut answered) = (0, 0);
    let mut delay = Duration::ZERO;
    while answered < 10 {
        for agent in ["claude", "codex", "cline", "gemini"] {
            let mut command = Command::new(&hookbox);
            command.args(["hook", agent, "--home"]).arg(project.home()).current_dir(project.dir());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = start(command, &call(agent));
            let pid = loop {
                if let Some(pid) = worker(child.id()) {
                    break Some(pid);
                }
                if child.try_wait().unwrap().is_some() {
                    break None;
                }
            };
            let at = Instant::now() + delay;
            while Instant::now() < at {
                std::hint::spin_loop();
            }
            // The process keeps its number until its parent has waited for it, and the parent ends with the process.
            if let Some(pid) = pid.filter(|pid| worker(child.id()) == Some(*pid)) {
                let _ = kill_process(pid, Signal::KILL);
            }
            let ran = ran(&child.wait_with_output().unwrap());
            assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent} after {delay:?}: {ran:?}");
            let is_own = ran.stdout.contains("\"no\"") || ran.stdout.contains(": no");
            (killed, answered) = if is_own { (killed, answered + 1) } else { (killed + 1, answered) };
        }
        delay += Duration::from_micros(500) + delay / 8;
    }
    assert!(killed > 10, "only {killed} were killed in time");
}

#[test]
fn a_signal_to_the_agents_own_child_is_a_deny_too() {
    for signal in ["TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "SEGV", "ABRT", "VTALRM", "IO", "RTMIN"] {
        // The signal goes to the grandparent of a hook.
        let kill = format!("kill -{signal} $(cut -d' ' -f4 /proc/$PPID/stat); exec sleep 20");
        let project = scripted(&kill);
        for agent in ["claude", "cline"] {
            let ran = project.run(&["hook", agent], &call(agent));
            assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent} {signal}: {ran:?}");
        }
    }
}

/// Whether this signal waits. Other signals may be blocked from the start, by whatever started the tests.
fn holds_back(process: u32, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
    let blocked = blocked.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or_default();
    blocked >> (signal.as_raw() - 1) & 1 == 1
}

/// From the first instructions on, a signal waits until a process can reply.
#[test]
fn a_signal_at_the_start_is_a_deny_too() {
    let project = scripted("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'");
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    let mut held = 0;
    for agent in ["claude", "cline", "codex"].iter().cycle().take(60) {
        let mut command = Command::new(&hookbox);
        command.args(["hook", agent, "--home"]).arg(project.home()).current_dir(project.dir());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let is_held = || holds_back(child.id(), Signal::TERM);
        while !is_held() && worker(child.id()).is_none() {
            std::hint::spin_loop();
        }
        held += i32::from(worker(child.id()).is_none());
        let pid = rustix::process::Pid::from_child(&child);
        kill_process(pid, Signal::TERM).unwrap();
        let _ = child.stdin.take().unwrap().write_all(call(agent).as_bytes());
        let ran = ran(&child.wait_with_output().unwrap());
        assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent}: {ran:?}");
    }
    assert!(held > 5, "only {held} were held back before the split");
}

#[test]
fn a_process_that_was_stopped_is_not_waited_for_forever() {
    let project = scripted("kill -STOP $PPID; exec sleep 20");
    for agent in ["claude", "cline"] {
        let mut command = in_shell(&project, "", agent, "");
        command.env("HOOKBOX_TEST_DEADLINE", "1");
        let ran = ran(&start(command, &call(agent)).wait_with_output().unwrap());
        assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent}: {ran:?}");
    }
}

#[test]
fn too_little_memory_is_a_deny() {
    let project = scripted("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'");
    let kib = |limit: u64| format!("ulimit -v {limit}");
    let mut tried = 0;
    for step in 1..=20 {
        let limit = kib(step * 24 * 1024);
        let mut version = Command::new("sh");
        version.args(["-c", &format!("{limit}; exec \"$0\" --version")]);
        version.arg(assert_cmd::cargo::cargo_bin("hookbox"));
        // With a lower limit, no program of this size can be started.
        if !version.output().unwrap().status.success() {
            continue;
        }
        tried += 1;
        for agent in ["claude", "cline"] {
            let ended = start(in_shell(&project, &limit, agent, ""), &call(agent)).wait_with_output().unwrap();
            let ran = ran(&ended);
            assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent} with {limit}: {ran:?}");
        }
    }
    assert!(tried > 5, "{tried}");
}

#[test]
fn a_limit_of_the_size_of_files_is_a_deny_where_something_cannot_be_written() {
    let deny = scripted("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'");
    let policy = "[hooks.p]\nevents = [\"pre_tool\"]\npolicy = \"no-destructive-commands\"\n[log]\n";
    let logged = Project::new().user(policy);
    for agent in AGENTS {
        for project in [&deny, &logged] {
            let payload = before_tool(agent, "Bash", &json!({"command": "rm -rf ~"})).to_string();
            let command = in_shell(project, "ulimit -f 0", agent, "");
            let ran = ran(&start(command, &payload).wait_with_output().unwrap());
            assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent}: {ran:?}");
        }
        // The reply itself goes into a file. No exit status stops Cline.
        if agent != "cline" && agent != "copilot" {
            let command = in_shell(&deny, "ulimit -f 0", agent, ">reply");
            let ran = ran(&start(command, &call(agent)).wait_with_output().unwrap());
            assert_eq!((ran.status, ran.stderr.is_empty()), (2, false), "{agent}: {ran:?}");
        }
    }
}

#[test]
fn the_limit_of_the_size_of_files_is_named_and_not_the_component_blamed() {
    let project = Project::new().user("[hooks.ok]\nevents = [\"pre_tool\"]\ncomponent = \"ok.wasm\"\n");
    project.write("home/.agents/ok.wasm", allowing());
    let ran = ran(&start(in_shell(&project, "ulimit -f 0", "claude", ""), &call("claude")).wait_with_output().unwrap());
    assert!(ran.stdout.contains("deny") && ran.stdout.contains("`ulimit -f`"), "{ran:?}");
    assert!(!ran.stdout.contains("crashed"), "{ran:?}");
}

/// The limit does not hold for root, so the program runs as another user.
#[test]
fn where_no_thread_can_be_started_the_agent_gets_its_own_deny() {
    if !is_root() {
        return;
    }
    // The processes of a user are counted together, so each run of this test has a user of its own.
    let user = 60_000 + std::process::id() % 5000;
    let user = [format!("--reuid={user}"), "--regid=64321".to_owned(), "--clear-groups".to_owned()];
    let project = Project::new();
    // The user may not be able to reach the directory of the build.
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    let (built, program) = (assert_cmd::cargo::cargo_bin("hookbox"), dir.path().join("hookbox"));
    fs::hard_link(&built, &program).or_else(|_| fs::copy(&built, &program).map(drop)).unwrap();
    // With the lower limit, not even the process that judges can be started.
    for (agent, limit) in AGENTS.iter().flat_map(|agent| ["--nproc=1", "--nproc=2"].map(|limit| (*agent, limit))) {
        let mut command = Command::new("setpriv");
        command.args(&user).args(["prlimit", limit]).arg(&program);
        command.args(["hook", agent]).env("HOME", project.home()).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let ran = ran(&start(command, &call(agent)).wait_with_output().unwrap());
        assert_eq!(effect(agent, &ran), Effect::Stopped, "{agent} {limit}: {ran:?}");
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(told.contains("`ulimit -u`") && !told.contains("panicked"), "{agent} {limit}: {told}");
        assert!(!told.contains("too long"), "{agent} {limit}: {told}");
    }
}

#[test]
fn a_closed_stdout_is_a_deny_even_where_the_hooks_allow() {
    for project in [scripted("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'"), Project::new()] {
        for agent in AGENTS {
            for redirection in [">&-", ">&- 2>&-", "1<>/dev/null", "1</dev/null"] {
                let ended = start(in_shell(&project, "", agent, redirection), &call(agent)).wait_with_output().unwrap();
                assert_eq!(ended.status.code(), Some(2), "{agent} {redirection}: {ended:?}");
            }
        }
    }
    let ended =
        start(in_shell(&Project::new(), "", "claude", ">/dev/null"), &call("claude")).wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "whoever discards the reply knows what for: {ended:?}");
}

/// A large reply stays whole.
#[test]
fn a_reply_of_many_bytes_arrives_whole() {
    let word = "x".repeat(100_000);
    let answer = json!({"decision": "modify", "modified_tool_input": {"command": word}}).to_string();
    let project = scripted("cat answer.json");
    project.write("project/answer.json", &answer);
    let ran = project.run(&["hook", "claude"], &call("claude"));
    let reply: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(reply["hookSpecificOutput"]["updatedInput"]["command"], word.as_str());
}
