//! Runs of an agent in its own home, and what happened in them.

use super::home::Home;
use super::install::Installed;
use super::kinds::{Agent, Talk};
use super::model::{Log, Meanwhile, Model};
use super::scenarios::Scenario;
use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The time limit of an agent. hookbox itself takes less, whatever its hooks do.
const LIMIT: Duration = Duration::from_secs(60);

/// Everything that happened in a run.
pub(super) struct Run {
    /// The Inputs that hooks were asked about, in order.
    pub(super) asked: Vec<Value>,
    /// The payloads that a replaced hookbox got, if it was replaced while the model was thinking.
    pub(super) calls: Vec<Value>,
    /// The log of the model, with what it was told.
    pub(super) log: Log,
    /// What the agent printed.
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// What the agent wrote to its own log.
    pub(super) notes: String,
    /// The exit status; `None` if the agent timed out.
    pub(super) status: Option<ExitStatus>,
    pub(super) home: Home,
}

impl Run {
    /// Whether hooks were asked on an event about an Input that contains a text.
    pub(super) fn was_asked(&self, event: &str, text: &str) -> bool {
        self.asked.iter().any(|input| is_at(input, event) && input.to_string().contains(text))
    }

    /// Whether the model was told a text.
    pub(super) fn was_told(&self, text: &str) -> bool {
        self.log.requests.iter().any(|request| request.to_string().contains(text))
    }

    /// Whether the model was told a text, or the agent printed or logged it.
    pub(super) fn is_known(&self, text: &str) -> bool {
        self.was_told(text) || [&self.stdout, &self.stderr, &self.notes].iter().any(|said| said.contains(text))
    }

    /// Returns the content of a file of the project, if it exists.
    pub(super) fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.home.project().join(name)).ok()
    }
}

/// Whether an Input is for an event.
pub(super) fn is_at(input: &Value, event: &str) -> bool {
    input.get("event").is_some_and(|name| name == event)
}

/// Plays a scenario with an agent.
pub(super) fn run(agent: &Agent, installed: &Installed, hookbox: &Path, scenario: &Scenario) -> Result<Run> {
    let home = Home::new(hookbox)?;
    for (name, text) in scenario.files {
        home.write(&format!("project/{name}"), text)?;
    }
    let meanwhile: Option<Meanwhile> = scenario.meanwhile.map(|make| make(&home));
    let script = vec![agent.command(scenario.command), super::model::Turn::Say("The command was run.")];
    let model = Model::start(script, meanwhile)?;
    let start = (agent.set_up)(&home, Talk { model: model.address(), prompt: scenario.prompt })?;
    home.install(agent)?;
    home.set_policies(scenario.config, scenario.scripts)?;

    let (stdout, stderr) = (home.dir().join("stdout"), home.dir().join("stderr"));
    // In a separate session, the agent has no terminal on which it could ask.
    let mut command = Command::new("setsid");
    command.arg(&installed.program).args(&start.args).current_dir(home.project());
    command.env_clear().envs(start.env).env("PATH", &installed.path).env("HOME", home.dir());
    command.env("TMPDIR", home.dir().join("tmp")).env("LANG", "C.UTF-8").env("TERM", "dumb").env("SHELL", "/bin/bash");
    command.env("USER", "u").env("NO_COLOR", "1").env("NO_PROXY", "127.0.0.1");
    command.stdin(Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
    let mut child = command.spawn().with_context(|| format!("{} could not be started", agent.title))?;
    let end = Instant::now() + LIMIT;
    let mut status = None;
    while status.is_none() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
        status = child.try_wait()?;
    }
    end_all(child.id(), home.dir());
    child.wait()?;

    let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut calls = Vec::new();
    for call in fs::read_dir(home.calls())? {
        calls.extend(documents(&fs::read(call?.path())?)?);
    }
    Ok(Run {
        asked: documents(&fs::read(home.dir().join("asked.jsonl")).unwrap_or_default())?,
        calls,
        log: model.take_log(),
        stdout: text(&stdout)?,
        stderr: text(&stderr)?,
        notes: agent.log.and_then(|log| text(&home.dir().join(log)).ok()).unwrap_or_default(),
        status,
        home,
    })
}

/// Parses consecutive JSON documents.
fn documents(bytes: &[u8]) -> Result<Vec<Value>> {
    let documents = serde_json::Deserializer::from_slice(bytes).into_iter();
    documents.collect::<Result<_, _>>().context("what was written down is no JSON")
}

/// Ends the process group of an agent, and the processes that left it: all that have the run's home in their
/// environment.
fn end_all(session: u32, home: &Path) {
    let pid = |id: u32| i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(group) = pid(session) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let mark = format!("HOME={}", home.display());
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if let Some(process) = id.and_then(pid)
            && environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}
