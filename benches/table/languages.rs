//! Compares one rule, written in every language that has an SDK, to the same rule as a shell hook.

use crate::ask::{Asker, INPUT, PATIENCE, info, sandbox};
use crate::processes::{sh, spawn};
use crate::row::{Goal, Unit, in_turns, print, print_missing};
use hookbox::runtime::component::{ComponentFile, ComponentHook, Grants, Limits, Prepared, Sandbox};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language: the file of its rule, the number of consecutive calls that take about as long as a process, and the
/// maximum time of a call as a fraction of the time of `sh`. For Go and Python, that maximum is the time of a hook that
/// only answers, and a tenth more: docs/explanation/performance.md.
struct Language {
    name: &'static str,
    file: &'static str,
    calls: u32,
    of_sh: f64,
}

const LANGUAGES: [Language; 6] = [
    Language { name: "Rust", file: "target/guests/same_rule_rust.wasm", calls: 200, of_sh: 1.0 / 100.0 },
    Language { name: "C", file: "target/guests/same_rule_c.wasm", calls: 200, of_sh: 1.0 / 100.0 },
    Language { name: "JavaScript", file: "guest-examples/same-rule/js/hook.js", calls: 10, of_sh: 1.0 / 40.0 },
    Language { name: "TypeScript", file: "target/guests/same_rule_ts.js", calls: 10, of_sh: 1.0 / 40.0 },
    Language { name: "Go", file: "target/guests/same_rule_go.wasm", calls: 10, of_sh: 1.0 / 9.0 },
    Language { name: "Python", file: "target/guests/same_rule_python.wasm", calls: 1, of_sh: 0.43 },
];

/// The rule of `guest-examples/same-rule`, reduced to what this Input needs.
pub(crate) const PYTHON: &str = r#"
import json, sys
event = json.load(sys.stdin)
command = (event.get("tool_input") or {}).get("command")
word = next((word for word in ["rm -rf"] if isinstance(command, str) and word in command), None)
if word is not None:
    answer = {"decision": "deny", "reason": f'the command contains "{word}"'}
elif event.get("tool_name", "").endswith("_admin"):
    answer = {"decision": "ask", "reason": event["tool_name"] + " is for administrators"}
else:
    answer = {}
print(json.dumps(answer))
"#;

pub(crate) const NODE: &str = r#"
const event = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const command = event.tool_input?.command;
const word = typeof command === "string" ? ["rm -rf"].find((word) => command.includes(word)) : undefined;
let answer = {};
if (word !== undefined) answer = { decision: "deny", reason: `the command contains "${word}"` };
else if (event.tool_name?.endsWith("_admin")) answer = { decision: "ask", reason: `${event.tool_name} is for administrators` };
console.log(JSON.stringify(answer));
"#;

pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool) {
    // These rows have a sandbox with its own pool, because Python's memories are large.
    let sandbox = sandbox();
    let python = interpreter("python3", &["-S", "-c", "import sys; print(sys.executable)"]);
    let node = interpreter("node", &["-p", "process.execPath"]);
    for language in &LANGUAGES {
        let row = |other: &str| format!("rule in {} / {other}", language.name);
        let beside = [row("sh -c 'cat >/dev/null; echo {}'"), row("the same in python3 -S"), row("the same in node")];
        if !beside.iter().any(|row| wanted(row)) {
            continue;
        }
        let Some(asker) = language.asker(&sandbox) else {
            let why = "`cargo xtask guests` has not built the rule";
            beside.iter().filter(|row| wanted(row)).for_each(|row| print_missing(row, why));
            continue;
        };
        let [of_sh, of_python, of_node] = &beside;
        let mut left = || asker.calls(INPUT, language.calls);
        if wanted(of_sh) {
            print(of_sh, Unit::Nanoseconds, in_turns(100, [&mut left, &mut sh]), Goal::AtMost(language.of_sh));
        }
        let mut beside = |row: &str, program: &Option<String>, args: [&str; 2], rounds: usize, goal: f64| match program
        {
            _ if !wanted(row) => {}
            None => print_missing(row, "the interpreter is not installed"),
            Some(program) => {
                let mut right = || spawn(Command::new(program).args(args));
                print(row, Unit::Nanoseconds, in_turns(rounds, [&mut left, &mut right]), Goal::AtMost(goal));
            }
        };
        beside(of_python, &python, ["-Sc", PYTHON], 40, 1.0 / 5.0);
        beside(of_node, &node, ["-e", NODE], 25, 1.0 / 20.0);
    }
}

impl Language {
    /// Returns what asks the rule in this language, or `None` if the rule has not been built.
    fn asker(&self, sandbox: &Sandbox) -> Option<Asker> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.file);
        if !file.is_file() {
            return None;
        }
        let hook = ComponentHook::new(info(PATIENCE), self.prepare(sandbox, file), None);
        Some(Asker::of([hook]).allowing(INPUT))
    }

    fn prepare(&self, sandbox: &Sandbox, file: PathBuf) -> Prepared {
        if self.file.ends_with(".js") {
            return sandbox
                .prepare_script(&ComponentFile::open(&file).unwrap(), None, Grants::default(), Limits::default())
                .unwrap();
        }
        sandbox.prepare(&std::fs::read(file).unwrap(), None, Grants::default(), Limits::default()).unwrap()
    }
}

/// Returns the path of the interpreter itself, as the interpreter reports it. The program in the `PATH` may be a script
/// that first looks for the interpreter.
pub(crate) fn interpreter(name: &str, args: &[&str]) -> Option<String> {
    let asked = Command::new(name).args(args).stdin(Stdio::null()).output();
    let path =
        asked.ok().filter(|output| output.status.success()).and_then(|output| String::from_utf8(output.stdout).ok());
    path.map(|path| path.trim().to_owned())
}
