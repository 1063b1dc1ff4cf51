//! A chain's decision, in the form of a single hygge hook's answer: hygge has no other form for it.

use super::answer;
use crate::protocol::{Action, Decision, Event, Outcome, Verdict};

pub(super) fn encode(outcome: &Outcome) -> String {
    let Some(input) = &outcome.input else {
        return Action { decision: Decision::Deny, reason: outcome.reason.clone(), ..Action::default() }.to_json();
    };
    let append = outcome.system_prompt_additions.join("\n\n");
    let mut action = Action {
        decision: match outcome.verdict {
            Verdict::Deny => Decision::Deny,
            Verdict::Ask => Decision::Ask,
            Verdict::Allow if outcome.modified => Decision::Modify,
            Verdict::Allow => Decision::Allow,
        },
        reason: outcome.reason.clone(),
        stop: outcome.stop,
        stop_reason: outcome.stop_reason.clone(),
        system_prompt_append: Some(append).filter(|text| !text.is_empty()),
        ..Action::default()
    };
    if action.decision == Decision::Modify {
        match input.event {
            Event::PreTool => action.modified_tool_input.clone_from(&input.tool_input),
            Event::PostTool => action.modified_tool_result.clone_from(&input.tool_result),
            _ => action.modified_message.clone_from(&input.message),
        }
    }
    answer::encode(input.event, &action).stdout
}
