//! Options, settings and variables that switch checks of signatures, checksums and certificates off.

use crate::install::is_local;
use crate::order::Order;
use crate::spec;
use hookbox_policy::{Command, Word};

/// What a check is about, as the beginning of a word.
#[rustfmt::skip] // Many words to a line.
const SUBJECTS: &[&str] = &[
    "attestation", "cert", "checksig", "checksum", "cosign", "gpg", "hashcheck", "integrity", "pgp", "revoke", "sigcheck", "signature",
    "sigs", "slsa", "ssl", "tls", "verif",
];
/// Words that switch off the check after them.
const NEGATIONS: &[&str] = &["no", "skip", "ignore", "disable", "lax"];
/// What an option may allow although a check would stop it.
const UNSAFE: &[&str] = &["insecure", "unauthenticated", "unsigned", "untrusted", "unverified", "emptychecksum"];

/// Whether an option, a setting or a variable with this name and value switches a check off: `--no-check-sigs`,
/// `--skippgpcheck`, `--allow-unsigned`, `--insecure-ssl`, `gpgcheck=0`, `CONDA_SSL_VERIFY=false`.
pub(crate) fn is_check_off(name: &str, value: Option<&str>) -> bool {
    let is_no = value.is_some_and(|value| {
        matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0" | "never" | "none" | "disabled")
    });
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // The certificates of the system are as good as others: `--no-native-tls`. In `certificates.system.cert`, the user
    // chose the word.
    if words.iter().find(|word| **word != "no").is_some_and(|word| matches!(*word, "native" | "system")) {
        return false;
    }
    let after = |at: usize| words.get(at + 1..).unwrap_or_default();
    let is_weak = words.iter().enumerate().any(|(at, word)| {
        let is_negated = |negation: &&str| {
            // This is `--skippgpcheck`, as opposed to `--notice`.
            let rest = word.strip_prefix(*negation);
            rest.is_some_and(|rest| is_subject(rest) || rest.is_empty() && is_about(after(at)))
        };
        let allowed = word.strip_prefix("allow").map(|rest| format!("{rest}{}", after(at).concat()));
        let allows = allowed.is_some_and(|allowed| UNSAFE.iter().any(|start| allowed.starts_with(*start)));
        allows || at == 0 && *word == "insecure" || NEGATIONS.iter().any(is_negated)
    });
    if is_no { !is_weak && is_about(&words) } else { is_weak }
}

/// Whether a word says what is checked.
fn is_subject(word: &str) -> bool {
    word == "integ" || SUBJECTS.iter().any(|subject| word.starts_with(*subject))
}

/// Whether words say what is checked: `check-sigs`, `security-hash`.
fn is_about(words: &[&str]) -> bool {
    let has_hash = words.iter().any(|word| word.starts_with("hash"));
    let checks = |word: &&str| matches!(*word, "check" | "security");
    words.iter().any(|word| is_subject(word)) || has_hash && words.iter().any(checks)
}

/// Returns an option of a command that installs something and that switches a check off.
pub(crate) fn of_options(order: &Order<'_>) -> Option<String> {
    // With this option, Yarn only checks whether the installed files exist.
    let is_harmless = |name: &str| name == "--skip-integrity-check" && order.manager.names.contains(&"yarn");
    let mut long = order.read.options.iter().filter(|option| option.name.starts_with("--"));
    let found = long.find(|option| {
        !is_harmless(option.name.as_str()) && is_check_off(&option.name, option.value.as_ref().map(Word::text))
    })?;
    Some(match &found.value {
        Some(value) => format!("{} {}", found.name, value.text()),
        None => found.name.clone(),
    })
}

/// The options of `nix` that say where packages come from, or whose packages it trusts.
const NIX: &[&str] = &[
    "substituters",
    "extra-substituters",
    "trusted-substituters",
    "extra-trusted-substituters",
    "trusted-public-keys",
    "extra-trusted-public-keys",
];

/// The key that signs the packages of the cache of Nix. Anybody can make another key with the same name.
pub(crate) const NIX_KEY: &str = "cache.nixos.org-1:6NCHdD59X431o0gWypbMrAURkbJ16ZPMQFGspcDShjY=";

/// Returns what switches a check off in a command of a program that has such options outside of installations, too.
/// `is_listed` returns whether the settings list a place.
pub(crate) fn of_command(command: &Command, is_listed: impl Fn(&str) -> bool) -> Option<String> {
    let words: Vec<&str> = command.args().iter().map(Word::text).collect();
    let pairs = || words.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    let attached = || {
        let plain = words.iter().map(|word| word.strip_prefix("--system-prop=").unwrap_or(word));
        plain.filter_map(|word| word.split_once('='))
    };
    match command.name {
        "gradle" | "gradlew" | "gradle.bat" | "gradlew.bat" => {
            let is_option = |name: &str| matches!(name, "-F" | "--dependency-verification");
            // The option `-D` may be a separate word.
            let is_property =
                |name: &str| name.trim_end().trim_start_matches("-D") == "org.gradle.dependency.verification";
            let is_off = |value: &str| ["off", "lenient"].iter().any(|off| value.eq_ignore_ascii_case(off));
            let mut set = pairs()
                .filter(|(name, _)| is_option(name))
                .chain(attached().filter(|(name, _)| is_option(name) || is_property(name)));
            let found = set.find(|(_, value)| is_off(value));
            let cluster = || words.iter().find(|word| word.strip_prefix("-F").is_some_and(is_off));
            found.map(|(name, value)| format!("{name} {value}")).or_else(|| cluster().map(|word| (*word).to_owned()))
        }
        "mvn" | "mvnw" | "mvnd" | "mvn.cmd" | "mvnw.cmd" => {
            let is_off = |word: &&&str| {
                let lower = word.to_ascii_lowercase();
                matches!(**word, "--lax-checksums" | "-c")
                    || lower.starts_with("-dmaven.wagon.http.ssl.") && !lower.ends_with("=false")
                    || lower == "-daether.connector.https.securitymode=insecure"
            };
            words.iter().find(is_off).map(|word| (*word).to_owned())
        }
        "dnf" | "dnf5" | "yum" | "microdnf" | "tdnf" => {
            let set = pairs().filter(|(name, _)| *name == "--setopt").map(|(_, set)| set);
            let mut set = set.chain(words.iter().filter_map(|word| word.strip_prefix("--setopt=")));
            let is_off = |set: &&str| {
                let Some((key, value)) = set.split_once('=') else { return false };
                // By default, the signature of the list itself is not checked.
                let key = key.rsplit('.').next().unwrap_or(key);
                key != "repo_gpgcheck" && is_check_off(key, Some(value))
            };
            set.find(is_off).map(|set| format!("--setopt {set}"))
        }
        name if name.starts_with("nix") || matches!(name, "home-manager" | "darwin-rebuild") => {
            nix(name, &words, &is_listed)
        }
        _ => None,
    }
}

/// Returns what a command says to `nix`.
fn nix(name: &str, words: &[&str], is_listed: &impl Fn(&str) -> bool) -> Option<String> {
    let flag = words.iter().find(|word| matches!(**word, "--no-require-sigs" | "--no-check-sigs"));
    let options = words.windows(3).filter_map(|words| match words {
        ["--option", key, value] => Some((*key, *value)),
        _ => None,
    });
    let named = words.windows(2).filter_map(|words| match words {
        [name, value] => Some((name.strip_prefix("--")?, *value)),
        _ => None,
    });
    let mut set = options.chain(named.filter(|(key, _)| NIX.contains(key)));
    let found = set.find(|(key, value)| of_nix(key, value, is_listed));
    let place = || {
        let builds = |word: &&str| matches!(*word, "build" | "develop" | "bundle");
        let is_remote = |word: &&&str| {
            let place = word.split_once(':').and_then(|(kind, rest)| match (kind, spec::named_host(rest)) {
                ("github" | "gitlab", Some(host)) => Some(format!("{host}/{rest}")),
                ("github" | "gitlab", None) => Some(format!("{kind}.com/{rest}")),
                _ if is_address(word) => Some(spec::normal(word)).filter(|place| !is_local(place)),
                _ => None,
            });
            let is_nixos = |place: &str| place.to_ascii_lowercase().starts_with("github.com/nixos/");
            place.is_some_and(|place| {
                let place = place.split(['#', '?']).next().unwrap_or(&place);
                !is_nixos(place) && !is_listed(place)
            })
        };
        let mut own = words.iter().take_while(|word| !matches!(**word, "-c" | "--command" | "--"));
        own.find(is_remote).filter(|_| name == "nix" && words.iter().any(builds))
    };
    let flag = flag.or_else(place).map(|word| (*word).to_owned());
    found.map(|(key, value)| format!("{key} {value}")).or(flag)
}

/// Whether a word is the address of a flake, unlike that of a cache: `git+https://host/path`, `https://host/x.tar.gz`.
fn is_address(word: &str) -> bool {
    let Some((kind, place)) = word.split_once("://") else { return false };
    let path = place.split(['#', '?']).next().unwrap_or(place);
    let is_archive =
        [".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar.zst", ".zip"].iter().any(|end| path.ends_with(end));
    let is_explicit = ["git+", "hg+", "tarball+"].iter().any(|start| kind.starts_with(start));
    !place.starts_with('/') && (is_explicit || is_archive)
}

/// Whether a setting of `nix` switches a check off, or has it take packages from another place.
fn of_nix(key: &str, value: &str, is_listed: &impl Fn(&str) -> bool) -> bool {
    let mut values = value.split_whitespace();
    match key {
        "require-sigs" | "sandbox" => value == "false",
        key if key.ends_with("public-keys") => values.any(|key| key != NIX_KEY),
        key if NIX.contains(&key) => values.any(|place| {
            let is_bucket = place.starts_with("s3://");
            let place = spec::normal(place);
            (is_bucket || place.contains('.')) && place != "cache.nixos.org" && !is_listed(&place)
        }),
        _ => false,
    }
}

/// The beginnings of variables that package managers read.
#[rustfmt::skip] // Many words to a line.
const MANAGERS: &[&str] = &[
    "aqua_", "asdf_", "bundle_", "cargo_", "composer_", "conan_", "conda_", "corepack_", "deno_", "dotnet_nuget_", "gem_", "hex_",
    "homebrew_", "luarocks_", "mamba_", "mise_", "nodejs_", "npm_config_", "opam", "pdm_", "pip_", "pipenv_", "pixi_", "pnpm_", "poetry_",
    "rustup_", "spack_", "tfenv_", "uv_", "vcpkg_", "volta_", "yarn_",
];
/// The beginnings of variables of programs and packages that download a part of themselves.
#[rustfmt::skip] // Many words to a line.
const DOWNLOADERS: &[&str] = &[
    "chromedriver_", "cypress_", "electron_", "fnm_", "goenv_", "node_", "nvm_", "playwright_", "puppeteer_", "python_", "rbenv_",
    "ruby_build_", "sass_", "sentrycli_", "sharp_",
];
/// Variables that say where packages come from, and the ends of the names of others.
#[rustfmt::skip] // Many words to a line.
const PLACES: &[&str] = &[
    "conda_channel_alias", "corepack_npm_registry", "coursier_repositories", "flutter_storage_base_url", "hex_api_url", "hex_api", "hex_cdn",
    "hex_cdn_url", "hex_mirror_url", "homebrew_api_domain", "homebrew_brew_git_remote", "homebrew_core_git_remote",
    "homebrew_pip_index_url", "jsr_url", "mvnw_repourl", "npm_config_disturl", "pdm_pypi_url", "pub_hosted_url", "rustup_dist_server",
    "rustup_update_root", "tfenv_remote", "x_vcpkg_asset_sources",
];
#[rustfmt::skip] // Many words to a line.
const ENDS: &[&str] = &[
    "_binary_host", "_binary_host_mirror", "_dist_server", "_download_base_url", "_download_host", "_hosted_url", "_index_url", "_mirror",
    "_mirror_url",
];
/// Where these lead by default.
#[rustfmt::skip] // Many words to a line.
const USUAL: &[&str] = &[
    "conda.anaconda.org", "formulae.brew.sh/api", "github.com/homebrew/brew", "github.com/homebrew/homebrew-core", "hex.pm/api", "jsr.io",
    "nodejs.org/dist", "npm.jsr.io", "pub.dev", "pub.dartlang.org", "pypi.org/simple", "registry.npmjs.org", "repo.hex.pm",
    "repo.maven.apache.org/maven2", "rubygems.org", "static.rust-lang.org", "static.rust-lang.org/rustup", "storage.googleapis.com",
];

/// Whether a variable, whose name is in lower case, leads a package manager to another source or switches a check off.
pub(crate) fn of_variable(name: &str, value: &str, is_listed: &impl Fn(&str) -> bool) -> bool {
    let is_new = |place: &str| {
        let normal = spec::normal(place);
        let is_usual = place.starts_with("https://") && USUAL.contains(&normal.to_ascii_lowercase().as_str());
        place.contains("://") && !is_usual && !is_listed(&normal) && !is_local(&normal)
    };
    let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(*start));
    let is_download = ENDS.iter().any(|end| name.ends_with(*end)) && (begins(MANAGERS) || begins(DOWNLOADERS));
    let leads = PLACES.contains(&name) || is_download || name.starts_with("bundle_mirror__");
    if leads && value.split(['|', ',', ' ', ';']).any(is_new) {
        return true;
    }
    match name {
        "nix_config" => {
            let mut lines = value.lines().filter_map(|line| line.split_once('='));
            lines.any(|(key, value)| of_nix(key.trim(), value.trim(), is_listed))
        }
        "corepack_integrity_keys" => matches!(value, "" | "0"),
        "hex_unsafe_https" | "hex_unsafe_registry" | "tf_skip_provider_verify" => !matches!(value, "" | "0" | "false"),
        _ => {
            let key = MANAGERS.iter().find_map(|start| name.strip_prefix(*start));
            // An empty variable counts as one that is not set.
            key.is_some_and(|key| !value.is_empty() && is_check_off(key, Some(value)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks() {
        for (name, value) in [
            ("--no-checksums", None),
            ("--no-gpg-checks", None),
            ("--nosigcheck", None),
            ("--skippgpcheck", None),
            ("--skipinteg", None),
            ("--skip-hash-check", None),
            ("--ignore-security-hash", None),
            ("--allow-insecure-http", None),
            ("--allow-empty-checksums", None),
            ("--tls-no-verify", None),
            ("--insecure-skip-tls-verify", None),
            ("--verify", Some("false")),
            ("gpgcheck", Some("0")),
            ("ssl_verify", Some("false")),
            ("nochecksums", Some("1")),
            ("skip_provider_verify", Some("true")),
            ("certificates.system.cert", Some("false")),
        ] {
            assert!(is_check_off(name, value), "{name} {value:?}");
        }
        for (name, value) in [
            ("--no-install-recommends", None),
            ("--ignore-platform-reqs", None),
            ("--no-interaction", None),
            ("--force-resolution", None),
            ("--no-default-packages", None),
            ("--no-native-tls", None),
            ("--without-openssl", None),
            ("--verify", None),
            ("--check-sigs", None),
            ("--notice", None),
            ("--no-checksums", Some("false")),
            ("--verify", Some("true")),
            ("no_insecure_redirect", Some("1")),
            ("checksum_behavior", Some("throw")),
        ] {
            assert!(!is_check_off(name, value), "{name} {value:?}");
        }
    }
}
