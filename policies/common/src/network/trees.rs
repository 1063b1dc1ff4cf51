//! What is run out of a repository that the same line clones, or out of an archive that it fetches, and fetched
//! packages that it installs.

use super::fetched::{Fetched, into_directory, outputs, path, written};
use super::lists::FLAGS;
use super::{git, host, is_url, traffic, unseen};
use crate::runner::{Program, program};
use crate::{Command, Word, options, options_but, options_with_one_dash};

/// A directory that holds what was fetched.
struct Tree {
    /// The directory in canonical spelling; empty for the one that commands run in.
    path: String,
    fetch: usize,
    /// If the directory has other files, too, the beginning of the names that are certainly from the archive.
    start: Option<String>,
}

/// A beginning that no name has.
const NO_START: &str = "/";

/// Scripts that only begin a build, as `make` and `npm ci` do.
const BUILDS: &[&str] =
    &["configure", "Configure", "config", "autogen.sh", "buildconf", "gradlew", "gradlew.bat", "mvnw", "mvnw.cmd"];
/// Programs that write other programs, which are then run: `make && ./app`.
#[rustfmt::skip] // Many words to a line.
const BUILDERS: &[&str] = &[
    "make", "gmake", "cmake", "ninja", "meson", "bazel", "cargo", "rustc", "go", "gcc", "g++", "cc", "clang", "zig", "swift", "dotnet",
    "npm", "pnpm", "yarn", "bun", "tsc", "mvn", "mvnw", "gradle", "gradlew", "uv", "poetry", "virtualenv",
];
/// Directories that those programs write.
const MADE: &[&str] = &[".venv", "venv", "node_modules", "target", "build", "dist", "out"];
/// Programs that run the code on their standard input.
#[rustfmt::skip] // Many words to a line.
const CONSOLES: &[&str] =
    &["mongo", "mongosh", "psql", "mysql", "mariadb", "sqlite3", "duckdb", "irb", "ghci", "jshell", "R", "groovysh"];

/// Returns the first command that runs or installs something unread, out of a repository or an archive that an
/// earlier command fetches.
#[must_use]
pub fn unread_then_run(commands: &[Command]) -> Option<Fetched> {
    let (fetched, _) = outputs(commands);
    let mut files: Vec<(String, usize)> = Vec::new();
    let mut trees: Vec<Tree> = Vec::new();
    let mut is_built = false;
    for (run, command) in commands.iter().enumerate() {
        let own = fetched.get(run).copied().flatten();
        let read = command.facts.reads_from.iter().find_map(|source| fetched.get(*source).copied().flatten());
        let fetch = installed(command, &files, run)
            .or_else(|| trees.iter().find(|tree| is_run(command, tree, is_built)).map(|tree| tree.fetch))
            // `ssh host pg_dump db | psql db` copies data of a machine that the user logs in to.
            .or(read.filter(|at| commands.get(*at).is_some_and(|fetch| fetch.name != "ssh") && reads_code(command)));
        if let Some(fetch) = fetch {
            return Some(Fetched { fetch, run });
        }
        is_built |= BUILDERS.contains(&command.name) || command.args().iter().any(|word| word.text() == "venv");
        trees.extend(cloned(run, commands));
        trees.extend(downloaded(run, command));
        let from_file =
            || command.args().iter().find_map(|word| files.iter().find(|(file, _)| *file == path(command, word)));
        if let Some(directory) = unpacked_to(command) {
            let source = match read {
                Some(fetch) => Some((commands.get(fetch).map(address).unwrap_or_default(), fetch)),
                None => from_file().cloned(),
            };
            if let Some((name, fetch)) = source {
                let path = unquoted(command, &Word::new(&directory));
                let url = commands.get(fetch).map(address).unwrap_or_default();
                if directory.is_empty() {
                    let starts = std::iter::once(start_of(&name)).chain(repository(&url).map(start_of));
                    trees.extend(starts.map(|start| Tree { path: path.clone(), fetch, start: Some(start) }));
                } else {
                    trees.push(Tree { path, fetch, start: None });
                }
            }
        }
        if let Some(fetch) = own {
            files.extend(written(command).chain(into_directory(command)).map(|file| (file, fetch)));
        }
    }
    None
}

/// Returns the address among the words of a command that fetches.
fn address(command: &Command) -> String {
    let url = command.args().iter().map(Word::text).rfind(|text| text.contains('/'));
    url.map(str::to_owned).unwrap_or_default()
}

/// Returns the URL of the repository whose archive a forge serves at this URL: `https://host/a/tool/archive/v1.tar.gz`.
fn repository(url: &str) -> Option<&str> {
    let parts = ["/-/archive/", "/archive/", "/tar.gz/", "/zip/"];
    parts.iter().find_map(|part| url.split_once(part)).map(|(repository, _)| repository)
}

/// Returns how the names of what an archive holds usually begin: `tool` for `https://host/tool-1.2.tar.gz`.
fn start_of(name: &str) -> String {
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let base = name.rsplit('/').next().unwrap_or_default().trim_start_matches('.');
    let start: String = base.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    if start.is_empty() { NO_START.to_owned() } else { start }
}

/// Returns the path of a file or a directory in canonical spelling, without quotes in it.
fn unquoted(command: &Command, word: &Word) -> String {
    path(command, word).replace(['"', '\''], "")
}

/// Whether a command runs a program out of a tree. With `is_built`, the tree may also hold programs that were built.
fn is_run(command: &Command, tree: &Tree, is_built: bool) -> bool {
    let direct = command.words.first().filter(|word| word.text().contains('/'));
    let script = match program(command) {
        Program::File(word) => Some(word),
        _ => None,
    };
    let is_elsewhere = command.facts.cwd.as_ref().is_some_and(|cwd| cwd.known().is_none());
    let is_of_tree = |word: &Word, is_direct: bool| {
        let file = unquoted(command, word);
        // The line may have gone into the tree.
        let moved = || {
            let at = tree.start.as_ref().and_then(|start| file.find(&format!("/{start}")))?;
            file.get(at + 1..).filter(|_| tree.path.is_empty())
        };
        let unsure = || (is_elsewhere && !file.starts_with('/')).then_some(file.as_str());
        let Some(rest) = below(&tree.path, &file).or_else(moved).or_else(unsure) else { return false };
        let base = rest.rsplit('/').next().unwrap_or_default();
        let is_made = rest.split('/').any(|name| MADE.contains(&name)) || is_direct && !base.contains('.');
        if BUILDS.contains(&base) || is_built && is_made {
            return false;
        }
        tree.start.as_ref().is_none_or(|start| rest.starts_with(start) || is_direct && !rest.contains('/'))
    };
    direct.is_some_and(|word| is_of_tree(word, true)) || script.is_some_and(|word| is_of_tree(word, false))
}

/// Returns the part of a path that is below a directory. If the directory is relative, it may be below any other.
fn below<'p>(directory: &str, path: &'p str) -> Option<&'p str> {
    if directory.is_empty() {
        return (!path.starts_with('/')).then_some(path);
    }
    let inside = format!("{directory}/");
    let within = || {
        let (_, rest) = path.split_once(format!("/{inside}").as_str())?;
        (!directory.starts_with('/')).then_some(rest)
    };
    path.strip_prefix(inside.as_str()).or_else(within)
}

/// Returns the tree that a command clones.
fn cloned(run: usize, commands: &[Command]) -> Option<Tree> {
    let command = commands.get(run)?;
    let args = command.args();
    let after = |verb: &str| {
        let at = args.iter().position(|word| word.text() == verb)?;
        args.get(at + 1..)
    };
    let operands = match command.name {
        "git" => git::clone_operands(after("clone")?),
        // It takes the options of `git clone`.
        "hub" => git::clone_operands(after("clone")?),
        "gh" | "glab" => cloned_from_forge(args)?,
        "jj" | "gix" | "sl" => options(after("clone")?, &["--remote", "--depth", "-u"]).operands,
        "hg" => options(after("clone")?, &["-r", "-u", "-b"]).operands,
        "svn" => options(after("checkout").or_else(|| after("co"))?, &["-r", "--username", "--password"]).operands,
        "degit" | "tiged" => options(args, &[]).operands,
        _ => return None,
    };
    let repository = operands.first()?;
    let is_remote = match command.name {
        "git" => traffic(run, commands).contacts.iter().any(|contact| unseen::is_remote(&contact.target)),
        "hg" | "svn" | "jj" | "gix" | "sl" if is_url(repository.text()) => {
            unseen::is_remote(&host::target(repository.text()))
        }
        // `git@host:owner/repo`
        "hg" | "svn" | "jj" | "gix" | "sl" => repository.text().contains('@'),
        _ => true,
    };
    let name = repository.text().trim_end_matches('/');
    let base = name.rsplit(['/', ':']).next().unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default();
    let default = Word::new(base.strip_suffix(".git").unwrap_or(base));
    let directory = operands.get(1).unwrap_or(&default);
    let path = unquoted(command, directory);
    is_remote.then_some(Tree { path, fetch: run, start: None })
}

/// The options of `gh repo clone`, `gh repo fork` and `gh repo create` that take a value.
fn values_of(verb: &str) -> &'static [&'static str] {
    match verb {
        "clone" => &["-u", "--upstream-remote-name"],
        "fork" => &["--fork-name", "--org", "--remote-name"],
        _ => &[
            "-d",
            "--description",
            "-g",
            "--gitignore",
            "-h",
            "--homepage",
            "-l",
            "--license",
            "-p",
            "--template",
            "-r",
            "--remote",
            "-s",
            "--source",
            "-t",
            "--team",
        ],
    }
}

/// Returns the repository that the program of a forge clones, and the directory if one is named: `gh repo clone a/b`,
/// `gh repo fork a/b --clone`. The words after `--` are for `git clone`.
fn cloned_from_forge(args: &[Word]) -> Option<Vec<Word>> {
    args.first().filter(|word| matches!(word.text(), "repo" | "project" | "gist" | "clone"))?;
    let at = args.iter().position(|word| matches!(word.text(), "clone" | "fork" | "create"))?;
    let verb = args.get(at)?.text();
    let read = options_but(args.get(at + 1..)?, values_of(verb), FLAGS);
    let is_cloned = match verb {
        "clone" => true,
        "fork" => read.has(&["--clone"]),
        // Without a template, a new repository is empty.
        _ => read.has(&["-c", "--clone"]) && read.has(&["-p", "--template"]),
    };
    let name = read.value(&["--fork-name"]);
    // `-- --depth 1` names no directory.
    let directory = name.or_else(|| read.operands.get(1).filter(|word| !word.text().starts_with('-')));
    is_cloned.then(|| read.operands.first().into_iter().chain(directory).cloned().collect())
}

/// Returns the tree that `gh release download` writes.
fn downloaded(run: usize, command: &Command) -> Option<Tree> {
    let args = command.args();
    let is_download = matches!(command.name, "gh" | "glab") && args.iter().any(|word| word.text() == "download");
    if !is_download {
        return None;
    }
    let read = options(args, &["-p", "--pattern", "-D", "--dir", "-R", "--repo", "-n", "--name", "-A", "--archive"]);
    if let Some(directory) = read.value(&["-D", "--dir"]) {
        let path = unquoted(command, directory);
        return Some(Tree { path, fetch: run, start: None });
    }
    let named = read.value(&["-p", "--pattern"]).or_else(|| read.value(&["-R", "--repo"]));
    let start = named.map_or_else(|| NO_START.to_owned(), |word| start_of(word.text()));
    Some(Tree { path: unquoted(command, &Word::new("")), fetch: run, start: Some(start) })
}

/// Returns the directory into which a command unpacks an archive; empty for the one that it runs in.
fn unpacked_to(command: &Command) -> Option<String> {
    let args = command.args();
    let has = |names: &[&str]| args.iter().any(|word| names.contains(&word.text()));
    let directory = match command.name {
        "tar" | "bsdtar" | "gtar" => {
            // The dash of the first letters may be left out.
            let is_letters = |text: &str| !text.starts_with("--") && !text.contains(['/', '.', '=']);
            let mut letters = args
                .iter()
                .enumerate()
                .filter(|(at, word)| *at == 0 || word.text().starts_with('-'))
                .map(|(_, word)| word);
            let extracts = letters.any(|word| is_letters(word.text()) && word.text().contains('x'));
            if !extracts && !has(&["--extract", "--get"]) {
                return None;
            }
            options(args, &["-C", "--directory", "-f", "--file"]).value(&["-C", "--directory"]).cloned()
        }
        "unzip" if !has(&["-l", "-t", "-v", "-Z", "-p"]) => options(args, &["-d", "-x"]).value(&["-d"]).cloned(),
        "7z" | "7za" | "7zz" if has(&["x", "e"]) => {
            args.iter().find(|word| word.text().starts_with("-o")).map(|word| word.after(2))
        }
        "cpio" | "unar" | "unrar" | "ditto" | "Expand-Archive" | "expand-archive" => None,
        _ => return None,
    };
    let directory =
        directory.map(|word| if word.is_unknown() { word.raw().to_owned() } else { word.text().to_owned() });
    Some(directory.filter(|directory| directory.trim_end_matches('/') != ".").unwrap_or_default())
}

/// Returns the command that fetched a package that this command installs. `own` is the index of this command, which may
/// fetch by itself.
fn installed(command: &Command, files: &[(String, usize)], own: usize) -> Option<usize> {
    let args = command.args();
    let has = |names: &[&str]| args.iter().any(|word| names.contains(&word.text()));
    let installs = match command.name {
        "dpkg" => has(&["-i", "--install", "--unpack"]),
        "rpm" => {
            // `rpm -qip` only asks about a package.
            let begins = |start: &str| args.iter().any(|word| word.text().starts_with(start));
            !begins("-q") && ["-i", "-U", "-F", "--install", "--upgrade", "--freshen"].into_iter().any(begins)
        }
        "apt" | "apt-get" | "dnf" | "yum" | "zypper" | "snap" => has(&["install", "in", "localinstall", "reinstall"]),
        "pacman" => has(&["-U", "--upgrade"]),
        "installer" => has(&["-pkg"]),
        "msiexec" | "msiexec.exe" => has(&["/i", "/I", "-i", "/package"]),
        // A reference to a repository, as opposed to a name in the registry.
        "nix" if has(&["run", "develop", "shell"]) => {
            let is_repository =
                |text: &str| ["github:", "gitlab:", "sourcehut:"].iter().any(|kind| text.starts_with(kind));
            let operands = options(args, &["-I", "--include", "--inputs-from"]).operands;
            return operands.get(1).filter(|word| is_repository(word.text())).map(|_| own);
        }
        _ => false,
    };
    if !installs {
        return None;
    }
    let is_remote = |word: &Word| is_url(word.text()) && unseen::is_remote(&host::target(word.text()));
    let file = files.iter().find(|(file, _)| args.iter().any(|word| *file == path(command, word)));
    file.map(|(_, fetch)| *fetch).or_else(|| args.iter().any(is_remote).then_some(own))
}

/// Whether a command runs the code on its standard input.
fn reads_code(command: &Command) -> bool {
    let args = command.args();
    // The options that give code, and the other options with a value.
    let (given, others): (&[&str], &[&str]) = match command.name {
        "sqlite3" | "duckdb" => {
            let values =
                ["-separator", "-cmd", "-newline", "-nullvalue", "-init", "-vfs", "-mmap", "-heap", "-c", "-s", "-f"];
            let read = options_with_one_dash(args, &values);
            // `sqlite3 app.db '.import /dev/stdin t'`
            let has_query = read.operands.len() > 1 || command.name == "duckdb" && read.has(&["-c", "-s", "-f"]);
            return !has_query;
        }
        "psql" => {
            (&["-c", "--command", "-f", "--file"], &["-h", "-p", "-U", "-d", "-v", "-o", "-L", "-P", "-F", "-R", "-T"])
        }
        "mysql" | "mariadb" => (&["-e", "--execute"], &["-h", "-u", "-p", "-P", "-D", "-S"]),
        name if CONSOLES.contains(&name) => (&["-e", "--eval"], &["-h", "-u", "-p", "-r"]),
        _ => return false,
    };
    let read = options(args, &[given, others].concat());
    let code: Vec<&str> = read.values(given).map(Word::text).collect();
    code.is_empty() || code.iter().any(|text| matches!(*text, "-" | "/dev/stdin"))
}
