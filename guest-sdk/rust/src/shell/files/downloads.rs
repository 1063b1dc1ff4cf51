//! `curl` and `wget`.

use super::{Access, Files};
use crate::shell::inner::options::Spec;
use crate::shell::word::Word;

pub(super) fn curl(arguments: &[Word], files: &mut Files) {
    let spec = Spec {
        shorts: "oTdDFKHAbceEmPQrtuUwxXyYzC",
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
            "etag-save",
            "etag-compare",
            "hsts",
            "alt-svc",
            "libcurl",
        ],
        flags: &["remote-name", "silent", "location", "insecure", "fail", "verbose", "include", "head", "compressed"],
    };
    let (options, urls) = spec.all(arguments);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    for format in values(&options, &["-w", "--write-out"]) {
        for part in format.text().split("%output{").skip(1) {
            let file = part.split('}').next().unwrap_or_default();
            files.add(&Word::plain(file.trim_start_matches(">>")), Access::Write);
        }
    }
    let urls: Vec<&Word> = values(&options, &["--url"]).chain(&urls).collect();
    for url in &urls {
        if let Some(path) = url.after("file://") {
            files.add(&path, Access::Read);
        }
        if has(&["-O", "--remote-name", "--remote-name-all"]) {
            let directory =
                options.iter().find(|(name, _)| name == "--output-dir").and_then(|(_, value)| value.as_ref());
            files.add(
                &directory.map_or_else(|| name_of(url), |directory| directory.inside(&name_of(url))),
                Access::Write,
            );
        }
    }
    for (name, value) in &options {
        let Some(value) = value else {
            continue;
        };
        match name.as_str() {
            "-D" | "--etag-save" | "--hsts" | "--alt-svc" | "--libcurl" => files.add(value, Access::Write),
            "-o" | "--output" | "-c" | "--cookie-jar" | "--dump-header" | "--trace" | "--trace-ascii" | "--stderr" => {
                files.add(value, Access::Write);
            }
            "--output-dir" => files.add(value, Access::Write),
            "-T" | "--upload-file" | "-K" | "--config" | "-E" | "--cert" | "--key" | "--cacert" | "--netrc-file" => {
                files.add(value, Access::Read);
            }
            "-b" | "--cookie" if !value.text().contains('=') => files.add(value, Access::Read),
            "-d" | "--data" | "--data-binary" | "--data-ascii" | "--json" | "-H" | "--header" => {
                if let Some(file) = value.after("@") {
                    files.add(&file, Access::Read);
                }
            }
            "--data-urlencode" | "-F" | "--form" => {
                let (before, _) = value.text().split_once(['@', '<']).unwrap_or_default();
                let at = ["@", "<"].iter().find_map(|sign| value.after(&format!("{before}{sign}")));
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

pub(super) fn wget(arguments: &[Word], files: &mut Files) {
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
    let (options, urls) = spec.all(arguments);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let elsewhere = ["-O", "--output-document", "-P", "--directory-prefix", "--spider"];
    for url in urls.iter().filter(|_| !has(&elsewhere)) {
        files.add(&name_of(url), Access::Write);
    }
    let prefix = options.iter().find(|(name, _)| matches!(name.as_str(), "-P" | "--directory-prefix"));
    if let Some((_, Some(directory))) = prefix
        && !has(&["-O", "--output-document", "--spider"])
    {
        for name in urls.iter().map(name_of).filter(|name| name.text() != ".") {
            files.add(&directory.inside(&name), Access::Write);
        }
    }
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

/// Returns the values of these options.
fn values<'o>(options: &'o [(String, Option<Word>)], names: &'o [&str]) -> impl Iterator<Item = &'o Word> {
    options.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_ref())
}

/// Returns the file that a download is stored in, judging by its address, or the working directory if the name cannot
/// be determined.
fn name_of(url: &Word) -> Word {
    let path = url.known().and_then(|url| url.split(['?', '#']).next()).unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    match path.rsplit_once('/') {
        Some((_, name)) if !name.is_empty() => Word::plain(name),
        _ => Word::plain("."),
    }
}
