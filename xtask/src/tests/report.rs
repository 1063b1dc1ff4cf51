//! The reader of what `cargo test` prints.

use std::mem;

/// The tests of one program, or the doc tests of one crate, that failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FailedTarget {
    /// The arguments that select the target, such as `-p hookbox-cli --test suite`.
    pub(super) args: String,
    /// The failed tests. The list is empty if the program ended without listing them, for example because of a signal.
    pub(super) tests: Vec<String>,
}

/// A reader that collects failures line by line.
#[derive(Default)]
pub(super) struct Reader {
    /// Whether the current line follows the heading of a list.
    in_list: bool,
    tests: Vec<String>,
    targets: Vec<FailedTarget>,
}

impl Reader {
    pub(super) fn line(&mut self, line: &str) {
        // A program lists its failed tests under this heading, each indented, and cargo then says which program it was.
        if line == "failures:" {
            self.in_list = true;
            self.tests.clear();
        } else if let Some(test) = line.strip_prefix("    ").filter(|_| self.in_list) {
            self.tests.push(test.to_owned());
        } else {
            self.in_list = false;
            let args = ["error: test failed, to rerun pass `", "error: doctest failed, to rerun pass `"]
                .iter()
                .find_map(|beginning| line.strip_prefix(beginning)?.strip_suffix('`'));
            if let Some(args) = args {
                self.targets.push(FailedTarget { args: args.to_owned(), tests: mem::take(&mut self.tests) });
            }
        }
    }

    /// Returns the failed targets, and the failed tests of a program about which cargo said nothing.
    pub(super) fn end(self) -> (Vec<FailedTarget>, Vec<String>) {
        (self.targets, self.tests)
    }
}

#[cfg(test)]
mod tests {
    use super::{FailedTarget, Reader};

    fn read(text: &str) -> Vec<FailedTarget> {
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.line(line));
        reader.end().0
    }

    #[test]
    fn names_the_failed_tests_of_each_program() {
        let text = "\
running 3 tests
test a::b ... FAILED
test a::c ... ok

failures:

---- a::b stdout ----
assertion failed
    left: 1

failures:
    a::b
    a::d

test result: FAILED. 1 passed; 2 failed; 0 ignored

error: test failed, to rerun pass `-p hookbox-cli --test suite`
   Doc-tests hookbox

failures:
    src/lib.rs - (line 12)

error: doctest failed, to rerun pass `-p hookbox --doc`
error: 2 targets failed:
    `-p hookbox-cli --test suite`
    `-p hookbox --doc`
";
        let target = |args: &str, tests: &[&str]| FailedTarget {
            args: args.to_owned(),
            tests: tests.iter().map(|&test| test.to_owned()).collect(),
        };
        let expected = [
            target("-p hookbox-cli --test suite", &["a::b", "a::d"]),
            target("-p hookbox --doc", &["src/lib.rs - (line 12)"]),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn names_a_program_that_crashed() {
        let text = "test a::b ... ok\nerror: test failed, to rerun pass `-p hookbox --lib`\n";
        assert_eq!(read(text), [FailedTarget { args: "-p hookbox --lib".to_owned(), tests: Vec::new() }]);
    }

    #[test]
    fn a_program_without_failures_is_not_named() {
        assert_eq!(read("test a ... ok\n\ntest result: ok. 1 passed\n"), []);
    }
}
