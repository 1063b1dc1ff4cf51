//! The form of a file of cases. `{ROOT}` stands for the directory of the case in each text of it,
//! and `{BIG}` for 200,000 letters, which no pipe holds at once.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// What one file says of its dialect.
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
    /// What a reader should know of it.
    #[serde(default, rename = "note")]
    _note: Option<String>,
    /// What is called.
    #[serde(default)]
    pub command: Command,
    /// The dialect, if not that of the folder.
    #[serde(default)]
    pub dialect: Option<String>,
    /// The config, given with `--config`. Without it, the dialect looks for its own.
    #[serde(default)]
    pub config: Option<String>,
    /// Files, by their paths.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files that can be executed.
    #[serde(default)]
    pub scripts: BTreeMap<String, String>,
    /// Stdin.
    #[serde(default)]
    pub payload: String,
    /// Further arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Further variables. There are `PATH`, `HOME` and `SHELL`.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Where the agent works.
    #[serde(default = "project")]
    pub cwd: String,

    /// The exit status.
    pub exit: i32,
    /// JSON: the answer with `--answer`, no more and no less.
    #[serde(default)]
    pub answer: Option<String>,
    /// JSON: what is in the answer, whatever else its objects have.
    #[serde(default)]
    pub answer_has: Option<String>,
    /// Texts within strings of the answer, by their places: `outcomes.0.text`.
    #[serde(default)]
    pub contains: BTreeMap<String, String>,
    /// How many bytes strings of the answer have, by their places.
    #[serde(default)]
    pub bytes: BTreeMap<String, usize>,
    /// Places that are not there.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// How many hooks are asked, where that is not one though the answer says nothing.
    #[serde(default)]
    pub asked: Option<usize>,
    /// How many hooks the config has and how many files of it are read, where none is asked.
    #[serde(default)]
    pub loaded: Option<[usize; 2]>,
    /// What files hold afterwards, by their paths; `false` for none.
    #[serde(default)]
    pub files_after: BTreeMap<String, After>,
    /// How long it may take. For what must not wait; it allows for a busy machine.
    #[serde(default)]
    pub within_ms: Option<u64>,
    /// JSON: as `answer_has`, for another call without `--answer`.
    #[serde(default)]
    pub outcome_has: Option<String>,

    /// What `list` and `show` print, to the byte.
    #[serde(default)]
    pub stdout: Option<String>,
    /// Texts in it.
    #[serde(default)]
    pub stdout_contains: Vec<String>,
    /// Texts that are not in it.
    #[serde(default)]
    pub stdout_lacks: Vec<String>,
    /// Texts in what they print to stderr. Without any, it is empty.
    #[serde(default)]
    pub stderr_contains: Vec<String>,
}

/// The subcommand. All but `run` print for people.
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

/// A row that needs more than the command line. Its test takes from it what it tries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByTest {
    pub name: String,
    /// The function, one of `library::tests`.
    pub test: String,
    /// What is tried.
    pub input: String,
    /// What must come of it, where the test does not know.
    #[serde(default)]
    pub expect: Option<String>,
    /// The event, where the test is about several.
    #[serde(default)]
    pub event: Option<String>,
    #[serde(default, rename = "note")]
    pub _note: Option<String>,
}

/// A row that says nothing of what hookbox does.
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
    /// Whether a hookbox that does nothing at all would fail it.
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
