//! The laws that hold for every text: for the texts in `fuzz/seeds`, for those in `fuzz/corpus`
//! that a search found, and for mutations of both.
//! `cargo xtask fuzz` searches further.

mod mutation;

use crate::support::root;
use hookbox_laws::ALL;
use mutation::Source;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

/// The number of mutations per law.
const MUTATIONS: u32 = 2000;

/// Returns the texts of a folder, and where they come from. Their order is fixed, so a failure can be repeated.
fn texts(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

fn hold_for_all_texts(target: &str) {
    let (_, holds) = ALL.into_iter().find(|(name, _)| *name == target).unwrap();
    let fuzz = root().join("fuzz");
    let texts: Vec<_> = ["seeds", "corpus"].iter().flat_map(|folder| texts(&fuzz.join(folder).join(target))).collect();
    for (file, text) in &texts {
        let result = panic::catch_unwind(|| holds(text));
        assert!(result.is_ok(), "violated by {}", file.display());
    }
    let source = Source::new(
        texts.into_iter().map(|(_, text)| text).collect(),
        &fuzz.join("dictionaries").join(target).with_extension("dict"),
    );
    // The texts are always the same, because a check must not fail by chance.
    let config = Config { cases: MUTATIONS, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&source.mutated(), |text| {
        holds(&text);
        Ok(())
    });
    result.unwrap();
}

#[test]
fn of_what_a_hook_answers() {
    hold_for_all_texts("action");
}

#[test]
fn of_the_cache() {
    hold_for_all_texts("cache_entry");
}

#[test]
fn of_the_config() {
    hold_for_all_texts("config");
}

#[test]
fn of_what_an_agent_sends() {
    hold_for_all_texts("input");
}

#[test]
fn of_what_a_process_prints() {
    hold_for_all_texts("shell_output");
}
