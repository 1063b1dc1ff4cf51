//! Cases that the table cannot express: redirections, variables, forwardings, servers.

use super::{Target, Traffic, host, is_url, unseen};
use crate::{Command, Options, UNKNOWN, Word, options};

/// Programs that open a tunnel to this machine.
#[rustfmt::skip] // Many words to a line.
pub(super) const TUNNELS: &[&str] = &[
    "ngrok", "cloudflared", "localtunnel", "lt", "bore", "chisel", "frpc", "zrok", "gsocket", "gs-netcat", "localxpose", "pinggy",
    "tunnelmole", "tmole", "devtunnel", "expose",
];
/// Programs that share files or texts, and the hosts over which they do.
const SHARES: &[(&[&str], &str)] = &[
    (&["croc"], "croc.schollz.com"),
    (&["wormhole", "magic-wormhole"], "relay.magic-wormhole.io"),
    (&["ffsend"], "send.vis.ee"),
    (&["transfer", "transfersh"], "transfer.sh"),
    (&["rustypaste"], "paste.rs"),
    (&["wgetpaste"], "dpaste.com"),
    (&["pastebinit"], "paste.debian.net"),
    (&["sprunge"], "sprunge.us"),
    (&["termbin"], "termbin.com"),
    (&["asciinema"], "asciinema.org"),
];

/// Functions of Emacs that open a URL.
const EMACS: &[&str] =
    &["url-retrieve", "url-copy", "url-insert", "url-handler-mode", "browse-url", "(eww ", "(plz ", "(request "];

/// Reads redirections such as `> /dev/tcp/host/port`.
pub(super) fn redirects(command: &Command, traffic: &mut Traffic) {
    for redirect in &command.facts.redirects {
        let Some(word) = redirect.target.as_ref().map(Word::from) else {
            continue;
        };
        let Some(rest) = ["/dev/tcp/", "/dev/udp/"].iter().find_map(|start| word.text().strip_prefix(start)) else {
            // Asking about every `$FILE` would be too much.
            continue;
        };
        let (name, port) = rest.split_once('/').unwrap_or((rest, ""));
        let target = host::host_and_port(name, port.parse().ok()).map_or(Target::Opaque, Target::Host);
        if is_shell(command.name) {
            traffic.shell = Some(format!("{} is connected to {}", command.name, word.raw()));
        }
        traffic.reach(&word, target);
        // `exec 3<>` opens the file for both reading and writing.
        if redirect.op != "<" && redirect.op != "<>" {
            traffic.sends("a redirection");
        }
    }
}

/// Whether a program runs what it reads from its standard input.
fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "python3" | "python" | "perl")
}

/// Reads a shell whose output goes to the network, and which gets the answers as its input through a named pipe:
/// `cat pipe | sh -i | nc host 4444 > pipe`.
pub(super) fn circle(command: &Command, commands: &[Command], traffic: &mut Traffic) {
    let written = files_of(command, '>');
    let shells = command.facts.reads_from.iter().filter_map(|at| commands.get(*at));
    for shell in shells.filter(|source| is_shell(source.name)) {
        let sources = shell.facts.reads_from.iter().filter_map(|at| commands.get(*at));
        let copied = sources.flat_map(|source| source.args().iter().map(as_written));
        if files_of(shell, '<').into_iter().chain(copied).any(|read| written.contains(&read)) {
            traffic.shell = Some(format!("{} runs what it gets from the network by a file", shell.name));
        }
    }
}

/// Returns the files that the redirections of a command with this sign name.
fn files_of(command: &Command, sign: char) -> Vec<String> {
    let redirects = command.facts.redirects.iter().filter(|redirect| redirect.op.contains(sign));
    redirects.filter_map(|redirect| redirect.target.as_ref()).map(|word| as_written(&Word::from(word))).collect()
}

/// Returns a word as written, without quotes around it. Two words that are not known may be the same variable.
fn as_written(word: &Word) -> String {
    word.raw().trim_matches(['"', '\'']).to_owned()
}

/// Returns the host over which a program shares files or texts.
fn share_host(name: &str) -> Option<&'static str> {
    SHARES.iter().find(|(names, _)| names.contains(&name)).map(|(_, host)| *host)
}

/// Whether a command only prints its help or its version.
fn is_help(command: &Command) -> bool {
    command.args().iter().any(|word| matches!(word.text(), "--help" | "--version" | "-h" | "-V"))
}

/// Reads programs with unusual arguments. Returns whether this was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    match command.name {
        "socat" => socat(command, traffic),
        "openssl" => after(command, &["-connect", "-proxy", "-host"], traffic),
        // Without `exec`, these run a binary of the project, unless a script has its name.
        "pnpm" | "yarn" | "bun" => {
            let tunnel = verb(command).filter(|name| TUNNELS.contains(name) && !matches!(*name, "lt" | "expose"));
            if tunnel.is_some() {
                traffic.serves = Some("it opens a tunnel".to_owned());
            }
        }
        name if TUNNELS.contains(&name) => {
            if !command.args().iter().all(|word| word.text().starts_with('-') || word.text() == "version") {
                traffic.serves = Some("it opens a tunnel".to_owned());
            }
        }
        "ec2-metadata" | "ec2metadata" if !is_help(command) => {
            traffic.service("169.254.169.254", command.name, None);
        }
        "tailscale" if verb(command).is_some_and(|verb| matches!(verb, "funnel" | "serve" | "file")) => {
            traffic.serves = Some("it opens a tunnel".to_owned());
        }
        name if share_host(name).is_some() => {
            let receives = matches!(verb(command), Some("receive" | "recv" | "play" | "rec" | "cat" | "download"));
            if let Some(host) = share_host(name).filter(|_| !receives && !is_help(command)) {
                traffic.service(host, name, Some("what it shares".to_owned()));
            }
        }
        "tor" | "tmate" | "upterm" | "teleconsole" | "sshuttle" | "wstunnel" | "rathole" | "gost" | "dnscat2"
        | "iodine" => {
            if !is_help(command) {
                traffic.serves = Some("it opens a tunnel".to_owned());
            }
        }
        "code" | "code-insiders" if verb(command) == Some("tunnel") => {
            traffic.serves = Some("it opens a tunnel".to_owned());
        }
        "proxychains" | "proxychains4" | "torsocks" | "torify" | "tsocks" => {
            traffic.hides("it leads the program through a proxy that its own settings name");
        }
        // Editors read a URL as if it were a file.
        "vim" | "nvim" | "vi" | "view" | "ex" | "gvim" | "emacs" | "emacsclient" | "xemacs" => {
            for word in command.args() {
                let text = word.text();
                let url = text.find("://").map(|at| {
                    let start = text.get(..at).unwrap_or_default().rfind([' ', '"', '\'', '(']).map_or(0, |at| at + 1);
                    text.get(start..).unwrap_or_default().split([' ', '"', '\'', ')']).next().unwrap_or_default()
                });
                let begins = ["e ", "edit ", "source ", "so ", "r ", "read ", "tabe ", "split ", "new "];
                let command = text.trim_start_matches([':', ' ', '+']);
                let reads = !text.contains(' ')
                    || begins.iter().any(|verb| command.starts_with(verb))
                    || EMACS.iter().any(|call| text.contains(call));
                if let Some(url) = url.filter(|url| reads && is_url(url)) {
                    traffic.url(&Word::new(url));
                }
            }
        }
        "restic" | "rustic" | "borg" | "borgmatic" | "duplicity" | "kopia" | "rdiff-backup" => {
            repository(command, traffic)
        }
        "regsvr32" | "regsvr32.exe" | "mshta" | "mshta.exe" | "rundll32" | "rundll32.exe" | "msiexec"
        | "msiexec.exe" => {
            for word in command.args() {
                if let Some(at) = word.text().find("http") {
                    traffic.url(&word.after(at));
                }
            }
        }
        "xterm" | "uxterm" | "lxterm" | "rxvt" | "urxvt" | "aterm" | "Eterm" | "gnome-terminal" | "konsole"
        | "xfce4-terminal" | "terminator"
            if is_shown(command, traffic) => {}
        "helm" if verb(command) == Some("repo") => {
            command.args().iter().filter(|word| is_url(word.text())).for_each(|word| traffic.url(word));
        }
        _ => return false,
    }
    true
}

/// Reads the display on which a terminal is shown: `-display host:0`. Returns whether it is on another machine.
fn is_shown(command: &Command, traffic: &mut Traffic) -> bool {
    // The option may be abbreviated: `-disp host:0`.
    let is_option = |name: &str| name == "--display" || name.len() > 1 && "-display".starts_with(name);
    let args = command.args();
    let next = args.windows(2).filter_map(|pair| match pair {
        [name, value] if is_option(name.text()) => Some(value.clone()),
        _ => None,
    });
    let attached = args.iter().filter(|word| word.text().starts_with("--display="));
    let option = next.chain(attached.map(|word| word.after("--display=".len())));
    let variable = command.facts.assignments.iter().filter(|set| set.name == "DISPLAY");
    let displays = option.chain(variable.map(|set| Word::from(&set.value)));
    for display in displays.filter(|display| !display.is_unknown()) {
        let host = display.text().rsplit_once(':').map(|(host, _)| host.trim_end_matches(':')).unwrap_or_default();
        let target = host::host_and_port(host, None).map_or(Target::Nowhere, Target::Host);
        let is_socket = matches!(host, "" | "unix") || host.starts_with('/');
        if !is_socket && unseen::is_remote(&target) {
            traffic.shell = Some(format!("its terminal is shown on {host}"));
            traffic.reach(&display, target);
            return true;
        }
    }
    false
}

/// Reads the repository of a backup: `-r sftp:host:/path`, `user@host:path`.
fn repository(command: &Command, traffic: &mut Traffic) {
    let sends = command
        .args()
        .iter()
        .any(|word| matches!(word.text(), "backup" | "create" | "copy" | "snapshot" | "full" | "incr"));
    for word in command.args() {
        let text = word.text().split_once('=').map_or(word.text(), |(_, value)| value);
        let host = match text.split_once(':') {
            _ if is_url(text) => Some(text),
            Some(("sftp" | "rest" | "s3" | "ssh", rest)) => Some(rest.trim_start_matches('/')),
            Some((host, path)) if host.contains('@') && !path.is_empty() => Some(host),
            _ => None,
        };
        if let Some(host) = host {
            let host = if is_url(host) { host } else { host.split([':', '/']).next().unwrap_or_default() };
            traffic.host(&Word::new(host), None);
        }
    }
    if sends {
        traffic.sends("a backup");
    }
}

fn verb<'c>(command: &'c Command) -> Option<&'c str> {
    command.args().iter().map(Word::text).find(|text| !text.starts_with('-'))
}

/// Reads the hosts in the values of these options.
fn after(command: &Command, names: &[&str], traffic: &mut Traffic) {
    for pair in command.args().windows(2) {
        if let [name, value] = pair
            && names.contains(&name.text())
        {
            traffic.host(value, None);
        }
    }
}

/// Reads `socat TCP:host:port EXEC:sh`.
fn socat(command: &Command, traffic: &mut Traffic) {
    let (mut reaches, mut runs) = (false, None);
    for word in command.args().iter().filter(|word| !word.text().starts_with('-') || word.text() == "-") {
        let mut parts = word.text().splitn(2, ':');
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let rest = parts.next().unwrap_or_default();
        let is_network = ["tcp", "udp", "openssl", "ssl", "socks", "proxy", "sctp", "dtls"];
        if kind.starts_with("unix-") || kind.starts_with("abstract-") {
            // Only this machine reaches such a socket, and others only through a second address or a second command.
            reaches |= kind.ends_with("listen");
        } else if kind.contains("listen") || matches!(kind.as_str(), "tcp-l" | "udp-l" | "tcp4-l" | "ssl-l") {
            reaches = true;
            traffic.serves = Some("it waits for others to connect".to_owned());
        } else if is_network.iter().any(|name| kind.starts_with(name)) {
            reaches = true;
            let address = rest.split(',').next().unwrap_or_default();
            traffic.host(&Word::new(address), None);
        } else if matches!(kind.as_str(), "exec" | "system" | "shell") {
            runs = Some(word.raw().to_owned());
        }
    }
    match runs {
        Some(word) if reaches => traffic.shell = Some(format!("{word} is connected to the network")),
        _ => traffic.sends("what socat copies"),
    }
}

/// Reads `--resolve host:port:address` and `--connect-to host:port:host:port`, which lead to other hosts.
pub(super) fn redirected(value: &Word, traffic: &mut Traffic) {
    let text = value.text().trim_start_matches(['+', '-']);
    let rest = text.splitn(3, ':').nth(2).unwrap_or_default();
    for address in rest.split(',').filter(|address| !address.is_empty() && *address != ":") {
        let host = if address.starts_with('[') { address } else { address.split(':').next().unwrap_or_default() };
        if !host.is_empty() {
            traffic.host(&Word::new(host), None);
        }
    }
}

/// Reads the options of `ssh` that lead to other hosts or that let others connect back.
pub(super) fn ssh(read: &Options, traffic: &mut Traffic) {
    for setting in read.values(&["-o"]) {
        let Some((key, value)) = setting.text().split_once(['=', ' ']) else {
            continue;
        };
        match key.to_ascii_lowercase().as_str() {
            "hostname" => traffic.host(&Word::new(value), Some(22)),
            "proxyjump" => value.split(',').for_each(|hop| traffic.host(&Word::new(hop), Some(22))),
            "remoteforward" => traffic.serves = Some(format!("{key} opens a way back")),
            "include" => traffic.hides(format!("{value} may name other hosts")),
            _ => {}
        }
    }
    if let Some(forward) = read.value(&["-R"]) {
        traffic.serves = Some(format!("-R {} opens a way back", forward.raw()));
    }
}

/// Reads the commands that `lftp` gets: `open host; put file`.
pub(super) fn lftp(read: &Options, traffic: &mut Traffic) {
    let before = traffic.contacts.len();
    let mut puts = false;
    for line in read.values(&["-c", "-e"]).flat_map(|word| word.text().split([';', '\n', '&', '|'])) {
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
        let verb = words.first().copied().unwrap_or_default();
        puts |=
            verb.ends_with("put") || verb == "mirror" && words.iter().any(|word| matches!(*word, "-R" | "--reverse"));
        match words.iter().skip(1).rfind(|word| !word.starts_with('-')) {
            Some(host) if matches!(verb, "open" | "o" | "lftp") => traffic.host(&Word::new(host), None),
            _ => words.iter().filter(|word| is_url(word)).for_each(|word| traffic.url(&Word::new(word))),
        }
    }
    if puts {
        traffic.sends("what it puts");
    }
    let is_silent = read.value(&["-c"]).is_some() && traffic.contacts.len() == before;
    if is_silent || read.value(&["-f"]).is_some() {
        traffic.hides("its commands may name other hosts");
    }
}

/// Reads `iwr example.com`. A cmdlet of PowerShell adds the scheme to a host, and its options have one dash and any
/// case.
pub(super) fn cmdlet(command: &Command, traffic: &mut Traffic) {
    const OTHERS: &[&str] =
        &["-outfile", "-infile", "-body", "-headers", "-useragent", "-method", "-contenttype", "-destination"];
    let mut before = String::new();
    let mut sends = None;
    for word in command.args() {
        let text = word.text();
        let option = std::mem::replace(&mut before, text.to_ascii_lowercase());
        let is_place = !option.starts_with('-') || option == "-uri" || option.starts_with("-useb");
        if matches!(before.as_str(), "-body" | "-infile" | "-form")
            || option == "-method" && !matches!(before.as_str(), "get" | "head" | "options")
        {
            sends = Some(text.to_owned());
        }
        if text.starts_with('-') || is_url(text) || OTHERS.contains(&option.as_str()) {
            continue;
        }
        match host::target(text) {
            _ if text.starts_with(UNKNOWN) && is_place => traffic.reach(word, Target::Opaque),
            Target::Host(host) if host::looks_like_host(&host.name) => traffic.url(word),
            _ => {}
        }
    }
    if let Some(sends) = sends {
        traffic.sends(&sends);
    }
}

/// Reads a one-line server: `python -m http.server`, `php -S`.
pub(super) fn serves(args: &[Word], option: &str, traffic: &mut Traffic) {
    let read = options(args, &["-b", "--bind", "-d", "--directory", "-p", "--protocol", "-S", "-m"]);
    let bound = read.value(&["-b", "--bind", "-S"]);
    let is_local = bound
        .and_then(|bound| host::host_and_port(bound.text(), None))
        .is_some_and(|host| host.name == "localhost" || host.address.is_some_and(|address| address.is_loopback()));
    if !is_local {
        traffic.serves = Some(format!("{option} serves files to everybody who reaches this machine"));
    }
}

/// Whether a command's output is data of this machine, rather than a name or a date.
pub(super) fn is_source(command: &Command) -> bool {
    const SOURCES: &[&str] = &[
        "cat", "tac", "base64", "base32", "xxd", "od", "hexdump", "strings", "head", "tail", "env", "printenv", "gzip",
        "tar", "zip", "gpg", "security", "find", "ls", "ps", "id", "history", "less", "more", "nl", "rev", "dd",
        "paste", "openssl", "getent", "netstat", "ss", "ip", "ifconfig", "lsof", "crontab", "w", "who", "last",
    ];
    SOURCES.contains(&command.name)
}
