//! Debuggers that connect to a program on another machine: `gdb -ex 'target remote host:port'`.

use super::{Traffic, code, host, is_url};
use crate::{Command, UNKNOWN, Word, options_with_one_dash};

/// The options whose value is a command of the debugger, without their dashes.
#[rustfmt::skip] // Many words to a line.
const COMMANDS: &[&str] = &[
    "ex", "iex", "eval-command", "init-eval-command", "early-init-eval-command", "eiex", "o", "O", "k", "K", "one-line",
    "one-line-before-file", "one-line-on-crash",
];

/// Reads a command of a debugger. URLs that are a word may be for the program that is debugged, and are read elsewhere.
pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    let args = command.args();
    let name = command.name.strip_suffix(".exe").unwrap_or(command.name);
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    match base {
        "gdb" | "gdbtui" | "cgdb" | "gdb-multiarch" | "lldb" => commands(command, traffic),
        _ if base.ends_with("-gdb") || base.ends_with("-lldb") => commands(command, traffic),
        _ if matches!(name, "r2" | "radare2" | "rizin") => {
            let schemes = ["gdb://", "winedbg://", "rap://", "raps://", "qnx://"];
            let is_remote = |word: &&Word| schemes.iter().any(|scheme| word.text().starts_with(*scheme));
            args.iter().filter(is_remote).for_each(|word| traffic.url(word));
        }
        "dlv" => {
            let mut words = args.iter().skip_while(|word| word.text() != "connect").skip(1);
            if let Some(address) = words.find(|word| !word.text().starts_with('-')) {
                address_of(address.text(), traffic);
            }
        }
        "jdb" => {
            let read = options_with_one_dash(args, &["-attach", "-connect", "-sourcepath", "-classpath"]);
            read.values(&["-attach"]).for_each(|word| address_of(word.text(), traffic));
            // `com.sun.jdi.SocketAttach:hostname=host,port=5005`
            let settings = read.values(&["-connect"]).flat_map(|word| word.text().split([':', ',']));
            let hosts = settings.filter_map(|setting| setting.strip_prefix("hostname="));
            hosts.for_each(|name| traffic.host(&Word::new(name), None));
        }
        _ => {}
    }
}

/// Reads the commands of a debugger: those in its options, and those on its standard input.
fn commands(command: &Command, traffic: &mut Traffic) {
    let mut words = command.args().iter();
    let mut lines: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let text = word.text();
        // The arguments of the program that is debugged.
        if matches!(text, "--args" | "-args" | "--") {
            break;
        }
        let Some(option) = text.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) else { continue };
        match option.split_once('=') {
            Some((name, line)) if COMMANDS.contains(&name) => lines.push(line.to_owned()),
            None if COMMANDS.contains(&option) => lines.extend(words.next().map(|word| word.text().to_owned())),
            _ => {}
        }
    }
    let input = command.facts.stdin.as_ref().map(Word::from);
    lines.extend(input.map(|input| input.text().to_owned()));
    lines.iter().flat_map(|text| text.lines()).for_each(|line| connection(line, traffic));
}

/// Reads a command that connects to another program. Each word may be abbreviated.
fn connection(line: &str, traffic: &mut Traffic) {
    let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    match words.as_slice() {
        // `target remote host:port`, `target extended-remote | program`
        [verb, kind, rest @ ..] if is_short(verb, "target", 3) && is_remote_kind(kind) => {
            if let Some(address) = rest.first().filter(|word| !word.starts_with('|')) {
                address_of(address, traffic);
            }
        }
        ["gdb-remote" | "kdp-remote", address, ..] => address_of(address, traffic),
        // `process connect connect://host:port`, `platform connect connect://host:port`, and servers of symbols:
        // `set debuginfod urls https://host`
        [verb, ..]
            if matches!(*verb, "process" | "platform" | "pro" | "pla" | "plat" | "proc" | "set" | "settings") =>
        {
            for word in words.iter().filter(|word| is_url(word)) {
                match word.split_once("connect://") {
                    Some((_, address)) => address_of(address.trim_end_matches('/'), traffic),
                    None if word.starts_with("file:") => {}
                    None => code::urls(word).iter().for_each(|url| traffic.url(&Word::new(url))),
                }
            }
        }
        _ => {}
    }
}

/// Whether a word is this one or the beginning of it, with at least so many letters.
fn is_short(word: &str, whole: &str, least: usize) -> bool {
    word.len() >= least && whole.starts_with(word)
}

fn is_remote_kind(kind: &str) -> bool {
    is_short(kind, "remote", 3) || is_short(kind, "extended-remote", 3)
}

/// Reads `host:port`, `tcp:host:port` and `:port`. A path is a device or a socket of this machine.
fn address_of(text: &str, traffic: &mut Traffic) {
    let kinds = ["tcp:", "tcp4:", "tcp6:", "udp:", "udp4:", "udp6:"];
    let address = kinds.iter().find_map(|kind| text.strip_prefix(*kind)).unwrap_or(text);
    let is_here = address.starts_with(['/', ':', '.']) || address.starts_with("unix:");
    // On Windows, a device is `com1`.
    let is_device = !address.contains([':', UNKNOWN]) && !host::looks_like_host(address);
    if !is_here && !is_device {
        traffic.host(&Word::new(address), None);
    }
}
