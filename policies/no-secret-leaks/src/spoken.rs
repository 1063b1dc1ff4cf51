//! Variables with a secret in a text that others will read: a commit, an issue, a URL, the body of a request.

use crate::environment::{is_secret, variable};
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::ShellWord;

/// Programs that publish texts, and the first words of the commands that do so.
const PUBLISHERS: [(&str, &[&str]); 8] = [
    ("git", &["commit", "tag", "notes"]),
    ("gh", &["issue", "pr", "gist", "release", "variable"]),
    ("glab", &["issue", "mr", "snippet", "release"]),
    ("hub", &["issue", "pull-request", "release"]),
    ("jira", &["issue"]),
    ("linear", &["issue", "comment"]),
    ("slack", &["chat"]),
    ("aws", &["sns"]),
];

/// The options whose value is published.
#[rustfmt::skip] // Many words to a line.
const TEXTS: [&str; 13] = [
    "-m", "--message", "-b", "--body", "-t", "--title", "-n", "--notes", "-d", "--description", "--comment", "--summary",
    "--text",
];

/// Programs that show all their words and their input to others, or look up a name with a server.
const SPEAKERS: [&str; 10] = ["wall", "write", "logger", "mail", "mailx", "dig", "nslookup", "host", "drill", "ping"];

/// Programs that take a URL.
const CLIENTS: [&str; 7] = ["curl", "wget", "http", "https", "xh", "xhs", "fetch"];

/// Options whose value is the body of a request.
#[rustfmt::skip] // Many words to a line.
const BODIES: [&str; 10] = [
    "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "-F", "--form", "--json",
    "--post-data",
];

pub(crate) fn judge(commands: &[Command], found: &mut Findings) {
    for command in commands {
        let name = published(command).or_else(|| spoken(command)).or_else(|| in_request(command));
        if let Some(name) = name.or_else(|| built_in(command)) {
            found.ask(format!(
                "{} puts the value of `{name}` where others can read it; leave it out, or send it as a header",
                command.quote()
            ));
        }
    }
}

fn published(command: &Command) -> Option<String> {
    let (_, verbs) = PUBLISHERS.iter().find(|(name, _)| *name == command.name)?;
    let mut before = "";
    // The first other word is the verb, unless it could be the value of an option before it.
    let verb = command.args().iter().map(Word::text).find(|word| {
        let last = std::mem::replace(&mut before, word);
        !word.starts_with('-') && (!last.starts_with('-') || last.contains('=') || verbs.contains(word))
    })?;
    if !verbs.contains(&verb) {
        return None;
    }
    let mut is_next = false;
    command.facts.argv.iter().skip(1).find_map(|word| {
        let given = Word::from(word);
        let text = given.text();
        let is_text = std::mem::replace(&mut is_next, TEXTS.contains(&text) || is_cluster(text));
        (is_text || has_text(text)).then(|| variable(word)).flatten()
    })
}

/// Whether an option is a cluster that ends in `m`, such as `-am`.
fn is_cluster(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--") && text.len() > 2 && text.ends_with('m')
}

/// Whether an option has a text attached: `--body=…`, `-m…`, `-am…`.
fn has_text(text: &str) -> bool {
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    letters.is_some_and(|letters| letters.chars().take_while(char::is_ascii_alphabetic).any(|c| "mbtnd".contains(c)))
        || text.split_once('=').is_some_and(|(option, _)| option.starts_with("--") && TEXTS.contains(&option))
}

/// Returns a variable in the words or the input of a program that shows them to others.
fn spoken(command: &Command) -> Option<String> {
    let mut words = command.facts.argv.iter().skip(1).chain(&command.facts.stdin);
    SPEAKERS.contains(&command.name).then(|| words.find_map(variable)).flatten()
}

/// Returns a variable whose value the history of an image keeps: `docker build --build-arg TOKEN=$TOKEN`.
fn built_in(command: &Command) -> Option<String> {
    const BUILDERS: [&str; 5] = ["docker", "docker-compose", "podman", "nerdctl", "buildah"];
    let mut is_next = false;
    command.facts.argv.iter().skip(1).filter(|_| BUILDERS.contains(&command.name)).find_map(|word| {
        let given = Word::from(word);
        let text = given.text();
        let attached = text.strip_prefix("--build-arg=");
        let is_value = std::mem::replace(&mut is_next, text == "--build-arg");
        let set = attached.or_else(|| is_value.then_some(text))?;
        let (name, is_given) = set.split_once('=').map_or((set, true), |(name, _)| (name, given.is_unknown()));
        variable(word).or_else(|| (is_given && is_secret(name)).then(|| name.to_owned()))
    })
}

/// Returns a variable after the `?` or in the path of a URL, or in the body of a request.
fn in_request(command: &Command) -> Option<String> {
    if !CLIENTS.contains(&command.name) {
        return None;
    }
    let has_items = matches!(command.name, "http" | "https" | "xh" | "xhs");
    let is_local = || command.args().iter().any(|word| is_loopback(word.text()));
    let sent = in_sent_input(command).filter(|_| !is_local());
    if sent.is_some() {
        return sent;
    }
    let mut before = String::new();
    command.facts.argv.iter().skip(1).find_map(|word| {
        let last = std::mem::replace(&mut before, word.written().to_owned());
        let ShellWord::Partly { raw, .. } = word else { return None };
        let name = variable(word)?;
        let is_body = BODIES.contains(&last.as_str()) || has_items && !raw.starts_with('-') && raw.contains('=');
        if is_body && !is_login(raw, &name) && !is_local() {
            return Some(name);
        }
        let exposed = exposed_part(raw, takes_data(&last))?;
        exposed.contains(&name).then_some(name)
    })
}

/// Returns a variable in the input that a client sends as the body of a request: `curl -d @-`.
fn in_sent_input(command: &Command) -> Option<String> {
    let is_sent = || command.args().iter().any(|word| matches!(word.text(), "@-" | "-d@-"));
    let input = command.facts.stdin.as_ref().filter(|_| is_sent())?;
    variable(input).filter(|name| !is_login(input.written(), name))
}

/// Returns the part of a URL that others can read: the path and what comes after the `?`, or only the latter. `is_data`
/// says whether the text is the value of an option that takes something other than a URL.
fn exposed_part(raw: &str, is_data: bool) -> Option<&str> {
    let (url, has_scheme) = match raw.split_once("://") {
        Some((_, url)) => (url, true),
        None => (raw, false),
    };
    if !has_scheme && (is_data || !begins_with_host(raw)) {
        return None;
    }
    match url.split_once(['/', '?']) {
        Some((host, path)) if has_scheme && !is_data && !is_loopback(host) && !takes_tokens(host) => Some(path),
        _ => url.split_once('?').map(|(_, query)| query),
    }
}

/// Whether an address is this machine's: a test may send anything there.
fn is_loopback(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"]
        .iter()
        .any(|name| host.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])))
}

/// Whether a service gets its tokens as a part of the path.
fn takes_tokens(host: &str) -> bool {
    let hosts = ["api.telegram.org", "hooks.slack.com", "discord.com", ".infura.io", ".alchemy.com"];
    hosts.iter().any(|known| host.ends_with(known))
}

/// Whether a secret is in a field for secrets, as in a request for a token: `client_secret=$CLIENT_SECRET`.
fn is_login(raw: &str, name: &str) -> bool {
    const FIELDS: [&str; 8] = ["key", "pass", "pwd", "auth", "token", "secret", "assertion", "credential"];
    let before = raw.match_indices('$').find_map(|(at, _)| {
        let (before, rest) = raw.split_at_checked(at)?;
        rest.trim_start_matches(['$', '{']).starts_with(name).then_some(before)
    });
    let before = before.unwrap_or_default().trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let field = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c)).next().unwrap_or_default();
    let field = field.to_ascii_lowercase();
    FIELDS.iter().any(|known| field.contains(known))
}

/// Whether the value of an option is something other than a URL.
fn takes_data(option: &str) -> bool {
    const LONG: [&str; 10] = [
        "--data",
        "--form",
        "--json",
        "--header",
        "--user",
        "--cookie",
        "--body",
        "--post-data",
        "--referer",
        "--output",
    ];
    match option.starts_with("--") {
        true => LONG.iter().any(|long| option.starts_with(long)),
        false => option.starts_with('-') && option.ends_with(['d', 'F', 'H', 'u', 'A', 'b', 'e', 'o']),
    }
}

/// Whether a word without a scheme looks like a URL with a query: `example.com/x?…`, `$HOST/?…`.
fn begins_with_host(raw: &str) -> bool {
    let raw = raw.trim_start_matches('"');
    let address = raw.split('?').next().unwrap_or_default();
    address.contains(['.', '/', '$']) && address.chars().all(|c| c.is_alphanumeric() || "./:_-%~${}".contains(c))
}
