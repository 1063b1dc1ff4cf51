//! Judges the command of a package manager.

use crate::checks;
use crate::elsewhere::is_address;
use crate::managers::Does;
use crate::names::{Registry, matches};
use crate::order::Order;
use crate::paths::{goes_up, is_below, is_page, leads_into};
use crate::set;
use crate::settings::{Settings, Verdict};
use crate::simulated::simulates;
use crate::spec::{self, Spec};
use crate::switches;
use hookbox_policy::network::{Target, target};
use hookbox_policy::{Command, Findings, UNKNOWN, Word};
use hookbox_sdk::ShellWord;

/// Registries that need not be listed.
const REGISTRIES: &[&str] = &[
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "npm.jsr.io",
    "pypi.org",
    "pypi.org/simple",
    "files.pythonhosted.org",
    "index.crates.io",
    "github.com/rust-lang/crates.io-index",
    "rubygems.org",
    "proxy.golang.org",
    "repo.packagist.org",
    "packagist.org",
    "api.nuget.org/v3/index.json",
    "pub.dev",
    "repo.maven.apache.org/maven2",
    "repo1.maven.org/maven2",
    "micropython.org/pi/v2",
    "community.chocolatey.org/api/v2",
];
/// Channels and taps that need not be listed, by name.
pub(crate) const CHANNELS: &[&str] = &[
    "crates-io",
    "pypi",
    "npm",
    "conda-forge",
    "conancenter",
    "defaults",
    "bioconda",
    "pytorch",
    "nvidia",
    "main",
    "anaconda",
    "nuget.org",
    "winget",
    "msstore",
    "homebrew/core",
    "homebrew/cask",
    "opam.ocaml.org",
];

/// Managers for which a path begins at the directory that the command runs in, wherever the manifest is.
const RELATIVE: &[&str] = &["npm", "pip", "uv", "cargo"];
/// Options of these that change neither that directory nor the one that a path begins at.
#[rustfmt::skip] // Many words to a line.
const STAY: &[&str] = &[
    "-D", "--save-dev", "-S", "--save", "--save-prod", "-O", "--save-optional", "--save-peer", "-E", "--save-exact", "--no-save",
    "--no-audit", "--no-fund", "--dev", "--build", "--optional", "-e", "--editable", "--no-deps", "-U", "--upgrade", "-q", "--quiet",
    "--silent", "--path",
];

/// Judges one command by the settings.
pub(crate) struct Judge<'a> {
    pub(crate) settings: &'a Settings,
    /// The directory of the project.
    pub(crate) cwd: Option<&'a str>,
    pub(crate) found: &'a mut Findings,
}

impl Judge<'_> {
    pub(crate) fn order(&mut self, order: &Order<'_>, command: &Command) {
        let what = command.quote();
        let manager = order.manager;
        if let Some(reason) = switches::of_options(order, |text| self.is_own(text, order, command)) {
            self.found.deny(format!("{what} switches a protection off ({reason}); leave it on"));
        }
        let changes = matches!(order.does, Some(Does::Add | Does::AddGlobal | Does::Tool | Does::Sync | Does::Run));
        if changes {
            if let Some(reason) = checks::of_options(order) {
                self.found.deny(format!("{what} switches a check off ({reason}); leave it on"));
            }
            self.sources(order, command, &what);
        }
        let is_global = order.does == Some(Does::AddGlobal)
            || (changes && order.read.options.iter().any(|option| manager.global.contains(&option.name.as_str())))
            || (changes && order.read.value(&["--location"]).is_some_and(|value| value.text() == "global"));
        // A container contains no other projects.
        let is_contained = matches!(command.facts.via.as_deref(), Some("docker" | "podman" | "kubectl" | "nerdctl"));
        if is_global
            && !is_contained
            && !simulates(order)
            && (!order.operands.is_empty() || order.does == Some(Does::AddGlobal))
        {
            let advice = "add it to the project instead, or set `global`";
            tell(self.settings.global, format!("{what} installs for all projects; {advice}"), self.found);
        }
        match order.does {
            Some(Does::Add | Does::AddGlobal | Does::Tool) => self.packages(order, command, &what),
            Some(Does::Run) => self.run(order, command, &what),
            Some(Does::Source) => self.added_source(order, &what),
            Some(Does::Configure) => {
                for name in set::packages(order) {
                    self.package(order, &Word::new(&name), command, &what);
                }
                if let Some(reason) = switches::of_setting(order, |place| self.is_listed(place)) {
                    let instead = "leave it as it is, or do it yourself";
                    self.found.deny(format!(
                        "{what} changes where packages come from, or a protection ({reason}); {instead}"
                    ));
                }
            }
            Some(Does::Approve) => {
                self.found.deny(format!(
                    "{what} lets packages run scripts when they are installed; list them in the project by hand"
                ));
            }
            Some(Does::Script) => self.remote_script(order, command, &what),
            Some(Does::Sync) | None => {}
        }
        self.added_by_options(order, command, &what);
    }

    /// Judges the packages that are values of options.
    fn added_by_options(&mut self, order: &Order<'_>, command: &Command, what: &str) {
        let added: &[&str] = match (order.program, order.does) {
            ("uv", Some(Does::Script | Does::Tool)) => &["--with", "--with-editable"],
            ("scala-cli" | "scala", Some(Does::Script)) => &["--dep", "--dependency"],
            ("jbang", Some(Does::Run)) => &["--deps"],
            ("xcaddy" | "xk6", Some(Does::Script)) => &["--with"],
            ("rush", Some(Does::Add)) => &["-p", "--package"],
            ("conan", Some(Does::Tool)) => &["--requires", "--tool-requires"],
            ("pio" | "platformio", Some(Does::Add)) => &["-l", "--library", "-p", "--platform", "-t", "--tool"],
            ("ubi", Some(Does::Tool)) => &["-p", "--project"],
            _ => &[],
        };
        for word in order.read.values(added) {
            // This is `xcaddy build --with MODULE=REPLACEMENT`.
            let is_replaced = matches!(order.program, "xcaddy" | "xk6");
            let replacement = word.text().split_once('=').filter(|_| is_replaced).map(|(_, to)| to);
            let names = replacement.unwrap_or(word.text()).split(',');
            names.for_each(|name| self.package(order, &Word::new(name), command, what));
        }
    }

    /// Judges the options that say where packages come from.
    fn sources(&mut self, order: &Order<'_>, command: &Command, what: &str) {
        for option in &order.read.options {
            let name = option.name.as_str();
            // These are `pnpm --config.registry=…` and `npm --@acme:registry=…`.
            let is_registry = name.starts_with("--config.") && name.ends_with("registry")
                || name.starts_with("--@") && name.ends_with(":registry");
            let is_source = is_registry || order.manager.sources.contains(&name);
            let leads = |value: &Word| is_address(name) && value.text().contains("://");
            let Some(value) = option.value.as_ref().filter(|value| is_source || leads(value)) else {
                continue;
            };
            let text = value.text();
            // Without a scheme, this is a directory or a page.
            let is_links = matches!(name, "-f" | "--find-links") && !text.contains([':', '\\', UNKNOWN]);
            if is_links && is_page(text) && !self.is_listed(text) {
                let instead = "use a directory, or add the page to `sources`";
                self.found.deny(format!("{what} takes packages from the links of the page {text}; {instead}"));
            } else if is_links || name == "--path" || text.starts_with(['.', '/', '~']) {
                self.path(text, order, command, what);
            } else if text.contains(UNKNOWN) && !text.starts_with("http") {
                self.found.unknown(format!("where {what} takes packages from is known only when it runs"));
            } else if name == "--from" && !text.contains("://") && !text.starts_with("git+") {
                self.package(order, value, command, what);
            } else if text.starts_with("http://") && !self.is_listed(&spec::normal(text)) && !is_local(text) {
                self.found
                    .deny(format!("{what} takes packages from {text}, which anybody on the way can change; use https"));
            } else {
                self.place(&spec::normal(text), what);
            }
        }
    }

    pub(crate) fn place(&mut self, place: &str, what: &str) {
        let is_usual = REGISTRIES.contains(&place) || CHANNELS.contains(&place.to_ascii_lowercase().as_str());
        if !is_usual && !self.is_listed(place) && !is_local(place) {
            self.found.deny(format!(
                "{what} takes a package from {place} in place of the registry; use the registry, or add the place to `sources`"
            ));
        }
    }

    /// Whether the settings list a place.
    pub(crate) fn is_listed(&self, place: &str) -> bool {
        let is_plain = !place.split('/').any(|part| part == "..") || place.starts_with('.');
        is_plain
            && self.settings.sources.iter().any(|source| {
                let source =
                    if source.contains("://") { spec::normal(source) } else { source.trim_end_matches('/').to_owned() };
                matches(&source, place)
                    || place
                        .strip_prefix(source.as_str())
                        .is_some_and(|rest| rest.starts_with('/') || rest.starts_with(':'))
            })
    }

    /// Judges a path. The agent works on the project itself, so only other paths matter.
    fn path(&mut self, path: &str, order: &Order<'_>, command: &Command, what: &str) {
        // These are the extras of `./x[dev]`.
        let path = path.split_once('[').filter(|(_, extras)| !extras.contains('/')).map_or(path, |(path, _)| path);
        if self.is_listed(path) {
            return;
        }
        if path.contains(UNKNOWN) {
            self.found.unknown(format!("the path in {what} is known only when it runs"));
            return;
        }
        if !self.is_inside(path, order, command) {
            self.found.deny(format!(
                "{what} installs {path}, which is outside of the project; add the path to `sources` if it is yours"
            ));
        } else if self.is_moved(command) {
            self.found.ask(format!("{what} installs {path} of another directory than the project"));
        } else if spec::is_archive(path) {
            self.found.ask(format!("{what} installs the file {path}, whose origin is not known; is that meant?"));
        }
    }

    /// Whether the command runs in another directory than those of the project.
    fn is_moved(&self, command: &Command) -> bool {
        let base = command.facts.cwd.as_ref().map(ShellWord::written);
        base.is_some_and(|base| !self.cwd.is_some_and(|cwd| is_below(base, cwd)))
    }

    /// Whether a path is in the project, or in the directory that the command runs in.
    fn is_inside(&self, path: &str, order: &Order<'_>, command: &Command) -> bool {
        if path.starts_with('/') {
            return self.cwd.is_some_and(|cwd| is_below(path, cwd));
        }
        if !goes_up(path) {
            return !path.starts_with('~');
        }
        let stays = |text: &str| !text.starts_with('-') || STAY.contains(&text.split('=').next().unwrap_or(text));
        let is_relative = RELATIVE.contains(&order.program)
            && matches!(command.facts.via.as_deref(), None | Some("bash" | "sh" | "zsh"))
            && command.args().iter().all(|word| word.known().is_some_and(stays));
        let base = command.facts.cwd.as_ref().map_or(self.cwd, ShellWord::known);
        is_relative && base.zip(self.cwd).is_some_and(|(base, cwd)| leads_into(path, base, cwd))
    }

    /// Whether the settings list a place, or it is a path in the project.
    fn is_own(&self, text: &str, order: &Order<'_>, command: &Command) -> bool {
        let is_path = !text.contains([':', '@', UNKNOWN]) && !self.is_moved(command);
        is_path && self.is_inside(text, order, command) || self.is_listed(text) || self.is_listed(&spec::normal(text))
    }

    fn packages(&mut self, order: &Order<'_>, command: &Command, what: &str) {
        for word in &order.operands {
            self.package(order, word, command, what);
        }
        if order.manager.registry == Registry::PyPi {
            for word in order.read.values(&["-e", "--editable"]) {
                self.package(order, word, command, what);
            }
        }
    }

    pub(crate) fn package(&mut self, order: &Order<'_>, word: &Word, command: &Command, what: &str) {
        let registry = order.manager.registry;
        // This is `go get PATH@none`, which removes a package.
        let removes = |text: &str| text.split_once('@').is_some_and(|(_, version)| version == "none");
        if registry == Registry::Go && order.does == Some(Does::Add) && word.known().is_some_and(removes) {
            return;
        }
        let has_source =
            order.read.options.iter().any(|option| matches!(option.name.as_str(), "--git" | "--path" | "--github"));
        match spec::read(registry, word) {
            Spec::Unknown => {
                self.found.unknown(format!("which package {what} installs is known only when it runs; write its name"))
            }
            Spec::Place(place) => self.place(&place, what),
            Spec::Path(path) => self.path(&path, order, command, what),
            Spec::Alias { name, real } => {
                if !self.is_listed(&format!("npm:{real}")) {
                    self.found.deny(format!(
                        "{what} installs {real} under the name {name}, which hides it; use its own name, or add `npm:{real}` to `sources`"
                    ));
                }
                self.name(order, &real, what);
            }
            // This is `brew install user/tap/formula`.
            Spec::Name(name) if order.program == "brew" && name.matches('/').count() == 2 => {
                let tap = name.rsplit_once('/').map_or("", |(tap, _)| tap).to_owned();
                self.place(&tap, what);
            }
            // This is `conda install channel::name`.
            Spec::Name(name) if order.program.ends_with("mamba") || order.program == "conda" => {
                let (channel, name) = name.split_once("::").unwrap_or(("defaults", &name));
                self.place(channel, what);
                self.name(order, name, what);
            }
            // If a source is given, the name only says what that source must contain.
            Spec::Name(_) if has_source => {}
            Spec::Name(name) => self.name(order, &name, what),
        }
    }

    pub(crate) fn is_allowed(&self, name: &str) -> bool {
        self.settings.allow.iter().any(|pattern| matches(pattern, name))
    }

    fn name(&mut self, order: &Order<'_>, name: &str, what: &str) {
        if self.is_allowed(name) || self.is_own_tool(order, name) || order.is_of_workspace() {
            return;
        }
        self.slip(order.manager.registry, name, what);
        if simulates(order) {
            return;
        }
        let how = match order.does {
            Some(Does::Tool) => "installs",
            _ => "adds",
        };
        tell(
            self.settings.new,
            format!("{what} {how} the package {name}; if it is wanted, add it to `allow`"),
            self.found,
        );
    }

    /// Whether a package is one of pip's own tools, which pip and similar tools update.
    fn is_own_tool(&self, order: &Order<'_>, name: &str) -> bool {
        order.manager.registry == Registry::PyPi && matches!(name, "pip" | "setuptools" | "wheel" | "uv" | "build")
    }

    pub(crate) fn slip(&mut self, registry: Registry, name: &str, what: &str) {
        if let Some(popular) = registry.resembles(name) {
            self.found.deny(format!(
                "{what} names {name}, which is one letter away from the popular {popular}; if it is right, add it to `allow`"
            ));
        }
        if !name.is_ascii() {
            self.found.deny(format!("{what} names {name}, which has letters that look like others"));
        }
    }

    /// Judges `brew tap user/repo` and `add-apt-repository ppa:x/y`.
    fn added_source(&mut self, order: &Order<'_>, what: &str) {
        if order.program == "nix-channel" && !order.read.has(&["--add"]) {
            return;
        }
        // This is `dnf config-manager addrepo --from-repofile=https://…`.
        let values = order.read.options.iter().filter_map(|option| option.value.as_ref());
        for word in order.operands.iter().chain(values.filter(|value| value.text().contains("://"))) {
            let place = spec::normal(word.text());
            let is_nixos = ["nixos.org/channels/", "channels.nixos.org/"].iter().any(|own| place.starts_with(*own));
            let is_known =
                CHANNELS.contains(&place.to_ascii_lowercase().as_str()) || self.is_listed(&place) || is_nixos;
            let text = word.text();
            // These also take a directory of the project: `conan config install ./settings`.
            let takes_paths = matches!(order.program, "conan" | "spack");
            let is_inside =
                takes_paths && !text.contains([':', UNKNOWN]) && !text.starts_with(['/', '~', '\\']) && !goes_up(text);
            let is_place = (text.contains(['/', ':', '.']) || word.is_unknown()) && !is_inside;
            if is_place && !is_known {
                self.found.deny(format!(
                    "{what} adds {place} to the places that packages come from; add it to `sources` if it is yours"
                ));
                return;
            }
        }
    }
}

pub(crate) fn is_local(text: &str) -> bool {
    matches!(target(text), Target::Host(host) if host.reach() == hookbox_policy::network::Reach::Local)
}

pub(crate) fn tell(verdict: Verdict, reason: String, found: &mut Findings) {
    match verdict {
        Verdict::Allow => {}
        Verdict::Ask => found.ask(reason),
        Verdict::Deny => found.deny(reason),
    }
}
