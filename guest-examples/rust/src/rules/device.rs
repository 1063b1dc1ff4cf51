//! Commands that write to a disk instead of to the files on it.

use crate::verdict::Finding;
use hookbox_sdk::shell::{GLOB, Redirect, SimpleCommand, UNKNOWN, Word};

/// The beginnings of the names below `/dev` that a disk or a part of a disk has.
const DISKS: &[&str] = &["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/"];

/// Whether the command `name` overwrites the devices that it is given.
pub(super) fn formats(name: &str) -> bool {
    matches!(name, "mkfs" | "mke2fs" | "mkswap" | "wipefs" | "shred" | "blkdiscard" | "tee")
        || name.starts_with("mkfs.")
        || name.starts_with("newfs")
}

/// Judges a command for which [`formats`] holds.
pub(super) fn format(command: &SimpleCommand) -> Option<Finding> {
    let disk = command.arguments().iter().find(|word| is_disk(word.pattern()))?;
    Some(overwritten(&command.quote(), disk))
}

/// Judges `dd`, which names its output `of=…`.
pub(super) fn dd(command: &SimpleCommand) -> Option<Finding> {
    let is_output = |word: &&Word| word.pattern().strip_prefix("of=").is_some_and(is_disk);
    let output = command.arguments().iter().find(is_output)?;
    Some(overwritten(&command.quote(), output))
}

/// Judges a redirection that writes to a file.
pub(super) fn redirect(redirect: &Redirect) -> Option<Finding> {
    let Redirect { operator, target, .. } = redirect;
    let writes = redirect.writes() && is_disk(target.pattern());
    writes.then(|| overwritten(&format!("`{operator} {}`", target.raw()), target))
}

/// Whether a path is a disk. A device whose name is not known in full counts as one.
fn is_disk(path: &str) -> bool {
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    let rest: Vec<&str> = match (path.starts_with('/'), names.next()) {
        (true, Some("dev")) => names.collect(),
        _ => return false,
    };
    let name = rest.join("/");
    name.starts_with([UNKNOWN, GLOB]) || DISKS.iter().any(|disk| name.starts_with(disk))
}

fn overwritten(command: &str, disk: &Word) -> Finding {
    let disk = disk.raw().strip_prefix("of=").unwrap_or(disk.raw());
    Finding::Deny(format!("{command} would overwrite the disk {disk} and all files on it; write to a file instead"))
}
