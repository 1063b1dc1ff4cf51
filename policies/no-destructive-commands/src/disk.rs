//! Commands that write to a disk instead of to the files on it.

use crate::scene::{Scene, has};
use crate::target::Target;
use hookbox_policy::{Command, Findings, GLOB, UNKNOWN, Word, options};
use hookbox_sdk::Access;

/// The names below `/dev` that are no disks and no memory: what programs may write to.
const HARMLESS: [&str; 13] =
    ["null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "fd", "pts", "shm", "ptmx"];

/// Kernel files that halt or break the system when something is written to them.
const KERNEL: [&str; 4] = ["/proc/sysrq-trigger", "/proc/sys/kernel/sysrq", "/sys/power/state", "/dev/mem"];

/// Whether the command `name` overwrites the devices that it is given.
fn formats(name: &str) -> bool {
    matches!(
        name,
        "mkfs"
            | "mke2fs"
            | "mkswap"
            | "mkntfs"
            | "mkdosfs"
            | "blkdiscard"
            | "shred"
            | "badblocks"
            | "pvcreate"
            | "pvremove"
            | "sgdisk"
            | "hdparm"
            | "nvme"
            | "mkfs.fat"
    ) || name.starts_with("mkfs.")
        || name.starts_with("newfs")
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let args = command.args();
    let dry = |names: &[&str]| has(&options(args, &[]).options, names);
    match command.name {
        "mkfs" | "mkfs.ext4" | "mkfs.ext3" | "mkfs.ext2" | "mke2fs" if dry(&["-n", "-V", "--help"]) => {}
        "badblocks" if !dry(&["-w"]) => {}
        "sgdisk" if !dry(&["-Z", "-z", "-o", "-d", "--zap", "--zap-all", "--clear", "--delete"]) => {}
        "hdparm"
            if !args
                .iter()
                .any(|word| word.text().starts_with("--security-erase") || word.text() == "--trim-sector-ranges") => {}
        "nvme" if !args.iter().any(|word| matches!(word.text(), "format" | "sanitize")) => {}
        "wipefs" if !dry(&["-a", "--all", "-o", "--offset"]) || dry(&["-n", "--no-act"]) => {}
        "wipefs" => by_device(command, scene, found),
        "sfdisk" => {
            let reads = dry(&[
                "-l",
                "--list",
                "-d",
                "--dump",
                "-V",
                "--verify",
                "-F",
                "--list-free",
                "-g",
                "-n",
                "--no-act",
                "-J",
                "--json",
                "-s",
            ]);
            if !reads {
                by_device(command, scene, found);
            }
        }
        "parted" => {
            let changes = ["mklabel", "mktable", "mkpart", "rm", "resizepart", "set", "rescue"];
            if args.iter().any(|word| changes.contains(&word.text())) {
                by_device(command, scene, found);
            }
        }
        "cryptsetup" => {
            let erases = ["erase", "luksErase", "luksFormat", "luksKillSlot", "reencrypt"];
            if args.iter().any(|word| erases.contains(&word.text())) {
                by_device(command, scene, found);
            }
        }
        "dd" => {
            for word in args {
                if let Some(path) = word.text().strip_prefix("of=") {
                    overwrite(command, scene, &word.after(word.text().len() - path.len()), found);
                }
            }
        }
        "diskutil" => {
            let erases =
                ["erasedisk", "erasevolume", "zerodisk", "partitiondisk", "secureerase", "randomdisk", "reformat"];
            if args.iter().any(|word| erases.contains(&word.text().to_ascii_lowercase().as_str())) {
                found.deny(format!("{} would erase a disk; do that yourself", command.quote()));
            }
        }
        "lvremove" | "vgremove" | "lvreduce" | "vgreduce" => volume(command, found),
        "lvm" => {
            let is_removal = |word: &Word| matches!(word.text(), "lvremove" | "vgremove" | "lvreduce" | "vgreduce");
            if args.iter().any(is_removal) {
                volume(command, found);
            }
        }
        "pvremove" | "pvcreate" if dry(&["-t", "--test"]) => {}
        "zpool" | "zfs" | "btrfs" => pool(command, found),
        name if formats(name) => by_device(command, scene, found),
        _ => {}
    }
    // Of these, not all that is named is written.
    let is_read = matches!(
        command.name,
        "wipefs"
            | "sfdisk"
            | "parted"
            | "cryptsetup"
            | "badblocks"
            | "sgdisk"
            | "hdparm"
            | "nvme"
            | "mke2fs"
            | "pvremove"
            | "pvcreate"
    ) || command.name.starts_with("mkfs");
    for file in
        command.facts.files.iter().filter(|file| !is_read && matches!(file.access, Access::Write | Access::Create))
    {
        overwrite(command, scene, &Word::from(&file.path), found);
    }
    for redirect in command.facts.redirects.iter().filter(|redirect| redirect.op.contains('>')) {
        if let Some(target) = &redirect.target {
            overwrite(command, scene, &Word::from(target), found);
        }
    }
}

/// Whether a path in a `.git` holds commits, or says which there are.
fn is_history(names: &[&str]) -> bool {
    let at = names.iter().position(|name| *name == ".git");
    let next = at.and_then(|at| names.get(at + 1));
    next.is_none_or(|name| {
        matches!(*name, "objects" | "refs" | "logs" | "HEAD" | "packed-refs" | "index" | "worktrees")
    })
}

fn by_device(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    for word in command.args() {
        overwrite(command, scene, word, found);
    }
}

fn overwrite(command: &Command<'_>, scene: &Scene<'_>, word: &Word, found: &mut Findings) {
    let text = word.text();
    if text.starts_with('-') {
        return;
    }
    let dir = scene.dir(command);
    let path = if text.starts_with('/') { text.to_owned() } else { format!("{dir}/{text}") };
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    let path = format!("/{}", names.join("/"));
    if KERNEL.iter().any(|kernel| path == *kernel) {
        found.deny(format!("{} would halt or break the system by `{}`; leave that out", command.quote(), word.raw()));
    } else if scene.target(command, word) == Target::GitData && is_history(&names) {
        found.deny(format!(
            "{} would overwrite what git keeps of the project's history; use git's own commands",
            command.quote()
        ));
    } else if let ["dev", name, ..] = names.as_slice()
        && text.len() < path.len() + 16
        && !HARMLESS.contains(name)
        && !name.starts_with("tty")
        && (!name.starts_with([UNKNOWN, GLOB]) || text.starts_with("/dev"))
        && !matches!(*name, "tcp" | "udp" | "kmsg" | "log" | "ptp0" | "console")
    {
        let why = "and all files on it; write to a file instead";
        found.deny(format!("{} would overwrite the disk `{}` {why}", command.quote(), word.raw()));
    }
}

/// Logical volumes.
fn volume(command: &Command<'_>, found: &mut Findings) {
    const VALUES: [&str; 9] = [
        "--reportformat",
        "-S",
        "--select",
        "--config",
        "--commandprofile",
        "--profile",
        "--driverloaded",
        "--devices",
        "--devicesfile",
    ];
    let given = options(command.args(), &VALUES);
    let is_dry = has(&given.options, &["-t", "--test", "-h", "-?", "--help", "--longhelp", "--version"]);
    let is_known = given.operands.iter().any(|word| !word.is_unknown()) || has(&given.options, &["-S", "--select"]);
    if !is_dry && is_known {
        found.deny(format!("{} would delete a volume with all that is on it; do that yourself", command.quote()));
    }
}

/// Pools, datasets and snapshots.
fn pool(command: &Command<'_>, found: &mut Findings) {
    let given = options(command.args(), &[]);
    let words: Vec<&str> = given.operands.iter().map(Word::text).collect();
    let is_dry = has(&given.options, &["-n", "--dry-run"]);
    let loses = match (command.name, words.as_slice()) {
        ("zpool", ["destroy" | "labelclear", ..]) | ("zfs", ["destroy", ..]) => true,
        ("zfs", ["rollback", ..]) => has(&given.options, &["-r", "-R"]),
        ("btrfs", ["subvolume", "delete", ..]) => true,
        _ => false,
    };
    if loses && !is_dry {
        found.deny(format!(
            "{} would delete a pool, a dataset or a snapshot for good; do that yourself",
            command.quote()
        ));
    }
}
