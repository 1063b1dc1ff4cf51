//! Each policy decides its cases as they say.

use super::{Bench, cases, strictness};
use crate::support::project::Project;
use crate::support::root;
use hookbox::Input;
use hookbox::policy::Policy;
use serde_json::json;
use std::fs;

fn holds(name: &str) {
    let project = Project::new();
    let config = project.write("hooks.toml", format!("[hooks.{name}]\npolicy = \"{name}\"\n"));
    for cases in ["cases.toml", "tests/others.toml"] {
        let file = root().join(format!("policies/{name}/{cases}"));
        let (config, file) = (config.to_str().unwrap(), file.to_str().unwrap());
        let ran = project.run(&["test", "--config", config, "--cases", file], "");
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

macro_rules! each_holds {
    ($($test:ident $name:literal)+) => {
        $(#[test] fn $test() { holds($name); })+

        #[test]
        fn every_policy_is_among_these() {
            assert_eq!(Policy::names(), [$($name),+]);
        }
    };
}

each_holds! {
    command_allowlist "command-allowlist"
    injection_scan "injection-scan"
    mcp_guard "mcp-guard"
    network_egress "network-egress"
    no_destructive_commands "no-destructive-commands"
    no_secret_leaks "no-secret-leaks"
    package_guard "package-guard"
    protect_paths "protect-paths"
}

#[test]
fn every_policy_has_cases_of_both_kinds() {
    for policy in Policy::all() {
        let all = cases(policy.cases);
        let stops = all.iter().filter(|case| case.acts()).count();
        assert!(stops >= 50 && all.len() - stops >= 30, "{}: {stops} of {}", policy.name, all.len());
        let mut names: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{}: a name stands twice", policy.name);
    }
}

/// Returns the commands in a file that some recommended policy stops, with the reason.
async fn stopped(everyday: &[super::Case]) -> Vec<(String, String)> {
    let mut stopped = Vec::new();
    for policy in Policy::all().iter().filter(|policy| policy.is_recommended) {
        let bench = Bench::new(policy.name, None);
        for case in everyday {
            let outcome = bench.ask_bash(case.command().unwrap()).await;
            if strictness(&outcome) > 0 {
                stopped.push((case.name.clone(), outcome.reason.unwrap_or_default()));
            }
        }
    }
    stopped
}

#[tokio::test]
async fn everyday_commands_pass() {
    let everyday = cases(&fs::read_to_string(root().join("policies/everyday.toml")).unwrap());
    assert!(everyday.len() >= 500, "only {}", everyday.len());
    let stopped = stopped(&everyday).await;
    assert!(stopped.is_empty(), "{stopped:#?}");
}

/// At most one in two hundred is stopped.
#[tokio::test]
async fn lines_of_ci_files_and_makefiles_pass() {
    let (stops, everyday): (Vec<_>, Vec<_>) =
        cases(&fs::read_to_string(root().join("policies/everyday-ci.toml")).unwrap())
            .into_iter()
            .partition(super::Case::acts);
    assert!(everyday.len() >= 300, "only {}", everyday.len());
    let without_need = stopped(&everyday).await;
    assert!(without_need.len() * 200 <= everyday.len(), "{without_need:#?}");
    let with_need = stopped(&stops).await;
    let missed = stops.iter().find(|case| !with_need.iter().any(|(name, _)| *name == case.name));
    assert!(missed.is_none(), "{} passes", missed.map(|case| case.name.as_str()).unwrap_or_default());
}

/// At most one in two hundred is stopped.
#[tokio::test]
async fn everyday_calls_pass() {
    let everyday = cases(&fs::read_to_string(root().join("policies/everyday-calls.toml")).unwrap());
    assert!(everyday.len() >= 300, "only {}", everyday.len());
    let mut stopped = Vec::new();
    for policy in Policy::all().iter().filter(|policy| policy.is_recommended) {
        let bench = Bench::new(policy.name, None);
        for case in &everyday {
            let call = json!({
                "event": "pre_tool", "tool_name": case.tool, "tool_input": case.input, "pwd": "/home/user/project",
            });
            let outcome = bench.ask(Input::from_slice(call.to_string().as_bytes()).unwrap()).await;
            if strictness(&outcome) > 0 {
                stopped.push(format!("{}\n    {}", case.name, outcome.reason.unwrap_or_default()));
            }
        }
    }
    assert!(stopped.len() * 200 <= everyday.len(), "{}", stopped.join("\n"));
}

#[test]
fn what_is_known_of_a_policy_is_what_it_is() {
    for policy in Policy::all() {
        let manifest = fs::read_to_string(root().join(format!("policies/{}/Cargo.toml", policy.name))).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        assert_eq!(manifest["package"]["version"].as_str(), Some(policy.version), "{}", policy.name);
        for key in ["mode", "message", "unknown"] {
            assert!(policy.settings().iter().any(|setting| setting.name == key), "{} lacks {key}", policy.name);
        }
        let bare = policy.settings().into_iter().find(|setting| setting.description.is_empty());
        assert!(bare.is_none(), "{}: {bare:?} has no description", policy.name);
    }
}
