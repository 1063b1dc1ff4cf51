//! Every command of a page is run, as a reader would type it, and every file in it is written where it says.
//!
//! A page is followed from its top to its end in one fresh home directory and one fresh repository. A remark before a
//! block says what a reader is told by the text:
//!
//! - `file: PATH`: the block is this file, below the repository or, with `~/`, the home directory;
//! - `more: PATH`: the block is added to this file;
//! - `not run: WHY`: the block is an excerpt, or needs what is not here;
//! - `ends with: STATUS`: the last command of the block ends with this status;
//! - `answers: TEXT`: the block asks at a terminal, and a person answers this.
//!
//! At the end, the configs that the page has written must be without problems. A `text` or `json` block after commands
//! is what they print, with `…` for what is left out.

use super::blocks::{Block, blocks, said};
use crate::support::guests::run_scripts;
use crate::support::project::Project;
use crate::support::root;
use crate::support::terminal::Terminal;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The languages of files.
const FILES: [&str; 5] = ["toml", "js", "jsonl", "yaml", "bash"];

struct Reader {
    project: Project,
    printed: String,
}

impl Reader {
    fn new() -> Self {
        let project = Project::new();
        // Agents' hooks do not learn the home directory from its variable, which is all that a test can set.
        let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
        let hookbox = hookbox.display();
        let shim = format!(
            "case \"$1\" in hook) exec '{hookbox}' \"$@\" --home \"$HOME\";; *) exec '{hookbox}' \"$@\";; esac"
        );
        project.script("bin/hookbox", &shim);
        let reader = Reader { project, printed: String::new() };
        let git = reader
            .sh("rm -r .git && git init --quiet . && git config user.name me && git config user.email me@example.com");
        assert!(reader.finish(git).0 == 0, "git");
        reader
    }

    fn place(&self, path: &str) -> PathBuf {
        path.strip_prefix("~/").map_or_else(|| self.project.dir().join(path), |path| self.project.home().join(path))
    }

    fn sh(&self, script: &str) -> Command {
        let bin = self.project.home().join("../bin").canonicalize().unwrap();
        let mut command = Command::new("sh");
        command.args(["-ec", script]).current_dir(self.project.dir()).env("HOME", self.project.home());
        command.env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "CI"] {
            command.env_remove(name);
        }
        command
    }

    fn finish(&self, mut command: Command) -> (i32, String) {
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8(all).unwrap())
    }

    /// Does what a block says. Returns an error that says what was otherwise.
    fn follow(&mut self, block: &Block<'_>) -> Result<(), String> {
        let remark = block.remark;
        if said(remark, "not run").is_some() {
            self.printed.clear();
            return Ok(());
        }
        if let Some(path) = said(remark, "file").or(said(remark, "more")) {
            let path = self.place(path);
            let before =
                if said(remark, "more").is_some() { fs::read_to_string(&path).unwrap() } else { String::new() };
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, before + &block.text).unwrap();
            return Ok(());
        }
        match block.language {
            "sh" => {
                let command = self.sh(&block.text);
                let (status, printed) = match said(remark, "answers") {
                    None => self.finish(command),
                    Some(answer) => {
                        let mut terminal = Terminal::start(command);
                        terminal.wait_for("[y/N]");
                        terminal.type_line(answer);
                        terminal.end()
                    }
                };
                let expected = said(remark, "ends with").map_or(0, |status| status.parse().unwrap());
                self.printed = printed;
                if status == expected { Ok(()) } else { Err(format!("ended with {status}\n{}", self.printed)) }
            }
            "text" | "json" if !self.printed.is_empty() => {
                if shows(&block.text, &self.printed) {
                    Ok(())
                } else {
                    Err(format!("printed\n{}", self.printed))
                }
            }
            language if FILES.contains(&language) => Err("is neither a file nor `not run`".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Whether this was printed, apart from what `…` stands for.
fn shows(block: &str, printed: &str) -> bool {
    let parts: Vec<&str> = block.trim().split('…').map(str::trim).collect();
    let (first, others) = parts.split_first().unwrap();
    let Some(mut rest) = printed.trim().strip_prefix(first) else { return false };
    let Some((last, middle)) = others.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[track_caller]
fn follow(page: &str) {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let blocks = blocks(&text);
    if !run_scripts() {
        return;
    }
    let mut reader = Reader::new();
    for block in &blocks {
        if let Err(why) = reader.follow(block) {
            panic!("{page}:{}: {why}\n---\n{}", block.line, block.text);
        }
    }
    let (status, printed) = reader.finish(reader.sh("hookbox check"));
    assert_eq!(status, 0, "{page}: its configs: {printed}");
}

macro_rules! followed {
    ($($test:ident $page:literal)+) => {
        $(#[test] fn $test() { follow($page); })+

        /// Pages that have a test of their own, or that have nothing to run.
        const ELSEWHERE: [&str; 2] = ["docs/how-to/write-a-hook.md", "docs/reference/commands.md"];

        #[test]
        fn every_page_is_followed() {
            let index = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
            let pages = index.split("](").skip(1).map(|rest| format!("docs/{}", rest.split(')').next().unwrap()));
            for page in pages {
                let is_followed = [$($page),+].contains(&page.as_str()) || ELSEWHERE.contains(&page.as_str());
                let text = fs::read_to_string(root().join(&page)).unwrap();
                let is_prose = blocks(&text).iter().all(|block| !FILES.contains(&block.language) && block.language != "sh");
                assert!(is_followed || is_prose, "{page} has commands or files, and no test here follows it");
            }
        }
    };
}

followed! {
    readme "README.md"
    tutorial "docs/tutorial.md"
    install "docs/how-to/install.md"
    team "docs/how-to/team.md"
    enforce "docs/how-to/enforce.md"
    exceptions "docs/how-to/exceptions.md"
    embed "docs/how-to/embed.md"
    ci "docs/how-to/ci.md"
    offline "docs/how-to/offline.md"
    change_guards "docs/how-to/change-guards.md"
    agents "docs/reference/agents.md"
    config "docs/reference/config.md"
    dialects "docs/reference/dialects.md"
    facts "docs/reference/facts.md"
    log "docs/reference/log.md"
    models "docs/reference/models.md"
    outcome "docs/reference/outcome.md"
    policies "docs/reference/policies.md"
    powers "docs/reference/powers.md"
    protocol "docs/reference/protocol.md"
    serve "docs/reference/serve.md"
    testing "docs/reference/testing.md"
    performance "docs/explanation/performance.md"
    security "docs/explanation/security.md"
}

#[test]
fn what_is_printed_is_compared_apart_from_what_is_left_out() {
    assert!(shows("a … c\n", "a b\nc\n") && shows("… c", "b c") && shows("a …", "a b") && shows("a\n", "a\n"));
    assert!(shows("{a…}", "{a{b}{c}}") && shows("a …", "a"));
    assert!(!shows("a", "b a") && !shows("a", "a b") && !shows("a … d", "a b c") && !shows("b … a", "a b"));
}
