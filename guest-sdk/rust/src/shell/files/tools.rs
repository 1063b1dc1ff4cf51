//! Compilers, formatters, remote copiers: programs that write by an option, a flag or a subcommand.

use super::{Access, Files, is_directory};
use crate::shell::inner::options::Spec;
use crate::shell::word::Word;

/// Options that are separate words, with their value in the next word or after `=`. Clusters mean something else to
/// these programs.
struct Exact {
    names: &'static [&'static str],
    options: &'static [&'static str],
}

#[rustfmt::skip] // A table reads better with one row per line.
const EXACT: &[Exact] = &[
    Exact { names: &["as", "c++", "c89", "c99", "cc", "clang", "clang++", "cpp", "g++", "gcc", "gfortran", "ghc", "gold", "ld", "ld.lld", "lld", "mold", "nasm", "ocamlc", "ocamlopt", "swiftc", "tcc", "yasm"],
        options: &["-o", "-MF"] },
    Exact { names: &["rustc"], options: &["-o", "--out-dir"] },
    Exact { names: &["javac", "kotlinc", "scalac"], options: &["-d", "-s", "-h"] },
    Exact { names: &["go"], options: &["-o", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace"] },
    Exact { names: &["terraform", "tofu"], options: &["-out", "-state-out", "-backup", "-generate-config-out"] },
    Exact { names: &["iconutil", "sips"], options: &["-o", "--output", "--out"] },
    Exact { names: &["nmap"], options: &["-oN", "-oX", "-oG", "-oA", "-oS"] },
    Exact { names: &["tcpdump", "tshark", "dumpcap"], options: &["-w"] },
    Exact { names: &["whisper-cpp", "whisper-cli"], options: &["-of", "--output-file"] },
    Exact { names: &["tsc"], options: &["--outDir", "--outFile", "--declarationDir", "--tsBuildInfoFile"] },
    Exact { names: &["esbuild", "swc", "babel", "rollup", "parcel", "webpack", "vite"],
        options: &["-o", "-d", "--outfile", "--outdir", "--out-file", "--out-dir", "--outDir", "--output-path", "--file", "--metafile", "--dist-dir"] },
    Exact { names: &["jest", "mocha", "vitest", "eslint", "stylelint", "pytest", "ruff", "mypy"],
        options: &["-o", "--outputFile", "--output-file", "--outputFile.json", "--junitxml", "--junit-xml", "--log-file", "--cobertura-xml-report"] },
];

/// Programs that rewrite files in place, with the flag that makes them do so; a program without a flag always does.
struct InPlace {
    names: &'static [&'static str],
    flags: &'static [&'static str],
    /// The flags that make the programs only check.
    looks: &'static [&'static str],
    /// The short options that take a value.
    shorts: &'static str,
    longs: &'static [&'static str],
    /// How many operands come before the files.
    skip: usize,
}

#[rustfmt::skip]
const IN_PLACE: &[InPlace] = &[
    InPlace { names: &["prettier"], flags: &["-w", "--write"], looks: &[], shorts: "", longs: &["config", "parser", "ignore-path", "plugin"], skip: 0 },
    InPlace { names: &["eslint", "stylelint", "standard", "xo"], flags: &["--fix"], looks: &["--fix-dry-run"], shorts: "cfo", longs: &["config", "ext", "format", "rule", "parser", "output-file", "ignore-path", "ignore-pattern"], skip: 0 },
    InPlace { names: &["black", "isort"], flags: &[], looks: &["--check", "--diff", "--check-only"], shorts: "lt", longs: &["line-length", "target-version", "config", "exclude", "profile"], skip: 0 },
    InPlace { names: &["autopep8", "yapf", "clang-format", "uncrustify", "latexindent"], flags: &["-i", "--in-place"], looks: &[], shorts: "", longs: &["style", "max-line-length"], skip: 0 },
    InPlace { names: &["rustfmt"], flags: &[], looks: &["--check"], shorts: "", longs: &["edition", "config", "config-path", "emit"], skip: 0 },
    InPlace { names: &["gofmt", "goimports", "gofumpt", "shfmt"], flags: &["-w", "--write"], looks: &["-d"], shorts: "ri", longs: &[], skip: 0 },
    InPlace { names: &["stylua", "nixfmt", "alejandra", "ocamlformat", "zprint"], flags: &[], looks: &["--check"], shorts: "", longs: &["config-path"], skip: 0 },
    InPlace { names: &["perltidy"], flags: &["-b"], looks: &[], shorts: "", longs: &[], skip: 0 },
    InPlace { names: &["tidy"], flags: &["-m", "-modify"], looks: &[], shorts: "", longs: &[], skip: 0 },
    InPlace { names: &["yq"], flags: &["-i", "--inplace", "--in-place"], looks: &[], shorts: "opI", longs: &["output-format", "input-format", "indent"], skip: 1 },
    InPlace { names: &["sd"], flags: &[], looks: &["-p", "--preview"], shorts: "nf", longs: &["max-replacements", "flags"], skip: 2 },
    InPlace { names: &["crudini"], flags: &["--set", "--del", "--merge"], looks: &[], shorts: "", longs: &["format", "output"], skip: 0 },
    InPlace { names: &["dos2unix", "unix2dos", "mac2unix", "fromdos", "todos"], flags: &[], looks: &["-i", "--info"], shorts: "", longs: &[], skip: 0 },
];

/// Programs with a copying subcommand, whose last file is the destination.
const COPIERS: &[(&[&str], &[&[&str]])] = &[
    (&["docker", "podman", "nerdctl", "kubectl", "oc", "lxc"], &[&["cp"], &["container", "cp"], &["file", "pull"]]),
    (&["aws"], &[&["s3", "cp"], &["s3", "mv"], &["s3", "sync"]]),
    (&["gsutil", "mc", "s5cmd"], &[&["cp"], &["mv"], &["rsync"], &["mirror"], &["sync"]]),
    (&["gcloud"], &[&["storage", "cp"], &["storage", "mv"], &["storage", "rsync"], &["compute", "scp"]]),
    (&["rclone"], &[&["copy"], &["copyto"], &["move"], &["moveto"], &["sync"], &["bisync"]]),
    (&["adb"], &[&["pull"]]),
    (&["s3cmd"], &[&["get"], &["sync"]]),
];

/// Whether the files that such a program reads are known, and not only those that it writes.
pub(super) fn knows_inputs(name: &str) -> bool {
    let exact = EXACT.iter().find(|program| program.names.contains(&name));
    let is_linter = || IN_PLACE.iter().any(|program| program.names.contains(&name));
    exact.is_none_or(|program| program.names.contains(&"gcc")) || is_linter()
}

/// Adds the files of such a program. Returns `false` if the program is not one.
pub(super) fn read(name: &str, arguments: &[Word], files: &mut Files) -> bool {
    if let Some(program) = EXACT.iter().find(|program| program.names.contains(&name)) {
        exact(program.options, arguments, files);
        if program.names.contains(&"gcc") {
            sources(program.options, arguments, files);
        }
        // A linter can also fix files.
        in_place(name, arguments, files);
        return true;
    }
    if in_place(name, arguments, files) {
        return true;
    }
    if let Some((_, subcommands)) = COPIERS.iter().find(|(names, _)| names.contains(&name)) {
        return copied(subcommands, arguments, files);
    }
    match name {
        "objcopy" => objcopy(arguments, files),
        "strip" => strip(arguments, files),
        "ar" => ar(arguments, files),
        "aria2c" => aria2c(arguments, files),
        "crontab" => crontab(arguments, files),
        "gh" => gh(arguments, files),
        "socat" => socat(arguments, files),
        _ => return false,
    }
    true
}

fn exact(options: &[&str], arguments: &[Word], files: &mut Files) {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if options.contains(&text) {
            files.add_all(words.next(), Access::Write);
        } else if let Some((option, _)) = text.split_once('=').filter(|(option, _)| options.contains(option)) {
            files.add_all(word.after(&format!("{option}=")).as_ref(), Access::Write);
        }
    }
}

/// Adds the files that a compiler reads, and quotes where it finds a mistake. Values of options that are not files are
/// not secrets either.
fn sources(outputs: &[&str], arguments: &[Word], files: &mut Files) {
    let mut is_output = false;
    for word in arguments {
        if !is_output && !word.text().starts_with('-') {
            files.add(word.after("@").as_ref().unwrap_or(word), Access::Read);
        }
        is_output = outputs.contains(&word.text());
    }
}

fn in_place(name: &str, arguments: &[Word], files: &mut Files) -> bool {
    let Some(program) = IN_PLACE.iter().find(|program| program.names.contains(&name)) else {
        return false;
    };
    let (options, operands) = Spec { shorts: program.shorts, longs: program.longs, flags: &[] }.all(arguments);
    // `-yi` is `-y -i`.
    let has = |flags: &[&str]| {
        arguments.iter().any(|word| flags.contains(&word.text()))
            || options.iter().any(|(name, _)| flags.contains(&name.as_str()))
    };
    let writes = (program.flags.is_empty() || has(program.flags)) && !has(program.looks);
    // In `yq eval '.a = 1' FILE`, a subcommand comes first. Without an expression, the second word is a file, too.
    let has_subcommand = match operands.as_slice() {
        [first, second, ..] if name == "yq" => {
            matches!(first.text(), "e" | "ea" | "eval" | "eval-all") && second.text().contains(['=', '(', '|'])
        }
        _ => false,
    };
    files.add_all(
        operands.iter().skip(program.skip + usize::from(has_subcommand)),
        if writes { Access::Write } else { Access::Read },
    );
    true
}

fn copied(subcommands: &[&[&str]], arguments: &[Word], files: &mut Files) -> bool {
    let longs =
        &["namespace", "context", "container", "profile", "region", "exclude", "include", "endpoint-url", "recipient"];
    let (_, operands) = Spec { shorts: "ncs", longs, flags: &[] }.all(arguments);
    let is_called = |names: &&&[&str]| {
        names.iter().zip(&operands).all(|(name, word)| word.text() == *name) && operands.len() > names.len()
    };
    let Some(names) = subcommands.iter().find(is_called) else {
        return false;
    };
    let Some((last, sources)) = operands.get(names.len()..).and_then(<[Word]>::split_last) else {
        return false;
    };
    sources.iter().for_each(|source| files.add_local(source, Access::Read));
    files.add_local(last, Access::Write);
    if is_directory(last) {
        files.add_into(last, sources, Access::Write, false);
    }
    true
}

/// Whether a program only prints information about itself.
fn only_tells(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| matches!(word.text(), "--help" | "--version" | "-V" | "-H"))
}

fn objcopy(arguments: &[Word], files: &mut Files) {
    let longs = &[
        "input-target",
        "output-target",
        "binary-architecture",
        "only-section",
        "remove-section",
        "strip-symbol",
        "keep-symbol",
        "add-section",
        "dump-section",
        "update-section",
        "rename-section",
        "add-gnu-debuglink",
        "set-section-flags",
        "pad-to",
        "gap-fill",
        "set-start",
        "change-start",
        "redefine-sym",
        "prefix-symbols",
        "split-dwo",
    ];
    let spec = Spec { shorts: "IOFBjRNKGLWbi", longs, flags: &[] };
    let (options, operands) = spec.all(arguments);
    if only_tells(arguments) {
        return;
    }
    for (name, value) in &options {
        // `--dump-section name=file`
        let file = value
            .as_ref()
            .and_then(|value| value.text().split_once('=').and_then(|(before, _)| value.after(&format!("{before}="))));
        match name.as_str() {
            "--dump-section" => files.add_all(file.as_ref(), Access::Write),
            "--add-section" | "--update-section" => files.add_all(file.as_ref(), Access::Read),
            "--split-dwo" => files.add_all(value.as_ref(), Access::Write),
            _ => {}
        }
    }
    match operands.as_slice() {
        [input, output, ..] => {
            files.add(input, Access::Read);
            files.add(output, Access::Write);
        }
        operands => files.add_all(operands, Access::Write),
    }
}

fn strip(arguments: &[Word], files: &mut Files) {
    let longs = &[
        "output-file",
        "input-target",
        "output-target",
        "target",
        "remove-section",
        "keep-section",
        "strip-symbol",
        "keep-symbol",
    ];
    let (options, operands) = Spec { shorts: "oIOFRNK", longs, flags: &[] }.all(arguments);
    if only_tells(arguments) {
        return;
    }
    let output = options.iter().find(|(name, _)| matches!(name.as_str(), "-o" | "--output-file"));
    files.add_all(output.and_then(|(_, output)| output.as_ref()), Access::Write);
    files.add_all(&operands, if output.is_some() { Access::Read } else { Access::Write });
}

/// Adds the files of `ar rcs archive file`, whose first operand says what to do.
fn ar(arguments: &[Word], files: &mut Files) {
    let Some((operation, [archive, members @ ..])) = arguments.split_first() else {
        return;
    };
    let writes = operation.text().trim_start_matches('-').starts_with(['r', 'q', 'd', 'm', 's']);
    files.add(archive, if writes { Access::Write } else { Access::Read });
    files.add_all(members, if operation.text().contains('x') { Access::Write } else { Access::Read });
}

fn aria2c(arguments: &[Word], files: &mut Files) {
    let longs = &[
        "dir",
        "out",
        "input-file",
        "log",
        "save-session",
        "load-cookies",
        "save-cookies",
        "conf-path",
        "header",
        "user-agent",
    ];
    let (options, urls) = Spec { shorts: "doilsxkjmtUT", longs, flags: &[] }.all(arguments);
    let value = |names: &[&str]| {
        options.iter().rev().find(|(name, _)| names.contains(&name.as_str())).and_then(|(_, value)| value.as_ref())
    };
    let directory = value(&["-d", "--dir"]);
    let names: Vec<Word> = match value(&["-o", "--out"]) {
        Some(name) => vec![name.clone()],
        None => urls.iter().filter_map(Word::last_name).collect(),
    };
    for name in names {
        let path = directory.map_or_else(|| name.clone(), |directory| directory.inside(&name));
        files.add(&path, Access::Write);
    }
    files.add_all(directory, Access::Write);
    files.add_all(value(&["-l", "--log"]), Access::Write);
    files.add_all(value(&["--save-session"]), Access::Write);
    files.add_all(value(&["--save-cookies"]), Access::Write);
    files.add_all(value(&["-i", "--input-file"]), Access::Read);
}

/// Adds the files of `crontab`. The user's crontab is outside any project.
fn crontab(arguments: &[Word], files: &mut Files) {
    let (options, operands) = Spec { shorts: "uc", longs: &[], flags: &[] }.all(arguments);
    files.add_all(&operands, Access::Read);
    if !options.iter().any(|(name, _)| matches!(name.as_str(), "-l" | "-V" | "-T")) {
        files.add(&Word::plain("/var/spool/cron/crontabs"), Access::Write);
    }
}

fn gh(arguments: &[Word], files: &mut Files) {
    let longs = &["repo", "dir", "output", "pattern", "name", "archive"];
    let (options, operands) = Spec { shorts: "RDOpnA", longs, flags: &[] }.all(arguments);
    let names: Vec<&str> = operands.iter().take(2).map(Word::text).collect();
    if matches!(names.as_slice(), ["release" | "run", "download"]) {
        for (name, value) in &options {
            if matches!(name.as_str(), "-D" | "--dir" | "-O" | "--output") {
                files.add_all(value.as_ref(), Access::Write);
            }
        }
    } else if matches!(names.as_slice(), ["repo" | "gist", "clone"]) {
        files.add_all(operands.get(3), Access::Create);
    }
}

/// Adds the files of `socat - OPEN:file`.
fn socat(arguments: &[Word], files: &mut Files) {
    for word in arguments {
        let Some((kind, _)) = word.text().split_once(':') else {
            continue;
        };
        let access = match kind.to_ascii_uppercase().as_str() {
            "CREATE" | "CREAT" | "OPEN" | "GOPEN" | "FILE" => Access::Write,
            _ => continue,
        };
        let Some(rest) = word.after(&format!("{kind}:")) else {
            continue;
        };
        let path = rest.text().split(',').next().unwrap_or_default().to_owned();
        files.add(&if path == rest.text() { rest } else { Word::plain(&path) }, access);
    }
}
