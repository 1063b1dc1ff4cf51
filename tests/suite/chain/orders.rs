//! The orders of other hook systems: all hooks in turn, or all at once.

use hookbox::chain::{Base, Chain, Member, Order, Rule, fold};
use hookbox::{
    Action, Code, Decision, Event, Failure, Field, HookInfo, Input, Json, Kind, OnError, Outcome, Permission, Verdict,
};
use proptest::prelude::*;
use std::time::Duration;

fn rule(order: Order) -> Rule {
    Rule::hookbox(Event::PreTool).with_order(order).with_stop_denies(true).with_base(Base::Empty)
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn update(text: &str) -> Action {
    set!(Action::default(), decision: Decision::Modify, updated_input: Some(json(text)))
}

fn call() -> Input {
    Input::pre_tool("bash", r#"{"a":0,"b":0}"#).unwrap()
}

/// Runs hooks that always answer the same.
fn run(rule: Rule, input: Input, actions: &[Action]) -> Outcome {
    let infos: Vec<HookInfo> = (0..actions.len()).map(|index| HookInfo::new(index.to_string(), [])).collect();
    let members = infos.iter().map(|info| Member::new(info, Kind::Native, false));
    fold(input, rule, members, |index, _| Ok(actions[index].clone()))
}

fn tool_input(outcome: &Outcome) -> &str {
    outcome.input.as_ref().unwrap().tool_input.as_ref().unwrap().as_str()
}

fn asked(outcome: &Outcome) -> Vec<&str> {
    outcome.hooks.iter().map(|record| record.name.as_str()).collect()
}

#[test]
fn every_hook_is_asked_and_the_first_deny_names_the_reason() {
    let actions = [Action::ask("sure?"), Action::deny("first"), Action::deny("second"), Action::allow()];
    for order in [Order::All, Order::AtOnce] {
        let outcome = run(rule(order), call(), &actions);
        assert_eq!(outcome.verdict, Verdict::Deny);
        assert_eq!((outcome.denied_by.as_deref(), outcome.reason.as_deref()), (Some("1"), Some("first")));
        assert_eq!(asked(&outcome), ["0", "1", "2", "3"]);
    }
}

#[test]
fn hooks_that_are_asked_at_once_see_the_same_input() {
    let infos = ["a", "b"].map(|name| HookInfo::new(name, []));
    let members = infos.iter().map(|info| Member::new(info, Kind::Native, false));
    let mut chain = Chain::new(call(), rule(Order::AtOnce), members);
    assert_eq!(chain.due(), [0, 1]);
    chain.answer(1, Ok(update(r#"{"b":2}"#)), Duration::ZERO);
    assert_eq!(chain.due(), [0], "one answer is still out");
    assert_eq!(chain.input(), &call(), "nothing is put in place before all have answered");
    chain.answer(0, Ok(update(r#"{"a":1,"b":1}"#)), Duration::ZERO);
    assert_eq!(chain.due(), [0; 0]);
    assert_eq!(tool_input(&chain.finish()), r#"{"a":1,"b":2}"#, "in the order of the hooks, not of the answers");
}

#[test]
fn what_is_put_together_takes_the_place_of_the_input_or_of_its_members() {
    let updates = [update(r#"{"a":1}"#), update(r#"{"c":{"d":[1]}}"#)];
    let outcome = run(rule(Order::AtOnce), call(), &updates);
    assert_eq!(tool_input(&outcome), r#"{"a":1,"c":{"d":[1]}}"#);
    let outcome = run(rule(Order::AtOnce).with_base(Base::Current), call(), &updates);
    assert_eq!(tool_input(&outcome), r#"{"a":1,"b":0,"c":{"d":[1]}}"#);
    let outcome = run(Rule::hookbox(Event::PreTool), call(), &updates);
    assert_eq!(tool_input(&outcome), r#"{"a":1,"b":0,"c":{"d":[1]}}"#, "one after another, the rest stays");
    let outcome = run(rule(Order::AtOnce), call(), &[update("{}")]);
    assert_eq!((tool_input(&outcome), outcome.modified), ("{}", true));
    let not_an_object = Input::pre_tool("bash", "[1]").unwrap();
    let outcome = run(Rule::hookbox(Event::PreTool), not_an_object, &updates[..1]);
    assert_eq!(tool_input(&outcome), r#"{"a":1}"#, "there is nothing to put members into");
}

#[test]
fn of_rewrites_that_fit_one_place_the_first_stays() {
    let rewrite = |text: &str| set!(Action::default(), decision: Decision::Modify, summary: Some(text.to_owned()));
    let outcome = run(rule(Order::AtOnce), Input::new(Event::BeforeCompaction), &[rewrite("first"), rewrite("second")]);
    assert_eq!(outcome.input.unwrap().text(Field::Summary).as_deref(), Some("first"));
    let messages = |text: &str| set!(Action::default(), decision: Decision::Modify, updated_messages: Some(json(text)));
    let outcome = run(rule(Order::AtOnce), Input::new(Event::BeforeLlmCall), &[messages("[1]"), messages("[2]")]);
    assert_eq!(outcome.input.unwrap().field(Field::Messages), Some(&json("[1]")));
    let outcome =
        run(Rule::hookbox(Event::BeforeLlmCall), Input::new(Event::BeforeLlmCall), &[messages("[1]"), messages("[2]")]);
    assert_eq!(outcome.input.unwrap().field(Field::Messages), Some(&json("[2]")), "each builds upon the last");
    let mut returned = Input::new(Event::ToolResponseTransform);
    returned.tool_result = Some(hookbox::ToolResult { is_error: true, content: "secret".to_owned() });
    let hide = set!(Action::default(), decision: Decision::Modify, updated_tool_response: Some(String::new()));
    let result = run(rule(Order::AtOnce), returned, &[hide]).input.unwrap().tool_result.unwrap();
    assert_eq!((result.is_error, result.content.as_str()), (true, ""), "what is not rewritten stays");
}

#[test]
fn stopping_the_loop_stops_the_thing_where_the_rule_says_so() {
    let stop = set!(Action::default(), stop: true, stop_reason: Some("enough".to_owned()));
    let outcome = run(rule(Order::AtOnce), call(), std::slice::from_ref(&stop));
    assert_eq!((outcome.verdict, outcome.reason.as_deref()), (Verdict::Deny, Some("enough")));
    assert!(outcome.stop);
    let outcome = run(Rule::hookbox(Event::PreTool), call(), &[stop]);
    assert_eq!((outcome.verdict, outcome.stop), (Verdict::Allow, true));
}

#[test]
fn a_permission_counts_where_a_user_would_be_asked() {
    let permit = |permission| set!(Action::default(), permission: Some(permission), permission_reason: Some("policy".to_owned()));
    for (permission, verdict) in
        [(Permission::Allow, Verdict::Allow), (Permission::Ask, Verdict::Ask), (Permission::Deny, Verdict::Deny)]
    {
        for event in [Event::PreTool, Event::PermissionRequest] {
            let outcome = run(Rule::hookbox(event), Input::new(event), &[permit(permission)]);
            assert_eq!((outcome.verdict, outcome.permission), (verdict, Some(permission)), "{event}");
            assert_eq!(outcome.permission_reason.as_deref(), Some("policy"));
        }
        let outcome = run(Rule::hookbox(Event::PreMessage), Input::new(Event::PreMessage), &[permit(permission)]);
        assert_eq!((outcome.verdict, outcome.permission), (Verdict::Allow, None));
        assert_eq!(outcome.warnings[0].code, Code::Ignored);
    }
    let both = [permit(Permission::Allow), permit(Permission::Ask)];
    assert_eq!(run(rule(Order::AtOnce), call(), &both).permission, Some(Permission::Ask), "the most restrictive one");
}

/// A hook whose answer depends on the form of the input that it sees.
#[derive(Clone, Debug)]
struct Hook {
    says: [u8; 3],
    is_pure: bool,
}

fn hooks() -> impl Strategy<Value = Vec<Hook>> {
    let hook = (prop::array::uniform3(0..6u8), any::<bool>()).prop_map(|(says, is_pure)| Hook { says, is_pure });
    prop::collection::vec(hook, 0..6)
}

fn answer(hook: &Hook, input: &Input) -> Result<Action, Failure> {
    let form =
        input.tool_input.as_ref().unwrap().as_str().bytes().filter(u8::is_ascii_digit).map(usize::from).sum::<usize>();
    match hook.says[form % 3] {
        0 => Ok(Action::allow()),
        1 => Ok(Action::ask("sure?")),
        2 => Err(Failure::new(Code::Trap, "crashed")),
        number => Ok(update(&format!(r#"{{"a":{number}}}"#))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// In any order of hooks: what is not denied was approved by every pure hook in its final form.
    #[test]
    fn no_approval_is_stale(hooks in hooks(), fails_open in any::<bool>()) {
        for order in [Order::FirstDeny, Order::All, Order::AtOnce] {
            let mut info = HookInfo::new("hook", []);
            info.on_error = if fails_open { OnError::Allow } else { OnError::Deny };
            let members = hooks.iter().map(|hook| Member::new(&info, Kind::Native, hook.is_pure));
            let mut last_seen = vec![None; hooks.len()];
            let outcome = fold(call(), rule(order), members, |index, input| {
                last_seen[index] = input.tool_input.clone();
                answer(&hooks[index], input)
            });
            let denies = outcome.hooks.iter().any(|record| record.decision == Decision::Deny);
            prop_assert!(!denies || outcome.verdict == Verdict::Deny);
            if outcome.verdict != Verdict::Deny {
                let form = outcome.input.unwrap().tool_input;
                for (hook, seen) in hooks.iter().zip(last_seen).filter(|(hook, _)| hook.is_pure) {
                    prop_assert_eq!(&seen, &form, "{:?} {:?}", order, hook);
                }
            }
        }
    }
}
