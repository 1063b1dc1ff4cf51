//! Judges reading from places where secrets are kept.

use crate::files::{self, marked};
use crate::hidden::hidden;
use crate::listed::listed;
use crate::logins::login_words;
use crate::outputs::{copied, is_printed, is_told_to_print};
use crate::patterns::{names_of, stores_of};
use crate::searches::searched;
use crate::stores::{Class, class_of, class_of_directory};
use crate::unlisted;
use crate::users::USERS;
use crate::{Reads, Settings};
use hookbox_policy::{Command, Findings, GLOB, Glob, UNKNOWN, Word, unread_paths};
use hookbox_sdk::{Access, Tool, ToolKind, ToolPath};

/// The files that a call reads, and those that the settings allow it to read.
pub(crate) struct Reading<'t> {
    pub(crate) reads: Reads,
    readable: Vec<Glob>,
    pub(crate) home: Option<&'t str>,
    /// The paths of the call, with the class of each.
    paths: Vec<(&'t str, Option<Class>)>,
}

/// Programs that read a file although the facts say that they write it.
const DATABASES: &[&str] = &["sqlite3", "sqlite"];

/// Editors, which print a file if they run without a screen.
const EDITORS: &[&str] = &["vi", "vim", "nvim", "ex", "ed", "red"];

/// Programs that copy files on this machine.
pub(crate) const COPIERS: &[&str] = &["cp", "gcp", "mv", "gmv", "ln", "gln", "install", "ginstall", "rsync", "scp"];

impl<'t> Reading<'t> {
    pub(crate) fn new(settings: &Settings, tool: &'t Tool) -> Self {
        let readable = settings.readable.iter().map(|pattern| Glob::new(pattern, None)).collect();
        let home = tool.home.as_deref();
        let mut reading = Reading { reads: settings.reads, readable, home, paths: Vec::new() };
        let certain = tool.paths.iter().filter(|path| path.certain);
        // What a shell pattern stands for depends on the directory.
        let class_of = |path: &ToolPath| match path.path.contains('*') {
            true => reading.class_of_path(path).max(reading.class_of_text(&marked(&path.path))),
            false => reading.class_of_path(path),
        };
        reading.paths = certain.map(|path| (path.as_written.as_str(), class_of(path))).collect();
        reading
    }

    /// Returns the class of the file that a word of a command names.
    pub(crate) fn class_of_word(&self, word: &Word) -> Option<Class> {
        let has_pattern = word.text().contains(GLOB);
        let is_named = |(written, _): &&(&str, _)| *written == word.raw() || *written == word.text();
        let mut known = self.paths.iter().filter(is_named).map(|(_, class)| *class).peekable();
        // Words with spaces are texts, unless they are known to be paths.
        let is_path = known.peek().is_some();
        let is_text = !is_path && word.text().contains(char::is_whitespace);
        let as_text = (!is_path || has_pattern) && !is_text;
        let class = as_text.then(|| self.class_of_text(word.text())).flatten();
        known.max().flatten().max(class)
    }

    /// Returns the class of a file by its path or by the target of its links.
    pub(crate) fn class_of_path(&self, path: &ToolPath) -> Option<Class> {
        let real = path.real.as_deref().filter(|real| *real != path.path);
        self.class(&path.path).max(real.and_then(|real| self.class(real)))
    }

    /// Returns the class of the file with this name, in which parts may be unknown.
    pub(crate) fn class_of_text(&self, text: &str) -> Option<Class> {
        if !text.contains([GLOB, UNKNOWN]) {
            return self.class(text);
        }
        // A wildcard may match nothing or something.
        let plain = ["", "x"].into_iter().map(|part| text.replace(GLOB, part).replace(UNKNOWN, "x"));
        plain.chain(names_of(text)).chain(stores_of(text, self.home)).filter_map(|path| self.class(&path)).max()
    }

    pub(crate) fn class(&self, path: &str) -> Option<Class> {
        let class = class_of(path)?;
        (!self.readable.iter().any(|glob| glob.matches(path, true))).then_some(class)
    }

    /// Returns the most secret file that a command reads, with the word that names it.
    pub(crate) fn of_command(&self, command: &Command) -> Option<(Class, Word)> {
        if command.facts.files.is_empty() {
            return None;
        }
        let logins = login_words(command);
        let read = command.facts.files.iter().filter(|file| match file.access {
            Access::Read => true,
            // A file that is moved can be read at its new place.
            Access::Delete => COPIERS.contains(&command.name),
            _ => DATABASES.contains(&command.name) || is_batch(command),
        });
        let files = read.map(|file| Word::from(&file.path)).filter(|word| !logins.contains(&word.text()));
        let files = files.filter_map(|word| {
            let class = self
                .class_of_word(&word)
                .or_else(|| reads_directories(command).then(|| class_of_directory(word.text())).flatten());
            class.map(|class| (class, word))
        });
        files.max_by_key(|(class, _)| *class)
    }
}

/// Whether an editor runs without a screen and prints what it is told to.
fn is_batch(command: &Command) -> bool {
    let is_silent = |word: &Word| {
        let text = word.text();
        text.starts_with('-') && !text.starts_with("--") && text.contains('s')
    };
    EDITORS.contains(&command.name) && (matches!(command.name, "ed" | "red") || command.args().iter().any(is_silent))
}

/// Whether a program reads the content of directories.
fn reads_directories(command: &Command) -> bool {
    let has = |options: &[char]| {
        command.args().iter().any(|word| {
            let text = word.text();
            text.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(options))
                || matches!(text, "--recursive" | "--archive")
        })
    };
    match command.name {
        "tar" | "gtar" | "bsdtar" | "rg" | "ag" | "ack" | "ditto" | "restic" | "borg" | "7z" | "7za" => true,
        "grep" | "egrep" | "fgrep" | "scp" | "zip" | "rsync" => has(&['r', 'R', 'a']),
        "cp" | "gcp" => has(&['r', 'R', 'a']),
        _ => false,
    }
}

/// Judges what a call reads.
pub(crate) fn judge(commands: &[Command], tool: &Tool, reading: &Reading, found: &mut Findings) {
    if reading.reads == Reads::Allow {
        return;
    }
    files::judge(commands, tool, reading, found);
    if let Some(what) = unread_paths(tool).filter(|_| !matches!(tool.kind, ToolKind::Write | ToolKind::Edit)) {
        found.unknown(format!("what this reads depends on {what}; read in smaller parts"));
    }
    // Each copy, and the file that it is a copy of.
    let mut copies: Vec<(Word, Word)> = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        if let Some(file) = of_copy(command, &copies).cloned() {
            match COPIERS.contains(&command.name) {
                true => copies.extend(copied(command).map(|copy| (copy, file.clone()))),
                false => tell(Class::Ask, file.raw(), &command.quote(), reading, found),
            }
        }
        let hidden = hidden(index, commands, reading).or_else(|| listed(index, commands, reading));
        let hidden = hidden.or_else(|| searched(command, reading));
        if let Some((class, file)) = hidden.filter(|(class, _)| *class != Class::Send) {
            tell(class, &file.replace(GLOB, "*"), &command.quote(), reading, found);
        }
        unlisted::judge(index, commands, reading, found);
        let Some((class, word)) = reading.of_command(command) else {
            continue;
        };
        let is_copied = COPIERS.contains(&command.name) && !copies_to_output(command);
        let uses =
            USERS.contains(&unversioned(command.name)) && !is_batch(command) && !is_told_to_print(index, commands);
        if uses || class == Class::Send || is_quiet(command) {
            continue;
        }
        // `export $(grep -v '^#' .env | xargs)` loads the file without showing it.
        let parent = command.facts.parent.and_then(|parent| commands.get(parent));
        let is_loaded = command.facts.via.as_deref() == Some("substitution")
            && parent.is_some_and(|parent| parent.name == "export");
        if class == Class::Ask && is_loaded {
            continue;
        }
        // Copying a file does not show it.
        let is_kept = command.name.is_empty() && !is_printed(command, parent);
        if class == Class::Ask && (is_copied || is_kept) {
            copies.extend(copied(command).map(|copy| (copy, word.clone())));
            continue;
        }
        tell(class, word.raw(), &command.quote(), reading, found);
    }
}

/// Whether a program that copies is told to print: `cp .env /dev/stdout`.
fn copies_to_output(command: &Command) -> bool {
    const OUTPUTS: &[&str] = &["/dev/stdout", "/dev/stderr", "/dev/tty"];
    const DESCRIPTORS: &[&str] = &["/dev/fd/", "/proc/self/fd/"];
    let is_output = |word: &Word| {
        let text = word.text();
        OUTPUTS.contains(&text) || DESCRIPTORS.iter().any(|directory| text.starts_with(directory))
    };
    command.args().iter().any(is_output)
}

/// Returns the file whose copy a command shows or copies.
fn of_copy<'w>(command: &Command, copies: &'w [(Word, Word)]) -> Option<&'w Word> {
    let name = unversioned(command.name);
    if copies.is_empty() || name.is_empty() || USERS.contains(&name) || is_quiet(command) {
        return None;
    }
    let read = command.facts.files.iter().filter(|file| file.access == Access::Read);
    let is_read = |copy: &Word| read.clone().any(|file| file.path.written() == copy.raw());
    copies.iter().find(|(copy, _)| is_read(copy)).map(|(_, file)| file)
}

pub(crate) fn tell(class: Class, file: &str, what: &str, reading: &Reading, found: &mut Findings) {
    match (class, reading.reads) {
        (Class::Deny, Reads::Deny) => found.deny(format!(
            "{what} reads {file}, where credentials are kept; use the program that they are for, or add the file to `readable`"
        )),
        (Class::Deny, _) => found.ask(format!("{what} reads {file}, where credentials are kept; is that meant?")),
        _ => found.ask(format!(
            "{what} reads {file}, which may hold secrets; ask for the names only (`cut -d= -f1`), or add the file to `readable`"
        )),
    }
}

/// Whether a command shows nothing of what it reads, or only names.
pub(crate) fn is_quiet(command: &Command) -> bool {
    let has = |wanted: &[&str]| command.args().iter().any(|word| wanted.contains(&word.text()));
    match command.name {
        "grep" | "egrep" | "fgrep" | "rg" => {
            let is_short =
                |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains(['q', 'c', 'l', 'L']);
            has(&["--quiet", "--silent", "--count", "--files-with-matches"])
                || command.args().iter().any(|word| is_short(word.text()))
        }
        "cut" => {
            let is_equal = has(&["-d=", "--delimiter=", "--delimiter==", "="]);
            is_equal
                && (has(&["-f1", "--fields=1"])
                    || command
                        .args()
                        .windows(2)
                        .any(|pair| matches!(pair, [one, two] if one.text() == "-f" && two.text() == "1")))
        }
        "sed" | "gsed" => has(&[
            "s/=.*//",
            "s/=.*/=/",
            "s/=.*$//",
            "s/=.*$/=/",
            "s/=.*/=***/",
            "s/=.*/=<redacted>/",
            "s/=.*/=REDACTED/",
        ]),
        "awk" | "gawk" => has(&["-F="]) && has(&["{print $1}", "{ print $1 }"]),
        "jq" => has(&["keys", "keys[]", ". | keys"]),
        "head" | "tail" => has(&["-n0", "-c0"]),
        // Without a patch, these subcommands only name commits.
        "git" => {
            const NAMES: &[&str] = &["--name-only", "--name-status", "--numstat", "--quiet", "--shortstat", "--stat"];
            let has_names =
                has(NAMES) || has(&["grep"]) && has(&["-l", "-L", "-c", "-q", "--files-with-matches", "--count"]);
            (has_names || has(&["log", "shortlog", "rev-list"]))
                && !command.args().iter().any(|word| {
                    matches!(word.text(), "-p" | "-u" | "--patch" | "--full-diff" | "-c" | "--cc")
                        || word.text().starts_with("-L")
                        || word.text().starts_with("-G")
                        || word.text().starts_with("-U")
                })
        }
        "diff" => has(&["-q", "--brief"]),
        "openssl" => {
            const KEYS: &[&str] = &["rsa", "pkey", "ec", "pkcs12", "pkcs8", "dsa", "asn1parse"];
            const ENCODERS: &[&str] = &["enc", "base64", "zlib", "cms", "smime"];
            const CIPHERS: &[&str] =
                &["aes", "aria", "bf", "camellia", "cast", "chacha", "des", "idea", "rc", "seed", "sm4"];
            let operation = command.args().first().map_or("", Word::text);
            let encodes = ENCODERS.contains(&operation) || CIPHERS.iter().any(|cipher| operation.starts_with(cipher));
            // Output that is written to a file is not shown.
            let is_shown = has(KEYS) || encodes && !has(&["-out"]);
            // Even with these options, `-text` shows all numbers of a private key.
            !is_shown || has(&["-noout", "-pubout"]) && !has(&["-text"])
        }
        _ => false,
    }
}

pub(crate) fn unversioned(name: &str) -> &str {
    if name.starts_with("python3.") { "python3" } else { name }
}
