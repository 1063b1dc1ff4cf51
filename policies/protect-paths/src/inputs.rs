//! Arguments that unlisted programs only read: files that they watch or describe, and settings that they are given.

use hookbox_policy::{Command, Word};

/// Programs, and words to look for among their arguments.
type Row = (&'static [&'static str], &'static [&'static str]);

/// Programs that only watch, check or describe the files among their arguments, and the options by which they write.
#[rustfmt::skip] // Many names to a line.
const READERS: &[Row] = &[
    (&["fatrace", "inotifywait"], &["-o", "--outfile", "--output"]),
    (&["keychain"], &["--dir"]),
    (&["lsof"], &["-D"]),
    (&["b3sum", "chokidar", "crc32", "duf", "dust", "fswatch", "fuser", "getfattr", "inotifywatch", "md5", "onchange", "sha1", "sha256", "sha384", "sha512",
        "shasum", "wait-on", "watchman-wait"], &[]),
];

/// Programs, and their options whose value is a file that they only read, watch or hide.
#[rustfmt::skip] // A table reads better with one row per line.
const OPTIONS: &[Row] = &[
    // Settings and logins.
    (&["mvn", "mvnd", "mvnw"], &["-s", "-gs", "-t", "-gt", "--global-settings", "--toolchains", "--global-toolchains"]),
    (&["flux", "helm", "helmfile", "istioctl", "k9s", "linkerd", "skaffold", "stern", "velero"], &["--kubeconfig"]),
    (&["mariadb", "mariadb-admin", "mariadb-check", "mysql", "mysqladmin", "mysqlcheck", "mysqlimport", "mysqlshow"],
        &["--defaults-file", "--defaults-extra-file"]),
    (&["packer", "terraform", "terragrunt", "tofu"], &["-var-file", "--var-file", "-backend-config", "--backend-config"]),
    (&["s3cmd"], &["-c"]),
    (&["fab"], &["-i"]),
    // Secrets of a build, which only its steps read.
    (&["buildah", "buildctl", "depot", "docker", "docker-compose", "finch", "nerdctl", "podman"], &["--secret", "--ssh"]),
    (&["earthly"], &["--secret-file", "--secret-file-path"]),
    // What a program watches while it runs another one.
    (&["cargo", "nodemon", "watchexec"], &["-w", "--watch"]),
    // What a sandbox may only read, or not even that.
    (&["bwrap"], &["--remount-ro"]),
    (&["firejail"], &["--blacklist", "--read-only"]),
    (&["nsjail"], &["-R", "--bindmount_ro"]),
    (&["systemd-nspawn"], &["--bind-ro"]),
];

/// Programs, and the first words with which they only read all others.
const VERBS: &[Row] = &[
    (&["docker", "nerdctl", "podman"], &["secret", "create"]),
    (&["docker"], &["config", "create"]),
    (&["doppler"], &["secrets", "upload"]),
    (&["dotenv-linter"], &["check"]),
    (&["dotenv-linter"], &["compare"]),
    (&["dotenv-linter"], &["diff"]),
    (&["netlify"], &["env:import"]),
    (&["wrangler"], &["secret", "bulk"]),
];

/// The options of npm that name its settings.
const NPM: &[&str] = &["--globalconfig", "--userconfig"];

/// Subcommands of npm that only read its settings.
#[rustfmt::skip] // Many words to a line.
const OF_NPM: &[&str] = &[
    "audit", "ci", "i", "info", "install", "ls", "outdated", "pack", "ping", "publish", "run", "start", "t", "test", "update", "view", "whoami",
];

/// Settings of a unit of systemd that name files which it reads, or what it must not change.
const OF_UNITS: &[&str] =
    &["BindReadOnlyPaths=", "EnvironmentFile=", "InaccessiblePaths=", "LoadCredential=", "ReadOnlyPaths="];

/// Whether a program only reads the file that an argument names.
pub(crate) fn is_read(command: &Command<'_>, at: usize) -> bool {
    let args = command.args();
    let Some(text) = args.get(at).map(Word::text) else { return false };
    let begins = |verbs: &[&str]| at >= verbs.len() && args.iter().zip(verbs).all(|(word, verb)| word.text() == *verb);
    if rows(READERS, command).any(|writes| only_reads(command, at, writes))
        || rows(OPTIONS, command).any(|options| value_of(command, at, options).is_some())
        || rows(VERBS, command).any(begins)
    {
        return true;
    }
    match command.name {
        // Two words follow the option: the file, and its name in the sandbox.
        "bwrap" => {
            let before = args.get(at.saturating_sub(2)..at).unwrap_or_default().iter().map(Word::text);
            let mut before = before.skip_while(|text| !matches!(*text, "--ro-bind" | "--ro-bind-try"));
            before.next().is_some() && before.all(|text| !text.starts_with('-'))
        }
        "npm" | "pnpm" => value_of(command, at, NPM).is_some() && npm_only_reads(args),
        "systemd-run" => {
            let setting = value_of(command, at, &["-p", "--property"]).unwrap_or_default();
            OF_UNITS.iter().any(|name| setting.starts_with(name))
        }
        // The value of any option may be in a file.
        "aws" | "awslocal" => text.starts_with("file://") || text.starts_with("fileb://"),
        _ => false,
    }
}

/// Whether npm does something that changes no settings. Other options may have a value that looks like a subcommand, so
/// none may come before it.
fn npm_only_reads(args: &[Word]) -> bool {
    let mut words = args.iter().map(Word::text);
    while let Some(text) = words.next() {
        if NPM.contains(&text) {
            words.next();
        } else if !NPM.iter().any(|option| attached(text, option).is_some()) {
            return OF_NPM.contains(&text);
        }
    }
    false
}

/// Returns the words in the rows of a program.
fn rows(table: &'static [Row], command: &Command<'_>) -> impl Iterator<Item = &'static [&'static str]> {
    table.iter().filter(move |(names, _)| names.contains(&command.name)).map(|(_, words)| *words)
}

/// Returns the value of one of these options, if an argument is one: in the next word, after `=`, or attached to a
/// single letter.
pub(crate) fn value_of<'c>(command: &'c Command<'_>, at: usize, options: &[&str]) -> Option<&'c str> {
    let args = command.args();
    let text = args.get(at)?.text();
    let before = at.checked_sub(1).and_then(|before| args.get(before));
    if before.is_some_and(|before| options.contains(&before.text())) {
        return Some(text);
    }
    options.iter().find_map(|option| attached(text, option))
}

/// Returns the value that is attached to an option: `--file=x`, `-fx`, `-f=x`.
pub(crate) fn attached<'t>(text: &'t str, option: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(option)?;
    let is_letter = option.len() == 2 && !rest.is_empty();
    rest.strip_prefix('=').or(Some(rest).filter(|_| is_letter))
}

/// Whether a program that only reads its arguments also only reads this one: it is no value of an option by which the
/// program writes, and belongs to no command that the program runs.
fn only_reads(command: &Command<'_>, at: usize, writes: &[&str]) -> bool {
    let args = command.args();
    let may_write = |word: &Word| {
        let text = word.text();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        // Long options may be abbreviated.
        let name = text.split('=').next().unwrap_or_default();
        writes.iter().any(|option| match option.strip_prefix("--") {
            Some(_) => name.len() > 2 && option.starts_with(name),
            None => option.chars().nth(1).is_some_and(|letter| letters.contains(letter)),
        })
    };
    let before = at.checked_sub(1).and_then(|before| args.get(before));
    !args.iter().take(at).any(|word| word.text() == "--")
        && !args.get(at).is_some_and(may_write)
        && !before.is_some_and(may_write)
}
