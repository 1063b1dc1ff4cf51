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
    let first = command.args().iter().map(Word::text).find(|word| !word.starts_with('-'))?;
    if !verbs.contains(&first) {
        return None;
    }
    command.facts.argv.windows(2).find_map(|pair| match pair {
        [option, value] => {
            let given = Word::from(option);
            let is_next = TEXTS.contains(&given.text()) || is_cluster(given.text());
            let is_joined = TEXTS.iter().any(|text| given.text().starts_with(&format!("{text}=")));
            if is_joined { variable(option) } else { is_next.then(|| variable(value)).flatten() }
        }
        _ => None,
    })
}

/// Whether an option is a cluster that ends in `m`, such as `-am`.
fn is_cluster(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--") && text.len() > 2 && text.ends_with('m')
}

/// Returns a variable after the `?` of a URL.
fn in_query(command: &Command) -> Option<String> {
    if !CLIENTS.contains(&command.name) {
        return None;
    }
    command.facts.argv.iter().skip(1).find_map(|word| {
        let ShellWord::Partly { raw, .. } = word else { return None };
        let query = raw.find("://").and_then(|at| raw.get(at..)).and_then(|url| url.split_once('?'));
        let name = variable(word)?;
        query.is_some_and(|(_, query)| query.contains(&name)).then_some(name)
    })
}
