//! `safer_shell`: asks the user about shell commands, depending on how much they can destroy.
//!
//! It judges the commands that the sandboxed parser found, not the text: a command that `sudo`, `xargs` or a
//! substitution runs counts like one at the beginning.

mod destroys;
mod reads;

use crate::protocol::{Action, Event, Input, ObjectWriter, Permission, Tool, ToolKind};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The builtin's name.
pub(super) const NAME: &str = "safer_shell";

/// docker-agent's name for its shell tool.
const SHELL: &str = "shell";

/// How much a command can destroy, from the least to the most. An unknown command may have any radius.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Radius {
    Safe,
    Low,
    Medium,
    Unknown,
    High,
}

impl Radius {
    const fn as_str(self) -> &'static str {
        match self {
            Radius::Safe => "safe",
            Radius::Low => "low",
            Radius::Medium => "medium",
            Radius::Unknown => "unknown",
            Radius::High => "high",
        }
    }
}

/// Which commands the user is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    /// None.
    Unsafe,
    /// Those that destroy something, and those that cannot be read.
    Safer,
    /// All but those that only read, which are allowed without a question.
    SafeAuto,
    /// All.
    Strict,
}

impl Policy {
    fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "unsafe" => Policy::Unsafe,
            "safer" => Policy::Safer,
            "safe-auto" => Policy::SafeAuto,
            "strict" => Policy::Strict,
            _ => return None,
        })
    }

    /// Returns the policy in the first argument, or else the session's, or else the strictest.
    fn of(input: &Input, args: &[String]) -> Self {
        let of_session = || {
            let name = input.extra("safety_policy")?.to::<String>().ok()?;
            Policy::of_name(&name)
        };
        args.first().and_then(|name| Policy::of_name(name)).or_else(of_session).unwrap_or(Policy::Strict)
    }
}

/// What is known about the commands of a call.
struct Label {
    radius: Radius,
    category: Option<&'static str>,
    reason: String,
    /// Whether the commands could be read.
    is_read: bool,
}

/// The builtin's answer about a call.
pub(super) struct Verdict {
    permission: Permission,
    label: Label,
}

impl Verdict {
    /// Returns the verdict as docker-agent's builtin prints it.
    pub(super) fn into_output(self) -> String {
        let Verdict { permission, label: Label { radius, category, reason, .. } } = self;
        let mut metadata = ObjectWriter::with_capacity(128);
        metadata.text("blast_radius", radius.as_str()).optional_text("category", category).text("reason", &reason);
        let mut specific = ObjectWriter::with_capacity(256);
        specific
            .text("permission_decision", permission.as_str())
            .text("permission_decision_reason", &reason)
            .raw("metadata", &metadata.finish());
        let mut out = ObjectWriter::with_capacity(256);
        out.raw("hook_specific_output", &specific.finish());
        out.finish()
    }

    fn into_action(self) -> Action {
        match self.permission {
            Permission::Allow => Action::allow().with_permission(Permission::Allow, Some(self.label.reason)),
            _ => Action::ask(self.label.reason),
        }
    }
}

/// Judges a call in a chain of hookbox's own. It is asked about every tool that runs commands, whichever agent or
/// server the tool belongs to.
#[expect(clippy::unnecessary_wraps, reason = "a builtin may say nothing or fail")]
pub(super) fn run(input: &Input, args: &[String]) -> Result<Option<Action>, String> {
    let runs = |tool: &Tool| tool.kind == ToolKind::Shell || tool.command.is_some() || !tool.shells.is_empty();
    let is_shell = input.facts().is_none_or(runs);
    Ok(verdict(input, args, is_shell).map(Verdict::into_action))
}

/// Judges a call as docker-agent's builtin does, which only knows docker-agent's own shell tool.
pub(super) fn of_agent(input: &Input, args: &[String]) -> Option<Verdict> {
    verdict(input, args, input.tool_name.as_deref() == Some(SHELL))
}

/// Checks that the arguments name a policy, if there are any.
pub(super) fn check(args: &[String]) -> Result<(), String> {
    match args {
        [] => Ok(()),
        [name] if Policy::of_name(name).is_some() => Ok(()),
        _ => Err("it takes one of `unsafe`, `safer`, `safe-auto` and `strict`".to_owned()),
    }
}

fn verdict(input: &Input, args: &[String], is_shell: bool) -> Option<Verdict> {
    if !is_shell || input.event != Event::PreTool {
        return None;
    }
    let policy = Policy::of(input, args);
    let label = label(input);
    let permission = match (policy, label.radius) {
        (Policy::Unsafe, _) | (Policy::Safer, Radius::Safe) => return None,
        (Policy::Safer, Radius::Unknown) if label.is_read => return None,
        (Policy::SafeAuto, Radius::Safe) => Permission::Allow,
        _ => Permission::Ask,
    };
    Some(Verdict { permission, label })
}

/// The parts of a command that matter here.
#[derive(Deserialize)]
struct Command {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    argv: Vec<Word>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    assignments: Vec<IgnoredAny>,
    #[serde(default)]
    redirects: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    Known(String),
    Partly {
        #[serde(rename = "raw")]
        _raw: IgnoredAny,
    },
}

impl Command {
    /// Returns the words after the program. Words that are not known are empty.
    fn words(&self) -> Vec<&str> {
        let words = self.argv.iter().skip(1);
        words.map(|word| if let Word::Known(text) = word { text.as_str() } else { "" }).collect()
    }

    /// Whether the command is a plain program that only reads.
    fn only_reads(&self) -> bool {
        let Some(name) = &self.name else { return false };
        let is_plain = matches!(self.argv.first(), Some(Word::Known(program)) if program == name)
            && self.argv.iter().all(|word| matches!(word, Word::Known(_)))
            && self.assignments.is_empty()
            && self.redirects.is_empty();
        is_plain && reads::only(name, &self.words())
    }
}

fn label(input: &Input) -> Label {
    let tool = input.facts();
    let is_read = tool.is_some_and(|tool| tool.complete);
    let unknown = || Label {
        radius: Radius::Unknown,
        category: None,
        reason: "the shell command is not known to be harmless".to_owned(),
        is_read,
    };
    let Some(commands) = tool.and_then(|tool| tool.commands.as_ref()?.to::<Vec<Command>>().ok()) else {
        return Label { is_read: false, ..unknown() };
    };
    let harmful = |command: &Command| {
        let harm = destroys::harm(command.name.as_deref()?, &command.words())?;
        let reason = format!("the shell command is destructive: `{}`", one_line(&command.text));
        Some(Label { radius: harm.radius, category: Some(harm.category), reason, is_read })
    };
    let worst = commands.iter().filter_map(harmful).max_by_key(|label| label.radius);
    match (worst, commands.as_slice()) {
        (Some(worst), _) if is_read || worst.radius > Radius::Unknown => worst,
        (None, [only]) if is_read && only.only_reads() => Label {
            radius: Radius::Safe,
            category: Some("read-only"),
            reason: format!("the shell command only reads: `{}`", one_line(&only.text)),
            is_read,
        },
        _ => unknown(),
    }
}

/// Returns a command's text on one line, shortened.
fn one_line(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
