//! Programs that get a disk as an argument, where it is not known what they do with it.

use hookbox_policy::{Command, Names, Word};

/// Programs that only read a disk, or attach its content.
#[rustfmt::skip] // Many words to a line.
static READERS: Names = Names::new(&[
    "smartctl", "lsblk", "blkid", "hdparm", "sdparm", "fdisk", "file", "mount", "umount", "findmnt", "udevadm", "udisksctl", "losetup",
    "swapon", "swapoff", "stat", "ls", "hexdump", "xxd", "od", "strings", "cmp", "diff", "sha256sum", "md5sum", "b3sum", "pv",
    "tune2fs", "dumpe2fs", "xfs_info", "xfs_db", "debugfs", "iostat", "pvs", "vgs", "lvs", "pvscan", "pvdisplay", "vgdisplay", "lvdisplay",
    "vgcreate", "vgextend", "lvcreate", "lvextend", "kpartx", "partprobe", "partx", "blockdev", "lsof", "fuser", "ioping", "eject", "lsscsi",
    "sg_inq", "sg_map", "sg_readcap", "sg_logs", "sg_vpd", "photorec", "testdisk", "nvme", "zpool", "zfs", "btrfs", "dd_rescue", "qemu-img",
    "bmaptool", "dcfldd", "dc3dd", "dmsetup", "qemu-system-x86_64", "qemu-system-aarch64", "docker", "podman", "nerdctl", "systemctl", "lshw",
    "inxi", "diskutil", "hdiutil", "drutil", "isoinfo", "cdparanoia", "growpart", "fsfreeze", "fstrim", "kubectl", "lxc", "incus", "virsh",
    "ssh", "logger", "grub-probe", "systemd-cryptenroll", "systemd-analyze", "mdadm", "hwinfo",
]);

/// Checkers of file systems, which repair what they find unless an option forbids it.
const CHECKERS: [&str; 5] = ["fsck", "e2fsck", "btrfsck", "dosfsck", "ntfsfix"];

/// The options that keep a checker from changing anything.
const CHECKS_ONLY: [&str; 6] = ["-n", "-N", "--no-action", "--no-act", "-V", "--help"];

/// Returns a disk among the arguments of a program that may change it.
pub(crate) fn given<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let is_checker = CHECKERS.contains(&command.name) || command.name.starts_with("fsck.");
    let checks = || command.args().iter().any(|word| CHECKS_ONLY.contains(&word.text()));
    // The facts say what listed programs do with a file.
    let reads = || READERS.contains(command.name) || !command.facts.unlisted;
    if command.name.is_empty() || if is_checker { checks() } else { reads() } {
        return None;
    }
    command.args().iter().map(Word::text).find_map(disk_in)
}

/// Returns the disk that a word names, or that is the value of an option: `/dev/sda`, `--target=/dev/sda`.
pub(crate) fn disk_in(text: &str) -> Option<&str> {
    let path = text.get(text.find("/dev/")?..)?;
    let before = text.strip_suffix(path)?;
    let is_value = before.is_empty() || before.ends_with('=') || before.starts_with('-') && before.len() == 2;
    (is_value && is_disk(path)).then_some(path)
}

/// Whether a path is a block device or a flash memory.
fn is_disk(path: &str) -> bool {
    const LETTERS: [&str; 4] = ["sd", "hd", "vd", "xvd"];
    const NUMBERS: [&str; 12] =
        ["nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "mtd", "mtdblock", "ubi", "nbd", "loop", "zram"];
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    let has = |beginnings: &[&str], is: fn(char) -> bool| {
        beginnings.iter().any(|beginning| name.strip_prefix(beginning).is_some_and(|rest| rest.starts_with(is)))
    };
    name.starts_with("mapper/")
        || name.starts_with("disk/by-")
        || name.starts_with("md/")
        || has(&NUMBERS, |c| c.is_ascii_digit())
        || has(&LETTERS, |c| c.is_ascii_lowercase())
}
