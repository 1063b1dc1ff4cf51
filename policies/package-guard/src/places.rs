//! Manifests in which keys come before the addresses of dependencies.

use crate::spec;

/// What is suspect about a dependency from an address.
pub(crate) const PLACE: &str = "a place that is not the registry";

/// A kind of manifest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The names of the files, in lower case. After `*`, a name may end so.
    files: &'static [&'static str],
    /// An address in a line with one of these texts is that of a dependency.
    keys: &'static [&'static str],
    /// In the lines from one of these texts to an end, each address is that of a dependency.
    blocks: &'static [&'static str],
    ends: &'static [&'static str],
    /// The beginning of a comment.
    pub(crate) comment: &'static str,
}

#[rustfmt::skip] // A table reads better with one row per line.
static KINDS: &[Kind] = &[
    Kind { files: &["build.zig.zon"], keys: &[".url"], blocks: &[], ends: &[], comment: "//" },
    Kind { files: &["mix.exs"], keys: &[" git:", "github:"], blocks: &[], ends: &[], comment: "#" },
    Kind { files: &["package.swift"], keys: &["url:"], blocks: &[], ends: &[], comment: "//" },
    Kind { files: &["pubspec.yaml"], keys: &["git:", "url:", "hosted:"], blocks: &[], ends: &[], comment: "#" },
    Kind { files: &["environment.yml", "environment.yaml", "conda.yml", "conda.yaml"], keys: &["- git+", "- http", "@ git+", "@ http", "- -e ", "index-url", "find-links"], blocks: &[], ends: &[], comment: "#" },
    Kind { files: &["podfile"], keys: &["git", "source ", ":podspec", ":http"], blocks: &[], ends: &[], comment: "#" },
    Kind { files: &["deps.edn", "bb.edn"], keys: &[":git/url", ":url"], blocks: &[], ends: &[], comment: ";" },
    Kind { files: &["rebar.config"], keys: &["{git", "{hg"], blocks: &[], ends: &[], comment: "%" },
    Kind { files: &["*.sbt"], keys: &["resolver"], blocks: &[], ends: &[], comment: "//" },
    Kind { files: &["*.gradle", "*.gradle.kts"], keys: &["maven(", "uri(", "apply from", "apply(from"], blocks: &["maven {", "maven{", "ivy {", "ivy{"], ends: &["}"], comment: "//" },
    Kind { files: &["gradle-wrapper.properties", "maven-wrapper.properties"], keys: &["distributionUrl", "wrapperUrl"], blocks: &[], ends: &[], comment: "#" },
    Kind { files: &["nuget.config"], keys: &[], blocks: &["<packageSources>"], ends: &["</packageSources>"], comment: "<!--" },
    Kind { files: &["paket.dependencies"], keys: &["source ", "git ", "http "], blocks: &[], ends: &[], comment: "//" },
    Kind { files: &["project.clj"], keys: &[":repositories", ":plugin-repositories"], blocks: &[], ends: &[], comment: ";" },
    Kind { files: &["pom.xml"], keys: &[], blocks: &["<repository>", "<pluginRepository>"], ends: &["</repository>", "</pluginRepository>"], comment: "<!--" },
];

/// Hosts of registries, and repositories that are registries.
const USUAL: &[&str] = &[
    "repo.maven.apache.org",
    "repo1.maven.org",
    "central.sonatype.com",
    "oss.sonatype.org",
    "s01.oss.sonatype.org",
    "plugins.gradle.org",
    "services.gradle.org",
    "downloads.gradle.org",
    "archive.apache.org/dist/maven",
    "dlcdn.apache.org/maven",
    "downloads.apache.org/maven",
    "maven.google.com",
    "dl.google.com",
    "cdn.cocoapods.org",
    "github.com/CocoaPods/Specs",
    "repo.clojars.org",
    "clojars.org",
    "pub.dev",
    "pypi.org",
    "api.nuget.org",
    "www.nuget.org",
];

/// Returns the kind of the manifest with this name, which is in lower case.
pub(crate) fn kind(name: &str) -> Option<&'static Kind> {
    let is_it = |file: &&str| file.strip_prefix('*').map_or(name == *file, |end| name.ends_with(end));
    KINDS.iter().find(|kind| kind.files.iter().any(is_it))
}

impl Kind {
    /// Judges a line. `in_block` notes whether it is in a block in which each address counts.
    pub(crate) fn suspect(
        &self,
        line: &str,
        in_block: &mut bool,
        is_listed: &impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let has = |texts: &[&str]| texts.iter().any(|text| line.contains(text));
        let counts = *in_block || has(self.keys) || has(self.blocks);
        *in_block = (*in_block || has(self.blocks)) && !has(self.ends);
        (counts && places(line).any(|place| !is_listed(&place))).then_some(PLACE)
    }
}

/// Returns the places in a line that are not a registry: addresses, and `github: "user/repo"`.
fn places(line: &str) -> impl Iterator<Item = String> {
    let is_github = line.contains("github:") || line.contains(":github");
    let words = line.split(|c: char| c.is_whitespace() || "\"'`<>(){}[],;".contains(c));
    words.filter_map(move |word| {
        let is_address = word.contains("://") || word.starts_with("git+") || word.starts_with("git@");
        let is_short = is_github && word.split('/').filter(|part| !part.is_empty()).count() == 2;
        let place = match (is_address, is_short) {
            (true, _) => spec::normal(word),
            (false, true) => format!("github.com/{word}"),
            (false, false) => return None,
        };
        // In properties, a backslash comes before the colon.
        let is_open = word.contains("http:") || word.contains("http\\:");
        (is_open || !is_registry(&place)).then_some(place)
    })
}

/// Whether a place is a registry, or on one.
fn is_registry(place: &str) -> bool {
    let is_in = |usual: &&str| place.strip_prefix(*usual).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    USUAL.iter().any(is_in)
}

/// Whether an address leads to a registry, and nobody on the way can change what comes from it.
pub(crate) fn is_usual(address: &str) -> bool {
    address.starts_with("https://") && !address.contains("..") && is_registry(&spec::normal(address))
}
