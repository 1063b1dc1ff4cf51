//! Protections of package managers, and ways to switch them off.

use crate::checks::{self, is_check_off};
use crate::install::CHANNELS;
use crate::order::Order;
use crate::paths::goes_up;
use crate::set;
use crate::spec;
use hookbox_policy::{Command, UNKNOWN, Word};

/// The members of a manifest that describe the project itself, and say nothing about where packages come from.
const ABOUT: &[&str] =
    &["repository", "homepage", "bugs", "funding", "author", "authors", "contributors", "maintainers", "support"];

/// Returns an option that switches a protection off. `is_own` returns whether the settings list a place, or it is a
/// path in the project.
pub(crate) fn of_options(order: &Order<'_>, is_own: impl Fn(&str) -> bool) -> Option<String> {
    for option in &order.read.options {
        let name = option.name.as_str();
        let value = option.value.as_ref().map(Word::text);
        if order.manager.unprotected.contains(&name) && !matches!(value, Some("false" | "no" | "0")) {
            return Some(name.to_owned());
        }
        let key = name.trim_start_matches("--");
        // This is `pnpm --config.strict-ssl=false`.
        let key = key.strip_prefix("config.").unwrap_or(key);
        let negated = key.strip_prefix("no-").filter(|_| value.is_none());
        let weakens = is_off(key, value.unwrap_or("true")) || negated.is_some_and(|key| is_off(key, "false"));
        if name.starts_with("--") && weakens {
            return Some(format!("{name}={}", value.unwrap_or("true")));
        }
        // A different settings file can also say where packages come from.
        let is_config = matches!(name, "--userconfig" | "--globalconfig")
            || name == "--config-file" && matches!(order.program, "uv" | "uvx") && !value.is_some_and(&is_own);
        let is_registry =
            name == "--config" && order.program == "cargo" && value.is_some_and(|value| of_cargo(value, &is_own));
        if (is_config && value != Some("/dev/null")) || is_registry {
            return Some(format!("{name} {}", value.unwrap_or_default()));
        }
        // This is `apt-get -o Acquire::AllowInsecureRepositories=true`.
        if matches!(name, "-o" | "--option")
            && value.is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                ["allowinsecure", "allowunauthenticated", "allowweak", "verify-peer=false", "check-valid-until=false"]
                    .iter()
                    .any(|key| value.contains(key) && !(value.ends_with("=false") && key.starts_with("allow")))
            })
        {
            return value.map(|value| format!("-o {value}"));
        }
    }
    None
}

/// Whether a setting or a settings file of cargo says where packages come from: `patch.crates-io.x.git="https://…"`.
fn of_cargo(value: &str, is_own: &impl Fn(&str) -> bool) -> bool {
    // The same key is `source.crates-io` and `"source" . crates-io`.
    let plain: String = value.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect();
    let Some((key, to)) = plain.split_once('=') else {
        return !is_own(value);
    };
    let leads = |part: &str| {
        let is_place = part.contains([':', '@', '\\', UNKNOWN]) || part.starts_with(['/', '~']) || goes_up(part);
        is_place && !is_own(part)
    };
    match key.split('.').next().unwrap_or(key) {
        "source" | "registry" | "registries" => true,
        "patch" | "paths" => to.split(['=', ',', '{', '}', '[', ']']).any(leads),
        // An escape may hide any key.
        first => first.contains('\\') || value.contains("source.") || value.contains("registr"),
    }
}

/// Whether a setting with this value switches a protection off.
pub(crate) fn is_off(key: &str, value: &str) -> bool {
    // The same setting is `minimum-release-age`, `minimumReleaseAge` or `MINIMUM_RELEASE_AGE`.
    let key = key.to_ascii_lowercase().replace(['-', '_'], "");
    // An age may have a unit: `0d`.
    let is_zero = value.trim_end_matches(|c: char| c.is_ascii_alphabetic()) == "0";
    let is_false = is_zero || matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "null" | "");
    let is_true = matches!(value.to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on");
    match key.as_str() {
        "ignorescripts"
        | "strictssl"
        | "securehttp"
        | "enablestrictssl"
        | "strictpeertls"
        | "sslverify"
        | "verifyssl"
        | "minimumreleaseage"
        | "minreleaseage"
        | "npmminimalagegate"
        | "certificatesverify"
        | "channelprioritystrict"
        | "enablehardenedmode"
        | "verifystoreintegrity"
        | "strictstorepkgcontentcheck"
        | "requiresigs"
        | "blockexoticsubdeps"
        | "sslverifymode" => is_false,
        "enablescripts"
        | "dangerouslyallowallbuilds"
        | "unsafeperm"
        | "allowplugins"
        | "disabletls"
        | "yarnenablescripts"
        | "nostrictssl"
        | "disablechecksumvalidation"
        | "unsafehttps"
        | "unsaferegistry"
        | "noverifyrepoorigin"
        | "noverifyhashes" => is_true,
        // Yarn then takes an archive with another checksum than that of the lock file.
        "checksumbehavior" => matches!(value.to_ascii_lowercase().as_str(), "ignore" | "update"),
        // This is `SigLevel = Optional TrustAll` of pacman.
        "siglevel" => ["never", "trustall"].iter().any(|level| value.to_ascii_lowercase().contains(level)),
        // In YAML, the list is on the lines after the key.
        "unsafehttpwhitelist" => value != "[]",
        _ => false,
    }
}

/// Returns a setting that leads to another source or switches a protection off. `is_listed` returns whether the
/// settings list a place.
pub(crate) fn of_setting(order: &Order<'_>, is_listed: impl Fn(&str) -> bool) -> Option<String> {
    let words: Vec<&str> = order.operands.iter().map(Word::text).collect();
    match order.program {
        // This is `go env -w GOSUMDB=off`.
        "go" => {
            let pairs = words.iter().filter_map(|word| word.split_once('='));
            let replaced = order.read.values(&["-replace", "--replace"]).map(Word::text).filter(|value| {
                // This is a path in the project.
                !value.split_once('=').is_some_and(|(_, to)| to.starts_with("./") && !goes_up(to))
            });
            let set = pairs.filter(|(name, value)| of_variable(name, value, &is_listed));
            set.map(|(name, value)| format!("{name}={value}")).next().or_else(|| replaced.map(str::to_owned).next())
        }
        // This is `gem sources --add URL`.
        "gem" => {
            let adds = order.read.has(&["-a", "--add"]);
            words
                .iter()
                .find(|word| adds && word.contains("://") && !is_listed(&spec::normal(word)))
                .map(|word| (*word).to_owned())
        }
        "conda" | "mamba" | "micromamba" => {
            let adds = order.read.has(&["--add", "--append", "--prepend", "--set"]);
            let is_channel = |word: &str| !CHANNELS.contains(&word.to_ascii_lowercase().as_str()) && !is_listed(word);
            let mut before = "";
            let mut words = words.into_iter().filter(|_| adds);
            words
                .find(|word| {
                    let key = std::mem::replace(&mut before, *word);
                    word.contains("://")
                        || *word == "ssl_verify"
                        || key.ends_with("channels") && is_channel(word)
                        || is_conda_check_off(key, word)
                })
                .map(str::to_owned)
        }
        _ => of_words(order, &words, &is_listed),
    }
}

/// Returns such a setting among words that give keys and values.
fn of_words(order: &Order<'_>, words: &[&str], is_listed: &impl Fn(&str) -> bool) -> Option<String> {
    let has_about = matches!(order.program, "npm" | "pnpm" | "bun" | "vlt" | "composer");
    let is_about = |key: &str| {
        let first = key.split(['.', '[']).next().unwrap_or(key);
        has_about && (ABOUT.contains(&first) || key.starts_with("init-author") || key.starts_with("init.author"))
    };
    // Whether `../x` leads out of the project is not known here.
    let of_member = |key: &str, value: &str| {
        let what = set::of_member(key, value, is_listed, |path| path.starts_with("../"));
        what.map(|_| format!("{key}={value}"))
    };
    // This is `yarn set resolution x@npm:^1 npm:y@1`, as opposed to `npm:1.2`, which is a version of the same.
    let is_version = |value: &str| {
        let version = value.strip_prefix("npm:");
        version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || "^~.".contains(c)))
    };
    let resolution = match words {
        ["resolution", name, value] if !is_version(value) => of_member(&format!("resolutions[\"{name}\"]"), value),
        _ => None,
    };
    let pairs = pairs(words, order.manager.names.contains(&"npm"));
    let mut sources = pairs.into_iter().filter(|(key, _)| !is_about(key));
    resolution
        .or_else(|| sources.find_map(|(key, value)| of_pair(key, value, is_listed).or_else(|| of_member(key, value))))
}

/// Returns the settings that words give. npm takes any number of them, each as `key=value` or as two words.
fn pairs<'w>(words: &[&'w str], is_npm: bool) -> Vec<(&'w str, &'w str)> {
    match words {
        _ if is_npm => {
            let mut pairs = Vec::new();
            let mut rest = words.iter().copied();
            while let Some(word) = rest.next() {
                pairs.extend(word.split_once('=').or_else(|| Some((word, rest.next()?))));
            }
            pairs
        }
        [first, ..] if first.contains('=') => words.iter().filter_map(|word| word.split_once('=')).collect(),
        [key, .., value] => vec![(*key, *value)],
        _ => Vec::new(),
    }
}

/// Whether a setting of conda with this value switches a check of packages off, or lets a package come from any channel
/// that has it. By default, it warns about packages that fail its checks.
fn is_conda_check_off(key: &str, value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let is_no = matches!(value.as_str(), "disabled" | "false" | "no" | "off");
    is_no && matches!(key, "safety_checks" | "channel_priority") || is_check_off(key, Some(&value))
}

/// Returns a setting that leads to another source or switches a protection off.
fn of_pair(key: &str, value: &str, is_listed: &impl Fn(&str) -> bool) -> Option<String> {
    let is_new_place = |value: &str| {
        (value.contains("://") || value.starts_with("git+") || value.starts_with("github:"))
            && !is_listed(&spec::normal(value))
    };
    let lower = key.to_ascii_lowercase();
    // This is also `yarn set version https://…`, which fetches yarn itself.
    let is_place_key = [
        "registry",
        "index",
        "source",
        "repositories",
        "mirror",
        "url",
        "find-links",
        "dependencies",
        "version",
        "resolution",
    ];
    let is_usual = ["registry.npmjs.org", "registry.yarnpkg.com", "pypi.org/simple"]
        .contains(&spec::normal(value).as_str())
        && value.starts_with("https://");
    let leads = is_place_key.iter().any(|name| lower.contains(name)) && is_new_place(value) && !is_usual;
    let last = key.rsplit('.').next().unwrap_or(key);
    let runs = lower.starts_with("scripts.") && ["preinstall", "install", "postinstall", "prepare"].contains(&last);
    // This is `composer config allow-plugins.x true`.
    let is_plugin = lower.starts_with("allow-plugins");
    let is_trusted = last == "trusted-host" && !value.is_empty();
    // This is `poetry config certificates.x.cert false`, where the user chooses `x`. The project's own scripts may have
    // any name.
    let is_unchecked = !lower.starts_with("scripts.") && [key, last].iter().any(|name| is_check_off(name, Some(value)));
    (leads || runs || is_trusted || is_unchecked || is_off(last, value) || (is_plugin && value == "true"))
        .then(|| format!("{key}={value}"))
}

/// Returns a variable of a command that leads to another source or switches a protection off.
pub(crate) fn of_variables(command: &Command, is_listed: impl Fn(&str) -> bool) -> Option<String> {
    let set = command.facts.assignments.iter().map(|set| (set.name.clone(), Word::from(&set.value)));
    let is_declaration = matches!(command.name, "export" | "declare" | "typeset");
    let declared = command.args().iter().filter(|_| is_declaration).filter_map(|word| {
        let (name, _) = word.text().split_once('=')?;
        Some((name.to_owned(), word.after(name.len() + 1)))
    });
    let mut all = set.chain(declared);
    all.find(|(name, value)| of_variable(name, value.text(), &is_listed))
        .map(|(name, value)| format!("{name}={}", value.text()))
}

fn of_variable(name: &str, value: &str, is_listed: &impl Fn(&str) -> bool) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_new = |value: &str| {
        let place = spec::normal(value);
        let is_usual = value.starts_with("https://")
            && ["registry.npmjs.org", "pypi.org/simple", "proxy.golang.org", "index.crates.io"]
                .contains(&place.as_str());
        value.contains("://") && !is_usual && !is_listed(&place)
    };
    match lower.as_str() {
        "npm_config_registry"
        | "yarn_npm_registry_server"
        | "yarn_registry"
        | "bun_config_registry"
        | "pip_index_url"
        | "pip_extra_index_url"
        | "pip_find_links"
        | "uv_index_url"
        | "uv_default_index"
        | "uv_extra_index_url"
        | "uv_index"
        | "uv_find_links"
        | "pipenv_pypi_mirror"
        | "bundle_mirror__https://rubygems__org"
        | "homebrew_bottle_domain"
        | "homebrew_artifact_domain" => is_new(value),
        "pip_config_file"
        | "npm_config_userconfig"
        | "npm_config_globalconfig"
        | "uv_config_file"
        | "bundle_config" => !value.is_empty() && value != "/dev/null",
        "goproxy" => value.split([',', '|']).any(is_new),
        "gosumdb" => value == "off",
        "gonosumdb" | "gonosumcheck" | "goinsecure" | "pip_trusted_host" | "uv_insecure_host" | "gonoproxy" => {
            !value.is_empty() && value != "none"
        }
        "goflags" => value.contains("-insecure"),
        // Then no checksum of a module of these hosts is looked up.
        "goprivate" => value.split(',').any(|host| matches!(host.trim(), "*" | "*.*" | "github.com" | "github.com/*")),
        "pip_break_system_packages" | "uv_break_system_packages" | "uv_no_verify_hashes" => {
            value == "1" || value.eq_ignore_ascii_case("true")
        }
        "homebrew_cask_opts" => value.contains("--no-quarantine"),
        "node_tls_reject_unauthorized" => value == "0",
        "homebrew_no_require_tap_trust" => value == "1",
        _ if checks::of_variable(&lower, value, is_listed) => true,
        _ => match lower
            .strip_prefix("npm_config_")
            .or(lower.strip_prefix("yarn_"))
            .or(lower.strip_prefix("pnpm_config_"))
            .or(lower.strip_prefix("bundle_"))
        {
            Some(key) => is_off(key, value),
            None => {
                (lower.starts_with("cargo_registries_") || lower.starts_with("cargo_source_"))
                    && value.contains("://")
                    && is_new(value)
            }
        },
    }
}
