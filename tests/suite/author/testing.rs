//! `hookbox test`: what passes, what fails, and how that is shown.

use super::test;
use crate::support::component::Guest;
use crate::support::guests;
use crate::support::project::Project;
use hookbox_cli::author::cases::Cases;
use serde_json::{Value, json};

/// Creates a project with a hook whose answer depends on its input.
fn with_script(body: &str) -> Project {
    let project = Project::new();
    project.script("project/hook.sh", &format!("input=$(cat)\ncase \"$input\" in {body} esac"));
    project
}

#[test]
fn cases_that_are_answered_as_they_say_pass() {
    let project = Project::new();
    project.write("project/guard.wasm", Guest::answering(r#"{"decision":"deny","reason":"no: never"}"#).build());
    let cases = r#"
[[case]]
tool = "bash"
input = { command = "ls" }
expect = "deny"

[[case]]
expect = "deny"
reason = "no: never"

[[case]]
expect = "deny"
reason = { contains = "nev" }

[[case]]
whole = { event = "pre_message", message = "hi" }
expect = "deny"
reason = { regex = "^no: [a-z]+$" }
"#;
    let ran = test(&project, cases, &["guard.wasm"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "4 passed, 0 failed in <time>\n", ""));
    // The only component of the directory is the default.
    let ran = test(&project, cases, &["-v", "--filter", "case 3"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "ok      case 3\n1 passed, 0 failed, 3 left out in <time>\n"));
}

#[test]
fn a_case_that_fails_says_where_and_in_what() {
    let project = with_script(
        r#"*'"git push'*) echo '{"decision":"modify","updated_input":{"command":"git push","force":false}}'; echo "was: force" >&2;;
           *'"rm'*) echo '{"decision":"deny","reason":"no rm"}';;
           *message*) echo '{"decision":"allow","permission":"deny"}';;"#,
    );
    let cases = r#"[[case]]
name = "a push without force"
input = { command = "git push -f", timeout = 5 }
expect = "modify"
modified = { command = "git push --force-with-lease", force = false, timeout = 5, dry = true }

[[case]]
input = { command = "rm -rf x" }
expect = "allow"

[[case]]
name = "why"
input = { command = "rm -rf x" }
expect = "deny"
reason = { contains = "delete" }

[[case]]
name = "no\u001b[2J tricks"
input = { command = "ls" }
expect = "deny"
reason = "exactly"

[[case]]
name = "no effect"
whole = { event = "post_message", message = "message" }
expect = "allow"
reason = "none is given"
"#;
    let ran = test(&project, cases, &["hook.sh"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stdout, @r#"
    FAILED  a push without force
      --> cases.toml:1
      - modified.command: "git push --force-with-lease"
      + modified.command: "git push"
      - modified.dry: true
      + modified.dry: not there
      = the hook wrote to stderr:
        | was: force
    FAILED  case 2
      --> cases.toml:7
      - decision: allow
      + decision: deny
      + reason: "no rm"
    FAILED  why
      --> cases.toml:11
      - reason: contains "delete"
      + reason: "no rm"
    FAILED  no\u{1b}[2J tricks
      --> cases.toml:17
      - decision: deny
      + decision: allow
      - reason: "exactly"
      + reason: none
    FAILED  no effect
      --> cases.toml:23
      - reason: "none is given"
      + reason: none
      = E111: hook `hook` sent `permission`, which has no effect on post_message
    0 passed, 5 failed in <time>
    "#);
}

#[test]
fn a_hook_that_fails_does_not_deny() {
    let project = Project::new();
    project.write("project/guard.wasm", Guest::running("unreachable").build());
    let case = |expected: &str| format!("[[case]]\n{expected}\n");
    let ran = test(&project, &case("expect = \"deny\""), &[]);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout, @r#"
    FAILED  case 1
      --> cases.toml:1
      - decision: deny
      + decision: error E103 (trap)
      + reason: "crashed: wasm `unreachable` instruction executed"
    0 passed, 1 failed in <time>
    "#);
    for (expected, status) in [
        ("error = \"E103\"", 0),
        ("error = \"E103\"\nreason = { contains = \"unreachable\" }", 0),
        ("error = \"E103\"\nreason = \"other\"", 1),
        ("error = \"E101\"", 1),
    ] {
        assert_eq!(test(&project, &case(expected), &[]).status, status, "{expected}");
    }
}

#[test]
fn a_hook_that_answers_does_not_fail() {
    let project = Project::new();
    project.write("project/guard.wasm", Guest::answering(r#"{"decision":"deny"}"#).build());
    let ran = test(&project, "[[case]]\nerror = \"E103\"\n", &[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("- decision: error E103 (trap)\n  + decision: deny\n"), "{}", ran.stdout);
}

#[test]
fn settings_are_those_of_the_case_or_of_all_cases_or_of_the_config() {
    let project = with_script(
        r#"*'"settings":{"of":"'*) s=${input#*'"settings":{"of":"'}; echo "{\"decision\":\"deny\",\"reason\":\"${s%%\"*}\"}";;"#,
    );
    project.write(
        "project/hooks.toml",
        "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./hook.sh\"\nsettings = { of = \"config\" }\n",
    );
    let case = |settings: &str, of: &str| format!("[[case]]\n{settings}\nexpect = \"deny\"\nreason = \"{of}\"\n");
    let own = case("", "config");
    let ran = test(&project, &own, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let cases = format!("settings = {{ of = \"all\" }}\n{}{}", case("", "all"), case("settings.of = \"case\"", "case"));
    let ran = test(&project, &cases, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn what_the_hook_does_not_hear_cannot_be_tested() {
    let project = Project::new();
    project.write("project/guard.wasm", Guest::answering(r#"{"decision":"deny"}"#).build());
    project.write(
        "project/hooks.toml",
        "[hooks.guard]\nevents = [\"pre_tool\"]\nmatch = \"bash\"\ncomponent = \"guard.wasm\"\n",
    );
    let ran = test(&project, "[[case]]\nevent = \"post_tool\"\nexpect = \"allow\"\n", &[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("+ decision: not asked: it does not hear post_tool, but pre_tool\n"), "{}", ran.stdout);
    // Calls excluded by `match` can be tested.
    let ran = test(&project, "[[case]]\ntool = \"edit\"\nexpect = \"allow\"\n", &[]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let ran = test(&project, "[[case]]\ntool = \"edit\"\nexpect = \"deny\"\n", &[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("= the hook was not asked: its `match` does not concern this tool\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn every_kind_of_rewrite_can_be_expected() {
    let project = with_script(
        r#"*pre_message*) echo '{"decision":"modify","modified_message":"other"}';;
           *post_tool*) echo '{"decision":"modify","updated_tool_response":"gone"}';;
           *before_llm_call*) echo '{"decision":"modify","updated_messages":[{"role":"user","content":1.0}]}';;
           *) echo '{"decision":"modify","modified_tool_input":[1,{"a":null,"b":"\u00e9"}]}';;"#,
    );
    let cases = [
        json!({ "whole": { "event": "pre_message", "message": "m" }, "modified": "other" }),
        json!({ "whole": { "event": "post_tool", "tool_result": { "content": "c", "is_error": true } },
                "modified": { "content": "gone", "is_error": true } }),
        json!({ "whole": { "event": "before_llm_call" }, "modified": [{ "content": 1, "role": "user" }] }),
        json!({ "tool": "t", "input": [], "modified": [1, { "b": "é", "a": null }] }),
    ];
    let lines = |edit: &dyn Fn(&mut Value)| -> String {
        let line = |case: &Value| {
            let mut case = case.clone();
            case["expect"] = "modify".into();
            edit(&mut case["modified"]);
            format!("{case}\n")
        };
        cases.iter().map(line).collect()
    };
    project.write("project/cases.jsonl", lines(&|_| {}));
    let ran = project.run(&["test", "hook.sh"], "");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let spoil = |value: &mut Value| match value {
        Value::Object(members) => members["is_error"] = false.into(),
        Value::Array(items) => items[0] = 2.into(),
        other => *other = "another".into(),
    };
    project.write("project/cases.jsonl", lines(&spoil));
    let ran = project.run(&["test", "hook.sh"], "");
    assert!(ran.status == 1 && ran.stdout.contains("0 passed, 4 failed"), "{}", ran.stdout);
}

#[test]
fn digits_count_however_many_there_are() {
    let project = with_script(r#"*) echo '{"decision":"modify","updated_input":{"n":18446744073709551617}}';;"#);
    let run = |n: &str| {
        let line = format!("{{\"input\":{{}},\"expect\":\"modify\",\"modified\":{{\"n\":{n}}}}}\n");
        project.write("project/cases.jsonl", line);
        project.run(&["test", "hook.sh"], "").status
    };
    assert_eq!((run("18446744073709551617"), run("18446744073709551616")), (0, 1));
}

#[test]
fn what_a_guest_prints_is_shown_where_it_fails() {
    let project = Project::new();
    let guest = guests::path("plain.wasm");
    let ran = test(&project, "[[case]]\nexpect = \"allow\"\n", &[guest.to_str().unwrap(), "--cases", "cases.toml"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("= the hook wrote to stdout:\n    | hello\n  = the hook wrote to stderr:\n    | world\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn programs_get_an_object_for_each_case() {
    let project = with_script(r#"*'"rm'*) echo '{"decision":"deny","reason":"no"}'; echo why >&2;;"#);
    let cases = "[[case]]\nname = \"a\"\nexpect = \"allow\"\n\n[[case]]\ninput = \"rm\"\nexpect = \"ask\"\n";
    let ran = test(&project, cases, &["hook.sh", "--format", "json"]);
    assert_eq!(ran.status, 1);
    let mut lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &mut lines {
        assert!(line.as_object_mut().unwrap().remove("duration_us").unwrap().is_u64());
    }
    let expected = [
        json!({ "name": "a", "file": "cases.toml", "line": 1, "status": "passed", "decision": "allow", "mismatches": [],
                "notes": [] }),
        json!({ "name": "case 2", "file": "cases.toml", "line": 5, "status": "failed", "decision": "deny", "reason": "no",
                "mismatches": [{ "what": "decision", "expected": "ask", "given": "deny" }], "notes": [],
                "wrote": [{ "stream": "stderr", "text": "why\n" }] }),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn junit_keeps_characters_that_xml_does_not_have() {
    let project = with_script(r#"*) printf '\001<&>"\n' >&2;;"#);
    let cases = "[[case]]\nname = \"<a> & \\\"b\\\"\\u0000\"\nexpect = \"deny\"\n\n[[case]]\nexpect = \"allow\"\n";
    let ran = test(&project, cases, &["hook.sh", "--junit", "out.xml"]);
    assert_eq!(ran.status, 1);
    let xml = std::fs::read_to_string(project.dir().join("out.xml")).unwrap();
    assert!(xml.contains("<testsuites tests=\"2\" skipped=\"0\" failures=\"1\" errors=\"0\" "), "{xml}");
    assert!(xml.contains("<testcase name=\"&lt;a&gt; &amp; &quot;b&quot;\\u{0}\" classname=\"hook\" "), "{xml}");
    assert!(xml.contains(" file=\"cases.toml\" line=\"1\">"), "{xml}");
    assert!(xml.contains("<failure message=\"decision: expected deny, got allow\">"), "{xml}");
    assert!(xml.contains("<system-err>\\u{1}&lt;&amp;&gt;&quot;\n</system-err>"), "{xml}");
}

#[test]
fn the_time_is_the_same_each_day() {
    let project = with_script(
        r#"*'"now":"2026-01-01T00:00:00.000Z"'*) echo '{"decision":"deny"}';; *2001*) echo '{"decision":"ask"}';;"#,
    );
    let cases = "[[case]]\nexpect = \"deny\"\n[[case]]\nwhole = { event = \"pre_tool\", now = \"2001-01-01T00:00:00Z\" }\nexpect = \"ask\"\n";
    let ran = test(&project, cases, &["hook.sh"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn the_cases_in_the_docs_can_be_read() {
    let docs = [include_str!("../../../README.md"), include_str!("../../../docs/reference/testing.md")];
    let blocks =
        docs.iter().flat_map(|doc| doc.split("```toml\n").skip(1)).map(|rest| rest.split("```").next().unwrap());
    let samples: Vec<&str> = blocks.filter(|block| block.contains("[[case]]")).collect();
    assert_eq!(samples.len(), 3);
    let project = Project::new();
    for sample in samples {
        let file = project.write("project/cases.toml", sample);
        Cases::read(&file, false).unwrap();
    }
}
