//! Compares an answer with what a case says about it. Each function reports what differs, and where.

use serde_json::Value;

/// Compares the JSON, ignoring the order of keys.
pub fn same(place: &str, expected: &Value, actual: &Value, faults: &mut Vec<String>) {
    if expected != actual {
        faults.push(format!("{place}: expected {expected}, got {actual}"));
    }
}

/// Looks for every key of `expected`, at any depth. Lists must have the same length.
pub fn has(place: &str, expected: &Value, actual: &Value, faults: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, expected) in expected {
                let place = format!("{place}.{key}");
                match actual.get(key) {
                    Some(actual) => has(&place, expected, actual, faults),
                    None => faults.push(format!("{place}: expected {expected}, got none")),
                }
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                has(&format!("{place}.{index}"), expected, actual, faults);
            }
        }
        _ => same(place, expected, actual, faults),
    }
}

/// Checks that the string at `place` contains `text`.
pub fn contains(place: &str, text: &str, answer: &Value, faults: &mut Vec<String>) {
    match at(place, answer).and_then(Value::as_str) {
        Some(actual) if actual.contains(text) => {}
        Some(actual) => faults.push(format!("{place}: expected {text:?} in it, got {actual:?}")),
        None => faults.push(format!("{place}: expected {text:?} in it, got no string")),
    }
}

/// Checks that the string at `place` has this length.
pub fn bytes(place: &str, count: usize, answer: &Value, faults: &mut Vec<String>) {
    let actual = at(place, answer).and_then(Value::as_str).map(str::len);
    if actual != Some(count) {
        faults.push(format!("{place}: expected {count} bytes, got {actual:?}"));
    }
}

/// Checks that there is nothing at `place`, though there is something around it.
pub fn lacks(place: &str, answer: &Value, faults: &mut Vec<String>) {
    let around = place.rsplit_once('.').map_or(Some(answer), |(around, _)| at(around, answer));
    match (around, at(place, answer)) {
        (Some(_), None) => {}
        (_, Some(actual)) => faults.push(format!("{place}: expected none, got {actual}")),
        (None, None) => faults.push(format!("{place}: there is nothing around it")),
    }
}

fn at<'a>(place: &str, answer: &'a Value) -> Option<&'a Value> {
    place.split('.').try_fold(answer, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => value.get(step),
    })
}

#[test]
fn each_comparison_can_fail() {
    let answer = serde_json::json!({"a": [{"b": "text", "c": 1}]});
    let object = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let count = |compare: &dyn Fn(&mut Vec<String>)| {
        let mut faults = Vec::new();
        compare(&mut faults);
        faults.len()
    };
    for (expected, faults) in [
        (r#"{"a":[{"b":"text"}]}"#, 0),
        (r#"{"a":[{"b":"text","d":null}]}"#, 1),
        (r#"{"a":[{"b":"other","c":2}]}"#, 2),
        (r#"{"a":[]}"#, 1),
        (r#"{"a":{}}"#, 1),
    ] {
        assert_eq!(count(&|out| has("", &object(expected), &answer, out)), faults, "{expected}");
    }
    assert_eq!(count(&|out| same("", &object(r#"{"a":[{"b":"text"}]}"#), &answer, out)), 1);
    assert_eq!(count(&|out| same("", &object(r#"{"a":[{"c":1,"b":"text"}]}"#), &answer, out)), 0);
    for (place, text, faults) in [("a.0.b", "ex", 0), ("a.0.b", "x-", 1), ("a.0.c", "1", 1), ("a.1.b", "ex", 1)] {
        assert_eq!(count(&|out| contains(place, text, &answer, out)), faults, "{place} {text}");
    }
    for (place, length, faults) in [("a.0.b", 4, 0), ("a.0.b", 5, 1), ("a.0.c", 1, 1)] {
        assert_eq!(count(&|out| bytes(place, length, &answer, out)), faults, "{place} {length}");
    }
    for (place, faults) in [("z", 0), ("a.0.z", 0), ("a.0.b", 1), ("a.1.z", 1)] {
        assert_eq!(count(&|out| lacks(place, &answer, out)), faults, "{place}");
    }
}
