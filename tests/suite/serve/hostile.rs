//! Bad input, and clients that misbehave: each is refused clearly, and others are served as before.

use super::client::{Client, RULE, bash, hold, release};
use crate::support::processes;
use crate::support::project::Project;
use rustix::fs::{OFlags, fcntl_setfl};
use serde_json::{Value, json};
use std::io::{Read, Write, pipe};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Checks what every refusal has: an error with a code, and a deny.
fn assert_refused(answer: &Value, id: Value, message: &str) {
    assert_eq!(answer["id"], id, "{answer}");
    assert!(answer["error"]["code"].as_str().unwrap().starts_with('E'), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains(message), "{answer}");
    assert_eq!(answer["outcome"]["decision"], "deny", "{answer}");
}

fn still_serves(client: &mut Client) {
    assert_eq!(client.bash(900, "rm x")["outcome"]["reason"], "no rm");
    assert_eq!(client.bash(901, "ls")["outcome"]["decision"], "allow");
}

#[test]
fn a_line_that_is_no_request_is_refused() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let cases: [(&[u8], Value, &str); 19] = [
        (b"{\"id\":1,\"input\":", json!(1), "not a request"),
        (b"[]", Value::Null, "not a request"),
        (b"[1,null,null,null,null,true,null,null]", Value::Null, "a list, expected an object"),
        (b"{}", Value::Null, "missing field `id`"),
        (b"\xff\xfe{}", Value::Null, "not UTF-8"),
        (b"{\"id\":\"a\",\"input\":{\"x\":\"\xff\"}}", json!("a"), "not UTF-8"),
        (b"{\"id\":1", Value::Null, "not a request"),
        (b"{\"id\":1,\"input\":{},\"extra\":2}", json!(1), "unknown field `extra`"),
        (b"{\"id\":1,\"id\":2,\"ping\":true}", Value::Null, "duplicate field `id`"),
        (b"{\"id\":1.5,\"ping\":true}", Value::Null, "whole number"),
        (b"{\"id\":{},\"ping\":true}", Value::Null, "whole number"),
        (b"{\"id\":1}", json!(1), "a request has one of"),
        (b"{\"id\":1,\"ping\":false}", json!(1), "a request has one of"),
        (b"{\"id\":1,\"ping\":true,\"cancel\":2}", json!(1), "a request has one of"),
        (b"{\"id\":1,\"payload\":{}}", json!(1), "a request has one of"),
        (b"{\"id\":1,\"cancel\":[]}", json!(1), "`cancel` names no request"),
        (b"{\"id\":1,\"agent\":\"nobody\",\"payload\":{}}", json!(1), "no agent"),
        (b"{\"id\":1,\"ping\":true}{\"id\":2,\"ping\":true}", json!(1), "trailing characters"),
        (b"{\"id\":\"\\u0000\",\"deadline_ms\":-1,\"ping\":true}", json!("\u{0}"), "invalid value"),
    ];
    for (line, id, message) in cases {
        let answer = client.ask(line);
        assert_refused(&answer, id, message);
    }
    let long = format!("{{\"id\":\"{}\",\"ping\":true}}", "x".repeat(65));
    assert_refused(&client.ask(long), Value::Null, "64 bytes");
    still_serves(&mut client);
    assert_eq!(client.end(), 0);
}

#[test]
fn an_input_that_is_not_strict_is_a_deny() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let deep = "[".repeat(100) + &"]".repeat(100);
    for (input, code) in [
        (r#"{"event":"pre_tool","event":"pre_tool"}"#.to_owned(), "E602"),
        (r#"{"event":"nothing"}"#.to_owned(), "E606"),
        ("7".to_owned(), "E60"),
        (format!(r#"{{"event":"pre_tool","tool_input":{deep}}}"#), "E603"),
        (format!(r#"{{"event":"pre_message","message":"{}"}}"#, "x".repeat(1 << 20)), "E604"),
    ] {
        let answer = client.ask(format!("{{\"id\":5,\"input\":{input}}}"));
        assert_eq!(answer["outcome"]["decision"], "deny");
        assert!(answer["outcome"]["reason"].as_str().unwrap().starts_with(code), "{code}: {answer}");
    }
    still_serves(&mut client);
}

#[test]
fn an_agents_request_is_refused_in_its_words() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    for (line, id) in [
        (r#"{"id":1,"agent":"claude","payload":{},"what":1}"#, json!(1)),
        (r#"{"agent":"claude","payload":{}}"#, Value::Null),
        (r#"{"id":1.5,"agent":"claude","payload":{}}"#, Value::Null),
    ] {
        let answer = client.ask(line);
        assert_eq!((&answer["id"], &answer["reply"]["status"]), (&id, &json!(2)), "a veto of Claude Code: {answer}");
        assert!(answer["error"]["code"].is_string(), "{answer}");
    }
}

#[test]
fn a_line_of_100_mb_is_skipped_as_it_comes() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let mut stdin = client.stdin.take().unwrap();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        stdin.write_all(&piece).unwrap();
    }
    stdin.write_all(b"\n").unwrap();
    client.stdin = Some(stdin);
    assert_refused(&client.answer(), Value::Null, "more than");
    still_serves(&mut client);
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap_or_default();
    if let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 400 << 10, "{peak} KiB");
    }
}

#[test]
fn a_line_that_is_too_long_is_answered_by_its_id() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let long = "x".repeat(17 << 20);
    let input = format!(r#"{{"event":"pre_message","message":"{long}"}}"#);
    assert_refused(&client.ask(format!(r#"{{"id":"big","input":{input}}}"#)), json!("big"), "more than");
    let answer = client.ask(format!(r#"{{"id":4,"agent":"claude","payload":{input}}}"#));
    assert_eq!((&answer["id"], &answer["reply"]["status"]), (&json!(4), &json!(2)), "{:.200}", answer.to_string());
    still_serves(&mut client);
}

#[test]
fn an_id_twice_is_refused_and_the_first_goes_on() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let hold = hold(&project);
    client.send(bash(1, "hold"));
    assert_refused(&client.bash(1, "ls"), json!(1), "under way");
    let _released = release(&hold, 1);
    assert_eq!(client.answer()["outcome"]["decision"], "allow", "the first");
    assert_eq!(client.bash(1, "ls")["outcome"]["decision"], "allow", "it is free again");
}

#[test]
fn too_many_requests_are_refused_at_once() {
    let project = Project::new().user(RULE);
    let hold = hold(&project);
    let mut client = Client::start(&project);
    for id in 0..300 {
        client.send(bash(id, "hold"));
    }
    client.send(r#"{"id":"last","ping":true}"#);
    let mut answers = Vec::new();
    while answers.last().is_none_or(|answer: &Value| answer["id"] != "last") {
        answers.push(client.answer());
    }
    answers.pop();
    let _released = release(&hold, 300);
    answers.extend((answers.len()..300).map(|_| client.answer()));
    let refused = answers
        .iter()
        .filter(|answer| answer["error"]["message"].as_str().is_some_and(|why| why.contains("overloaded")));
    assert_eq!(refused.clone().count(), 300 - 256);
    assert!(refused.clone().all(|answer| answer["outcome"]["decision"] == "deny"));
    let mut ids: Vec<u64> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert!(ids.iter().copied().eq(0..300), "each is answered once");
    still_serves(&mut client);
}

#[test]
fn a_client_that_reads_nothing_is_not_served_for_ever() {
    let project = Project::new().user("");
    let mut client = Client::start(&project);
    let mut stdin = client.stdin.take().unwrap();
    // 100,000 answers of some 300 bytes do not fit into what may wait.
    let sent = std::thread::spawn(move || {
        for id in 0..100_000_u64 {
            stdin.write_all(bash(id, "ls").as_bytes()).unwrap();
            stdin.write_all(b"\n").unwrap();
        }
        stdin
    });
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!sent.is_finished(), "it stops reading");
    let mut ids = Vec::with_capacity(100_000);
    for _ in 0..100_000 {
        let line = client.line();
        let id = line.strip_prefix("{\"id\":").unwrap().split(',').next().unwrap().parse::<u64>().unwrap();
        ids.push(id);
    }
    ids.sort_unstable();
    assert!(ids.into_iter().eq(0..100_000), "nothing is lost");
    client.stdin = Some(sent.join().unwrap());
    assert_eq!(client.end(), 0);
}

#[test]
fn a_full_stdout_that_does_not_block_loses_no_answer() {
    let project = Project::new().user("");
    let stdout = pipe().unwrap();
    fcntl_setfl(&stdout.1, OFlags::NONBLOCK).unwrap();
    let mut client = Client::start_on(&project, &[], pipe().unwrap(), stdout);
    // Once all of these are sent, the server has read most of them, and nobody has read an answer.
    let requests: String = (0..20_000).map(|id| format!("{{\"id\":{id},\"ping\":true}}\n")).collect();
    client.stdin.as_mut().unwrap().write_all(requests.as_bytes()).unwrap();
    for id in 0..20_000 {
        let line = client.line();
        assert!(line.starts_with(&format!("{{\"id\":{id},\"pong\":true")), "{id}: {line}");
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn what_came_from_a_stdin_that_does_not_block_is_answered() {
    let project = Project::new().user(RULE);
    let mut stdin = pipe().unwrap();
    fcntl_setfl(&stdin.0, OFlags::NONBLOCK).unwrap();
    // The next read after this request fails while the hook is running.
    stdin.1.write_all((bash(1, "rm x") + "\n").as_bytes()).unwrap();
    let mut client = Client::start_on(&project, &[], stdin, pipe().unwrap());
    assert_eq!(client.answer()["outcome"]["reason"], "no rm");
}

#[test]
fn a_client_that_dies_in_mid_line_ends_it() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    client.stdin.as_mut().unwrap().write_all(b"{\"id\":1,\"inp").unwrap();
    drop(client.stdin.take());
    assert_refused(&client.answer(), Value::Null, "ended within a line");
    assert_eq!(client.end(), 0);
}

#[test]
fn a_client_that_closes_its_end_ends_it() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    client.bash(1, "ls");
    let child = &mut client.child;
    drop(std::mem::replace(&mut client.stdout, std::io::BufReader::new(dummy_stdout())));
    let stdin = client.stdin.as_mut().unwrap();
    // The first answer may still fit into the pipe's buffer before the other end is known to be gone.
    let gone = (0..200).any(|id| {
        std::thread::sleep(Duration::from_millis(20));
        let broken = stdin.write_all((bash(id, "ls") + "\n").as_bytes()).is_err();
        broken || child.try_wait().unwrap().is_some()
    });
    assert!(gone, "it goes on without a client");
}

/// A call that is under way when its client stops reading is of no use to anybody.
#[test]
fn a_client_that_closes_its_end_is_noticed_by_the_first_answer() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    client.bash(1, "ls");
    client.send(bash(2, "slow"));
    drop(std::mem::replace(&mut client.stdout, std::io::BufReader::new(dummy_stdout())));
    let end = Instant::now() + Duration::from_secs(10);
    while client.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "it waits for more requests");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A hook that leaves its process id in a file and takes a minute.
const MINUTE: &str = r#"[hooks.rule]
events = ["pre_tool"]
command = "sh"
args = ['-c', 'echo $$ >"$HOME/pid"; exec sleep 60']
timeout = "2m"
"#;

#[test]
fn no_process_of_a_hook_is_left_behind() {
    for ends in [Ends::Stdin, Ends::Signal] {
        let project = Project::new().user(MINUTE);
        let mut client = Client::start(&project);
        client.send(bash(1, "ls"));
        let hook = processes::read_line(&project.home().join("pid"));
        match ends {
            Ends::Stdin => drop(client.stdin.take()),
            Ends::Signal => {
                let server = rustix::process::Pid::from_child(&client.child);
                rustix::process::kill_process(server, rustix::process::Signal::TERM).unwrap();
            }
        }
        let answer = client.answer();
        assert_eq!((&answer["id"], &answer["outcome"]["decision"]), (&json!(1), &json!("deny")), "{answer}");
        assert_eq!(answer["outcome"]["hooks"][0]["code"], "E113", "it was cancelled after its last time");
        processes::assert_ends(&hook);
        assert_eq!(client.end(), 0);
    }
}

#[derive(Clone, Copy)]
enum Ends {
    Stdin,
    Signal,
}

/// Returns a stdout of a process that has ended.
fn dummy_stdout() -> std::process::ChildStdout {
    let mut child = Command::new("true").stdout(Stdio::piped()).spawn().unwrap();
    child.wait().unwrap();
    child.stdout.take().unwrap()
}

/// The end of stdin does not come if another process holds its other end.
#[test]
#[cfg(target_os = "linux")]
fn it_ends_with_its_parent() {
    let project = Project::new().user(MINUTE);
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    let fifo = project.home().join("requests");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let script = format!("'{}' serve --stdio <'{}' & echo $!; exec sleep 60", hookbox.display(), fifo.display());
    let mut parent = Command::new("sh")
        .args(["-c", &script])
        .env("HOME", project.home())
        .current_dir(project.dir())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut held_open = std::fs::File::options().read(true).write(true).open(&fifo).unwrap();
    held_open.write_all((bash(1, "ls") + "\n").as_bytes()).unwrap();
    let mut pid = String::new();
    let mut stdout = parent.stdout.take().unwrap();
    while !pid.ends_with('\n') {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        pid.push(byte[0] as char);
    }
    let hook = processes::read_line(&project.home().join("pid"));
    parent.kill().unwrap();
    parent.wait().unwrap();
    processes::assert_ends(pid.trim());
    processes::assert_ends(&hook);
}
