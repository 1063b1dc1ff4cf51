//! Arguments that name files and sockets of this machine, where other programs take hosts.

use super::{Reach, Target, Traffic, host, literal};
use crate::{Options, UNKNOWN, Word};

/// Browsers that open a file if there is one with that name.
const BROWSERS: &[&str] = &["lynx", "links", "elinks", "w3m"];
/// Endings of the names of pages and texts. They are not top-level domains.
const PAGES: &[&str] = &["html", "htm", "xhtml", "shtml", "txt", "xml"];
/// Clients of PostgreSQL, to which a directory is a host, too: the one with the socket.
const POSTGRES: &[&str] = &["psql", "pgcli", "pg_dump", "pg_restore", "pg_dumpall", "createdb", "dropdb", "pg_isready"];

/// Whether a word is a file that a browser opens, as in `lynx coverage/index.html`. The first part of the path must be
/// neither a domain nor an address in any spelling.
pub(super) fn is_page(program: &str, word: &Word) -> bool {
    let text = word.text();
    let is_plain = !text.contains([':', '\\', '@', '%', '?', '#', UNKNOWN]) && !text.starts_with("//");
    let ends_so = text.rsplit_once('.').is_some_and(|(_, ending)| PAGES.contains(&ending));
    if !BROWSERS.contains(&program) || !is_plain || !ends_so {
        return false;
    }
    // `index.html`, `/tmp/index.html`, `../index.html`
    if !text.contains('/') || ["/", "./", "../"].iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let is_label = |host: &host::Host| host.address.is_none() && !host.name.contains('.');
    matches!(host::target(text), Target::Host(host) if is_label(&host) && host.reach() == Reach::Other)
}

/// Whether netcat connects to a socket of this machine: `nc -U /run/app.sock`.
pub(super) fn is_socket(read: &Options) -> bool {
    let is_path = |word: &Word| word.text().contains('/') || !host::looks_like_host(word.text());
    read.has(&["-U", "--unixsock"]) && read.operands.len() < 2 && read.operands.iter().all(is_path)
}

/// Returns the hosts in the value of an option of a database's client, without the directories of sockets:
/// `-h /var/run/postgresql`.
pub(super) fn hosts(program: &str, value: &Word) -> Vec<Word> {
    // What is not known may name another host.
    if !POSTGRES.contains(&program) || value.is_unknown() {
        return vec![value.clone()];
    }
    // A name that begins with `@` is a socket without a file.
    let is_host = |name: &&str| !name.is_empty() && !name.starts_with(['/', '@']);
    value.text().split(',').filter(is_host).map(Word::new).collect()
}

/// The options of swaks that name its server.
pub(super) const MAIL_SERVERS: &[&str] = &["-s", "--server"];

/// Whether swaks hands a message to a server of this machine that only keeps it, so that the recipients do not matter:
/// `--server localhost:1025`. On the usual ports, a server may pass the message on.
pub(super) fn keeps_mail(program: &str, read: &Options) -> bool {
    const USUAL: [u16; 4] = [24, 25, 465, 587];
    let port = read.value(&["-p", "--port"]).map(|port| port.text().parse::<u16>().ok());
    let keeps = |server: &Word| {
        let host = server.known().and_then(|text| host::host_and_port(text, port.flatten()));
        host.is_some_and(|host| host.reach() == Reach::Local && host.port.is_some_and(|port| !USUAL.contains(&port)))
    };
    let mut servers = read.values(MAIL_SERVERS).peekable();
    program == "swaks" && servers.peek().is_some() && servers.all(keeps)
}

/// Reads the URL of a database. For PostgreSQL, a path in place of the host is a socket, and the host may be among the
/// settings: `postgresql:///db?host=/run/postgresql`.
pub(super) fn database(word: &Word, traffic: &mut Traffic) {
    let text = literal(word);
    let Some(("postgres" | "postgresql", rest)) = text.split_once("://") else { return traffic.url(word) };
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = address.split('/').next().unwrap_or_default();
    let name = authority.rsplit_once('@').map_or(authority, |(_, name)| name);
    let is_path =
        |name: &str| name.starts_with('/') || name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%2f"));
    let settings: Vec<(&str, &str)> = query.split('&').filter_map(|setting| setting.split_once('=')).collect();
    // What is not known, or is written in another way, may name a host.
    let is_plain = !text.contains(UNKNOWN) && settings.iter().all(|(key, _)| !key.contains('%'));
    if !is_plain || !name.is_empty() && (name.contains(',') || !is_path(name)) {
        traffic.url(word);
    }
    let given = settings.iter().filter(|(key, _)| matches!(*key, "host" | "hostaddr"));
    for host in given.flat_map(|(_, hosts)| hosts.split(',')).filter(|host| !host.is_empty() && !is_path(host)) {
        traffic.host(&Word::new(host), Some(5432));
    }
}
