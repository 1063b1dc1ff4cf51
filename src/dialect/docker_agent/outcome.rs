//! docker-agent's result of one dispatch: the answers of all hooks, weighed in the order of the config.

use super::Generation;
use super::answer::{BLOCK, Output};
use super::event::{Traits, name_of};
use crate::dialect::go::encode::normalize;
use crate::dialect::go::exec::quote;
use crate::protocol::{
    Action, Decision, Event, Failure, Field, Input, Json, Manner, ObjectWriter, OnError, Outcome, Permission, Record,
    Verdict,
};
use std::collections::BTreeMap;

/// The exit code of a hook that failed.
const FAILED: i32 = -1;

/// The result of one dispatch. Fields that no hook has set are `None` or empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DispatchResult {
    /// Whether the event may go ahead. This has no effect on events that cannot be stopped.
    pub allowed: bool,
    /// Whether a hook makes asking the user unnecessary. This only counts if `allowed` is true.
    pub permission_allowed: bool,
    /// Why the event must not go ahead, one line per reason.
    pub message: String,
    /// The tool's new arguments.
    pub modified_input: Option<Json>,
    /// Text for the model.
    pub additional_context: String,
    /// Text for the user.
    pub system_message: String,
    /// 2 if a hook blocked by its exit status, -1 if one failed, whichever came last. Otherwise 0.
    pub exit_code: i32,
    /// What the last hook that blocked or failed wrote to stderr.
    pub stderr: String,
    /// The summary that replaces the model's.
    pub summary: String,
    /// The messages that the model sees.
    pub updated_messages: Option<Json>,
    /// The tool's new output.
    pub updated_tool_response: Option<String>,
    /// The most restrictive verdict on a tool call.
    pub decision: Option<Permission>,
    /// The reason for the decision.
    pub decision_reason: String,
    /// What hooks tell the user about a call, in the third generation.
    pub metadata: BTreeMap<String, String>,
}

impl Default for DispatchResult {
    fn default() -> Self {
        DispatchResult {
            allowed: true,
            permission_allowed: false,
            message: String::new(),
            modified_input: None,
            additional_context: String::new(),
            system_message: String::new(),
            exit_code: 0,
            stderr: String::new(),
            summary: String::new(),
            updated_messages: None,
            updated_tool_response: None,
            decision: None,
            decision_reason: String::new(),
            metadata: BTreeMap::new(),
        }
    }
}

/// A result under construction, with its lines not yet joined.
struct Fold {
    generation: Generation,
    event: Event,
    result: DispatchResult,
    messages: Vec<String>,
    contexts: Vec<String>,
    system_messages: Vec<String>,
}

impl DispatchResult {
    /// Builds the result for an Outcome.
    #[must_use]
    pub fn from_outcome(generation: Generation, outcome: &Outcome) -> Self {
        let Some(input) = &outcome.input else {
            let message = outcome.reason.clone().unwrap_or_default();
            return DispatchResult { allowed: false, message, ..DispatchResult::default() };
        };
        let mut fold = Fold {
            generation,
            event: input.event,
            result: DispatchResult::default(),
            messages: Vec::new(),
            contexts: Vec::new(),
            system_messages: Vec::new(),
        };
        for record in outcome.hooks.iter().filter(|record| !record.is_async) {
            fold.add(record);
        }
        if generation.is_third() {
            fold.take_rewrites(input, &outcome.hooks);
        }
        fold.agree_with(outcome);
        fold.finish()
    }

    /// Returns the result as one JSON object, without fields that no hook has set.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::printed(256);
        out.flag("allowed", self.allowed);
        if self.permission_allowed {
            out.flag("permission_allowed", true);
        }
        out.text_unless_empty("message", Some(&self.message));
        if let Some(input) = &self.modified_input {
            out.raw("modified_input", input.as_str());
        }
        out.text_unless_empty("additional_context", Some(&self.additional_context))
            .text_unless_empty("system_message", Some(&self.system_message));
        if self.exit_code != 0 {
            out.raw("exit_code", &self.exit_code.to_string());
        }
        out.text_unless_empty("stderr", Some(&self.stderr)).text_unless_empty("summary", Some(&self.summary));
        if let Some(messages) = &self.updated_messages {
            out.json("updated_messages", messages.as_str());
        }
        out.optional_text("updated_tool_response", self.updated_tool_response.as_deref())
            .optional_text("decision", self.decision.map(Permission::as_str))
            .text_unless_empty("decision_reason", Some(&self.decision_reason));
        if !self.metadata.is_empty() {
            let mut metadata = ObjectWriter::printed(64);
            for (key, text) in &self.metadata {
                metadata.text(key, text);
            }
            out.raw("metadata", &metadata.finish());
        }
        out.finish()
    }
}

/// Returns how the hook's answers are treated.
fn manner(record: &Record) -> Manner {
    record.origin.as_ref().map(|origin| origin.manner).unwrap_or_default()
}

impl Fold {
    fn add(&mut self, record: &Record) {
        let is_third = self.generation.is_third();
        let gates = self.traits().is_some_and(|traits| traits.gating);
        if let Some(failure) = &record.failure {
            if record.on_error == OnError::Deny && (gates || !is_third) {
                self.add_failure(record, failure);
            } else if is_third && !manner(record).quiet {
                self.system_messages.push(self.failed(record, failure));
            }
            return;
        }
        match &record.process {
            Some(process) if process.exit_code == BLOCK && (gates || !is_third) => {
                self.result.allowed = false;
                self.result.exit_code = BLOCK;
                if !process.stderr.is_empty() {
                    self.result.stderr.clone_from(&process.stderr);
                    self.messages.push(process.stderr.trim().to_owned());
                }
            }
            Some(process) if process.exit_code != 0 && !is_third => {}
            _ => self.add_action(record),
        }
    }

    fn traits(&self) -> Option<&'static Traits> {
        self.generation.traits(self.event)
    }

    /// Words a failure. docker-agent calls it a failure on a tool call, whatever the event. The third generation names
    /// the event and the hook.
    fn failed(&self, record: &Record, failure: &Failure) -> String {
        let error = record.process.as_ref().and_then(|process| process.error.clone());
        let own = || format!("{}: {} {}", failure.code, record.kind.titled(&record.name), failure.message);
        let error = error.unwrap_or_else(own);
        let label = record.origin().label.as_ref().unwrap_or(&record.name);
        match self.generation.is_third() {
            true => format!("{} hook failed to execute: hook {}: {error}", name_of(self.event), quote(label)),
            false => format!("PreToolUse hook failed to execute: {error}"),
        }
    }

    fn add_failure(&mut self, record: &Record, failure: &Failure) {
        self.result.allowed = false;
        self.result.exit_code = FAILED;
        self.result.stderr = record.process.as_ref().map(|process| process.stderr.clone()).unwrap_or_default();
        let line = self.failed(record, failure);
        self.messages.push(line);
    }

    fn add_action(&mut self, record: &Record) {
        let (action, manner) = (&record.action, manner(record));
        self.add_metadata(record);
        if action.stop {
            self.block(action.stop_reason.as_ref());
        }
        if action.decision == Decision::Deny {
            self.block(action.reason.as_ref());
        }
        self.system_messages.extend(action.system_message.clone().filter(|text| !text.is_empty()));
        let (permission, reason) = match action.decision {
            Decision::Ask if action.permission.is_none() => (Some(Permission::Ask), &action.reason),
            _ => (action.permission, &action.permission_reason),
        };
        // A hook that is asked before the agent's own rules decide cannot permit.
        let permission = permission.filter(|permission| !(manner.early && *permission == Permission::Allow));
        if self.event.has_permission() {
            self.add_permission(permission, reason.as_ref());
        }
        // With any other decision, a rewrite is not applied and must not be reported as applied. docker-agent does
        // report the rewrite of a hook that denies.
        if matches!(action.decision, Decision::Modify | Decision::Deny) && !self.generation.is_third() {
            self.add_rewrites(action);
        }
        self.contexts.extend(action.additional_context.clone());
    }

    /// Adds what the hook tells the user about the call. Of two entries with the same key, the later counts.
    fn add_metadata(&mut self, record: &Record) {
        let is_shown = self.traits().is_some_and(|traits| traits.metadata) || manner(record).early;
        let Some(process) = record.process.as_ref().filter(|_| is_shown && self.generation.is_third()) else {
            return;
        };
        let output = Output::parse(process.stdout.trim(), self.generation).unwrap_or_default();
        self.result.metadata.extend(output.metadata.unwrap_or_default());
    }

    /// Takes the rewrites from the Input. In the third generation, each hook builds on the rewrites before it, so the
    /// Input has the last of them.
    fn take_rewrites(&mut self, input: &Input, records: &[Record]) {
        let rewriters = || records.iter().filter(|record| record.failure.is_none() && !record.is_async);
        let some = |has: fn(&Action) -> bool| {
            rewriters()
                .any(|record| record.enforce && record.action.decision == Decision::Modify && has(&record.action))
        };
        match self.event {
            event
                if event.rewrites_call()
                    && some(|action| action.updated_input.is_some() || action.modified_tool_input.is_some()) =>
            {
                let whole = input.tool_input.as_ref().filter(|json| json.as_str() != "null").map(normalize);
                self.result.modified_input = Some(whole.unwrap_or_else(|| Json::unchecked("{}")));
            }
            Event::BeforeLlmCall if some(|action| action.updated_messages.is_some()) => {
                self.result.updated_messages = input.field(Field::Messages).cloned();
            }
            Event::BeforeCompaction => {
                let given = |record: &Record| record.action.summary.clone();
                self.result.summary = rewriters().find_map(given).unwrap_or_default();
            }
            Event::ToolResponseTransform
                if some(|action| action.updated_tool_response.is_some() || action.modified_tool_result.is_some()) =>
            {
                self.result.updated_tool_response = input.tool_result.as_ref().map(|result| result.content.clone());
            }
            _ => {}
        }
    }

    fn block(&mut self, reason: Option<&String>) {
        self.result.allowed = false;
        self.messages.extend(reason.filter(|reason| !reason.is_empty()).cloned());
    }

    fn add_permission(&mut self, permission: Option<Permission>, reason: Option<&String>) {
        if self.tracks_decision() && permission > self.result.decision {
            self.result.decision = permission;
            self.result.decision_reason = reason.cloned().unwrap_or_default();
        }
        match permission {
            Some(Permission::Deny) => self.block(reason),
            Some(Permission::Allow) => {
                let is_request = self.event == Event::PermissionRequest;
                self.result.permission_allowed |= is_request;
                let reason = reason.filter(|reason| !reason.is_empty());
                match reason {
                    Some(reason) if self.generation.is_third() => {
                        if is_request && self.result.decision_reason.is_empty() {
                            self.result.decision_reason.clone_from(reason);
                        }
                    }
                    reason => self.contexts.extend(reason.cloned()),
                }
            }
            Some(Permission::Ask) | None => {}
        }
    }

    fn add_rewrites(&mut self, action: &Action) {
        match self.event {
            Event::PreTool => {
                let is_object = |json: &&Json| json.as_str().starts_with('{');
                let whole = action.modified_tool_input.as_ref();
                if whole.is_some_and(|whole| !is_object(&whole)) {
                    self.block(Some(&"a hook gave the tool an input that is no object".to_owned()));
                }
                for update in whole.filter(is_object).into_iter().chain(&action.updated_input) {
                    self.result.modified_input = Some(update.merged_into(self.result.modified_input.as_ref()));
                }
            }
            Event::BeforeCompaction if self.result.summary.is_empty() => {
                self.result.summary = action.summary.clone().unwrap_or_default();
            }
            Event::BeforeLlmCall if self.result.updated_messages.is_none() => {
                self.result.updated_messages.clone_from(&action.updated_messages);
            }
            Event::ToolResponseTransform if self.result.updated_tool_response.is_none() => {
                let content = action.modified_tool_result.as_ref().map(|result| result.content.clone());
                self.result.updated_tool_response = action.updated_tool_response.clone().or(content);
            }
            _ => {}
        }
    }

    /// Makes the result agree with the chain's verdict. A decision that docker-agent cannot express must not get lost:
    /// no one would notice that it is missing.
    fn agree_with(&mut self, outcome: &Outcome) {
        match outcome.verdict {
            Verdict::Deny if self.result.allowed => self.block(outcome.reason.as_ref()),
            // The user is asked, as without hooks.
            Verdict::Ask if self.event == Event::PermissionRequest => self.result.permission_allowed = false,
            Verdict::Ask if self.tracks_decision() => {
                if self.result.decision < Some(Permission::Ask) {
                    self.result.decision = Some(Permission::Ask);
                    self.result.decision_reason = outcome.reason.clone().unwrap_or_default();
                }
            }
            Verdict::Ask => self.block(outcome.reason.as_ref()),
            Verdict::Allow | Verdict::Deny => {}
        }
        let result = &self.result;
        let rewrites = result.modified_input.is_some()
            || result.updated_messages.is_some()
            || result.updated_tool_response.is_some()
            || !result.summary.is_empty();
        if outcome.modified && !rewrites && result.allowed {
            self.block(Some(&"a hook changed what docker-agent cannot change here".to_owned()));
        }
    }

    /// Whether the result includes the hooks' verdict on the call.
    fn tracks_decision(&self) -> bool {
        matches!(self.event, Event::PreTool | Event::ToolGuard) && self.generation.is_second()
    }

    fn finish(self) -> DispatchResult {
        DispatchResult {
            message: self.messages.join("\n"),
            additional_context: self.contexts.join("\n"),
            system_message: self.system_messages.join("\n"),
            ..self.result
        }
    }
}
