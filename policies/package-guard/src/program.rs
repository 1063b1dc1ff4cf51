//! Finds the package manager that a command runs: by its name, as a module, or as a file that an interpreter runs.

use crate::managers::{self, Manager};
use crate::spec::without_version;
use hookbox_policy::{Command, Program, Word, module_at, program};

/// A package manager that a command runs.
pub(crate) struct Found<'c> {
    pub(crate) manager: &'static Manager,
    /// The name of the manager's program.
    pub(crate) name: &'c str,
    /// The words after it.
    pub(crate) args: &'c [Word],
}

#[rustfmt::skip] // A table reads better with one row per line.
/// The endings of files that an interpreter runs, and the managers that are such files: `npm-cli.js`, `composer.phar`.
const INTERPRETED: &[(&[&str], &[&str])] = &[
    (&[".js", ".cjs", ".mjs"], &["npm", "npx", "yarn", "yarnpkg", "pnpm", "pnpx", "corepack", "vlt", "vlx"]),
    (&[".py", ".pyz"], &["pip", "pipx", "poetry", "pdm", "pipenv", "conda", "conan", "easy_install", "ansible-galaxy"]),
    (&[".rb"], &["gem", "bundle", "bundler"]),
    (&[".pl"], &["cpan", "cpanm", "cpm"]),
    (&[".phar"], &["composer"]),
    (&[".jar"], &["coursier", "jbang"]),
];
/// The endings of programs on Windows.
const WINDOWS: &[&str] = &[".exe", ".cmd", ".bat", ".ps1"];

/// Returns the package manager that a command runs.
pub(crate) fn found<'c>(command: &'c Command<'_>) -> Option<Found<'c>> {
    let args = command.args();
    if let Some((at, name)) = module(command).or_else(|| file(command)) {
        let manager = managers::find(name)?;
        return Some(Found { manager, name, args: args.get(at + 1..).unwrap_or_default() });
    }
    let own = named(command.name).or_else(|| named(packaged(command)?));
    let (manager, name) = own.or_else(|| Some((managers::of_plugins(command.name, args)?, command.name)))?;
    Some(Found { manager, name, args })
}

/// Returns the manager of a program with this name, and its name without the ending of a file: `npm.cmd`, `gem3.1`.
pub(crate) fn named(name: &str) -> Option<(&'static Manager, &str)> {
    let find = |name| Some((managers::find(name)?, name));
    let bare = || WINDOWS.iter().find_map(|ending| name.strip_suffix(*ending)).or_else(|| launched(name));
    find(name).or_else(|| find(bare()?))
}

/// The programs of packages that have another name.
const PACKAGED: &[(&str, &str)] = &[
    ("@angular/cli", "ng"),
    ("@vue/cli", "vue"),
    ("@nestjs/cli", "nest"),
    ("@expo/cli", "expo"),
    ("@ionic/cli", "ionic"),
    ("@smithery/cli", "smithery"),
    ("@microsoft/rush", "rush"),
];

/// Returns the program of the package that a launcher runs: `ng` for `@angular/cli@17`, `skills` for `skills@latest`.
fn packaged<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let is_launched =
        matches!(command.facts.via.as_deref(), Some("npx" | "bunx" | "pnpx" | "npm" | "pnpm" | "yarn" | "bun"));
    let word = command.words.first().filter(|_| is_launched)?.text();
    let package = without_version(word);
    let other = PACKAGED.iter().find(|(name, _)| *name == package).map(|(_, program)| *program);
    other.or_else(|| (!package.contains('/')).then_some(package))
}

/// Returns the module that Python is told to run, and which of its arguments ends with the module's name.
fn module<'c>(command: &'c Command<'_>) -> Option<(usize, &'c str)> {
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !matches!(base, "python" | "py" | "pypy" | "python.exe" | "micropython") {
        return None;
    }
    let args = command.args();
    let (at, start) = args.iter().enumerate().find_map(|(at, word)| Some((at, module_at(word.text())?)))?;
    // This is `-mpip`, as opposed to `-m pip`.
    let attached = args.get(at)?.text().get(start..).filter(|name| !name.is_empty());
    let (at, name) = match attached {
        Some(name) => (at, name),
        None => (at + 1, args.get(at + 1)?.text()),
    };
    // This is also `pip.__main__`.
    Some((at, name.split('.').next().unwrap_or(name)))
}

/// Returns the manager whose file an interpreter is told to run, and which of its arguments is that file.
fn file<'c>(command: &'c Command<'_>) -> Option<(usize, &'c str)> {
    let args = command.args();
    let at = match (command.name, program(command)) {
        // These read a file of their own kind.
        ("source" | "." | "crontab", _) => return None,
        ("java", _) => args.iter().position(|word| word.text() == "-jar")? + 1,
        (_, Program::File(file)) => args.iter().position(|word| std::ptr::eq(word, file))?,
        _ => return None,
    };
    Some((at, launched(args.get(at)?.text())?))
}

/// Returns the manager that a file is: `/usr/bin/pip`, `npm-cli.js`, `yarn-4.1.0.cjs`, `pip/__main__.py`,
/// `node_modules/yarn/lib/cli.js`.
fn launched(path: &str) -> Option<&str> {
    let mut parts = path.rsplit(['/', '\\']);
    let file = parts.next().filter(|file| *file != "__main__.py").or_else(|| parts.next())?;
    let package = path.rsplit_once("node_modules/").and_then(|(_, rest)| rest.split('/').next());
    [Some(file), package].into_iter().flatten().find_map(|file| {
        INTERPRETED.iter().find_map(|(endings, names)| {
            let bare = endings.iter().find_map(|ending| file.strip_suffix(*ending)).unwrap_or(file);
            Some(unversioned(bare)).filter(|name| names.contains(name))
        })
    })
}

/// Returns the name of a program without its version.
fn unversioned(name: &str) -> &str {
    let is_version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let name = match name.split_once('-') {
        Some((first, rest)) if matches!(rest, "cli" | "berry") || is_version(rest) => first,
        _ => name,
    };
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}
