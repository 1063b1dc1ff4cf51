//! More rows of the table of package managers: those of single programs, languages, boards, shells and systems.

use crate::managers::{Does, Family, Manager, PIP, PIP_SOURCES, UV_UNPROTECTED, Verbs};
use crate::names::Registry;
use Does::{Add, Configure, Run, Script, Source, Sync, Tool};
use hookbox_policy::{Index, index};

/// Returns the manager with this name.
pub(crate) fn find(name: &str) -> Option<&'static Manager> {
    BY_NAME.rows(name).filter_map(|row| OTHERS.get(row)).find(|manager| manager.names.contains(&name))
}

/// The rows of the table by the names in them.
static BY_NAME: Index = index!(OTHERS, |manager| manager.names);

/// Returns a row without options.
const fn row(names: &'static [&'static str], registry: Registry, verbs: Verbs) -> Manager {
    Manager { names, family: Family::None, registry, values: &[], sources: &[], global: &[], unprotected: &[], verbs }
}

use Registry::{Cargo, Composer, Gem, Go, Npm, Other, PyPi};

const ADDS: Verbs = &[(&["add"], Add)];
const INSTALLS: Verbs = &[(&["install"], Tool), (&["i"], Tool)];
const TAKES: Verbs = &[(&[], Tool)];

/// The options of `guix` that take a value.
#[rustfmt::skip] // Many words to a line.
const GUIX: &[&str] = &[
    "-p", "--profile", "-m", "--manifest", "-s", "--search", "-r", "--remove", "-e", "--expression", "-f", "--file", "-d", "-S", "-l",
    "-L", "--load-path", "-A", "--list-available", "-I", "--list-installed", "--with-source", "--with-input",
];

/// The options of `conan` that take a value.
#[rustfmt::skip] // Many words to a line.
const CONAN: &[&str] = &[
    "--version", "--name", "--user", "--channel", "-s", "--settings", "--settings:all", "--settings:build", "--settings:host", "-o",
    "--options", "--options:all", "--options:build", "--options:host", "-c", "--conf", "--conf:all", "--conf:build", "--conf:host",
    "--profile", "--profile:all", "--profile:build", "--profile:host", "--output-folder", "--install-folder", "-b", "--build", "-g",
    "--generator", "-l", "--lockfile", "--lockfile-out", "-d", "--deployer", "--deployer-folder", "-f", "--format", "--out-file",
    "--core-conf", "-e", "--env", "-j", "--json", "--requires", "--tool-requires",
];

#[rustfmt::skip] // A table reads better with one row per line.
const OTHERS: &[Manager] = &[
    // JavaScript and the web.
    Manager { values: &["--project", "--collection", "--scope", "--npmClient"], sources: &["--registry"],
        ..row(&["ng", "nx", "lerna", "vue", "nest", "astro", "storybook", "sb", "esy", "openupm", "openupm-cn"], Npm, ADDS) },
    Manager { values: &["-p", "--package"], ..row(&["rush"], Npm, ADDS) },
    Manager { sources: &["--registry"], ..row(&["expo", "bower", "jspm", "ember", "component", "volo", "typings", "tsd", "smithery", "mcpm", "mcp-get"], Npm, &[(&["install"], Add), (&["i"], Add)]) },
    row(&["skills"], Npm, &[(&["add"], Tool), (&["install"], Tool), (&["i"], Tool)]),
    row(&["add-skill"], Npm, TAKES),
    row(&["meteor"], Npm, &[(&["npm", "install"], Add), (&["npm", "i"], Add), (&["add"], Add)]),
    // Python.
    Manager { values: PIP, sources: PIP_SOURCES, unprotected: UV_UNPROTECTED, ..row(&["llm", "datasette", "sqlite-utils", "pyflow"], PyPi, INSTALLS) },
    Manager { values: PIP, sources: PIP_SOURCES, unprotected: UV_UNPROTECTED, ..row(&["pip-sync", "pip-compile"], PyPi, &[(&[], Sync)]) },
    Manager { values: &["-o", "--output-file", "-m", "-e", "-c", "-r", "-D", "--python", "--platform", "-p", "--script", "--entry-point", "--requirement"], sources: PIP_SOURCES,
        ..row(&["pex", "shiv"], PyPi, TAKES) },
    Manager { values: &["-e", "--env", "-j", "--jobs"], unprotected: &["-n", "-k"],
        ..row(&["spack"], Other, &[(&["mirror", "add"], Source), (&["repo", "add"], Source), (&["install"], Tool), (&["add"], Add)]) },
    Manager { values: &["-t", "--target"], sources: &["--index"], ..row(&["circup", "upip", "ipm", "mip"], Other, INSTALLS) },
    Manager { values: &["-t", "--target"], sources: &["--index"], ..row(&["mpremote"], Other, &[(&["mip", "install"], Tool)]) },
    // Rust and Go.
    row(&["cargo-binstall", "cargo-quickinstall"], Cargo, &[(&["binstall"], Tool), (&["quickinstall"], Tool), (&[], Tool)]),
    Manager { values: &["--output", "--with", "--replace", "--embed"], ..row(&["xcaddy", "xk6"], Go, &[(&["build"], Script)]) },
    row(&["hugo"], Go, &[(&["mod", "get"], Add)]),
    row(&["bingo", "gopm", "glide"], Go, &[(&["get"], Tool)]),
    row(&["caddy"], Go, &[(&["add-package"], Tool)]),
    // Ruby, PHP and .NET.
    row(&["fastlane"], Gem, &[(&["add_plugin"], Tool)]),
    row(&["phive", "pie", "pickle"], Composer, INSTALLS),
    row(&["paket", "libman"], Other, &[(&["add"], Add), (&["install"], Add)]),
    // The JVM.
    row(&["clojure", "clj"], Other, &[(&["install"], Tool), (&["install-latest"], Tool)]),
    Manager { sources: &["-r", "--resolver"], ..row(&["grape"], Other, INSTALLS) },
    // Other languages.
    row(&["elm", "elm-json", "spago", "mint", "haxelib", "corral", "cask", "eask", "ppm", "lit", "v"], Other, &[(&["install"], Add), (&["add"], Add), (&["git"], Add)]),
    row(&["gleam", "moon", "mbed"], Other, ADDS),
    row(&["ros", "qlot", "ocicl", "clpm"], Other, &[(&["install"], Tool), (&["add"], Add)]),
    row(&["chicken-install"], Other, TAKES),
    row(&["alr"], Other, &[(&["install"], Tool), (&["with"], Add), (&["get"], Add)]),
    Manager { sources: &["--registry"], ..row(&["dub"], Other, &[(&["add"], Add), (&["fetch"], Add)]) },
    Manager { values: &["-t", "--type", "-n", "--name", "--scope", "--scope-dir", "--clone", "-j", "--jobs", "--deps"], sources: &["--catalog"],
        ..row(&["raco"], Other, &[(&["pkg", "install"], Tool), (&["pkg", "update"], Sync)]) },
    Manager { values: CONAN, sources: &["--server", "-r", "--remote"], unprotected: &["--insecure"],
        ..row(&["conan"], Other, &[(&["remote", "add"], Source), (&["remote", "update"], Source), (&["config", "install"], Source), (&["install"], Tool)]) },
    Manager { sources: &["--repository", "--repo"], unprotected: &["--no-verify-downloads"],
        ..row(&["tlmgr"], Other, &[(&["option", "repository"], Source), (&["install"], Tool), (&["update"], Sync)]) },
    row(&["install.r", "install2.r", "installGithub.r", "installBioc.r"], Other, TAKES),
    // Boards.
    Manager { values: &["-b", "--fqbn", "--config-file", "--config-dir"], sources: &["--additional-urls"],
        ..row(&["arduino-cli"], Other, &[(&["core", "install"], Tool), (&["core", "upgrade"], Sync), (&["core", "update-index"], Sync), (&["lib", "install"], Tool), (&["config", "add"], Configure), (&["config", "set"], Configure)]) },
    Manager { values: &["-d", "--project-dir", "-e", "--environment", "-l", "--library", "-p", "--platform", "-t", "--tool", "--storage-dir"],
        ..row(&["pio", "platformio"], Other, &[(&["pkg", "install"], Add), (&["lib", "install"], Add), (&["platform", "install"], Tool)]) },
    row(&["idf.py"], Other, &[(&["add-dependency"], Add)]),
    // Systems.
    Manager { values: &["-C", "--config", "-c", "--cachedir", "-r", "--rootdir"], sources: &["-R", "--repository"], ..row(&["xbps-install"], Other, TAKES) },
    Manager { values: &["-D", "-l", "-P", "-r"], ..row(&["pkg_add", "pkg_install", "urpmi"], Other, TAKES) },
    row(&["makepkg"], Other, &[(&[], Sync)]),
    Manager { values: &["-c", "--repository"], ..row(&["pkgin", "slackpkg", "pkcon", "prt-get", "mas", "kiss", "tazpkg", "cards", "snappy"], Other, &[(&["install"], Tool), (&["install-local"], Tool), (&["depinst"], Tool), (&["in"], Tool)]) },
    row(&["rpm-ostree"], Other, &[(&["override", "replace"], Tool), (&["install"], Tool)]),
    row(&["transactional-update"], Other, &[(&["pkg", "install"], Tool), (&["pkg", "in"], Tool)]),
    Manager { unprotected: &["--allow-insecure-http"], ..row(&["swupd"], Other, &[(&["3rd-party", "add"], Source), (&["3rd-party", "bundle-add"], Tool), (&["bundle-add"], Tool)]) },
    row(&["eopkg"], Other, &[(&["add-repo"], Source), (&["ar"], Source), (&["install"], Tool), (&["it"], Tool)]),
    Manager { values: GUIX, sources: &["--substitute-urls", "--url"], unprotected: &["--disable-authentication"],
        ..row(&["guix"], Other, &[(&["install"], Tool), (&["package"], Tool), (&["shell"], Run), (&["pull"], Sync)]) },
    row(&["nix-channel"], Other, &[(&[], Source)]),
    row(&["devbox", "flox"], Other, &[(&["global", "add"], Tool), (&["add"], Add), (&["install"], Add), (&["i"], Add)]),
    // Binaries from releases, shells, and what agents and other programs add to themselves.
    Manager { values: &["--project", "--tag", "-t", "--to", "-a", "--asset", "-s", "--system", "-f", "--file", "--exe", "-p", "-m", "-i", "--in"], sources: &["--url"],
        ..row(&["eget", "ubi"], Other, &[(&["install"], Tool), (&[], Tool)]) },
    row(&["fisher", "omf", "basher", "bpkg", "antidote", "gauge", "stew", "gah", "soar", "clawhub", "clawdhub"], Other, INSTALLS),
    Manager { values: &["--github", "--git", "--local"], ..row(&["sheldon"], Other, ADDS) },
    row(&["antigen", "antibody"], Other, &[(&["bundle"], Tool)]),
    row(&["zinit"], Other, &[(&["light"], Tool), (&["load"], Tool), (&["snippet"], Tool)]),
    row(&["falcoctl"], Other, &[(&["index", "add"], Source), (&["artifact", "install"], Tool)]),
    row(&["spin"], Other, &[(&["templates", "install"], Tool), (&["plugins", "install"], Tool)]),
    row(&["knife"], Other, &[(&["supermarket", "install"], Tool), (&["cookbook", "site", "install"], Tool)]),
    Manager { values: &["-f", "--plugin-file", "-d", "--plugin-download-directory", "-w", "--war"], ..row(&["jenkins-plugin-cli"], Other, TAKES) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managers;

    #[test]
    fn each_manager_has_one_row() {
        for name in OTHERS.iter().flat_map(|manager| manager.names) {
            let rows = OTHERS.iter().filter(|manager| manager.names.contains(name)).count();
            assert_eq!(rows, 1, "{name}");
            assert!(managers::find(name).is_some_and(|found| found.names.contains(name)), "{name}");
            assert_eq!(managers::find(name).map(|found| found.names), find(name).map(|found| found.names), "{name}");
        }
    }
}
