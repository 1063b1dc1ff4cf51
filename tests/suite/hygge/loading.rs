//! Which files are read, and which hooks come of them.

use super::fixture::{hygge, loader, program_hook, shell_hook};
use crate::support::project::Project;
use hookbox::config::{Loaded, Loader};
use hookbox::{Code, Event, Input, Mode, Source, Verdict, dialect};
use std::time::Duration;

fn load(toml: &str) -> Loaded {
    loader(&hygge().project(toml)).load()
}

/// The hooks of an event, as names.
fn names(loaded: &Loaded, event: Event) -> Vec<String> {
    loaded.registry.for_event(event).iter().map(|hook| hook.info().name.clone()).collect()
}

fn on_pre_tool(name: &str) -> String {
    program_hook(name, &["pre_tool"], "/usr/bin/true")
}

#[test]
fn load_empty_dir() {
    let empty = tempfile::tempdir().unwrap();
    let loaded = Loader::new(empty.path()).home(empty.path()).app("hygge").dialect(dialect::of_app("hygge")).load();
    assert!(loaded.registry.all().is_empty());
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
}

#[test]
fn load_basic_hook() {
    let loaded = load(&(on_pre_tool("guard") + "timeout = \"3s\"\n"));
    let hooks = loaded.registry.for_event(Event::PreTool);
    assert_eq!(hooks.len(), 1);
    assert_eq!(hooks[0].info().name, "guard");
    assert_eq!(hooks[0].info().timeout, Some(Duration::from_secs(3)));
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
}

#[test]
fn load_async_pre_rejected() {
    let loaded = load(&(on_pre_tool("bad-async") + "mode = \"async\"\n"));
    assert!(names(&loaded, Event::PreTool).is_empty());
}

#[test]
fn load_unknown_event_filtered() {
    let loaded = load("[hooks.mixed]\nevents = [\"pre_tool\", \"unknown_event\"]\ncommand = \"true\"\n");
    assert_eq!(names(&loaded, Event::PreTool), ["mixed"]);
}

#[test]
fn load_post_message_coerced_async() {
    let loaded = load(&(program_hook("pm", &["post_message"], "true") + "mode = \"sync\"\n"));
    let hooks = loaded.registry.for_event(Event::PostMessage);
    assert_eq!(hooks.len(), 1);
    assert_eq!(hooks[0].info().mode(), Mode::Async);
}

#[test]
fn load_missing_command_rejected() {
    let loaded = load("[hooks.nocommand]\nevents = [\"pre_tool\"]\n");
    assert!(names(&loaded, Event::PreTool).is_empty());
}

#[test]
fn load_layer_precedence() {
    let of_user = program_hook("user-only", &["post_tool"], "true");
    let project = hygge().user(&of_user).project(&on_pre_tool("project-only"));
    let loaded = loader(&project).load();
    assert_eq!(names(&loaded, Event::PostTool), ["user-only"]);
    assert_eq!(names(&loaded, Event::PreTool), ["project-only"]);
}

/// A project with a hook of its own name in each layer, and one called `same` in all of them.
fn four_layers() -> Project {
    let project = hygge();
    let layers = [
        ("home/.agents/hooks.toml", "one"),
        ("home/.config/hygge/hooks.toml", "two"),
        ("project/.agents/hooks.toml", "three"),
        ("project/.hygge/hooks.toml", "four"),
    ];
    for (path, name) in layers {
        project.write(path, on_pre_tool(name) + &on_pre_tool("same"));
    }
    project
}

#[test]
fn layers_add_up_in_their_order_and_say_whose_they_are() {
    let loaded = loader(&four_layers()).load();
    let expected = ["one", "same", "two", "same", "three", "same", "four", "same"];
    assert_eq!(names(&loaded, Event::PreTool), expected);
    let sources: Vec<Source> = loaded.hooks.iter().map(|hook| hook.source.clone()).collect();
    let expected = [[Source::USER; 4], [Source::PROJECT; 4]].concat();
    assert_eq!(sources, expected);
}

#[test]
fn the_config_directory_can_be_elsewhere() {
    let project = four_layers();
    project.write("xdg/hygge/hooks.toml", on_pre_tool("elsewhere"));
    let loaded = loader(&project).config_home(project.home().join("../xdg")).load();
    let names = names(&loaded, Event::PreTool);
    assert!(names.contains(&"elsewhere".to_owned()), "{names:?}");
    assert!(!names.contains(&"two".to_owned()), "{names:?}");
}

/// In hygge the order within a file is not defined. Here it is the file's, on every load.
#[test]
fn hooks_of_one_file_keep_its_order() {
    let order = ["zeta", "alpha", "mid", "beta", "omega", "Alpha", "10", "9"];
    let toml: String = order.iter().map(|name| on_pre_tool(name)).collect();
    for _ in 0..5 {
        assert_eq!(names(&load(&toml), Event::PreTool), order);
    }
}

/// There is no trust to be given first, other than under hookbox's own rules.
#[tokio::test]
async fn hooks_of_a_project_run_at_once() {
    let project = hygge().project(&program_hook("guard", &["pre_tool"], "/usr/bin/false"));
    let loaded = loader(&project).load();
    let outcome = loaded.registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
}

#[test]
fn a_file_that_cannot_be_used_costs_one_warning_and_nothing_else() {
    let broken = [
        ("not TOML", "[hooks.guard\n"),
        ("wrong type", "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = 5\n"),
        ("array of tables", "[[hooks]]\nname = \"guard\"\nevents = [\"pre_tool\"]\ncommand = \"true\"\n"),
    ];
    for (name, toml) in broken {
        let toml = format!("{}{toml}", on_pre_tool("also-lost"));
        let loaded = loader(&hygge().user(&toml).project(&on_pre_tool("kept"))).load();
        assert_eq!(names(&loaded, Event::PreTool), ["kept"], "{name}");
        assert_eq!(loaded.problems.len(), 1, "{name}: {:?}", loaded.problems);
    }
}

#[test]
fn a_file_that_cannot_be_read_costs_one_warning_and_nothing_else() {
    let project = hygge().project(&on_pre_tool("kept"));
    project.write("home/.agents/hooks.toml/a-directory", "");
    let loaded = loader(&project).load();
    assert_eq!(names(&loaded, Event::PreTool), ["kept"]);
    assert_eq!(loaded.problems.len(), 1, "{:?}", loaded.problems);
    assert_eq!(loaded.problems[0].code, Code::ConfigUnreadable);
}

#[tokio::test]
async fn a_hook_hears_of_every_tool() {
    let project = hygge().project(&shell_hook("all", &["pre_tool"], "echo no >&2; exit 1"));
    let loaded = loader(&project).load();
    for tool in ["bash", "", "mcp__x__y"] {
        let outcome = loaded.registry.run_pre(Input::pre_tool(tool, "{}").unwrap()).await;
        assert_eq!(outcome.reason.as_deref(), Some("no"), "{tool:?}");
    }
}
