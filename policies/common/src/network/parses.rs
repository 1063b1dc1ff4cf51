//! Calls that only take a URL apart or look a name up: `parse_url("http://host/x")`, `URI("http://host/x").host`.

use super::arguments;

/// Functions that only parse, in lower case, with the modules in which they are.
const FUNCTIONS: &[&str] = &["httr::parse_url(", "parse_url(", "parseurl("];
/// Modules in which such functions are, whose names look like requests.
const MODULES: &[&str] = &["urllib3.util"];
/// Constructors of a URL that also can request it, in lower case.
const CONSTRUCTORS: &[&str] = &["uri(", "url("];
/// Functions that only look a name up, in lower case.
const LOOKUPS: &[&str] = &["gethostbyname(", "gethostbyname_ex(", "getaddrinfo(", "inet_aton(", "lookup("];
/// Properties and methods that return a part of a URL, in lower case.
#[rustfmt::skip] // Many words to a line.
const PARTS: &[&str] = &[
    "host", "hostname", "port", "path", "pathname", "scheme", "protocol", "query", "search", "fragment", "hash", "user", "userinfo", "authority",
    "origin", "href", "segments", "localpath", "absolutepath", "absoluteuri", "raw_path", "path_segments", "parts",
    "gethost", "getport", "getpath", "getrawpath", "getscheme", "getprotocol", "getquery", "getrawquery", "getfragment", "getref", "getfile",
    "getauthority", "getuserinfo", "getdefaultport",
];

/// Calls that may request a URL that is put together from the parts of another, in lower case.
#[rustfmt::skip] // Many words to a line.
const USES: &[&str] = &[
    ".tourl", ".openstream", ".openconnection", ".text", ".read", ".open", ".newreader", ".newinputstream", ".eachline", ".bytes", ".download",
    "readfile(", "fopen(", "file(", "copy(", "include", "get_headers(", "getimagesize(", "load(",
];

/// Returns code, in lower case, without the names of calls that only parse a URL or look a name up.
pub(super) fn without(code: &str) -> String {
    if USES.iter().any(|name| code.contains(*name)) {
        return code.to_owned();
    }
    let parsed = MODULES.iter().chain(FUNCTIONS).fold(code.to_owned(), |code, name| code.replace(name, " "));
    let parsed = LOOKUPS.iter().fold(parsed, |code, call| left_out(&code, call, is_only_looked_up));
    CONSTRUCTORS.iter().fold(parsed, |code, call| left_out(&code, call, is_only_parsed))
}

/// Returns code without the names of those calls for which the test of what follows says that they are harmless.
fn left_out(code: &str, call: &str, is_harmless: impl Fn(&str) -> bool) -> String {
    let mut parts = code.split(call);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_own_name = !kept.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        kept.push_str(if is_own_name && is_harmless(part) { " " } else { call });
        kept.push_str(part);
    }
    kept
}

/// Whether a name in quotes follows that carries no data, and then the end of the argument: `"example.com")`.
fn is_only_looked_up(rest: &str) -> bool {
    let text = rest.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let literal = quote.and_then(|quote| text.strip_prefix(quote)?.split_once(quote));
    literal.is_some_and(|(name, after)| {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
        is_plain && !name.split('.').any(arguments::is_data) && after.trim_start().starts_with([')', ','])
    })
}

/// What loads the module `net` of Node.js, in lower case.
const NET: &str = "require('net')";
/// The functions of this module that only test whether a text is an address, in lower case.
const TESTS: [&str; 3] = ["isip", "isipv4", "isipv6"];
/// The most places that load the module. For each, the whole code is read.
const MAX_LOADS: usize = 8;
/// What may use a module without its name, in lower case.
const HIDERS: [&str; 6] = ["eval", "function(", "global", "this", "constructor", "\\"];

/// Returns code of JavaScript, in lower case, without what loads `net` only to test addresses:
/// `require('net').isip(x)`, `const net = require('net'); net.isip(x)`.
pub(super) fn without_tests(code: &str) -> String {
    if HIDERS.iter().any(|name| code.contains(*name)) || code.matches(NET).nth(MAX_LOADS).is_some() {
        return code.to_owned();
    }
    let mut parts = code.split(NET);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = part.trim_start().is_empty() || part.trim_start().starts_with([';', ',']);
        let is_tested = is_test(part) || ends && (takes_tests(&kept) || is_only_tested(&kept, code));
        kept.push_str(if is_tested { " " } else { NET });
        kept.push_str(part);
    }
    kept
}

/// Whether one of the tests follows, and nothing is taken from it in turn: `.isip(x)`.
fn is_test(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('.') else { return false };
    let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end).unwrap_or_default();
    TESTS.contains(&name) && (after.is_empty() || after.starts_with(['(', ')', ',', ';']))
}

/// Whether code ends with `{ isip, isipv4 } =`.
fn takes_tests(before: &str) -> bool {
    let names = before.trim_end().strip_suffix('=').and_then(|rest| rest.trim_end().strip_suffix('}'));
    let names = names.and_then(|rest| rest.rsplit_once('{')).map(|(_, names)| names);
    names.is_some_and(|names| names.split(',').all(|name| TESTS.contains(&name.trim())))
}

/// Whether code ends with `const name =`, and this name is used for nothing else than the tests.
fn is_only_tested(before: &str, code: &str) -> bool {
    let Some(before) = before.trim_end().strip_suffix('=').map(str::trim_end) else { return false };
    let name = before.get(before.trim_end_matches(is_of_name).len()..).unwrap_or_default();
    let declares = before
        .strip_suffix(name)
        .is_some_and(|rest| ["const ", "let ", "var "].iter().any(|word| rest.ends_with(*word)));
    let rest = code.replace(NET, " ");
    let uses = rest.match_indices(name).filter_map(|(at, _)| {
        let (before, after) = (rest.get(..at)?, rest.get(at + name.len()..)?);
        (!before.ends_with(is_of_name) && !after.starts_with(is_of_name)).then_some(after)
    });
    let others = uses.filter(|after| !is_test(after)).count();
    // The declaration is the only other use.
    !name.is_empty() && declares && others == 1
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether a text in quotes follows, then the end of the call, and then the name of a part: `"http://host/x").host`.
fn is_only_parsed(rest: &str) -> bool {
    let after = || {
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (_, rest) = rest.strip_prefix(quote)?.split_once(quote)?;
        let rest = rest.trim_start().strip_prefix(')')?.trim_start();
        ["?.", ".", "->", "::"].iter().find_map(|sign| rest.strip_prefix(sign))
    };
    let name = after().and_then(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
    name.is_some_and(|name| PARTS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::{without, without_tests};

    #[test]
    fn only_calls_that_parse_are_left_out() {
        for (code, kept) in [
            ("parse_url('http://x/', php_url_host)", " 'http://x/', php_url_host)"),
            ("puts uri(\"http://x/\").host", "puts  \"http://x/\").host"),
            ("new java.net.uri('http://x/').gethost()", "new java.net. 'http://x/').gethost()"),
            ("uri('http://x/').read", "uri('http://x/').read"),
            ("uri(uri('http://x/').host)", "uri( 'http://x/').host)"),
            ("net::http.get(uri('http://x/'))", "net::http.get(uri('http://x/'))"),
            ("url('http://x/').hosts", "url('http://x/').hosts"),
            ("url(base).host", "url(base).host"),
            ("readfile(parse_url('http://x/')['host'])", "readfile(parse_url('http://x/')['host'])"),
            ("from_url('http://x/').path", "from_url('http://x/').path"),
            ("socket.gethostbyname('x.test')", "socket. 'x.test')"),
            ("socket.gethostbyname(data + '.x.test')", "socket.gethostbyname(data + '.x.test')"),
            ("socket.gethostbyname('%s.x.test' % data)", "socket.gethostbyname('%s.x.test' % data)"),
            ("gethostbyname(\"$data.x.test\")", "gethostbyname(\"$data.x.test\")"),
            ("dns.lookup('a'.concat(data))", "dns.lookup('a'.concat(data))"),
        ] {
            assert_eq!(without(code), kept, "{code}");
        }
    }

    #[test]
    fn only_tests_of_addresses_are_left_out() {
        for (code, is_tested) in [
            ("console.log(require('net').isip('::1'))", true),
            ("const net = require('net'); net.isipv4(x)", true),
            ("const net=require('net'),x=1; x.map(net.isip)", true),
            ("const { isip, isipv6 } = require('net'); isip(x)", true),
            ("require('net').connect(80, 'x')", false),
            ("const net = require('net'); net.isip(x); net.connect(80, x)", false),
            ("const net = require('net'); net.isip(x); net['connect'](80, x)", false),
            ("const net = require('net'); const n = net; n.connect(80, x)", false),
            ("const { isip, connect } = require('net'); connect(80, x)", false),
            ("a = net = require('net'); net.isip(x); a.connect(80, x)", false),
            ("require('net').isip.x(80)", false),
            ("const net = require('net'); net.isip(x); eval('n' + 'et').connect(80, x)", false),
            ("const net = require('net'); net.isip(x); require('net').connect(80, x)", false),
        ] {
            assert_eq!(!without_tests(code).contains(super::NET), is_tested, "{code}");
        }
    }
}
