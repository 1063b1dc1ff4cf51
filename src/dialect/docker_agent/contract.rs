//! The third generation's contracts: what an answer to an event may say. Anything else has no effect.

use super::Generation;
use super::event::name_of;
use crate::protocol::{Action, Decision, Event, Manner, Permission};

/// Drops the parts of the Action that have no effect on the event. If such a part was meant to restrain, the user is
/// told.
pub(super) fn keep(event: Event, manner: Manner, mut action: Action) -> Action {
    let traits = Generation::V3.traits(event);
    let gating = traits.is_some_and(|traits| traits.gating);
    let name = name_of(event);
    let mut ignored = Vec::new();
    if !gating && (action.decision == Decision::Deny || action.stop) {
        ignored.push(format!("a hook blocked {name}, which cannot be blocked"));
        action.stop = false;
        (action.stop_reason, action.reason, action.decision) = (None, None, Decision::Allow);
    }
    if action.permission.is_some() && !event.has_permission() {
        ignored.push(format!("a hook gave a permission_decision on {name}, where it has no effect"));
        (action.permission, action.permission_reason) = (None, None);
    }
    // After an early hook, the agent's own rules still decide.
    if manner.early && action.permission == Some(Permission::Allow) {
        (action.permission, action.permission_reason) = (None, None);
    }
    if !traits.is_some_and(|traits| traits.takes_text) {
        action.additional_context = None;
    }
    // The hooks after a hook that denies a permission or ends the run still see what it rewrites. A hookbox `deny` has
    // no rewrite.
    let blocks = action.decision == Decision::Deny;
    if blocks || manner.early || !event.rewrites_call() {
        (action.updated_input, action.modified_tool_input) = (None, None);
    }
    if blocks || event != Event::BeforeLlmCall {
        action.updated_messages = None;
    }
    if event != Event::ToolResponseTransform {
        (action.updated_tool_response, action.modified_tool_result) = (None, None);
    }
    if event != Event::BeforeCompaction {
        action.summary = None;
    }
    action.decision = match action.decision {
        Decision::Modify if !action.has_rewrite() => Decision::Allow,
        Decision::Allow if action.has_rewrite() => Decision::Modify,
        decision => decision,
    };
    if !ignored.is_empty() {
        let lines = action.system_message.take().into_iter().chain(ignored);
        action.system_message = Some(lines.collect::<Vec<_>>().join("\n"));
    }
    action
}
