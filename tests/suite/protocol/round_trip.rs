//! Values are read back as they were written.

use hookbox::internal::ObjectWriter;
use hookbox::{Action, Decision, Event, Field, FieldType, Input, Json, Permission, ToolResult};
use proptest::prelude::*;

fn event() -> impl Strategy<Value = Event> {
    prop::sample::select(Event::ALL.to_vec())
}

#[test]
fn strings_have_the_escapes_that_serde_writes() {
    let odd = (0..0x20).chain([0x22, 0x5c, 0x7f, 0x80, 0x2028, 0x1f600]).filter_map(char::from_u32);
    for c in odd {
        // The character is before, in and after blocks of bytes that are looked at together.
        for before in [0, 1, 30, 31, 32, 33, 63, 64, 100] {
            for after in [0, 1, 31, 32, 33] {
                let text = format!("{}{c}{c}{}", "x".repeat(before), "y".repeat(after));
                let mut out = ObjectWriter::with_capacity(0);
                out.text(&text, &text);
                let spelled = serde_json::to_string(&text).unwrap();
                assert_eq!(out.finish(), format!("{{{spelled}:{spelled}}}"));
            }
        }
    }
}

/// Generates any JSON value as text, with odd spacing and odd strings.
fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,5})?([eE][+-]?[0-9])?",
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" ,\n"))),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|members| {
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| format!("{} : {value}", serde_json::to_string(key).unwrap()))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    tree.prop_map(|text| Json::parse(&text).unwrap())
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(any::<String>())
}

fn result() -> impl Strategy<Value = Option<ToolResult>> {
    prop::option::of((any::<bool>(), any::<String>()).prop_map(|(is_error, content)| ToolResult { is_error, content }))
}

fn input() -> impl Strategy<Value = Input> {
    let names = (text(), text(), text(), text(), text());
    let rest = (prop::option::of(json()), result(), text(), text(), prop::option::of(any::<u64>()));
    let field = prop::option::of((prop::sample::select(Field::ALL.to_vec()), any::<String>(), any::<i64>()));
    (event(), names, rest, field).prop_map(|(event, names, rest, field)| {
        let mut input = Input::new(event);
        (input.session_id, input.hook_name, input.pwd, input.tool_name, input.message) = names;
        input.tool_name = input.tool_name.map(|name| name.replace(char::is_control, "_"));
        (input.tool_input, input.tool_result, input.mode_name, input.tool_use_id, input.turn) = rest;
        if let Some((field, text, number)) = field {
            let value = match field.field_type() {
                FieldType::Text => Json::string(&text),
                FieldType::Number => Json::from_value(&number).unwrap(),
                _ => Json::from_value(&[text]).unwrap(),
            };
            input.set_field(field, Some(value)).unwrap();
        }
        input
    })
}

fn action() -> impl Strategy<Value = (Event, Action)> {
    let decision = prop::sample::select(vec![Decision::Allow, Decision::Deny, Decision::Ask, Decision::Modify]);
    let texts = (text(), text(), text(), text(), text());
    let permissions =
        prop::option::of(prop::sample::select(vec![Permission::Allow, Permission::Ask, Permission::Deny]));
    let more = (permissions, text(), text(), any::<bool>());
    (event(), decision, texts, prop::option::of(json()), text(), result(), any::<bool>(), more).prop_map(
        |(event, decision, texts, tool_input, message, result, stop, more)| {
            let mut action = set!(Action::default(), decision: decision, stop: stop);
            (action.reason, action.system_prompt_append, action.additional_context, ..) = texts.clone();
            (_, _, _, action.system_message, action.stop_reason) = texts;
            action.modified_tool_input = tool_input;
            action.modified_message = message;
            action.modified_tool_result = result;
            let has_lists;
            (action.permission, action.summary, action.updated_tool_response, has_lists) = more;
            if has_lists {
                action.updated_input = Some(Json::parse(r#"{"a" : 1E2}"#).unwrap());
                action.updated_messages = Some(Json::parse("[ ]").unwrap());
            }
            (event, action)
        },
    )
}

proptest! {
    #[test]
    fn an_input_is_read_back_as_it_was_written(input in input()) {
        prop_assert_eq!(Input::from_slice(input.to_json().as_bytes()).unwrap(), input);
    }

    #[test]
    fn what_a_hook_reads_is_a_strict_input(input in input()) {
        let read = Input::from_slice(input.to_hook_json(None).as_bytes()).unwrap();
        prop_assert_eq!(read.tool_input, input.tool_input);
        prop_assert_eq!(read.message, input.message);
    }

    #[test]
    fn an_action_is_read_back_as_it_was_written((event, action) in action()) {
        match Action::from_slice(action.to_json().as_bytes(), event) {
            Ok(read) => prop_assert_eq!(read, action),
            Err(error) => prop_assert!(action.decision == Decision::Modify, "{}", error),
        }
    }

    #[test]
    fn no_text_crashes_the_readers(text in any::<Vec<u8>>(), json in "[\\[\\]{}\",:a0 \\\\u]{0,40}") {
        for bytes in [text.as_slice(), json.as_bytes()] {
            let _ = Input::from_slice(bytes);
            let _ = Action::from_slice(bytes, Event::PreTool);
        }
    }

    /// The strict reader accepts nothing that an ordinary one refuses, and refuses only what it documents.
    #[test]
    fn strict_json_is_json(text in "[\\[\\]{}\",:ab0 ]{0,30}") {
        if Json::parse(&text).is_ok() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        }
    }
}
