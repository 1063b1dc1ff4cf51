//! Paths: cleaned, with links followed, and classified.

use super::{input_of, json};
use hookbox::agent::{self, Settings};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Input, Place, Tool, ToolPath};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home directory with a project in it.
struct World {
    root: TempDir,
}

impl World {
    fn new() -> Self {
        let root = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::create_dir_all(root.path().join("home/app/.git")).unwrap();
        fs::create_dir_all(root.path().join("home/app/src")).unwrap();
        World { root }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn find(&self, tool: &str, input: &serde_json::Value) -> Tool {
        let scene = Scene::new(self.path("home/app/src"))
            .with_home(self.path("home"))
            .with_temp(self.path("tmp"))
            .with_hookbox(self.path("home/.local/state/hookbox"));
        Facts::new(scene, Tools::default()).find(&input_of(None, tool, input)).unwrap()
    }

    /// Returns the facts about one path, written from `home/app/src`.
    fn one(&self, path: impl AsRef<Path>) -> ToolPath {
        let tool = self.find("Write", &serde_json::json!({"file_path": path.as_ref().to_str().unwrap()}));
        assert_eq!(tool.paths.len(), 1, "{:?}", tool.paths);
        tool.paths.into_iter().next().unwrap()
    }
}

#[test]
fn a_path_is_absolute_and_clean() {
    let world = World::new();
    let clean = |path: &str| world.one(path).path;
    let absolute = |path: &str| world.path(path).to_str().unwrap().to_owned();
    assert_eq!(clean("./a//b/../c/"), absolute("home/app/src/a/c"));
    assert_eq!(clean("../../../../../../../../../../../../../etc/x"), "/etc/x");
    assert_eq!(clean("~/x"), absolute("home/x"));
    assert_eq!(clean("file:///etc/a%20b"), "/etc/a b");
    assert_eq!(world.one("./a").as_written, "./a");
}

#[test]
fn links_are_followed_as_far_as_they_exist() {
    let world = World::new();
    fs::create_dir_all(world.path("home/.ssh")).unwrap();
    symlink(world.path("home/.ssh"), world.path("home/app/src/keys")).unwrap();
    symlink("nowhere/deep", world.path("home/app/src/dangling")).unwrap();
    symlink("loop", world.path("home/app/src/loop")).unwrap();
    let real = |path: &str| world.one(path).real;
    let at = |path: &str| Some(world.path(path).to_str().unwrap().to_owned());
    assert_eq!(real("keys/authorized_keys"), at("home/.ssh/authorized_keys"), "the file need not exist");
    assert_eq!(real("dangling"), at("home/app/src/nowhere/deep"), "a link to nothing is where a file would be made");
    assert_eq!(real("a.txt"), at("home/app/src/a.txt"));
    let tool = world.find("Write", &serde_json::json!({"file_path": "loop/x"}));
    assert_eq!((tool.paths[0].real.as_deref(), tool.complete), (None, false));
}

/// Each link takes hundreds of steps to the next one. Without a limit, a few paths would take minutes.
#[test]
fn links_that_lead_through_each_other_end() {
    let world = World::new();
    fs::create_dir(world.path("home/app/src/dir")).unwrap();
    for link in 0..20 {
        let target = format!("{}link{}", "dir/../".repeat(400), link + 1);
        symlink(target, world.path(&format!("home/app/src/link{link}"))).unwrap();
    }
    let many = vec!["link0/x"; 200];
    let tool = world.find("read_many_files", &serde_json::json!({"paths": many}));
    assert_eq!((tool.paths[0].real.as_deref(), tool.complete), (None, false));
}

#[test]
fn both_readings_of_a_parent_behind_a_link_count() {
    let world = World::new();
    fs::create_dir_all(world.path("etc/deep")).unwrap();
    symlink(world.path("etc/deep"), world.path("home/app/src/link")).unwrap();
    let tool = world.find("Write", &serde_json::json!({"file_path": "link/../passwd"}));
    let reals: Vec<_> = tool.paths.iter().filter_map(|path| path.real.clone()).collect();
    assert_eq!(reals, ["home/app/src/passwd", "etc/passwd"].map(|path| world.path(path).to_str().unwrap().to_owned()));
}

#[test]
fn places() {
    let world = World::new();
    symlink(world.path("home/.claude"), world.path("home/app/src/innocent")).unwrap();
    symlink(world.path("home/app/src"), world.path("home/short")).unwrap();
    for (path, place) in [
        ("a.txt", Place::Project),
        ("../README.md", Place::Project),
        ("../../notes.txt", Place::Home),
        ("/etc/passwd", Place::Other),
        ("../../../tmp/x", Place::Temp),
        ("/tmp/x", Place::Temp),
        ("../.hookbox/hooks.toml", Place::Hookbox),
        ("~/.agents/hooks.toml", Place::Hookbox),
        ("~/.local/state/hookbox/trust", Place::Hookbox),
        ("../.claude/settings.json", Place::AgentConfig),
        ("sub/.CLAUDE/settings.json", Place::AgentConfig),
        ("~/.codex/config.toml", Place::AgentConfig),
        ("../.github/hooks/hookbox.json", Place::AgentConfig),
        ("../.github/workflows/ci.yml", Place::Project),
        ("my.claude/x", Place::Project),
        // A link's target counts as much as its location, whichever is more of a risk.
        ("innocent/settings.json", Place::AgentConfig),
        ("~/short/a.txt", Place::Home),
    ] {
        assert_eq!(world.one(path).place, place, "{path}");
    }
}

/// The files are those that hookbox installs itself into, and those that can switch it off.
#[test]
fn every_file_with_an_agents_hooks_or_switches_is_known_as_one() {
    let world = World::new();
    let mut seen = 0;
    for agent in agent::all() {
        let (home, project) = (world.path("home"), world.path("home/app"));
        let files: Vec<PathBuf> = match agent.settings() {
            Some(Settings::Entries(entries)) => {
                entries.files_with_switches(&home, None, &project).into_iter().map(|(file, _)| file).collect()
            }
            Some(Settings::Files(files)) => {
                files.iter().flat_map(|own| [home.join(own.user), project.join(own.project)]).collect()
            }
            _ => continue,
        };
        for file in files {
            assert_eq!(world.one(file.to_str().unwrap()).place, Place::AgentConfig, "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
    for file in ["~/Documents/Cline/Hooks/PreToolUse", "/etc/cursor/hooks.json", "../.clinerules/hooks/PreToolUse"] {
        assert_eq!(world.one(file).place, Place::AgentConfig, "{file}");
    }
}

#[test]
fn a_home_directory_is_no_project() {
    let world = World::new();
    fs::create_dir_all(world.path("home/.git")).unwrap();
    let place = |cwd: &str, path: &str| {
        let scene = Scene::new(world.path(cwd)).with_home(world.path("home"));
        let input = input_of(None, "Write", &serde_json::json!({"file_path": path}));
        Facts::new(scene, Tools::default()).find(&input).unwrap().paths[0].place
    };
    assert_eq!(place("home", "x"), Place::Home);
    assert_eq!(place("home/app/src", "../x"), Place::Project, "the nearest root counts");
    assert_eq!(place("home/plain", "x"), Place::Project, "without a mark, the working directory");
    assert_eq!(place("home/plain", "../x"), Place::Home);
}

#[test]
fn a_relative_path_without_a_directory_is_not_complete() {
    let tool = Facts::default().find(&input_of(None, "Write", &serde_json::json!({"file_path": "a/../b"}))).unwrap();
    assert_eq!((tool.paths[0].path.as_str(), tool.complete, &tool.cwd), ("b", false, &None));
    let mut input = Input::pre_tool("Write", json(&serde_json::json!({"file_path": "b"})).as_str()).unwrap();
    input.pwd = Some("/w".to_owned());
    let tool = Facts::default().find(&input).unwrap();
    assert_eq!((tool.paths[0].path.as_str(), tool.complete), ("/w/b", true), "the Input names one");
}

#[test]
fn a_path_that_no_file_can_have_and_too_many_of_them() {
    let world = World::new();
    for path in ["a\0b".to_owned(), "x".repeat(5000)] {
        assert!(!world.find("Write", &serde_json::json!({"file_path": path})).complete);
    }
    let many: Vec<String> = (0..300).map(|number| format!("f{number}")).collect();
    let tool = world.find("read_many_files", &serde_json::json!({"paths": many}));
    assert_eq!((tool.paths.len(), tool.complete), (256, false));
}

#[test]
fn a_pattern_that_leads_out_names_where_to() {
    let world = World::new();
    let list = |pattern: &str| super::paths(&world.find("Glob", &serde_json::json!({"pattern": pattern})));
    assert_eq!(list("/etc/**/*.conf"), ["list /etc"]);
    assert_eq!(list("../../*"), [format!("list {}", world.path("home").display())]);
    assert_eq!(list("src/**"), [format!("list {}", world.path("home/app/src").display())]);
}
