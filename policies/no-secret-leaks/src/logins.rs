//! Files that a program uses to log in. It neither shows nor sends them.

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
    "--cookie",
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
    (&["curl"], &["-E", "-K", "-b"]),
    (&["ansible", "ansible-playbook", "http", "https", "xh"], &["-i"]),
];

/// Whether the argument at this index is a login file, or an option with such a file.
pub(crate) fn is_login(command: &Command, at: usize) -> bool {
    let args = command.args();
    let Some(text) = args.get(at).map(Word::text) else {
        return false;
    };
    let is_long = |option: &str| option.starts_with("--") && LONG.contains(&option);
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
    logins.map(|(_, word)| word.text()).map(|text| text.split_once('=').map_or(text, |(_, file)| file)).collect()
}
