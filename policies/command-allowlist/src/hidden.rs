//! Finds programs and inputs that are not among the commands: program texts in files, and programs that the same text
//! writes.

use crate::entry::Site;
use crate::place::Places;
use crate::program::is_control;
use hookbox_policy::{Command, GLOB, Word};
use hookbox_sdk::{Access, ShellWord, Tool};
use std::collections::BTreeSet;

/// Options that name a file whose text can run commands. Without them, these programs run no other commands.
#[rustfmt::skip] // A table reads better with one row per line.
const SCRIPTS: &[(&[&str], &str, &[&str])] = &[
    // The programs, their other short options that take a value, and the options that name a file.
    (&["awk", "gawk", "mawk", "nawk"], "Fve", &["-f", "--file", "-E", "--exec", "-i", "--include", "-l", "--load"]),
    (&["sed", "gsed"], "el", &["-f", "--file"]),
    (&["less", "zless"], "bhjoOpPtTxyz", &["-k", "--lesskey-file", "--lesskey-src", "--lesskey-content"]),
    (&["man"], "LRMmSse", &["-C", "--config-file"]),
    (&["curl"], "oTdFHAbceEmPQrtuUwxXyYzC", &["-K", "--config"]),
    (&["wget"], "oOaiBtTwQPUlADXI", &["-e", "--execute", "--config"]),
    (&["tmux"], "LScT", &["-f"]),
    (&["screen"], "pSthsT", &["-c"]),
    (&["gdb"], "pdcse", &["-x", "--command", "-ix", "--init-command"]),
    (&["vi", "vim", "nvim", "view", "ex", "gvim"], "cTtUisWw", &["-S", "-u"]),
];

/// Programs that execute the files that they read.
#[rustfmt::skip] // Groups of programs read better on one line.
const RUNNERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "source", ".",
    "python", "python2", "python3", "pypy", "pypy3", "node", "nodejs", "bun", "deno", "tsx", "ts-node", "ruby", "perl", "php", "lua",
    "Rscript", "julia", "osascript", "tclsh", "expect", "make", "gmake", "just", "crontab", "at", "batch",
];

/// Suffixes of directories that are commonly in the `PATH`.
const PATH_ENDS: [&str; 7] = ["/bin", "/sbin", "/shims", "/.cargo/bin", "/go/bin", "/.local/bin", "/node_modules/.bin"];

/// Returns the file whose text can run commands, if an option of the command names one.
pub(crate) fn script(site: &Site<'_>) -> Option<String> {
    let (_, shorts, options) = SCRIPTS.iter().find(|(names, ..)| names.contains(&site.command.name))?;
    let shorts: Vec<String> = shorts.chars().map(|letter| format!("-{letter}")).collect();
    let with_value: Vec<&str> = shorts.iter().map(String::as_str).chain(options.iter().copied()).collect();
    let read = hookbox_policy::options(site.args, &with_value);
    let is_inplace = |value: &&Word| value.known() != Some("inplace");
    // If a variable is the program text, its content can be a command in that language.
    let is_text = TEXT_EDITORS.contains(&site.command.name);
    let text =
        || is_text.then(|| program_text(site)).flatten().filter(Word::is_unknown).map(|word| word.raw().to_owned());
    let named = read.values(options).find(is_inplace).map(|value| value.raw().to_owned());
    // `less +!command` and `less '+|mcommand'`.
    let typed = || {
        let is_command = |word: &&Word| word.text().starts_with('+') && word.text().contains(['!', '|', '#']);
        let pagers = ["less", "zless", "more"];
        site.args
            .iter()
            .find(is_command)
            .filter(|_| pagers.contains(&site.command.name))
            .map(|word| word.raw().to_owned())
    };
    named.or_else(typed).or_else(text)
}

/// Returns a word in which the shell expands the value of a variable again, and so runs the commands in it: `${x@P}`.
/// This can be any word: an argument, the target of a redirection, the value of a variable, the standard input.
pub(crate) fn expanded_again<'a>(site: &Site<'a>) -> Option<&'a str> {
    let facts = site.command.facts;
    let targets = facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref());
    let values = facts.assignments.iter().map(|set| &set.value);
    let mut words = facts.argv.iter().chain(targets).chain(values).chain(facts.stdin.iter());
    words.find(|word| matches!(word, ShellWord::Partly { raw, .. } if raw.contains("@P}"))).map(ShellWord::written)
}

/// Returns the value of a variable that has a command in a subscript. If such a variable is used in arithmetic, the
/// shell runs the command: `x='a[$(id)]'; echo $((x))`.
pub(crate) fn in_subscript(site: &Site<'_>) -> Option<String> {
    let facts = site.command.facts;
    let runs = |text: &str| {
        text.match_indices('[').any(|(at, _)| {
            let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            let is_subscript = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            is_subscript && (rest.contains("$(") || rest.contains('`'))
        })
    };
    let sets = SETTERS.contains(&site.command.name);
    let told = facts.argv.iter().skip(1).chain(facts.stdin.iter()).filter(|_| sets);
    let mut values = facts.assignments.iter().map(|set| &set.value).chain(told).filter_map(ShellWord::known);
    values.find(|value| runs(value)).map(|value| value.chars().take(60).collect())
}

/// Builtins that put their arguments or their input into variables.
const SETTERS: [&str; 8] = ["export", "declare", "typeset", "local", "readonly", "read", "mapfile", "readarray"];

/// Returns the program text of awk or sed, if it is among the arguments.
fn program_text(site: &Site<'_>) -> Option<Word> {
    let with_value = ["-F", "-v", "-f", "-e", "-i", "-E", "-l", "--expression", "--source", "--file", "--assign"];
    let with_value =
        with_value.iter().filter(|option| **option != "-i" && **option != "-E" || site.command.name.ends_with("awk"));
    let read = hookbox_policy::options(site.args, &with_value.copied().collect::<Vec<_>>());
    let named: Vec<&Word> = read.values(&["-e", "--expression", "--source"]).collect();
    match named.iter().find(|word| word.is_unknown()) {
        Some(word) => Some((*word).clone()),
        None if named.is_empty() => read.operands.first().cloned(),
        None => None,
    }
}

/// Programs that edit text, followed by the programs into which their texts may pipe.
const TEXT_EDITORS: [&str; 6] = ["awk", "gawk", "mawk", "nawk", "sed", "gsed"];
const FILTERS: [&str; 10] = ["sort", "uniq", "cat", "head", "tail", "wc", "column", "nl", "tac", "rev"];

/// Returns the text editor that runs the command, if one does: an entry for `awk` only allows `awk` to edit text.
pub(crate) fn runs_in_text<'a>(site: &Site<'_>, parent: Option<&Command<'a>>) -> Option<&'a str> {
    let parent = parent.filter(|parent| site.command.facts.via.as_deref() == Some(parent.name))?;
    let is_pipe = parent.name.ends_with("awk") && FILTERS.contains(&site.command.name) && site.command.args().len() < 9;
    (TEXT_EDITORS.contains(&parent.name) && !is_pipe).then_some(parent.name)
}

/// The files that the commands of one text write.
#[derive(Default)]
pub(crate) struct Written {
    /// The full paths of files that are written, and of directories into which something is written.
    paths: BTreeSet<String>,
    /// The names of the written files that can be run without a path.
    names: BTreeSet<String>,
    /// A directory in the `PATH` into which something is written.
    bin: Option<String>,
}

impl Written {
    pub(crate) fn new(tool: &Tool, places: &Places<'_>) -> Self {
        let mut written = Written::default();
        let commands: Vec<Command<'_>> = tool.commands.iter().flatten().map(Command::new).collect();
        let sets_path = commands.iter().any(|command| command.facts.assignments.iter().any(|set| set.name == "PATH"));
        for command in &commands {
            let base = places.base(command);
            for file in &command.facts.files {
                if !matches!(file.access, Access::Write | Access::Create) {
                    continue;
                }
                let path = Places::locate(&Word::from(&file.path), base.as_deref());
                let Some(path) = path.filter(|path| !path.starts_with("/dev/")) else {
                    continue;
                };
                let is_bin = |path: &str| PATH_ENDS.iter().any(|end| path.ends_with(end));
                if let Some((directory, name)) = path.rsplit_once('/')
                    && (sets_path || is_bin(directory))
                {
                    written.names.insert(name.to_owned());
                }
                if file.access == Access::Write && path.starts_with('/') && is_bin(&path) {
                    written.bin.get_or_insert_with(|| path.clone());
                }
                written.paths.insert(path);
            }
        }
        written
    }

    /// Returns the program or script of this command, if the same text writes it.
    pub(crate) fn runs(&self, site: &Site<'_>) -> Option<String> {
        let program = site.command.words.first().filter(|_| !self.paths.is_empty())?;
        let text = program.known()?;
        let is_written = match text.contains('/') {
            true => self.holds(program, site.base),
            false => self.names.contains(text) || self.bin.is_some() && !is_control(&site.command.words),
        };
        if is_written {
            return Some(program.raw().to_owned());
        }
        // If the program is in an option, the operands are the files that it processes. After a script, the same words
        // are arguments of the script.
        let mut options = site.args.iter().map(Word::text).take_while(|text| text.starts_with(['-', '+']));
        let is_inline = options.any(|text| matches!(text, "-e" | "-c" | "-ne" | "-pe"));
        if !RUNNERS.contains(&site.command.name) || is_inline {
            return None;
        }
        let reads = site.command.facts.files.iter().filter(|file| file.access == Access::Read);
        reads
            .map(|file| Word::from(&file.path))
            .find(|file| self.holds(file, site.base))
            .map(|file| file.raw().to_owned())
    }

    /// Whether this file is written, or anything is written into a directory above it. For a pattern: whether it may
    /// match any written path.
    fn holds(&self, word: &Word, base: Option<&str>) -> bool {
        let Some(path) = Places::locate(word, base) else {
            return false;
        };
        if let Some((plain, _)) = path.split_once(GLOB) {
            return self.paths.range(plain.to_owned()..).next().is_some_and(|path| path.starts_with(plain));
        }
        let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.any(|end| path.get(..end).is_some_and(|path| self.paths.contains(path)))
    }
}
