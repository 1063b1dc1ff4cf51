//! Files that a program uses to log in. It neither shows nor sends them.

use crate::environment::code;
use crate::listed::SHOWING;
use crate::reads::COPIERS;
use hookbox_policy::{Command, Word};

/// Options whose value is a login file, for any program.
const LONG: &[&str] = &[
    "--cert",
    "--key",
    "--cacert",
    "--capath",
    "--config",
    "--netrc-file",
    "--proxy-cert",
    "--proxy-key",
    "--private-key",
    "--certificate",
    "--ca-certificate",
    "--password-file",
    "--kubeconfig",
    "--identity",
    "--key-file",
    "--load-cookies",
    "--ssh-key",
    "--client-cert",
    "--client-key",
    "--credentials",
    // The variables of a container are for the container itself.
    "--env-file",
    "--envfile",
    "--dotenv",
    "--secret-file",
    "--defaults-file",
    "--defaults-extra-file",
];

/// Programs, and their short options whose value is a login file.
const SHORT: &[(&[&str], &[&str])] = &[
    (&["ssh", "scp", "sftp", "mosh", "autossh", "sshfs", "ssh-copy-id"], &["-i", "-F", "-o"]),
    (&["rsync"], &["-e"]),
    (&["curl"], &["-E"]),
    (&["ansible", "ansible-playbook", "http", "https", "xh"], &["-i"]),
];

/// Programs that show, compare or pack any file and that are not in the lists of showing and copying programs.
#[rustfmt::skip] // Many names to a line.
const TEXTS: &[&str] = &[
    "ack", "ag", "batcat", "bsdtar", "bzcat", "bzip2", "colordiff", "column", "comm", "csplit", "dd", "delta", "diff",
    "ditto", "egrep", "expand", "fgrep", "fmt", "fold", "gcat", "ghead", "git", "gsed", "gtail", "gtar", "gzip", "hd",
    "iconv", "join", "mawk", "nawk", "pr", "rev", "sdiff", "shuf", "split", "tar", "tee", "uniq", "xz", "xzcat", "zcat",
    "zgrep", "zip", "zstd",
];

/// Whether a command has no login files, because it only shows or copies files, or because it runs code that decides
/// itself what its options mean.
fn has_no_login(command: &Command) -> bool {
    let is_copier = COPIERS.contains(&command.name) && !matches!(command.name, "rsync" | "scp");
    let is_shown = SHOWING.contains(&command.name) && command.name != "curl";
    is_copier || is_shown || TEXTS.contains(&command.name) || code(command.name, command).is_some()
}

/// Whether the argument at this index is a login file, or an option with such a file.
pub(crate) fn is_login(command: &Command, at: usize) -> bool {
    let args = command.args();
    let Some(text) = args.get(at).map(Word::text) else {
        return false;
    };
    if has_no_login(command) {
        return false;
    }
    // The lines of a config file of curl are options, and curl prints those that it does not know.
    let is_own = |option: &str| option == "--config" && command.name == "curl";
    let is_long = |option: &str| option.starts_with("--") && LONG.contains(&option) && !is_own(option);
    let is_short = |option: &str| {
        option.len() == 2
            && SHORT.iter().any(|(programs, options)| options.contains(&option) && programs.contains(&command.name))
    };
    let before = at.checked_sub(1).and_then(|at| args.get(at)).map(Word::text).unwrap_or_default();
    let is_attached = text.starts_with('-')
        && (text.split_once('=').is_some_and(|(option, _)| is_long(option)) || text.get(..2).is_some_and(is_short));
    is_attached && text.len() > 2 || before.starts_with('-') && (is_long(before) || is_short(before))
}

/// Returns the files that a command uses to log in.
pub(crate) fn login_words<'c>(command: &'c Command) -> Vec<&'c str> {
    let logins = command.args().iter().enumerate().filter(|(at, _)| is_login(command, *at));
    let file = |text: &'c str| match text.starts_with('-') && !text.starts_with("--") {
        true => text.get(2..).unwrap_or_default(),
        false => text.split_once('=').map_or(text, |(_, file)| file),
    };
    logins.map(|(_, word)| file(word.text())).collect()
}
