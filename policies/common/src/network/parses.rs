//! Calls that only take a URL apart: `parse_url("http://host/x")`, `URI("http://host/x").host`.

/// Functions that only parse, in lower case, with the modules in which they are.
const FUNCTIONS: &[&str] = &["httr::parse_url(", "parse_url(", "parseurl("];
/// Modules in which such functions are, whose names look like requests.
const MODULES: &[&str] = &["urllib3.util"];
/// Constructors of a URL that also can request it, in lower case.
const CONSTRUCTORS: &[&str] = &["uri(", "url("];
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

/// Returns code, in lower case, without the names of calls that only parse a URL.
pub(super) fn without(code: &str) -> String {
    if USES.iter().any(|name| code.contains(*name)) {
        return code.to_owned();
    }
    let parsed = MODULES.iter().chain(FUNCTIONS).fold(code.to_owned(), |code, name| code.replace(name, " "));
    CONSTRUCTORS.iter().fold(parsed, |code, call| {
        let mut parts = code.split(*call);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_own_name = !kept.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            kept.push_str(if is_own_name && is_only_parsed(part) { " " } else { call });
            kept.push_str(part);
        }
        kept
    })
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
    use super::without;

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
        ] {
            assert_eq!(without(code), kept, "{code}");
        }
    }
}
