//! Keys and passwords that others could read, and keys that are replaced by new ones.

use crate::lost::{is_of_keys, is_precious};
use crate::scene::{Scene, has};
use crate::target::Target;
use hookbox_policy::{Command, Findings, Word, options};

/// The beginnings of files of the system that only root, and perhaps a group, may read.
const OF_SYSTEM: [&str; 3] = ["/etc/shadow", "/etc/gshadow", "/etc/ssh/ssh_host_"];

/// Files in a home directory with passwords.
const PASSWORDS: [&str; 4] = [".git-credentials", ".netrc", ".pgpass", ".pypirc"];

/// Judges files to which a change of permissions gives others access: `chmod o+r ~/.ssh/id_rsa`.
pub(crate) fn exposed(command: &Command<'_>, scene: &Scene<'_>, words: &[Word], found: &mut Findings) {
    // This is also true of the files of `setfacl`, which come without a mode.
    let is_for_all = words.first().map(Word::text).is_some_and(|mode| {
        mode.contains(['o', 'a', '/']) || mode.starts_with('+') || mode.ends_with(['1', '2', '3', '4', '5', '6', '7'])
    });
    for word in words {
        let path = match scene.target(command, word) {
            Target::Settings(path) if is_secret(&path) => path,
            Target::System(path) if is_for_all && OF_SYSTEM.iter().any(|begin| path.starts_with(begin)) => path,
            _ => continue,
        };
        if !path.ends_with(".pub") {
            found.ask(format!("{} would give others access to `{path}`; is that meant?", command.quote()));
        }
    }
}

/// Whether a path in a home directory is a key or has passwords. Others may read which keys are let in, and settings.
fn is_secret(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_open = matches!(last, "authorized_keys" | "config") && !path.contains(".kube/");
    PASSWORDS.contains(&last) || is_of_keys(path) && is_precious(path) && !is_open
}

/// Judges `ssh-keygen` if it is told in advance to replace a key: `ssh-keygen -f ~/.ssh/id_rsa <<< y`.
pub(crate) fn replaced(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    #[rustfmt::skip] // Many words to a line.
    const VALUES: [&str; 18] = [
        "-f", "-t", "-b", "-C", "-N", "-P", "-a", "-m", "-O", "-Z", "-w", "-V", "-I", "-n", "-F", "-R", "-s", "-Y",
    ];
    /// Options with which the program does something other than making a key.
    #[rustfmt::skip]
    const OTHERS: [&str; 18] = [
        "-A", "-B", "-D", "-F", "-H", "-K", "-L", "-M", "-Q", "-R", "-Y", "-c", "-e", "-i", "-l", "-p", "-r", "-s",
    ];
    if command.name != "ssh-keygen" || !says_yes(command, scene) {
        return;
    }
    let given = options(command.args(), &VALUES);
    if has(&given.options, &OTHERS) || has(&given.options, &["-y", "-k"]) {
        return;
    }
    let usual = Word::new("~/.ssh/id_ed25519");
    let file = given.value(&["-f"]).unwrap_or(&usual);
    if let Target::Settings(path) = scene.target(command, file)
        && is_precious(&path)
    {
        found.ask(format!("{} would replace the user's own `{path}` if it exists; is that meant?", command.quote()));
    }
}

/// Whether the input of a command answers with yes: `yes | x`, `x <<< y`.
fn says_yes(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    let is_yes = |text: &str| text.trim_start().starts_with(['y', 'Y']);
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    stdin.iter().flat_map(|text| text.text().lines()).any(is_yes)
        || scene.sources(command).any(|source| match source.name {
            "yes" => source.args().first().is_none_or(|word| is_yes(word.text())),
            "echo" | "printf" => source.args().iter().any(|word| is_yes(word.text())),
            _ => false,
        })
}
