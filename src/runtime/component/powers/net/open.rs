//! The clients of a process, one for each component that is granted the network.

use super::answers::Answers;
use super::host::{Requests, Sender};
use super::{BadRule, NetGrant, NetRecord, NetRule};
use crate::protocol::{Code, Failure};
use hookbox_net::{Client, Options, RuleError, RuleProblem, RuleText, Rules, Surroundings};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time that an idle connection waits for another request. Many servers close a connection after little more.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The network access of the components of a process.
#[derive(Default)]
pub(in super::super::super) struct Networks {
    options: Options,
}

/// The network access of one component.
#[derive(Debug)]
pub(in super::super::super) enum Opened {
    Network(Client, Option<NetRecord>),
    Answers(Arc<Answers>),
}

/// Checks rules without the secrets and files that they name.
///
/// # Errors
/// Returns an error if a rule is not valid, or if an earlier rule covers all of it.
pub(crate) fn check(rules: &[NetRule]) -> Result<(), BadRule> {
    match parse(rules) {
        Ok(_) => Ok(()),
        Err(error) => Err(BadRule { key: key_of(error.problem()), message: error.problem().to_string() }),
    }
}

/// Returns the key that a problem is about.
fn key_of(problem: &RuleProblem) -> &'static str {
    match problem {
        RuleProblem::Method(_) | RuleProblem::NoMethod => "methods",
        RuleProblem::Header(_) => "header",
        RuleProblem::Source { key, .. } if key.to_string() == "bearer" => "bearer",
        RuleProblem::Source { .. } => "header",
        RuleProblem::NeedsHttps(key) => key,
        _ => "url",
    }
}

impl Networks {
    /// Creates the network access of a long-lived process: connections wait for further requests.
    pub(in super::super::super) fn kept_alive() -> Self {
        Networks { options: Options::default().with_keep_alive(KEEP_ALIVE) }
    }

    /// Opens the network for a component with this grant.
    ///
    /// # Errors
    /// Returns a failure if a rule is not valid, or if a secret or file that it names cannot be used.
    pub(in super::super::super) fn open(&self, grant: &NetGrant) -> Result<Opened, Failure> {
        if let Some(answers) = &grant.answers {
            return Ok(Opened::Answers(Arc::new(Answers::new(&grant.rules, answers)?)));
        }
        let rules = parse(&grant.rules).map_err(|error| cannot(&error))?;
        let place = grant.place.as_ref().ok_or_else(|| cannot(&"where its secrets come from is not known"))?;
        let variables = |name: &str| place.variables.get(name).cloned();
        let from = Surroundings { variables: &variables, dir: &place.dir };
        let client = Client::new(rules, from, self.options.clone()).map_err(|error| cannot(&error))?;
        Ok(Opened::Network(client, grant.record.clone()))
    }
}

impl Opened {
    /// Returns the requests that one call may send, until the deadline.
    pub(in super::super::super) fn requests(&self, deadline: Instant) -> Requests {
        Requests::new(match self {
            Opened::Network(client, record) => Sender::Network(Arc::new(client.call(deadline)), record.clone()),
            Opened::Answers(answers) => Sender::Answers(Arc::clone(answers)),
        })
    }
}

pub(super) fn parse(rules: &[NetRule]) -> Result<Rules, RuleError> {
    let texts: Vec<RuleText> = rules.iter().map(text).collect();
    Rules::parse(&texts)
}

fn text(rule: &NetRule) -> RuleText {
    let NetRule { url, methods, bearer, headers, private, ca, proxy } = rule.clone();
    let mut text = RuleText::new(url);
    text.methods = (!methods.is_empty()).then_some(methods);
    text.bearer = bearer;
    text.headers = headers;
    text.private = private;
    text.ca = ca;
    text.proxy = proxy;
    text
}

fn cannot(why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::Grant, format!("cannot be given the network: {why}"))
}
