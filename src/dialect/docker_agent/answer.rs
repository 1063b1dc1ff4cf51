//! Answers of docker-agent hooks: by exit status, by JSON on stdout, or by text that the model may see.

mod output;

use super::event::name_of;
use super::{Generation, contract};
use crate::config::{Reply, format_duration};
use crate::dialect::Strictness;
use crate::dialect::go::exec::{WAIT_DELAY, exit_code, exit_error, quote, start_error};
use crate::protocol::{
    Action, Answer, Code, Decision, Event, Failure, Json, Manner, ObjectWriter, Permission, ProcessReport,
};
use crate::runtime::HookInfo;
use crate::runtime::shell::{End, said};
pub(super) use output::Output;
use std::fmt::Display;

/// The exit status that blocks.
pub(super) const BLOCK: i32 = 2;

/// A reader of the answers to one event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) generation: Generation,
    pub(super) strictness: Strictness,
    pub(super) event: Event,
    pub(super) manner: Manner,
}

impl Reader {
    /// Interprets the end of a process.
    pub(super) fn end(self, info: &HookInfo, end: End) -> Answer {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let command = quote(info.origin().command.first().map(String::as_str).unwrap_or_default());
        let limit = || format_duration(info.timeout.unwrap_or_default());
        match end {
            // The answer may be incomplete. docker-agent's third generation does not wait for the rest. A status other
            // than 0 says enough: in Go, it comes before this error.
            End::Ended { status, stdout_held, stderr_held, stderr, .. }
                if self.generation.is_third() && status.success() && (stdout_held || stderr_held) =>
            {
                let failure = Failure::new(Code::Exit, "ended while another process held its output");
                failed(failure, WAIT_DELAY.to_owned(), text(&stderr), false)
            }
            End::Ended { status, stdout, stderr, truncated, .. } => {
                let is_unreadable = self.strictness.is_strict() && status.success() && str::from_utf8(&stdout).is_err();
                let process = ProcessReport {
                    exit_code: exit_code(status),
                    stdout: text(&stdout),
                    stderr: text(&stderr),
                    truncated,
                    ..ProcessReport::default()
                };
                if is_unreadable {
                    return Answer::of_process(Err(invalid("it is not valid UTF-8")), process, None);
                }
                self.process(process, || exit_error(status))
            }
            End::TimedOut { stderr, .. } => {
                let error = format!("hook {command} timed out after {}: context deadline exceeded", limit());
                let failure = Failure::new(Code::Timeout, format!("did not answer within {} and was ended", limit()));
                failed(failure, error, text(&stderr), true)
            }
            End::Cancelled { stderr, .. } => {
                let error = format!("hook {command} cancelled: context canceled");
                let failure = Failure::new(Code::Cancelled, "did not answer before its caller gave up, and was ended");
                failed(failure, error, text(&stderr), false)
            }
            End::Flooded(stream, limit) => {
                let failure = Failure::new(Code::OutputSize, format!("wrote more than {limit} bytes to {stream}"));
                failed(failure, "hook output exceeded capture limit".to_owned(), String::new(), false)
            }
            End::Broken { given, program, cwd, error, .. } => {
                let error = start_error(&given, &program, &cwd, &error);
                let failure = Failure::new(Code::Spawn, format!("could not be run: {error}"));
                failed(failure, error, String::new(), false)
            }
        }
    }

    /// Interprets an exit status and the output. `why` describes a status other than 0 and 2.
    pub(super) fn process(self, process: ProcessReport, why: impl Fn() -> String) -> Answer {
        let mut note = None;
        let result = match process.exit_code {
            0 => self.stdout(&process.stdout),
            BLOCK if self.generation.is_third() && !self.gates() => {
                let message = format!("a hook blocked {}, which cannot be blocked", name_of(self.event));
                Ok(Action { system_message: Some(message), ..Action::default() })
            }
            BLOCK => {
                let said = process.stderr.trim();
                let reason = (!said.is_empty()).then(|| said.to_owned());
                Ok(Action { decision: Decision::Deny, reason, ..Action::default() })
            }
            _ => {
                let said = said(process.stderr.as_bytes()).map(|text| format!(": {text}")).unwrap_or_default();
                let failure = Failure::new(Code::Exit, format!("ended with {}{said}", why()));
                if self.counts_exactly() {
                    Err(failure)
                } else {
                    // docker-agent ignores this failure, even a crash.
                    note = Some(failure);
                    Ok(Action::allow())
                }
            }
        };
        let mut process = process;
        if let (Err(failure), true) = (&result, self.generation.is_third()) {
            process.error = Some(match process.exit_code {
                0 => failure.message.clone(),
                code => format!("exited with status {code}"),
            });
        }
        let keep = |action| match self.generation.is_third() {
            true => contract::keep(self.event, self.manner, action),
            false => action,
        };
        Answer::of_process(result.map(keep), process, note)
    }

    /// Whether an answer can block.
    fn gates(self) -> bool {
        self.generation.traits(self.event).is_some_and(|traits| traits.gating)
    }

    /// Whether a program that fails, or an answer that cannot be read, is a failure.
    fn counts_exactly(self) -> bool {
        self.strictness.is_strict() || self.generation.is_third()
    }

    /// Whether all of an answer must be understood.
    const fn is_strict(self) -> bool {
        self.strictness.is_strict() || self.manner.strict
    }

    fn stdout(self, stdout: &str) -> Result<Action, Failure> {
        let text = stdout.trim();
        if text.starts_with('{') {
            match Output::parse(text, self.generation) {
                Ok(output) => return self.action(output),
                Err(_) if self.counts_exactly() => {
                    return Err(invalid("it is not one JSON object whose known keys have the right types"));
                }
                // JSON that cannot be read is ordinary text.
                Err(_) => {}
            }
        }
        let takes_text = self.generation.traits(self.event).is_some_and(|traits| traits.takes_text);
        let is_doubtful = self.manner.strict || (self.strictness.is_strict() && (!takes_text || has_json_line(text)));
        if is_doubtful && !text.is_empty() {
            return Err(invalid("it is text, and not one JSON object"));
        }
        let context = (takes_text && !stdout.is_empty()).then(|| text.to_owned());
        Ok(Action { additional_context: context, ..Action::default() })
    }

    /// Returns the Action that an output means on the event.
    pub(super) fn action(self, output: Output) -> Result<Action, Failure> {
        if let Some(doubt) = self.doubt(&output).filter(|_| self.is_strict()) {
            return Err(invalid(doubt));
        }
        let is_third = self.generation.is_third();
        if let Some(unknown) = self.unknown(&output).filter(|_| is_third) {
            return Err(invalid(unknown));
        }
        let is_v2 = self.generation.is_second();
        let on = |event| is_v2 && self.event == event;
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let mut action = Action {
            stop: output.keep_going == Some(false),
            stop_reason: given(output.stop_reason),
            additional_context: given(output.additional_context),
            system_message: given(output.system_message),
            ..Action::default()
        };
        // In the third generation, the contract tells the user about a permission that has no effect.
        if is_third || self.event.has_permission() {
            let permission = output.permission.as_deref().and_then(Permission::of_name);
            // Before a permission prompt, `ask` has no effect: the user is asked unless a hook has decided. The first
            // generation knows only deny.
            let has_effect = |permission: &Permission| match permission {
                Permission::Deny => true,
                Permission::Allow => is_v2,
                Permission::Ask => on(Event::PreTool) || is_third,
            };
            action.permission = permission.filter(has_effect);
            action.permission_reason = given(output.permission_reason).filter(|_| action.permission.is_some());
        }
        let blocks = output.decision.as_deref() == Some("block");
        let denies = blocks || action.stop || action.permission == Some(Permission::Deny);
        let rewrite = |key: &str, given: Option<Result<Json, String>>| match given.transpose() {
            // What is stopped needs no rewrite.
            Err(_) if denies => Ok(None),
            Err(message) => Err(invalid(format_args!("failed to serialize rewritten input: `{key}`: {message}"))),
            Ok(given) => Ok(given),
        };
        if self.event.rewrites_call() {
            action.updated_input = rewrite("updated_input", output.updated_input)?;
        }
        action.summary = given(output.summary).filter(|_| on(Event::BeforeCompaction));
        if on(Event::BeforeLlmCall) {
            action.updated_messages = rewrite("updated_messages", output.updated_messages)?;
        }
        action.updated_tool_response = output.updated_tool_response.filter(|_| on(Event::ToolResponseTransform));
        if blocks {
            action.decision = Decision::Deny;
            action.reason = given(output.reason);
        } else if action.has_rewrite() {
            action.decision = Decision::Modify;
        }
        Ok(action)
    }

    /// Returns a description of the output's decision or permission if hookbox does not know it.
    fn unknown(self, output: &Output) -> Option<String> {
        if let Some(name) = output.decision.as_deref().filter(|name| !matches!(*name, "" | "block")) {
            return Some(format!("its decision is {name:?}"));
        }
        let permission = output.permission.as_deref().filter(|name| !name.is_empty())?;
        let is_unknown = Permission::of_name(permission).is_none();
        is_unknown.then(|| format!("its permission_decision is {permission:?}"))
    }

    /// Returns a part of the output that the third generation's contract does not allow on the event.
    fn unsupported(self, output: &Output) -> Option<&'static str> {
        let traits = self.generation.traits(self.event)?;
        let is_there = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        let instructs = matches!(self.event, Event::SessionStart | Event::TurnStart);
        let parts = [
            ("suppress_output", output.suppresses, false),
            ("continue", output.keep_going == Some(false), traits.gating),
            ("decision", output.decision.as_deref() == Some("block"), traits.gating),
            ("permission_decision_reason", is_there(&output.permission_reason), self.event.has_permission()),
            ("additional_context", is_there(&output.additional_context), traits.takes_text),
            ("instruction_context", output.instructs, instructs),
            ("metadata", output.metadata.is_some(), traits.metadata || self.manner.early),
            ("updated_input", output.updated_input.is_some(), self.event.rewrites_call() && !self.manner.early),
        ];
        parts.into_iter().find(|(_, is_there, fits)| *is_there && !fits).map(|(key, ..)| key)
    }

    /// Returns why docker-agent would ignore a part of the output that its author may have meant to count.
    fn doubt(self, output: &Output) -> Option<String> {
        let is_v2 = self.generation.is_second();
        let on = |event| is_v2 && self.event == event;
        let event = name_of(self.event);
        if let Some(key) = &output.ignored_key {
            return Some(format!("the key {key:?} has no meaning here, or stands there twice"));
        }
        if let Some(unknown) = self.unknown(output) {
            return Some(unknown);
        }
        if let Some(key) = self.unsupported(output).filter(|_| self.generation.is_third()) {
            return Some(format!("its {key} has no effect on {event}"));
        }
        if let Some(name) = output.event_name.as_deref().filter(|name| !name.is_empty() && *name != event) {
            return Some(format!("its hook_event_name is {name:?} on {event}"));
        }
        let permission = output.permission.as_deref().filter(|name| !name.is_empty());
        match permission.map(|name| (name, Permission::of_name(name))) {
            Some((name, Some(_))) if !self.event.has_permission() => {
                return Some(format!("its permission_decision {name:?} has no effect on {event}"));
            }
            // The first generation cannot ask.
            Some((name, Some(Permission::Ask))) if !is_v2 => {
                return Some(format!("its permission_decision {name:?} has no effect"));
            }
            _ => {}
        }
        let has_summary = output.summary.as_ref().is_some_and(|text| !text.is_empty());
        let rewrites = [
            ("updated_input", output.updated_input.is_some(), self.event.rewrites_call()),
            ("summary", has_summary, on(Event::BeforeCompaction)),
            ("updated_messages", output.updated_messages.is_some(), on(Event::BeforeLlmCall)),
            ("updated_tool_response", output.updated_tool_response.is_some(), on(Event::ToolResponseTransform)),
        ];
        let misplaced = rewrites.into_iter().find(|(_, is_there, fits)| *is_there && !fits);
        misplaced.map(|(key, ..)| format!("its {key} has no effect on {event}"))
    }
}

/// Whether a line of the text begins like JSON, as in an answer with other output before it.
fn has_json_line(text: &str) -> bool {
    text.lines().any(|line| line.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']))
}

fn invalid(what: impl Display) -> Failure {
    Failure::new(Code::Action, format!("returned an invalid Action: {what}"))
}

/// Returns a failure, with docker-agent's error message for it.
pub(super) fn failed(failure: Failure, error: String, stderr: String, timed_out: bool) -> Answer {
    let process = ProcessReport { exit_code: -1, error: Some(error), stderr, timed_out, ..ProcessReport::default() };
    Answer::of_process(Err(failure), process, None)
}

/// Encodes the Action as a docker-agent hook prints it. Rewriting a tool's whole input has the same effect as rewriting
/// its members, if the input is an object. An Action that docker-agent cannot express becomes a deny.
pub(super) fn encode(generation: Generation, event: Event, action: &Action) -> Reply {
    let mut specific = ObjectWriter::printed(128);
    specific.text("hook_event_name", name_of(event));
    let asks = action.decision == Decision::Ask && action.permission.is_none();
    let (permission, permission_reason) = match asks {
        true => (Some(Permission::Ask), &action.reason),
        false => (action.permission, &action.permission_reason),
    };
    specific
        .optional_text("permission_decision", permission.map(Permission::as_str))
        .optional_text("permission_decision_reason", permission_reason.as_deref());
    let whole = action.modified_tool_input.as_ref().filter(|_| event.rewrites_call());
    let update = action.updated_input.as_ref().or(whole);
    let is_object = |json: &&Json| json.as_str().starts_with('{');
    // docker-agent could not read an answer with anything else here, and would let the call pass, even if it is a deny.
    if let Some(input) = update.filter(is_object) {
        specific.raw("updated_input", input.as_str());
    }
    let result = action.modified_tool_result.as_ref().map(|result| &result.content);
    let response = action.updated_tool_response.as_ref().or(result);
    specific
        .optional_text("additional_context", action.additional_context.as_deref())
        .optional_text("summary", action.summary.as_deref());
    if let Some(messages) = &action.updated_messages {
        specific.json("updated_messages", messages.as_str());
    }
    specific.optional_text("updated_tool_response", response.map(String::as_str));

    let has_no_words = action.modified_message.is_some() || update.is_some_and(|json| !is_object(&json));
    // The user can only be asked about a tool, and not by the first generation.
    let cannot_ask = match generation {
        Generation::First => permission == Some(Permission::Ask),
        Generation::V1_58 | Generation::V3 => asks && !event.has_permission(),
    };
    let denies =
        action.decision == Decision::Deny || cannot_ask || (has_no_words && action.decision == Decision::Modify);
    let mut out = ObjectWriter::printed(256);
    if action.stop {
        out.raw("continue", "false");
    }
    out.optional_text("stop_reason", action.stop_reason.as_deref());
    if denies {
        let reason = if has_no_words { Some("docker-agent has no words for this rewrite") } else { None };
        let why = action.reason.as_deref().or(permission_reason.as_deref().filter(|_| cannot_ask));
        out.text("decision", "block").optional_text("reason", why.or(reason));
    }
    out.optional_text("system_message", action.system_message.as_deref())
        .raw("hook_specific_output", &specific.finish());
    Reply { stdout: out.finish(), ..Reply::default() }
}
