//! The list of policies. Their code is in `policies/`.

use super::Policy;
use crate::protocol::Event;

macro_rules! policy {
    ($name:literal, $version:literal, $summary:literal, [$($event:ident),+], $($flag:ident),*) => {
        Policy {
            name: $name,
            version: $version,
            summary: $summary,
            events: &[$(Event::$event),+],
            schema: include_str!(concat!("../../policies/", $name, "/schema.json")),
            cases: include_str!(concat!("../../policies/", $name, "/cases.toml")),
            component: concat!("policies/", $name),
            $($flag: true,)*
            ..NONE
        }
    };
}

const NONE: Policy = Policy {
    name: "",
    version: "",
    summary: "",
    events: &[],
    wants_commands: false,
    is_recommended: false,
    schema: "",
    cases: "",
    component: "",
};

pub(super) static POLICIES: &[Policy] = &[
    policy!("command-allowlist", "1.1.0", "Allows only the commands on a list", [PreTool], wants_commands),
    policy!(
        "injection-scan",
        "1.0.0",
        "Marks results that try to give the agent instructions",
        [PostTool],
        wants_commands
    ),
    policy!("mcp-guard", "1.0.0", "Judges calls of MCP tools by server, tool and arguments", [PreTool],),
    policy!("network-egress", "1.1.0", "Lets commands and tools reach only listed hosts", [PreTool], wants_commands),
    policy!(
        "no-destructive-commands",
        "1.0.0",
        "Stops commands that destroy data: deletes, resets, force pushes, formatted disks, dropped databases",
        [PreTool],
        wants_commands,
        is_recommended
    ),
    policy!(
        "no-secret-leaks",
        "1.0.0",
        "Keeps secrets out of prompts, results and the network",
        [PreTool, PostTool, PreMessage],
        wants_commands,
        is_recommended
    ),
    policy!("package-guard", "1.0.0", "Looks at what package managers would install", [PreTool], wants_commands),
    policy!(
        "protect-paths",
        "1.0.0",
        "Keeps files that decide what runs, or who may do what, as they are, and changes inside the project",
        [PreTool],
        wants_commands,
        is_recommended
    ),
];
