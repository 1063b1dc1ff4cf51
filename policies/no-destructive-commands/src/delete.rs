//! Commands that delete, move or overwrite whole directories.

use crate::scene::{Scene, has, is_handed_on};
use crate::target::Target;
use crate::{find, keys, lost};
use hookbox_policy::{Command, Findings, GLOB, UNKNOWN, Word, options, options_but};

/// The extent to which a command deletes its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Everything in a directory, without a confirmation.
    Trees,
    /// Everything in a directory, with a confirmation for files that cannot be written.
    AskingTrees,
    /// Only files.
    Files,
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    // PowerShell's names have no case, and neither have the names of programs on macOS and Windows.
    match command.name.to_ascii_lowercase().as_str() {
        "rm" | "grm" | "srm" | "wipe" => rm(command, scene, found),
        // Programs of clusters that delete in parallel.
        "drm" => {
            let given = options(command.args(), &["-i", "--input", "--exclude", "--match"]);
            if !has(&given.options, &["--dryrun", "-h", "--help"]) {
                delete(command, scene, &given.operands, Reach::Trees, found);
            }
        }
        "rmdir" | "unlink" | "munlink" => {
            let given = options(command.args(), &[]);
            delete(command, scene, &given.operands, Reach::Files, found);
            // PowerShell and `cmd` have a `rmdir` that deletes everything in a directory.
            windows(command, scene, found);
        }
        "trash" | "trash-put" | "rmtrash" | "gvfs-trash" => {
            let given = options(command.args(), &[]);
            delete(command, scene, &given.operands, Reach::AskingTrees, found);
        }
        "gio" | "kioclient" | "kioclient5" => {
            let given = options(command.args(), &[]);
            if let Some((verb, operands)) = given.operands.split_first()
                && matches!(verb.text(), "trash" | "remove" | "move")
            {
                delete(command, scene, operands, Reach::AskingTrees, found);
            }
        }
        "rimraf" | "del-cli" => {
            let given = options(command.args(), &[]);
            let operands: Vec<Word> = given.operands.iter().map(without_pattern).collect();
            delete(command, scene, &operands, Reach::Trees, found);
        }
        "systemd-tmpfiles" => {
            let operands = lost::configured(command);
            delete(command, scene, &operands, Reach::Trees, found);
        }
        "find" | "gfind" => find::judge(command, scene, found),
        "fd" | "fdfind" => {}
        "rsync" => rsync(command, scene, found),
        "chmod" | "chown" | "chgrp" | "setfacl" | "chattr" => permissions(command, scene, found),
        "shred" | "truncate" | "scrub" | "sdelete" | "sfill" => emptied(command, scene, found),
        "mv" | "gmv" | "sed" | "gsed" | "perl" | "tar" | "gtar" | "bsdtar" | "7z" | "7za" | "7zz" | "zip" | "tee"
        | "robocopy" => lost::judge(command, scene, found),
        "remove-item" | "ri" | "del" | "rd" | "erase" => windows(command, scene, found),
        "" => hidden(command, scene, found),
        _ => {}
    }
}

fn rm(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let given = options(command.args(), &[]);
    // The `rm` of macOS reads no options after the first file.
    let first = command.args().iter().take_while(|word| word.text().starts_with('-')).count();
    let leading = options(command.args().get(..first).unwrap_or_default(), &[]);
    if has(&leading.options, &["--help", "--version"]) {
        return;
    }
    if given.options.iter().any(|option| option.name.starts_with("--no-p")) {
        let why = "switches off the guard that keeps rm from deleting `/`; leave out `--no-preserve-root`";
        found.deny(format!("{} {why}", command.quote()));
    }
    if given.operands.is_empty() && is_handed_on(command, scene) {
        found.unknown(format!("{} would delete what another program hands on; name the files", command.quote()));
    }
    let recursive = has(&given.options, &["-r", "-R", "--recursive"]);
    let forced = has(&given.options, &["-f", "--force"]);
    let reach = match (recursive, forced) {
        (true, true) => Reach::Trees,
        (true, false) => Reach::AskingTrees,
        (false, _) => Reach::Files,
    };
    // An unknown word may turn out to be an option.
    let hides_options = given.operands.iter().any(|word| word.text().starts_with([UNKNOWN, GLOB]));
    if !recursive
        && hides_options
        && scene.worst(command, &given.operands).is_some_and(|(worst, _)| worst > Target::Unknown)
    {
        found.unknown(format!(
            "{} may be recursive, since one of its arguments is not known yet; write it out",
            command.quote()
        ));
    }
    delete(command, scene, &given.operands, reach, found);
}

/// Returns a directory without a quoted pattern for everything in it, which these programs expand themselves: `'dir/**'`.
fn without_pattern(word: &Word) -> Word {
    let text = word.text();
    match text.strip_suffix("/**").or_else(|| text.strip_suffix("/*")) {
        None if matches!(text, "*" | "**") => Word::new("."),
        Some("") => Word::new("/"),
        Some(dir) => Word::new(dir),
        None => word.clone(),
    }
}

/// Judges files or directories that would be lost.
fn delete(command: &Command<'_>, scene: &Scene<'_>, operands: &[Word], reach: Reach, found: &mut Findings) {
    let trees = reach != Reach::Files;
    let choosy = scene.chosen_by(command);
    for word in operands {
        let target = scene.target(command, word);
        let comes_from_others = is_handed_on(command, scene);
        match target {
            Target::FileSystem | Target::Home if trees => deny(command, word, &target, found),
            Target::System(_) | Target::Settings(_) if trees => deny(command, word, &target, found),
            Target::System(_) if choosy.is_some() => deny(command, word, &target, found),
            Target::FileSystem | Target::Home if choosy.is_some() => deny(command, word, &target, found),
            // `rmdir` deletes only what is empty.
            Target::System(path)
                if is_kept(&path) && reach == Reach::Files && !command.name.eq_ignore_ascii_case("rmdir") =>
            {
                found.ask(format!("{} would delete a file of the system; is that meant?", command.quote()));
            }
            Target::Settings(path) if lost::is_precious(&path) => {
                found.ask(format!("{} would delete the user's own `{path}`; is that meant?", command.quote()));
            }
            Target::GitData if trees || !word.text().ends_with(".lock") => deny(command, word, &target, found),
            Target::Surroundings if trees && scene.chooses_git(command) => {
                deny(command, word, &Target::GitData, found);
            }
            Target::Surroundings if trees || command.name == "rmdir" => match choosy {
                // The results of a search are not everything in the directory.
                Some(true) => {}
                Some(false) if reach == Reach::AskingTrees => {}
                _ => deny(command, word, &target, found),
            },
            Target::Surroundings if choosy == Some(false) && comes_from_others => {
                found.ask(format!(
                    "{} would delete every file that is found; name those that you mean",
                    command.quote()
                ));
            }
            Target::Unknown if reach == Reach::Trees || comes_from_others => {
                found.unknown(format!(
                    "{} would delete `{}`, which is not known yet; write the path out",
                    command.quote(),
                    word.raw()
                ));
            }
            // A function that is not called does nothing.
            Target::Outside if reach == Reach::Trees && !scene.is_uncalled(command) => {
                let instead = "delete it yourself, or work in the project or a temporary directory";
                found.ask(format!(
                    "{} would delete `{}` outside of the project; {instead}",
                    command.quote(),
                    word.raw()
                ));
            }
            _ => {}
        }
    }
}

/// Whether a path of the system is a persistent file.
fn is_kept(path: &str) -> bool {
    let is_passing = ["/run/", "/var/run/", "/var/lock/", "/var/cache/", "/var/log/", "/proc/", "/usr/local/"]
        .iter()
        .any(|dir| path.starts_with(dir));
    !is_passing && !path.contains(GLOB) && path.matches('/').count() > 1
}

/// Denies, with a reason that names what would be lost.
fn deny(command: &Command<'_>, word: &Word, target: &Target, found: &mut Findings) {
    deny_doing(command, word, target, "delete", found);
}

pub(crate) fn deny_doing(command: &Command<'_>, word: &Word, target: &Target, would: &str, found: &mut Findings) {
    let (what, instead) = match target {
        Target::FileSystem => ("the whole file system".to_owned(), "name the directory that you mean"),
        Target::Home => ("a whole home directory".to_owned(), "name the directory in it that you mean"),
        Target::System(path) => (format!("the system directory `{path}`"), "name only files that belong to your work"),
        Target::Settings(path) => (format!("the user's own `{path}`"), "leave it as it is"),
        Target::Surroundings => {
            ("the whole project, or what is around it".to_owned(), "name the directories in it that you mean")
        }
        Target::GitData => ("what git keeps of the project's history".to_owned(), "use git's own commands"),
        _ => (format!("`{}`", word.raw()), "name what you mean"),
    };
    found.deny(format!("{} would {would} {what}; {instead}", command.quote()));
}

/// Judges `rsync --delete`, which deletes what the source does not have.
fn rsync(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    #[rustfmt::skip] // Many words to a line.
    const VALUES: [&str; 66] = [
        "-e", "--rsh", "--exclude", "--include", "--exclude-from", "--include-from", "--files-from", "-f", "--filter", "--log-file", "-B",
        "--partial-dir", "-T", "--temp-dir", "-M", "--remote-option", "-@", "--modify-window", "--address", "--backup-dir", "--block-size",
        "--bwlimit", "--cc", "--checksum-choice", "--checksum-seed", "--chmod", "--chown", "--compare-dest", "--compress-choice",
        "--compress-level", "--contimeout", "--copy-as", "--copy-dest", "--debug", "--early-input", "--groupmap", "--iconv", "--info",
        "--link-dest", "--log-file-format", "--max-alloc", "--max-delete", "--max-size", "--min-size", "--only-write-batch", "--out-format",
        "--outbuf", "--password-file", "--port", "--protocol", "--read-batch", "--rsync-path", "--skip-compress", "--sockopts",
        "--stop-after", "--stop-at", "--suffix", "--timeout", "--time-limit", "--usermap", "--write-batch", "--zc", "--zl",
        "--compress-threads", "--zt", "--dparam",
    ];
    // Without a value, although they begin like an option with one.
    const FLAGS: [&str; 5] = ["--partial", "--backup", "--checksum", "--compress", "--group"];
    let given = options_but(command.args(), &VALUES, &FLAGS);
    let is_delay = |name: &str| name.starts_with("--dela");
    let deletes = given.options.iter().any(|option| option.name.starts_with("--del") && !is_delay(&option.name));
    if has(&given.options, &["-n", "--dry-run", "--list-only"]) {
        return;
    }
    let Some((target, sources)) = given.operands.split_last() else { return };
    if has(&given.options, &["--remove-source-files"]) {
        for source in sources {
            let what = scene.target(command, source);
            let is_lost = match &what {
                Target::FileSystem | Target::Home | Target::System(_) | Target::GitData => true,
                Target::Settings(path) => lost::is_precious(path) || lost::is_of_keys(path),
                _ => false,
            };
            if is_lost {
                deny_doing(command, source, &what, "move away", found);
            }
        }
    }
    if !deletes {
        return;
    }
    if target.text().split('/').next().is_some_and(|first| first.contains(':')) {
        found.ask(format!(
            "{} would delete all on the other machine that its source does not have; is that meant?",
            command.quote()
        ));
        return;
    }
    match scene.target(command, target) {
        what @ (Target::FileSystem | Target::Home | Target::System(_) | Target::Settings(_) | Target::GitData) => {
            deny_doing(command, target, &what, "delete what its source does not have in", found);
        }
        Target::Surroundings => {
            found.ask(format!(
                "{} would delete all of the project that its source does not have; is that meant?",
                command.quote()
            ));
        }
        _ => {}
    }
}

/// The options of `setfacl` that take entries, or a file with entries.
const ENTRIES: [&str; 10] =
    ["-m", "--modify", "-M", "--modify-file", "-x", "--remove", "-X", "--remove-file", "--set", "--set-file"];

/// Judges changes to the permissions of whole directories.
fn permissions(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let entries: &[&str] = if command.name == "setfacl" { &ENTRIES } else { &[] };
    let given = options(command.args(), &[["--from", "--reference"].as_slice(), entries].concat());
    if has(&given.options, &["--help", "--version"]) {
        return;
    }
    let recursive = given.options.iter().any(|option| option.name == "-R" || option.name.starts_with("--rec"));
    let everywhere = scene.chosen_by(command).is_some();
    let gives_access = match command.name {
        "chmod" => given.operands.first().is_some_and(opens),
        "setfacl" => given.values(&["-m", "--modify", "--set"]).any(lets_in),
        _ => false,
    };
    if gives_access {
        keys::exposed(command, scene, &given.operands, found);
    }
    if !recursive && !everywhere {
        return;
    }
    for (at, word) in given.operands.iter().enumerate() {
        let target = scene.target(command, word);
        // The first operand is most often a mode or a user.
        let is_path = at > 0
            || command.name == "setfacl"
            || word.text().starts_with(['/', '~', GLOB, '.'])
            || word.raw().starts_with('~');
        match &target {
            Target::FileSystem | Target::Home | Target::System(_) if is_path => {
                deny_doing(command, word, &target, "change the permissions of", found);
            }
            Target::Settings(path) if lost::is_of_keys(path) && gives_access => {
                deny_doing(command, word, &target, "give others access to", found);
            }
            _ => {}
        }
    }
}

/// Whether a mode of `chmod` gives access to others than the owner: `777`, `a+rwX`, `go=r`.
fn opens(mode: &Word) -> bool {
    let text = mode.text();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.bytes().rev().take(2).any(|digit| digit != b'0');
    }
    text.split(',').any(|clause| {
        let Some((who, what)) = clause.split_once(['+', '=']) else { return false };
        who.bytes().all(|byte| b"ugoa".contains(&byte)) && who != "u" && what.contains(['r', 'w', 'x', 'X'])
    })
}

/// Whether an entry of `setfacl` gives access to others than the owner: `u:nobody:rwx`, `d:g::r`, `o::x`.
fn lets_in(entries: &Word) -> bool {
    entries.text().split(',').any(|entry| {
        let entry = entry.trim();
        let entry = ["d:", "default:"].iter().find_map(|default| entry.strip_prefix(default)).unwrap_or(entry);
        let mut parts = entry.splitn(3, ':');
        let (Some(kind), Some(name), what) = (parts.next(), parts.next(), parts.next()) else { return false };
        let is_owner = matches!(kind, "u" | "user") && name.is_empty();
        // The entry for others may leave its name out: `o:r`.
        let what = what.unwrap_or(name);
        !is_owner && (what.contains(['r', 'w', 'x', 'X']) || what.bytes().any(|digit| matches!(digit, b'1'..=b'7')))
    })
}

/// Judges files that stay but lose their content.
fn emptied(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let values: &[&str] = match command.name {
        "truncate" => &["-s", "--size", "-r", "--reference", "-o"],
        "shred" => &["-s", "--size", "-n", "--iterations", "--random-source"],
        _ => &["-p", "-s", "-b"],
    };
    let given = options(command.args(), values);
    if has(&given.options, &["--help", "--version"]) {
        return;
    }
    let empties = match command.name {
        "truncate" => given.value(&["-s", "--size"]).is_some_and(|size| size.text().trim_start_matches('=') == "0"),
        _ => !given.operands.is_empty(),
    };
    // A program's log is emptied so that the next run starts a new one.
    let is_log = |word: &Word| {
        let text = word.text();
        command.name == "truncate" && (text.ends_with(".log") || text.split('/').rev().skip(1).any(|dir| dir == "logs"))
    };
    let is_scratch = |word: &Word| match scene.target(command, word) {
        Target::Scratch => true,
        Target::Inside => is_log(word),
        _ => false,
    };
    if empties && !given.operands.iter().all(is_scratch) {
        found.ask(format!("{} would destroy what is in the file for good; is that meant?", command.quote()));
    }
}

/// Judges PowerShell's `Remove-Item -Recurse`, and `rd /s`.
fn windows(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let lower: Vec<String> = command.args().iter().map(|word| word.text().to_ascii_lowercase()).collect();
    let recursive = lower.iter().any(|word| (word.len() > 1 && "-recurse".starts_with(word.as_str())) || word == "/s");
    let is_whole = |word: &Word| {
        let raw = word.raw().trim_matches(['"', '\'']);
        let path = raw.trim_end_matches(['\\', '/', '*', '.']);
        let mut letters = path.chars();
        let is_drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.as_str() == ":";
        let is_home = path.starts_with('~')
            || path.eq_ignore_ascii_case("$HOME")
            || path.eq_ignore_ascii_case("$env:USERPROFILE");
        let is_known = matches!(scene.target(command, word), Target::FileSystem | Target::Home);
        (path.is_empty() && !raw.is_empty()) || is_drive || is_home || is_known
    };
    if recursive && command.args().iter().any(|word| !word.text().starts_with('-') && is_whole(word)) {
        let instead = "name the directory that you mean";
        found.deny(format!("{} would delete a whole drive or home directory; {instead}", command.quote()));
    }
}

/// Judges an unknown program, which could be `rm`.
fn hidden(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let Some(program) = command.words.first() else { return };
    let given = options(command.args(), &[]);
    let recursive = has(&given.options, &["-r", "-R", "--recursive"]);
    let worst = scene.worst(command, &given.operands).map(|(worst, _)| worst);
    if recursive && worst.as_ref().is_some_and(|worst| *worst >= Target::Unknown) {
        found.unknown(format!(
            "{} runs `{}`, which is not known yet, and would destroy data if that is `rm`; name the command",
            command.quote(),
            program.raw()
        ));
    }
}
