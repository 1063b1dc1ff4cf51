//! Programs whose arguments follow rules of their own.

use super::{Access, Files, archives, git};
use crate::shell::inner::find_starts;
use crate::shell::inner::options::Spec;
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
        "curl" => curl(arguments, files),
        "wget" => wget(arguments, files),
        "git" => git::read(arguments, files),
        "tar" | "gtar" | "bsdtar" => archives::tar(arguments, files),
        "zip" => archives::zip(arguments, files),
        "unzip" => archives::unzip(arguments, files),
        "python" | "python2" | "python3" | "pypy" | "pypy3" | "node" | "nodejs" | "ruby" | "perl" | "php" | "lua" => {
            interpreter(name, arguments, files);
        }
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "fish" => shell(arguments, files),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" => {
            archives::compressed(arguments, files)
        }
        _ => return false,
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
        }
        (_, Some((last, sources))) => {
            files.add_all(sources, Access::Read);
            files.add(last, Access::Write);
        }
        _ => {}
    }
}

fn curl(arguments: &[Word], files: &mut Files) {
    let spec = Spec {
        shorts: "oTdFKHAbceEmPQrtuUwxXyYzC",
        longs: &[
            "output",
            "upload-file",
            "data",
            "data-binary",
            "data-raw",
            "data-urlencode",
            "data-ascii",
            "form",
            "config",
            "header",
            "user-agent",
            "cookie",
            "cookie-jar",
            "cert",
            "key",
            "cacert",
            "capath",
            "max-time",
            "request",
            "user",
            "write-out",
            "proxy",
            "referer",
            "connect-timeout",
            "retry",
            "retry-delay",
            "range",
            "url",
            "resolve",
            "netrc-file",
            "output-dir",
            "dump-header",
            "trace",
            "trace-ascii",
            "stderr",
            "json",
            "unix-socket",
            "limit-rate",
            "max-filesize",
            "interface",
            "continue-at",
            "form-string",
        ],
        flags: &["remote-name", "silent", "location", "insecure", "fail", "verbose", "include", "head", "compressed"],
    };
    let (options, _) = spec.all(arguments);
    for (name, value) in &options {
        let Some(value) = value else {
            continue;
        };
        match name.as_str() {
            "-o" | "--output" | "-c" | "--cookie-jar" | "--dump-header" | "--trace" | "--trace-ascii" | "--stderr" => {
                files.add(value, Access::Write);
            }
            "--output-dir" => files.add(value, Access::Write),
            "-T" | "--upload-file" | "-K" | "--config" | "-E" | "--cert" | "--key" | "--cacert" | "--netrc-file" => {
                files.add(value, Access::Read);
            }
            "-b" | "--cookie" if !value.text().contains('=') => files.add(value, Access::Read),
            "-d" | "--data" | "--data-binary" | "--data-ascii" | "--json" | "-H" | "--header" => {
                if let Some(file) = value.behind("@") {
                    files.add(&file, Access::Read);
                }
            }
            "--data-urlencode" | "-F" | "--form" => {
                let (before, _) = value.text().split_once(['@', '<']).unwrap_or_default();
                let at = ["@", "<"].iter().find_map(|sign| value.behind(&format!("{before}{sign}")));
                if let Some(file) = at {
                    let path = file.text().split(';').next().unwrap_or_default().to_owned();
                    let file = if path == file.text() { file } else { Word::plain(&path) };
                    files.add(&file, Access::Read);
                }
            }
            _ => {}
        }
    }
}

fn wget(arguments: &[Word], files: &mut Files) {
    let spec = Spec {
        shorts: "oOaieBtTwQPUlADXI",
        longs: &[
            "output-file",
            "output-document",
            "append-output",
            "input-file",
            "directory-prefix",
            "post-file",
            "post-data",
            "body-file",
            "body-data",
            "method",
            "header",
            "user-agent",
            "user",
            "password",
            "tries",
            "timeout",
            "wait",
            "load-cookies",
            "save-cookies",
            "certificate",
            "private-key",
            "ca-certificate",
            "level",
            "accept",
            "reject",
            "domains",
            "config",
            "referer",
            "limit-rate",
        ],
        flags: &["quiet", "no-check-certificate", "continue", "recursive"],
    };
    let (options, _) = spec.all(arguments);
    for (name, value) in &options {
        let Some(value) = value else {
            continue;
        };
        match name.as_str() {
            "-o" | "-O" | "-a" | "-P" | "--output-file" | "--output-document" | "--append-output"
            | "--directory-prefix" | "--save-cookies" => files.add(value, Access::Write),
            "-i" | "--input-file" | "--post-file" | "--body-file" | "--load-cookies" | "--certificate"
            | "--private-key" | "--ca-certificate" | "--config" => files.add(value, Access::Read),
            _ => {}
        }
    }
}

/// A program that runs the file in its first operand, unless the program is in an option.
fn interpreter(name: &str, arguments: &[Word], files: &mut Files) {
    let is_python = name.starts_with("py");
    let (shorts, inline): (&str, &[&str]) = match name {
        _ if is_python => ("cmWXQ", &["-c", "-m"]),
        "node" | "nodejs" => ("epr", &["-e", "-p", "--eval", "--print"]),
        "php" => ("rfBRFEdzc", &["-r", "-f"]),
        _ => ("eEIrCKSM", &["-e", "-E"]),
    };
    let longs = &["eval", "print", "require", "import", "loader", "env-file", "check-hash-based-pycs"];
    let read = Spec { shorts, longs, flags: &[] }.read(arguments);
    for (option, value) in &read.options {
        if let Some(value) = value
            && matches!(option.as_str(), "--require" | "--import" | "--env-file" | "-f")
        {
            files.add(value, Access::Read);
        }
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
