//! Tests that the README and the pages that it names first are correct.

use crate::support::bash;
use crate::support::guests::run_scripts;
use crate::support::project::Project;
use hookbox::Verdict;
use hookbox::config::Loader;

const README: &str = include_str!("../../../README.md");
/// The pages with what was once in the README.
const CONFIG: &str = include_str!("../../../docs/reference/config.md");
const PROTOCOL: &str = include_str!("../../../docs/reference/protocol.md");

#[test]
fn every_hooks_toml_is_without_problems() {
    if !run_scripts() {
        return;
    }
    let blocks = [CONFIG, PROTOCOL]
        .into_iter()
        .flat_map(|page| page.split("```toml\n").skip(1))
        .map(|rest| rest.split("```").next().unwrap());
    let samples: Vec<&str> = blocks.filter(|block| block.contains("[hooks.")).collect();
    assert_eq!(samples.len(), 3);
    for sample in samples {
        let project = Project::new();
        let wasm = crate::support::component::allowing();
        for file in ["no_destructive_commands.wasm", "licence_check.wasm"] {
            project.write(file, &wasm);
        }
        project.write("no-force-push.js", block(PROTOCOL, "js"));
        let sample = sample.replace("4f6b3c…", &hookbox::runtime::component::digest(&wasm));
        let file = project.write("hooks.toml", sample);
        assert_eq!(loader(&project).file(file).load().problems, []);
    }
}

#[tokio::test]
async fn the_script_in_it_does_what_it_says() {
    if !run_scripts() {
        return;
    }
    let project = Project::new();
    project.write("no-force-push.js", block(PROTOCOL, "js"));
    let file = project.write(
        "hooks.toml",
        "[hooks.a]\nevents = [\"pre_tool\"]\nfacts = [\"commands\"]\nscript = \"no-force-push.js\"\n",
    );
    let hooks = loader(&project).file(file).load().registry;
    for (command, verdict) in [
        ("git push -f origin main", Verdict::Deny),
        ("sudo git -C app push origin main '--force'", Verdict::Deny),
        ("git push $FLAGS origin main", Verdict::Ask),
        ("git push origin main", Verdict::Allow),
        ("echo 'git push -f'", Verdict::Allow),
    ] {
        let outcome = hooks.run_pre(bash(command)).await;
        assert_eq!(outcome.verdict, verdict, "{outcome:?}");
    }
}

/// Returns the first block in a language.
fn block(page: &'static str, language: &str) -> &'static str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
    rest.split("```").next().unwrap()
}

fn loader(project: &Project) -> Loader {
    let state = project.home().join(".local/state/hookbox");
    crate::support::loader(project.dir()).state(state).cache(crate::script::cache())
}

#[test]
fn its_first_policy_denies_what_it_says() {
    let project = Project::new();
    assert_eq!(project.run(&["init"], "").status, 0);
    assert_eq!(project.hookbox("check", &[]).status, 0);
    let line = README.lines().find(|line| line.ends_with("| hookbox hook claude")).unwrap();
    let payload = line.trim_start_matches("echo '").split("' |").next().unwrap();
    let ran = project.run(&["hook", "claude"], payload);
    let (shown, _) = block(README, "json").split_once('…').unwrap();
    assert!(ran.stdout.starts_with(shown), "{ran:?}");
}

#[test]
fn it_is_short() {
    let lines = README.lines().count();
    assert!(lines <= 150, "{lines} lines: move what is reference to docs/");
}

/// A clone is tested by the command that its README names.
#[test]
fn its_test_command_is_what_ci_runs() {
    let (_, section) = README.split_once("\n## Test it\n").unwrap();
    let command = section.split("```sh\n").nth(1).unwrap().lines().next().unwrap();
    let ci = std::fs::read_to_string(crate::support::root().join(".ci/run")).unwrap();
    assert!(ci.lines().any(|line| line == format!("step {command}")), "{command}");
}
