//! An event as a template sees it: docker-agent's Go structs, by their field names.

use crate::dialect::docker_agent::Generation;
use crate::dialect::docker_agent::event::name_of;
use crate::dialect::docker_agent::payload;
use crate::dialect::go::encode::{compact, escape_html, normalize};
use crate::protocol::{Event, Field, FieldType, Input, Json};
use gotmpl::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The fields that are not an Input's [`Field`] of the same name.
const OTHER_FIELDS: [&str; 10] = [
    "SessionID",
    "Cwd",
    "HookEventName",
    "ToolName",
    "ToolUseID",
    "ToolInput",
    "ToolResponse",
    "ToolError",
    "StopResponse",
    "Prompt",
];

/// The texts that a chat message or a model has in Go even if its JSON leaves them out. They are empty then.
const EMPTY_TEXTS: [(Field, &[&str]); 2] = [
    (
        Field::Messages,
        &[
            "role",
            "content",
            "reasoning_content",
            "thinking_signature",
            "tool_call_id",
            "created_at",
            "model",
            "finish_reason",
        ],
    ),
    (Field::FromAgentModels, &["provider", "model", "base_url", "unload_api"]),
];
const EMPTY_LISTS: [(Field, &[&str]); 1] = [(Field::Messages, &["multi_content", "tool_calls", "tool_definitions"])];

/// Whether events have a field of this name in Go.
pub(super) fn is_field(name: &str) -> bool {
    OTHER_FIELDS.contains(&name) || Field::ALL.iter().any(|field| go_name(field.as_str()) == name)
}

/// An event for a template.
///
/// A template sees the names that fields have in Go. Their JSON has other names, in a different order. So the JSON of
/// each struct and each list of structs is stored under the address of its value in memory.
pub(super) struct EventData {
    pub(super) value: Value,
    structs: Structs,
}

/// The JSON of values that are structs in Go, by their address.
#[derive(Clone, Default)]
pub(super) struct Structs(Arc<HashMap<usize, String>>);

impl EventData {
    pub(super) fn from_input(input: &Input) -> Self {
        let mut structs = HashMap::new();
        let value = event(input, &mut structs);
        EventData { value, structs: Structs(Arc::new(structs)) }
    }

    pub(super) fn structs(&self) -> Structs {
        self.structs.clone()
    }
}

impl Structs {
    /// Returns a value as Go's `json.Marshal` writes it: compact, maps sorted by key, HTML characters escaped.
    pub(super) fn to_json(&self, value: &Value) -> String {
        if let Some(json) = address(value).and_then(|address| self.0.get(&address)) {
            return json.clone();
        }
        match value {
            Value::List(items) => {
                format!("[{}]", items.iter().map(|item| self.to_json(item)).collect::<Vec<_>>().join(","))
            }
            value => {
                let json = Json::from_value(&plain(value)).map(|json| normalize(&json));
                json.map_or_else(|_| "null".to_owned(), |json| escape_html(json.as_str()))
            }
        }
    }
}

/// Returns the address of a map or list in memory. Copies of a value share it.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Map(members) => Some(Arc::as_ptr(members).addr()),
        Value::List(items) => Some(Arc::as_ptr(items).cast::<Value>().addr()),
        _ => None,
    }
}

/// Returns Go's name for a field, given its JSON key.
fn go_name(key: &str) -> String {
    let word = |word: &str| match word {
        "id" | "url" | "api" => word.to_uppercase(),
        word => {
            let mut chars = word.chars();
            chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
        }
    };
    key.split('_').map(word).collect()
}

fn event(input: &Input, structs: &mut HashMap<usize, String>) -> Value {
    let text = |text: Option<&str>| Value::String(text.unwrap_or_default().into());
    let other_text = |key: &str| input.extra(key).and_then(|json| json.to::<String>().ok());
    let message_on = |events: &[Event], key: &str| match events.contains(&input.event) {
        true => text(input.message.as_deref()),
        false => text(other_text(key).as_deref()),
    };
    let mut data: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    let mut put = |name: &str, value: Value| {
        data.insert(name.into(), value);
    };
    for field in Field::ALL {
        let value = match field.field_type() {
            FieldType::Text => text(input.text(*field).as_deref()),
            FieldType::Number => Value::Int(input.number(*field).unwrap_or_default()),
            FieldType::List => {
                let json = input.field(*field).map_or("[]", Json::as_str);
                let json = if *field == Field::FromAgentModels { payload::models(json) } else { compact(json) };
                let list = struct_of(&json, *field, true, structs);
                none_if(input.field(*field).is_none(), &list, structs);
                list
            }
        };
        put(&go_name(field.as_str()), value);
    }
    put("SessionID", text(input.session_id.as_deref()));
    put("Cwd", text(input.pwd.as_deref()));
    put("HookEventName", text(Some(name_of(input.event))));
    put("ToolName", text(input.tool_name.as_deref()));
    put("ToolUseID", text(input.tool_use_id.as_deref()));
    // In docker-agent, the input is always an object. A judge must see any other, too.
    let args = input.tool_input.as_ref().filter(|json| json.as_str() != "null");
    let args_value = args.map_or_else(|| Value::Map(Arc::default()), any);
    none_if(args.is_none(), &args_value, structs);
    put("ToolInput", args_value);
    let result = input.tool_result.as_ref();
    let response = || input.extra("tool_response").map_or(Value::Nil, any);
    put("ToolResponse", result.map_or_else(response, |result| text(Some(&result.content))));
    let failed = || input.extra("tool_error").map(Json::as_str) == Some("true");
    put("ToolError", Value::Bool(result.map_or_else(failed, |result| result.is_error)));
    put("StopResponse", message_on(&payload::ANSWERED, "stop_response"));
    put("Prompt", message_on(&payload::PROMPTED, "prompt"));
    let value = Value::Map(Arc::new(data));
    if let Some(address) = address(&value) {
        structs.insert(address, payload::encode(Generation::V1_58, input));
    }
    value
}

/// Marks an empty list or map that Go never created: it is `null` in JSON.
fn none_if(is_absent: bool, value: &Value, structs: &mut HashMap<usize, String>) {
    if let Some(address) = address(value).filter(|_| is_absent) {
        structs.insert(address, "null".to_owned());
    }
}

/// Converts JSON that has a struct type in Go, with everything in it.
fn struct_of(json: &str, field: Field, is_outermost: bool, structs: &mut HashMap<usize, String>) -> Value {
    let value = match json.as_bytes().first() {
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            items.iter().map(|item| struct_of(item.get(), field, is_outermost, structs)).collect::<Vec<_>>().into()
        }
        Some(b'{') => {
            let mut members: BTreeMap<Arc<str>, Value> = BTreeMap::new();
            let empty = |table: &[(Field, &'static [&'static str])]| {
                let keys = table.iter().filter(|(of, _)| is_outermost && *of == field).map(|(_, keys)| *keys);
                keys.flatten().map(|key| Arc::from(go_name(key))).collect::<Vec<Arc<str>>>()
            };
            members.extend(empty(&EMPTY_TEXTS).into_iter().map(|name| (name, Value::String("".into()))));
            members.extend(empty(&EMPTY_LISTS).into_iter().map(|name| (name, Value::List(Arc::new([])))));
            let given: BTreeMap<String, &RawValue> = serde_json::from_str(json).unwrap_or_default();
            for (key, value) in given {
                members.insert(go_name(&key).into(), struct_of(value.get(), field, false, structs));
            }
            Value::Map(Arc::new(members))
        }
        _ => serde_json::from_str(json).map_or(Value::Nil, |json| convert(&json, typed_number)),
    };
    if let Some(address) = address(&value) {
        structs.insert(address, escape_html(json));
    }
    value
}

/// Converts JSON that has no type of its own in Go.
fn any(json: &Json) -> Value {
    json.to::<serde_json::Value>().map_or(Value::Nil, |json| convert(&json, float))
}

fn convert(json: &serde_json::Value, number: fn(&serde_json::Number) -> Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(flag) => Value::Bool(*flag),
        serde_json::Value::Number(value) => number(value),
        serde_json::Value::String(text) => Value::String(text.as_str().into()),
        serde_json::Value::Array(items) => items.iter().map(|item| convert(item, number)).collect::<Vec<_>>().into(),
        serde_json::Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.as_str().into(), convert(value, number)));
            Value::Map(Arc::new(members.collect()))
        }
    }
}

/// Converts a number whose type Go knows: a whole number becomes an integer.
fn typed_number(number: &serde_json::Number) -> Value {
    number.as_i64().map_or_else(|| float(number), Value::Int)
}

fn float(number: &serde_json::Number) -> Value {
    Value::Float(number.as_f64().unwrap_or_default())
}

fn plain(value: &Value) -> serde_json::Value {
    match value {
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) => (*number).into(),
        Value::Uint(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.as_ref().into(),
        Value::List(items) => items.iter().map(plain).collect(),
        Value::Map(members) => {
            serde_json::Value::Object(members.iter().map(|(key, value)| (key.to_string(), plain(value))).collect())
        }
        _ => serde_json::Value::Null,
    }
}
