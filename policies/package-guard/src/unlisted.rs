//! Programs that no table lists and that are told to install a package: `some-manager install some-package`.

use crate::elsewhere::{addressed, is_address};
use crate::managers::{Does, Family, Manager};
use crate::names::Registry;
use crate::order::Order;
use crate::spec;
use hookbox_policy::{Command, GLOB, Opt, Options, Program, UNKNOWN, Word, options_but, program, unlisted_words};

/// The manager that such a program is judged as.
static UNLISTED: Manager = Manager {
    names: &[],
    family: Family::None,
    registry: Registry::Other,
    values: &["--with"],
    sources: SOURCES,
    global: &[],
    unprotected: &[],
    verbs: &[],
};

/// The options that say where packages come from.
const SOURCES: &[&str] = &[
    "--index-url",
    "--extra-index-url",
    "--default-index",
    "--additional-urls",
    "--pypi-url",
    "--plugin-source",
    "--plugin-url",
    // In other programs, these may be about something else.
    "--registry",
    "--registry-url",
    "--repository",
    "--repository-url",
    "--index",
    "--mirror",
];
/// Those of them that are about packages in every program.
const CLEAR: &[&str] = SOURCES.split_at(7).0;

/// Programs whose `install`, `add` or `get` is about something else, or about what their own project offers: builds,
/// tasks, versions of a language, browsers, hooks of git, devices, files under version control, clusters, requests,
/// downloads, feeds and bookmarks.
#[rustfmt::skip] // Many names to a line.
const OTHERS: &[&str] = &[
    "ant", "bazel", "bazelisk", "bmake", "buck", "buck2", "catkin", "cmake", "colcon", "doit", "dune", "fab", "gradle", "gradlew",
    "hatch", "inv", "invoke", "just", "lein", "mage", "make", "meson", "mill", "msbuild", "mvn", "mvnd", "mvnw", "ninja", "nmake", "nox",
    "poe", "rake", "sbt", "scons", "task", "tox", "waf", "xcodebuild", "rosdep", "module", "ml",
    "elan", "fnm", "g", "goenv", "gvm", "jabba", "jenv", "n", "nodenv", "nvm", "nvs", "phpenv", "plenv", "proto", "pyenv", "rbenv",
    "rustup", "swiftly", "tenv", "tfswitch", "uru", "vfox", "xcodes", "zvm",
    "browsers", "cypress", "patchright", "playwright", "puppeteer",
    "captainhook", "git-lfs", "hookbox", "husky", "lefthook", "overcommit", "pre-commit", "prek",
    "adb", "fastboot", "flutter", "ideviceinstaller", "ios-deploy", "simctl", "xcrun", "devicectl",
    "bzr", "chezmoi", "darcs", "datalad", "dotbot", "dvc", "fossil", "ghq", "git", "git-annex", "hg", "jj", "lakectl", "p4", "stow", "svn",
    "yadm", "argocd", "aws", "az", "cilium", "cloudflared", "consul", "eksctl", "flux", "gcloud", "istioctl", "k0s", "k3d", "k3sup",
    "kind", "linkerd", "minikube", "nomad", "tailscale", "talosctl", "vault", "velero",
    "helmfile", "pulumi", "skaffold", "systemctl", "terraform", "tofu", "update-alternatives",
    "aria2p", "archivebox", "buku", "castero", "gpodder", "linkding", "miniflux", "newsboat", "podget", "qbt", "readeck", "shiori",
    "transmission-remote", "wallabag", "zotero",
    "curl", "http", "https", "wget", "xh", "figlet", "info", "logger", "man", "tldr", "banner", "cowsay", "kdialog", "zenity", "dialog",
];

/// Words before the verb that say that packages follow: `some-manager pkg install some-package`.
#[rustfmt::skip] // Many names to a line.
const NOUNS: &[&str] = &[
    "lib", "libs", "library", "mod", "mods", "module", "modules", "package", "packages", "pkg", "pkgs", "skill", "skills", "theme", "themes",
];

/// Words after `install` that are not packages.
#[rustfmt::skip] // Many names to a line.
const PARTS: &[&str] = &[
    "agent", "all", "beta", "completion", "completions", "daemon", "default", "dependencies", "deps", "dev", "everything", "global", "hook",
    "hooks", "latest", "local", "lts", "nightly", "none", "prod", "production", "requirements", "server", "service", "stable", "system",
    "test", "tests", "tools", "user", "applypatch-msg", "commit-msg", "git-hooks", "post-checkout", "post-commit", "post-merge",
    "post-rewrite", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg", "shell-completion",
];

/// Folders of projects, which a path may begin with.
#[rustfmt::skip] // Many names to a line.
const FOLDERS: &[&str] = &[
    "app", "apps", "bin", "build", "charts", "conf", "config", "configs", "data", "deploy", "dist", "docs", "etc", "examples", "hooks",
    "infra", "k8s", "lib", "libs", "manifests", "modules", "out", "packages", "pkg", "plugins", "scripts", "services", "src", "target",
    "templates", "test", "tests", "tools", "vendor", "web",
];

/// Options without a value that often come before the packages.
#[rustfmt::skip] // Many names to a line.
const FLAGS: &[&str] = &[
    "-D", "-E", "-S", "-U", "-f", "-g", "-q", "-v", "-y", "--activate", "--allow-root", "--auto", "--batch", "--debug", "--dev", "--exact",
    "--force", "--global", "--insecure", "--overwrite", "--silent",
    "--no-cache", "--no-confirm", "--noconfirm", "--non-interactive", "--quiet", "--reinstall", "--save", "--save-dev", "--upgrade",
    "--", "--user", "--verbose", "--yes",
];

/// How surely a word must look like a package.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    /// Any word that is neither a path nor a part of the program itself.
    Named,
    /// More than a plain word: `some-package`, `owner/repo`.
    Joined,
    /// An address, or a name that only packages have.
    Added,
    /// A name that only packages have: `@scope/name`, `name@1.2`, `github.com/owner/repo`.
    Surely,
}

/// Returns the order that an unlisted program may carry out.
pub(crate) fn order(at: usize, commands: &[Command<'_>]) -> Option<Order<'static>> {
    let command = commands.get(at)?;
    let is_file = matches!(program(command), Program::File(_));
    // The words of a call that only may be a command are often prose.
    let is_other = OTHERS.contains(&command.name) || OTHERS.contains(&bare(command.name));
    if !command.facts.is_certain() || is_file || is_other {
        return None;
    }
    let words: Vec<Word> = unlisted_words(at, commands).into_iter().map(|(_, word)| word.clone()).collect();
    let asked = asked(command.name, &words);
    let values: Vec<&str> = UNLISTED.values.iter().chain(SOURCES).copied().chain(addressed(&words)).collect();
    let mut read = options_but(&words, &values, &[]);
    let is_source = |option: &Opt| {
        let text = option.value.as_ref().map_or("", Word::text);
        let name = option.name.as_str();
        let installs = asked.is_some_and(|(_, looks)| matches!(looks, Looks::Named | Looks::Joined));
        let counts = match SOURCES.contains(&name) {
            true => installs || CLEAR.contains(&name),
            false => asked.is_some() && is_address(name),
        };
        counts && text.contains("://")
    };
    let modules: Vec<Word> = read.values(&["--with"]).filter(|word| is_module(word.text())).cloned().collect();
    let is_known = |option: &Opt| !SOURCES.contains(&option.name.as_str());
    read.options.retain(|option| is_source(option) || asked.is_some() && is_known(option));
    let named = asked.map(|(start, looks)| packages(words.get(start..).unwrap_or_default(), looks));
    let mut operands: Vec<Word> = named.into_iter().flatten().chain(modules).collect();
    if is_own(command) {
        // What such a program installs by a name is its own matter, but not what comes from elsewhere.
        let installs = asked.is_some_and(|(_, looks)| matches!(looks, Looks::Named | Looks::Joined));
        operands.retain(|word| installs && is_elsewhere(word.text()));
        read.options.clear();
    }
    let has_source = read.options.iter().any(is_source);
    let does = if operands.is_empty() { Does::Sync } else { Does::Tool };
    let read = Options { options: read.options, operands: operands.clone() };
    (has_source || !operands.is_empty()).then_some(Order {
        manager: &UNLISTED,
        program: "",
        does: Some(does),
        read,
        operands,
    })
}

/// Returns a program's name without its version and the ending of a file.
fn bare(name: &str) -> &str {
    let name = name.split('@').next().unwrap_or(name);
    name.strip_suffix(".exe").unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// Whether a program is one of the project: `./manage.py`, `bin/dev`, `tools/run.sh`, `poetry run tool`.
fn is_own(command: &Command) -> bool {
    let is_run = matches!(
        command.facts.via.as_deref(),
        Some("uv" | "poetry" | "pdm" | "pipenv" | "pixi" | "hatch" | "rye" | "bundle" | "composer" | "cargo" | "go")
    );
    let path = command.words.first().map_or("", Word::text);
    let is_script = [".sh", ".bash", ".py", ".rb", ".js", ".mjs", ".cjs", ".ts", ".pl", ".php", ".bat", ".cmd", ".ps1"]
        .iter()
        .any(|ending| path.ends_with(*ending));
    let is_installed = ["node_modules/.bin/", "vendor/bin/"].iter().any(|folder| path.contains(*folder));
    // This is `bin/elasticsearch-plugin`, in the folder or the container of a server.
    let is_manager = ["plugin", "plugins"].iter().any(|name| command.name.ends_with(*name));
    let is_relative = path.contains(['/', '\\']) && !path.starts_with(['/', '~']);
    is_run || is_script || is_relative && !is_installed && !is_manager
}

/// Returns how many words come before the packages, and what these must look like.
fn asked(name: &str, words: &[Word]) -> Option<(usize, Looks)> {
    let first = words.iter().position(|word| !word.text().starts_with('-'))?;
    let word = |at: usize| words.get(first + at).map(Word::text);
    let is_manager = ["pkg", "package", "plugin", "addon", "extension"].iter().any(|part| name.contains(part));
    match (word(0)?, word(1)) {
        ("install", _) => Some((first + 1, if is_manager { Looks::Named } else { Looks::Joined })),
        ("add", _) => Some((first + 1, Looks::Added)),
        ("get", _) => Some((first + 1, Looks::Surely)),
        ("install-plugin" | "plugin-install" | "add-plugin", _) => Some((first + 1, Looks::Named)),
        (noun, Some("install")) if NOUNS.contains(&noun) => Some((first + 2, Looks::Named)),
        ("package" | "packages" | "pkg" | "pkgs" | "skill" | "skills", Some("add")) => Some((first + 2, Looks::Joined)),
        (noun, Some("add")) if NOUNS.contains(&noun) => Some((first + 2, Looks::Added)),
        (noun, Some("get")) if NOUNS.contains(&noun) => Some((first + 2, Looks::Surely)),
        _ => None,
    }
}

/// Returns the words that look like packages. After an option that may take a value, only those that surely are.
fn packages(words: &[Word], looks: Looks) -> Vec<Word> {
    let mut found = Vec::new();
    let mut may_be_value = false;
    let mut is_first = true;
    for word in words {
        let text = word.text();
        if text.starts_with('-') {
            may_be_value = !text.contains('=') && !FLAGS.contains(&text);
            continue;
        }
        // An address after a name is most often a place that gets this name: `add origin https://…`.
        let is_value = may_be_value || looks == Looks::Added && !is_first;
        let is_code = match looks {
            Looks::Added => is_fetched(text, &[".js", ".json", ".mjs", ".toml", ".ts", ".wasm", ".yaml", ".yml"]),
            Looks::Named | Looks::Joined => is_fetched(text, &[]),
            Looks::Surely => false,
        };
        let looks = if is_value && !is_code { Looks::Surely } else { looks };
        may_be_value = false;
        is_first = false;
        if !text.contains([UNKNOWN, GLOB]) && is_package(text, looks) {
            found.push(word.clone());
        }
    }
    found
}

fn is_package(text: &str, looks: Looks) -> bool {
    if is_surely(text) {
        return true;
    }
    let is_scheme = |scheme: &str| scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+');
    if let Some((scheme, _)) = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) {
        // Others are the addresses of databases, queues and buckets.
        let is_web = matches!(scheme, "http" | "https" | "git" | "ssh" | "ftp");
        return is_web && looks == Looks::Added || matches!(looks, Looks::Named | Looks::Joined);
    }
    if text.starts_with("git@") && text.contains(':') {
        return matches!(looks, Looks::Named | Looks::Joined);
    }
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:+".contains(c));
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_version =
        text.starts_with('v') && text.get(1..2).is_some_and(|c| c.starts_with(|c: char| c.is_ascii_digit()));
    if matches!(looks, Looks::Added | Looks::Surely) || !is_plain || !starts || is_version || PARTS.contains(&text) {
        return false;
    }
    match text.split_once('/') {
        // This is `owner/repo`, as opposed to a path.
        Some((owner, name)) => {
            !FOLDERS.contains(&owner)
                && !name.is_empty()
                && !name.contains('/')
                && !is_file(name)
                && !owner.contains('.')
        }
        None if is_file(text) || text.contains(':') && !text.contains("::") => false,
        None => looks == Looks::Named || text.contains(['-', '_', '.', ':', '+']),
    }
}

/// Whether a name ends like that of a file: `values.yaml`.
fn is_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..6).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

/// Whether only a package has such a name.
fn is_surely(text: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let is_scoped = |text: &str| {
        let name = text.split_once('@').map_or(text, |(name, _)| name);
        name.split_once('/').is_some_and(|(scope, name)| is_word(scope) && is_word(name))
    };
    // This is `name@1.2`, as opposed to an address: `me@example.com`, `root@192.0.2.1`.
    let is_versioned = |text: &str| {
        text.rsplit_once('@').is_some_and(|(name, version)| {
            let is_known = matches!(version, "latest" | "next" | "beta" | "canary");
            let version = version.trim_start_matches(['v', '^', '~', '=']);
            let is_number = version.starts_with(|c: char| c.is_ascii_digit()) && version.matches('.').count() < 3;
            name.split('/').all(is_word) && (is_known || is_number)
        })
    };
    // This is `owner/repo#v1`, as opposed to `owner/repo#12`, which is an issue, and `docs/page.md#part`.
    let is_revised = |(repository, revision): (&str, &str)| {
        let pair = repository.split_once('/').filter(|&(owner, name)| is_word(owner) && is_word(name));
        let is_repository = pair.is_some_and(|(owner, name)| !FOLDERS.contains(&owner) && !is_file(name));
        is_repository && !repository.starts_with('.') && revision.contains(|c: char| !c.is_ascii_digit())
    };
    let is_revised = text.split_once('#').is_some_and(is_revised);
    let is_prefixed = ["npm:", "jsr:"].iter().chain(SERVICES).any(|start| text.starts_with(*start));
    text.strip_prefix('@').is_some_and(is_scoped) || is_versioned(text) || is_prefixed || is_revised || is_module(text)
}

/// Prefixes of the addresses of repositories that are not URLs.
const SERVICES: &[&str] = &["git+", "github:", "gitlab:", "bitbucket:", "gist:", "gh:"];

/// Whether a word is the address of a page, a file or a repository.
fn is_elsewhere(text: &str) -> bool {
    const STARTS: &[&str] = &["git://", "git@", "http://", "https://", "ssh://"];
    STARTS.iter().chain(SERVICES).any(|start| text.starts_with(*start))
}

/// Whether a URL is that of an archive, of a repository or of a file with one of these endings, rather than that of a
/// server.
fn is_fetched(text: &str, endings: &[&str]) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let mut endings = endings.iter().chain(&[".git", ".jar"]);
    spec::is_archive(path) || is_module(path) || endings.any(|ending| path.ends_with(*ending))
}

/// Whether a text is the path of a module on a forge: `github.com/owner/repo`.
fn is_module(text: &str) -> bool {
    const FORGES: &[&str] = &["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gopkg.in"];
    let mut parts = text.split(['/', '@']);
    let is_forge = parts.next().is_some_and(|host| FORGES.contains(&host));
    is_forge && parts.next().is_some_and(|owner| !owner.is_empty()) && !text.contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_packages() {
        for text in ["@acme/tool", "tool@1.2", "tool@latest", "github.com/acme/tool", "acme/tool@v2", "git+ssh://x/y"] {
            assert!(is_package(text, Looks::Surely), "{text}");
        }
        for text in ["some-tool", "acme/tool", "Some.Module", "some_tool", "https://example.com/x"] {
            assert!(is_package(text, Looks::Joined), "{text}");
            assert!(!is_package(text, Looks::Surely), "{text}");
        }
        for text in [
            "tool",
            "me@example.com",
            "root@192.0.2.1",
            "src/app",
            "values.yaml",
            "./x",
            "/x",
            "3.12",
            "v20",
            "a=b",
            "pre-push",
        ] {
            assert!(!is_package(text, Looks::Joined), "{text}");
        }
        for text in ["https://example.com/x.json", "git+https://example.com/x", "acme/tool#v1"] {
            assert!(is_package(text, Looks::Added), "{text}");
        }
        for text in ["some-tool", "acme/tool", "postgres://db.example.com/x", "acme/tool#12", "docs/page.md#part"] {
            assert!(!is_package(text, Looks::Added), "{text}");
        }
        assert!(is_package("tool", Looks::Named) && !is_package("all", Looks::Named));
    }
}
