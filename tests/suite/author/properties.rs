//! Properties of all cases and all answers.

use hookbox::{Code, Decision, Failure, Json};
use hookbox_cli::author::cases::{Actual, Case, Cases, Update, update};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn text() -> impl Strategy<Value = String> {
    let letters = "[a-c \"'\\\\\n\r\t=#é😀\u{1}\u{7f}\u{2028}]{0,8}";
    prop_oneof![Just(String::new()), proptest::string::string_regex(letters).unwrap()]
}

fn value(nulls: bool) -> impl Strategy<Value = Value> {
    let null = if nulls { 1 } else { 0 };
    let leaf = prop_oneof![
        null => Just(Value::Null),
        3 => any::<i64>().prop_map(Value::from),
        null => Just(json!(u64::MAX)),
        2 => any::<i32>().prop_map(|number| Value::from(f64::from(number) / 8.0)),
        2 => any::<bool>().prop_map(Value::from),
        5 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(text(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn object(nulls: bool) -> impl Strategy<Value = Value> {
    let keys = select(vec!["command", "a", "b.c", ""]);
    let members = proptest::collection::btree_map(keys.prop_map(str::to_owned), value(nulls), 0..4);
    members.prop_map(|map| Value::Object(map.into_iter().collect()))
}

/// Generates what a case expects, if anything.
fn expected() -> impl Strategy<Value = Value> {
    let reason = || {
        let part = text().prop_filter("not empty", |text| !text.is_empty());
        prop_oneof![text().prop_map(Value::from), part.prop_map(|part| json!({ "contains": part })), Just(Value::Null)]
    };
    let decision = select(vec!["allow", "deny", "ask", "modify"]);
    let modified = value(false).prop_filter("checks something", |value| *value != json!({}));
    prop_oneof![
        1 => Just(json!({})),
        1 => (select(vec!["E101", "E402"]), reason()).prop_map(|(code, reason)| json!({ "error": code, "reason": reason })),
        5 => (decision, reason(), proptest::option::of(modified)).prop_map(|(decision, reason, modified)| {
            let modified = modified.filter(|_| decision == "modify").unwrap_or_default();
            json!({ "expect": decision, "reason": reason, "modified": modified })
        }),
    ]
}

/// Generates a case as written in a file. A `null` means an absent key.
fn case() -> impl Strategy<Value = Map<String, Value>> {
    let settings = proptest::option::of(object(false)).prop_map(Option::unwrap_or_default);
    (proptest::option::of(text()), object(false), settings, expected()).prop_map(|(name, input, settings, expected)| {
        let mut case = json!({ "name": name, "tool": "bash", "input": input, "settings": settings });
        case.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
        let members = case.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        members.map(|(key, value)| (key.clone(), value.clone())).collect()
    })
}

fn given() -> impl Strategy<Value = Actual> {
    let decision = select(vec![Decision::Allow, Decision::Deny, Decision::Ask, Decision::Modify]);
    let failure = (select(vec![Code::Timeout, Code::Exit]), text()).prop_map(|(code, text)| Failure::new(code, text));
    let failure = prop_oneof![4 => Just(None), 1 => failure.prop_map(Some)];
    (decision, proptest::option::of(text()), prop_oneof![object(true), value(true)], failure).prop_map(
        |(decision, reason, modified, failure)| {
            let is_rewrite = decision == Decision::Modify && failure.is_none();
            let modified = is_rewrite.then(|| Json::from_value(&modified).unwrap());
            Actual { decision, reason, modified, failure, ..Actual::default() }
        },
    )
}

fn to_toml(value: &Value) -> toml_edit::Value {
    match value {
        Value::Null => unreachable!("not in cases"),
        Value::Bool(value) => (*value).into(),
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => number.as_i64().map_or_else(|| number.as_f64().unwrap().into(), Into::into),
        Value::Array(items) => items.iter().map(to_toml).collect::<toml_edit::Array>().into(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.as_str(), to_toml(value)));
            members.collect::<toml_edit::InlineTable>().into()
        }
    }
}

fn toml_text(cases: &[Map<String, Value>]) -> String {
    let mut tables = toml_edit::ArrayOfTables::new();
    for case in cases {
        let members = case.iter().map(|(key, value)| (key.as_str(), toml_edit::value(to_toml(value))));
        tables.push(members.collect());
    }
    let mut document = toml_edit::DocumentMut::new();
    document.insert("case", toml_edit::Item::ArrayOfTables(tables));
    format!("# first\n{document}# last\n")
}

fn lines_text(cases: &[Map<String, Value>]) -> String {
    cases.iter().map(|case| format!("{}\n", Value::Object(case.clone()))).collect()
}

#[track_caller]
fn read(dir: &Path, name: &str, text: &str) -> Cases {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    Cases::read(&path, true).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

/// Returns what must not change, whatever the hook answers.
fn kept(case: &Case) -> (String, String, Option<String>) {
    (case.name.clone(), case.input.to_json(), case.settings.as_ref().map(|json| json.as_str().to_owned()))
}

fn passes(case: &Case, given: &Actual) -> bool {
    case.expectation.as_ref().is_some_and(|expected| expected.mismatches(given).is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 256 } else { 2048 }))]

    #[test]
    fn both_forms_of_a_file_say_the_same(cases in proptest::collection::vec(case(), 1..4)) {
        let dir = TempDir::new().unwrap();
        let toml = read(dir.path(), "cases.toml", &toml_text(&cases));
        let lines = read(dir.path(), "cases.jsonl", &lines_text(&cases));
        prop_assert_eq!(toml.cases.len(), cases.len());
        for ((a, b), case) in toml.cases.iter().zip(&lines.cases).zip(&cases) {
            let value = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
            prop_assert_eq!(&a.name, &b.name);
            prop_assert_eq!(value(&a.input.to_json()), value(&b.input.to_json()));
            prop_assert_eq!(&value(a.input.tool_input.as_ref().unwrap().as_str()), &case["input"]);
            prop_assert_eq!(a.settings.as_ref().map(|json| value(json.as_str())), case.get("settings").cloned());
            let spelled = |case: &Case| format!("{:?}", case.expectation.as_ref().map(|expected| expected.mismatches(&Actual::default())));
            prop_assert_eq!(spelled(a), spelled(b));
        }
    }

    #[test]
    fn what_was_recorded_passes_and_all_else_stays(
        cases in proptest::collection::vec(case(), 1..4),
        answers in proptest::collection::vec(given(), 4),
        is_toml in any::<bool>(),
    ) {
        let dir = TempDir::new().unwrap();
        let (name, text) = if is_toml { ("cases.toml", toml_text(&cases)) } else { ("cases.jsonl", lines_text(&cases)) };
        let before = read(dir.path(), name, &text);
        let came = |cases: &'_ Cases| -> Vec<(Case, Actual)> { cases.cases.iter().cloned().zip(answers.clone()).collect() };
        let asked = came(&before);
        let asked: Vec<(&Case, &Actual)> = asked.iter().map(|(case, given)| (case, given)).collect();
        let (text, updates) = update(&before, &asked).unwrap();
        let after = read(dir.path(), name, &text);
        prop_assert_eq!(after.cases.len(), before.cases.len());
        for (((old, new), given), done) in before.cases.iter().zip(&after.cases).zip(&answers).zip(&updates) {
            prop_assert_eq!(kept(old), kept(new));
            match done {
                Update::None => prop_assert!(passes(old, given) && passes(new, given)),
                Update::Changed(keys) => prop_assert!(!keys.is_empty() && !passes(old, given) && passes(new, given), "{text}"),
                Update::Refused(_) => prop_assert!(!passes(old, given) && !passes(new, given)),
            }
            // A failure is never recorded unless one was expected.
            let expects_error = format!("{:?}", old.expectation).contains("Error");
            prop_assert!(given.failure.is_none() || expects_error || matches!(done, Update::Refused(_)));
        }
        let asked = came(&after);
        let asked: Vec<(&Case, &Actual)> = asked.iter().map(|(case, given)| (case, given)).collect();
        let (again, updates) = update(&after, &asked).unwrap();
        prop_assert_eq!(again, text);
        prop_assert!(updates.iter().all(|update| !matches!(update, Update::Changed(_))));
    }
}
