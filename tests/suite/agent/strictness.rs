//! The reply to an agent is never weaker than the verdict, whatever the Outcome.

use super::effects::{self, Effect};
use super::{after_tool, agent, before_tool, decode, prompt};
use hookbox::agent::{self as agents, Call, Loss, Plan, Reply, plan};
use hookbox::{Json, Outcome, Permission, ToolResult, Verdict};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The decisions of hooks, apart from the Input.
#[derive(Clone, Debug)]
struct Decided {
    verdict: Verdict,
    permission: Option<Permission>,
    reason: Option<String>,
    stop: bool,
    context: Vec<String>,
    messages: Vec<String>,
}

fn decided() -> impl Strategy<Value = Decided> {
    let verdict = prop_oneof![Just(Verdict::Allow), Just(Verdict::Ask), Just(Verdict::Deny)];
    let permission = prop_oneof![Just(Permission::Allow), Just(Permission::Ask), Just(Permission::Deny)];
    let text =
        prop_oneof![Just(String::new()), Just(" \n".to_owned()), "\\PC{0,20}", Just("a\u{202e}b\"\\{}".to_owned())];
    (
        verdict,
        option::of(permission),
        option::of(text.clone()),
        any::<bool>(),
        prop::collection::vec(text.clone(), 0..3),
        prop::collection::vec(text, 0..2),
    )
        .prop_map(|(verdict, permission, reason, stop, context, messages)| Decided {
            verdict,
            permission,
            reason,
            stop,
            context,
            messages,
        })
}

/// Generates a tool input, and what hooks may have changed it to.
fn inputs() -> impl Strategy<Value = (Value, Value)> {
    let object = prop::collection::btree_map("[a-c]", "[a-z ]{0,4}", 0..3).prop_map(|members| json!(members));
    let any = prop_oneof![4 => object, 1 => Just(json!("text")), 1 => Just(json!([1]))];
    (any.clone(), any)
}

impl Decided {
    fn outcome(&self, call: &Call, rewrite: impl FnOnce(&mut Outcome)) -> Outcome {
        let mut outcome = Outcome::allow(call.input.clone().unwrap());
        rewrite(&mut outcome);
        outcome.modified = outcome.input.as_deref() != call.input.as_ref();
        outcome.verdict = self.verdict;
        outcome.permission = self.permission;
        outcome.reason.clone_from(&self.reason);
        outcome.stop = self.stop;
        outcome.additional_context.clone_from(&self.context);
        outcome.system_messages.clone_from(&self.messages);
        outcome
    }

    fn denies(&self) -> bool {
        self.verdict == Verdict::Deny || self.permission == Some(Permission::Deny)
    }

    fn asks(&self) -> bool {
        self.verdict == Verdict::Ask || self.permission == Some(Permission::Ask)
    }
}

fn reply(name: &str, call: &Call, outcome: &Outcome) -> (Plan, Reply) {
    let plan = plan(outcome, call, &agent(name).capabilities(call));
    let reply = agent(name).encode(call, &plan);
    (plan, reply)
}

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(agents::all().iter().map(|agent| agent.name()).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn before_a_tool(name in names(), decided in decided(), (old, new) in inputs()) {
        let call = decode(name, &before_tool(name, "Bash", &old));
        let outcome = decided.outcome(&call, |outcome| {
            outcome.input.as_mut().unwrap().tool_input = Some(Json::from_value(&new).unwrap());
        });
        let (plan, reply) = reply(name, &call, &outcome);
        let effect = effects::before_tool(name, &old, &reply);
        let modified = outcome.modified;
        prop_assert!(reply.stdout.is_empty() || serde_json::from_str::<Value>(&reply.stdout).is_ok(), "{reply:?}");
        if decided.denies() || decided.stop {
            prop_assert_eq!(&effect, &Effect::Stopped, "{:?} {:?}", plan, reply);
        } else if decided.asks() {
            prop_assert!(matches!(effect, Effect::Asks | Effect::Stopped), "{effect:?} {plan:?} {reply:?}");
        } else if modified {
            let is_new = effect == Effect::RunsWith(new.clone());
            prop_assert!(is_new || effect == Effect::Stopped, "{effect:?} {plan:?} {reply:?}");
            // What Cline can get is known only when the reply is encoded.
            prop_assert!(name == "cline" || is_new != plan.losses.contains(&Loss::Input), "{effect:?} {plan:?}");
        } else {
            // The agent does not get more, either.
            prop_assert_eq!(&effect, &Effect::Runs, "{:?} {:?}", plan, reply);
        }
    }

    #[test]
    fn at_a_prompt(name in names(), decided in decided(), new in "[a-z]{1,4}") {
        let call = decode(name, &prompt(name, "old text"));
        let outcome = decided.outcome(&call, |outcome| outcome.input.as_mut().unwrap().message = Some(new.clone()));
        let (plan, reply) = reply(name, &call, &outcome);
        let effect = effects::at_prompt(name, &reply);
        if decided.denies() || decided.asks() || decided.stop {
            prop_assert_eq!(&effect, &Effect::Stopped, "{:?} {:?}", plan, reply);
        } else {
            let is_new = effect == Effect::RunsWith(new.into());
            prop_assert!(is_new || effect == Effect::Stopped, "{effect:?} {plan:?} {reply:?}");
        }
    }

    /// A rewritten result never reaches the model in its original form, unless the rewrite is reported as lost.
    #[test]
    fn after_a_tool(name in names(), decided in decided(), new in "[a-z]{1,4}") {
        let secret = "TOKEN=abc123";
        let payload = after_tool(name, &json!({"command": "env"}), secret);
        let call = decode(name, &payload);
        prop_assert_eq!(&call.input.as_ref().unwrap().tool_result.as_ref().unwrap().content, secret);
        let outcome = decided.outcome(&call, |outcome| {
            let result = ToolResult { is_error: false, content: new.clone() };
            outcome.input.as_mut().unwrap().tool_result = Some(result);
        });
        let (plan, reply) = reply(name, &call, &outcome);
        let document: Value = serde_json::from_str(&reply.stdout).unwrap_or_default();
        let seen = match name {
            "claude" => {
                let result = &document["hookSpecificOutput"]["updatedToolOutput"];
                let has_shape = result["stderr"].is_string() && result["interrupted"] == false && result["isImage"] == false;
                result["stdout"].as_str().filter(|_| has_shape)
            }
            "codex" => document["reason"].as_str().or(document["stopReason"].as_str()),
            "gemini" => document["reason"].as_str().filter(|_| document["decision"] == "deny"),
            "copilot" => document["modifiedResult"]["textResultForLlm"].as_str(),
            "qwen" => document["stopReason"].as_str().filter(|_| document["continue"] == false),
            "opencode" => document["output"].as_str(),
            _ => None,
        };
        // With a deny, a rewrite does not count; after a tool, nothing is denied.
        if plan.losses.contains(&Loss::Result) {
            prop_assert!(["generic-claude", "droid", "cline", "cursor"].contains(&name));
        } else if decided.denies() || decided.asks() || decided.stop {
            prop_assert!(seen.is_some_and(|seen| !seen.contains("abc123")), "{plan:?} {reply:?}");
        } else {
            prop_assert_eq!(seen, Some(new.as_str()), "{:?} {:?}", plan, reply);
        }
    }
}
