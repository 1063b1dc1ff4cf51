//! What Gemini CLI does with an answer.

use crate::agent::{Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    let noticed = Capabilities { notice: true, ..Capabilities::NONE };
    let context = Capabilities { context: true, ..noticed };
    match event {
        "BeforeTool" => Capabilities { deny: true, input: Rewriting::Merged, halt: true, ..noticed },
        "AfterTool" => Capabilities { result: true, halt: true, ..context },
        "BeforeAgent" => Capabilities { deny: true, halt: true, ..context },
        "AfterAgent" => Capabilities { deny: true, ..noticed },
        // According to its source; not observed.
        "BeforeModel" => Capabilities { deny: true, ..Capabilities::NONE },
        "SessionStart" => context,
        "SessionEnd" | "PreCompress" | "Notification" => noticed,
        _ => Capabilities::NONE,
    }
}
