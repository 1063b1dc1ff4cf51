//! Secrets in messages and results.

use crate::{NAME, Settings};
use hookbox_policy::Mode;
use hookbox_sdk::{Action, Error, Input, Json, ToolResult};
use hookbox_secrets::{Finder, Finding, Redaction};

/// The maximum length of the text in an answer, in bytes of JSON. The sandbox accepts at most two MiB, including the
/// rest of the answer.
const MAX_ANSWER: usize = (2 << 20) - (64 << 10);

/// The maximum number of places that a reason names.
const MAX_PLACES: usize = 5;

/// Judges a message of the user.
pub(crate) fn message(input: &Input<Settings>, finder: &Finder) -> Action {
    let message = input.message.as_deref().unwrap_or_default();
    let examples = examples(message);
    let is_example =
        |finding: &Finding| examples.iter().any(|(start, end)| *start <= finding.start && finding.end <= *end);
    let found: Vec<Finding> = finder.find(message).into_iter().filter(|finding| !is_example(finding)).collect();
    if found.is_empty() {
        return Action::allow();
    }
    // The parts of one key count once.
    let mut places: Vec<String> = Vec::new();
    let mut last = None;
    for finding in &found {
        if finding.group.is_none() || finding.group != last {
            places.push(format!("{} on line {}", article(&finding.kind), line(message, finding.start)));
        }
        last = finding.group;
    }
    let more = places.len().saturating_sub(MAX_PLACES);
    places.truncate(MAX_PLACES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let what = format!("the message has {}{more}", places.join(", "));
    let rest = input.settings.message.as_deref().map(|message| format!(". {message}")).unwrap_or_default();
    match input.settings.mode {
        Mode::Enforce => Action::deny(format!(
            "{NAME}: {what}; take it out, and name the variable or the file that holds it instead{rest}"
        )),
        Mode::Audit => {
            let reason = format!("audit, would have denied: {NAME}: {what}{rest}");
            Action::allow()
                .with_reason(reason)
                .with_context(format!("{what}. Do not repeat it, write it to a file or pass it to a tool."))
        }
    }
}

fn article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

fn line(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count() + 1
}

/// Returns the code blocks whose first line says that they are examples.
fn examples(text: &str) -> Vec<(usize, usize)> {
    const WORDS: &[&str] = &["example", "sample", "fake", "dummy", "placeholder"];
    let (mut blocks, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence));
        match (fence, open) {
            (Some(fence), None) => {
                let info = trimmed.to_lowercase();
                let words: Vec<&str> = info.split(|c: char| !c.is_alphanumeric()).collect();
                open = Some((fence, words.iter().any(|word| WORDS.contains(word)), at));
            }
            (Some(fence), Some((opened, is_example, start))) if fence == opened => {
                if is_example {
                    blocks.push((start, at + line.len()));
                }
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    if let Some((_, true, start)) = open {
        blocks.push((start, text.len()));
    }
    blocks
}

/// Redacts the result of a tool.
pub(crate) fn result(input: &Input<Settings>, finder: &Finder) -> Action {
    let Some(result) = &input.tool_result else {
        return Action::allow();
    };
    replaced(input, finder, &result.content, |content| {
        Action::modify_tool_result(match result.is_error {
            true => ToolResult::error(content),
            false => ToolResult::new(content),
        })
    })
}

/// Redacts the result of a tool before anyone else reads it.
pub(crate) fn response(input: &Input<Settings>, finder: &Finder) -> Action {
    match &input.tool_result {
        Some(result) => replaced(input, finder, &result.content, Action::update_tool_response),
        None => Action::allow(),
    }
}

/// Redacts the conversation before the model sees it.
pub(crate) fn messages(input: &Input<Settings>, finder: &Finder) -> Result<Action, Error> {
    let Some(messages) = &input.messages else {
        return Ok(Action::allow());
    };
    let Some(redaction) = finder.redact(messages.as_str(), usize::MAX) else {
        return Ok(Action::allow());
    };
    if input.settings.mode == Mode::Audit {
        return Ok(audit(input, &redaction));
    }
    // Even if something is withheld, the rest must be a list of messages. If it is not, this returns an error.
    Ok(Action::update_messages(Json::parse(&redaction.text)?).with_context(told(&redaction)))
}

fn replaced(input: &Input<Settings>, finder: &Finder, content: &str, action: impl Fn(String) -> Action) -> Action {
    let Some(redaction) = finder.redact(content, MAX_ANSWER) else {
        return Action::allow();
    };
    match input.settings.mode {
        Mode::Audit => audit(input, &redaction),
        Mode::Enforce => {
            let told = told(&redaction);
            action(redaction.text).with_context(told)
        }
    }
}

fn audit(input: &Input<Settings>, redaction: &Redaction) -> Action {
    let tool = input.tool_name.as_deref().unwrap_or("the tool");
    let rest = input.settings.message.as_deref().map(|message| format!(". {message}")).unwrap_or_default();
    let kinds = redaction.kinds.join(", ");
    Action::allow().with_reason(format!(
        "audit, would have redacted: {NAME}: {} in the result of {tool} ({kinds}){rest}",
        values(redaction.count)
    ))
}

/// Returns what the model is told, which never includes the secret itself.
fn told(redaction: &Redaction) -> String {
    let mut told = Vec::new();
    if redaction.count > 0 {
        let were = if redaction.count == 1 { "was" } else { "were" };
        told.push(format!("{} {were} redacted by policy ({}).", values(redaction.count), redaction.kinds.join(", ")));
        told.push("Work with the placeholders; do not try to read the values in another way.".to_owned());
    }
    if redaction.withheld > 0 {
        told.push(format!(
            "The last {} bytes were withheld, since the answer would be too large: read the text in smaller parts.",
            redaction.withheld
        ));
    }
    told.join(" ")
}

fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}
