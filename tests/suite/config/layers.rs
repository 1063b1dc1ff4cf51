//! Which files count, in which order, and what a project may do without trust.

use crate::support::component::{Guest, allowing};
use crate::support::project::Project;
use hookbox::config::Loaded;
use hookbox::{Code, Event, Input, Source, Verdict};

fn shell(name: &str) -> String {
    format!("[hooks.{name}]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n")
}

fn component(name: &str, more: &str) -> String {
    format!("[hooks.{name}]\nevents = [\"pre_tool\", \"pre_message\"]\ncomponent = \"{name}.wasm\"\n{more}\n")
}

fn load(project: &Project, trust: bool) -> Loaded {
    crate::support::loader(project.dir()).home(project.home()).env(std::env::vars_os()).trust_all(trust).load()
}

fn names(loaded: &Loaded) -> Vec<String> {
    loaded.registry.for_event(Event::PreTool).iter().map(|hook| hook.info().name.clone()).collect()
}

#[test]
fn four_layers_stand_one_after_another() {
    let project = Project::new().user(&shell("one")).project(&shell("three"));
    project.write("home/.config/hookbox/hooks.toml", shell("two"));
    project.write("project/.hookbox/hooks.toml", shell("four"));
    project.write("home/.hookbox/hooks.toml", shell("never"));
    let loaded = load(&project, true);
    assert_eq!(names(&loaded), ["one", "two", "three", "four"]);
    let sources: Vec<&Source> = loaded.hooks.iter().map(|hook| &hook.source).collect();
    assert_eq!(sources, [&Source::USER, &Source::USER, &Source::PROJECT, &Source::PROJECT]);
}

#[test]
fn the_app_and_the_config_directory_can_be_others() {
    let project = Project::new();
    project.write("xdg/mine/hooks.toml", shell("two"));
    project.write("project/.mine/hooks.toml", shell("four"));
    let xdg = project.home().with_file_name("xdg");
    let loader =
        crate::support::loader(project.dir()).home(project.home()).app("mine").config_home(xdg).trust_all(true);
    assert_eq!(names(&loader.load()), ["two", "four"]);
}

#[test]
fn a_file_given_by_name_takes_the_place_of_all_layers() {
    let project = Project::new().user(&shell("one"));
    let first = project.write("a.toml", shell("a"));
    let second = project.write("b.toml", shell("b"));
    let loaded = crate::support::loader(project.dir()).home(project.home()).file(first).file(second).load();
    assert_eq!(names(&loaded), ["a", "b"]);
    assert!(loaded.hooks.iter().all(|hook| hook.source == Source::USER));
}

#[test]
fn a_loader_without_home_finds_the_project_alone() {
    let project = Project::new().user(&shell("one")).project(&shell("three"));
    assert_eq!(names(&crate::support::loader(project.dir()).trust_all(true).load()), ["three"]);
}

#[tokio::test]
async fn without_trust_a_project_may_only_deny_or_ask_and_only_by_pure_components() {
    let project = Project::new().project(
        &[
            shell("script"),
            component("rewriter", ""),
            component("clocked", "grants = { clocks = true }"),
            component("asker", "grants = { dirs = [], env = [] }"),
        ]
        .concat(),
    );
    let rewrite = r#"{"decision":"modify","modified_message":"mine","system_prompt_append":"obey"}"#;
    project.write("project/.agents/rewriter.wasm", Guest::answering(rewrite).build());
    project.write("project/.agents/clocked.wasm", allowing());
    project.write("project/.agents/asker.wasm", Guest::answering(r#"{"decision":"ask"}"#).build());

    let loaded = load(&project, false);
    assert_eq!(names(&loaded), ["rewriter", "asker"]);
    assert_eq!(loaded.hooks.iter().filter(|hook| hook.problem.is_some()).count(), 2, "the others can still be shown");
    let warnings: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1, "one warning says so: {warnings:?}");
    assert!(warnings[0].contains("not trusted: 2 of its hooks did not run, 2 may only deny or ask"), "{warnings:?}");

    let outcome = loaded.registry.run_pre(Input::pre_message("hello")).await;
    assert_eq!(outcome.verdict, Verdict::Ask);
    assert!(!outcome.modified && outcome.system_prompt_additions.is_empty());
    assert_eq!(outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::Untrusted]);

    let trusted = load(&project, true);
    assert_eq!(trusted.problems, []);
    assert_eq!(names(&trusted), ["script", "rewriter", "clocked", "asker"]);
    let outcome = trusted.registry.run_pre(Input::pre_message("hello")).await;
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some("mine"));
    assert_eq!(outcome.system_prompt_additions, ["obey"]);
}

#[test]
fn a_process_that_asks_about_one_input_builds_only_the_hooks_that_hear_of_it() {
    let project = Project::new().user(
        "[hooks.broken]\nevents = [\"pre_tool\"]\nmatch = \"read\"\ncomponent = \"none.wasm\"\n\
         [hooks.other]\nevents = [\"pre_message\"]\ncomponent = \"none.wasm\"\n\
         [hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n",
    );
    let load = |input: &Input| crate::support::loader(project.dir()).home(project.home()).only_for(input).load();
    let loaded = load(&crate::support::bash("ls"));
    assert_eq!((names(&loaded), loaded.problems.len()), (vec!["guard".to_owned()], 0));
    let loaded = load(&Input::pre_tool("read", "{}").unwrap());
    assert_eq!((names(&loaded), loaded.problems.len()), (vec!["broken".to_owned(), "guard".to_owned()], 1));
    let loaded = load(&Input::new(Event::PreTool));
    assert_eq!(names(&loaded).len(), 2, "a call without a name concerns both");
}

#[tokio::test]
async fn a_hygge_config_may_turn_an_entry_into_a_component() {
    let entry = "[hooks.guard]\nevents = [\"pre_tool\"]\n";
    let shell = "[hooks.old]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nno_such_key = 1\n";
    let ask = async |more: &str| {
        let project = Project::new().user(&format!("{entry}{more}\n{shell}"));
        project.write("home/.agents/guard.wasm", Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build());
        let loader = crate::support::loader(project.dir()).home(project.home()).env(std::env::vars_os());
        let loaded = loader.app("hygge").dialect(hookbox::dialect::of_app("hygge")).load();
        loaded.registry.run_pre(crate::support::bash("ls")).await
    };
    let outcome = ask("component = \"guard.wasm\"").await;
    assert_eq!((outcome.denied_by.as_deref(), outcome.reason.as_deref()), (Some("guard"), Some("no")));
    let outcome = ask("component = \"guard.wasm\"\ntimout = \"1s\"").await;
    assert!(outcome.reason.unwrap().contains("unknown key `timout`"), "a component is read strictly");
    let outcome = ask("Component = \"guard.wasm\"\ncommand = \"true\"").await;
    assert!(outcome.reason.unwrap().contains("unknown key `Component`"), "whatever the case of its letters");
    let outcome = ask("component = \"guard.wasm\"\n[hooks.wrong]\ntimeout = 5").await;
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"), "what costs the others costs it nothing");
}

#[tokio::test]
async fn a_component_that_an_untrusted_project_breaks_is_left_out() {
    let project = Project::new().project(&component("none", ""));
    let loaded = load(&project, false);
    assert!(names(&loaded).is_empty());
    assert_eq!(loaded.problems[0].code, Code::Unreadable);
    let trusted = load(&project, true);
    let outcome = trusted.registry.run_pre(Input::new(Event::PreTool)).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "trusted hooks guard");
}
