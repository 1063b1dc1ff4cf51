//! Cases: Inputs, and what a hook is to answer to each.

mod expectation;
mod json;
mod lines;
mod reader;
mod table;
mod update;

pub use expectation::{Actual, Expectation, Mismatch, Text};
use hookbox::config::{ConfigFile, Problem, ReadRules};
use hookbox::{Code, Input, Json, Source};
use reader::Row;
use std::ops::Range;
use std::path::Path;
pub use update::{Update, update};

/// The names under which a hook's cases are looked for, in this order.
pub const FILE_NAMES: [&str; 2] = ["cases.toml", "cases.jsonl"];

/// The largest file of cases, in bytes: room for some hundred of the largest Inputs.
pub const MAX_CASES_BYTES: u64 = 64 << 20;

/// The time that a case's hook finds as `now` where the case names none, so that its answer is the same each day.
pub const NOW: &str = "2026-01-01T00:00:00.000Z";

/// A file of cases.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The file.
    pub file: ConfigFile,
    /// What it says, in its order.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its place in the file, from 0.
    pub index: usize,
    /// What it is called; `case 3` for the third if it has no name.
    pub name: String,
    /// The bytes of the file at which it begins.
    pub at: Range<usize>,
    /// The line at which it begins, from 1.
    pub line: usize,
    /// What the hook is asked.
    pub input: Input,
    /// What the hook finds as `Input.settings`, if not what its config says.
    pub settings: Option<Json>,
    /// What it is to answer. None is an error unless the answers are being recorded.
    pub expectation: Option<Expectation>,
}

/// How a file spells cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// TOML, one table `[[case]]` for each.
    Toml,
    /// JSON, one object on a line for each.
    Lines,
}

impl Form {
    fn of(file: &ConfigFile) -> Self {
        match file.path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => Form::Lines,
            _ => Form::Toml,
        }
    }
}

impl Cases {
    /// Reads a file: JSON lines if its name ends in `.jsonl`, `.ndjson` or `.json`, or else TOML. `recording` says that a
    /// case may lack what is expected, since that is about to be filled in.
    ///
    /// # Errors
    /// The file cannot be read, has no case, or something in it is not as it must be. Everything that is wrong is named.
    pub fn read(path: &Path, recording: bool) -> Result<Self, Vec<Problem>> {
        let about_file = |code, message: &str| vec![Problem::about_file(path, code, message)];
        let rules = ReadRules { max_bytes: MAX_CASES_BYTES, ..ReadRules::default() };
        let file = match ConfigFile::read(path, Source::USER, rules) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(about_file(Code::ConfigUnreadable, "does not exist")),
            Err(unreadable) => return Err(vec![*unreadable.problem]),
        };
        let (rows, settings, mut problems) = match Form::of(&file) {
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
            let example = match Form::of(&file) {
                Form::Toml => r#"[[case]] with name, tool, input and expect"#,
                Form::Lines => r#"one object on a line, with "name", "tool", "input" and "expect""#,
            };
            problems.iter_mut().for_each(|problem| problem.help = Some(format!("add one: {example}")));
            return Err(problems);
        }
        Ok(Cases { file, cases })
    }
}

/// What a file says, before it is known whether it makes sense: the cases, the settings for all of them, and what is wrong.
type Rows = (Vec<Row>, Option<Json>, Vec<Problem>);
