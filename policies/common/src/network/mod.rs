//! Determines which machines a command reaches, and what it sends there.

mod addresses;
mod applets;
mod arguments;
mod cloud;
mod code;
mod containers;
mod debuggers;
mod fetched;
mod geodata;
mod git;
mod handed;
mod host;
mod lists;
mod local;
// The same file keeps hooks with network access away from these services.
#[path = "../../../../crates/hookbox-net/src/metadata.rs"]
pub mod metadata;
mod opens;
mod parses;
mod pattern;
mod reach;
mod references;
mod resolved;
mod saves;
mod scripts;
mod senders;
mod special;
mod subcommands;
mod table;
mod trees;
mod unseen;
mod variables;

pub use fetched::{Fetched, fetched_then_run, is_fetch, unseen_program};
pub use git::clone_operands;
pub use host::{Host, Target, looks_like_host, target};
pub use pattern::HostPattern;
pub use reach::{Reach, is_in_domain};
pub use trees::unread_then_run;

use crate::{Command, GLOB, UNKNOWN, Word};

/// A machine that a command reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The machine.
    pub target: Target,
    /// The word that names the machine, as written.
    pub word: String,
    /// The option or other part that sends data to the machine.
    pub sends: Option<String>,
}

/// The network traffic of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The machines that the command reaches.
    pub contacts: Vec<Contact>,
    /// The machines from which the command only gets modules that it names. It sends them nothing else.
    pub modules: Vec<Contact>,
    /// The URLs that the command hands to a program of the project, until it is known that the program is that one.
    handed: Vec<Contact>,
    /// An input that may name more machines and cannot be read here, such as a config file.
    pub hidden: Option<String>,
    /// Whether the command runs what it fetches from these machines.
    pub runs: bool,
    /// The reason why another machine can control this one.
    pub shell: Option<String>,
    /// The reason why other machines can reach this one.
    pub serves: Option<String>,
}

impl Traffic {
    fn reach(&mut self, word: &Word, target: Target) {
        self.contacts.push(Contact { target, word: word.raw().to_owned(), sends: None });
    }

    /// Adds a URL, or a host in place of a URL.
    fn url(&mut self, word: &Word) {
        self.reach(word, host::target(&literal(word)));
    }

    /// Adds a host, with or without a user name before it.
    fn host(&mut self, word: &Word, port: Option<u16>) {
        let text = literal(word);
        let text = text.as_str();
        let target = match text.contains("://") {
            true => host::target(text),
            false => {
                let name = text.rsplit_once('@').map_or(text, |(_, host)| host);
                host::host_and_port(name, port).map_or(Target::Opaque, Target::Host)
            }
        };
        self.reach(word, target);
    }

    /// Adds a service by the name of its host, for programs with a built-in service.
    fn service(&mut self, name: &str, word: &str, sends: Option<String>) {
        let target = host::host_and_port(name, Some(443)).map_or(Target::Opaque, Target::Host);
        self.contacts.push(Contact { target, word: word.to_owned(), sends });
    }

    /// Marks all contacts as receiving data, for the reason `what`.
    fn sends(&mut self, what: &str) {
        for contact in &mut self.contacts {
            contact.sends.get_or_insert_with(|| what.to_owned());
        }
    }

    fn hides(&mut self, what: impl Into<String>) {
        self.hidden.get_or_insert_with(|| what.into());
    }

    /// Whether the command has nothing to do with the network.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Traffic::default()
    }
}

/// Returns what the command at `index` does with the network.
#[must_use]
pub fn traffic(index: usize, commands: &[Command]) -> Traffic {
    let mut traffic = Traffic::default();
    let Some(command) = commands.get(index) else {
        return traffic;
    };
    special::redirects(command, &mut traffic);
    variables::read(command, &mut traffic);
    arguments::read(command, &mut traffic);
    let handed = std::mem::take(&mut traffic.handed);
    if !handed.is_empty() && handed::is_replaced(index, commands) {
        traffic.contacts.extend(handed);
    }
    unseen::read(command, &mut traffic);
    if !traffic.contacts.is_empty() {
        special::circle(command, commands, &mut traffic);
        let children = commands.iter().filter(|child| child.facts.parent == Some(index));
        let mut sources = children.filter(|child| child.facts.via.as_deref() == Some("substitution"));
        if let Some(source) = sources.find(|source| special::is_source(source)) {
            traffic.sends(&format!("the output of {}", source.quote()));
        }
        resolved::replace(command, commands, &mut traffic);
    }
    traffic
}

/// Whether a command reads input from another command or a file.
fn has_input(command: &Command) -> bool {
    let reads = |op: &str| op.starts_with('<') && op != "<>" && op != "<&";
    !command.facts.reads_from.is_empty()
        || command.facts.stdin.is_some()
        || command.facts.redirects.iter().any(|redirect| {
            let target = redirect.target.as_ref().map(Word::from);
            reads(&redirect.op) && target.is_none_or(|target| target.text() != "/dev/null")
        })
}

/// Returns a word with its patterns taken literally, as a shell does if no file matches: `http://[::1]/`.
fn literal(word: &Word) -> String {
    let (text, raw) = (word.text(), word.raw());
    let head = text.split(GLOB).next().unwrap_or_default();
    match raw.find(head).and_then(|at| raw.get(at..)) {
        Some(rest) if text.contains(GLOB) && !word.is_unknown() => rest.trim_matches(['"', '\'']).to_owned(),
        _ => text.to_owned(),
    }
}

/// Whether the whole word is a URL.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c) || c == UNKNOWN);
    is_scheme && !scheme.is_empty() && !rest.contains(char::is_whitespace)
}
