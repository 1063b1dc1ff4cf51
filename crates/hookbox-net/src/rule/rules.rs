use super::{Rule, RuleError, RuleProblem, RuleText};
use crate::refusal::{Quoted, Refusal};
use crate::target::Target;
use http::Method;

/// The rules of one hook, in the order of its config. Without rules, nothing is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

impl Rules {
    /// Reads rules.
    ///
    /// # Errors
    /// Returns an error if a rule is not valid, or has no effect because an earlier one covers all of it.
    pub fn parse(texts: &[RuleText]) -> Result<Self, RuleError> {
        let mut rules: Vec<Rule> = Vec::with_capacity(texts.len());
        for text in texts {
            let rule = Rule::parse(text)?;
            if let Some(earlier) = rules.iter().find(|earlier| earlier.covers(&rule)) {
                let earlier = earlier.to_string();
                return Err(RuleError { url: Quoted::new(&text.url), problem: RuleProblem::Unreachable { earlier } });
            }
            rules.push(rule);
        }
        Ok(Rules(rules))
    }

    /// Finds the first rule that covers a request.
    ///
    /// # Errors
    /// Returns an error if no rule covers the request.
    pub fn find(&self, target: &Target, method: &Method) -> Result<&Rule, Refusal> {
        self.position(target, method).map(|(_, rule)| rule)
    }

    pub(crate) fn position(&self, target: &Target, method: &Method) -> Result<(usize, &Rule), Refusal> {
        let mut covered = self.0.iter().enumerate().filter(|(_, rule)| rule.covers_url(target)).peekable();
        if covered.peek().is_none() {
            return Err(Refusal::NotGranted(target.quoted()));
        }
        covered
            .find(|(_, rule)| rule.covers_method(method))
            .ok_or_else(|| Refusal::Method { method: Quoted::new(method.as_str()), url: target.quoted() })
    }

    /// Returns the rules, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter()
    }

    /// Whether there are no rules, so that nothing is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
