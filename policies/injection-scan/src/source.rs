//! Determines where a result comes from.

mod programs;

use crate::Settings;
use crate::invisible::invisible;
use hookbox_policy::network::{Target, looks_like_host, target, traffic};
use hookbox_policy::{Command, Glob, Unknown};
use hookbox_sdk::{Error, Place, Tool, ToolKind};
use programs::{
    BUILDING, BUILDS, EXTRACTING, FETCHING, LOGGING, MANAGERS, OWN, PRINTED, READING, REPOSITORIES, SERVICES, STORES,
    TELLING,
};

/// The sources that the settings trust.
struct Trust {
    names: Vec<String>,
    paths: Vec<Glob>,
}

impl Trust {
    fn new(settings: &Settings) -> Result<Self, Error> {
        let mut trust = Trust { names: Vec::new(), paths: Vec::new() };
        for text in &settings.trust {
            let text = text.trim();
            if text.is_empty() || text.contains("://") {
                return Err(Error::new(format!(
                    "`{text}` in `trust` names no source; write a host, an MCP server, or a path with a `/`"
                )));
            }
            if text.contains('/') {
                trust.paths.push(Glob::new(text, None));
            } else {
                trust.names.push(text.to_lowercase());
            }
        }
        Ok(trust)
    }

    fn has_name(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.names.iter().any(|pattern| is_glob(pattern, &name))
    }

    fn has_path(&self, path: &str) -> bool {
        self.paths.iter().any(|glob| glob.matches(path, false))
    }
}

/// Returns the source of a result from outside, as text, or `None` if the result is not from outside or the settings
/// trust its source.
pub(crate) fn outside(tool: &Tool, name: Option<&str>, settings: &Settings) -> Result<Option<String>, Error> {
    let trust = Trust::new(settings)?;
    let own: Vec<Glob> = settings.outside.iter().map(|text| Glob::new(text, None)).collect();
    let mut sources = Sources { trust, own, found: None };
    let scans_unknown = settings.unknown != Unknown::Allow;
    match tool.kind {
        ToolKind::Fetch => {
            sources.urls(&tool.urls);
            if tool.urls.is_empty() {
                sources.name("the web");
            }
        }
        ToolKind::Mcp => match &tool.server {
            Some(server) => sources.server(server),
            None if scans_unknown => sources.name("an MCP server"),
            None => {}
        },
        ToolKind::Read | ToolKind::Search => sources.files(tool),
        ToolKind::Shell => {
            sources.commands(tool);
            sources.files(tool);
            if sources.found.is_none() && (tool.commands.is_none() || !tool.complete) && scans_unknown {
                sources.name("a command");
            }
        }
        ToolKind::Other if !tool.complete && scans_unknown => {
            sources.urls(&tool.urls);
            if tool.urls.is_empty() {
                sources.add(name.map_or_else(|| "a tool".to_owned(), quote));
            }
        }
        _ => {}
    }
    Ok(sources.found)
}

/// The sources of a result.
struct Sources {
    trust: Trust,
    /// Paths in the project whose content comes from outside.
    own: Vec<Glob>,
    /// The first untrusted source.
    found: Option<String>,
}

impl Sources {
    fn add(&mut self, shown: impl Into<String>) {
        self.found.get_or_insert_with(|| shown.into());
    }

    fn name(&mut self, name: &str) {
        if !self.trust.has_name(name) {
            self.add(name);
        }
    }

    fn server(&mut self, server: &str) {
        if !self.trust.has_name(server) {
            self.add(format!("the MCP server {}", quote(server)));
        }
    }

    fn target(&mut self, target: Target, word: &str) {
        match target {
            Target::Host(host) => {
                let is_own = host.name == "localhost" || host.address.is_some_and(|address| address.is_loopback());
                let is_clear = !host.is_disputed && host.posing_as.is_none();
                if !(is_clear && (is_own || self.trust.has_name(&host.name))) {
                    self.add(quote(&host.name));
                }
            }
            Target::Opaque => self.add(quote(word)),
            Target::File | Target::Nowhere => {}
        }
    }

    fn urls(&mut self, urls: &[String]) {
        for url in urls {
            let whole =
                if url.contains("://") || !looks_like_host(url) { url.clone() } else { format!("https://{url}") };
            self.target(target(&whole), url);
        }
    }

    fn files(&mut self, tool: &Tool) {
        for path in &tool.paths {
            if !path.certain || path.access.changes() || path.path == "/dev/null" {
                continue;
            }
            let real = path.real.as_deref().unwrap_or(&path.path);
            let is_own = match path.place {
                Place::Project | Place::AgentConfig | Place::Hookbox => {
                    let is_outside = |glob: &Glob| glob.matches(&path.path, false) || glob.matches(real, false);
                    !self.own.iter().any(is_outside)
                }
                _ => false,
            };
            let is_trusted = self.trust.has_path(&path.path) && self.trust.has_path(real);
            if !is_own && !is_trusted {
                self.add(quote(&path.path));
            }
        }
    }

    fn commands(&mut self, tool: &Tool) {
        let certain = tool.commands.iter().flatten().filter(|command| command.is_certain());
        let commands: Vec<Command> = certain.map(Command::new).collect();
        for (index, command) in commands.iter().enumerate() {
            for contact in traffic(index, &commands).contacts {
                self.target(contact.target, &contact.word);
            }
            if LOGGING.contains(&command.name) && command.args().iter().any(|word| word.text() == "logs") {
                self.name("a log");
            }
            if let Some(object) = printed_object(command).filter(|object| !self.trust.has_name(bucket(object))) {
                self.add(quote(object));
            }
            if prints_object(command) {
                self.name("a store");
            }
            if EXTRACTING.contains(&command.name) {
                self.extracted(command, tool.cwd.as_deref());
            }
            let is_only = has_name(FETCHING, command.name);
            let is_repository = is_only || has_name(REPOSITORIES, command.name);
            let service = SERVICES.iter().find(|(name, _)| *name == command.name).map(|(_, service)| *service);
            if let Some(service) = service.or_else(|| is_repository.then_some("a package repository")) {
                let is_manager = is_repository || MANAGERS.contains(&command.name);
                let mut is_value = false;
                let first = command.args().iter().map(|word| word.text()).find(|word| {
                    // This is also the version of the program: `cargo +nightly build`.
                    let is_option = word.starts_with(['-', '+']);
                    // The value of an option may come before the subcommand: `npm --prefix . view x`.
                    let is_skipped = is_manager && is_value && !tells(command.name, word) && !OWN.contains(word);
                    is_value = is_option && !word.contains('=') && !word.starts_with('+');
                    !is_option && !is_skipped
                });
                let first = first.unwrap_or_default();
                // `yarn` alone installs.
                let is_bare = is_only || command.name == "yarn" && command.args().is_empty();
                let is_telling = if is_manager { is_bare || tells(command.name, first) } else { !OWN.contains(&first) };
                if is_telling || self.lists(command) {
                    self.name(service);
                }
            }
        }
    }

    /// Adds the files outside of the working directory whose content a command prints.
    fn extracted(&mut self, command: &Command, cwd: Option<&str>) {
        for word in command.args() {
            let path = word.text();
            let is_inside = cwd.and_then(|cwd| path.strip_prefix(cwd)).is_some_and(|rest| rest.starts_with('/'));
            let is_outside = ["/", "~/", "../"].iter().any(|head| path.starts_with(head)) && !is_inside;
            if is_outside && !path.starts_with("/dev/") && !self.trust.has_path(path) {
                self.add(quote(path));
            }
        }
    }

    /// Whether a command lists what other people wrote: `gh issue list` prints their titles.
    fn lists(&self, command: &Command) -> bool {
        let words: Vec<&str> = command.args().iter().map(|word| word.text()).collect();
        !MANAGERS.contains(&command.name) && words.iter().any(|word| matches!(*word, "list" | "view" | "ls" | "status"))
    }
}

/// Whether a program is in a list of names.
fn has_name(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

/// Whether a subcommand of a package manager prints what a package's author wrote.
fn tells(name: &str, word: &str) -> bool {
    let last = word.rsplit(['.', '-', ':']).next().unwrap_or(word);
    TELLING.contains(&word)
        || !MANAGERS.contains(&name) && TELLING.contains(&last)
        || BUILDING.contains(&name) && BUILDS.contains(&word)
}

/// Returns the object in a store of a cloud that a command prints: `aws s3 cp s3://bucket/key -`, `rclone cat
/// drive:file`.
fn printed_object<'c>(command: &'c Command) -> Option<&'c str> {
    let mut words = command.args().iter().map(|word| word.text());
    let prints = words.clone().any(|word| matches!(word, "-" | "cat" | "/dev/stdout"));
    let is_remote = |word: &str| {
        let name = word.split_once(':').map_or("", |(name, _)| name);
        command.name == "rclone" && !name.is_empty() && !name.starts_with('-') && !name.contains('/')
    };
    let is_object = |word: &str| STORES.iter().any(|scheme| word.starts_with(scheme)) || is_remote(word);
    words.find(|word| prints && is_object(word))
}

/// Whether a command prints an object in a store that it names without a scheme: `mc cat store/file`.
fn prints_object(command: &Command) -> bool {
    let words: Vec<&str> = command.args().iter().map(|word| word.text()).collect();
    let Some((_, reading)) = READING.iter().find(|(name, _)| *name == command.name) else { return false };
    let Some(read) = words.iter().find(|word| reading.contains(word)) else { return false };
    let only_prints = ["cat", "head", "tail", "text", "sql"].contains(&read.trim_start_matches('-'));
    let prints = |word: &&str| PRINTED.contains(&word.rsplit('=').next().unwrap_or_default());
    // `az storage blob download` prints if it has no file.
    let has_no_file = || command.name == "az" && !words.iter().any(|word| word.starts_with("--file") || *word == "-f");
    only_prints || words.iter().any(prints) || has_no_file()
}

/// Returns the name of the bucket in the URL of an object, or of the remote drive.
fn bucket(object: &str) -> &str {
    let drive = object.split(':').next().unwrap_or_default();
    if object.contains("://") { object.split('/').nth(2).unwrap_or_default() } else { drive }
}

/// Returns a name, shortened and in backquotes, since others may have chosen it.
fn quote(name: &str) -> String {
    let clean: String =
        name.chars().filter(|c| !c.is_control() && *c != '`' && invisible(*c).is_none()).take(120).collect();
    format!("`{clean}`")
}

/// Whether a name matches a pattern in which `*` matches any characters.
fn is_glob(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}
