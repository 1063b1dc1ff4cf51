//! Compares hookbox's entries with those that `hookbox install` would write.

use super::call::Call;
use super::document::value;
use super::entries::to_json;
use hookbox::agent::Entries;
use serde_json::{Map, Value};

/// Returns the differences, each with the events that it concerns. Events without an entry are left out.
pub(super) fn differences(text: &str, entries: &Entries, agent: &str) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (event, matcher) in entries.events {
        for difference in of_event(&of(text, entries, event), entries, agent, event, *matcher) {
            match found.iter_mut().find(|(known, _)| *known == difference) {
                Some((_, events)) => events.push(event),
                None => found.push((difference, vec![event])),
            }
        }
    }
    found.into_iter().map(|(difference, events)| format!("{difference} ({})", events.join(", "))).collect()
}

/// Returns the position of hookbox's first hook in the list of an event: the index of its group, and its index in the
/// group.
pub(in crate::cli) fn place(text: &str, entries: &Entries, agent: &str, event: &str) -> Option<(usize, usize)> {
    let elements = of(text, entries, event);
    elements.iter().enumerate().find_map(|(group, element)| {
        let hooks = hooks(element, entries);
        let own = hooks.iter().position(|hook| Call::in_any(hook, entries, agent).is_some())?;
        Some((group, own))
    })
}

/// Whether the list of an event has hooks, and all of them call hookbox.
pub(super) fn is_only_ours(list: &Value, entries: &Entries, agent: &str) -> bool {
    let is_ours = |hook: &&Map<String, Value>| Call::in_hook(hook, entries, agent).is_some();
    list.as_array().is_some_and(|elements| {
        let is_ours = |element| {
            let hooks = hooks(element, entries);
            !hooks.is_empty() && hooks.iter().all(is_ours)
        };
        !elements.is_empty() && elements.iter().all(is_ours)
    })
}

fn of(text: &str, entries: &Entries, event: &str) -> Vec<Value> {
    let document = value(text).unwrap_or_default();
    let events = match entries.under {
        Some(name) => document.get(name),
        None => Some(&document),
    };
    events.and_then(|events| events.get(event)?.as_array()).cloned().unwrap_or_default()
}

fn of_event(elements: &[Value], entries: &Entries, agent: &str, event: &str, matcher: Option<&str>) -> Vec<String> {
    let ours: Vec<(&Value, &Map<String, Value>, Call)> = elements
        .iter()
        .flat_map(|element| hooks(element, entries).into_iter().map(move |hook| (element, hook)))
        .filter_map(|(element, hook)| Some((element, hook, Call::in_hook(hook, entries, agent)?)))
        .collect();
    let mut found = Vec::new();
    if ours.len() > 1 {
        found.push(format!("hookbox stands there {} times", ours.len()));
    }
    for (element, hook, call) in ours {
        if entries.is_grouped {
            let there = element.get("matcher");
            match (there, matcher) {
                (None, None) => {}
                (Some(there), Some(matcher)) if there == matcher => {}
                (there, matcher) => found.push(unlike("matcher", there, matcher.map(Value::from).as_ref())),
            }
            let known = ["matcher", "hooks"];
            let more = element.as_object().into_iter().flat_map(Map::keys).filter(|key| !known.contains(&key.as_str()));
            found.extend(more.map(|key| format!("`{key}` is there")));
        }
        found.extend(call.fault(entries, event));
        let wanted = call.members(entries);
        for (name, value) in wanted.iter().filter(|(name, _)| !call.is_own(name, entries)) {
            let (there, value) = (hook.get(name), to_json(value));
            if there != Some(&value) {
                found.push(unlike(name, there, Some(&value)));
            }
        }
        let known = |key: &str| wanted.iter().any(|(name, _)| name == key);
        found.extend(hook.keys().filter(|key| !known(key)).map(|key| format!("`{key}` is there")));
    }
    found
}

fn unlike(name: &str, there: Option<&Value>, wanted: Option<&Value>) -> String {
    match (there, wanted) {
        (None, Some(wanted)) => format!("`{name}` is missing, and would be {wanted}"),
        (Some(there), None) => format!("`{name}` is {there}, and would not be there"),
        (there, wanted) => {
            let (there, wanted) = (there.cloned().unwrap_or_default(), wanted.cloned().unwrap_or_default());
            format!("`{name}` is {there} in place of {wanted}")
        }
    }
}

fn hooks<'v>(element: &'v Value, entries: &Entries) -> Vec<&'v Map<String, Value>> {
    match entries.is_grouped {
        true => {
            let hooks = element.get("hooks").and_then(Value::as_array);
            hooks.into_iter().flatten().filter_map(Value::as_object).collect()
        }
        false => element.as_object().into_iter().collect(),
    }
}
