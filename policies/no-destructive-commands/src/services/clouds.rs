//! Requests to clouds and forges in which a document, and no word of the command, says what to delete.

use super::texts;
use crate::prefix::{begins, operands};
use hookbox_policy::{Command, Word};

/// Actions that the names of GraphQL mutations begin with, and how they are written at the end of a name.
const ACTIONS: [(&str, &str); 3] = [("delete", "Delete"), ("destroy", "Destroy"), ("purge", "Purge")];

/// Returns what a document in a command tells a service to delete.
pub(super) fn loss(command: &Command<'_>) -> Option<&'static str> {
    match command.name {
        "aws" => expires(command).then_some("the objects that the rules let expire"),
        "gh" | "glab" => {
            let is_query = begins(&operands(command), &["api", "graphql"]);
            (is_query && mutates(command)).then_some("what others rely on")
        }
        "curl" | "wget" | "http" | "https" | "xh" | "xhs" => {
            let is_remote = |text: &str| is_graphql(text) && !super::is_local(super::address(text).0);
            let is_query = command.args().iter().any(|word| is_remote(word.text()));
            (is_query && mutates(command)).then_some("what the service keeps for you")
        }
        _ => None,
    }
}

/// Whether a command sets rules by which objects or images expire. Rules in a file are not known.
fn expires(command: &Command<'_>) -> bool {
    let operands = operands(command);
    let is_rule = begins(&operands, &["s3api", "put-bucket-lifecycle-configuration|put-bucket-lifecycle"]);
    let may_expire = |word: &Word| {
        let text = word.text();
        word.is_unknown() || text.contains("Expiration") || text.contains("file://") || text.contains("cli-input")
    };
    is_rule && command.args().iter().any(may_expire) || begins(&operands, &["ecr", "put-lifecycle-policy"])
}

/// Whether a text is the address of a GraphQL service.
fn is_graphql(text: &str) -> bool {
    !text.starts_with('{') && !text.contains(char::is_whitespace) && text.contains("/graphql")
}

/// Whether a GraphQL document in a command calls a mutation that deletes: `mutation{deleteRef(…){…}}`.
fn mutates(command: &Command<'_>) -> bool {
    texts(command).any(|text| {
        // In JSON, line breaks are escaped.
        let text = text.replace("\\n", " ").replace("\\t", " ");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut is_mutation = false;
        let mut rest = text.as_str();
        while let Some(at) = rest.find(is_name) {
            let from = rest.get(at..).unwrap_or_default();
            let end = from.find(|c: char| !is_name(c)).unwrap_or(from.len());
            let (name, after) = from.split_at_checked(end).unwrap_or((from, ""));
            is_mutation |= name == "mutation";
            if is_mutation && is_deletion(name) && after.trim_start().starts_with(['(', '{']) {
                return true;
            }
            rest = after;
        }
        false
    })
}

/// Whether the name of a field says that it deletes: `deleteRef`, `delete_users`, `volumeDelete`.
fn is_deletion(name: &str) -> bool {
    let says = |(action, ending): (&str, &str)| {
        let begins = name.strip_prefix(action).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()));
        begins || name.ends_with(ending) || name.strip_suffix(action).is_some_and(|rest| rest.ends_with('_'))
    };
    name == "archiveRepository" || ACTIONS.into_iter().any(says)
}
