//! Judges reading from places where secrets are kept.

use crate::copies::{compressed, fits, is_copier, place};
use crate::encrypted::{is_encrypted, is_encryptor};
use crate::endpoints::requests;
use crate::environment::{code, variable};
use crate::files::{self, marked};
use crate::held::{is_echo, is_kept_and_shown};
use crate::hidden::hidden;
use crate::listed::listed;
use crate::logins::login_words;
use crate::outputs::{copied, is_printed, is_told_to_print};
use crate::patterns::{is_excluded, names_of, stores_of};
use crate::pipes::{is_captured, is_cut_to_names, is_visible, spells};
use crate::printers::is_printer;
use crate::quiet::hides;
pub(crate) use crate::quiet::is_quiet;
use crate::searches::searched;
use crate::stores::{Class, class_of, class_of_directory};
use crate::unlisted;
use crate::users::USERS;
use crate::{Reads, Settings};
use hookbox_policy::{Command, Findings, GLOB, Glob, UNKNOWN, Word, unread_paths};
use hookbox_sdk::{Access, ShellPart, ShellWord, Tool, ToolKind, ToolPath};

/// The files that a call reads, and those that the settings allow it to read.
pub(crate) struct Reading<'t> {
    pub(crate) reads: Reads,
    readable: Vec<Glob>,
    pub(crate) home: Option<&'t str>,
    /// The directory in which the tool runs, or an empty text if it is not known.
    pub(crate) here: &'t str,
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
        let here = tool.cwd.as_deref().unwrap_or_default();
        let mut reading = Reading { reads: settings.reads, readable, home, here, paths: Vec::new() };
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
        // Files in the home directory itself are listed as those of root.
        let at_home = self.home.and_then(|home| path.strip_prefix(home)).filter(|rest| rest.rfind('/') == Some(0));
        let class = class_of(path).max(at_home.and_then(|rest| class_of(&format!("/root{rest}"))))?;
        let is_allowed = is_excluded(path) || self.readable.iter().any(|glob| glob.matches(path, true));
        (!is_allowed).then_some(class)
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
            let class = self.class_of_word(&word).or_else(|| {
                let directory = reads_directories(command).then(|| place(command, word.text(), self.here));
                directory.and_then(|directory| class_of_directory(&directory))
            });
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
    // GNU programs accept abbreviations of long options.
    let is_long = |text: &str| {
        text.len() > 4
            && ["--recursive", "--dereference-recursive", "--archive"].iter().any(|long| long.starts_with(text))
    };
    let has = |options: &[char]| {
        command.args().iter().any(|word| {
            let text = word.text();
            text.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(options)) || is_long(text)
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
    let mut copies = Copies { reading, all: Vec::new(), printed: Vec::new() };
    for (index, command) in commands.iter().enumerate() {
        copies.compress(command);
        copies.print(command);
        let parent = command.facts.parent.and_then(|parent| commands.get(parent));
        let is_kept = command.name.is_empty() && !is_printed(command, parent) && !is_kept_and_shown(command, commands);
        let is_shown = || is_visible(index, commands) && !is_captured(command, commands);
        let is_user = USERS.contains(unversioned(command.name)) || is_encryptor(command);
        let is_user = is_user && !is_batch(command) && !is_told_to_print(index, commands);
        if let Some(file) = copies.read_by(command).filter(|_| !is_kept && !is_user).cloned() {
            match is_copier(command) {
                true => copies.add(command, &file),
                false => tell(Class::Ask, file.raw(), &command.quote(), reading, found),
            }
        } else if let Some(file) = copies.printed_by(command).filter(|_| is_shown()) {
            tell(Class::Ask, file, &command.quote(), reading, found);
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
        let is_copied = is_copier(command) && !copies_to_output(command);
        if is_user || class == Class::Send || hides(command, class) {
            continue;
        }
        // `export $(grep -v '^#' .env | xargs)` loads the file without showing it.
        let is_loaded = command.facts.via.as_deref() == Some("substitution")
            && parent.is_some_and(|parent| parent.name == "export")
            && !is_kept_and_shown(command, commands);
        if class == Class::Ask && is_loaded {
            continue;
        }
        let text = tool.command.as_deref();
        if class == Class::Ask && (is_cut_to_names(index, commands, text) || is_encrypted(index, commands, text)) {
            continue;
        }
        // Copying a file does not show it.
        if class == Class::Ask && (is_copied || is_kept) {
            copies.add(command, &word);
            continue;
        }
        tell(class, word.raw(), &command.quote(), reading, found);
    }
}

/// Whether a program that copies is told to print: `cp .env /dev/stdout`.
pub(crate) fn copies_to_output(command: &Command) -> bool {
    const OUTPUTS: &[&str] = &["/dev/stdout", "/dev/stderr", "/dev/tty"];
    const DESCRIPTORS: &[&str] = &["/dev/fd/", "/proc/self/fd/"];
    let is_output = |word: &Word| {
        let text = word.text();
        OUTPUTS.contains(&text) || DESCRIPTORS.iter().any(|directory| text.starts_with(directory))
    };
    command.args().iter().any(is_output)
}

/// The copies that the previous commands made.
struct Copies<'r> {
    reading: &'r Reading<'r>,
    /// The path of each copy, both as the command writes it and absolute, and the file that it is a copy of.
    all: Vec<(String, Word)>,
    /// The absolute path of each file into which a command printed a secret.
    printed: Vec<String>,
}

impl Copies<'_> {
    /// Records the copies of a file that a command makes.
    fn add(&mut self, command: &Command, file: &Word) {
        for copy in copied(command) {
            self.all.push((copy.raw().to_owned(), file.clone()));
            self.all.push((place(command, copy.raw(), self.reading.here), file.clone()));
        }
    }

    /// Records the compressed file with which a command replaces a secret file or a copy.
    fn compress(&mut self, command: &Command) {
        for (file, end) in compressed(command) {
            let path = place(command, file.raw(), self.reading.here);
            let is_copy = self.all.iter().any(|(copy, _)| *copy == path);
            if is_copy || self.reading.class_of_word(&file) > Some(Class::Send) {
                self.all.push((format!("{path}{end}"), file));
            }
        }
    }

    /// Records the files into which a command prints a secret.
    fn print(&mut self, command: &Command) {
        let has_variable = || is_echo(command) && command.facts.argv.iter().skip(1).find_map(variable).is_some();
        let is_printed = !command.facts.redirects.is_empty() && (is_printer(command) || has_variable());
        if is_printed || requests(command) {
            self.printed.extend(copied(command).map(|file| place(command, file.raw(), self.reading.here)));
        }
    }

    /// Returns the file with a printed secret that a command repeats.
    fn printed_by<'c>(&self, command: &'c Command) -> Option<&'c str> {
        let mut files = command.facts.files.iter().filter(|_| !self.printed.is_empty() && spells(command));
        files.find_map(|file| {
            let written = file.path.written();
            let is_read = file.access == Access::Read;
            (is_read && self.printed.contains(&place(command, written, self.reading.here))).then_some(written)
        })
    }

    /// Returns the file whose copy a command shows or copies.
    fn read_by(&self, command: &Command) -> Option<&Word> {
        if self.all.is_empty() || is_quiet(command) {
            return None;
        }
        let here = self.reading.here;
        let is_read = |access: Access| access == Access::Read || access == Access::Delete && is_copier(command);
        let read = command.facts.files.iter().filter(|file| is_read(file.access));
        // Code and unlisted programs read files that the facts do not list.
        let quoted = code(command.name, command).into_iter().flat_map(|code| code.split(['"', '\'']));
        let unlisted = command.args().iter().filter(|_| command.facts.unlisted).map(Word::text);
        let named = read.clone().map(|file| file.path.written()).chain(quoted).chain(unlisted);
        let read_paths: Vec<String> =
            named.flat_map(|written| [written.to_owned(), place(command, written, here)]).collect();
        let directories: Vec<String> = read.filter_map(|file| self.directory(command, &file.path)).collect();
        // A directory that has a secret file anyway may be searched.
        let is_below = |copy: &str| {
            let mut rests = directories.iter().filter_map(|directory| copy.strip_prefix(directory.as_str()));
            rests.any(|rest| rest.starts_with('/')) && self.reading.class(copy).is_none()
        };
        let is_found = |copy: &str| read_paths.iter().any(|path| fits(path, copy)) || is_below(copy);
        self.all.iter().find(|(copy, _)| is_found(copy.as_str())).map(|(_, file)| file)
    }

    /// Returns the directory of which a command reads all files: `grep -r x d`, and `cat` in `find d -exec cat {} +`.
    /// The directory in which the tool runs does not count.
    fn directory(&self, command: &Command, path: &ShellWord) -> Option<String> {
        let is_all = |part: &ShellPart| matches!(part, ShellPart::Glob { glob } if glob == "**");
        let above = match path {
            ShellWord::Known(path) if reads_directories(command) => path.as_str(),
            ShellWord::Partly { parts, .. } => match parts.as_slice() {
                [ShellPart::Known(above), rest] if is_all(rest) => above.as_str(),
                _ => return None,
            },
            ShellWord::Known(_) => return None,
        };
        let directory = place(command, above, self.reading.here);
        (directory != place(command, ".", self.reading.here)).then_some(directory)
    }
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

pub(crate) fn unversioned(name: &str) -> &str {
    if name.starts_with("python3.") { "python3" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_a_home_directory_elsewhere() {
        let reading =
            Reading { reads: Reads::Deny, readable: Vec::new(), home: Some("/h"), here: "", paths: Vec::new() };
        assert_eq!(reading.class("/h/.npmrc"), Some(Class::Ask));
        assert_eq!(reading.class("/h/app/.npmrc"), Some(Class::Send));
        assert_eq!(reading.class("/h/notes"), None);
    }
}
