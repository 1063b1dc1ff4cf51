//! Destructive commands in the languages of databases, caches and file servers, beyond common SQL.

use super::table::DATABASES;
use super::texts;
use crate::prefix::{begins, operands};
use crate::scene::Scene;
use hookbox_policy::sql::destructive;
use hookbox_policy::{Command, Word};

/// Programs that send their input to a server, which may be a cache.
const SENDERS: [&str; 8] = ["redis-cli", "valkey-cli", "keydb-cli", "nc", "ncat", "netcat", "telnet", "socat"];

/// Commands that empty a cache.
const FLUSHES: [&str; 4] = ["flushall", "flushdb", "flush_all", "flush_namespace"];

/// Options that make Terraform plan to destroy everything.
const DESTROY: [&str; 2] = ["-destroy", "--destroy"];

/// Returns what a program is told to destroy.
pub(super) fn loss(command: &Command<'_>, scene: &Scene<'_>) -> Option<&'static str> {
    match command.name {
        name if SENDERS.contains(&name) => flushes(command).then_some("everything in the store"),
        "hbase" => drops(command).then_some("tables of the store"),
        "sftp" | "ftp" | "psftp" => removes(command).then_some("files of the server"),
        "lftp" => mirrors(command).then_some("files of the server"),
        "terraform" | "tofu" | "terragrunt" => {
            applies_destruction(command, scene).then_some("all infrastructure of this configuration")
        }
        _ => None,
    }
}

/// Whether a command empties a cache: `echo FLUSHALL | redis-cli`, `redis-cli EVAL "redis.call('flushall')" 0`.
fn flushes(command: &Command<'_>) -> bool {
    let is_flush = |word: &str| FLUSHES.iter().any(|flush| word.eq_ignore_ascii_case(flush));
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let mut told = stdin.iter().flat_map(|text| text.text().lines());
    let operands = operands(command);
    let mut words = operands.iter().filter(|operand| !operand.may_be_value || is_flush(operand.text));
    // The server does not tell `FLUSHALL` from `flushAll`.
    if command.name.ends_with("-cli") && words.next().is_some_and(|operand| is_flush(operand.text)) {
        return true;
    }
    let runs_script = begins(&operands, &["eval|EVAL|Eval|function|FUNCTION"]);
    let mut scripts = command.args().iter().map(Word::text).filter(|_| runs_script);
    let in_script = |script: &str| script.split(|c: char| !c.is_ascii_alphabetic() && c != '_').any(is_flush);
    told.any(|line| line.split_whitespace().next().is_some_and(is_flush)) || scripts.any(in_script)
}

/// Whether a command drops tables like `echo "drop 't'" | hbase shell`.
fn drops(command: &Command<'_>) -> bool {
    #[rustfmt::skip] // Many words to a line.
    const DROPS: [&str; 10] = [
        "drop", "drop_all", "drop_namespace", "disable_all", "truncate", "truncate_preserve", "deleteall", "delete_snapshot",
        "delete_all_snapshot", "delete_table_snapshots",
    ];
    let is_drop = |line: &str| {
        let word = line.trim_start().split(|c: char| !c.is_ascii_alphabetic() && c != '_').next().unwrap_or_default();
        DROPS.contains(&word)
    };
    texts(command).any(|text| text.split([';', '\n']).any(is_drop))
}

/// Whether a command deletes files like `lftp -e 'mirror -R --delete . /' host`.
fn mirrors(command: &Command<'_>) -> bool {
    texts(command).any(|text| {
        text.split([';', '\n', '&', '|']).any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["mirror", options @ ..] => {
                    let is_dry = options.iter().any(|option| matches!(*option, "--dry-run" | "--just-print"));
                    // Without `-R`, `mirror` deletes files on this machine.
                    !is_dry
                        && options.iter().any(|option| matches!(*option, "-e" | "--delete" | "--delete-first" | "-Re"))
                }
                ["mrm" | "rmdir", ..] | ["glob", "rm" | "mrm", ..] => true,
                ["rm", option, ..] => option.starts_with('-') && option.contains('r'),
                _ => false,
            }
        })
    })
}

/// Whether a command tells a file server on its input to delete more than one named file: `rm *`, `mdelete x`, `rmdir x`.
fn removes(command: &Command<'_>) -> bool {
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    stdin.iter().flat_map(|text| text.text().lines()).any(|line| {
        // These signs say that an error does not end the batch, and that the line is not printed.
        let mut words = line.trim_start().trim_start_matches(['-', '@']).split_whitespace();
        match words.next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "mdelete" | "mdel" | "rmdir" => true,
            "rm" | "del" | "delete" => words.any(|word| word.contains(['*', '?']) || word == "-r"),
            _ => false,
        }
    })
}

/// The maximum number of programs between the two databases that [`runs_made_sql`] looks at.
const MAX_BETWEEN: usize = 3;

/// Whether a database runs the result of a query that makes SQL which destroys something: `psql -Atc "select 'drop
/// table ' || tablename …" | psql`, `select format('drop table %I', …) \gexec`.
pub(super) fn runs_made_sql(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    if texts(command).any(|text| text.contains("\\gexec") && makes_destruction(&text)) {
        return true;
    }
    let mut sources: Vec<_> = scene.sources(command).collect();
    for _ in 0..MAX_BETWEEN {
        if sources.iter().any(|source| makes_sql(source)) {
            return true;
        }
        sources = sources.into_iter().flat_map(|source| scene.sources(source)).collect();
    }
    false
}

/// Whether a database is asked for SQL that destroys something.
fn makes_sql(command: &Command<'_>) -> bool {
    DATABASES.contains(command.name) && texts(command).any(|text| makes_destruction(&text))
}

/// Whether a query has a text in quotes that begins like a statement which destroys something.
fn makes_destruction(query: &str) -> bool {
    // PostgreSQL also quotes a text with `$$`.
    query.split(['\'', '"', '$']).skip(1).any(|text| {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default().to_ascii_lowercase();
        let second = words.next();
        match first.as_str() {
            "drop" | "truncate" if second.is_none() => text.ends_with(char::is_whitespace),
            "truncate" => true,
            // The text may also say `drop off`.
            "drop" => {
                second.is_some_and(|kind| kind.starts_with('%') || destructive(&format!("drop {kind} x;")).is_some())
            }
            "delete" => second.is_some_and(|second| second.eq_ignore_ascii_case("from")),
            _ => false,
        }
    })
}

/// Whether a command applies a plan that destroys: `terraform plan -destroy -out=p && terraform apply p`,
/// `TF_CLI_ARGS_apply=-destroy terraform apply`.
fn applies_destruction(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    let has = |command: &Command<'_>, wanted: &[&str]| command.args().iter().any(|word| wanted.contains(&word.text()));
    let is_told_by_variable = |command: &Command<'_>| {
        let variables = scene.variables(command).into_iter();
        let mut values = variables.filter(|(name, _)| name.starts_with("TF_CLI_ARGS")).map(|(_, value)| value);
        let destroys =
            |option: &str| DESTROY.contains(&option) || option.trim_start_matches('-').starts_with("replace");
        values.any(|value| value.split_whitespace().any(destroys))
    };
    let plans = |other: &Command<'_>| {
        other.name == command.name && has(other, &["plan"]) && (has(other, &DESTROY) || is_told_by_variable(other))
    };
    has(command, &["apply"]) && (is_told_by_variable(command) || scene.commands.iter().any(plans))
}

/// Returns the loss from an SQL text, for statements that only some databases have, or that no condition limits.
pub(super) fn by_sql(text: &str) -> Option<&'static str> {
    let flat = text.to_ascii_lowercase();
    flat.split(';').find_map(|statement| {
        let words: Vec<&str> = statement
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','))
            .filter(|word| !word.is_empty())
            .collect();
        let has = |pair: [&str; 2]| words.windows(2).any(|words| words == pair);
        match words.as_slice() {
            ["alter", "table", ..]
                if has(["drop", "partition"]) || has(["drop", "part"]) || has(["truncate", "partition"]) =>
            {
                Some("deletes a part of a table")
            }
            // ClickHouse deletes rows by `ALTER`. Elsewhere, `DELETE` after `ALTER` is an action of a foreign key: `ON
            // DELETE`.
            ["alter", "table", _, "delete", ..] => Some("deletes rows of a table"),
            ["alter", "table", _, "on", "cluster", _, "delete", ..] => Some("deletes rows of a table"),
            // A `LIMIT` says how many rows are deleted, but not which.
            ["delete", "from", rest @ ..] if !rest.contains(&"where") && rest.contains(&"limit") => {
                Some("deletes rows, whichever they are")
            }
            _ => None,
        }
    })
}

/// Whether a database is in memory and the text does not reach any other: `sqlite3 :memory: 'drop table t'`.
pub(super) fn is_in_memory(command: &Command<'_>) -> bool {
    const ELSEWHERE: [&str; 9] =
        ["attach", "vacuum", "writefile", "load_extension", "edit(", "copy", "install", "export", "."];
    matches!(command.name, "sqlite3" | "sqlite" | "duckdb")
        && operands(command).first().is_some_and(|file| file.text == ":memory:")
        // The program's own commands begin with a dot.
        && !texts(command).filter(|text| text != ":memory:").any(|text| {
            let text = text.to_ascii_lowercase();
            ELSEWHERE.iter().any(|word| text.contains(word))
        })
}
