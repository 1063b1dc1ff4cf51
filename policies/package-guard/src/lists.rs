//! Judges lists of packages that come from a URL, from the standard input or from `<(…)`, and not from a file.

use crate::install::Judge;
use crate::managers::Does;
use crate::manifests::{Manifest, suspect, uncommented};
use crate::names::Registry;
use crate::order::Order;
use crate::spec;
use hookbox_policy::network::{Target, is_fetch, traffic};
use hookbox_policy::{Command, UNKNOWN, Word};

/// Options of pip and similar tools whose value is a list.
const REQUIREMENTS: &[&str] = &[
    "-r",
    "--requirement",
    "--requirements",
    "-c",
    "--constraint",
    "--constraints",
    "--build-constraint",
    "--build-constraints",
    "--overrides",
    "--with-requirements",
];
/// The files that stand for the standard input.
const INPUTS: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

impl Judge<'_> {
    /// Judges `pip install -r https://…`, `pip install -r /dev/stdin` and `uv run -`.
    pub(crate) fn lists(&mut self, order: &Order<'_>, index: usize, commands: &[Command]) {
        let Some(command) = commands.get(index) else {
            return;
        };
        let what = command.quote();
        for list in named(order, command) {
            let text = list.text();
            if text.contains("://") {
                self.place(&spec::normal(text), &what);
            } else if INPUTS.contains(&text) {
                self.input(order, index, commands, &what);
            } else if text.contains(UNKNOWN) && list.raw().contains("<(") {
                self.printed(substituted(index, commands).collect(), commands, &what);
            } else if text != "/dev/null" && (text.starts_with("/dev/") || text.starts_with("/proc/")) {
                self.unlisted(&what);
            }
        }
        let is_script = order.program == "uv" && order.does == Some(Does::Script);
        if is_script && order.operands.first().is_some_and(|word| INPUTS.contains(&word.text())) {
            match &command.facts.stdin {
                Some(script) => self.script(order, &Word::from(script), command, &what),
                None => self.fetched_list(&chain(command.facts.reads_from.clone(), commands), commands, &what),
            }
        }
    }

    /// Whether the settings list all hosts that a command fetches something from.
    pub(crate) fn lists_hosts_of(&self, fetch: usize, commands: &[Command]) -> bool {
        let contacts = traffic(fetch, commands).contacts;
        !contacts.is_empty()
            && contacts.iter().all(|contact| match &contact.target {
                Target::Host(host) => self.is_listed(&spec::normal(&contact.word)) || self.is_listed(&host.name),
                _ => false,
            })
    }

    fn unlisted(&mut self, what: &str) {
        self.found.unknown(format!("which packages {what} installs is known only when it runs; write their names"));
    }

    /// Judges a list that a command reads from its standard input.
    fn input(&mut self, order: &Order<'_>, index: usize, commands: &[Command], what: &str) {
        let Some(command) = commands.get(index) else {
            return;
        };
        let facts = command.facts;
        // What runs the command passes its own standard input on: `sudo pacman -S - < names.txt`.
        let runners = std::iter::successors(Some(command), |command| commands.get(command.facts.parent?));
        let mut redirects = runners.take(commands.len()).flat_map(|command| &command.facts.redirects);
        let is_file = |target: &Word| target.known().is_some_and(|file| !file.starts_with("/dev/"));
        let mut reads_file = || {
            redirects.any(|redirect| {
                let target = redirect.target.as_ref().map(Word::from);
                redirect.op == "<" && redirect.fd.unwrap_or(0) == 0 && target.is_some_and(|target| is_file(&target))
            })
        };
        if let Some(text) = &facts.stdin {
            self.listed(order, &Word::from(text), command, what);
        } else if !facts.reads_from.is_empty() {
            self.printed(facts.reads_from.clone(), commands, what);
        } else if !reads_file() {
            self.unlisted(what);
        }
    }

    /// Judges a list that other commands print.
    fn printed(&mut self, first: Vec<usize>, commands: &[Command], what: &str) {
        let all = chain(first, commands);
        self.fetched_list(&all, commands, what);
        let is_known = |index: &usize| commands.get(*index).is_some_and(|command| is_fetch(command) || prints(command));
        if all.is_empty() || !all.iter().all(is_known) {
            self.unlisted(what);
        }
    }

    /// Judges a list or a script that one of these commands fetches.
    fn fetched_list(&mut self, all: &[usize], commands: &[Command], what: &str) {
        for index in all {
            let fetch = commands.get(*index).filter(|command| is_fetch(command));
            if let Some(fetch) = fetch.filter(|_| !self.lists_hosts_of(*index, commands)) {
                let fetch = fetch.quote();
                self.found.deny(format!("{what} takes what {fetch} fetches, unseen; save it and read it first"));
            }
        }
    }

    /// Judges the packages in the text of a list.
    fn listed(&mut self, order: &Order<'_>, list: &Word, command: &Command, what: &str) {
        let is_pip = order.manager.registry == Registry::PyPi;
        if is_pip {
            self.suspect_line(Manifest::Requirements, list.text(), what);
        }
        // This is an environment of conda, in YAML.
        let is_yaml = !is_pip && order.does == Some(Does::Sync) && order.program != "brew";
        for line in list.text().lines().map(|line| uncommented(line).trim()).filter(|line| !line.is_empty()) {
            let name = if let Some(item) = line.strip_prefix("- ") {
                item.trim().trim_matches(['"', '\''])
            } else if order.program == "brew" {
                // This is `brew "name"` or `tap "user/repository"`.
                let name = line.split(['"', '\'']).nth(1).unwrap_or(line);
                if line.starts_with("tap ") {
                    self.place(name, what);
                    continue;
                }
                name
            } else if let Some(rest) = line.strip_prefix("--editable").or(line.strip_prefix("-e")) {
                rest.trim_start_matches(['=', ' ', '\t'])
            } else if is_yaml || line.starts_with('-') {
                continue;
            } else {
                line
            };
            self.package(order, &Word::new(name), command, what);
        }
    }

    /// Judges the packages that a script names for uv, in a comment at its beginning.
    fn script(&mut self, order: &Order<'_>, script: &Word, command: &Command, what: &str) {
        let lines = script.text().lines().map(str::trim_end).skip_while(|line| *line != "# /// script").skip(1);
        let block: Vec<&str> =
            lines.take_while(|line| *line != "# ///").map(|line| line.trim_start_matches('#').trim()).collect();
        let block = block.join("\n");
        self.suspect_line(Manifest::Toml, &block, what);
        for name in dependencies(&block) {
            self.package(order, &Word::new(name), command, what);
        }
    }

    fn suspect_line(&mut self, manifest: Manifest, text: &str, what: &str) {
        if let Some((line, why)) = suspect(manifest, text, |place| self.is_listed(place), |_| false) {
            let instead = "use the registry, or add the place to `sources`";
            self.found.deny(format!("{what} reads `{line}`, {why}; {instead}"));
        }
    }
}

/// Returns the words that name lists of packages.
fn named(order: &Order<'_>, command: &Command) -> Vec<Word> {
    let is = |name: &str| order.manager.names.contains(&name);
    let installs = matches!(order.does, Some(Does::Add | Does::AddGlobal | Does::Tool | Does::Sync));
    let is_pip = order.manager.registry == Registry::PyPi;
    let options: &[&str] = match order.does {
        _ if is_pip && installs => REQUIREMENTS,
        _ if is_pip => &["--with-requirements"],
        _ if is("conda") && installs => &["-f", "--file"],
        // Other words after `brew bundle` install nothing, such as `dump`.
        Some(Does::Sync) if is("brew") && order.operands.is_empty() => &["--file"],
        _ => &[],
    };
    let mut words: Vec<Word> = order.read.values(options).cloned().collect();
    if is_pip && order.does == Some(Does::Sync) {
        words.extend(order.operands.iter().cloned());
    }
    // This is `pacman -S -`.
    if is("pacman") && installs {
        words.extend(command.args().iter().filter(|word| word.text() == "-").cloned());
    }
    words
}

/// Returns the commands in `<(…)` or `$(…)` among the words of a command.
fn substituted(index: usize, commands: &[Command]) -> impl Iterator<Item = usize> {
    let all = commands.iter().enumerate();
    let inside = all.filter(move |(_, command)| {
        command.facts.parent == Some(index) && command.facts.via.as_deref() == Some("substitution")
    });
    inside.map(|(at, _)| at)
}

/// Returns these commands and those whose output reaches them.
fn chain(first: Vec<usize>, commands: &[Command]) -> Vec<usize> {
    let mut all = first;
    let mut next = 0;
    while let Some(index) = all.get(next).copied() {
        next += 1;
        let read = commands.get(index).into_iter().flat_map(|command| command.facts.reads_from.iter().copied());
        let new: Vec<usize> = read.chain(substituted(index, commands)).filter(|at| !all.contains(at)).collect();
        all.extend(new);
    }
    all
}

/// Whether a command only prints what files list, or what a manager has locked.
fn prints(command: &Command) -> bool {
    let facts = command.facts;
    let words: Vec<&str> = command.args().iter().map(Word::text).filter(|text| !text.starts_with('-')).collect();
    let prints = match (command.name, words.as_slice()) {
        ("cat" | "grep" | "egrep" | "fgrep" | "head" | "tail" | "sort" | "uniq", _) => {
            !facts.files.is_empty() || !facts.reads_from.is_empty()
        }
        ("poetry" | "pdm" | "uv", ["export", ..]) | ("uv", ["pip", "compile" | "freeze", ..]) => true,
        ("pip" | "pip3", ["freeze", ..]) | ("pipenv", ["requirements", ..]) | ("conda", ["list", ..]) => true,
        _ => false,
    };
    let is_other = |word: &Word| {
        let text = word.text();
        word.is_unknown() || text.contains("://") || INPUTS.contains(&text) && facts.reads_from.is_empty()
    };
    prints && facts.stdin.is_none() && !command.args().iter().any(is_other)
}

/// Returns the texts in the list that `dependencies` is set to, in TOML.
fn dependencies(block: &str) -> Vec<&str> {
    let list = block.split_once("dependencies").and_then(|(_, rest)| rest.split_once('['));
    let mut rest = list.map_or("", |(_, rest)| rest);
    let mut names = Vec::new();
    while let Some(at) = rest.find(['"', '\'', ']']) {
        let (quote, after) = (rest.get(at..=at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default());
        let Some((name, after)) = after.split_once(quote).filter(|_| quote != "]") else {
            break;
        };
        names.push(name);
        rest = after;
    }
    names
}
