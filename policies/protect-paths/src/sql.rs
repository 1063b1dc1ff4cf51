//! Files to which SQL and the commands of database clients write: `COPY t TO 'x'`, `\o x`.

use crate::shell::Judge;
use hookbox_policy::{Command, Word};

/// The database clients, except for `sqlite3`, whose files are in the facts.
pub(crate) const CLIENTS: &[&str] =
    &["clickhouse", "clickhouse-client", "clickhouse-local", "duckdb", "mariadb", "mysql", "psql", "usql"];

/// Texts that mean that a statement may write to a file.
const WRITES: &[&str] = &[
    "attach",
    "copy ",
    "dumpfile",
    "export database",
    "into outfile",
    "\\copy",
    "\\o ",
    "\\out",
    "\\w ",
    "tee ",
    ".output",
    ".once",
];

/// Asks about protected files in the statements and commands for a client.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    if !CLIENTS.contains(&command.name) {
        return;
    }
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    for word in command.args().iter().chain(&stdin) {
        let text = word.text();
        let lower = text.to_ascii_lowercase();
        if !WRITES.iter().any(|word| lower.contains(word)) {
            continue;
        }
        let is_end = |c: char| c.is_whitespace() || "\"';,()".contains(c);
        let paths = text.split(is_end).filter(|part| part.len() > 1 && part.contains(['/', '.']));
        for path in paths {
            judge.named(command, path, all);
        }
    }
}
