//! Commands that remove what the machine itself needs: its services, its packages, the processes of a user.

use crate::prefix::{Operand, begins, operands};
use hookbox_policy::{Command, Word, options};

/// Services that logins, the network, other services or data depend on, without `.service` and similar endings.
#[rustfmt::skip] // One name per line would fill a page.
const UNITS: &[&str] = &[
    "ssh", "sshd", "openssh", "network", "networking", "NetworkManager", "networkd", "resolved", "dhcpcd", "wpa_supplicant", "dbus",
    "firewalld", "ufw", "iptables", "nftables", "fail2ban", "apparmor", "auditd", "docker", "containerd", "crio", "kubelet", "k3s",
    "postgresql", "postgres", "mysql", "mysqld", "mariadb", "mongod", "mongodb", "redis", "redis-server", "elasticsearch", "cron", "crond",
    "rsyslog", "syslog", "journald", "logind", "udevd", "timesyncd", "chronyd", "ntpd", "etcd", "consul", "vault", "libvirtd", "lightdm",
    "gdm", "sddm", "display-manager", "polkit",
];

/// Packages without which the system does not start, or its package manager does not run.
#[rustfmt::skip]
const PACKAGES: &[&str] = &[
    "libc6", "glibc", "musl", "systemd", "init", "bash", "dash", "coreutils", "util-linux", "python3", "python3-minimal", "python", "perl",
    "perl-base", "apt", "dpkg", "rpm", "dnf", "yum", "pacman", "apk-tools", "sudo", "login", "passwd", "mount", "libpam-modules", "openssh-server",
    "openssh", "network-manager", "NetworkManager", "netplan.io", "grub", "grub-pc", "grub2", "kernel", "linux", "linux-image-generic",
    "initramfs-tools", "base", "filesystem", "openssl", "ca-certificates", "libssl3",
];

/// Options that remove a package even if other packages need it.
const REGARDLESS: [&str; 6] =
    ["--nodeps", "--force-all", "--force-depends", "--force-remove-essential", "--allow-remove-essential", "-Rdd"];

/// Programs that manage other machines.
const MANAGERS: &[&str] = &[
    "ansible",
    "salt",
    "salt-call",
    "salt-ssh",
    "puppet",
    "bolt",
    "chef-run",
    "chef-apply",
    "knife",
    "mco",
    "choria",
    "pyinfra",
];

/// The options of `usermod` with a value.
#[rustfmt::skip]
const USERMOD: [&str; 27] = [
    "-c", "-d", "-e", "-f", "-g", "-G", "-l", "-p", "-P", "-R", "-s", "-u", "-v", "-V", "-w", "-W", "-Z", "--comment", "--home", "--expiredate",
    "--inactive", "--gid", "--groups", "--login", "--password", "--shell", "--uid",
];

/// The beginnings of the names of devices by which a machine is connected.
const DEVICES: [&str; 6] = ["en", "eth", "wl", "ww", "bond", "ib"];

/// Returns what a command would do to the machine.
pub(super) fn loss(command: &Command<'_>) -> Option<&'static str> {
    let args: Vec<&str> = command.args().iter().map(Word::text).collect();
    let operands = operands(command);
    match command.name {
        "systemctl" => {
            let is_end = begins(&operands, &["stop|disable|mask|kill|isolate"]);
            let own = args.contains(&"--user");
            (is_end && !own && operands.iter().skip(1).any(is_unit)).then_some("stop a service that the machine needs")
        }
        "service" | "rc-service" => {
            let stops = operands.get(1).is_some_and(|action| action.text == "stop");
            (stops && operands.first().is_some_and(is_unit)).then_some("stop a service that the machine needs")
        }
        "launchctl" => {
            let is_end = begins(&operands, &["bootout|unload|remove|disable|stop|kill"]);
            let is_system = |operand: &Operand<'_>| {
                ["system", "/System/", "/Library/LaunchDaemons", "com.apple.", "com.openssh"]
                    .iter()
                    .any(|begin| operand.text.starts_with(begin))
            };
            (is_end && operands.iter().skip(1).any(is_system)).then_some("stop a service that the machine needs")
        }
        "killall" | "pkill" => {
            let given = options(
                command.args(),
                &["-u", "-U", "-g", "-G", "-P", "-s", "-t", "--user", "--uid", "--euid", "--signal"],
            );
            (given.has(&["-u", "-U", "--user", "--uid", "--euid"]) && given.operands.is_empty())
                .then_some("end all processes of a user")
        }
        name if MANAGERS.contains(&name) => removes(&args).then_some("delete on other machines"),
        "loginctl" => {
            let is_end = begins(&operands, &["terminate-user|kill-user|terminate-session|kill-session|terminate-seat"]);
            is_end.then_some("end all processes of a user")
        }
        "usermod" => {
            let given = options(command.args(), &USERMOD);
            let moves = given.has(&["-m", "--move-home"]) && given.has(&["-d", "--home"]);
            moves.then_some("move a whole home directory away")
        }
        "umount" => args
            .iter()
            .any(|arg| matches!(*arg, "/" | "/home" | "/usr" | "/var"))
            .then_some("take away files that the system uses"),
        "cipher" | "cipher.exe" => {
            let wipes = |arg: &&str| arg.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("/w:"));
            args.iter().any(wipes).then_some("make deleted files impossible to restore")
        }
        "svn" => {
            let removes = begins(&operands, &["delete|del|remove|rm"]);
            (removes && args.iter().any(|arg| arg.contains("://")))
                .then_some("delete from the repository that others use")
        }
        _ => removal(command.name, &args, &operands).or_else(|| cut(command.name, &args, &operands)),
    }
}

/// Returns the loss if a command takes a connection of the machine away.
fn cut(name: &str, args: &[&str], operands: &[Operand<'_>]) -> Option<&'static str> {
    // Devices with other names belong to containers, virtual machines and tests.
    let is_device = |text: &str| DEVICES.iter().any(|begin| text.starts_with(begin));
    let has_device = || args.iter().any(|arg| is_device(arg));
    let has = |wanted: &str| args.contains(&wanted);
    let cuts = match name {
        "ip" => {
            let is_route = begins(operands, &["route|ro|r", "del|delete|flush"]);
            let is_flush = begins(operands, &["route|ro|r", "flush"]);
            let is_link = begins(operands, &["link|l", "set|delete|del"]) && (has("down") || !has("set"));
            let is_address = begins(operands, &["address|addr|a", "flush|del|delete"]);
            is_route && (has("default") || has("main") || has("all"))
                || (is_flush || is_link || is_address) && has_device()
        }
        "route" => (has("del") || has("delete")) && has("default") || has("flush"),
        "ifconfig" => has("down") && has_device(),
        "ifdown" => has("-a") || has("--all") || has_device(),
        "nmcli" => {
            begins(operands, &["networking|net|n", "off"])
                || begins(operands, &["radio|r", "all|wifi|wwan", "off"])
                || begins(operands, &["device|dev|d", "disconnect|down|delete"]) && has_device()
                || begins(operands, &["connection|con|c", "delete"])
        }
        "rfkill" => begins(operands, &["block", "all|wifi|wlan|wwan"]),
        "networksetup" => has("off") && (has("-setairportpower") || has("-setnetworkserviceenabled")),
        "ipconfig" | "ipconfig.exe" => args.iter().any(|arg| arg.eq_ignore_ascii_case("/release")),
        _ => false,
    };
    (cuts && !has("--help")).then_some("take a connection of the machine away")
}

/// Whether a program that manages machines is told that something should be absent, or is told to remove it by a
/// function: `state=absent`, `ensure => absent`, `action=delete`, `file.remove`.
fn removes(args: &[&str]) -> bool {
    const KEYS: [&str; 3] = ["state", "ensure", "action"];
    const GONE: [&str; 8] = ["absent", "purged", "delete", "remove", "purge", "destroy", "rmdir", "uninstall"];
    let is_gone = |text: &str| {
        let value = text.trim_start_matches([' ', '=', ':', '>', '"', '\'']);
        value.len() < text.len() && GONE.iter().any(|gone| value.starts_with(gone))
    };
    let says = |arg: &str| {
        KEYS.iter().any(|key| arg.match_indices(key).any(|(at, _)| arg.get(at + key.len()..).is_some_and(is_gone)))
    };
    let is_function = |arg: &str| {
        let is_plain = arg.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'_'));
        is_plain && arg.split_once('.').is_some_and(|(_, verb)| verb.split('_').any(|part| GONE.contains(&part)))
    };
    args.iter().any(|arg| says(arg) || is_function(arg))
}

/// Returns the loss if a package that the system needs is removed.
fn removal(manager: &str, args: &[&str], operands: &[Operand<'_>]) -> Option<&'static str> {
    let removes = match manager {
        "apt" | "apt-get" | "aptitude" | "dnf" | "yum" | "microdnf" | "zypper" | "apk" => {
            begins(operands, &["remove|purge|erase|rm|del|autoremove"])
        }
        "dpkg" => args.iter().any(|arg| matches!(*arg, "-r" | "-P" | "--remove" | "--purge")),
        "rpm" => args.iter().any(|arg| *arg == "-e" || *arg == "--erase"),
        "pacman" => args.iter().any(|arg| arg.starts_with("-R") || *arg == "--remove"),
        _ => return None,
    };
    let is_needed = args.iter().any(|arg| PACKAGES.contains(arg) || REGARDLESS.contains(arg));
    (removes && is_needed && !args.contains(&"-s") && !args.contains(&"--simulate"))
        .then_some("remove a package that the system needs")
}

/// Whether an argument names a unit that the machine needs.
fn is_unit(operand: &Operand<'_>) -> bool {
    let name = operand.text.split(['.', '@']).next().unwrap_or_default();
    UNITS.contains(&name.strip_prefix("systemd-").unwrap_or(name))
        || (operand.text.starts_with("rescue") || operand.text.starts_with("emergency"))
}
