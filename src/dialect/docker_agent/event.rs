//! docker-agent's events.

use super::Generation;
use crate::protocol::Event;

/// How the engine treats the answers to an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) name: &'static str,
    pub(super) event: Event,
    /// Whether its config is a list of matchers that each have hooks, instead of a list of hooks.
    pub(super) has_matchers: bool,
    /// Whether the agent acts on a block.
    pub(super) gating: bool,
    /// Whether text on stdout that is not JSON goes to the model.
    pub(super) takes_text: bool,
}

const fn event(name: &'static str, event: Event) -> Traits {
    Traits { name, event, has_matchers: false, gating: false, takes_text: false }
}

impl Traits {
    const fn matchers(self) -> Self {
        Traits { has_matchers: true, ..self }
    }

    const fn gate(self) -> Self {
        Traits { gating: true, ..self }
    }

    const fn text(self) -> Self {
        Traits { takes_text: true, ..self }
    }
}

/// The events of v1.58.0.
const V2: &[Traits] = &[
    event("pre_tool_use", Event::PreTool).matchers().gate(),
    event("post_tool_use", Event::PostTool).matchers().gate().text(),
    event("permission_request", Event::PermissionRequest).matchers().gate(),
    event("tool_response_transform", Event::ToolResponseTransform).matchers(),
    event("session_start", Event::SessionStart).text(),
    event("user_prompt_submit", Event::PreMessage).gate().text(),
    event("turn_start", Event::TurnStart).text(),
    event("turn_end", Event::TurnEnd),
    event("before_llm_call", Event::BeforeLlmCall).gate(),
    event("after_llm_call", Event::AfterLlmCall),
    event("session_end", Event::SessionEnd),
    event("pre_compact", Event::PreCompact).gate().text(),
    event("before_compaction", Event::BeforeCompaction).gate(),
    event("after_compaction", Event::AfterCompaction),
    event("subagent_stop", Event::SubagentStop),
    event("on_user_input", Event::UserInput),
    event("stop", Event::PostMessage).text(),
    event("notification", Event::Notification),
    event("on_error", Event::Error),
    event("on_max_iterations", Event::MaxIterations),
    event("on_agent_switch", Event::AgentSwitch),
    event("on_session_resume", Event::SessionResume),
    event("on_tool_approval_decision", Event::ToolApprovalDecision),
];

/// The events of the first generation.
const V1: &[Traits] = &[
    event("pre_tool_use", Event::PreTool).matchers().gate(),
    event("post_tool_use", Event::PostTool).matchers().text(),
    event("session_start", Event::SessionStart).text(),
    event("session_end", Event::SessionEnd),
    event("on_user_input", Event::UserInput),
];

impl Generation {
    pub(super) const fn events(self) -> &'static [Traits] {
        match self {
            Generation::First => V1,
            Generation::V1_58 => V2,
        }
    }

    /// The traits of an event, if the generation knows it.
    pub(super) fn traits(self, event: Event) -> Option<&'static Traits> {
        self.events().iter().find(|traits| traits.event == event)
    }
}

/// docker-agent's name for an event.
pub(super) fn name_of(event: Event) -> &'static str {
    Generation::V1_58.traits(event).map_or(event.as_str(), |traits| traits.name)
}

/// docker-agent's names for all events of a generation.
pub(super) fn names(generation: Generation) -> Vec<(&'static str, Event)> {
    generation.events().iter().map(|traits| (traits.name, traits.event)).collect()
}
