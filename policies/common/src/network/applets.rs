//! Small programs that move files or serve, many of them parts of busybox: `busybox ftpput`, `busybox httpd`.

use super::{Traffic, host};
use crate::{Command, Options, Word, options};

/// The programs that contain others.
const BOXES: [&str; 2] = ["busybox", "toybox"];
/// The shells that they contain.
const SHELLS: [&str; 5] = ["sh", "ash", "bash", "dash", "hush"];

/// Reads a command of one of these programs. Returns whether it was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    let args = command.args();
    if args.iter().any(|word| word.text() == "--help") {
        return false;
    }
    // Elsewhere, other programs have these names.
    let is_applet = command.facts.via.as_deref().is_some_and(|via| BOXES.contains(&via));
    match command.name {
        "tftp" | "atftp" => return copy(args, traffic),
        "telnetd" => {
            let read = options(args, &["-l", "-p", "-b", "-f"]);
            // The program takes the place of the one that asks for a password.
            waits(read.value(&["-b"]), read.value(&["-l"]), traffic);
        }
        "tcpsvd" | "udpsvd" => {
            let operands = options(args, &["-c", "-C", "-b", "-u", "-l"]).operands;
            waits(operands.first(), operands.get(2), traffic);
        }
        "httpd" if is_applet => {
            let read = options(args, &["-p", "-h", "-c", "-u", "-r", "-e", "-d", "-m", "-M"]);
            // With these, it only converts a text.
            if !read.has(&["-e", "-d", "-m"]) {
                // `-p 8080`, `-p 127.0.0.1:8080`
                waits(read.value(&["-p"]).filter(|bound| bound.text().contains(':')), None, traffic);
            }
        }
        "inetd" | "dnsd" if is_applet => waits(None, None, traffic),
        "ntpd" if is_applet => {
            let read = options(args, &["-p", "-I", "-S", "-k"]);
            read.values(&["-p"]).for_each(|word| traffic.host(word, Some(123)));
        }
        _ => return false,
    }
    true
}

/// Adds a server that waits at this address, by default at all of this machine, and runs this program for others.
fn waits(address: Option<&Word>, program: Option<&Word>, traffic: &mut Traffic) {
    let is_loopback =
        |host: host::Host| host.name == "localhost" || host.address.is_some_and(|address| address.is_loopback());
    if address.and_then(|address| host::host_and_port(address.text(), None)).is_some_and(is_loopback) {
        return;
    }
    traffic.serves = Some("it waits for others to connect".to_owned());
    let is_shell = |program: &&Word| SHELLS.contains(&program.text().rsplit('/').next().unwrap_or_default());
    if let Some(program) = program.filter(is_shell) {
        traffic.shell = Some(format!("it gives everybody {}", program.raw()));
    }
}

/// Reads `tftp -p -l file host`. Without these options, the host comes first, as for other programs of this name.
fn copy(args: &[Word], traffic: &mut Traffic) -> bool {
    let read = options(args, &["-l", "-r", "-b", "--local-file", "--remote-file", "--option", "--tftp-timeout"]);
    let puts = read.has(&["-p", "--put"]);
    if !puts && !read.has(&["-g", "--get"]) {
        return false;
    }
    let hosts = read.operands.iter().filter(|word| word.text().parse::<u16>().is_err());
    hosts.for_each(|word| traffic.host(word, Some(69)));
    if puts {
        traffic.sends("what it puts");
    }
    true
}

/// Marks what a program of FTP or TFTP puts on its host.
pub(super) fn puts(name: &str, read: &Options, traffic: &mut Traffic) {
    let puts = match name {
        "ftpput" | "ncftpput" => true,
        // In toybox, one program does both.
        "ftpget" => read.has(&["-s"]),
        "ftp" => read.has(&["-u"]),
        _ => read.value(&["-c"]).is_some_and(|verb| verb.text() == "put"),
    };
    if puts {
        traffic.sends("what it puts");
    }
}
