//! Clients of databases: `.shell` of sqlite3, `\!` of psql, and SQL with which a server runs programs, such as
//! `COPY t TO PROGRAM 'x'`.

use super::Inner;
use super::escapes::texts;
use crate::shell::command::Stdin;
use crate::shell::marks::UNREAD;
use crate::shell::word::Word;

/// The commands of sqlite3 that run the rest of their line.
const SHELLS: [&str; 3] = ["shell", "system", "sh"];
/// The commands of sqlite3 that run an argument after a `|`. They may be abbreviated.
const PIPES: [&str; 5] = ["once", "output", "import", "read", "log"];
/// The commands of psql that run an argument after a `|`.
const PSQL_PIPES: [&str; 6] = ["g", "gx", "o", "out", "w", "write"];

/// How many programs in a text of SQL are read.
const MAX_PROGRAMS: usize = 64;

/// Words of PostgreSQL before the text of a program.
const POSTGRES: &[&str] = &[
    "program",
    "archive_command",
    "archive_cleanup_command",
    "recovery_end_command",
    "restore_command",
    "ssl_passphrase_command",
];
/// Functions of MySQL that run a program, if their library is installed.
const MYSQL: &[&str] = &["sys_exec", "sys_eval"];
/// The procedure of SQL Server that runs a program.
const SQL_SERVER: &[&str] = &["xp_cmdshell"];

/// Returns what the client of a database or its server runs, or `None` for other programs.
pub(super) fn inner(name: &str, arguments: &[Word], stdin: &Stdin) -> Option<Vec<Inner>> {
    let scripts: fn(&str) -> Vec<String> = match name {
        "sqlite3" | "sqlite" | "duckdb" | "litecli" => of_sqlite,
        "psql" | "pgcli" | "ysqlsh" => of_psql,
        "mysql" | "mariadb" | "mycli" => of_mysql,
        "sqlcmd" | "mssql-cli" => of_sql_server,
        _ => return None,
    };
    let all = texts(arguments, stdin).flat_map(scripts);
    let inners = all.filter_map(|script| {
        let script = script.trim().trim_end_matches(';');
        (!script.is_empty()).then(|| Inner::script(script))
    });
    Some(inners.collect())
}

/// Returns what `.shell x`, `.output |x` and `.import '|x' t` run.
fn of_sqlite(text: &str) -> Vec<String> {
    let script = |line: &str| {
        let (verb, rest) = line.trim_start().strip_prefix('.')?.split_once([' ', '\t'])?;
        let is_one = |names: &[&str]| !verb.is_empty() && names.iter().any(|name| name.starts_with(verb));
        if SHELLS.contains(&verb) {
            return Some(rest.to_owned());
        }
        // Other abbreviations only hide what is run.
        if verb.len() > 1 && is_one(&SHELLS) {
            return Some(UNREAD.to_string());
        }
        is_one(&PIPES).then(|| piped(rest)).flatten()
    };
    text.lines().filter_map(script).collect()
}

/// Returns the program after the `|` that begins an argument.
fn piped(arguments: &str) -> Option<String> {
    arguments.match_indices('|').find_map(|(at, _)| {
        let (before, after) = (arguments.get(..at)?, arguments.get(at + 1..)?);
        let program = match before.chars().next_back() {
            Some(quote @ ('\'' | '"')) => after.split(quote).next(),
            last => last.is_none_or(char::is_whitespace).then_some(after),
        };
        program.filter(|program| !program.trim().is_empty()).map(str::to_owned)
    })
}

/// Returns what `\! x`, `\g |x`, backquotes in a command of psql, and SQL of PostgreSQL run.
fn of_psql(text: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    for line in text.lines() {
        scripts.extend(shelled(line));
        for (at, _) in line.match_indices('\\') {
            let command = line.get(at + 1..).unwrap_or_default();
            let end = command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len());
            let (verb, rest) = command.split_at_checked(end).unwrap_or_default();
            if !PSQL_PIPES.contains(&verb) {
                continue;
            }
            // `\g (format=csv) |x`
            let rest = rest.trim_start();
            let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest);
            scripts.extend(rest.trim_start().strip_prefix('|').map(str::to_owned));
        }
        // A command may follow SQL on its line: `select 1 \g \set x `a``.
        if let Some((_, commands)) = line.split_once('\\') {
            scripts.extend(commands.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    scripts.extend(programs(text, POSTGRES));
    scripts
}

/// Returns what `system x` and `\! x` run.
fn of_mysql(text: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    for line in text.lines() {
        let system = line.trim_start().split_once([' ', '\t']);
        scripts.extend(system.filter(|(verb, _)| verb.eq_ignore_ascii_case("system")).map(|(_, rest)| rest.to_owned()));
        scripts.extend(shelled(line));
    }
    scripts.extend(programs(text, MYSQL));
    scripts
}

/// Returns what `xp_cmdshell` and `:!! x` run.
fn of_sql_server(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().trim_start_matches(':').strip_prefix("!!"));
    lines.map(str::to_owned).chain(programs(text, SQL_SERVER)).collect()
}

/// Returns the rest of a line after `\!`, wherever that is.
fn shelled(line: &str) -> Option<String> {
    let (_, script) = line.split_once("\\!")?;
    // Someone who writes `a \!= 1` or `a \!~ 'x'` wants to keep the `!` from the shell.
    let is_operator = script.starts_with(['=', '~']) && !script.contains(['`', '$', ';', '|', '&', '/']);
    (!is_operator).then(|| script.to_owned())
}

/// Returns the texts that follow these words of SQL. Each may be as long as what is left of the SQL, so after some of
/// them the rest counts as not known.
fn programs(text: &str, words: &[&str]) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let ends = words.iter().flat_map(|word| lower.match_indices(*word).map(|(at, word)| (at, at + word.len())));
    let scripts = ends.filter_map(|(at, end)| {
        let before = lower.get(..at)?;
        let after = text.get(end..)?;
        let quotes = ['\'', '"'];
        // `'xp_cmdshell'` is the name of a setting.
        let is_setting = before.ends_with(quotes) && after.starts_with(quotes);
        let is_part = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if is_setting || is_part { None } else { literal(after_blank(after)) }
    });
    let mut scripts: Vec<String> = scripts.take(MAX_PROGRAMS + 1).collect();
    if let Some(last) = scripts.get_mut(MAX_PROGRAMS) {
        *last = UNREAD.to_string();
    }
    scripts
}

/// Returns a text from the value on, without spaces, comments and signs before it.
fn after_blank(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '='));
        let after = if let Some(comment) = trimmed.strip_prefix("/*") {
            comment.split_once("*/")
        } else if let Some(comment) = trimmed.strip_prefix("--") {
            comment.split_once('\n')
        } else if let Some(name) = trimmed.strip_prefix('@') {
            // `xp_cmdshell @command_string = 'x'`
            name.split_once('=')
        } else {
            let value = trimmed.strip_prefix("to ").or_else(|| trimmed.strip_prefix("TO "));
            value.map(|value| ("", value))
        };
        match after {
            Some((_, after)) => rest = after,
            None => return trimmed,
        }
    }
}

/// Returns the value of the string that a text of SQL begins with. In a string inside of another, all quotes are
/// doubled.
fn literal(text: &str) -> Option<String> {
    let bare = text.strip_prefix(['E', 'e', 'N', 'n']).filter(|rest| rest.starts_with(['\'', '"']));
    let text = bare.unwrap_or(text);
    // `format('… PROGRAM %L', x)`, `xp_cmdshell @x`
    if text.starts_with(['%', '@']) {
        return Some(UNREAD.to_string());
    }
    // `$$x$$`, `$tag$x$tag$`
    if let Some(rest) = text.strip_prefix('$') {
        let (tag, rest) = rest.split_once('$')?;
        return rest.split(&format!("${tag}$")).next().map(str::to_owned);
    }
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let count_of = |text: &str| text.len() - text.trim_start_matches(quote).len();
    // A value that itself begins with quotes has twice as many for each.
    let width = 1_usize << count_of(text).trailing_zeros();
    let mut rest = text.get(width..)?;
    let mut value = String::new();
    while let Some(at) = rest.find(quote) {
        let (before, quotes) = rest.split_at_checked(at)?;
        let count = count_of(quotes);
        value.push_str(before);
        value.push_str(&quote.to_string().repeat(count / (2 * width)));
        if !count.is_multiple_of(2 * width) {
            return Some(value);
        }
        rest = quotes.get(count..)?;
    }
    value.push_str(rest);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::{of_mysql, of_psql, of_sql_server, of_sqlite};

    #[test]
    fn commands_of_clients() {
        for (text, scripts) in [
            (".shell a b", &["a b"][..]),
            (".sh a", &["a"]),
            (".sys a", &["\u{F0000}"]),
            (".schema a", &[]),
            (".once |a b", &["a b"]),
            (".import --colsep '|' '|a b' t", &["a b"]),
            (".import 'a|b' t", &[]),
            (".separator |", &[]),
            ("select 1 | 2", &[]),
        ] {
            assert_eq!(of_sqlite(text), scripts, "{text}");
        }
        for (text, scripts) in [
            ("\\! a b", &[" a b"][..]),
            ("select 1\\! a", &[" a"]),
            ("select a \\!= 1", &[]),
            ("select 1 \\g (format=csv) |a b", &["a b"]),
            ("\\o |a\nselect 1", &["a"]),
            ("\\set x `a b`", &["a b"]),
            ("select 1 \\g \\set x `a b`", &["a b"]),
            ("\\d users", &[]),
            ("select E'\\\\'", &[]),
        ] {
            assert_eq!(of_psql(text), scripts, "{text}");
        }
        assert_eq!(of_mysql("SYSTEM a b\nselect system from t; \\! c"), ["a b", " c"]);
        assert_eq!(of_sql_server(":!! a"), [" a"]);
    }

    #[test]
    fn programs_of_servers() {
        for (text, scripts) in [
            ("COPY t TO PROGRAM 'a b'", &["a b"][..]),
            ("copy t from/**/program -- c\n'a ''b'' c'", &["a 'b' c"]),
            ("copy t from program '''a'' b'", &["'a' b"]),
            ("copy t from program $x$a 'b'$x$", &["a 'b'"]),
            ("copy t to program E'a'", &["a"]),
            ("do $$begin execute 'copy t from program ''a ''''b'''' '''; end$$", &["a 'b' "]),
            ("alter system set archive_command = 'a'", &["a"]),
            ("alter system set archive_command to 'a'", &["a"]),
            ("create foreign table t (x text) server s options (program 'a')", &["a"]),
            ("execute format('copy t to program %L', x)", &["\u{F0000}"]),
            ("select program from courses where name = 'x'", &[]),
            ("select 'programs'", &[]),
        ] {
            assert_eq!(of_psql(text), scripts, "{text}");
        }
        for (text, scripts) in [
            ("EXEC xp_cmdshell 'a b'", &["a b"][..]),
            ("exec master..xp_cmdshell @command_string = N'a'", &["a"]),
            ("exec('xp_cmdshell ''a'' ')", &["a"]),
            ("exec xp_cmdshell @x", &["\u{F0000}"]),
            ("exec sp_configure 'xp_cmdshell', 1", &[]),
        ] {
            assert_eq!(of_sql_server(text), scripts, "{text}");
        }
        assert_eq!(of_mysql("select sys_exec('a b')"), ["a b"]);
    }
}
