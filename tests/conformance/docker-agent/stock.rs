//! docker-agent: the builtins that exist from the start.

use super::{input_with, types};
use crate::conformance::by_test::{Named, named, row};
use crate::conformance::case::Book;
use crate::support::project::{Project, run};
use hookbox::{Action, Event, ToolResult};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

pub(super) const TESTS: &[Named] =
    named![add_date_has_the_local_date, redaction_is_idempotent, redaction_takes_linear_time];

/// Returns what `date` prints in this time zone.
fn today(zone: &str) -> String {
    let output = Command::new("date").arg("+%F").env("TZ", zone).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn add_date_has_the_local_date() {
    let row = row("docker-agent", "add_date_has_the_local_date");
    // The two time zones never have the same day.
    for zone in ["EAST-14", "WEST12"] {
        let project = Project::new();
        let file = project.write("agent.yaml", row.input());
        let before = today(zone);
        let ran = run(project
            .command("run", &["--dialect", "docker-agent", "--answer"])
            .arg("--config")
            .arg(file)
            .env("TZ", zone)
            .write_stdin(r#"{"session_id":"test-session","hook_event_name":"turn_start"}"#));
        let answer = ran.json();
        let context = answer["additional_context"].as_str().unwrap();
        // Midnight may have passed in the meantime.
        let expected = [before, today(zone)].map(|date| row.expected().replace("{date}", &date));
        assert!(expected.iter().any(|text| text == context), "{zone}: {context:?}, not {expected:?}");
    }
    row.holds();
}

/// Returns a tool's response without its secrets, if it had any.
fn redacted(response: &str) -> Option<String> {
    let builtin = types().builtin("redact_secrets").unwrap();
    let result = ToolResult { is_error: false, content: response.to_owned() };
    let input = input_with(Event::ToolResponseTransform, |input| input.tool_result = Some(result));
    builtin(&input, &[]).unwrap().and_then(|action: Action| action.updated_tool_response)
}

#[test]
fn redaction_is_idempotent() {
    let row = row("docker-agent", "redaction_is_idempotent");
    let mut secrets = 0;
    for case in Book::load("docker-agent", row.input()).case {
        let payload: Value = serde_json::from_str(&case.payload).unwrap();
        if let Some(once) = payload["tool_response"].as_str().and_then(redacted) {
            assert_eq!(redacted(&once), None, "{}: {once}", case.name);
            secrets += 1;
        }
    }
    assert!(secrets >= 80, "{secrets}");
    row.holds();
}

/// Returns how much processor time the fastest of some redactions takes. Other processes do not increase this time.
fn time_of(text: &str) -> Duration {
    let used = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let once = || {
        let begin = used();
        let _ = redacted(text);
        used() - begin
    };
    (0..3).map(|_| once()).min().unwrap()
}

#[test]
fn redaction_takes_linear_time() {
    let token = format!("{}_{}", "ghp", "A".repeat(36));
    let row = row("docker-agent", "redaction_takes_linear_time");
    let lines: Vec<String> = row.input().lines().map(|line| format!("{}\n", line.replace("{token}", &token))).collect();
    assert_eq!(lines.len(), 3);
    // This also tries a text without any break.
    for line in lines.into_iter().chain(["A".to_owned()]) {
        let small = line.repeat(16 * 1024 / line.len());
        // This call compiles the regexes.
        let _ = redacted(&small);
        let (small, large) = (time_of(&small), time_of(&small.repeat(16)));
        assert!(large < small * 128, "{line:?}: {small:?} for 16 KiB, {large:?} for 256 KiB");
    }
    row.holds();
}
