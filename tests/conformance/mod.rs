//! The suites and tables of other hook systems, as data: `<dialect>/*.toml`, one case per row.
//!
//! Each file is one test, which names every case that fails. The module `case` describes the form of the files.

pub mod by_test;
mod case;
mod expect;
mod library;
mod run;
mod table;

use case::Book;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Returns the folder of the dialects.
fn root() -> PathBuf {
    crate::support::root().join("tests/conformance")
}

/// Defines one test for each file of cases. The folder has the name of the dialect.
macro_rules! books {
    ($($module:ident $dialect:literal: $($file:ident)+;)+) => {
        $(mod $module {
            $(#[test]
            fn $file() {
                super::run::check($dialect, stringify!($file));
            })+
        })+

        /// The dialects, each with the names of its files.
        const BOOKS: &[(&str, &[&str])] = &[$(($dialect, &[$(stringify!($file)),+])),+];
    };
}

books! {
    docker_agent "docker-agent":
        aggregate builtins config events failures flags later later_builtins matcher model output payload process runtime secrets v1;
    hygge "hygge": answers chain listing loading payloads subprocess suite timeouts;
    ok "ok": chain config matcher payloads suite texts timeouts verdicts;
    ub "ub": chain config payloads suite timeouts verdicts;
}

#[test]
fn every_file_of_cases_is_a_test() {
    let listed =
        BOOKS.iter().flat_map(|(dialect, files)| files.iter().map(move |file| format!("{dialect}/{file}.toml")));
    let mut found = BTreeSet::new();
    for dialect in fs::read_dir(root()).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(dialect.path()).unwrap().map(Result::unwrap) {
            let name = file.file_name().into_string().unwrap();
            if name.ends_with(".toml") {
                found.insert(format!("{}/{name}", dialect.file_name().into_string().unwrap()));
            }
        }
    }
    assert_eq!(found, listed.collect());
}

#[test]
fn no_row_of_a_dialect_is_there_twice() {
    for (dialect, files) in BOOKS {
        let mut known = BTreeSet::new();
        for file in *files {
            for name in Book::load(dialect, file).names() {
                assert!(known.insert(name.to_owned()), "{dialect}/{file}.toml: {name:?} is there twice");
            }
        }
    }
}
