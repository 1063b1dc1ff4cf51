//! Files that a text fetches or creates, and then runs.

use crate::scene::Scene;
use hookbox_policy::{Command, Findings, Names, Program, Word, program};
use hookbox_sdk::Access;
use std::collections::BTreeSet;

/// Programs whose output comes from another machine, or is decoded.
static FETCHERS: Names = Names::new(&[
    "curl",
    "wget",
    "aria2c",
    "http",
    "https",
    "xh",
    "fetch",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "scp",
    "sftp",
    "ftp",
    "rsync",
    "base64",
    "base32",
    "xxd",
    "openssl",
    "uudecode",
    "gpg",
    "Invoke-WebRequest",
]);

/// Programs that run a file in their arguments.
static RUNNERS: Names = Names::new(&[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "fish",
    "ash",
    "mksh",
    "source",
    ".",
    "exec",
    "python",
    "python3",
    "python2",
    "node",
    "nodejs",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "luajit",
    "julia",
    "pypy",
    "Rscript",
    "ts-node",
    "tsx",
    "pwsh",
    "powershell",
    "tclsh",
    "osascript",
]);

/// Programs that unpack archives.
const UNPACKERS: [&str; 7] = ["tar", "gtar", "bsdtar", "unzip", "7z", "cpio", "unar"];

/// Programs that copy the content of one file into another.
const COPIERS: [&str; 8] = ["mv", "cp", "ln", "install", "dd", "rsync", "cat", "tee"];

/// Words that make a script written by the same text too dangerous to run unseen.
const HARM: [&str; 12] = [
    "rm -rf /",
    "rm -rf ~",
    "rm -fr /",
    "rm -rf $",
    "rm -rf \"$",
    "rm -rf *",
    "mkfs",
    "of=/dev/",
    "git reset --hard",
    "git clean -",
    "| sh",
    "| bash",
];

pub(crate) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    // The paths whose content is not trusted, updated in the order of the commands.
    let mut foreign: BTreeSet<String> = BTreeSet::new();
    let fetches = scene.commands.iter().any(|command| FETCHERS.contains(command.name));
    let mut unpacked = false;
    for command in scene.commands {
        let run = runs(command);
        if let Some(path) = run.iter().find(|path| foreign.contains(*path)) {
            found.ask(format!(
                "{} runs `{path}`, which the same command has fetched or written; read the file first, and run it on its own",
                command.quote()
            ));
        }
        if let Some(path) = run.iter().find(|path| unpacked && !path.starts_with('/')) {
            found.ask(format!(
                "{} runs `{path}`, which may come from the archive that the same command has fetched; read the file first",
                command.quote()
            ));
        }
        if let Some(url) = loads(command) {
            found.ask(format!(
                "{} runs code from `{url}` that nobody has read; fetch and read it first",
                command.quote()
            ));
        }
        if UNPACKERS.contains(&command.name) {
            unpacked |= is_foreign(command, scene, &foreign)
                || command.args().iter().any(|word| foreign.contains(&plain(word.text())));
        }
        if command.name == "rm" {
            for word in command.args() {
                foreign.remove(&plain(word.text()));
            }
        }
        // These change a file's attributes or edit it, but do not replace its content with another.
        if matches!(command.name, "chmod" | "chown" | "chgrp" | "touch" | "sed" | "strip" | "dos2unix") {
            continue;
        }
        let is_foreign = is_foreign(command, scene, &foreign) || (command.name == "exec" && fetches);
        let writes = command.facts.files.iter().filter(|file| matches!(file.access, Access::Write | Access::Create));
        for file in writes {
            let path = plain(Word::from(&file.path).text());
            if is_foreign {
                foreign.insert(path)
            } else {
                foreign.remove(&path)
            };
        }
    }
}

/// Whether the output of a command is not trusted.
fn is_foreign(command: &Command<'_>, scene: &Scene<'_>, foreign: &BTreeSet<String>) -> bool {
    let fetches = |command: &Command<'_>| FETCHERS.contains(command.name);
    let is_harm = |text: &str| HARM.iter().any(|harm| text.contains(harm));
    let says_harm = || {
        let stdin = command.facts.stdin.as_ref().map(Word::from).is_some_and(|text| is_harm(text.text()));
        stdin || (matches!(command.name, "echo" | "printf") && command.args().iter().any(|word| is_harm(word.text())))
    };
    let copies = || {
        COPIERS.contains(&command.name)
            && command.args().iter().any(|word| {
                let text = word.text();
                foreign.contains(&plain(text.strip_prefix("if=").unwrap_or(text)))
            })
    };
    fetches(command) || says_harm() || copies() || scene.sources(command).any(fetches)
}

/// Returns the address from which an interpreter loads its code.
fn loads<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let is_url = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    let mut words = command.args().iter().map(Word::text).filter(|text| !text.starts_with('-'));
    match command.name {
        "deno" | "bun" => words.find(|text| !matches!(*text, "run" | "x" | "serve")).filter(|text| is_url(text)),
        "ruby" | "perl" | "php" | "python" | "python3" | "node" | "R" | "Rscript" | "lua" | "julia" => {
            const EVALUATORS: [&str; 5] = ["eval", "source(", "exec(", "load(", "include("];
            let is_one = |text: &&str| EVALUATORS.iter().any(|call| text.contains(call));
            let code = command.args().iter().map(Word::text).find(is_one)?;
            let at = code.find("https://").or_else(|| code.find("http://"))?;
            code.get(at..)?.split(['"', '\'', ')', ' ']).next()
        }
        // An editor can run the content of a buffer or a register as a script.
        "vim" | "nvim" | "vi" | "ex" | "emacs" | "emacsclient" => {
            const EVALUATORS: [&str; 7] = ["eval-buffer", "eval-region", "(eval ", "(load ", "source %", "so %", "@\""];
            let texts = || command.args().iter().map(Word::text);
            texts().find(|text| EVALUATORS.iter().any(|call| text.contains(call)))?;
            let code = texts().find(|text| text.contains("://"))?;
            let at = code.find("https://").or_else(|| code.find("http://"))?;
            code.get(at..)?.split(['"', '\'', ')', ' ']).next()
        }
        _ => None,
    }
}

/// Returns the files that a command would run.
fn runs(command: &Command<'_>) -> Vec<String> {
    let first = command.words.first().map(Word::text).unwrap_or_default();
    let mut files = Vec::new();
    if first.contains('/') {
        files.push(plain(first));
    }
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if RUNNERS.contains(command.name) || RUNNERS.contains(base) {
        // The words after a script are its arguments.
        let script = match program(command) {
            Program::File(script) => Some(script),
            Program::Code(_) | Program::Input => None,
            // A shell with `-n` only reads the script.
            Program::Nothing if command.args().iter().any(|word| word.text() == "-n") => None,
            Program::Nothing => command.args().iter().find(|word| !word.text().starts_with('-')),
        };
        files.extend(script.map(|word| plain(word.text())));
        let reads = command.facts.redirects.iter().filter(|redirect| redirect.op.starts_with('<'));
        files.extend(reads.filter_map(|redirect| redirect.target.as_ref()).map(|word| plain(Word::from(word).text())));
    }
    files
}

/// Returns a path without a leading `./`.
fn plain(path: &str) -> String {
    path.trim_start_matches("./").to_owned()
}
