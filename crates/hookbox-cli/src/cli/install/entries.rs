//! Hookbox's entries in an agent's settings. Everything else in the file stays byte for byte.

use super::call::{Call, Calls};
use super::document::{parse, split_mark, value};
use super::words::is_only_hookbox;
use anyhow::{Context, bail};
use hookbox::agent::Entries;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};
use serde_json::Value;

/// Returns the text with one entry of hookbox for each event that belongs `here`, and without hookbox's entries for
/// other events.
///
/// # Errors
/// Returns an error if the text is not a settings file of the agent.
pub(super) fn add(
    text: &str,
    entries: &Entries,
    agent: &str,
    calls: &Calls,
    here: impl Fn(&str) -> bool,
) -> anyhow::Result<String> {
    let (mark, text) = split_mark(text);
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let file = root.object_value().context("it is not a JSON object")?;
    for (name, number) in entries.header {
        if file.get(name).is_none() {
            file.append(name, CstInputValue::from(*number));
        }
    }
    let events = match entries.under {
        Some(name) => file.object_value_or_create(name).with_context(|| format!("`{name}` is not an object"))?,
        None => file,
    };
    for (event, matcher) in entries.events {
        if !here(event) {
            if let Some(list) = events.array_value(event)
                && take_out(&list, entries, agent)
                && list.elements().is_empty()
                && let Some(property) = events.get(event)
            {
                property.remove();
            }
            continue;
        }
        let list = events.array_value_or_create(event).with_context(|| format!("`{event}` is not a list"))?;
        let wanted = entry(entries, *matcher, calls.of(entries, event));
        let ours = ours_in(&list, entries, agent);
        if let [only] = ours.as_slice()
            && only.to_serde_value() == Some(to_json(&wanted))
        {
            continue;
        }
        take_out(&list, entries, agent);
        list.append(wanted);
    }
    let after = root.to_string();
    parse(&after).context("hookbox would have broken it; please report this")?;
    Ok(format!("{mark}{after}"))
}

/// Returns the text without hookbox's entries, and without containers that are now empty and were not in `old`, the
/// text from before hookbox was installed.
///
/// # Errors
/// Returns an error if the text is not a settings file of the agent.
pub(super) fn remove(text: &str, entries: &Entries, agent: &str, old: Option<&str>) -> anyhow::Result<String> {
    let (mark, text) = split_mark(text);
    let root = parse(text)?;
    let Some(file) = root.object_value() else { bail!("it is not a JSON object") };
    let old = old.and_then(value).unwrap_or_default();
    let old_events = match entries.under {
        Some(name) => old.get(name),
        None => Some(&old),
    };
    let events = events_in(&file, entries);
    if !old.is_object() && !has_ours(text, entries, agent) {
        return Ok(format!("{mark}{text}"));
    }
    let mut is_changed = false;
    for (event, _) in entries.events {
        let Some(list) = events.as_ref().and_then(|events| events.array_value(event)) else { continue };
        is_changed |= take_out(&list, entries, agent);
        let was_there = old_events.is_some_and(|events| events.get(event).is_some());
        if list.elements().is_empty()
            && !was_there
            && let Some(property) = events.as_ref().and_then(|events| events.get(event))
        {
            property.remove();
            is_changed = true;
        }
    }
    if let Some(name) = entries.under
        && let (Some(property), Some(events)) = (file.get(name), &events)
        && events.properties().is_empty()
        && old.get(name).is_none()
    {
        property.remove();
        is_changed = true;
    }
    // A header that hookbox added to the user's file is removed as well; in a file that hookbox created, other entries
    // may need it.
    for (name, number) in entries.header.iter().filter(|(name, _)| old.is_object() && old.get(name).is_none()) {
        if let Some(property) = file.get(name)
            && property.value().and_then(|value| value.to_serde_value()) == Some(Value::from(*number))
        {
            property.remove();
            is_changed = true;
        }
    }
    Ok(format!("{mark}{}", if is_changed { root.to_string() } else { text.to_owned() }))
}

/// Returns the events, each with how hookbox is called for it, if it is called, even by a hook that does more.
///
/// # Errors
/// Returns an error if the text is not a settings file of the agent.
pub(super) fn calls(text: &str, entries: &Entries, agent: &str) -> anyhow::Result<Vec<(&'static str, Option<Call>)>> {
    let all = all_calls(text, entries, agent)?;
    Ok(all.into_iter().map(|(event, calls)| (event, calls.into_iter().next())).collect())
}

/// Returns the events, each with all calls of hookbox.
fn all_calls(text: &str, entries: &Entries, agent: &str) -> anyhow::Result<Vec<(&'static str, Vec<Call>)>> {
    let root = parse(split_mark(text).1)?;
    let file = root.object_value().context("it is not a JSON object")?;
    let events = events_in(&file, entries);
    let of = |event: &str| {
        let list = events.as_ref().and_then(|events| events.array_value(event));
        let elements = list.into_iter().flat_map(|list| list.elements()).filter_map(|it| it.as_object());
        let hooks = elements.flat_map(|it| if entries.is_grouped { hooks_in(&it) } else { vec![it] });
        hooks
            .filter_map(|hook| Call::in_any(hook.to_serde_value()?.as_object()?, entries, agent))
            .collect::<Vec<Call>>()
    };
    Ok(entries.events.iter().map(|(event, _)| (*event, of(event))).collect())
}

/// Whether the file has nothing but what its format requires.
pub(super) fn is_empty(text: &str, entries: &Entries) -> bool {
    let Some(Value::Object(members)) = value(text) else { return false };
    members.keys().all(|key| entries.header.iter().any(|(name, _)| name == key))
}

/// Returns a hook, in its own group if the agent requires groups.
fn entry(entries: &Entries, matcher: Option<&str>, call: &Call) -> CstInputValue {
    let hook = CstInputValue::Object(call.members(entries));
    if !entries.is_grouped {
        return hook;
    }
    let matcher = matcher.map(|matcher| ("matcher".to_owned(), CstInputValue::from(matcher)));
    let hooks = ("hooks".to_owned(), CstInputValue::Array(vec![hook]));
    CstInputValue::Object(matcher.into_iter().chain([hooks]).collect())
}

pub(super) fn to_json(input: &CstInputValue) -> Value {
    match input {
        CstInputValue::Null => Value::Null,
        CstInputValue::Bool(flag) => Value::Bool(*flag),
        CstInputValue::Number(number) => serde_json::from_str(number).unwrap_or_default(),
        CstInputValue::String(text) => Value::String(text.clone()),
        CstInputValue::Array(values) => values.iter().map(to_json).collect(),
        CstInputValue::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), to_json(value))).collect())
        }
    }
}

/// Whether this hook calls hookbox and does nothing else, whatever its other members are.
fn is_ours(hook: &CstObject, entries: &Entries, agent: &str) -> bool {
    let value = hook.to_serde_value();
    let hook = value.as_ref().and_then(Value::as_object);
    hook.is_some_and(|hook| Call::in_hook(hook, entries, agent).is_some())
}

/// Whether an entry of hookbox is already in the file.
pub(super) fn has_ours(text: &str, entries: &Entries, agent: &str) -> bool {
    let Ok(root) = parse(split_mark(text).1) else { return false };
    let events = root.object_value().and_then(|file| events_in(&file, entries));
    let is_in = |event: &str| {
        let list = events.as_ref().and_then(|events| events.array_value(event));
        list.is_some_and(|list| !ours_in(&list, entries, agent).is_empty())
    };
    entries.events.iter().any(|(event, _)| is_in(event))
}

/// Returns the commands in the file that call hookbox and do more. They are the user's.
pub(super) fn of_the_user(text: &str, entries: &Entries, agent: &str) -> Vec<String> {
    of_the_user_for(text, entries, agent, |_| true)
}

/// Like [`of_the_user`], but only for the events for which one of hookbox's own hooks calls it, too, whatever the tool.
/// For other events, the user's commands may be all that calls hookbox.
pub(super) fn beside_ours(text: &str, entries: &Entries, agent: &str) -> Vec<String> {
    let root = parse(split_mark(text).1).ok();
    let events = root.and_then(|root| events_in(&root.object_value()?, entries));
    of_the_user_for(text, entries, agent, |event| {
        let matcher = entries.events.iter().find(|(name, _)| *name == event).and_then(|(_, matcher)| *matcher);
        let is_for_all = |element: &CstObject| {
            let element = element.to_serde_value().unwrap_or_default();
            !entries.is_grouped || element.get("matcher").and_then(Value::as_str) == matcher
        };
        let list = events.as_ref().and_then(|events| events.array_value(event));
        list.is_some_and(|list| ours_in(&list, entries, agent).iter().any(is_for_all))
    })
}

/// Like [`of_the_user`], but only for the events that `is_meant` picks.
fn of_the_user_for(text: &str, entries: &Entries, agent: &str, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let events = all_calls(text, entries, agent).unwrap_or_default();
    for call in events.into_iter().filter(|(event, _)| is_meant(event)).flat_map(|(_, calls)| calls) {
        if let Call::Command(line) = call
            && !is_only_hookbox(&line, agent)
            && !lines.contains(&line)
        {
            lines.push(line);
        }
    }
    lines
}

/// Returns the object that has a list for each event.
fn events_in(file: &CstObject, entries: &Entries) -> Option<CstObject> {
    match entries.under {
        Some(name) => file.object_value(name),
        None => Some(file.clone()),
    }
}

fn hooks_in(group: &CstObject) -> Vec<CstObject> {
    let hooks = group.array_value("hooks").map(|hooks| hooks.elements()).unwrap_or_default();
    hooks.iter().filter_map(CstNode::as_object).collect()
}

/// Returns the elements of an event's list that contain one of hookbox's hooks.
fn ours_in(list: &CstArray, entries: &Entries, agent: &str) -> Vec<CstObject> {
    let elements = list.elements().into_iter().filter_map(|element| element.as_object());
    elements
        .filter(|element| match entries.is_grouped {
            true => hooks_in(element).iter().any(|hook| is_ours(hook, entries, agent)),
            false => is_ours(element, entries, agent),
        })
        .collect()
}

/// Removes hookbox's hooks from an event's list. Returns false if there are none. Other hooks in a group stay.
fn take_out(list: &CstArray, entries: &Entries, agent: &str) -> bool {
    let ours = ours_in(list, entries, agent);
    let is_one = !ours.is_empty();
    for element in ours {
        let hooks = hooks_in(&element);
        let is_shared = entries.is_grouped && hooks.iter().any(|hook| !is_ours(hook, entries, agent));
        if is_shared {
            hooks.into_iter().filter(|hook| is_ours(hook, entries, agent)).for_each(CstObject::remove);
        } else {
            element.remove();
        }
    }
    is_one
}
