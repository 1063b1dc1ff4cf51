//! The faults in a settings file that keep the agent from loading its hooks, or hookbox from adding to them.

use super::call::Call;
use super::document::{options, split_mark};
use hookbox::agent::{Entries, Kind, Refusal};
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, parse_to_ast};
use serde_json::{Map, Value as Json};
use std::fmt;

/// The maximum number of faults that are reported: for hookbox's own hooks, and for everything else.
const MAX_FAULTS: usize = 20;

/// A fault in a settings file.
pub(in crate::cli) struct Fault {
    line: usize,
    /// The entry, and what is wrong with it.
    what: String,
    remedy: &'static str,
    /// Whether the fault is in hookbox's own hook, which installing again replaces.
    pub(in crate::cli) is_ours: bool,
    /// Whether the fault keeps the agent from loading any hook of the file. If not, it keeps hookbox from adding its
    /// own.
    pub(in crate::cli) stops_loading: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.what, self.remedy)
    }
}

/// Returns the faults in a text that is JSON, possibly with comments.
pub(in crate::cli) fn faults(text: &str, entries: &Entries, agent: &str) -> Vec<Fault> {
    let (mark, text) = split_mark(text);
    let mut look = Look { text, entries, agent, found: Vec::new(), in_ours: false };
    if !mark.is_empty() && look.refuses(Refusal::ByteOrderMark) {
        look.add(0, "a byte order mark stands at the beginning", "save the file as UTF-8 without one");
    }
    let collect = CollectOptions::default();
    let Ok(parsed) = parse_to_ast(text, &collect, &options(true, true)) else { return look.found };
    if let Err(error) = parse_to_ast(text, &collect, &options(true, false)) {
        look.add(error.range().start, "there is a trailing comma", "remove it");
    }
    if look.refuses(Refusal::Comment)
        && let Err(error) = parse_to_ast(text, &collect, &options(false, true))
    {
        look.add(error.range().start, "there is a comment", "remove it, and all others");
    }
    if let Some(Value::Object(file)) = &parsed.value {
        look.at_file(file);
    }
    look.found
}

struct Look<'t> {
    text: &'t str,
    entries: &'t Entries,
    agent: &'t str,
    found: Vec<Fault>,
    /// Whether the current hook is hookbox's own.
    in_ours: bool,
}

impl Look<'_> {
    fn refuses(&self, refusal: Refusal) -> bool {
        self.entries.refuses.contains(&refusal)
    }

    fn add(&mut self, at: usize, what: impl Into<String>, remedy: &'static str) {
        self.note(at, what.into(), remedy, true);
    }

    fn note(&mut self, at: usize, what: String, remedy: &'static str, stops_loading: bool) {
        let is_ours = self.in_ours;
        // Each fault requires a search through the text.
        if self.found.iter().filter(|fault| fault.is_ours == is_ours).count() < MAX_FAULTS {
            let line = self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
            self.found.push(Fault { line, what, remedy, is_ours, stops_loading });
        }
    }

    /// Whether the agent has an event of this name. Members with other names may be anything.
    fn knows(&self, event: &str) -> bool {
        hookbox::agent::by_name(self.agent).is_some_and(|agent| agent.event(event).is_some())
    }

    fn misshapen(&mut self, name: &str, value: &Value<'_>, wanted: &str) {
        let what = format!("`{name}` is {} in place of {wanted}", name_of(value));
        self.note(value.start(), what, "remove it, or correct it", false);
    }

    fn at_file(&mut self, file: &Object<'_>) {
        for refusal in self.entries.refuses {
            match refusal {
                Refusal::OtherMember(known) => {
                    for member in file.properties.iter().filter(|member| !known.contains(&member.name.as_str())) {
                        let what = format!("`{}` is not a member that the agent knows there", member.name.as_str());
                        self.add(member.range.start, what, "remove it");
                    }
                }
                Refusal::OtherKind(pointer, kind) => self.at_member(file, pointer, *kind),
                Refusal::OtherNumber(pointer, number) => self.at_number(file, pointer, *number),
                _ => {}
            }
        }
        let events = match self.entries.under {
            None => Some(file),
            Some(name) => match file.get(name).map(|member| &member.value) {
                Some(Value::Object(events)) => Some(events),
                Some(other) => {
                    self.misshapen(name, other, "an object");
                    None
                }
                None => None,
            },
        };
        for event in events.into_iter().flat_map(|events| &events.properties) {
            let name = event.name.as_str();
            let path = self.entries.under.map_or_else(|| name.to_owned(), |under| format!("{under}.{name}"));
            let refused = match &event.value {
                Value::NullKeyword(_) => Refusal::NullList,
                _ => Refusal::NoList,
            };
            match &event.value {
                Value::Array(list) => self.at_event(&path, list),
                other if self.refuses(refused) && self.knows(name) => {
                    self.add(other.start(), format!("`{path}` is {} in place of a list", name_of(other)), "remove it");
                }
                other if self.entries.events.iter().any(|(event, _)| *event == name) => {
                    self.misshapen(&path, other, "a list");
                }
                _ => {}
            }
        }
    }

    fn at_member(&mut self, file: &Object<'_>, pointer: &str, kind: Kind) {
        let Some(value) = at(file, pointer) else { return };
        let is_one = match kind {
            Kind::List => value.as_array().is_some(),
            Kind::Object => value.as_object().is_some(),
            Kind::Text => value.as_string_lit().is_some(),
            Kind::Number => value.as_number_lit().is_some(),
            Kind::Flag => value.as_boolean_lit().is_some(),
            _ => return,
        };
        if !is_one {
            let name = pointer.trim_start_matches('/').replace('/', ".");
            self.add(value.start(), format!("`{name}` is {} in place of {kind}", name_of(value)), "correct it");
        }
    }

    fn at_number(&mut self, file: &Object<'_>, pointer: &str, number: u32) {
        let Some(value) = at(file, pointer) else { return };
        if value.as_number_lit().is_none_or(|there| there.value != number.to_string()) {
            let what = format!("`{}` is not {number}", pointer.trim_start_matches('/').replace('/', "."));
            self.add(value.start(), what, "correct it");
        }
    }

    fn at_event(&mut self, path: &str, list: &Array<'_>) {
        for (index, element) in list.elements.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let Value::Object(group) = element else {
                self.no_object(&path, element);
                continue;
            };
            if !self.entries.is_grouped {
                self.at_hook(&path, group);
                continue;
            }
            if let Some(matcher) = group.get("matcher").map(|matcher| &matcher.value) {
                let refused = match matcher {
                    Value::NullKeyword(_) => Refusal::NullMatcher,
                    _ => Refusal::NoMatcher,
                };
                if matcher.as_string_lit().is_none() && self.refuses(refused) {
                    let what = format!("`{path}.matcher` is {} in place of a string", name_of(matcher));
                    self.add(matcher.start(), what, "remove it, or write a string");
                }
            }
            let Some(hooks) = group.get_array("hooks") else {
                let refused = if group.get("hooks").is_some() { Refusal::OddHooks } else { Refusal::NoHooks };
                if self.refuses(refused) {
                    let what = format!("`{path}` has no list `hooks`");
                    self.add(group.range.start, what, "put its hook into such a list, or remove it");
                }
                continue;
            };
            for (index, hook) in hooks.elements.iter().enumerate() {
                let path = format!("{path}.hooks[{index}]");
                match hook {
                    Value::Object(hook) => self.at_hook(&path, hook),
                    other => self.no_object(&path, other),
                }
            }
        }
    }

    fn no_object(&mut self, path: &str, value: &Value<'_>) {
        if self.refuses(Refusal::NoObject) {
            self.add(value.start(), format!("`{path}` is {} in place of an object", name_of(value)), "remove it");
        }
    }

    fn at_hook(&mut self, path: &str, hook: &Object<'_>) {
        let at = hook.range.start;
        let is_ours = self.is_ours(hook);
        self.in_ours = is_ours;
        let kind = hook.get_string("type").map(|kind| kind.value.as_ref());
        let time = hook.get(self.entries.wait.0);
        // When the agent skips a hook, it loads the others, so only hookbox's own hook matters here.
        let skips = self.entries.skips.iter().filter(|_| is_ours);
        for refusal in self.entries.refuses.iter().chain(skips) {
            match refusal {
                Refusal::NoType if kind.is_none() => {
                    self.add(at, format!("`{path}` has no `type`"), "add one (\"command\"), or remove the hook");
                }
                Refusal::OtherType(known) => {
                    if let Some(kind) = kind.filter(|kind| !known.contains(kind)) {
                        self.add(
                            at,
                            format!("`{path}` has the type `{kind}`, which the agent does not know"),
                            "remove it",
                        );
                    }
                }
                Refusal::Without(of, member) if kind == Some(*of) && hook.get_string(member).is_none() => {
                    self.add(at, format!("`{path}` has no `{member}`"), "add one, or remove the hook");
                }
                Refusal::NoNumber => {
                    if let Some(time) = time.filter(|time| time.value.as_number_lit().is_none()) {
                        let what = format!("`{path}.{}` is {}", self.entries.wait.0, name_of(&time.value));
                        self.add(time.range.start, what, "write a number");
                    }
                }
                Refusal::OtherWord(member, known) => {
                    if let Some(there) = hook.get(member) {
                        let word = there.value.as_string_lit();
                        if word.is_none_or(|word| !known.contains(&word.value.as_ref())) {
                            let what = format!("`{path}.{member}` is not `{}`", known.join("` or `"));
                            self.add(there.range.start, what, "correct it, or remove it");
                        }
                    }
                }
                Refusal::NoTime | Refusal::OddTime => {
                    let number = time.and_then(|time| time.value.as_number_lit());
                    let is_odd = |text: &str| match refusal {
                        Refusal::OddTime => text.parse::<u64>().is_err(),
                        _ => text.parse::<f64>().is_ok_and(|time| time <= 0.0),
                    };
                    if let Some(number) = number.filter(|number| is_odd(number.value)) {
                        let what = format!("`{path}.{}` is {}", self.entries.wait.0, number.value);
                        self.add(number.range.start, what, "write a whole number above 0, or remove it");
                    }
                }
                _ => {}
            }
        }
        self.in_ours = false;
    }

    fn is_ours(&self, hook: &Object<'_>) -> bool {
        let members: Map<String, Json> = hook
            .properties
            .iter()
            .filter_map(|member| {
                Some((member.name.as_str().to_owned(), member.value.as_string_lit()?.value.clone().into()))
            })
            .collect();
        Call::in_hook(&members, self.entries, self.agent).is_some()
    }
}

/// Returns the value of the member that a JSON pointer names, if it exists.
fn at<'o, 't>(file: &'o Object<'t>, pointer: &str) -> Option<&'o Value<'t>> {
    let mut names = pointer.trim_start_matches('/').split('/');
    let mut value = names.next().and_then(|name| file.get(name)).map(|member| &member.value);
    for name in names {
        value = value.and_then(Value::as_object).and_then(|object| object.get(name)).map(|member| &member.value);
    }
    value
}

fn name_of(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "`true` or `false`",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "`null`",
    }
}
