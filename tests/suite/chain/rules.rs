//! Individual rules of the chain, with the texts that a user sees.

use hookbox::chain::{Chain, MAX_REASON_BYTES, Member, Rule, fold};
use hookbox::{Action, Code, Decision, Event, Failure, HookInfo, Input, Json, Kind, OnError, Outcome, Verdict};

type Answer = Box<dyn Fn(&Input) -> Result<Action, Failure>>;

struct Fake {
    info: HookInfo,
    is_pure: bool,
    answer: Answer,
}

fn fake(name: &str, answer: impl Fn(&Input) -> Result<Action, Failure> + 'static) -> Fake {
    Fake { info: HookInfo::new(name, []), is_pure: false, answer: Box::new(answer) }
}

fn says(name: &str, action: Action) -> Fake {
    fake(name, move |_| Ok(action.clone()))
}

fn pure(fake: Fake) -> Fake {
    Fake { is_pure: true, ..fake }
}

fn run(input: Input, fakes: &[Fake]) -> Outcome {
    let members = fakes.iter().map(|fake| Member::new(&fake.info, Kind::Native, fake.is_pure));
    let rule = Rule::hookbox(input.event);
    fold(input, rule, members, |index, input| (fakes[index].answer)(input))
}

fn call() -> Input {
    Input::pre_tool("bash", "{\"n\": 1E2}").unwrap()
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn tool_input(outcome: &Outcome) -> &str {
    outcome.input.as_ref().unwrap().tool_input.as_ref().unwrap().as_str()
}

fn decisions(outcome: &Outcome) -> Vec<Decision> {
    outcome.hooks.iter().map(|record| record.decision).collect()
}

#[test]
fn without_hooks_everything_is_allowed_as_it_came() {
    let outcome = run(call(), &[]);
    assert_eq!(outcome, Outcome::allow(call()));
    assert_eq!(tool_input(&outcome), "{\"n\": 1E2}");
}

#[test]
fn the_first_deny_ends_the_chain() {
    let outcome =
        run(call(), &[says("a", Action::allow()), says("b", Action::deny("no")), says("c", Action::deny("x"))]);
    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(outcome.denied_by.as_deref(), Some("b"));
    assert_eq!(outcome.reason.as_deref(), Some("no"));
    assert_eq!(decisions(&outcome), [Decision::Allow, Decision::Deny]);
}

#[test]
fn an_ask_does_not_end_the_chain_and_a_deny_beats_it() {
    let asks = run(call(), &[says("a", Action::ask("sure?")), says("b", Action::allow()), says("c", Action::ask("x"))]);
    assert_eq!(asks.verdict, Verdict::Ask);
    assert_eq!(asks.asked_by.as_deref(), Some("a"));
    assert_eq!(asks.reason.as_deref(), Some("sure?"));
    assert_eq!(decisions(&asks), [Decision::Ask, Decision::Allow, Decision::Ask]);
    let denies = run(call(), &[says("a", Action::ask("sure?")), says("b", Action::deny("no"))]);
    assert_eq!((denies.verdict, denies.denied_by.as_deref()), (Verdict::Deny, Some("b")));
    assert_eq!(denies.asked_by, None);
}

#[test]
fn a_hook_sees_what_the_one_before_it_put_in_place() {
    let first = says("a", Action::modify_tool_input(json("{\"n\":2}")));
    let second = fake("b", |input| {
        assert_eq!(input.tool_input.as_ref().unwrap().as_str(), "{\"n\":2}");
        Ok(Action::allow())
    });
    let outcome = run(call(), &[first, second]);
    assert!(outcome.modified);
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(tool_input(&outcome), "{\"n\":2}");
    assert_eq!(decisions(&outcome), [Decision::Modify, Decision::Allow]);
}

#[test]
fn a_pure_hook_answers_again_on_what_a_later_hook_put_in_place() {
    let guard = pure(fake("guard", |input| {
        let is_bad = input.tool_input.as_ref().unwrap().as_str().contains("evil");
        Ok(if is_bad { Action::deny("evil") } else { Action::allow() })
    }));
    let rewriter = says("rewriter", Action::modify_tool_input(json("{\"x\":\"evil\"}")));
    let outcome = run(call(), &[guard, rewriter]);
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
}

#[test]
fn an_answer_given_again_replaces_the_first() {
    let once = pure(fake("once", |input| {
        let is_first = input.message.as_deref() == Some("one");
        Ok(
            set!(if is_first { Action::ask("first") } else { Action::allow() }, system_prompt_append: Some(format!("saw {}", input.message.as_deref().unwrap()))),
        )
    }));
    let outcome = run(Input::pre_message("one"), &[once, says("b", Action::modify_message("two"))]);
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.system_prompt_additions, ["saw two"]);
}

#[test]
fn hooks_that_undo_each_other_end_in_a_deny() {
    let to = |name: &str, text: &'static str| pure(says(name, Action::modify_tool_input(json(text))));
    let outcome = run(call(), &[to("tabs", "\"t\""), to("spaces", "\"s\"")]);
    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(outcome.denied_by.as_deref(), Some("spaces"));
    assert_eq!(
        outcome.reason.as_deref(),
        Some(
            "E110: hook `spaces` still rewrites the tool call after 3 rounds; it was blocked, since no form of it was \
             seen by every hook"
        )
    );
    assert_eq!(outcome.warnings[0].code, Code::Unrest);
}

#[test]
fn a_rewrite_that_changes_nothing_is_no_rewrite() {
    let outcome = run(call(), &[pure(says("same", Action::modify_tool_input(json("{\"n\": 1E2}"))))]);
    assert!(!outcome.modified);
    assert_eq!(outcome.verdict, Verdict::Allow);
}

#[test]
fn a_failure_counts_as_on_error_says() {
    let cases = [
        (OnError::Deny, Verdict::Deny, "was blocked"),
        (OnError::Ask, Verdict::Ask, "waits for the user's word"),
        (OnError::Allow, Verdict::Allow, "went on without it"),
    ];
    for (on_error, verdict, words) in cases {
        let mut broken = fake("guard", |_| Err(Failure::new(Code::Timeout, "did not answer within 1s")));
        broken.info.on_error = on_error;
        let outcome = run(call(), &[broken]);
        assert_eq!(outcome.verdict, verdict);
        assert_eq!(outcome.hooks[0].code, Some(Code::Timeout));
        assert_eq!(outcome.warnings.len(), 1);
        assert_eq!(
            outcome.warnings[0].message,
            format!("hook `guard` did not answer within 1s; the tool call {words}")
        );
    }
}

#[test]
fn a_failure_on_an_event_that_has_happened_is_a_warning() {
    let input = call().into_post_tool(hookbox::ToolResult::default());
    let outcome = run(input, &[fake("log", |_| Err(Failure::new(Code::Trap, "crashed")))]);
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.warnings[0].message, "hook `log` crashed; the tool result went on without it");
}

#[test]
fn a_modify_without_a_rewrite_that_fits_is_a_failure() {
    for action in [set!(Action::default(), decision: Decision::Modify), Action::modify_message("other event")] {
        let outcome = run(call(), &[says("odd", action)]);
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Action)));
    }
}

#[test]
fn a_rewrite_beside_allow_is_ignored_with_a_warning() {
    let action = set!(Action::allow(), modified_tool_input: Some(json("1")));
    let outcome = run(call(), &[says("odd", action)]);
    assert!(!outcome.modified);
    assert_eq!(outcome.warnings[0].code, Code::Ignored);
    assert_eq!(outcome.warnings[0].message, "hook `odd` sent a rewrite beside `allow`, which was ignored");
}

#[test]
fn a_deny_after_the_fact_changes_nothing_and_is_said() {
    let input = call().into_post_tool(hookbox::ToolResult::default());
    let outcome = run(input, &[says("late", Action::deny("no")), says("next", Action::allow())]);
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.hooks.len(), 2);
    assert_eq!(outcome.warnings[0].message, "hook `late` answered `deny`, which has no effect on post_tool");
}

#[test]
fn the_system_prompt_gets_what_every_hook_but_the_denier_adds() {
    let adds = |name: &str, text: &str| says(name, set!(Action::allow(), system_prompt_append: Some(text.to_owned())));
    let outcome = run(Input::pre_message("hi"), &[adds("a", " one "), adds("b", "  "), adds("c", "two")]);
    assert_eq!(outcome.system_prompt_additions, [" one ", "two"]);
    let denier = set!(Action::deny("no"), system_prompt_append: Some("mine".to_owned()));
    let outcome = run(Input::pre_message("hi"), &[adds("a", "one"), says("b", denier)]);
    assert_eq!(outcome.system_prompt_additions, ["one"]);
}

#[test]
fn context_messages_and_stop_reach_the_outcome() {
    let action = set!(Action::allow(), additional_context: Some("for the model".to_owned()), system_message: Some("for the user".to_owned()), stop: true, stop_reason: Some("budget".to_owned()));
    let outcome = run(call(), &[says("a", action)]);
    assert_eq!(outcome.additional_context, ["for the model"]);
    assert_eq!(outcome.system_messages, ["for the user"]);
    assert_eq!((outcome.stop, outcome.stop_reason.as_deref()), (true, Some("budget")));
}

#[test]
fn a_restricted_hook_may_only_deny_or_ask() {
    let mut rewriter = says("stranger", Action::modify_tool_input(json("1")));
    rewriter.info.restricted = true;
    let mut talker = says("talker", set!(Action::ask("sure?"), additional_context: Some("psst".to_owned())));
    talker.info.restricted = true;
    let outcome = run(call(), &[rewriter, talker]);
    assert!(!outcome.modified);
    assert_eq!(outcome.verdict, Verdict::Ask);
    assert!(outcome.additional_context.is_empty());
    assert_eq!(outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::Untrusted; 2]);
}

#[test]
fn a_chain_that_is_given_up_has_approved_of_nothing() {
    let info = HookInfo::new("guard", []);
    let mut chain = Chain::new(call(), Rule::hookbox(Event::PreTool), [Member::new(&info, Kind::Native, false)]);
    assert_eq!(chain.due(), [0]);
    assert_eq!(chain.finish().verdict, Verdict::Deny);
}

#[test]
fn a_long_reason_is_cut_between_characters() {
    let outcome = run(call(), &[says("chatty", Action::deny("ä".repeat(MAX_REASON_BYTES)))]);
    let reason = outcome.reason.unwrap();
    assert!(reason.len() < MAX_REASON_BYTES + 40);
    assert!(reason.ends_with(&format!("… ({MAX_REASON_BYTES} bytes more)")), "{}", &reason[reason.len() - 60..]);
}

#[test]
fn a_long_failure_is_cut_in_its_warning_too() {
    let outcome = run(call(), &[fake("chatty", |_| Err(Failure::failed("x".repeat(1 << 20))))]);
    assert_eq!(outcome.verdict, Verdict::Deny);
    let message = &outcome.warnings[0].message;
    assert!(message.len() < MAX_REASON_BYTES + 100, "{}", message.len());
    assert!(message.ends_with(" bytes more); the tool call was blocked"), "{}", &message[message.len() - 60..]);
}
