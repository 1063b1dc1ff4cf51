//! Names of programs that a command line may begin with, to tell it from prose.
//!
//! The names are from the utilities of POSIX and coreutils, and the programs that hookbox's policies know.

/// Programs whose names are not English words.
#[rustfmt::skip] // Many words to a line.
pub(super) const PROGRAMS: &[&str] = &[
    "7z", "aa-exec", "age", "ansible", "ansible-playbook", "apk", "apt", "apt-get", "aria2c", "ash", "awk", "aws", "az", "base32", "base64",
    "bash", "basename", "bcp", "blkdiscard", "brew", "bsdtar", "bunx", "busybox", "bwrap", "bzip2", "cargo", "cd", "cfdisk", "chattr", "chgrp",
    "chmod", "chown", "chroot", "chrt", "clickhouse-client", "cp", "crontab", "cryptsetup", "csh", "csplit", "curl", "dash", "dd", "deno", "dig",
    "dirname", "dnf", "doas", "docker", "docker-compose", "doctl", "dpkg", "dropdb", "dropuser", "du", "echo", "egrep", "env", "esptool", "etcdctl",
    "fallocate", "fdisk", "fgrep", "firebase", "flyctl", "fuser", "gawk", "gcc", "gcloud", "gdisk", "gh", "git", "glab", "gpg", "grep", "grm", "gsed",
    "gsutil", "gtar", "gunzip", "gzip", "hdparm", "helm", "heroku", "hg", "ionice", "iptables", "java", "jq", "killall", "ksh", "kubectl", "ln",
    "losetup", "ls", "lsof", "lvremove", "mariadb", "mawk", "mkdir", "mkfifo", "mkfs", "mknod", "mkswap", "mktemp", "mongo", "mongosh", "mv", "mysql",
    "mysqladmin", "mysqldump", "nc", "ncat", "netcat", "nft", "nmap", "node", "nodejs", "nohup", "npm", "npx", "nsenter", "oc", "openssl", "osascript",
    "pacman", "paru", "perl", "pg_dump", "php", "pip", "pip3", "pipx", "pkexec", "pkill", "pm2", "pnpm", "pnpx", "podman", "powershell", "printenv",
    "printf", "proot", "ps", "psql", "pulumi", "pvremove", "pwsh", "py", "python", "python2", "python3", "rclone", "redis-cli", "restic", "rg", "rimraf",
    "rm", "rmdir", "rpm", "rsync", "ruby", "scp", "sed", "setsid", "sfdisk", "sftp", "sgdisk", "sh", "shred", "shutdown", "socat",
    "sqlite3", "srm", "ssh", "sshpass", "stdbuf", "strace", "su", "sudo", "svn", "systemctl", "systemd-run", "taskset", "tar", "tclsh", "telnet",
    "terraform", "tmux", "tofu", "toybox", "truncate", "trash-put", "tsx", "ts-node", "umount", "unlink", "unshare", "unzip", "useradd", "userdel",
    "usermod", "uv", "uvx", "vgremove", "vim", "visudo", "wget", "winget", "wipefs", "xargs", "xz", "yarn", "yay", "yum", "zcat", "zfs", "zpool", "zsh",
];

/// Programs whose names are also English words. An option or a path after the name shows that the program is meant.
#[rustfmt::skip] // Many words to a line.
pub(super) const AMBIGUOUS: &[&str] = &[
    ".", "ack", "alias", "bat", "bun", "bundle", "cat", "choco", "code", "composer", "conda", "cut", "declare", "diff", "ed", "ex", "export", "fd",
    "file", "find", "fish", "flatpak", "gem", "go", "gradle", "halt", "head", "hub", "install", "ip", "join", "just", "kill", "less", "link", "local",
    "lua", "make", "man", "mc", "more", "mount", "move", "nano", "nice", "open", "parallel", "parted", "paste", "patch", "pry", "pushd", "rails", "rake",
    "read", "reboot", "rename", "scoop", "screen", "service", "set", "snap", "sort", "source", "split", "stat", "strings", "swift", "tail", "task", "tee",
    "test", "timeout", "touch", "trap", "trash", "tree", "type", "unset", "vi", "wall", "watch", "which", "who", "wipe", "write", "zip",
];
