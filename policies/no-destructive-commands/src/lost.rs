//! Data that is lost without being deleted: it is moved away or archived, or an editor drops all lines.

use crate::delete::deny_doing;
use crate::scene::{Scene, has};
use crate::target::Target;
use hookbox_policy::{Command, Findings, GLOB, Word, options};
use hookbox_sdk::Access;

/// Scripts of `sed` that leave no lines.
const DROPS_ALL: [&str; 8] = ["d", "1,$d", "1,$ d", "//d", "/.*/d", "/^/d", "/$/d", "s/.*//"];

/// Files in a home directory with logins, or with settings that a person has written by hand.
pub(crate) const DOT_FILES: [&str; 17] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".profile",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".gitconfig",
    ".git-credentials",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".vimrc",
    ".tmux.conf",
    ".inputrc",
    ".emacs",
];

/// Whether a file in a home directory is a key, or contains settings that nothing can recreate.
pub(crate) fn is_precious(path: &str) -> bool {
    let mut names = path.trim_start_matches("~/").split('/');
    let (first, last) = (names.next().unwrap_or_default(), path.rsplit('/').next().unwrap_or_default());
    match first {
        ".ssh" => {
            let is_key = last.starts_with("id_") || last.ends_with(".pem") || last.ends_with("_key");
            is_key && !last.ends_with(".pub") || matches!(last, "authorized_keys" | "config")
        }
        ".gnupg" => !last.ends_with(".lock") && !last.starts_with("S."),
        ".password-store" => true,
        ".aws" | ".azure" => matches!(last, "credentials" | "config"),
        ".kube" => last == "config",
        _ => DOT_FILES.contains(&first),
    }
}

/// Whether a path in a home directory is, or is in, a directory of keys that only its owner may read.
pub(crate) fn is_of_keys(path: &str) -> bool {
    let first = path.trim_start_matches("~/").split('/').next().unwrap_or_default();
    matches!(first, ".ssh" | ".gnupg" | ".aws" | ".azure" | ".kube" | ".password-store")
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    match command.name {
        "sed" | "gsed" if empties_by_sed(command) => ask(command, found),
        "perl" if empties_by_perl(command) => ask(command, found),
        "mv" | "gmv" => mv(command, scene, found),
        "tee" => tee(command, scene, found),
        "tar" | "gtar" | "bsdtar" | "7z" | "7za" | "7zz" | "zip" => archived(command, scene, found),
        "robocopy" => robocopy(command, scene, found),
        _ => {}
    }
}

/// Files without content, and programs without an effect.
const NOTHING: [&str; 4] = ["/dev/null", "if=/dev/null", "/bin/true", "/usr/bin/true"];

/// Judges keys and settings of the user that are replaced by nothing: `cp /dev/null ~/.ssh/id_rsa`, `: > ~/.bashrc`.
pub(crate) fn blanked(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let written = written(command);
    if written.is_empty() || !gives_nothing(command, scene) {
        return;
    }
    for word in written {
        if let Target::Settings(path) = scene.target(command, &word)
            && is_precious(&path)
        {
            found.ask(format!("{} would leave nothing in the user's own `{path}`; is that meant?", command.quote()));
        }
    }
}

/// Whether what a command writes is empty, or links to something empty. This is also true of `sudo`, if it runs such a
/// command.
pub(crate) fn gives_nothing(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    let runs_nothing = || {
        let mut run = scene.run_by(command).peekable();
        run.peek().is_some() && run.all(|inner| gives_nothing(inner, scene))
    };
    is_nothing(command) || runs_nothing()
}

fn is_nothing(command: &Command<'_>) -> bool {
    let redirects = || command.facts.redirects.iter();
    let appends = redirects().any(|redirect| redirect.op.contains(">>"))
        || command.name == "tee" && has(&options(command.args(), &[]).options, &["-a", "--append"]);
    if appends {
        return false;
    }
    let is_empty = |text: &str| NOTHING.contains(&text);
    let mut inputs = redirects().filter(|redirect| redirect.op == "<").filter_map(|redirect| redirect.target.as_ref());
    let mut reads_nothing = || inputs.any(|target| is_empty(Word::from(target).text()));
    let mut args = command.args().iter().map(Word::text);
    match command.name {
        "" => command.words.is_empty(),
        ":" | "true" => true,
        "echo" | "printf" => args.all(|text| text.is_empty() || text == "-n"),
        "cat" if command.args().is_empty() => reads_nothing(),
        "cat" => args.all(is_empty),
        "tee" => reads_nothing(),
        "head" | "ghead" | "tail" | "gtail" => {
            let given = options(command.args(), &["-c", "--bytes", "-n", "--lines"]);
            given.value(&["-c", "--bytes", "-n", "--lines"]).is_some_and(|count| count.text() == "0")
        }
        "sort" | "gsort" | "uniq" | "guniq" | "xxd" | "tac" | "rev" | "nl" => {
            let given = options(command.args(), &["-o", "--output", "-k", "-t", "-S", "-T", "-f", "-s", "-w"]);
            // The second file of these is the output.
            let has_output = matches!(command.name, "uniq" | "guniq" | "xxd");
            let inputs = given.operands.iter().take(if has_output { 1 } else { usize::MAX });
            let is_given = !given.operands.is_empty();
            if is_given { inputs.map(Word::text).all(is_empty) } else { reads_nothing() }
        }
        "ed" | "red" | "ex" | "vi" | "vim" | "nvim" => clears_lines(command),
        "cp" | "gcp" | "install" | "ginstall" | "ln" | "gln" | "dd" => args.any(is_empty) || reads_nothing(),
        _ => false,
    }
}

/// Returns what `systemd-tmpfiles --remove` deletes by the configuration on its input: `R /srv/x`.
pub(crate) fn configured(command: &Command<'_>) -> Vec<Word> {
    let has = |wanted: &str| command.args().iter().any(|word| word.text() == wanted);
    let stdin = command.facts.stdin.as_ref().map(Word::from).filter(|_| has("--remove") || has("--purge"));
    let lines = stdin.iter().flat_map(|text| text.text().lines());
    let path = |line: &str| {
        let mut words = line.split_whitespace();
        let kind = words.next()?;
        let path = words.next()?.trim_matches(['"', '\'']).replace("%h", "~");
        (has("--purge") || kind.starts_with(['R', 'r', 'D'])).then(|| Word::new(&path))
    };
    lines.filter_map(path).collect()
}

/// Commands of editors that delete every line.
const CLEARS: [&str; 9] = [",d", "%d", "1,$d", "0,$d", "%d_", "%d _", "%delete", "g/^/d", "g/.*/d"];

/// Commands of editors that write the file, or leave.
const LEAVES: [&str; 16] =
    ["", "H", "w", "q", "wq", "x", "w!", "q!", "wq!", "x!", "Q", "wqa", "wqa!", "xa", "qa", "qa!"];

/// Whether an editor is told to do nothing but delete every line: `ed x <<< $',d\nw'`, `vim -c %d -c wq x`.
fn clears_lines(command: &Command<'_>) -> bool {
    let is_told = |option: &Word| option.text().starts_with('-') && option.text().ends_with('c');
    let given = command.args().windows(2).filter_map(|pair| match pair {
        [option, script] if is_told(option) => Some(script.text()),
        _ => None,
    });
    let attached = command.args().iter().filter_map(|word| word.text().strip_prefix('+'));
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let scripts = stdin.iter().map(Word::text).chain(given).chain(attached);
    let steps: Vec<&str> = scripts
        .flat_map(|script| script.split(['\n', '|']))
        .map(|step| step.trim().trim_start_matches(':').trim_start())
        .collect();
    let clears = |step: &&str| CLEARS.contains(step);
    steps.iter().any(clears) && steps.iter().all(|step| clears(step) || LEAVES.contains(step))
}

/// Returns the files that a command writes.
pub(crate) fn written(command: &Command<'_>) -> Vec<Word> {
    let files = command.facts.files.iter();
    files
        .filter(|file| matches!(file.access, Access::Write | Access::Create))
        .map(|file| Word::from(&file.path))
        .collect()
}

/// Judges `mv`, which removes its sources from their place.
fn mv(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let given = options(command.args(), &["-t", "--target-directory", "-S", "--suffix"]);
    let names_target = has(&given.options, &["-t", "--target-directory"]);
    let sources = match given.operands.split_last() {
        Some((target, sources)) if !names_target => {
            if target.text() == "/dev/null" {
                found.deny(format!("{} would lose what it moves; delete files by their names", command.quote()));
            }
            sources
        }
        _ => &given.operands,
    };
    let Some((target, word)) = scene.worst(command, sources) else { return };
    match target {
        Target::FileSystem | Target::Home | Target::System(_) | Target::GitData => {
            deny_doing(command, &word, &target, "move away", found);
        }
        // `mv ../* .` and `mv x ../y` are common, and do not name an absolute path.
        Target::Surroundings if word.text().starts_with('/') && !word.text().contains(GLOB) => {
            deny_doing(command, &word, &target, "move away", found);
        }
        Target::Settings(path)
            if given.operands.last().is_some_and(|to| match scene.target(command, to) {
                Target::Scratch => true,
                Target::System(place) => place.starts_with("/dev/shm"),
                _ => false,
            }) =>
        {
            let place = "where it does not last";
            found.ask(format!("{} would move the user's own `{path}` {place}; is that meant?", command.quote()));
        }
        _ => {}
    }
}

/// Judges `tee DIR/*`, which replaces the content of every file that the pattern finds.
fn tee(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let given = options(command.args(), &[]);
    // The files of the kernel have no content to lose.
    let is_kernel = |word: &Word| ["/proc/", "/sys/"].iter().any(|dir| word.text().starts_with(dir));
    let is_many =
        |word: &Word| word.text().contains(GLOB) && !is_kernel(word) && scene.target(command, word) != Target::Scratch;
    if !has(&given.options, &["-a", "--append"]) && given.operands.iter().any(is_many) {
        found.ask(format!("{} would replace every file that is found; name those that you mean", command.quote()));
    }
}

fn ask(command: &Command<'_>, found: &mut Findings) {
    found.ask(format!("{} would leave nothing in the files; is that meant?", command.quote()));
}

fn empties_by_sed(command: &Command<'_>) -> bool {
    let given = options(command.args(), &["-e", "--expression", "-f", "--file", "-l"]);
    let in_place = given.options.iter().any(|option| option.name == "-i" || option.name.starts_with("--in-p"));
    let script = given.value(&["-e", "--expression"]).or(given.operands.first()).map(Word::text);
    let is_quiet = has(&given.options, &["-n", "--quiet", "--silent"]) && script == Some("");
    in_place && (is_quiet || script.is_some_and(|script| DROPS_ALL.contains(&script.trim())))
}

/// Whether the command empties files, as in `perl -i -ne ''`.
fn empties_by_perl(command: &Command<'_>) -> bool {
    let args = command.args();
    let has = |letter: char| {
        let mut clusters = args.iter().map(Word::text).filter(|text| text.starts_with('-') && !text.starts_with("--"));
        clusters.any(|text| text.contains(letter))
    };
    let code = args.windows(2).find_map(|pair| match pair {
        [option, code] if option.text().starts_with('-') && option.text().ends_with('e') => Some(code.text().trim()),
        _ => None,
    });
    has('i') && has('n') && code.is_some_and(|code| !code.contains("print"))
}

fn has_letter(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|letters| letters.contains(letter))
}

/// Judges `tar --remove-files`, `7z a -sdel` and `zip -m`.
fn archived(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let removes = |word: &Word| match command.name {
        "zip" => word.text() == "--move" || !word.text().starts_with("--") && has_letter(word.text(), 'm'),
        _ => matches!(word.text(), "--remove-files" | "-sdel"),
    };
    if !command.args().iter().any(removes) {
        return;
    }
    let given = options(command.args(), &["-f", "--file", "-C", "--directory", "-X", "-T"]);
    // `tar` takes names as relative to the directory of a `-C` before them.
    let dirs = given.values(&["-C", "--directory"]);
    let elsewhere = dirs.flat_map(|dir| {
        let names = given.operands.iter().filter(|word| !word.text().starts_with(['/', '~']));
        names.map(move |word| Word::new(&format!("{}/{}", dir.text(), word.text())))
    });
    let elsewhere: Vec<Word> = elsewhere.collect();
    if let Some((target, word)) = scene.worst(command, given.operands.iter().chain(&elsewhere))
        && target >= Target::Surroundings
    {
        deny_doing(command, &word, &target, "take away", found);
        return;
    }
    // The subcommand of `7z` and the archive come before what is archived.
    let (archive, sources) = match command.name {
        "tar" | "gtar" | "bsdtar" => match given.value(&["-f", "--file"]) {
            // This is `tar czf x.tgz …`.
            None => (given.operands.get(1), given.operands.get(2..).unwrap_or_default()),
            archive => (archive, given.operands.as_slice()),
        },
        "zip" => (given.operands.first(), given.operands.get(1..).unwrap_or_default()),
        _ => (given.operands.get(1), given.operands.get(2..).unwrap_or_default()),
    };
    let does_not_last = archive.is_some_and(|archive| scene.target(command, archive) == Target::Scratch);
    if does_not_last && sources.iter().any(|word| scene.target(command, word) == Target::Outside) {
        let place = "where it does not last";
        found.ask(format!("{} would move what it archives {place}; is that meant?", command.quote()));
    }
}

/// Judges `robocopy FROM TO /MIR`, which deletes what the source does not have. In the project, that is a build step.
fn robocopy(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let switches: Vec<&str> = command.args().iter().filter_map(|word| switch(word.text())).collect();
    let has = |name: &str| switches.iter().any(|switch| switch.eq_ignore_ascii_case(name));
    if has("l") || !has("mir") && !has("purge") {
        return;
    }
    let mut paths = command.args().iter().filter(|word| switch(word.text()).is_none());
    let is_elsewhere = paths.nth(1).is_none_or(|to| {
        let (text, target) = (to.text(), scene.target(command, to));
        // `C:\x` and `\\host\share` are absolute, although a path of Unix does not look like that.
        let is_absolute = text.contains(':') || text.starts_with(['\\', '%', '~']);
        is_absolute || matches!(target, Target::Outside | Target::Unknown) || target >= Target::Surroundings
    });
    if is_elsewhere {
        found.ask(format!("{} would delete all that its source does not have; is that meant?", command.quote()));
    }
}

/// Returns the name of an option of a program of Windows: `/MIR`, `-mir`, or `//MIR` in the shell of Git. A path has
/// another `/`.
fn switch(text: &str) -> Option<&str> {
    let name = text.strip_prefix("//").or_else(|| text.strip_prefix(['/', '-']))?;
    (!name.contains('/')).then_some(name)
}
