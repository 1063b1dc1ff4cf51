//! Code in other languages on the command line: `python3 -c`, `node -e`.

use super::{Reach, Target, Traffic, arguments, host, opens, parses, special, unseen};
use crate::{Command, UNKNOWN, Word, code_at, module_at, options};

/// The interpreters, and their options whose value is code.
const INTERPRETERS: &[(&[&str], &[&str])] = &[
    (&["python", "pypy"], &["-c"]),
    (&["node", "nodejs", "bun", "tsx", "ts-node"], &["-e", "-p", "-pe", "--eval", "--print"]),
    (&["deno"], &["eval", "-p"]),
    (&["perl"], &["-e", "-E", "-ne", "-pe", "-le", "-lne", "-Me", "-nle", "-wle", "-MIO", "-MSocket"]),
    (&["ruby"], &["-e", "-ne", "-pe", "-rsocket", "-ropen-uri"]),
    (&["php"], &["-r", "--run"]),
    (&["lua", "luajit"], &["-e"]),
    (&["Rscript", "R", "julia", "elixir", "tclsh", "groovy"], &["-e", "--eval"]),
    (OTHERS, &["-c", "-e", "-x", "--eval", "-eval"]),
    (&["powershell", "pwsh", "powershell.exe"], &["-c", "-Command", "-command", "-Com", "/c"]),
    (&["osascript"], &["-e"]),
    (&["awk", "gawk", "mawk", "nawk"], &[]),
];

/// Interpreters that may also request the URLs among their arguments, as programs do that are not known.
#[rustfmt::skip] // Many words to a line.
const OTHERS: &[&str] = &[
    "wish", "jimsh", "expect", "guile", "sbcl", "clisp", "racket", "clojure", "clj", "bb", "raku", "scala", "scala-cli", "jshell", "ghci",
    "swift", "octave", "erl",
];
/// The interpreters of Tcl.
pub(super) const TCL: [&str; 4] = ["tclsh", "wish", "jimsh", "expect"];

/// Markers of code that reaches another machine.
const REACHES: &[&str] = &[
    "urlopen",
    "urlretrieve",
    "urlsession",
    "contentsof: url(string",
    "webbrowser.get",
    "datasource(",
    "requests.",
    "httpx",
    "aiohttp",
    "http.client",
    "httpconnection",
    "fetch(",
    "axios",
    "http.get",
    "https.get",
    "http.request",
    "https.request",
    "net.connect",
    "net.createconnection",
    "websocket",
    "xmlhttprequest",
    "net::http",
    "open-uri",
    "uri.open",
    "uri(",
    "lwp::",
    "http::tiny",
    "curl_exec",
    "curl_init",
    "file_get_contents",
    "fsockopen",
    "stream_socket_client",
    "smtplib",
    "ftplib",
    "paramiko",
    "telnetlib",
    "create_connection",
    ".connect(",
    "tcpsocket",
    "io::socket",
    "socket(",
    "socket.tcp",
    "socket.http",
    "ssl.https",
    ":httpc",
    "httpc:",
    "::geturl",
    "[socket ",
    "httpoison",
    "ztcp",
    "urllib3",
    "open_connection",
    "invoke-webrequest",
    "invoke-restmethod",
    "downloadstring",
    "downloadfile",
    "webclient",
    "iwr ",
    "irm ",
    "curl ",
    "wget ",
    "/inet/",
    "dgram",
    "got(",
    "undici",
    "dns.resolve",
    "getaddrinfo",
    "gethostbyname",
    "lookup(",
    "faraday",
    "require('http",
    "require(\"http",
    "node:http",
    "httparty",
    "mechanize",
    "require(\"socket\")",
    "require('socket')",
    "connect(s,",
    "sockaddr_in",
    "inet_aton",
    "download.file",
    "url(\"http",
    "httr::",
    "downloads.download",
    "download(\"http",
    "\".tourl()",
    "'.tourl()",
    "require('net')",
    "copy(\"http",
    "copy('http",
];
/// The interpreters of JavaScript.
const JAVASCRIPT: &[&str] = &["node", "nodejs", "bun", "deno", "tsx", "ts-node"];
/// Databases that run in the program itself and use a file.
const EMBEDDED: &[&str] = &["sqlite", "duckdb", "lancedb", "chromadb", "kuzu", "tinydb"];
/// Markers of code that sends data.
#[rustfmt::skip] // Many words to a line.
const SENDS: &[&str] = &[
    ".post(", ".put(", ".patch(", ".delete(", "'post'", "\"post\"", "'put'", "\"put\"", "data=", "body:", ".send(",
    "sendall", "sendto", ".write(", "json=", "files=", "post_form", "curlopt_post", "uploadstring", "uploadfile",
    ".storbinary", "-method post", ".sendmail", "send_message",
];
/// Markers of code that opens a connection by which it can be controlled.
const CONNECTS: &[&str] = &["connect", "socket", "fsockopen"];
/// Texts that contain such markers, but connect nothing to another machine and run no program.
#[rustfmt::skip] // Many words to a line.
const HARMLESS: &[&str] = &[
    "curl_exec(", "sqlite3.connect(", "duckdb.connect(", "connectionerror", "connectionrefusederror", "connectionreseterror",
    "connectionabortederror", "connecttimeout",
];
/// Markers of code that connects a shell to a socket.
#[rustfmt::skip] // Many words to a line.
const SHELLS: &[&str] = &[
    "/bin/sh", "/bin/bash", "pty.spawn", "subprocess", "child_process", "dup2", "exec(", "cmd.exe", "popen", "proc_open", "fdopen",
];

/// Reads a command of an interpreter. Returns whether it was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some((_, flags)) =
        INTERPRETERS.iter().find(|(names, _)| names.contains(&command.name) || names.contains(&base))
    else {
        return false;
    };
    let args = command.args();
    let (codes, is_web) = codes(command, base, flags);
    // What follows a local script is for that script. A word that is not known may carry data.
    let script = unseen::local_script(command);
    let is_handed = |at: usize, word: &Word| {
        let is_metadata = matches!(host::target(word.text()), Target::Host(host) if host.reach() == Reach::Metadata);
        script.is_some_and(|end| at >= end) && !word.is_unknown() && !is_metadata
    };
    let mut is_module = false;
    for (at, word) in args.iter().enumerate() {
        let text = word.text();
        if matches!(command.name, "deno" | "bun" | "groovy") && super::is_url(text) && !is_handed(at, word) {
            traffic.url(word);
        }
        // What follows a module is for that module.
        if base == "python"
            && !is_module
            && let Some(start) = module_at(text)
        {
            let name = if start < text.len() { Some(word.after(start)) } else { args.get(at + 1).cloned() };
            let rest = args.get(at + 1 + usize::from(start == text.len())..).unwrap_or_default();
            is_module = module(&name.unwrap_or_default(), rest, command, traffic);
        }
        if base == "php" && text.starts_with("-S") {
            special::serves(args, "php -S", traffic);
        }
    }
    if JAVASCRIPT.contains(&command.name) {
        unseen::loaded(args).iter().for_each(|word| traffic.url(word));
        // A map of modules only names them.
        let read = options(args, &["--import-map"]);
        read.values(&["--import-map"]).filter(|word| super::is_url(word.text())).for_each(|word| traffic.url(word));
    }
    for word in codes {
        if is_web {
            urls(&word.text().to_lowercase()).iter().for_each(|url| traffic.url(&Word::new(url)));
        } else {
            of_code(&word, base, traffic);
        }
    }
    if let Some(input) = command.facts.stdin.as_ref().filter(|_| reads_program(command, flags)) {
        of_code(&Word::from(input), base, traffic);
    }
    !OTHERS.contains(&base)
}

/// Returns the arguments of an interpreter that contain code, and whether an option loads a module for the web.
fn codes(command: &Command, base: &str, flags: &[&str]) -> (Vec<Word>, bool) {
    let args = command.args();
    let is_awk = flags.is_empty();
    let mut codes: Vec<Word> = Vec::new();
    let (mut is_web, mut is_eval) = (false, false);
    for (at, word) in args.iter().enumerate() {
        let text = word.text();
        if is_awk && text.contains("/inet") {
            codes.push(word.clone());
        } else if command.name == "deno" && text == "eval" {
            // Options may come before the code.
            let rest = args.iter().skip(at + 1).filter(|word| !is_eval && !word.text().starts_with('-'));
            codes.extend(rest.cloned());
            is_eval = true;
        } else if flags.contains(&text) {
            codes.extend(args.get(at + 1).cloned());
        } else if let Some(start) = code_at(command.name, text) {
            codes.extend(if start < text.len() { Some(word.after(start)) } else { args.get(at + 1).cloned() });
        } else if let Some(flag) = flags.iter().find(|flag| text.starts_with(**flag) && text.len() > flag.len()) {
            // `-cimport …`, `--eval=…`
            if flag.starts_with('-')
                && (flag.len() == 2 || text.get(flag.len()..).is_some_and(|rest| rest.starts_with('=')))
            {
                codes.push(word.clone());
            }
        }
        if base == "perl"
            && !is_web
            && text.starts_with("-M")
            && ["LWP", "HTTP", "WWW", "Net::"].iter().any(|name| text.contains(name))
        {
            codes.extend(args.iter().filter(|word| word.text().contains("://")).cloned());
            is_web = true;
        }
    }
    (codes, is_web)
}

/// Whether a program is an interpreter whose code is read, or the editor Emacs.
pub(super) fn is_interpreter(name: &str) -> bool {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    base == "emacs" || INTERPRETERS.iter().any(|(names, _)| names.contains(&name) || names.contains(&base))
}

/// Whether one of the [`OTHERS`], or R, runs its standard input. With an alias, Clojure runs a program of the project.
pub(super) fn runs_input(command: &Command) -> bool {
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let row = INTERPRETERS.iter().find(|(names, _)| names.contains(&base));
    let is_alias = matches!(base, "clojure" | "clj") && command.args().iter().any(|word| word.text().contains(':'));
    (OTHERS.contains(&base) || base == "R") && !is_alias && row.is_some_and(|(_, flags)| reads_program(command, flags))
}

/// Whether an interpreter reads its program from the standard input: if no file, code or module is named, or if the
/// file is `-`, after which the arguments of the program follow.
fn reads_program(command: &Command, flags: &[&str]) -> bool {
    let mut words = command.args().iter().map(Word::text);
    while let Some(text) = words.next() {
        let is_code = flags.contains(&text) || code_at(command.name, text).is_some();
        match text {
            "-" => return true,
            _ if is_code || !text.starts_with('-') => return false,
            "-W" | "-X" | "-I" | "-r" | "--require" | "--import" | "-encoding" => {
                words.next();
            }
            _ => {}
        }
    }
    true
}

/// Reads a Python module that reaches other machines. `args` are the words after its name. Returns whether it was one.
fn module(name: &Word, args: &[Word], command: &Command, traffic: &mut Traffic) -> bool {
    let name = name.text();
    match name {
        "http.server" | "SimpleHTTPServer" | "pyftpdlib" | "uploadserver" => {
            special::serves(args, &format!("python -m {name}"), traffic);
        }
        // These modules are programs, too, some of them under another name.
        "twine" | "poetry" | "hatch" | "flit" | "pdm" | "uv" | "pip" | "pipx" | "httpie" | "awscli" | "yt_dlp"
        | "youtube_dl" => {
            let name = match name {
                "awscli" => "aws",
                "yt_dlp" | "youtube_dl" => "yt-dlp",
                name => name,
            };
            let words = std::iter::once(Word::new(name)).chain(args.iter().cloned()).collect();
            arguments::read(&Command { name, words, facts: command.facts }, traffic);
        }
        "webbrowser" | "wget" | "urllib.request" | "telnetlib" | "ftplib" => {
            args.iter().filter(|word| super::is_url(word.text())).for_each(|word| traffic.url(word));
        }
        _ => return false,
    }
    true
}

fn of_code(word: &Word, base: &str, traffic: &mut Traffic) {
    let code = word.text().to_lowercase();
    let code = code.replace("( ", "(");
    // In JavaScript, this only parses a URL. A worker runs what it leads to.
    let is_parsed = JAVASCRIPT.contains(&base) && code.contains("new url(") && !code.contains("worker(");
    let requests = parses::without(&if is_parsed { code.replace("new url(", " ") } else { code.clone() });
    let requests = if JAVASCRIPT.contains(&base) { parses::without_tests(&requests) } else { requests };
    let how = REACHES.iter().chain(unseen::INCLUDES).find(|name| requests.contains(**name));
    let how = how.or_else(|| opens::find(&requests));
    let Some(how) = how.or_else(|| unseen::runs_url(&code).then_some(&"include(")) else {
        return;
    };
    // `sqlite3.connect('app.db')` opens a file.
    if *how == ".connect(" && EMBEDDED.iter().any(|name| code.contains(name)) && !code.contains("://") {
        return;
    }
    let before = traffic.contacts.len();
    // This reads the original text: host names ignore case, but escapes do not.
    let urls = urls(&code);
    for url in &urls {
        traffic.reach(&Word::new(url), host::target(url));
    }
    // `connect(("1.2.3.4", 80))`
    for literal in code.split(['"', '\'', '`']).skip(1).step_by(2) {
        if host::looks_like_host(literal) && !is_number(literal) {
            traffic.host(&Word::new(literal), None);
        }
    }
    for rest in code.split("/inet/").skip(1) {
        if let Some(name) = rest.split('/').nth(2) {
            traffic.host(&Word::new(name.trim_end_matches(['"', '\''])), None);
        }
    }
    if TCL.contains(&base) {
        opens::sockets(&code, traffic);
    }
    let contacts = traffic.contacts.get(before..).unwrap_or_default();
    let is_remote = contacts.is_empty() || contacts.iter().any(|contact| unseen::is_remote(&contact.target));
    traffic.runs |= is_remote && unseen::evaluates(&code, base);
    let rest = HARMLESS.iter().fold(code.clone(), |rest, name| rest.replace(name, " "));
    let is_connected = CONNECTS.iter().any(|name| rest.contains(name));
    if is_connected && SHELLS.iter().any(|name| rest.contains(name)) {
        traffic.shell = Some("the code connects a program to a socket".to_owned());
    }
    if traffic.contacts.len() == before
        && (code.contains("connect(") || !matches!(*how, "uri(" | "socket(" | "requests." | "websocket" | "lookup("))
    {
        traffic.hides(format!("the code says `{}`, and no host", how.trim()));
    }
    if let Some(what) = SENDS.iter().find(|name| code.contains(*name)) {
        traffic.sends(&format!("`{what}` in the code"));
    }
}

/// Whether a text is a number or a version, such as `2024` and `2.31.0`, and not an address that is written as one
/// number, which is longer: `2852039166`.
fn is_number(text: &str) -> bool {
    text.len() < 9 && text.matches('.').count() < 3 && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Whether code may request something, judging by its words alone.
pub(super) fn requests(code: &str) -> bool {
    let code = code.to_lowercase();
    REACHES.iter().chain(unseen::INCLUDES).any(|name| code.contains(name)) || opens::find(&code).is_some()
}

/// Returns the URLs in code.
pub(super) fn urls(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("://") {
        let before = code.get(..at).unwrap_or_default();
        let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '+').len();
        let rest = code.get(start..).unwrap_or_default();
        let end = rest.find(|c: char| c.is_whitespace() || "\"'`<>()\\;,".contains(c)).unwrap_or(rest.len());
        let url = rest.get(..end).unwrap_or_default();
        // `f"https://{host}/"`
        let url = url.replace(['{', '}', '$'], &UNKNOWN.to_string());
        // `[http::geturl http://host]`; an address has both brackets.
        let url = if url.contains('[') { url } else { url.trim_end_matches(']').to_owned() };
        if host::target(&url) != Target::Nowhere {
            found.push(url);
        }
    }
    found
}
