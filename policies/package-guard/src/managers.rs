//! The table of package managers.

use crate::names::Registry;
use crate::others;
use hookbox_policy::{Index, Word, index};

/// A package manager.
pub(crate) struct Manager {
    pub(crate) names: &'static [&'static str],
    pub(crate) family: Family,
    pub(crate) registry: Registry,
    /// The options that take a value, apart from those in the other columns.
    pub(crate) values: &'static [&'static str],
    /// The options whose value is a source of packages.
    pub(crate) sources: &'static [&'static str],
    /// The options that install for all projects.
    pub(crate) global: &'static [&'static str],
    /// The options that switch a protection off.
    pub(crate) unprotected: &'static [&'static str],
    /// The subcommands, longest first, and their effects. An empty subcommand means the program itself.
    pub(crate) verbs: Verbs,
}

/// Subcommands and their effects.
pub(crate) type Verbs = &'static [(&'static [&'static str], Does)];

/// A group of managers of which a project uses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    JavaScript,
    Python,
    None,
}

/// The effect of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// Adds its operands to the project. Without operands, it installs what the manifest or the lock file lists.
    Add,
    /// Adds its operands for all projects of the user.
    AddGlobal,
    /// Installs its operands as tools. Installing for all projects is its purpose.
    Tool,
    /// Installs what the lock file lists.
    Sync,
    /// Fetches its first operand and runs it.
    Run,
    /// Adds its operands to the sources of packages.
    Source,
    /// Changes a setting.
    Configure,
    /// Lets packages run scripts when they are installed.
    Approve,
    /// Runs the project's own scripts or tools, which the project's manager should do.
    Script,
}

use Does::{Add, AddGlobal, Approve, Configure, Run, Script, Source, Sync, Tool};
use Family::{JavaScript, Python};

/// Returns the manager with this name. A version, as in `pip3.11`, is ignored.
pub(crate) fn find(name: &str) -> Option<&'static Manager> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let name = if base == "pip" { base } else { name };
    let found = BY_NAME.rows(name).filter_map(|row| MANAGERS.get(row)).find(|manager| manager.names.contains(&name));
    found.or_else(|| others::find(name))
}

/// The rows of the table by the names in them.
static BY_NAME: Index = index!(MANAGERS, |manager| manager.names);

/// Returns the manager of plugins that an unlisted program is, by its first words: `wp plugin install NAME`.
pub(crate) fn of_plugins(program: &str, args: &[Word]) -> Option<&'static Manager> {
    // These print or search their words, or run targets of the project.
    let is_other = matches!(program, "" | "echo" | "printf" | "grep" | "rg" | "git" | "make" | "just" | "task");
    let words: Vec<&str> = args.iter().map(Word::text).filter(|text| !text.starts_with('-')).take(5).collect();
    // The values of options may come first: `--pluginUrl https://… plugins install NAME`.
    let most = if args.first().is_some_and(|word| word.text().starts_with('-')) { 2 } else { 0 };
    let mut rests = (0..=most).filter_map(|start| words.get(start..));
    let is_told = rests.any(|rest| PLUGINS.verbs.iter().any(|(verb, _)| rest.starts_with(verb)));
    (!is_other && is_told).then_some(&PLUGINS)
}

#[rustfmt::skip] // Many words to a line.
const NPM: &[&str] = &[
    "--prefix", "-C", "--tag", "-w", "--workspace", "--loglevel", "--cache", "--userconfig", "--omit", "--include", "--save-prefix",
    "--location", "--before", "--install-strategy", "--script-shell", "--otp", "-c", "--call", "-p", "--package", "--dir", "--filter",
    "-F", "--cwd", "--modules-folder", "--store-dir", "--reporter", "--depth", "--network-timeout", "--mutex",
];
#[rustfmt::skip] // Many words to a line.
pub(crate) const PIP: &[&str] = &[
    "-r", "--requirement", "-c", "--constraint", "-e", "--editable", "-t", "--target", "--prefix", "--root", "--python", "-p",
    "--platform", "--python-version", "--implementation", "--abi", "--upgrade-strategy", "--progress-bar", "--log", "--proxy",
    "--retries", "--timeout", "--trusted-host", "--cert", "--client-cert", "--cache-dir", "--no-binary", "--only-binary", "--src",
    "--report", "--config-settings", "-C", "--global-option", "-d", "--dest", "--exists-action", "--group", "-G", "--extra", "--with",
    "--optional", "--index-strategy", "--python-platform", "--resolution", "--overrides", "-w", "--wheel-dir", "--package", "--directory",
    "--project", "--bounds", "--branch", "--tag", "--rev", "--spec", "--suffix", "--pip-args", "--env-file", "--requirements",
    "--constraints", "--build-constraint", "--build-constraints", "--with-requirements", "--with-editable", "--config-file",
    "--config-setting", "--link-mode", "--prerelease", "--exclude-newer", "--keyring-provider", "--fork-strategy", "--torch-backend",
    "--color", "--upgrade-package", "--reinstall-package", "--refresh-package", "--no-build-package", "--no-binary-package",
    "--only-group", "--no-group", "--no-extra", "-o", "--output-file",
];
pub(crate) const PIP_SOURCES: &[&str] =
    &["-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--index", "--default-index", "--pypi-url"];
const CARGO: &[&str] = &[
    "-F",
    "--features",
    "--package",
    "-p",
    "--manifest-path",
    "--rename",
    "--branch",
    "--tag",
    "--rev",
    "--vers",
    "--version",
    "--target",
    "--root",
    "--profile",
    "--bin",
    "--example",
    "-j",
    "--jobs",
    "--config",
    "--color",
    "--target-dir",
    "-Z",
];
const APT: &[&str] = &["-t", "--target-release", "-o", "--option", "-c", "--config-file", "-a", "--host-architecture"];
const DNF: &[&str] = &[
    "--releasever",
    "-c",
    "--config",
    "-x",
    "--exclude",
    "--disablerepo",
    "--enablerepo",
    "--installroot",
    "--setopt",
    "-d",
    "-e",
];
pub(crate) const UV_UNPROTECTED: &[&str] =
    &["--trusted-host", "--break-system-packages", "--allow-insecure-host", "--no-verify-hashes"];

const NPM_VERBS: Verbs = &[
    (&["config", "set"], Configure),
    (&["c", "set"], Configure),
    (&["set"], Configure),
    (&["pkg", "set"], Configure),
    (&["install"], Add),
    (&["i"], Add),
    (&["in"], Add),
    (&["ins"], Add),
    (&["inst"], Add),
    (&["insta"], Add),
    (&["instal"], Add),
    (&["isnt"], Add),
    (&["isnta"], Add),
    (&["isntal"], Add),
    (&["isntall"], Add),
    (&["add"], Add),
    (&["install-test"], Add),
    (&["it"], Add),
    (&["link"], Add),
    (&["ln"], Add),
    (&["ci"], Sync),
    (&["clean-install"], Sync),
    (&["ic"], Sync),
    (&["install-clean"], Sync),
    (&["cit"], Sync),
    (&["install-ci-test"], Sync),
    (&["update"], Sync),
    (&["up"], Sync),
    (&["audit", "fix"], Sync),
    (&["dedupe"], Sync),
    (&["ddp"], Sync),
    (&["exec"], Run),
    (&["x"], Run),
    (&["init"], Run),
    (&["create"], Run),
    (&["innit"], Run),
    (&["run"], Script),
    (&["run-script"], Script),
    (&["test"], Script),
    (&["t"], Script),
    (&["start"], Script),
];
const UV_VERBS: Verbs = &[
    (&["pip", "install"], Add),
    (&["pip", "sync"], Sync),
    (&["tool", "install"], Tool),
    (&["tool", "run"], Run),
    (&["tool", "upgrade"], Sync),
    (&["add"], Add),
    (&["sync"], Sync),
    (&["lock"], Sync),
    (&["run"], Script),
];

#[rustfmt::skip] // A table reads better with one row per line.
static PLUGINS: Manager = Manager { names: &[], family: Family::None, registry: Registry::Other, values: &[], sources: &[], global: &[], unprotected: &[],
    verbs: &[(&["plugin", "install"], Tool), (&["plugin", "add"], Tool), (&["plugins", "install"], Tool), (&["plugins", "add"], Tool), (&["plugins:install"], Tool), (&["plugins:add"], Tool),
        (&["ext", "install"], Tool), (&["ext", "add"], Tool), (&["ext:install"], Tool), (&["extensions", "add"], Tool), (&["addons", "install"], Tool), (&["nbextension", "install"], Tool),
        (&["cli", "plugins", "install"], Tool), (&["cordova", "plugin", "add"], Tool), (&["installPlugins"], Tool),
        (&["extension", "install"], Tool), (&["extension", "add"], Tool), (&["extensions", "install"], Tool), (&["addon", "install"], Tool), (&["labextension", "install"], Tool)] };

#[rustfmt::skip] // A table reads better with one row per line.
const MANAGERS: &[Manager] = &[
    Manager { names: &["npm", "cnpm", "tnpm"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry", "--@types:registry"],
        global: &["-g", "--global"], unprotected: &["--no-strict-ssl", "--unsafe-perm"], verbs: NPM_VERBS },
    Manager { names: &["npx", "pnpx", "bunx"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"],
        global: &[], unprotected: &[], verbs: &[(&[], Run)] },
    Manager { names: &["pnpm"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"],
        global: &["-g", "--global"], unprotected: &["--dangerously-allow-all-builds", "--no-strict-ssl"],
        verbs: &[(&["config", "set"], Configure), (&["c", "set"], Configure), (&["set"], Configure), (&["pkg", "set"], Configure), (&["approve-builds"], Approve),
            (&["add"], Add), (&["install"], Add), (&["i"], Add), (&["link"], Add), (&["ci"], Sync), (&["update"], Sync), (&["up"], Sync), (&["dlx"], Run), (&["create"], Run), (&["run"], Script), (&["test"], Script), (&["t"], Script), (&["start"], Script)] },
    Manager { names: &["yarn", "yarnpkg", "jlpm"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"],
        global: &["--global"], unprotected: &["--no-strict-ssl", "--update-checksums"],
        verbs: &[(&["global", "add"], AddGlobal), (&["config", "set"], Configure), (&["set"], Configure), (&["add"], Add), (&["link"], Add), (&["install"], Sync), (&["up"], Sync), (&["upgrade"], Sync), (&["plugin", "import"], Run), (&["dlx"], Run), (&["create"], Run), (&["run"], Script), (&["test"], Script), (&["start"], Script)] },
    Manager { names: &["bun"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"],
        global: &["-g", "--global"], unprotected: &["--trust", "--no-verify"],
        verbs: &[(&["pm", "pkg", "set"], Configure), (&["pm", "trust"], Approve), (&["add"], Add), (&["a"], Add), (&["install"], Add), (&["i"], Add), (&["link"], Add), (&["update"], Sync), (&["x"], Run), (&["create"], Run), (&["c"], Run), (&["run"], Script), (&["test"], Script)] },
    Manager { names: &["vlt"], family: Family::None, registry: Registry::Npm, values: NPM, sources: &["--registry"], global: &[], unprotected: &[],
        verbs: &[(&["config", "set"], Configure), (&["pkg", "set"], Configure), (&["install"], Add), (&["i"], Add), (&["add"], Add), (&["exec"], Run), (&["x"], Run)] },
    Manager { names: &["vlx"], family: Family::None, registry: Registry::Npm, values: NPM, sources: &["--registry"], global: &[], unprotected: &[], verbs: &[(&[], Run)] },
    Manager { names: &["deno", "jsr"], family: Family::None, registry: Registry::Npm, values: &["-n", "--name", "--root", "-c", "--config", "--import-map", "-o", "--output", "--port", "--host", "--filter", "--reporter", "--junit-path", "--location", "--cert", "--seed", "--log-level"], sources: &[],
        global: &["-g", "--global"], unprotected: &["--unsafely-ignore-certificate-errors"], verbs: &[(&["add"], Add), (&["install"], Add), (&["i"], Add), (&["run"], Run), (&["serve"], Run), (&["test"], Run), (&["bench"], Run), (&["compile"], Run), (&["x"], Run)] },
    Manager { names: &["pip", "pip.exe"], family: Python, registry: Registry::PyPi, values: PIP, sources: PIP_SOURCES,
        global: &["--user", "--system"], unprotected: UV_UNPROTECTED,
        verbs: &[(&["config", "set"], Configure), (&["install"], Add), (&["download"], Add), (&["wheel"], Add)] },
    Manager { names: &["uv"], family: Python, registry: Registry::PyPi, values: PIP, sources: PIP_SOURCES, global: &["--system", "--user"], unprotected: UV_UNPROTECTED, verbs: UV_VERBS },
    Manager { names: &["uvx"], family: Python, registry: Registry::PyPi, values: PIP, sources: &["-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--index", "--default-index", "--from"], global: &[], unprotected: UV_UNPROTECTED, verbs: &[(&[], Run)] },
    Manager { names: &["pipx"], family: Family::None, registry: Registry::PyPi, values: PIP, sources: &["-i", "--index-url"], global: &["--global"], unprotected: &[],
        verbs: &[(&["install"], Tool), (&["inject"], Tool), (&["upgrade"], Sync), (&["run"], Run)] },
    Manager { names: &["poetry"], family: Python, registry: Registry::PyPi, values: &["-C", "-P", "--directory", "--project", "-E", "--extras", "-G", "--group", "--python", "--platform", "--markers"],
        sources: &["--source"], global: &[], unprotected: &[],
        verbs: &[(&["self", "add"], Tool), (&["source", "add"], Source), (&["config"], Configure), (&["add"], Add), (&["install"], Sync), (&["update"], Sync), (&["lock"], Sync), (&["sync"], Sync), (&["run"], Script)] },
    Manager { names: &["pdm", "rye"], family: Python, registry: Registry::PyPi, values: PIP, sources: PIP_SOURCES, global: &["-g", "--global"], unprotected: &[],
        verbs: &[(&["self", "add"], Tool), (&["config"], Configure), (&["add"], Add), (&["install"], Sync), (&["sync"], Sync), (&["lock"], Sync), (&["update"], Sync), (&["run"], Script)] },
    Manager { names: &["pipenv"], family: Python, registry: Registry::PyPi, values: PIP, sources: PIP_SOURCES, global: &["--system"], unprotected: &[],
        verbs: &[(&["install"], Add), (&["sync"], Sync), (&["update"], Sync), (&["lock"], Sync), (&["run"], Script)] },
    Manager { names: &["conda", "mamba", "micromamba"], family: Python, registry: Registry::Other, values: &["-n", "--name", "-p", "--prefix", "-f", "--file", "--solver", "--platform"], sources: &["-c", "--channel"], global: &[], unprotected: &["--insecure", "-k"],
        verbs: &[(&["env", "create"], Sync), (&["env", "update"], Sync), (&["config"], Configure), (&["install"], Add), (&["create"], Add), (&["update"], Sync), (&["run"], Script)] },
    Manager { names: &["easy_install"], family: Family::None, registry: Registry::PyPi, values: &[], sources: &["-i", "--index-url", "-f"], global: &[], unprotected: &[], verbs: &[(&[], AddGlobal)] },
    Manager { names: &["cargo"], family: Family::None, registry: Registry::Cargo, values: CARGO, sources: &["--git", "--path", "--registry", "--index"], global: &[], unprotected: &[],
        verbs: &[(&["add"], Add), (&["install"], Tool), (&["binstall"], Tool), (&["quickinstall"], Tool)] },
    Manager { names: &["go"], family: Family::None, registry: Registry::Go, values: &["-C", "-mod", "-modfile", "-tags", "-ldflags", "-o", "-exec", "-p", "-replace", "-require", "-toolexec"], sources: &[], global: &[], unprotected: &["-insecure"],
        verbs: &[(&["mod", "edit"], Configure), (&["env"], Configure), (&["get"], Add), (&["install"], Tool), (&["run"], Run), (&["mod"], Sync)] },
    Manager { names: &["gem"], family: Family::None, registry: Registry::Gem, values: &["-v", "--version", "-i", "--install-dir", "-n", "--bindir", "-P", "--trust-policy", "--platform"], sources: &["-s", "--source", "--clear-sources"], global: &[], unprotected: &["--no-verify"],
        verbs: &[(&["sources"], Configure), (&["install"], Tool), (&["i"], Tool), (&["specific_install"], Tool), (&["exec"], Run)] },
    Manager { names: &["bundle", "bundler"], family: Family::None, registry: Registry::Gem, values: &["--version", "-v", "--group", "-g", "--branch", "--ref", "--gemfile", "--path", "--jobs", "-j"], sources: &["--source", "--git", "--github", "-s"], global: &["--system"], unprotected: &[],
        verbs: &[(&["config", "set"], Configure), (&["config"], Configure), (&["plugin", "install"], Tool), (&["add"], Add), (&["install"], Sync), (&["update"], Sync)] },
    Manager { names: &["composer"], family: Family::None, registry: Registry::Composer, values: &["-d", "--working-dir"], sources: &["--repository", "--repository-url"], global: &["-g"], unprotected: &[],
        verbs: &[(&["global", "require"], AddGlobal), (&["global", "config"], Configure), (&["config"], Configure), (&["require"], Add), (&["req"], Add), (&["r"], Add), (&["install"], Sync), (&["update"], Sync), (&["create-project"], Run)] },
    Manager { names: &["apt", "apt-get", "aptitude", "nala"], family: Family::None, registry: Registry::Other, values: APT, sources: &[], global: &[],
        unprotected: &["--allow-unauthenticated", "--force-yes", "--allow-insecure-repositories", "--allow-downgrades-unauthenticated"], verbs: &[(&["install"], Tool), (&["build-dep"], Tool)] },
    Manager { names: &["add-apt-repository", "apt-add-repository"], family: Family::None, registry: Registry::Other, values: &["-k", "-p"], sources: &[], global: &[], unprotected: &[], verbs: &[(&[], Source)] },
    Manager { names: &["yum-config-manager"], family: Family::None, registry: Registry::Other, values: &["--add-repo", "--setopt"], sources: &[], global: &[], unprotected: &[], verbs: &[(&[], Source)] },
    Manager { names: &["apt-key"], family: Family::None, registry: Registry::Other, values: &["--keyring"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["add"], Source), (&["adv"], Source)] },
    Manager { names: &["yum", "dnf", "dnf5", "microdnf", "tdnf"], family: Family::None, registry: Registry::Other, values: DNF, sources: &["--repofrompath", "--repo"], global: &[], unprotected: &["--nogpgcheck", "--no-gpgchecks"],
        verbs: &[(&["config-manager"], Source), (&["copr", "enable"], Source), (&["groupinstall"], Tool), (&["localinstall"], Tool), (&["install"], Tool)] },
    Manager { names: &["apk"], family: Family::None, registry: Registry::Other, values: &["-t", "--virtual", "-p", "--root"], sources: &["-X", "--repository"], global: &[], unprotected: &["--allow-untrusted"], verbs: &[(&["add"], Tool)] },
    Manager { names: &["zypper"], family: Family::None, registry: Registry::Other, values: &["-t", "-r"], sources: &["-p", "--plus-repo"], global: &[], unprotected: &["--no-gpg-checks", "--allow-unsigned-rpm"],
        verbs: &[(&["addrepo"], Source), (&["ar"], Source), (&["install"], Tool), (&["in"], Tool)] },
    Manager { names: &["brew"], family: Family::None, registry: Registry::Other, values: &["--appdir", "--file"], sources: &[], global: &[], unprotected: &["--no-quarantine"],
        verbs: &[(&["tap"], Source), (&["bundle", "install"], Sync), (&["bundle"], Sync), (&["install"], Tool), (&["reinstall"], Tool)] },
    Manager { names: &["snap"], family: Family::None, registry: Registry::Other, values: &["--channel"], sources: &[], global: &[], unprotected: &["--dangerous", "--devmode"], verbs: &[(&["install"], Tool)] },
    Manager { names: &["flatpak"], family: Family::None, registry: Registry::Other, values: &[], sources: &["--from"], global: &[], unprotected: &["--no-gpg-verify"], verbs: &[(&["remote-add"], Source), (&["install"], Tool)] },
    Manager { names: &["choco", "winget", "scoop", "port", "pkg", "opkg"], family: Family::None, registry: Registry::Other, values: &["--version", "--source", "-s"], sources: &[], global: &[],
        unprotected: &["--ignore-checksums", "--skip-verify", "--ignore-security-hash", "--force-checksum", "--force-signature"], verbs: &[(&["bucket", "add"], Source), (&["source", "add"], Source), (&["install"], Tool), (&["add"], Tool)] },
    Manager { names: &["dotnet"], family: Family::None, registry: Registry::Other, values: &["-v", "--version", "-f", "--framework", "--tool-path"], sources: &["-s", "--source", "--add-source"], global: &["-g", "--global"], unprotected: &[],
        verbs: &[(&["nuget", "add"], Source), (&["add", "package"], Add), (&["package", "add"], Add), (&["tool", "install"], Tool), (&["tool", "execute"], Run), (&["new", "install"], Tool), (&["restore"], Sync), (&["workload", "install"], Sync)] },
    Manager { names: &["dnx"], family: Family::None, registry: Registry::Other, values: &[], sources: &["--source"], global: &[], unprotected: &[], verbs: &[(&[], Run)] },
    Manager { names: &["pub"], family: Family::None, registry: Registry::Other, values: &[], sources: &["--git-url", "--hosted-url", "--path"], global: &[], unprotected: &[],
        verbs: &[(&["global", "activate"], AddGlobal), (&["add"], Add), (&["get"], Sync)] },
    Manager { names: &["dart", "flutter"], family: Family::None, registry: Registry::Other, values: &[], sources: &["--git-url", "--hosted-url", "--path"], global: &[], unprotected: &[],
        verbs: &[(&["pub", "global", "activate"], AddGlobal), (&["pub", "add"], Add), (&["pub", "get"], Sync)] },
    Manager { names: &["opam"], family: Family::None, registry: Registry::Other, values: &["--switch", "--repos", "-k", "--kind"], sources: &[], global: &[], unprotected: &["--no-checksums"],
        verbs: &[(&["repo", "add"], Source), (&["repo", "set-url"], Source), (&["repository", "add"], Source), (&["repository", "set-url"], Source),
            (&["pin", "list"], Script), (&["pin", "remove"], Script), (&["pin", "edit"], Script), (&["pin", "add"], Add), (&["pin"], Add), (&["install"], Tool)] },
    Manager { names: &["luarocks", "zef", "cabal", "nimble", "shards", "vcpkg", "pecl", "pear", "nuget"], family: Family::None, registry: Registry::Other,
        values: &["--version"], sources: &["--server", "--mirror", "--source", "-r", "--remote"], global: &[], unprotected: &["--force-manifest", "--noSSLCheck"],
        verbs: &[(&["channel-discover"], Source), (&["channel-add"], Source), (&["sources", "add"], Source), (&["add", "port"], Add), (&["install"], Tool)] },
    Manager { names: &["cpan", "cpanm", "cpm"], family: Family::None, registry: Registry::Other, values: &["-l", "-L", "--local-lib", "-M"], sources: &["--mirror", "--from"], global: &[], unprotected: &["--no-check-signature"],
        verbs: &[(&["install"], Tool), (&[], Tool)] },
    Manager { names: &["mix"], family: Family::None, registry: Registry::Other, values: &[], sources: &[], global: &[], unprotected: &[],
        verbs: &[(&["archive.install"], Tool), (&["escript.install"], Tool), (&["igniter.install"], Add), (&["hex.config"], Configure), (&["hex.repo", "add"], Source), (&["hex.repo", "set"], Source)] },
    Manager { names: &["nix"], family: Family::None, registry: Registry::Other, values: &[], sources: &[], global: &[], unprotected: &["--no-sandbox"], verbs: &[(&["profile", "install"], Tool), (&["profile", "add"], Tool), (&["registry", "add"], Source), (&["run"], Run), (&["shell"], Run)] },
    Manager { names: &["gh"], family: Family::None, registry: Registry::Other, values: &["--pin"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["extension", "install"], Tool), (&["ext", "install"], Tool)] },
    Manager { names: &["pacman", "yay", "paru", "pikaur", "trizen", "pamac", "emerge", "nix-env", "nix-shell"], family: Family::None, registry: Registry::Other, values: &["--run", "--command", "--config", "--dbpath", "--root", "-f", "--file", "-p", "--profile"], sources: &["-I"], global: &[], unprotected: &["--nogpgcheck"],
        verbs: &[(&["install"], Tool), (&["build"], Tool)] },
    Manager { names: &["corepack"], family: Family::None, registry: Registry::Npm, values: &["--install-directory"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["use"], Run), (&["install"], Run), (&["prepare"], Run)] },
    Manager { names: &["ni"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"], global: &["-g", "--global"], unprotected: &[], verbs: &[(&[], Add)] },
    Manager { names: &["nlx"], family: JavaScript, registry: Registry::Npm, values: NPM, sources: &["--registry"], global: &[], unprotected: &[], verbs: &[(&[], Run)] },
    Manager { names: &["pixi"], family: Python, registry: Registry::Other, values: &["-p", "--platform", "--manifest-path", "-f", "--feature"], sources: &["-c", "--channel", "--git"], global: &[], unprotected: &[],
        verbs: &[(&["global", "install"], AddGlobal), (&["add"], Add), (&["install"], Sync), (&["run"], Script)] },
    Manager { names: &["stack"], family: Family::None, registry: Registry::Other, values: &["--resolver", "--stack-yaml"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["install"], Tool)] },
    Manager { names: &["zig"], family: Family::None, registry: Registry::Other, values: &["--global-cache-dir"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["fetch"], Add)] },
    Manager { names: &["jbang"], family: Family::None, registry: Registry::Maven, values: &["--deps", "--java", "-j", "-m", "--main", "-R", "-C", "-D", "-c", "--code", "--cp", "--class-path"], sources: &["--repos"], global: &[], unprotected: &[],
        verbs: &[(&["app", "install"], Tool), (&["trust", "add"], Source), (&["catalog", "add"], Source), (&["run"], Run), (&["init"], Script), (&["build"], Script), (&["edit"], Script), (&["app"], Script), (&["trust"], Script), (&["catalog"], Script), (&["alias"], Script),
            (&["cache"], Script), (&["config"], Script), (&["export"], Script), (&["info"], Script), (&["jdk"], Script), (&["template"], Script), (&["version"], Script), (&["wrapper"], Script), (&["completion"], Script), (&[], Run)] },
    Manager { names: &["coursier", "cs"], family: Family::None, registry: Registry::Maven, values: &["-M", "--main-class", "-o", "--output", "--jvm"], sources: &["-r", "--repository"], global: &[], unprotected: &[],
        verbs: &[(&["launch"], Run), (&["bootstrap"], Run), (&["install"], Tool)] },
    Manager { names: &["scala-cli", "scala"], family: Family::None, registry: Registry::Maven, values: &["--dep", "--dependency"], sources: &[], global: &[], unprotected: &[], verbs: &[(&[], Script)] },
    Manager { names: &["swift"], family: Family::None, registry: Registry::Other, values: &["--from", "--exact", "--branch", "--revision", "--package-path"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["package", "add-dependency"], Add), (&["package-registry", "set"], Source)] },
    Manager { names: &["pod"], family: Family::None, registry: Registry::Other, values: &[], sources: &[], global: &[], unprotected: &[], verbs: &[(&["repo", "add"], Source), (&["repo", "add-cdn"], Source), (&["try"], Run), (&["install"], Sync), (&["update"], Sync)] },
    Manager { names: &["helm"], family: Family::None, registry: Registry::Other, values: &["--version"], sources: &[], global: &[], unprotected: &["--verify=false"], verbs: &[(&["plugin", "install"], Tool)] },
    Manager { names: &["kubectl", "k"], family: Family::None, registry: Registry::Other, values: &["--manifest", "--archive"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["krew", "index", "add"], Source), (&["krew", "install"], Tool)] },
    Manager { names: &["asdf", "mise", "rtx"], family: Family::None, registry: Registry::Other, values: &["-C", "--cd", "-E", "--env"], sources: &[], global: &[], unprotected: &[],
        verbs: &[(&["plugin", "add"], Tool), (&["plugin-add"], Tool), (&["plugins", "install"], Tool), (&["plugins", "add"], Tool), (&["use"], Tool), (&["u"], Tool)] },
    Manager { names: &["claude", "gemini", "qwen"], family: Family::None, registry: Registry::Other, values: &["--scope", "-s", "--ref"], sources: &[], global: &[], unprotected: &[],
        verbs: &[(&["plugin", "marketplace", "add"], Source), (&["plugin", "install"], Tool), (&["plugin", "i"], Tool), (&["extensions", "install"], Tool)] },
    Manager { names: &["krew", "tfenv", "sdkman", "sdk", "rbenv-install", "juliaup", "ghcup", "pkgx", "aqua", "bin"], family: Family::None, registry: Registry::Other, values: &["--project", "--tag", "-p", "-t", "--to", "--exe"], sources: &[], global: &[], unprotected: &[], verbs: &[(&["install"], Tool), (&["add"], Tool)] },
    Manager { names: &["ansible-galaxy", "vagrant"], family: Family::None, registry: Registry::Other, values: &["-p", "--roles-path", "-r", "--role-file", "-s", "--server", "--plugin-version"], sources: &["--plugin-source"], global: &[], unprotected: &["--ignore-certs", "--disable-gpg-verify"],
        verbs: &[(&["plugin", "install"], Tool), (&["collection", "install"], Tool), (&["role", "install"], Tool), (&["install"], Tool)] },
    Manager { names: &["volta"], family: Family::None, registry: Registry::Npm, values: &[], sources: &[], global: &[], unprotected: &[], verbs: &[(&["install"], Tool)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_manager_has_one_row() {
        let mut names: Vec<&str> = MANAGERS.iter().flat_map(|manager| manager.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn versions_of_pip() {
        assert!(find("pip3.11").is_some_and(|manager| manager.names.contains(&"pip")));
        assert!(find("npm9").is_none());
    }
}
