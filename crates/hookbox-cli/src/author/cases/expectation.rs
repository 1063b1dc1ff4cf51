//! Compares a hook's answer with the expected one.

use super::json::same;
use hookbox::internal::{members, value};
use hookbox::runtime::component::NetAnswer;
use hookbox::{Code, Decision, Failure, Json};
use regex::Regex;

/// What a case expects.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// The hook answers with an Action.
    Decision {
        /// The expected decision.
        decision: Decision,
        /// The expected reason; if absent, any reason or none is accepted.
        reason: Option<Text>,
        /// The expected value after the rewrite; for an object, only these members are compared.
        modified: Option<Json>,
    },
    /// The hook fails.
    Error {
        /// The expected error code.
        code: Code,
        /// The expected message; if absent, any message is accepted.
        reason: Option<Text>,
    },
}

/// The condition that a text must meet.
#[derive(Clone, Debug)]
pub enum Text {
    /// The text equals this one.
    Exactly(String),
    /// The text contains this one.
    Contains(String),
    /// The text has a match of this expression.
    Regex(Regex),
}

/// A hook's actual answer.
#[derive(Clone, Debug, Default)]
pub struct Actual {
    /// The hook's decision, or the one that its failure counted as.
    pub decision: Decision,
    /// The hook's reason.
    pub reason: Option<String>,
    /// The value that the hook rewrote, after the rewrite.
    pub modified: Option<Json>,
    /// The failure, if the hook failed.
    pub failure: Option<Failure>,
    /// The network's answers to the hook's requests.
    pub requests: Vec<NetAnswer>,
    /// Why the hook cannot be asked, if the case uses an event that it is not registered for.
    pub unheard: Option<String>,
    /// Further notes: warnings, and why the hook was not asked.
    pub notes: Vec<String>,
}

/// One difference between the expected and the actual answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The part that differs: `decision`, `reason`, `modified` or a member of it.
    pub what: String,
    /// The expected value, for people.
    pub expected: String,
    /// The actual value.
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
    /// Returns the answer in a word: the decision, or the error with its code.
    #[must_use]
    pub fn verdict(&self) -> String {
        match (&self.unheard, &self.failure) {
            (Some(why), _) => format!("not asked: {why}"),
            (None, Some(Failure { code, .. })) => format!("error {code} ({})", code.title()),
            (None, None) => self.decision.to_string(),
        }
    }

    /// Returns the reason, from the hook or from the engine.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| failure.message.as_str()).or(self.reason.as_deref())
    }
}

impl Expectation {
    /// Returns the differences from the expected answer. A failure never matches an expected decision, whatever
    /// decision it counts as: a guard that denies because it crashed does not guard.
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

/// Whether the actual value matches the value that a case expects.
pub(super) fn fits(expected: &Json, given: Option<&Json>) -> bool {
    let mut found = Vec::new();
    compare(expected, given, &mut found);
    found.is_empty()
}

/// Compares values: for two objects, only the expected members; otherwise the whole value.
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

/// Returns the text in quotes on one line, so that its leading and trailing characters are visible.
fn quoted(text: &str) -> String {
    Json::string(text).as_str().to_owned()
}
