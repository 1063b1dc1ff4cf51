//! Laws that hold for any call.

use crate::{Settings, judge};
use hookbox_sdk::{Decision, Event, Input, Json, Tool, ToolKind};
use proptest::prelude::*;

fn decide(tool: &Tool, name: &str, arguments: &str, settings: Settings) -> Option<Decision> {
    let mut input = Input::new(Event::PreTool).with_settings(settings);
    input.tool_name = Some(name.to_owned());
    input.tool_input = Json::parse(arguments).ok();
    judge(&input.with_facts(tool)).ok().map(|action| action.decision)
}

fn tool(server: Option<&str>, name: &str) -> Tool {
    let mut tool = Tool::new(ToolKind::Mcp);
    tool.server = server.map(str::to_owned);
    tool.tool = Some(name.to_owned());
    tool
}

#[test]
fn other_events_are_no_concern_of_it() {
    let input = Input::new(Event::PostTool).with_settings(Settings::default());
    assert!(judge(&input.with_facts(&tool(Some("a"), "b"))).is_ok_and(|action| action.is_allow()));
}

proptest! {
    /// An unlisted tool is never allowed, whatever its name and arguments.
    #[test]
    fn nothing_is_allowed_by_itself(server in proptest::option::of("\\PC{1,12}"), name in "\\PC{1,12}", value in "\\PC{0,30}") {
        let arguments = Json::from(value.as_str());
        let arguments = format!("{{\"sql\":{arguments},\"sql\":[{arguments}]}}");
        let settings = Settings { allow: vec!["some/tool".to_owned()], ..Settings::default() };
        prop_assume!(server.as_deref() != Some("some"));
        let decision = decide(&tool(server.as_deref(), &name), &format!("mcp__x__{name}"), &arguments, settings);
        prop_assert!(matches!(decision, Some(Decision::Ask | Decision::Deny)));
    }

    /// A tool that `deny` names is denied, whatever else the settings allow, and however its name is spelled.
    #[test]
    fn a_denial_outweighs_all(server in "[a-z]{1,6}", name in "[a-z_]{1,8}", upper in any::<bool>()) {
        let settings = Settings {
            allow: vec!["*/*".to_owned()],
            deny: vec![format!("{server}/{name}")],
            ..Settings::default()
        };
        let spelled = if upper { server.to_uppercase() } else { server };
        prop_assert_eq!(decide(&tool(Some(&spelled), &name), "", "{}", settings), Some(Decision::Deny));
    }
}
