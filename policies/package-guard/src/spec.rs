//! Parses what an argument such as `lodash@4` or `git+https://…` requests from a package manager.

use crate::names::Registry;
use hookbox_policy::network::looks_like_host;
use hookbox_policy::{GLOB, UNKNOWN, Word};

/// The package that an argument requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// A package by its name in the registry.
    Name(String),
    /// A package under the name of another package.
    Alias {
        /// The name in the project.
        name: String,
        /// The package that is installed under that name.
        real: String,
    },
    /// A place other than the registry. The text is in the form of the settings.
    Place(String),
    /// A path.
    Path(String),
    /// A package that is known only when the command runs.
    Unknown,
}

/// The prefixes that mean repositories of a service.
const SERVICES: &[(&str, &str)] = &[
    ("github:", "github.com/"),
    ("gitlab:", "gitlab.com/"),
    ("bitbucket:", "bitbucket.org/"),
    ("gist:", "gist.github.com/"),
];
/// Words that may come before a colon in a version without being a host.
const PROTOCOLS: &[&str] =
    &["npm", "jsr", "file", "link", "portal", "workspace", "patch", "github", "gitlab", "bitbucket", "gist", "catalog"];
/// The endings of package files.
const ARCHIVES: &[&str] = &[
    ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".whl", ".zip", ".deb", ".rpm", ".gem", ".crate", ".apk", ".nupkg",
    ".egg", ".phar",
];

/// The endings of files that launchers for the JVM run.
const SCRIPTS: &[&str] = &[".java", ".jsh", ".kt", ".kts", ".groovy", ".scala", ".sc", ".jar", ".md"];

/// Parses an argument.
pub(crate) fn read(registry: Registry, word: &Word) -> Spec {
    let text = word.text();
    if let Some(spec) = place(registry, text) {
        return spec;
    }
    if is_path(registry, text) {
        return Spec::Path(text.to_owned());
    }
    let name = match registry {
        Registry::Npm => return npm(text),
        Registry::PyPi => {
            // This is `name @ https://…`.
            if let Some((name, rest)) = text.split_once('@') {
                let rest = rest.trim();
                return match place(registry, rest) {
                    Some(spec) => spec,
                    None if is_path(registry, rest) => Spec::Path(rest.to_owned()),
                    None => named(name.trim()),
                };
            }
            let end = text.find(['[', '=', '<', '>', '!', '~', ';', ' ', '(', ',']);
            text.get(..end.unwrap_or(text.len())).unwrap_or(text)
        }
        Registry::Composer => text.split([':', '=']).next().unwrap_or(text),
        Registry::Gem => text.split(':').next().unwrap_or(text),
        Registry::Other => {
            // This is `name@1` and `@scope/name@1`.
            let mut letters = text.char_indices().skip(1);
            let end = letters.find(|(_, letter)| matches!(letter, '=' | '@')).map(|(at, _)| at);
            text.get(..end.unwrap_or(text.len())).unwrap_or(text)
        }
        // This is `group:artifact:version`; Scala writes `group::artifact:version`.
        Registry::Maven => {
            let mut colons = text.match_indices(':').map(|(at, _)| at).skip(1);
            let end = colons.find(|at| text.get(..*at).is_some_and(|name| !name.ends_with(':')));
            text.get(..end.unwrap_or(text.len())).unwrap_or(text)
        }
        Registry::Cargo | Registry::Go => text.split('@').next().unwrap_or(text),
    };
    named(name)
}

fn named(name: &str) -> Spec {
    if name.contains([UNKNOWN, GLOB]) || name.is_empty() { Spec::Unknown } else { Spec::Name(name.to_owned()) }
}

/// Parses `lodash@4`, `@types/node@20`, `alias@npm:real` and `npm:real`.
fn npm(text: &str) -> Spec {
    let (scope, rest) = match text.strip_prefix('@') {
        Some(rest) => ("@", rest),
        None => ("", text),
    };
    let rest =
        if scope.is_empty() { rest.strip_prefix("npm:").or(rest.strip_prefix("jsr:")).unwrap_or(rest) } else { rest };
    let (name, version) = rest.split_once('@').map_or((rest, ""), |(name, version)| (name, version));
    if rest.starts_with('@') {
        // This is `npm:@scope/name`.
        return npm(rest);
    }
    let name = format!("{scope}{name}");
    if let Some(real) = version.strip_prefix("npm:") {
        let bare = match real.strip_prefix('@') {
            Some(rest) => format!("@{}", rest.split('@').next().unwrap_or(rest)),
            None => real.split('@').next().unwrap_or(real).to_owned(),
        };
        return if bare == name { named(&name) } else { Spec::Alias { name, real: bare } };
    }
    match place(Registry::Npm, version) {
        Some(spec) => spec,
        None if version.starts_with(['.', '/', '~']) && version.contains('/') => Spec::Path(version.to_owned()),
        None => named(&name),
    }
}

/// Parses a URL, a repository, or a file by `file:`.
fn place(registry: Registry, text: &str) -> Option<Spec> {
    for prefix in ["file:", "link:", "portal:"] {
        if let Some(path) = text.strip_prefix(prefix) {
            let path = if path.starts_with("//") { path.trim_start_matches("//") } else { path };
            return Some(Spec::Path(if path.is_empty() { ".".to_owned() } else { path.to_owned() }));
        }
    }
    if text.starts_with("npm:") || text.starts_with("jsr:") {
        return None;
    }
    if text.starts_with("workspace:") {
        return Some(Spec::Path(".".to_owned()));
    }
    if let Some((rest, host)) = SERVICES.iter().find_map(|(prefix, host)| Some((text.strip_prefix(prefix)?, host))) {
        return Some(Spec::Place(match named_host(rest) {
            Some(host) => normal(&format!("{host}/{rest}")),
            None => normal(&format!("{host}{rest}")),
        }));
    }
    if text.contains("://") || text.starts_with("git+") {
        return Some(Spec::Place(normal(text)));
    }
    // This is `git@github.com:a/b`.
    if let Some((host, path)) = text.split_once(':')
        && let Some((user, host)) = host.rsplit_once('@')
        && !user.is_empty()
        && !PROTOCOLS.contains(&host)
        && path.contains('/')
    {
        return Some(Spec::Place(normal(text)));
    }
    // This is `user/repo`, as opposed to `name@file:../x`.
    let repository = text.split('#').next().unwrap_or(text);
    let is_short = registry == Registry::Npm
        && !text.starts_with(['.', '/', '~'])
        && !repository.contains(['@', ':'])
        && repository.matches('/').count() == 1;
    is_short.then(|| Spec::Place(normal(&format!("github.com/{text}"))))
}

/// Whether an argument is a path rather than a name.
fn is_path(registry: Registry, text: &str) -> bool {
    let is_archive = ARCHIVES.iter().any(|ending| text.to_ascii_lowercase().ends_with(ending));
    let starts = text.starts_with(['.', '/', '~']) || text.starts_with("\\\\");
    let has_slash = match registry {
        // Names in these registries have slashes.
        Registry::Go | Registry::Composer | Registry::Npm => false,
        Registry::Other | Registry::Maven => false,
        _ => text.contains('/'),
    };
    let is_drive = text.get(1..3).is_some_and(|rest| rest == ":\\" || rest == ":/");
    // This is `go run main.go`.
    let is_source = registry == Registry::Go && (text.ends_with(".go") || !looks_like_module(text));
    // This is `jbang Main.java`, as opposed to `name@catalog` and `group:artifact:version`.
    let is_script = registry == Registry::Maven
        && !text.contains(['@', ':'])
        && SCRIPTS.iter().any(|ending| text.ends_with(ending));
    starts || is_archive || has_slash || is_drive || is_source || is_script
}

/// Whether a Go path is the path of a module, which has a dot in its first name.
fn looks_like_module(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or_default();
    first.contains('.') || first.contains(UNKNOWN) || looks_like_host(first)
}

/// Whether a path is a package file.
pub(crate) fn is_archive(path: &str) -> bool {
    ARCHIVES.iter().any(|ending| path.to_ascii_lowercase().ends_with(ending))
}

/// Returns the host in a reference of Nix that leads to another server of the same kind: `github:acme/tool?host=x.org`.
pub(crate) fn named_host(reference: &str) -> Option<&str> {
    reference.split(['?', '&']).skip(1).find_map(|setting| setting.strip_prefix("host="))
}

/// Returns a package without its version: `@acme/tool` for `@acme/tool@1.2`.
pub(crate) fn without_version(text: &str) -> &str {
    let end = text.char_indices().skip(1).find(|(_, letter)| *letter == '@').map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Returns a place in the form of the settings: `github.com/acme/tool`, without scheme, user, `.git` and revision.
pub(crate) fn normal(text: &str) -> String {
    let text = text.trim();
    let rest = text.split_once("://").map_or(text.trim_start_matches("git+"), |(_, rest)| rest);
    let rest = rest.split(['#', '?']).next().unwrap_or(rest);
    let (authority, path) = match rest.find(['/', ':']) {
        // This is `git@host:path`, as opposed to `host:8080/`.
        Some(at) => rest.split_at_checked(at).unwrap_or((rest, "")),
        None => (rest, ""),
    };
    // A user's password may contain a colon.
    let (authority, path) = match rest.split('/').next().and_then(|first| first.rsplit_once('@')) {
        Some((user, _)) => {
            let rest = rest.get(user.len() + 1..).unwrap_or_default();
            rest.find(['/', ':']).and_then(|at| rest.split_at_checked(at)).unwrap_or((rest, ""))
        }
        None => (authority, path),
    };
    let is_port = |path: &str| {
        path.starts_with(':') && path.get(1..2).is_some_and(|c| c.starts_with(|c: char| c.is_ascii_digit()))
    };
    let path = if is_port(path) { path.to_owned() } else { path.replacen(':', "/", 1) };
    // A revision comes after `@`, as in pip.
    let path = path.split('@').next().unwrap_or_default();
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    format!("{}{path}", authority.to_ascii_lowercase().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(registry: Registry, text: &str) -> Spec {
        read(registry, &Word::new(text))
    }

    #[test]
    fn names() {
        for (registry, text, name) in [
            (Registry::Npm, "lodash", "lodash"),
            (Registry::Npm, "lodash@^4.0.0", "lodash"),
            (Registry::Npm, "@types/node@20", "@types/node"),
            (Registry::Npm, "npm:lodash@4", "lodash"),
            (Registry::Npm, "npm:@a/b@4", "@a/b"),
            (Registry::PyPi, "requests[socks]>=2", "requests"),
            (Registry::PyPi, "requests==2.0", "requests"),
            (Registry::Cargo, "serde@1", "serde"),
            (Registry::Go, "github.com/a/b@latest", "github.com/a/b"),
            (Registry::Composer, "a/b:^1", "a/b"),
            (Registry::Other, "tool@1.2", "tool"),
            (Registry::Other, "@acme/tool@1.2", "@acme/tool"),
            (Registry::Maven, "org.x:tool:1.0", "org.x:tool"),
            (Registry::Maven, "org.x::tool:1.0", "org.x::tool"),
            (Registry::Maven, "x@y/z", "x@y/z"),
        ] {
            assert_eq!(of(registry, text), Spec::Name(name.to_owned()), "{text}");
        }
    }

    #[test]
    fn places() {
        for (registry, text, place) in [
            (Registry::Npm, "acme/tool", "github.com/acme/tool"),
            (Registry::Npm, "github:acme/tool#v1", "github.com/acme/tool"),
            (Registry::Npm, "x@github:acme/tool", "github.com/acme/tool"),
            (Registry::Other, "github:acme/tool?host=example.com", "example.com/acme/tool"),
            (Registry::Npm, "git+ssh://git@github.com/acme/tool.git", "github.com/acme/tool"),
            (Registry::Npm, "git@github.com:acme/tool.git", "github.com/acme/tool"),
            (Registry::Npm, "https://example.com/x.tgz", "example.com/x.tgz"),
            (Registry::PyPi, "git+https://u:p@github.com/acme/tool.git@v1#egg=x", "github.com/acme/tool"),
            (Registry::PyPi, "tool @ git+https://github.com/acme/tool", "github.com/acme/tool"),
            (Registry::Npm, "https://npm.example.com:8080/", "npm.example.com:8080"),
        ] {
            assert_eq!(of(registry, text), Spec::Place(place.to_owned()), "{text}");
        }
    }

    #[test]
    fn paths_and_aliases() {
        for (registry, text) in [
            (Registry::Npm, "../x"),
            (Registry::Npm, "./x.tgz"),
            (Registry::Npm, "x.tgz"),
            (Registry::Npm, "x@file:../y"),
            (Registry::PyPi, "."),
            (Registry::PyPi, ".[dev]"),
            (Registry::PyPi, "dist/x.whl"),
            (Registry::Go, "./..."),
            (Registry::Go, "main.go"),
            (Registry::Other, "./x.deb"),
            (Registry::Maven, "src/Main.java"),
        ] {
            assert!(matches!(of(registry, text), Spec::Path(_)), "{text}: {:?}", of(registry, text));
        }
        let alias = Spec::Alias { name: "evil".to_owned(), real: "real".to_owned() };
        assert_eq!(of(Registry::Npm, "evil@npm:real@1"), alias);
        assert_eq!(of(Registry::Npm, "\u{F0000}"), Spec::Unknown);
        assert_eq!(of(Registry::Npm, "lodash@\u{F0000}"), Spec::Name("lodash".to_owned()));
    }
}
