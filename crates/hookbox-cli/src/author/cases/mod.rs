//! Cases: Inputs, and the expected answer to each.

mod answers;
mod expectation;
mod json;
mod lines;
mod powers;
mod reader;
mod table;
mod update;

pub use expectation::{Actual, Expectation, Mismatch, Text};
use hookbox::config::{ConfigFile, Problem, ReadRules};
use hookbox::{Code, Input, Json, Source};
pub use powers::{Powers, STORE, Values};
use reader::Row;
use std::ops::Range;
use std::path::Path;
pub use update::{Update, update};

/// The file names under which a hook's cases are looked up, in this order.
pub const FILE_NAMES: [&str; 2] = ["cases.toml", "cases.jsonl"];

/// The maximum size of a file of cases, in bytes: enough for a few hundred of the largest Inputs.
pub const MAX_CASES_BYTES: u64 = 64 << 20;

/// The default `now` of a case. It is fixed, so that a hook's answer is the same every day.
pub const NOW: &str = "2026-01-01T00:00:00.000Z";

/// A file of cases.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The file itself.
    pub file: ConfigFile,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The index of the case in the file, from 0.
    pub index: usize,
    /// The name of the case; `case 3` for the third if it has none.
    pub name: String,
    /// The bytes of the file where the case begins.
    pub at: Range<usize>,
    /// The line on which the case begins, from 1.
    pub line: usize,
    /// The Input that the hook gets.
    pub input: Input,
    /// The hook's `Input.settings`, if they differ from its config.
    pub settings: Option<Json>,
    /// The hook's environment: the values in its store, and answers in place of the network.
    pub powers: Powers,
    /// The expected answer. `None` is an error unless answers are being recorded.
    pub expectation: Option<Expectation>,
}

/// The format of a file of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// TOML, with one `[[case]]` table per case.
    Toml,
    /// JSON, with one object per line.
    Lines,
}

impl Form {
    fn for_file(file: &ConfigFile) -> Self {
        match file.path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => Form::Lines,
            _ => Form::Toml,
        }
    }
}

impl Cases {
    /// Reads a file: JSON lines if its name ends in `.jsonl`, `.ndjson` or `.json`, otherwise TOML. With `recording`, a
    /// case may lack its expectation, which is about to be filled in.
    ///
    /// # Errors
    /// Returns all problems if the file cannot be read, has no case, or has something invalid in it.
    pub fn read(path: &Path, recording: bool) -> Result<Self, Vec<Problem>> {
        let about_file = |code, message: &str| vec![Problem::about_file(path, code, message)];
        let rules = ReadRules::default().with_max_bytes(MAX_CASES_BYTES);
        let file = match ConfigFile::read(path, Source::USER, rules) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(about_file(Code::ConfigUnreadable, "does not exist")),
            Err(unreadable) => return Err(vec![*unreadable.problem]),
        };
        let (rows, settings, mut problems) = match Form::for_file(&file) {
            Form::Toml => table::rows(&file),
            Form::Lines => lines::rows(&file),
        };
        let mut cases = Vec::with_capacity(rows.len());
        for (index, row) in rows.into_iter().enumerate() {
            match reader::case(&file, index, row, settings.as_ref(), recording) {
                Ok(case) => cases.push(case),
                Err(more) => problems.extend(more),
            }
        }
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.location.as_ref().map(|place| (place.line, place.column)));
            return Err(problems);
        }
        if cases.is_empty() {
            let mut problems = about_file(Code::ConfigKey, "has no case, so that it would check nothing");
            let example = match Form::for_file(&file) {
                Form::Toml => r#"[[case]] with name, tool, input and expect"#,
                Form::Lines => r#"one object on a line, with "name", "tool", "input" and "expect""#,
            };
            problems.iter_mut().for_each(|problem| problem.help = Some(format!("add one: {example}")));
            return Err(problems);
        }
        Ok(Cases { file, cases })
    }
}

/// The content of a file before validation: the cases, the settings for all of them, and the problems.
type Rows = (Vec<Row>, Option<Json>, Vec<Problem>);
