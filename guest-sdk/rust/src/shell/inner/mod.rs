//! Finds the command inside a command: after `sudo`, in `bash -c`, after `find -exec`.

pub(super) mod awk;
mod databases;
mod editors;
mod escapes;
mod find;
mod git;
mod languages;
mod named;
pub(super) mod options;
mod prefix;
mod programs;
mod remote;
pub(super) mod sed;
mod shells;
mod subcommands;
mod table;
mod terminals;
mod watchers;
mod xargs;

use super::command::Stdin;
use super::eval::Stream;
use super::marks::{self, Kind, Marks};
use super::word::Word;
use options::Spec;
use std::collections::BTreeMap;

pub use find::find_starts;
pub(super) use find::printed as found;
pub(super) use programs::{TAR, tar_words};
pub(super) use shells::{is_cmdlet, is_own_input, is_stream, unversioned};

/// What a command runs in addition to itself.
#[derive(Debug)]
pub(super) enum Inner {
    /// Another command.
    Command {
        words: Vec<Word>,
        /// The words before the command that set variables.
        settings: Vec<Word>,
        /// The directory that the command runs in.
        cwd: Option<Word>,
        /// Whether the command may have lost the variables.
        clean: bool,
        /// Whether the command runs on another machine, or in a container.
        elsewhere: bool,
    },
    /// A script.
    Script(Text),
    /// Something that cannot be known; the text completes "… runs …".
    Unknown(&'static str),
}

/// The text of a script.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) text: String,
    /// How the script is run, if the name of the command does not express it.
    pub(super) via: Option<&'static str>,
    /// `$1` and so on.
    pub(super) arguments: Vec<String>,
    /// `$0`, if known.
    pub(super) zero: Option<String>,
    /// Whether the script runs on another machine.
    pub(super) elsewhere: bool,
    /// Whether the script may have lost the variables.
    pub(super) clean: bool,
    pub(super) cwd: Option<Word>,
    /// Whether the script is the standard input.
    pub(super) consumes_stdin: bool,
}

impl Inner {
    fn command(words: impl Into<Vec<Word>>) -> Self {
        Inner::Command { words: words.into(), settings: Vec::new(), cwd: None, clean: false, elsewhere: false }
    }

    /// Creates the script in a text, unless the text is wholly unknown.
    fn script(text: &str) -> Self {
        if is_wholly_unknown(text) {
            Inner::Unknown("a text that is not known yet")
        } else {
            Inner::Script(Text { text: text.to_owned(), ..Text::default() })
        }
    }

    /// Creates the script that results when a program joins the words.
    fn joined(words: &[Word]) -> Self {
        Self::script(&words.iter().map(Word::text).collect::<Vec<_>>().join(" "))
    }

    /// Returns the same script on another machine.
    fn elsewhere(self) -> Self {
        match self {
            Inner::Script(script) => Inner::Script(Text { elsewhere: true, ..script }),
            other => other,
        }
    }
}

/// Whether a text is wholly unknown, except for spaces and wildcards.
pub(super) fn is_wholly_unknown(text: &str) -> bool {
    let is_unknown = |c: char| matches!(marks::kind(c), Some(Kind::Unknown | Kind::Glob | Kind::Found));
    text.contains(is_unknown) && text.chars().all(|c| is_unknown(c) || c.is_whitespace())
}

/// The context of a command, besides its words.
pub(super) struct Context<'a> {
    pub(super) stdin: &'a Stdin,
    /// The output of process substitutions.
    pub(super) streams: &'a BTreeMap<char, Stream>,
}

impl Context<'_> {
    /// Returns the text of a script that is named like a file, known or not. Returns `None` for an ordinary file.
    fn script_file(&self, file: &Word) -> Option<Option<String>> {
        let mut chars = file.text().chars();
        let mark = chars.next().filter(|_| chars.as_str().is_empty());
        if let Some(stream) = mark.and_then(|mark| self.streams.get(&mark)) {
            return Some(stream.printed().map(str::to_owned));
        }
        if is_own_input(file.text()) {
            return match self.stdin {
                Stdin::Inherited => None,
                Stdin::Pipe => Some(None),
                Stdin::Text(text) => Some(Some(text.to_string())),
            };
        }
        let is_stream = file.is_process_substitution() || is_stream(file.text());
        is_stream.then_some(None)
    }
}

/// Whether the output of the inner command is the output of this command.
pub(super) fn passes_output(name: &str) -> bool {
    shells::is_shell(name)
        || matches!(
            name,
            "sudo"
                | "doas"
                | "env"
                | "command"
                | "builtin"
                | "nice"
                | "nohup"
                | "timeout"
                | "stdbuf"
                | "time"
                | "exec"
                | "busybox"
                | "toybox"
                | "ionice"
                | "setsid"
                | "su"
                | "runuser"
                | "\\"
        )
}

/// Returns what `argv` runs.
pub(super) fn inner(argv: &[Word], context: &Context<'_>, marks: &mut Marks) -> Vec<Inner> {
    let Some((name, arguments)) = argv.split_first() else {
        return Vec::new();
    };
    match name.command_name() {
        Some("find" | "gfind") => find::executed(arguments, marks),
        Some("fd" | "fdfind") => find::fd(arguments, marks),
        Some("su" | "runuser") => shells::su(name.command_name(), arguments, context),
        Some("script" | "sg") if shells::has_command_option(arguments) => shells::with_command_option(arguments),
        // Its options end at the file.
        Some("flock") if shells::has_command_option(leading_options(arguments)) => {
            shells::with_command_option(arguments)
        }
        Some("ssh" | "rsh") => remote::ssh(arguments, context.stdin),
        Some("docker" | "podman" | "nerdctl" | "docker-compose") => remote::docker(arguments, context.stdin),
        Some("kubectl" | "oc") => remote::kubectl(arguments, context.stdin),
        Some("git") => git::inner(arguments),
        Some("tar" | "gtar" | "bsdtar") => programs::tar(arguments),
        Some("awk" | "gawk" | "mawk" | "nawk") => awk::inner(arguments, context),
        Some("sed" | "gsed") => sed::inner(arguments, context),
        Some("vi" | "vim" | "nvim" | "view" | "ex" | "gvim") => editors::vim(arguments, context.stdin),
        Some("ed") => editors::ed(context.stdin),
        Some("bun") if arguments.first().is_some_and(|word| word.text() == "x") => {
            programs::npm(Some("bunx"), arguments.get(1..).unwrap_or_default())
        }
        Some(name) if languages::is_interpreter(name) => languages::interpreter(name, arguments, context),
        Some("npm" | "npx" | "pnpm" | "yarn" | "bunx" | "pnpx") => programs::npm(name.command_name(), arguments),
        Some("make" | "gmake") => programs::make(arguments, context),
        Some("xargs" | "gxargs") => xargs::xargs(arguments, context.stdin, marks),
        Some("parallel") => xargs::parallel(arguments, context.stdin, marks),
        Some("at" | "batch" | "crontab") => programs::scheduled(name.command_name(), arguments, context.stdin),
        Some("gdb") => programs::gdb(arguments),
        Some("rsync") => remote::rsync(arguments),
        Some(name @ ("scp" | "sftp")) => {
            let escapes = escapes::inner(name, arguments, context.stdin).unwrap_or_default();
            remote::scp(arguments).into_iter().chain(escapes).collect()
        }
        Some("tmux") => terminals::tmux(arguments),
        Some("screen") => terminals::screen(arguments),
        Some(
            "xterm"
            | "uxterm"
            | "rxvt"
            | "urxvt"
            | "konsole"
            | "alacritty"
            | "kitty"
            | "gnome-terminal"
            | "lxterminal"
            | "xfce4-terminal"
            | "terminator"
            | "foot"
            | "st"
            | "x-terminal-emulator",
        ) => terminals::window(arguments),
        Some("expect") => programs::expect(arguments, context.stdin),
        Some("socat") => programs::socat(arguments),
        Some("bwrap") => programs::bwrap(arguments),
        Some("start-stop-daemon") => programs::daemon(arguments),
        Some("capsh") => programs::capsh(arguments),
        Some("go") => programs::go(arguments),
        Some("bind") => programs::bind(arguments),
        Some(name) if watchers::inner(name, arguments).is_some() => {
            watchers::inner(name, arguments).unwrap_or_default()
        }
        Some(name) if named::inner(name, arguments).is_some() => named::inner(name, arguments).unwrap_or_default(),
        Some(name) if subcommands::knows(name) => subcommands::inner(name, arguments),
        Some(name) if shells::is_shell(name) => shells::inner(arguments, context),
        Some(name) if shells::is_other_shell(name) => shells::of_other_shell(arguments, context.stdin),
        Some(name) => escapes::inner(name, arguments, context.stdin)
            .unwrap_or_else(|| prefix::inner(name, arguments, context.stdin)),
        None if name.is_output() => vec![Inner::Unknown("the output of another command")],
        None => Vec::new(),
    }
}

/// Returns the options before the first other word.
fn leading_options(arguments: &[Word]) -> &[Word] {
    let count = arguments.iter().take_while(|word| word.text().starts_with('-')).count();
    arguments.get(..count).unwrap_or_default()
}

/// Returns the directories that a command changes to, one after another, before it does anything.
pub(super) fn own_directories(argv: &[Word]) -> Vec<Word> {
    let Some((name, arguments)) = argv.split_first() else {
        return Vec::new();
    };
    let spec = |shorts, longs| Spec { shorts, longs, flags: &[] };
    let read = match name.command_name() {
        // After the subcommand, `-C` means something else to git.
        Some("git") => spec("Cc", &["git-dir", "work-tree", "namespace", "exec-path"]).read(arguments).options,
        Some("make" | "gmake") => spec("fCIjloW", &["file", "makefile", "directory", "include-dir"]).all(arguments).0,
        Some("ninja") => spec("fCjklv", &[]).all(arguments).0,
        Some("cargo") => spec("CZ", &["color", "config"]).read(arguments).options,
        Some("npm" | "pnpm" | "yarn") => spec("C", &["prefix", "dir", "cwd"]).all(arguments).0,
        _ => return Vec::new(),
    };
    let names = ["-C", "--directory", "--prefix", "--dir", "--cwd"];
    read.into_iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value).collect()
}

/// Whether the command that the program runs gets its input from elsewhere.
pub(super) fn gives_input(name: &str) -> bool {
    matches!(name, "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" | "socat")
}

/// Whether the program runs commands as another user, with a different home directory.
pub(super) fn changes_user(name: &str) -> bool {
    matches!(
        name,
        "sudo"
            | "doas"
            | "su"
            | "runuser"
            | "pkexec"
            | "run0"
            | "gosu"
            | "su-exec"
            | "setuidgid"
            | "s6-setuidgid"
            | "chpst"
            | "machinectl"
            | "crontab"
            | "chroot"
            | "arch-chroot"
            | "schroot"
            | "systemd-nspawn"
    )
}

/// Whether the program itself chooses the directory of the commands that it runs.
pub(super) fn changes_directory(name: &str, arguments: &[Word]) -> bool {
    let has = |names: &[&str]| arguments.iter().any(|word| names.contains(&word.text()));
    match name {
        "chroot" | "arch-chroot" | "schroot" | "systemd-nspawn" | "nsenter" | "machinectl" | "systemd-run" | "run0"
        | "crontab" | "git" | "start-stop-daemon" => true,
        "find" | "gfind" => has(&["-execdir", "-okdir"]),
        "bwrap" => has(&["--chdir"]),
        "su" => has(&["-", "-l", "--login"]) || arguments.iter().any(|word| is_cluster_with(word, 'l')),
        "sudo" | "runuser" => {
            let login = if name == "sudo" { "-i" } else { "-l" };
            has(&["-"]) || prefix::options(name, arguments).iter().any(|option| option == login || option == "--login")
        }
        _ => false,
    }
}

fn is_cluster_with(word: &Word, letter: char) -> bool {
    word.text().strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
}
