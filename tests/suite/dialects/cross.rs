//! A rule of the host decides the same in every dialect.

use super::faithful;
use hookbox::{Action, Event, Input, Json, NativeHook, Outcome, Registry, Verdict};
use proptest::prelude::*;
use serde_json::Value;

/// The rule's answer to a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Says {
    Allow,
    Deny,
    Ask,
    Modify,
    Update,
}

fn says() -> impl Strategy<Value = Says> {
    prop::sample::select(vec![Says::Allow, Says::Deny, Says::Ask, Says::Modify, Says::Update])
}

fn rule(says: Says, event: Event) -> NativeHook<impl Fn(&Input) -> Result<Action, hookbox::Failure> + Send + Sync> {
    NativeHook::new("rule", [event], move |input| {
        // A rule that finds its rewrite applied has nothing to add.
        let is_done = input.tool_input.as_ref().is_some_and(|json| json.as_str().contains("safe"));
        Ok(match says {
            Says::Allow => Action::allow(),
            Says::Deny => Action::deny("no"),
            Says::Ask => Action::ask("really?"),
            Says::Modify | Says::Update if is_done => Action::allow(),
            Says::Modify => Action::modify_tool_input(Json::parse(r#"{"command":"safe"}"#).unwrap()),
            Says::Update => {
                set!(Action::default(), decision: hookbox::Decision::Modify, updated_input: Some(Json::parse(r#"{"command":"safe"}"#).unwrap()))
            }
        })
    })
}

fn decide(dialect: Option<&str>, says: Says) -> Outcome {
    let registry = match dialect {
        Some(name) => Registry::with_rule(faithful(name).rule()),
        None => Registry::new(),
    };
    registry.register(rule(says, Event::PreTool)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(registry.run_pre(Input::pre_tool("bash", r#"{"command":"rm -rf /"}"#).unwrap()))
}

proptest! {
    #[test]
    fn a_rule_decides_the_same_under_each_dialect(says in says()) {
        let own = decide(None, says);
        for name in hookbox::dialect::NAMES {
            let other = decide(Some(name), says);
            prop_assert_eq!(other.verdict, own.verdict, "{}", name);
            prop_assert_eq!(&other.reason, &own.reason, "{}", name);
            prop_assert_eq!(other.modified, own.modified, "{}", name);
            prop_assert_eq!(&other.input, &own.input, "{}", name);
        }
    }

    /// A caller that only reads a system's own report never goes on if the chain did not allow it, and never with a
    /// call other than the one that the chain allowed.
    #[test]
    fn the_report_of_a_system_lets_nothing_pass_that_the_chain_does_not(says in says()) {
        for name in hookbox::dialect::NAMES {
            let outcome = decide(Some(name), says);
            let report: Value = serde_json::from_str(&faithful(name).encode_outcome(&outcome)).unwrap();
            let goes_on = match *name {
                "ok" => report["blocked"] == false,
                "ub" => report["block"] == false,
                "hygge" => report["decision"] != "deny",
                _ => report["allowed"] == true && report["decision"] != "ask",
            };
            prop_assert!(!goes_on || outcome.verdict == Verdict::Allow, "{}: {}", name, report);
            if goes_on && outcome.modified {
                let carries = report.to_string().contains("safe");
                prop_assert!(carries, "{}: {}", name, report);
            }
        }
    }
}

/// On every event that docker-agent can stop, an answer that it cannot express stops.
#[test]
fn what_docker_agent_cannot_say_is_a_block() {
    let events = [Event::PreTool, Event::PermissionRequest, Event::PreMessage, Event::BeforeLlmCall, Event::PreCompact];
    for event in events {
        for (action, words) in [
            (Action::ask("really?"), matches!(event, Event::PreTool | Event::PermissionRequest)),
            (Action::modify_message("other"), event != Event::PreMessage),
        ] {
            let registry = Registry::with_rule(faithful("docker-agent").rule());
            let mut info = hookbox::HookInfo::new("rule", [event]);
            info.on_error = hookbox::OnError::Allow;
            registry.register(NativeHook::with_info(info, move |_| Ok(action.clone()))).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let outcome = runtime.block_on(registry.run(Input::new(event)));
            let report: Value = serde_json::from_str(&faithful("docker-agent").encode_outcome(&outcome)).unwrap();
            assert_eq!(report["allowed"], words, "{event}: {report}");
            assert_ne!(report["permission_allowed"], true, "{event}: {report}");
        }
    }
}
