//! Secrets on their way to other machines: commands that pass the content of a secret's location to a program that
//! sends.

use crate::copies::{compressed, place};
use crate::environment::is_dump;
use crate::logins::is_login;
use crate::patterns::globbed;
use crate::printers::is_printer;
use crate::reads::{COPIERS, Reading};
use crate::senders::{
    BACKUPS, copied_by_module, copies_inside, is_container, is_inside, is_left_out, is_only_written, is_target,
    is_upload, reaches_by_name, runs_inside, uploads_unknown,
};
use crate::stores::{Class, class_of_directory};
use hookbox_policy::network::{Target, Traffic, traffic};
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::Access;
use std::collections::BTreeSet;

/// Subcommands that pass secrets to a service that stores them.
const KEEPERS: &[&str] = &["secret", "secrets", "env", "config:set", "ssh-key", "gpg-key", "variable", "variables"];

/// The source of a secret.
struct Source {
    what: String,
    is_certain: bool,
}

impl Source {
    fn file(command: &Command, class: Class, what: String) -> Self {
        Source { what, is_certain: class != Class::Send || !matches!(command.name, "kubectl" | "oc") }
    }
}

/// Judges each command that reaches another machine by the data that flows into it.
pub(crate) fn judge(commands: &[Command], reading: &Reading, found: &mut Findings) {
    let mut flow = Flow { commands, reading, variables: Vec::new(), files: BTreeSet::new() };
    for (index, command) in commands.iter().enumerate() {
        let traffic = traffic(index, commands);
        if is_remote(&traffic) || reaches_by_name(command) {
            if let Some(source) = flow.reaching(index) {
                tell(command, &source, found);
            } else if uploads_unknown(command) {
                found
                    .unknown(format!("which file {} sends is known only when it runs; name the file", command.quote()));
            }
        } else if runs_inside(command) && !is_container(command) {
            let file = flow.sent_file(command).map(|(class, what)| Source::file(command, class, what));
            if let Some(source) = file.or_else(|| flow.incoming(index, &mut BTreeSet::new())) {
                tell(command, &source, found);
            }
        } else if (runs_inside(command) || copies_inside(command))
            && let Some((Class::Deny, key)) = flow.sent_file(command)
        {
            found.deny(format!("{} copies {key} into a container; mount it as a secret instead", command.quote()));
        }
        flow.note(index);
    }
}

fn tell(command: &Command, source: &Source, found: &mut Findings) {
    let is_kept = command.args().iter().take(4).any(|word| KEEPERS.contains(&word.text()));
    if is_kept || !source.is_certain {
        found.ask(format!("{} sends {} to another machine; is that meant?", command.quote(), source.what));
    } else {
        found.deny(format!(
            "{} sends {} to another machine; send only what holds no secrets",
            command.quote(),
            source.what
        ));
    }
}

/// Whether the command reaches a machine other than this one.
fn is_remote(traffic: &Traffic) -> bool {
    traffic.hidden.is_some() && !traffic.contacts.is_empty()
        || traffic.shell.is_some()
        || traffic.contacts.iter().any(|contact| match &contact.target {
            Target::Host(host) => {
                let is_loopback = host.address.is_some_and(|address| address.is_loopback());
                !is_loopback && host.name != "localhost" && !host.name.ends_with(".localhost")
            }
            Target::Opaque => true,
            Target::File | Target::Nowhere => false,
        })
}

/// The places to which the commands so far have copied secrets.
struct Flow<'c> {
    commands: &'c [Command<'c>],
    reading: &'c Reading<'c>,
    /// The variables that contain a secret, and whether the secret is more than a token that a program prints.
    variables: Vec<(String, bool)>,
    /// The files with a copy of a secret, both as the command writes them and as absolute paths.
    files: BTreeSet<String>,
}

impl Flow<'_> {
    /// Whether a file that a command names contains a copy of a secret.
    fn is_copy(&self, command: &Command, file: &str) -> bool {
        !file.is_empty() && (self.files.contains(file) || self.files.contains(&place(command, file, self.reading.here)))
    }

    /// Returns the first file that a command reads or moves and that contains a copy of a secret.
    fn copy_read_by(&self, command: &Command) -> Option<String> {
        let is_read =
            |access: Access| access == Access::Read || access == Access::Delete && COPIERS.contains(&command.name);
        let files = command.facts.files.iter().filter(|file| is_read(file.access)).map(|file| Word::from(&file.path));
        files.filter_map(|word| word.known().map(str::to_owned)).find(|file| self.is_copy(command, file))
    }

    /// Returns the secret that flows into a command that sends.
    fn reaching(&self, index: usize) -> Option<Source> {
        let command = self.commands.get(index)?;
        self.sent_file(command)
            .map(|(class, what)| Source::file(command, class, what))
            .or_else(|| self.named_variable(command))
            .or_else(|| self.incoming(index, &mut BTreeSet::new()))
    }

    /// Returns the secret file among the arguments or in a redirection.
    fn sent_file(&self, command: &Command) -> Option<(Class, String)> {
        let mut best: Option<(Class, String)> = None;
        let own: &[Word] = if runs_inside(command) { &[] } else { command.args() };
        for (at, word) in own.iter().enumerate() {
            let text = word.text();
            if is_login(command, at)
                || is_only_written(command, text)
                || is_left_out(command, at)
                || is_target(command, at)
            {
                continue;
            }
            // The forms are `@file`, `name=@file;type=…`, `name=<file`, `file://…` and `--upload-file=…`.
            let is_encoded =
                at.checked_sub(1).and_then(|at| command.args().get(at)).map(Word::text) == Some("--data-urlencode");
            let file = text
                .rsplit_once('@')
                .filter(|(name, _)| name.is_empty() || name.ends_with('=') || is_encoded)
                .or_else(|| text.split_once("=<").filter(|_| command.name == "curl"))
                .map_or(text, |(_, file)| file.split(';').next().unwrap_or(file));
            let file = file.strip_prefix("file://").unwrap_or(file);
            let file = file.split_once('=').filter(|(name, _)| name.starts_with('-')).map_or(file, |(_, file)| file);
            let is_remote = file.contains("://")
                || is_inside(command, file)
                || file.split_once(':').is_some_and(|(host, _)| !host.contains('/') && host.len() > 1);
            let globs = match (command.name, text.strip_prefix("-T")) {
                ("curl", Some(attached)) if !attached.is_empty() => globbed(attached),
                ("curl", None) if is_upload(command, at) => globbed(file),
                _ => Vec::new(),
            };
            if is_remote || file.starts_with('-') && globs.is_empty() {
                continue;
            }
            let class = match text.len() == file.len() {
                true => self.reading.class_of_word(word),
                false => self.reading.class_of_word(&Word::new(file)),
            };
            let class = class.max(globs.iter().filter_map(|file| self.reading.class_of_text(file)).max());
            let is_copy = |file: &str| self.is_copy(command, file);
            let is_copied = || is_copy(file) || globs.iter().any(|file| is_copy(file));
            let class = class.or_else(|| is_copied().then_some(Class::Deny));
            if let Some(class) = class.filter(|class| best.as_ref().is_none_or(|(other, _)| class > other)) {
                best = Some((class, word.raw().to_owned()));
            }
        }
        best = best.or_else(|| self.put_file(command)).or_else(|| {
            let file = copied_by_module(command)?;
            Some((self.reading.class_of_text(file)?, file.to_owned()))
        });
        let redirected = command.facts.redirects.iter().filter(|redirect| redirect.access == Some(Access::Read));
        let redirected = redirected.filter_map(|redirect| redirect.target.as_ref().map(Word::from)).find_map(|word| {
            let class =
                self.reading.class_of_word(&word).or_else(|| self.is_copy(command, word.text()).then_some(Class::Deny));
            class.map(|class| (class, word.raw().to_owned()))
        });
        let directory = self.reading.of_command(command).filter(|_| matches!(command.name, "scp" | "rsync"));
        let directory = directory.map(|(class, word)| (class, word.raw().to_owned())).or_else(|| {
            let sends = BACKUPS.contains(&command.name)
                || matches!(command.name, "croc" | "wormhole" | "aws" | "gsutil" | "mc")
                || copies_inside(command);
            let mut words = command
                .args()
                .iter()
                .enumerate()
                .filter(|(at, _)| sends && !is_target(command, *at) && !is_left_out(command, *at));
            words.find_map(|(_, word)| Some((class_of_directory(word.text())?, word.raw().to_owned())))
        });
        best.or(redirected).or(directory)
    }

    /// Returns a secret file in the instructions for an FTP client: `put .env`.
    fn put_file(&self, command: &Command) -> Option<(Class, String)> {
        if !matches!(command.name, "sftp" | "ftp" | "lftp" | "smbclient") {
            return None;
        }
        let told = command.facts.stdin.iter().map(Word::from);
        let told: Vec<Word> = told.chain(command.args().iter().cloned()).collect();
        let lines = told.iter().flat_map(|word| word.text().split(['\n', ';']));
        let files = lines.filter_map(|line| line.trim().split_once(' ')).filter(|(verb, _)| verb.ends_with("put"));
        let files = files.flat_map(|(_, files)| files.split_whitespace());
        files.filter_map(|file| Some((self.reading.class_of_word(&Word::new(file))?, file.to_owned()))).max()
    }

    /// Returns a variable of the command that contains a secret.
    fn named_variable(&self, command: &Command) -> Option<Source> {
        for (at, word) in command.words.iter().enumerate().filter(|(_, word)| word.is_unknown()) {
            let before = at.checked_sub(1).and_then(|at| command.words.get(at)).map_or("", Word::text);
            // Such a token is meant to be sent in a header.
            let is_login = is_header(before)
                || word.text().starts_with("-H")
                || word.text().split_once('=').is_some_and(|(name, _)| is_header(name));
            let mut held = self.variables.iter().filter(|(_, is_certain)| *is_certain || !is_login);
            if let Some((name, _)) = held.find(|(name, _)| mentions(word.raw(), name)) {
                return Some(Source { what: format!("${name}, which holds a secret,"), is_certain: true });
            }
        }
        None
    }

    /// Returns the secret that a command reads from other commands, or gets from substitutions in its words.
    fn incoming(&self, index: usize, seen: &mut BTreeSet<usize>) -> Option<Source> {
        if !seen.insert(index) {
            return None;
        }
        let command = self.commands.get(index)?;
        let inner = self.commands.iter().enumerate().filter(|(at, child)| {
            child.facts.parent == Some(index)
                && child.facts.via.as_deref().is_some_and(|via| via.contains("substitution"))
                && *at != index
        });
        let feeding = command.facts.reads_from.iter().copied().chain(inner.map(|(at, _)| at));
        for from in feeding.collect::<Vec<_>>() {
            if from == index {
                continue;
            }
            let Some(source) = self.commands.get(from) else {
                continue;
            };
            if let Some(found) = self.prints(from, source, command) {
                return Some(found);
            }
            if let Some(found) = self.incoming(from, seen) {
                return Some(found);
            }
        }
        self.inherited(index).or_else(|| {
            let parent = command.facts.parent.filter(|parent| *parent != index)?;
            let via = command.facts.via.as_deref().unwrap_or_default();
            // `sudo`, `xargs` and `sh -c` pass their input on to the command that they run.
            (!via.contains("substitution"))
                .then(|| self.standard_input(parent).or_else(|| self.incoming(parent, seen)))?
        })
    }

    /// Returns the secret file that is the standard input of a loop or group around a command.
    fn inherited(&self, index: usize) -> Option<Source> {
        let command = self.commands.get(index)?;
        let mut around = self.commands.iter().enumerate().take(index).filter(|(_, group)| {
            group.name.is_empty() && group.words.is_empty() && group.facts.text.contains(command.facts.text.as_str())
        });
        around.find_map(|(at, _)| self.standard_input(at))
    }

    /// Returns the secret file that a redirection makes the standard input of a command.
    fn standard_input(&self, index: usize) -> Option<Source> {
        let command = self.commands.get(index)?;
        let inputs = command.facts.redirects.iter().filter(|redirect| redirect.access == Some(Access::Read));
        inputs.filter_map(|redirect| redirect.target.as_ref().map(Word::from)).find_map(|word| {
            let is_secret = self.reading.class_of_word(&word).is_some() || self.is_copy(command, word.text());
            is_secret.then(|| Source { what: word.raw().to_owned(), is_certain: true })
        })
    }

    /// Returns the secret that a command prints.
    fn prints(&self, index: usize, source: &Command, sink: &Command) -> Option<Source> {
        if matches!(
            source.name,
            "ls" | "stat" | "test" | "[" | "wc" | "file" | "ssh-add" | "grep" | "md5sum" | "sha256sum"
        ) && source.name != "grep"
        {
            return None;
        }
        if let Some((_, word)) = self.reading.of_command(source) {
            return Some(Source { what: format!("{} ({})", word.raw(), source.quote()), is_certain: true });
        }
        if let Some(file) = self.copy_read_by(source) {
            return Some(Source { what: format!("{file}, a copy of a secret,"), is_certain: true });
        }
        if is_dump(index, self.commands) {
            return Some(Source { what: "all variables of the environment".to_owned(), is_certain: true });
        }
        let in_header = sink.args().windows(2).any(|pair| matches!(pair, [option, _] if is_header(option.text())));
        let is_login = sink.args().iter().any(|word| matches!(word.text(), "login" | "--password-stdin"));
        (is_printer(source) && !in_header && !is_login)
            .then(|| Source { what: format!("what {} prints", source.quote()), is_certain: false })
    }

    /// Records what a command does with a secret.
    fn note(&mut self, index: usize) {
        let Some(command) = self.commands.get(index) else {
            return;
        };
        let own = self.reading.of_command(command).is_some()
            || is_dump(index, self.commands)
            || self.copy_read_by(command).is_some();
        for (file, end) in compressed(command) {
            if self.reading.class_of_word(&file).is_some() || self.is_copy(command, file.text()) {
                self.files.insert(format!("{}{end}", place(command, file.text(), self.reading.here)));
            }
        }
        let incoming = self.incoming(index, &mut BTreeSet::new());
        if !own && incoming.is_none() {
            return;
        }
        let is_certain = own || incoming.is_some_and(|source| source.is_certain);
        let mut names: Vec<String> = command.facts.assignments.iter().map(|set| set.name.clone()).collect();
        if matches!(
            command.name,
            "export" | "declare" | "local" | "readonly" | "typeset" | "read" | "mapfile" | "readarray"
        ) {
            let given = command.args().iter().filter_map(|word| word.text().split('=').next().map(str::to_owned));
            names.extend(given.filter(|name| !name.starts_with('-')));
        }
        self.variables.extend(names.into_iter().map(|name| (name, is_certain)));
        let written =
            command.facts.files.iter().filter(|file| file.access.changes()).map(|file| Word::from(&file.path));
        let written: Vec<String> = written.filter_map(|word| word.known().map(str::to_owned)).collect();
        self.files.extend(written.iter().map(|file| place(command, file, self.reading.here)));
        self.files.extend(written);
    }
}

/// Whether the value of an option is a header or a login.
fn is_header(option: &str) -> bool {
    // This covers clusters such as `-sSH`.
    let is_cluster = option.ends_with('H') && option.starts_with('-') && !option.starts_with("--");
    is_cluster || matches!(option, "--header" | "-u" | "--user" | "--oauth2-bearer" | "--password")
}

/// Whether a word names a variable: `$name`, `${name}`.
pub(crate) fn mentions(raw: &str, name: &str) -> bool {
    raw.match_indices('$').any(|(at, _)| {
        let rest = raw.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        rest.strip_prefix(name)
            .is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}
