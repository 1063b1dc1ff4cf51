//! Addresses that programs write into what they build, or hand to it, and do not request.

use super::{Reach, Target, host};
use crate::{Command, Word};
use std::borrow::Cow;

/// Programs that build pages or other programs, and their options whose value they only write there.
const BUILDERS: &[(&[&str], &[&str])] = &[
    (&["hugo"], &["-b", "--baseURL", "--baseUrl", "--baseurl"]),
    (&["jekyll"], &["-b", "--baseurl"]),
    (&["zola"], &["-u", "--base-url"]),
    (&["vite", "vitepress"], &["--base"]),
    (&["astro"], &["--site", "--base"]),
    (&["ng"], &["--base-href", "--deploy-url"]),
    (&["parcel", "trunk"], &["--public-url"]),
    (&["esbuild"], &["--public-path"]),
    (&["webpack", "rspack"], &["--output-public-path"]),
    (&["typedoc"], &["--hostedBaseUrl"]),
    (&["composer"], &["--homepage"]),
    (&["fpm"], &["--url"]),
    (&["magick", "convert", "mogrify", "montage", "composite"], &["-annotate", "-caption", "-comment", "-label"]),
    (&["gcc", "g++", "cc", "c++", "clang", "clang++", "meson"], &["-D"]),
    (&["go"], &["-ldflags"]),
];
/// Build tools, and the beginnings of their options with a setting for the project: `-PappUrl=https://host`.
const SETTINGS: &[(&[&str], &[&str])] = &[
    (&["gradle", "gradlew", "gradlew.bat"], &["-P", "-D", "--project-prop=", "--system-prop="]),
    (&["mvn", "mvnw", "mvnd", "mvnw.cmd"], &["-D", "--define="]),
    (&["ant", "sbt", "mill"], &["-D"]),
    (&["dotnet", "msbuild"], &["-p:", "/p:", "-property:", "/property:", "--property:"]),
];
/// Parts of the names of settings, in lower case, that are for the tool or its plugins, which reach the host.
#[rustfmt::skip] // Many words to a line.
const FOR_TOOLS: &[&str] = &[
    "proxy", "repo", "registry", "mirror", "maven", "gradle", "sbt.", "nexus", "artifactory", "publish", "deploy", "upload", "push", "dist", "wrapper",
    "sonar", "scan", "develocity", "enterprise", "cache", "plugin", "remote", "download", "fetch", "source", "feed", "nuget", "package", "config",
    "setting", "init", "script", "schema", "spec", "import", "include", "codebase", "provider", "agent", "grid", "webdriver", "selenium", "catalog",
    "bom", "dependenc", "report", "policy", "security", "scm", "keyserver",
    "exec", "wagon", "docker", "kube", "wsdl", "flyway", "liquibase", "otel", "sentry",
];
/// Properties of .NET, in lower case, that only go into the description of a package.
const DESCRIPTIONS: &[&str] =
    &["packageprojecturl", "packagelicenseurl", "packageiconurl", "packagereleasenotes", "repositoryurl"];
/// Programs that run the program that their first operand names.
const RUNNERS: &[&str] = &["npx", "pnpx", "bunx", "npm", "pnpm", "yarn", "bun", "bundle"];

/// Returns the arguments of a command without the addresses that it only writes.
pub(super) fn requested<'c>(command: &'c Command<'_>) -> Cow<'c, [Word]> {
    let args = command.args();
    if SETTINGS.iter().any(|(names, _)| names.contains(&command.name)) {
        return Cow::Owned(args.iter().filter(|word| !is_for_project(command.name, word.text())).cloned().collect());
    }
    let Some(written) = written(command) else {
        return Cow::Borrowed(args);
    };
    let is_attached = |text: &str| {
        let is_of = |option: &&str| text.strip_prefix(*option).is_some_and(|v| v.starts_with('=') || option.len() == 2);
        written.iter().any(is_of)
    };
    let mut kept = Vec::with_capacity(args.len());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if written.contains(&word.text()) {
            // The place comes before the text: `-annotate +0+10 TEXT`.
            words.nth(usize::from(word.text() == "-annotate"));
        } else if !is_attached(word.text()) {
            kept.push(word.clone());
        }
    }
    Cow::Owned(kept)
}

/// Returns the name and the value of the setting that a word gives to a build tool.
fn setting<'w>(tool: &str, word: &'w str) -> Option<(&'w str, &'w str)> {
    let (_, starts) = SETTINGS.iter().find(|(names, _)| names.contains(&tool))?;
    starts.iter().find_map(|start| word.strip_prefix(*start))?.split_once('=')
}

/// Returns the name of a setting that is for the tool itself, with the addresses in it.
pub(super) fn for_tool<'w>(tool: &str, word: &'w str) -> Option<(&'w str, impl Iterator<Item = &'w str>)> {
    let (name, value) = setting(tool, word).filter(|(name, value)| is_for_tool(tool, name, value))?;
    // `-DaltDeploymentRepository=name::https://host`, `-p:RestoreSources=https://host;https://host`
    let parts = value.split([';', ',']).map(|part| {
        let part = part.split_once('=').filter(|(name, _)| is_name(name)).map_or(part, |(_, value)| value);
        part.rsplit_once("::").map_or(part, |(_, address)| address)
    });
    Some((name, parts))
}

/// Whether one of the settings in a word is for the tool. For .NET, more may come after the first:
/// `-p:Version=1;RestoreSources=https://host`.
fn is_for_tool(tool: &str, name: &str, value: &str) -> bool {
    let is_dotnet = matches!(tool, "dotnet" | "msbuild");
    let more = value.split([';', ',']).filter(|_| is_dotnet).filter_map(|part| part.split_once('='));
    let more = more.map(|(name, _)| name).filter(|name| is_name(name));
    std::iter::once(name).chain(more).any(|name| {
        let lower = name.trim().to_ascii_lowercase();
        let is_told = is_dotnet && DESCRIPTIONS.contains(&lower.as_str());
        // `mvn deploy:deploy-file -Durl=https://host`
        !is_told && (lower == "url" || FOR_TOOLS.iter().any(|part| lower.contains(part)))
    })
}

/// Whether a text is the name of a setting, rather than the beginning of a URL with a query.
fn is_name(text: &str) -> bool {
    !text.contains(['/', ':'])
}

/// Whether a word only gives a setting to the project that a tool builds.
fn is_for_project(tool: &str, word: &str) -> bool {
    setting(tool, word).is_some_and(|(name, value)| {
        let is_metadata = matches!(host::target(value), Target::Host(host) if host.reach() == Reach::Metadata);
        !is_for_tool(tool, name, value) && !is_metadata
    })
}

/// Returns the options of a command whose value it only writes.
fn written(command: &Command<'_>) -> Option<&'static [&'static str]> {
    let of = |name: &str| {
        // `vite@5`
        let name = name.split('@').next().unwrap_or_default();
        BUILDERS.iter().find(|(names, _)| names.contains(&name)).map(|(_, options)| *options)
    };
    if !RUNNERS.contains(&command.name) {
        return of(command.name);
    }
    // The value of an option is not a program, so `npx -p PACKAGE vite` is read in full.
    let mut words = command.args().iter().map(Word::text).filter(|text| !text.starts_with('-'));
    words.find(|text| !matches!(*text, "exec" | "dlx" | "x" | "run")).and_then(of)
}
