//! Links and modules in the folder of a hook have no effect outside the folder.

use crate::support::guests::run_scripts;
use crate::support::project::{Project, Ran, run};
use assert_cmd::Command;
use std::fs;
use std::os::unix::fs::symlink;

/// Builds `project/rule` with the programs in `home/bin` and those of the system.
fn build(project: &Project) -> Ran {
    let mut command = Command::cargo_bin("hookbox").unwrap();
    let path = format!("{}:/usr/bin:/bin", project.home().join("bin").display());
    run(command.args(["build", "rule"]).current_dir(project.dir()).env("HOME", project.home()).env("PATH", path))
}

#[test]
fn a_build_leaves_what_a_link_of_the_folder_leads_to() {
    for (source, tool) in [("hook.c", "zig"), ("hook.py", "componentize-py"), ("go.mod", "go")] {
        let project = Project::new();
        let kept = project.write("home/.config/hookbox/hooks.toml", "");
        project.write(&format!("project/rule/{source}"), "");
        symlink("../../home/.config", project.dir().join("rule/target")).unwrap();
        // The tool succeeds when asked for its version, and fails to compile.
        project.script(&format!("home/bin/{tool}"), "case $1 in version|--version) ;; *) exit 1;; esac");
        let ran = build(&project);
        assert!(ran.status != 0 && ran.stderr.contains("failed"), "{source}: {ran:?}");
        assert!(kept.is_file(), "{source}: {ran:?}");
        assert_eq!(fs::read_dir(project.home().join(".config")).unwrap().count(), 1, "{source}: {ran:?}");
    }
}

#[test]
fn a_link_in_place_of_the_component_is_not_followed() {
    if !run_scripts() {
        return;
    }
    let project = Project::new();
    let profile = project.write("home/.profile", "umask 077\n");
    project.write("project/rule/hook.js", "export default () => ({});");
    symlink("../../home/.profile", project.dir().join("rule/rule.wasm")).unwrap();
    let ran = build(&project);
    assert!(ran.status != 0 && ran.stderr.contains("is a link"), "{ran:?}");
    assert_eq!(fs::read_to_string(profile).unwrap(), "umask 077\n");
}

#[test]
fn cases_of_another_folder_are_not_updated_by_a_link() {
    let project = Project::new();
    project.script("project/rule/hook.sh", "cat >/dev/null; echo '{\"decision\":\"deny\",\"reason\":\"no\"}'");
    let before = "[[case]]\ninput = \"rm\"\nexpect = \"allow\"\n";
    let other = project.write("home/other/cases.toml", before);
    symlink("../../home/other/cases.toml", project.dir().join("rule/cases.toml")).unwrap();
    let ran = project.run(&["test", "rule/hook.sh", "--update"], "");
    assert!(ran.status == 2 && ran.stderr.contains("--cases"), "{ran:?}");
    assert_eq!(fs::read_to_string(&other).unwrap(), before);
    let ran = project.run(&["test", "rule/hook.sh", "--update", "--cases", other.to_str().unwrap()], "");
    assert_eq!((ran.status, fs::read_to_string(&other).unwrap()), (0, before.replace("allow", "deny")), "{ran:?}");
}

#[test]
fn a_module_of_the_folder_does_not_run_in_place_of_the_toolchain() {
    let project = Project::new();
    project.write("project/rule/hook.c", "");
    for dir in ["project", "project/rule"] {
        project.write(&format!("{dir}/ziglang.py"), "open('started', 'w')");
        project.write(&format!("{dir}/runpy.py"), "open('started', 'w')");
    }
    let ran = build(&project);
    assert!(ran.status != 0 && ran.stderr.contains("zig"), "{ran:?}");
    assert!(!project.dir().join("started").exists() && !project.dir().join("rule/started").exists());
}
