//! docker-agent: the builtin `snapshot`. The steps of a row are:
//!
//! - `init` makes the directory a repository, `write FILE TEXT`, `large FILE BYTES`, `pipe FILE` and `remove FILE`
//!   change its files,
//! - `event EVENT [ID]` sends an event, with the id of a call,
//! - `undo` and `reset N` undo, `list` lists what can be undone, `look FILE` looks at a file, `shadows` counts the
//!   repositories beside the project's, `lose` makes the names of all trees wrong.
//!
//! The row expects what the last group of steps prints, line by line.

use super::{Agent, input_with, types};
use crate::conformance::by_test::{Named, Row, named, rows};
use hookbox::Event;
use hookbox::dialect::docker_agent::{Checkpoint, Generation, HookTypes, Snapshots};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

pub(super) const TESTS: &[Named] = named![snapshots_are_taken_and_undone_step_by_step];

const SESSION: &str = "a/../session";

#[test]
fn snapshots_are_taken_and_undone_step_by_step() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for row in rows("docker-agent", "snapshots_are_taken_and_undone_step_by_step") {
        runtime.block_on(steps(row));
    }
}

async fn steps(row: Row) {
    let root = tempfile::tempdir().unwrap();
    let (dir, data) = (root.path().join("project"), root.path().join("state/snapshot"));
    fs::create_dir(&dir).unwrap();
    let cwd = dir.display().to_string();
    let snapshots = Snapshots::new(&data);
    let types = types();
    types.keep_snapshots(snapshots.clone());
    let mut said = String::new();
    for step in row.input().lines() {
        let words: Vec<&str> = step.split(' ').collect();
        match words.as_slice() {
            ["init"] => {
                let ran = Command::new("git").arg("-C").arg(&dir).args(["init", "--quiet"]).output().unwrap();
                assert!(ran.status.success(), "{ran:?}");
            }
            ["write", file, text] => write(&dir.join(file), text),
            ["large", file, bytes] => write(&dir.join(file), &"x".repeat(bytes.parse::<usize>().unwrap() - 1)),
            ["pipe", file] => {
                let mode = rustix::fs::Mode::from_raw_mode(0o600);
                rustix::fs::mknodat(rustix::fs::CWD, dir.join(file), rustix::fs::FileType::Fifo, mode, 0).unwrap();
            }
            ["remove", file] => fs::remove_file(dir.join(file)).unwrap(),
            ["event", event, id @ ..] => send(&types, event.parse().unwrap(), id.first().copied(), &cwd).await,
            ["undo"] => match snapshots.undo(&cwd, SESSION).await {
                Ok(files) => writeln!(said, "undid {files}").unwrap(),
                Err(error) => writeln!(said, "{error}").unwrap(),
            },
            ["reset", keep] => {
                let files = snapshots.reset(&cwd, SESSION, keep.parse().unwrap()).await.unwrap();
                writeln!(said, "undid {files}").unwrap();
            }
            ["list"] => match snapshots.list(&cwd, SESSION).await {
                Ok(list) => list.iter().for_each(|checkpoint| said.push_str(&spell(checkpoint))),
                Err(error) => writeln!(said, "{error}").unwrap(),
            },
            ["look", file] => match fs::read_to_string(dir.join(file)) {
                Ok(text) => writeln!(said, "{file}: {}", text.trim()).unwrap(),
                Err(_) => writeln!(said, "{file} is gone").unwrap(),
            },
            ["shadows"] => writeln!(said, "shadows: {}", fs::read_dir(&data).unwrap().count()).unwrap(),
            ["lose"] => lose(&data),
            step => panic!("{}: no step {step:?}", row.name()),
        }
    }
    assert!(!dir.join(".git/index").exists(), "{}: the project's own repository is not touched", row.name());
    assert_eq!(said, row.expected(), "{}", row.name());
    row.holds();
}

/// Sends an event to an agent with the builtin.
async fn send(types: &Arc<HookTypes>, event: Event, id: Option<&str>, cwd: &str) {
    let config = format!("hooks:\n  {event}: [{{type: builtin, command: snapshot, on_error: block}}]\n");
    let config = match event {
        Event::PreTool => config.replace("pre_tool:", "pre_tool_use:"),
        Event::PostTool => config.replace("post_tool:", "post_tool_use:"),
        _ => config,
    };
    let is_call = event.has_tool();
    let config = if is_call { config.replace("[{", "[{matcher: '*', hooks: [{").replace("}]", "}]}]") } else { config };
    let agent = Agent::load(Generation::V1_58, types, &config);
    let input = input_with(event, |input| {
        input.pwd = Some(cwd.to_owned());
        input.session_id = Some(SESSION.to_owned());
        input.tool_use_id = id.map(str::to_owned);
    });
    let result = agent.ask(input).await;
    assert!(result.allowed && result.additional_context.is_empty(), "{result:?}");
}

/// Spells a checkpoint on one line: `+` for each file that was added, `~` changed, `-` removed.
fn spell(checkpoint: &Checkpoint) -> String {
    let files = |sign: &str, files: &[PathBuf]| -> Vec<String> {
        files.iter().map(|file| format!("{sign}{}", file.display())).collect()
    };
    let all = [files("+", &checkpoint.added), files("~", &checkpoint.changed), files("-", &checkpoint.removed)];
    format!("list: {}\n", all.concat().join(" "))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{text}\n")).unwrap();
}

fn lose(data: &Path) {
    for shadow in fs::read_dir(data).unwrap() {
        for file in fs::read_dir(shadow.unwrap().path().join("sessions")).unwrap() {
            let file = file.unwrap().path();
            let tree = "a".repeat(40);
            let json =
                format!(r#"{{"turn":null,"calls":{{}},"checkpoints":[{{"before":"{tree}","after":"{tree}"}}]}}"#);
            fs::write(file, json).unwrap();
        }
    }
}
