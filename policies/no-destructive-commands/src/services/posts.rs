//! Requests that delete something although their method is not `DELETE`: `POST /logs/_delete_by_query`.

use super::{address, is_local, shown, texts};
use hookbox_policy::{Command, UNKNOWN, Word};

/// What the last part of an address says if a request to it deletes.
const VERBS: [&str; 9] = ["delete", "destroy", "purge", "wipe", "truncate", "drop", "erase", "obliterate", "terminate"];

/// The ends of addresses at which search engines and other stores delete, even on this machine.
const STORES: [&str; 3] = ["/_delete_by_query", "/points/delete", "/admin/tsdb/delete_series"];

/// The ends of addresses at which stores take instructions, and instructions to delete. Spaces do not count.
const TOLD: [(&str, &[&str]); 2] =
    [("/_bulk", &["{\"delete\":{"]), ("/update", &["<delete>", "{\"delete\":{", "{\"delete\":[", "{\"delete\":\""])];

/// Headers, and a field of forms, by which a server takes a request for one with another method.
const OVERRIDES: [&str; 4] = ["x-http-method-override", "x-http-method", "x-method-override", "_method"];

/// Returns the address of such a request.
pub(super) fn address_of(command: &Command<'_>) -> Option<String> {
    let is_client = matches!(command.name, "curl" | "wget" | "http" | "https" | "xh" | "xhs");
    let is_override = is_client && texts(command).any(|text| overrides(&text));
    if !is_override && !posts(command) {
        return None;
    }
    let mut urls = command.args().iter().filter(|word| is_address(word.text()));
    let url = urls.find(|word| {
        let url = word.text().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (host, path) = address(url);
        let last = path.rsplit('/').next().unwrap_or_default();
        STORES.iter().any(|end| url.ends_with(end))
            || !is_local(host) && (is_override || says_so(last))
            || TOLD.iter().any(|(end, instructions)| url.ends_with(end) && is_told(command, instructions))
    });
    url.map(shown)
}

/// Whether a header or the body tells the server that the method is `DELETE`: `X-HTTP-Method-Override: DELETE`,
/// `id=5&_method=delete`, `{"_method": "DELETE"}`.
fn overrides(text: &str) -> bool {
    let flat: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '\\')).collect();
    let flat = flat.to_ascii_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    OVERRIDES.iter().any(|name| {
        flat.match_indices(name).any(|(at, _)| {
            let is_whole = !flat.get(..at).is_some_and(|before| before.ends_with(is_name));
            let rest = flat.get(at + name.len()..).unwrap_or_default();
            let value = rest.strip_prefix([':', '=']).map(|value| value.trim_start_matches('='));
            let after = value.and_then(|value| value.strip_prefix("delete"));
            is_whole && after.is_some_and(|after| !after.starts_with(is_name))
        })
    })
}

/// Whether an argument is an address, and not a header, a path or a part of the body.
fn is_address(text: &str) -> bool {
    let (host, _) = text.split_once('/').unwrap_or_default();
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '[' | ']' | UNKNOWN);
    text.starts_with("http://")
        || text.starts_with("https://")
        || host.contains(['.', ':', UNKNOWN]) && !host.starts_with('.') && host.chars().all(is_host)
}

/// Whether a command sends a request that may change something.
fn posts(command: &Command<'_>) -> bool {
    let mut args = command.args().iter().map(Word::text);
    let is_method = |text: &str| ["POST", "PUT", "PATCH"].iter().any(|method| text.ends_with(method));
    match command.name {
        "curl" => args.any(|text| {
            let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with(['-', 'X', 'H', 'o', 'u']));
            let sends = ["--data", "--json", "--form", "--upload-file"].iter().any(|option| text.starts_with(option));
            is_method(text) || sends || letters.is_some_and(|letters| letters.contains(['d', 'F', 'T']))
        }),
        "wget" => args.any(|text| is_method(text) || text.starts_with("--post-") || text.starts_with("--body-")),
        "http" | "https" | "xh" | "xhs" => args.any(|text| is_method(text) || is_field(text)),
        _ => false,
    }
}

/// Whether an argument is a field of the body, with which these programs send a `POST`: `id=5`, `all:=true`.
fn is_field(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, value)| {
        !name.is_empty() && !name.starts_with('-') && !name.contains(['/', '?']) && !value.starts_with('=')
    })
}

/// Whether the last part of an address names a deletion: `delete`, `messages:purge`, `batchDelete`.
fn says_so(last: &str) -> bool {
    let mut parts = last.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| VERBS.contains(&part.to_ascii_lowercase().as_str()))
        || ["Delete", "Destroy", "Purge"].iter().any(|end| last.ends_with(end))
}

/// Whether a request contains one of these instructions.
fn is_told(command: &Command<'_>, instructions: &[&str]) -> bool {
    texts(command).any(|text| {
        let flat: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        instructions.iter().any(|instruction| flat.contains(instruction))
    })
}
