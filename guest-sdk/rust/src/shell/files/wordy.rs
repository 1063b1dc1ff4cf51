//! Programs that do not open the files that their words may name: builtins of shells, programs that print or look names
//! up, and those that run the command that follows.

/// Whether the words of a program with this name are never files that it opens.
#[rustfmt::skip] // Many names to a line.
pub(super) fn is_wordy(name: &str) -> bool {
    matches!(
        name,
        ":" | "alias" | "apk" | "apt" | "apt-get" | "basename" | "break" | "brew" | "builtin" | "cd" | "chroot"
        | "chrt" | "command" | "compgen" | "complete" | "continue" | "declare" | "dirname" | "dirs" | "dnf"
        | "doas" | "echo" | "env" | "eval" | "exec" | "exit" | "export" | "expr" | "false" | "getopts" | "hostname"
        | "id" | "ionice" | "jobs" | "kill" | "killall" | "launchctl" | "let" | "local" | "mapfile" | "nice"
        | "nohup" | "notify-send" | "nsenter" | "pacman" | "pgrep" | "pkill" | "popd" | "print" | "printf"
        | "pushd" | "read" | "readarray" | "readonly" | "return" | "say" | "seq" | "service" | "set" | "setsid"
        | "shift" | "sleep" | "stdbuf" | "su" | "sudo" | "systemctl" | "taskset" | "timeout" | "trap" | "true"
        | "type" | "typeset" | "ulimit" | "umask" | "unalias" | "uname" | "unset" | "unshare" | "wait" | "watch"
        | "whereis" | "which" | "whoami" | "yes" | "yum"
    )
}
