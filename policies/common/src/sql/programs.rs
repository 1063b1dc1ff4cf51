//! Statements that run programs or write files on the server, and commands of clients that do.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::{ENABLING, PROGRAM_EXTENSIONS, PROGRAMS, SCRIPTS};

/// The maximum number of tokens of a command of a client.
const MAX_COMMAND: usize = 64;

/// Commands of Beeline, which begin with `!` and run no program. `!sh` does.
#[rustfmt::skip] // Many words to a line.
const BEELINE: &[&str] = &[
    "close", "closeall", "columns", "connect", "dbinfo", "describe", "go", "indexes", "list", "outputformat", "properties",
    "primarykeys", "quit", "reconnect", "set", "tables", "verbose",
];

impl Statements<'_, '_> {
    /// Judges words that run programs or write files, at any position.
    pub(super) fn program(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        let is_call = self.is_mark(at + 1, "(");
        let is_named = PROGRAMS.iter().any(|name| token.text.eq_ignore_ascii_case(name));
        let is_called = is_call
            || self.is(first, &["exec", "execute", "declare", "use"])
            || at == first
            || before.is_some_and(|before| before.is_any(&["exec", "execute", "call"]) || before.is_mark("="));
        let is_path = before.is_some_and(|before| before.is_mark(".")) || self.is_mark(at + 1, ".");
        if is_named && (is_called || is_path) {
            return sure(format!("calls `{}`, which runs programs or writes files on the server", token.text));
        }
        if let Some(damage) = self.untrusted(at, first) {
            return Some(damage);
        }
        if self.is_command(at, first) {
            return sure("runs a program on the server".to_owned());
        }
        // With this role of PostgreSQL, a user may run programs.
        if token.is("pg_execute_server_program") && self.is(first, &["grant"]) {
            return sure("lets SQL run programs on the server".to_owned());
        }
        if token.is_any(&["outfile", "dumpfile"]) && before.is_some_and(|before| before.is("into")) {
            return sure("writes a file on the server".to_owned());
        }
        None
    }

    /// Whether a word comes before a command that the server runs.
    fn is_command(&self, at: usize, first: usize) -> bool {
        let Some(token) = self.get(at) else { return false };
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        let is_text = |at: usize| self.get(at).is_some_and(|token| token.kind == Kind::Text);
        // This is `COPY t TO PROGRAM 'x'`, also in a block.
        let is_copied = before.is_some_and(|before| before.is_any(&["to", "from"]))
            && (self.is(first, &["copy"]) || self.has_copy && is_text(at + 1));
        // This is `CREATE FOREIGN TABLE t … OPTIONS (program 'x')` of PostgreSQL.
        let is_option = self.is(first, &["create", "alter"]) && is_text(at + 1);
        if token.is("program") && (is_copied || is_option) {
            return true;
        }
        // These are `SYSTEM 'x'` and `SYSTEM command;` in a procedure of Informix.
        if token.is("system") && self.has_routine {
            let is_name = before.is_some_and(|before| {
                before.is_mark(".") || before.is_mark(",") || before.is_any(&["from", "join", "as"])
            });
            let is_variable = self.get(at + 1).is_some_and(Token::is_name)
                && (self.is_end(at + 2) || self.is_mark(at + 2, "|") || self.is(at + 2, &["end"]));
            return !is_name && (is_text(at + 1) || is_variable);
        }
        // This is `HOST x` of SQL*Plus. In prose, no semicolon follows.
        if token.is("host") {
            let begins = at == first || before.is_some_and(|before| before.is_mark("/") && before.alone);
            let is_command = self.get(at + 1).is_some_and(|next| next.is_name() || next.is_mark("/"));
            return begins && is_command && self.has_semicolon(at + 2);
        }
        self.is_external(at, first)
    }

    /// Whether a word comes before a program that transforms rows, or makes them.
    fn is_external(&self, at: usize, first: usize) -> bool {
        let Some(token) = self.get(at) else { return false };
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        let is_text = |at: usize| self.get(at).is_some_and(|token| token.kind == Kind::Text);
        // These are `SCRIPT_COMMAND('x.sh')` of Teradata and `ExternalSource(cmd = 'x')` of Vertica.
        if token.is("script_command") && self.is_mark(at + 1, "(")
            || token.is_any(&["externalsource", "externalfilter"]) && self.is(at + 2, &["cmd"])
        {
            return true;
        }
        // These are `executable('x.sh', …)` and `SOURCE(EXECUTABLE(COMMAND 'x.sh'))` of ClickHouse.
        if token.is_any(&["executable", "executablepool"]) && self.is_mark(at + 1, "(") {
            return is_text(at + 2) || self.is(at + 2, &["command"]);
        }
        // This is `CREATE EXTERNAL WEB TABLE t (…) EXECUTE 'x'` of Greenplum.
        if token.is("execute") && self.is(first, &["create"]) && is_text(at + 1) {
            return (first + 1..first + 6).any(|at| self.is(at, &["web"]));
        }
        // This is `CREATE TABLE t … ACCESS PARAMETERS (… PREPROCESSOR d:'x')` of Oracle.
        if token.is("preprocessor") && self.is(first, &["create", "alter"]) {
            let is_place = self.get(at + 1).is_some_and(Token::is_name) && self.is_mark(at + 2, ":");
            return is_text(at + 1) || is_place && is_text(at + 3);
        }
        // This is `SELECT TRANSFORM (a) USING 'x'` of Hive and Spark.
        if token.is("using") {
            return self.has_script && is_text(at + 1) && before.is_some_and(|before| !before.is("as"));
        }
        // This is `CREATE PIPELINE p … WITH TRANSFORM ('http://…', 'x', '')` of SingleStore.
        if token.is("transform") && before.is_some_and(|before| before.is("with")) {
            return self.is(first, &["create", "alter"]) && is_text(at + 2);
        }
        // These are `INSTALL shellfs` and `LOAD shellfs` of DuckDB.
        if token.is_any(&["install", "load"]) && (at == first || before.is_some_and(|before| before.is("force"))) {
            let is_one = |name: &Token| PROGRAM_EXTENSIONS.iter().any(|known| name.text.eq_ignore_ascii_case(known));
            return self.get(at + 1).is_some_and(is_one);
        }
        // This is `ALTER SYSTEM SET archive_command = …` of PostgreSQL.
        at == first + 3
            && self.is(first, &["alter"])
            && self.is(first + 1, &["system"])
            && token.text.to_ascii_lowercase().ends_with("_command")
    }

    /// Whether a semicolon ends the command at this position.
    pub(super) fn has_semicolon(&self, at: usize) -> bool {
        (at..at + MAX_COMMAND).any(|at| self.is_mark(at, ";"))
    }

    /// Judges commands of database clients: `\! rm`, `.shell rm`, `!rm`.
    pub(super) fn shell(&self, at: usize) -> Option<Damage> {
        let mark = self.get(at)?;
        let next = self.get(at + 1)?;
        // `sqlite3` takes the beginnings of its commands: `.sy rm`.
        let begins = |name: &str| next.text.len() > 1 && name.starts_with(&next.text.to_ascii_lowercase());
        let is_command = next.kind == Kind::Word && (begins("shell") || begins("system"));
        // These are `.once |rm` of `sqlite3`, `\o |rm` of `psql` and `!!rm` of `sqlcmd`.
        let is_piped = self.get(at + 2).is_some_and(|word| word.text.starts_with('|'));
        let writes = mark.is_mark(".") && next.is_any(&["once", "output", "read", "import"])
            || mark.is_mark("\\") && next.is_any(&["o", "out", "g", "gx", "w", "write"]);
        let is_shell = mark.is_mark("\\") && (next.is_mark("!") || next.is("copy") && self.has_program)
            || mark.is_mark("!") && next.is_mark("!") && self.get(at + 2).is_some()
            || mark.is_mark("!") && next.is_name() && !next.is_any(BEELINE) && self.has_semicolon(at + 2)
            || mark.is_mark(".") && is_command && self.get(at + 2).is_some()
            || writes && is_piped;
        if mark.is_mark(".") && next.is("load") && self.get(at + 2).is_some() {
            return doubt("loads a library".to_owned());
        }
        // This is `.clear table t data` of Kusto.
        if mark.is_mark(".") && next.is("clear") && self.is(at + 2, &["table"]) && self.get(at + 3).is_some() {
            return sure(format!("deletes all rows of {}", self.table(at + 3)));
        }
        // These are `.drop extents from t`, `.purge table t records` and `.set-or-replace t <| q` of Kusto.
        let replaces = next.is("set") && self.is(at + 3, &["or"]) && self.is(at + 5, &["replace"]);
        let deletes = next.is("drop") && self.is(at + 2, &["extents", "extent"])
            || next.is("purge") && self.is(at + 2, &["table"]) && self.get(at + 3).is_some();
        if mark.is_mark(".") && (replaces || deletes) {
            return doubt("deletes rows of a table".to_owned());
        }
        if mark.is_mark(".") && next.is("drop") {
            return self.drop(at + 1, at);
        }
        if is_shell { sure("runs a command of the shell".to_owned()) } else { None }
    }

    /// Judges a text that names a program, a file or a language.
    pub(super) fn program_of_text(&self, at: usize, first: usize) -> Option<Damage> {
        let text = self.get(at)?.text;
        let before = at.checked_sub(1)?;
        let is_one = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        let is_on = self.is_mark(at + 1, ",") && self.get(at + 2).is_some_and(|value| value.text == "1");
        if is_on && self.is(before, &["sp_configure"]) && is_one(ENABLING) {
            return sure("lets SQL run programs on the server".to_owned());
        }
        // With `shellfs` of DuckDB, `read_csv('x |')` runs a program.
        let is_piped = text.len() > 1 && (text.trim_end().ends_with('|') || text.trim_start().starts_with('|'));
        let is_read = |name: &Token| name.text.to_ascii_lowercase().starts_with("read_");
        let is_argument =
            self.is_mark(before, "(") && at.checked_sub(2).and_then(|at| self.get(at)).is_some_and(is_read);
        if is_one(self.jobs.as_slice()) || is_piped && is_argument {
            return sure("runs a program on the server".to_owned());
        }
        // These are `ATTACH 'x.php' AS a` and `VACUUM INTO 'x.php'` of SQLite, `COPY t TO 'x.php'`, `BACKUP DATABASE d
        // TO DISK = 'x.aspx'` of SQL Server, `SET GLOBAL general_log_file = 'x.php'` of MySQL, and `SCRIPT TO 'x.jsp'`
        // of H2.
        let is_log = |name: &Token| name.text.to_ascii_lowercase().ends_with("log_file") && self.is(first, &["set"]);
        let is_file = self.is(first, &["attach"]) && at < first + 6
            || self.is(first, &["script"]) && at < first + 8
            || self.is(first, &["vacuum", "copy"]) && self.is(before, &["into", "to"])
            || self.is(first, &["backup"]) && self.is_mark(before, "=")
            || self.is_mark(before, "=") && at.checked_sub(2).and_then(|at| self.get(at)).is_some_and(is_log);
        let extension = text.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
        if is_file && SCRIPTS.iter().any(|script| extension.eq_ignore_ascii_case(script)) {
            return sure("writes a script on the server".to_owned());
        }
        self.untrusted(at, first)
    }
}
