//! What each agent sends, and what it gets back, byte for byte: `tests/agents/<agent>/<event>.toml`.

use super::AGENTS;
use crate::support::project::{Project, run};
use crate::support::root;
use hookbox::agent::{self, Agent, Call, Environment, plan};
use hookbox::{Json, Outcome, Permission, ToolResult, Verdict};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// One event of an agent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The source of the payload.
    #[allow(dead_code, reason = "it is for readers")]
    source: String,
    /// The variables that the agent sets for its hooks.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// The payload that the agent sends.
    pub payload: String,
    /// The replies, by verdict: `none`, `allow`, `deny`, `ask`, `modify`, `context`, or another word.
    replies: BTreeMap<String, Reply>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    /// What the hooks decided. Absent if they have nothing to say.
    #[serde(default)]
    outcome: Decided,
    stdout: String,
    #[serde(default)]
    stderr: String,
    #[serde(default)]
    status: u8,
    /// Why the reply differs from what the agent's documentation suggests.
    #[allow(dead_code, reason = "it is for readers")]
    why: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Decided {
    verdict: Option<String>,
    permission: Option<String>,
    reason: Option<String>,
    tool_input: Option<String>,
    tool_result: Option<String>,
    message: Option<String>,
    context: Vec<String>,
}

impl Decided {
    fn outcome(&self, call: &Call) -> Outcome {
        let mut outcome = Outcome::allow(call.input.clone().expect("the event is judged"));
        let input = outcome.input.as_mut().unwrap();
        if let Some(text) = &self.tool_input {
            input.tool_input = Some(Json::parse(text).unwrap());
        }
        if let Some(content) = &self.tool_result {
            let before = input.tool_result.clone().expect("there is a result");
            input.tool_result = Some(ToolResult { content: content.clone(), ..before });
        }
        if self.message.is_some() {
            input.message.clone_from(&self.message);
        }
        outcome.modified = outcome.input.as_deref() != call.input.as_ref();
        outcome.verdict = match self.verdict.as_deref() {
            None | Some("allow") => Verdict::Allow,
            Some("ask") => Verdict::Ask,
            Some("deny") => Verdict::Deny,
            Some(other) => panic!("{other} is no verdict"),
        };
        outcome.permission = self.permission.as_deref().map(|word| match word {
            "allow" => Permission::Allow,
            other => panic!("{other} is no permission"),
        });
        outcome.reason.clone_from(&self.reason);
        outcome.additional_context.clone_from(&self.context);
        outcome
    }
}

/// Returns the events of an agent, by the names of their files.
pub fn of(agent: &str) -> BTreeMap<String, Golden> {
    let dir = root().join("tests/agents").join(agent);
    let files = fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let golden = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), golden)
    };
    files.map(|entry| read(entry.unwrap().path())).collect()
}

const BEFORE: &[&str] = &["none", "allow", "deny", "ask", "modify", "context"];
const PERMISSION: &[&str] = &["none", "allow", "deny", "ask"];
const AFTER: &[&str] = &["none", "replace", "context", "deny"];
const PROMPT: &[&str] = &["none", "deny", "modify", "context"];
const STOP: &[&str] = &["none", "deny"];
const START: &[&str] = &["none", "context"];

/// Returns the events for which each agent must have a file, and the verdicts that the file must contain.
fn cells(agent: &str) -> Vec<(&'static str, &'static [&'static str])> {
    let common = vec![("pre_tool", BEFORE), ("post_tool", AFTER), ("pre_message", PROMPT)];
    let lifecycle = vec![("stop", STOP), ("session_start", START)];
    let more: Vec<(&str, &[&str])> = match agent {
        "claude" => vec![("permission_request", PERMISSION), ("post_tool_failed", AFTER)],
        "codex" | "qwen" => vec![("permission_request", PERMISSION)],
        "copilot" => {
            vec![("permission_request", PERMISSION), ("compatible_pre_tool", BEFORE), ("compatible_post_tool", AFTER)]
        }
        "cursor" => vec![
            ("pre_tool_shell", BEFORE),
            ("pre_tool_mcp", BEFORE),
            ("pre_tool_read", BEFORE),
            ("post_tool_mcp", AFTER),
        ],
        _ => Vec::new(),
    };
    match agent {
        // Cline sends nothing at the end of a turn.
        "cline" => [common, vec![("session_start", START)], more].concat(),
        // OpenCode's plugins learn of sessions only afterwards.
        "opencode" => [common, more].concat(),
        _ => [common, lifecycle, more].concat(),
    }
}

fn reply(agent: &dyn Agent, golden: &Golden, decided: &Decided) -> (String, String, u8) {
    let environment = Environment::new(golden.environment.clone());
    let call = agent.decode(golden.payload.as_bytes(), &environment).unwrap();
    let plan = plan(&decided.outcome(&call), &call, &agent.capabilities(&call));
    let reply = agent.encode(&call, &plan);
    (reply.stdout, reply.stderr, reply.status)
}

#[test]
fn each_agent_gets_these_bytes() {
    let mut wrong = String::new();
    for name in AGENTS {
        let agent = agent::by_name(name).unwrap();
        for (file, golden) in of(name) {
            for (cell, expected) in &golden.replies {
                let (stdout, stderr, status) = reply(agent, &golden, &expected.outcome);
                let Reply { stdout: out, stderr: err, status: code, .. } = expected;
                if (&stdout, &stderr, status) != (out, err, *code) {
                    wrong.push_str(&format!(
                        "tests/agents/{name}/{file}.toml: {cell}\n  is {stdout} {stderr:?} {status}\n  in place of {out} {err:?} {code}\n"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn nothing_is_missing() {
    for name in AGENTS {
        let goldens = of(name);
        for (file, cells) in cells(name) {
            let golden = goldens.get(file).unwrap_or_else(|| panic!("tests/agents/{name}/{file}.toml is missing"));
            let missing: Vec<&&str> = cells.iter().filter(|cell| !golden.replies.contains_key(**cell)).collect();
            assert!(missing.is_empty(), "tests/agents/{name}/{file}.toml lacks {missing:?}");
        }
        let known: Vec<&str> = cells(name).iter().map(|(file, _)| *file).collect();
        let unknown: Vec<&String> = goldens.keys().filter(|file| !known.contains(&file.as_str())).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?} are in no list");
    }
}

#[test]
fn the_sender_is_recognized() {
    for name in AGENTS.into_iter().filter(|name| *name != "generic-claude") {
        for (file, golden) in of(name) {
            let environment = Environment::new(golden.environment.clone());
            assert_eq!(agent::detect(golden.payload.as_bytes(), &environment).name(), name, "{file}");
        }
    }
}

#[test]
fn nothing_is_lost_or_added_on_the_way() {
    let project = Project::new();
    for name in AGENTS {
        for (file, golden) in of(name) {
            let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
            command
                .args(["hook", name, "--home"])
                .arg(project.home())
                .current_dir(project.dir())
                .env("HOME", project.home())
                .envs(&golden.environment);
            let ran = run(command.write_stdin(golden.payload.as_str()));
            let Reply { stdout, stderr, status, .. } = &golden.replies["none"];
            assert_eq!((&ran.stdout, &ran.stderr, ran.status), (stdout, stderr, i32::from(*status)), "{name}/{file}");
        }
    }
}
