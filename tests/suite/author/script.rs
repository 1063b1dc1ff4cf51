//! Turning a script into a component that needs nothing else.

use crate::script::SANDBOX;
use crate::support::ask;
use hookbox::runtime::component::{ComponentFile, ComponentHook, Grants, Limits};
use hookbox::{Code, Event, HookInfo, Kind, Verdict};
use hookbox_cli::author::script_component;
use hookbox_componentize::is_component;
use std::time::Duration;

fn hook(component: &[u8]) -> ComponentHook {
    let mut info = HookInfo::new("made", [Event::PreTool]);
    info.timeout = Some(Duration::from_secs(20));
    ComponentHook::new(info, SANDBOX.prepare(component, None, Grants::default(), Limits::default()).unwrap(), None)
}

#[tokio::test]
async fn a_script_becomes_a_component_of_its_own() {
    // More text than fits into a page of memory, and an even larger answer.
    let source = format!(
        "export default ({{ tool_input }}) => tool_input.command === 'ls'
           ? {{ decision: 'deny', reason: 'größer', additional_context: 'x'.repeat(200_000) }}
           : {{}};
         // {}",
        "ä".repeat(100_000)
    );
    let component = script_component("hook.js", &source).unwrap();
    assert!(is_component(&component));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &component).unwrap();
    let inspection = SANDBOX.inspect(&ComponentFile::open(file.path()).unwrap()).unwrap();
    assert!(inspection.imports.is_empty() && inspection.runnable, "{inspection:?}");
    let outcome = ask(hook(&component)).await;
    assert_eq!((outcome.verdict, outcome.reason.as_deref()), (Verdict::Deny, Some("größer")), "{outcome:?}");
    assert_eq!(outcome.hooks[0].action.additional_context.as_ref().map(String::len), Some(200_000));
    assert_eq!(outcome.hooks[0].kind, Kind::Component);
}

#[tokio::test]
async fn its_errors_name_the_script() {
    let broken = script_component("my \"hook\".js", "export default () => {\n  nowhere() }").unwrap();
    let failure = ask(hook(&broken)).await.hooks[0].failure.clone().unwrap();
    assert_eq!(failure.code, Code::Failed);
    assert_eq!(failure.message, "failed: my \"hook\".js:2:3: ReferenceError: nowhere is not defined");
}
