//! Programs that send files to other machines or into containers, and which of their words name what they send.

use hookbox_policy::{Command, UNKNOWN, Word, options};
use hookbox_sdk::Access;

/// Programs, and the lists of words of which one makes them do something.
type Carrier = (&'static [&'static str], &'static [&'static [&'static str]]);

/// Programs that send files to a service.
const CARRIERS: &[Carrier] = &[
    (&["gh"], &[&["gist"], &["issue"], &["pr"], &["release"]]),
    (&["aws"], &[&["s3"], &["s3api"]]),
    (&["az"], &[&["storage"]]),
    (&["supabase"], &[&["storage", "cp"]]),
];

/// Programs that copy files between this machine and another one, whose files are written as `place:path`.
const COPIERS: &[Carrier] =
    &[(&["kubectl", "oc"], &[&["cp"], &["rsync"]]), (&["gh"], &[&["codespace", "cp"], &["cs", "cp"]])];

/// Programs that do the same with the containers of this machine.
const CONTAINERS: &[Carrier] = &[
    (&["docker", "podman", "nerdctl"], &[&["cp"], &["container", "cp"], &["compose", "cp"]]),
    (&["docker-compose"], &[&["cp"]]),
];

/// Programs that pass their input to a program somewhere else.
const RUNNERS: &[Carrier] = &[
    (&["kubectl", "oc"], &[&["exec"], &["attach"], &["run"]]),
    (&["docker", "podman", "nerdctl"], &[&["exec"], &["container", "exec"], &["compose", "exec"]]),
    (&["docker-compose"], &[&["exec"]]),
];

/// Programs that copy whole directories to other places.
pub(crate) const BACKUPS: &[&str] =
    &["rclone", "restic", "rustic", "borg", "borgmatic", "duplicity", "kopia", "unison", "rdiff-backup", "bupstash"];

/// Whether the purpose of a program is to reach other machines.
pub(crate) fn reaches_by_name(command: &Command) -> bool {
    match command.name {
        "mail" | "mailx" | "mutt" | "sendmail" | "msmtp" | "swaks" | "telegram-send" | "slackcat" | "nc" | "ncat"
        | "netcat" | "socat" | "telnet" | "dig" | "nslookup" | "host" | "drill" => true,
        "ansible" => copied_by_module(command).is_some(),
        "sftp" | "ftp" | "lftp" | "smbclient" | "croc" | "wormhole" => true,
        // The command reaches others if its repository or remote is on another machine.
        name if BACKUPS.contains(&name) => command.args().iter().any(|word| {
            let text = word.text();
            let text = text.split_once('=').filter(|(name, _)| name.starts_with("--")).map_or(text, |(_, value)| value);
            text.split_once(':')
                .is_some_and(|(before, _)| !before.is_empty() && !before.contains(['/', '.']) || text.contains("://"))
        }),
        _ => is_told(command, CARRIERS) || is_told(command, COPIERS),
    }
}

/// Whether a command copies files, of which some are written as `place:path`.
pub(crate) fn copies_inside(command: &Command) -> bool {
    is_told(command, COPIERS) || is_told(command, CONTAINERS)
}

/// Whether a program runs containers on this machine.
pub(crate) fn is_container(command: &Command) -> bool {
    CONTAINERS.iter().any(|(programs, _)| programs.contains(&command.name))
}

/// Whether a command passes its input to a program on another machine or in a container. Its words are for that program.
pub(crate) fn runs_inside(command: &Command) -> bool {
    is_told(command, RUNNERS)
}

/// Whether the first words of a command are one of the lists of words that a table has for its program.
fn is_told(command: &Command, table: &[Carrier]) -> bool {
    let lists = table.iter().filter(|(programs, _)| programs.contains(&command.name)).flat_map(|(_, lists)| *lists);
    lists.copied().any(|list| {
        let mut before = "";
        let mut words = command.args().iter().map(Word::text).filter(|word| {
            let last = std::mem::replace(&mut before, *word);
            // The value of an option may come before a word of the list.
            !word.starts_with('-') && (!last.starts_with('-') || last.contains('=') || list.contains(word))
        });
        list.iter().all(|told| words.next() == Some(*told))
    })
}

/// Returns the file that a module of Ansible copies to other machines: `-m copy -a 'src=.env dest=/srv/.env'`.
pub(crate) fn copied_by_module<'c>(command: &'c Command) -> Option<&'c str> {
    if command.name != "ansible" {
        return None;
    }
    let given = options(command.args(), &["-m", "--module-name", "-a", "--args", "-i", "-u", "-e", "-c", "-l"]);
    let is_here = |word: &Word| matches!(word.text(), "localhost" | "127.0.0.1");
    let module = given.value(&["-m", "--module-name"]).map_or("", Word::text);
    let copies = matches!(module.rsplit('.').next(), Some("copy" | "synchronize" | "template" | "unarchive"));
    if !copies || given.operands.iter().any(is_here) {
        return None;
    }
    let mut parts = command.args().iter().flat_map(|word| word.text().split_whitespace());
    parts.find_map(|part| part.strip_prefix("src="))
}

/// Whether a file is one in a pod, a container or a codespace: `namespace/pod:/path`.
pub(crate) fn is_inside(command: &Command, file: &str) -> bool {
    let is_place =
        |place: &str| !place.is_empty() && !place.starts_with(['-', '.', '/', '~']) && place.matches('/').count() < 2;
    let place = file.split_once(':').filter(|(_, path)| !path.starts_with("//")).map(|(place, _)| place);
    place.is_some_and(is_place) && copies_inside(command)
}

/// Whether an option names an unknown file to send: `-d @$FILE`.
pub(crate) fn uploads_unknown(command: &Command) -> bool {
    let is_unknown = |text: &str| text.starts_with(UNKNOWN) && text.chars().count() == 1;
    command.args().windows(2).any(|pair| match pair {
        [option, value] => match option.text() {
            "-T" | "--upload-file" | "--post-file" | "--body-file" => is_unknown(value.text()),
            "-d" | "--data" | "--data-binary" | "--data-ascii" | "--json" => {
                value.text().strip_prefix('@').is_some_and(is_unknown)
            }
            "-F" | "--form" => value.text().split_once("=@").is_some_and(|(_, file)| is_unknown(file)),
            _ => false,
        },
        _ => false,
    })
}

/// Whether a command writes a file without reading it: `curl -o .env …`, `scp host:.env .env`.
pub(crate) fn is_only_written(command: &Command, text: &str) -> bool {
    let mut uses = command.facts.files.iter().filter(|file| Word::from(&file.path).text() == text).peekable();
    uses.peek().is_some() && uses.all(|file| file.access.changes() && file.access != Access::Delete)
}

/// Whether an argument is the local destination of a copy from elsewhere: `aws s3 cp s3://bucket/.env .env`.
pub(crate) fn is_target(command: &Command, at: usize) -> bool {
    let is_copier =
        matches!(command.name, "aws" | "gsutil" | "gcloud" | "rclone" | "s3cmd" | "mc" | "azcopy" | "supabase");
    let (before, after) = command.args().split_at(at.min(command.args().len()));
    let is_there = |word: &Word| is_inside(command, word.text());
    if before.iter().any(is_there) && !after.iter().any(is_there) {
        return true;
    }
    let is_remote = |word: &Word| word.text().contains("://") || command.name == "rclone" && word.text().contains(':');
    is_copier
        && before.iter().any(is_remote)
        && !after.iter().skip(1).any(|word| is_remote(word) || !word.text().starts_with('-'))
}

/// Whether an argument names what is not sent: `--exclude .env`.
pub(crate) fn is_left_out(command: &Command, at: usize) -> bool {
    let text = |at: usize| command.args().get(at).map(Word::text).unwrap_or_default();
    at.checked_sub(1).is_some_and(|before| text(before) == "--exclude") || text(at).starts_with("--exclude=")
}

/// Whether an argument is the file that `curl` uploads. `curl` expands patterns in its name.
pub(crate) fn is_upload(command: &Command, at: usize) -> bool {
    let text = |at: usize| command.args().get(at).map(Word::text).unwrap_or_default();
    at.checked_sub(1).is_some_and(|before| matches!(text(before), "-T" | "--upload-file"))
        || text(at).starts_with("--upload-file=")
}
