//! Programs that are not shells but can be told to run a command.

use super::options::Spec;
use super::{Context, Inner, Text, is_own_input, is_wholly_unknown};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

/// The options of `tar`.
pub(in crate::shell) const TAR: Spec = Spec {
    shorts: "fCTXIgbLNVKFH",
    longs: &[
        "file",
        "directory",
        "files-from",
        "exclude-from",
        "exclude",
        "use-compress-program",
        "listed-incremental",
        "transform",
        "strip-components",
        "owner",
        "group",
        "mode",
        "mtime",
        "to-command",
        "checkpoint-action",
        "info-script",
        "new-volume-script",
        "rsh-command",
        "rmt-command",
        "newer",
        "newer-mtime",
        "label",
        "blocking-factor",
        "format",
        "suffix",
        "starting-file",
        "tape-length",
    ],
    flags: &[
        "create",
        "extract",
        "get",
        "list",
        "append",
        "update",
        "delete",
        "diff",
        "verbose",
        "gzip",
        "remove-files",
        "checkpoint",
        "one-top-level",
        "to-stdout",
    ],
};

/// Returns the arguments of `tar` with dashes: those without one take their values in order from the following words.
pub(in crate::shell) fn tar_words(arguments: &[Word]) -> Vec<Word> {
    let Some((first, rest)) = arguments.split_first().filter(|(first, _)| !first.text().starts_with('-')) else {
        return arguments.to_vec();
    };
    let mut rest = rest.iter();
    let mut words = Vec::new();
    for letter in first.text().chars() {
        words.push(Word::plain(&format!("-{letter}")));
        if TAR.shorts.contains(letter) {
            words.extend(rest.next().cloned());
        }
    }
    words.extend(rest.cloned());
    words
}

/// Returns what `tar` runs because of `--to-command`, `--checkpoint-action=exec=` and `--use-compress-program`. An
/// archive named like `host:file` is on another machine, and `ssh` reaches it.
pub(super) fn tar(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let is_local = arguments.iter().any(|word| word.text() == "--force-local");
    for (name, value) in TAR.all(&tar_words(arguments)).0 {
        let Some(value) = value else {
            continue;
        };
        match name.as_str() {
            "-f" | "--file" if !is_local => {
                let host = value.text().split_once(':').map(|(host, _)| host);
                let host = host.filter(|host| !host.is_empty() && !host.contains('/'));
                let words = |host| ["ssh", host, "/etc/rmt"].map(Word::plain);
                inners.extend(host.map(|host| Inner::command(words(host))));
            }
            "--checkpoint-action" => inners.extend(value.text().strip_prefix("exec=").map(Inner::script)),
            "--to-command"
            | "--use-compress-program"
            | "--info-script"
            | "--new-volume-script"
            | "--rsh-command"
            | "--rmt-command"
            | "-I"
            | "-F" => inners.push(Inner::script(value.text())),
            _ => {}
        }
    }
    inners
}

/// Returns what `npm exec -c`, `npx -c` and `npx PROGRAM` run.
pub(super) fn npm(name: Option<&str>, arguments: &[Word]) -> Vec<Inner> {
    let is_runner = matches!(name, Some("npx" | "bunx" | "pnpx"));
    let rest = if is_runner {
        arguments
    } else {
        let at = arguments.iter().position(|word| matches!(word.text(), "exec" | "x" | "dlx"));
        match at.and_then(|at| arguments.get(at + 1..)) {
            Some(rest) => rest,
            None => return Vec::new(),
        }
    };
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.text() {
            "-c" | "--call" | "--shell-mode" => {
                return words.next().map(|word| Inner::script(word.text())).into_iter().collect();
            }
            "-p" | "--package" | "-w" | "--workspace" => drop(words.next()),
            "--" => return command(words.as_slice()),
            text if text.starts_with("--call=") => {
                return text.strip_prefix("--call=").map(Inner::script).into_iter().collect();
            }
            text if text.starts_with('-') => {}
            _ => return command(&[std::slice::from_ref(word), words.as_slice()].concat()),
        }
    }
    Vec::new()
}

fn command(words: &[Word]) -> Vec<Inner> {
    if words.is_empty() { Vec::new() } else { vec![Inner::command(words)] }
}

/// Returns what `expect -c 'spawn …'` runs, or the script on its standard input.
pub(super) fn expect(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let given = arguments.windows(2).filter(|pair| pair.first().is_some_and(|option| option.text() == "-c"));
    let scripts: Vec<&str> = given.filter_map(|pair| pair.get(1)).map(Word::text).collect();
    let is_fed = arguments.iter().all(|word| word.text().starts_with('-') || is_own_input(word.text()));
    match stdin {
        _ if !scripts.is_empty() || !is_fed => scripts.into_iter().flat_map(spawned).collect(),
        Stdin::Inherited => Vec::new(),
        Stdin::Text(text) if !is_wholly_unknown(text) => spawned(text).map(without_input).collect(),
        _ => vec![Inner::Unknown("the output of another command")],
    }
}

/// Returns the commands that a script of `expect` runs.
fn spawned(script: &str) -> impl Iterator<Item = Inner> {
    script.split([';', '\n']).filter_map(|line| {
        let (verb, rest) = line.trim().split_once(char::is_whitespace)?;
        matches!(verb, "spawn" | "exec" | "system").then(|| Inner::script(rest.trim_start_matches("-noecho").trim()))
    })
}

/// Returns the same script for a program whose input is something else.
fn without_input(inner: Inner) -> Inner {
    match inner {
        Inner::Script(script) => Inner::Script(Text { consumes_stdin: true, ..script }),
        other => other,
    }
}

/// Returns what `make -f -` runs, and the variables that are run: `make SHELL=…`, `make --eval`.
pub(super) fn make(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if let Some(shell) = text.strip_prefix("SHELL=") {
            inners.push(Inner::script(shell));
        }
        let file = match text {
            "-f" | "--file" | "--makefile" => words.next(),
            _ => None,
        };
        let is_stream = file.is_some_and(|file| context.script_file(file).is_some() || file.text() == "-");
        let is_attached = matches!(text, "-f-" | "--file=-" | "--makefile=-" | "-f/dev/stdin" | "--file=/dev/stdin");
        if is_stream || is_attached || text == "--eval" || text.starts_with("--eval=") || text.starts_with("-E") {
            return vec![Inner::Unknown("a makefile that is no file")];
        }
    }
    inners
}

/// Returns the commands that `at`, `batch` and `crontab -` read, and that run later.
pub(super) fn scheduled(name: Option<&str>, arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let is_crontab = name == Some("crontab");
    // Without a file, some of these programs read the input. A user's name follows `-u`.
    let user = arguments.iter().position(|word| word.text() == "-u").map(|at| at + 1);
    let is_other = |(at, word): (usize, &Word)| {
        !matches!(word.text(), "-" | "/dev/stdin") && !word.text().starts_with("-u") && Some(at) != user
    };
    if is_crontab && arguments.iter().enumerate().any(is_other) {
        return Vec::new();
    }
    match stdin {
        Stdin::Inherited => Vec::new(),
        Stdin::Text(text) if !is_wholly_unknown(text) && !is_crontab => vec![Inner::script(text)],
        Stdin::Text(text) if is_crontab && !is_wholly_unknown(text) => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            lines.map(of_crontab).collect()
        }
        _ => vec![Inner::Unknown("the output of another command")],
    }
}

/// Returns the command in a crontab line, after the five fields or a name such as `@daily`.
fn of_crontab(line: &str) -> Inner {
    let count = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for _ in 0..count {
        rest = rest.trim_start().split_once([' ', '\t']).map_or("", |(_, rest)| rest);
    }
    Inner::script(rest)
}

/// Returns what `gdb --args PROGRAM` and `gdb -ex 'shell …'` run.
pub(super) fn gdb(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text().trim_start_matches('-') {
            "args" if word.text().starts_with('-') => {
                inners.extend(command(words.as_slice()));
                return inners;
            }
            "ex" | "eval-command" | "iex" | "init-eval-command" if word.text().starts_with('-') => {
                let text = words.next().map_or("", Word::text).trim();
                let script = ["shell ", "!"].iter().find_map(|prefix| text.strip_prefix(prefix));
                match script {
                    Some(script) => inners.push(Inner::script(script)),
                    None if text.starts_with("python") || text.starts_with("pi") || text.starts_with("make") => {
                        inners.push(Inner::Unknown("a script of its debugger"));
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
    inners
}

/// Returns what `socat` runs. Its addresses may be programs.
pub(super) fn socat(arguments: &[Word]) -> Vec<Inner> {
    let script = |word: &Word| {
        if word.text().eq_ignore_ascii_case("shell") {
            return Some(Inner::Unknown("what another machine sends"));
        }
        let (kind, script) = word.text().split_once(':')?;
        let is_program = ["exec", "system", "shell"].iter().any(|name| kind.eq_ignore_ascii_case(name));
        is_program.then(|| Inner::script(script))
    };
    arguments.iter().filter_map(script).collect()
}

/// Returns the command after the options of `bwrap`.
pub(super) fn bwrap(arguments: &[Word]) -> Vec<Inner> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let count = match word.text().strip_prefix("--") {
            Some("") => return command(words.as_slice()),
            Some(
                "bind" | "bind-try" | "dev-bind" | "dev-bind-try" | "ro-bind" | "ro-bind-try" | "symlink" | "setenv"
                | "file" | "bind-data" | "ro-bind-data" | "chmod" | "bind-fd" | "ro-bind-fd",
            ) => 2,
            Some(
                "args" | "argv0" | "userns" | "userns2" | "pidns" | "uid" | "gid" | "hostname" | "chdir" | "unsetenv"
                | "lock-file" | "sync-fd" | "remount-ro" | "exec-label" | "file-label" | "proc" | "dev" | "tmpfs"
                | "mqueue" | "dir" | "seccomp" | "add-seccomp-fd" | "block-fd" | "userns-block-fd" | "info-fd"
                | "json-status-fd" | "cap-add" | "cap-drop" | "perms" | "size",
            ) => 1,
            Some(flag) if flag.starts_with("unshare") || flag.starts_with("share") => 0,
            Some("die-with-parent" | "new-session" | "clearenv" | "as-pid-1" | "disable-userns") => 0,
            Some(_) => return vec![Inner::Unknown("a command after an option that is not known")],
            None => return command(&[std::slice::from_ref(word), words.as_slice()].concat()),
        };
        words.by_ref().take(count).for_each(drop);
    }
    Vec::new()
}

/// Returns what `start-stop-daemon --exec PROGRAM -- ARGUMENTS` runs.
pub(super) fn daemon(arguments: &[Word]) -> Vec<Inner> {
    let spec = Spec {
        shorts: "xapcugnskrNIKdRO",
        longs: &[
            "exec",
            "startas",
            "pidfile",
            "chuid",
            "group",
            "user",
            "name",
            "signal",
            "chroot",
            "nicelevel",
            "chdir",
            "retry",
            "umask",
            "output",
        ],
        flags: &["start", "stop", "background", "make-pidfile", "oknodo", "quiet", "test", "status", "verbose"],
    };
    let read = spec.read(arguments);
    let program = read.value(&["-a", "--startas"]).or_else(|| read.value(&["-x", "--exec"]));
    let words: Vec<Word> = program.into_iter().chain(read.rest).cloned().collect();
    if program.is_some() && !read.has(&["-K", "--stop", "-T", "--status"]) { command(&words) } else { Vec::new() }
}

/// Returns what `capsh -- ARGUMENTS` runs: the arguments are passed to bash.
pub(super) fn capsh(arguments: &[Word]) -> Vec<Inner> {
    let at = arguments.iter().position(|word| matches!(word.text(), "--" | "=="));
    let Some(rest) = at.and_then(|at| arguments.get(at + 1..)) else {
        return Vec::new();
    };
    let mut words = vec![Word::plain("bash")];
    words.extend(rest.iter().cloned());
    command(&words)
}

/// Returns what `go test -exec` and `go build -toolexec` run.
pub(super) fn go(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let option = word.text().trim_start_matches('-');
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        if word.text().starts_with('-') && matches!(name, "exec" | "toolexec" | "vettool") {
            inners.extend(value.or_else(|| words.next().map(Word::text)).map(Inner::script));
        }
    }
    inners
}

/// Returns what `bind -x '"key": command'` runs.
pub(super) fn bind(arguments: &[Word]) -> Vec<Inner> {
    let Some(at) = arguments.iter().position(|word| word.text().starts_with("-x")) else {
        return Vec::new();
    };
    let script = arguments.get(at + 1).and_then(|word| word.text().split_once(':'));
    script.map(|(_, script)| Inner::script(script)).into_iter().collect()
}
