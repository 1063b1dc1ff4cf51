//! The examination of one agent.

use super::codex;
use super::started::{Started, version};
use crate::cli::install::{self, Found, Places};
use crate::cli::scope::Scope;
use crate::cli::{answering, print_line};
use hookbox::Event;
use hookbox::agent::{self, Agent, CANARY_TOOL, Call, Environment, Reply, Settings, reply};
use hookbox::config::Summary;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Another tool that no agent has. Its calls do nothing.
const HARMLESS_TOOL: &str = "hookbox-harmless";

/// The maximum number of characters of a reply in the report: enough for a reason in the form of any agent.
const MAX_SHOWN: usize = 800;

/// The findings about an agent.
#[derive(Serialize)]
pub(super) struct Examined {
    pub(super) agent: &'static str,
    title: &'static str,
    /// The path of the agent's program.
    program: Option<PathBuf>,
    version: Option<String>,
    /// The agent's settings files that name hookbox.
    settings: Vec<PathBuf>,
    /// Whether a call that must be denied was denied, as the agent understands it.
    denies: Option<bool>,
    /// Whether a harmless call was allowed.
    allows: Option<bool>,
    /// What the agent cannot be told, event by event.
    cannot: Vec<Cannot>,
    /// The ways around the agent's hooks, each with what closes it.
    holes: Vec<PassedBy>,
    /// The hooks for events that the agent does not send.
    pub(super) unasked: Vec<String>,
    /// The events with a tool call that the agent has sent and hookbox does not know. It judges them as `pre_tool`.
    pub(super) unknown: Vec<String>,
    /// What is wrong, and what to do about it.
    pub(super) problems: Vec<String>,
    /// The agent's own events that hookbox is asked about.
    #[serde(skip)]
    pub(super) asked: Vec<&'static str>,
    /// The commands in the settings, each with the scope that its options give to it.
    #[serde(skip)]
    pub(super) reads: Vec<(String, Scope)>,
}

#[derive(Serialize)]
struct PassedBy {
    what: &'static str,
    closes: &'static str,
}

#[derive(Serialize)]
struct Cannot {
    event: &'static str,
    losses: Vec<&'static str>,
    #[serde(skip)]
    meanings: Vec<&'static str>,
}

/// Examines an agent that works in this directory. Returns `None` if hookbox does not know how to set up the agent.
pub(super) fn examine(agent: &'static dyn Agent, places: &Places<'_>, dir: &Path) -> Option<Examined> {
    let settings = agent.settings()?;
    let program = agent.program().and_then(in_path);
    let version = program.as_deref().and_then(version);
    let mut examined = Examined {
        agent: agent.name(),
        title: agent.title(),
        program,
        version,
        settings: Vec::new(),
        denies: None,
        allows: None,
        cannot: cannot(agent),
        holes: agent.holes().iter().map(|hole| PassedBy { what: hole.what, closes: hole.closes }).collect(),
        unasked: Vec::new(),
        unknown: Vec::new(),
        problems: Vec::new(),
        asked: Vec::new(),
        reads: Vec::new(),
    };
    examined.look_at_version(agent);
    let found = install::find(agent, &settings, places);
    let (mut reported, mut unanswered) = (Vec::new(), Vec::new());
    for found in found {
        let Found { path, is_projects, calls, untried, asked, missing, differences, faults, misplaced, unreadable } =
            found;
        if let Some(problem) = unreadable {
            examined.problems.push(problem);
            reported.push(path.clone());
        }
        for fault in faults.iter().filter(|fault| !fault.is_ours) {
            let (path, title) = (path.display(), agent.title());
            let effect = match fault.stops_loading {
                true => format!("{title} loads no hook from"),
                false => "hookbox cannot add its hooks to".to_owned(),
            };
            examined.problems.push(format!("{effect} `{path}`: {fault}"));
        }
        // A file of hookbox's own may call nothing because it was changed, which is one of the differences.
        if calls.is_empty() && untried.is_empty() && differences.is_empty() {
            continue;
        }
        let is_loaded = !faults.iter().any(|fault| fault.stops_loading);
        let is_changed = matches!(settings, Settings::Files(_)) && !differences.is_empty();
        // The settings of a project do not change what the user's own settings do.
        let is_unknown = !is_projects && (is_changed || !untried.is_empty());
        examined.settings.push(path.clone());
        if untried.is_empty() || !is_projects {
            examined.asked.extend(asked);
        }
        let install = format!("run `hookbox install {}`", agent.name());
        // Missing events are reported after the problems of all files.
        if is_loaded {
            unanswered.push((path.clone(), missing));
        }
        examined
            .problems
            .extend(misplaced.into_iter().map(|problem| format!("`{}`: {problem}: {install}", path.display())));
        for difference in differences {
            let problem = format!("`{}` is not as hookbox writes it: {difference}: {install}", path.display());
            examined.problems.push(problem);
        }
        if let Settings::Entries(entries) = &settings
            && agent.name() == "codex"
        {
            examined.problems.extend(codex::untrusted(&path, entries, places));
        }
        for call in calls {
            if let Started::Request(_) = call {
                examined.problems.extend(install::proxy_warning());
            }
            examined.start(agent, &call, places.project);
            examined.note_scope(agent, &call, dir);
        }
        examined.problems.extend(untried);
        if !is_loaded || is_unknown {
            // Even if the command answers as it should, the agent may never start it.
            examined.denies = Some(false);
        }
    }
    for (path, mut missing) in unanswered {
        // Another file may name hookbox for these events.
        missing.retain(|event| !examined.asked.contains(event));
        if !missing.is_empty() {
            let (path, missing) = (path.display(), missing.join(", "));
            let install = format!("run `hookbox install {}`", agent.name());
            examined.problems.push(format!("`{path}` names hookbox, but not for {missing}: {install}"));
        }
    }
    if let Settings::Entries(entries) = &settings {
        examined.problems.extend(install::switched_off(agent, entries, places, &reported));
        examined.problems.extend(install::asked_twice(agent, entries, &examined.settings));
    }
    if examined.settings.is_empty() {
        examined.problems.push(format!("it does not ask hookbox: run `hookbox install {}`", agent.name()));
    }
    Some(examined)
}

impl Examined {
    /// Whether the agent is, or was, installed.
    pub(super) const fn is_there(&self) -> bool {
        self.program.is_some() || !self.settings.is_empty()
    }

    /// Reports what is wrong with this version of the agent.
    fn look_at_version(&mut self, agent: &dyn Agent) {
        if self.program.is_none() || agent.flaws().is_empty() {
            return;
        }
        let title = agent.title();
        let version = self.version.clone().unwrap_or_default();
        let mut flaws = agent.flaws().iter().map(|flaw| (flaw, flaw.is_in(&version))).peekable();
        if flaws.peek().is_some_and(|(_, is_in)| is_in.is_none()) {
            self.problems.push(format!("which version of {title} this is is not known: `--version` does not say so"));
        }
        let known = flaws.filter(|(_, is_in)| *is_in == Some(true));
        self.problems.extend(known.map(|(flaw, _)| format!("{title} {version}: {}", flaw.meaning)));
    }

    /// Starts the command as the agent does, and notes whether it denies and allows as it should.
    fn start(&mut self, agent: &dyn Agent, command: &Started, project: &Path) {
        let denied = Self::ask(agent, command, project, CANARY_TOOL);
        let is_denied = match (&denied, Self::expected(agent)) {
            (Ok(reply), Some(expected)) => *reply == expected,
            _ => false,
        };
        let allowed = Self::ask(agent, command, project, HARMLESS_TOOL);
        let is_allowed = allowed.as_ref().is_ok_and(|reply| reply.status == 0 && !says_no(&reply.stdout));
        self.denies = Some(self.denies.unwrap_or(true) && is_denied);
        self.allows = Some(self.allows.unwrap_or(true) && is_allowed);
        if !is_denied {
            self.problems.push(format!("`{command}` does not deny: {}", told(&denied)));
        } else if !is_allowed {
            self.problems.push(format!("`{command}` does not allow a call that does nothing: {}", told(&allowed)));
        }
    }

    /// Whether hookbox denies the agent even a call that does nothing.
    pub(super) fn is_denied_everything(&self) -> bool {
        self.allows == Some(false)
    }

    /// Notes what the command reads when the agent works in this directory.
    fn note_scope(&mut self, agent: &dyn Agent, command: &Started, dir: &Path) {
        let Some(line) = command.line() else { return };
        let scope = super::command::scope(line, agent.name()).map(|mut scope| {
            scope.default_project(dir);
            scope.take_home_of_system().map(|()| scope)
        });
        match scope {
            Some(Ok(scope)) => self.reads.push((line.to_owned(), scope)),
            Some(Err(why)) => self.problems.push(format!("`{line}` cannot be used: {why}")),
            // If the command does not deny, that problem is reported instead.
            None if self.denies == Some(true) => self.problems.push(format!(
                "which config `{line}` reads is not known: run `hookbox install {}`, which writes a plain command",
                agent.name()
            )),
            None => {}
        }
    }

    fn ask(agent: &dyn Agent, command: &Started, project: &Path, tool: &str) -> Result<Reply, String> {
        command.with(&agent.sample(tool), project)
    }

    /// Returns the reply that denies the canary call.
    fn expected(agent: &dyn Agent) -> Option<Reply> {
        let call = agent.decode(agent.sample(CANARY_TOOL).as_bytes(), &Environment::default()).ok()?;
        let outcome = answering::canary(call.input.as_ref()?)?;
        Some(reply(agent, &call, &outcome).1)
    }

    /// Returns which program was not found. The settings name hookbox's own program, which `denies` is about.
    fn missing_program(&self) -> String {
        match agent::by_name(self.agent).and_then(Agent::program) {
            Some(program) => format!("{} itself was not found: `{program}` is not in PATH", self.title),
            None => format!("it is not known which program {} is", self.title),
        }
    }

    pub(super) fn print(&self) {
        let version = self.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        print_line(&format!("{}{version}", self.title));
        let row = |name: &str, value: &str| {
            print_line(&format!("  {name:<9} {value}"));
        };
        for problem in &self.problems {
            row("problem", problem);
        }
        match &self.program {
            Some(program) => row("program", &program.display().to_string()),
            None => row("program", &self.missing_program()),
        }
        for path in &self.settings {
            row("settings", &path.display().to_string());
        }
        for (name, answer) in [("denies", self.denies), ("allows", self.allows)] {
            if let Some(answer) = answer {
                row(name, if answer { "yes" } else { "no" });
            }
        }
        for Cannot { event, meanings, .. } in &self.cannot {
            for meaning in meanings {
                row("cannot", &format!("{event}: {meaning}"));
            }
        }
        for PassedBy { what, closes } in &self.holes {
            row("hole", &format!("{what}: {closes}"));
        }
        for unasked in &self.unasked {
            row("unasked", unasked);
        }
        for event in &self.unknown {
            row(
                "unknown",
                &format!("{event:?} is not an event that hookbox knows: tool calls in it are judged as `pre_tool`"),
            );
        }
    }
}

fn cannot(agent: &dyn Agent) -> Vec<Cannot> {
    let events = install::events(agent);
    let of = |event: &'static str| {
        let capabilities = agent.capabilities(&Call::unjudged(event));
        let losses = capabilities.losses(agent.event(event)?);
        Some(Cannot {
            event,
            meanings: losses.iter().map(|loss| loss.meaning()).collect(),
            losses: losses.iter().map(|loss| loss.as_str()).collect(),
        })
    };
    events.into_iter().filter_map(of).filter(|cannot| !cannot.losses.is_empty()).collect()
}

/// Returns the hooks for events that none of these entries covers.
pub(super) fn unasked(agent: &dyn Agent, entries: &[&str], hooks: &[Summary]) -> Vec<String> {
    let asked: Vec<Event> = entries.iter().filter_map(|event| agent.event(event)).collect();
    let of = |hook: &Summary| -> Vec<String> {
        let unasked = hook.events.iter().filter(|event| !asked.contains(event));
        unasked
            .map(|event| format!("`{}` is for `{event}`, which {} is not asked about", hook.name, agent.title()))
            .collect()
    };
    if entries.is_empty() { Vec::new() } else { hooks.iter().flat_map(of).collect() }
}

/// Whether a reply, in any agent's format, stops the call or asks.
fn says_no(stdout: &str) -> bool {
    let document: Value = serde_json::from_str(stdout).unwrap_or_default();
    let words = ["/decision", "/permission", "/permissionDecision", "/hookSpecificOutput/permissionDecision"];
    let is_no = |word: &Value| ["deny", "block", "ask"].iter().any(|no| word == no);
    words.iter().filter_map(|word| document.pointer(word)).any(is_no)
        || document.pointer("/cancel") == Some(&Value::Bool(true))
        || document.pointer("/continue") == Some(&Value::Bool(false))
}

fn told(reply: &Result<Reply, String>) -> String {
    match reply {
        Ok(Reply { stdout, stderr, status, .. }) => {
            let text = if stdout.is_empty() { stderr } else { stdout };
            format!("exit status {status}, {:?}", text.chars().take(MAX_SHOWN).collect::<String>())
        }
        Err(error) => error.clone(),
    }
}

/// Whether the agent's program is in the `PATH`.
pub(in crate::cli) fn has_program(agent: &dyn Agent) -> bool {
    agent.program().is_some_and(|program| in_path(program).is_some())
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // A program in a relative directory may be the project's.
    let mut files = std::env::split_paths(&path).filter(|dir| dir.is_absolute()).map(|dir| dir.join(program));
    files.find(|file| file.is_file())
}
