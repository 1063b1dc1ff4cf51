//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known, such as the server of a tool.
    pub unknown: Unknown,
    /// The tools that may be called, as `server/tool`, where `*` stands for any characters: `github/get_*`, `docs/*`. It
    /// is the full name of the server, in the same case.
    pub allow: Vec<String>,
    /// The tools that the user is asked about each time. They outweigh `allow`.
    pub ask: Vec<String>,
    /// The tools that are denied. They outweigh all other lists.
    pub deny: Vec<String>,
    /// What happens to tools that no list names. A harmless name makes no difference.
    pub default: Verdict,
    /// What the arguments of tools must be like. A rule allows nothing: it only says what is refused of that which the
    /// lists let pass.
    pub rules: Vec<Rule>,
    /// What happens to SQL that destroys whole tables or more, or runs programs on the server, in any argument that holds
    /// SQL.
    pub destructive_sql: Verdict,
    /// The arguments that hold SQL if the tool has them, at any depth. Case, `_` and `-` do not matter. In others, a text
    /// is SQL if it is a statement from its first word on.
    pub sql_arguments: Vec<String>,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Verdict {
    /// It is allowed.
    Allow,
    /// The user is asked.
    Ask,
    /// It is denied.
    Deny,
}

/// What an argument of some tools must be like. Every key that is set must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Rule {
    /// The tools, as `server/tool`.
    pub tools: Many,
    /// The argument; `options.sql` is one inside another.
    pub argument: String,
    /// Whether a call without the argument is refused.
    pub required: bool,
    /// `true`: the argument must be a single statement of SQL that only reads. `false`: SQL may do anything here.
    pub read_only_sql: Option<bool>,
    /// Functions that only read, besides those that every database has. With `read_only_sql = true`.
    pub functions: Vec<String>,
    /// The values that the argument may have.
    pub one_of: Option<Vec<String>>,
    /// How the argument must begin. A directory or a URL stands for what is below it.
    pub prefix: Many,
    /// Globs that the argument must match one of: `*` stands for any characters but `/`, `**` for any, `?` for one.
    pub matches: Many,
    /// The most characters that the argument may have.
    pub max_length: Option<usize>,
    /// What happens to a call that breaks the rule.
    pub otherwise: Verdict,
}

/// A text, or a list of texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a text or a list of texts")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Many {
    /// A text.
    One(String),
    /// A list of texts.
    List(Vec<String>),
}

impl Many {
    /// Returns the texts.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Many::One(text) => std::slice::from_ref(text),
            Many::List(texts) => texts,
        }
    }
}

impl Default for Many {
    fn default() -> Self {
        Many::List(Vec::new())
    }
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            tools: Many::default(),
            argument: String::new(),
            required: true,
            read_only_sql: None,
            functions: Vec::new(),
            one_of: None,
            prefix: Many::default(),
            matches: Many::default(),
            max_length: None,
            otherwise: Verdict::Deny,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let sql = [
            "sql",
            "query",
            "queries",
            "statement",
            "statements",
            "sql_query",
            "sql_queries",
            "sql_statement",
            "sql_text",
            "raw_sql",
            "raw_query",
            "query_text",
            "query_string",
            "ddl",
            "dml",
            "stmt",
            "raw",
            "cql",
            "cypher",
            "cypher_query",
            "command_text",
            "sql_command",
            "sql_script",
            "sql_list",
        ];
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            allow: Vec::new(),
            ask: Vec::new(),
            deny: Vec::new(),
            default: Verdict::Ask,
            rules: Vec::new(),
            destructive_sql: Verdict::Deny,
            sql_arguments: sql.map(str::to_owned).to_vec(),
        }
    }
}

impl Settings {
    /// Returns the settings that all policies share.
    #[must_use]
    pub fn common(&self) -> Common {
        Common { mode: self.mode, message: self.message.clone(), unknown: self.unknown }
    }
}
