//! The files that a command reads and changes.

use crate::entry::Site;
use crate::place::Leads;
use hookbox_policy::{GLOB, Word};
use hookbox_sdk::{Access, ShellFile};

/// A change of a file that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    /// The file as written.
    pub(crate) path: String,
    /// Whether the command deletes the file.
    pub(crate) deletes: bool,
    /// Whether the file is known only when the command runs.
    pub(crate) is_unknown: bool,
    /// Whether the file is in the working directory and determines what runs later.
    pub(crate) is_delicate: bool,
}

/// Programs whose purpose is to print something. If one of them changes or deletes a file, by an option or by its
/// program text, that file must be in `write_to`. For other programs, changing files is their purpose: an entry for
/// such a program allows it to do so in the working directory, or in the `paths` of the entry.
#[rustfmt::skip] // Groups of programs read better on one line.
const TELLERS: &[&str] = &[
    "ls", "gls", "dir", "vdir", "eza", "exa", "lsd", "tree", "du", "gdu", "df", "ncdu", "stat", "gstat", "file", "readlink",
    "realpath", "basename", "dirname", "namei", "pwd", "which", "type", "whereis", "find", "gfind", "fd", "fdfind", "locate",
    "cat", "tac", "rev", "bat", "batcat", "head", "ghead", "tail", "gtail", "less", "zless", "more", "most", "pg", "man", "info",
    "zcat", "bzcat", "xzcat", "zstdcat", "wc", "nl", "od", "xxd", "hexdump", "hd", "strings", "base64", "base32", "basenc",
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "awk", "gawk", "mawk", "nawk", "jq", "jaq", "cut", "paste", "join", "tr",
    "sort", "gsort", "uniq", "shuf", "comm", "cmp", "diff", "diff3", "sdiff", "colordiff", "delta", "fold", "fmt", "pr", "expand",
    "unexpand", "column", "tsort", "iconv", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "sum", "cksum",
    "b2sum", "objdump", "readelf", "nm", "ldd", "echo", "printf", "print", "date", "cal", "uname", "hostname", "id", "whoami", "env",
    "printenv", "test", "[", "true", "false", "time", "timeout", "nice", "xargs", "gxargs", "strace", "ltrace", "valgrind", "perf",
    "ps", "top", "lsof", "ss", "netstat", "ip", "ping", "dig", "host", "nslookup", "nmap", "tcpdump", "tshark", "curl", "http",
    "https", "xh", "xhs", "ssh", "cd", "pushd", "popd", "read", "mapfile", "readarray", "sleep", "seq", "tput", "history",
];

/// The subcommands of git that only print. They write files only when an option says so.
const GIT_TELLS: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "branch",
    "blame",
    "annotate",
    "grep",
    "shortlog",
    "describe",
    "rev-parse",
    "rev-list",
    "ls-files",
    "ls-tree",
    "cat-file",
    "reflog",
    "whatchanged",
    "range-diff",
    "diff-tree",
    "diff-index",
    "diff-files",
    "format-patch",
    "archive",
    "bundle",
    "name-rev",
    "for-each-ref",
    "show-ref",
    "ls-remote",
    "count-objects",
    "version",
    "help",
    "var",
    "cherry",
    "merge-base",
    "show-branch",
    "stash",
    "tag",
    "remote",
    "config",
];

/// Whether the purpose of the command is to change the files that it names.
fn is_work(site: &Site<'_>) -> bool {
    match site.command.name {
        "git" => {
            let sub = site.args.iter().filter_map(Word::known).find(|word| !word.starts_with('-'));
            sub.is_some_and(|sub| !GIT_TELLS.contains(&sub))
        }
        name => !TELLERS.contains(&name),
    }
}

/// Returns the files that the command names in its words, without redirections.
fn own<'a>(site: &Site<'a>) -> &'a [ShellFile] {
    let facts = site.command.facts;
    facts.files.get(redirected(site)..).unwrap_or_default()
}

/// Returns how many of the files belong to redirections. Those come first.
fn redirected(site: &Site<'_>) -> usize {
    let facts = site.command.facts;
    let mut count = 0;
    for target in facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref()) {
        // A file opened for both reading and writing is listed twice.
        while facts.files.get(count).is_some_and(|file| file.path == *target) {
            count += 1;
        }
    }
    count
}

/// Whether the path is a stream or a device that stores nothing.
fn is_stream(path: &Word) -> bool {
    path.known().is_some_and(|path| {
        matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "/dev/tty" | "/dev/full" | "-")
            || path.strip_prefix("/dev/fd/").is_some_and(|fd| fd.chars().all(|c| c.is_ascii_digit()))
    })
}

/// Returns the first change within the command's purpose that an entry with these `paths` does not allow.
pub(crate) fn changed(site: &Site<'_>, paths: Option<&[String]>) -> Option<Change> {
    let here = [".".to_owned()];
    let files = own(site).iter().filter(|file| file.access.changes() && is_work(site));
    files.into_iter().find_map(|file| {
        let mut change = unlisted(site, file)?;
        let path = Word::from(&file.path);
        let leads = site.places.leads(&path, site.base, paths.unwrap_or(&here));
        // If the entry has `paths`, the user listed the place explicitly.
        change.is_delicate = leads == Leads::Inside && site.places.is_delicate(&path, site.base) && paths.is_none();
        (leads != Leads::Inside || change.is_delicate).then_some(change)
    })
}

/// Returns the first change outside the command's purpose: by a redirection, or by an option of a program that
/// otherwise only reads.
pub(crate) fn written(site: &Site<'_>) -> Option<Change> {
    let files = &site.command.facts.files;
    let (redirected, own) = files.split_at_checked(redirected(site)).unwrap_or_default();
    let others = own.iter().filter(|_| !is_work(site));
    redirected.iter().chain(others).filter(|file| file.access.changes()).find_map(|file| unlisted(site, file))
}

/// Returns the change of this file, if `write_to` does not allow it.
fn unlisted(site: &Site<'_>, file: &ShellFile) -> Option<Change> {
    let path = Word::from(&file.path);
    if is_stream(&path) {
        return None;
    }
    let leads = site.places.leads(&path, site.base, &site.settings.write_to);
    (leads != Leads::Inside).then(|| Change {
        path: path.text().replace(GLOB, "*").replace(hookbox_policy::UNKNOWN, "…"),
        deletes: file.access == Access::Delete,
        is_unknown: leads == Leads::Unknown,
        is_delicate: false,
    })
}

/// Returns the first file that the command reads or lists outside these `paths`, including redirections.
pub(crate) fn read_outside(site: &Site<'_>, paths: &[String]) -> Option<String> {
    let reads = site.command.facts.files.iter().filter(|file| !file.access.changes());
    let outside = |path: &Word| !is_stream(path) && site.places.leads(path, site.base, paths) != Leads::Inside;
    reads.map(|file| Word::from(&file.path)).find(outside).map(|path| path.raw().to_owned())
}

/// Programs whose first operand is not a file. The facts name the files of these programs.
const WITH_PATTERN: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "sed", "gsed", "awk", "gawk", "mawk", "nawk", "jq", "yq", "fd", "fdfind",
];

/// Whether an argument may name a file, as far as the facts say.
pub(crate) fn may_be_file(word: &Word, site: &Site<'_>) -> bool {
    let files = own(site);
    let knows = !files.is_empty() && WITH_PATTERN.contains(&site.command.name);
    !knows || files.iter().any(|file| Word::from(&file.path).text() == word.text())
}

/// Returns a file that a git command would read outside its repository: with `git diff --no-index`, or with `git diff`
/// and two files, one of which is outside.
pub(crate) fn foreign(site: &Site<'_>) -> Option<String> {
    if site.command.name != "git" {
        return None;
    }
    let sub = site.args.iter().position(|word| !word.text().starts_with('-'))?;
    let (is_diff, is_told) = match site.args.get(sub)?.known()? {
        "diff" => (true, true),
        "grep" | "blame" => (false, true),
        _ => (false, false),
    };
    let rest = site.args.get(sub + 1..).filter(|_| is_told)?;
    let here = [".".to_owned()];
    let is_outside = |word: &Word| !is_stream(word) && site.places.leads(word, site.base, &here) != Leads::Inside;
    let mut operands = rest.iter().filter(|word| !word.text().starts_with('-'));
    // If one of the files is missing, git also compares files instead of revisions.
    let is_open = rest.iter().any(|word| match word.text() {
        "--no-index" | "--contents" => true,
        text => is_diff && text == "/dev/null",
    });
    let file = operands.find(|word| (is_open || is_diff && word.text().starts_with('/')) && is_outside(word));
    let contents = rest.iter().filter(|word| word.text().starts_with("--contents=")).map(|word| word.after(11));
    file.cloned().into_iter().chain(contents).find(is_outside).map(|word| word.raw().to_owned())
}
