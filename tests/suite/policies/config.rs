//! Policies in a config: `policy = "NAME"`, `hookbox add`, `policies` and `init`.

use crate::support::project::{Project, Ran};
use hookbox::policy::Policy;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A command that does not take the options for selecting a config.
trait Bare {
    fn bare(&self, command: &str, args: &[&str]) -> Ran;
}

impl Bare for Project {
    fn bare(&self, command: &str, args: &[&str]) -> Ran {
        self.run(&[&[command], args].concat(), "")
    }
}

const GUARD: &str = "[hooks.guard]\npolicy = \"no-destructive-commands\"\n";

#[test]
fn a_policy_is_named_and_hears_its_events() {
    let project = Project::new().user(GUARD);
    assert_eq!(project.ask_bash("rm -rf /").status, 2);
    assert_eq!(project.ask_bash("ls").status, 0);
    let shown = project.hookbox("show", &["guard", "--format", "json"]).json();
    assert_eq!((&shown["policy"]["name"], &shown["kind"]), (&"no-destructive-commands".into(), &"component".into()));
    assert_eq!(shown["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(shown["events"], serde_json::json!(["pre_tool"]));
    let shown = project.hookbox("show", &["guard"]).stdout;
    assert!(shown.contains("policy:      no-destructive-commands 1.0.0\n"), "{shown}");
}

#[test]
fn its_settings_are_checked_where_they_stand() {
    for (settings, message, help) in [
        ("{ brances = [\"main\"] }", "unknown key `settings.brances`", "did you mean `branches`?"),
        ("{ branches = \"main\" }", "`settings.branches` must be an array, not a string", ""),
        ("{ branches = [1] }", "`settings.branches` must be a string, not a whole number", ""),
        ("{ mode = \"observe\" }", "`settings.mode` is \"observe\"", "one of: enforce, audit"),
        ("{ unknown = \"denny\" }", "`settings.unknown` is \"denny\"", "did you mean `deny`?"),
    ] {
        let project = Project::new().user(&format!("{GUARD}settings = {settings}\n"));
        let ran = project.hookbox("check", &[]);
        assert_eq!(ran.status, 1, "{settings}");
        assert!(ran.stderr.contains(message) && ran.stderr.contains(help), "{settings}: {}", ran.stderr);
        assert!(ran.stderr.contains("hooks.toml:3:"), "{}", ran.stderr);
        // A policy whose settings are wrong denies.
        assert_eq!(project.ask_bash("ls").status, 2, "{settings}");
    }
}

#[test]
fn what_a_policy_has_no_use_for_is_refused() {
    for (line, message) in [
        ("grants = { clocks = true }", "`grants` does not fit here"),
        ("args = [\"x\"]", "`args` does not fit here"),
        ("component = \"x.wasm\"", "a hook has a `policy` or a `component`, not both"),
        ("sha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"", "the config pins"),
    ] {
        let project = Project::new().user(&format!("{GUARD}{line}\n"));
        let ran = project.hookbox("check", &[]);
        assert!(ran.status == 1 && ran.stderr.contains(message), "{line}: {}", ran.stderr);
        assert_eq!(project.ask_bash("ls").status, 2, "{line}");
    }
    let project = Project::new().user("[hooks.guard]\npolicy = \"no-destructiv-commands\"\n");
    let ran = project.hookbox("check", &[]);
    assert!(ran.stderr.contains("did you mean `no-destructive-commands`?"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("`events`"), "{}", ran.stderr);
    assert_eq!(project.ask_bash("ls").status, 2);
}

#[test]
fn a_pin_that_fits_is_no_hindrance() {
    let sha256 = Policy::find("protect-paths").unwrap().digest().unwrap();
    let project = Project::new().user(&format!("[hooks.guard]\npolicy = \"protect-paths\"\nsha256 = \"{sha256}\"\n"));
    assert_eq!(project.hookbox("check", &[]).status, 0);
    assert_eq!(project.ask_bash("ls").status, 0);
}

#[test]
fn audit_stops_nothing_and_says_what_it_would() {
    let project = Project::new().user(&format!("{GUARD}settings = {{ mode = \"audit\" }}\n"));
    let outcome = project.ask_bash("rm -rf /");
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(outcome.stdout.contains("would have denied"), "{outcome:?}");
}

#[test]
fn a_message_stands_beside_the_reason() {
    let project = Project::new().user(&format!("{GUARD}settings = {{ message = \"Ask the ops team.\" }}\n"));
    let outcome = project.ask_bash("rm -rf /");
    assert!(outcome.stdout.contains("Ask the ops team."), "{outcome:?}");
}

#[test]
fn add_writes_an_entry_and_nothing_else() {
    let old = "# My hooks.\n[hooks.\"mine\"]   # first\nevents = [ \"pre_tool\" ]\ncommand = \"true\"";
    let project = Project::new().user(old);
    let ran = project.bare("add", &["no-destructive-commands", "protect-paths"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let file = fs::read_dir(project.home().join(".agents")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(file).unwrap();
    assert!(text.starts_with(old), "{text}");
    assert!(text.contains("\n[hooks.no-destructive-commands]\npolicy = \"no-destructive-commands\"\n"), "{text}");
    assert!(text.contains("\n# branches = [\"main\", \"master\"]\n") || text.contains("\n# branches = ["), "{text}");
    assert_eq!(project.hookbox("check", &[]).status, 0, "{text}");
    assert_eq!(project.ask_bash("rm -rf /").status, 2);
    let again = project.bare("add", &["protect-paths"]);
    assert!(again.status == 0 && again.stdout.contains("has all of this already"), "{again:?}");
}

/// Each setting of each entry is a comment that becomes valid without its `#`.
#[test]
fn the_settings_of_an_entry_are_valid_when_they_are_no_comments() {
    for policy in Policy::all() {
        let project = Project::new();
        assert_eq!(project.bare("add", &[policy.name]).status, 0);
        let file = project.home().join(".agents/hooks.toml");
        let text = fs::read_to_string(&file).unwrap();
        let is_setting = |line: &str| {
            let names = policy.settings();
            names.iter().any(|setting| line.starts_with(&format!("# {} = ", setting.name)))
        };
        let uncommented: Vec<&str> =
            text.lines().map(|line| if is_setting(line) { &line[2..] } else { line }).collect();
        assert_eq!(uncommented.len(), text.lines().count());
        fs::write(&file, uncommented.join("\n")).unwrap();
        let ran = project.hookbox("check", &[]);
        assert_eq!(ran.status, 0, "{}: {}{}", policy.name, ran.stdout, ran.stderr);
    }
}

#[test]
fn add_for_an_audit_or_a_project() {
    let project = Project::new();
    assert_eq!(project.bare("add", &["no-destructive-commands", "--audit"]).status, 0);
    assert_eq!(project.ask_bash("rm -rf /").status, 0);
    let other = Project::new();
    let ran = other.bare("add", &["no-destructive-commands", "--project"]);
    assert!(ran.stdout.contains("hookbox trust"), "{ran:?}");
    assert!(other.dir().join(".agents/hooks.toml").is_file());
    // The config is not trusted yet, but it may already deny.
    assert_eq!(other.ask_bash("rm -rf /").status, 2);
}

#[test]
fn add_says_what_is_in_its_way() {
    let project = Project::new().user("[hooks.protect-paths]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let ran = project.bare("add", &["protect-paths"]);
    assert!(ran.status == 1 && ran.stderr.contains("another hook of the name `protect-paths`"), "{ran:?}");
    let project = Project::new().user("hooks = {}\n");
    let ran = project.bare("add", &["protect-paths"]);
    assert!(ran.status == 1 && ran.stderr.contains("add it by hand"), "{ran:?}");
    let project = Project::new().user("[hooks\n");
    let ran = project.bare("add", &["protect-paths"]);
    assert!(ran.status == 1 && ran.stderr.contains("not valid TOML"), "{ran:?}");
    let ran = Project::new().bare("add", &["protect-path"]);
    assert!(ran.status == 1 && ran.stderr.contains("did you mean `protect-paths`?"), "{ran:?}");
}

#[test]
fn add_says_what_has_a_policy_for_some_calls_only() {
    let project = Project::new().user(&format!("{GUARD}match = \"bash\"\n"));
    let ran = project.bare("add", &["no-destructive-commands"]);
    assert!(ran.status == 0 && ran.stdout.contains("`no-destructive-commands` has a `match`"), "{ran:?}");
}

#[test]
fn add_does_not_wait_for_a_pipe_in_place_of_a_config() {
    let project = Project::new();
    project.write("project/.agents/other", "");
    let pipe = project.dir().join(".agents/hooks.toml");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let ran = project.bare("add", &["protect-paths", "--project"]);
    assert!(ran.status == 1 && ran.stderr.contains("is not a settings file"), "{ran:?}");
}

#[test]
fn init_goes_on_after_an_agent_with_broken_settings() {
    let project = Project::new();
    project.write("home/.claude/settings.json", "{");
    project.write("home/.gemini/settings.json", "{}");
    let ran = project.bare("init", &["--yes"]);
    assert!(ran.status == 1 && ran.stderr.contains(".claude/settings.json"), "{ran:?}");
    let gemini = fs::read_to_string(project.home().join(".gemini/settings.json")).unwrap();
    assert!(gemini.contains("hook gemini"), "{gemini}");
}

#[test]
fn init_sets_up_the_recommended_policies() {
    let project = Project::new();
    let ran = project.bare("init", &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stdout.contains("To undo this: delete the entries from ") && ran.stdout.contains("uninstall"),
        "{ran:?}"
    );
    let listed = project.hookbox("list", &["--format", "json"]).json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|hook| hook["name"].as_str().unwrap()).collect();
    let recommended: Vec<&str> = Policy::all().iter().filter(|it| it.is_recommended).map(|it| it.name).collect();
    assert_eq!((names.len(), recommended.len()), (3, 3));
    assert!(recommended.iter().all(|name| names.contains(name)), "{names:?}");
    let again = project.bare("init", &[]);
    assert!(again.status == 0 && again.stdout.contains("has all of this already"), "{again:?}");
}

/// Like `hookbox install`, which it calls. Without a terminal, it has no one to ask.
#[test]
fn init_asks_on_a_terminal_before_it_writes() {
    for (args, answer, is_written) in [
        (&["init"][..], Some("n"), false),
        (&["init"], Some(""), false),
        (&["init"], Some("y"), true),
        (&["init", "--yes"], None, true),
    ] {
        let project = Project::new();
        // Without agents in `PATH`, `init` asks nothing else.
        let mut terminal = project.shell_terminal(&format!(
            "hookbox=$(command -v hookbox); PATH=/nowhere exec \"$hookbox\" {}",
            args.join(" ")
        ));
        if let Some(answer) = answer {
            terminal.wait_for("write this? [y/N]");
            assert!(!project.home().join(".agents").exists(), "{answer}");
            terminal.type_line(answer);
        }
        let (status, shown) = terminal.end();
        assert_eq!(
            (status, project.home().join(".agents/hooks.toml").exists()),
            (i32::from(!is_written), is_written),
            "{shown}"
        );
        assert!(shown.contains("no-destructive-commands"), "{shown}");
        assert_eq!(shown.contains("nothing was changed"), !is_written, "{shown}");
        assert_eq!(shown.contains("write this?"), answer.is_some(), "{shown}");
    }
}

#[test]
fn policies_lists_and_shows_them() {
    let project = Project::new();
    let listed = project.bare("policies", &[]).stdout;
    for policy in Policy::all() {
        assert!(listed.contains(policy.name) && listed.contains(policy.summary), "{listed}");
        let shown = project.bare("policies", &[policy.name]);
        // This policy never stops a call: it warns the agent about what the agent reads.
        let does = if policy.name == "injection-scan" { "Passed with a warning" } else { "Denied" };
        assert!(shown.status == 0 && shown.stdout.contains(&format!("{does}, such as:")), "{shown:?}");
        let (_, settings) = shown.stdout.split_once("Settings:\n").unwrap();
        for setting in settings.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   ")) {
            assert!(setting.trim().parse::<toml::Table>().is_ok(), "{setting}");
        }
        let json = project.bare("policies", &[policy.name, "--format", "json"]).json();
        assert!(json["schema"]["properties"]["mode"].is_object() && json["cases"].as_array().unwrap().len() > 50);
    }
    let ran = project.bare("policies", &["no-destructive"]);
    assert!(ran.status == 1 && ran.stderr.contains("did you mean"), "{ran:?}");
}

#[test]
fn what_a_policy_costs_can_be_measured() {
    let project = Project::new();
    let config = project.write("hooks.toml", GUARD);
    let measured =
        project.run(&["bench", "--config", config.to_str().unwrap(), "--calls", "100", "--format", "json"], "");
    let size = Policy::find("no-destructive-commands").unwrap().component().unwrap().len() as u64;
    let told: serde_json::Value = serde_json::from_str(&measured.stdout).unwrap();
    assert_eq!((measured.status, told["size"].as_u64()), (0, Some(size)), "{measured:?}");
}

#[test]
fn policies_that_are_added_at_once_are_all_there() {
    let project = Project::new();
    let names = hookbox::policy::Policy::names();
    let children: Vec<_> = (0..20)
        .map(|number| {
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
            command.args(["add", names[number % names.len()]]).current_dir(project.dir()).env("HOME", project.home());
            command.env_remove("XDG_CONFIG_HOME").stdout(std::process::Stdio::null());
            command.spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let config = fs::read_to_string(project.home().join(".agents/hooks.toml")).unwrap();
    for name in names {
        assert_eq!(config.matches(&format!("policy = \"{name}\"")).count(), 1, "{name}");
    }
}

#[test]
fn what_init_makes_is_private_whatever_the_umask() {
    let project = Project::new();
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    let mut command = assert_cmd::Command::new("/bin/sh");
    command.args(["-c", "umask 000; exec \"$0\" init"]).arg(&hookbox).current_dir(project.dir());
    command.env("HOME", project.home()).env("PATH", "/nowhere").env_remove("XDG_CONFIG_HOME");
    let ran = crate::support::project::run(&mut command);
    assert_eq!(ran.status, 0, "{ran:?}");
    for path in [".agents", ".agents/hooks.toml"] {
        let mode = fs::metadata(project.home().join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o022, 0, "{path}: {mode:o}");
    }
    assert_eq!(fs::metadata(project.home().join(".agents")).unwrap().permissions().mode() & 0o777, 0o700);
    let ran = project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#);
    assert_eq!(ran.status, 0, "{ran:?}");
}
