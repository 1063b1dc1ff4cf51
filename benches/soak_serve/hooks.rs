//! The hooks in every config, the questions, and the right answers.

use crate::component::Guest;
use crate::config::{self, Edit, Extra};
use crate::server::MARK;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Code that allocates page after page, and writes to all of them.
const BOMB: &str = "(local $page i32)
    (loop $l
      (local.set $page (memory.grow (i32.const 1)))
      (if (i32.lt_s (local.get $page) (i32.const 0)) (then (unreachable)))
      (memory.fill (i32.mul (local.get $page) (i32.const 65536)) (i32.const 0xa5) (i32.const 65536))
      (br $l))
    (unreachable)";

/// The hooks that misbehave: the tool that each is asked about, the code of its component, and the code of its failure.
const HOSTILE: [(&str, &str, &str); 4] = [
    ("endless", "(loop $l (br $l)) (unreachable)", "E101"),
    ("bomb", BOMB, "E102"),
    ("trap", "(unreachable)", "E103"),
    ("garbage", "(i32.store (i32.const 64) (i32.const 0x21212121)) (call $answer)", "E105"),
];

/// The example hook, which has settings.
const EXAMPLE: &str = "no_destructive_commands.wasm";

/// A script that repeats the command that it is asked about.
const ECHO: &str = r#"read -r line; line=${line#*'"command":"'}; line=${line%%'"'*}
echo "{\"decision\":\"allow\",\"additional_context\":\"$line\"}""#;

/// The components that the config names.
pub(crate) struct Components;

impl Components {
    pub(crate) fn write(dir: &Path) -> Self {
        let put = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).unwrap();
        put("allow.wasm", &Guest::answering("{}").build());
        put("garbage.wasm", b"not a component");
        for (tool, run, _) in HOSTILE {
            put(&format!("hostile-{tool}.wasm"), &Guest::running(run).build());
        }
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/guests").join(EXAMPLE);
        put(EXAMPLE, &fs::read(&example).unwrap_or_else(|error| panic!("{}: {error}", example.display())));
        Components
    }
}

/// Returns the part of the config that all edits have in common.
pub(crate) fn text(_: &Components) -> String {
    let mut text = format!(
        "[log]\nmax_size = \"1MiB\"\nkeep = 2\n[hooks.example]\nevents = [\"pre_tool\"]\nmatch = \"bash\"\ncomponent = \"{EXAMPLE}\"\ntimeout = \"30s\"
         settings = {{ branches = [\"main\"] }}\n"
    );
    for (tool, ..) in HOSTILE {
        let timeout = if tool == "endless" { "20ms" } else { "30s" };
        text.push_str(&format!(
            "[hooks.{tool}]\nevents = [\"pre_tool\"]\nmatch = \"{tool}\"\ncomponent = \"hostile-{tool}.wasm\"
             timeout = \"{timeout}\"\nlimits = {{ memory = \"8MiB\" }}\n"
        ));
    }
    let mark = format!("export {MARK}={}", std::process::id());
    for (tool, script, timeout) in [
        ("echo", ECHO, "30s"),
        ("hang", "sleep 60 & exec sleep 60", "100ms"),
        ("deaf", "trap '' TERM; (trap '' TERM; sleep 60) & sleep 60; sleep 60", "100ms"),
    ] {
        text.push_str(&format!(
            "[hooks.{tool}]\nevents = [\"pre_tool\"]\nmatch = \"{tool}\"\ncommand = \"sh\"\ntimeout = \"{timeout}\"
             args = [\"-c\", '''{mark}\n{script}''']\n"
        ));
    }
    text
}

/// A question to a server.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    tool: &'static str,
    command: String,
}

impl Question {
    /// Makes the question with this number. Of 100 questions, 14 go to components that misbehave, one to a process that
    /// misbehaves, and one to a process that answers.
    pub(crate) fn of(number: u64) -> Self {
        let turn = number / 100;
        let tool = match number % 100 {
            7 => ["hang", "deaf"][usize::try_from(turn % 2).unwrap()],
            57 => "echo",
            place if place % 7 == 3 => HOSTILE[usize::try_from((turn + place) % 4).unwrap()].0,
            place if place % 4 == 1 => "extra",
            place if place % 4 == 2 => "calm",
            _ => "bash",
        };
        // The command differs for each question, so that an answer to another question is noticed.
        let command = match number % 3 {
            _ if tool != "bash" => format!("{tool} {number}"),
            0 => format!("ls {number}"),
            1 => format!("git push --force origin main topic-{number}"),
            _ => format!("git push --force origin topic-{number}"),
        };
        Question { tool, command }
    }

    pub(crate) fn input(&self) -> Value {
        json!({ "event": "pre_tool", "tool_name": self.tool, "tool_input": { "command": self.command } })
    }

    pub(crate) const fn tool(&self) -> &'static str {
        self.tool
    }

    /// Returns what is wrong with an answer while this edit applies, if anything.
    pub(crate) fn complaint(&self, edit: &Edit, outcome: &Value) -> Option<String> {
        let expected = self.expected(edit);
        let failure = outcome["hooks"].as_array().and_then(|hooks| hooks.iter().find_map(|hook| hook["code"].as_str()));
        let reason = outcome["reason"].as_str().unwrap_or_default();
        let is_right = match &expected {
            Expected::Allow => outcome["decision"] == "allow" && failure.is_none(),
            Expected::Deny(wanted) => outcome["decision"] == "deny" && failure.is_none() && reason == wanted,
            Expected::Failure(code) => outcome["decision"] == "deny" && failure == Some(code),
        };
        let wanted = match self.command.split_once("--force ") {
            Some((before, after)) if expected == Expected::Allow => format!("{before}--force-with-lease {after}"),
            _ => self.command.clone(),
        };
        let context = if self.tool == "echo" { json!([self.command]) } else { json!([]) };
        let is_same = outcome["input"]["tool_input"]["command"] == wanted.as_str()
            && outcome["additional_context"].as_array().map_or(0, Vec::len) == context.as_array().map_or(0, Vec::len)
            && (self.tool != "echo" || outcome["additional_context"] == context);
        let is_watched = self.tool != "extra" || edit.extra != Extra::Monitored || monitor_denies(outcome);
        let is_good = is_right && is_same && is_watched;
        (!is_good).then(|| format!("{self:?} while {edit:?}: expected {expected:?}, not {outcome}"))
    }

    fn expected(&self, edit: &Edit) -> Expected {
        if let Some((.., code)) = HOSTILE.iter().find(|(tool, ..)| *tool == self.tool) {
            return Expected::Failure(code);
        }
        match (self.tool, edit.extra) {
            ("hang" | "deaf", _) => Expected::Failure("E101"),
            ("extra", Extra::Denied) => Expected::Deny(config::reason(edit)),
            ("extra", Extra::Pinned) => Expected::Failure("E303"),
            ("extra", Extra::Unusable) => Expected::Failure("E202"),
            ("extra", Extra::Misspelt) => Expected::Failure("E503"),
            ("bash", _) if self.command.contains(" main ") => Expected::Deny(format!(
                "`{}` would overwrite the protected branch main; push without force, or push to a branch of your own",
                self.command
            )),
            _ => Expected::Allow,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Allow,
    /// A deny with this reason.
    Deny(String),
    /// A deny because of a failure with this code.
    Failure(&'static str),
}

/// Whether the record of `extra` says that it would have denied.
fn monitor_denies(outcome: &Value) -> bool {
    let Some(hooks) = outcome["hooks"].as_array() else { return false };
    hooks.iter().any(|hook| hook["name"] == "extra" && hook["decision"] == "deny" && hook["enforce"] == false)
}

/// Returns the number of the edit by which a question was answered.
pub(crate) fn edit_of(outcome: &Value) -> Option<u64> {
    let first = outcome["hooks"].as_array()?.first()?;
    first["name"].as_str()?.strip_prefix("edit-")?.parse().ok()
}
