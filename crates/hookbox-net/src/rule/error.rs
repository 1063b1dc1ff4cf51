use crate::refusal::Quoted;
use crate::secret::SourceError;

/// The error for a rule that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grant of `{url}`: {problem}")]
pub struct RuleError {
    /// The rule's URL as written.
    pub(crate) url: Quoted,
    pub(crate) problem: RuleProblem,
}

impl RuleError {
    /// Returns what is wrong with the rule.
    #[must_use]
    pub const fn problem(&self) -> &RuleProblem {
        &self.problem
    }
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// The URL does not begin with `https://` or `http://`.
    #[error("`url` must begin with `https://`, or with `http://` for plain text")]
    Scheme,
    /// The URL contains spaces, backslashes or control characters.
    #[error("`url` has a space, a backslash or a control character")]
    Character,
    /// The URL has a user name or password.
    #[error("`url` has a user name: use `bearer` or `header`")]
    UserInfo,
    /// The URL has a query or a fragment.
    #[error("`url` has a query or a fragment: a grant ends with its path")]
    Query,
    /// The port is not a number from 1 to 65535 without leading zeros.
    #[error("the port is not a number from 1 to 65535 without leading zeros")]
    Port,
    /// The host is not valid.
    #[error("the host is not valid: {0}")]
    Host(String),
    /// `*` is anywhere other than before a name of two or more labels.
    #[error("`*` is allowed only as `*.` in front of a name with a dot, such as `*.example.com`")]
    Wildcard,
    /// The host is an address that rules must not name, or an address that needs `private = true`.
    #[error("{0}")]
    Address(&'static str),
    /// The path is not valid.
    #[error("the path is not valid: {0}")]
    Path(&'static str),
    /// A method is not an upper-case token, or is never allowed.
    #[error("the method `{0}` is not one of upper-case letters, or is `CONNECT` or `TRACE`, which are never allowed")]
    Method(Quoted),
    /// `methods` is empty.
    #[error("`methods` is empty: leave it out for `GET`")]
    NoMethod,
    /// A header that the host must not add.
    #[error("the header `{0}` cannot be added: it is not a header name, is set twice, or belongs to the connection")]
    Header(Quoted),
    /// A secret's source is not valid.
    #[error("`{key}`: {error}")]
    Source {
        /// `bearer`, or the header's name.
        key: Quoted,
        /// What is wrong.
        error: SourceError,
    },
    /// A secret would be sent in plain text to the internet.
    #[error("a secret must not be sent over plain `http` (`private = true` allows it, to private addresses)")]
    PlainSecret,
    /// `ca` or `proxy` is set for plain `http`.
    #[error("`{0}` is for `https` alone")]
    NeedsHttps(&'static str),
    /// An earlier rule covers everything that this rule covers.
    #[error("never used, because an earlier grant covers all of it: {earlier}")]
    Unreachable {
        /// The earlier rule.
        earlier: String,
    },
}
