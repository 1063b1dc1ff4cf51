//! hygge: every case of its own test suite and of its table of answers, one test per row.
