//! Rows for what is on this machine, or attached to it.

use super::Loss;
use crate::prefix::summary;

#[rustfmt::skip] // A table reads better with one row per line.
pub(super) const LOSSES: &[Loss] = losses! {
    // Disks, snapshots and discs
    "lvconvert" [] with ["--merge"] => "what changed since the snapshot";
    "zfs" ["receive|recv"] with ["-F"] => "what changed since the snapshot";
    "gpart" ["destroy|delete"] => "partitions";
    "geli" ["kill|clear|init"] => "what the disk holds";
    "multipath" [] with ["-F"] => "the paths to disks in use";
    "wodim|cdrecord|cdrskin" [] with ["blank=all", "blank=fast", "blank=disc"] => "what the disc holds";
    "xorriso|xorrisofs" [] with ["-blank"] => "what the disc holds";

    // Phones and boards
    "adb" ["shell", "pm", "uninstall"] => "an application of the phone with its data";
    "adb" ["shell", "recovery|wipe"] => "what is on the phone";
    "fastboot" ["erase|format"] => "what is on the phone";
    "fastboot" [] with ["-w"] => "what is on the phone";
    "fastboot" ["flashing|oem", "unlock|unlock_critical|lock"] => "what is on the phone";
    "idevicerestore" [] with ["-e", "--erase"] => "what is on the phone";
    "xcrun" ["simctl", "erase|delete", "all"] => "all simulated phones";
    "esptool|esptool.py" ["erase_flash|erase-flash|erase_region|erase-region"] => "what is on the board";

    // The machine
    "crontab" [] with ["-r"] => "all jobs of the user";
    "userdel" [] with ["-r", "-rf", "-fr", "--remove"] => "the user with all files of the home directory";
    "deluser" [] with ["--remove-home", "--remove-all-files"] => "the user with all files of the home directory";
    "groupdel|delgroup" [] => "a group of users";
    "dscl" [] with ["-delete"] => "a record of the system";
    "sysadminctl" [] with ["-deleteUser"] => "the user";
    "passwd" [] with ["-d", "--delete", "-l", "--lock"] => "the login of the user";
    "efibootmgr" [] with ["-B", "--delete-bootnum", "-O", "--delete-bootorder"] => "a way to boot";
    "nvram" [] with ["-c", "-d"] => "settings of the firmware";
    "defaults" ["delete"] with ["-g", "-globalDomain", "NSGlobalDomain"] => "the settings of all programs";
    "iptables|ip6tables|ebtables" [] with ["-F", "--flush", "-X"] => "the rules of the firewall";
    "pfctl" [] with ["-F", "-Fa", "-Fall", "-Frules", "-d"] => "the rules of the firewall";
    "sacctmgr" ["delete|remove"] => "accounts of the cluster";
    "ldapdelete" [] => "entries of the directory";
    "nft" ["flush"] => "the rules of the firewall";
    "ufw" ["disable|reset"] => "the firewall";
    "setenforce" ["0|permissive|Permissive"] => "a protection of the system";
    "csrutil" ["disable"] => "a protection of the system";
    "spctl" [] with ["--master-disable", "--global-disable"] => "a protection of the system";
    "tmutil" ["delete|deletelocalsnapshots|deleteinprogress|disable"] => "backups";
    "wevtutil" ["cl|clear-log"] => "the log of the system";
    "wmic" ["shadowcopy|SHADOWCOPY|ShadowCopy", "delete|Delete|DELETE"] => "backups";
    "bcdedit" ["/set|/delete|/deletevalue"] => "a way to boot";
    "reg" ["delete|Delete|DELETE"] => "settings of the system";
    "diskpart" [] => "partitions";
    "fsutil" ["usn", "deletejournal"] => "a record of the file system";
    "asr" ["restore"] with ["--erase", "-erase"] => "a disk";
    "vssadmin" ["delete|Delete|DELETE"] => "backups";
    "wbadmin" ["delete|Delete|DELETE"] => "backups";

    // Passwords and keys
    "gpg|gpg2" [] with ["--delete-secret-keys", "--delete-secret-key", "--delete-secret-and-public-key", "--delete-secret-and-public-keys"] => "private keys";
    "pass|gopass" ["rm|remove|delete"] => "passwords";
    "security" ["delete-keychain|delete-generic-password|delete-internet-password|delete-identity"] => "passwords";
    "secret-tool" ["clear"] => "passwords";
    "keyring" ["del"] => "passwords";
    "bw|lpass" ["delete|rm"] => "passwords";

    // Version control other than git
    "hg|chg|sl" ["strip|purge|clean|rollback|hide|prune|undo"] => "changes that are nowhere else";
    "hg|chg|sl" ["update|up|checkout|co|goto|go"] with ["-C", "-Cr", "--clean"] => "changes that are not committed";
    "hg|chg|sl" ["revert"] with ["--all", "-a", "-C", "--no-backup"] => "changes that are not committed";
    "hg|chg|sl" ["shelve"] with ["-d", "--delete", "--cleanup"] => "shelved changes";
    "sl" ["bookmark|bookmarks|book"] with ["-D", "--strip"] => "commits that are on no other bookmark";
    "sl" ["push"] with ["-f", "--force", "--delete"] => "commits of others";
    "svn" ["revert"] => "changes that are not committed";
    "svn" ["cleanup"] with ["--remove-unversioned", "--remove-ignored"] => "files that svn does not know";
    "fossil" ["revert|scrub|purge|shun|undo"] => "changes that are nowhere else";
    "fossil" ["stash", "drop|rm"] => "stashed changes";
    "fossil" ["checkout|co"] with ["-f", "--force"] => "changes that are not committed";
    "fossil" ["clean"] with ["-f", "--force", "-x", "--verily"] => "files that fossil does not know";
    "fossil" ["unversioned|uv", "remove|rm|revert|delete"] => "files that no version has";
    "bzr|brz" ["revert|uncommit|clean-tree|remove-branch|rmbranch"] => "changes that are nowhere else";
    "bzr|brz" ["push|pull"] with ["--overwrite"] => "commits that the other side does not have";
    "bzr|brz" ["shelve"] with ["--destroy"] => "changes that are not committed";
    "bzr|brz" ["unshelve"] with ["--delete-only"] => "shelved changes";
    "darcs" ["revert|obliterate|unpull|unrecord"] => "changes that are nowhere else";
    "pijul" ["reset|unrecord"] => "changes that are nowhere else";
    "pijul" ["channel", "delete"] => "changes that are nowhere else";
    "jj" ["op|operation", "abandon|restore|revert"] => "later changes, or the way back to earlier ones";
    "jj" ["abandon|restore"] => "changes that only the log of operations still has";
    "jj" ["util", "gc"] with ["--expire"] => "the way back to earlier states";
    "jj" ["git", "push"] with ["--deleted"] => "branches of the remote";
    "but" ["undo|discard"] => "changes that are not committed";
    "but" ["oplog|snapshot", "restore"] => "later changes";
    "gt" ["submit|s|ss"] with ["-f", "--force"] => "commits of others";
    "gt" ["delete|dl"] with ["-f", "--force"] => "commits that are on no other branch";
    "gt" ["sync"] with ["--delete-all"] => "commits that are on no other branch";
    "dolt" ["reset"] with ["--hard"] => "changes that are not committed";
    "dolt" ["push"] with ["-f", "--force"] => "commits of others";
    "dolt" ["branch"] with ["-D"] => "commits that are on no other branch";
    "dolt" ["clean"] => "tables that are not committed";
    "lakectl" ["repo|branch|tag", "delete|reset|revert"] => "versions of data";
    "lakectl" ["fs", "rm"] => "files of the data lake";
    "p4" ["obliterate|revert|clean"] => "changes or files for good";
    "cm" ["undo|unco|undocheckout|undochange"] => "changes that are not committed";
    "cm" ["branch|br|label|lb|changeset|shelveset|repository|repo|attribute", "delete|rm|remove"] => "versions of files";
    "p4" ["shelve"] with ["-d"] => "shelved changes";
    "cvs" ["update|up"] with ["-C"] => "changes that are not committed";
    "cvs" ["release"] with ["-d"] => "changes that are not committed";
};
