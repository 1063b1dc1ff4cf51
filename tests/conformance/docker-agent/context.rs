//! docker-agent: the builtins that tell the model about its surroundings. The steps of a row are:
//!
//! - `init` makes the directory a repository, `commit SUBJECT` commits everything in it,
//! - `write FILE TEXT` writes a file, `many N` writes that many files,
//! - `nowhere` leaves the working directory out of the payload, `missing` names one that does not exist,
//! - `ask EVENT BUILTIN ARGS...` asks the builtin.

use super::{Agent, hook, input_with, types};
use crate::conformance::by_test::{Named, Row, named, rows};
use hookbox::Event;
use hookbox::dialect::docker_agent::Generation;
use std::path::Path;
use std::process::Command;

pub(super) const TESTS: &[Named] = named![context_is_told_step_by_step];

#[test]
fn context_is_told_step_by_step() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for row in rows("docker-agent", "context_is_told_step_by_step") {
        runtime.block_on(steps(row));
    }
}

async fn steps(row: Row) {
    let project = tempfile::tempdir().unwrap();
    let dir = project.path();
    let mut cwd = dir.display().to_string();
    let mut told = None;
    for step in row.input().lines() {
        let words: Vec<&str> = step.split(' ').collect();
        match words.as_slice() {
            ["init"] => git(dir, &["init", "--quiet"]),
            ["commit", subject] => {
                git(dir, &["add", "--all"]);
                git(dir, &["commit", "--quiet", "--allow-empty", "--message", subject]);
            }
            ["write", file, text] => write(dir, file, text),
            ["many", count] => {
                (0..count.parse().unwrap()).for_each(|number: u32| write(dir, &format!("file{number}"), "x"));
            }
            ["nowhere"] => cwd.clear(),
            ["missing"] => cwd.push_str("/missing"),
            ["ask", event, builtin, args @ ..] => {
                told = Some(ask(event.parse().unwrap(), builtin, args, &cwd).await);
            }
            step => panic!("{}: no step {step:?}", row.name()),
        }
    }
    let told = told.unwrap();
    for expected in row.expected().lines() {
        let (what, text) = expected.split_once(' ').unwrap_or((expected, ""));
        let holds = match what {
            "nothing" => told.is_empty(),
            // A bar marks the end of a line.
            "has" => told.contains(&text.replace(" | ", "\n")),
            "lacks" => !told.is_empty() && !told.contains(text),
            "ordered" => {
                text.split(' ').map(|word| told.find(word)).is_sorted()
                    && text.split(' ').all(|word| told.contains(word))
            }
            what => panic!("{}: nothing is known of {what:?}", row.name()),
        };
        assert!(holds, "{}: {expected:?} is not so: {told:?}", row.name());
    }
    row.holds();
}

/// Returns what the builtin tells.
async fn ask(event: Event, builtin: &str, args: &[&str], cwd: &str) -> String {
    let types = types();
    let config =
        format!("hooks:\n  {event}: [{{type: builtin, command: {builtin}, args: {args:?}, on_error: block}}]\n");
    let agent = match cwd {
        // Only a program that embeds the engine can have no working directory at all. Others get the one they run in.
        "" => {
            let mut definition = hook("builtin", builtin);
            definition.args = args.iter().map(|arg| (*arg).to_owned()).collect();
            Agent::nowhere(Generation::V1_58, &types).with(event, definition)
        }
        _ => Agent::load(Generation::V1_58, &types, &config),
    };
    let result = agent.ask(input_with(event, |input| input.pwd = Some(cwd.to_owned()))).await;
    assert!(result.allowed, "{}", result.message);
    result.additional_context
}

fn write(dir: &Path, file: &str, text: &str) {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("{text}\n")).unwrap();
}

fn git(dir: &Path, args: &[&str]) {
    let who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"];
    let ran = Command::new("git").arg("-C").arg(dir).args(who).args(args).output().unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}
