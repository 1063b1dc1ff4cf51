//! Programs whose first operand is a subcommand, and no host: `k6 run`, `vegeta attack`.

use super::{Traffic, code, has_input, is_url, unseen};
use crate::{Command, UNKNOWN, Word, options, options_with_one_dash};

/// The options of `k6` that take a value, apart from those that are read here.
#[rustfmt::skip] // Many words to a line.
const K6: &[&str] = &[
    "-a", "--address", "-c", "--config", "--log-format", "--log-output", "-u", "--vus", "-d", "--duration", "-i", "--iterations", "-s", "--stage",
    "--tag", "-m", "--max", "--rps", "--summary-export", "--summary-mode", "--summary-time-unit", "--summary-trend-stats", "--system-tags",
    "--console-output", "--traces-output", "--compatibility-mode", "--user-agent", "-t", "--type", "--batch", "--batch-per-host",
];
/// The options of `vegeta` that take a value.
#[rustfmt::skip] // Many words to a line.
const VEGETA: &[&str] = &[
    "-body", "-cert", "-connect-to", "-connections", "-dns-ttl", "-duration", "-format", "-header", "-key", "-laddr", "-max-body",
    "-max-connections", "-max-workers", "-name", "-output", "-prometheus-addr", "-proxy-header", "-rate", "-redirects", "-resolvers",
    "-root-certs", "-targets", "-timeout", "-unix-socket", "-workers", "-cpus", "-profile",
];

/// The options of `grpc_cli` that take a value.
#[rustfmt::skip] // Many words to a line.
const GRPC_CLI: &[&str] = &[
    "--metadata", "--proto_path", "--protofiles", "--proto_files", "--infile", "--outfile", "--timeout", "--access_token", "--ssl_target",
    "--ssl_client_cert", "--ssl_client_key", "--channel_creds_type", "--call_creds", "--default_service_config", "--max_recv_msg_size",
];

/// Reads a command of one of these programs. Returns whether it was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    match command.name.strip_suffix(".exe").unwrap_or(command.name) {
        "k6" => k6(command, traffic),
        "vegeta" => vegeta(command, traffic),
        "grpc_cli" => grpc_cli(command, traffic),
        _ => return false,
    }
    true
}

/// Reads `k6 run -e BASE=https://example.com script.js`. What the script requests by itself is not known.
fn k6(command: &Command, traffic: &mut Traffic) {
    let addresses = ["-e", "--env", "-o", "--out"];
    let read = options(command.args(), &[K6, addresses.as_slice()].concat());
    // `influxdb=https://host/db`, with which variables may be set, too.
    let given = read.options.iter().filter_map(|option| option.value.clone());
    let set = command.facts.assignments.iter().filter(|set| set.name.starts_with("K6_"));
    let set = set.map(|set| Word::from(&set.value));
    for value in given.chain(set) {
        let start = value.text().find('=').map_or(0, |at| at + 1);
        if let Some(url) = [value.clone(), value.after(start)].iter().find(|word| is_url(word.text())) {
            traffic.url(url);
        }
    }
    let Some((verb, words)) = read.operands.split_first() else { return };
    for word in words {
        let text = word.text();
        // Scripts in these places are fetched.
        let is_remote = ["github.com/", "cdnjs.com/"].iter().any(|start| text.starts_with(start));
        if is_url(text) || is_remote || text.chars().all(|c| c == UNKNOWN) {
            let before = traffic.contacts.len();
            traffic.url(word);
            let scripts = traffic.contacts.get(before..).unwrap_or_default();
            traffic.runs |= (is_url(text) || is_remote)
                && matches!(verb.text(), "run" | "cloud" | "archive" | "inspect")
                && scripts.iter().any(|script| unseen::is_remote(&script.target));
        } else if text == "-" && (command.facts.stdin.is_some() || !command.facts.reads_from.is_empty()) {
            input(command, traffic);
        }
    }
    let is_cloud = verb.text() == "cloud" || read.values(&["-o", "--out"]).any(|word| word.text().starts_with("cloud"));
    if is_cloud {
        traffic.service("api.k6.io", "cloud", Some("a test".to_owned()));
    }
}

/// Reads `vegeta attack`. The other subcommands only read what it has measured.
fn vegeta(command: &Command, traffic: &mut Traffic) {
    let read = options_with_one_dash(command.args(), VEGETA);
    if read.operands.first().is_none_or(|verb| verb.text() != "attack") {
        return;
    }
    if let Some(option) = read.options.iter().find(|option| matches!(&*option.name, "-connect-to" | "-resolvers")) {
        traffic.hides(format!("{} may lead to other hosts", option.name));
    }
    match read.value(&["-targets"]).filter(|file| file.text() != "stdin") {
        Some(file) => traffic.hides(format!("{} may name other hosts", file.raw())),
        None => input(command, traffic),
    }
    let text = command.facts.stdin.as_ref().map(Word::from).unwrap_or_default();
    let writes = ["POST ", "PUT ", "PATCH ", "DELETE "].iter().any(|method| text.text().contains(method));
    if writes || read.has(&["-body"]) {
        traffic.sends("the body of the requests");
    }
}

/// Reads the URLs in a text on the standard input.
fn input(command: &Command, traffic: &mut Traffic) {
    let text = command.facts.stdin.as_ref().map(Word::from).unwrap_or_default();
    let urls = code::urls(text.text());
    if urls.is_empty() {
        traffic.hides("its input may name other hosts");
    }
    urls.iter().for_each(|url| traffic.url(&Word::new(url)));
}

/// Reads `grpc_cli call host:port method request`.
fn grpc_cli(command: &Command, traffic: &mut Traffic) {
    let operands = options(command.args(), GRPC_CLI).operands;
    // The value of an option that is not known may come first. The other subcommands only convert texts.
    let mut words = operands.iter().skip_while(|word| !matches!(word.text(), "ls" | "list" | "call" | "type"));
    let Some(verb) = words.next() else { return };
    let words: Vec<&Word> = words.collect();
    words.iter().take(1).for_each(|word| traffic.url(word));
    if verb.text() == "call" && (words.len() > 2 || has_input(command)) {
        traffic.sends("a request");
    }
}
