//! Reads the arguments of a program by its row in the table.

use super::table::{self, Operands, Program};
use super::{
    Target, Traffic, addresses, applets, cloud, code, debuggers, git, handed, has_input, host, is_url, lists, literal,
    local,
};
use super::{references, senders, special, subcommands};
use crate::{Command, GLOB, Options, UNKNOWN, Word, options_but, options_with_one_dash};

pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    references::read(command, traffic);
    debuggers::read(command, traffic);
    let is_read = code::read(command, traffic) || git::read(command, traffic) || cloud::read(command, traffic);
    let is_read = is_read || applets::read(command, traffic);
    let is_read = is_read || senders::read(command, traffic);
    if special::read(command, traffic) || subcommands::read(command, traffic) || is_read {
        return;
    }
    match table::find(command.name) {
        Some(program) => of_program(program, command, traffic),
        None if lists::INERT.contains(command.name) => {}
        None => other(command, traffic),
    }
}

/// Reads a program that is not in the table. It is assumed to request the URLs among its arguments.
fn other(command: &Command, traffic: &mut Traffic) {
    let hands_on = handed::hands_on(command);
    for url in addresses::requested(command).iter().filter_map(url) {
        match handed::contact(&url).filter(|_| hands_on) {
            Some(contact) => traffic.handed.push(contact),
            None => traffic.url(&url),
        }
    }
    // The program is not known, so a host or an unknown argument may be its destination.
    let is_host = |word: &Word| host::looks_like_host(word.text()) || word.text().contains('@');
    if command.name.is_empty() && !command.words.is_empty() && command.args().iter().any(is_host) {
        traffic.hides(format!("the program {} is known only when it runs", command.quote()));
    }
}

/// Returns the URL in a word, which may belong to an option: `--url=https://host/x`, `-uhttps://host/x`.
pub(super) fn url(word: &Word) -> Option<Word> {
    let text = word.text();
    let is_whole = |text: &str| is_url(text) && host::is_of_network(text);
    let value = match text.split_once('=') {
        _ if text.starts_with('-') && text.get(2..).is_some_and(is_whole) => word.after(2),
        Some((name, _)) if name.starts_with('-') => word.after(name.len() + 1),
        _ => word.clone(),
    };
    // Terraform writes `git::https://host/x`. In a URL, `::` means nothing.
    let before = value.text().split_once("::").map(|(before, _)| before).filter(|before| !before.contains("://"));
    let value = before.map_or_else(|| value.clone(), |before| value.after(before.len() + 2));
    is_whole(value.text()).then_some(value)
}

/// Sorts the arguments of a program in the table.
pub(super) fn sorted(program: &Program, command: &Command) -> Options {
    let sends_value = program.sends.iter().filter_map(|option| option.strip_suffix('='));
    let with_value: Vec<&str> =
        [program.values, program.hosts, program.hides].into_iter().flatten().copied().chain(sends_value).collect();
    match lists::ONE_DASH.contains(&command.name) {
        true => options_with_one_dash(command.args(), &with_value),
        false => options_but(command.args(), &with_value, lists::FLAGS),
    }
}

fn of_program(program: &Program, command: &Command, traffic: &mut Traffic) {
    let read = sorted(program, command);
    if command.args().first().is_some_and(|word| matches!(word.text(), "--help" | "--version" | "--manual")) {
        return;
    }
    // `ssh -G host` prints the settings for it, and `ssh -Q` what the program can do.
    if command.name == "ssh" && command.args().first().is_some_and(|word| matches!(word.text(), "-G" | "-Q" | "-V")) {
        return;
    }
    let is_curl = matches!(command.name, "curl" | "curlie");
    let hosts: &[&str] = if local::keeps_mail(command.name, &read) { local::MAIL_SERVERS } else { program.hosts };
    for value in read.values(hosts) {
        match value.text().split_once(':') {
            // `--resolve host:port:address`, `--connect-to host:port:host:port`
            Some(_) if is_curl && !value.text().contains("://") && value.text().matches(':').count() > 1 => {
                special::redirected(value, traffic);
            }
            _ if matches!(command.name, "ssh" | "scp" | "sftp") => {
                value.text().split(',').for_each(|hop| traffic.host(&Word::new(hop), Some(22)));
            }
            _ => local::hosts(command.name, value).iter().for_each(|host| traffic.url(host)),
        }
    }
    match program.operands {
        Operands::Urls => {
            let urls = read.operands.iter().filter(|word| !local::is_page(command.name, word));
            urls.for_each(|word| traffic.url(word));
        }
        Operands::Request => request(&read, traffic),
        Operands::Host => first(&read, command, traffic),
        Operands::Shell => {
            if let Some(word) = read.operands.first() {
                traffic.host(word, Some(22));
            }
            if has_input(command) {
                traffic.sends("its standard input");
            }
            special::ssh(&read, traffic);
        }
        Operands::Hosts => read.operands.iter().for_each(|word| traffic.host(word, None)),
        Operands::Lookup => lookup(&read, command, traffic),
        Operands::Transfer => copy(&read, traffic),
        Operands::Mail => mail(&read, command, traffic),
        Operands::None => command.args().iter().for_each(|word| database(word, traffic)),
    }
    match command.name {
        "scp" | "sftp" | "sshfs" => special::ssh(&read, traffic),
        "lftp" => special::lftp(&read, traffic),
        "ftpget" | "ftpput" | "ncftpput" | "ftp" | "tftp" => applets::puts(command.name, &read, traffic),
        "mongo" | "mongosh" => {
            // This is `mongosh host/database`, as opposed to `mongosh database`.
            let host = read.operands.first().and_then(|word| word.text().split('/').next()).unwrap_or_default();
            if host::looks_like_host(host) {
                traffic.host(&Word::new(host), None);
            }
        }
        "Invoke-WebRequest" | "iwr" | "Invoke-RestMethod" | "irm" | "Start-BitsTransfer" | "invoke-webrequest"
        | "invoke-restmethod" => special::cmdlet(command, traffic),
        _ => {}
    }
    if let Some(what) = sent(program, command, &read) {
        traffic.sends(&what);
    }
    let is_harmless =
        |file: &str| matches!(file, "/dev/null" | "none") || command.name == "wget" && is_setting_of_wget(file);
    if let Some(file) = read.values(program.hides).find(|file| !is_harmless(file.text())) {
        traffic.hides(format!("{} may name other hosts", file.raw()));
    }
    if is_curl && read.operands.is_empty() && traffic.contacts.is_empty() && traffic.hidden.is_none() {
        return;
    }
    if read.operands.iter().any(|word| word.text() == format!("{UNKNOWN}")) {
        traffic.contacts.retain(|contact| contact.target != Target::Nowhere);
    }
}

/// Reads a word of a program whose operands are not hosts. It may be a URL, whatever option it belongs to, or contain a
/// host in the settings of a connection: `"host=example.com dbname=x"`.
fn database(word: &Word, traffic: &mut Traffic) {
    let text = word.text();
    let start = text.find('=').filter(|_| text.starts_with("--")).map_or(0, |at| at + 1);
    let value = word.after(start);
    if is_url(value.text()) {
        return local::database(&value, traffic);
    }
    let settings: Vec<(&str, &str)> = value.text().split_whitespace().filter_map(|part| part.split_once('=')).collect();
    if settings.len() < value.text().split_whitespace().count() {
        return;
    }
    let hosts = settings.iter().filter(|(key, _)| matches!(*key, "host" | "hostaddr")).flat_map(|(_, hosts)| {
        hosts.trim_matches('\'').split(',').filter(|host| !host.is_empty() && !host.starts_with('/'))
    });
    hosts.for_each(|host| traffic.host(&Word::new(host), None));
}

/// Whether a text is a setting of wget that names no host, no file and no data: `robots=off`. Case, `-` and `_` do not
/// matter in names.
fn is_setting_of_wget(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name: String = name.trim().chars().filter(|c| !"-_".contains(*c)).flat_map(char::to_lowercase).collect();
    matches!(name.as_str(), "robots" | "timeout" | "tries" | "wait" | "limitrate" | "useragent" | "checkcertificate")
}

/// Returns the argument that adds data to the request.
fn sent(program: &Program, command: &Command, read: &Options) -> Option<String> {
    let is_get = read.has(&["-G", "--get"]) && matches!(command.name, "curl" | "curlie");
    for option in &read.options {
        let names: Vec<&str> = program.sends.iter().map(|name| name.trim_end_matches('=')).collect();
        let name = names.iter().find(|name| {
            option.name == **name
                || (option.name.len() > 3 && option.name.starts_with("--") && name.starts_with(&option.name))
        });
        let value = option.value.as_ref().map(Word::text).unwrap_or_default();
        let is_file = value.starts_with('@') || value.contains("=@") || value.contains(UNKNOWN);
        let is_small = is_get && !is_file;
        if let Some(name) = name.filter(|_| !is_small) {
            return Some((*name).to_owned());
        }
        let is_method = matches!(option.name.as_str(), "-X" | "--request" | "--method")
            && matches!(command.name, "curl" | "curlie" | "wget" | "wget2");
        let reads = ["GET", "HEAD", "OPTIONS", "PROPFIND", "TRACE"];
        if is_method && !reads.iter().any(|method| value.eq_ignore_ascii_case(method)) {
            return Some(format!("{} {value}", option.name));
        }
        // `-H @file`, `-b @file`
        if matches!(option.name.as_str(), "-H" | "--header" | "-b" | "--cookie") && value.starts_with('@') {
            return Some(format!("{} {value}", option.name));
        }
        // Commands for a server, such as `DELE`.
        if command.name == "curl" && matches!(option.name.as_str(), "-Q" | "--quote" | "--mail-from") {
            return Some(format!("{} {value}", option.name));
        }
    }
    None
}

/// Reads `http POST example.com name=value`.
fn request(read: &Options, traffic: &mut Traffic) {
    let mut words = read.operands.iter();
    let Some(mut first) = words.next() else {
        return;
    };
    let is_method = |text: &str| {
        let known = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
        text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase())
            || known.iter().any(|method| text.eq_ignore_ascii_case(method))
    };
    let method = first.text();
    if is_method(method) {
        match words.next() {
            Some(next) => first = next,
            None => return,
        }
    }
    match first.text().strip_prefix(':') {
        Some(port) => traffic.host(&Word::new(&format!("localhost:{}", port.trim_start_matches('/'))), None),
        None => traffic.url(first),
    }
    let sends = |text: &str| {
        let at = text.find(['=', '@']).unwrap_or(text.len());
        let before = text.get(..at).unwrap_or_default();
        at < text.len() && !before.ends_with('=') && !text.get(at..).is_some_and(|rest| rest.starts_with("=="))
    };
    let reads = ["GET", "HEAD", "OPTIONS"];
    if is_method(method) && !reads.iter().any(|read| method.eq_ignore_ascii_case(read)) {
        traffic.sends(method);
    } else if let Some(item) = words.find(|word| sends(word.text())) {
        traffic.sends(item.raw());
    }
}

/// Reads `nc host port`.
fn first(read: &Options, command: &Command, traffic: &mut Traffic) {
    let is_nc = super::table::find(command.name).is_some_and(|program| program.names.contains(&"nc"));
    if is_nc {
        let runs = ["-e", "-c", "--exec", "--sh-exec", "--lua-exec"];
        if let Some(option) = read.options.iter().find(|option| runs.contains(&option.name.as_str())) {
            traffic.shell = Some(format!("{} gives the other machine a program", option.name));
        }
        if local::is_socket(read) {
            return;
        }
        if read.has(&["-l", "--listen"]) {
            traffic.serves = Some("it waits for others to connect".to_owned());
            return;
        }
    }
    let mut words = read.operands.iter();
    if let Some(word) = words.next() {
        let port = words.next().and_then(|word| word.text().parse().ok());
        match word.text().split_once(':') {
            Some((host, path)) if !word.text().contains("://") && path.parse::<u16>().is_err() => {
                traffic.host(&Word::new(host), port);
            }
            _ => traffic.host(word, port),
        }
    }
    if has_input(command) && !read.has(&["-z"]) {
        traffic.sends("its standard input");
    }
}

/// Reads a DNS lookup. It sends the name, which is harmless unless the name carries data.
fn lookup(read: &Options, command: &Command, traffic: &mut Traffic) {
    const RESOLVERS: [&str; 10] = [
        "1.1.1.1",
        "1.0.0.1",
        "8.8.8.8",
        "8.8.4.4",
        "9.9.9.9",
        "208.67.222.222",
        "208.67.220.220",
        "dns.google",
        "one.one.one.one",
        "resolver1.opendns.com",
    ];
    let resolves = command.name != "whois";
    let sends_patterns = matches!(command.name, "ping" | "ping6" | "whois" | "mtr");
    for (at, word) in read.operands.iter().enumerate() {
        let text = word.text();
        let server = text.strip_prefix('@');
        // `nslookup NAME SERVER`, `host NAME SERVER`
        let is_second = at > 0 && matches!(command.name, "nslookup" | "host") && host::looks_like_host(text);
        if let Some(server) = server.or(is_second.then_some(text)) {
            if !RESOLVERS.contains(&server) {
                traffic.host(&Word::new(server), Some(53));
            }
        } else if read.has(&["-p", "-d", "-E", "--file"]) && sends_patterns {
            traffic.host(word, None);
        } else if text.contains(UNKNOWN) && text.contains('.') && resolves {
            // `$(…).evil.com`: names below a domain can carry data.
            let domain = text.rsplit(UNKNOWN).next().unwrap_or_default().trim_start_matches('.');
            match host::host_and_port(domain, Some(53)).filter(|host| host.name.contains('.')) {
                Some(host) => traffic.reach(word, Target::Host(host)),
                None => traffic.reach(word, Target::Opaque),
            }
            traffic.sends("the name that is looked up");
        } else if text.split('.').any(is_data) && resolves {
            traffic.host(word, Some(53));
            traffic.sends("the name that is looked up");
        }
    }
}

/// Whether a label looks like data: long, with mixed letters and digits.
pub(super) fn is_data(label: &str) -> bool {
    let digits = label.chars().filter(char::is_ascii_digit).count();
    label.len() > 30
        && (digits > 4 || !label.contains('-'))
        && label.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// Reads `scp a host:b`.
fn copy(read: &Options, traffic: &mut Traffic) {
    let Some((last, sources)) = read.operands.split_last() else {
        return;
    };
    for source in sources {
        remote(source, traffic);
    }
    let before = traffic.contacts.len();
    remote(last, traffic);
    if !sources.is_empty() {
        for contact in traffic.contacts.iter_mut().skip(before) {
            contact.sends = Some(format!("a copy to {}", last.raw()));
        }
    }
}

/// Reads the machine in `user@host:path`, `host::module` or a URL. A path is on this machine.
pub(super) fn remote(word: &Word, traffic: &mut Traffic) {
    let literal = literal(word);
    let text = literal.as_str();
    if is_url(text) {
        traffic.url(word);
        return;
    }
    if text.starts_with(['/', '.', '~']) || text.starts_with(GLOB) {
        return;
    }
    let at = match text.find(']') {
        Some(end) if text.contains('[') => text.get(end..).and_then(|rest| rest.find(':')).map(|at| at + end),
        _ => text.find(':'),
    };
    match at.and_then(|at| text.get(..at)) {
        // A drive, as in `C:\x`.
        Some(host) if host.len() == 1 && host.chars().all(|c| c.is_ascii_alphabetic()) => {}
        Some(host) if !host.contains('/') => traffic.host(&Word::new(host), Some(22)),
        None if text.starts_with(UNKNOWN) && text.chars().all(|c| c == UNKNOWN) => traffic.reach(word, Target::Opaque),
        _ => {}
    }
}

/// Reads the domain of each recipient of a message.
fn mail(read: &Options, command: &Command, traffic: &mut Traffic) {
    for word in &read.operands {
        if let Some((_, domain)) = word.text().rsplit_once('@') {
            traffic.host(&Word::new(domain), Some(25));
        } else if word.is_unknown() {
            traffic.reach(word, Target::Opaque);
        }
    }
    for setting in read.values(&["-S"]) {
        match setting.text().split_once('=') {
            // `mailx -S smtp=host:25`
            Some((key, _)) if matches!(key, "mta" | "smtp") => traffic.url(&setting.after(key.len() + 1)),
            None if command.name == "sendmail" => traffic.host(setting, Some(25)),
            _ => {}
        }
    }
    // The message itself names its recipients.
    if read.has(&["-t", "--read-recipients"]) {
        traffic.reach(&Word::new("-t"), Target::Opaque);
    }
    traffic.sends("a message");
}
