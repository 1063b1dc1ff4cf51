//! What Gemini CLI does with each part of an answer.

use crate::agent::capabilities::SWITCHED_OFF_BY_PROJECT;
use crate::agent::{Capabilities, Hole, Rewriting};

/// The ways past Gemini CLI's hooks.
pub(super) const HOLES: &[Hole] = &[
    Hole::new(
        "where hookbox is killed, the tool runs",
        "keep hookbox and its processes from the agent: the policy `protect-paths`",
    ),
    SWITCHED_OFF_BY_PROJECT,
];

pub(super) fn of(event: &str) -> Capabilities {
    let noticed = Capabilities { notice: true, ..Capabilities::NONE };
    let context = Capabilities { context: true, ..noticed };
    match event {
        "BeforeTool" => Capabilities { deny: true, input: Rewriting::Merged, halt: true, ..noticed },
        "AfterTool" => Capabilities { result: true, halt: true, ..context },
        "BeforeAgent" => Capabilities { deny: true, halt: true, ..context },
        "AfterAgent" => Capabilities { deny: true, ..noticed },
        // This is according to Gemini's source. It was not observed.
        "BeforeModel" => Capabilities { deny: true, ..Capabilities::NONE },
        "SessionStart" => context,
        "SessionEnd" | "PreCompress" | "Notification" => noticed,
        _ => Capabilities::NONE,
    }
}
