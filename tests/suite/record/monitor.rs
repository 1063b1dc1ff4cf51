//! Hooks whose answers are recorded but never applied.

use crate::support::project::Project;
use hookbox::chain::{Member, Rule, fold};
use hookbox::{Action, Code, Decision, Event, Failure, HookInfo, Input, Json, Kind, OnError, Outcome};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Says {
    Allow,
    Deny,
    Ask,
    Rewrite(u8),
    Fail,
}

fn says() -> impl Strategy<Value = Says> {
    prop_oneof![
        3 => Just(Says::Allow),
        1 => Just(Says::Deny),
        1 => Just(Says::Ask),
        2 => (0..3_u8).prop_map(Says::Rewrite),
        1 => Just(Says::Fail),
    ]
}

fn answer(says: Says) -> Result<Action, Failure> {
    match says {
        Says::Allow => Ok(Action::allow()),
        Says::Deny => Ok(Action::deny("no")),
        Says::Ask => Ok(Action::ask("sure?")),
        Says::Rewrite(form) => Ok(Action::modify_tool_input(form_json(form))),
        Says::Fail => Err(Failure::new(Code::Trap, "crashed")),
    }
}

fn form_json(form: u8) -> Json {
    Json::parse(&format!(r#"{{"form":{form}}}"#)).unwrap()
}

/// Returns the Outcome, and the Input that each hook saw, in order.
fn run(hooks: &[(HookInfo, Says)], is_pure: bool) -> (Outcome, Vec<(String, String)>) {
    let input = Input::pre_tool("bash", r#"{"form":9}"#).unwrap();
    let members = hooks.iter().map(|(info, _)| Member::new(info, Kind::Native, is_pure));
    let mut saw = Vec::new();
    let outcome = fold(input, Rule::hookbox(Event::PreTool), members, |index, input| {
        let (info, says) = &hooks[index];
        saw.push((info.name.clone(), input.tool_input.as_ref().unwrap().as_str().to_owned()));
        answer(*says)
    });
    (outcome, saw)
}

proptest! {
    /// Monitors anywhere in a chain change neither what it decides nor what the other hooks see.
    #[test]
    fn monitors_change_nothing(
        hooks in proptest::collection::vec((says(), any::<bool>()), 0..7),
        is_pure in any::<bool>(),
        asks_on_error in any::<bool>(),
    ) {
        let on_error = if asks_on_error { OnError::Ask } else { OnError::Deny };
        let info = |index: usize, is_monitor: bool| {
            let info = HookInfo::new(format!("hook {index}"), [Event::PreTool]).with_on_error(on_error);
            if is_monitor { info.monitored() } else { info }
        };
        let all: Vec<_> = hooks.iter().enumerate().map(|(at, (says, monitors))| (info(at, *monitors), *says)).collect();
        let enforcing: Vec<_> = all.iter().filter(|(info, _)| info.enforce).cloned().collect();
        let (with, saw_with) = run(&all, is_pure);
        let (without, saw_without) = run(&enforcing, is_pure);

        let of_enforcing: Vec<_> = saw_with.iter().filter(|(name, _)| enforcing.iter().any(|(info, _)| info.name == *name)).cloned().collect();
        prop_assert_eq!(&of_enforcing, &saw_without);
        let strip = |mut outcome: Outcome| {
            outcome.hooks.retain(|record| record.enforce);
            let names: Vec<String> = outcome.hooks.iter().map(|record| record.name.clone()).collect();
            outcome.warnings.retain(|warning| names.contains(&warning.hook));
            outcome
        };
        prop_assert_eq!(strip(with.clone()), strip(without));

        // Each monitor was asked, even after a deny, and only about forms that the others made.
        let forms: Vec<&String> = saw_without.iter().map(|(_, form)| form).collect();
        let last = with.input.as_ref().unwrap().tool_input.as_ref().unwrap().as_str().to_owned();
        for (info, says) in all.iter().filter(|(info, _)| !info.enforce) {
            let record = with.hooks.iter().find(|record| record.name == info.name).expect("it was asked");
            let expected = match says {
                Says::Allow => Decision::Allow,
                Says::Deny => Decision::Deny,
                Says::Ask => Decision::Ask,
                Says::Rewrite(_) => Decision::Modify,
                Says::Fail => on_error.decision(),
            };
            prop_assert_eq!(record.decision, expected);
            for (_, form) in saw_with.iter().filter(|(name, _)| *name == info.name) {
                prop_assert!(form == r#"{"form":9}"# || *form == last || forms.contains(&form), "{}", form);
            }
        }
    }
}

const DENIES: &str = r#"printf '{"decision":"deny","reason":"not on Fridays"}'"#;

#[test]
fn a_monitor_of_a_config_says_what_it_would_do() {
    let project = Project::new().user(&format!(
        "[hooks.friday]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{DENIES}''']\nenforce = false\n"
    ));
    let ran = project.ask_bash("ls");
    assert_eq!(ran.status, 0, "{ran:?}");
    let outcome = ran.json();
    assert_eq!(outcome["decision"], "allow");
    let record = &outcome["hooks"][0];
    assert_eq!(record["decision"], "deny");
    assert_eq!(record["enforce"], false);
    assert_eq!(record["reason"], "not on Fridays");

    assert!(project.hookbox("list", &[]).stdout.contains("monitor"));
    assert_eq!(project.hookbox("list", &["--format", "json"]).json()[0]["enforce"], false);
    assert!(project.hookbox("show", &["friday"]).stdout.contains("never applied"));
}

/// This also holds where no hook counts.
#[test]
fn what_a_monitor_would_deny_is_listed() {
    let project = Project::new().user(&format!(
        "[log]\n[hooks.friday]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{DENIES}''']\nenforce = false\n\
         [hooks.asks]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''printf '{{\"decision\":\"ask\"}}' ''']\n"
    ));
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    project.run(&["run"], input);
    project.run(&["run", "--monitor"], input);
    let listed = project.run(&["log", "--decision", "would-deny"], "").stdout;
    let lines: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(lines.len(), 2, "{listed}");
    assert!(lines[0].contains("  ask (friday would deny)"), "{listed}");
    assert!(lines[1].contains("  would ask (friday would deny)"), "{listed}");
}

#[test]
fn a_monitor_that_fails_stops_nothing_and_says_so() {
    let project =
        Project::new().user("[hooks.gone]\nevents = [\"pre_tool\"]\ncommand = \"/nowhere/guard\"\nenforce = false\n");
    let ran = project.ask_bash("ls");
    assert_eq!(ran.status, 0, "{ran:?}");
    let outcome = ran.json();
    assert_eq!(outcome["hooks"][0]["code"], "E401");
    assert_eq!(outcome["hooks"][0]["decision"], "deny");
    assert!(outcome["warnings"][0]["message"].as_str().unwrap().contains("only a monitor"), "{outcome}");
}

#[test]
fn a_monitored_run_applies_nothing() {
    let rewrites =
        r#"printf '{"decision":"modify","modified_tool_input":{"command":"true"},"additional_context":"x"}'"#;
    let project = Project::new().user(&format!(
        "[hooks.rewrites]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{rewrites}''']\n\
         [hooks.denies]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{DENIES}''']\n"
    ));
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command": "ls"}}"#;
    let enforced = crate::support::project::run(project.command("run", &[]).write_stdin(input));
    assert_eq!(enforced.status, 2, "{enforced:?}");
    let ran = crate::support::project::run(project.command("run", &["--monitor"]).write_stdin(input));
    assert_eq!(ran.status, 0, "{ran:?}");
    let outcome = ran.json();
    assert_eq!(outcome["decision"], "allow");
    assert_eq!(outcome["modified"], false);
    assert!(ran.stdout.contains(r#""tool_input":{"command": "ls"}"#), "byte for byte: {}", ran.stdout);
    assert_eq!(outcome.get("additional_context"), None);
    assert_eq!(outcome["would"]["decision"], "deny");
    assert_eq!(outcome["would"]["denied_by"], "denies");
    assert_eq!(outcome["would"]["reason"], "not on Fridays");
    assert_eq!(outcome["would"]["modified"], true);
    assert_eq!(outcome["hooks"][0]["enforce"], false);
}

#[test]
fn a_monitored_agent_goes_on() {
    let project = Project::new()
        .user(&format!("[hooks.friday]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{DENIES}''']\n"));
    let payload =
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    assert!(project.run(&["hook", "claude"], payload).stdout.contains("deny"), "without it, the hook denies");
    let ran = project.run(&["hook", "claude", "--monitor"], payload);
    assert_eq!((ran.status, ran.stdout.contains("deny")), (0, false), "{ran:?}");
}

#[test]
fn whether_a_hook_counts_is_true_or_false() {
    let project = Project::new().user("[hooks.x]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nenforce = \"no\"\n");
    let ran = project.ask_bash("ls");
    assert_eq!(ran.status, 2, "a mistake is not a monitor: {ran:?}");
    let outcome = ran.json();
    assert_eq!(outcome["decision"], "deny");
    assert!(outcome["reason"].as_str().unwrap().contains("`enforce`"), "{outcome}");
}
