//! Rows that the command line cannot show. A test in Rust covers them, and takes what it tries from the row.

use super::case::{Book, ByTest};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A test and its name, as rows spell it.
pub type Named = (&'static str, fn());

/// Lists the tests of a module that rows may name.
macro_rules! named {
    ($($test:ident),+ $(,)?) => {
        &[$((stringify!($test), $test as fn())),+]
    };
}
pub(crate) use named;

/// The rows that have been shown to hold, by the names of dialect and row.
static SHOWN: LazyLock<Mutex<HashSet<(&'static str, String)>>> = LazyLock::new(Mutex::default);

/// A row as its test sees it.
pub struct Row {
    dialect: &'static str,
    file: &'static str,
    row: ByTest,
    is_input_read: Cell<bool>,
    is_expected_read: Cell<bool>,
}

impl Row {
    /// Returns the name of the row.
    pub fn name(&self) -> &str {
        &self.row.name
    }

    /// Returns the file of cases that has the row.
    pub fn file(&self) -> &str {
        self.file
    }

    /// Returns what is tried.
    pub fn input(&self) -> &str {
        self.is_input_read.set(true);
        &self.row.input
    }

    /// Returns the expected result.
    #[track_caller]
    pub fn expected(&self) -> &str {
        self.maybe_expected().unwrap_or_else(|| panic!("{}: it has no `expect`", self.name()))
    }

    /// Returns the expected result, or `None` for a row without one.
    pub fn maybe_expected(&self) -> Option<&str> {
        self.is_expected_read.set(true);
        self.row.expect.as_deref()
    }

    /// Returns the event that the row is about, if it names one.
    pub fn event(&self) -> Option<hookbox::Event> {
        let name = self.row.event.as_deref()?;
        Some(name.parse().unwrap_or_else(|_| panic!("{}: no event {name:?}", self.name())))
    }

    /// Records that the row holds. A test calls this after all of its assertions about the row.
    #[track_caller]
    pub fn holds(self) {
        assert!(self.is_input_read.get(), "{}: its test does not use its input", self.name());
        assert!(
            self.row.expect.is_none() || self.is_expected_read.get(),
            "{}: its test does not look at what it expects",
            self.name()
        );
        let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
        shown.insert((self.dialect, self.row.name));
    }
}

/// Returns the rows of a dialect that name this test.
#[track_caller]
pub fn rows(dialect: &str, test: &str) -> Vec<Row> {
    let (dialect, files) = super::BOOKS.iter().find(|(name, _)| *name == dialect).unwrap();
    let mut rows = Vec::new();
    for file in *files {
        for row in Book::load(dialect, file).by_test {
            if row.test == test {
                let (is_input_read, is_expected_read) = Default::default();
                rows.push(Row { dialect, file, row, is_input_read, is_expected_read });
            }
        }
    }
    assert!(!rows.is_empty(), "no row of {dialect} names the test {test:?}");
    rows
}

/// Returns the one row of a dialect that names this test.
#[track_caller]
pub fn row(dialect: &str, test: &str) -> Row {
    let mut rows = rows(dialect, test);
    assert_eq!(rows.len(), 1, "the rows of {dialect} that name the test {test:?}");
    rows.remove(0)
}

/// Runs the tests of these rows. Returns what is wrong with each row.
pub fn faults(dialect: &'static str, rows: &[ByTest]) -> Vec<Option<String>> {
    let tests = super::library::tests(dialect);
    let mut ended: HashMap<&str, Result<(), String>> = HashMap::new();
    for row in rows {
        ended.entry(&row.test).or_insert_with(|| run(&tests, &row.test));
    }
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let fault = |row: &ByTest| match &ended[row.test.as_str()] {
        _ if shown.contains(&(dialect, row.name.clone())) => None,
        Ok(()) => Some(format!("the test `{}` does not take this row", row.test)),
        Err(fault) => Some(fault.clone()),
    };
    rows.iter().map(fault).collect()
}

fn run(tests: &[Named], name: &str) -> Result<(), String> {
    let Some((_, test)) = tests.iter().find(|(known, _)| *known == name) else {
        return Err(format!("there is no test `{name}`"));
    };
    catch_unwind(AssertUnwindSafe(test)).map_err(|panicked| {
        let text = panicked.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panicked.downcast_ref::<&str>().copied()).unwrap_or_default();
        format!("the test `{name}` failed: {text}")
    })
}

#[test]
fn every_named_test_has_a_row() {
    for (dialect, files) in super::BOOKS {
        let rows: Vec<ByTest> = files.iter().flat_map(|file| Book::load(dialect, file).by_test).collect();
        for (name, _) in super::library::tests(dialect) {
            assert!(rows.iter().any(|row| row.test == name), "no row of {dialect} names the test {name:?}");
        }
    }
}

#[test]
fn a_row_whose_test_does_not_take_it_does_not_pass() {
    fn takes_nothing() {}
    fn fails() {
        panic!("as it must");
    }
    let tests = named![takes_nothing, fails];
    assert_eq!(run(tests, "takes_nothing"), Ok(()));
    assert_eq!(run(tests, "fails"), Err("the test `fails` failed: as it must".to_owned()));
    assert_eq!(run(tests, "gone"), Err("there is no test `gone`".to_owned()));
    let row = |name: &str, test: &str| ByTest {
        name: name.to_owned(),
        test: test.to_owned(),
        input: "x".to_owned(),
        expect: Some("y".to_owned()),
        event: None,
        _note: None,
    };
    let found = faults("ok", &[row("made up", "new_runner_nil"), row("made up too", "gone")]);
    assert_eq!(
        found,
        [
            Some("the test `new_runner_nil` does not take this row".to_owned()),
            Some("there is no test `gone`".to_owned())
        ]
    );
    let unread = |read: fn(&Row)| {
        let row = Row {
            dialect: "ok",
            file: "suite",
            row: row("made up", "x"),
            is_input_read: Cell::default(),
            is_expected_read: Cell::default(),
        };
        read(&row);
        catch_unwind(AssertUnwindSafe(|| row.holds())).is_err()
    };
    assert!(unread(|_| {}) && unread(|row| _ = row.input()) && unread(|row| _ = row.expected()));
}
