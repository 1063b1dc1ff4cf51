//! `hookbox install claude --http`: an agent that asks a server.

use super::client::RULE;
use super::server::Server;
use crate::support::project::{Project, Ran, run};
use serde_json::{Value, json};
use std::fs;

/// Runs hookbox with these variables, and without those of this process that matter.
fn hookbox(project: &Project, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(args).current_dir(project.dir());
    for name in ["HTTP_PROXY", "http_proxy", "HOOKBOX_TOKEN", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    run(command.env("HOME", project.home()).envs(variables.iter().copied()))
}

fn install(project: &Project, port: u16) -> Ran {
    hookbox(project, &["install", "claude", "--http", &format!("http://127.0.0.1:{port}"), "--yes"], &[])
}

fn settings(project: &Project) -> Value {
    serde_json::from_str(&fs::read_to_string(project.home().join(".claude/settings.json")).unwrap()).unwrap()
}

fn doctor(project: &Project, token: Option<&str>) -> Value {
    let variables: Vec<(&str, &str)> = token.map(|token| ("HOOKBOX_TOKEN", token)).into_iter().collect();
    hookbox(project, &["doctor", "claude", "--format", "json"], &variables).json()["agents"][0].clone()
}

#[test]
fn its_hooks_are_requests_that_fail_closed() {
    let project = Project::new().user(RULE);
    let ran = install(&project, 8787);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let token = project.home().join(".local/state/hookbox/serve.token");
    let export = format!("export HOOKBOX_TOKEN=\"$(cat '{}')\"", token.display());
    for told in ["hookbox serve --listen 127.0.0.1:8787", &export] {
        assert!(ran.stdout.contains(told), "{}", ran.stdout);
    }
    let written = settings(&project);
    let request = json!({
        "type": "http",
        "url": "http://127.0.0.1:8787/v1/agents/claude",
        "headers": {"Authorization": "Bearer ${HOOKBOX_TOKEN}"},
        "allowedEnvVars": ["HOOKBOX_TOKEN"],
        "timeout": 30,
        "onFailure": "block",
    });
    let hooks = written["hooks"].as_object().unwrap();
    for (event, groups) in hooks {
        let [group] = groups.as_array().unwrap().as_slice() else { panic!("{event}: {groups}") };
        let [hook] = group["hooks"].as_array().unwrap().as_slice() else { panic!("{event}: {group}") };
        // Claude Code sends no request for this event.
        if event == "SessionStart" {
            assert!(hook["command"].as_str().unwrap().contains("hook claude --home "), "{hook}");
        } else {
            assert_eq!(*hook, request, "{event}");
        }
    }
    assert!(hooks.len() > 5 && hooks.contains_key("SessionStart"), "{written}");
    let again = install(&project, 8787);
    assert_eq!((again.status, settings(&project)), (0, written), "{}", again.stdout);
}

#[test]
fn commands_and_requests_take_each_other_s_place_and_both_can_be_removed() {
    let project = Project::new().user(RULE);
    let own = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:1/mine"}]}]}}"#;
    let path = project.write("home/.claude/settings.json", own);
    for (round, port) in [8787, 8788].into_iter().enumerate() {
        install(&project, port);
        let url = format!("http://127.0.0.1:{port}/v1/agents/claude");
        let groups = settings(&project)["hooks"]["PreToolUse"].clone();
        assert_eq!(groups.as_array().unwrap().len(), 2, "{round}: {groups}");
        assert_eq!(groups[1]["hooks"][0]["url"], url, "{round}");
    }
    assert_eq!(project.run(&["install", "claude", "--yes"], "").status, 0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("/v1/agents/") && text.contains("hook claude") && text.contains("/mine"), "{text}");
    install(&project, 8787);
    assert_eq!(project.run(&["uninstall", "claude", "--yes"], "").status, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
}

#[test]
fn doctor_asks_the_server_with_the_token_of_the_environment() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let server = Server::tcp(&project);
    install(&project, server.port);
    let well = doctor(&project, Some(&server.token));
    assert_eq!((&well["denies"], &well["allows"], &well["problems"]), (&json!(true), &json!(true), &json!([])));
    for (token, problem) in
        [(None, "HOOKBOX_TOKEN is not set"), (Some("another-token-of-another-server"), "refuses the token")]
    {
        let told = doctor(&project, token);
        assert_eq!(told["denies"], false);
        assert!(told["problems"].to_string().contains(problem), "{told:#}");
    }
    let (port, token) = (server.port, server.token.clone());
    drop(server);
    let gone = doctor(&project, Some(&token));
    assert_eq!(gone["denies"], false);
    assert!(gone["problems"].to_string().contains(&format!("hookbox serve --listen 127.0.0.1:{port}")), "{gone:#}");
}

#[test]
fn doctor_tells_requests_that_would_not_be_sent_or_that_fail_open() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    install(&project, server.port);
    let path = project.home().join(".claude/settings.json");
    let written = fs::read_to_string(&path).unwrap();
    let start = settings(&project)["hooks"]["SessionStart"][0]["hooks"][0].to_string();
    let request = settings(&project)["hooks"]["PreToolUse"][0]["hooks"][0].clone();
    let cases = [
        (json!({"onFailure": null}), "`onFailure`"),
        (json!({"timeout": 5}), "`timeout` is 5 in place of 30"),
        (json!({"allowedEnvVars": []}), "`allowedEnvVars` is []"),
        (json!({"url": format!("http://localhost:{}/v1/agents/claude", server.port)}), "`localhost` may be looked up"),
    ];
    for (change, problem) in cases {
        let mut document = settings(&project);
        let hook = document["hooks"]["PreToolUse"][0]["hooks"][0].as_object_mut().unwrap();
        for (name, value) in change.as_object().unwrap() {
            hook.insert(name.clone(), value.clone());
            hook.retain(|_, value| !value.is_null());
        }
        fs::write(&path, document.to_string()).unwrap();
        let told = doctor(&project, Some(&server.token))["problems"].to_string();
        assert!(told.contains(problem), "{change}: {told}");
        fs::write(&path, &written).unwrap();
    }
    let mut document = settings(&project);
    document["hooks"]["SessionStart"][0]["hooks"][0] = request;
    fs::write(&path, document.to_string()).unwrap();
    let told = doctor(&project, Some(&server.token))["problems"].to_string();
    assert!(told.contains("no HTTP hook for this event (SessionStart)"), "{start}: {told}");
}

#[test]
fn a_proxy_that_would_get_the_requests_is_told() {
    let project = Project::new().user(RULE);
    let told = |no_proxy: &str| {
        let variables = [("HTTP_PROXY", "http://proxy.example:3128"), ("NO_PROXY", no_proxy)];
        hookbox(&project, &["install", "claude", "--http", "http://127.0.0.1:8787", "--yes"], &variables).stderr
    };
    assert!(told("localhost,.example.com").contains("add `127.0.0.1` to NO_PROXY"));
    assert_eq!(told("localhost, 127.0.0.1"), "");
    assert_eq!(told("*"), "");
}

#[test]
fn what_could_not_be_reached_or_would_fail_open_is_refused() {
    let project = Project::new().user(RULE);
    let refused = |agent: &str, url: &str| {
        let ran = project.run(&["install", agent, "--http", url, "--yes"], "");
        assert_ne!(ran.status, 0, "{agent} {url}: {}", ran.stdout);
        ran.stderr
    };
    for url in [
        "127.0.0.1:8787",
        "https://127.0.0.1:8787",
        "http://127.0.0.1",
        "http://127.0.0.1:0",
        "http://user:word@127.0.0.1:8787",
        "http://10.0.0.1:8787",
        "http://evil.example:80",
        "http://127.0.0.1:8787/hooks?x=1",
        "unix:/run/hookbox.sock",
    ] {
        assert!(refused("claude", url).contains("use `http://127.0.0.1:PORT`"), "{url}");
    }
    assert!(refused("claude", "http://localhost:8787").contains("may be looked up"));
    for agent in ["qwen", "copilot", "codex", "opencode"] {
        assert!(refused(agent, "http://127.0.0.1:8787").contains("without --http"), "{agent}");
    }
    assert!(!project.home().join(".claude").exists(), "nothing was written");
}
