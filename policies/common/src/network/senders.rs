//! Small programs that send something to a machine: clients of printers, of SNMP and of monitoring.

use super::{Traffic, is_url};
use crate::{Command, Word, options};

/// The options of the other commands of printers that take a value.
#[rustfmt::skip] // Many words to a line.
const ADMIN: &[&str] = &["-D", "-L", "-P", "-R", "-U", "-c", "-d", "-h", "-i", "-m", "-o", "-p", "-r", "-u", "-v", "-x"];
/// The schemes of printers that are reached over the network.
const PRINTERS: [&str; 7] = ["http", "https", "ipp", "ipps", "lpd", "smb", "socket"];
/// The options of the programs of SNMP that take a value.
#[rustfmt::skip] // Many words to a line.
const SNMP: &[&str] = &[
    "-A", "-C", "-D", "-E", "-I", "-L", "-M", "-O", "-P", "-T", "-X", "-Y", "-Z", "-a", "-c", "-e", "-l", "-m", "-n", "-r", "-t", "-u", "-v", "-x",
];
/// What may come before the host of an agent of SNMP.
#[rustfmt::skip] // Many words to a line.
const TRANSPORTS: &[&str] = &[
    "udp", "udp6", "udpv6", "udpipv6", "tcp", "tcp6", "tcpv6", "tcpipv6", "ssh", "dtlsudp", "dtlsudp6", "dtls", "tlstcp", "tlstcp6", "tls", "sctp",
];

/// Reads a command of one of these programs. Returns whether it was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    let args = command.args();
    match command.name {
        "lp" => {
            let values = ["-d", "-H", "-i", "-n", "-o", "-P", "-q", "-t", "-U", "-h"];
            printer(args, &values, "-h", &["-d"], traffic);
            traffic.sends("what is printed");
        }
        "lpr" => {
            printer(args, &["-#", "-C", "-H", "-J", "-o", "-P", "-T", "-U"], "-H", &["-P"], traffic);
            traffic.sends("what is printed");
        }
        "lpq" | "lprm" => printer(args, &["-P", "-U", "-h"], "-h", &["-P"], traffic),
        "lpstat" | "cancel" => printer(args, &["-U", "-h", "-u"], "-h", &[], traffic),
        "lpadmin" | "lpoptions" | "lpmove" | "lpinfo" | "cupsenable" | "cupsdisable" | "cupsaccept" | "cupsreject" => {
            printer(args, ADMIN, "-h", &[], traffic);
        }
        "snmptrap" | "snmpinform" | "snmpset" => {
            agent(args, traffic);
            traffic.sends("what it sets or tells");
        }
        "snmpwalk" | "snmpbulkwalk" | "snmpget" | "snmpgetnext" | "snmpbulkget" | "snmptable" | "snmpstatus"
        | "snmpdelta" | "snmpdf" => agent(args, traffic),
        "zabbix_sender" => {
            let names = ["-z", "--zabbix-server"];
            let values = ["-z", "--zabbix-server", "-c", "-i", "-I", "-k", "-o", "-p", "-s"];
            let servers = options(args, &values);
            // `host:port,host`
            let hosts = servers.values(&names).flat_map(|word| word.text().split([',', ';']));
            hosts.for_each(|host| traffic.host(&Word::new(host), None));
            traffic.sends("what it reports");
        }
        "send_nsca" => {
            let read = options(args, &["-H", "-c", "-d", "-p"]);
            read.values(&["-H"]).for_each(|word| traffic.host(word, None));
            traffic.sends("what it reports");
        }
        _ => return false,
    }
    true
}

/// Reads a command of printers, whose option `server` names the host, and whose options `queues` may, too:
/// `queue@host`. Without these, the host is this machine.
fn printer(args: &[Word], values: &[&str], server: &str, queues: &[&str], traffic: &mut Traffic) {
    let read = options(args, values);
    // A path is a socket of this machine.
    let names = [server];
    let servers = read.values(&names).filter(|word| !word.text().starts_with('/')).cloned();
    let queues = read.values(queues).filter_map(|word| Some(word.after(word.text().find('@')? + 1)));
    let hosts: Vec<Word> = servers.chain(queues).collect();
    hosts.iter().for_each(|word| traffic.host(word, Some(631)));
    let is_printer = |text: &str| {
        let scheme = text.split("://").next().unwrap_or_default();
        is_url(text) && PRINTERS.iter().any(|known| scheme.eq_ignore_ascii_case(known))
    };
    // This is `lpadmin -p name -v ipp://host/x`.
    read.values(&["-v"]).filter(|word| is_printer(word.text())).for_each(|word| traffic.url(word));
}

/// Reads the agent of a command of SNMP: `host`, `host:port`, `udp:host:port`.
fn agent(args: &[Word], traffic: &mut Traffic) {
    let operands = options(args, SNMP).operands;
    let Some(agent) = operands.first() else { return };
    let transport = agent.text().split_once(':').map(|(before, _)| before);
    match transport {
        Some("unix") => {}
        Some(name) if TRANSPORTS.contains(&name) => {
            traffic.host(&agent.after(name.len() + 1), Some(161));
        }
        _ => traffic.host(agent, Some(161)),
    }
}
