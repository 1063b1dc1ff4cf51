//! Entries, keys and directories that are not what they should be.

use super::{ask, cached, denying, dir, files, key, only_file};
use crate::support::component::Guest;
use hookbox::runtime::component::MAX_CACHE_BYTES;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// The size of an entry's header.
const HEADER: usize = 128;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Returns the result of a miss with one warning.
fn fault() -> (bool, Vec<String>) {
    (true, vec!["E207".to_owned()])
}

#[test]
fn a_damaged_entry_is_a_miss_and_is_replaced() {
    let project = cached();
    let path = only_file(&project);
    let good = fs::read(&path).unwrap();
    let flip = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let cut = |length: usize| good[..length].to_vec();
    let longer = [&good[..], b"x"].concat();
    // A length that overflows together with that of the header.
    let endless = [&good[..24], &[0xff; 8], &good[32..]].concat();
    // A byte of each part of the header, and of the code's beginning, middle and end.
    let flipped = [0, 8, 16, 24, 40, 70, 100, HEADER, good.len() / 2, good.len() - 1].map(flip);
    let cuts = [0, 1, HEADER - 1, HEADER, HEADER + 1, good.len() - 1].map(cut);
    for (nth, bytes) in flipped.into_iter().chain(cuts).chain([longer, endless]).enumerate() {
        fs::write(&path, bytes).unwrap();
        assert_eq!(ask(&project), fault(), "damage {nth}");
        assert_eq!(ask(&project), (false, vec![]), "after damage {nth}");
    }
}

#[test]
fn an_entry_that_claims_to_be_larger_than_the_cache_is_not_read() {
    let project = cached();
    let path = only_file(&project);
    let claimed = MAX_CACHE_BYTES + 1;
    let mut entry = fs::read(&path).unwrap();
    entry[24..32].copy_from_slice(&claimed.to_le_bytes());
    fs::write(&path, entry).unwrap();
    // The file takes no room on the disk.
    fs::File::options().write(true).open(&path).unwrap().set_len(HEADER as u64 + claimed).unwrap();
    let ran = project.run(&["run", "-v"], super::CALL);
    assert_eq!(super::verdict(&ran), fault());
    // If it were read, it would be found to be forged.
    assert!(ran.stdout.contains("is larger than any entry that hookbox writes"), "{ran:?}");
    assert_eq!(ask(&project), (false, vec![]));
}

/// The refusal quotes a name of the component, which is longer than what the cache reads back of a message.
#[test]
fn a_long_refusal_is_remembered() {
    let project = denying("no");
    let export = format!(r#"(export "{}" (func $f))"#, "a".repeat(90_000));
    let twice = wat::parse_str(format!("(component (core module (func $f) {export} {export}))")).unwrap();
    project.write("home/.agents/guard.wasm", twice);
    for is_compiled in [true, false] {
        let ran = project.run(&["run", "-v"], super::CALL);
        assert!(ran.stdout.contains("duplicate export name"), "{ran:?}");
        assert_eq!(ran.stderr.contains("component compiled"), is_compiled, "{ran:?}");
        assert!(!ran.stdout.contains("E207"), "{ran:?}");
    }
}

#[test]
fn the_code_of_another_component_is_not_taken_for_this_one() {
    let project = cached();
    let path = only_file(&project);
    let allowing = Guest::answering("{}").build();
    project.write("home/.agents/guard.wasm", &allowing);
    assert_eq!(project.run(&["run"], super::CALL).status, 0);
    let other = files(&project).into_iter().find(|file| *file != path).unwrap();
    fs::copy(&other, &path).unwrap();
    project.write("home/.agents/guard.wasm", Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build());
    assert_eq!(ask(&project), fault());
}

#[test]
fn an_entry_of_another_user_s_hookbox_is_a_miss() {
    let (project, other) = (cached(), cached());
    fs::copy(only_file(&other), only_file(&project)).unwrap();
    assert_eq!(ask(&project), fault());
    assert_eq!(ask(&project), (false, vec![]));
}

#[test]
fn without_its_key_an_entry_is_a_miss() {
    let project = cached();
    fs::remove_file(key(&project)).unwrap();
    assert_eq!(ask(&project), fault());
    assert_eq!(ask(&project), (false, vec![]), "there is a new key");
    fs::write(key(&project), "short").unwrap();
    assert_eq!(ask(&project), fault());
    assert_eq!(ask(&project), fault(), "only the user can say what is to become of that key");
    fs::remove_file(key(&project)).unwrap();
    chmod(key(&project).parent().unwrap(), 0o750);
    assert_eq!(ask(&project), fault());
}

#[test]
fn what_others_can_reach_is_a_miss() {
    let project = cached();
    let entry = only_file(&project);
    for (path, open, private) in [(entry, 0o640, 0o600), (dir(&project), 0o750, 0o700), (key(&project), 0o604, 0o600)] {
        chmod(&path, open);
        assert_eq!(ask(&project), fault(), "{}", path.display());
        // The file is private again, unless the miss has replaced it with a new one.
        chmod(&path, private);
        assert_eq!(ask(&project), (false, vec![]), "{}", path.display());
    }
}

#[test]
fn what_is_of_another_kind_is_a_miss() {
    let project = cached();
    let entry = only_file(&project);
    let aside = project.home().join("aside");
    fs::rename(&entry, &aside).unwrap();
    symlink(&aside, &entry).unwrap();
    assert_eq!(ask(&project), fault(), "a link");
    fs::remove_file(&entry).unwrap();
    fs::create_dir(&entry).unwrap();
    assert_eq!(ask(&project), fault(), "a directory");
    fs::remove_dir(&entry).unwrap();
    assert!(std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&entry).status().unwrap().success());
    assert_eq!(ask(&project), fault(), "a pipe");
    let real = project.home().join("real");
    fs::rename(dir(&project), &real).unwrap();
    symlink(&real, dir(&project)).unwrap();
    assert_eq!(ask(&project), fault(), "a link to a directory");
    fs::remove_file(dir(&project)).unwrap();
    fs::write(dir(&project), "").unwrap();
    assert_eq!(ask(&project), fault(), "a file");
}

#[test]
fn what_belongs_to_another_user_is_a_miss() {
    if !crate::support::is_root() {
        return;
    }
    let project = cached();
    for path in [only_file(&project), dir(&project), key(&project)] {
        std::os::unix::fs::chown(&path, Some(12345), None).unwrap();
        assert_eq!(ask(&project), fault(), "{}", path.display());
        std::os::unix::fs::chown(&path, Some(0), None).unwrap();
        assert_eq!(ask(&project), (false, vec![]), "{}", path.display());
    }
}

#[test]
fn where_nothing_can_be_written_hooks_run() {
    let project = denying("no");
    // Not even root can write to this directory.
    symlink("/proc", project.home().join(".cache")).unwrap();
    assert_eq!(ask(&project), fault());
    assert_eq!(ask(&project), fault());
}

#[test]
fn where_there_is_no_room_hooks_run() {
    let project = denying("no");
    // This file system has room for the directories but not for an entry.
    let script = "mkdir .cache && mount -t tmpfs -o size=8k,mode=700 tmpfs .cache && exec \"$@\"";
    let mut command = assert_cmd::Command::new("unshare");
    command.args(["-r", "-m", "sh", "-c", script, "sh"]).arg(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["run", "-v"]).current_dir(project.home()).env("HOME", project.home()).env_remove("XDG_CACHE_HOME");
    command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME").write_stdin(super::CALL);
    let ran = crate::support::project::run(&mut command);
    if ran.stdout.is_empty() {
        crate::support::skip(&format!("no file system can be mounted here: {}", ran.stderr.trim()));
        return;
    }
    assert_eq!(super::verdict(&ran), fault());
    assert!(ran.stdout.contains("No space left on device"), "{ran:?}");
}

#[test]
fn what_was_not_used_for_long_goes_first() {
    let project = cached();
    let old = dir(&project).join("0".repeat(64));
    let newer = dir(&project).join("1".repeat(64));
    for (path, age) in [(&old, 3), (&newer, 2)] {
        let file = fs::File::create(path).unwrap();
        // The file takes no room on the disk.
        file.set_len(256 << 20).unwrap();
        let day = std::time::Duration::from_secs(24 * 60 * 60);
        file.set_modified(std::time::SystemTime::now() - day * age).unwrap();
    }
    project.write("home/.agents/guard.wasm", Guest::answering(r#"{"decision":"deny","reason":"no"} "#).build());
    assert_eq!(ask(&project), (true, vec![]));
    assert!(!old.exists() && newer.exists());
    assert_eq!(files(&project).len(), 3);
}
