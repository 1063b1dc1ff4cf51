//! The law for the end of a shell hook's process, in every dialect. In a closed dialect, an end that says nothing is
//! never an allow. A strict dialect is at least as restrictive as its system. A translated answer is at least as
//! restrictive in the other system's terms.
//!
//! The first three bytes of the text determine how the process ended and on which event. Stdout follows, and then,
//! after a zero byte, stderr.

mod end;

use crate::restraint::Restraint;
use end::{Case, Way};
use hookbox::config::{Dialect, HookboxDialect};
use hookbox::dialect::{NAMES, Options, Strictness, by_name, codec};
use hookbox::runtime::shell::Codec;
use hookbox::{Action, Event, HookInfo, Input};
use serde::de::IgnoredAny;
use std::sync::Arc;

/// Checks the law for this end of a process.
pub fn holds(bytes: &[u8]) {
    let Some(case) = Case::read(bytes) else {
        return;
    };
    let info = HookInfo::new("hook", [case.event]);
    own_is_closed(&case, &info);
    for name in NAMES {
        let [faithful, strict] = [Strictness::Faithful, Strictness::Strict].map(|strictness| of(name, strictness));
        let answer = faithful.answer(&Input::new(case.event), &info, case.end());
        let strictly = strict.answer(&Input::new(case.event), &info, case.end());
        // As a guest in a chain of hookbox's own, the hook says the same, except that ending the loop may also deny.
        let guest = codec(name).unwrap().answer(&Input::new(case.event), &info, case.end());
        assert!(Restraint::of(&guest) >= Restraint::of(&answer), "{name}: {guest:?}, though {answer:?}");
        if !gates(&*faithful, case.event) {
            continue;
        }
        assert!(Restraint::of(&strictly) >= Restraint::of(&answer), "{name}: {strictly:?}, though {answer:?}");
        if blocks(name, &case) {
            assert_eq!(Restraint::of(&answer), Restraint::Denies, "{name}: {answer:?}");
        }
        if Restraint::of(&strictly) == Restraint::None {
            assert!(may_allow(name, &case), "{name}, strictly: {:?} is a silent allow", case.end());
        }
        for action in [&answer, &strictly].into_iter().filter_map(|answer| answer.result.as_ref().ok()) {
            is_translated(name, case.event, action, &info);
        }
    }
}

fn of(name: &str, strictness: Strictness) -> Arc<dyn Dialect> {
    by_name(name, &Options::default().with_strictness(strictness)).unwrap()
}

fn gates(dialect: &dyn Dialect, event: Event) -> bool {
    dialect.rule()(event).gating
}

/// Asserts that in hookbox's own dialect, only a success allows, with no output or with a valid Action.
fn own_is_closed(case: &Case<'_>, info: &HookInfo) {
    let answer = HookboxDialect.answer(&Input::new(case.event), info, case.end());
    let Ok(action) = &answer.result else {
        return;
    };
    if Restraint::of_action(action) == Restraint::None {
        assert!(case.succeeded(), "{:?}", case.end());
        let silent = case.stdout.is_empty() && !case.stdout_held;
        let said = Action::from_slice(case.stdout, case.event);
        assert!(silent || said.as_ref() == Ok(action), "{answer:?}, though {said:?}");
    }
    // Unreadable output is a failure, and not an answer of any kind, not even a deny.
    assert!(case.stdout.is_empty() || Action::from_slice(case.stdout, case.event).is_ok());
}

/// Whether the system itself treats the end as a block, whatever was printed.
fn blocks(name: &str, case: &Case<'_>) -> bool {
    match (name, case.exit_code()) {
        ("docker-agent" | "docker-agent-v1" | "ok", code) => code == Some(2),
        (_, code) => code.is_some_and(|code| code != 0) || matches!(case.way, Way::TimedOut | Way::Flooded),
    }
}

/// Whether the end can mean, by the system's rules, that the hook does not object.
fn may_allow(name: &str, case: &Case<'_>) -> bool {
    // ub detects that there is no command to run here.
    if name == "ub" && case.way == Way::Broken {
        return false;
    }
    let stdout = String::from_utf8_lossy(case.stdout);
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let begins = |with: &str| stdout.trim().starts_with(with);
    case.succeeded()
        && match name {
            "hygge" => !case.is_held() && (stdout.is_empty() || (is_json(&stdout) && (begins("{") || begins("null")))),
            "docker-agent" | "docker-agent-v1" => !begins("{") || is_json(stdout.trim()),
            _ => !case.is_held(),
        }
}

/// Asserts that an answer keeps its restraint when it is translated, since the agent's system may differ from the
/// hook's.
fn is_translated(from: &str, event: Event, action: &Action, info: &HookInfo) {
    let others = NAMES.iter().map(|name| of(name, Strictness::Faithful));
    for other in others.filter(|other| gates(&**other, event)) {
        let reply = other.encode_answer(event, action);
        let read = other.answer(&Input::new(event), info, end::of_reply(reply));
        let to = other.name();
        // On `permission_request`, an ask has no effect: unless a hook decides, the user is asked anyway.
        let is_asked = event == Event::PermissionRequest && Restraint::of_action(action) == Restraint::Asks;
        assert!(
            is_asked || Restraint::of(&read) >= Restraint::of_action(action),
            "{from} says {action:?}, which {to} reads as {read:?} on {event}"
        );
    }
    let read =
        HookboxDialect.answer(&Input::new(event), info, end::of_reply(HookboxDialect.encode_answer(event, action)));
    assert_eq!(read.result.as_ref().ok(), Some(action), "{from} says {action:?} on {event}");
}
