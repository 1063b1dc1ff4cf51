//! Honest mistakes of hook authors, in each language, and the messages that explain them. Mistakes in scripts are in
//! `script/faults.rs`, mistakes in Rust in `rust_sdk.rs`.

use super::languages::hookbox;
use crate::support::guests::is_built;
use crate::support::project::Project;

const CASES: &str = r#"
[[case]]
name  = "a crash"
tool  = "crash"
input = {}
error = { crash_code }
reason = { contains = "{ crash }" }

[[case]]
name  = "the clock"
tool  = "clock"
input = {}
error = { clock_code }
reason = { contains = "{ clock }" }

[[case]]
name  = "a file"
tool  = "file"
input = {}
error = "E108"
reason = { contains = "{ file }" }
"#;

/// The code and words of each failure.
struct Told {
    crash: (&'static str, &'static str),
    clock: (&'static str, &'static str),
    file: &'static str,
}

#[track_caller]
fn told(language: &str, source: &str, told: &Told) {
    let project = Project::new();
    let made = hookbox(&project, &["new", "rule", "--lang", language]);
    assert_eq!(made.status, 0, "{made:?}");
    let file = match language {
        "python" => "hook.py".to_owned(),
        _ => format!("hook.{language}"),
    };
    project.write(&format!("project/rule/{file}"), source);
    let cases = CASES
        .replace("{ crash_code }", &format!("{:?}", told.crash.0))
        .replace("{ crash }", told.crash.1)
        .replace("{ clock_code }", &format!("{:?}", told.clock.0))
        .replace("{ clock }", told.clock.1)
        .replace("{ file }", told.file);
    project.write("project/rule/cases.toml", &cases);
    let tested = hookbox(&project, &["test", "rule"]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(tested.stdout.contains("3 passed, 0 failed"), "{tested:?}");
}

const NO_CLOCK: &str = "the time of day was asked for; a hook has it only from `now` in its Input";

#[test]
fn of_those_who_write_c() {
    if !is_built("same_rule_c.wasm") {
        return;
    }
    let source = r#"#include "hookbox.h"
#include <assert.h>
#include <stdio.h>
#include <time.h>

hookbox_action hookbox_judge(const hookbox_input *input) {
    bool is_crash = hookbox_equals(input->tool_name, HB("crash"));
    assert(!is_crash);
    if (hookbox_equals(input->tool_name, HB("clock")))
        return time(NULL) > 0 ? hookbox_allow() : hookbox_ask(HB("early"));
    return fopen("/etc/passwd", "r") ? hookbox_allow() : hookbox_fail(HB("there is no file"));
}
"#;
    let crash = "panicked: assertion failed: !is_crash in hookbox_judge at ";
    told("c", source, &Told { crash: ("E103", crash), clock: ("E103", NO_CLOCK), file: "there is no file" });
}

#[test]
fn of_those_who_write_go() {
    if !is_built("same_rule_go.wasm") {
        return;
    }
    let source = r#"package main

import (
	"hookbox"
	"os"
	"time"
)

func init() { hookbox.Register(judge) }

func main() {}

func judge(in hookbox.Input) (hookbox.Action, error) {
	switch in.ToolName {
	case "crash":
		var counts map[string]int
		counts["ls"]++
	case "clock":
		return hookbox.Deny(time.Now().String()), nil
	}
	_, err := os.ReadFile("/etc/passwd")
	return hookbox.Allow(), err
}
"#;
    let crash = "panic: assignment to entry in nil map at hook.go:17";
    let file = "open /etc/passwd: Bad file number";
    told("go", source, &Told { crash: ("E108", crash), clock: ("E103", NO_CLOCK), file });
}

#[test]
fn of_those_who_write_python() {
    if !is_built("same_rule_python.wasm") {
        return;
    }
    let source = r#"import time
import hookbox

@hookbox.hook
def judge(input):
    if input.tool_name == "crash":
        return {"decision": "deny"}["reason"]
    if input.tool_name == "clock":
        return hookbox.deny(str(time.time()))
    return hookbox.deny(open("/etc/passwd").read())
"#;
    let crash = "KeyError: 'reason' at hook.py:7";
    let clock = "time.time() is not granted to a hook: use input.now at hook.py:9";
    let file = "open() is not granted to a hook at hook.py:10";
    told("python", source, &Told { crash: ("E108", crash), clock: ("E108", clock), file });
}

#[test]
fn a_hook_without_the_function_is_none() {
    for (language, guest, source, words) in [
        ("go", "same_rule_go.wasm", "package main\n\nfunc main() {}\n", "exports no hook"),
        ("python", "same_rule_python.wasm", "import hookbox\n", "put @hookbox.hook on a function"),
    ] {
        if !is_built(guest) {
            continue;
        }
        let project = Project::new();
        let made = hookbox(&project, &["new", "rule", "--lang", language]);
        assert_eq!(made.status, 0, "{made:?}");
        project.write(&format!("project/rule/hook.{}", if language == "go" { "go" } else { "py" }), source);
        let built = hookbox(&project, &["build", "rule"]);
        assert_ne!(built.status, 0, "{built:?}");
        assert!(built.stderr.contains(words), "{built:?}");
        assert!(!project.dir().join("rule/rule.wasm").exists());
    }
}
