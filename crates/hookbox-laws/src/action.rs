//! The law for the answer of a hook. An accepted answer means the same to `serde_json` and survives a round trip. A
//! rejected answer is never an allow. The chain does what the answer says.

use crate::chain::{decide, succeeded};
use hookbox::runtime::shell::{Codec, HookboxCodec};
use hookbox::{Action, Event, HookInfo, Input, OnError, Permission, Verdict};
use serde_json::Value;

/// Checks the law for this answer of a hook.
pub fn holds(bytes: &[u8]) {
    for event in Event::ALL {
        match Action::from_slice(bytes, *event) {
            Ok(action) => is_what_it_says(&action, bytes, *event),
            Err(_) => is_refused(bytes, *event),
        }
    }
    for event in [Event::PreTool, Event::PreMessage, Event::BeforeLlmCall] {
        chain_obeys(bytes, event);
    }
}

fn is_what_it_says(action: &Action, bytes: &[u8], event: Event) {
    assert_eq!(Action::from_slice(action.to_json().as_bytes(), event).as_ref(), Ok(action), "{}", action.to_json());
    let said: Value = serde_json::from_slice(bytes).unwrap();
    let said = said.as_object().unwrap();
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    assert_eq!(action.decision.as_str(), said.get("decision").map_or("allow", |_| text("decision").unwrap()));
    assert_eq!(action.permission.map(Permission::as_str), text("permission"));
    assert_eq!(action.reason.as_deref(), text("reason"));
    assert_eq!(action.modified_message.as_deref(), text("modified_message"));
    assert_eq!(action.stop, said.get("stop") == Some(&Value::Bool(true)));
    let input = action.modified_tool_input.as_ref();
    assert_eq!(input.map(|json| json.to::<Value>().unwrap()).as_ref(), said.get("modified_tool_input"));
}

/// Asserts that a process that prints a rejected answer fails. Only a process that prints nothing at all allows.
fn is_refused(bytes: &[u8], event: Event) {
    let answer = HookboxCodec.answer(&Input::new(event), &HookInfo::new("hook", [event]), succeeded(bytes));
    assert_eq!(answer.result.is_err(), !bytes.is_empty(), "{answer:?}");
}

fn chain_obeys(bytes: &[u8], event: Event) {
    let decide = |on_error, restricted| {
        let mut info = HookInfo::new("hook", [event]);
        (info.on_error, info.restricted) = (on_error, restricted);
        decide(info, bytes, input(event))
    };
    let action = if bytes.is_empty() { Ok(Action::allow()) } else { Action::answer_to(&input(event), bytes) };
    let Ok(action) = action else {
        assert_eq!(decide(OnError::Deny, false).verdict, Verdict::Deny);
        assert_eq!(decide(OnError::Ask, true).verdict, Verdict::Ask);
        let allowed = decide(OnError::Allow, false);
        assert!(allowed.verdict == Verdict::Allow && !allowed.modified && !allowed.warnings.is_empty(), "{allowed:?}");
        return;
    };
    let outcome = decide(OnError::Allow, false);
    let permission = action.permission.filter(|_| event.has_permission());
    let expected = match (action.decision.as_str(), permission) {
        ("deny", _) | (_, Some(Permission::Deny)) => Verdict::Deny,
        ("ask", _) | (_, Some(Permission::Ask)) => Verdict::Ask,
        _ => Verdict::Allow,
    };
    assert_eq!(outcome.verdict, expected, "{outcome:?}");
    assert!(!outcome.modified || action.decision.as_str() == "modify", "{outcome:?}");
    assert_eq!(outcome.stop, action.stop);

    let restricted = decide(OnError::Allow, true);
    assert_eq!(restricted.verdict, expected, "an untrusted hook may restrict: {restricted:?}");
    assert!(!restricted.modified && !restricted.stop && restricted.permission != Some(Permission::Allow));
    assert!(restricted.additional_context.is_empty() && restricted.system_prompt_additions.is_empty());
    assert!(restricted.system_messages.is_empty(), "{restricted:?}");
}

fn input(event: Event) -> Input {
    let mut input = Input::pre_tool("bash", r#"{"command":"ls"}"#).unwrap();
    input.event = event;
    input.message = Some("hello".to_owned());
    input
}
