//! The chain for hooks that answer immediately.

use super::{Chain, Member, Rule};
use crate::protocol::{Action, Failure, Input, Outcome};
use std::time::Duration;

/// Asks each hook in turn by calling `ask` with its index and the Input, and folds the answers.
///
/// ```
/// use hookbox::chain::{Member, Rule, fold};
/// use hookbox::{Action, Event, HookInfo, Input, Kind, Verdict};
///
/// let info = HookInfo::new("guard", [Event::PreTool]);
/// let guard = Member::new(&info, Kind::Native, true);
/// let outcome = fold(Input::new(Event::PreTool), Rule::hookbox(Event::PreTool), [guard], |_, _| Ok(Action::deny("no")));
/// assert_eq!(outcome.verdict, Verdict::Deny);
/// ```
pub fn fold<'h>(
    input: impl Into<Box<Input>>,
    rule: Rule,
    members: impl IntoIterator<Item = Member<'h>>,
    mut ask: impl FnMut(usize, &Input) -> Result<Action, Failure>,
) -> Outcome {
    let mut chain = Chain::new(input, rule, members);
    loop {
        let due = chain.due();
        if due.is_empty() {
            return chain.finish();
        }
        for index in due {
            let answer = ask(index, chain.input());
            chain.answer(index, answer, Duration::ZERO);
        }
    }
}
