//! Judges launchers, which fetch a package and run it.

use crate::install::{Judge, is_local, tell};
use crate::names::Registry;
use crate::order::Order;
use crate::spec::{self, Spec};
use hookbox_policy::{Command, Word, options, options_with_one_dash};

/// Programs other than package managers that run a script from a URL, and their options with a value.
const RUNNERS: &[(&str, &[&str])] = &[
    ("groovy", &["-cp", "-classpath", "-c", "-encoding", "-D", "-define", "-b", "-basescript", "-configscript"]),
    ("kscript", &[]),
    ("zx", &["-shell", "-prefix", "-postfix", "-cwd", "-ext", "-env", "-registry"]),
];

/// Where `mise` can take packages from.
#[rustfmt::skip] // Many words to a line.
const BACKENDS: &[&str] = &[
    "aqua", "asdf", "cargo", "conda", "dotnet", "forgejo", "gem", "github", "gitlab", "go", "http", "npm", "pipx", "spm", "ubi", "vfox",
];

impl Judge<'_> {
    /// Judges `npx`, `uvx` and `go run`.
    pub(crate) fn run(&mut self, order: &Order<'_>, command: &Command, what: &str) {
        let read = &order.read;
        let registry = order.manager.registry;
        if read.has(&["--no-install", "--no", "--offline"]) && registry == Registry::Npm {
            return;
        }
        let named: Vec<Word> = match registry {
            Registry::Npm => read.values(&["-p", "--package"]).cloned().collect(),
            Registry::PyPi => read
                .values(&["--with", "--with-editable", "--spec"])
                .chain(read.values(&["--from"]).filter(|word| !word.text().contains("://")))
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        let first = order.operands.first().filter(|_| named.is_empty() || read.has(&["--with", "--with-editable"]));
        for word in named.iter().chain(first).chain(&others_of_shell(order, command)) {
            let is_create = matches!(order.program, "npm" | "pnpm" | "yarn" | "bun") && is_create(order);
            let word = if is_create { created(word) } else { word.clone() };
            match (spec::read(registry, &word), order.program) {
                // These run local code: `deno run src/main.ts`, `go run .`, `jbang Main.java`.
                (Spec::Name(_) | Spec::Place(_), "deno") if !word.text().contains(':') => {}
                (Spec::Path(path), "deno" | "go" | "jbang") if !path.starts_with('/') => {}
                (Spec::Name(name), _) if registry == Registry::Go => {
                    // Without a version, this is one of the project's dependencies.
                    if word.text().contains('@') {
                        self.ran(registry, &name, what);
                    }
                }
                (Spec::Name(name), _) => self.ran(registry, &name, what),
                (Spec::Place(place), "deno" | "go") if !self.is_listed(&place) => {
                    self.found.ask(format!("{what} fetches {place} and runs it; if it is wanted, add it to `sources`"));
                }
                _ => self.package(order, &word, command, what),
            }
        }
    }

    /// Judges `uv run https://…` and `scala-cli https://…`.
    pub(crate) fn remote_script(&mut self, order: &Order<'_>, command: &Command, what: &str) {
        let script = match order.program {
            "uv" => order.operands.first().filter(|word| word.text().contains("://")),
            // The arguments of the script come after `--`.
            "scala-cli" | "scala" => {
                let mut own = command.args().iter().take_while(|word| word.text() != "--");
                own.find(|word| word.text().contains("://"))
            }
            _ => None,
        };
        if let Some(script) = script {
            self.unseen(script, what);
        }
    }

    /// Judges programs that run a script from a URL: `groovy https://…`.
    pub(crate) fn runner(&mut self, command: &Command) {
        let Some((_, values)) = RUNNERS.iter().find(|(name, _)| *name == command.name) else {
            return;
        };
        let read = options_with_one_dash(command.args(), values);
        // With code on the command line, the operands are its arguments.
        let has_code = read.options.iter().any(|option| matches!(option.name.as_str(), "-e" | "-eval"));
        if let Some(script) = read.operands.first().filter(|word| word.text().contains("://") && !has_code) {
            self.unseen(script, &command.quote());
        }
    }

    /// Judges `mise install npm:tool`, as opposed to `mise install node@20`, which installs a version of a language.
    pub(crate) fn backend(&mut self, command: &Command) {
        if !matches!(command.name, "mise" | "rtx") {
            return;
        }
        let own: Vec<Word> = command.args().iter().take_while(|word| word.text() != "--").cloned().collect();
        let operands = options(&own, &["-C", "--cd", "-E", "--env", "-j", "--jobs"]).operands;
        let is_verb = |word: &Word| matches!(word.text(), "install" | "i" | "install-into" | "exec" | "x");
        for word in operands.iter().skip(1).filter(|_| operands.first().is_some_and(is_verb)) {
            let named = word.text().split_once(':').filter(|(backend, _)| BACKENDS.contains(backend));
            let name = named.map(|(_, name)| spec::without_version(name.split('[').next().unwrap_or(name)));
            if let Some(name) = name.filter(|name| !self.is_allowed(name)) {
                let what = command.quote();
                let reason = format!("{what} installs the package {name}; if it is wanted, add it to `allow`");
                tell(self.settings.new, reason, self.found);
            }
        }
    }

    /// Judges programs that make a project of a template, whose code they run: `rails new x -m https://…`.
    pub(crate) fn template(&mut self, command: &Command) {
        let args = command.args();
        let first = args.first().map(Word::text);
        match (command.name, first) {
            ("rails", _) => {
                let read = options(args, &["-m", "--template", "-d", "--database"]);
                let location = args.iter().find(|word| word.text().starts_with("LOCATION="));
                let location = location.map(|word| word.after("LOCATION=".len()));
                for script in read.values(&["-m", "--template"]).cloned().chain(location) {
                    if script.text().contains("://") {
                        self.unseen(&script, &command.quote());
                    }
                }
            }
            ("cookiecutter" | "copier" | "cruft" | "g8" | "giter8", _)
            | ("sbt", Some("new"))
            | ("cargo", Some("generate")) => {
                // The first operand of these may be `owner/repo`; that of the others is a directory.
                let is_repository = matches!(command.name, "g8" | "giter8" | "sbt" | "cargo");
                let first = args.get(usize::from(matches!(command.name, "sbt" | "cargo")));
                let repository = first.filter(|_| is_repository).and_then(|word| repository(word.text()));
                for place in args.iter().filter_map(|word| template_place(word.text())).chain(repository) {
                    if !self.is_listed(&place) {
                        let what = command.quote();
                        self.found.ask(format!(
                            "{what} runs the code of the template {place}; if it is wanted, add it to `sources`"
                        ));
                    }
                }
            }
            _ => {}
        }
    }

    fn unseen(&mut self, script: &Word, what: &str) {
        let place = spec::normal(script.text());
        if !self.is_listed(&place) && !is_local(&place) {
            self.found.deny(format!(
                "{what} runs what it fetches from {place}, unseen; save it and read it first, or add the place to `sources`"
            ));
        }
    }

    /// Judges a program that is fetched if the project does not have it.
    fn ran(&mut self, registry: Registry, name: &str, what: &str) {
        if self.is_allowed(name) {
            return;
        }
        self.slip(registry, name, what);
        if !registry.is_popular(name) && !matches!(name, "eslint" | "tsc") {
            tell(
                self.settings.new,
                format!(
                    "{what} fetches and runs the package {name}, unless the project has it; if it is wanted, add it to `allow`"
                ),
                self.found,
            );
        }
    }
}

/// Returns the packages after the first in `nix shell a b -c program` and `guix shell a b -- program`.
fn others_of_shell(order: &Order<'_>, command: &Command) -> Vec<Word> {
    let is_shell = order.read.operands.first().is_some_and(|verb| verb.text() == "shell");
    if !is_shell || !matches!(order.program, "nix" | "guix") {
        return Vec::new();
    }
    let own = command.args().iter().take_while(|word| !matches!(word.text(), "-c" | "--command" | "--"));
    let own: Vec<Word> = own.cloned().collect();
    options(&own, order.manager.values).operands.into_iter().skip(2).collect()
}

/// Returns the place of a template that is not a directory of this machine: `gh:owner/repo`, `owner/repo.g8`.
fn template_place(text: &str) -> Option<String> {
    const SERVICES: &[(&str, &str)] =
        &[("gh:", "github.com/"), ("gl:", "gitlab.com/"), ("bb:", "bitbucket.org/"), ("hg+", ""), ("git+", "")];
    let service = SERVICES.iter().find_map(|(start, host)| Some(format!("{host}{}", text.strip_prefix(*start)?)));
    let is_address = text.contains("://") || text.starts_with("git@");
    let short = || repository(text).filter(|_| text.ends_with(".g8"));
    service.or_else(short).or_else(|| is_address.then(|| text.to_owned())).map(|place| spec::normal(&place))
}

/// Returns the place of `owner/repo`.
fn repository(text: &str) -> Option<String> {
    let is_repository =
        text.matches('/').count() == 1 && !text.starts_with(['.', '/', '~', '-']) && !text.contains(':');
    is_repository.then(|| format!("github.com/{text}"))
}

/// Whether the subcommand is one that runs an initializer: `npm init foo`.
fn is_create(order: &Order<'_>) -> bool {
    let used = order.read.operands.len().saturating_sub(order.operands.len());
    let mut verbs = order.read.operands.iter().take(used).map(Word::text);
    verbs.any(|verb| matches!(verb, "init" | "create" | "innit" | "c"))
}

/// Returns the package that an initializer runs: `npm init foo` runs `create-foo`.
fn created(word: &Word) -> Word {
    let text = word.text();
    match text.strip_prefix('@') {
        Some(rest) => match rest.split_once('/') {
            Some((scope, name)) => Word::new(&format!("@{scope}/create-{name}")),
            None => Word::new(&format!("@{}/create", rest.split('@').next().unwrap_or(rest))),
        },
        None if text.contains([':', '/']) || text.starts_with("create-") => word.clone(),
        None => Word::new(&format!("create-{text}")),
    }
}
