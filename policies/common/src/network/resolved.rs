//! Names for which options of curl give an address of this machine: `--resolve example.com:443:127.0.0.1`.

use super::{Reach, Target, Traffic, arguments, host, table};
use crate::options::is_for;
use crate::{Command, Options, Word};
use std::net::IpAddr;

/// Options that may lead around the addresses: proxies, files with more options or addresses, and more requests, for
/// which other options count.
#[rustfmt::skip] // Many words to a line.
const AROUND: &[&str] = &[
    "-x", "--proxy", "--preproxy", "--proxy1.0", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "-K", "--config", "--hsts", "--alt-svc",
    "-:", "--next",
];

/// The most addresses that a command may give. Each of its hosts is compared with all of them.
const MAX_ENTRIES: usize = 64;

/// A host whose connections lead to this machine.
struct Local {
    /// The name; `None` for all.
    name: Option<String>,
    /// The port; `None` for all.
    port: Option<u16>,
}

/// Replaces the hosts to which a command of curl only seems to connect by this machine.
pub(super) fn replace(command: &Command, commands: &[Command], traffic: &mut Traffic) {
    let Some(program) = table::find(command.name).filter(|_| matches!(command.name, "curl" | "curlie")) else {
        return;
    };
    let read = arguments::sorted(program, command);
    let sockets = ["--unix-socket", "--abstract-unix-socket"];
    let is_socket =
        read.has(&sockets) && read.values(&sockets).all(|file| file.known().is_some_and(|file| !file.is_empty()));
    let (Some(resolved), Some(connected)) = (all(&read, "--resolve", resolved), all(&read, "--connect-to", connected))
    else {
        return;
    };
    let entries = resolved.len() + connected.len();
    let is_needed = is_socket || (1..=MAX_ENTRIES).contains(&entries);
    if !is_needed || read.has(AROUND) || commands.iter().any(sets_proxy) {
        return;
    }
    // A proxy of the environment, which is not known here, looks the name up by itself.
    let may_send = read.values(&["--noproxy"]).any(|hosts| hosts.text() == "*");
    for contact in &mut traffic.contacts {
        let Target::Host(reached) = &contact.target else { continue };
        let is_of = |locals: &[Local]| locals.iter().any(|local| local.is_for(reached, &contact.word));
        let is_local = is_socket || is_of(&connected) || is_of(&resolved) && (may_send || contact.sends.is_none());
        if is_local && reached.reach() == Reach::Other {
            contact.target = host::host_and_port("localhost", None).map_or(Target::Opaque, Target::Host);
        }
    }
}

/// Whether a command sets a proxy for others, or for itself.
fn sets_proxy(command: &Command) -> bool {
    let is_proxy = |name: &str| name.to_ascii_lowercase().contains("_proxy");
    let names = command.facts.assignments.iter().map(|set| set.name.as_str());
    names.chain(command.args().iter().map(Word::text)).any(is_proxy)
}

/// Reads all values of an option. `None` if one of them may lead to another machine.
fn all(read: &Options, option: &str, local: fn(&str) -> Option<Local>) -> Option<Vec<Local>> {
    let mut given = read.options.iter().filter(|given| is_for(&given.name, option));
    given.try_fold(Vec::new(), |mut locals, given| {
        locals.push(local(given.value.as_ref()?.text())?);
        Some(locals)
    })
}

/// Reads `host:port:address,address`. The sign `-` removes an entry, and with `+`, it ends after some time.
fn resolved(value: &str) -> Option<Local> {
    let (name, rest) = value.split_once(':')?;
    let (port, addresses) = rest.split_once(':')?;
    // curl ignores an entry whose address is a name or has an unusual form.
    let is_local = |address: &str| {
        let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    };
    if name.is_empty() || name.starts_with(['+', '-', '[']) || !addresses.split(',').all(is_local) {
        return None;
    }
    let name = (name != "*").then(|| name.to_ascii_lowercase());
    Some(Local { name, port: Some(port.parse().ok()?) })
}

/// Reads `host:port:host:port`, where the first host and port may be left out.
fn connected(value: &str) -> Option<Local> {
    let (name, rest) = value.split_once(':')?;
    let (port, to) = rest.split_once(':')?;
    let is_plain = to.chars().all(|c| c.is_ascii_alphanumeric() || "[]:.-".contains(c));
    if name.starts_with('[') || !is_plain || host::host_and_port(to, None)?.reach() != Reach::Local {
        return None;
    }
    let port = if port.is_empty() { None } else { Some(port.parse().ok()?) };
    Some(Local { name: (!name.is_empty()).then(|| name.to_ascii_lowercase()), port })
}

impl Local {
    /// Whether connections to a host, as it is written in `word`, lead to this machine. curl compares names as they are
    /// written, so `example.com.` is another name.
    fn is_for(&self, reached: &host::Host, word: &str) -> bool {
        let name = self.name.as_deref().unwrap_or(&reached.name);
        let word = word.to_ascii_lowercase();
        let after = word.split_once("://").map_or(word.as_str(), |(_, after)| after).strip_prefix(name);
        self.port.is_none_or(|port| reached.port == Some(port))
            && reached.name == name
            && after.is_some_and(|after| after.is_empty() || after.starts_with([':', '/', '?', '#']))
    }
}
