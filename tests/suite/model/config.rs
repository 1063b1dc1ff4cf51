//! Models in a config.

use super::provider::{ALLOW, Provider};
use crate::support::project::{Project, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const HOOK: &str = "model = { use = \"judge\", prompt = \"Deny.\" }";

#[test]
fn a_key_that_others_can_read_is_not_used() {
    let provider = Provider::saying(ALLOW);
    let project = provider.project("openai", "");
    fs::set_permissions(project.home().join(".agents/key"), fs::Permissions::from_mode(0o644)).unwrap();
    let answer = project.ask_bash("ls").json();
    assert_eq!(answer["decision"], "deny");
    assert!(answer["reason"].as_str().unwrap().contains("chmod 600"), "{answer}");
    assert!(provider.asked().is_empty());
}

#[test]
fn the_key_of_a_provider_is_for_its_own_server() {
    let provider = Provider::saying(ALLOW);
    let project = provider.configured("provider = \"openai\"\nmodel = \"judge-1\"\nprivate = true", HOOK);
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    let mut command = project.command("run", &[]);
    let ran = run(command.env("OPENAI_API_KEY", "k3y-of-the-provider").write_stdin(input));
    assert_eq!(ran.json()["decision"], "allow", "{ran:?}");
    assert!(!format!("{:?}", provider.asked()).contains("k3y-of-the-provider"));
}

#[test]
fn a_private_server_must_be_allowed() {
    let provider = Provider::saying(ALLOW);
    let project = provider.configured("provider = \"openai\"\nmodel = \"judge-1\"", HOOK);
    let answer = project.ask_bash("ls").json();
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert_eq!(provider.server.accepted(), 0);
}

#[test]
fn what_is_sent_where_is_listed_without_the_key() {
    let provider = Provider::saying(ALLOW);
    let project = provider.project("anthropic", "");
    let shown = project.hookbox("show", &["judge"]);
    for text in ["may send events to the model `judge` (judge-1 of anthropic at http://127.0.0.1:", "from `file:key`"] {
        assert!(shown.stdout.contains(text), "{shown:?}");
    }
    assert!(!format!("{shown:?}").contains("k3y"), "{shown:?}");
}

#[test]
fn an_untrusted_project_asks_no_model() {
    let provider = Provider::saying(ALLOW);
    let url = provider.server.url("/api");
    let config = format!(
        "[models.judge]\nprovider = \"openai\"\nmodel = \"judge-1\"\nprivate = true\nbase_url = \"{url}\"\n\n\
         [hooks.judge]\nevents = [\"pre_tool\"]\n{HOOK}\n"
    );
    let project = Project::new().project(&config);
    let ran = project.ask_bash("ls");
    assert!(ran.stdout.contains("1 of its hooks did not run"), "{ran:?}");
    assert_eq!(provider.server.accepted(), 0);
}

#[test]
fn mistakes_are_named() {
    let with = |model: &str, hook: &str| format!("{model}\n[hooks.judge]\nevents = [\"pre_tool\"]\n{hook}\n");
    let judge = "[models.judge]\nprovider = \"openai\"\nmodel = \"m\"\n";
    for (config, message) in [
        (with("", "model = { prompt = \"x\" }"), "`model` needs `use`"),
        (with("", "model = { use = \"openai/m\" }"), "`model` needs `prompt`"),
        (with("", "model = { use = \"openai/m\", prompt = \" \" }"), "`prompt` is empty"),
        (with("", "model = { use = \"openai/m\", promt = \"x\" }"), "did you mean `prompt`"),
        (with("", "model = { use = \"m\", prompt = \"x\" }"), "write `PROVIDER/MODEL`"),
        (with("", "model = { use = \"acme/m\", prompt = \"x\" }"), "or define `acme/m` under `[models]`"),
        (with("", "model = { use = \"openai/m\", prompt = \"{{ .Nope }}\" }"), "can't evaluate field Nope"),
        (with("", "model = { use = \"openai/m\", prompt = \"{{ if }}\" }"), "has a `prompt` with a fault"),
        (
            with("", "model = { use = \"openai/m\", prompt = \"x\", cache = \"soon\" }"),
            "not a time for which an answer can be reused",
        ),
        (with("", "model = { use = \"openai/m\", prompt = \"x\", max_tokens = 0 }"), "must be from 1 to"),
        (with("", "model = { use = \"openai/m\", prompt = \"x\", budget = {} }"), "bounds nothing"),
        (
            with("", "model = { use = \"openai/m\", prompt = \"x\", budget = { usd = 1 } }"),
            "price of its model is not known",
        ),
        (with("", "model = { use = \"openai/m\", prompt = \"x\" }\ngrants = {}"), "`grants` does not fit here"),
        (
            with("", "model = { use = \"openai/m\", prompt = \"x\", schema = \"text\" }"),
            "no model reads the text there",
        ),
        (with("[models.judge]\nmodel = \"m\"\n", HOOK), "a model needs a `provider`"),
        (with("[models.judge]\nprovider = \"acme\"\nmodel = \"m\"\n", HOOK), "which is none of openai"),
        (with(&format!("{judge}budget = {{ usd = 1 }}\n"), HOOK), "needs the model's `price`"),
        (with(&format!("{judge}base_url = \"ftp://x\"\n"), HOOK), "`base_url` is not valid"),
        (with(&format!("{judge}key = \"sk-123456\"\n"), HOOK), "`key` is not valid"),
        (with("", "model = { use = \"openai/m\", prompt = \"x\" }"), "the secret `env:OPENAI_API_KEY` is not set"),
    ] {
        let project = Project::new().user(&config);
        let checked = project.hookbox("check", &[]);
        let shown = project.hookbox("show", &["judge"]).stdout;
        let all = format!("{}{}{shown}", checked.stdout, checked.stderr);
        assert!(all.contains(message), "{config}: {all}");
        assert!(!all.contains("sk-123456"), "{all}");
        assert_eq!(project.ask_bash("ls").json()["decision"], "deny", "{config}");
    }
}

#[test]
fn the_examples_of_the_docs_only_lack_their_keys() {
    let docs = include_str!("../../../docs/reference/models.md");
    let mut blocks: Vec<&str> = docs.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    let using = format!("{}\n{}", blocks[1], blocks[0].replace("anthropic/claude-haiku-4-5", "house"));
    blocks.push(&using);
    for (block, lacks) in [(blocks[0], "`env:ANTHROPIC_API_KEY` is not set"), (blocks[2], "secrets/models")] {
        let checked = Project::new().user(block).hookbox("check", &[]);
        let all = format!("{}{}", checked.stdout, checked.stderr);
        assert!(all.contains("1 problem") && all.contains(lacks), "{block}: {all}");
    }
}
