//! Programs that are in no table, but whose words tell them to destroy something without asking.

use super::DRY;
use crate::possible::PLAIN;
use crate::prefix::operands;
use hookbox_policy::{Command, Word};

/// Subcommands that destroy what cannot be recreated, or can be recreated only with effort.
#[rustfmt::skip] // Many words to a line.
const VERBS: [&str; 19] = [
    "delete", "destroy", "drop", "purge", "wipe", "reset", "terminate", "uninstall", "nuke", "erase", "truncate", "obliterate",
    "deprovision", "decommission", "teardown", "rm", "remove", "empty", "flush",
];

/// Options that answer the program's confirmation question in advance.
#[rustfmt::skip] // Many words to a line.
const ANSWERS: [&str; 18] = [
    "--force", "--yes", "-y", "--all", "--no-confirm", "--noconfirm", "--auto-approve", "--assume-yes", "--noinput", "--no-input",
    "--no-interactive", "--non-interactive", "--confirm", "--skip-confirmation", "--approve", "--i-am-sure", "--no-prompt", "--cascade",
];

/// Calls that delete all records of a kind, in any object mapper.
const WIPES: [&str; 15] = [
    ".delete_all",
    ".destroy_all",
    ".objects.all().delete(",
    ".drop_all(",
    ".dropdatabase(",
    "dropdatabase()",
    ".deletemany({})",
    ".deletemany()",
    "::truncate(",
    ".truncate(cascade",
    "::query()->delete(",
    "repo.delete_all",
    // These are the databases and collections of ArangoDB: `db._dropDatabase(…)`, `db._drop(…)`.
    "db._drop",
    "db._truncate(",
    "detach delete",
];

/// The number of first words that are searched for an action.
const DEPTH: usize = 4;

/// Returns the action that a command is told to perform, and the option that confirms it in advance.
pub(super) fn told<'c>(command: &'c Command<'_>) -> Option<(&'c str, &'c str)> {
    if command.name.is_empty() || PLAIN.contains(command.name) {
        return None;
    }
    let args = || command.args().iter().map(Word::text);
    if args().any(|arg| DRY.contains(&arg)) {
        return None;
    }
    let answer = args().find(|arg| {
        let option = arg.split('=').next().unwrap_or_default();
        ANSWERS.contains(&option) || option.starts_with("--yes-i-") || option.starts_with("--i-")
    })?;
    let operands = operands(command);
    let mut first = operands.iter().filter(|operand| !operand.may_be_value).take(DEPTH);
    let verb = first.find(|operand| is_verb(operand.text))?;
    Some((verb.text, answer))
}

/// Whether a word names a destructive action: `delete`, `db:drop`, `apps-destroy`, `delete-cluster`.
fn is_verb(text: &str) -> bool {
    let parts = || text.split([':', '-', '_', '.']);
    let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase() || b":-_.".contains(&byte));
    let is_edge = |part: Option<&str>| part.is_some_and(|part| VERBS.contains(&part));
    is_word && (is_edge(parts().next()) || is_edge(parts().next_back()))
}

/// Returns a call in a text that deletes all records.
pub(super) fn wipes(texts: impl Iterator<Item = String>) -> Option<&'static str> {
    let mut texts = texts.map(|text| text.to_ascii_lowercase());
    texts.find_map(|text| WIPES.into_iter().find(|call| text.contains(call)))
}
