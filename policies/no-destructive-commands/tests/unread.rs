//! Parts of the call of an unknown tool that were not read.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use hookbox_sdk::{Action, Event, Input, Json};
use no_destructive_commands::{Settings, judge};
use serde_json::json;

/// Judges the call of an MCP tool that runs `ls`, and about which this is not known.
fn judged(what: &str) -> Action {
    let facts = json!({
        "kind": "mcp", "command": "ls", "commands": [{ "name": "ls", "argv": ["ls"], "text": "ls" }],
        "unknown": ["what the tool does with its arguments", what], "complete": false,
    });
    let mut input = Input::new(Event::PreTool);
    input.tool = Json::from_value(&facts).ok();
    judge(&input.with_settings(Settings::default())).unwrap()
}

/// Whoever fills a call up to a limit decides what comes after it.
#[test]
fn what_is_beyond_a_limit_may_be_a_command() {
    for what in [
        "more arguments than are read, in JSON in a text",
        "more command lines than are read",
        "more commands than can be told",
        "more texts than are looked at, which may be commands",
        "the command holds too many commands to be checked",
        "the commands of the text: what reads them did not answer in time",
    ] {
        assert!(judged(what).is_ask(), "{what}");
    }
    for what in ["more texts than are looked at, which may be paths", "a word that is too long to be checked"] {
        assert!(judged(what).is_allow(), "{what}");
    }
}
