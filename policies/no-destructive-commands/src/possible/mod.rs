//! Commands that a program may run because they are among its arguments: `mytool run -- rm -rf ~`.
//!
//! There is no complete list of the programs that run others. Therefore, unless a program is known to use its arguments
//! for something else, the policy asks about words that form a command which would be stopped.

mod taken;

use crate::scene::{Scene, read, text_of};
use crate::target::Target;
use crate::{delete, disk, git, launched, services};
use hookbox_policy::{Command, Findings, Names, Word, words_before_run};
use hookbox_sdk::{ShellCommand, ShellWord};
use taken::{Taken, is_prose};

/// The maximum number of commands that are looked for in one command. If there are more, the policy asks.
const MAX: usize = 32;

/// Programs that never run a command from their arguments, or whose arguments are read elsewhere.
#[rustfmt::skip] // Many words to a line.
pub(crate) static PLAIN: Names = Names::new(&[
    // These print, read, search and compare.
    "echo", "printf", "print", "cat", "bat", "tac", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "cut", "sort",
    "uniq", "wc", "tr", "diff", "cmp", "comm", "ls", "eza", "exa", "tree", "stat", "file", "du", "df", "locate", "which", "whereis", "type", "command",
    "hash", "help", "man", "info", "apropos", "whatis", "tldr", "cheat", "test", "[", "[[", "jq", "yq", "strings", "column", "fold", "fmt",
    "sed", "gsed", "awk", "gawk", "mawk", "nawk", "read", "less", "more", "pgrep", "pkill", "killall", "figlet", "cowsay", "base64", "dig",
    "expr", "seq", "yes", "basename", "dirname", "realpath", "readlink", "cd", "pushd", "popd", "logger", "wall", "say", "notify-send",
    "sha256sum", "md5sum", "history", "export", "declare", "typeset", "local", "readonly", "set", "unset", "alias", "unalias", "shellcheck",
    // These change files.
    "mkdir", "touch", "cp", "gcp", "mv", "gmv", "ln", "rm", "grm", "rmdir", "unlink", "install", "chmod", "chown", "chgrp", "tee", "truncate",
    "shred", "srm", "wipe", "rsync", "scp", "sftp", "tar", "gtar", "bsdtar", "zip", "unzip", "gzip", "xz", "7z", "find", "gfind", "fd",
    "fdfind", "rimraf", "trash", "trash-put", "rmtrash", "gio", "dd", "lvm", "patch", "rename", "curl", "wget", "http", "https", "xh", "xhs",
    // These have subcommands that are named like commands: `git rm`, `docker rm`, `npm install rimraf`.
    "git", "hub", "gh", "glab", "hg", "svn", "jj", "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc", "helm",
    "npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "conda", "mamba", "cargo", "rustup",
    "go", "gem", "bundle", "composer", "mvn", "gradle", "dotnet", "apt", "apt-get", "aptitude", "dpkg", "dnf", "yum", "rpm", "zypper",
    "pacman", "yay", "paru", "apk", "brew", "port", "snap", "flatpak", "nix", "nix-env", "choco", "scoop", "winget", "make", "gmake", "just",
    // These take instructions in their own language.
    "psql", "mysql", "mariadb", "sqlite3", "duckdb", "claude", "codex", "gemini", "qwen", "copilot", "aider", "llm", "ollama",
]);

/// Interpreters. In their code, only whole command lines count.
#[rustfmt::skip] // Many words to a line.
pub(crate) static INTERPRETERS: Names = Names::new(&[
    "python", "python2", "python3", "pypy", "pypy3", "node", "nodejs", "deno", "ruby", "perl", "php", "lua", "luajit", "tclsh", "osascript",
    "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "pwsh", "powershell",
]);

/// Calls by which code prints a text.
const PRINTS: [&str; 5] = ["print", "console.log", "puts", "echo", "write"];

/// Editors that take commands on their standard input: `vim -es x`, `nvim -l -`.
const EDITORS: [&str; 4] = ["vim", "nvim", "vi", "ex"];

/// The commands that are looked for.
#[rustfmt::skip] // Many words to a line.
static HEADS: Names = Names::new(&[
    "rm", "grm", "srm", "drm", "munlink", "wipe", "shred", "truncate", "rimraf", "dd", "mkfs", "wipefs", "fdisk", "parted", "find", "git", "chmod", "chown",
    "mv", "rsync", "docker", "podman", "kubectl", "helm", "terraform", "tofu", "pulumi", "psql", "mysql", "mariadb", "sqlite3", "mongosh",
    "redis-cli", "dropdb", "rake", "rails", "aws", "gcloud", "az", "gsutil", "zfs", "zpool", "lvremove", "vgremove", "cryptsetup", "reboot",
    "shutdown", "halt", "poweroff",
]);

/// Words that may come before a command in a text.
const WRAPPERS: [&str; 10] = ["sudo", "doas", "env", "nohup", "exec", "command", "time", "nice", "eval", "then"];

/// Programs that stop a machine. Many other programs have subcommands with these names: `vagrant halt`.
const STOPS: [&str; 4] = ["reboot", "shutdown", "halt", "poweroff"];

/// Variables that contain prose for people.
const PROSE_NAMES: [&str; 9] = ["MSG", "MESSAGE", "TITLE", "BODY", "TEXT", "NOTE", "NOTES", "PROMPT", "DESCRIPTION"];

/// Asks about the commands that the listed ones may run.
pub(crate) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    for (at, command) in scene.commands.iter().enumerate() {
        // The words of a launched program are those of its launcher.
        if command.name.is_empty() || only_checks(command) || launched::is_one(command) {
            continue;
        }
        // A variable may contain a command: `CC='rm -rf x' make`.
        let (mut possible, mut is_cut) = assigned(command, at);
        let taken = taken::by(command);
        if taken == Taken::Words
            && let Some(path) = deleted_by_code(command, scene)
        {
            found.ask(format!("{} may run code that deletes `{path}`; is that meant?", command.quote()));
        }
        // Before that command, the value of an option may be a command (`hyperfine --prepare 'rm -rf x' ls`). So may
        // the command itself, if an option was misread.
        if taken != Taken::Nothing
            && let Some(before) = words_before_run(at, scene.commands)
        {
            let (others, is_more) = of(command, at, before, taken);
            possible.extend(others);
            is_cut |= is_more;
        }
        if is_cut {
            found.unknown(format!(
                "{} has more words that may be commands than are looked at; split it up",
                command.quote()
            ));
        }
        for possible in possible {
            let possible = read(&possible);
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

/// Whether a shell only checks the syntax of its input: `bash -nc '…'`.
fn only_checks(command: &Command<'_>) -> bool {
    let mut options = command.args().iter().map_while(|word| word.text().strip_prefix('-'));
    let letters: String = options.by_ref().take_while(|option| !option.starts_with('-')).collect();
    // An interactive shell runs its input.
    matches!(command.name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash")
        && letters.contains('n')
        && !letters.contains('i')
}

/// Returns a protected path in code of any language, in a text with a call whose name says that it deletes.
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
                Target::FileSystem | Target::Home | Target::System(_) | Target::Settings(_) | Target::Surroundings
            )
    })
}

/// Returns the commands in the values of variables that a command sets, and whether there are more.
fn assigned(command: &Command<'_>, at: usize) -> (Vec<ShellCommand>, bool) {
    let (mut found, mut is_cut) = (Vec::new(), false);
    let own = command.facts.assignments.iter().map(|set| (set.name.clone(), text_of(Some(&set.value))));
    let exported = command.args().iter().filter(|_| command.name == "export");
    let exported = exported.filter_map(|word| word.text().split_once('='));
    let exported = exported.map(|(name, value)| (name.to_owned(), value.to_owned()));
    for (name, value) in own.chain(exported) {
        if value.contains(char::is_whitespace) && !PROSE_NAMES.contains(&name.to_ascii_uppercase().as_str()) {
            is_cut |= texts(command, &value, at, &mut found);
        }
    }
    (found, is_cut)
}

/// Returns the commands among the words of another command, up to `end`, and whether there are more.
fn of(command: &Command<'_>, at: usize, end: usize, taken: Taken) -> (Vec<ShellCommand>, bool) {
    let is_interpreter = INTERPRETERS.contains(command.name);
    // `heroku run "rm -rf x" -a app` passes on a command line where other programs pass on a program.
    let is_line = |word: &ShellWord| word.known().is_some_and(|text| text.contains(char::is_whitespace));
    let first = usize::from(!command.facts.argv.first().is_some_and(is_line));
    let words = command.facts.argv.get(first..).unwrap_or_default();
    let (mut found, mut is_cut) = (Vec::new(), false);
    // A known program reads some arguments as prose. Any other program may run them.
    let reads_prose = taken == Taken::Lines || HEADS.contains(command.name);
    // Whether the next word is the value of an option that takes prose.
    let mut is_value = false;
    let mut is_first = true;
    for (place, word) in words.iter().enumerate().take(end.saturating_sub(first)) {
        if found.len() > MAX {
            break;
        }
        let follows_prose = std::mem::take(&mut is_value);
        let Some(text) = word.known() else { continue };
        // Most one-letter options have no value.
        let was_prose = follows_prose && !text.starts_with("--");
        let is_option = text.starts_with('-');
        if is_option && !text.contains(char::is_whitespace) {
            is_value = reads_prose && is_prose(command, text);
        } else if text.contains(char::is_whitespace) {
            let is_printed = is_interpreter && PRINTS.iter().any(|call| text.contains(call));
            let is_own_prose = reads_prose && text.starts_with("--") && is_prose(command, text);
            if !was_prose && !is_own_prose && !is_printed {
                is_cut |= texts(command, text, at, &mut found);
                found.extend(quoted(text).filter(|_| !is_interpreter).and_then(|argv| make(command, argv, text, at)));
            }
        } else if !is_interpreter && taken == Taken::Words && is_head(text) && !(is_first && STOPS.contains(&text)) {
            found.extend(make(command, words.get(place..).unwrap_or_default().to_vec(), &command.facts.text, at));
        }
        is_first &= is_option;
    }
    // This is input in the program's own language.
    let reads_input = command.facts.unlisted || words.len() < 2 || EDITORS.contains(&command.name);
    let is_told = !is_interpreter && taken == Taken::Words && reads_input;
    if let Some(text) = command.facts.stdin.as_ref().and_then(ShellWord::known).filter(|_| is_told) {
        is_cut |= texts(command, text, at, &mut found);
    }
    is_cut |= found.len() > MAX;
    found.truncate(MAX);
    (found, is_cut)
}

/// Adds the commands in a text, each in the directory that a `cd` before it has changed to. Returns whether there are
/// more.
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

/// Returns the command lines in a text that begin with one of the commands that are looked for.
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

/// Returns the words of a command that code has as quoted texts: `(sh "rm" "-rf" x)`, `["rm", "-rf", x]`.
fn quoted(text: &str) -> Option<Vec<ShellWord>> {
    // Every second part is in quotes.
    let mut texts = text.split(['"', '\'']).skip(1).step_by(2).skip_while(|text| !is_head(text));
    let head = texts.next().filter(|head| *head != "cd")?;
    Some([head].into_iter().chain(texts).map(|word| ShellWord::Known(word.to_owned())).collect())
}

/// Whether a word sets something to a command that is looked for: `scripts.test=rm`.
fn is_set_to_head(word: &str) -> bool {
    word.rsplit_once('=').is_some_and(|(_, value)| is_head(value))
}

/// Whether a word is one of the commands that are looked for.
fn is_head(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    HEADS.contains(name) || name == "cd" || name.starts_with("mkfs.")
}

fn make(command: &Command<'_>, mut argv: Vec<ShellWord>, text: &str, at: usize) -> Option<ShellCommand> {
    // Most programs that run another one consume a `--` themselves.
    if let [_, dashes, option, ..] = argv.as_slice()
        && dashes.known() == Some("--")
        && option.known().is_some_and(|option| option.starts_with('-'))
    {
        argv.remove(1);
    }
    let name = argv.first()?.known()?.rsplit('/').next()?.to_owned();
    let mut made = ShellCommand::default();
    made.name = Some(name);
    made.argv = argv;
    made.text = text.to_owned();
    made.cwd.clone_from(&command.facts.cwd);
    made.parent = Some(at);
    Some(made)
}
