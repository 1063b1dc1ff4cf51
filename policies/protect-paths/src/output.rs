//! Options by which programs write files, copies over the whole project, and files that git restores.

use crate::names::Names;
use crate::place::told;
use crate::rules::Target;
use crate::shell::Judge;
use hookbox_policy::{Command, Word};
use hookbox_sdk::{Access, Place, ShellWord};

/// Options that name the output file in most programs.
const OPTIONS: &[&str] = &[
    "--dest",
    "--destination",
    "--dump",
    "--export",
    "--log-file",
    "--logfile",
    "--out",
    "--out-dir",
    "--out-file",
    "--outdir",
    "--outDir",
    "--outfile",
    "--outFile",
    "--output",
    "--output-dir",
    "--output-directory",
    "--output-file",
    "--output-path",
    "--outputDir",
    "--outputFile",
    "--report-file",
    "--save",
    "--target-dir",
    "-out",
    "-o",
];

/// Programs for which one of these options has a different meaning, or which the facts cover completely.
pub(crate) const KNOWN: &[&str] = &[
    "ack", "ag", "chown", "curl", "df", "docker", "echo", "egrep", "eza", "fgrep", "find", "fswatch", "gcloud", "git",
    "grep", "jq", "kubectl", "less", "ls", "lsof", "mount", "oc", "podman", "printf", "ps", "pstree", "rg", "rsync",
    "scp", "set", "sftp", "shopt", "sort", "ssh", "sshfs", "sudo", "tar", "test", "tree", "unzip", "useradd",
    "usermod", "wget", "yq", "[",
];

/// Words in the names of options whose value is a file that is written to, for any program.
const OUTPUTS: &[&str] = &[
    "batch",
    "dest",
    "destination",
    "dump",
    "dumpbase",
    "dumpdir",
    "export",
    "history",
    "hsts",
    "index",
    "log",
    "logfile",
    "map",
    "marks",
    "out",
    "outfile",
    "output",
    "profile",
    "report",
    "save",
    "sess",
    "store",
    "trace",
    "warc",
    "write",
];

/// Variables that name a file to which a program or the shell writes.
const VARIABLES: &[&str] = &[
    "HISTFILE",
    "LESSHISTFILE",
    "LLVM_PROFILE_FILE",
    "MYSQL_HISTFILE",
    "NODE_REPL_HISTORY",
    "NODE_V8_COVERAGE",
    "PSQL_HISTORY",
    "PYTHON_HISTORY",
    "SQLITE_HISTORY",
];

/// Judges files that the facts of a command do not name.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    copies_over(command, judge);
    mounts_over(command, judge);
    for assignment in &command.facts.assignments {
        let name = assignment.name.as_str();
        let is_trace = name.starts_with("GIT_TRACE") && assignment.value.written().contains('/');
        if VARIABLES.contains(&name) || is_trace {
            let why = format!("`{name}` names a file that is written to");
            judge.possibly(&why, |judge| judge.word(command, &assignment.value, Access::Write, false, all));
        }
    }
    by_name(command, all, judge);
    replaced(command, judge);
    checked_out(command, judge);
    if command.name == "vercel" && command.args().iter().any(|word| word.text() == "pull") {
        let file = ShellWord::Known(".env.local".to_owned());
        let is_named = command.args().iter().any(|word| word.text().contains(".env"));
        judge.possibly("`vercel` writes what it pulls", |judge| {
            if !is_named {
                judge.word(command, &file, Access::Write, false, all);
            }
        });
    }
    if KNOWN.contains(&command.name) || command.name.is_empty() {
        return;
    }
    let mut words = command.facts.argv.iter().skip(1).peekable();
    while let Some(word) = words.next() {
        let text = Word::from(word);
        let text = text.text();
        let value = match text.split_once('=') {
            Some((option, _)) if OPTIONS.contains(&option) => Some(after(word, option.len() + 1)),
            None if OPTIONS.contains(&text) => words.peek().map(|value| (*value).clone()),
            _ => None,
        };
        let Some(value) = value else {
            continue;
        };
        // If the facts know the option, they take precedence.
        if command.facts.files.iter().any(|file| file.path == value) {
            continue;
        }
        let told = told(&value);
        let is_path = told.path.contains(['/', '\\']) || told.path.starts_with('.');
        if !is_path || told.is_anywhere {
            continue;
        }
        let cwd = judge.tool.cwd.as_deref();
        let base = match command.facts.cwd.as_ref().map(crate::place::told) {
            Some(base) => Names::new(&base.path),
            None => cwd.map(Names::new).unwrap_or_default(),
        };
        let names = if told.place.is_some() { Names::new(&told.path) } else { base.join(&told.path) };
        let place = told.place.or_else(|| judge.place_of(&names));
        let target =
            Target { names, shown: value.written().to_owned(), access: Access::Write, place, keeps_content: false };
        judge.rules.judge(&target).tell(judge.found);
    }
}

/// Returns a word without its first bytes, which must be known.
pub(crate) fn after(word: &ShellWord, bytes: usize) -> ShellWord {
    use hookbox_sdk::ShellPart;
    match word {
        ShellWord::Known(text) => ShellWord::Known(text.get(bytes..).unwrap_or_default().to_owned()),
        ShellWord::Partly { raw, parts } => {
            let mut parts = parts.clone();
            if let Some(ShellPart::Known(first)) = parts.first_mut() {
                *first = first.get(bytes..).unwrap_or_default().to_owned();
            }
            ShellWord::Partly { raw: raw.clone(), parts }
        }
    }
}

/// Judges protected files in options whose names mean that the file is written to: `--write-batch=.env`, `-sess_out
/// .env`.
fn by_name(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    // This is `ssh -o UserKnownHostsFile=.env`.
    let is_of_ssh = |option: &str| {
        matches!(command.name, "ssh" | "scp" | "sftp")
            && ["UserKnownHostsFile", "ControlPath"].iter().any(|name| option.ends_with(name))
    };
    let says = |option: &str| {
        is_of_ssh(option)
            || option.starts_with('-')
                && option.split(['-', '_', ',']).any(|part| OUTPUTS.contains(&part.to_ascii_lowercase().as_str()))
    };
    let mut args = command.args().iter().peekable();
    while let Some(word) = args.next() {
        let text = word.text();
        let value = match text.rsplit_once('=') {
            Some((option, value)) => says(option).then_some(value),
            None if says(text) => args.peek().map(|value| value.text()),
            None => None,
        };
        let Some(value) = value.filter(|value| value.starts_with(['.', '~', '/'])) else { continue };
        let is_listed = command.facts.files.iter().any(|file| file.path.known() == Some(value));
        if !is_listed {
            judge.named(command, value, all);
        }
    }
}

/// Judges names that files get by a replacement: `tar --transform 's,^,.git/hooks/,'`, `rename 's/x/.env/' x`.
fn replaced(command: &Command<'_>, judge: &mut Judge<'_>) {
    let renames =
        matches!(command.name, "tar" | "gtar" | "bsdtar" | "rename" | "prename" | "file-rename" | "perl-rename");
    for word in command.args().iter().filter(|_| renames) {
        let text = word.text();
        let expression = text.rsplit_once('=').map_or(text, |(_, value)| value);
        let Some(delimiter) = expression.strip_prefix('s').and_then(|rest| rest.chars().next()) else { continue };
        let Some(name) = expression.split(delimiter).nth(2).filter(|_| !delimiter.is_alphanumeric()) else { continue };
        // If the delimiter is not `/`, the replacement may contain a `/`.
        let names = Names::new(name);
        let target = Target { names, shown: name.to_owned(), access: Access::Write, place: None, keeps_content: false };
        judge.rules.protected(&target).tell(judge.found);
    }
}

/// Judges mounts. A mounted file system hides the files below its mount point.
fn mounts_over(command: &Command<'_>, judge: &mut Judge<'_>) {
    if !matches!(command.name, "mount" | "bindfs" | "unionfs" | "mergerfs") {
        return;
    }
    let Some(word) = command.facts.argv.last().filter(|_| command.args().len() > 1) else { return };
    let told = told(word);
    let names = Names::new(&told.path);
    let place = told.place.or_else(|| judge.place_of(&names));
    let shown = word.written().to_owned();
    let target = Target { names, shown, access: Access::Write, place, keeps_content: false };
    judge.rules.protected(&target).tell(judge.found);
}

/// Judges commands such as `cp -rT evil .`, which replaces the files here with the content of `evil`, including hidden
/// files.
fn copies_over(command: &Command<'_>, judge: &mut Judge<'_>) {
    let is_rsync = command.name == "rsync";
    if !is_rsync && !matches!(command.name, "cp" | "gcp") {
        return;
    }
    let options = hookbox_policy::options(
        command.args(),
        &["-t", "-S", "--target-directory", "--suffix", "-e", "--rsh", "--exclude", "--include", "-f", "--filter"],
    );
    let is_deep = options.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
    let into_itself = options.has(&["-T", "--no-target-directory"]);
    let target = options.value(&["-t", "--target-directory"]);
    let (to, sources) = match (target, options.operands.split_last()) {
        (Some(to), _) => (to, options.operands.as_slice()),
        (None, Some((to, sources))) => (to, sources),
        (None, None) => return,
    };
    let is_all = |source: &Word| {
        let text = source.text();
        into_itself || text.ends_with("/.") || is_rsync && text.ends_with('/') && !text.contains(':')
    };
    let Some(source) = sources.iter().find(|source| is_deep && is_all(source)) else {
        return;
    };
    let is_here = judge.tool.paths.iter().any(|path| {
        let is_it = path.access == Access::Write && path.as_written == to.raw() || path.as_written == to.text();
        is_it && judge.tool.cwd.as_ref().is_some_and(|cwd| Names::new(cwd).is_in(&Names::new(&path.path)))
    });
    if is_here {
        let reason = format!(
            "{} copies all that is in `{}` over the project, and may replace hidden files such as `.git` and `.env`; copy what you need by name",
            command.quote(),
            source.raw()
        );
        judge.found.unknown(reason);
    }
}

/// Judges a file that `git checkout` may restore, although a branch could have its name: `git checkout go.sum`. The
/// facts name all other files.
fn checked_out(command: &Command<'_>, judge: &mut Judge<'_>) {
    if command.name != "git" {
        return;
    }
    let args = command.args();
    let Some(verb) = args.iter().position(|word| word.text() == "checkout") else { return };
    let is_first = verb == 0 || args.first().is_some_and(|word| word.text().starts_with('-'));
    let rest = args.get(verb + 1..).unwrap_or_default();
    let given = hookbox_policy::options(rest, &["-B", "-b", "--conflict", "--orphan", "--pathspec-from-file"]);
    let makes_branch = given.has(&["-B", "-b", "--orphan", "-t", "--track", "-d", "--detach"]);
    let [operand] = given.operands.as_slice() else { return };
    if is_first && !makes_branch && operand.known().is_some_and(|name| name.contains('.')) {
        // A branch is in no place, so only the name counts.
        let names = Names::new(operand.text());
        let shown = operand.raw().to_owned();
        let place = Some(Place::Project);
        let target = Target { names, shown, access: Access::Write, place, keeps_content: false };
        judge.rules.judge(&target).tell(judge.found);
    }
}
