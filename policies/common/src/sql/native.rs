//! Statements that load libraries into the server, or define functions in languages that may do anything.

use super::destructive::{Damage, Statements, doubt};
use super::lexer::{Kind, Token};
use super::words::{COMPUTING, LANGUAGES, LIBRARIES, LIBRARY_PLACES, LOADING, PLUGINS, REFLECTING};

/// The maximum number of tokens of the definition of a function that are read.
const MAX_STATEMENT: usize = 256;

/// The maximum number of tokens of the value of a setting that are read.
const MAX_VALUE: usize = 32;

impl Statements<'_, '_> {
    /// Judges languages in which functions may do anything, such as `plpython3u` and `plperlu`, and libraries that the
    /// server loads.
    pub(super) fn untrusted(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let name = token.text.to_ascii_lowercase();
        let is_before = |words: &[&str]| at.checked_sub(1).is_some_and(|before| self.is(before, words));
        let is_untrusted = name.starts_with("pl") && name.ends_with('u') || LANGUAGES.contains(&name.as_str());
        let is_java = name == "java" && self.is(first, &["create"]) && is_before(&["language"]);
        let is_language = is_untrusted && is_before(&["extension", "language", "exists"]);
        if is_language || is_java && !self.is_sandboxed(first) {
            return doubt(format!("lets SQL run programs on the server by `{name}`"));
        }
        // This is `CREATE PROCEDURE p() AS 'x.sh' LANGUAGE 'external'` of Vertica.
        if name == "external" && is_before(&["language"]) && self.is(first, &["create"]) {
            return doubt("lets SQL run programs on the server".to_owned());
        }
        let is_c = matches!(name.as_str(), "c" | "internal") && is_before(&["language"]) && self.is(first, &["create"]);
        let is_text = |at: usize| self.get(at).is_some_and(|token| token.kind == Kind::Text);
        // These are `SONAME 'f.so'` of MySQL and `MODULE_NAME 'f'` of Firebird.
        let is_library = matches!(name.as_str(), "soname" | "module_name") && is_text(at + 1);
        let is_called = LOADING.contains(&name.as_str()) && self.is_mark(at + 1, "(");
        let is_loaded = self.is_loaded(at, first) || self.is_created(at, first) || self.is_set(at, first);
        if is_c || is_library || is_called || is_loaded {
            return doubt("loads a library into the server".to_owned());
        }
        if let Some(damage) = self.escapes(at, first) {
            return Some(damage);
        }
        // This is `reflect('java.lang.Runtime', …)` of Hive and Spark.
        let is_computing = |class: &Token| COMPUTING.contains(&class.text);
        if REFLECTING.contains(&name.as_str()) && self.is_mark(at + 1, "(") && is_text(at + 2) {
            let is_harmless = self.get(at + 2).is_some_and(is_computing);
            return if is_harmless { None } else { doubt("calls a method of Java".to_owned()) };
        }
        // A table or an object that is found by JNDI may be code of another machine.
        if name.starts_with("javax.naming.") && self.is(first, &["create", "call", "select"]) {
            return doubt("loads code from another machine".to_owned());
        }
        None
    }

    /// Whether a statement loads a library that exists.
    fn is_loaded(&self, at: usize, first: usize) -> bool {
        let Some(token) = self.get(at) else { return false };
        let text = |at: usize| self.get(at).filter(|token| token.is_string()).map(|token| token.text);
        let is_path = |text: &str| text.contains(['/', '\\']) && !text.starts_with("$libdir");
        if at == first {
            // These are `LOAD '/x.so'` of PostgreSQL, and `INSTALL '/x.duckdb_extension'` and `INSTALL x FROM
            // 'http://…'` of DuckDB.
            if token.is_any(&["load", "install"]) && text(at + 1).is_some_and(is_path)
                || token.is("install") && self.is(at + 2, &["from"]) && text(at + 3).is_some_and(is_path)
            {
                return true;
            }
            // This is `INSTALL COMPONENT 'file://component_x'` of MySQL.
            if token.is("install") && self.is(at + 1, &["component"]) {
                return text(at + 2).is_some();
            }
            // These are `ADD JAR /x.jar` and `ADD JAR 's3://b/x.jar'` of Hive, Spark and Flink. In prose, no path
            // follows.
            if token.is("add") && self.is(at + 1, &["jar", "jars"]) {
                let is_start = ["/", ".", "~", "$"].iter().any(|mark| self.is_mark(at + 2, mark));
                return is_start || self.is_mark(at + 3, ":") || text(at + 2).is_some();
            }
        }
        // This is `CREATE FUNCTION f AS 'c' USING JAR 's3://b/x.jar'`.
        token.is("using") && self.is(at + 1, &["jar", "jars", "file", "archive"]) && text(at + 2).is_some()
    }

    /// Whether a setting makes the server load a library from a place that is not its own: `ALTER SYSTEM SET
    /// session_preload_libraries = '/x.so'`, `SELECT set_config('dynamic_library_path', '/tmp', false)`.
    fn is_set(&self, at: usize, first: usize) -> bool {
        let Some(token) = self.get(at) else { return false };
        let name = token.text.trim_start_matches('@');
        let is_one = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        let is_plugin = is_one(PLUGINS);
        if !is_plugin && !is_one(LIBRARY_PLACES) {
            return false;
        }
        // The name of an argument may come between: `set_config(setting_name => 'x', …)`.
        let is_argument = (at.saturating_sub(5)..at).any(|at| self.is(at, &["set_config"]));
        let is_assigned = self.is_mark(at + 1, "=") || self.is_mark(at + 1, ":") || self.is(at + 1, &["to"]);
        // In these, it is a column.
        let is_column = self.is(first, &["update", "insert", "select"]);
        if !is_argument && (!is_assigned || is_column) {
            return false;
        }
        let value = (at + 1..at + MAX_VALUE).take_while(|at| !self.is_mark(*at, ";")).filter_map(|at| self.get(at));
        let mut texts = value.filter(|token| matches!(token.kind, Kind::Text | Kind::Quoted)).map(Token::value);
        // What the server's own directory has is not new: `'pg_stat_statements'`, `'$libdir/x'`.
        let is_elsewhere = |place: &str| {
            let place = place.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
            place.contains(['/', '\\']) && (!place.starts_with("$libdir") || place.contains(".."))
        };
        texts.any(|text| is_plugin && !text.trim().is_empty() || text.split([',', ':', ';']).any(is_elsewhere))
    }

    /// Whether a statement creates a library, or an object whose code is in one.
    fn is_created(&self, at: usize, first: usize) -> bool {
        let (Some(token), Some(subject)) = (self.get(at), self.subject(first)) else { return false };
        // This is `CREATE FUNCTION f … EXTERNAL NAME a.c.m`.
        if token.is("external") && self.is(at + 1, &["name"]) {
            return true;
        }
        // This is a file with the code of a function: `AS 'x.so'`, `LOCATION '/x.jar'`, `"file" = "http://h/x.jar"`.
        if matches!(token.kind, Kind::Text | Kind::Quoted) {
            let before = |back: usize| at.checked_sub(back).and_then(|at| self.get(at));
            let is_value = before(1).is_some_and(|mark| mark.is_mark("="))
                && before(2).is_some_and(|key| matches!(key.kind, Kind::Text | Kind::Quoted));
            let is_place = before(1).is_some_and(|word| word.is_any(&["as", "location", "from", "jar", "file"]));
            let extension = token.text.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
            let is_file = LIBRARIES.iter().any(|known| extension.eq_ignore_ascii_case(known));
            let is_code = self.is(subject, &["function", "procedure", "library", "alias", "trigger", "table_function"]);
            let is_library = is_file || token.text.contains(".so.");
            return is_code && is_library && (is_place || is_value) && !self.is_sandboxed(first);
        }
        if at != subject {
            return false;
        }
        let end = self.end_of_names(at + 1);
        // In prose, a word follows: `create library from templates`.
        let is_source =
            self.get(end + 1).is_some_and(|source| source.kind != Kind::Word || source.text.starts_with('@'));
        match () {
            () if token.is("assembly") => {
                self.is(end, &["from"]) && is_source
                    || self.is(end, &["authorization"])
                    || self.is(first, &["alter"]) && self.is(end, &["with", "add"])
            }
            () if token.is("library") => {
                self.is(end, &["as", "is", "from"]) && is_source
                    || self.is(end, &["language", "trusted", "untrusted", "depends"])
            }
            // These are the handler of a language in PostgreSQL, and the program of one in SQL Server.
            () if token.is("language") => self.is(end, &["handler", "from"]),
            () if token.is("java") => {
                self.is(at + 1, &["source", "resource"]) && self.is(at + 2, &["named"])
                    || self.is(at + 1, &["class"]) && (at + 2..at + 5).any(|at| self.is(at, &["using", "schema", "as"]))
            }
            // The code of H2 is Java: `CREATE ALIAS a AS $$ … $$`, `CREATE ALIAS a FOR "java.lang.System.exit"`.
            () if token.is_any(&["alias", "trigger"]) => self.has_java(at, first),
            () => false,
        }
    }

    /// Whether an alias or a trigger is a method of Java.
    fn has_java(&self, at: usize, first: usize) -> bool {
        let is_code = |at: usize| {
            let code = self.get(at + 1).filter(|_| self.is(at, &["as", "for"]));
            code.is_some_and(|code| code.kind == Kind::Text || code.text.matches('.').count() > 1)
        };
        let ends = |at: usize| self.is_mark(at, ";") || self.is(at, &["begin", "select", "execute", "when"]);
        self.is(first, &["create"]) && (at + 2..at + 20).take_while(|at| !ends(*at)).any(is_code)
    }

    /// Whether the server runs the function that a statement creates in a sandbox: Snowflake, which needs a handler.
    fn is_sandboxed(&self, first: usize) -> bool {
        let statement = (first..first + MAX_STATEMENT).take_while(|at| !self.is_mark(*at, ";"));
        let mut words = statement.filter(|at| self.is(*at, &["handler", "imports", "runtime_version"]));
        words.any(|at| self.is_mark(at + 1, "="))
    }
}
