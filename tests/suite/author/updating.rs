//! `hookbox test --update`: the answers are recorded, and nothing else changes.

use super::test;
use crate::support::component::Guest;
use crate::support::project::Project;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const HOOK: &str = r#"input=$(cat)
case "$input" in
*push*) echo '{"decision":"modify","updated_input":{"command":"git push"},"reason":"gently"}';;
*'"rm'*) echo '{"decision":"deny","reason":"no \"rm\""}';;
*crash*) exit 1;;
esac"#;

fn cases(project: &Project) -> String {
    fs::read_to_string(project.dir().join("cases.toml")).unwrap()
}

#[test]
fn only_what_is_expected_changes() {
    let project = Project::new();
    project.script("project/hook.sh", HOOK);
    let before = r#"# What must hold.
settings = {a=1}

[[case]]   # the worst
name   =   "rm"
input.command = 'rm -rf x' # all of it
expect =   "allow"  # really?
reason = { contains = "rm" }   # stays

[[case]]
input = { command = "git push -f", timeout = 5 }
expect = "modify"
modified = { command = "other" }
reason = "roughly"

[[case]]
input = { command = "ls" }
expect = "modify"
  modified.a = 1
reason = "none"

[[case]]
input = { command = "ls" }
error = "E402"

[[case]]
expect = "allow"
"#;
    let ran = test(&project, before, &["hook.sh", "--update"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    insta::assert_snapshot!(ran.stdout, @r#"
    updated rm: expect (cases.toml:4)
      - decision: allow
      + decision: deny
      + reason: "no \"rm\""
    updated case 2: reason, modified (cases.toml:10)
      - reason: "roughly"
      + reason: "gently"
      - modified.command: "other"
      + modified.command: "git push"
    updated case 3: expect, reason, modified (cases.toml:16)
      - decision: modify
      + decision: allow
      - reason: "none"
      + reason: none
      - modified: {"a":1}
      + modified: not there
    updated case 4: error, expect (cases.toml:22)
      - decision: error E402 (exit)
      + decision: allow
    1 passed, 4 updated, 0 failed in <time>
    "#);
    insta::assert_snapshot!(cases(&project), @r#"
    # What must hold.
    settings = {a=1}

    [[case]]   # the worst
    name   =   "rm"
    input.command = 'rm -rf x' # all of it
    expect =   "deny"  # really?
    reason = { contains = "rm" }   # stays

    [[case]]
    input = { command = "git push -f", timeout = 5 }
    expect = "modify"
    modified = { command = "git push" }
    reason = "gently"

    [[case]]
    input = { command = "ls" }
    expect = "allow"

    [[case]]
    input = { command = "ls" }
    expect = "allow"

    [[case]]
    expect = "allow"
    "#);
    let ran = test(&project, &cases(&project), &["hook.sh"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "5 passed, 0 failed in <time>\n"));
}

#[test]
fn a_hook_is_ported_against_its_old_behaviour() {
    let project = Project::new();
    project.script("project/old.sh", HOOK);
    let inputs = "[[case]]\ninput = { command = \"rm\" }\n\n[[case]]\ninput = { command = \"git push -f\" }\n";
    let ran = test(&project, inputs, &["old.sh", "--update"]);
    assert_eq!((ran.status, ran.stdout.lines().last()), (0, Some("0 passed, 2 updated, 0 failed in <time>")));
    let recorded = "[[case]]\ninput = { command = \"rm\" }\nexpect = \"deny\"\nreason = 'no \"rm\"'\n\n\
                    [[case]]\ninput = { command = \"git push -f\" }\nexpect = \"modify\"\nreason = \"gently\"\n\
                    modified = { command = \"git push\" }\n";
    assert_eq!(cases(&project), recorded);
    project.write("project/new.wasm", Guest::answering(r#"{"decision":"deny","reason":"no \"rm\""}"#).build());
    let ran = test(&project, recorded, &["new.wasm"]);
    assert!(ran.status == 1 && ran.stdout.contains("1 passed, 1 failed"), "{}", ran.stdout);
}

#[test]
fn a_failure_is_not_recorded() {
    let project = Project::new();
    project.script("project/hook.sh", HOOK);
    let before = "[[case]]\ninput = \"crash\"\n\n[[case]]\ninput = \"crash\"\nexpect = \"deny\"\n\n\
                  [[case]]\ninput = \"crash\"\nerror = \"E101\"\n";
    let ran = test(&project, before, &["hook.sh", "--update"]);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout, @r#"
    FAILED  case 1
      --> cases.toml:1
      = not updated: the hook failed, which is not recorded (E402: ended with status 1)
    FAILED  case 2
      --> cases.toml:4
      - decision: deny
      + decision: error E402 (exit)
      + reason: "ended with status 1"
      = not updated: the hook failed, which is not recorded (E402: ended with status 1)
    updated case 3: error (cases.toml:8)
      - decision: error E101 (timeout)
      + decision: error E402 (exit)
      + reason: "ended with status 1"
    0 passed, 1 updated, 2 failed in <time>
    "#);
    assert_eq!(cases(&project), before.replace("E101", "E402"));
}

#[test]
fn what_toml_cannot_say_is_left_to_json_lines() {
    let project = Project::new();
    project.script("project/hook.sh", r#"echo '{"decision":"modify","updated_input":{"a":null}}'"#);
    let before = "[[case]]\ninput = { a = 1 }\nexpect = \"allow\"\n";
    let ran = test(&project, before, &["hook.sh", "--update"]);
    assert!(ran.status == 1 && ran.stdout.contains("TOML has no word for what came"), "{}", ran.stdout);
    assert_eq!(cases(&project), before);

    let lines = "{ \"name\": \"é\\u00e9\", \"input\": {\"a\": 1}, \"expect\": \"allow\" }\r\n\n{\"expect\":\"modify\"}";
    let file = project.write("project/cases.jsonl", lines);
    let ran = project.run(&["test", "hook.sh", "--cases", "cases.jsonl", "--update"], "");
    assert_eq!(ran.status, 0, "{ran:?}");
    let after = "{\"name\":\"é\\u00e9\",\"input\":{\"a\": 1},\"expect\":\"modify\",\"modified\":{\"a\":null}}\r\n\n{\"expect\":\"modify\"}";
    assert_eq!(fs::read_to_string(file).unwrap(), after);
}

#[test]
fn a_file_keeps_its_mode_and_the_links_to_it() {
    let project = Project::new();
    project.script("project/hook.sh", HOOK);
    let before = "[[case]]\ninput = \"rm\"\nexpect = \"allow\"\n";
    let real = project.write("project/shared/cases.toml", before);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("shared/cases.toml", project.dir().join("cases.toml")).unwrap();
    let ran = project.run(&["test", "hook.sh", "--update"], "");
    assert_eq!((ran.status, cases(&project)), (0, before.replace("allow", "deny")), "{ran:?}");
    assert!(project.dir().join("cases.toml").is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    let files: Vec<_> = fs::read_dir(real.parent().unwrap()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing is left beside it: {files:?}");
}

#[test]
fn cases_that_are_not_chosen_stay() {
    let project = Project::new();
    project.script("project/hook.sh", HOOK);
    let before = "case = [\n  { name = \"a\", input = \"rm\", expect = \"allow\" }, # one\n  { name = \"b\", input = \"rm\", expect = \"allow\" },\n]\n";
    let ran = test(&project, before, &["hook.sh", "--update", "--filter", "b"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let after = before.replace("\"b\", input = \"rm\", expect = \"allow\"", "\"b\", input = \"rm\", expect = \"deny\"");
    assert_eq!(cases(&project), after);
}
