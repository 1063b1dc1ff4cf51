//! The names of servers and tools, and patterns for them.

use crate::text::is_glob;
use hookbox_sdk::Error;

/// Words of the names of databases that speak SQL, besides those that have `sql` in them.
#[rustfmt::skip] // Many words to a line.
const DATABASES: &[&str] = &[
    "alloydb", "athena", "bigquery", "clickhouse", "cockroach", "cockroachdb", "databricks", "db2", "dbhub", "doris",
    "dremio", "duckdb", "firebird", "greenplum", "h2", "hana", "hive", "hsqldb", "impala", "informix", "mariadb",
    "motherduck", "neon", "oracle", "pg", "planetscale", "postgres", "presto", "questdb", "redshift", "singlestore",
    "snowflake", "spanner", "spark", "sqlcl", "starrocks", "supabase", "sybase", "tdengine", "teradata", "tidb",
    "timescale", "timescaledb", "trino", "turso", "vertica", "yugabyte",
];

/// Words of the names of tools that have to do with a database, whichever it is.
const DATABASE_WORDS: &[&str] =
    &["cassandra", "cql", "database", "databases", "db", "influxdb", "migration", "migrations", "query", "warehouse"];

/// Words of the names of tools whose arguments are questions and answers of people.
const ASKING: &[&str] = &["ask", "chat", "doc", "docs", "documentation", "explain", "feedback", "help", "summarize"];

/// Words of the names of databases that read `$tag$ … $tag$` as a string, as PostgreSQL does.
#[rustfmt::skip] // Many words to a line.
const POSTGRES: &[&str] = &[
    "alloydb", "cockroach", "cockroachdb", "duckdb", "greenplum", "motherduck", "neon", "pg", "postgres", "postgresql",
    "psql", "redshift", "supabase", "timescale", "timescaledb", "yugabyte",
];

/// Words of the names of databases that read a backslash in a string as an escape, as MySQL does.
const MYSQL: &[&str] = &["mariadb", "mysql"];

/// Words of the names of Oracle and of its clients, which read `q'[ … ]'` as a string.
const ORACLE: &[&str] = &["oracle", "oracledb", "plsql", "sqlcl", "sqlplus"];

/// Words of the names of clients of databases, which have commands of their own.
#[rustfmt::skip] // Many words to a line.
const CLIENTS: &[&str] = &[
    "beeline", "cli", "client", "console", "isql", "mysqlsh", "psql", "script", "scripts", "shell", "sqlcl", "sqlcmd",
    "sqlite3", "sqlplus", "terminal",
];

/// Words of the names of tools that edit or search texts.
#[rustfmt::skip] // Many words to a line.
const EDITING: &[&str] = &[
    "edit", "edits", "find", "glob", "grep", "patch", "refactor", "regex", "replace", "rewrite", "rg", "ripgrep",
    "search", "sed", "substitute",
];

/// Words of the names of tools that search the web.
#[rustfmt::skip] // Many words to a line.
const WEB: &[&str] = &[
    "bing", "brave", "ddg", "duckduckgo", "exa", "firecrawl", "google", "internet", "jina", "kagi", "linkup",
    "perplexity", "searxng", "serpapi", "serper", "tavily", "web", "websearch",
];

/// The maximum number of readings of one name.
const MAX_READINGS: usize = 64;

/// One way to split a tool's name into server and tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The server, or `None` if it may be any server.
    server: Option<String>,
    tool: String,
}

impl Reading {
    /// Returns the words of the server and of the tool.
    fn words(&self) -> Vec<String> {
        let mut all = self.server.as_deref().map(words).unwrap_or_default();
        all.extend(words(&self.tool));
        all
    }
}

/// The name of a tool as the agent writes it, with all servers that it may belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    readings: Vec<Reading>,
    /// The name for use in reasons.
    pub(crate) shown: String,
}

impl Name {
    /// Creates a name from the facts `server` and `tool`, and from the agent's spelling of the name.
    pub(crate) fn new(server: Option<&str>, tool: &str, spelled: &str) -> Self {
        let shown = server.map_or_else(|| tool.to_owned(), |server| format!("{server}/{tool}"));
        let shown = shown.chars().filter(|c| !c.is_control() && *c != '`').take(100).collect();
        Name { readings: readings(server, tool, spelled), shown }
    }

    /// Whether the tool's server is known.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.readings.as_slice(), [Reading { server: Some(_), .. }])
    }

    /// Whether the name says that the tool searches for words.
    pub(crate) fn searches(&self) -> bool {
        let is_search = |reading: &Reading| reading.tool.to_ascii_lowercase().contains("search");
        !self.readings.is_empty() && self.readings.iter().all(is_search)
    }

    /// Whether the name surely says that the tool searches the web, and nothing of a database.
    pub(crate) fn searches_web(&self) -> bool {
        let is_one = |reading: &Reading| reading.words().iter().any(|word| WEB.contains(&word.as_str()));
        self.searches() && self.readings.iter().all(is_one) && !self.is_of_database()
    }

    /// Whether the tool may run its arguments as SQL, judging by its name: `execute_sql`, or any tool of `postgres` but
    /// those that search, or that answer questions.
    pub(crate) fn runs_sql(&self) -> bool {
        let runs = |reading: &Reading| {
            let tool = words(&reading.tool);
            let is_asked = tool.iter().any(|word| ASKING.contains(&word.as_str()));
            let is_database = |server: &String| words(server).iter().any(|word| speaks_sql(word));
            let is_server = reading.server.as_ref().is_some_and(is_database);
            !is_asked && !self.searches() && (is_server || tool.iter().any(|word| word.contains("sql")))
        };
        self.readings.iter().any(runs)
    }

    /// Whether a name of a tool or of an argument says that it is for a client of a database, or for its scripts.
    pub(crate) fn is_of_client(&self, key: &str) -> bool {
        let is_one = |words: Vec<String>| words.iter().any(|word| CLIENTS.contains(&word.as_str()));
        self.runs_sql() && (is_one(words(key)) || self.readings.iter().any(|reading| is_one(reading.words())))
    }

    /// Whether the name of the server or of the tool says that it has to do with a database.
    pub(crate) fn is_of_database(&self) -> bool {
        let is_one = |word: &String| speaks_sql(word) || DATABASE_WORDS.contains(&word.as_str());
        self.readings.iter().any(|reading| reading.words().iter().any(is_one))
    }

    /// Whether the name surely says that the tool belongs to a database with the dollar-quoted strings of PostgreSQL.
    pub(crate) fn is_of_postgres(&self) -> bool {
        self.is_surely_of(POSTGRES)
    }

    /// Whether the name surely says that the tool belongs to a database that reads backslashes as MySQL does.
    pub(crate) fn is_of_mysql(&self) -> bool {
        self.is_surely_of(MYSQL)
    }

    /// Whether the name surely says that the tool belongs to Oracle.
    pub(crate) fn is_of_oracle(&self) -> bool {
        self.is_surely_of(ORACLE)
    }

    /// Whether the name has one of these words of databases, and no word of others.
    fn is_surely_of(&self, databases: &[&str]) -> bool {
        let is_one = |reading: &Reading| {
            let words = reading.words();
            let is_named = words.iter().any(|word| databases.contains(&word.as_str()));
            let is_other = |word: &str| speaks_sql(word) && word != "sql" && !databases.contains(&word);
            is_named && !words.iter().any(|word| is_other(word))
        };
        !self.readings.is_empty() && self.readings.iter().all(is_one)
    }

    /// Whether the name says that the tool edits or searches texts.
    pub(crate) fn edits(&self) -> bool {
        let is_one = |reading: &Reading| words(&reading.tool).iter().any(|word| EDITING.contains(&word.as_str()));
        !self.readings.is_empty() && self.readings.iter().all(is_one)
    }

    /// Whether every reading matches one of these patterns.
    pub(crate) fn is_surely(&self, patterns: &[Pattern]) -> bool {
        let is_one = |reading: &Reading| patterns.iter().any(|pattern| pattern.fits(reading, false) == Fit::Yes);
        !self.readings.is_empty() && self.readings.iter().all(is_one)
    }

    /// Returns how well the best reading matches one of these patterns, and which pattern it matches.
    pub(crate) fn may_be<'p>(&self, patterns: &'p [Pattern]) -> (Fit, Option<&'p Pattern>) {
        let mut maybe = None;
        for pattern in patterns {
            for reading in &self.readings {
                match pattern.fits(reading, true) {
                    Fit::Yes => return (Fit::Yes, Some(pattern)),
                    Fit::Maybe => maybe = maybe.or(Some(pattern)),
                    Fit::No => {}
                }
            }
        }
        if maybe.is_some() { (Fit::Maybe, maybe) } else { (Fit::No, None) }
    }
}

fn readings(server: Option<&str>, tool: &str, spelled: &str) -> Vec<Reading> {
    let one = |server: Option<&str>, tool: &str| Reading { server: server.map(str::to_owned), tool: tool.to_owned() };
    let (joined, separator) = match server {
        Some(server) => {
            // The names of both the server and the tool may contain the separator.
            let is_joined = |separator: &str, prefix: &str| {
                let joined = format!("{server}{separator}{tool}");
                (spelled.strip_prefix(prefix) == Some(joined.as_str())).then_some(joined)
            };
            let joined = is_joined("-", "").filter(|_| tool.contains('-')).map(|joined| (joined, "-"));
            let joined = joined.or_else(|| Some((is_joined("__", "").filter(|_| tool.contains("__"))?, "__")));
            let is_plugin = server.starts_with("plugin_") && server.contains("__");
            let joined = joined.or_else(|| Some((is_joined("__", "mcp__").filter(|_| is_plugin)?, "__")));
            match joined {
                Some(joined) => joined,
                None => return vec![one(Some(server), tool)],
            }
        }
        None if spelled.starts_with("MCP:") => return vec![one(None, tool)],
        None => (tool.to_owned(), if spelled.starts_with("mcp__") { "__" } else { "_" }),
    };
    let mut readings = Vec::new();
    for (at, _) in joined.char_indices() {
        let Some((server, rest)) = joined.split_at_checked(at) else { continue };
        if let Some(tool) = rest.strip_prefix(separator)
            && !server.is_empty()
            && !tool.is_empty()
        {
            readings.push(one(Some(server), tool));
        }
    }
    // The server is not known.
    if readings.is_empty() || readings.len() > MAX_READINGS { vec![one(None, &joined)] } else { readings }
}

/// The result of matching a name against a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    No,
    /// The name matches if the server is the right one.
    Maybe,
    Yes,
}

/// A pattern for tools: `server/tool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    server: String,
    tool: String,
    /// The pattern as written.
    pub(crate) text: String,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Result<Self, Error> {
        let parts = text.trim().rsplit_once('/').filter(|(server, tool)| !server.is_empty() && !tool.is_empty());
        let Some((server, tool)) = parts else {
            let name = text.trim_matches('/');
            let advice = if name.is_empty() { "*/*".to_owned() } else { format!("{name}/*") };
            return Err(Error::new(format!("`{text}` is not a pattern of a server and a tool; write `{advice}`")));
        };
        Ok(Pattern { server: server.to_owned(), tool: tool.to_owned(), text: text.to_owned() })
    }

    pub(crate) fn list(texts: &[String]) -> Result<Vec<Self>, Error> {
        texts.iter().map(|text| Self::new(text)).collect()
    }

    /// Matches one reading of a name. `loosely` ignores case, the difference between `-` and `_`, and the plugin that
    /// provides the server, so that no other spelling evades a refusal.
    fn fits(&self, reading: &Reading, loosely: bool) -> Fit {
        let is = |pattern: &str, name: &str| match loosely {
            true => is_glob(&fold(pattern), &fold(name)),
            false => is_glob(pattern, name),
        };
        if !is(&self.tool, &reading.tool) {
            return Fit::No;
        }
        let Some(server) = &reading.server else {
            return if self.server.chars().all(|c| c == '*') { Fit::Yes } else { Fit::Maybe };
        };
        let of_plugin = || {
            let rest = server.strip_prefix("plugin_").filter(|_| loosely)?;
            rest.match_indices('_').find(|(at, _)| rest.get(at + 1..).is_some_and(|name| is(&self.server, name)))
        };
        if is(&self.server, server) || of_plugin().is_some() { Fit::Yes } else { Fit::No }
    }
}

/// Returns the words of a name in lower case: `getIssue` and `get-issue` are `get` and `issue`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let is_new = !c.is_alphanumeric() || c.is_uppercase() && was_lower;
        if is_new {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word of a name says that something is a database that speaks SQL.
pub(crate) fn speaks_sql(word: &str) -> bool {
    word.contains("sql") || DATABASES.contains(&word)
}

fn fold(name: &str) -> String {
    let one = |c: char| if matches!(c, '-' | ' ' | '.') { '_' } else { c };
    name.chars().map(one).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(server: Option<&str>, tool: &str, spelled: &str) -> Vec<String> {
        let text = |reading: &Reading| format!("{}/{}", reading.server.as_deref().unwrap_or("?"), reading.tool);
        Name::new(server, tool, spelled).readings.iter().map(text).collect()
    }

    #[test]
    fn a_name_has_all_its_readings() {
        assert_eq!(name(Some("github"), "get_issue", "mcp__github__get_issue"), ["github/get_issue"]);
        assert_eq!(name(None, "a__b__c", "mcp__a__b__c"), ["a/b__c", "a__b/c"]);
        assert_eq!(name(None, "a___b", "mcp__a___b"), ["a/_b", "a_/b"]);
        assert_eq!(name(None, "a_b_c", "mcp_a_b_c"), ["a/b_c", "a_b/c"]);
        assert_eq!(name(None, "run_it", "MCP:run_it"), ["?/run_it"]);
        assert_eq!(name(None, "run", "mcp__run"), ["?/run"]);
        assert_eq!(name(Some("my"), "db-query", "my-db-query"), ["my/db-query", "my-db/query"]);
        assert_eq!(name(Some("my"), "query", "my-query"), ["my/query"]);
        assert_eq!(name(Some("my"), "a__b", "my__a__b"), ["my/a__b", "my__a/b"]);
        assert_eq!(name(Some("x"), "a-b", "x/a-b"), ["x/a-b"]);
        assert_eq!(name(Some("plugin_a__b"), "c", "mcp__plugin_a__b__c"), ["plugin_a/b__c", "plugin_a__b/c"]);
    }

    #[test]
    fn names_have_words() {
        assert_eq!(words("getIssue_by-id"), ["get", "issue", "by", "id"]);
        assert_eq!(words("SQL"), ["sql"]);
        assert_eq!(words("db2Query"), ["db2", "query"]);
        assert!(words("_").is_empty());
    }

    #[test]
    fn some_names_say_that_a_tool_runs_sql() {
        let name = |server: &str, tool: &str| Name::new(Some(server), tool, "");
        assert!(name("x", "execute_sql").runs_sql());
        assert!(name("my-postgres", "query").runs_sql());
        assert!(!name("my-postgres", "search_docs").runs_sql());
        assert!(!name("x", "query").runs_sql());
        assert!(name("x", "query").is_of_database());
        assert!(name("shop_db", "run").is_of_database());
        assert!(!name("browser", "click").is_of_database());
        assert!(name("my-postgres", "run_sql").is_of_postgres());
        assert!(!name("my-sqlite", "run_sql").is_of_postgres());
        assert!(!name("postgres", "mysql_query").is_of_postgres());
        assert!(!name("db", "run_sql").is_of_postgres());
        assert!(name("mysql", "mysql_query").is_of_mysql());
        assert!(name("my-mariadb", "execute_sql").is_of_mysql());
        assert!(!name("postgres", "mysql_query").is_of_mysql());
        assert!(!name("db", "run_sql").is_of_mysql());
        assert!(name("oracle", "sqlplus_run").is_of_oracle());
        assert!(!name("oracle", "mysql_query").is_of_oracle());
        assert!(!name("db", "run_sql").is_of_oracle());
        assert!(name("brave-search", "brave_web_search").searches_web());
        assert!(name("tavily", "search").searches_web());
        assert!(!name("web_db", "search").searches_web());
        assert!(!name("lake", "search").searches_web());
        assert!(!name("web", "run").searches_web());
        assert!(name("x", "replaceRegex").edits());
        assert!(!name("search", "run").edits());
    }

    #[test]
    fn refusals_are_loose_and_permissions_are_not() {
        let patterns = Pattern::list(&["github/delete_*".to_owned()]).unwrap_or_default();
        let fit = |server, tool: &str| Name::new(server, tool, "").may_be(&patterns).0;
        assert_eq!(fit(Some("GitHub"), "delete_repo"), Fit::Yes);
        assert_eq!(fit(Some("github"), "Delete-Repo"), Fit::Yes);
        assert_eq!(fit(Some("plugin_tools_github"), "delete_repo"), Fit::Yes);
        assert_eq!(fit(Some("github2"), "delete_repo"), Fit::No);
        assert_eq!(Name::new(None, "delete_repo", "MCP:delete_repo").may_be(&patterns).0, Fit::Maybe);
        assert!(Name::new(Some("github"), "delete_x", "").is_surely(&patterns));
        assert!(!Name::new(Some("GitHub"), "delete_x", "").is_surely(&patterns));
        assert!(!Name::new(None, "github_delete_x", "mcp_github_delete_x").is_surely(&patterns));
    }
}
