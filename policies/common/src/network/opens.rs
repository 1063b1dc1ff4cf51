//! Functions of many languages that open the URL that they get: `read_csv("https://host/x")`.

use super::{Target, Traffic, host};
use crate::Word;

/// The functions that open the first URL in their parentheses, in lower case.
#[rustfmt::skip] // Many words to a line.
const CALLS: &[&str] = &[
    // Tables and documents, in Python, R and Julia.
    "read_csv", "read_tsv", "read_table", "read_json", "read_html", "read_xml", "read_excel", "read_parquet", "read_feather", "read_pickle",
    "scan_csv", "scan_parquet", "imread", "read.csv", "read.table", "read.delim", "readlines", "readrds", "fread", "fromjson",
    "curl_download", "curl_fetch_memory",
    // PHP
    "fopen", "file_put_contents", "copy", "readfile", "file", "simplexml_load_file", "get_headers",
    // Python
    "webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab", "wget.download",
    // Elixir, Scala, Raku and Octave
    "req.get", "req.get!", "req.post", "req.post!", "fromurl", "useragent.new.get", "urlread", "urlwrite", "webread", "websave",
];
/// The functions that come after the parenthesis, or that need none, as in Lisp and Tcl.
const BARE: &[&str] = &[
    "slurp",
    "http-get",
    "http-post",
    "http-request",
    "dex:get",
    "dex:post",
    "get-pure-port",
    "string->url",
    "geturl",
    "url-copy-file",
    "url-retrieve",
    "url-retrieve-synchronously",
    "url-insert-file-contents",
];

/// Parts of code that installs packages, in lower case. The URL may be that of a package or of a registry.
#[rustfmt::skip] // Many words to a line.
const INSTALLS: &[&str] = &[
    // R, Julia and Elixir
    "install.packages(", "install_url(", "install_git(", "install_svn(", "install_version(", "install_cran(", "pkg_install(",
    "pkg.add(", "pkg.develop(", "mix.install(",
];

/// The most letters of a name that are read. A name may look as if it began far before, which would take quadratic time
/// in a text full of URLs.
const LONGEST: usize = 64;

/// Returns the first function in code, in lower case, that opens a URL.
pub(super) fn find(code: &str) -> Option<&'static &'static str> {
    let installs = INSTALLS.iter().find(|name| code.contains(**name));
    code.match_indices("://").find_map(|(at, _)| {
        let before = code.get(..at)?.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '+');
        // `php://stdin` and `file:///x` reach no other machine.
        code.get(before.len()..).filter(|url| host::is_of_network(url) && !url.starts_with("file:"))?;
        if installs.is_some() {
            return installs;
        }
        let before = before.strip_suffix(['"', '\'', '`']).unwrap_or(before);
        // `f"https://…"`
        let before = before.strip_suffix('f').filter(|rest| rest.ends_with(['(', ' ', '='])).unwrap_or(before);
        let before = before.trim_end();
        // `file = "https://…"`
        let argument = before.strip_suffix('=').map(|rest| rest.trim_end().trim_end_matches(is_of_name).trim_end());
        let before = argument.unwrap_or(before);
        let (names, before) = match before.strip_suffix('(') {
            Some(before) => (CALLS, before.trim_end()),
            None => (BARE, before),
        };
        let letters = before.char_indices().rev().take(LONGEST).take_while(|(_, letter)| is_of_name(*letter));
        let start = letters.last().map_or(before.len(), |(at, _)| at);
        let name = before.get(start..)?;
        names.iter().find(|known| {
            // A module may come first.
            name.strip_suffix(**known).is_some_and(|module| module.is_empty() || module.ends_with(['.', ':', '/']))
        })
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.:!>-/".contains(c)
}

/// Reads the sockets in code of Tcl: `[socket -async host 80]`.
pub(super) fn sockets(code: &str, traffic: &mut Traffic) {
    for rest in code.split("[socket ").skip(1) {
        let mut words = rest.split(']').next().unwrap_or_default().split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "-async" => continue,
                "-myaddr" | "-myport" => {
                    words.next();
                    continue;
                }
                "-server" => traffic.serves = Some("it waits for others to connect".to_owned()),
                name => {
                    let target = host::host_and_port(name, None).map_or(Target::Opaque, Target::Host);
                    traffic.reach(&Word::new(name), target);
                }
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn only_functions_that_open_urls() {
        for (code, name) in [
            ("pd.read_csv('https://x.test/a.csv')", "read_csv"),
            ("pd.read_csv(f\"https://{host}/a.csv\")", "read_csv"),
            ("read.csv(file = \"https://x.test/a.csv\")", "read.csv"),
            ("set t [http::geturl http://x.test/a]", "geturl"),
            ("(slurp \"https://x.test/a\")", "slurp"),
            ("req.get!(\"https://x.test/a\")", "req.get!"),
            ("install.packages('a', repos = 'https://x.test')", "install.packages("),
        ] {
            assert_eq!(find(code), Some(&name), "{code}");
        }
        for code in [
            "print('https://x.test')",
            "fopen('php://stdin', 'r')",
            "is_file(\"https://x.test\")",
            "read_csv('a.csv') # see https://x.test",
            "{\"file\": \"https://x.test\"}",
            "'https://x.test'",
            "read_csv('file:///tmp/a.csv')",
            "install.packages('a')",
            "install.packages('file:///tmp/a.tar.gz')",
        ] {
            assert_eq!(find(code), None, "{code}");
        }
    }
}
