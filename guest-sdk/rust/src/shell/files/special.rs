//! Programs whose arguments follow special rules.

use super::{Access, Files, archives, downloads, git, modes, vim};
use crate::shell::inner::options::Spec;
use crate::shell::inner::{awk, find_starts, sed, unversioned};
use crate::shell::word::Word;

/// A text for what only the running program knows.
const UNKNOWN: &str = "\u{F0000}";

/// Adds the files of a program with special rules. Returns `false` if the program is not one of these. `is_typed` says
/// that the standard input is not the tool call's own.
pub(super) fn read(name: &str, arguments: &[Word], is_typed: bool, files: &mut Files) -> bool {
    match name {
        "dd" => dd(arguments, files),
        "find" | "gfind" => find(arguments, files),
        "fd" | "fdfind" => {
            let spec = Spec {
                shorts: "dteEjcSoxX",
                longs: &["max-depth", "type", "extension", "exclude", "exec", "exec-batch"],
                flags: &[],
            };
            let (_, operands) = spec.all(arguments);
            files.add_all(operands.iter().skip(1), Access::List);
        }
        "sed" | "gsed" => sed(arguments, files),
        "install" | "ginstall" => install(arguments, files),
        "vi" | "vim" | "nvim" | "gvim" | "ex" | "vimdiff" | "view" | "rvim" | "rview" | "rgvim" | "evim" => {
            vim::read(name, arguments, is_typed, files)
        }
        "curl" => downloads::curl(arguments, files),
        "wget" => downloads::wget(arguments, files),
        "chmod" | "gchmod" => modes::changed(arguments, "Rcfvh", files),
        "chattr" => modes::changed(arguments, "RVfpv", files),
        "shred" => modes::shred(arguments, files),
        "ssh-keygen" => ssh_keygen(arguments, files),
        // With this option, `file` compiles a file of patterns.
        "file" if arguments.iter().any(|word| matches!(word.text(), "-C" | "--compile")) => {
            let (options, operands) = Spec { shorts: "mfeFP", longs: &["magic-file"], flags: &[] }.all(arguments);
            let magic = options.iter().filter(|(name, _)| matches!(name.as_str(), "-m" | "--magic-file"));
            magic.for_each(|(_, file)| files.add_all(file.as_ref(), Access::Write));
            files.add_all(&operands, Access::Read);
        }
        "test" | "[" => modes::test(arguments, files),
        "openssl" => modes::openssl(arguments, files),
        "screen" => {
            let log = arguments.iter().skip_while(|word| word.text() != "-Logfile").nth(1);
            files.add_all(log, Access::Write);
        }
        "cpio" => archives::cpio(arguments, files),
        "unrar" => archives::unrar(arguments, files),
        "7z" | "7za" | "7zr" | "7zz" | "rar" => archives::seven(arguments, files),
        "awk" | "gawk" | "mawk" | "nawk" => awk(arguments, files),
        "git" => git::read(arguments, files),
        "tar" | "gtar" | "bsdtar" => archives::tar(arguments, files),
        "zip" => archives::zip(arguments, files),
        "unzip" => archives::unzip(arguments, files),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" => {
            archives::compressed(arguments, files)
        }
        name => match unversioned(name) {
            name @ ("python" | "pypy" | "node" | "nodejs" | "ruby" | "perl" | "php" | "lua") => {
                interpreter(name, arguments, files);
            }
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "fish" => shell(arguments, files),
            _ => return false,
        },
    }
    true
}

fn dd(arguments: &[Word], files: &mut Files) {
    for word in arguments {
        for (prefix, access) in [("if=", Access::Read), ("of=", Access::Write)] {
            if let Some(path) = word.after(prefix) {
                files.add(&path, access);
            }
        }
    }
}

fn find(arguments: &[Word], files: &mut Files) {
    let starts = find_starts(arguments);
    let here = [Word::plain(".")];
    let starts = if starts.is_empty() { &here } else { starts };
    files.add_all(starts, Access::List);
    if arguments.iter().any(|word| word.text() == "-delete") {
        files.add_all(starts, Access::Delete);
    }
    for pair in arguments.windows(2) {
        if let [option, path] = pair {
            match option.text() {
                "-fprintf" | "-fprint" | "-fprint0" | "-fls" => files.add(path, Access::Write),
                "-newer" | "-anewer" | "-cnewer" | "-samefile" => files.add(path, Access::List),
                "-files0-from" => files.add(path, Access::Read),
                _ => {}
            }
        }
    }
}

fn awk(arguments: &[Word], files: &mut Files) {
    files.add_all(&arguments.iter().filter_map(awk::attached).collect::<Vec<_>>(), Access::Write);
    for text in awk::programs(arguments) {
        for (file, access) in awk::read(text.text()).files {
            match file {
                Some(file) => files.add(&Word::plain(&file), access),
                None => files.add(&made_up(), access),
            }
        }
    }
    let plain = awk::without_attached(arguments);
    let read = awk::AWK.read(&plain);
    let has_program = read.has(&["-f", "--file", "-e", "--source", "-E", "--exec"]);
    let mut in_place = false;
    for (name, value) in &read.options {
        match (name.as_str(), value) {
            ("-f" | "--file" | "-E" | "--exec", Some(file)) => files.add(file, Access::Read),
            ("-i" | "--include", Some(library)) if library.text() == "inplace" => in_place = true,
            ("-i" | "--include" | "-l" | "--load", Some(file)) => files.add(file, Access::Read),
            _ => {}
        }
    }
    // `name=value` sets a variable.
    let is_file = |word: &&Word| !word.text().split_once('=').is_some_and(|(name, _)| is_name(name));
    let operands = read.rest.iter().skip(usize::from(!has_program)).filter(is_file);
    files.add_all(operands, if in_place { Access::Write } else { Access::Read });
}

/// Adds the files of `ssh-keygen`, which makes a key, unless one of its options only shows or checks one.
fn ssh_keygen(arguments: &[Word], files: &mut Files) {
    let (options, _) = Spec { shorts: "bCfNtPOIsVYZSnrwDGMEFRa", longs: &[], flags: &[] }.all(arguments);
    let shows = ["-l", "-y", "-B", "-e", "-F", "-L", "-Q", "-Y", "-r"];
    let is_shown = options.iter().any(|(name, _)| shows.contains(&name.as_str()));
    for (_, file) in options.iter().filter(|(name, _)| name == "-f") {
        files.add_all(file.as_ref(), if is_shown { Access::Read } else { Access::Write });
    }
}

/// Returns a word for a file whose name is generated by a program.
fn made_up() -> Word {
    Word::new("a name that the program makes up", UNKNOWN.to_owned())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn sed(arguments: &[Word], files: &mut Files) {
    let (options, operands) = sed::SED.all(&sed::plain(arguments));
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let in_place = has(&["-i", "--in-place"]);
    let has_program = has(&["-e", "-f", "--expression", "--file"]);
    for (name, value) in &options {
        if let ("-f" | "--file", Some(file)) = (name.as_str(), value) {
            files.add(file, Access::Read);
        }
    }
    if let Some(program) = sed::program(arguments) {
        for (file, access) in sed::read(&program).files {
            files.add(&Word::plain(&file), access);
        }
    }
    let access = if in_place { Access::Write } else { Access::Read };
    files.add_all(operands.iter().skip(usize::from(!has_program)), access);
}

fn install(arguments: &[Word], files: &mut Files) {
    let spec = Spec {
        shorts: "gmotSZ",
        longs: &["group", "mode", "owner", "target-directory", "suffix", "strip-program"],
        flags: &["directory"],
    };
    let (options, operands) = spec.all(arguments);
    if options.iter().any(|(name, _)| matches!(name.as_str(), "-d" | "--directory")) {
        return files.add_all(&operands, Access::Create);
    }
    let directory = options.iter().find(|(name, _)| matches!(name.as_str(), "-t" | "--target-directory"));
    match (directory, operands.split_last()) {
        (Some((_, Some(directory))), _) => {
            files.add_all(&operands, Access::Read);
            files.add(directory, Access::Write);
            files.add_into(directory, &operands, Access::Write, false);
        }
        (_, Some((last, sources))) => {
            files.add_all(sources, Access::Read);
            files.add(last, Access::Write);
            if super::is_directory(last) || sources.len() > 1 {
                files.add_into(last, sources, Access::Write, false);
            }
        }
        _ => {}
    }
}

/// Adds the files of a program that runs the file in its first operand, unless the program is in an option.
fn interpreter(name: &str, arguments: &[Word], files: &mut Files) {
    let is_python = name.starts_with("py");
    let is_node = name.starts_with("node");
    let (shorts, inline): (&str, &[&str]) = match name {
        _ if is_python => ("cmWXQ", &["-c", "-m"]),
        _ if is_node => ("eprC", &["-e", "-p", "--eval", "--print"]),
        "php" => ("rfBRFEdzc", &["-r", "-f"]),
        "perl" => ("eEIMm", &["-e", "-E"]),
        _ => ("eEIrCKlF", &["-e"]),
    };
    let longs = &["eval", "print", "require", "import", "loader", "env-file", "check-hash-based-pycs"];
    let read = Spec { shorts, longs, flags: &[] }.read(arguments);
    for (option, value) in &read.options {
        if let Some(value) = value
            && (matches!(option.as_str(), "--require" | "--import" | "--env-file" | "-f") || is_node && option == "-r")
        {
            files.add(value, Access::Read);
        }
    }
    if is_python {
        python_module(arguments, files);
    }
    // With `-i`, Perl changes the files after its program.
    let in_place = read.has(&["-i"]) || read.options.iter().any(|(option, _)| option == "-i");
    if read.has(inline) {
        let access = if in_place { Access::Write } else { Access::Read };
        if matches!(name, "perl" | "ruby") {
            files.add_all(read.rest, access);
        }
        return;
    }
    files.add_all(read.rest.first(), Access::Read);
    if in_place && matches!(name, "perl" | "ruby") {
        files.add_all(read.rest.iter().skip(1), Access::Write);
    }
}

/// Adds the files of a standard Python module that is run as a program.
fn python_module(arguments: &[Word], files: &mut Files) {
    let Some(at) = arguments.iter().position(|word| word.text() == "-m") else {
        return;
    };
    let Some([module, rest @ ..]) = arguments.get(at + 1..) else {
        return;
    };
    let (_, operands) = Spec { shorts: "", longs: &["indent"], flags: &[] }.all(rest);
    match (module.text(), operands.as_slice()) {
        ("json.tool" | "quopri" | "base64", [input, output]) => {
            files.add(input, Access::Read);
            files.add(output, Access::Write);
        }
        ("venv" | "virtualenv", [.., directory]) => files.add(directory, Access::Create),
        ("zipfile" | "tarfile", [archive, directory, ..])
            if rest.iter().any(|word| matches!(word.text(), "-e" | "--extract")) =>
        {
            files.add(archive, Access::Read);
            files.add(directory, Access::Write);
        }
        ("zipfile" | "tarfile", [archive, ..]) if rest.iter().any(|word| matches!(word.text(), "-c" | "--create")) => {
            files.add(archive, Access::Write);
        }
        _ => {}
    }
}

fn shell(arguments: &[Word], files: &mut Files) {
    let spec = Spec { shorts: "oO", longs: &["rcfile", "init-file"], flags: &[] };
    let read = spec.read(arguments);
    for name in ["--rcfile", "--init-file"] {
        files.add_all(read.value(&[name]), Access::Read);
    }
    if !read.has(&["-c", "-s"]) {
        files.add_all(read.rest.first(), Access::Read);
    }
}
