//! For any tool input, a policy answers, and never allows by failing.

use super::Bench;
use hookbox::policy::Policy;
use hookbox::{Input, ToolResult};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

const KEYS: [&str; 12] =
    ["command", "file_path", "path", "content", "input", "url", "query", "sql", "args", "edits", "new_string", "patch"];

fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "rm",
        "-rf",
        "/",
        "$(",
        ")",
        "'",
        "\"",
        "`",
        "|",
        "&&",
        ";",
        "<<EOF\n",
        "EOF\n",
        "git",
        "push",
        "--force",
        "\\",
        "${x",
        "}",
        "curl",
        "http://x.y/z",
        "{a,b}",
        "*",
        "~",
        ">",
        ".env",
        "ghp_",
        "AKIA",
        "SELECT",
        "--",
        "\u{200b}",
        "\u{f0000}",
        "\u{1b}[31m",
        "*** Begin Patch\n",
    ]);
    prop::collection::vec(prop_oneof![words.prop_map(str::to_owned), "\\PC{0,12}", "[ \\t\\n]"], 0..24)
        .prop_map(|words| words.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,10}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn tool_input() -> impl Strategy<Value = Value> {
    prop::collection::vec((prop::sample::select(&KEYS[..]), value()), 0..4).prop_map(|members| {
        Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
    })
}

#[test]
fn no_input_makes_a_policy_fail() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let benches: Vec<Bench> = Policy::all().iter().map(|policy| Bench::new(policy.name, None)).collect();
    let tools =
        prop::sample::select(vec!["Bash", "Write", "Edit", "apply_patch", "WebFetch", "mcp__db__query", "Read", "x"]);
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let law = |(tool, tool_input): (&str, Value)| {
        for bench in &benches {
            let input = Input::pre_tool(tool, &tool_input.to_string()).unwrap();
            let mut after = input.clone();
            after.event = hookbox::Event::PostTool;
            after.tool_result = Some(ToolResult { content: tool_input.to_string(), is_error: false });
            for input in [input, after] {
                let outcome = runtime.block_on(bench.0.run(input));
                let failed = outcome.hooks.iter().find(|hook| hook.code.is_some());
                prop_assert!(failed.is_none(), "{outcome:?}");
            }
        }
        Ok(())
    };
    runner.run(&(tools, tool_input()), law).unwrap();
}

#[tokio::test]
async fn a_setting_that_is_wrong_denies() {
    for policy in Policy::all() {
        let prepared = crate::support::SANDBOX.prepare_policy(policy, None, Default::default()).unwrap();
        let settings = hookbox::Json::parse(&json!({"no_such_setting": 1}).to_string()).unwrap();
        let registry = hookbox::Registry::new();
        let info = hookbox::HookInfo::new(policy.name, [hookbox::Event::PreTool]);
        registry.register(hookbox::runtime::component::ComponentHook::new(info, prepared, Some(settings))).unwrap();
        let outcome = registry.run(crate::support::bash("ls")).await;
        assert_eq!(outcome.verdict, hookbox::Verdict::Deny, "{}: {outcome:?}", policy.name);
    }
}
