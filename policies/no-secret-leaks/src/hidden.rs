//! Files that are not words of their own in a command: in code, in a revision, in a statement.

use crate::environment::{is_passed_on, is_read};
use crate::files::may_be_path;
use crate::listed::SHOWING;
use crate::outputs::is_written;
use crate::patterns::is_excluded;
use crate::quiet::hides;
use crate::reads::Reading;
use crate::scripts::in_code;
use crate::stores::Class;
use hookbox_policy::{Command, UNKNOWN, Word, options};

/// Returns the secret file that a command reads although no word is its path, or although the facts do not list it.
pub(crate) fn hidden(index: usize, commands: &[Command], reading: &Reading) -> Option<(Class, String)> {
    let command = commands.get(index)?;
    match command.name {
        "git" => in_revision(command, reading).or_else(|| in_git(command, commands, reading)),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" | "clickhouse-local" | "clickhouse" | "q" | "trdsql"
        | "dsq" | "textql" => in_statement(command, reading),
        "yq" => of_yq(command, reading),
        "openssl" if command.args().first().is_some_and(|operation| operation.text() == "storeutl") => {
            among(command.args(), reading).filter(|(class, _)| !hides(command, *class))
        }
        "kubectl" | "oc" => in_manifest(index, commands, reading),
        "ansible" => in_module(command, reading),
        "socat" => {
            let addresses = command.args().iter().filter_map(|word| word.text().split_once(':'));
            let is_file = |kind: &str| ["file", "open", "gopen"].iter().any(|name| kind.eq_ignore_ascii_case(name));
            let files = addresses.filter(|(kind, _)| is_file(kind)).filter_map(|(_, file)| file.split(',').next());
            of_texts(files, reading)
        }
        name if LOADERS.contains(&name) => {
            let run = command.args().iter().position(|word| SHOWING.contains(&word.text()))?;
            among(command.args().get(run + 1..)?, reading)
        }
        _ => in_code(command, reading),
    }
}

/// Programs that load a file of variables for another program, which follows among their words.
const LOADERS: &[&str] = &["dotenv", "dotenvx", "dotenv-cli", "godotenv", "env-cmd"];

fn has_any(command: &Command, wanted: &[&str]) -> bool {
    command.args().iter().any(|word| wanted.contains(&word.text()))
}

/// Returns the most secret file that one of these words names.
fn among(words: &[Word], reading: &Reading) -> Option<(Class, String)> {
    words.iter().filter_map(|word| Some((reading.class_of_word(word)?, word.raw().to_owned()))).max()
}

/// Returns the most secret file that one of these texts names.
fn of_texts<'f>(files: impl Iterator<Item = &'f str>, reading: &Reading) -> Option<(Class, String)> {
    files.filter_map(|file| Some((reading.class_of_text(file)?, file.to_owned()))).max()
}

/// Returns the secret file that a module or a lookup of Ansible reads: `-m slurp -a src=.env`.
fn in_module(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    let given = options(command.args(), &["-m", "--module-name", "-a", "--args", "-i", "-u", "-e"]);
    let module = given.value(&["-m", "--module-name"]).map_or("", Word::text);
    let is_reader = matches!(module.rsplit('.').next(), Some("slurp" | "fetch"));
    let texts = given.values(&["-a", "--args"]).map(Word::text);
    let texts = texts.filter(|text| is_reader || text.contains("lookup("));
    let parts = texts.flat_map(|text| text.split(|c: char| c.is_whitespace() || "'\"=,()".contains(c)));
    of_texts(parts.filter(|part| may_be_path(part)), reading)
}

/// Returns the file that `yq` shows. The first word is an expression, unless it is the only word and nothing else is
/// read.
fn of_yq(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    let given = options(command.args(), &["-p", "-o", "-I", "-f", "--input-format", "--output-format", "--indent"]);
    if given.has(&["-i", "--inplace", "--in-place", "-n", "--null-input"]) {
        return None;
    }
    let files = match given.operands.as_slice() {
        [verb, rest @ ..] if matches!(verb.text(), "e" | "ea" | "eval" | "eval-all") => rest,
        all => all,
    };
    let is_fed = !command.facts.reads_from.is_empty() || command.facts.stdin.is_some();
    let is_one = files.len() == 1 && !is_fed && command.facts.redirects.is_empty();
    among(files.get(usize::from(!is_one)..)?, reading)
}

/// Returns a file that git shows and that the facts do not list: patches of plumbing commands, a file that another git
/// command is told to print, and the text of a message.
fn in_git(command: &Command, commands: &[Command], reading: &Reading) -> Option<(Class, String)> {
    const MESSAGES: [&str; 4] = ["-F", "--file", "-t", "--template"];
    #[rustfmt::skip] // Many words to a line.
    const VERBS: [&str; 17] = [
        "diff-tree", "diff-index", "diff-files", "log", "reflog", "rev-parse", "ls-files", "ls-tree", "merge-file",
        "interpret-trailers", "commit", "tag", "notes", "merge", "commit-tree", "hash-object", "stash",
    ];
    let args = command.args();
    let at = args.iter().position(|word| VERBS.contains(&word.text()))?;
    let rest = args.get(at + 1..)?;
    match args.get(at)?.text() {
        "stash" if rest.first().is_none_or(|word| word.text() != "show") => None,
        "diff-tree" | "diff-index" | "diff-files" | "reflog" | "stash" => {
            let is_patch = |word: &Word| {
                matches!(word.text(), "-p" | "-u" | "--patch" | "-c" | "--cc" | "--word-diff" | "--patch-with-stat")
                    || word.text().starts_with("-U")
            };
            rest.iter().any(is_patch).then(|| among(rest, reading))?
        }
        // This shows lines of a file: `-L1,5:.env`.
        "log" => {
            let given = options(rest, &["-L", "-S", "-G", "-n"]);
            let files = given.values(&["-L"]).filter_map(|word| word.text().rsplit_once(':'));
            of_texts(files.map(|(_, file)| file), reading)
        }
        "rev-parse" | "ls-files" | "ls-tree" | "hash-object" => {
            let prints = |other: &Command| {
                let words = || other.args().iter().map(Word::text);
                other.name == "git"
                    && words().any(|word| word == "cat-file")
                    && words().any(|word| word.starts_with("--batch") || word.contains(UNKNOWN))
                    && !words().any(|word| matches!(word, "-t" | "-e" | "-s" | "--batch-check"))
            };
            let files = rest.iter().map(|word| word.text().rsplit_once(':').map_or(word.text(), |(_, file)| file));
            of_texts(files, reading).filter(|_| commands.iter().any(prints))
        }
        "merge-file" => has_any(command, &["-p", "--stdout"]).then(|| among(rest, reading))?,
        "interpret-trailers" => (!has_any(command, &["--in-place"])).then(|| among(rest, reading))?,
        // Everybody can read the text of a message.
        _ => {
            let given = options(rest, &["-F", "--file", "-t", "--template", "-m", "--message", "-C", "-c"]);
            let files: Vec<Word> = given.values(&MESSAGES).cloned().collect();
            among(&files, reading)
        }
    }
}

/// Returns the secret file that a database statement or a command of a database client reads: `\copy t from '.env'`.
fn in_statement(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    const READS: [&str; 8] = ["\\", "copy ", "load", "read", "file", "import", "attach", "source"];
    const SERVERS: [&str; 4] = ["psql", "mysql", "mariadb", "sqlite3"];
    // The other programs accept the name of a file in place of a table.
    let is_any = !SERVERS.contains(&command.name);
    let input = command.facts.stdin.as_ref().map(Word::from);
    let statements = command.args().iter().chain(&input).map(Word::text).filter(|text| {
        let lower = text.to_lowercase();
        text.contains(char::is_whitespace) && (is_any || READS.iter().any(|word| lower.contains(word)))
    });
    let parts = statements.flat_map(|text| text.split(|c: char| c.is_whitespace() || "'\"`();,".contains(c)));
    of_texts(parts.filter(|part| !part.is_empty() && may_be_path(part)), reading)
}

/// Returns the secret file that `kubectl create … --from-env-file=.env --dry-run=client -o yaml` prints, unless a file
/// or another command takes the output.
fn in_manifest(index: usize, commands: &[Command], reading: &Reading) -> Option<(Class, String)> {
    const SOURCES: [&str; 2] = ["--from-env-file", "--from-file"];
    let command = commands.get(index)?;
    let given = options(command.args(), &["--from-env-file", "--from-file", "-o", "--output", "-n"]);
    let is_shown = given.value(&["-o", "--output"]).is_some_and(|format| format.text() != "name");
    let is_taken = is_written(command) || is_read(index, commands) && !is_passed_on(index, commands);
    if !is_shown || is_taken {
        return None;
    }
    let files = given.values(&SOURCES).map(|word| {
        let text = word.text();
        text.split_once('=').map_or(text, |(_, file)| file)
    });
    of_texts(files, reading)
}

/// Returns the secret file of a commit: `git show HEAD:.env`.
fn in_revision(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    let is_shown = has_any(command, &["show", "cat-file"]);
    let revisions = command.args().iter().filter(|_| is_shown);
    // The input names revisions, as in `git cat-file --batch <<< HEAD:.env`.
    let input = command.facts.stdin.as_ref().filter(|_| is_shown).map(Word::from);
    let told = input.iter().flat_map(|input| input.text().split_whitespace());
    // The number of a stage may come first: `:0:.env`.
    let words = revisions.map(Word::text).chain(told).filter(|word| !is_excluded(word));
    let files = words.flat_map(|word| [word.split_once(':'), word.rsplit_once(':')]);
    of_texts(files.flatten().map(|(_, file)| file), reading)
}
