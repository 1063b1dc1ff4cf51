//! Programs whose arguments follow rules of their own.

use super::{Access, Files, archives, downloads, git, modes, vim};
use crate::shell::inner::options::Spec;
use crate::shell::inner::{find_starts, unversioned};
use crate::shell::word::Word;

/// Reads the files of such a program. `false` if it is none.
pub(super) fn read(name: &str, arguments: &[Word], files: &mut Files) -> bool {
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
        "vi" | "vim" | "nvim" | "gvim" | "ex" | "vimdiff" | "view" => vim::read(arguments, files),
        "curl" => downloads::curl(arguments, files),
        "wget" => downloads::wget(arguments, files),
        "chmod" | "gchmod" => modes::changed(arguments, "Rcfvh", files),
        "chattr" => modes::changed(arguments, "RVfpv", files),
        "shred" => modes::shred(arguments, files),
        "test" | "[" => modes::test(arguments, files),
        "openssl" => modes::openssl(arguments, files),
        "7z" | "7za" | "7zr" | "rar" => archives::seven(arguments, files),
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
            if let Some(path) = word.behind(prefix) {
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
    let spec = Spec {
        shorts: "Fvfei",
        longs: &["field-separator", "assign", "file", "source", "include"],
        flags: &["characters-as-bytes", "posix", "traditional", "re-interval", "sandbox"],
    };
    let (options, operands) = spec.all(arguments);
    let mut has_program = false;
    let mut in_place = false;
    for (name, value) in &options {
        has_program |= matches!(name.as_str(), "-f" | "--file" | "-e" | "--source");
        match (name.as_str(), value) {
            ("-f" | "--file", Some(file)) => files.add(file, Access::Read),
            ("-i" | "--include", Some(library)) if library.text() == "inplace" => in_place = true,
            ("-i" | "--include", Some(file)) => files.add(file, Access::Read),
            _ => {}
        }
    }
    // `name=value` sets a variable.
    let is_file = |word: &&Word| !word.text().split_once('=').is_some_and(|(name, _)| is_name(name));
    let operands = operands.iter().skip(usize::from(!has_program)).filter(is_file);
    files.add_all(operands, if in_place { Access::Write } else { Access::Read });
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn sed(arguments: &[Word], files: &mut Files) {
    let spec = Spec { shorts: "efl", longs: &["expression", "file", "line-length"], flags: &[] };
    // On macOS, `-i` takes the next word, which is then empty.
    let arguments: Vec<Word> = arguments.iter().filter(|word| !word.text().is_empty()).cloned().collect();
    let (options, operands) = spec.all(&arguments);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let in_place = has(&["-i", "--in-place"]) || options.iter().any(|(name, _)| name.starts_with("--in-p"));
    let has_program = has(&["-e", "-f", "--expression", "--file"]);
    for (name, value) in &options {
        match (name.as_str(), value) {
            ("-f" | "--file", Some(file)) => files.add(file, Access::Read),
            ("-e" | "--expression", Some(program)) => sed_program(program, files),
            _ => {}
        }
    }
    if !has_program && let Some(program) = operands.first() {
        sed_program(program, files);
    }
    let access = if in_place { Access::Write } else { Access::Read };
    files.add_all(operands.iter().skip(usize::from(!has_program)), access);
}

/// `w file` and `r file` in a program.
fn sed_program(program: &Word, files: &mut Files) {
    for line in program.pattern().split([';', '\n', '}']) {
        let line = line.trim();
        let tail = |command: &str| {
            let (before, file) = line.rsplit_once(command)?;
            let is_command =
                before.is_empty() || before.ends_with(|c: char| c.is_ascii_digit() || "/$|#,!gp{ ".contains(c));
            let file = file.trim();
            (is_command && !file.is_empty() && !file.contains(' ')).then(|| file.to_owned())
        };
        for (command, access) in [("w ", Access::Write), ("W ", Access::Write), ("r ", Access::Read)] {
            if let Some(file) = tail(command) {
                files.add(&Word::plain(&file), access);
            }
        }
    }
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

/// A program that runs the file in its first operand, unless the program is in an option.
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
    // Perl changes the files behind its program with `-i`.
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

/// The files of a module of Python's own that is run as a program.
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
