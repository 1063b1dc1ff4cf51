//! Commands of clients that run programs, each at the beginning of a line of a script.

use super::MAX_SQL;
use super::destructive::{Damage, sure};
use super::dialect::dialects;
use super::lexer::{Token, read};

/// Commands that run the rest of their line: of `mysql`, of SQL*Plus with its short forms, and of `isql`.
const RUNNING: &[&str] = &["system", "host", "hos", "ho", "shell", "\\system"];

/// Commands of `sqlite3` and DuckDB that do, which may be shortened, and those that write to a program after a `|`.
const DOTTED: &[&str] = &[".shell", ".system"];
const PIPING: &[&str] = &[".once", ".output", ".read", ".import", "\\o", "\\g", "\\gx", "\\w"];

/// Commands that end with their line, after which another begins: those that are also words of SQL, and others.
const OF_ONE_LINE: &[&str] = &["clear", "col", "column", "define", "go", "set", "show", "start", "use"];
const SEPARATE: &[&str] =
    &["accept", "conn", "connect", "exit", "quit", "source", "spool", "tee", "ttitle", "undefine", "whenever"];

/// Commands of SQL*Plus whose lines are prose.
const PROSE: &[&str] = &["prompt", "rem", "remark"];

/// Programs whose names are not words of prose.
#[rustfmt::skip] // Many words to a line.
const PROGRAMS: &[&str] = &[
    "bash", "chmod", "chown", "cmd", "cp", "crontab", "curl", "dash", "dd", "del", "iptables", "ksh", "ls", "mkdir",
    "mkfs", "mv", "nc", "ncat", "nohup", "perl", "php", "powershell", "pwsh", "python", "python3", "reboot", "rm",
    "rmdir", "rsync", "scp", "sed", "sh", "shred", "ssh", "sudo", "systemctl", "tar", "unlink", "wget", "whoami", "zsh",
];

/// Words of SQL after a column such as `host`.
#[rustfmt::skip] // Many words to a line.
const OF_COLUMNS: &[&str] = &[
    "and", "as", "asc", "between", "char", "desc", "from", "ilike", "in", "int", "integer", "is", "like", "not", "null",
    "or", "text", "varchar", "varchar2",
];

/// Returns what a script destroys that a client of a database reads: by a program that it runs, or by SQL between its
/// commands, which `sql` judges.
#[must_use]
pub fn destructive_in_client(text: &str, sql: impl Fn(&str) -> Option<Damage>) -> Option<Damage> {
    // A longer text is not read as SQL either, which is a reason by itself.
    if text.len() > MAX_SQL {
        return None;
    }
    let statements = statements(text);
    let runs = |text: &str| dialects(text).iter().any(|dialect| runs_program(text, &read(text, dialect).tokens));
    if runs(text) || statements.as_deref().is_some_and(runs) {
        return sure("runs a command of the shell".to_owned());
    }
    sql(&statements?)
}

/// Returns a script with a semicolon after each command of one line, and without prose, in which a quote begins no
/// string. Returns `None` if it has neither.
fn statements(text: &str) -> Option<String> {
    let (mut made, mut has_command) = (String::with_capacity(text.len()), false);
    for line in text.lines() {
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_prose = is_one(first, PROSE);
        let is_command = first.starts_with(['.', '\\']) || is_one(first, SEPARATE) || is_call(line);
        has_command |= is_prose || is_command;
        made.push_str(if is_prose { "" } else { line });
        made.push_str(if is_prose || is_command { "\n;\n" } else { "\n" });
    }
    has_command.then_some(made)
}

/// Whether a line is `@file.sql` of SQL*Plus, unlike a variable of SQL Server.
fn is_call(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('@') && line.contains('.') && !line.contains([' ', '=', ','])
}

/// Whether one of the lines that begin outside of strings and comments is a command that runs a program.
fn runs_program(text: &str, tokens: &[Token]) -> bool {
    let (mut end, mut is_over, mut is_of_line) = (0, true, false);
    for token in tokens {
        let gap = text.get(end..token.start).unwrap_or_default();
        let begins = end == 0 || gap.rsplit_once('\n').is_some_and(|(_, space)| space.trim().is_empty());
        end = token.start + token.text.len();
        if begins {
            // SQL*Plus forgets a statement after an empty line.
            is_over |= is_of_line || gap.matches('\n').count() > 1;
            let line = text.get(token.start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            if is_command(line, is_over) {
                return true;
            }
            let first = line.split_whitespace().next().unwrap_or_default();
            let is_one_line = is_one(first, OF_ONE_LINE) || is_one(first, SEPARATE) || is_one(first, PROSE);
            // `GO` and `/` on a line of their own end whatever is before them; `:setvar a b` is a command of `sqlcmd`.
            is_of_line = is_over && is_one_line
                || first.starts_with(['.', '\\', ':'])
                || is_call(line)
                || is_one(line.trim(), &["/", "go"]);
        }
        is_over = token.is_mark(";");
    }
    false
}

/// Whether a line is a command that runs a program. `is_over` tells whether no statement is before it that may go on.
fn is_command(line: &str, is_over: bool) -> bool {
    // These are `!!dir` of `sqlcmd`, and `!ls` of SQL*Plus.
    if let Some(rest) = line.trim_start_matches(':').strip_prefix("!!") {
        return is_over && !rest.trim().is_empty();
    }
    // This is `\! ls` of `psql` and `mysql`.
    if let Some(rest) = line.strip_prefix("\\!") {
        return !rest.trim().is_empty();
    }
    if let Some(rest) = line.strip_prefix('!') {
        // This is `!connect jdbc:hive2://h -n a` of Beeline.
        let first = rest.split_whitespace().next().unwrap_or_default();
        return !is_one(first, SEPARATE) && names_program(rest, is_over);
    }
    let Some((head, rest)) = line.split_once(char::is_whitespace) else { return false };
    let rest = rest.trim();
    // The shortest form is `.sh`.
    let begins = |command: &&str| head.len() > 2 && command.starts_with(&head.to_ascii_lowercase());
    match () {
        () if DOTTED.iter().any(begins) => !rest.is_empty(),
        () if is_one(head, PIPING) => rest.trim_start_matches(['"', '\'']).starts_with('|'),
        () if head.starts_with('\\') => is_one(head, RUNNING) && !rest.is_empty(),
        () => is_one(head, RUNNING) && names_program(rest, is_over),
    }
}

/// Whether a text is a command of a shell, rather than prose or the rest of a column's definition.
fn names_program(text: &str, is_over: bool) -> bool {
    let mut words = text.trim_end_matches(|c: char| c.is_whitespace() || c == ';').split_whitespace();
    let Some(program) = words.next().map(|word| word.trim_matches(['"', '\''])) else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    if is_one(name, OF_COLUMNS) || !program.contains(char::is_alphanumeric) {
        return false;
    }
    let is_place = |word: &str| {
        ["/", "./", "../", "~/"].iter().any(|start| {
            word.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '.'))
        })
    };
    let is_option = |word: &str| {
        word.strip_prefix('-').is_some_and(|rest| rest.trim_start_matches('-').starts_with(char::is_alphanumeric))
    };
    let is_joined =
        |word: &str| word.contains(['|', '>', '`', '*', '\\']) || word.contains("&&") || word.contains("$(");
    let names = is_one(name, PROGRAMS) || is_place(program);
    names || is_over && words.any(|word| is_place(word) || is_option(word) || is_joined(word))
}

fn is_one(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::super::destructive;
    use super::*;

    #[test]
    fn commands_that_run_programs() {
        for text in [
            "system rm -rf /var/backups\nselect 1;",
            "select 1;\nSYSTEM backup --all",
            "set echo on\nhost rm -rf /u01/backup\nexit",
            "select 1 from dual\n/\nho clean *",
            "select 1\nfrom dual\n\nhost /u01/clean",
            "set echo on\n!ls",
            ".mode list\n.shell ls",
            ".mode list\n.sy ls",
            ".mode list\n.once |sh",
            "\\x on\n\\! ls",
            ":!!dir",
            "shell ls;",
        ] {
            assert!(destructive_in_client(text, destructive).is_some(), "{text}");
        }
    }

    #[test]
    fn lines_that_run_no_program() {
        for text in [
            "host header injection",
            "system design, and how to do it",
            "Our hosts:\nhost a is the first\nhost b is the second",
            "SELECT a,\nhost,\nsystem AS s -- the rest\nFROM t",
            "SELECT a\nFROM t WHERE a = b\nAND system\n!= 'x'",
            "CREATE TABLE t (\nhost varchar(255) DEFAULT '/x',\nsystem text\n);",
            "INSERT INTO t VALUES ('a\nhost rm -rf /x\n');",
            "/* a\nsystem rm -rf /x\n*/ SELECT 1;",
            "-- host rm -rf /x\nSELECT 1;",
            "prompt host rm -rf /x",
            "SELECT host\n|| ':' || port FROM t;",
            ".mode list\n.schema users",
            "\\o out.txt",
            "!tables",
            "",
        ] {
            assert_eq!(destructive_in_client(text, destructive), None, "{text}");
        }
    }
}
