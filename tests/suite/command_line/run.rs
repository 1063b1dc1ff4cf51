//! `hookbox run`: stdin, stdout and exit status.

use crate::support::component::{Guest, allowing};
use crate::support::processes::{assert_ends, read_line};
use crate::support::project::{Project, Ran};
use serde_json::{Value, json};

fn shell_hook(answer: &str) -> String {
    let script = format!("cat >/dev/null; printf '%s' '{answer}'");
    format!("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n")
}

fn with_answer(answer: &str) -> Project {
    Project::new().user(&shell_hook(answer))
}

/// Checks that the run is a deny that no hook gave, with exit status 1.
#[track_caller]
fn no_verdict(ran: &Ran, code: &str, words: &str) {
    assert_eq!(ran.status, 1, "{ran:?}");
    let outcome = ran.json();
    assert_eq!(outcome["decision"], "deny", "{ran:?}");
    let reason = outcome["reason"].as_str().unwrap();
    assert!(reason.starts_with(code) && reason.contains(words), "{reason}");
    assert!(ran.stderr.contains(code) || code == "E701", "{}", ran.stderr);
}

#[test]
fn the_exit_status_is_the_verdict() {
    for (answer, decision, status) in [
        ("", "allow", 0),
        (r#"{"decision":"allow"}"#, "allow", 0),
        (r#"{"decision":"deny","reason":"no"}"#, "deny", 2),
        (r#"{"decision":"ask","reason":"sure?"}"#, "ask", 3),
        (r#"{"decision":"modify","modified_tool_input":{"command":"pwd"}}"#, "allow", 0),
    ] {
        let ran = with_answer(answer).ask_bash("ls");
        assert_eq!(ran.status, status, "{answer}: {ran:?}");
        assert_eq!(ran.json()["decision"], decision);
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn the_outcome_has_the_promised_keys() {
    let outcome = with_answer(r#"{"decision":"deny","reason":"no"}"#).ask_bash("ls").json();
    let keys: Vec<&String> = outcome.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["decision", "denied_by", "hooks", "input", "modified", "reason", "system_prompt_additions", "warnings"]
    );
    assert_eq!(outcome["denied_by"], "guard");
    let record = &outcome["hooks"][0];
    assert_eq!(
        (&record["name"], &record["kind"], &record["source"]),
        (&json!("guard"), &json!("shell"), &json!("user"))
    );
    assert!(record["duration_us"].as_u64().unwrap() > 0);
}

#[test]
fn the_input_comes_back_as_it_was_but_for_what_hooks_changed() {
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command": "ls", "n": 1E2},"turn":3,"x":[1]}"#;
    let untouched = with_answer("").ask(input);
    assert_eq!(untouched.json()["input"], serde_json::from_str::<Value>(input).unwrap());
    assert!(untouched.stdout.contains(r#""tool_input":{"command": "ls", "n": 1E2}"#), "byte for byte");
    let changed = with_answer(r#"{"decision":"modify","modified_tool_input":{"command":"pwd"}}"#).ask(input).json();
    assert_eq!(changed["modified"], true);
    assert_eq!(changed["input"]["tool_input"], json!({ "command": "pwd" }));
    assert_eq!(changed["input"]["turn"], 3);
}

#[test]
fn an_input_over_several_lines_gives_one_line() {
    let ran = with_answer("").ask("{\n  \"event\": \"pre_tool\",\n  \"tool_input\": {\n    \"a\": 1\n  }\n}\n");
    assert_eq!(ran.json()["input"]["tool_input"]["a"], 1);
}

#[test]
fn without_config_everything_is_allowed() {
    let ran = Project::new().ask_bash("rm -rf /");
    assert_eq!((ran.status, ran.json()["hooks"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn an_input_that_cannot_be_used_is_a_deny_without_verdict() {
    let project = with_answer("");
    for (input, code, words) in [
        ("", "E601", "stdin is empty"),
        ("{\"event\":\"pre_tool\"", "E601", "EOF"),
        ("nope", "E601", "expected"),
        ("{\"event\":\"pre_tool\"} x", "E601", "trailing characters"),
        ("{\"event\":\"pre_tool\",\"tool_input\":{\"a\":1,\"a\":2}}", "E602", "duplicate key"),
        ("{\"event\":\"halt\"}", "E606", "none of: pre_tool"),
        ("{}", "E606", "has no `event`"),
    ] {
        no_verdict(&project.ask(input), code, words);
    }
    let deep = format!("{{\"event\":\"pre_tool\",\"tool_input\":{}{}}}", "[".repeat(100), "]".repeat(100));
    no_verdict(&project.ask(&deep), "E603", "nested deeper than 64");
    let large = format!("{{\"event\":\"pre_tool\",\"tool_input\":\"{}\"}}", "x".repeat(3 << 20));
    no_verdict(&project.ask(&large), "E604", "more than 1048576 bytes");
    let ran = crate::support::project::run(project.command("run", &[]).write_stdin(&b"{\"event\":\"\xff\"}"[..]));
    no_verdict(&ran, "E605", "invalid UTF-8");
}

#[test]
fn bad_usage_is_a_deny_without_verdict() {
    let project = with_answer("");
    for (args, words) in [
        (&["--confg", "x"][..], "unexpected argument '--confg'"),
        (&["--app", "../x"][..], "invalid value '../x'"),
        (&["extra"][..], "unexpected argument 'extra'"),
    ] {
        no_verdict(&project.hookbox("run", args), "E701", words);
    }
    let mut homeless = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    homeless.arg("run").env_remove("HOME").write_stdin("{\"event\":\"pre_tool\"}");
    no_verdict(&crate::support::project::run(&mut homeless), "E701", "the home directory is unknown");
    let mut nowhere = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    nowhere.args(["run", "--home", "/", "--project", "/no/such"]).write_stdin("{\"event\":\"pre_tool\"}");
    no_verdict(&crate::support::project::run(&mut nowhere), "E701", "`/no/such` is not a directory");
    let mut astray = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    astray.args(["run", "--home", "/no/such"]).write_stdin("{\"event\":\"pre_tool\"}");
    no_verdict(&crate::support::project::run(&mut astray), "E701", "the home directory `/no/such` is not a directory");
}

#[test]
fn an_outcome_that_cannot_be_written_is_no_verdict() {
    let project = with_answer(r#"{"decision":"modify","modified_tool_input":{"command":"pwd"}}"#);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["run", "--home"]).arg(project.home()).arg("--project").arg(project.dir());
    let input = project.write("input.json", r#"{"event":"pre_tool","tool_input":{}}"#);
    command.stdin(std::fs::File::open(input).unwrap()).stdout(std::fs::File::create("/dev/full").unwrap());
    assert_eq!(command.status().unwrap().code(), Some(1));
}

#[test]
fn a_signal_ends_the_hooks_and_gives_a_deny() {
    let project = Project::new();
    let pid_file = project.dir().join("pid");
    let script = format!("echo $$ >{}; exec sleep 1000", pid_file.display());
    let project = project
        .user(&format!("[hooks.slow]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n"));
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["run", "--home"]).arg(project.home()).arg("--project").arg(project.dir());
    let input = project.write("input.json", r#"{"event":"pre_tool"}"#);
    command
        .stdin(std::fs::File::open(input).unwrap())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null());
    let child = command.spawn().unwrap();
    let pid = read_line(&pid_file);
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&outcome["decision"], &outcome["reason"]),
        (&json!("deny"), &json!("E901: hookbox was ended by SIGTERM"))
    );
    assert_ends(&pid);
}

#[test]
fn a_guest_that_hangs_in_the_system_does_not_keep_the_process() {
    let project = Project::new();
    project.write("home/.agents/files.wasm", crate::support::guests::read("files.wasm"));
    let pipe = project.dir().join("note.txt");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let project = project.user(
        "[hooks.stuck]\nevents = [\"pre_tool\"]\ncomponent = \"files.wasm\"\ntimeout = \"300ms\"\n\
         grants = { dirs = [{ path = \".\", as = \"/project\" }] }\n",
    );
    let mut command = project.command("run", &[]);
    let ran = crate::support::project::run(
        command.write_stdin(r#"{"event":"pre_tool"}"#).timeout(std::time::Duration::from_secs(20)),
    );
    assert_eq!((ran.status, &ran.json()["hooks"][0]["code"]), (2, &json!("E101")));
}

#[test]
fn directories_that_the_environment_names_must_be_whole_paths() {
    let project = Project::new();
    project.write("xdg/hookbox/hooks.toml", shell_hook(r#"{"decision":"deny"}"#));
    let xdg = project.home().with_file_name("xdg");
    let ask = |xdg: &std::path::Path| {
        let mut command = project.command("run", &[]);
        crate::support::project::run(command.env("XDG_CONFIG_HOME", xdg).write_stdin(r#"{"event":"pre_tool"}"#)).status
    };
    assert_eq!(ask(&xdg), 2);
    assert_eq!(ask(std::path::Path::new("../xdg")), 0, "the project would choose it");
}

#[test]
fn broken_config_is_a_deny_without_verdict_on_events_that_can_be_stopped() {
    let project = Project::new().user("[hooks.guard\n");
    let ran = project.ask_bash("ls");
    assert_eq!((ran.status, &ran.json()["decision"]), (1, &json!("deny")));
    assert!(ran.json()["reason"].as_str().unwrap().contains("/.agents/hooks.toml:1:"), "{ran:?}");
    let ran = project.ask("{\"event\":\"post_tool\"}");
    assert_eq!((ran.status, &ran.json()["decision"]), (0, &json!("allow")));
    assert_eq!(ran.json()["warnings"][0]["code"], "E502");
    for args in [&["--config", "none.toml"][..], &["--config", "none.toml", "--app", "hygge"]] {
        let ran = Project::new().with_args(args).ask_bash("ls");
        assert_eq!((ran.status, &ran.json()["warnings"][0]["code"]), (1, &json!("E501")));
    }
}

/// What represents a config file in the chain is not one of the user's hooks.
#[test]
fn a_config_file_is_not_called_a_hook() {
    let broken = Project::new().user("[hooks.guard\n").ask_bash("ls");
    let missing = Project::new().with_args(&["--config", "none.toml"]).ask_bash("ls");
    for (ran, file) in [(broken, "/.agents/hooks.toml"), (missing, "/none.toml")] {
        let message = ran.json()["warnings"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("config file `/") && message.contains(file), "{message}");
        assert!(ran.json()["reason"].as_str().unwrap().contains(&message), "{ran:?}");
    }
    let entry = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomand = \"x\"\n").ask_bash("ls");
    assert!(entry.json()["reason"].as_str().unwrap().starts_with("E503: hook `guard` "), "{entry:?}");
    let project = Project::new();
    project.write("project/agent.yaml", "hooks: [");
    let args = ["run", "--answer", "--dialect", "docker-agent", "--config", "agent.yaml"];
    let answer =
        project.run(&args, r#"{"hook_event_name":"pre_tool_use","tool_name":"shell","session_id":"s"}"#).json();
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("failed to execute: E502: config file `/"), "{answer}");
}

#[test]
fn a_bad_entry_is_a_deny_by_that_entry() {
    let ran = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomand = \"x\"\n").ask_bash("ls");
    assert_eq!((ran.status, &ran.json()["denied_by"]), (2, &json!("guard")));
    assert_eq!(ran.json()["warnings"].as_array().unwrap().len(), 1, "said once");
    assert_eq!(ran.json()["hooks"][0]["code"], "E503");
}

#[test]
fn a_component_and_a_shell_hook_stand_in_one_chain() {
    let project = Project::new();
    let rewrite = Guest::answering(r#"{"decision":"modify","modified_tool_input":{"command":"pwd"}}"#);
    project.write("home/.agents/rewrite.wasm", rewrite.build());
    let script = r#"grep -q '"command":"pwd"' && echo '{"decision":"deny","reason":"saw pwd"}'"#;
    let project = project.user(&format!(
        "[hooks.rewrite]\nevents = [\"pre_tool\"]\ncomponent = \"rewrite.wasm\"\n\
         [hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n"
    ));
    let outcome = project.ask_bash("ls").json();
    assert_eq!((&outcome["denied_by"], &outcome["reason"]), (&json!("guard"), &json!("saw pwd")));
    let kinds: Vec<&Value> = outcome["hooks"].as_array().unwrap().iter().map(|hook| &hook["kind"]).collect();
    assert_eq!(kinds, ["component", "shell"]);
    assert_eq!(outcome["hooks"][0]["decision"], "modify");
}

#[test]
fn a_project_needs_trust() {
    let project = Project::new().project(&shell_hook(r#"{"decision":"deny"}"#));
    let ran = project.ask_bash("ls");
    assert_eq!((ran.status, &ran.json()["warnings"][0]["code"]), (0, &json!("E301")));
    let trusting = project.with_args(&["--trust-all"]);
    assert_eq!(trusting.ask_bash("ls").status, 2);
}

#[test]
fn the_environment_of_hooks_is_cleared() {
    let script = "test -z \"$SECRET\" || exit 1; test \"$LANG\" = xx || exit 1";
    let project = Project::new()
        .user(&format!("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n"));
    let mut command = project.command("run", &[]);
    command.env("SECRET", "sk-1").env("LANG", "xx").write_stdin("{\"event\":\"pre_tool\"}");
    assert_eq!(crate::support::project::run(&mut command).status, 0);
}

#[test]
fn hooks_run_in_the_project() {
    let project = Project::new();
    let script = "test -f here || exit 1";
    project.write("project/here", "");
    let project = project
        .user(&format!("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n"));
    let mut command = project.command("run", &[]);
    command.current_dir("/").write_stdin("{\"event\":\"pre_tool\"}");
    assert_eq!(crate::support::project::run(&mut command).status, 0);
}

#[test]
fn async_hooks_get_their_time_after_the_verdict() {
    let project = Project::new();
    let mark = project.dir().join("mark");
    let script = format!("sleep 0.2; echo done >{}", mark.display());
    let project = project.user(&format!(
        "[hooks.log]\nevents = [\"post_tool\"]\nmode = \"async\"\ncommand = \"sh\"\nargs = [\"-c\", {script:?}]\n"
    ));
    let ran = project.ask("{\"event\":\"post_tool\"}");
    assert_eq!((ran.status, &ran.json()["hooks"][0]["async"]), (0, &json!(true)));
    assert_eq!(std::fs::read_to_string(mark).unwrap(), "done\n");
}

#[test]
fn verbose_logs_to_stderr_alone() {
    let project = Project::new();
    project.write("home/.agents/ok.wasm", allowing());
    let project = project.user("[hooks.ok]\nevents = [\"pre_tool\"]\ncomponent = \"ok.wasm\"\n").with_args(&["-v"]);
    let ran = project.ask_bash("ls");
    assert_eq!(ran.json()["decision"], "allow");
    assert!(ran.stderr.contains("event decided"), "{}", ran.stderr);
}

#[test]
fn a_component_that_loops_is_ended_whatever_signals_are_blocked() {
    let hook = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\ntimeout = \"200ms\"\n";
    let project = Project::new().user(hook);
    project.write("home/.agents/guard.wasm", Guest::running("(loop $l (br $l)) (unreachable)").build());
    for how in ["--block-signal=ALRM", "--ignore-signal=ALRM", "--default-signal=ALRM"] {
        let mut command = assert_cmd::Command::new("env");
        command.arg(how).arg(assert_cmd::cargo::cargo_bin("hookbox")).args(["run", "--home"]).arg(project.home());
        command.current_dir(project.dir()).timeout(std::time::Duration::from_secs(20));
        let ran = crate::support::project::run(command.write_stdin(r#"{"event":"pre_tool","tool_name":"bash"}"#));
        assert_eq!((ran.status, &ran.json()["hooks"][0]["code"]), (2, &"E101".into()), "{how}: {ran:?}");
    }
}

/// The system drops the exit status of a child whose parent ignores the signal about it.
#[test]
fn the_answer_of_a_hook_counts_if_the_caller_ignores_its_own_children() {
    let project = with_answer(r#"{"decision":"ask","reason":"sure?"}"#);
    let mut command = assert_cmd::Command::new("env");
    command.arg("--ignore-signal=CHLD").arg(assert_cmd::cargo::cargo_bin("hookbox")).args(["run", "--home"]);
    command.arg(project.home()).current_dir(project.dir());
    let ran = crate::support::project::run(command.write_stdin(r#"{"event":"pre_tool","tool_name":"bash"}"#));
    assert_eq!((ran.status, &ran.json()["decision"]), (3, &"ask".into()), "{ran:?}");
}
