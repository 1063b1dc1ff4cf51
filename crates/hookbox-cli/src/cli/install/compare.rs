//! Compares hookbox's entries with those that `hookbox install` would write.

use super::document::value;
use super::entries::names_hookbox;
use hookbox::agent::{Entries, Member};
use serde_json::{Map, Value};

/// The differences, each with the events that it concerns. Events without an entry are left out.
pub(super) fn differences(text: &str, entries: &Entries, agent: &str) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (event, matcher) in entries.events {
        for difference in of_event(&of(text, entries, event), entries, agent, *matcher) {
            match found.iter_mut().find(|(known, _)| *known == difference) {
                Some((_, events)) => events.push(event),
                None => found.push((difference, vec![event])),
            }
        }
    }
    found.into_iter().map(|(difference, events)| format!("{difference} ({})", events.join(", "))).collect()
}

/// The position of hookbox's first hook in the list of an event: the index of its group, and its index there.
pub(in crate::cli) fn place(text: &str, entries: &Entries, agent: &str, event: &str) -> Option<(usize, usize)> {
    let elements = of(text, entries, event);
    elements.iter().enumerate().find_map(|(group, element)| {
        let hooks = hooks(element, entries);
        let own = hooks.iter().position(|hook| is_ours(hook, entries, agent))?;
        Some((group, own))
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

fn of_event(elements: &[Value], entries: &Entries, agent: &str, matcher: Option<&str>) -> Vec<String> {
    let ours: Vec<(&Value, &Map<String, Value>)> = elements
        .iter()
        .flat_map(|element| hooks(element, entries).into_iter().map(move |hook| (element, hook)))
        .filter(|(_, hook)| is_ours(hook, entries, agent))
        .collect();
    let mut found = Vec::new();
    if ours.len() > 1 {
        found.push(format!("hookbox stands there {} times", ours.len()));
    }
    let (wait, time) = entries.wait;
    let mut wanted = vec![("type", Value::from("command")), (wait, Value::from(time))];
    wanted.extend(entries.more.iter().map(|(name, member)| match member {
        Member::Text(text) => (*name, Value::from(*text)),
        _ => (*name, Value::from(true)),
    }));
    for (element, hook) in ours {
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
        for (name, value) in &wanted {
            let there = hook.get(*name);
            if there != Some(value) {
                found.push(unlike(name, there, Some(value)));
            }
        }
        let known = |key: &str| key == entries.command || wanted.iter().any(|(name, _)| *name == key);
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

fn is_ours(hook: &Map<String, Value>, entries: &Entries, agent: &str) -> bool {
    let command = hook.get(entries.command).and_then(Value::as_str);
    names_hookbox(command.unwrap_or_default(), agent)
}
