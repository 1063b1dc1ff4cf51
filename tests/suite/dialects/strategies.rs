//! Inputs and Actions that a dialect can express.

use hookbox::{Action, Decision, Event, Field, FieldType, Input, Json, Permission, ToolResult};
use proptest::prelude::*;

/// Generates a non-empty text without surrounding white space.
pub fn text() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| format!("a{}b", text.replace('\0', "")))
}

pub fn maybe<T: std::fmt::Debug + Clone>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::of(value)
}

/// Generates a JSON value in the form that all writers share: no spaces, sorted keys, no characters that some writers
/// escape.
pub fn json() -> impl Strategy<Value = serde_json::Value> {
    let plain = "[a-zA-Z0-9 äß\"\\\\/\n]{0,12}";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-1_000_000_i64..1_000_000).prop_map(Into::into),
        plain.prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map("[a-zA-Z_ä]{0,6}", inner, 0..4)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Generates an object with at least one member.
pub fn object() -> impl Strategy<Value = Json> {
    prop::collection::btree_map("[a-z_]{1,6}", json(), 1..4)
        .prop_map(|members| Json::from_value(&serde_json::Value::Object(members.into_iter().collect())).unwrap())
}

/// Generates the fields of an Input that are common to all dialects.
pub fn input(events: Vec<Event>) -> impl Strategy<Value = Input> {
    let names = (text(), text(), maybe(text()), maybe(text()), maybe(text()));
    let rest = (maybe(object()), any::<bool>(), text(), 1..u64::MAX);
    (prop::sample::select(events), names, rest).prop_map(|(event, names, rest)| {
        let mut input = Input::new(event);
        let (session_id, pwd, tool_name, tool_use_id, message) = names;
        (input.session_id, input.pwd) = (Some(session_id), Some(pwd));
        (input.tool_name, input.tool_use_id, input.message) = (tool_name, tool_use_id, message);
        let (tool_input, is_error, content, turn) = rest;
        (input.tool_input, input.turn) = (tool_input, Some(turn));
        input.tool_result = Some(ToolResult { is_error, content });
        input
    })
}

/// Generates an Input with non-empty fields of lifecycle events.
pub fn with_fields(input: impl Strategy<Value = Input>, fields: &'static [Field]) -> impl Strategy<Value = Input> {
    let values = (text(), 1..1000_i64, prop::collection::vec(any::<bool>(), fields.len()));
    (input, values).prop_map(move |(mut input, (text, number, given))| {
        for (field, _) in fields.iter().zip(given).filter(|(_, given)| *given) {
            let value = match field.field_type() {
                FieldType::Text => Json::string(&text),
                FieldType::Number => Json::from_value(&number).unwrap(),
                _ if *field == Field::FromAgentModels => Json::parse(r#"[{"provider":"p","model":"m"}]"#).unwrap(),
                _ => Json::parse(r#"[{"role":"user","content":"hi"}]"#).unwrap(),
            };
            input.set_field(*field, Some(value)).unwrap();
        }
        input
    })
}

/// Generates what a docker-agent hook can say on the event.
pub fn docker_agent_action(event: Event) -> impl Strategy<Value = Action> {
    let texts = (maybe(text()), maybe(text()), maybe(text()), maybe(text()));
    let permissions = match event {
        Event::PreTool => vec![None, Some(Permission::Allow), Some(Permission::Ask), Some(Permission::Deny)],
        Event::PermissionRequest => vec![None, Some(Permission::Allow), Some(Permission::Deny)],
        _ => vec![None],
    };
    let rest = (any::<bool>(), any::<bool>(), prop::sample::select(permissions), maybe(object()), any::<bool>());
    (texts, rest).prop_map(move |(texts, (denies, stop, permission, update, rewrites))| {
        let mut action = set!(Action::default(), stop: stop, permission: permission);
        let reason;
        (reason, action.stop_reason, action.system_message, action.additional_context) = texts;
        action.permission_reason = reason.clone().filter(|_| permission.is_some());
        match event {
            Event::PreTool => action.updated_input = update,
            Event::BeforeLlmCall if rewrites => {
                action.updated_messages = Some(Json::parse(r#"[{"content":"hi","role":"user"}]"#).unwrap());
            }
            Event::ToolResponseTransform if rewrites => action.updated_tool_response = Some(String::new()),
            Event::BeforeCompaction if rewrites => action.summary = Some("short".to_owned()),
            _ => {}
        }
        let rewrites = action.updated_input.is_some()
            || action.updated_messages.is_some()
            || action.updated_tool_response.is_some()
            || action.summary.is_some();
        if denies {
            action.decision = Decision::Deny;
            action.reason = reason;
        } else if rewrites {
            action.decision = Decision::Modify;
        }
        action
    })
}
