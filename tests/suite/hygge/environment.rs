//! What a command finds around it: its variables, its directory, its arguments, its stdin.

use super::fixture::{hygge, loader, program_hook, shell_hook};
use crate::support::project::Project;
use hookbox::{Input, Outcome};
use std::ffi::OsString;
use std::fs;

async fn run(project: &Project, env: &[(&str, &str)], input: Input) -> Outcome {
    let env = env.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    loader(project).env(env).load().registry.run_pre(input).await
}

fn call() -> Input {
    Input::pre_tool("bash", "{}").unwrap()
}

/// The variables that a hook found, sorted, without those that a shell sets by itself.
fn variables_in(project: &Project) -> Vec<String> {
    let text = fs::read_to_string(project.dir().join("variables")).unwrap();
    let of_the_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    let mut variables: Vec<String> = text
        .lines()
        .filter(|line| !of_the_shell.contains(&line.split('=').next().unwrap_or_default()))
        .map(str::to_owned)
        .collect();
    variables.sort();
    variables
}

const HOST: [(&str, &str); 10] = [
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/home/me"),
    ("LANG", "de_DE.UTF-8"),
    ("USER", "me"),
    ("TERM", "xterm"),
    ("LC_ALL", "C"),
    ("LC_CTYPE", "C.UTF-8"),
    ("OPENAI_API_KEY", "sk-secret"),
    ("LC_TIME", "C"),
    ("XDG_CONFIG_HOME", "/home/me/.config"),
];

#[tokio::test]
async fn a_command_gets_seven_variables_of_the_host_and_no_other() {
    let project = hygge().project(&shell_hook("t", &["pre_tool"], "env >variables"));
    run(&project, &HOST, call()).await;
    let expected = [
        "HOME=/home/me",
        "LANG=de_DE.UTF-8",
        "LC_ALL=C",
        "LC_CTYPE=C.UTF-8",
        "PATH=/usr/bin:/bin",
        "TERM=xterm",
        "USER=me",
    ];
    assert_eq!(variables_in(&project), expected);
}

#[tokio::test]
async fn variables_that_the_host_lacks_stay_absent() {
    let project = hygge().project(&shell_hook("t", &["pre_tool"], "env >variables"));
    run(&project, &[("PATH", "/usr/bin:/bin"), ("SECRET", "x")], call()).await;
    assert_eq!(variables_in(&project), ["PATH=/usr/bin:/bin"]);
}

#[tokio::test]
async fn the_entrys_own_variables_come_on_top() {
    let toml = shell_hook("t", &["pre_tool"], "env >variables")
        + "env = { LANG = \"C\", TERM = \"\", POLICY = \"strict mode\" }\n";
    let project = hygge().project(&toml);
    run(&project, &[("PATH", "/usr/bin:/bin"), ("LANG", "de_DE.UTF-8"), ("TERM", "xterm")], call()).await;
    assert_eq!(variables_in(&project), ["LANG=C", "PATH=/usr/bin:/bin", "POLICY=strict mode", "TERM="]);
}

#[tokio::test]
async fn a_bare_name_is_looked_up_in_the_hosts_path_alone() {
    let toml = program_hook("t", &["pre_tool"], "guard") + "env = { PATH = \"/nowhere\" }\n";
    let project = hygge().project(&toml);
    project.script("bin/guard", "echo found >&2; exit 1");
    let bin = project.dir().join("../bin");
    let outcome = run(&project, &[("PATH", bin.to_str().unwrap())], call()).await;
    assert_eq!(outcome.reason.as_deref(), Some("found"));

    let toml = format!("{}env = {{ PATH = {bin:?} }}\n", program_hook("t", &["pre_tool"], "guard"));
    let outcome = run(&project.project(&toml), &[("PATH", "/nowhere")], call()).await;
    let reason = "hook t exited with error: exec: \"guard\": executable file not found in $PATH";
    assert_eq!(outcome.reason.as_deref(), Some(reason));
}

/// The directory is that of the host, which is the loader's here, whatever the payload says.
#[tokio::test]
async fn a_command_runs_in_the_hosts_directory_and_not_in_that_of_the_payload() {
    let project = hygge().project(&program_hook("t", &["pre_tool"], "./scripts/guard.sh"));
    project.script("project/scripts/guard.sh", "pwd >&2; exit 1");
    let mut input = call();
    input.pwd = Some("/".to_owned());
    let outcome = run(&project, &HOST, input).await;
    let dir = fs::canonicalize(project.dir()).unwrap();
    assert_eq!(outcome.reason.as_deref(), dir.to_str());
}

#[tokio::test]
async fn no_shell_expands_the_arguments() {
    let toml = program_hook("t", &["pre_tool"], "/bin/sh")
        + "args = [\"-c\", \"printf '%s|' \\\"$@\\\" >&2; exit 1\", \"sh\", \"~\", \"$HOME\", \"a  b\", \"*\", \"\"]\n";
    let outcome = run(&hygge().project(&toml), &HOST, call()).await;
    assert_eq!(outcome.reason.as_deref(), Some("~|$HOME|a  b|*||"));
}

#[tokio::test]
async fn a_large_payload_need_not_be_read() {
    let project = hygge().project(&shell_hook("t", &["pre_message"], "echo unread >&2; exit 1"));
    let message = "x".repeat(hookbox::MAX_INPUT_BYTES - 1024);
    let outcome = run(&project, &HOST, Input::pre_message(message)).await;
    assert_eq!(outcome.reason.as_deref(), Some("unread"));
}

#[tokio::test]
async fn a_large_payload_arrives_whole() {
    let project = hygge().project(&shell_hook("t", &["pre_message"], "wc -c >&2; exit 1"));
    let message = "x".repeat(hookbox::MAX_INPUT_BYTES - 1024);
    let rest = r#"{"event":"pre_message","session_id":"","hook_name":"pre_message","pwd":"","message":""}"#.len();
    let expected = (message.len() + rest).to_string();
    let outcome = run(&project, &HOST, Input::pre_message(message)).await;
    assert_eq!(outcome.reason.as_deref().map(str::trim), Some(expected.as_str()));
}
