//! Options and subcommands by which a program installs what an address leads to.

use crate::install::Judge;
use crate::names::Registry;
use crate::places;
use crate::spec::{self, Spec};
use hookbox_policy::{Command, Word, options};

/// What an option is about whose value is the address of what is installed: `--manifest-url`, `--pluginUrl`.
#[rustfmt::skip] // Many words to a line.
const KINDS: &[&str] = &[
    "archive", "artifact", "binary", "bundle", "catalog", "channel", "chart", "dist", "distribution", "download", "extension", "git",
    "index", "installer", "manifest", "mirror", "module", "package", "plugin", "registry", "release", "repo", "repository", "source",
    "tarball", "template", "wheel", "zip",
];

/// The options of `pre-commit try-repo` that take a value.
#[rustfmt::skip] // Many words to a line.
const TRY_REPO: &[&str] = &[
    "-c", "--config", "--color", "--ref", "--rev", "-s", "--source", "--from-ref", "-o", "--origin", "--to-ref", "--hook-stage",
    "--hook-type", "--remote-branch", "--local-branch", "--files",
];

/// Whether a URL that is the value of an option with this name is the address of what is installed.
pub(crate) fn is_address(name: &str) -> bool {
    if matches!(name, "--from" | "--repo" | "--repository" | "--source") {
        return true;
    }
    let plain = name.strip_prefix('-').map(|name| name.replace(['-', '_', '.'], "").to_ascii_lowercase());
    let about = plain.as_deref().and_then(|name| name.strip_suffix("url").or_else(|| name.strip_suffix("uri")));
    about.is_some_and(|about| KINDS.iter().any(|kind| about.ends_with(*kind)))
}

/// Returns the options among arguments that an address of what is installed comes after.
pub(crate) fn addressed(args: &[Word]) -> impl Iterator<Item = &str> {
    args.windows(2).filter_map(|words| match words {
        [option, value] if value.text().contains("://") && is_address(option.text()) => Some(option.text()),
        _ => None,
    })
}

impl Judge<'_> {
    /// Judges `gradle wrapper --gradle-distribution-url=https://…` and `pre-commit try-repo https://…`.
    pub(crate) fn elsewhere(&mut self, command: &Command) {
        let what = command.quote();
        match command.name {
            "gradle" | "gradlew" | "gradle.bat" | "gradlew.bat" => {
                let names = ["--gradle-distribution-url"];
                for address in options(command.args(), &names).values(&names) {
                    self.address(address, &what);
                }
            }
            "pre-commit" | "prek" => {
                let read = options(command.args(), TRY_REPO);
                let mut operands = read.operands.iter().skip_while(|word| word.text() != "try-repo").skip(1);
                match operands.next().map(|word| spec::read(Registry::Other, word)) {
                    Some(Spec::Place(place)) => self.place(&place, &what),
                    Some(Spec::Unknown) => {
                        self.found.unknown(format!("which hooks {what} fetches is known only when it runs"));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Judges the address of a distribution that a command sets.
    pub(crate) fn address(&mut self, address: &Word, what: &str) {
        let text = address.text();
        if text.contains("://") {
            if !places::is_usual(text) {
                self.place(&spec::normal(text), what);
            }
        } else if address.is_unknown() {
            self.found.unknown(format!("where {what} takes packages from is known only when it runs"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for name in
            ["--manifest-url", "--pluginUrl", "--gradle-distribution-url", "-package_url", "--repo-uri", "--source"]
        {
            assert!(is_address(name), "{name}");
        }
        for name in ["--url", "--proxy-url", "--webhook-url", "--homepage-url", "--manifest", "manifest-url"] {
            assert!(!is_address(name), "{name}");
        }
    }
}
