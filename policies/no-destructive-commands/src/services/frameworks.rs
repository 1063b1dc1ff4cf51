//! SQL that is passed to a framework's runner or console: `rails runner "…execute('DROP TABLE t')"`, `prisma db
//! execute`.

use super::texts;
use crate::possible::PLAIN;
use crate::scene::Scene;
use hookbox_policy::sql::{Damage, destructive, is_statement};
use hookbox_policy::{Command, Word};

/// Words in subcommands that take SQL.
const TOLD: [&str; 8] = ["sql", "db", "query", "dbshell", "dbconsole", "database", "statement", "execute"];

/// Returns what the SQL in a command's arguments, in its input, or in the literals of its code would destroy.
pub(super) fn sql(command: &Command<'_>, scene: &Scene<'_>) -> Option<Damage> {
    if command.name.is_empty() || PLAIN.contains(command.name) {
        return None;
    }
    let args = || command.args().iter().map(Word::text);
    let values: Vec<String> = texts(command).collect();
    let literals = args().filter(|text| text.contains('(')).flat_map(|text| text.split(['"', '\'', '`']));
    let is_told = args().take(6).any(|word| word.split([':', '-', '.']).any(|part| TOLD.contains(&part)));
    // This is the text that `echo` pipes into the command.
    let piped = scene.sources(command).filter(|source| matches!(source.name, "echo" | "printf" | "print"));
    let piped: Vec<&str> = piped.flat_map(|source| source.args().iter().map(Word::text)).collect();
    let whole = values.iter().map(String::as_str).chain(piped).filter(|_| is_told);
    let statements = literals.chain(whole).filter(|text| text.contains(char::is_whitespace) && is_statement(text));
    statements.filter_map(|text| destructive(&format!("{text};"))).find(|damage| damage.is_certain)
}
