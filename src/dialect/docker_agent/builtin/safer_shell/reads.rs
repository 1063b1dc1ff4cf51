//! The commands that only read.
//!
//! The list is from the programs' own manuals. Each entry has the options with which the command still only reads. With
//! any other option, that is not known.

/// A command that only reads.
struct Reader {
    program: &'static str,
    /// The subcommand: the first words after the program.
    words: &'static [&'static str],
    /// Options of one letter.
    letters: &'static str,
    /// Options of several letters, with their dashes. They may have values.
    options: &'static [&'static str],
    /// How many further words it may have, besides options.
    most: usize,
}

const fn reader(
    program: &'static str,
    words: &'static [&'static str],
    letters: &'static str,
    options: &'static [&'static str],
) -> Reader {
    Reader { program, words, letters, options, most: usize::MAX }
}

impl Reader {
    const fn most(self, most: usize) -> Self {
        Reader { most, ..self }
    }
}

const READERS: &[Reader] = &[
    reader("ls", &[], "aAbBcCdFfgGhHiIklLmnNopqQrRsStTuUvwxXZ1", &["--all", "--color", "--human-readable"]),
    reader("cat", &[], "AbeEnstTuv", &["--number"]),
    reader("head", &[], "cnqvz", &["--lines", "--bytes"]),
    reader("tail", &[], "cfFnqvz", &["--lines", "--bytes"]),
    reader("pwd", &[], "LP", &[]).most(0),
    reader("whoami", &[], "", &[]).most(0),
    reader("hostname", &[], "fsid", &[]).most(0),
    reader("date", &[], "uRI", &["--utc", "--iso-8601"]).most(0),
    reader("env", &[], "", &[]).most(0),
    reader("printenv", &[], "0", &[]),
    reader("which", &[], "a", &[]),
    reader("echo", &[], "neE", &[]),
    reader("printf", &[], "", &[]),
    reader("basename", &[], "asz", &[]),
    reader("dirname", &[], "z", &[]),
    reader("df", &[], "aBhHiklPtTx", &[]),
    reader("du", &[], "abBcdhHkLmsSxt0", &["--max-depth", "--summarize"]),
    reader("grep", &[], "abcEFhHiIlLmnoPqrRsvwxABCz", &["--include", "--exclude", "--exclude-dir", "--color"]),
    reader("rg", &[], "ABCcFgHiIlmNnopPqSsTtUuvwx", &["--files", "--glob", "--type", "--hidden", "--json"]),
    reader("sort", &[], "bcdfghikMnrRsStuVz", &[]),
    reader("uniq", &[], "cdDfisuwz", &[]).most(1),
    reader("wc", &[], "clLmw", &[]),
    reader("stat", &[], "cfLt", &["--format", "--printf"]),
    reader("file", &[], "biLz", &["--mime-type"]),
    reader("ps", &[], "aAdefFlLopuUwxC", &[]),
    reader("top", &[], "bdinpu", &[]),
    reader("git", &["status"], "bsuvz", &["--short", "--branch", "--porcelain", "--ignored"]),
    reader(
        "git",
        &["diff"],
        "bMpUwz",
        &["--cached", "--staged", "--stat", "--name-only", "--name-status", "--no-color"],
    ),
    reader(
        "git",
        &["log"],
        "0123456789npS",
        &["--oneline", "--graph", "--stat", "--all", "--format", "--pretty", "--since"],
    ),
    reader("git", &["show"], "ps", &["--stat", "--name-only", "--format", "--pretty"]),
    reader("git", &["branch"], "alrv", &["--all", "--list", "--show-current", "--remotes"]).most(0),
    reader("git", &["remote"], "v", &["--verbose"]).most(0),
    reader("docker", &["ps"], "aflnqs", &["--all", "--filter", "--format", "--no-trunc"]),
    reader("docker", &["images"], "afq", &["--all", "--filter", "--format", "--digests"]),
    reader("docker", &["inspect"], "fs", &["--format", "--type"]),
    reader("docker", &["logs"], "fnt", &["--tail", "--since", "--follow", "--timestamps"]),
    reader("docker", &["stats"], "a", &["--no-stream", "--format", "--all"]),
    reader("docker", &["version"], "f", &["--format"]),
    reader("docker", &["info"], "f", &["--format"]),
    reader("docker", &["system", "df"], "v", &["--format"]),
    reader("kubectl", &["get"], "Aflnow", &["--namespace", "--all-namespaces", "--output", "--selector"]),
    reader("kubectl", &["describe"], "Afln", &["--namespace", "--all-namespaces", "--selector"]),
    reader("kubectl", &["logs"], "cflnp", &["--namespace", "--tail", "--since", "--container", "--previous"]),
    reader("kubectl", &["version"], "o", &["--client", "--output"]),
];

/// Whether a command is known to only read.
pub(super) fn only(program: &str, words: &[&str]) -> bool {
    READERS.iter().filter(|reader| reader.program == program).any(|reader| reader.fits(words))
}

impl Reader {
    fn fits(&self, words: &[&str]) -> bool {
        let Some(rest) = words.strip_prefix(self.words) else { return false };
        // `date` takes a format, which begins with a plus sign, or a date to set. A lone dash stands for a file.
        let is_option =
            |word: &str| (word.starts_with('-') && word != "-") || (self.program == "date" && word.starts_with('+'));
        rest.iter().filter(|word| !is_option(word)).count() <= self.most && rest.iter().all(|word| self.takes(word))
    }

    fn takes(&self, word: &str) -> bool {
        let Some(letters) = word.strip_prefix('-') else { return true };
        if letters.starts_with('-') {
            let name = word.split('=').next().unwrap_or_default();
            return self.options.contains(&name);
        }
        letters.chars().all(|letter| letter.is_ascii_digit() || self.letters.contains(letter))
    }
}
