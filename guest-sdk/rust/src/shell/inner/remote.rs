//! Commands that run something on another machine or in a container.

use super::{Inner, Text, is_wholly_unknown, options::Spec, shells};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

const OUTPUT: &str = "the output of another command";

/// Returns what `ssh` runs on the remote machine, and what its options run locally.
pub(super) fn ssh(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    const WITH_VALUE: &str = "BbcDEeFIiJLlmOopQRSWw";
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    let mut host = None;
    while let Some(word) = words.next() {
        let letters = word.text().strip_prefix('-').filter(|letters| !letters.is_empty() && *letters != "-");
        let Some(letters) = letters else {
            if word.text() == "--" {
                continue;
            }
            if host.is_none() {
                host = Some(word);
                continue;
            }
            let rest: Vec<Word> = std::iter::once(word).chain(words).cloned().collect();
            inners.push(Inner::joined(&rest).elsewhere());
            return inners;
        };
        let at = letters.find(|letter| WITH_VALUE.contains(letter));
        let option = match at.and_then(|at| letters.split_at_checked(at + 1)) {
            Some((flags, "")) if flags.ends_with('o') => words.next().map(Word::text),
            Some((_, "")) => words.next().and(None),
            Some((flags, value)) if flags.ends_with('o') => Some(value),
            _ => None,
        };
        let (key, value) = option.and_then(|option| option.split_once(['=', ' '])).unwrap_or_default();
        match key.to_ascii_lowercase().as_str() {
            "proxycommand" | "localcommand" | "knownhostscommand" => inners.push(Inner::script(value.trim())),
            "remotecommand" => inners.push(Inner::script(value.trim()).elsewhere()),
            _ => {}
        }
    }
    match stdin {
        _ if host.is_none() => {}
        Stdin::Inherited => {}
        Stdin::Text(text) if !is_wholly_unknown(text) => inners.push(of_stdin(text)),
        _ => inners.push(Inner::Unknown(OUTPUT)),
    }
    inners
}

fn of_stdin(text: &str) -> Inner {
    Inner::Script(Text { text: text.to_owned(), elsewhere: true, consumes_stdin: true, ..Text::default() })
}

const DOCKER: Spec = Spec {
    shorts: "eauwlvpmhct",
    longs: &[
        "env",
        "env-file",
        "user",
        "workdir",
        "label",
        "volume",
        "publish",
        "memory",
        "hostname",
        "name",
        "network",
        "net",
        "mount",
        "entrypoint",
        "platform",
        "cpus",
        "add-host",
        "cap-add",
        "cap-drop",
        "device",
        "dns",
        "gpus",
        "ip",
        "link",
        "log-driver",
        "log-opt",
        "pid",
        "pull",
        "restart",
        "runtime",
        "security-opt",
        "shm-size",
        "stop-signal",
        "sysctl",
        "tmpfs",
        "ulimit",
        "userns",
        "volumes-from",
        "detach-keys",
        "cidfile",
        "cgroupns",
        "ipc",
        "expose",
        "label-file",
        "annotation",
        "attach",
        "health-cmd",
        "uts",
        "group-add",
        "cpu-shares",
        "cpuset-cpus",
        "memory-swap",
        "index",
        "scale",
    ],
    flags: &[
        "detach",
        "interactive",
        "tty",
        "rm",
        "privileged",
        "init",
        "read-only",
        "publish-all",
        "no-healthcheck",
        "quiet",
        "sig-proxy",
        "disable-content-trust",
        "oom-kill-disable",
        "help",
        "no-deps",
        "service-ports",
        "build",
        "no-TTY",
        "use-aliases",
        "remove-orphans",
    ],
};

/// Returns the command of `docker run` and `docker exec`.
pub(super) fn docker(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let is_verb = |word: &Word| matches!(word.text(), "run" | "exec");
    let Some(at) = arguments.iter().position(is_verb) else {
        return Vec::new();
    };
    // Only options, their values, and groups such as `compose` come before the verb.
    let mut may_be_value = false;
    for word in arguments.get(..at).unwrap_or_default() {
        let text = word.text();
        let is_option = text.starts_with('-');
        if !may_be_value && !is_option && !matches!(text, "compose" | "container") {
            return Vec::new();
        }
        may_be_value = is_option && !text.contains('=');
    }
    let spec = if arguments.get(at).is_some_and(|word| word.text() == "exec") {
        Spec { shorts: "euw", ..DOCKER }
    } else {
        Spec { shorts: "eauwlvpmhc", ..DOCKER }
    };
    let read = spec.read(arguments.get(at + 1..).unwrap_or_default());
    let mut inners = Vec::new();
    if read.is_doubtful {
        inners.push(Inner::Unknown("a command after an option that is not known"));
    }
    let mut words: Vec<Word> = read.value(&["--entrypoint"]).cloned().into_iter().collect();
    words.extend(read.rest.iter().skip(1).cloned());
    inners.extend(contained(words, stdin));
    inners
}

/// Returns the command of `kubectl exec` and `kubectl run`.
pub(super) fn kubectl(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    if !arguments.iter().any(|word| matches!(word.text(), "exec" | "run" | "debug")) {
        return Vec::new();
    }
    let dashes = arguments.iter().position(|word| word.text() == "--");
    match dashes.and_then(|at| arguments.get(at + 1..)) {
        Some(words) => contained(words.to_vec(), stdin),
        None if arguments.iter().any(|word| word.text() == "exec") => {
            // The command can also follow the pod without `--`.
            let operands: Vec<Word> =
                arguments.iter().skip_while(|word| word.text() != "exec").skip(1).cloned().collect();
            let spec = Spec {
                shorts: "cnfl",
                longs: &["container", "namespace", "filename", "context", "kubeconfig"],
                flags: &["stdin", "tty", "quiet"],
            };
            let read = spec.read(&operands);
            contained(read.rest.iter().skip(1).cloned().collect(), stdin)
        }
        None => Vec::new(),
    }
}

/// Returns a command in a container, whose environment is not that of the host.
fn contained(words: Vec<Word>, stdin: &Stdin) -> Vec<Inner> {
    let Some(name) = words.first() else {
        return Vec::new();
    };
    let is_shell = name.command_name().is_some_and(shells::is_shell);
    let reads = is_shell && !words.iter().any(|word| word.text().starts_with('-') && word.text().ends_with('c'));
    if reads && !matches!(stdin, Stdin::Inherited) && words.len() == 1 {
        return match stdin {
            Stdin::Text(text) if !is_wholly_unknown(text) => vec![of_stdin(text)],
            _ => vec![Inner::Unknown(OUTPUT)],
        };
    }
    vec![Inner::Command { words, settings: Vec::new(), cwd: None, clean: true, elsewhere: true }]
}

/// Returns the programs that `rsync -e` and `--rsync-path` name.
pub(super) fn rsync(arguments: &[Word]) -> Vec<Inner> {
    let spec = Spec {
        shorts: "efBTM@",
        longs: &[
            "rsh",
            "rsync-path",
            "exclude",
            "include",
            "filter",
            "files-from",
            "out-format",
            "log-file",
            "temp-dir",
        ],
        flags: &["delete", "recursive", "relative", "remove-source-files"],
    };
    let names = ["-e", "--rsh", "--rsync-path"];
    let options = spec.all(arguments).0.into_iter().filter(|(name, _)| names.contains(&name.as_str()));
    options.filter_map(|(_, value)| Some(Inner::script(value?.text()))).collect()
}

/// Returns the programs that `scp -S` and `scp -o` name.
pub(super) fn scp(arguments: &[Word]) -> Vec<Inner> {
    let spec = Spec { shorts: "bcDFiJloPRSsX", longs: &[], flags: &[] };
    let inner = |(name, value): (String, Option<Word>)| {
        let value = value?;
        match name.as_str() {
            "-S" => Some(Inner::script(value.text())),
            "-o" => {
                let (key, script) = value.text().split_once(['=', ' '])?;
                let key = key.to_ascii_lowercase();
                let is_program = matches!(key.as_str(), "proxycommand" | "localcommand" | "knownhostscommand");
                is_program.then(|| Inner::script(script))
            }
            _ => None,
        }
    };
    spec.all(arguments).0.into_iter().filter_map(inner).collect()
}
