//! The effects of broken config, which never fails open.

use crate::support::project::Project;
use hookbox::{Code, Event, Input, Outcome, Verdict};

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", \"grep -q evil && echo '{\\\"decision\\\":\\\"deny\\\",\\\"reason\\\":\\\"evil\\\"}'; true\"]\n";

async fn ask(project: &Project, event: Event, tool: &str, command: &str) -> Outcome {
    let loaded = crate::support::loader(project.dir()).home(project.home()).env(std::env::vars_os()).load();
    let mut input = Input::new(event);
    input.tool_name = Some(tool.to_owned());
    input.message = Some(command.to_owned());
    loaded.registry.run(input).await
}

#[tokio::test]
async fn a_bad_entry_of_the_user_denies_what_it_might_have_guarded_and_leaves_the_others_at_work() {
    let project = Project::new().user(&format!("[hooks.typo]\nevents = [\"pre_tool\"]\ncomand = \"x\"\n{GUARD}"));
    let outcome = ask(&project, Event::PreTool, "bash", "evil").await;
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"), "the others say what they have to say");
    let outcome = ask(&project, Event::PreTool, "bash", "good").await;
    assert_eq!((outcome.verdict, outcome.denied_by.as_deref()), (Verdict::Deny, Some("typo")));
    let reason = outcome.reason.unwrap();
    assert!(reason.starts_with("E503: hook `typo` is not usable: "), "{reason}");
    assert!(reason.contains("/.agents/hooks.toml:3:1: unknown key `comand` (did you mean `command`?)"), "{reason}");
    assert_eq!(ask(&project, Event::PreMessage, "", "x").await.verdict, Verdict::Allow, "not its event");
    assert_eq!(ask(&project, Event::PostTool, "bash", "x").await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn a_bad_entry_keeps_what_is_good_of_it() {
    let project = Project::new()
        .user("[hooks.typo]\nevents = [\"pre_tool\"]\nmatch = \"bash\"\non_error = \"ask\"\ncomand = \"x\"\n");
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.verdict, Verdict::Ask);
    assert_eq!(ask(&project, Event::PreTool, "read", "").await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn an_entry_whose_events_are_unknown_denies_all_that_it_could_gate() {
    for events in ["", "events = []", "events = \"pre_tool\"", "events = [\"pre_tool\", \"pre_mesage\"]"] {
        let project = Project::new().user(&format!("[hooks.guard]\ncommand = \"true\"\n{events}\n"));
        for event in Event::ALL.iter().copied() {
            let outcome = ask(&project, event, "bash", "").await;
            assert_eq!(outcome.verdict == Verdict::Deny, event.is_gating(), "{events} {event}");
        }
    }
    let project = Project::new().user("[hooks.\"\"]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.denied_by.as_deref(), Some("(unnamed)"));
    for mode in
        ["mode = \"async\"\nevents = [\"pre_tool\"]", "mode = \"async\"\nevents = [\"post_tool\", \"pre_tool\"]"]
    {
        let project = Project::new().user(&format!("[hooks.guard]\ncommand = \"true\"\n{mode}\n"));
        assert_eq!(ask(&project, Event::PreTool, "bash", "").await.verdict, Verdict::Deny, "{mode}");
    }
    let project = Project::new().user("hooks.guard = 5\n");
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.denied_by.as_deref(), Some("guard"));
}

#[tokio::test]
async fn a_file_of_the_user_that_is_no_toml_denies_with_its_place() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"\ncommand = \"true\"\n");
    let outcome = ask(&project, Event::PreTool, "bash", "").await;
    let file = project.home().join(".agents/hooks.toml").display().to_string();
    assert_eq!(outcome.denied_by.as_deref(), Some(file.as_str()));
    assert_eq!(outcome.hooks[0].code, Some(Code::ConfigSyntax));
    let reason = outcome.reason.unwrap();
    assert!(reason.contains(&format!("{file}:3:")), "line and column: {reason}");
    assert_eq!(ask(&project, Event::PostTool, "bash", "").await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn a_file_with_an_unknown_table_may_have_lost_a_guard() {
    let project = Project::new().user(&format!("[hook.guard2]\nevents = [\"pre_tool\"]\n{GUARD}"));
    let outcome = ask(&project, Event::PreTool, "bash", "evil").await;
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
    let outcome = ask(&project, Event::PreTool, "bash", "good").await;
    assert!(outcome.reason.unwrap().contains(":1:2: unknown key `hook` (did you mean `hooks`?)"));
    let project = Project::new().user("[[hooks]]\nname = \"guard\"\n");
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.verdict, Verdict::Deny);
}

#[tokio::test]
async fn a_file_of_the_user_that_cannot_be_read_denies() {
    let project = Project::new();
    std::fs::create_dir_all(project.home().join(".agents/hooks.toml")).unwrap();
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.hooks[0].code, Some(Code::ConfigUnreadable));
    let project = Project::new();
    project.write("home/.agents/hooks.toml", b"# \xff\n");
    let outcome = ask(&project, Event::PreTool, "bash", "").await;
    assert!(outcome.reason.unwrap().contains("is not UTF-8 from line 1, byte 3 on"));
    let project = Project::new();
    project.write("home/.agents/hooks.toml", "#".repeat(300_000));
    assert!(ask(&project, Event::PreTool, "bash", "").await.reason.unwrap().contains("the limit is 262144"));
}

#[test]
fn a_flood_of_problems_or_of_hooks_is_cut_short() {
    let keys: String = (0..5000).map(|index| format!("key{index} = 1\n")).collect();
    let loaded = super::load(&format!("[hooks.guard]\n{keys}"));
    assert_eq!(loaded.problems.len(), 50);
    let hooks: String =
        (0..300).map(|index| format!("[hooks.h{index}]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n")).collect();
    let loaded = super::load(&hooks);
    assert_eq!((loaded.hooks.len(), loaded.problems.len()), (256, 1));
    assert!(loaded.broken.is_some(), "a guard may be among those left out");
}

#[tokio::test]
async fn a_link_that_leads_nowhere_is_config_that_is_missed() {
    let project = Project::new();
    std::fs::create_dir_all(project.home().join(".agents")).unwrap();
    std::os::unix::fs::symlink("gone.toml", project.home().join(".agents/hooks.toml")).unwrap();
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.hooks[0].code, Some(Code::ConfigUnreadable));
}

#[tokio::test]
async fn so_is_a_directory_that_leads_nowhere() {
    let project = Project::new();
    std::os::unix::fs::symlink("gone", project.home().join(".agents")).unwrap();
    assert_eq!(ask(&project, Event::PreTool, "bash", "").await.hooks[0].code, Some(Code::ConfigUnreadable));
}

#[tokio::test]
async fn a_pipe_in_the_place_of_a_file_does_not_hang() {
    let project = Project::new();
    std::fs::create_dir_all(project.home().join(".agents")).unwrap();
    let pipe = project.home().join(".agents/hooks.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(ask(&project, Event::PreTool, "bash", "").await.reason.unwrap().contains("it is not a file"));
}

#[tokio::test]
async fn a_broken_file_of_a_project_costs_that_file_alone() {
    let project = Project::new().user(GUARD).project("[hooks.x\n");
    assert_eq!(ask(&project, Event::PreTool, "bash", "good").await.verdict, Verdict::Allow);
    assert_eq!(ask(&project, Event::PreTool, "bash", "evil").await.verdict, Verdict::Deny);
    let loaded = crate::support::loader(project.dir()).home(project.home()).load();
    assert_eq!(loaded.problems.len(), 1);
    assert!(loaded.broken.is_none());
}

#[tokio::test]
async fn a_component_that_is_refused_denies_and_is_reported_with_its_line() {
    let project = Project::new();
    project.write("home/.agents/module.wasm", wat::parse_str("(module)").unwrap());
    project.write("home/.agents/ok.wasm", crate::support::component::allowing());
    let entry = |name: &str, rest: &str| format!("[hooks.{name}]\nevents = [\"pre_tool\"]\n{rest}\n");
    let project = project.user(
        &[
            entry("missing", "component = \"none.wasm\""),
            entry("module", "component = \"module.wasm\""),
            entry("pinned", &format!("component = \"ok.wasm\"\nsha256 = \"{}\"", "0".repeat(64))),
            entry("nodir", "component = \"ok.wasm\"\ngrants = { dirs = [{ path = \"/no/such\", as = \"/x\" }] }"),
        ]
        .concat(),
    );
    let loaded = crate::support::loader(project.dir()).home(project.home()).load();
    let found: Vec<(Code, usize)> =
        loaded.problems.iter().map(|problem| (problem.code, problem.location.as_ref().unwrap().line)).collect();
    assert_eq!(found, [(Code::Unreadable, 3), (Code::NotAComponent, 6), (Code::Pin, 9), (Code::Grant, 13)]);
    let outcome = ask(&project, Event::PreTool, "bash", "").await;
    assert_eq!((outcome.verdict, outcome.denied_by.as_deref()), (Verdict::Deny, Some("missing")));
}
