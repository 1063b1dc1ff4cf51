//! The findings of a policy, and the Action that follows from them.

use crate::{Common, Mode, Unknown};
use hookbox_sdk::Action;

/// The longest reason for one finding, in characters.
const MAX_REASON: usize = 400;

/// The findings of a policy in one event. A denial outweighs a question, and the first of two equal findings gives the
/// reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    denied: Option<String>,
    asked: Option<String>,
    unknown: Option<String>,
}

impl Findings {
    /// Records a denial, with a reason that names the words that matched and what to do instead.
    pub fn deny(&mut self, reason: impl Into<String>) {
        self.denied.get_or_insert_with(|| reason.into());
    }

    /// Records a question to the user.
    pub fn ask(&mut self, reason: impl Into<String>) {
        self.asked.get_or_insert_with(|| reason.into());
    }

    /// Records that something that matters cannot be known. The settings say what happens then.
    pub fn unknown(&mut self, reason: impl Into<String>) {
        self.unknown.get_or_insert_with(|| reason.into());
    }

    /// Adds findings from elsewhere. Where both have one of the same kind, the existing finding stays.
    pub fn add(&mut self, other: Findings) {
        self.denied = self.denied.take().or(other.denied);
        self.asked = self.asked.take().or(other.asked);
        self.unknown = self.unknown.take().or(other.unknown);
    }

    /// Weakens the findings for something that only possibly happens: keeps a question for each denial. `what` begins
    /// the question.
    #[must_use]
    pub fn possible(self, what: &str) -> Self {
        Findings { asked: self.denied.map(|reason| format!("{what}: {reason}")), ..Findings::default() }
    }

    /// Weakens the findings for a command that only possibly runs: keeps a question for each denial and each question.
    /// `what` begins the question.
    #[must_use]
    pub fn perhaps(self, what: &str) -> Self {
        let say = |reason: String| format!("{what}: {reason}");
        Findings { denied: None, asked: self.denied.or(self.asked).map(say), unknown: self.unknown.map(say) }
    }

    /// Keeps only the denials.
    #[must_use]
    pub fn denials(self) -> Self {
        Findings { denied: self.denied, ..Findings::default() }
    }

    /// Whether nothing was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.denied.is_none() && self.asked.is_none() && self.unknown.is_none()
    }

    /// Returns the Action that follows, or `None` if nothing objects. `policy` is the policy's name, which begins the
    /// reason.
    #[must_use]
    pub fn action(self, policy: &str, common: &Common) -> Option<Action> {
        let (mut denied, mut asked) = (self.denied, self.asked);
        match common.unknown {
            Unknown::Deny => denied = denied.or(self.unknown),
            Unknown::Ask => asked = asked.or(self.unknown),
            Unknown::Allow => {}
        }
        let message = common.message.as_deref().map(|message| format!(". {message}")).unwrap_or_default();
        let tell = |reason: &str| format!("{policy}: {}{message}", one_line(reason));
        match (common.mode, denied, asked) {
            (Mode::Enforce, Some(reason), _) => Some(Action::deny(tell(&reason))),
            (Mode::Enforce, None, Some(reason)) => Some(Action::ask(tell(&reason))),
            (Mode::Audit, Some(reason), _) => Some(audit("denied", &tell(&reason))),
            (Mode::Audit, None, Some(reason)) => Some(audit("asked", &tell(&reason))),
            (_, None, None) => None,
        }
    }
}

/// Tells only the user what would have been stopped, so that the model is not distracted.
fn audit(what: &str, reason: &str) -> Action {
    let told = format!("audit, would have {what}: {reason}");
    let mut action = Action::allow().with_reason(told.as_str());
    action.system_message = Some(told);
    action
}

/// Returns a reason on one line, shortened.
fn one_line(reason: &str) -> String {
    let flat: String = reason.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_REASON).collect();
    if flat.len() < reason.len() && flat.chars().count() == MAX_REASON { flat + "…" } else { flat }
}
