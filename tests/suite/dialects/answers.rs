//! A dialect reads a hook's answer as the same Action that it encodes.

use super::strategies::{docker_agent_action, maybe, object, text};
use super::{faithful, strict};
use hookbox::config::{Dialect, Reply};
use hookbox::runtime::shell::End;
use hookbox::{Action, Decision, Event, HookInfo, Input, Json, Permission, ToolResult};
use proptest::prelude::*;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Returns the end of a process that answers this.
fn end(reply: Reply) -> End {
    End::Ended {
        status: ExitStatus::from_raw(reply.exit_code << 8),
        stdout: reply.stdout.into_bytes(),
        stderr: reply.stderr.into_bytes(),
        stdout_held: false,
        stderr_held: false,
        truncated: false,
    }
}

/// Returns what the end of a process with this answer means.
fn read(dialect: &str, event: Event, action: &Action) -> Action {
    let dialect = faithful(dialect);
    let reply = dialect.encode_answer(event, action);
    dialect.answer(&Input::new(event), &HookInfo::new("hook", [event]), end(reply)).result.unwrap()
}

/// Go checks the whole text before it reads any of it.
#[test]
fn a_key_with_a_control_character_that_is_not_escaped_makes_an_answer_unreadable() {
    for (dialect, denies) in [("docker-agent", "block"), ("docker-agent-v1", "block"), ("hygge", "deny")] {
        let answer = |dialect: &dyn Dialect, key: &str| {
            let reply = Reply::new(0, format!(r#"{{"{key}":1,"decision":"{denies}"}}"#), "");
            dialect.answer(&Input::new(Event::PreTool), &HookInfo::new("hook", [Event::PreTool]), end(reply)).result
        };
        let (raw, escaped) = ("a\u{1f}", r"a\u001f");
        assert!(answer(&*strict(dialect), raw).is_err(), "{dialect}");
        assert_eq!(answer(&*faithful(dialect), raw).unwrap(), Action::allow(), "{dialect}");
        assert_eq!(answer(&*faithful(dialect), escaped).unwrap().decision, Decision::Deny, "{dialect}");
    }
}

/// For Go, the long s is a case of the s.
#[test]
fn a_long_s_in_a_key_is_an_s() {
    for (dialect, denies) in [("docker-agent", "block"), ("docker-agent-v1", "block"), ("hygge", "deny")] {
        let end = end(Reply::new(0, format!(r#"{{"deciſion":"{denies}"}}"#), ""));
        let hook = HookInfo::new("hook", [Event::PreTool]);
        let answer = faithful(dialect).answer(&Input::new(Event::PreTool), &hook, end);
        assert_eq!(answer.result.unwrap().decision, Decision::Deny, "{dialect}");
    }
}

/// docker-agent finds an answer unreadable whose `updated_input` is no object, and lets the call pass.
#[test]
fn a_rewrite_that_is_no_object_leaves_a_block_readable() {
    for json in ["[1]", "\"text\"", "5"] {
        let rewrite = Action::modify_tool_input(Json::parse(json).unwrap());
        let update = Action::update_tool_input(Json::parse(json).unwrap());
        let denies = set!(rewrite.clone(), decision: Decision::Deny);
        for action in [rewrite, update, denies] {
            for dialect in ["docker-agent", "docker-agent-v1", "docker-agent-v3"] {
                let read = read(dialect, Event::PreTool, &action);
                assert_eq!(read.decision, Decision::Deny, "{dialect} reads {action:?} as {read:?}");
            }
        }
    }
}

/// Go skips what it does not know in a message, and hookbox cannot pass it on.
#[test]
fn a_rewrite_that_is_too_deep_leaves_a_block_readable() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let messages = format!(r#""updated_messages":[{{"role":"user","content":"x","more":{deep}}}]"#);
    let input = format!(r#""updated_input":{{"command":{deep}}}"#);
    for (event, rewrite) in [(Event::PreTool, &messages), (Event::BeforeLlmCall, &messages), (Event::PreTool, &input)] {
        for dialect in ["docker-agent", "docker-agent-v1", "docker-agent-v3"] {
            let stdout = format!(r#"{{"decision":"block","reason":"no","hook_specific_output":{{{rewrite}}}}}"#);
            let end = end(Reply::new(0, stdout, ""));
            let answer = faithful(dialect).answer(&Input::new(event), &HookInfo::new("hook", [event]), end);
            assert_eq!(answer.result.unwrap(), Action::deny("no"), "{dialect} on {event}: {rewrite}");
        }
    }
}

/// In Go, a status that is not 0 comes before the error about the pipes.
#[test]
fn a_block_counts_even_if_another_process_holds_the_output() {
    let event = Event::PreMessage;
    for dialect in ["docker-agent-v3", "ok"] {
        let held = End::Ended {
            status: ExitStatus::from_raw(2 << 8),
            stdout: Vec::new(),
            stderr: b"no".to_vec(),
            stdout_held: true,
            stderr_held: true,
            truncated: false,
        };
        let answer = faithful(dialect).answer(&Input::new(event), &HookInfo::new("hook", [event]), held);
        assert_eq!(answer.result.unwrap(), Action::deny("no"), "{dialect}");
    }
}

/// A hook that a host makes itself is in no config, so nothing but its program says that it has one.
#[test]
fn a_program_that_does_not_exist_is_not_an_empty_command() {
    let event = Event::PreTool;
    let end = End::Broken {
        given: "nosuch".into(),
        program: "nosuch".into(),
        cwd: "/".into(),
        error: ErrorKind::NotFound.into(),
        hint: None,
    };
    let answer = faithful("ub").answer(&Input::new(event), &HookInfo::new("hook", [event]), end);
    assert_eq!(answer.result.unwrap().decision, Decision::Deny);
}

fn hygge_action(event: Event) -> impl Strategy<Value = Action> {
    let decisions = prop::sample::select(vec![Decision::Allow, Decision::Deny, Decision::Modify]);
    (decisions, maybe(text()), maybe(text()), object(), text()).prop_map(
        move |(decision, reason, append, json, text)| {
            let mut action = set!(Action::default(), decision: decision, reason: reason);
            match (decision, event) {
                (Decision::Modify, Event::PreTool) => action.modified_tool_input = Some(json),
                (Decision::Modify, Event::PreMessage) => action.modified_message = Some(text),
                (Decision::Modify, _) => {
                    action.modified_tool_result = Some(ToolResult { is_error: true, content: text });
                }
                // On an event that cannot be stopped, hygge ignores a deny.
                (Decision::Deny, Event::PostTool) => return Action::allow(),
                _ => {}
            }
            action.system_prompt_append = append.filter(|_| event == Event::PreMessage && decision != Decision::Deny);
            action
        },
    )
}

proptest! {
    #[test]
    fn of_docker_agent(
        (event, action) in prop::sample::select(Event::ALL.to_vec())
            .prop_flat_map(|event| (Just(event), docker_agent_action(event)))
    ) {
        prop_assert_eq!(read("docker-agent", event, &action), action);
    }

    #[test]
    fn of_hygge(
        (event, action) in prop::sample::select(vec![Event::PreTool, Event::PostTool, Event::PreMessage])
            .prop_flat_map(|event| (Just(event), hygge_action(event)))
    ) {
        prop_assert_eq!(read("hygge", event, &action), action);
    }

    #[test]
    fn of_ok_and_ub(reason in text(), denies in any::<bool>()) {
        // The reasons of both dialects are text on stderr, where invisible characters are escaped.
        let seen = Action::deny(hookbox::visible(&reason));
        let (action, seen) = if denies { (Action::deny(reason), seen) } else { (Action::allow(), Action::allow()) };
        for dialect in ["ok", "ub"] {
            prop_assert_eq!(&read(dialect, Event::PreTool, &action), &seen, "{}", dialect);
        }
    }

    /// What a system cannot express becomes something at least as restrictive.
    #[test]
    fn nothing_becomes_less_restrictive(reason in text(), json in object(), message in any::<bool>()) {
        let event = if message { Event::PreMessage } else { Event::PreTool };
        let permit = |permission| set!(Action::default(), permission: Some(permission));
        let mut actions = vec![
            Action::ask(reason.clone()),
            set!(Action::default(), stop: true, stop_reason: Some(reason.clone())),
            if message { Action::modify_message(reason) } else { Action::modify_tool_input(json) },
        ];
        if !message {
            actions.extend([permit(Permission::Deny), permit(Permission::Ask)]);
        }
        for dialect in ["docker-agent", "docker-agent-v1", "hygge", "ok"] {
            if dialect == "docker-agent-v1" && message {
                continue; // The first generation has no such event.
            }
            for action in &actions {
                let read = read(dialect, event, action);
                let permission = read.permission.filter(|permission| *permission != Permission::Allow);
                // docker-agent only asks about tools.
                let asks = permission.is_some() && event == Event::PreTool;
                let restricts = read.decision != Decision::Allow || read.stop || asks;
                prop_assert!(restricts, "{} reads {:?} as {:?} on {}", dialect, action, read, event);
            }
        }
    }

    #[test]
    fn no_output_crashes_a_reader(stdout in any::<Vec<u8>>(), json in "[\\[\\]{}\",:a0 \\\\u]{0,40}", code in 0..300) {
        for name in hookbox::dialect::NAMES {
            for dialect in [faithful(name), strict(name)] {
                for text in [stdout.as_slice(), json.as_bytes()] {
                    let end = End::Ended {
                        status: ExitStatus::from_raw(code),
                        stdout: text.to_vec(),
                        stderr: text.to_vec(),
                        stdout_held: false,
                        stderr_held: false,
                        truncated: false,
                    };
                    let _ = dialect.answer(&Input::new(Event::PreTool), &HookInfo::new("hook", []), end);
                }
            }
        }
    }
}
