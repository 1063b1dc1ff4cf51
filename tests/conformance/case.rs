//! The form of a file of cases. In each text of the file, `{ROOT}` stands for the directory of the case, and `{BIG}`
//! for 200,000 letters, more than a pipe can hold at once.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// What one file says about its dialect.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    #[serde(default)]
    pub case: Vec<Case>,
    #[serde(default)]
    pub by_test: Vec<ByTest>,
    #[serde(default)]
    pub out_of_scope: Vec<OutOfScope>,
}

/// One call of `hookbox`, in a directory of its own with `home/` and `project/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name of the row.
    pub name: String,
    /// What a reader should know about the row.
    #[serde(default, rename = "note")]
    _note: Option<String>,
    /// The subcommand that is called.
    #[serde(default)]
    pub command: Command,
    /// The dialect, if not that of the folder.
    #[serde(default)]
    pub dialect: Option<String>,
    /// The config, given with `--config`. Without it, the dialect looks for its own.
    #[serde(default)]
    pub config: Option<String>,
    /// Files, with their contents by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Executable files, with their contents by path.
    #[serde(default)]
    pub scripts: BTreeMap<String, String>,
    /// The text on stdin.
    #[serde(default)]
    pub payload: String,
    /// Further arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Further variables. `PATH`, `HOME` and `SHELL` are always set.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The directory in which the agent works.
    #[serde(default = "project")]
    pub cwd: String,

    /// The exit status.
    pub exit: i32,
    /// The answer with `--answer`, as JSON, no more and no less.
    #[serde(default)]
    pub answer: Option<String>,
    /// Members of the answer, as JSON; its objects may have others.
    #[serde(default)]
    pub answer_has: Option<String>,
    /// Texts within strings of the answer, by their places, such as `outcomes.0.text`.
    #[serde(default)]
    pub contains: BTreeMap<String, String>,
    /// The length of strings of the answer, in bytes, by their places.
    #[serde(default)]
    pub bytes: BTreeMap<String, usize>,
    /// Places that the answer lacks.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// How many hooks are asked, if that is not one although the answer says nothing.
    #[serde(default)]
    pub asked: Option<usize>,
    /// How many hooks the config has, and how many of its files are read, if no hook is asked.
    #[serde(default)]
    pub loaded: Option<[usize; 2]>,
    /// What files contain afterwards, by path; `false` for a file that must not exist.
    #[serde(default)]
    pub files_after: BTreeMap<String, After>,
    /// How long the case may take, for a hook that must not wait. The limit allows for a busy machine.
    #[serde(default)]
    pub within_ms: Option<u64>,
    /// Like `answer_has`, for another call without `--answer`.
    #[serde(default)]
    pub outcome_has: Option<String>,

    /// What `list` and `show` print, byte for byte.
    #[serde(default)]
    pub stdout: Option<String>,
    /// Texts that stdout contains.
    #[serde(default)]
    pub stdout_contains: Vec<String>,
    /// Texts that stdout does not contain.
    #[serde(default)]
    pub stdout_lacks: Vec<String>,
    /// Texts that stderr contains. Without any, stderr is empty.
    #[serde(default)]
    pub stderr_contains: Vec<String>,
}

/// The subcommand. All except `run` print for people.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    #[default]
    Run,
    List,
    Show,
}

impl Command {
    pub const fn name(self) -> &'static str {
        match self {
            Command::Run => "run",
            Command::List => "list",
            Command::Show => "show",
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
pub enum After {
    Text(String),
    There(bool),
}

/// A row that needs more than the command line. Its test takes what it tries from the row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByTest {
    pub name: String,
    /// The name of the test, one of `library::tests`.
    pub test: String,
    /// What is tried.
    pub input: String,
    /// The expected result, if the test does not know it.
    #[serde(default)]
    pub expect: Option<String>,
    /// The event, if the test is about several.
    #[serde(default)]
    pub event: Option<String>,
    #[serde(default, rename = "note")]
    pub _note: Option<String>,
}

/// A row that says nothing about what hookbox does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutOfScope {
    pub name: String,
    pub reason: String,
}

fn project() -> String {
    "project".to_owned()
}

impl Book {
    #[track_caller]
    pub fn load(dialect: &str, file: &str) -> Self {
        let path = super::root().join(dialect).join(file).with_extension("toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let cases = self.case.iter().map(|case| case.name.as_str());
        let by_test = self.by_test.iter().map(|row| row.name.as_str());
        cases.chain(by_test).chain(self.out_of_scope.iter().map(|row| row.name.as_str()))
    }
}

impl Case {
    /// Whether a hookbox that does nothing at all would fail this case.
    pub fn says_something(&self) -> bool {
        self.exit != 0
            || self.answer.is_some()
            || self.answer_has.is_some()
            || self.outcome_has.is_some()
            || self.stdout.is_some()
            || !(self.contains.is_empty()
                && self.stdout_contains.is_empty()
                && self.stdout_lacks.is_empty()
                && self.stderr_contains.is_empty()
                && self.bytes.is_empty()
                && self.lacks.is_empty()
                && self.files_after.is_empty())
    }
}
