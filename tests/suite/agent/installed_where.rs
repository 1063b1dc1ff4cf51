//! Which files are written, what is kept of them, and whose files are left alone.

use super::install::{SETTINGS, claude, done, files, install, uninstall};
use crate::support::project::Project;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;

fn records(project: &Project) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.home().join(".local/state/hookbox/settings")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn what_was_there_is_kept_in_the_state_and_nowhere_else() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    let theirs = project.write("home/.claude/settings.json.before-hookbox", "my own");
    install(&project, "claude");
    assert_eq!(files(&project), [path.clone(), theirs.clone()]);
    let [record] = &records(&project)[..] else { panic!("one record") };
    assert_eq!(fs::metadata(record).unwrap().mode() & 0o777, 0o600);
    uninstall(&project, "claude");
    assert_eq!((fs::read_to_string(path).unwrap().as_str(), records(&project)), (SETTINGS, Vec::new()));
    assert_eq!(fs::read_to_string(theirs).unwrap(), "my own");
    done(project.run(&["install", "claude", "--project", "--yes"], ""));
    assert_eq!(fs::read_dir(project.dir().join(".claude")).unwrap().count(), 1);
    done(project.run(&["uninstall", "claude", "--project", "--yes"], ""));
    assert!(!project.dir().join(".claude/settings.json").exists());
}

#[test]
fn what_was_there_before_the_last_installation_comes_back() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    install(&project, "claude");
    // The file is replaced from elsewhere, without hookbox.
    let newer = "{ \"model\": \"sonnet\" }\n";
    fs::write(&path, newer).unwrap();
    install(&project, "claude");
    uninstall(&project, "claude");
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
    // The file is replaced from elsewhere, with hookbox, and in another form.
    fs::write(&path, SETTINGS).unwrap();
    install(&project, "claude");
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    fs::write(&path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
    uninstall(&project, "claude");
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.contains("  \"model\": \"opus\"") && !after.contains("hookbox"), "the newer form stays: {after}");
}

#[test]
fn an_installation_over_another_keeps_what_was_there_first() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    install(&project, "claude");
    done(project.run(&["install", "claude", "--yes", "--http", "http://127.0.0.1:8787"], ""));
    uninstall(&project, "claude");
    assert_eq!(fs::read_to_string(&path).unwrap(), SETTINGS);
}

#[test]
fn empty_settings_are_empty_again() {
    for text in ["", "\n", "{}", "{ }\n"] {
        let project = Project::new();
        let path = project.write("home/.claude/settings.json", text);
        install(&project, "claude");
        uninstall(&project, "claude");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn what_is_left_after_an_edit_stands_in_its_columns() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    install(&project, "claude");
    let edited = fs::read_to_string(&path).unwrap().replace("opus", "sonnet");
    fs::write(&path, edited).unwrap();
    uninstall(&project, "claude");
    assert_eq!(fs::read_to_string(&path).unwrap(), SETTINGS.replace("opus", "sonnet"));
}

#[test]
fn settings_that_another_program_manages_are_left_to_it() {
    let project = Project::new();
    let real = project.write("home/store/settings.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o444)).unwrap();
    fs::create_dir_all(project.home().join(".claude")).unwrap();
    symlink(&real, claude(&project)).unwrap();
    let ran = project.run(&["install", "claude", "--yes"], "");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.stderr.contains("another program manages it") && ran.stderr.contains("nothing was changed"), "{ran:?}");
    assert!(!ran.stderr.contains(".tmp"), "{ran:?}");
    // The output says what to add there.
    assert!(ran.stdout.contains("would be changed:") && ran.stdout.contains("\"onFailure\": \"block\""), "{ran:?}");
    assert_eq!(fs::read_to_string(real).unwrap(), "{}\n");
}

#[test]
fn a_protected_file_is_not_replaced() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let ran = project.run(&["install", "claude", "--yes"], "");
    assert!(ran.status == 1 && ran.stderr.contains("(mode 444): `chmod u+w` it first"), "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), SETTINGS);
    assert_eq!(records(&project), Vec::<PathBuf>::new());
}

#[test]
fn what_belongs_to_another_user_is_left_alone() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    const USER: u32 = 12345;
    let project = Project::new();
    let root = project.home().parent().unwrap().to_owned();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    let theirs = project.write("store/settings.json", "{}");
    fs::create_dir_all(project.home().join(".qwen")).unwrap();
    symlink(&theirs, project.home().join(".qwen/settings.json")).unwrap();
    for dir in [root, project.home(), project.dir(), project.home().join(".claude"), project.home().join(".qwen")] {
        chown(dir, Some(USER), Some(USER)).unwrap();
    }
    // The program itself may be where only root can look. Another process writes the copy: a process that another
    // thread of this process starts at the same time would keep the copy open for writing, so that it could not be run.
    let program = project.home().join("hookbox");
    let copy = std::process::Command::new("cp").arg(assert_cmd::cargo::cargo_bin("hookbox")).arg(&program).status();
    assert!(copy.unwrap().success());
    let install = |agent: &str| {
        let mut start = std::process::Command::new(&program);
        start.args(["install", agent, "--yes"]).current_dir(project.dir()).env("HOME", project.home());
        let output = start.uid(USER).gid(USER).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, told) = install("claude");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("belongs to another user (0), and would become yours"), "{told}");
    // A whole directory belongs to another program.
    symlink(theirs.parent().unwrap(), project.home().join(".gemini")).unwrap();
    for agent in ["qwen", "gemini"] {
        let (status, told) = install(agent);
        assert_eq!(status, Some(1), "{told}");
        assert!(told.contains("another program manages it") && !told.contains(".tmp"), "{told}");
    }
    assert_eq!(
        (fs::read_to_string(path).unwrap().as_str(), fs::read_to_string(theirs).unwrap().as_str()),
        (SETTINGS, "{}")
    );
}

#[test]
fn other_names_of_the_file_are_told_of() {
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", SETTINGS);
    fs::hard_link(&path, project.home().join("dotfile.json")).unwrap();
    let ran = install(&project, "claude");
    assert!(
        ran.stdout.contains("note: the file has 2 names (hard links): the others keep what is there now"),
        "{ran:?}"
    );
    assert_eq!(fs::read_to_string(project.home().join("dotfile.json")).unwrap(), SETTINGS);
}

#[test]
fn without_a_terminal_nothing_is_said_to_have_changed() {
    let project = Project::new();
    project.write("home/.claude/settings.json", SETTINGS);
    let ran = project.run(&["install", "claude"], "");
    assert!(ran.stdout.starts_with("would be changed: "), "{ran:?}");
    assert!(ran.stderr.contains("nothing was changed"), "{ran:?}");
}

#[test]
fn a_path_is_named_once() {
    let project = Project::new();
    fs::create_dir_all(claude(&project)).unwrap();
    let path = claude(&project).display().to_string();
    let ran = project.run(&["install", "claude", "--yes"], "");
    assert_eq!((ran.status, ran.stderr.matches(&path).count()), (1, 1), "{ran:?}");
    let report = project.run(&["doctor", "claude", "--format", "json"], "").json();
    let problems: Vec<String> = serde_json::from_value(report["agents"][0]["problems"].clone()).unwrap();
    let naming: Vec<&String> = problems.iter().filter(|problem| problem.contains(&path)).collect();
    assert_eq!((naming.len(), naming[0].matches(&path).count()), (1, 1), "{problems:?}");
}

#[test]
fn a_project_has_its_settings_at_its_root() {
    let project = Project::new();
    fs::create_dir_all(project.dir().join(".git")).unwrap();
    let below = project.dir().join("src/deep");
    fs::create_dir_all(&below).unwrap();
    let run = |args: &[&str]| {
        let mut start = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        start.args(args).current_dir(&below).env("HOME", project.home());
        crate::support::project::run(&mut start)
    };
    for (agent, file) in [("claude", ".claude/settings.json"), ("cline", ".cline/hooks/PreToolUse")] {
        done(run(&["install", agent, "--project", "--yes"]));
        assert!(project.dir().join(file).exists() && fs::read_dir(&below).unwrap().next().is_none(), "{agent}");
        let report = run(&["doctor", agent, "--format", "json"]).json();
        assert!(report["agents"][0]["settings"].to_string().contains(file), "{report:#}");
        done(run(&["uninstall", agent, "--project", "--yes"]));
        assert!(!project.dir().join(file).exists(), "{agent}");
    }
    // A part of the project may have settings of its own.
    fs::create_dir_all(below.join(".claude")).unwrap();
    fs::write(below.join(".claude/settings.json"), "{}").unwrap();
    done(run(&["install", "claude", "--project", "--yes"]));
    assert!(!project.dir().join(".claude/settings.json").exists());
    assert!(fs::read_to_string(below.join(".claude/settings.json")).unwrap().contains("hook claude"));
}

#[test]
fn a_plugin_is_where_its_agent_looks() {
    let project = Project::new();
    let config = project.home().join("settings");
    let run = |args: &[&str]| {
        let mut start = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        start.args(args).current_dir(project.dir()).env("HOME", project.home()).env("XDG_CONFIG_HOME", &config);
        crate::support::project::run(&mut start)
    };
    let found = || run(&["doctor", "opencode", "--format", "json"]).json()["agents"][0]["settings"].to_string();
    let file = config.join("opencode/plugins/hookbox.js");
    done(run(&["install", "opencode", "--yes"]));
    assert!(file.exists() && !project.home().join(".config/opencode").exists());
    assert!(found().contains("settings/opencode/plugins/hookbox.js"), "{}", found());
    done(run(&["uninstall", "opencode", "--yes"]));
    assert!(!file.exists());
    done(project.run(&["install", "opencode", "--yes"], ""));
    assert!(project.home().join(".config/opencode/plugins/hookbox.js").exists());
    assert_eq!(found(), "[]", "OpenCode does not look there with this variable");
}

#[test]
fn a_project_has_its_config_at_its_root() {
    for command in [&["add", "protect-paths", "--project"][..], &["init", "--project"]] {
        let project = Project::new();
        fs::create_dir_all(project.dir().join(".git")).unwrap();
        let below = project.dir().join("src/deep");
        fs::create_dir_all(&below).unwrap();
        let run = || {
            let mut start = assert_cmd::Command::cargo_bin("hookbox").unwrap();
            start.args(command).current_dir(&below).env("HOME", project.home()).env("PATH", "/usr/bin:/bin");
            done(crate::support::project::run(&mut start));
        };
        run();
        let at_root = project.dir().join(".agents/hooks.toml");
        assert!(fs::read_dir(&below).unwrap().next().is_none(), "{command:?}");
        let text = fs::read_to_string(&at_root).unwrap();
        assert!(text.contains("policy = \"protect-paths\""), "{command:?}: {text}");
        run();
        assert_eq!(fs::read_to_string(&at_root).unwrap(), text, "it is the same file the second time");
        // The config that hookbox reads there counts, wherever it is.
        fs::remove_file(&at_root).unwrap();
        let nearer = project.write("project/src/.hookbox/hooks.toml", "");
        run();
        assert!(!at_root.exists(), "{command:?}");
        assert!(fs::read_to_string(nearer).unwrap().contains("policy = \"protect-paths\""), "{command:?}");
    }
}

#[test]
fn init_finds_agents_by_their_settings() {
    let project = Project::new();
    project.write("home/.claude/settings.json", "{}");
    project.write("home/.config/opencode/opencode.json", "{}");
    let mut start = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    start.arg("init").current_dir(project.dir()).env("HOME", project.home()).env("PATH", "/usr/bin:/bin");
    let ran = crate::support::project::run(&mut start);
    assert!(ran.stdout.contains("Claude Code is here") && ran.stdout.contains("OpenCode is here"), "{ran:?}");
    assert!(!ran.stdout.contains("Codex CLI is here"), "{ran:?}");
}

/// A repository can hold a link to any file of its user.
#[test]
fn a_link_of_a_project_does_not_lead_out_of_it() {
    for (link, is_dir, command) in [
        (".agents", true, &["add", "protect-paths"][..]),
        (".agents", true, &["init", "--yes"]),
        (".claude", true, &["install", "claude", "--yes"]),
        (".claude/settings.json", false, &["install", "claude", "--yes"]),
    ] {
        for is_there in [true, false] {
            let project = Project::new();
            let theirs = project.home().join("theirs");
            let file = if is_dir { theirs.join("hooks.toml") } else { theirs.clone() };
            fs::create_dir_all(project.dir().join(".claude")).unwrap();
            if is_there {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, "{}").unwrap();
            }
            let link = project.dir().join(link);
            _ = fs::remove_dir(&link);
            symlink(&theirs, &link).unwrap();
            let ran = project.run(&[command, &["--project"]].concat(), "");
            assert!(ran.status != 0, "{link:?} {is_there}: {ran:?}");
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), is_there.then_some("{}"), "{link:?}: {ran:?}");
        }
    }
    // A link that stays in the project is followed.
    let project = Project::new();
    fs::create_dir(project.dir().join("config")).unwrap();
    symlink("config", project.dir().join(".agents")).unwrap();
    done(project.run(&["add", "protect-paths", "--project"], ""));
    assert!(project.dir().join("config/hooks.toml").exists());
}

#[test]
fn the_home_directory_is_no_project() {
    let project = Project::new().in_dir("home");
    project.write("home/.claude/settings.json", SETTINGS);
    for command in [&["install", "claude", "--yes"][..], &["uninstall", "claude", "--yes"], &["add", "protect-paths"]] {
        let ran = project.run(&[command, &["--project"]].concat(), "");
        assert!(ran.status == 1 && ran.stderr.contains("is your home directory, and no project"), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(claude(&project)).unwrap(), SETTINGS);
    assert!(!project.home().join(".agents").exists());
}

#[test]
fn a_command_of_the_users_that_only_looks_like_hookbox_stays() {
    let entry = |command: &str| {
        json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}).to_string()
    };
    for command in ["/x/hookbox-rules/check hook claude", "my-hookbox hook claude"] {
        let project = Project::new();
        let path = project.write("home/.claude/settings.json", entry(command));
        done(project.run(&["uninstall", "--all", "--yes"], ""));
        install(&project, "claude");
        assert!(fs::read_to_string(&path).unwrap().contains(command), "{command}");
        uninstall(&project, "claude");
        assert_eq!(fs::read_to_string(&path).unwrap(), entry(command));
    }
    // What does more than call hookbox is the user's, too.
    let project = Project::new();
    let path = project.write("home/.claude/settings.json", entry("my-audit && hookbox hook claude"));
    let ran = install(&project, "claude");
    assert!(ran.stdout.contains("does more than call hookbox") && ran.stdout.contains("asked twice"), "{ran:?}");
    let doctor = project.run(&["doctor", "claude"], "");
    assert!(doctor.stdout.contains("`my-audit && hookbox hook claude` in `"), "{doctor:?}");
    assert!(doctor.stdout.contains("asked twice: take hookbox out of this line"), "{doctor:?}");
    let ran = uninstall(&project, "claude");
    assert!(ran.stdout.contains("`my-audit && hookbox hook claude`"), "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), entry("my-audit && hookbox hook claude"));
    assert!(uninstall(&project, "claude").stdout.ends_with("no other hook of Claude Code asks hookbox\n"));
    let mut both: serde_json::Value = serde_json::from_str(&entry("hookbox hook claude")).unwrap();
    let users = json!({"hooks": [{"type": "command", "command": "my-audit && hookbox hook claude"}]});
    both["hooks"]["PreToolUse"].as_array_mut().unwrap().push(users);
    project.write("home/.claude/settings.json", both.to_string());
    assert!(uninstall(&project, "claude").stdout.contains("does more than call hookbox"));
    // Unless hookbox's own hook is for all tools, the user's commands may be all that calls hookbox.
    for command in ["hookbox hook claude", "my-log && hookbox hook claude"] {
        both["hooks"]["PreToolUse"][0] = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": command}]});
        project.write("home/.claude/settings.json", both.to_string());
        let doctor = project.run(&["doctor", "claude"], "");
        assert!(!doctor.stdout.contains("asked twice"), "{command}: {doctor:?}");
    }
    // What only prepares the call is not, so that hookbox does not stand there twice.
    let path =
        project.write("home/.claude/settings.json", entry("cd \"$(git rev-parse)\" && ls && hookbox hook claude"));
    install(&project, "claude");
    let installed: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(installed["hooks"]["PreToolUse"].as_array().map(Vec::len), Some(1), "{installed}");
    // Without a record that hookbox created the file, it stays.
    for command in ["hookbox hook claude", "'/my dir/hookbox' --strict hook claude", "npx hookbox@1 hook claude"] {
        let project = Project::new();
        let path = project.write("home/.claude/settings.json", entry(command));
        uninstall(&project, "claude");
        let left: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(left, json!({}), "{command}");
    }
}

#[test]
fn all_agents_are_left_at_once() {
    let project = Project::new();
    let claude = project.write("home/.claude/settings.json", SETTINGS);
    let gemini = project.write("home/.gemini/settings.json", "{ \"theme\": \"x\" }\n");
    install(&project, "claude");
    install(&project, "gemini");
    assert!(project.run(&["uninstall", "--yes"], "").stderr.contains("<AGENT>"));
    assert!(project.run(&["uninstall", "claude", "--all", "--yes"], "").status != 0);
    // A fault in the settings of one agent does not keep hookbox in the others.
    let whole = fs::read_to_string(&gemini).unwrap();
    fs::write(&gemini, &whole[..whole.len() / 2]).unwrap();
    let ran = project.run(&["uninstall", "--all", "--yes"], "");
    assert!(ran.status == 1 && ran.stderr.contains(".gemini/settings.json"), "{ran:?}");
    assert_eq!(fs::read_to_string(&claude).unwrap(), SETTINGS);
    fs::write(&gemini, whole).unwrap();
    done(project.run(&["uninstall", "--all", "--yes"], ""));
    assert_eq!(fs::read_to_string(&gemini).unwrap(), "{ \"theme\": \"x\" }\n");
}
