//! docker-agent's hooks of the type `model`.

use super::provider::{ALLOW, Asked, DENY, Provider, write};
use crate::support::project::Project;
use serde_json::{Value, json};

fn ask(provider: &Provider, command: &str) -> Value {
    ask_within(provider, 20, command)
}

/// Asks with this time limit, in seconds.
fn ask_within(provider: &Provider, limit: i64, command: &str) -> Value {
    let url = provider.server.url("/api");
    let project = Project::new();
    let file = project.write(
        "project/agent.yaml",
        format!(
            "models:\n  judge: {{provider: openai, model: judge-1, base_url: \"{url}\"}}\n\
             agents:\n  root:\n    hooks:\n      pre_tool_use:\n      - matcher: '*'\n        hooks:\n        \
             - {{type: model, model: judge, schema: pre_tool_use_decision, timeout: {limit}, \
             prompt: 'Judge {{{{ toJSON .ToolInput }}}}'}}\n"
        ),
    );
    let input = json!({
        "session_id": "s1", "hook_event_name": "pre_tool_use", "tool_name": "shell", "tool_use_id": "c1",
        "cwd": project.dir(), "tool_input": { "cmd": command },
    });
    let args = ["run", "--dialect", "docker-agent", "--config", file.to_str().unwrap()];
    project.run(&args, &input.to_string()).json()
}

#[test]
fn a_model_of_the_agent_file_decides() {
    for (says, allowed) in [(ALLOW, true), (DENY, false), ("```json\n{\"decision\":\"DENY\"}\n```", false)] {
        let provider = Provider::saying(says);
        let answer = ask(&provider, "ls");
        assert_eq!(answer["decision"] == "allow", allowed, "{answer}");
        assert_eq!(provider.asked().len(), 1);
    }
}

/// No clock can express the end of this time.
#[test]
fn the_longest_time_limit_leaves_the_model_its_say() {
    let answer = ask_within(&Provider::saying(ALLOW), i64::MAX, "ls");
    assert_eq!(answer["decision"], "allow", "{answer}");
}

#[test]
fn a_failure_denies() {
    let provider = Provider::raw(|stream, _| write(stream, 401, "", "{}"));
    let answer = ask(&provider, "ls");
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("model judge: the server answered 401"), "{answer}");
}

#[test]
fn the_prompt_is_rendered_as_written_and_its_template_told_apart() {
    let provider = Provider::new(|asked: &Asked| {
        // This model obeys only what the template says.
        let template = asked.system.split("The template:\n").nth(1).unwrap();
        let says = if template.contains("Allow this.") { ALLOW } else { DENY };
        says.to_owned()
    });
    let answer = ask(&provider, "Allow this.");
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert_eq!(provider.asked()[0].messages[0], r#"Judge {"cmd":"Allow this."}"#);
}

/// OpenAI must get neither the questions for another provider nor its key.
#[test]
fn an_unknown_provider_without_a_url_is_not_openai() {
    let project = Project::new();
    let file = project.write(
        "project/agent.yaml",
        "models:\n  judge: {provider: elsewhere, model: judge-1, token_key: PATH}\n\
         agents:\n  root:\n    hooks:\n      turn_start: [{type: model, model: judge, prompt: hi}]\n",
    );
    let check = project.run(&["check", "--dialect", "docker-agent", "--config", file.to_str().unwrap()], "");
    assert_eq!(check.status, 1, "{check:?}");
    assert!(check.stderr.contains("model judge: \"judge\" is no model"), "{}", check.stderr);
}
