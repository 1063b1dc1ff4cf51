//! Judges calls of MCP tools by server, tool and arguments.
//!
//! A tool's name says nothing about what it does: `get_weather` may delete files. Therefore the policy asks about
//! unlisted tools, even if a name sounds as if the tool only reads.

mod argument;
mod name;
mod rule;
mod settings;
#[cfg(test)]
mod tests;
mod text;

use argument::{Value, same_key};
use hookbox_policy::Findings;
use hookbox_policy::sql::{
    Damage, destructive, destructive_in_client, destructive_in_mysql, destructive_in_oracle, destructive_in_postgres,
    is_statement,
};
use hookbox_sdk::{Action, Error, Event, Input, Json, Tool, ToolKind, hook};
use name::{Fit, Name, Pattern, speaks_sql, words};
use rule::Rule;
pub use settings::{Many, Rule as RuleSettings, Settings, Verdict};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The name that reasons begin with.
const NAME: &str = "mcp-guard";

/// The arguments of a tool that calls the tools of all servers, as agents name them.
const SERVER: &[&str] = &["server_name", "server", "mcp_server"];
const TOOL: &[&str] = &["tool_name", "tool", "mcp_tool"];
const INNER: &[&str] = &["arguments", "args", "tool_input", "input", "parameters", "params"];

/// The number of times that texts in arguments are decoded.
const MAX_LEVELS: usize = 8;

/// Arguments whose texts are for people. People also write about SQL.
const PROSE: &[&str] = &[
    "body",
    "message",
    "comment",
    "description",
    "title",
    "prompt",
    "note",
    "summary",
    "content",
    "subject",
    "element",
    "label",
];

/// Arguments whose texts are names and labels, by the last word of the argument's name.
const LABELS: &[&str] = &[
    "caption",
    "description",
    "element",
    "heading",
    "label",
    "name",
    "placeholder",
    "subject",
    "summary",
    "title",
    "tooltip",
];

/// Words of the names of arguments that hold SQL and nothing else, unless the last word is another.
const SQL_WORDS: &[&str] =
    &["cql", "ddl", "dml", "hql", "plsql", "sql", "sqlcl", "statement", "statements", "stmt", "stmts"];
const NO_SQL_WORDS: &[&str] = &["dialect", "id", "label", "mode", "name", "title", "type"];

/// Arguments of the query language of Elasticsearch, each with the fields of documents and the words to find in them.
const COMPARED: &[&str] = &[
    "match",
    "match_phrase",
    "match_phrase_prefix",
    "match_bool_prefix",
    "multi_match",
    "query_string",
    "simple_query_string",
    "term",
    "terms",
    "prefix",
    "wildcard",
    "fuzzy",
    "regexp",
];

/// Arguments that hold the words that a tool searches for. A name proves nothing, so that SQL in them is asked about.
const SEARCHED: &[&str] =
    &["q", "query", "queries", "search", "search_query", "naturalLanguageQuery", "question", "keywords", "text"];

/// Words of what people ask a search engine about statements, and words of statements that those do not have.
const ASKED: &[&str] = &[
    "vs",
    "versus",
    "difference",
    "differences",
    "how",
    "what",
    "why",
    "which",
    "syntax",
    "tutorial",
    "explained",
    "meaning",
];
const CLAUSES: &[&str] = &["where", "using", "returning", "output", "set", "order", "limit"];

/// Arguments whose texts go into a file, or are searched for in it, by the names that file servers use.
const EDITS: &[&str] =
    &["old_text", "new_text", "old_str", "new_str", "old_string", "new_string", "file_text", "edit_text"];

/// Arguments that are patterns, or texts in place of what they match, if the tool's name says that it edits or searches
/// texts.
#[rustfmt::skip] // Many words to a line.
const PATTERNS: &[&str] = &[
    "regex", "regexp", "regex_pattern", "pattern", "patterns", "substring_pattern", "exclude_pattern", "glob", "needle",
    "find", "search", "search_text", "search_str", "search_string", "search_regex", "find_text", "replace", "repl",
    "replacement", "replace_with", "replace_text", "replace_str", "replacement_text", "substitute", "old", "new",
    "old_code", "new_code", "old_content", "new_content", "old_value", "new_value", "old_lines", "new_lines",
];

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call, or if the settings are invalid.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    let guard = Guard::new(&input.settings)?;
    if input.event != Event::PreTool {
        return Ok(Action::allow());
    }
    let tool = input.facts()?;
    let mut found = Findings::default();
    match input.tool_input.as_ref().map(Json::to::<Value>).transpose() {
        Ok(arguments) => {
            let arguments = arguments.unwrap_or(Value::Object(Vec::new()));
            let (names, arguments) = call(&tool, input, arguments);
            for name in &names {
                guard.lists(name, &mut found);
                guard.arguments(name, &arguments, &mut found);
            }
        }
        Err(_) if tool.kind == ToolKind::Mcp => found.unknown("the arguments of the call cannot be read"),
        Err(_) => {}
    }
    Ok(found.action(NAME, &input.settings.common()).unwrap_or_default())
}

/// Returns the tool of a server that is called, and its arguments. Returns several tools if only the tool that calls
/// them knows which of its own arguments names the one that it means.
fn call(tool: &Tool, input: &Input<Settings>, arguments: Value) -> (Vec<Name>, Value) {
    let spelled = input.tool_name.as_deref().unwrap_or_default();
    match tool.kind {
        ToolKind::Mcp => {
            let name = Name::new(tool.server.as_deref(), tool.tool.as_deref().unwrap_or(spelled), spelled);
            (vec![name], arguments)
        }
        // This tool calls the tools of all servers.
        ToolKind::Other => {
            let tools: Vec<&str> = arguments.texts(TOOL).collect();
            let named = |server| tools.iter().map(move |tool| Name::new(Some(server), tool, ""));
            let names = arguments.texts(SERVER).flat_map(named).collect();
            let inner = arguments.members(INNER).map(|inner| inner.parsed().unwrap_or_else(|| inner.clone()));
            (names, Value::List(inner.collect()))
        }
        _ => (Vec::new(), arguments),
    }
}

/// The parsed settings.
struct Guard<'s> {
    settings: &'s Settings,
    allow: Vec<Pattern>,
    ask: Vec<Pattern>,
    deny: Vec<Pattern>,
    rules: Vec<Rule<'s>>,
}

impl<'s> Guard<'s> {
    fn new(settings: &'s Settings) -> Result<Self, Error> {
        Ok(Guard {
            settings,
            allow: Pattern::list(&settings.allow)?,
            ask: Pattern::list(&settings.ask)?,
            deny: Pattern::list(&settings.deny)?,
            rules: settings.rules.iter().map(Rule::new).collect::<Result<_, _>>()?,
        })
    }

    /// Applies the lists to a tool.
    fn lists(&self, name: &Name, found: &mut Findings) {
        let shown = &name.shown;
        match name.may_be(&self.deny) {
            (Fit::Yes, Some(pattern)) => {
                return found.deny(format!("`{shown}` is denied by `{}` in `deny`; use another tool", pattern.text));
            }
            (_, Some(pattern)) => found.unknown(format!(
                "`{shown}` is denied if it belongs to the server of `{}`, which the agent does not tell",
                pattern.text
            )),
            _ => {}
        }
        if let (_, Some(pattern)) = name.may_be(&self.ask) {
            return found.ask(format!("`{shown}` is in `ask`, as `{}`; is that meant?", pattern.text));
        }
        if name.is_surely(&self.allow) {
            return;
        }
        let advice = "list the tools that you trust in `allow`, as `server/tool`";
        match self.settings.default {
            Verdict::Deny => found.deny(format!("no list names `{shown}`; {advice}")),
            Verdict::Ask => found.ask(format!("no list names `{shown}`; {advice}")),
            Verdict::Allow => {}
        }
        if !name.is_certain() {
            found.unknown(format!("`{shown}` does not tell for certain which server it belongs to"));
        }
    }

    /// Judges the arguments of a call.
    fn arguments(&self, name: &Name, arguments: &Value, found: &mut Findings) {
        for rule in &self.rules {
            rule.check(name, arguments, found);
        }
        self.sql(name, arguments, found);
        // A text may contain an encoded object, whose texts may contain others.
        let mut values = arguments.decoded();
        for _ in 0..MAX_LEVELS {
            values.iter().for_each(|value| self.sql(name, value, found));
            values = values.iter().flat_map(Value::decoded).collect();
        }
        if !values.is_empty() {
            found.unknown(format!("the arguments of `{}` are encoded more often than is read", name.shown));
        }
    }

    /// Judges SQL that destroys something, in any argument.
    fn sql(&self, name: &Name, arguments: &Value, found: &mut Findings) {
        let verdict = self.settings.destructive_sql;
        if verdict == Verdict::Allow {
            return;
        }
        let compares = name.searches() && !name.is_of_database();
        let pruned = compares.then(|| arguments.without(COMPARED));
        let texts = self.texts(name, pruned.as_ref().unwrap_or(arguments));
        if texts.is_empty() {
            return;
        }
        let damage_of: fn(&str) -> Option<Damage> = match () {
            () if name.is_of_postgres() => destructive_in_postgres,
            () if name.is_of_mysql() => destructive_in_mysql,
            () if name.is_of_oracle() => destructive_in_oracle,
            () => destructive,
        };
        for (key, text, is_sql) in texts {
            if self.rules.iter().any(|rule| rule.frees(name, key)) {
                continue;
            }
            // In prose, `truncate text` is not a statement, but in SQL it is.
            let text: Cow<'_, str> = if is_sql { Cow::Owned(format!("{text}\n;")) } else { Cow::Borrowed(text) };
            let of_client = || name.is_of_client(key).then(|| destructive_in_client(&text, damage_of)).flatten();
            let Some(damage) = damage_of(&text).or_else(of_client) else { continue };
            let reason =
                format!("the SQL in `{}` of `{}` {}; let the user run it", rule::plain(key), name.shown, damage.what);
            match verdict {
                Verdict::Deny if damage.is_certain && !is_searched(name, key) => found.deny(reason),
                _ => found.ask(reason),
            }
        }
    }

    /// Returns the texts that a server may run as SQL, each with its key and whether it is SQL for certain.
    fn texts<'v>(&self, name: &Name, arguments: &'v Value) -> Vec<(&'v str, &'v str, bool)> {
        let (is_of_database, runs_sql) = (name.is_of_database(), name.runs_sql());
        // A tool of a database may run any of its arguments.
        let edits = name.edits() && !is_of_database;
        let is_one = |names: &[&str], key: &str| names.iter().any(|other| same_key(other, key));
        let is_prose = |key: &str| PROSE.iter().any(|other| key.eq_ignore_ascii_case(other)) || is_one(EDITS, key);
        let is_pattern = |key: &str| edits && is_one(PATTERNS, key) && !is_searched(name, key);
        let (mut named, mut all) = (Vec::new(), Vec::new());
        arguments.named(&self.settings.sql_arguments, &mut named);
        arguments.keyed("", &mut all);
        let known: BTreeSet<*const u8> = named.iter().map(|(_, text)| text.as_ptr()).collect();
        // In arguments with other names, a text counts as SQL only if it is a statement from its first word on, or if a
        // word of the name says so.
        let others = all
            .into_iter()
            .filter(|(key, text)| is_of_sql(key) || is_statement(text) || runs_sql && name.is_of_client(key))
            .filter(|(_, text)| !known.contains(&text.as_ptr()))
            .filter(|(key, _)| !is_prose(key) && !is_pattern(key))
            .filter(|(key, text)| is_of_database || !is_label(key, text))
            .map(|(key, text)| (key, text, is_of_sql(key)));
        let named = named.into_iter().map(|(key, text)| (key, text, is_of_sql(key) || runs_sql));
        let is_asked = |key: &str, text: &str| is_searched(name, key) && name.searches_web() && is_question(text);
        named.chain(others).filter(|(key, text, is_sql)| *is_sql || !is_asked(key, text)).collect()
    }
}

/// Whether an argument holds the words that a tool searches for.
fn is_searched(name: &Name, key: &str) -> bool {
    name.searches() && SEARCHED.iter().any(|other| key.eq_ignore_ascii_case(other))
}

/// Whether a text is a name or a label, rather than a statement: words of prose under a key such as `buttonLabel`.
fn is_label(key: &str, text: &str) -> bool {
    let is_key = words(key).last().is_some_and(|last| LABELS.contains(&last.as_str()));
    let is_word = |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '.' | ',' | '!' | '?' | '&');
    let first = text.split_whitespace().next().unwrap_or_default();
    is_key && text.chars().all(is_word) && first.contains(char::is_lowercase)
}

/// Whether words for a search engine are surely a question, which only begins like a statement: `truncate vs delete`,
/// `drop database postgres force`.
fn is_question(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '?'));
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let is_one = |word: &str, list: &[&str]| list.iter().any(|other| word.eq_ignore_ascii_case(other));
    // The last word of a statement may be any, as an alias.
    let Some((_, others)) = words.split_last() else { return false };
    let asks = others.iter().any(|word| is_one(word, ASKED));
    let is_quiet = !text.contains(char::is_uppercase);
    let names_database = is_quiet && words.len() > 3 && words.iter().any(|word| speaks_sql(word));
    words.iter().all(is_word) && !words.iter().any(|word| is_one(word, CLAUSES)) && (asks || names_database)
}

/// Whether the name of an argument says that it holds SQL and nothing else.
fn is_of_sql(key: &str) -> bool {
    let words = words(key);
    let is_one = |words: &[&str], word: &String| words.contains(&word.as_str());
    words.iter().any(|word| is_one(SQL_WORDS, word)) && !words.last().is_some_and(|last| is_one(NO_SQL_WORDS, last))
}
