//! Commands that show nothing of what they read, or only names.

use crate::reads::copies_to_output;
use crate::stores::Class;
use hookbox_policy::{Command, Options, Word, options};

/// The options of `grep` and of `git grep` that take a value.
#[rustfmt::skip] // Many words to a line.
pub(crate) const GREP: &[&str] = &[
    "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
    "--before-context", "--context", "--include", "--exclude", "--exclude-dir", "--exclude-from", "--label",
    "--binary-files", "--devices", "--directories", "--group-separator",
];

/// The options of `rg` that take a value.
#[rustfmt::skip] // Many words to a line.
pub(crate) const RG: &[&str] = &[
    "-e", "-f", "-m", "-A", "-B", "-C", "-g", "-t", "-T", "-r", "-d", "-M", "-j", "-E", "--regexp", "--file",
    "--max-count", "--after-context", "--before-context", "--context", "--glob", "--iglob", "--type", "--type-not",
    "--replace", "--max-depth", "--max-columns", "--threads", "--encoding", "--engine", "--sort", "--sortr", "--pre",
    "--color", "--colors", "--context-separator", "--dfa-size-limit", "--field-context-separator",
    "--field-match-separator", "--hostname-bin", "--hyperlink-format", "--ignore-file", "--max-filesize",
    "--path-separator", "--pre-glob", "--regex-size-limit", "--type-add", "--type-clear",
];

/// Whether a command shows nothing of what it reads, or only names.
pub(crate) fn is_quiet(command: &Command) -> bool {
    is_silent(command) || shows_names(command)
}

/// Whether a command shows nothing secret of a file of this class. The lines of a key have no names.
pub(crate) fn hides(command: &Command, class: Class) -> bool {
    is_silent(command) || class != Class::Deny && shows_names(command)
}

/// Whether a command shows nothing of the lines that it reads.
fn is_silent(command: &Command) -> bool {
    let args = command.args();
    match command.name {
        "grep" | "egrep" | "fgrep" => is_silent_grep(args),
        // The option `-L` of this program follows links.
        "rg" => {
            let given = options(args, RG);
            // The last mode counts.
            given.has(&["-q", "-c", "-l", "--quiet", "--count", "--files-with-matches"]) && !given.has(&["--json"])
        }
        "jq" => {
            const FLAGS: [&str; 8] = ["-c", "-C", "-M", "-r", "-S", "--compact-output", "--raw-output", "--sort-keys"];
            let (flags, words): (Vec<&str>, Vec<&str>) =
                args.iter().map(Word::text).partition(|text| text.starts_with('-'));
            matches!(words.first(), Some(&("keys" | "keys[]" | ". | keys"))) && flags.iter().all(|f| FLAGS.contains(f))
        }
        "head" | "tail" => {
            let given = options(args, &["-n", "-c", "--lines", "--bytes"]);
            has_values(&given, "0") && !given.options.is_empty()
        }
        "diff" => {
            // Other options may have a value that looks like `-q`.
            #[rustfmt::skip] // Many words to a line.
            const KNOWN: &[&str] = &[
                "-q", "-r", "-N", "-s", "-a", "-b", "-B", "-i", "-w", "-x", "-X", "--brief", "--recursive", "--new-file",
                "--report-identical-files", "--exclude", "--exclude-from", "--no-dereference", "--strip-trailing-cr",
            ];
            let given = options(args, &["-x", "-X", "--exclude", "--exclude-from"]);
            given.has(&["-q", "--brief"]) && given.options.iter().all(|option| KNOWN.contains(&option.name.as_str()))
        }
        "git" => is_silent_git(args),
        "openssl" => is_silent_openssl(command),
        _ => false,
    }
}

/// Whether a command shows only what comes before the first `=` of each line that has one.
pub(crate) fn shows_names(command: &Command) -> bool {
    let args = command.args();
    match command.name {
        "grep" | "egrep" => {
            const NAMES: &[&str] = &["^[A-Z_]", "^[A-Z0-9_]", "^[A-Z_0-9]", "^[A-Za-z_]", "^[A-Za-z0-9_]", "^[^=]"];
            let given = options(args, GREP);
            let pattern = given.operands.first().map_or("", Word::text);
            let is_known = |name: &str| matches!(name, "-o" | "-E" | "-h" | "-n" | "--only-matching");
            given.has(&["-o", "--only-matching"])
                && given.options.iter().all(|option| is_known(&option.name))
                && NAMES.contains(&pattern.trim_end_matches('=').trim_end_matches(['*', '+', '\\']))
        }
        "cut" => {
            let given = options(args, &["-d", "-f", "-b", "-c", "--delimiter", "--fields", "--output-delimiter"]);
            let is = |names: &[&str], value: &str| {
                let mut values = given.values(names).peekable();
                values.peek().is_some() && values.all(|given| given.text() == value)
            };
            is(&["-d", "--delimiter"], "=")
                && is(&["-f", "--fields"], "1")
                && !given.has(&["--complement"])
                && !is_cut_short(&given)
        }
        "sed" | "gsed" => {
            // The replacement has nothing that stands for a part of the line.
            let is_fixed = |new: &str| new.chars().all(|c| c.is_ascii_alphanumeric() || "=*<>.-_ ".contains(c));
            let cuts = |script: &str| {
                let new = script.strip_prefix("s/=.*$/").or_else(|| script.strip_prefix("s/=.*/"));
                new.and_then(|new| new.strip_suffix('/')).is_some_and(is_fixed)
            };
            let given = options(args, &["-e", "-f", "-l", "--expression", "--file", "--line-length"]);
            let told: Vec<&Word> = given.values(&["-e", "--expression"]).collect();
            let scripts: Vec<&Word> = if told.is_empty() { given.operands.iter().take(1).collect() } else { told };
            !scripts.is_empty()
                && scripts.iter().all(|script| cuts(script.text().strip_suffix('p').unwrap_or(script.text())))
                && !given.has(&["-f", "--file", "--debug"])
                && !is_cut_short(&given)
        }
        "awk" | "gawk" => {
            let given = options(args, &["-F", "-f", "-v", "-e", "-i"]);
            let program = given.operands.first().map_or("", Word::text);
            // An operand such as `FS=x` sets a variable.
            has_values(&given, "=")
                && given.has(&["-F"])
                && matches!(program, "{print $1}" | "{ print $1 }")
                && !given.operands.iter().skip(1).any(|word| word.text().contains('='))
        }
        _ => false,
    }
}

/// Whether each option has this value.
fn has_values(given: &Options, value: &str) -> bool {
    given.options.iter().all(|option| option.value.as_ref().is_some_and(|word| word.text() == value))
}

/// Whether a long option is abbreviated to its first letter, so that which one it is, and whether it has a value, is not
/// known: `--d=x`.
fn is_cut_short(given: &Options) -> bool {
    given.options.iter().any(|option| option.name.len() == "--d".len())
}

fn is_silent_grep(args: &[Word]) -> bool {
    const SILENT: [&str; 9] =
        ["-q", "-c", "-l", "-L", "--quiet", "--silent", "--count", "--files-with-matches", "--files-without-match"];
    let given = options(args, GREP);
    given.has(&SILENT) && !is_cut_short(&given)
}

/// Whether a search outputs the names of files rather than lines of them.
pub(crate) fn lists_files(command: &Command) -> bool {
    const LISTS: [&str; 4] = ["-l", "-L", "--files-with-matches", "--files-without-match"];
    match command.name {
        "grep" | "egrep" | "fgrep" => options(command.args(), GREP).has(&LISTS),
        "rg" => options(command.args(), RG).has(&["-l", "--files-with-matches", "--files-without-match"]),
        _ => false,
    }
}

/// Whether git only names files or commits. Without a patch, the subcommands for logs do.
fn is_silent_git(args: &[Word]) -> bool {
    const NAMES: &[&str] = &["--name-only", "--name-status", "--numstat", "--quiet", "--shortstat", "--stat"];
    #[rustfmt::skip] // Many words to a line.
    const PATCH: &[&str] = &[
        "-p", "-u", "-U", "-c", "-G", "-L", "--cc", "--dd", "--patch", "--patch-with-stat", "--patch-with-raw",
        "--unified", "--binary", "--full-diff", "--remerge-diff", "--diff-merges", "--no-quiet", "--check",
    ];
    let global = options(args, &["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);
    let Some(verb) = global.operands.first() else { return false };
    let rest = args.iter().position(|word| word == verb).and_then(|at| args.get(at + 1..)).unwrap_or_default();
    if verb.text() == "grep" {
        let given = options(rest, GREP);
        // A program may show the files that are found.
        return (is_silent_grep(rest) || given.has(&["--name-only"])) && !given.has(&["-O", "--open-files-in-pager"]);
    }
    let given = options(rest, &["-S", "-G", "-L", "-O", "-n", "-l", "--output", "--grep", "--author"]);
    // Long options may be abbreviated.
    let shows =
        given.options.iter().map(|option| option.name.as_str()).any(|name| {
            PATCH.iter().any(|patch| *patch == name || name.len() > "--cc".len() && patch.starts_with(name))
        });
    let is_named = match verb.text() {
        "log" | "shortlog" | "rev-list" => true,
        // These show the file as well.
        "annotate" | "archive" | "blame" | "cat-file" | "format-patch" => false,
        _ => given.has(NAMES),
    };
    is_named && !shows
}

/// Whether an argument of `openssl` is one of these options, each of which may have two dashes.
fn has(command: &Command, wanted: &[&str]) -> bool {
    let mut texts = command.args().iter().map(Word::text);
    texts.any(|text| {
        let single = text.get(1..).filter(|_| text.starts_with("--"));
        wanted.contains(&text) || single.is_some_and(|text| wanted.contains(&text))
    })
}

/// The operations that write their input in another form.
const ENCODERS: &[&str] = &["enc", "base64", "zlib", "cms", "smime"];

/// The operations whose output is a key, and nothing else is shown.
const KEYS: &[&str] = &["rsa", "pkey", "ec", "pkcs12", "pkcs8", "dsa"];

fn is_cipher(text: &str) -> bool {
    const CIPHERS: &[&str] = &["aes", "aria", "bf", "camellia", "cast", "chacha", "des", "idea", "rc", "seed", "sm4"];
    CIPHERS.iter().any(|cipher| text.starts_with(cipher))
}

fn is_silent_openssl(command: &Command) -> bool {
    const OTHERS: &[&str] = &["asn1parse", "storeutl", "passwd"];
    let operation = command.args().first().map_or("", Word::text);
    let encodes = ENCODERS.contains(&operation) || is_cipher(operation);
    // Output that is written to a file is not shown.
    let is_written = has(command, &["-out"]) && !copies_to_output(command) && !encodes_into_file(command);
    // Even with these options, `-text` shows all numbers of a private key. For an encoder, they may be passwords.
    let is_hidden = !encodes && has(command, &["-noout", "-nokeys", "-pubout"]) && !has(command, &["-text"]);
    let is_shown = has(command, KEYS) || has(command, OTHERS) || encodes && !is_written;
    !is_shown || is_hidden
}

/// Whether a program writes a key, or a file in an encoding that needs no key: `openssl base64 -in .env -out x`.
pub(crate) fn encodes_into_file(command: &Command) -> bool {
    let mut given = command.args().iter().filter_map(|word| word.text().strip_prefix('-'));
    let operation = command.args().first().map_or("", Word::text);
    command.name == "openssl"
        && has(command, &["-out"])
        && (KEYS.contains(&operation)
            || ENCODERS.contains(&operation)
                && !given.any(|option| is_cipher(option.trim_start_matches('-')) || option.ends_with("encrypt")))
}
