//! The object that a docker-agent hook prints, read as Go reads it.

use crate::dialect::docker_agent::Generation;
use crate::dialect::go::encode::normalize;
use crate::dialect::go::members::{self, WrongType, boolean, folded, members, repeated, string};
use crate::protocol::Json;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The keys of `hook_specific_output` that the first generation knows.
const V1_KEYS: [&str; 5] =
    ["hook_event_name", "permission_decision", "permission_decision_reason", "updated_input", "additional_context"];

/// The keys that only the third generation knows.
const V3_KEYS: [&str; 2] = ["metadata", "instruction_context"];

/// The output of a hook. A field that is absent or `null` is `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    /// `continue`.
    pub(crate) keep_going: Option<bool>,
    pub(crate) stop_reason: Option<String>,
    pub(crate) decision: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) system_message: Option<String>,
    pub(crate) permission: Option<String>,
    pub(crate) permission_reason: Option<String>,
    /// An object as Go would write it after reading it, or why hookbox cannot pass it on.
    pub(crate) updated_input: Option<Result<Json, String>>,
    pub(crate) additional_context: Option<String>,
    pub(crate) summary: Option<String>,
    /// A non-empty list, or why hookbox cannot pass it on.
    pub(crate) updated_messages: Option<Result<Json, String>>,
    pub(crate) updated_tool_response: Option<String>,
    /// `metadata`, which the third generation shows to the user.
    pub(crate) metadata: Option<BTreeMap<String, String>>,
    /// Whether the output has `instruction_context`, which is not passed on.
    pub(crate) instructs: bool,
    /// Whether the output sets `suppress_output`, which has no effect.
    pub(crate) suppresses: bool,
    /// The event that `hook_specific_output` names.
    pub(crate) event_name: Option<String>,
    /// A key that has no meaning, or occurs twice. docker-agent ignores it.
    pub(crate) ignored_key: Option<String>,
}

impl Output {
    /// Reads the whole text as one object. A single known field with a wrong type makes the whole text unreadable.
    pub(crate) fn parse(text: &str, generation: Generation) -> Result<Self, WrongType> {
        let root = members::root(text).map_err(|_| WrongType)?;
        let mut output = Output { ignored_key: repeated(&root), ..Output::default() };
        for (key, raw) in root {
            match folded(&key).as_str() {
                "continue" => output.keep_going = boolean(raw)?.or(output.keep_going),
                "stop_reason" => output.stop_reason = string(raw)?.or(output.stop_reason),
                "suppress_output" => output.suppresses = boolean(raw)?.unwrap_or(output.suppresses),
                "system_message" => output.system_message = string(raw)?.or(output.system_message),
                "decision" => output.decision = string(raw)?.or(output.decision),
                "reason" => output.reason = string(raw)?.or(output.reason),
                "hook_specific_output" => {
                    let members = members(raw)?.unwrap_or_default();
                    output.ignored_key = output.ignored_key.or_else(|| repeated(&members));
                    for (key, raw) in members {
                        let lower = folded(&key);
                        let is_known = match V3_KEYS.contains(&lower.as_str()) {
                            true => generation.is_third(),
                            false => generation.is_second() || V1_KEYS.contains(&lower.as_str()),
                        };
                        if is_known {
                            output.specific(&key, raw)?;
                        } else {
                            output.ignored_key.get_or_insert(key);
                        }
                    }
                }
                _ => {
                    output.ignored_key.get_or_insert(key);
                }
            }
        }
        Ok(output)
    }

    fn specific(&mut self, key: &str, raw: &RawValue) -> Result<(), WrongType> {
        match folded(key).as_str() {
            "hook_event_name" => self.event_name = string(raw)?.or(self.event_name.take()),
            "permission_decision" => self.permission = string(raw)?.or(self.permission.take()),
            "permission_decision_reason" => self.permission_reason = string(raw)?.or(self.permission_reason.take()),
            "updated_input" => {
                if members(raw)?.is_some() {
                    self.updated_input = Some(as_go_has_it(raw));
                }
            }
            "additional_context" => self.additional_context = string(raw)?.or(self.additional_context.take()),
            "summary" => self.summary = string(raw)?.or(self.summary.take()),
            "updated_messages" => self.updated_messages = messages(raw)?.or(self.updated_messages.take()),
            "updated_tool_response" => {
                self.updated_tool_response = string(raw)?.or(self.updated_tool_response.take());
            }
            "metadata" => {
                if let Some(members) = members(raw)? {
                    let of = |(key, raw): (String, _)| Ok((key, string(raw)?.unwrap_or_default()));
                    self.metadata = Some(members.into_iter().map(of).collect::<Result<_, WrongType>>()?);
                }
            }
            "instruction_context" => {
                let given: Option<Vec<Map<String, Value>>> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
                self.instructs |= given.is_some();
            }
            _ => {
                self.ignored_key.get_or_insert(key.to_owned());
            }
        }
        Ok(())
    }
}

/// Returns a value as Go would write it after reading it. The last of several duplicate keys counts.
fn as_go_has_it(raw: &RawValue) -> Result<Json, String> {
    let value: Value = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    Json::from_value(&value).map(|json| normalize(&json)).map_err(|error| error.message)
}

/// Reads a list of messages, each an object whose `role` and `content` are strings. `None` if the list is empty. Go
/// skips all other members of a message, however deep they are, so they cannot make the answer unreadable.
fn messages(raw: &RawValue) -> Result<Option<Result<Json, String>>, WrongType> {
    let list: Option<Vec<&RawValue>> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
    let list = list.unwrap_or_default();
    for item in &list {
        for (key, value) in members(item)?.unwrap_or_default() {
            if matches!(key.as_str(), "role" | "content") {
                string(value)?;
            }
        }
    }
    Ok((!list.is_empty()).then(|| with_contents(&list)))
}

/// Returns a list of messages, each with a `content`.
fn with_contents(list: &[&RawValue]) -> Result<Json, String> {
    let message = |item: &&RawValue| -> Result<Value, String> {
        let mut message: Value = serde_json::from_str(item.get()).map_err(|error| error.to_string())?;
        if let Some(message) = message.as_object_mut() {
            message.entry("content").or_insert_with(|| "".into());
        }
        Ok(message)
    };
    let messages = list.iter().map(message).collect::<Result<Vec<Value>, String>>()?;
    Json::from_value(&messages).map_err(|error| error.message)
}
