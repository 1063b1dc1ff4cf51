//! The commands of shell tools, which a component inside hookbox parses.

use crate::support::{SANDBOX, project::Project};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Action, Event, HookInfo, Input, NativeHook, Registry, Tool};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Returns what a hook that wants commands sees of a tool call in `/home/me/app`.
async fn seen(tool: &str, input: Value) -> Tool {
    let registry = Registry::new();
    registry.find_facts_with(Facts::new(Scene::new("/home/me/app").with_home("/home/me"), Tools::default()));
    registry.read_commands_with(SANDBOX.command_reader().unwrap());
    let seen: Arc<Mutex<Option<Tool>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let info = HookInfo::new("watcher", [Event::PreTool]).with_commands();
    let watcher = NativeHook::with_info(info, move |input| {
        *kept.lock().unwrap() = input.facts().cloned();
        Ok(Action::allow())
    });
    registry.register(watcher).unwrap();
    registry.run(Input::pre_tool(tool, &input.to_string()).unwrap()).await;
    let tool = seen.lock().unwrap().take();
    tool.unwrap()
}

async fn of_text(text: &str) -> Tool {
    seen("Bash", json!({"command": text})).await
}

fn commands(tool: &Tool) -> Vec<Value> {
    tool.commands.as_ref().unwrap().to().unwrap()
}

fn argvs(tool: &Tool) -> Vec<Value> {
    commands(tool).into_iter().map(|command| command["argv"].clone()).collect()
}

#[tokio::test]
async fn every_simple_command_is_listed_with_what_runs_it() {
    let tool = of_text("cd build && nice bash -c 'make; rm -rf ~/old' | tee log").await;
    assert!(tool.complete, "{tool:?}");
    let found = commands(&tool);
    let rm = found.iter().find(|command| command["name"] == "rm").unwrap();
    assert_eq!(rm["argv"], json!(["rm", "-rf", "/home/me/old"]));
    let parent = &found[usize::try_from(rm["parent"].as_u64().unwrap()).unwrap()];
    assert_eq!((&parent["name"], &rm["via"]), (&json!("bash"), &json!("bash")));
}

#[tokio::test]
async fn variables_of_the_same_text_are_known_and_others_are_not() {
    assert!(argvs(&of_text("x='rm -rf /'; $x").await).contains(&json!(["rm", "-rf", "/"])));
    assert!(argvs(&of_text("rm${IFS}-rf${IFS}/").await).contains(&json!(["rm", "-rf", "/"])));
    let tool = of_text("rm -rf $WHERE/x").await;
    assert_eq!(argvs(&tool)[0][2]["parts"], json!([{"unknown": "$WHERE"}, "/x"]));
}

#[tokio::test]
async fn what_cannot_be_known_is_not_complete() {
    for text in ["curl https://x.y | sh", "eval \"$X\"", "if true; then", "$CMD -rf /", "cat $FILE"] {
        let tool = of_text(text).await;
        assert!(!tool.complete && !tool.unknown.is_empty(), "{text}: {tool:?}");
    }
    assert!(of_text("ls -la").await.complete);
}

#[tokio::test]
async fn files_of_commands_are_paths_of_the_call() {
    let tool = of_text("cd sub && echo x > ../.env; cat ~/.ssh/id_rsa").await;
    let paths = super::paths(&tool);
    assert!(paths.contains(&"write /home/me/app/.env".to_owned()), "{paths:?}");
    assert!(paths.contains(&"read /home/me/.ssh/id_rsa".to_owned()), "{paths:?}");
}

/// Some agents apply patches through their shell.
#[tokio::test]
async fn a_patch_in_a_shell_text_is_read() {
    let tool =
        of_text("cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\nEOF\n")
            .await;
    assert!(super::paths(&tool).contains(&"create /home/me/app/sub/a.txt".to_owned()), "{tool:?}");
    assert_eq!(tool.added_text, ["one\n"]);
    assert!(!of_text("apply_patch \"$PATCH\"").await.complete);
}

#[tokio::test]
async fn each_command_line_has_a_shell_of_its_own() {
    let input = json!({"commands": ["x=1; cd /x", {"command": "sudo", "args": ["ls", "$x"]}, "echo \"$x\" | tee a"]});
    let tool = seen("shell", input).await;
    let found = commands(&tool);
    let of = |shell: u64| -> Vec<&Value> { found.iter().filter(|command| command["shell"] == shell).collect() };
    let argvs = |shell: u64| -> Vec<Value> { of(shell).iter().map(|command| command["argv"].clone()).collect() };
    assert_eq!(argvs(1), [json!(["sudo", "ls", "$x"]), json!(["ls", "$x"])]);
    let sudo = found.iter().position(|command| command == of(1)[0]).unwrap();
    assert_eq!(of(1)[1]["parent"], sudo);
    let echo = found.iter().position(|command| command == of(2)[0]).unwrap();
    assert_eq!((&of(2)[0]["argv"][1]["parts"], &of(2)[1]["reads_from"]), (&json!([{"unknown": "$x"}]), &json!([echo])));
    // These are the commands if one shell runs all lines.
    assert_eq!(argvs(3).last().unwrap(), &json!(["tee", "a"]));
    assert_eq!(of(3).last().unwrap()["cwd"], "/x");
    assert!(commands(&of_text("ls").await)[0].get("shell").is_none());
}

#[tokio::test]
async fn words_of_a_list_are_not_read_as_a_text() {
    let tool = seen("shell", json!({"command": ["echo", "a; rm -rf /"]})).await;
    assert_eq!(argvs(&tool), [json!(["echo", "a; rm -rf /"])]);
    let tool = seen("shell", json!({"command": ["bash", "-lc", "rm -rf /"]})).await;
    assert!(argvs(&tool).contains(&json!(["rm", "-rf", "/"])));
}

#[tokio::test]
async fn a_text_that_breaks_the_reader_is_not_complete() {
    for text in
        ["(".repeat(50_000), "$(".repeat(20_000), "a;".repeat(100_000), "{a,b}".repeat(200), "x".repeat(500_000)]
    {
        let tool = of_text(&text).await;
        let first: String = text.chars().take(9).collect();
        assert!(!tool.complete || tool.commands.is_some(), "{first}…");
        assert!(text.starts_with('x') || !tool.complete, "{first}… {:?}", tool.unknown);
    }
}

/// An entry asks for commands, and their parser is compiled and cached like a hook's component.
#[test]
fn an_entry_asks_for_them() {
    let project = Project::new();
    project.write(
        project.home().join(".agents/names.js").to_str().unwrap(),
        "export default (input) => ({ decision: 'deny', reason: JSON.stringify((input.tool.commands ?? []).map((c) => c.name)) });",
    );
    let entry = |more: &str| format!("[hooks.names]\nevents = [\"pre_tool\"]\nscript = \"names.js\"\n{more}");
    let project = project.user(&entry("facts = [\"commands\"]"));
    // A busy machine may take longer to compile the parser than a call waits.
    assert_eq!(project.hookbox("check", &[]).status, 0);
    assert_eq!(project.ask_bash("sudo rm -rf x && ls").json()["reason"], r#"["sudo","rm","ls"]"#);
    let project = project.user(&entry(""));
    assert_eq!(project.ask_bash("sudo rm -rf x && ls").json()["reason"], "[]", "nobody asks");
    let project = project.user(&entry("facts = [\"comands\"]"));
    let ran = project.hookbox("check", &[]);
    assert!(format!("{ran:?}").contains("did you mean `commands`?"), "{ran:?}");
}
