//! The example hook as a component in the chain, and the same policy as a shell hook.

use crate::support::{SANDBOX, bash, guests, plain};
use hookbox::runtime::component::{ComponentHook, Grants, Limits};
use hookbox::runtime::shell::{Command, HookboxCodec, ShellHook};
use hookbox::{Event, Hook, HookInfo, Input, Json, Outcome, Registry, Verdict};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::sync::Arc;
use std::time::Duration;

const PURE: &str = "no_destructive_commands.wasm";
const STOCK: &str = "no_destructive_commands.wasip2.wasm";

fn info() -> HookInfo {
    let mut info = HookInfo::new("policy", Event::ALL.iter().copied());
    info.timeout = Some(Duration::from_secs(20));
    info
}

fn registry(hook: impl Hook + 'static) -> Registry {
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry
}

fn as_component(file: &str, settings: Option<Json>) -> Registry {
    let prepared = SANDBOX.prepare(&guests::read(file), None, Grants::default(), Limits::default()).unwrap();
    registry(ComponentHook::new(info(), prepared, settings))
}

fn as_shell_hook() -> Registry {
    let command = Command::new(guests::path("no-destructive-commands"), "/");
    registry(ShellHook::new(info(), command, None, Arc::new(HookboxCodec)))
}

fn tool_input(outcome: &Outcome) -> &str {
    outcome.input.as_ref().unwrap().tool_input.as_ref().unwrap().as_str()
}

#[tokio::test]
async fn destructive_commands_are_denied_and_harmless_ones_pass() {
    for file in [PURE, STOCK] {
        let registry = as_component(file, None);
        for command in ["rm -rf /", "rm -fr ~", "sudo rm -r -f /", "bash -c 'rm -rf ~'", "git push --force origin main"]
        {
            assert_eq!(registry.run_pre(bash(command)).await.verdict, Verdict::Deny, "{command}");
        }
        for command in ["grep \"rm -rf /\" README.md", "echo 'rm -rf /'", "rm -rf ./build", "git push origin main"] {
            let outcome = registry.run_pre(bash(command)).await;
            assert_eq!((outcome.verdict, outcome.modified), (Verdict::Allow, false), "{command}");
        }
    }
}

#[tokio::test]
async fn a_force_push_to_another_branch_is_made_safe() {
    let outcome = as_component(PURE, None).run_pre(bash("git push --force origin feature")).await;
    assert_eq!((outcome.verdict, outcome.modified), (Verdict::Allow, true));
    assert_eq!(tool_input(&outcome), r#"{"command":"git push --force-with-lease origin feature"}"#);
}

#[tokio::test]
async fn its_settings_come_from_the_config() {
    let settings = Json::parse(r#"{"branches":["release"]}"#).unwrap();
    let registry = as_component(PURE, Some(settings));
    assert_eq!(registry.run_pre(bash("git push -f origin release")).await.verdict, Verdict::Deny);
    assert_eq!(registry.run_pre(bash("git push -f origin main")).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn it_stands_in_a_chain_with_others() {
    let registry = as_component(PURE, None);
    registry.register(plain("next", &crate::support::component::allowing())).unwrap();
    let outcome = registry.run_pre(bash("ls")).await;
    assert_eq!(outcome.hooks.len(), 2);
}

/// Generates a shell command that is sometimes destructive and sometimes odd.
fn command() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "rm",
        "-rf",
        "-r",
        "-f",
        "/",
        "~",
        "./x",
        "$HOME",
        "\"$X\"",
        "sudo",
        "git",
        "push",
        "--force",
        "origin",
        "main",
        "feature",
        "+dev",
        "bash -c 'rm -rf /'",
        "&&",
        "|",
        ";",
        "echo",
        "'rm -rf /'",
        "$(",
        ")",
        "find",
        "-delete",
        "\\",
        "\n",
        "#",
        "é",
        "\u{1f600}",
    ]);
    prop::collection::vec(word, 1..8).prop_map(|words| words.join(" "))
}

fn event() -> impl Strategy<Value = Input> {
    let tool_input = prop_oneof![
        6 => command().prop_map(|command| serde_json::json!({ "command": command, "n": 1 }).to_string()),
        1 => command().prop_map(|command| serde_json::json!({ "cmd": ["bash", "-c", command] }).to_string()),
        1 => any::<String>().prop_map(|text| serde_json::json!({ "path": text }).to_string()),
        1 => Just("{}".to_owned()),
    ];
    let tool_call = tool_input.prop_map(|text| Input::pre_tool("bash", &text).unwrap());
    prop_oneof![8 => tool_call, 1 => any::<String>().prop_map(Input::pre_message)]
}

/// Returns everything that two hooks with the same logic must agree on.
fn essence(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        outcome.verdict,
        outcome.denied_by.clone(),
        outcome.asked_by.clone(),
        outcome.reason.clone(),
        outcome.input.as_deref().map(Input::to_json),
        outcome.modified,
        outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        outcome.hooks.iter().map(|record| (record.decision, record.code)).collect::<Vec<_>>(),
    )
}

#[tokio::test]
async fn the_same_logic_gives_the_same_outcome_as_component_and_as_shell_hook() {
    let (component, shell) = (as_component(PURE, None), as_shell_hook());
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let mut verdicts = std::collections::BTreeMap::new();
    for _ in 0..400 {
        let input = event().new_tree(&mut runner).unwrap().current();
        let (one, other) = (component.run(input.clone()).await, shell.run(input.clone()).await);
        assert_eq!(essence(&one), essence(&other), "{}", input.to_json());
        *verdicts.entry((one.verdict, one.modified)).or_insert(0) += 1;
    }
    assert!(verdicts.len() >= 3, "the events must not all be alike: {verdicts:?}");
}
