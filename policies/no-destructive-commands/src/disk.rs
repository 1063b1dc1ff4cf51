//! Commands that write to a disk instead of to the files on it.

use crate::devices;
use crate::scene::{Scene, has};
use crate::target::Target;
use hookbox_policy::{Command, Findings, GLOB, Index, UNKNOWN, Word, index, options};
use hookbox_sdk::Access;

/// The names below `/dev` that are neither disks nor memory, and that may be written to.
const HARMLESS: [&str; 13] =
    ["null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "fd", "pts", "shm", "ptmx"];

/// Kernel files that halt or break the system when something is written to them.
const KERNEL: [&str; 4] = ["/proc/sysrq-trigger", "/proc/sys/kernel/sysrq", "/sys/power/state", "/dev/mem"];

/// A program that writes to the devices in its arguments.
struct Writer {
    names: &'static [&'static str],
    /// The options or words with one of which the program writes. If the list is empty, it always writes.
    when: &'static [&'static str],
    /// The options or words with one of which the program only prints something.
    unless: &'static [&'static str],
}

const fn writer(
    names: &'static [&'static str],
    when: &'static [&'static str],
    unless: &'static [&'static str],
) -> Writer {
    Writer { names, when, unless }
}

#[rustfmt::skip] // A table reads better with one row per line.
const WRITERS: &[Writer] = &[
    // What `-n` and `-V` mean to `mkfs` depends on the file system and on the other options.
    writer(&["mkfs"], &[], &["--help", "--version"]),
    writer(&["mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mke2fs"], &[], &["-n", "-V", "--help"]),
    writer(&["mkfs.btrfs", "mkfs.vfat", "mkfs.fat", "mkfs.ntfs", "mkfs.exfat", "mkfs.f2fs", "mkfs.jfs", "mkfs.minix", "mkfs.erofs"], &[], &["-V", "--help", "--version"]),
    writer(&["mkfs.xfs"], &[], &["-N", "-V"]),
    writer(&["newfs", "newfs_apfs", "newfs_hfs", "newfs_msdos", "newfs_exfat"], &[], &["-N"]),
    writer(&["mkswap", "mkntfs", "mkdosfs", "mkudffs", "blkdiscard", "bcache", "make-bcache"], &[], &["--help", "-V", "--version"]),
    writer(&["shred", "wipe", "scrub", "nwipe"], &[], &["--help", "--version"]),
    writer(&["pvcreate", "pvremove"], &[], &["-t", "--test"]),
    writer(&["badblocks"], &["-w"], &[]),
    writer(&["wipefs"], &["-a", "--all", "-o", "--offset"], &["-n", "--no-act"]),
    writer(&["sfdisk"], &[], &["-l", "--list", "-d", "--dump", "-V", "--verify", "-F", "--list-free", "-g", "-n", "--no-act", "-J", "--json", "-s"]),
    writer(&["fdisk", "gdisk", "cfdisk", "cgdisk"], &[], &["-l", "-x", "-s", "--list", "--list-details", "-h", "--help", "-V", "--version"]),
    writer(&["sgdisk"], &["-Z", "-z", "-o", "-d", "--zap", "--zap-all", "--clear", "--delete"], &[]),
    writer(&["parted"], &["mklabel", "mktable", "mkpart", "rm", "resizepart", "set", "rescue"], &[]),
    writer(&["cryptsetup"], &["erase", "luksErase", "luksFormat", "luksKillSlot", "reencrypt"], &[]),
    writer(&["mdadm"], &["--zero-superblock", "--create", "-C", "--stop", "-S"], &[]),
    writer(&["hdparm"], &["--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"], &[]),
    writer(&["nvme"], &["format", "sanitize", "write-zeroes"], &[]),
    writer(&["ddrescue"], &["-f", "--force"], &[]),
    writer(&["sg_format", "sg_write_same", "sg_write_buffer", "sg_unmap", "sg_dd", "sg_write_x"], &[], &["-h", "--help", "-V", "--version"]),
    writer(&["sg_sanitize"], &["-O", "--overwrite", "-B", "--block", "-C", "--crypto", "-z", "--zero"], &["--dry-run", "-D"]),
    writer(&["flash_erase", "flash_eraseall", "nandwrite", "ubiformat", "flashcp", "nandtest", "mtd_debug", "flash_unlock"], &[], &["-h", "--help", "-V", "--version"]),
    writer(&["xfs_repair"], &["-L"], &["-n"]),
    writer(&["zpool"], &["create", "add", "attach", "replace"], &["-n"]),
    writer(&["fio"], &["--rw=write", "--rw=randwrite", "--rw=rw", "--rw=readwrite", "--rw=randrw", "--rw=trim", "--readwrite=write", "--readwrite=randwrite"], &["--readonly"]),
];

/// The rows of the table by the names in them.
static BY_NAME: Index = index!(WRITERS, |writer| writer.names);

/// Returns whether a program writes to the devices among its arguments, or `None` if the program is not in the table.
fn writes_devices(command: &Command<'_>) -> Option<bool> {
    let mut rows = BY_NAME.rows(command.name).filter_map(|row| WRITERS.get(row));
    let row = rows.find(|row| row.names.contains(&command.name))?;
    let given = options(command.args(), &[]);
    let is_given = |wanted: &&str| match wanted.split_once('=') {
        // This is an option with its value: `--rw=write`, `-rw=write`, `--rw write`.
        Some((option, value)) => {
            let option = option.trim_start_matches('-');
            let is_option =
                |text: &str| text.strip_prefix('-').is_some_and(|text| text.trim_start_matches('-') == option);
            let is_joined = |text: &str| text.split_once('=').is_some_and(|(name, of)| is_option(name) && of == value);
            let is_pair = |pair: &[Word]| matches!(pair, [name, of] if is_option(name.text()) && of.text() == value);
            command.args().iter().any(|word| is_joined(word.text())) || command.args().windows(2).any(is_pair)
        }
        None if wanted.starts_with('-') => has(&given.options, &[wanted]),
        // `parted` also takes several words as one: `parted /dev/sda 'mklabel gpt'`.
        None => given.operands.iter().any(|word| word.text().split_whitespace().any(|word| word == *wanted)),
    };
    // After other letters than these, a letter may belong to a value: `mkfs.ext4 -Lmain`.
    let is_certain = |wanted: &&str| match wanted.strip_prefix('-').filter(|letter| letter.len() == 1) {
        Some(letter) => command.args().iter().any(|word| {
            let letters = word.text().strip_prefix('-').and_then(|letters| letters.split_once(letter));
            letters.is_some_and(|(before, _)| before.chars().all(|c| "aFfqvy".contains(c)))
        }),
        None => is_given(wanted),
    };
    Some((row.when.is_empty() || row.when.iter().any(is_given)) && !row.unless.iter().any(is_certain))
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let args = command.args();
    let by_table = writes_devices(command);
    if by_table == Some(true) {
        by_device(command, scene, found);
    } else if by_table.is_none()
        && let Some(disk) = devices::given(command)
    {
        found.ask(format!("{} may overwrite the disk `{disk}`; is that meant?", command.quote()));
    }
    match command.name {
        "dd" | "dcfldd" | "dc3dd" => {
            let values = ["of=", "hof=", "wipe=", "hwipe="];
            let paths = args.iter().filter_map(|word| {
                values.iter().find(|value| word.text().starts_with(**value)).map(|value| word.after(value.len()))
            });
            for path in paths {
                overwrite(command, scene, &path, found);
            }
        }
        // The last argument is the one that is written to.
        "dd_rescue" | "qemu-img" | "bmaptool"
            if command.name == "dd_rescue"
                || args.iter().any(|word| matches!(word.text(), "convert" | "dd" | "copy")) =>
        {
            if let Some(path) = args.last() {
                let name = path.text().len() - path.text().trim_start_matches("of=").len();
                overwrite(command, scene, &path.after(name), found);
            }
        }
        "dmsetup" if args.iter().any(|word| matches!(word.text(), "remove_all" | "wipe_table" | "remove")) => {
            found.ask(format!("{} would take volumes away from those who use them; is that meant?", command.quote()));
        }
        "format" | "format.com" if args.iter().any(|word| is_drive(word.text())) => {
            found.deny(format!("{} would erase a drive; do that yourself", command.quote()));
        }
        "diskutil" if args.iter().any(|word| ERASES.contains(&word.text().to_ascii_lowercase().as_str())) => {
            found.deny(format!("{} would erase a disk; do that yourself", command.quote()));
        }
        "lvremove" | "vgremove" | "lvreduce" | "vgreduce" => volume(command, found),
        "lvm" => {
            let is_removal = |word: &Word| matches!(word.text(), "lvremove" | "vgremove" | "lvreduce" | "vgreduce");
            if args.iter().any(is_removal) {
                volume(command, found);
            }
        }
        "zpool" | "zfs" | "btrfs" => pool(command, found),
        _ => {}
    }
    // For programs in the table, the table's knowledge of the arguments takes precedence over the facts about files.
    let files = command.facts.files.iter().filter(|_| by_table.is_none());
    for file in files.filter(|file| matches!(file.access, Access::Write | Access::Create)) {
        let path = Word::from(&file.path);
        overwrite(command, scene, &path, found);
        replaced(command, scene, &path, found);
    }
    for redirect in command.facts.redirects.iter().filter(|redirect| redirect.op.contains('>')) {
        if let Some(target) = &redirect.target {
            overwrite(command, scene, &Word::from(target), found);
        }
    }
}

/// The subcommands of `diskutil` that erase something, in lower case.
const ERASES: [&str; 10] = [
    "erasedisk",
    "erasevolume",
    "zerodisk",
    "partitiondisk",
    "secureerase",
    "randomdisk",
    "reformat",
    "deletecontainer",
    "deletevolume",
    "erasecontainer",
];

/// Files that are needed to log in or to boot.
const ESSENTIAL: [&str; 6] = ["/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/fstab"];

/// Judges a system file that is replaced.
fn replaced(command: &Command<'_>, scene: &Scene<'_>, word: &Word, found: &mut Findings) {
    let appends = command.facts.redirects.iter().any(|redirect| redirect.op.contains(">>"))
        || (command.name == "tee" && has(&options(command.args(), &[]).options, &["-a", "--append"]))
        || matches!(command.name, "chmod" | "chown" | "chgrp" | "touch" | "visudo");
    let text = word.text();
    let path = if text.starts_with('/') { text.to_owned() } else { format!("{}/{text}", scene.dir(command)) };
    if !appends && (ESSENTIAL.contains(&path.as_str()) || path.starts_with("/boot/")) {
        found.ask(format!("{} would replace `{path}`, which the system needs; is that meant?", command.quote()));
    }
}

/// Whether a path in a `.git` directory contains commits or refers to them.
fn is_history(names: &[&str]) -> bool {
    let at = names.iter().position(|name| *name == ".git");
    let next = at.and_then(|at| names.get(at + 1));
    next.is_none_or(|name| {
        matches!(*name, "objects" | "refs" | "logs" | "HEAD" | "packed-refs" | "index" | "worktrees")
    })
}

/// Whether a word is a Windows drive, such as `C:`.
fn is_drive(text: &str) -> bool {
    let mut letters = text.trim_end_matches(['\\', '/']).chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.as_str() == ":"
}

fn by_device(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    for word in command.args() {
        overwrite(command, scene, word, found);
        // This is an option with a value, such as `--filename=/dev/sda`.
        if let Some(disk) = devices::disk_in(word.text()).filter(|disk| disk.len() < word.text().len()) {
            overwrite(command, scene, &Word::new(disk), found);
        }
    }
}

fn overwrite(command: &Command<'_>, scene: &Scene<'_>, word: &Word, found: &mut Findings) {
    let text = word.text();
    if text.starts_with('-') {
        return;
    }
    let dir = scene.dir(command);
    let path = if text.starts_with('/') { text.to_owned() } else { format!("{dir}/{text}") };
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            // A part that is not known may be any number of directories.
            ".." if names.last().is_some_and(|name| name.contains(UNKNOWN)) => names.push(".."),
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    let path = format!("/{}", names.join("/"));
    if KERNEL.iter().any(|kernel| path == *kernel) {
        found.deny(format!("{} would halt or break the system by `{}`; leave that out", command.quote(), word.raw()));
    } else if scene.target(command, word) == Target::GitData && is_history(&names) {
        found.deny(format!(
            "{} would overwrite what git keeps of the project's history; use git's own commands",
            command.quote()
        ));
    } else if let ["dev", name, ..] = names.as_slice()
        && !HARMLESS.contains(name)
        && !name.starts_with("tty")
        && (!name.starts_with([UNKNOWN, GLOB]) || text.starts_with("/dev"))
        && !matches!(*name, "tcp" | "udp" | "kmsg" | "log" | "ptp0" | "console")
    {
        let why = "and all files on it; write to a file instead";
        found.deny(format!("{} would overwrite the disk `{}` {why}", command.quote(), word.raw()));
    }
}

/// Judges commands on logical volumes.
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

/// Judges commands on pools, datasets and snapshots.
fn pool(command: &Command<'_>, found: &mut Findings) {
    let given = options(command.args(), &[]);
    let words: Vec<&str> = given.operands.iter().map(Word::text).collect();
    let is_dry = has(&given.options, &["-n", "--dry-run"]);
    let loses = match (command.name, words.as_slice()) {
        // Without `-f`, `zpool` does not touch a disk that is in use.
        ("zpool", ["create" | "add" | "attach" | "replace", ..]) => has(&given.options, &["-f"]),
        ("zpool", ["destroy" | "labelclear", ..]) | ("zfs", ["destroy", ..]) => true,
        ("zfs", ["rollback", ..]) => has(&given.options, &["-r", "-R"]),
        // `btrfs` takes the beginnings of its words: `btrfs sub del`.
        ("btrfs", [group, verb, ..]) => {
            group.len() > 1 && "subvolume".starts_with(group) && !verb.is_empty() && "delete".starts_with(verb)
        }
        _ => false,
    };
    if loses && !is_dry {
        found.deny(format!(
            "{} would delete a pool, a dataset or a snapshot for good; do that yourself",
            command.quote()
        ));
    }
}
