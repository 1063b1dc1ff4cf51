//! Files with the name of the config that belong to another tool.

use crate::support::project::Project;
use serde_json::json;
use std::fs;

/// Files from public projects, except for what they run.
const FOREIGN: [&str; 4] = [
    "version = 1\n\n[[hook]]\nid = \"fmt\"\ncommand = \"cargo fmt\"\n",
    "[[hooks]]\nid = \"a\"\nevent = \"pre\"\n",
    "[pre_turn]\ncommand = \"date\"\n",
    "# settings\nenabled = true\n",
];

#[test]
fn the_users_denies_until_they_say_whose_it_is() {
    for text in FOREIGN {
        let project = Project::new().user(text);
        let path = project.home().join(".agents/hooks.toml");
        let denied = project.ask_bash("ls");
        let reason = denied.json()["reason"].as_str().unwrap().to_owned();
        assert_eq!((denied.status, &denied.json()["decision"]), (1, &json!("deny")), "no verdict: {text}");
        assert!(reason.starts_with("E503") && reason.contains("this is probably another tool's file"), "{reason}");
        assert!(reason.contains("put the line `# hookbox: ignore` at its top"), "{reason}");
        let checked = project.run(&["check"], "");
        assert_eq!((checked.status, checked.stderr.matches("E503").count()), (1, 1), "one problem: {checked:?}");
        let doctor = project.run(&["doctor"], "").stdout;
        assert!(!doctor.contains("everything is allowed") && doctor.contains("calls are denied"), "{doctor}");

        fs::write(&path, format!("# hookbox: ignore\n{text}")).unwrap();
        assert_eq!(project.ask_bash("ls").status, 0, "{text}");
        let checked = project.run(&["check"], "");
        assert_eq!((checked.status, checked.stderr.as_str()), (0, ""), "{checked:?}");
    }
}

#[test]
fn one_with_a_key_of_hookbox_is_hookboxs() {
    for text in [
        "# hookbox: ignore\nversion = 1\n[hooks.guard]\nevents = [\"pre_tool\"]\npolicy = \"protect-paths\"\n",
        "[hook.guard]\nevents = [\"pre_tool\"]\n",
        "version = 1\n[log]\n",
    ] {
        let project = Project::new().user(text);
        let reason = project.ask_bash("ls").json()["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains("unknown key"), "{reason}");
    }
    let late = format!("{}# hookbox: ignore\n", FOREIGN[0]);
    assert_eq!(Project::new().user(&late).ask_bash("ls").status, 1, "the mark comes first");
}

#[test]
fn that_of_a_project_stops_nothing_and_is_one_line() {
    for text in FOREIGN {
        let project = Project::new().project(text);
        assert_eq!(project.ask_bash("ls").status, 0, "{text}");
        let listed = project.run(&["list"], "");
        assert_eq!(listed.stderr.matches("E503").count(), 1, "{listed:?}");
        assert!(listed.stderr.contains("`.hookbox/hooks.toml`"), "{listed:?}");
        project.write("project/.agents/hooks.toml", format!("# hookbox: ignore\n{text}"));
        let listed = project.run(&["list"], "");
        assert!(!listed.stderr.contains("E503"), "{listed:?}");
    }
}

#[test]
fn init_and_add_leave_it_alone() {
    for text in FOREIGN {
        for (command, is_project) in [("init", false), ("add", false), ("init", true), ("add", true)] {
            let project = if is_project { Project::new().project(text) } else { Project::new().user(text) };
            let (file, other) = match is_project {
                false => (project.home().join(".agents/hooks.toml"), project.home().join(".config/hookbox/hooks.toml")),
                true => (project.dir().join(".agents/hooks.toml"), project.dir().join(".hookbox/hooks.toml")),
            };
            let mut args = vec![command];
            args.extend((command == "add").then_some("protect-paths"));
            args.extend(is_project.then_some("--project"));
            let refused = project.run(&args, "");
            assert_eq!(refused.status, 1, "{refused:?}");
            assert!(refused.stderr.contains("is probably another tool's file"), "{refused:?}");
            assert!(refused.stderr.contains(other.to_str().unwrap()), "{refused:?}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(!other.exists());

            let marked = format!("# hookbox: ignore\n{text}");
            fs::write(&file, &marked).unwrap();
            let added = project.run(&args, "");
            assert_eq!(added.status, 0, "{added:?}");
            assert_eq!(fs::read_to_string(&file).unwrap(), marked);
            assert!(fs::read_to_string(&other).unwrap().contains("policy = \"protect-paths\""));
        }
    }
}
