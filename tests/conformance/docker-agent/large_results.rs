//! docker-agent: the builtin `limit_large_tool_results`. A row says which category the tool has, and how often its
//! result has which text.

use super::types;
use crate::conformance::by_test::{Named, Row, named, rows};
use hookbox::{Action, Input};
use serde_json::{Value, json};
use std::fs;

pub(super) const TESTS: &[Named] = named![large_results_are_kept_in_a_file];

const MAX_BYTES: usize = 50 << 10;
const MAX_LINES: usize = 2000;

#[test]
fn large_results_are_kept_in_a_file() {
    rows("docker-agent", "large_results_are_kept_in_a_file").into_iter().for_each(holds);
}

fn holds(row: Row) {
    let words: Vec<&str> = row.input().trim().split(' ').collect();
    let [category, times, text] = words.as_slice() else { panic!("{}: {words:?}", row.name()) };
    let content = text.replace("\\n", "\n").repeat(times.parse().unwrap());
    let updated = ask(json!({
        "event": "tool_response_transform", "tool_name": "any", "tool_category": category,
        "tool_result": { "content": content, "is_error": false },
    }))
    .and_then(|action| action.updated_tool_response);
    let Some(updated) = updated else {
        assert_eq!("untouched", row.expected().trim(), "{}", row.name());
        return row.holds();
    };
    assert_eq!("shortened", row.expected().trim(), "{}", row.name());
    let (notice, end) = updated.split_once("\n\n").unwrap();
    let file = notice.split('`').nth(1).unwrap();
    assert_eq!(fs::read_to_string(file).unwrap(), content, "{}: the file has all of it", row.name());
    assert!(notice.contains(&content.len().to_string()) && notice.contains(&MAX_BYTES.to_string()), "{notice}");
    assert!(content.ends_with(end) && end.len() <= MAX_BYTES && end.lines().count() <= MAX_LINES, "{}", row.name());
    assert!(end.len() > MAX_BYTES - 4 || end.lines().count() == MAX_LINES, "{}: no more is lost", row.name());
    ask(json!({ "event": "session_end" }));
    assert!(!fs::exists(file).unwrap(), "{}: it ends with the session", row.name());
    row.holds();
}

/// Returns what the builtin says about an event.
fn ask(mut event: Value) -> Option<Action> {
    event["session_id"] = format!("../{}", std::process::id()).into();
    let input = Input::from_slice(event.to_string().as_bytes()).unwrap();
    types().builtin("limit_large_tool_results").unwrap()(&input, &[]).unwrap()
}
