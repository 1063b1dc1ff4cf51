//! Turns the content of a file into cases.

use super::json::{kind, string};
use super::{Case, Expectation, NOW, Powers, Text};
use hookbox::config::{ConfigFile, Problem};
use hookbox::internal::{ObjectWriter, members, suggest};
use hookbox::{Code, Decision, Event, Input, Json};
use regex::Regex;
use std::ops::Range;

const KEYS: [&str; 12] =
    ["name", "event", "tool", "input", "whole", "settings", "store", "http", "expect", "error", "reason", "modified"];

const EVENT_EXAMPLE: &str = r#"whole = { event = "pre_message", message = "…" }"#;

/// A case as written in a file.
pub(super) struct Row {
    /// The bytes of the file where the case begins.
    pub(super) at: Range<usize>,
    pub(super) members: Vec<Member>,
}

/// A key and its value, each with its position.
pub(super) struct Member {
    pub(super) key: String,
    pub(super) key_at: Range<usize>,
    pub(super) value: Json,
    pub(super) at: Range<usize>,
}

/// Reads one case, or reports everything that is wrong with it.
pub(super) fn case(
    file: &ConfigFile,
    index: usize,
    row: Row,
    settings_of_all: Option<&Json>,
    recording: bool,
) -> Result<Case, Vec<Problem>> {
    let mut reader = Reader { file, row, problems: Vec::new() };
    reader.only_known_keys();
    let name = reader.string("name").map(|(name, _)| name).filter(|name| !name.trim().is_empty());
    let input = reader.input();
    let settings = reader.settings().or_else(|| settings_of_all.cloned());
    let powers = reader.powers();
    let expectation = reader.expectation(recording);
    let Reader { row, problems, .. } = reader;
    match input {
        Some(input) if problems.is_empty() => Ok(Case {
            index,
            name: name.unwrap_or_else(|| format!("case {}", index + 1)),
            line: file.locate(&row.at).line,
            at: row.at,
            input,
            settings,
            powers,
            expectation,
        }),
        _ => Err(problems),
    }
}

struct Reader<'f> {
    file: &'f ConfigFile,
    row: Row,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn only_known_keys(&mut self) {
        for member in &self.row.members {
            if !KEYS.contains(&member.key.as_str()) {
                let message = format!("unknown key `{}`", member.key);
                let help = Some(suggest(&member.key, &KEYS));
                self.problems.push(self.file.problem(Code::ConfigKey, None, &member.key_at, message, help));
            }
        }
    }

    fn bad_value(&mut self, at: &Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.problems.push(self.file.problem(Code::ConfigValue, None, at, message, help));
    }

    fn bad_key(&mut self, at: &Range<usize>, message: impl Into<String>, help: &str) {
        self.problems.push(self.file.problem(Code::ConfigKey, None, at, message, Some(help.to_owned())));
    }

    fn get(&self, key: &str) -> Option<(Json, Range<usize>)> {
        let member = self.row.members.iter().find(|member| member.key == key)?;
        Some((member.value.clone(), member.at.clone()))
    }

    fn key_at(&self, key: &str) -> Option<Range<usize>> {
        self.row.members.iter().find(|member| member.key == key).map(|member| member.key_at.clone())
    }

    fn string(&mut self, key: &str) -> Option<(String, Range<usize>)> {
        let (value, at) = self.get(key)?;
        let text = string(&value);
        if text.is_none() {
            self.bad_value(&at, format!("`{key}` must be a string, not {}", kind(value.as_str())), None);
        }
        text.map(|text| (text, at))
    }

    fn settings(&mut self) -> Option<Json> {
        let (value, at) = self.get("settings")?;
        if kind(value.as_str()) != "an object" {
            self.bad_value(&at, format!("`settings` must be a table, not {}", kind(value.as_str())), None);
        }
        Some(value)
    }

    fn powers(&mut self) -> Powers {
        let mut powers = Powers::default();
        let read = [("store", Powers::read_store as fn(&mut Powers, &Json) -> _), ("http", Powers::read_http)];
        for (key, read) in read {
            if let Some((value, at)) = self.get(key)
                && let Err((message, help)) = read(&mut powers, &value)
            {
                self.bad_value(&at, message, help);
            }
        }
        powers
    }

    /// Reads the hook's Input: either a complete Input, or the short form of a tool call.
    fn input(&mut self) -> Option<Input> {
        let (text, at) = match self.get("whole") {
            Some((whole, at)) => {
                for key in ["event", "tool", "input"] {
                    if let Some(at) = self.key_at(key) {
                        let help = "`whole` is the whole Input: put it there";
                        self.bad_key(&at, format!("`{key}` does not go with `whole`"), help);
                    }
                }
                (whole.as_str().to_owned(), at)
            }
            None => (self.tool_call()?, self.row.at.clone()),
        };
        match Input::from_slice(text.as_bytes()) {
            Ok(mut input) => {
                // A time that changes daily could change the answer daily.
                input.now.get_or_insert_with(|| NOW.to_owned());
                Some(input)
            }
            Err(error) => {
                self.problems.push(self.file.problem(error.code, None, &at, error.message, None));
                None
            }
        }
    }

    fn tool_call(&mut self) -> Option<String> {
        let event = match self.string("event") {
            Some((name, at)) => match name.parse::<Event>() {
                Ok(event) => event,
                Err(_) => {
                    let help = suggest(&name, &Event::names());
                    self.bad_value(&at, format!("unknown event {name:?}"), Some(help));
                    return None;
                }
            },
            None if self.key_at("event").is_some() => return None,
            None => Event::PreTool,
        };
        for key in ["tool", "input"] {
            if let Some(at) = self.key_at(key).filter(|_| !event.has_tool()) {
                let help = format!("write the whole Input, such as {EVENT_EXAMPLE}");
                self.bad_key(&at, format!("`{key}` is for a tool, and {event} is about none"), &help);
            }
        }
        let tool = self.string("tool");
        let mut out = ObjectWriter::with_capacity(128);
        out.text("event", event.as_str()).optional_text("tool_name", tool.as_ref().map(|(tool, _)| tool.as_str()));
        if let Some((input, _)) = self.get("input") {
            out.raw("tool_input", input.as_str());
        }
        Some(out.finish())
    }

    fn expectation(&mut self, recording: bool) -> Option<Expectation> {
        let expect = self.key_at("expect").is_some();
        let error = self.key_at("error");
        let modified = self.get("modified");
        match (expect, error) {
            (true, Some(at)) => {
                self.bad_key(
                    &at,
                    "a case has an `expect` or an `error`, not both",
                    "`error` is for a hook that is to fail",
                );
                None
            }
            (true, None) => {
                let decision = self.decision()?;
                let reason = self.reason();
                let modified = self.modified(decision, modified);
                Some(Expectation::Decision { decision, reason, modified })
            }
            (false, Some(_)) => {
                if let Some((_, at)) = modified {
                    self.bad_key(&at, "`modified` does not go with `error`", "a hook that fails changes nothing");
                }
                let code = self.code()?;
                Some(Expectation::Error { code, reason: self.reason() })
            }
            (false, None) => {
                for key in ["reason", "modified"] {
                    if let Some(at) = self.key_at(key) {
                        self.bad_key(&at, format!("`{key}` without `expect`"), "say what the hook is to decide");
                    }
                }
                // A misspelling of one of the two keys has already been reported.
                if !recording && self.problems.is_empty() {
                    let at = self.row.at.clone();
                    let help =
                        "expect = \"allow\", \"deny\", \"ask\" or \"modify\"; or let `--update` record the answer";
                    self.bad_key(&at, "the case does not say what it expects", help);
                }
                None
            }
        }
    }

    fn decision(&mut self) -> Option<Decision> {
        let (name, at) = self.string("expect")?;
        let all = [Decision::Allow, Decision::Deny, Decision::Ask, Decision::Modify];
        let known = all.into_iter().find(|decision| decision.as_str() == name);
        if known.is_none() {
            let help = suggest(&name, &all.map(Decision::as_str));
            self.bad_value(&at, format!("`expect` is {name:?}"), Some(help));
        }
        known
    }

    fn code(&mut self) -> Option<Code> {
        let (name, at) = self.string("error")?;
        let known = Code::ALL.iter().copied().find(|code| code.as_str() == name);
        if known.is_none() {
            let by_title = Code::ALL.iter().find(|code| code.title() == name).map(|code| format!("that is {code}"));
            let help = by_title.unwrap_or_else(|| "such as \"E101\", a time-out".to_owned());
            self.bad_value(&at, format!("`error` is {name:?}, which is not a code"), Some(help));
        }
        known
    }

    fn modified(&mut self, decision: Decision, given: Option<(Json, Range<usize>)>) -> Option<Json> {
        let (value, at) = given?;
        if decision != Decision::Modify {
            let message = format!("`modified` does not go with expect = \"{decision}\"");
            self.bad_key(&at, message, "only expect = \"modify\" changes anything");
        }
        if members(&value).is_some_and(|members| members.is_empty()) {
            self.bad_value(&at, "`modified` is empty, so that it would check nothing", None);
        }
        Some(value)
    }

    /// Reads the expected reason: the exact text, or `{ contains = ".." }`, or `{ regex = ".." }`.
    fn reason(&mut self) -> Option<Text> {
        const FORMS: [&str; 2] = ["contains", "regex"];
        let (value, at) = self.get("reason")?;
        let Some(members) = members(&value) else {
            return match string(&value) {
                Some(text) => Some(Text::Exactly(text)),
                None => {
                    let message = format!("`reason` must be a string or a table, not {}", kind(value.as_str()));
                    self.bad_value(&at, message, Some("such as { contains = \"main\" }".to_owned()));
                    None
                }
            };
        };
        let [(form, text)] = members.as_slice() else {
            self.bad_value(&at, "`reason` must have one of `contains` and `regex`", None);
            return None;
        };
        let text = serde_json::from_str::<String>(text.get()).ok();
        match (form.as_ref(), text) {
            ("contains" | "regex", Some(text)) if text.is_empty() => {
                self.bad_value(&at, format!("`reason.{form}` is empty, so that any reason would do"), None);
                None
            }
            ("contains", Some(text)) => Some(Text::Contains(text)),
            ("regex", Some(text)) => match Regex::new(&text) {
                Ok(regex) => Some(Text::Regex(regex)),
                Err(error) => {
                    let text = error.to_string();
                    let what = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                    self.bad_value(&at, format!("`reason.regex` is not a regex: {what}"), None);
                    None
                }
            },
            (known, None) if FORMS.contains(&known) => {
                self.bad_value(&at, format!("`reason.{known}` must be a string"), None);
                None
            }
            (unknown, _) => {
                let message = format!("unknown key `reason.{unknown}`");
                self.bad_key(&at, message, &suggest(unknown, &FORMS));
                None
            }
        }
    }
}
