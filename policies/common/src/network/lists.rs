//! Lists of options and programs that do not belong to a single program.

use crate::Names;

/// Options without a value whose names begin like those of options with a value.
pub(super) const FLAGS: &[&str] = &[
    "--head",
    "--netrc",
    "--form",
    "--partial",
    "--compress",
    "--backup",
    "--list",
    "--no-proxy",
    "--ssl",
    "--proxytunnel",
    "--ca-native",
    "--create-dirs",
    "--exec",
    "--recurse-submodules",
    "--push",
    "--remote",
    "--follow",
    "--include",
    "--quiet",
    "--progress",
    "--no-clobber",
    "--trust-server-names",
    "--spider",
    "--mirror",
    "--page-requisites",
    "--web",
    "--all",
    "--notes",
    "--generate-notes",
    "--public",
    "--private",
    "--parallel",
    "--keepalive",
    "--crlf",
];

/// Programs of the table whose long options have one dash.
pub(super) const ONE_DASH: &[&str] = &["grpcurl", "hey"];

/// Programs that may have a URL among their arguments without requesting it.
#[rustfmt::skip]
pub(super) static INERT: Names = Names::new(&[
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "gsed", "awk", "gawk", "mawk", "jq", "yq", "test", "[", "[[", "export", "declare",
    "typeset", "local", "readonly", "set", "read", "unset", "alias", "let", ":", "true", "false", "cat", "tee", "expr", "basename", "dirname", "tr", "cut", "sort",
    "uniq", "head", "tail", "wc", "diff", "cmp", "find", "fd", "ls", "mkdir", "touch", "rm", "cp", "mv", "ln", "xargs", "env", "sudo", "doas", "nice", "nohup",
    "timeout", "time", "command", "builtin", "exec", "eval", "bash", "sh", "zsh", "dash", "ksh", "fish", "trap", "sleep", "perl", "python", "python3", "python2",
    "node", "ruby", "php", "lua", "make", "just", "ninja", "cmake", "cd", "pushd", "popd", "source", ".", "column", "fold", "fmt", "base64", "md5sum", "sha256sum",
    "qrencode", "exiftool", "notify-send", "logger", "wall", "figlet", "cowsay", "tput", "clear", "date", "seq", "watch", "parallel", "while", "for", "if", "until", "case", "return", "exit", "break",
    "continue", "shift", "getopts", "hash", "type", "which", "whereis", "man", "info", "help", "history", "fc", "jobs", "wait", "kill", "tmux", "screen", "pbcopy", "xclip",
    "xsel", "wl-copy", "clip", "clip.exe", "setx", "code", "vim", "nvim", "nano", "emacs", "vi", "bd", "task", "todo", "trash", "patch", "envsubst", "gomplate", "dotenv", "direnv",
    "git", "gh", "glab", "hub",
]);
