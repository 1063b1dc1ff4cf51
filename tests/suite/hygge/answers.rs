//! What hygge makes of each way in which a command can end, through the command line.
//!
//! One row of hygge's table is not here, since a call that its host gives up has no verdict: see `process_end`.

use super::fixture::{hygge, program_hook, shell_hook};
use crate::support::project::{Project, run};
use serde_json::{Value, json};

/// A verdict on a gating event, with the reason of a deny.
#[derive(Clone, Copy)]
enum Verdict<'a> {
    Allow,
    Deny(Option<&'a str>),
}
use Verdict::{Allow, Deny};

const PRE_TOOL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;
const POST_TOOL: &str =
    r#"{"event":"post_tool","tool_name":"bash","tool_input":{},"tool_result":{"is_error":false,"content":"out"}}"#;

/// A hook called `t` that writes this and ends with this status.
fn ends(status: i32, stdout: &str, stderr: &str) -> String {
    let script = r#"printf %s "$1"; printf %s "$2" >&2; exit "$3""#;
    let args = json!(["-c", script, "sh", stdout, stderr, status.to_string()]);
    format!("[hooks.t]\nevents = [\"pre_tool\", \"post_tool\"]\ncommand = \"/bin/sh\"\nargs = {args}\n")
}

fn runs(script: &str) -> String {
    shell_hook("t", &["pre_tool", "post_tool"], script)
}

fn starts(command: &str) -> String {
    program_hook("t", &["pre_tool", "post_tool"], command)
}

/// Asks on `pre_tool` for the verdict, and for a deny on `post_tool` too, where it stops nothing.
#[track_caller]
fn check(row: &str, project: &Project, verdict: Verdict<'_>) {
    let pre = project.ask(PRE_TOOL);
    let outcome = pre.json();
    let seen = (pre.status, &outcome["decision"], &outcome["denied_by"], &outcome["reason"]);
    match verdict {
        Allow => assert_eq!(seen, (0, &json!("allow"), &Value::Null, &Value::Null), "{row}: {outcome}"),
        Deny(reason) => {
            assert_eq!(seen, (2, &json!("deny"), &json!("t"), &json!(reason)), "{row}: {outcome}");
            let post = project.ask(POST_TOOL);
            let outcome = post.json();
            assert_eq!((post.status, &outcome["decision"]), (0, &json!("allow")), "{row}: {outcome}");
            assert_eq!(outcome["input"]["tool_result"]["content"], "out", "{row}");
            assert_eq!(outcome["warnings"], json!([]), "{row}");
        }
    }
    assert_eq!(outcome["warnings"], json!([]), "{row}");
    assert_eq!(outcome["input"]["tool_input"], json!({}), "{row}");
}

#[track_caller]
fn check_all(rows: &[(&str, String, Verdict<'_>)]) {
    for (row, toml, verdict) in rows {
        check(row, &hygge().project(toml), *verdict);
    }
}

#[test]
fn an_answer_counts() {
    let answers = |stdout: &str| ends(0, stdout, "");
    check_all(&[
        ("nothing", ends(0, "", ""), Allow),
        ("nothing, whatever is on stderr", ends(0, "", "noise"), Allow),
        ("{}", answers("{}"), Allow),
        ("null", answers("null"), Allow),
        ("a decision of null", answers(r#"{"decision":null}"#), Allow),
        ("an empty decision", answers(r#"{"decision":""}"#), Allow),
        ("allow", answers(r#"{"decision":"allow"}"#), Allow),
        ("deny with a reason", answers(r#"{"decision":"deny","reason":"r"}"#), Deny(Some("r"))),
        ("deny without a reason", answers(r#"{"decision":"deny"}"#), Deny(None)),
        ("deny amid white space", answers("\n {\"decision\" : \"deny\"}\t\n"), Deny(None)),
        ("deny beside noise on stderr", ends(0, r#"{"decision":"deny","reason":"r"}"#, "noise"), Deny(Some("r"))),
        ("an unknown decision", answers(r#"{"decision":"block"}"#), Allow),
        ("a decision in capitals", answers(r#"{"decision":"DENY"}"#), Allow),
        ("keys in capitals", answers(r#"{"Decision":"deny","REASON":"x"}"#), Deny(Some("x"))),
        ("a key twice", answers(r#"{"reason":"a","decision":"deny","reason":"b"}"#), Deny(Some("b"))),
        ("a key twice, in two cases", answers(r#"{"decision":"deny","DECISION":"allow"}"#), Allow),
        ("null behind a deny", answers(r#"{"decision":"deny","decision":null}"#), Deny(None)),
        ("unknown keys", answers(r#"{"note":{"decision":[1e999]},"decision":"deny","reason":"r"}"#), Deny(Some("r"))),
        ("half a pair of surrogates", answers(r#"{"decision":"deny","reason":"\ud83d!","\udc00":1}"#), {
            Deny(Some("\u{fffd}!"))
        }),
        ("a whole pair of surrogates", answers(r#"{"decision":"deny","reason":"\ud83d\ude00"}"#), Deny(Some("😀"))),
    ]);
}

/// Policies that rely on this are better written for hookbox's own protocol, where none of these allows.
#[test]
fn output_that_is_no_answer_allows() {
    let rows = [
        ("a line break", "\n"),
        ("spaces", "   "),
        ("a reason of a wrong type", r#"{"decision":"deny","reason":5}"#),
        ("a decision of a wrong type", r#"{"decision":["deny"]}"#),
        ("another key of a wrong type", r#"{"decision":"deny","modified_message":5}"#),
        ("a member of a wrong type", r#"{"decision":"deny","modified_tool_result":{"is_error":"no"}}"#),
        ("something behind the object", r#"{"decision":"deny"} xx"#),
        ("two objects", r#"{"decision":"deny"}{"decision":"deny"}"#),
        ("a line before the object", "checking\n{\"decision\":\"deny\"}"),
        ("a byte order mark before the object", "\u{feff}{\"decision\":\"deny\"}"),
        ("half an object", r#"{"decision":"deny""#),
        ("an array", "[]"),
        ("true", "true"),
        ("a string", r#""deny""#),
    ];
    for (row, stdout) in rows {
        check(row, &hygge().project(&ends(0, stdout, "")), Allow);
    }
}

#[test]
fn output_that_is_no_answer_is_logged() {
    let project = hygge().project(&ends(0, "not json", ""));
    let ran = run(project.command("run", &["--verbose"]).write_stdin(PRE_TOOL));
    assert!(ran.stderr.contains("malformed stdout JSON; failing open"), "{}", ran.stderr);
    let project = hygge().project(&ends(0, "null", ""));
    let ran = run(project.command("run", &["--verbose"]).write_stdin(PRE_TOOL));
    assert!(!ran.stderr.contains("malformed"), "{}", ran.stderr);
}

#[test]
fn a_command_that_fails_denies_whatever_it_printed() {
    let allow = r#"{"decision":"allow"}"#;
    for status in [1, 2, 3, 127, 255] {
        let row = format!("status {status}");
        check(&row, &hygge().project(&ends(status, allow, "because")), Deny(Some("because")));
    }
    let nameless = "hook t exited with error: exit status 1";
    check_all(&[
        ("stderr is trimmed", ends(1, allow, " \n because \n\n"), Deny(Some("because"))),
        ("nothing on stderr", ends(1, allow, ""), Deny(Some(nameless))),
        ("blanks on stderr", ends(1, "", " \n\t "), Deny(Some(nameless))),
        ("a deny on stdout is not read", ends(3, r#"{"decision":"deny","reason":"r"}"#, ""), {
            Deny(Some("hook t exited with error: exit status 3"))
        }),
        ("killed", runs("kill -KILL $$"), Deny(Some("hook t exited with error: signal: killed"))),
        ("terminated", runs("kill -TERM $$"), Deny(Some("hook t exited with error: signal: terminated"))),
        ("killed with a word", runs("echo because >&2; kill -KILL $$"), Deny(Some("because"))),
    ]);
}

#[test]
fn a_reason_from_stderr_is_cut_at_1024_bytes_even_inside_a_character() {
    let project = hygge().project(&ends(1, "", &format!("{}é and more", "x".repeat(1023))));
    let reason = format!("{}\u{fffd}", "x".repeat(1023));
    assert_eq!(project.ask(PRE_TOOL).json()["reason"], json!(reason));
}

#[test]
fn a_command_that_cannot_be_started_denies() {
    let files = hygge();
    let plain = files.write("plain", "echo hi\n");
    let headless = files.executable("headless", "echo hi\n");
    let directory = files.home();
    let missing = directory.join("missing");
    let rows = [
        ("a path that is missing", &missing, "no such file or directory"),
        ("a file that is not executable", &plain, "permission denied"),
        ("a directory", &directory, "permission denied"),
        ("a script without an interpreter line", &headless, "exec format error"),
    ];
    for (row, path, words) in rows {
        let path = path.to_str().unwrap();
        let reason = format!("hook t exited with error: fork/exec {path}: {words}");
        check(row, &hygge().project(&starts(path)), Deny(Some(&reason)));
    }
    let bare = "hook t exited with error: exec: \"no-such-command\": executable file not found in $PATH";
    check("a bare name", &hygge().project(&starts("no-such-command")), Deny(Some(bare)));
}

/// hygge waits for five seconds more before it says so.
#[test]
fn a_descendant_that_holds_the_pipes_denies() {
    let held = "hook t exited with error: exec: WaitDelay expired before I/O complete";
    check_all(&[
        ("both", runs("sleep 60 & echo '{}'"), Deny(Some(held))),
        ("stdout", runs("sleep 60 2>/dev/null & echo '{}'"), Deny(Some(held))),
        ("stderr", runs("sleep 60 >/dev/null & echo '{}'"), Deny(Some(held))),
        ("neither", runs("echo '{}'; exec >/dev/null 2>&1; sleep 60 &"), Allow),
        ("both, with a word", runs("sleep 60 & echo because >&2"), Deny(Some("because"))),
    ]);
}

#[test]
fn a_command_that_takes_too_long_denies_whatever_it_printed() {
    let timeout = "timeout = \"100ms\"\n";
    let late = Deny(Some("hook t timed out after 100ms"));
    check_all(&[
        ("silent", runs("exec sleep 60") + timeout, late),
        ("an answer before", runs(r#"echo '{"decision":"deny","reason":"r"}'; exec sleep 60"#) + timeout, late),
        ("a word before", runs("echo because >&2; exec sleep 60") + timeout, late),
        ("a child that holds the pipes", runs("sleep 60; echo '{}'") + timeout, late),
        ("a descendant that holds the pipes", runs("sleep 60 & echo '{}'") + timeout, late),
    ]);
}

/// hygge asks no hook when a tool's input is not JSON, and goes on. Here such an Input is refused as a whole.
#[test]
fn a_payload_that_cannot_be_written_denies_and_no_hook_runs() {
    let project = hygge().project(&runs("echo x >called"));
    let ran = project.ask(r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":ls}}"#);
    assert_eq!((ran.status, &ran.json()["decision"]), (1, &json!("deny")), "{ran:?}");
    assert!(!project.dir().join("called").exists());
}

/// hygge reads without an end.
#[test]
fn a_command_that_writes_without_an_end_denies() {
    let spaces = |bytes: usize, stream: &str| runs(&format!("head -c {bytes} /dev/zero | tr '\\000' ' ' {stream}"));
    let stdout = "hook t exited with error: wrote more than 1048576 bytes to stdout";
    let stderr = "hook t exited with error: wrote more than 65536 bytes to stderr";
    check_all(&[
        ("stdout, just not too much", spaces(1 << 20, ""), Allow),
        ("stdout", spaces((1 << 20) + 1, ""), Deny(Some(stdout))),
        ("stdout, for ever", runs("exec cat /dev/zero"), Deny(Some(stdout))),
        ("stderr, just not too much", spaces(64 << 10, ">&2"), Allow),
        ("stderr", spaces((64 << 10) + 1, ">&2"), Deny(Some(stderr))),
    ]);
}
