//! Commands that a program may run because they are among its arguments: `mytool run -- rm -rf ~`.
//!
//! Which programs run others cannot be listed. So wherever a program is not known to take its arguments for something
//! else, words that are a command which would be stopped are asked about.

use crate::scene::Scene;
use crate::target::Target;
use crate::{delete, disk, git, services};
use hookbox_policy::{Command, Findings, Names, Word, words_before_run};
use hookbox_sdk::{ShellCommand, ShellWord};

/// The most commands that are looked for in one command. Whether there are more is asked about.
const MAX: usize = 32;

/// Programs that never run a command in their arguments, or whose arguments are read elsewhere.
#[rustfmt::skip] // Many words to a line.
pub(crate) static PLAIN: Names = Names::new(&[
    // They print, read, search and compare.
    "echo", "printf", "print", "cat", "bat", "tac", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "cut", "sort",
    "uniq", "wc", "tr", "diff", "cmp", "comm", "ls", "eza", "exa", "tree", "stat", "file", "du", "df", "locate", "which", "whereis", "type",
    "hash", "help", "man", "info", "apropos", "whatis", "tldr", "cheat", "test", "[", "[[", "jq", "yq", "strings", "column", "fold", "fmt",
    "sed", "gsed", "awk", "gawk", "mawk", "nawk", "read", "less", "more", "pgrep", "pkill", "killall", "figlet", "cowsay", "base64", "dig",
    "expr", "seq", "yes", "basename", "dirname", "realpath", "readlink", "cd", "pushd", "popd", "logger", "wall", "say", "notify-send",
    "sha256sum", "md5sum", "history", "export", "declare", "typeset", "local", "readonly", "set", "unset", "alias", "unalias", "shellcheck",
    // They change files.
    "mkdir", "touch", "cp", "gcp", "mv", "gmv", "ln", "rm", "grm", "rmdir", "unlink", "install", "chmod", "chown", "chgrp", "tee", "truncate",
    "shred", "srm", "wipe", "rsync", "scp", "sftp", "tar", "gtar", "bsdtar", "zip", "unzip", "gzip", "xz", "7z", "find", "gfind", "fd",
    "fdfind", "rimraf", "trash", "trash-put", "rmtrash", "gio", "dd", "lvm", "patch", "rename", "curl", "wget", "http", "https", "xh", "xhs",
    // They have subcommands that are called like commands: `git rm`, `docker rm`, `npm install rimraf`.
    "git", "hub", "gh", "glab", "hg", "svn", "jj", "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc", "helm",
    "npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "conda", "mamba", "cargo", "rustup",
    "go", "gem", "bundle", "composer", "mvn", "gradle", "dotnet", "apt", "apt-get", "aptitude", "dpkg", "dnf", "yum", "rpm", "zypper",
    "pacman", "yay", "paru", "apk", "brew", "port", "snap", "flatpak", "nix", "nix-env", "choco", "scoop", "winget", "make", "gmake", "just",
    // They are told something in a language of their own.
    "psql", "mysql", "mariadb", "sqlite3", "duckdb", "claude", "codex", "gemini", "qwen", "copilot", "aider", "llm", "ollama",
]);

/// Interpreters, in whose code only whole command lines count.
#[rustfmt::skip] // Many words to a line.
const INTERPRETERS: &[&str] = &[
    "python", "python2", "python3", "pypy", "pypy3", "node", "nodejs", "deno", "ruby", "perl", "php", "lua", "luajit", "tclsh", "osascript",
    "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "pwsh", "powershell",
];

/// Calls with which code prints a text.
const PRINTS: [&str; 5] = ["print", "console.log", "puts", "echo", "write"];

/// Commands that are looked for.
#[rustfmt::skip] // Many words to a line.
const HEADS: &[&str] = &[
    "rm", "grm", "srm", "wipe", "shred", "truncate", "rimraf", "dd", "mkfs", "wipefs", "fdisk", "parted", "find", "git", "chmod", "chown",
    "mv", "rsync", "docker", "podman", "kubectl", "helm", "terraform", "tofu", "pulumi", "psql", "mysql", "mariadb", "sqlite3", "mongosh",
    "redis-cli", "dropdb", "rake", "rails", "aws", "gcloud", "az", "gsutil", "zfs", "zpool", "lvremove", "vgremove", "cryptsetup", "reboot",
    "shutdown", "halt", "poweroff",
];

/// What may come before a command in a text.
const WRAPPERS: [&str; 10] = ["sudo", "doas", "env", "nohup", "exec", "command", "time", "nice", "eval", "then"];

/// Options whose value is prose, for a program that is known. Another program may run it.
#[rustfmt::skip] // Many words to a line.
const PROSE: [&str; 14] = [
    "-m", "--message", "--msg", "--title", "--body", "--description", "--comment", "--note", "--notes", "--text", "--prompt", "--subject",
    "--summary", "--reason",
];

/// Asks about the commands that the listed ones may run.
pub(crate) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    for (at, command) in scene.commands.iter().enumerate() {
        let is_plain = PLAIN.contains(command.name) && !runs_words(command) || only_checks(command);
        if command.name.is_empty() || is_plain {
            continue;
        }
        // Before it, the value of an option may be one (`hyperfine --prepare 'rm -rf x' ls`), or the command itself if an
        // option was read otherwise.
        let Some(before) = words_before_run(at, scene.commands) else { continue };
        if let Some(path) = deleted_by_code(command, scene) {
            found.ask(format!("{} may run code that deletes `{path}`; is that meant?", command.quote()));
        }
        let (possible, is_cut) = of(command, at, before);
        if is_cut {
            found.unknown(format!(
                "{} has more words that may be commands than are looked at; split it up",
                command.quote()
            ));
        }
        for possible in possible {
            let possible = Command::new(&possible);
            let mut mine = Findings::default();
            delete::judge(&possible, scene, &mut mine);
            disk::judge(&possible, scene, &mut mine);
            services::judge(&possible, scene, &mut mine);
            if git::judge(&possible, scene, &mut mine).is_some() {
                mine.ask(format!("{} would overwrite commits of others", possible.quote()));
            }
            found.add(mine.perhaps(&format!("{} may run a command in its arguments", command.quote())));
        }
    }
}

/// Whether a shell only checks the syntax of what it reads: `bash -nc '…'`.
fn only_checks(command: &Command<'_>) -> bool {
    let mut options = command.args().iter().map_while(|word| word.text().strip_prefix('-'));
    let letters: String = options.by_ref().take_while(|option| !option.starts_with('-')).collect();
    // An interactive shell runs it.
    matches!(command.name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash")
        && letters.contains('n')
        && !letters.contains('i')
}

/// Whether a program that mostly has subcommands is told to run words: `npm pkg set scripts.test='…'`, `just --command rm x`,
/// `gem open -e '…'`, `rpm --eval '%(…)'`.
fn runs_words(command: &Command<'_>) -> bool {
    let has = |options: &[&str]| command.args().iter().any(|word| options.contains(&word.text()));
    let mut words = command.args().iter().map(Word::text);
    match command.name {
        "npm" | "pnpm" | "yarn" | "bun" => matches!((words.next(), words.next()), (Some("pkg"), Some("set"))),
        "just" => has(&["--command", "-c", "--shell-arg"]),
        "gem" => has(&["-e", "--editor"]),
        "rpm" => has(&["-E", "--eval", "--pipe"]),
        _ => false,
    }
}

/// A protected path in code of any language, beside a call that says that it deletes.
fn deleted_by_code<'c>(command: &'c Command<'_>, scene: &Scene<'_>) -> Option<&'c str> {
    const DELETES: [&str; 7] = ["delete", "remove", "unlink", "rmdir", "rmtree", "rm-rf", "rm_rf"];
    let texts = command.args().iter().map(Word::text).filter(|text| text.contains('('));
    let calls = texts.filter(|text| {
        let text = text.to_ascii_lowercase();
        DELETES.iter().any(|call| text.contains(call))
    });
    let mut literals = calls.flat_map(|text| text.split(['"', '\'', '(', ')', ' ', ',']));
    literals.find(|literal| {
        literal.starts_with(['/', '~'])
            && matches!(
                scene.place.target(literal, ""),
                Target::FileSystem | Target::Home | Target::System(_) | Target::Settings(_)
            )
    })
}

/// The commands in the first words of another, up to `end`, and whether there are more.
fn of(command: &Command<'_>, at: usize, end: usize) -> (Vec<ShellCommand>, bool) {
    let is_interpreter = INTERPRETERS.contains(&command.name);
    // `heroku run "rm -rf x" -a app` hands a command line on where others hand on a program.
    let is_line = |word: &ShellWord| word.known().is_some_and(|text| text.contains(char::is_whitespace));
    let first = usize::from(!command.facts.argv.first().is_some_and(is_line));
    let words = command.facts.argv.get(first..).unwrap_or_default();
    let (mut found, mut is_cut) = (Vec::new(), false);
    // Whether the word is the value of an option that takes prose.
    let mut is_prose = false;
    for (place, word) in words.iter().enumerate().take(end.saturating_sub(first)) {
        if found.len() > MAX {
            break;
        }
        let was_prose = is_prose;
        is_prose = false;
        let Some(text) = word.known() else { continue };
        if text.starts_with('-') && !text.contains(char::is_whitespace) {
            is_prose = HEADS.contains(&command.name) && PROSE.contains(&text);
        } else if text.contains(char::is_whitespace) {
            let is_printed = is_interpreter && PRINTS.iter().any(|call| text.contains(call));
            if !was_prose && !is_printed {
                is_cut |= texts(command, text, at, &mut found);
            }
        } else if !is_interpreter && is_head(text) {
            let argv = words.get(place..).unwrap_or_default().to_vec();
            found.extend(make(command, argv, &command.facts.text, at));
        }
    }
    // What is told to a program in a language of its own.
    let is_told = !is_interpreter && (command.facts.unlisted || words.len() < 2);
    if let Some(text) = command.facts.stdin.as_ref().and_then(ShellWord::known).filter(|_| is_told) {
        is_cut |= texts(command, text, at, &mut found);
    }
    is_cut |= found.len() > MAX;
    found.truncate(MAX);
    (found, is_cut)
}

/// Adds the commands in a text, each in the directory that a `cd` before it has changed to. Returns whether there are more.
fn texts(command: &Command<'_>, text: &str, at: usize, found: &mut Vec<ShellCommand>) -> bool {
    let mut dir = None;
    let mut lines = lines(text);
    for argv in lines.by_ref().take(MAX) {
        match argv.as_slice() {
            [cd, to, ..] if cd.known() == Some("cd") => dir = Some(to.clone()),
            _ => found.extend(make(command, argv, text, at).map(|mut made| {
                made.cwd = dir.clone().or(made.cwd);
                made
            })),
        }
    }
    lines.next().is_some()
}

/// The command lines in a text that begin with one that is looked for.
fn lines(text: &str) -> impl Iterator<Item = Vec<ShellWord>> {
    let parts = text.split(|c: char| ";|&!\n()[]{}\"'`,".contains(c));
    parts.filter_map(|part| {
        let mut words = part.split_whitespace();
        let head =
            words.by_ref().find(|word| !WRAPPERS.contains(word) && !word.contains('=') || is_set_to_head(word))?;
        let head = head.rsplit('=').next().unwrap_or(head);
        let argv = || [head].into_iter().chain(words).map(|word| ShellWord::Known(word.to_owned())).collect();
        is_head(head).then(argv)
    })
}

/// `scripts.test=rm`
fn is_set_to_head(word: &str) -> bool {
    word.rsplit_once('=').is_some_and(|(_, value)| is_head(value))
}

/// Whether a word is a program that is looked for.
fn is_head(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    HEADS.contains(&name) || name == "cd" || name.starts_with("mkfs.")
}

fn make(command: &Command<'_>, argv: Vec<ShellWord>, text: &str, at: usize) -> Option<ShellCommand> {
    let name = argv.first()?.known()?.rsplit('/').next()?.to_owned();
    let mut made = ShellCommand::default();
    made.name = Some(name);
    made.argv = argv;
    made.text = text.to_owned();
    made.cwd.clone_from(&command.facts.cwd);
    made.parent = Some(at);
    Some(made)
}
