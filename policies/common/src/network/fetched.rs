//! Programs that are fetched from another machine and run: `curl … | sh` and variants.

use super::{saves, scripts};
use crate::runner::{Program, program};
use crate::{Command, Names, UNKNOWN, Word};
use hookbox_sdk::Access;
use std::collections::BTreeSet;

/// A command that fetches something, and a command that runs the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The index of the command that fetches.
    pub fetch: usize,
    /// The index of the command that runs it.
    pub run: usize,
}

/// Programs that print or store what another machine sends.
static FETCHES: Names = Names::new(&[
    "curl",
    "curlie",
    "wget",
    "wget2",
    "http",
    "https",
    "xh",
    "xhs",
    "httpie",
    "aria2c",
    "axel",
    "fetch",
    "lwp-request",
    "GET",
    "lwp-download",
    "lynx",
    "links",
    "elinks",
    "w3m",
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "socat",
    "dig",
    "drill",
    "host",
    "nslookup",
    "iwr",
    "irm",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "invoke-webrequest",
    "invoke-restmethod",
    "scp",
    "sftp",
    "ftp",
    "ftpget",
    "ncftpget",
    "tftp",
    "atftp",
    "lftp",
    "websocat",
    "rclone",
    "gsutil",
    "ipfs",
    "croc",
    "youtube-dl",
    "yt-dlp",
    "certutil",
    "bitsadmin",
    "puf",
]);
/// Whether a command prints or stores what another machine sends.
#[must_use]
pub fn is_fetch(command: &Command) -> bool {
    let words = || command.args().iter().map(Word::text);
    match command.name {
        "aws" => words().any(|word| word == "s3" || word == "s3api"),
        "gh" => words().any(|word| matches!(word, "api" | "gist" | "download")),
        "openssl" => words().any(|word| word == "s_client"),
        "ssh" => true,
        name => FETCHES.contains(name) || name.strip_suffix(".exe").is_some_and(|name| FETCHES.contains(name)),
    }
}

/// Returns the first fetched program that the commands run.
#[must_use]
pub fn fetched_then_run(commands: &[Command]) -> Option<Fetched> {
    let (mut fetched, variables) = outputs(commands);
    if fetched.iter().all(Option::is_none) && !commands.iter().any(saves::may_store) {
        return None;
    }
    let mut files: Vec<(String, usize)> = Vec::new();
    for (run, command) in commands.iter().enumerate() {
        // `curl -o a …; cat a | sh`, and what reads from such a command.
        let shown = shown(command, &files)
            .or_else(|| command.facts.reads_from.iter().find_map(|source| fetched.get(*source).copied().flatten()));
        if let Some(own) = fetched.get_mut(run) {
            *own = own.or(shown);
        }
        let fetch = piped(run, command, commands, &fetched)
            .or_else(|| substituted(run, command, commands, &fetched))
            .or_else(|| named(command, &variables))
            .or_else(|| kept(command, &files));
        if let Some(fetch) = fetch {
            return Some(Fetched { fetch, run });
        }
        if let Some(fetch) = fetched.get(run).copied().flatten() {
            files.extend(written(command).map(|file| (file, fetch)));
            files.extend(into_directory(command).map(|file| (file, fetch)));
        }
        files.extend(saves::files(run, commands).iter().map(|word| (path(command, word), run)));
        // `mv a b`, `cp a b`
        if matches!(command.name, "mv" | "cp" | "install" | "ln") {
            let from =
                command.args().iter().find_map(|word| files.iter().find(|(file, _)| *file == path(command, word)));
            if let (Some((from, fetch)), Some(to)) = (from.cloned(), command.args().last()) {
                let to = path(command, to);
                // The target may be a directory.
                files.push((format!("{to}/{}", from.rsplit('/').next().unwrap_or_default()), fetch));
                files.push((to, fetch));
            }
        }
    }
    None
}

/// Returns the fetch of a file that a command prints.
fn shown(command: &Command, files: &[(String, usize)]) -> Option<usize> {
    const SHOWS: [&str; 11] =
        ["cat", "tac", "head", "tail", "sed", "awk", "base64", "gunzip", "zcat", "xzcat", "bzcat"];
    if files.is_empty() || !SHOWS.contains(&command.name) {
        return None;
    }
    let names: BTreeSet<String> = command.args().iter().map(|word| path(command, word)).collect();
    files.iter().find(|(file, _)| names.contains(file)).map(|(_, fetch)| *fetch)
}

/// Returns which of the commands runs a fetched program, and what to do instead.
#[must_use]
pub fn unseen_program(commands: &[Command]) -> Option<String> {
    let fetched = fetched_then_run(commands)?;
    let (fetch, run) = (commands.get(fetched.fetch)?.quote(), commands.get(fetched.run)?.quote());
    Some(format!("{run} runs what {fetch} fetches, which nobody has seen; save it to a file, read it, then run that"))
}

/// Returns for each command the one whose fetched text it prints, if any, and the variables that contain such a text.
pub(super) fn outputs(commands: &[Command]) -> (Vec<Option<usize>>, Vec<(String, usize)>) {
    let mut fetched: Vec<Option<usize>> = Vec::with_capacity(commands.len());
    let mut variables: Vec<(String, usize)> = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        let sources = command.facts.reads_from.iter();
        let passed = sources.filter_map(|source| fetched.get(*source).copied().flatten()).next();
        // `echo "$(curl …)"`, `cat <(curl …)`
        let is_echo = matches!(command.name, "echo" | "printf" | "cat" | "base64" | "gunzip" | "zcat" | "sed" | "tee");
        let child = || child(index, commands, &fetched);
        let is_declaration = matches!(command.name, "export" | "declare" | "typeset" | "local" | "readonly");
        for word in command.args().iter().filter(|word| is_declaration && word.is_unknown()) {
            let name = word.text().split('=').next().unwrap_or_default();
            let is_new = !variables.iter().any(|(known, _)| known == name);
            variables.extend(child().filter(|_| is_new).map(|fetch| (name.to_owned(), fetch)));
        }
        for set in command.facts.assignments.iter().filter(|set| set.value.known().is_none()) {
            let is_new = !variables.iter().any(|(known, _)| *known == set.name);
            variables.extend(child().filter(|_| is_new).map(|fetch| (set.name.clone(), fetch)));
        }
        let held = || {
            let is_used = |name: &str| command.args().iter().any(|word| uses(word.raw(), name));
            variables.iter().find(|(name, _)| is_used(name)).map(|(_, fetch)| *fetch)
        };
        let printed = || if is_echo { child().or_else(held) } else { None };
        let own = if is_fetch(command) { Some(index) } else { passed.or_else(printed) };
        fetched.push(own);
    }
    (fetched, variables)
}

/// Returns the fetch inside a substitution of a command.
fn child(index: usize, commands: &[Command], fetched: &[Option<usize>]) -> Option<usize> {
    let is_child = |at: &usize| {
        commands.get(*at).is_some_and(|child| {
            child.facts.parent == Some(index) && child.facts.via.as_deref() == Some("substitution")
        })
    };
    // Substitutions are listed near their command.
    let range = index.saturating_sub(64)..(index + 64).min(fetched.len());
    range.filter(is_child).filter_map(|at| fetched.get(at).copied().flatten()).next_back()
}

/// Finds the fetch in `curl … | sh` and `sh <<< "$(curl …)"`.
fn piped(index: usize, command: &Command, commands: &[Command], fetched: &[Option<usize>]) -> Option<usize> {
    let runs = match program(command) {
        Program::Input => true,
        Program::File(word) => matches!(word.text(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"),
        _ => super::code::runs_input(command) || scripts::is_input(command),
    };
    // This covers `curl … | xargs -I{} sh -c {}`, and programs that run each line.
    let is_own = runs
        || (matches!(command.name, "parallel" | "xargs") && command.args().is_empty() && command.name == "parallel");
    if !is_own {
        let is_word = matches!(program(command), Program::Code(word) if word.known().is_none());
        let by_xargs = matches!(command.facts.via.as_deref(), Some("xargs" | "parallel"));
        if !(is_word && by_xargs) {
            return None;
        }
    }
    let own = command.facts.reads_from.iter().filter_map(|source| fetched.get(*source).copied().flatten()).next();
    let parent = command.facts.parent.and_then(|parent| commands.get(parent));
    let of_parent = || {
        let parent = parent.filter(|_| command.facts.via.as_deref() != Some("substitution"))?;
        parent.facts.reads_from.iter().filter_map(|source| fetched.get(*source).copied().flatten()).next()
    };
    let given = || {
        let is_open = command.facts.stdin.as_ref().is_some_and(|input| input.known().is_none());
        let is_redirected = command.facts.redirects.iter().any(|redirect| {
            redirect.op.starts_with('<') && redirect.target.as_ref().is_some_and(|target| target.known().is_none())
        });
        if is_open || is_redirected { child(index, commands, fetched) } else { None }
    };
    own.or_else(of_parent).or_else(given)
}

/// Finds the fetch in `sh -c "$(curl …)"`, `bash <(curl …)` and `$(curl …)`.
fn substituted(index: usize, command: &Command, commands: &[Command], fetched: &[Option<usize>]) -> Option<usize> {
    let is_open = |word: &Word| word.is_unknown() && !is_variable(word);
    let is_program = match program(command) {
        Program::Code(word) | Program::File(word) => is_open(word),
        _ => command.name.is_empty() && command.words.first().is_some_and(is_open),
    };
    let is_program = is_program || scripts::is_output(command);
    if is_program { child(index, commands, fetched) } else { None }
}

/// Whether a word is just a variable.
fn is_variable(word: &Word) -> bool {
    let raw = word.raw().trim_matches('"');
    raw.strip_prefix('$').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "_{}".contains(c)))
}

/// Whether a word as written contains this variable.
fn uses(raw: &str, name: &str) -> bool {
    raw.split('$').skip(1).any(|rest| {
        let rest = rest.trim_start_matches('{');
        rest.strip_prefix(name).is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}

/// Finds the fetch in `x=$(curl …); eval "$x"`.
fn named(command: &Command, variables: &[(String, usize)]) -> Option<usize> {
    let is_given = |name: &str| match program(command) {
        Program::Code(word) => uses(word.raw(), name),
        Program::Input => command.facts.stdin.as_ref().is_some_and(|input| uses(input.written(), name)),
        _ => command.name.is_empty() && command.words.first().is_some_and(|word| uses(word.raw(), name)),
    };
    variables.iter().find(|(name, _)| is_given(name)).map(|(_, fetch)| *fetch)
}

/// Finds the fetch in `curl -o a.sh …; sh a.sh`.
fn kept(command: &Command, files: &[(String, usize)]) -> Option<usize> {
    if files.is_empty() {
        return None;
    }
    let mut words: Vec<&Word> = match program(command) {
        Program::File(word) => vec![word],
        _ => Vec::new(),
    };
    words.extend(command.words.first().filter(|word| word.text().contains('/')));
    let mut names: BTreeSet<String> = words.into_iter().map(|word| path(command, word)).collect();
    // `go run .` runs the project, in which a file with an unknown name may have been stored.
    let scripts = scripts::of(command);
    let scripts = scripts.iter().filter(|word| word.text().trim_end_matches('/') != ".");
    names.extend(scripts.map(|word| path(command, word)));
    if matches!(program(command), Program::Input) {
        let input = command.facts.redirects.iter().filter(|redirect| redirect.op == "<");
        names
            .extend(input.filter_map(|redirect| redirect.target.as_ref()).map(|word| path(command, &Word::from(word))));
    }
    files.iter().find(|(file, _)| names.contains(file)).map(|(_, fetch)| *fetch)
}

/// Returns the files that a command writes.
pub(super) fn written<'c>(command: &'c Command) -> impl Iterator<Item = String> + 'c {
    let files = command.facts.files.iter().filter(|file| matches!(file.access, Access::Write | Access::Create));
    let redirects = command.facts.redirects.iter().filter(|redirect| redirect.op.contains('>'));
    let words = files.map(|file| Word::from(&file.path));
    let targets = redirects.filter_map(|redirect| redirect.target.as_ref().map(Word::from));
    words
        .chain(targets)
        .map(|word| path(command, &word))
        .filter(|path| !matches!(path.as_str(), "/dev/null" | "." | ""))
}

/// Returns the files that a command may write into a directory that it names, under their original names.
pub(super) fn into_directory<'c>(command: &'c Command) -> impl Iterator<Item = String> + 'c {
    let args = command.args();
    let after = |names: &[&str]| {
        let at = args.iter().position(|word| names.contains(&word.text()))?;
        args.get(at + 1)
    };
    let directory = match command.name {
        "scp" | "rsync" | "sftp" => args.last(),
        "wget" | "wget2" => after(&["-P", "--directory-prefix"]),
        "curl" => after(&["--output-dir"]),
        "aria2c" => after(&["-d", "--dir"]),
        _ => None,
    };
    let base = |word: &Word| {
        let text = word.text().split(['?', '#']).next().unwrap_or_default().to_owned();
        text.rsplit(['/', ':']).next().filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let sources = args.iter().filter(|word| word.text().contains(':'));
    directory.into_iter().flat_map(move |directory| {
        let sources = sources.clone();
        sources.filter_map(move |source| {
            Some(path(command, &Word::new(&format!("{}/{}", directory.text(), base(source)?))))
        })
    })
}

/// Returns the path of a file in canonical spelling: below the directory that the command runs in, if that is known.
pub(super) fn path(command: &Command, word: &Word) -> String {
    // Unknown names count as equal if they are written the same.
    let text = if word.text().contains(UNKNOWN) { word.raw() } else { word.text() };
    let text = text.trim_matches('"');
    let cwd = command.facts.cwd.as_ref().and_then(|cwd| cwd.known()).filter(|_| !text.starts_with('/'));
    let joined = cwd.map_or_else(|| text.to_owned(), |cwd| format!("{cwd}/{text}"));
    let names = joined.split('/').filter(|name| !name.is_empty() && *name != ".").collect::<Vec<_>>().join("/");
    if joined.starts_with('/') { format!("/{names}") } else { names }
}
