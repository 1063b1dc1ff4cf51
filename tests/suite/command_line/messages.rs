//! The messages of the command for new users.

use crate::support::project::{Project, Ran, run};

fn check(project: &Project) -> String {
    let ran = project.hookbox("check", &[]);
    assert_eq!(ran.status, 1, "{ran:?}");
    project.stable(&ran.stderr)
}

#[test]
fn a_string_that_is_not_closed_is_shown_where_it_begins() {
    let project =
        Project::new().user("[hooks.guard]\nevents = [\n  \"pre_tool\",\n  \"post_tool,\n]\ncommand = \"guard.sh\"\n");
    insta::assert_snapshot!(check(&project), @r###"
    error[E502]: this string is not closed
     --> <root>/home/.agents/hooks.toml:4:3
      |
    4 |   "post_tool,
      |   ^^^^^^^^^^^
      = help: close it on the line on which it begins; a string over several lines stands between `"""`
    "###);
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool]\ncommand = \"guard.sh\"\n");
    insta::assert_snapshot!(check(&project), @r###"
    error[E502]: this string is not closed
     --> <root>/home/.agents/hooks.toml:2:11
      |
    2 | events = ["pre_tool]
      |           ^^^^^^^^^^
      = help: close it on the line on which it begins; a string over several lines stands between `"""`
    "###);
    for (text, place) in [
        ("[hooks.a]\ncommand = 'x\nevents = []\n", "2:11"),
        ("[hooks.a]\ncommand = \"a\\\"\nevents = []\n", "2:11"),
        ("[hooks.a]\ndescription = \"\"\"text\nevents = [\"pre_tool\"]\ncommand = \"x\"\n", "2:15"),
        ("[hooks.a]\ndescription = '''text\nevents = ['pre_tool']\n", "2:15"),
    ] {
        let said = check(&Project::new().user(text));
        assert!(said.contains(&format!("hooks.toml:{place}\n")) && said.contains("is not closed"), "{text}: {said}");
    }
}

#[test]
fn another_mistake_before_a_quote_is_told_as_what_it_is() {
    for text in [
        "[hooks.a]\nevents [\"pre_tool\"]\ndescription = \"it's\"\n",
        "[hooks.a\nevents = [\"pre_tool\"]\n",
        "[hooks.a]\nevents = [\"a\\\\\", 1 2]\n",
        "[hooks.a]\ncommand = \"\"\"a\\\"\"\"\"\nevents = \n",
    ] {
        let said = check(&Project::new().user(text));
        assert!(said.contains("error[E502]") && !said.contains("is not closed"), "{text}: {said}");
    }
}

#[test]
fn the_network_is_granted_under_one_name() {
    let config = |grant: &str| {
        format!("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"ok.wasm\"\ngrants = {{ {grant} }}\n")
    };
    let with = |grant: &str| {
        let project = Project::new().user(&config(grant));
        project.write("home/.agents/ok.wasm", crate::support::component::allowing());
        project
    };
    insta::assert_snapshot!(check(&with("network = true")), @r#"
    error[E504]: `grants.network` is not a grant
     --> <root>/home/.agents/hooks.toml:4:12
      |
    4 | grants = { network = true }
      |            ^^^^^^^
      = help: the network is granted as `net = [{ url = "https://api.example.com/v1/" }]`
    "#);
    for grant in ["net = true", "network = [\"example.com\"]", "hosts = \"x\""] {
        let said = check(&with(grant));
        assert!(said.contains("[{ url = \"https://api.example.com/v1/\""), "{grant}: {said}");
        assert_eq!(said.matches("error[").count(), 1, "{grant}: {said}");
    }
    assert_eq!(with("net = []").hookbox("check", &[]).status, 0, "an empty list grants nothing");
    let said = check(&with("nets = true"));
    assert!(said.contains("did you mean `net`?"), "{said}");
}

#[test]
fn a_file_that_was_named_and_is_not_there_cannot_be_listed() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let ran = project.hookbox("list", &["--config", "nope.toml"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran:?}");
    insta::assert_snapshot!(project.stable(&ran.stderr), @r#"
    error[E501]: does not exist
     --> <root>/project/nope.toml
    "#);
    for args in [&["--config", "nope.toml", "--format", "json"][..], &["--config", "nope.toml", "--dialect", "ok"]] {
        let ran = project.hookbox("list", args);
        assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran:?}");
        assert!(ran.stderr.contains("nope.toml"), "{ran:?}");
    }
    let there = project.home().join(".agents/hooks.toml");
    assert_eq!(project.hookbox("list", &["--config", there.to_str().unwrap()]).status, 0);
}

#[test]
fn check_without_any_config_says_where_it_looked() {
    let project = Project::new();
    let ran = project.hookbox("check", &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(project.stable(&ran.stdout), @r#"
    no config found, so there is nothing to check; looked for
      <root>/home/.agents/hooks.toml
      <root>/home/.config/hookbox/hooks.toml
      <root>/project/.agents/hooks.toml, and in the directories above
      <root>/project/.hookbox/hooks.toml, and in the directories above
    "#);
    let report = project.hookbox("check", &["--format", "json"]).json();
    assert_eq!(report["searched"].as_array().map(Vec::len), Some(4), "{report}");
    let ok = project.hookbox("check", &["--dialect", "ok"]);
    insta::assert_snapshot!(project.stable(&ok.stdout), @r#"
    no config found, so there is nothing to check; looked for
      <root>/project/.ok/settings.json
      <root>/home/.ok/settings.json
    "#);
    let found = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(found.hookbox("check", &["--format", "json"]).json().get("searched"), None);
}

#[test]
fn an_answer_in_the_words_of_another_system_is_told_as_that() {
    let project = Project::new();
    project.script("home/.agents/guard.sh", r#"cat >/dev/null; echo '{"decision":"block","reason":"no"}'"#);
    let entry = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"\n";
    let project = project.user(entry);
    let ran = project.ask_bash("ls");
    assert_eq!(ran.status, 2, "{ran:?}");
    insta::assert_snapshot!(ran.json()["reason"].as_str().unwrap(), @r#"E105: hook `guard` returned an invalid Action: `decision` is "block", which is none of: allow, deny, modify, ask; `block` is docker-agent's word for `deny` (if the hook is written for docker-agent, add `dialect = "docker-agent"` to its entry, or `--dialect docker-agent` to `hookbox test`); the tool call was blocked"#);
    // The suggested command works.
    let project = project.user(&format!("{entry}dialect = \"docker-agent\"\n"));
    let outcome = project.ask_bash("ls").json();
    assert_eq!((outcome["decision"].as_str(), outcome["reason"].as_str()), (Some("deny"), Some("no")), "{outcome}");

    project.script("home/.agents/guard.sh", r#"cat >/dev/null; echo '{"continue":false,"stop_reason":"no"}'"#);
    let reason = project.user(entry).ask_bash("ls").json()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains(r#"dialect = "docker-agent""#), "{reason}");
}

/// Each word that is reported as another system's really is one, and changes its verdict.
#[test]
fn the_words_of_other_systems_are_theirs() {
    for answer in [
        r#"{"decision":"block"}"#,
        r#"{"continue":false}"#,
        r#"{"hook_specific_output":{"hook_event_name":"pre_tool_use","permission_decision":"deny"}}"#,
    ] {
        let error = hookbox::Action::from_slice(answer.as_bytes(), hookbox::Event::PreTool).unwrap_err();
        let dialect = error.dialect().unwrap_or_else(|| panic!("{answer}: {error}"));
        let project = Project::new();
        project.script("home/.agents/guard.sh", &format!("cat >/dev/null; echo '{answer}'"));
        let project = project.user(&format!(
            "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"\ndialect = \"{dialect}\"\n"
        ));
        let ran = project.ask_bash("ls");
        assert_eq!(ran.status, 2, "{answer}: {ran:?}");
        assert!(ran.json()["hooks"][0].get("code").is_none(), "{answer}: {ran:?}");
    }
    let own = hookbox::Action::from_slice(br#"{"decision":"DENY"}"#, hookbox::Event::PreTool).unwrap_err();
    assert_eq!(own.dialect(), None);
}

#[test]
fn a_list_of_ok_has_every_entry() {
    let project = Project::new();
    let settings = r#"{"hooks":{
        "PreToolUse":[{"command":"./guard.sh","match":"bash"},{"command":"./guard.sh","match":"edit"}],
        "PostToolUse":[{"command":"./guard.sh"}],"Stop":[{"command":"./guard.sh"}]}}"#;
    project.write("home/.ok/settings.json", settings);
    let ran = project.hookbox("list", &["--dialect", "ok"]);
    insta::assert_snapshot!(ran.stdout, @r#"
    NAME        KIND   SOURCE  EVENTS        MODE  TIMEOUT  DESCRIPTION
    ./guard.sh  shell  global  pre_tool      sync  5s
    ./guard.sh  shell  global  pre_tool      sync  5s
    ./guard.sh  shell  global  post_tool     sync  30s
    ./guard.sh  shell  global  post_message  sync  30s
    "#);
    let listed = project.hookbox("list", &["--dialect", "ok", "--format", "json"]).json();
    let matches: Vec<_> = listed.as_array().unwrap().iter().map(|hook| hook["match"].as_str()).collect();
    assert_eq!(matches, [Some("bash"), Some("edit"), None, None]);
    let narrow = project.hookbox("list", &["--dialect", "ok", "--event", "pre_tool"]);
    assert_eq!(narrow.stdout.lines().count(), 3, "{}", narrow.stdout);
}

#[test]
fn check_takes_files_as_arguments() {
    let project = Project::new();
    let good = project.write("good.toml", "[hooks.a]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let bad = project.write("bad.toml", "[hooks.b]\nevents = [\"nope\"]\ncommand = \"true\"\n");
    let [good, bad] = [&good, &bad].map(|path| path.to_str().unwrap());
    let said = |args: &[&str]| {
        let Ran { status, stdout, stderr } = project.hookbox("check", args);
        (status, stdout, stderr)
    };
    assert_eq!(said(&[good]), said(&["--config", good]));
    assert_eq!(said(&[good]).1, "1 hook in 1 file: no problems\n");
    assert_eq!(said(&[good, bad]), said(&["--config", good, "--config", bad]));
    assert_eq!(said(&[good, bad]).0, 1);
    assert_eq!(said(&["none.toml"]), said(&["--config", "none.toml"]));
}

/// Runs `hookbox` with only these arguments.
fn hookbox(args: &[&str], stdin: &str) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    run(command.args(args).env_remove("HOME").write_stdin(stdin))
}

#[test]
fn the_options_of_the_config_may_stand_before_the_command() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"exit\"\n");
    let deny = r#"cat >/dev/null; echo '{"decision":"deny","reason":"no"}'"#;
    let script = project.script("deny.sh", deny);
    let config = project.write("hooks.toml", format!("[hooks.deny]\nevents = [\"pre_tool\"]\ncommand = {script:?}\n"));
    let (home, config) = (project.home(), config.to_str().unwrap().to_owned());
    let home = home.to_str().unwrap();
    let named = format!("--config={config}");
    let call = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;
    for args in [
        &["--home", home, "--config", &config, "run"][..],
        &["--home", home, &named, "run"],
        &["--home", home, "run", "--config", &config],
        &["-v", "--config", &config, "run"],
        &["--config", &config, "-v", "--no-cache", "run", "--home", home],
    ] {
        let ran = hookbox(args, call);
        assert_eq!((ran.status, ran.json()["denied_by"].as_str()), (2, Some("deny")), "{args:?}: {ran:?}");
    }
    // A value that looks like a command is not one.
    let list = hookbox(&["--app", "run", "--home", home, "list"], "");
    assert!(list.status == 0 && list.stdout.contains("guard"), "{list:?}");
    let dialect = hookbox(&["--dialect", "ok", "--home", home, "list"], "");
    assert_eq!((dialect.status, dialect.stdout.as_str()), (0, "(no hooks configured)\n"));
    // Errors in these options are reported as if the options came after the command.
    for args in [&["--home"][..], &["--home", home], &["--nope", "run"], &["--home", home, "new", "x"]] {
        let ran = hookbox(args, "");
        assert_eq!(ran.status, 1, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("Usage: hookbox"), "{args:?}: {ran:?}");
    }
    assert_eq!(hookbox(&["--app", "../x", "list"], ""), hookbox(&["list", "--app", "../x"], ""));
    let ran = hookbox(&["--home", home, "--nope", "run"], call);
    assert_eq!((ran.status, ran.json()["decision"].as_str()), (1, Some("deny")), "{ran:?}");
}
