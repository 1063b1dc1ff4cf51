//! Manifests: the files that list dependencies, and the lines that take them from outside the registry.

use crate::checks::NIX_KEY;
use crate::paths::{goes_up, is_page};
use crate::places::{self, Kind, PLACE};
use crate::spec;
use crate::switches::is_off;

/// The manifests that the policy reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manifest {
    /// `package.json`.
    Npm,
    /// `requirements.txt`.
    Requirements,
    /// `Cargo.toml`, `pyproject.toml` and other TOML files.
    Toml,
    /// `Gemfile`.
    Gemfile,
    /// `go.mod`.
    GoMod,
    /// `composer.json`.
    Composer,
    /// `.npmrc`, `pip.conf` and other settings of managers.
    Settings,
    /// `pnpm-workspace.yaml`, which has settings and dependencies.
    Pnpm,
    /// `.mcp.json` and other files that list the servers of an agent.
    Servers,
    /// The sources of a system's packages: `/etc/apt/sources.list`.
    Sources,
    /// Manifests in which keys come before the addresses of dependencies.
    Places(&'static Kind),
}

/// Returns the kind of manifest that a file is, by its name.
pub(crate) fn manifest(path: &str) -> Option<Manifest> {
    let mut names = path.rsplit(['/', '\\']);
    let name = names.next()?.to_ascii_lowercase();
    let folder = names.next().unwrap_or_default();
    Some(match name.as_str() {
        "package.json" | "deno.json" | "deno.jsonc" | "jsr.json" | "import_map.json" | "bower.json" => Manifest::Npm,
        "cargo.toml" | "pyproject.toml" | "pipfile" | "uv.toml" => Manifest::Toml,
        "gemfile" | "gems.rb" => Manifest::Gemfile,
        "go.mod" => Manifest::GoMod,
        "composer.json" => Manifest::Composer,
        ".npmrc" | "npmrc" | ".yarnrc" | ".yarnrc.yml" | "pip.conf" | "pip.ini" | "bunfig.toml" | ".pypirc"
        | ".condarc" | ".mambarc" | "nix.conf" | "pacman.conf" => Manifest::Settings,
        "pnpm-workspace.yaml" => Manifest::Pnpm,
        ".mcp.json"
        | "mcp.json"
        | "mcp-config.json"
        | "mcp_config.json"
        | "claude_desktop_config.json"
        | "opencode.json" => Manifest::Servers,
        "sources.list" | "dnf.conf" | "yum.conf" => Manifest::Sources,
        _ if matches!(folder, "sources.list.d" | "yum.repos.d" | "repos.d") => Manifest::Sources,
        "config.toml" if folder == ".codex" => Manifest::Servers,
        "settings.json" if matches!(folder, ".gemini" | ".qwen") => Manifest::Servers,
        "config.toml" | "config" if folder == ".cargo" => Manifest::Settings,
        name if name.ends_with(".gemspec") => Manifest::Gemfile,
        name if (name.starts_with("requirements") || name.starts_with("constraints"))
            && (name.ends_with(".txt") || name.ends_with(".in")) =>
        {
            Manifest::Requirements
        }
        name if (name.ends_with(".txt") || name.ends_with(".in")) && folder == "requirements" => Manifest::Requirements,
        name => return places::kind(name).map(Manifest::Places),
    })
}

/// Returns a line of a text that takes a package from outside the registry, or that lets a package run more than it
/// should. `is_listed` returns whether the settings list a place, and `is_inside` whether a path such as `../icons`
/// leads from the manifest into the project.
pub(crate) fn suspect(
    manifest: Manifest,
    text: &str,
    is_listed: impl Fn(&str) -> bool,
    is_inside: impl Fn(&str) -> bool,
) -> Option<(String, &'static str)> {
    // A JSON manifest may be one long line.
    let is_json = matches!(manifest, Manifest::Npm | Manifest::Composer);
    let ends: &[char] = if is_json { &['\n', ',', '{', '}'] } else { &['\n'] };
    let mut section = String::new();
    let mut in_block = false;
    for part in text.split_inclusive(ends) {
        let line = part.trim_end_matches(ends).trim().trim_start_matches('+').trim();
        if line.starts_with('[') {
            line.clone_into(&mut section);
        }
        if is_comment(manifest, line) {
            continue;
        }
        let what = match manifest {
            Manifest::Npm => {
                let what = npm(line, &section, &is_listed, &is_inside);
                section_of_npm(line, part.ends_with('}'), &mut section);
                what
            }
            Manifest::Requirements => requirement(line, &is_listed),
            Manifest::Toml => toml(line, &section, &is_listed),
            Manifest::Gemfile => gem(line, &is_listed),
            Manifest::GoMod => {
                // A comment may follow.
                let to = line.split_once("=>").map(|(_, to)| to.split("//").next().unwrap_or(to).trim());
                let is_own = |to: &str| is_listed(to) || to.starts_with("./") && !goes_up(to) || is_inside(to);
                to.filter(|to| !is_own(to)).map(|_| "another module in its place")
            }
            Manifest::Composer => composer(line, &is_listed),
            Manifest::Settings => setting(line, &is_listed),
            Manifest::Pnpm => {
                section_of_pnpm(part, line, &mut section);
                setting(line, &is_listed).or_else(|| npm(line, &section, &is_listed, &is_inside))
            }
            Manifest::Sources => source(line),
            // Their programs are judged as commands.
            Manifest::Servers => None,
            Manifest::Places(kind) => kind.suspect(line, &mut in_block, &is_listed),
        };
        if let Some(what) = what {
            return Some((line.chars().take(100).collect(), what));
        }
    }
    None
}

fn is_comment(manifest: Manifest, line: &str) -> bool {
    match manifest {
        Manifest::Npm | Manifest::Composer | Manifest::GoMod => line.starts_with("//"),
        Manifest::Places(kind) => line.starts_with(kind.comment),
        _ => line.starts_with('#') || line.starts_with(';'),
    }
}

/// Returns the key and the value of `"key": "value"`.
fn member(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let value = value.trim().trim_matches(['"', '\'', '[', ']', ' ']);
    Some((key.trim().trim_matches(['"', '\'']), value))
}

/// What the section is called while members of a list of dependencies are read.
const DEPENDENCIES: &str = "dependencies";
/// What the section is called while members of an import map are read, whose values are packages, URLs or files.
const IMPORTS: &str = "imports";

/// Notes whether the parts after this one are members of a list of dependencies, which `"devDependencies":` begins.
/// `is_end` tells whether an object ends with this part.
fn section_of_npm(line: &str, is_end: bool, section: &mut String) {
    let opened = line.strip_suffix(':').map(|key| key.trim().trim_matches('"').to_ascii_lowercase());
    match opened {
        Some(key) if key.ends_with(DEPENDENCIES) || matches!(key.as_str(), "overrides" | "resolutions" | "catalog") => {
            DEPENDENCIES.clone_into(section);
        }
        Some(key) if key == IMPORTS => IMPORTS.clone_into(section),
        Some(_) => section.clear(),
        None if is_end => section.clear(),
        None => {}
    }
}

/// Notes whether the lines after this one are members of a list of dependencies. A key without indentation ends it.
fn section_of_pnpm(part: &str, line: &str, section: &mut String) {
    if matches!(line, "overrides:" | "catalog:" | "catalogs:") {
        DEPENDENCIES.clone_into(section);
    } else if part.starts_with(|c: char| c.is_ascii_alphabetic()) {
        section.clear();
    }
}

const SCRIPT: &str = "a script that runs when packages are installed";

/// Judges a member of `package.json`. In a list of dependencies, a value without a scheme may be a repository of
/// GitHub, and any URL is that of a package.
fn npm(
    line: &str,
    section: &str,
    is_listed: &impl Fn(&str) -> bool,
    is_inside: &impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let (key, value) = member(line)?;
    let is_in_list = section == DEPENDENCIES;
    if matches!(key, "preinstall" | "postinstall" | "install") {
        let fetches = ["curl", "wget", "http", "node -e", "base64", "eval"].iter().any(|word| value.contains(word));
        return fetches.then_some(SCRIPT);
    }
    let starts = ["git+", "git:", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "ssh:"];
    let is_package = is_in_list
        || section == IMPORTS
        || value.contains(".tgz")
        || value.contains(".tar.gz")
        || value.ends_with(".git");
    let is_url = (value.starts_with("http://") || value.starts_with("https://")) && is_package;
    // The project's own address is not a dependency.
    let is_own = matches!(
        key,
        "url" | "homepage" | "repository" | "bugs" | "git" | "type" | "$schema" | "registry" | "author" | "funding"
    );
    if key == "registry" && value.starts_with("http") {
        let place = spec::normal(value);
        return (place != "registry.npmjs.org" && !is_listed(&place)).then_some("another registry");
    }
    let is_place = starts.iter().any(|start| value.starts_with(start)) || is_url;
    // After the repository comes a branch, a tag or a range of versions: `user/repo#semver:^2`.
    let parts: Vec<&str> = value.split('#').next().unwrap_or(value).split('/').collect();
    let is_name =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    // This is `user/repo`, as opposed to a path to a file.
    let is_short = parts.len() == 2
        && parts.iter().all(is_name)
        && !key.starts_with('.')
        && is_dependency(key)
        && !value.starts_with('.')
        && (is_in_list
            || value.contains("#semver:")
            || value.contains('#') && ![".js", ".ts", " "].iter().any(|part| value.contains(part)));
    if (is_place && (!is_own || is_in_list)) || is_short {
        let text = if is_short { format!("github.com/{value}") } else { value.replacen("github:", "github.com/", 1) };
        return (!is_listed(&spec::normal(&text))).then_some(PLACE);
    }
    if value.starts_with("npm:") {
        let real = value.trim_start_matches("npm:");
        let real = real.rsplit_once('@').filter(|(name, _)| !name.is_empty()).map_or(real, |(name, _)| name);
        return (real != key && !is_listed(&format!("npm:{real}"))).then_some("a package under another name");
    }
    let path = ["file:", "link:", "portal:"].iter().find_map(|scheme| value.strip_prefix(*scheme));
    let is_away = |path: &str| goes_up(path) || path.starts_with(['/', '~']) || path.contains('\\');
    path.filter(|path| is_away(path) && !is_listed(path) && !is_inside(path)).map(|_| "a path outside of the project")
}

fn is_dependency(key: &str) -> bool {
    key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_./@".contains(c))
}

/// Returns a line of requirements without the comment at its end. In `git+https://…#egg=x`, there is none.
pub(crate) fn uncommented(line: &str) -> &str {
    let is_start = |before: &str| before.is_empty() || before.ends_with(char::is_whitespace);
    let mut starts = line.match_indices('#').filter_map(|(at, _)| line.get(..at));
    starts.find(|before| is_start(before)).unwrap_or(line).trim_end()
}

/// Whether the place of packages in a line of requirements is a directory of the project, and no URL or page.
fn is_directory(place: &str) -> bool {
    !(place.contains([':', '\\', '$']) || place.starts_with(['/', '~']) || goes_up(place) || is_page(place))
}

fn requirement(line: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    let line = uncommented(line);
    let index = ["--index-url", "--extra-index-url", "-i ", "--find-links", "-f "]
        .iter()
        .find_map(|name| line.strip_prefix(name));
    if let Some(index) = index {
        let place = index.trim_start_matches('=').trim();
        if (line.starts_with("-f") || line.starts_with("--find-links")) && is_directory(place) {
            return None;
        }
        let is_usual = spec::normal(place) == "pypi.org/simple" && place.starts_with("https://");
        return (!is_usual && !is_listed(&spec::normal(place))).then_some("another index");
    }
    if line.starts_with("--trusted-host") {
        return Some("a host without a certificate");
    }
    let rest = ["-e ", "--editable ", "--editable="].iter().find_map(|name| line.strip_prefix(name)).unwrap_or(line);
    let place = rest.split_once(" @ ").map_or(rest, |(_, place)| place).trim();
    let place = place.split(" ;").next().unwrap_or(place);
    let is_place = place.contains("://") || place.starts_with("git+") || place.starts_with("git@");
    (is_place && !is_listed(&spec::normal(place))).then_some(PLACE)
}

fn toml(line: &str, section: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    let is_listed_place = |value: &str| is_listed(&spec::normal(value));
    // This is `git = "https://…"`, inline or in a separate table.
    for key in ["git", "url", "registry", "index-url", "index", "registry-index"] {
        let Some(value) = value_of(line, key) else {
            continue;
        };
        let is_about =
            matches!(section, "[project.urls]" | "[package]" | "[project]" | "[tool.poetry]" | "[tool.poetry.urls]");
        let is_usual = matches!(spec::normal(value).as_str(), "pypi.org/simple" | "index.crates.io");
        let is_place = value.contains("://") || value.contains('@');
        if is_place && !is_about && !is_usual && !is_listed_place(value) {
            return Some(PLACE);
        }
    }
    if let Some(path) = value_of(line, "path").filter(|_| line.contains('{')) {
        return (path.starts_with(['/', '~']) && !is_listed(path)).then_some("a path outside of the project");
    }
    // This is `"name @ git+https://…"`.
    let place = line.split_once(" @ ").map(|(_, place)| place.trim_matches(['"', '\'', ',', ' ', ']']));
    place.filter(|place| place.contains("://") && !is_listed_place(place)).map(|_| PLACE)
}

/// Returns the value of `key = "value"` in a line.
fn value_of<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    for (at, _) in line.match_indices(key) {
        // Keys may be quoted or dotted: `{ "git" = "…" }`, `x.git = "…"`.
        let starts = if key == "git" { " {,\t\"'." } else { " {,\t\"'" };
        let is_start = line.get(..at).and_then(|before| before.chars().next_back()).is_none_or(|c| starts.contains(c));
        let rest = line
            .get(at + key.len()..)
            .map(|rest| rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start())
            .and_then(|rest| rest.strip_prefix('='))
            .map(str::trim_start);
        if let Some(rest) = rest.filter(|_| is_start) {
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return rest.trim_start_matches(quote).split(quote).next();
        }
    }
    None
}

fn gem(line: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    let quoted: Vec<&str> = line.split(['"', '\'']).skip(1).step_by(2).collect();
    if line.starts_with("source") {
        let place = quoted.first()?;
        let is_usual = spec::normal(place) == "rubygems.org" && place.starts_with("https://");
        return (!is_usual && !is_listed(&spec::normal(place))).then_some("another source");
    }
    let is_gem =
        line.starts_with("gem ") || line.starts_with("gem(") || line.starts_with("git ") || line.starts_with("github ");
    let names = ["git:", "github:", ":git", ":github", "gist:", "bitbucket:"];
    if !is_gem || !(names.iter().any(|name| line.contains(name)) || line.starts_with("git")) {
        return None;
    }
    let place = quoted.iter().skip(1).chain(quoted.first()).find(|text| text.contains('/'))?;
    let place = if place.contains("://") { spec::normal(place) } else { format!("github.com/{place}") };
    (!is_listed(&place)).then_some(PLACE)
}

fn composer(line: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    let (key, value) = member(line)?;
    if key == "secure-http" {
        return (value == "false").then_some("a protection that is switched off");
    }
    let is_repository = key == "url" && (value.contains("://") || value.starts_with("git@"));
    (is_repository && !is_listed(&spec::normal(value))).then_some(PLACE)
}

fn setting(line: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    // In `@acme:registry=https://…`, the colon belongs to the key; in YAML, it ends it.
    let pairs = [line.split_once('='), line.split_once(':')];
    pairs.into_iter().flatten().find_map(|(key, value)| of_pair(key, value, is_listed))
}

fn of_pair(key: &str, value: &str, is_listed: &impl Fn(&str) -> bool) -> Option<&'static str> {
    let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().trim_matches(['"', '\'']));
    let key = key.rsplit([':', '.']).next().unwrap_or(&key).trim_matches('"').to_owned();
    let lower = value.to_ascii_lowercase();
    match key.as_str() {
        key if is_off(key, value) => Some("a protection that is switched off"),
        "trusted-host" => Some("a host without a certificate"),
        "trusted-public-keys" | "extra-trusted-public-keys" => {
            value.split_whitespace().any(|key| key != NIX_KEY).then_some("the key of another registry")
        }
        "registry" | "npmregistryserver" | "index-url" | "extra-index-url" | "index" | "find-links"
        | "replace-with" | "url" | "channel_alias" | "substituters" | "extra-substituters" => {
            let usual = [
                "registry.npmjs.org",
                "registry.yarnpkg.com",
                "pypi.org/simple",
                "index.crates.io",
                "cache.nixos.org",
                "conda.anaconda.org",
            ];
            let place = spec::normal(value);
            let is_usual = usual.contains(&place.as_str()) && lower.starts_with("https");
            (value.contains("://") && !is_usual && !is_listed(&place)).then_some("another registry")
        }
        _ => None,
    }
}

/// Judges a line of the sources of a system: `deb [trusted=yes] …`, `Trusted: yes`, `gpgcheck=0`.
fn source(line: &str) -> Option<&'static str> {
    let line = line.to_ascii_lowercase().replace([' ', '\t'], "").replace(':', "=");
    let begins = |value: &str, known: &[&str]| known.iter().any(|known| value.starts_with(known));
    let is_set = |key: &str, values: &[&str]| line.split(key).skip(1).any(|value| begins(value, values));
    let (yes, no) = (["yes", "true", "on", "enable", "with", "1"], ["no", "false", "off", "disable", "without", "0"]);
    let is_allowed = ["trusted=", "allow-insecure=", "allow-weak=", "allow-downgrade-to-insecure="];
    // `repo_gpgcheck=0` is the default.
    let is_needed = ["gpgcheck=", "sslverify="];
    let is_off = is_allowed.iter().any(|key| is_set(key, &yes))
        || is_set("check-valid-until=", &no)
        || is_needed.iter().any(|key| line.strip_prefix(key).is_some_and(|value| begins(value, &no)));
    is_off.then_some("a protection that is switched off")
}

#[cfg(test)]
mod tests;
