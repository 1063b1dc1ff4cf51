//! `builtin = "…"` in `hooks.toml`.

use crate::support::project::{Project, run};

/// Asks the hooks of this config.
#[track_caller]
fn ask(config: &str, input: &str) -> crate::support::project::Ran {
    let project = Project::new();
    let file = project.write("hooks.toml", config);
    run(project.command("run", &[]).arg("--config").arg(file).write_stdin(input))
}

#[test]
fn a_builtin_rewrites_what_a_tool_is_given() {
    let secret = format!("ghp_{}", "A1b2".repeat(9));
    let input = format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"echo {secret}"}}}}"#);
    let ran = ask("[hooks.redact]\nevents = [\"pre_tool\"]\nbuiltin = \"redact_secrets\"\n", &input);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.json()["input"]["tool_input"]["command"], "echo [REDACTED]");
}

#[test]
fn a_builtin_has_arguments() {
    let config = "[hooks.limit]\nevents = [\"before_llm_call\"]\nbuiltin = \"max_iterations\"\nargs = [\"3\"]\n";
    let status =
        |iteration: u32| ask(config, &format!(r#"{{"event":"before_llm_call","iteration":{iteration}}}"#)).status;
    assert_eq!([status(3), status(4)], [0, 2]);
}

#[test]
fn a_builtin_that_would_do_nothing_denies() {
    for (events, builtin, why) in [
        ("pre_message", "redact_secrets", "does nothing on pre_message"),
        ("pre_message", "redact_secret", "which this hookbox does not have"),
    ] {
        let config = format!("[hooks.redact]\nevents = [\"{events}\"]\nbuiltin = \"{builtin}\"\n");
        let ran = ask(&config, r#"{"event":"pre_message","message":"hello"}"#);
        assert_ne!(ran.status, 0, "{builtin}");
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
}

#[test]
fn a_builtin_of_a_project_without_trust_is_not_asked() {
    let project = Project::new();
    project.write(
        "project/.hookbox/hooks.toml",
        "[hooks.limit]\nevents = [\"before_llm_call\"]\nbuiltin = \"max_iterations\"\nargs = [\"3\"]\n",
    );
    let input = r#"{"event":"before_llm_call","iteration":4}"#;
    let ask = |args: &[&str]| run(project.command("run", args).write_stdin(input)).status;
    assert_eq!(ask(&[]), 0);
    assert_eq!(ask(&["--trust-all"]), 2);
}
