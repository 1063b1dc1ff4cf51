//! Kills at any moment, and several processes at once.

use super::{GUARD, assert_trusted, guarded, kept, listed, states, store, trust, verdict};
use crate::support::project::Project;
use hookbox::config::TrustStore;
use std::fs;
use std::time::{Duration, Instant};

/// How often a process is killed.
const ROUNDS: u32 = 60;

/// Returns how long it takes from the answer to the end of the process. The config is different each time, so hookbox
/// asks about it.
fn time_to_write(project: &Project) -> Duration {
    let once = |number: u32| {
        project.write("project/.agents/hooks.toml", format!("{GUARD}timeout = \"{number}ms\"\n"));
        let mut terminal = project.terminal(&["trust"]);
        terminal.wait_for("[y/N] ");
        let started = Instant::now();
        terminal.type_line("y");
        assert_eq!(terminal.end().0, 0);
        started.elapsed()
    };
    (1..=3).map(once).max().unwrap_or_default()
}

#[test]
fn a_kill_leaves_the_old_record_or_the_new_one() {
    let project = guarded();
    trust(&project);
    let config = project.dir().join(".agents/hooks.toml");
    let text = |round: u32| format!("{GUARD}timeout = \"{}s\"\n", round + 1);
    let whole = time_to_write(&project);
    let mut before = fs::read_to_string(&config).unwrap();
    let (mut kept_old, mut kept_new) = (0, 0);
    for round in 0..ROUNDS {
        project.write("project/.agents/hooks.toml", text(round));
        let mut terminal = project.terminal(&["trust"]);
        terminal.wait_for("[y/N] ");
        terminal.type_line("y");
        // The kills range from immediately to long after the process is done.
        std::thread::sleep(whole * 2 * round / ROUNDS);
        terminal.kill();
        let (records, problems) = TrustStore::new(store(&project)).list();
        assert_eq!((records.len(), problems), (1, vec![]), "round {round}");
        let now = TrustStore::new(store(&project)).look_up(&config).unwrap().unwrap().text().to_owned();
        assert!(now == before || now == text(round), "round {round}: {now}");
        *(if now == before { &mut kept_old } else { &mut kept_new }) += 1;
        before = now;
    }
    assert!(kept_old > 0 && kept_new > 0, "{kept_old} ended before the record was written, {kept_new} behind");
    // Leftover files do no harm.
    project.write("project/.agents/hooks.toml", GUARD);
    if states(&project) != ["trusted"] {
        trust(&project);
    }
    assert_trusted(&project);
}

#[test]
fn a_record_that_was_there_is_there_after_a_kill_of_another_project() {
    let project = guarded();
    trust(&project);
    fs::create_dir_all(project.home().with_file_name("other").join(".git")).unwrap();
    project.write("other/.agents/hooks.toml", GUARD);
    let project = project.in_dir("other");
    for round in 0..20 {
        let mut terminal = project.terminal(&["trust"]);
        terminal.wait_for("[y/N] ");
        terminal.type_line("y");
        std::thread::sleep(Duration::from_micros(round * 300));
        terminal.kill();
        let paths = listed(&project).to_string();
        assert!(paths.contains("/project/.agents/hooks.toml"), "round {round}: {paths}");
        project.run(&["trust", "--revoke"], "");
    }
}

#[test]
fn what_a_crash_left_behind_goes_in_time() {
    let project = guarded();
    let old = project.write("home/.local/state/hookbox/trust/0.1-0.tmp", "half");
    let new = project.write("home/.local/state/hookbox/trust/0.2-0.tmp", "half");
    // A file has such a name between its link and its place.
    let linked = project.write("home/.local/state/hookbox/trust/0f8fad5b-d9cb-469f-a165-70867728950e", "whole");
    let two_hours = Duration::from_secs(2 * 60 * 60);
    for path in [&old, &linked] {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(std::time::SystemTime::now() - two_hours).unwrap();
    }
    trust(&project);
    assert!(!old.exists() && !linked.exists() && new.exists());
    assert_eq!(kept(&project).len(), 2);
    assert_trusted(&project);
}

#[test]
fn several_at_once_do_not_lose_each_other() {
    let project = guarded();
    let mut dirs = vec!["project".to_owned()];
    for number in 0..5 {
        let dir = format!("p{number}");
        project.write(&format!("{dir}/.agents/hooks.toml"), GUARD);
        fs::create_dir(project.home().with_file_name(&dir).join(".git")).unwrap();
        dirs.push(dir);
    }
    // There are two terminals for each project.
    let script = |dir: &String| format!("cd ../{dir} && exec hookbox trust");
    let mut terminals: Vec<_> = dirs.iter().chain(&dirs).map(|dir| project.shell_terminal(&script(dir))).collect();
    terminals.iter_mut().for_each(|terminal| terminal.wait_for("[y/N] "));
    terminals.iter_mut().for_each(|terminal| terminal.type_line("y"));
    for terminal in terminals {
        assert_eq!(terminal.end().0, 0);
    }
    assert_eq!(states(&project), ["trusted"; 6]);
    assert_eq!(kept(&project).len(), 6);
}

#[test]
fn of_two_that_saw_different_configs_one_counts() {
    let project = guarded();
    let mut first = project.terminal(&["trust"]);
    first.wait_for("[y/N] ");
    project.write("project/.agents/hooks.toml", format!("{GUARD}timeout = \"9s\"\n"));
    let mut second = project.terminal(&["trust"]);
    second.wait_for("[y/N] ");
    second.type_line("y");
    assert_eq!(second.end().0, 0);
    assert_trusted(&project);
    first.type_line("y");
    assert_eq!(first.end().0, 0);
    assert_eq!(verdict(&project), (0, vec!["E302".to_owned()]), "the last word was about another config");
}
