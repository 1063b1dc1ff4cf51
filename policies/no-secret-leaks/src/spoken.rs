//! Variables with a secret in a text that others will read: a commit, an issue, the query of a URL.

use crate::environment::variable;
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::ShellWord;

/// Programs that publish texts, and the first words of the commands that do so.
const PUBLISHERS: [(&str, &[&str]); 6] = [
    ("git", &["commit", "tag", "notes"]),
    ("gh", &["issue", "pr", "gist", "release"]),
    ("glab", &["issue", "mr", "snippet", "release"]),
    ("hub", &["issue", "pull-request", "release"]),
    ("jira", &["issue"]),
    ("linear", &["issue", "comment"]),
];

/// The options whose value is published.
#[rustfmt::skip] // Many words to a line.
const TEXTS: [&str; 12] = [
    "-m", "--message", "-b", "--body", "-t", "--title", "-n", "--notes", "-d", "--description", "--comment", "--summary",
];

/// Programs that take a URL.
const CLIENTS: [&str; 7] = ["curl", "wget", "http", "https", "xh", "xhs", "fetch"];

pub(crate) fn judge(commands: &[Command], found: &mut Findings) {
    for command in commands {
        if let Some(name) = published(command).or_else(|| in_query(command)) {
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

/// Returns a variable after the `?` of a URL.
fn in_query(command: &Command) -> Option<String> {
    if !CLIENTS.contains(&command.name) {
        return None;
    }
    let mut before = String::new();
    command.facts.argv.iter().skip(1).find_map(|word| {
        let last = std::mem::replace(&mut before, word.written().to_owned());
        let ShellWord::Partly { raw, .. } = word else { return None };
        let url = match raw.find("://") {
            Some(at) => raw.get(at..),
            None => Some(raw.as_str()).filter(|raw| !takes_data(&last) && begins_with_host(raw)),
        };
        let (_, query) = url?.split_once('?')?;
        let name = variable(word)?;
        query.contains(&name).then_some(name)
    })
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
