//! Reading where secrets are kept.

use crate::environment::code;
use crate::files;
use crate::listed::listed;
use crate::logins::login_words;
use crate::stores::{Class, class_of, class_of_directory, is};
use crate::unlisted;
use crate::users::USERS;
use crate::{Reads, Settings};
use hookbox_policy::{Command, Findings, GLOB, Glob, UNKNOWN, Word, unread_paths};
use hookbox_sdk::{Access, Tool, ToolKind, ToolPath};

/// What a call reads, and what of it may be read.
pub(crate) struct Reading<'t> {
    pub(crate) reads: Reads,
    readable: Vec<Glob>,
    /// The paths of the call, as written, with how secret each is.
    paths: Vec<(&'t str, Option<Class>)>,
}

/// Programs that read the file that they may write.
const DATABASES: &[&str] = &["sqlite3", "sqlite"];

/// Editors, which print a file when they run without a screen.
const EDITORS: &[&str] = &["vi", "vim", "nvim", "ex", "ed", "red"];

/// Programs that copy files on this machine.
pub(crate) const COPIERS: &[&str] = &["cp", "gcp", "mv", "gmv", "ln", "gln", "install", "ginstall", "rsync", "scp"];

impl<'t> Reading<'t> {
    pub(crate) fn new(settings: &Settings, tool: &'t Tool) -> Self {
        let readable = settings.readable.iter().map(|pattern| Glob::new(pattern, None)).collect();
        let mut reading = Reading { reads: settings.reads, readable, paths: Vec::new() };
        let certain = tool.paths.iter().filter(|path| path.certain);
        reading.paths = certain.map(|path| (path.as_written.as_str(), reading.class_of_path(path))).collect();
        reading
    }

    /// How secret the file is that a word of a command names.
    pub(crate) fn class_of_word(&self, word: &Word) -> Option<Class> {
        let is_named = |(written, _): &&(&str, _)| *written == word.raw() || *written == word.text();
        let mut known = self.paths.iter().filter(is_named).map(|(_, class)| *class).peekable();
        // Words with spaces are texts, unless they are known as paths.
        let is_path = known.peek().is_some();
        let is_text = !is_path && word.text().contains(char::is_whitespace);
        let as_text = (!is_path || word.text().contains(GLOB)) && !is_text;
        let class = as_text.then(|| self.class_of_text(word.text())).flatten();
        known.max().flatten().max(class)
    }

    /// How secret a file is by its path or by where its links lead.
    pub(crate) fn class_of_path(&self, path: &ToolPath) -> Option<Class> {
        let real = path.real.as_deref().filter(|real| *real != path.path);
        self.class(&path.path).max(real.and_then(|real| self.class(real)))
    }

    /// How secret the file with this name is, in which parts may be unknown.
    pub(crate) fn class_of_text(&self, text: &str) -> Option<Class> {
        if !text.contains([GLOB, UNKNOWN]) {
            return self.class(text);
        }
        // A pattern may stand for nothing, or for something.
        let plain = ["", "x"].into_iter().map(|part| text.replace(GLOB, part).replace(UNKNOWN, "x"));
        plain.chain(names_of(text)).filter_map(|path| self.class(&path)).max()
    }

    pub(crate) fn class(&self, path: &str) -> Option<Class> {
        let class = class_of(path)?;
        (!self.readable.iter().any(|glob| glob.matches(path, true))).then_some(class)
    }

    /// The most secret file that a command reads, with the word that names it.
    pub(crate) fn of_command(&self, command: &Command) -> Option<(Class, Word)> {
        if command.facts.files.is_empty() {
            return None;
        }
        let logins = login_words(command);
        let read = command.facts.files.iter().filter(|file| match file.access {
            Access::Read => true,
            // What is moved away is read where it comes to lie.
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

/// Whether an editor runs without a screen, and prints what it is told to.
fn is_batch(command: &Command) -> bool {
    let is_silent = |word: &Word| {
        let text = word.text();
        text.starts_with('-') && !text.starts_with("--") && text.contains('s')
    };
    EDITORS.contains(&command.name) && (matches!(command.name, "ed" | "red") || command.args().iter().any(is_silent))
}

/// Whether a program that otherwise uses a file prints it because of an option.
fn prints_input(command: &Command) -> bool {
    let has_letter = |letters: &[char]| {
        // A shell's own options come first.
        let is_first = command.name != "cmp";
        let shorts = command.args().iter().map(|word| word.text().strip_prefix('-'));
        let mut shorts = shorts.take_while(|short| short.is_some() || !is_first).flatten();
        // What follows these letters is a value.
        shorts.any(|short| short.chars().take_while(|c| !"-ceIr".contains(*c)).any(|c| letters.contains(&c)))
    };
    let has = |long: &str| command.args().iter().any(|word| word.text() == long);
    match command.name {
        "bash" | "dash" | "sh" | "zsh" => has_letter(&['v', 'x']) || has("--verbose"),
        "cmp" => has_letter(&['b', 'l']) || has("--verbose") || has("--print-bytes"),
        // The names of files in a file, each in a message if there is no such file.
        "wc" => command.args().iter().any(|word| word.text().starts_with("--files0-from")),
        "file" => has_letter(&['f']) || command.args().iter().any(|word| word.text().starts_with("--files-from")),
        _ => false,
    }
}

/// Well-known names, which a pattern may stand for.
pub(crate) const NAMES: &[&str] =
    &[".env", ".env.local", ".envrc", ".netrc", ".pgpass", "id_rsa", "id_ed25519", "credentials"];

/// The well-known names that a pattern for files spells for the most part: `.en*`, `id_*`.
fn names_of(pattern: &str) -> Vec<String> {
    let Some((directory, name)) =
        pattern.rsplit_once('/').or(Some(("", pattern))).filter(|(_, name)| name.contains(GLOB))
    else {
        return Vec::new();
    };
    let spelled = name.chars().filter(|char| !matches!(*char, GLOB | UNKNOWN)).count();
    // No wildcard stands for the dot of a hidden file.
    let is_found = |known: &&&str| {
        spelled * 2 >= known.len() && name.chars().next() == known.chars().next() && is(&name.replace(GLOB, "*"), known)
    };
    NAMES.iter().filter(is_found).map(|known| format!("{directory}/{known}")).collect()
}

/// The secret file that the text of a program reads: `python3 -c "print(open('…').read())"`.
fn in_code(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    const READS: &[&str] = &[
        "open(",
        "open ",
        ".read",
        "readFile",
        "readText",
        "File.read",
        "File.open",
        "file_get_contents",
        "readfile",
        "cat ",
        "dotenv",
        "read POSIX file",
        "readLines",
        "readlines",
    ];
    // Without a path, these read the file that they are for.
    if let Some(code) = code(command.name, command)
        && code.contains("dotenv")
        && (code.contains(".parsed") || code.contains("dotenv_values()"))
        && let Some(class) = reading.class(".env")
    {
        return Some((class, ".env".to_owned()));
    }
    let code = code(command.name, command).filter(|code| READS.iter().any(|word| code.contains(word)))?;
    let quoted = code.split(['\'', '"', '`']).filter(|part| !part.contains([' ', '(', ')', GLOB, UNKNOWN]));
    quoted.filter_map(|part| Some((reading.class(part)?, part.to_owned()))).max_by_key(|(class, _)| *class)
}

/// The secret file of a commit: `git show HEAD:.env`.
fn in_revision(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    let is_shown = command.args().iter().map(Word::text).any(|word| matches!(word, "show" | "cat-file"));
    let revisions = command.args().iter().filter(|_| command.name == "git" && is_shown);
    // `git cat-file --batch <<< HEAD:.env`
    let input = command.facts.stdin.as_ref().filter(|_| command.name == "git" && is_shown).map(Word::from);
    let told = input.iter().flat_map(|input| input.text().split_whitespace());
    let files = revisions.map(Word::text).chain(told).filter_map(|word| word.split_once(':'));
    files.filter_map(|(_, file)| Some((reading.class_of_text(file)?, file.to_owned()))).max()
}

/// Whether a program reads what lies in a directory.
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
    for (index, command) in commands.iter().enumerate() {
        let hidden = in_code(command, reading).or_else(|| in_revision(command, reading));
        let hidden = hidden.or_else(|| listed(index, commands, reading));
        if let Some((class, file)) = hidden.filter(|(class, _)| *class != Class::Send) {
            tell(class, &file, &command.quote(), reading, found);
        }
        unlisted::judge(index, commands, reading, found);
        let Some((class, word)) = reading.of_command(command) else {
            continue;
        };
        let is_copied = COPIERS.contains(&command.name) && !copies_to_output(command);
        let uses = USERS.contains(&unversioned(command.name)) && !is_batch(command) && !prints_input(command);
        if uses || class == Class::Send || is_quiet(command) {
            continue;
        }
        // `export $(grep -v '^#' .env | xargs)` loads it.
        let parent = command.facts.parent.and_then(|parent| commands.get(parent));
        let is_loaded = command.facts.via.as_deref() == Some("substitution")
            && parent.is_some_and(|parent| parent.name == "export");
        if class == Class::Ask && is_loaded {
            continue;
        }
        // What is copied is not shown.
        let is_kept = command.name.is_empty() && !is_printed(command, parent);
        if class == Class::Ask && (is_copied || is_kept) {
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

/// Whether a file is printed that no program reads: `echo "$(<.env)"`, `while read l; do echo "$l"; done < .env`.
fn is_printed(command: &Command, parent: Option<&Command>) -> bool {
    const PRINTERS: [&str; 4] = ["echo", "printf", "print", "cat"];
    let by_parent = parent.is_some_and(|parent| PRINTERS.contains(&parent.name));
    let text = command.facts.text.trim_start();
    let is_loop = ["while ", "until ", "for "].iter().any(|word| text.starts_with(word));
    let mut words = text.split(|c: char| c.is_whitespace() || c == ';');
    by_parent || is_loop && words.any(|word| PRINTERS.contains(&word))
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

/// Whether a command shows nothing of what it reads, or nothing but names.
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
        // Without a patch, it names commits only.
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
            // What is written into a file is not shown.
            let is_shown = has(KEYS) || encodes && !has(&["-out"]);
            // Also with these, `-text` shows all numbers of a private key.
            !is_shown || has(&["-noout", "-pubout"]) && !has(&["-text"])
        }
        _ => false,
    }
}

pub(crate) fn unversioned(name: &str) -> &str {
    if name.starts_with("python3.") { "python3" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_spell_a_name_for_the_most_part() {
        for (pattern, is_one) in [
            (".en*", true),
            (".e*v", true),
            ("a/.en*", true),
            ("id_*", true),
            (".*", false),
            ("*", false),
            ("*.md", false),
            ("*env", false),
            (".git*", false),
            (".env", false),
        ] {
            let pattern = pattern.replace('*', &GLOB.to_string());
            assert_eq!(!names_of(&pattern).is_empty(), is_one, "{pattern}");
        }
    }
}
