//! Files that belong to others, and files outside an untrusted project.

use super::{ask, assert_trusted, chmod, trust, trusted, verdict};
use crate::support::component::Guest;
use crate::support::project::Project;
use std::fs;
use std::os::unix::fs::{chown, lchown, symlink};
use std::path::Path;

/// The ID of a user other than us and root.
const SOMEBODY: u32 = 65534;

/// Whether files can be given away here.
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        eprintln!("skipped: only root can give files away");
    }
    is_root
}

const HOOK: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"policies/guard.wasm\"\n";

fn denying() -> Vec<u8> {
    Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build()
}

/// Creates a user with one component, which denies.
fn user() -> Project {
    let project = Project::new().user(HOOK);
    project.write("home/.agents/policies/guard.wasm", denying());
    project
}

/// Checks that the call is denied, by the hook itself or with a code, and returns the reason.
#[track_caller]
fn denied(project: &Project) -> String {
    let ran = ask(project);
    let outcome = ran.json();
    assert_eq!(outcome["decision"], "deny", "{outcome}");
    outcome["reason"].as_str().unwrap().to_owned()
}

#[test]
fn what_belongs_to_another_user_is_refused() {
    if !is_root() {
        return;
    }
    let project = user();
    assert_eq!(denied(&project), "no");
    for path in ["../.agents", "hooks.toml", "policies", "policies/guard.wasm"] {
        let path = project.home().join(".agents").join(path).canonicalize().unwrap();
        chown(&path, Some(SOMEBODY), None).unwrap();
        let reason = denied(&project);
        assert!(reason.contains("(65534)") && reason.contains(&format!("`chown -h 0 {}", path.display())), "{reason}");
        let check = project.run(&["check"], "");
        assert!(check.status == 1 && check.stderr.contains("error[E304]"), "{}", check.stderr);
        chown(&path, Some(0), None).unwrap();
        assert_eq!(denied(&project), "no");
    }
    // Directories above the config are not checked, as with modes.
    chown(project.home(), Some(SOMEBODY), None).unwrap();
    assert!(!denied(&project).contains("E304"));
}

#[test]
fn a_link_that_belongs_to_another_user_is_refused() {
    if !is_root() {
        return;
    }
    let project = user();
    let agents = project.home().join(".agents");
    for name in ["hooks.toml", "policies"] {
        let (link, moved) = (agents.join(name), project.home().join(name));
        fs::rename(&link, &moved).unwrap();
        symlink(&moved, &link).unwrap();
        assert_eq!(denied(&project), "no");
        lchown(&link, Some(SOMEBODY), None).unwrap();
        assert!(denied(&project).contains("through the link"), "{name}");
        lchown(&link, Some(0), None).unwrap();
        // The target of the link counts as well.
        chown(&moved, Some(SOMEBODY), None).unwrap();
        assert!(denied(&project).contains("(65534)"), "{name}");
        chown(&moved, Some(0), None).unwrap();
        assert_eq!(denied(&project), "no");
    }
    // Each directory in which a link on the way could be replaced counts, too.
    let between = project.write("between/x", "").parent().unwrap().to_owned();
    fs::remove_file(agents.join("hooks.toml")).unwrap();
    symlink(project.home().join("hooks.toml"), between.join("hop")).unwrap();
    symlink(between.join("hop"), agents.join("hooks.toml")).unwrap();
    assert_eq!(denied(&project), "no");
    chmod(&between, 0o777);
    assert!(denied(&project).contains("who may write to"));
    chmod(&between, 0o755);
    chown(&between, Some(SOMEBODY), None).unwrap();
    assert!(denied(&project).contains("(65534)"));
}

#[test]
fn a_command_or_a_script_that_belongs_to_another_user_is_refused() {
    if !is_root() {
        return;
    }
    let project = trusted();
    let command = project.dir().join("guard.sh");
    chown(&command, Some(SOMEBODY), None).unwrap();
    assert_eq!(ask(&project).json()["hooks"][0]["code"], "E304");
    chown(&command, Some(0), None).unwrap();
    assert_trusted(&project);
    // A relied-upon config denies as well.
    chown(project.dir().join(".agents/hooks.toml"), Some(SOMEBODY), None).unwrap();
    assert_eq!(verdict(&project).0, 1);

    let project = Project::new().user("[hooks.s]\nevents = [\"pre_tool\"]\nscript = \"s.js\"\n");
    let script = project.write("home/.agents/s.js", "export default () => ({ decision: 'deny', reason: 'no' })");
    chown(&script, Some(SOMEBODY), None).unwrap();
    assert!(denied(&project).contains("E304"));
}

/// Returns the answer of the hook of [`user`] to a call by another user, 4711.
#[track_caller]
fn reason_for_a_user(project: &Project) -> String {
    // Other users cannot access files created by a test.
    chmod(project.home().parent().unwrap(), 0o755);
    let hookbox = project.home().join("hookbox");
    if !hookbox.exists() {
        // A separate process writes the copy: a file that this process has open for writing cannot be executed.
        let mut copy = assert_cmd::Command::new("cp");
        copy.arg(assert_cmd::cargo::cargo_bin("hookbox")).arg(&hookbox).assert().success();
    }
    let mut command = assert_cmd::Command::new("setpriv");
    command.args(["--reuid", "4711", "--regid", "4711", "--clear-groups"]).arg(&hookbox).args(["run", "--no-cache"]);
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command.current_dir(project.dir()).env("HOME", project.home()).write_stdin(super::INPUT);
    let ran = crate::support::project::run(&mut command);
    assert!(!ran.stdout.is_empty(), "{}", ran.stderr);
    ran.json()["reason"].as_str().unwrap().to_owned()
}

#[test]
fn for_a_user_what_belongs_to_root_is_fine() {
    if !is_root() {
        return;
    }
    let project = user();
    for (owner, words) in [(0, "no"), (4711, "no"), (4712, "the user 4712")] {
        chown(project.home().join(".agents/hooks.toml"), Some(owner), None).unwrap();
        assert!(reason_for_a_user(&project).contains(words), "{owner}");
    }
}

/// With an access control list, the group's mode bits apply to everyone whom it names.
#[test]
fn an_access_control_list_is_no_group_of_ones_own() {
    if !is_root() {
        return;
    }
    let project = user();
    let config = project.home().join(".agents/hooks.toml");
    chown(&config, Some(4711), Some(4711)).unwrap();
    chmod(&config, 0o664);
    assert_eq!(reason_for_a_user(&project), "no");
    let own = u32::MAX;
    let entries = [(1, 6, own), (2, 6, 4712), (4, 4, own), (0x10, 6, own), (0x20, 4, own)];
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, rights, user) in entries {
        let (tag, rights): (u16, u16) = (tag, rights);
        list.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        list.extend(user.to_le_bytes());
    }
    let flags = rustix::fs::XattrFlags::empty();
    if let Err(error) = rustix::fs::setxattr(&config, "system.posix_acl_access", &list, flags) {
        eprintln!("skipped: there are no access control lists here: {error}");
        return;
    }
    assert!(reason_for_a_user(&project).contains("can be changed by others (its mode is 664)"));
}

/// Returns whether what the untrusted project's hook says counts, and the codes of the warnings.
#[track_caller]
fn untrusted(component: &Path) -> (i32, Vec<String>) {
    let project = Project::new();
    let outside = project.write("outside/x.wasm", denying());
    project.write("project/.agents/in.wasm", denying());
    let component = component.to_str().unwrap().replace("<outside>", outside.to_str().unwrap());
    project.write(
        "project/.agents/hooks.toml",
        format!("[hooks.g]\nevents = [\"pre_tool\"]\ncomponent = {component:?}\n"),
    );
    let asked = verdict(&project);
    if asked.0 == 0 {
        let check = project.run(&["check"], "");
        assert!(check.status == 1 && check.stderr.contains("outside of its project"), "{}", check.stderr);
        // The user who trusts the project has seen where it leads.
        trust(&project);
        assert_eq!(verdict(&project), (2, vec![]));
    }
    asked
}

#[test]
fn without_trust_a_component_outside_of_the_project_is_refused() {
    let refused = (0, vec!["E304".to_owned(), "E301".to_owned()]);
    for path in ["../../outside/x.wasm", "<outside>", "../../project/../outside/x.wasm"] {
        assert_eq!(untrusted(Path::new(path)), refused, "{path}");
    }
    let runs = (2, vec!["E301".to_owned()]);
    for path in ["in.wasm", "../.agents/in.wasm", "../../project/.agents/in.wasm"] {
        assert_eq!(untrusted(Path::new(path)), runs, "{path}");
    }
}
