//! Checks that each file that ARCHITECTURE.md and CONTRIBUTING.md name exists.

use crate::support::root;
use std::fs;
use std::path::PathBuf;

/// Returns the texts in backquotes that look like a path of the project.
fn paths(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let prose = page.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let words = prose.flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |word: &&str| {
        let is_plain = word.chars().all(|char| char.is_ascii_alphanumeric() || "./_-".contains(char));
        is_plain && !word.starts_with('/') && word.contains('/')
    };
    words.filter(is_path).collect()
}

#[test]
fn every_file_in_it_is_there() {
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let page = fs::read_to_string(root().join(name)).unwrap();
        let paths = paths(&page);
        assert!(paths.len() >= 5, "{name} names {paths:?}");
        let missing: Vec<&&str> = paths.iter().filter(|path| !root().join(path).exists()).collect();
        assert!(missing.is_empty(), "{name} names files that are not there: {missing:?}");
    }
}

#[test]
fn every_crate_is_in_it() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = format!("`crates/{}`", entry.unwrap().file_name().into_string().unwrap());
        assert!(page.contains(&name), "ARCHITECTURE.md lacks {name}");
    }
}

/// Rooms that use one above them. ARCHITECTURE.md says why.
const EXCEPTIONS: [(&str, &str); 4] =
    [("dialect", "host"), ("record", "config"), ("policy", "config"), ("runtime", "policy")];

/// Returns the rooms of the library, from top to bottom, as in the rows of the table.
fn rooms(page: &str) -> Vec<&str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `src/"));
    rows.filter_map(|row| row.split(['`', '.']).next()).collect()
}

/// Returns the rooms that a Rust file names as `crate::ROOM`.
fn used<'a>(text: &str, rooms: &[&'a str]) -> Vec<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = code.flat_map(|line| line.split("crate::").skip(1));
    let names = names.filter_map(|rest| rest.split(|char: char| !char.is_alphanumeric() && char != '_').next());
    names.filter_map(|name| rooms.iter().find(|room| **room == name)).copied().collect()
}

#[test]
fn no_room_uses_one_above_it() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rooms = rooms(&page);
    assert!(rooms.len() >= 10 && rooms.contains(&"chain"), "{rooms:?}");
    let mut uses = 0;
    for (place, room) in rooms.iter().enumerate() {
        let mut left: Vec<PathBuf> = ["", ".rs"].map(|end| root().join(format!("src/{room}{end}"))).into();
        while let Some(path) = left.pop() {
            if path.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else if path.extension().is_some_and(|extension| extension == "rs") && path.exists() {
                for other in used(&fs::read_to_string(&path).unwrap(), &rooms) {
                    let is_above = rooms.iter().position(|room| *room == other) < Some(place);
                    let is_known = EXCEPTIONS.contains(&(room, other));
                    assert!(!is_above || is_known, "{} uses `{other}`, which is above `{room}`", path.display());
                    uses += 1;
                }
            }
        }
    }
    assert!(uses > 100, "only {uses} uses were found");
}

#[test]
fn a_use_of_a_room_is_found() {
    let text = "use crate::config::Loaded;\n// crate::agent\nuse crate::configs;\nlet x = crate::facts::Facts::new();";
    assert_eq!(used(text, &["config", "agent", "facts"]), ["config", "facts"]);
}

#[test]
fn words_that_are_no_paths_are_not_looked_for() {
    let page =
        "`src/chain.rs` and `Input`, `cargo xtask test`, `~/.agents/x`, `/etc/x`, `lib.rs`\n```\n`a/b`\n```\n`c/d`";
    assert_eq!(paths(page), ["src/chain.rs", "c/d"]);
}
