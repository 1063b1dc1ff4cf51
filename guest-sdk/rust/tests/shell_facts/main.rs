//! The JSON facts about what a command would run.
#![cfg(feature = "shell")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail this way")]

mod bounds;
mod files;
mod inner;
mod languages;
mod laws;
mod members;
mod programs;
mod state;
mod tools;
mod variables;

use hookbox_sdk::shell::facts;
use serde_json::{Value, json};

/// Returns the answer for a text, for a user with the home `/home/u`, in `/home/u/p`.
fn facts(text: &str) -> Value {
    ask(&json!({ "text": text, "home": "/home/u", "cwd": "/home/u/p" }))
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&facts::answer(&request.to_string()).unwrap()).unwrap()
}

/// Returns the commands of an answer.
fn commands(answer: &Value) -> &[Value] {
    answer["commands"].as_array().unwrap()
}

/// Returns the first command of this name.
fn command<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let found = commands(answer).iter().find(|command| command["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {answer}"))
}

/// Shows a word on one line, with unknown parts in angle brackets.
fn shown(word: &Value) -> String {
    if let Some(text) = word.as_str() {
        return text.to_owned();
    }
    let part = |part: &Value| match (part.as_str(), part["unknown"].as_str(), part["glob"].as_str()) {
        (Some(text), ..) | (_, _, Some(text)) => text.to_owned(),
        (_, Some(text), _) => format!("<{text}>"),
        _ => panic!("no part: {part}"),
    };
    word["parts"].as_array().unwrap().iter().map(part).collect()
}

fn words(command: &Value) -> String {
    command["argv"].as_array().into_iter().flatten().map(shown).collect::<Vec<_>>().join(" ")
}

/// Checks that each text is complete and has these commands.
fn run_these(cases: &[(&str, &[&str])]) {
    let mut failures = String::new();
    for (text, expected) in cases {
        let answer = facts(text);
        let found: Vec<String> = commands(&answer).iter().map(words).collect();
        let missing = expected.iter().any(|line| !found.iter().any(|found| found == line));
        if missing || answer["complete"] != true {
            failures += &format!("\n{text}\n    wanted {expected:?}\n    found {found:?} {}", answer["unknown"]);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Checks that no text is complete.
fn are_incomplete(cases: &[&str]) {
    let mut failures = String::new();
    for text in cases {
        let answer = facts(text);
        if answer["complete"] != false || answer["unknown"].as_array().is_none_or(Vec::is_empty) {
            let found: Vec<String> = commands(&answer).iter().map(words).collect();
            failures += &format!("\n{text}\n    found {found:?}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
