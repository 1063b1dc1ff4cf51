//! Where trust is kept, and which records do not count.

use super::{assert_trusted, assert_untrusted, chmod, guarded, kept, store, trust, trusted, verdict};
use crate::support::project::Project;
use hookbox::config::TrustStore;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn it_is_kept_for_the_user_alone() {
    let project = trusted();
    assert_eq!(mode(&store(&project)), 0o700);
    let file = kept(&project).remove(0);
    assert_eq!(mode(&file), 0o600);
    let config = project.dir().join(".agents/hooks.toml").canonicalize().unwrap();
    let name = hookbox::runtime::component::digest(config.to_str().unwrap().as_bytes());
    assert_eq!(file.file_name().unwrap().to_str().unwrap(), format!("{name}.json"));
}

#[test]
fn a_record_that_others_can_change_does_not_count() {
    let project = trusted();
    let file = kept(&project).remove(0);
    chmod(&file, 0o602);
    assert_eq!(verdict(&project), (0, vec!["E301".to_owned(), "E301".to_owned()]));
    chmod(&file, 0o600);
    assert_trusted(&project);
    chmod(&store(&project), 0o777);
    assert_eq!(verdict(&project).0, 0);
    // Trusting again fixes it.
    trust(&project);
    assert_eq!(mode(&store(&project)), 0o700);
    assert_trusted(&project);
}

#[test]
fn a_record_that_is_a_link_or_about_another_config_does_not_count() {
    let project = trusted();
    let file = kept(&project).remove(0);
    let moved = project.home().join("record.json");
    fs::rename(&file, &moved).unwrap();
    symlink(&moved, &file).unwrap();
    assert_eq!(verdict(&project).0, 0);
    fs::remove_file(&file).unwrap();
    let text = fs::read_to_string(&moved).unwrap();
    fs::write(&file, text.replace("/.agents/", "/.hookbox/")).unwrap();
    chmod(&file, 0o600);
    assert_eq!(verdict(&project).0, 0);
    fs::write(&file, text.replace("\"version\":1", "\"version\":2")).unwrap();
    assert_eq!(verdict(&project).0, 0);
    fs::write(&file, text).unwrap();
    assert_trusted(&project);
}

#[test]
fn what_others_can_read_or_what_is_elsewhere_does_not_count() {
    let project = trusted();
    let (dir, file) = (store(&project), kept(&project).remove(0));
    for (path, open, private) in [(&file, 0o604, 0o600), (&dir, 0o750, 0o700)] {
        chmod(path, open);
        let ran = super::ask(&project);
        let warning = &ran.json()["warnings"][0];
        assert!(ran.status == 0 && warning["message"].as_str().unwrap().contains("run `chmod go= "), "{warning}");
        chmod(path, private);
        assert_trusted(&project);
    }
    let moved = project.home().join("moved");
    fs::rename(&dir, &moved).unwrap();
    symlink(&moved, &dir).unwrap();
    assert_untrusted(&project, "E301");
}

#[test]
fn trust_is_taken_back_whatever_the_mode_of_the_store() {
    let project = trusted();
    chmod(&store(&project), 0o777);
    let revoked = project.run(&["trust", "--revoke"], "");
    assert_eq!((revoked.status, mode(&store(&project)), kept(&project).len()), (0, 0o700, 0), "{}", revoked.stderr);
}

#[test]
fn trust_in_a_config_that_is_gone_is_taken_back_by_any_path_to_it() {
    let project = trusted();
    fs::remove_file(project.dir().join(".agents/hooks.toml")).unwrap();
    let link = project.home().join("link");
    symlink(project.dir(), &link).unwrap();
    let records = TrustStore::new(store(&project));
    assert!(records.revoke(&link.join(".agents/hooks.toml")).unwrap());
    assert_eq!(kept(&project).len(), 0);
}

/// Trusts the project on a terminal with this `XDG_STATE_HOME`.
fn trust_with_state(project: &Project, state: &str, more: &str) {
    let mut terminal = project.shell_terminal(&format!("XDG_STATE_HOME={state} exec hookbox trust {more}"));
    terminal.wait_for("[y/N] ");
    terminal.type_line("y");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn the_state_directory_can_be_another() {
    let project = guarded();
    let state = project.home().with_file_name("state");
    trust_with_state(&project, state.to_str().unwrap(), "");
    assert_eq!(fs::read_dir(state.join("hookbox/trust")).unwrap().count(), 1);
    assert_eq!(kept(&project).len(), 0);
    assert_untrusted(&project, "E301");
}

#[test]
fn a_project_cannot_bring_its_own_state() {
    let project = guarded();
    let inside = project.dir().join("state");
    let link = project.home().join("link");
    fs::create_dir(&inside).unwrap();
    symlink(&inside, &link).unwrap();
    for state in ["state", "''", inside.to_str().unwrap(), link.to_str().unwrap()] {
        trust_with_state(&project, state, "");
        assert_eq!(kept(&project).len(), 1, "{state}");
        fs::remove_dir_all(store(&project)).unwrap();
    }
    // `--home` applies to everything in that home.
    let elsewhere = project.home().with_file_name("elsewhere");
    let home = format!("--home {}", project.home().display());
    trust_with_state(&project, elsewhere.to_str().unwrap(), &home);
    assert_eq!((kept(&project).len(), elsewhere.exists()), (1, false));
}

#[test]
fn what_cannot_be_written_down_is_said() {
    let project = guarded();
    project.write("home/.local/state/hookbox/trust", "a file");
    let (status, shown) = super::answer(&project, &["trust"], "y");
    assert_eq!(status, 1);
    assert!(shown.contains("error: the trust in `") && shown.contains("could not be written down: "), "{shown}");
    assert_untrusted(&project, "E301");
}
