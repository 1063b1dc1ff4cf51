//! `Host` reaches the same verdicts as `hookbox run`.

use super::{denying, host};
use crate::support::bash;
use crate::support::project::Project;
use hookbox::{Code, Host, HostError, Verdict};
use std::ffi::OsString;

const INPUT: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;

/// The setup has the user's hooks, an untrusted project, a broken entry, and a hook of another dialect.
#[tokio::test]
async fn a_host_reaches_the_outcome_of_the_command() {
    let mut user = denying("guard", "no");
    user.push_str("[hooks.odd]\nevents = [\"post_tool\"]\ncomand = \"true\"\n");
    user.push_str("[hooks.guest]\nevents = [\"pre_tool\"]\ncommand = \"true\"\ndialect = \"ok\"\n");
    let project = Project::new().user(&user).project(&denying("theirs", "never runs"));
    let loaded = host(&project).load().unwrap();
    let outcome = loaded.run(bash("ls")).await;
    let ran = project.run(&["run"], INPUT).json();
    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(ran["denied_by"], outcome.denied_by.clone().unwrap());
    assert_eq!(ran["reason"], outcome.reason.clone().unwrap());
    let codes = |outcome: &serde_json::Value| -> Vec<String> {
        let warnings = outcome["warnings"].as_array().unwrap().iter();
        warnings.map(|warning| format!("{} {}", warning["code"], warning["message"])).collect()
    };
    let ours: serde_json::Value = serde_json::from_str(&outcome.to_json_line()).unwrap();
    assert_eq!(codes(&ours), codes(&ran));
    assert!(outcome.warnings.iter().any(|warning| warning.code == Code::Untrusted), "{:?}", outcome.warnings);
    assert!(outcome.warnings.iter().any(|warning| warning.code == Code::ConfigKey), "{:?}", outcome.warnings);
}

#[test]
fn a_project_does_not_choose_where_trust_and_machine_code_are_kept() {
    let project = Project::new();
    let in_project = project.dir().join("state");
    let elsewhere = project.home().join("elsewhere");
    let places = |state: &std::path::Path| {
        let env: Vec<(OsString, OsString)> =
            vec![("HOME".into(), project.home().into()), ("XDG_STATE_HOME".into(), state.into())];
        Host::new(project.dir(), env).places().unwrap()
    };
    assert_eq!(places(&elsewhere).state(), elsewhere.join("hookbox"));
    assert_eq!(places(&in_project).state(), project.home().join(".local/state/hookbox"));
}

/// An agent that works in the home directory has no project there.
#[tokio::test]
async fn a_project_does_not_choose_the_users_config() {
    let project = Project::new();
    project.write("home/.config/hookbox/hooks.toml", denying("user", "no"));
    project.write("project/xdg/hookbox/hooks.toml", "");
    project.write("home/xdg/hookbox/hooks.toml", denying("other", "no"));
    let ask = async |cwd: &std::path::Path, xdg: &str| {
        let path = std::env::var_os("PATH").unwrap();
        let env: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), project.home().into()),
            ("XDG_CONFIG_HOME".into(), cwd.join(xdg).into()),
            ("PATH".into(), path),
        ];
        Host::new(cwd, env).load().unwrap().run(bash("ls")).await
    };
    let outcome = ask(&project.dir(), "xdg").await;
    assert_eq!(outcome.denied_by.as_deref(), Some("user"));
    assert!(outcome.warnings.iter().any(|warning| warning.message.contains("XDG_CONFIG_HOME")), "{outcome:?}");
    let outcome = ask(&project.home(), "xdg").await;
    assert_eq!((outcome.denied_by.as_deref(), outcome.warnings.len()), (Some("other"), 0));
}

#[test]
fn what_is_missing_is_named() {
    let project = Project::new();
    let nothing: [(OsString, OsString); 0] = [];
    let homeless = Host::new(project.dir(), nothing);
    assert_eq!(homeless.load().err(), Some(HostError::NoHome));
    let nowhere = project.dir().join("nowhere");
    assert_eq!(host(&project).home(&nowhere).load().err(), Some(HostError::HomeNotADirectory(nowhere.clone())));
    let astray = Host::new(&nowhere, [("HOME".into(), project.home().into())]);
    assert_eq!(astray.load().err(), Some(HostError::ProjectNotADirectory(nowhere)));
    let dialect = hookbox::dialect::by_name("docker-agent", &hookbox::dialect::Options::default()).unwrap();
    assert_eq!(host(&project).dialect(dialect).load().err(), Some(HostError::NeedsFile("docker-agent")));
}

/// A named file needs no home directory.
#[tokio::test]
async fn a_named_file_takes_the_place_of_all_layers() {
    let project = Project::new().user(&denying("user", "not asked"));
    let file = project.write("project/own.toml", denying("named", "no"));
    let path = [("PATH".into(), std::env::var_os("PATH").unwrap())];
    let outcome = Host::new(project.dir(), path).file(file).load().unwrap().run(bash("ls")).await;
    assert_eq!(outcome.denied_by.as_deref(), Some("named"));
}
