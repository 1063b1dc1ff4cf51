//! Commands that run the command in their arguments, such as `sudo rm`.

use super::Inner;
use super::options::{Read, Spec};
use super::table::PREFIXES;
use crate::shell::command::Stdin;
use crate::shell::word::Word;

/// Programs that start a shell if no command is given.
const STARTS_SHELL: [&str; 12] = [
    "chroot",
    "arch-chroot",
    "nsenter",
    "unshare",
    "newgrp",
    "sg",
    "script",
    "fakeroot",
    "linux32",
    "linux64",
    "setarch",
    "run0",
];
const DOUBTFUL: &str = "a command after an option that is not known";

/// Returns what the command `name` runs with these arguments.
pub(super) fn inner(name: &str, arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    // The loader's name has a version.
    let name =
        if ["ld-linux", "ld-musl", "ld.so"].iter().any(|loader| name.starts_with(loader)) { "ld.so" } else { name };
    let Some(prefix) = PREFIXES.iter().find(|prefix| prefix.name == name) else {
        return Vec::new();
    };
    if name == "hyperfine" {
        return benchmarks(&prefix.spec, arguments);
    }
    let mut read = prefix.spec.read(arguments);
    let mut rest = read.rest.get(prefix.operands..).unwrap_or_default();
    if matches!(name, "setarch" | "perf") {
        // More options follow the architecture, or the subcommand.
        let more = prefix.spec.read(rest);
        read.is_doubtful |= more.is_doubtful;
        rest = more.rest;
    }
    if name == "env" && rest.first().is_some_and(|word| word.text() == "-") {
        rest = rest.get(1..).unwrap_or_default();
    }
    let mut inners = Vec::new();
    if read.is_doubtful && !rest.is_empty() {
        inners.push(Inner::Unknown(DOUBTFUL));
    }
    if name == "flock" && rest.first().is_some_and(|word| matches!(word.text(), "-c" | "--command")) {
        inners.extend(rest.get(1).map(|word| Inner::script(word.text())));
        return inners;
    }
    // Commands that only locate or describe a command do not run it.
    let asks = match name {
        "command" => read.has(&["-v", "-V"]),
        "jobs" => !read.has(&["-x"]),
        "sudo" => {
            read.has(&["-l", "--list", "-v", "--validate", "-K", "--remove-timestamp"])
                && !read.has(&["-n"])
                && rest.is_empty()
        }
        _ => false,
    };
    if asks {
        return inners;
    }
    let mut settings: &[Word] = &[];
    if matches!(name, "sudo" | "env" | "doas" | "fakeroot" | "cross-env" | "cross-env-shell") {
        // Any word with `=` sets an environment variable, but in zsh, `=rm` is a program. An unknown word might be the
        // command.
        let is_program = |value: &str| value.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_assignment = |word: &&Word| {
            word.text().split_once('=').is_some_and(|(name, value)| !name.is_empty() || !is_program(value))
        };
        let count = rest.iter().take_while(is_assignment).count();
        (settings, rest) = rest.split_at_checked(count).unwrap_or((rest, &[]));
    }
    if name == "env"
        && let Some(text) = read.value(&["-S", "--split-string"])
    {
        return split_text(text, rest, &read);
    }
    if name == "env" {
        inners.extend(after_output(settings, rest, &read));
    }
    if name == "sudo" && read.has(&["-s", "--shell", "-i", "--login"]) && !rest.is_empty() {
        // A shell gets the words with their special characters escaped.
        inners.push(command(name, &read, settings, rest.to_vec()));
        return inners;
    }
    if name == "sudo" && read.has(&["-e", "--edit"]) {
        return inners;
    }
    if rest.is_empty() {
        let starts_shell = match name {
            "sudo" => read.has(&["-s", "--shell", "-i", "--login"]),
            name => STARTS_SHELL.contains(&name),
        };
        if starts_shell {
            inners.extend(super::shells::of_stdin(stdin));
        }
        return inners;
    }
    inners.push(match name {
        // These programs pass their arguments to a shell.
        "sem" | "cross-env-shell" => Inner::joined(rest),
        // The shell of each machine reads what these send.
        "clush" | "pdsh" | "pssh" | "parallel-ssh" => Inner::joined(rest),
        "watch" | "viddy" if !read.has(&["-x", "--exec"]) => Inner::joined(rest),
        "concurrently" => {
            inners.extend(rest.iter().map(|word| Inner::script(word.text())));
            return inners;
        }
        "entr" if read.has(&["-s"]) => Inner::joined(rest),
        // A shell gets a single word; with more words, reading these themselves keeps the working directory.
        "watchexec" if rest.len() == 1 && !read.has(&["-n"]) => Inner::joined(rest),
        _ => command(name, &read, settings, rest.to_vec()),
    });
    inners
}

/// Returns what `hyperfine` runs: the commands that it measures, and those before and after them.
fn benchmarks(spec: &Spec, arguments: &[Word]) -> Vec<Inner> {
    #[rustfmt::skip] // Many words to a line.
    const AROUND: [&str; 9] =
        ["-s", "--setup", "-p", "--prepare", "-C", "--conclude", "-c", "--cleanup", "--reference"];
    let (options, operands) = spec.all(arguments);
    let around = options.iter().filter(|(name, _)| AROUND.contains(&name.as_str()));
    let around = around.filter_map(|(_, value)| value.as_ref());
    around.chain(&operands).map(|word| Inner::script(word.text())).collect()
}

/// Returns the names of the options before the command.
pub(super) fn options(name: &str, arguments: &[Word]) -> Vec<String> {
    let prefix = PREFIXES.iter().find(|prefix| prefix.name == name);
    let options = prefix.map(|prefix| prefix.spec.read(arguments).options).unwrap_or_default();
    options.into_iter().map(|(name, _)| name).collect()
}

fn command(name: &str, read: &Read<'_>, settings: &[Word], words: Vec<Word>) -> Inner {
    let cwd = match name {
        "env" => read.value(&["-C", "--chdir"]),
        "sudo" => read.value(&["-D", "--chdir"]),
        "systemd-run" => read.value(&["--working-directory"]),
        "unshare" => read.value(&["-w", "--wd"]),
        "run0" => read.value(&["-D", "--chdir"]),
        // The root directory inside is a different one.
        "chroot" | "arch-chroot" | "systemd-nspawn" => None,
        "watchexec" => read.value(&["--workdir"]),
        "please" => read.value(&["-d", "--dir"]),
        "flatpak-spawn" => read.value(&["--directory"]),
        _ => None,
    };
    let clean = match name {
        "env" => read.has(&["-i", "--ignore-environment", "-u", "--unset"]),
        "sudo" | "doas" | "runuser" | "pkexec" | "chroot" | "nsenter" | "systemd-run" => true,
        _ => false,
    };
    Inner::Command { words, settings: settings.to_vec(), cwd: cwd.cloned(), clean, elsewhere: false }
}

/// Returns what `env -S` runs. It splits a text into words by its own rules, which match a shell's for plain text.
fn split_text(text: &Word, rest: &[Word], read: &Read<'_>) -> Vec<Inner> {
    let value = text.text().trim_start_matches('=');
    if value.contains(['\\', '$', '#', '`', ';', '&', '|', '<', '>', '(', ')', '*', '?', '[', '~', '{', '\n']) {
        return vec![Inner::Unknown("a text that env splits into words")];
    }
    let Some(mut words) = split(value) else {
        return vec![Inner::Unknown("a text that env splits into words")];
    };
    words.extend(rest.iter().cloned());
    // The text may begin with further options.
    vec![again(&words, read)]
}

/// Returns what `env` runs if the output of another command is only variables: `env $(cat .env) rm x`.
fn after_output(settings: &[Word], rest: &[Word], read: &Read<'_>) -> Option<Inner> {
    let is_output = |word: &&Word| word.is_output() && super::is_wholly_unknown(word.text());
    let count = rest.iter().take_while(is_output).count();
    let after = rest.get(count..).filter(|after| count > 0 && !after.is_empty())?;
    Some(again(&[settings, after].concat(), read))
}

/// Returns an `env` with these words in the same directory.
fn again(words: &[Word], read: &Read<'_>) -> Inner {
    let mut all = vec![Word::plain("env")];
    if let Some(cwd) = read.value(&["-C", "--chdir"]) {
        all.extend([Word::plain("-C"), cwd.clone()]);
    }
    all.extend(words.iter().cloned());
    Inner::command(all)
}

/// Splits a text with quotes into words.
pub(super) fn split(text: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match c {
            c if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ' ' | '\t' if quote.is_none() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then(|| words.into_iter().map(|text| Word::plain(&text)).collect())
}
