//! Commands that throw away what a service or a database keeps. Only a person knows whether that is wanted.

use crate::verdict::Finding;
use hookbox_sdk::shell::{SimpleCommand, Stdin};

/// The programs that run SQL.
const DATABASES: [&str; 7] = ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "clickhouse-client"];

/// Judges a command by a table.
pub(super) fn command(name: &str, command: &SimpleCommand) -> Option<Finding> {
    let words: Vec<&str> = command.arguments().iter().map(|word| word.pattern()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let what = match name {
        "terraform" | "tofu" if has(&["destroy", "-destroy", "--destroy"]) => {
            "all infrastructure of this configuration"
        }
        "kubectl"
            if has(&["delete"])
                && (has(&["ns", "namespace", "namespaces", "--all"]) || starts(&words, "namespace/")) =>
        {
            "everything in a namespace"
        }
        "docker" | "podman" if has(&["prune"]) && has(&["-a", "--all", "--volumes", "-af", "-fa"]) => {
            "images and volumes that are not in use"
        }
        "truncate"
            if words.windows(2).any(|pair| matches!(pair, ["-s" | "--size", "0"])) || has(&["-s0", "--size=0"]) =>
        {
            "all that is in the file"
        }
        "dropdb" => "a whole database",
        name if DATABASES.contains(&name) && drops(command) => "tables or databases with all that is in them",
        _ => return None,
    };
    Some(Finding::Ask(format!("{} would delete {what}; ask for it first", command.quote())))
}

fn starts(words: &[&str], prefix: &str) -> bool {
    words.iter().any(|word| word.starts_with(prefix))
}

/// Whether SQL in the arguments or on stdin drops or truncates.
fn drops(command: &SimpleCommand) -> bool {
    let stdin = match &command.stdin {
        Stdin::Text(text) => text,
        _ => "",
    };
    let texts = command.arguments().iter().map(|word| word.pattern()).chain([stdin]);
    texts.map(str::to_ascii_lowercase).any(|text| {
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        words.contains(&"truncate")
            || words.windows(2).any(|pair| matches!(pair, ["drop", "database" | "table" | "schema"]))
    })
}
