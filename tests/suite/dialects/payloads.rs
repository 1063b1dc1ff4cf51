//! A dialect reads a payload as the same Input that it encodes.

use super::faithful;
use super::strategies::{input, with_fields};
use hookbox::{Event, Field, Input, ToolResult};
use proptest::prelude::*;

const FOUR: [Event; 4] = [Event::PreTool, Event::PostTool, Event::PreMessage, Event::PostMessage];

#[track_caller]
fn is_read_back(dialect: &str, input: &Input) -> Result<(), TestCaseError> {
    let dialect = faithful(dialect);
    let payload = dialect.payload(input, None);
    prop_assert_eq!(&dialect.decode_payload(payload.as_bytes()).unwrap(), input, "{}", payload);
    Ok(())
}

/// Removes the fields that the system's payloads do not have.
fn for_ok(mut input: Input) -> Input {
    (input.session_id, input.tool_use_id) = (None, None);
    input.tool_result = Some(ToolResult { is_error: false, ..input.tool_result.take().unwrap() })
        .filter(|result| input.event.has_tool() && !result.content.is_empty());
    input.message = input.message.take().filter(|_| !input.event.has_tool());
    input
}

fn for_ub(mut input: Input) -> Input {
    (input.pwd, input.message) = (None, None);
    if input.tool_name.is_none() {
        (input.tool_input, input.tool_use_id) = (None, None);
    } else {
        input.tool_use_id.get_or_insert_default();
    }
    input
}

/// Returns the events that docker-agent has.
fn of_docker_agents() -> Vec<Event> {
    let others = [
        Event::Stop,
        Event::SubagentStart,
        Event::PostCompact,
        Event::ConfigChange,
        Event::PermissionDenied,
        Event::ToolInputTransform,
        Event::ToolGuard,
        Event::SteeringSubmit,
        Event::FollowupSubmit,
        Event::WorktreeCreate,
    ];
    Event::ALL.iter().copied().filter(|event| !others.contains(event)).collect()
}

fn for_docker_agent(mut input: Input) -> Input {
    input.turn = None;
    let returned = [Event::PostTool, Event::ToolResponseTransform];
    input.tool_result = input.tool_result.take().filter(|_| returned.contains(&input.event));
    let spoken = [Event::PreMessage, Event::PostMessage, Event::AfterLlmCall, Event::SubagentStop];
    input.message = input.message.take().filter(|_| spoken.contains(&input.event));
    input
}

fn for_docker_agent_v1(input: Input) -> Input {
    let mut input = for_docker_agent(input);
    input.message = None;
    if let Some(result) = &mut input.tool_result {
        result.is_error = false;
    }
    input
}

fn for_hygge(mut input: Input) -> Input {
    input.hook_name = Some(input.event.as_str().to_owned());
    (input.tool_use_id, input.turn) = (None, None);
    input.tool_name = input.tool_name.take().map(|name| name.replace(char::is_control, "_"));
    input
}

proptest! {
    #[test]
    fn of_ok(input in input(FOUR.to_vec()).prop_map(for_ok)) {
        is_read_back("ok", &input)?;
    }

    #[test]
    fn of_ub(input in input(FOUR.to_vec()).prop_map(for_ub)) {
        is_read_back("ub", &input)?;
    }

    #[test]
    fn of_hygge(input in input(FOUR.to_vec()).prop_map(for_hygge)) {
        is_read_back("hygge", &input)?;
    }

    #[test]
    fn of_docker_agent(input in with_fields(input(of_docker_agents()), Field::ALL).prop_map(for_docker_agent)) {
        is_read_back("docker-agent", &input)?;
    }

    #[test]
    fn of_docker_agent_v1(
        input in with_fields(
            input(vec![
                Event::PreTool, Event::PostTool, Event::SessionStart, Event::SessionEnd, Event::UserInput,
            ]),
            &[Field::Source, Field::Reason],
        ).prop_map(for_docker_agent_v1)
    ) {
        is_read_back("docker-agent-v1", &input)?;
    }

    #[test]
    fn no_payload_crashes_a_reader(text in any::<Vec<u8>>(), json in "[\\[\\]{}\",:a0 \\\\u]{0,40}") {
        for name in hookbox::dialect::NAMES {
            let _ = faithful(name).decode_payload(&text);
            let _ = faithful(name).decode_payload(json.as_bytes());
        }
    }
}
