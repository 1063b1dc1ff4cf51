//! Budgets, and answers that are kept.

use super::provider::{ALLOW, DENY, Provider};
use crate::support::guests;
use crate::support::project::Project;
use serde_json::json;

fn ask(project: &Project, session: &str, command: &str) -> serde_json::Value {
    let input = json!({
        "event": "pre_tool", "session_id": session, "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "command": command },
    });
    project.ask(&input.to_string()).json()
}

#[test]
fn a_budget_of_calls_counts_across_processes_and_by_session() {
    let provider = Provider::saying(ALLOW);
    let project = provider.project("openai", ", budget = { calls = 2 }");
    for _ in 0..2 {
        assert_eq!(ask(&project, "s1", "ls")["decision"], "allow");
    }
    let answer = ask(&project, "s1", "ls");
    assert_eq!(answer["decision"], "deny");
    assert!(answer["reason"].as_str().unwrap().contains("budget for this session is used up: 2 questions"), "{answer}");
    assert_eq!(ask(&project, "s2", "ls")["decision"], "allow", "another session has its own");
    assert_eq!(provider.asked().len(), 3);
}

#[test]
fn a_budget_of_tokens_counts_what_the_provider_counts() {
    let provider = Provider::saying(ALLOW);
    // Each question costs 120 tokens. Before that is known, about 600 are set aside.
    let project = provider.project("anthropic", ", max_tokens = 20, budget = { tokens = 900 }");
    let allowed = (0..12).take_while(|_| ask(&project, "s1", "ls")["decision"] == "allow").count();
    assert!((2..=7).contains(&allowed), "{allowed}");
    assert_eq!(provider.asked().len(), allowed);
    assert!(ask(&project, "s1", "ls")["reason"].as_str().unwrap().contains("900 tokens"));
}

#[test]
fn a_budget_of_money_holds_for_all_hooks_of_a_model() {
    let provider = Provider::saying(ALLOW);
    let model = "provider = \"gemini\"\nmodel = \"judge-1\"\nprivate = true\nmax_tokens = 20\n\
                 price = { input = 1000, output = 5000 }\nbudget = { usd = 0.9 }";
    // A question costs 0.2 dollars, and more is set aside for it before that is known.
    let hook = "events = [\"pre_tool\"]\nmodel = { use = \"judge\", prompt = \"Deny.\" }\n\n\
                [hooks.other]\nevents = [\"pre_tool\"]\nmodel = { use = \"judge\", prompt = \"Deny.\" }";
    let project = provider.configured(model, hook);
    let answers: Vec<_> = (0..3).map(|_| ask(&project, "s1", "ls")).collect();
    assert_eq!(answers[0]["decision"], "allow", "{answers:?}");
    assert_eq!(answers[2]["decision"], "deny", "{answers:?}");
    assert!(answers[2]["reason"].as_str().unwrap().contains("900000 millionths of a US dollar"), "{answers:?}");
    assert!((2..=4).contains(&provider.asked().len()), "{}", provider.asked().len());
}

/// The question is not asked. The hook's own budget is asked before that of the model.
#[test]
fn a_question_that_one_budget_refuses_does_not_use_up_another() {
    let provider = Provider::saying(ALLOW);
    let model = "provider = \"openai\"\nmodel = \"judge-1\"\nprivate = true\nbudget = { calls = 1 }";
    let hook = "model = { use = \"judge\", prompt = \"Deny.\", budget = { calls = 2 } }";
    let project = provider.configured(model, hook);
    assert_eq!(ask(&project, "s1", "ls")["decision"], "allow");
    for _ in 0..2 {
        let answer = ask(&project, "s1", "ls");
        assert_eq!(answer["decision"], "deny", "{answer}");
        assert!(answer["reason"].as_str().unwrap().contains("used up: 1 questions"), "{answer}");
    }
    assert_eq!(provider.asked().len(), 1);
}

#[test]
fn a_budget_needs_a_session() {
    let provider = Provider::saying(ALLOW);
    let project = provider.project("openai", ", budget = { calls = 2 }");
    let input = json!({
        "event": "pre_tool", "pwd": project.dir(), "tool_name": "bash", "tool_input": { "command": "ls" },
    });
    let answer = project.ask(&input.to_string()).json();
    assert_eq!(answer["decision"], "deny");
    assert!(answer["reason"].as_str().unwrap().contains("session has no id"), "{answer}");
}

#[test]
fn an_answer_counts_for_equal_questions_only() {
    for says in [ALLOW, DENY] {
        let provider = Provider::saying(says);
        let project = provider.project("openai-chat", ", cache = \"10m\"");
        let first = ask(&project, "s1", "ls");
        let second = ask(&project, "s2", "ls");
        assert_eq!((&first["decision"], &first["reason"]), (&second["decision"], &second["reason"]));
        assert_eq!(provider.asked().len(), 1);
        ask(&project, "s1", "ls -a");
        assert_eq!(provider.asked().len(), 2, "another question is asked");
    }
}

#[test]
fn no_store_of_a_component_holds_the_answers() {
    let provider = Provider::saying(ALLOW);
    let component = guests::path("powers.wasm").display().to_string();
    let hooks = format!(
        "model = {{ use = \"judge\", prompt = \"Deny.\", cache = \"10m\" }}\n\n[hooks.\"judge answers\"]\n\
         events = [\"pre_tool\"]\ncomponent = \"{component}\"\ngrants = {{ store = {{ scope = \"user\" }} }}"
    );
    let model = "provider = \"openai\"\nmodel = \"judge-1\"\nprivate = true";
    let project = provider.configured(model, &format!("events = [\"pre_tool\"]\n{hooks}"));
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["list"]] },
    });
    for _ in 0..2 {
        assert_eq!(project.ask(&input.to_string()).json()["reason"], "[[]]");
    }
    assert_eq!(provider.asked().len(), 1);
}

#[test]
fn failures_are_not_kept() {
    let provider = Provider::saying("maybe");
    let project = provider.project("openai-chat", ", cache = \"10m\"");
    for _ in 0..2 {
        assert_eq!(ask(&project, "s1", "ls")["decision"], "deny");
    }
    assert_eq!(provider.asked().len(), 4);
}

#[test]
fn without_a_cache_each_question_is_asked() {
    let provider = Provider::saying(ALLOW);
    let project = provider.project("openai-chat", "");
    ask(&project, "s1", "ls");
    ask(&project, "s1", "ls");
    assert_eq!(provider.asked().len(), 2);
}
