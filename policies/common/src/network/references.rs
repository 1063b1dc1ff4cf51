//! Hosts inside of longer words: connection strings, flake references, mounts, SQL.

use super::arguments::{self, remote};
use super::{Contact, Target, Traffic, addresses, code, geodata, host, is_url, literal};
use crate::{Command, UNKNOWN, Word, options, options_with_one_dash};

/// Reads the hosts inside of a program's words.
pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    let each: fn(&Word, &mut Traffic) = match command.name {
        "apt" | "apt-get" | "aptitude" => apt,
        "dnf" | "dnf5" | "yum" | "microdnf" | "tdnf" | "yum-config-manager" | "dnf-3" | "zypper" | "repoquery" => {
            repository
        }
        name if geodata::is_program(name) => return geodata::read(command, traffic),
        "duckdb" | "clickhouse-local" | "clickhouse-client" | "clickhouse" => sql,
        "ansible" | "ansible-playbook" => return inventories(command, traffic),
        "go" => return modules(command, traffic),
        "java" => proxy,
        "mvn" | "mvnw" | "mvnd" | "gradle" | "gradlew" | "ant" | "sbt" | "mill" | "dotnet" | "msbuild" => {
            return settings(command, traffic);
        }
        "terraform" | "tofu" => backend,
        "oras" | "crane" | "regctl" | "cosign" => return images(command, traffic),
        "redis-cli" | "valkey-cli" => return replicas(command, traffic),
        "mount" | "mount.nfs" | "mount.nfs4" | "mount.cifs" | "mount_nfs" | "mount_smbfs" => mount,
        "nix" | "nixos-rebuild" | "home-manager" | "darwin-rebuild" => flake,
        "rclone" => return rclone(command, traffic),
        "npm" | "npx" | "pnpm" | "pnpx" | "yarn" | "bun" | "bunx" | "pipx" | "uv" | "uvx" | "poetry" | "pdm"
        | "hatch" | "rye" | "pixi" => package,
        name if name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == "pip" => package,
        _ => return,
    };
    command.args().iter().for_each(|word| each(word, traffic));
}

/// Reads the proxy in `-o Acquire::http::Proxy=http://host:port`, and other hosts in settings of this kind.
fn apt(word: &Word, traffic: &mut Traffic) {
    let Some((key, value)) = word.text().split_once('=') else { return };
    if key.to_ascii_lowercase().contains("acquire::") && is_url(value) && !value.starts_with("file:") {
        traffic.url(&word.after(key.len() + 1));
    }
}

/// Reads the addresses in `--repofrompath=name,https://host/x` and `--setopt=name.baseurl=https://host/x`.
fn repository(word: &Word, traffic: &mut Traffic) {
    // An address that is a whole word, or the value of an option, is read elsewhere.
    if arguments::url(word).is_none() {
        let urls = code::urls(word.text());
        let urls = urls.iter().filter(|url| host::is_of_network(url) && !url.starts_with("file:"));
        urls.for_each(|url| traffic.url(&Word::new(url)));
    }
}

/// Reads the address after the name of a package: `name@https://host/x`, `name @ git+https://host/x`, and
/// `git@host:owner/repo`.
fn package(word: &Word, traffic: &mut Traffic) {
    let text = word.text();
    let Some((before, _)) = text.split_once("://") else {
        if text.starts_with("git@") {
            remote(word, traffic);
        }
        return;
    };
    let Some((name, _)) = before.rsplit_once('@') else { return };
    // A condition may follow: `name @ https://host/x ; python_version > "3"`.
    let rest = text.get(name.len() + 1..).unwrap_or_default();
    if let Some(url) = rest.split_whitespace().next().filter(|url| is_url(url) && host::is_of_network(url)) {
        traffic.url(&Word::new(url));
    }
}

/// The options of `go` that take a value.
#[rustfmt::skip] // Many words to a line.
const GO: &[&str] = &[
    "-C", "-p", "-o", "-exec", "-toolexec", "-tags", "-ldflags", "-gcflags", "-asmflags", "-gccgoflags", "-mod", "-modfile", "-overlay", "-pgo",
    "-pkgdir", "-buildmode", "-compiler", "-installsuffix", "-covermode", "-coverpkg",
];

/// Reads `go run example.com/tool@latest`. The host tells where the module is, even if it comes from a proxy.
fn modules(command: &Command, traffic: &mut Traffic) {
    let operands = options_with_one_dash(command.args(), GO).operands;
    let Some((verb, words)) = operands.split_first() else { return };
    // Without a version, the module is one of those in `go.mod`.
    let (words, needs_version) = match verb.text() {
        "get" => (words, false),
        "install" | "list" => (words, true),
        "mod" if words.first().is_some_and(|word| word.text() == "download") => (words, true),
        // The words after a program are for that program.
        "run" => (words.get(..1).unwrap_or_default(), true),
        _ => return,
    };
    for word in words {
        let (path, version) = word.text().split_once('@').map_or((word.text(), None), |(path, v)| (path, Some(v)));
        let host = path.split('/').next().unwrap_or_default();
        // Packages of the standard library and of this module have no dot there. `@none` removes a module.
        let is_remote = host.contains('.') && !host.starts_with('.') && !host.contains(UNKNOWN);
        if is_remote && version != Some("none") && (version.is_some() || !needs_version) {
            let target = host::host_and_port(host, Some(443)).map_or(Target::Opaque, Target::Host);
            traffic.modules.push(Contact { target, word: word.raw().to_owned(), sends: None });
        }
    }
}

/// Reads the URLs that are quoted in a query. A database without a server fetches them by itself.
fn sql(word: &Word, traffic: &mut Traffic) {
    let quoted = word.text().split(['\'', '"']).skip(1);
    quoted
        .filter(|text| text.contains("://") && host::is_of_network(text))
        .for_each(|url| traffic.url(&Word::new(url)));
}

fn inventories(command: &Command, traffic: &mut Traffic) {
    let names = ["-i", "--inventory", "--inventory-file"];
    let others = ["-u", "-e", "-l", "-t", "-f", "-m", "-a", "-M", "-T"];
    let read = options(command.args(), &[names.as_slice(), others.as_slice()].concat());
    read.values(&names).for_each(|word| inventory(word, traffic));
}

/// Reads the hosts in `ansible -i 203.0.113.7,example.com`. Without a comma, the word is a file.
fn inventory(word: &Word, traffic: &mut Traffic) {
    let hosts: Vec<&str> = word.text().split(',').filter(|host| !host.is_empty()).collect();
    if word.text().contains(',') && hosts.iter().all(|host| host::looks_like_host(host)) {
        hosts.iter().for_each(|host| traffic.host(&Word::new(host), Some(22)));
    }
}

/// Reads the hosts in settings of a build tool, where it finds packages or puts them.
fn settings(command: &Command, traffic: &mut Traffic) {
    for word in command.args() {
        proxy(word, traffic);
        let Some((name, addresses)) = addresses::for_tool(command.name, word.text()) else { continue };
        let before = traffic.contacts.len();
        addresses.filter(|address| is_url(address)).for_each(|address| traffic.url(&Word::new(address)));
        // `altDeploymentRepository`, `altSnapshotDeploymentRepository`
        let is_target = name.starts_with("alt") && name.ends_with("DeploymentRepository");
        for contact in traffic.contacts.iter_mut().skip(before).filter(|_| is_target) {
            contact.sends = Some("what is deployed".to_owned());
        }
    }
}

/// Reads `-Dhttps.proxyHost=example.com`.
fn proxy(word: &Word, traffic: &mut Traffic) {
    if let Some((name, value)) = word.text().split_once('=')
        && !value.is_empty()
        && name.starts_with("-D")
        && name.ends_with("proxyHost")
    {
        traffic.host(&word.after(name.len() + 1), None);
    }
}

/// Reads `-backend-config=address=https://example.com`.
fn backend(word: &Word, traffic: &mut Traffic) {
    let setting = word.text().trim_start_matches('-').strip_prefix("backend-config=").unwrap_or(word.text());
    if let Some((key, value)) = setting.split_once('=')
        && matches!(key, "address" | "lock_address" | "unlock_address" | "endpoint" | "hostname")
        && is_url(value)
    {
        traffic.url(&Word::new(value));
    }
}

/// Reads the registries of images, as in `oras push example.com/name:tag file`.
fn images(command: &Command, traffic: &mut Traffic) {
    for word in command.args().iter().filter(|word| !word.text().starts_with('-')) {
        if let Some((registry, _)) = word.text().split_once('/')
            && host::looks_like_host(registry)
        {
            traffic.host(&Word::new(registry), Some(443));
        }
    }
    let writes = ["push", "copy", "cp", "sign", "attest", "attach", "append", "mutate", "put", "tag", "delete"];
    // `regctl tag ls` only lists.
    let is_write = |text: &str| writes.contains(&text) && (text != "tag" || command.name != "regctl");
    if command.args().iter().any(|word| is_write(word.text())) {
        traffic.sends("an image");
    }
}

/// Reads `redis-cli replicaof example.com 6379`, after which a server copies its data from there or to there.
fn replicas(command: &Command, traffic: &mut Traffic) {
    for pair in command.args().windows(2) {
        if let [verb, host] = pair
            && ["replicaof", "slaveof", "migrate"].iter().any(|name| verb.text().eq_ignore_ascii_case(name))
            && !host.text().eq_ignore_ascii_case("no")
        {
            traffic.host(host, None);
        }
    }
}

/// Reads the source in `mount -t nfs host:/path /mnt` and `mount -t cifs //host/share /mnt`.
fn mount(word: &Word, traffic: &mut Traffic) {
    let text = word.text();
    match text.strip_prefix("//") {
        Some(rest) => traffic.host(&Word::new(rest.split('/').next().unwrap_or_default()), None),
        // This is no option, such as `lowerdir=/a:/b`.
        None if text.contains(':') && !text.contains(['=', ',']) => remote(word, traffic),
        None => {}
    }
}

/// Reads `github:owner/repo?host=example.com`.
fn flake(word: &Word, traffic: &mut Traffic) {
    let text = literal(word);
    let Some((kind, rest)) = text.split_once(':') else { return };
    let usual = match kind {
        "github" => "github.com",
        "gitlab" => "gitlab.com",
        "sourcehut" => "git.sr.ht",
        _ => return,
    };
    let query = rest.split('#').next().and_then(|rest| rest.split_once('?')).map_or("", |(_, query)| query);
    let host = query.split('&').find_map(|pair| pair.strip_prefix("host=")).unwrap_or(usual);
    traffic.service(host, word.raw(), None);
}

/// Reads the hosts in options such as `--sftp-host example.com`, and in connection strings.
fn rclone(command: &Command, traffic: &mut Traffic) {
    let mut before = "";
    for word in command.args() {
        let text = word.text();
        let option = std::mem::replace(&mut before, text);
        let is_host = |name: &str| name.starts_with("--") && names_host(name);
        match text.split_once('=').filter(|(name, _)| is_host(name)) {
            Some((name, _)) => traffic.url(&word.after(name.len() + 1)),
            None if is_host(option) => traffic.url(word),
            None => connection(text, traffic),
        }
    }
}

/// Whether an option or a setting of rclone is a host: `--sftp-host`, `endpoint`, `auth_url`.
fn names_host(name: &str) -> bool {
    ["host", "endpoint", "url"].iter().any(|end| name.ends_with(end))
}

/// Reads the hosts in a connection string of rclone: `:sftp,host=example.com:path`.
pub(super) fn connection(text: &str, traffic: &mut Traffic) {
    let Some((name, mut rest)) = text.split_once(',') else { return };
    if name.trim_start_matches(':').contains([':', '/']) {
        return;
    }
    while let Some((key, after)) = rest.split_once('=') {
        // The path begins here.
        if key.contains(':') {
            return;
        }
        let (value, more) = setting(after);
        // The settings between the last one and this one have no value.
        match key.rsplit(',').next().unwrap_or_default() {
            "remote" => connection(&value, traffic),
            key if names_host(key) => traffic.url(&Word::new(&value)),
            _ => {}
        }
        rest = more;
    }
}

/// Returns the value of a setting at the start of a text, and what comes after it. In quotes, a doubled quote stands for
/// itself.
fn setting(text: &str) -> (String, &str) {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        // A URL must be quoted, but whoever forgets the quotes means the URL.
        let scheme = text.find("://").filter(|at| text.find([',', ':']) == Some(*at));
        let start = scheme.map_or(0, |at| at + 3);
        let end = text.get(start..).and_then(|rest| rest.find([',', ':'])).map_or(text.len(), |at| start + at);
        return (text.get(..end).unwrap_or_default().to_owned(), text.get(end..).unwrap_or_default());
    };
    let mut value = String::new();
    let mut rest = text.get(1..).unwrap_or_default();
    while let Some((before, after)) = rest.split_once(quote) {
        value.push_str(before);
        let Some(more) = after.strip_prefix(quote) else {
            return (value, after);
        };
        value.push(quote);
        rest = more;
    }
    value.push_str(rest);
    (value, "")
}
