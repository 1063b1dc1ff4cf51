//! The programs and texts that shells and interpreters run.

use crate::{Command, Word, powershell};

const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "rbash",
    "csh",
    "tcsh",
    "pwsh",
    "powershell",
    "elvish",
    "nu",
    "yash",
];
/// The files that stand for the standard input.
const STDIN: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// The options of interpreters whose value is the next word, but is no program.
const VALUES: &[(&str, &[&str])] = &[
    ("python", &["-W", "-X", "-Q"]),
    ("pypy", &["-W", "-X"]),
    ("node", &["-C", "-r", "--conditions", "--import", "--input-type", "--loader", "--require"]),
    ("nodejs", &["-C", "-r", "--conditions", "--import", "--input-type", "--loader", "--require"]),
    ("bun", &["-r", "--preload"]),
    ("perl", &["-I"]),
    ("ruby", &["-C", "-I", "-r"]),
    ("php", &["-c", "-d"]),
    ("lua", &["-l"]),
    ("luajit", &["-l"]),
    ("osascript", &["-l", "-s"]),
    ("julia", &["-H", "-J", "-L"]),
    ("ts-node", &["-O", "-P", "-r"]),
    ("tsx", &["-r", "--import", "--require"]),
];

/// Interpreters, and the options that give them their program.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("python", &["-c", "-m", "-V", "--version"]),
    ("pypy", &["-c", "-m"]),
    ("node", &["-e", "-p", "-pe", "--eval", "--print", "-v", "--version"]),
    ("nodejs", &["-e", "-p", "--eval", "--print"]),
    ("deno", &["eval"]),
    ("bun", &["-e", "--eval", "-p"]),
    ("perl", &["-e", "-E"]),
    ("ruby", &["-e"]),
    ("php", &["-r"]),
    ("lua", &["-e"]),
    ("luajit", &["-e"]),
    ("osascript", &["-e"]),
    ("Rscript", &["-e"]),
    ("tclsh", &[]),
    ("julia", &["-e"]),
    ("ts-node", &["-e"]),
    ("tsx", &["-e"]),
];

/// The program that a shell or an interpreter runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program<'c> {
    /// A word that contains code.
    Code(&'c Word),
    /// A file.
    File(&'c Word),
    /// The standard input.
    Input,
    /// Nothing that could have been fetched.
    Nothing,
}

/// Returns where code begins in an option of an interpreter, which may have the letters of other options first: `-uc`,
/// `-lwe`, `-Icimport os`. If the code is the next word, this is the length of the option.
#[must_use]
pub fn code_at(program: &str, option: &str) -> Option<usize> {
    let (flags, letters): (&str, &[char]) = match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "pypy" => ("bBdEhiIOPqRsSuvVx", &['c'][..]),
        "perl" => ("acfhlnpsStTuUvwWX0123456789", &['e', 'E'][..]),
        "ruby" => ("acdhlnpsSvwy0123456789", &['e'][..]),
        _ => return None,
    };
    letter_at(option, letters, flags)
}

/// Returns where the module begins in the option `-m` of Python, as [`code_at`] does for code: `-mpip`, `-Im`.
#[must_use]
pub fn module_at(option: &str) -> Option<usize> {
    letter_at(option, &['m'], "bBdEhiIOPqRsSuvVx")
}

/// Returns the end of the first of these letters in a cluster of short options, if only flags come before it.
fn letter_at(option: &str, letters: &[char], flags: &str) -> Option<usize> {
    let cluster = option.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
    let at = cluster.find(letters)?;
    // The dash and the letter take a byte each.
    cluster.get(..at)?.chars().all(|c| flags.contains(c)).then_some(at + 2)
}

/// Returns the program that a command runs, if the command is a shell or an interpreter.
#[must_use]
pub fn program<'c>(command: &'c Command) -> Program<'c> {
    let args = command.args();
    let first = || args.iter().find(|word| !word.text().starts_with('-') || word.text() == "-");
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if matches!(command.name, "source" | ".") {
        return args.first().map_or(Program::Nothing, Program::File);
    }
    if command.name == "eval" {
        return args.iter().find(|word| word.is_unknown()).map_or(Program::Nothing, Program::Code);
    }
    if matches!(command.name, "docker" | "podman" | "nerdctl" | "kubectl" | "oc") {
        let runs = args.iter().any(|word| matches!(word.text(), "exec" | "run"));
        let is_shell =
            args.last().is_some_and(|word| SHELLS.contains(&word.text().rsplit('/').next().unwrap_or_default()));
        return if runs && is_shell { Program::Input } else { Program::Nothing };
    }
    if matches!(command.name, "at" | "batch") {
        return Program::Input;
    }
    if command.name == "crontab" {
        return first()
            .map_or(Program::Input, |word| if word.text() == "-" { Program::Input } else { Program::File(word) });
    }
    if matches!(command.name, "iex" | "Invoke-Expression" | "invoke-expression") {
        return args.first().map_or(Program::Input, Program::Code);
    }
    if powershell::is_powershell(command.name) {
        return powershell::run(command.name, args);
    }
    let is_shell = SHELLS.contains(&command.name);
    let flags: &[&str] = if is_shell {
        &["-c"]
    } else {
        match INTERPRETERS.iter().find(|(name, _)| *name == command.name || *name == base) {
            Some((_, flags)) => flags,
            None => return Program::Nothing,
        }
    };
    let is_value = |text: &str| {
        let row = VALUES.iter().find(|(name, _)| *name == command.name || *name == base);
        row.is_some_and(|(_, options)| options.contains(&text))
    };
    // The file that a shell reads first if it is interactive.
    let mut start = None;
    let is_interactive = || {
        let mut options = args.iter().map(Word::text).filter(|text| text.starts_with('-') && !text.starts_with("--"));
        options.any(|text| text.contains('i'))
    };
    let mut words = args.iter();
    let mut takes_input = false;
    while let Some(word) = words.next() {
        let text = word.text();
        if is_shell && text.starts_with('-') && !text.starts_with("--") {
            // With `-n`, the shell only reads the script, unless it is interactive.
            let has = |sign: char, letter: char| {
                let mut options = args.iter().map(Word::text).take_while(|text| *text != "--");
                options.any(|text| text.starts_with(sign) && !text.starts_with("--") && text.contains(letter))
            };
            if text.contains('n') && !text.contains('c') && !has('-', 'i') && !has('+', 'n') {
                return Program::Nothing;
            }
            if text.contains('c') {
                let code = words.next().map_or(Program::Nothing, Program::Code);
                return start.filter(|_| is_interactive()).unwrap_or(code);
            }
            takes_input |= text.contains('s');
            if text.ends_with(['o', 'O']) {
                words.next();
            }
            if text == "-" {
                return Program::Input;
            }
        } else if flags.contains(&text) {
            return words.next().map_or(Program::Nothing, Program::Code);
        } else if !is_shell && text.starts_with('-') && text.len() > 1 {
            // This covers `perl -ne` and `ruby -pe`.
            let is_cluster = !text.starts_with("--") && text.ends_with(['e', 'E']) && flags.contains(&"-e");
            if is_cluster || code_at(command.name, text) == Some(text.len()) {
                return words.next().map_or(Program::Nothing, Program::Code);
            }
            if is_value(text) {
                words.next();
            }
        } else if text == "--rcfile" || text == "--init-file" {
            start = words.next().map(Program::File);
        } else if is_shell && text.starts_with('+') {
            // This switches an option off.
            if text.ends_with(['o', 'O']) {
                words.next();
            }
        } else if is_shell && text == "--" {
            // Operands follow, even if they look like options.
            return match words.next() {
                Some(word) if !takes_input && !STDIN.contains(&word.text()) => Program::File(word),
                _ => Program::Input,
            };
        } else if text.starts_with("--") {
            takes_input |= text == "--stdin";
        } else if takes_input {
            return Program::Input;
        } else {
            let is_verb = matches!(command.name, "deno" | "bun") && text == "run";
            if !is_verb {
                let script = if STDIN.contains(&text) { Program::Input } else { Program::File(word) };
                return start.filter(|_| is_interactive()).unwrap_or(script);
            }
        }
    }
    start.unwrap_or(Program::Input)
}
