//! The template of a model hook's prompt: Go's templates, over the event by docker-agent's names.

use crate::dialect::docker_agent::event::name_of;
use crate::dialect::go::encode::{escape_html, normalize};
use crate::protocol::{Event, Field, Input, Json};
use gotmpl::parse::{Expr, ListNode, Node, PipeNode};
use gotmpl::{Template, TemplateError, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What Go calls the template in its messages.
const NAME: &str = "hook-prompt";

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

/// A prompt that can be rendered for events.
pub(super) struct Prompt {
    template: Template,
    /// Why it cannot be rendered, if it names what no event has. Go finds out when it comes to it.
    fault: Option<String>,
}

impl Prompt {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let template = Template::new(NAME)
            .func("toJSON", |args| one(args).map(|value| Value::String(to_json(value).into())))
            .func("truncate", truncate)
            .parse(text)
            .map_err(|error| in_go_words(&error))?;
        // Go looks a name up in a struct, where what is not there is an error; in a map it would be no value.
        let fault = template.lookup(NAME).and_then(|tree| check(tree, true).err());
        Ok(Prompt { template, fault })
    }

    pub(super) fn render(&self, input: &Input) -> Result<String, String> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => self.template.execute_to_string(&data(input)).map_err(|error| error.to_string()),
        }
    }
}

/// Go names the line of a template alone, without the column.
fn in_go_words(error: &TemplateError) -> String {
    match error {
        TemplateError::Parse { line, message, .. } | TemplateError::Lex { line, message, .. } => {
            format!("template: {NAME}:{line}: {message}")
        }
        error => error.to_string(),
    }
}

/// Go's name of a field.
fn go_name(field: Field) -> String {
    match field {
        Field::ModelId => "ModelID".to_owned(),
        Field::ParentSessionId => "ParentSessionID".to_owned(),
        field => field.as_str().split('_').map(capitalized).collect(),
    }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// Refuses a name that the event does not have, where the dot or `$` is the event.
fn check(list: &ListNode, dot_is_event: bool) -> Result<(), String> {
    for node in &list.nodes {
        match node {
            Node::List(list) => check(list, dot_is_event)?,
            Node::Action(action) => check_pipe(&action.pipe, dot_is_event)?,
            Node::If(branch) => {
                check_pipe(&branch.pipe, dot_is_event)?;
                check(&branch.body, dot_is_event)?;
                branch.else_body.as_ref().map_or(Ok(()), |list| check(list, dot_is_event))?;
            }
            Node::Range(branch) | Node::With(branch) => {
                check_pipe(&branch.pipe, dot_is_event)?;
                check(&branch.body, false)?;
                branch.else_body.as_ref().map_or(Ok(()), |list| check(list, dot_is_event))?;
            }
            Node::Template(template) => {
                template.pipe.as_ref().map_or(Ok(()), |pipe| check_pipe(pipe, dot_is_event))?;
            }
            Node::Text(_) | Node::Define(_) | Node::Break(_) | Node::Continue(_) => {}
        }
    }
    Ok(())
}

fn check_pipe(pipe: &PipeNode, dot_is_event: bool) -> Result<(), String> {
    pipe.commands.iter().flat_map(|command| &command.args).try_for_each(|arg| check_expr(arg, dot_is_event))
}

fn check_expr(expr: &Expr, dot_is_event: bool) -> Result<(), String> {
    let name = match expr {
        Expr::Field(_, names) if dot_is_event => names.first(),
        Expr::Variable(_, variable, names) if variable == "$" => names.first(),
        Expr::Pipe(_, pipe) => return check_pipe(pipe, dot_is_event),
        Expr::Chain(_, inner, _) => return check_expr(inner, dot_is_event),
        _ => None,
    };
    let Some(name) = name.map(|name| name.as_str()) else {
        return Ok(());
    };
    let is_known = OTHER_FIELDS.contains(&name) || Field::ALL.iter().any(|field| go_name(*field) == name);
    if is_known { Ok(()) } else { Err(format!("template: {NAME}: can't evaluate field {name} in type *hooks.Input")) }
}

/// The event by docker-agent's names.
fn data(input: &Input) -> Value {
    let text = |text: Option<&str>| Value::String(text.unwrap_or_default().into());
    let message_on = |events: &[Event]| text(input.message.as_deref().filter(|_| events.contains(&input.event)));
    let mut data: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    let mut put = |name: &str, value: Value| {
        data.insert(name.into(), value);
    };
    for field in Field::ALL {
        let empty = match field.field_type() {
            crate::protocol::FieldType::Text => Value::String("".into()),
            crate::protocol::FieldType::Number => Value::Int(0),
            crate::protocol::FieldType::List => Value::List(Arc::new([])),
        };
        put(&go_name(*field), input.field(*field).map_or(empty, |json| value(json, names_of(*field))));
    }
    put("SessionID", text(input.session_id.as_deref()));
    put("Cwd", text(input.pwd.as_deref()));
    put("HookEventName", text(Some(name_of(input.event))));
    put("ToolName", text(input.tool_name.as_deref()));
    put("ToolUseID", text(input.tool_use_id.as_deref()));
    let args = input.tool_input.as_ref().filter(|json| json.as_str().starts_with('{'));
    put("ToolInput", args.map_or_else(|| Value::Map(Arc::default()), |json| value(json, str::to_owned)));
    let result = input.tool_result.as_ref();
    put("ToolResponse", result.map_or(Value::Nil, |result| text(Some(&result.content))));
    put("ToolError", Value::Bool(result.is_some_and(|result| result.is_error)));
    put("StopResponse", message_on(&[Event::PostMessage, Event::AfterLlmCall, Event::SubagentStop]));
    put("Prompt", message_on(&[Event::PreMessage]));
    Value::Map(Arc::new(data))
}

/// How the members of a field's objects are called.
fn names_of(field: Field) -> fn(&str) -> String {
    match field {
        Field::FromAgentModels => |name| match name {
            "base_url" => "BaseURL".to_owned(),
            "unload_api" => "UnloadAPI".to_owned(),
            name => capitalized(name),
        },
        Field::Messages => |name| name.split('_').map(capitalized).collect(),
        _ => str::to_owned,
    }
}

/// JSON as a template sees it, with the members of the outermost objects under these names.
fn value(json: &Json, name: fn(&str) -> String) -> Value {
    json.to::<serde_json::Value>().map_or(Value::Nil, |json| convert(&json, name))
}

fn convert(json: &serde_json::Value, name: fn(&str) -> String) -> Value {
    match json {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(flag) => Value::Bool(*flag),
        serde_json::Value::Number(number) => Value::Float(number.as_f64().unwrap_or_default()),
        serde_json::Value::String(text) => Value::String(text.as_str().into()),
        serde_json::Value::Array(items) => items.iter().map(|item| convert(item, name)).collect::<Vec<_>>().into(),
        serde_json::Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (name(key).into(), convert(value, str::to_owned)));
            Value::Map(Arc::new(members.collect()))
        }
    }
}

/// The one argument of a function.
fn one(args: &[Value]) -> Result<&Value, TemplateError> {
    args.first().ok_or_else(|| TemplateError::Exec("toJSON: wrong number of args: want 1".to_owned()))
}

/// Compact JSON with sorted keys and Go's escapes.
fn to_json(value: &Value) -> String {
    let json = Json::from_value(&plain(value)).map(|json| normalize(&json));
    json.map_or_else(|_| "null".to_owned(), |json| escape_html(json.as_str()))
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

/// The first bytes of a text, with a sign that there was more. Where that would cut a character in two, it goes as a
/// whole.
fn truncate(args: &[Value]) -> Result<Value, TemplateError> {
    let [most, Value::String(text)] = args else {
        return Err(TemplateError::Exec("truncate: want a number and a string".to_owned()));
    };
    let most = most.as_int().ok_or_else(|| TemplateError::Exec("truncate: want a number".to_owned()))?;
    match usize::try_from(most) {
        Ok(most) if most > 0 && text.len() > most => {
            let cut = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
            Ok(Value::String(format!("{cut}…").into()))
        }
        _ => Ok(Value::String(Arc::clone(text))),
    }
}
