//! Hooks that are asked once, and those that may rewrite what they judged.

use crate::support::guests;
use crate::support::project::Project;

const COUNTS: &str = "[hooks.counts]\nevents = [\"pre_tool\"]\ncomponent = \"COMPONENT\"\n\
                      grants = { store = { scope = \"user\" } }\n";
const SHELL: &str = "[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";

fn check(hooks: &[&str]) -> (i32, String) {
    let component = guests::path("powers.wasm").display().to_string();
    let project = Project::new().user(&hooks.join("").replace("COMPONENT", &component));
    let checked = project.hookbox("check", &[]);
    (checked.status, checked.stderr)
}

#[test]
fn check_warns_of_a_hook_that_may_rewrite_behind_one_with_a_store() {
    let (status, said) = check(&[COUNTS, SHELL]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("warning[E505]") && said.contains("move it behind `shell`"), "{said}");
}

#[test]
fn no_warning_without_a_rewrite_that_matters() {
    let recheck = format!("{COUNTS}recheck = true\n");
    let after = SHELL.replace("pre_tool", "post_tool");
    let policy = "[hooks.paths]\npolicy = \"protect-paths\"\n";
    for hooks in [&[SHELL, COUNTS][..], &[&recheck, SHELL], &[COUNTS, &after], &[COUNTS, policy]] {
        let (status, said) = check(hooks);
        assert!(status == 0 && !said.contains("E505"), "{hooks:?}: {said}");
    }
}
