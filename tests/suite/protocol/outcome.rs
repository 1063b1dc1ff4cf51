//! The Outcome as a line of JSON.

use hookbox::{Code, Decision, Input, Kind, Outcome, Record, Source, Verdict, Warning};
use std::time::Duration;

#[test]
fn the_line_has_the_keys_that_callers_rely_on() {
    let mut outcome = Outcome::allow(Input::pre_tool("bash", "{\"a\": 1E2}").unwrap());
    outcome.verdict = Verdict::Deny;
    outcome.denied_by = Some("guard".to_owned());
    outcome.reason = Some("no".to_owned());
    outcome.warnings = vec![Warning::new("x", Code::Timeout, "late")];
    outcome.hooks = vec![
        set!(Record::new("guard", Kind::Component, Source::USER), decision: Decision::Deny, duration: Duration::from_nanos(41_900)),
    ];
    assert_eq!(
        outcome.to_json_line(),
        concat!(
            r#"{"decision":"deny","denied_by":"guard","reason":"no","#,
            r#""input":{"event":"pre_tool","tool_name":"bash","tool_input":{"a": 1E2}},"modified":false,"#,
            r#""system_prompt_additions":[],"warnings":[{"hook":"x","code":"E101","message":"late"}],"#,
            r#""hooks":[{"name":"guard","kind":"component","source":"user","decision":"deny","duration_us":41}]}"#,
        )
    );
}

#[test]
fn an_input_of_several_lines_becomes_one() {
    let input = Input::pre_tool("bash", "{\r\n\t\"a\": \"x\\ny\"\n}").unwrap();
    let line = Outcome::allow(input).to_json_line();
    assert!(line.contains("{  \t\"a\": \"x\\ny\" }"), "{line}");
    assert!(!line.contains(['\n', '\r']));
}

#[test]
fn no_verdict_is_a_deny() {
    let outcome = Outcome::no_verdict(Code::InputSyntax, "not JSON", None);
    assert_eq!(
        outcome.to_json_line(),
        concat!(
            r#"{"decision":"deny","reason":"E601: not JSON","input":null,"modified":false,"#,
            r#""system_prompt_additions":[],"warnings":[],"hooks":[]}"#,
        )
    );
}
