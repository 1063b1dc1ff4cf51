//! Laws of the chain on random hooks.

use super::model::{self, OnFail, Says};
use hookbox::chain::{Member, Rule, fold};
use hookbox::{Action, Code, Decision, Event, Failure, HookInfo, Input, Json, Kind, OnError, Outcome, ToolResult};
use proptest::prelude::*;

fn says() -> impl Strategy<Value = Says> {
    prop_oneof![
        4 => Just(Says::Allow),
        1 => Just(Says::Deny),
        2 => Just(Says::Ask),
        3 => (0..4u8).prop_map(Says::Modify),
        1 => Just(Says::Fail),
    ]
}

fn hook() -> impl Strategy<Value = model::Hook> {
    let on_fail = prop_oneof![Just(OnFail::Deny), Just(OnFail::Ask), Just(OnFail::Allow)];
    (prop::array::uniform4(says()), on_fail, any::<bool>(), any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(says, on_fail, pure, recheck, restricted)| model::Hook { says, on_fail, pure, recheck, restricted })
}

fn input(event: Event, form: u8) -> Input {
    match event {
        Event::PreTool => Input::pre_tool("bash", &form.to_string()).unwrap(),
        Event::PostTool => Input::pre_tool("bash", "{}").unwrap().into_post_tool(result(form)),
        Event::PreMessage => Input::pre_message(form.to_string()),
        _ => Input::post_message(form.to_string()),
    }
}

fn result(form: u8) -> ToolResult {
    ToolResult { is_error: false, content: form.to_string() }
}

fn form_of(input: &Input) -> u8 {
    let text = match input.event {
        Event::PreTool => input.tool_input.as_ref().unwrap().as_str(),
        Event::PostTool => &input.tool_result.as_ref().unwrap().content,
        _ => input.message.as_ref().unwrap(),
    };
    text.parse().unwrap()
}

fn action(says: Says, event: Event) -> Result<Action, Failure> {
    Ok(match says {
        Says::Allow => Action::allow(),
        Says::Deny => Action::deny("no"),
        Says::Ask => Action::ask("sure?"),
        Says::Modify(form) => match event {
            Event::PreTool => Action::modify_tool_input(Json::parse(&form.to_string()).unwrap()),
            Event::PostTool => Action::modify_tool_result(result(form)),
            _ => Action::modify_message(form.to_string()),
        },
        Says::Fail => return Err(Failure::new(Code::Trap, "crashed")),
    })
}

/// Runs the real chain, and records which hooks it asked on which form.
fn run(hooks: &[model::Hook], event: Event, start: u8) -> (Outcome, Vec<(usize, u8)>) {
    let infos: Vec<HookInfo> = hooks
        .iter()
        .enumerate()
        .map(|(index, hook)| {
            let mut info = HookInfo::new(index.to_string(), [event]);
            info.recheck = hook.recheck;
            info.restricted = hook.restricted;
            info.on_error = match hook.on_fail {
                OnFail::Deny => OnError::Deny,
                OnFail::Ask => OnError::Ask,
                OnFail::Allow => OnError::Allow,
            };
            info
        })
        .collect();
    let members = infos.iter().zip(hooks).map(|(info, hook)| Member::new(info, Kind::Native, hook.pure));
    let mut asked = Vec::new();
    let outcome = fold(input(event, start), Rule::hookbox(event), members, |index, input| {
        let form = form_of(input);
        asked.push((index, form));
        action(hooks[index].says[usize::from(form)], event)
    });
    (outcome, asked)
}

fn event() -> impl Strategy<Value = Event> {
    prop::sample::select(vec![Event::PreTool, Event::PostTool, Event::PreMessage, Event::PostMessage])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn the_chain_does_what_the_model_says(
        hooks in prop::collection::vec(hook(), 0..7), event in event(), start in 0..4u8,
    ) {
        let expected = model::run(&hooks, start, event.is_gating());
        let (outcome, asked) = run(&hooks, event, start);
        prop_assert_eq!(outcome.verdict.to_string(), expected.verdict);
        let by = outcome.denied_by.as_ref().or(outcome.asked_by.as_ref());
        prop_assert_eq!(by.cloned(), expected.by.map(|index| index.to_string()));
        prop_assert_eq!(form_of(outcome.input.as_ref().unwrap()), expected.form);
        prop_assert_eq!(outcome.modified, expected.form != start);
        prop_assert_eq!(asked, expected.asked);
    }

    #[test]
    fn what_is_not_denied_was_seen_by_every_pure_hook(
        hooks in prop::collection::vec(hook(), 0..7), start in 0..4u8,
    ) {
        let (outcome, asked) = run(&hooks, Event::PreTool, start);
        if outcome.denied_by.is_some() {
            return Ok(());
        }
        let form = form_of(outcome.input.as_ref().unwrap());
        for (index, _) in hooks.iter().enumerate().filter(|(_, hook)| hook.pure) {
            let last = asked.iter().rev().find(|(asked, _)| *asked == index);
            prop_assert_eq!(last, Some(&(index, form)), "hook {} approved of another form", index);
        }
    }

    #[test]
    fn a_deny_on_the_final_form_is_never_overruled(
        hooks in prop::collection::vec(hook(), 1..7), event in event(), start in 0..4u8,
    ) {
        let (outcome, _) = run(&hooks, event, start);
        let denies = outcome.hooks.iter().any(|record| record.decision == Decision::Deny);
        if event.is_gating() && denies {
            prop_assert!(outcome.denied_by.is_some());
        }
        if !event.is_gating() {
            prop_assert!(outcome.denied_by.is_none() && outcome.asked_by.is_none());
        }
    }

    #[test]
    fn there_is_one_record_for_each_hook_that_was_asked(
        hooks in prop::collection::vec(hook(), 0..7), event in event(), start in 0..4u8,
    ) {
        let (outcome, asked) = run(&hooks, event, start);
        let mut expected: Vec<usize> = asked.into_iter().map(|(index, _)| index).collect();
        expected.sort_unstable();
        expected.dedup();
        let names: Vec<usize> = outcome.hooks.iter().map(|record| record.name.parse().unwrap()).collect();
        prop_assert_eq!(names, expected);
    }
}
