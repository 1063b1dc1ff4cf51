//! docker-agent's events.

use super::Generation;
use crate::protocol::Event;

/// How the engine treats the answers to an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) name: &'static str,
    pub(super) event: Event,
    /// Whether the event's config is a list of matchers that each have hooks, instead of a list of hooks.
    pub(super) has_matchers: bool,
    /// Whether the agent acts on a block.
    pub(super) gating: bool,
    /// Whether text on stdout that is not JSON goes to the model.
    pub(super) takes_text: bool,
    /// Whether a hook that fails always denies.
    pub(super) closed: bool,
    /// In the third generation: whether hooks may rewrite.
    pub(super) rewrites: bool,
    /// In the third generation: whether the user sees what hooks say about a call.
    pub(super) metadata: bool,
}

const fn event(name: &'static str, event: Event) -> Traits {
    Traits {
        name,
        event,
        has_matchers: false,
        gating: false,
        takes_text: false,
        closed: false,
        rewrites: false,
        metadata: false,
    }
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

    const fn closed(self) -> Self {
        Traits { closed: true, ..self }
    }

    const fn rewrite(self) -> Self {
        Traits { rewrites: true, ..self }
    }

    const fn metadata(self) -> Self {
        Traits { metadata: true, ..self }
    }
}

/// The events of v1.58.0.
const V2: &[Traits] = &[
    event("pre_tool_use", Event::PreTool).matchers().gate().closed(),
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

/// The events of the third generation.
const V3: &[Traits] = &[
    event("tool_input_transform", Event::ToolInputTransform).matchers().gate().rewrite(),
    event("tool_guard", Event::ToolGuard).matchers().gate().closed().metadata(),
    event("pre_tool_use", Event::PreTool).matchers().gate().closed().rewrite(),
    event("post_tool_use", Event::PostTool).matchers().gate(),
    event("permission_request", Event::PermissionRequest).matchers().gate().metadata(),
    event("tool_response_transform", Event::ToolResponseTransform).matchers().rewrite(),
    event("worktree_create", Event::WorktreeCreate).gate().text(),
    event("session_start", Event::SessionStart).text(),
    event("user_prompt_submit", Event::PreMessage).gate().text(),
    event("user_steering_messages_submit", Event::SteeringSubmit).gate().text(),
    event("user_followup_submit", Event::FollowupSubmit).gate().text(),
    event("turn_start", Event::TurnStart).text(),
    event("turn_end", Event::TurnEnd),
    event("before_llm_call", Event::BeforeLlmCall).gate().rewrite(),
    event("after_llm_call", Event::AfterLlmCall),
    event("session_end", Event::SessionEnd),
    event("pre_compact", Event::PreCompact).gate().text(),
    event("before_compaction", Event::BeforeCompaction).gate(),
    event("after_compaction", Event::AfterCompaction),
    event("subagent_stop", Event::SubagentStop),
    event("on_user_input", Event::UserInput),
    event("stop", Event::PostMessage),
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
            Generation::V3 => V3,
        }
    }

    /// Returns the traits of an event, if the generation knows it.
    pub(super) fn traits(self, event: Event) -> Option<&'static Traits> {
        self.events().iter().find(|traits| traits.event == event)
    }
}

/// Returns the help for an event that a generation does not know but a later one does.
pub(super) fn elsewhere(generation: Generation, name: &str) -> Option<String> {
    let known = |other: &Generation| other.events().iter().any(|traits| traits.name == name);
    let other = [Generation::V1_58, Generation::V3].into_iter().filter(|other| *other > generation).find(known)?;
    Some(format!("a later generation has it: use `--dialect {}`", other.dialect()))
}

/// Returns docker-agent's name for an event.
pub(super) fn name_of(event: Event) -> &'static str {
    Generation::V3.traits(event).map_or(event.as_str(), |traits| traits.name)
}

/// Returns docker-agent's names for all events of a generation.
pub(super) fn names(generation: Generation) -> Vec<(&'static str, Event)> {
    generation.events().iter().map(|traits| (traits.name, traits.event)).collect()
}
