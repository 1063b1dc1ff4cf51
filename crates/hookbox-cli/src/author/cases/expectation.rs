//! What a hook is to answer, beside what it answered.

use super::json::same;
use hookbox::internal::{members, value};
use hookbox::{Code, Decision, Failure, Json};
use regex::Regex;

/// What a case expects.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// An Action.
    Decision {
        /// What it decides.
        decision: Decision,
        /// Why; any reason or none will do if this is absent.
        reason: Option<Text>,
        /// What must be in place afterwards: of an object, these members.
        modified: Option<Json>,
    },
    /// That the hook fails.
    Error {
        /// With this code.
        code: Code,
        /// With this message; any will do if this is absent.
        reason: Option<Text>,
    },
}

/// What a text must be like.
#[derive(Clone, Debug)]
pub enum Text {
    /// It is this one.
    Exactly(String),
    /// This is a part of it.
    Contains(String),
    /// This is found in it.
    Regex(Regex),
}

/// What a hook answered.
#[derive(Clone, Debug, Default)]
pub struct Actual {
    /// What it decided, or what its failure counted as.
    pub decision: Decision,
    /// Why.
    pub reason: Option<String>,
    /// What it rewrote, as it stands then.
    pub modified: Option<Json>,
    /// How it failed, if it did.
    pub failure: Option<Failure>,
    /// Why it cannot be asked, if the case is about an event that it does not hear.
    pub unheard: Option<String>,
    /// What else there is to know: warnings, and why it was not asked.
    pub notes: Vec<String>,
}

/// In one thing, the answer is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which: `decision`, `reason`, `modified` or a member of it.
    pub what: String,
    /// What was expected, as people read it.
    pub expected: String,
    /// What came.
    pub given: String,
}

impl Mismatch {
    fn new(what: impl Into<String>, expected: impl Into<String>, given: impl Into<String>) -> Self {
        Mismatch { what: what.into(), expected: expected.into(), given: given.into() }
    }
}

impl Text {
    pub(super) fn fits(&self, text: &str) -> bool {
        match self {
            Text::Exactly(exactly) => exactly == text,
            Text::Contains(part) => text.contains(part.as_str()),
            Text::Regex(regex) => regex.is_match(text),
        }
    }

    fn spell(&self) -> String {
        match self {
            Text::Exactly(text) => quoted(text),
            Text::Contains(part) => format!("contains {}", quoted(part)),
            Text::Regex(regex) => format!("matches {}", quoted(regex.as_str())),
        }
    }
}

impl Actual {
    /// The answer in a word: the decision, or the error with its code.
    #[must_use]
    pub fn verdict(&self) -> String {
        match (&self.unheard, &self.failure) {
            (Some(why), _) => format!("not asked: {why}"),
            (None, Some(Failure { code, .. })) => format!("error {code} ({})", code.title()),
            (None, None) => self.decision.to_string(),
        }
    }

    /// Why, in the hook's words or in the engine's.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| failure.message.as_str()).or(self.reason.as_deref())
    }
}

impl Expectation {
    /// In what the answer is not as expected. A failure is never what a decision expects, whatever it counts as: a guard that
    /// denies since it crashed does not guard.
    #[must_use]
    pub fn mismatches(&self, given: &Actual) -> Vec<Mismatch> {
        let mut found = Vec::new();
        let (verdict, reason, modified) = match self {
            Expectation::Decision { decision, reason, modified } => (decision.to_string(), reason, modified.as_ref()),
            Expectation::Error { code, reason } => (format!("error {code} ({})", code.title()), reason, None),
        };
        let is_as_expected = verdict == given.verdict();
        if !is_as_expected {
            found.push(Mismatch::new("decision", verdict, given.verdict()));
        }
        let why = given.why();
        match reason {
            Some(text) if !why.is_some_and(|why| text.fits(why)) => {
                found.push(Mismatch::new("reason", text.spell(), why.map_or_else(|| "none".to_owned(), quoted)));
            }
            _ => {}
        }
        if let Some(modified) = modified {
            compare(modified, given.modified.as_ref(), &mut found);
        }
        found
    }
}

/// Whether what is in place is what a case says of it.
pub(super) fn fits(expected: &Json, given: Option<&Json>) -> bool {
    let mut found = Vec::new();
    compare(expected, given, &mut found);
    found.is_empty()
}

/// Compares what is in place: of two objects the expected members, of all else the whole.
fn compare(expected: &Json, given: Option<&Json>, found: &mut Vec<Mismatch>) {
    let none = || "not there".to_owned();
    let (Some(ours), Some(theirs)) = (members(expected), given.and_then(members)) else {
        if !given.is_some_and(|given| same(expected, given)) {
            let given = given.map_or_else(none, |given| given.as_str().to_owned());
            found.push(Mismatch::new("modified", expected.as_str(), given));
        }
        return;
    };
    for (key, raw) in ours {
        let their = theirs.iter().find(|(other, _)| *other == key).map(|(_, raw)| value(raw));
        if !their.as_ref().is_some_and(|their| same(&value(raw), their)) {
            let given = their.map_or_else(none, |their| their.as_str().to_owned());
            found.push(Mismatch::new(format!("modified.{key}"), raw.get(), given));
        }
    }
}

/// A text in one line, so that what is at its ends shows.
fn quoted(text: &str) -> String {
    Json::string(text).as_str().to_owned()
}
