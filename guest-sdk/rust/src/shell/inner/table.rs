//! The programs that run the command in their arguments, with their options.

use super::options::Spec;

/// How to read the arguments of such a program.
pub(super) struct Prefix {
    pub(super) name: &'static str,
    pub(super) spec: Spec,
    /// The number of arguments before the command.
    pub(super) operands: usize,
}

const fn row(
    name: &'static str,
    shorts: &'static str,
    longs: &'static [&'static str],
    flags: &'static [&'static str],
    operands: usize,
) -> Prefix {
    Prefix { name, spec: Spec { shorts, longs, flags }, operands }
}

const TIMEOUT: &[&str] = &["kill-after", "signal"];
const TIMEOUT_FLAGS: &[&str] = &["preserve-status", "foreground", "verbose"];

#[rustfmt::skip] // A table reads better with one row per line.
pub(super) const PREFIXES: &[Prefix] = &[
    row("builtin", "", &[], &[], 0),
    row("busybox", "", &[], &[], 0),
    row("caffeinate", "tw", &[], &[], 0),
    row("catchsegv", "", &[], &[], 0),
    row("cgexec", "g", &[], &["sticky"], 0),
    row("chroot", "", &["groups", "userspec"], &["skip-chdir"], 1),
    row("chrt", "TPD", &["sched-runtime", "sched-period", "sched-deadline"],
        &["batch", "deadline", "fifo", "idle", "other", "rr", "reset-on-fork", "all-tasks", "max", "pid", "verbose"], 1),
    row("command", "", &[], &[], 0),
    row("cpulimit", "lpe", &["limit", "pid", "exe"], &["lazy", "include-children", "background", "foreground", "kill", "quiet"], 0),
    row("dbus-launch", "", &[], &["exit-with-session", "sh-syntax", "csh-syntax"], 0),
    row("dbus-run-session", "", &["config-file", "dbus-daemon"], &[], 0),
    row("doas", "uCa", &[], &[], 0),
    row("dumb-init", "r", &["rewrite"], &["single-child", "verbose"], 0),
    row("eatmydata", "", &[], &[], 0),
    row("entr", "", &[], &[], 0),
    row("env", "uCS", &["unset", "chdir", "split-string", "argv0"],
        &["ignore-environment", "null", "debug", "block-signal", "default-signal", "ignore-signal", "list-signal-handling"], 0),
    row("exec", "a", &[], &[], 0),
    row("faketime", "f", &["date-prog"], &["exclude-monotonic"], 1),
    row("fakeroot", "lsib", &["lib", "faked"], &["unknown-is-real"], 0),
    row("firejail", "", &["profile"], &["quiet", "noprofile", "private", "net"], 0),
    row("flock", "wE", &["timeout", "wait", "conflict-exit-code"],
        &["shared", "exclusive", "unlock", "nonblock", "nb", "close", "no-fork", "verbose"], 1),
    row("gtimeout", "ks", TIMEOUT, TIMEOUT_FLAGS, 1),
    row("hyperfine", "wmMrsSpcnLP", &["warmup", "min-runs", "max-runs", "runs", "setup", "prepare", "cleanup", "conclude", "shell",
        "parameter-list", "parameter-scan", "export-json", "export-csv", "export-markdown", "command-name", "style", "input", "output"],
        &["ignore-failure", "show-output"], 0),
    row("ionice", "cnpPu", &["class", "classdata", "pid", "pgid", "uid"], &["ignore"], 0),
    row("linux32", "", &[], &[], 0),
    row("linux64", "", &[], &[], 0),
    row("ltrace", "aAeFlnopsuDSwx", &["align", "config", "debug", "indent", "library", "output", "where"], &["demangle"], 0),
    row("moreutils-chronic", "", &[], &[], 0),
    row("chronic", "", &[], &[], 0),
    row("nice", "n", &["adjustment"], &[], 0),
    row("nocorrect", "", &[], &[], 0),
    row("noglob", "", &[], &[], 0),
    row("nohup", "", &[], &[], 0),
    row("nsenter", "tSGr", &["target", "setuid", "setgid"],
        &["all", "mount", "uts", "ipc", "net", "pid", "cgroup", "user", "time", "preserve-credentials", "root", "wd", "no-fork", "follow-context"], 0),
    row("numactl", "NCmip", &["cpunodebind", "physcpubind", "membind", "interleave", "preferred"], &["localalloc", "all"], 0),
    row("perf", "eopCF", &["event", "output", "pid"], &[], 1),
    row("pkexec", "", &["user"], &["disable-internal-agent", "keep-cwd"], 0),
    row("proxychains", "f", &[], &[], 0),
    row("proxychains4", "f", &[], &[], 0),
    row("prlimit", "po", &["pid", "output"], &["noheadings", "raw", "verbose"], 0),
    row("rlwrap", "fHlsbtCDgpPSwz", &[], &["always-readline", "case-insensitive", "multi-line", "no-children", "remember"], 0),
    row("runuser", "ugGs", &["user", "group", "supp-group", "shell"], &["login", "fast", "preserve-environment", "pty"], 0),
    row("setarch", "p", &[], &["addr-no-randomize", "verbose", "32bit", "3gb", "4gb", "uname-2.6"], 1),
    row("setpriv", "", &["reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set", "securebits", "pdeathsig", "selinux-label"],
        &["init-groups", "clear-groups", "keep-groups", "no-new-privs", "nnp", "reset-env"], 0),
    row("setsid", "", &[], &["ctty", "fork", "wait"], 0),
    row("softlimit", "macdsflopr", &[], &[], 0),
    row("sshpass", "fdpP", &[], &[], 0),
    row("stdbuf", "ioe", &["input", "output", "error"], &[], 0),
    row("strace", "aeEIoOpPsSuUXb", &["trace", "output", "attach", "user", "env", "string-limit", "trace-path", "summary-sort-by", "columns"],
        &["follow-forks", "output-separately", "summary", "summary-only", "relative-timestamps", "daemonize", "instruction-pointer", "quiet", "decode-fds", "syscall-times", "stack-traces"], 0),
    row("sudo", "ughpCTUrtDR", &["user", "group", "host", "prompt", "close-from", "command-timeout", "other-user", "role", "type", "chdir", "chroot"],
        &["askpass", "background", "bell", "edit", "help", "set-home", "login", "remove-timestamp", "reset-timestamp", "list", "no-update",
          "non-interactive", "preserve-groups", "preserve-env", "stdin", "shell", "validate", "version"], 0),
    row("systemd-inhibit", "", &["what", "who", "why", "mode"], &["list", "no-pager", "no-legend"], 0),
    row("systemd-run", "uptPHME", &["unit", "property", "description", "slice", "service-type", "uid", "gid", "nice", "working-directory", "setenv",
        "host", "machine", "on-active", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive", "on-calendar", "timer-property",
        "path-property", "socket-property", "background"],
        &["user", "system", "scope", "slice-inherit", "expand-environment", "no-block", "remain-after-exit", "wait", "send-sighup", "pty", "pipe", "shell",
          "quiet", "collect", "same-dir", "no-ask-password", "on-timezone-change", "on-clock-change"], 0),
    row("taskset", "", &[], &["all-tasks", "cpu-list", "pid"], 1),
    row("time", "fo", &["format", "output"], &["append", "verbose", "portability", "quiet"], 0),
    row("timeout", "ks", TIMEOUT, TIMEOUT_FLAGS, 1),
    row("tini", "pe", &[], &[], 0),
    row("toybox", "", &[], &[], 0),
    row("torsocks", "auP", &["address", "user", "pass", "port"], &["shell", "isolate"], 0),
    row("trickle", "dupwtLnW", &[], &[], 0),
    row("unbuffer", "", &[], &[], 0),
    row("unshare", "SGRw", &["setuid", "setgid", "root", "wd", "map-user", "map-group", "map-users", "map-groups", "propagation", "setgroups", "monotonic", "boottime"],
        &["ipc", "mount", "net", "pid", "uts", "user", "cgroup", "time", "fork", "mount-proc", "map-root-user", "map-current-user", "map-auto", "kill-child", "keep-caps"], 0),
    row("valgrind", "", &[], &["leak-check", "quiet", "verbose", "trace-children"], 0),
    row("viddy", "nd", &["interval"], &[], 0),
    row("watch", "nqs", &["interval", "equexit", "shotsdir"],
        &["beep", "color", "no-color", "differences", "errexit", "chgexit", "precise", "no-rerun", "no-title", "no-wrap", "exec", "no-linewrap"], 0),
    row("watchexec", "wefio", &["watch", "exts", "filter", "ignore", "on-busy-update", "shell", "signal", "workdir", "debounce", "delay-run"],
        &["clear", "restart", "postpone", "quiet", "no-vcs-ignore", "once"], 0),
    row("winpty", "", &[], &[], 0),
    row("xvfb-run", "einspfw", &["server-num", "server-args", "error-file", "auth-file", "wait", "xauth-protocol"], &["auto-servernum", "auto-display"], 0),
    row("zsh-defer", "", &[], &[], 0),
];

/// The options of `xargs`.
pub(super) const XARGS: Spec = Spec {
    shorts: "nPILsdEaR",
    longs: &["max-args", "max-procs", "max-chars", "delimiter", "arg-file", "process-slot-var"],
    flags: &[
        "null", "no-run-if-empty", "interactive", "verbose", "exit", "open-tty", "show-limits", "eof", "replace", "max-lines",
    ],
};

/// The options of `parallel` that are told apart.
pub(super) const PARALLEL: Spec = Spec {
    shorts: "jNnIaSdCsL",
    longs: &[
        "jobs", "max-args", "arg-file", "sshlogin", "delimiter", "colsep", "joblog", "results", "timeout", "delay", "retries",
        "tmpdir", "workdir", "wd", "tagstring", "max-procs", "halt", "load", "memfree", "nice", "env", "basefile",
    ],
    flags: &[
        "dry-run", "dryrun", "keep-order", "bar", "eta", "verbose", "will-cite", "no-notice", "null", "xargs", "pipe", "line-buffer",
        "lb", "ungroup", "group", "tag", "progress", "shuf", "quote", "no-run-if-empty",
    ],
};
