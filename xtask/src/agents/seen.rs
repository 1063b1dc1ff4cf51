//! The result of a run. Only observed effects count: a tool that did not run counts only if the agent asked hookbox.

use super::drive::{Run, is_at};
use super::scenarios::{KEPT, PRINTED, SECRET};
use anyhow::{Result, bail};
use std::fmt;

/// The observed result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The intended effect happened.
    Holds,
    /// Something stricter happened, because the agent cannot do what the policy wants.
    DeniedInstead,
    /// The effect that the policy must prevent happened.
    Open,
    /// The agent did not ask hookbox.
    NotAsked,
    /// Texts from these places reached the model.
    Told(Places),
}

/// The places from which texts for the model came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) start: bool,
    pub(super) prompt: bool,
    pub(super) tool: bool,
    pub(super) result: bool,
}

impl Places {
    pub(super) const ALL: Places = Places { start: true, prompt: true, tool: true, result: true };
    pub(super) const NONE: Places = Places { start: false, prompt: false, tool: false, result: false };
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Holds => f.write_str("holds"),
            Seen::DeniedInstead => f.write_str("not possible: denied"),
            Seen::Open => f.write_str("**open**"),
            Seen::NotAsked | Seen::Told(Places::NONE) => f.write_str("not possible"),
            Seen::Told(places) => {
                let named = [
                    (places.start, "start"),
                    (places.prompt, "prompt"),
                    (places.tool, "before a tool"),
                    (places.result, "after a tool"),
                ];
                let names: Vec<_> = named.iter().filter(|(told, _)| *told).map(|(_, name)| *name).collect();
                write!(f, "holds: {}", names.join(", "))
            }
        }
    }
}

/// Looks whether the file that a command would destroy is unchanged and the reason is known.
pub(super) fn kept(run: &Run, reason: &str) -> Result<Seen> {
    let (name, content) = KEPT;
    must(run.was_asked("pre_tool", name), "hooks were not asked about the command")?;
    if run.file(name).as_deref() != Some(content) {
        return Ok(Seen::Open);
    }
    must(run.is_known(reason), "the command did not run, but the reason is known to no one")?;
    Ok(Seen::Holds)
}

/// Checks that the command ran, and that the model was told what it printed.
pub(super) fn ran(run: &Run) -> Result<Seen> {
    must(run.was_asked("pre_tool", "ran.txt"), "hooks were not asked about the command")?;
    must(run.file("ran.txt").is_some_and(|text| text.trim() == PRINTED), "the command did not run")?;
    must(run.was_asked("post_tool", PRINTED), "hooks were not asked about the result")?;
    must(run.was_told(PRINTED), "the model was not told what the command printed")?;
    Ok(Seen::Holds)
}

/// Looks whether the rewritten command ran and the original did not.
pub(super) fn rewritten(run: &Run) -> Result<Seen> {
    must(run.was_asked("pre_tool", "original.txt"), "hooks were not asked about the command")?;
    match (run.file("original.txt"), run.file("changed.txt")) {
        (None, Some(_)) => Ok(Seen::Holds),
        (None, None) if run.is_known("changed.txt") => Ok(Seen::DeniedInstead),
        (None, None) => bail!("neither command ran, and no one is told which is allowed"),
        (Some(_), _) => Ok(Seen::Open),
    }
}

/// Looks whether the model sees the result without the secret.
pub(super) fn redacted(run: &Run) -> Result<Seen> {
    must(run.was_asked("post_tool", SECRET), "hooks were not asked about the result")?;
    if run.was_told(SECRET) {
        return Ok(Seen::Open);
    }
    must(run.was_told("[redacted]"), "the model was told nothing of the result")?;
    Ok(Seen::Holds)
}

/// Looks from which places texts reach the model.
pub(super) fn contexts(run: &Run) -> Result<Seen> {
    must(run.was_asked("pre_tool", "ran.txt"), "hooks were not asked about the command")?;
    must(run.file("ran.txt").is_some(), "the command did not run")?;
    let told = |event: &str| {
        let is_told = run.was_told(&format!("told at {event}"));
        must(!is_told || run.asked.iter().any(|input| is_at(input, event)), "a text came from nowhere")?;
        anyhow::Ok(is_told)
    };
    Ok(Seen::Told(Places {
        start: told("session_start")?,
        prompt: told("pre_message")?,
        tool: told("pre_tool")?,
        result: told("post_tool")?,
    }))
}

/// Looks whether the model does not see the prompt.
pub(super) fn unsaid(run: &Run) -> Result<Seen> {
    let is_asked = run.was_asked("pre_message", "plum");
    match (is_asked, run.was_told("plum")) {
        (true, false) => Ok(Seen::Holds),
        (true, true) => Ok(Seen::Open),
        (false, true) => {
            must(!run.asked.is_empty(), "hookbox was not called at all")?;
            Ok(Seen::NotAsked)
        }
        (false, false) => bail!("neither hooks nor the model heard of the prompt"),
    }
}

/// Looks whether the command did not run and the code of the reason is known.
pub(super) fn stopped(run: &Run, code: &str) -> Result<Seen> {
    must(run.was_asked("pre_tool", "ran.txt"), "hooks were not asked about the command")?;
    if run.file("ran.txt").is_some() {
        return Ok(Seen::Open);
    }
    must(run.is_known(code), "the command did not run, but the reason is known to no one")?;
    Ok(Seen::Holds)
}

/// Does the same for a hookbox that was replaced while the model was thinking. It must have been called about the
/// command.
pub(super) fn stopped_by_replaced(run: &Run, code: Option<&str>) -> Result<Seen> {
    must(
        run.calls.iter().any(|call| call.to_string().contains("ran.txt")),
        "hookbox was not called about the command",
    )?;
    if run.file("ran.txt").is_some() {
        return Ok(Seen::Open);
    }
    must(code.is_none_or(|code| run.is_known(code)), "the command did not run, but the reason is known to no one")?;
    Ok(Seen::Holds)
}

/// Does the same for a removed hookbox. It must have been called before it was removed.
pub(super) fn stopped_with_no_word(run: &Run) -> Result<Seen> {
    must(!run.asked.is_empty(), "hookbox was not called before it was removed")?;
    must(run.log.said > 0, "the model did not come to the command")?;
    Ok(if run.file("ran.txt").is_some() { Seen::Open } else { Seen::Holds })
}

fn must(is_so: bool, otherwise: &str) -> Result<()> {
    if is_so { Ok(()) } else { bail!("{otherwise}") }
}
