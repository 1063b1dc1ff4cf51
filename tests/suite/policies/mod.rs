//! The policies that ship with hookbox.

mod agents;
mod cases;
mod config;
mod documented;
mod hostile;
mod laws;
mod patches;
mod shells;

use crate::support::SANDBOX;
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::policy::Policy;
use hookbox::runtime::component::{ComponentHook, Limits};
use hookbox::{HookInfo, Input, Json, Outcome, Registry, Verdict};
use serde::Deserialize;
use serde_json::Value;

/// A policy in its own chain, in the same scene as in `hookbox test`.
struct Bench(Registry);

impl Bench {
    fn new(name: &str, settings: Option<&str>) -> Self {
        let policy = Policy::find(name).unwrap_or_else(|| panic!("there is no policy {name}"));
        let registry = Registry::new();
        let scene = Scene::new("/home/user/project").with_home("/home/user");
        registry.find_facts_with(Facts::new(scene, Tools::default()));
        registry.read_commands_with(SANDBOX.command_reader().unwrap());
        let prepared = SANDBOX.prepare_policy(policy, None, Limits::default()).unwrap();
        let info = HookInfo::new(name, policy.events.iter().copied());
        let info = if policy.wants_commands { info.with_commands() } else { info };
        let settings = settings.map(|text| Json::parse(text).unwrap());
        registry.register(ComponentHook::new(info, prepared, settings)).unwrap();
        Bench(registry)
    }

    async fn ask(&self, input: Input) -> Outcome {
        let outcome = self.0.run(input).await;
        assert_eq!(outcome.hooks[0].code, None, "{outcome:?}");
        outcome
    }

    async fn ask_bash(&self, command: &str) -> Outcome {
        self.ask(crate::support::bash(command)).await
    }
}

/// Returns how strict an outcome is. A change stops the original call.
fn strictness(outcome: &Outcome) -> u8 {
    match outcome.verdict {
        Verdict::Deny => 2,
        Verdict::Ask => 1,
        _ => u8::from(outcome.modified),
    }
}

/// A case as `hookbox test` reads it, as far as these tests need it.
#[derive(Deserialize)]
struct Case {
    name: String,
    tool: Option<String>,
    input: Option<Value>,
    settings: Option<Value>,
    /// The expected decision. Empty if the case expects an error.
    #[serde(default)]
    expect: String,
    reason: Option<Value>,
}

impl Case {
    /// Whether the policy does anything: it stops the call, changes it, or warns the agent.
    fn acts(&self) -> bool {
        self.expect != "allow" || self.reason.is_some()
    }

    /// Returns the command, if the case has nothing else.
    fn command(&self) -> Option<&str> {
        let input = self.input.as_ref().filter(|_| self.settings.is_none())?.as_object()?;
        input.get("command").filter(|_| input.len() == 1)?.as_str()
    }
}

fn cases(text: &str) -> Vec<Case> {
    #[derive(Deserialize)]
    struct Cases {
        case: Vec<Case>,
    }
    toml::from_str::<Cases>(text).unwrap().case
}
