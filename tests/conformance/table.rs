//! How many rows of each dialect passed in this run, as listed in `docs/reference/dialects.md`.

use super::BOOKS;
use super::run;
use std::fmt::Write;
use std::fs;

const BEGIN: &str = "<!-- conformance: begin, written by the tests -->\n";
const END: &str = "<!-- conformance: end -->\n";

/// The variable that, if set to `1`, makes the test write the table instead of comparing it.
const UPDATE: &str = "HOOKBOX_UPDATE_DOCS";

fn table() -> String {
    let mut table =
        "| dialect | cases passed, as data | cases passed, by a test of their own | out of scope, with the reason |\n|---|--:|--:|--:|\n"
            .to_owned();
    for (dialect, files) in BOOKS {
        let [mut cases, mut tests, mut out] = [0; 3];
        for file in *files {
            run::with_report(dialect, file, |report| {
                cases += report.cases;
                tests += report.by_test;
                out += report.out_of_scope;
            });
        }
        writeln!(table, "| [`{dialect}`](../../tests/conformance/{dialect}) | {cases} | {tests} | {out} |").unwrap();
    }
    table
}

#[test]
fn the_table_in_the_docs_is_true() {
    let path = crate::support::root().join("docs/reference/dialects.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("docs/reference/dialects.md lacks {BEGIN:?}"));
    let (found, after) = rest.split_once(END).unwrap_or_else(|| panic!("docs/reference/dialects.md lacks {END:?}"));
    let table = table();
    if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(found, table, "run the tests with {UPDATE}=1 to write it");
}
