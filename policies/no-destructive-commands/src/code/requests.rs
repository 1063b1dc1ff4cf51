//! Requests by which code deletes what another machine keeps: `requests.delete("https://…")`, `fetch(url, {method:
//! "DELETE"})`.

use super::Code;
use super::lexer::Token;
use crate::services::{address, is_local};
use hookbox_policy::{Command, Word};
use std::cell::OnceCell;

/// Libraries that send requests, and names that only code which sends requests has.
#[rustfmt::skip] // Many words to a line.
const CLIENTS: [&str; 31] = [
    "requests", "httpx", "urllib", "urllib3", "aiohttp", "http", "https", "fetch", "axios", "got", "ky", "superagent", "needle", "undici",
    "XMLHttpRequest", "node-fetch", "ofetch", "HTTParty", "RestClient", "Faraday", "Excon", "Typhoeus", "Net", "HTTP", "LWP", "GuzzleHttp",
    "Guzzle", "Http", "CURLOPT_CUSTOMREQUEST", "HTTPoison", "Req",
];

/// Calls whose first argument may be the method of a request.
const REQUESTS: [&str; 8] =
    ["request", "Request", "open", "new", "create_request", "createRequest", "send_request", "run_request"];

/// Hosts that stand for this machine, as code names them without the rest of an address.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

impl Code {
    /// Returns the address on another machine at which a request deletes something.
    pub(super) fn deleted_address(&self, command: &Command<'_>) -> Option<String> {
        if !self.has_name(&CLIENTS) && !self.has_text(&CLIENTS) {
            return None;
        }
        // Code may have many requests, and its addresses are the same for each.
        let addresses = OnceCell::new();
        let remote = |is_request: bool| {
            let (url, may_make_one) = addresses.get_or_init(|| self.remote(command));
            let made = (is_request && *may_make_one).then(|| "an address that is not known yet".to_owned());
            url.clone().or(made)
        };
        (0..self.tokens.len()).find_map(|at| {
            if self.names_method(at) {
                return remote(true);
            }
            if !self.is_deletion(at) {
                return None;
            }
            let named = self.arguments(at).iter().find_map(|token| match token {
                Token::Text(Some(text)) => Some(text.as_str()),
                _ => None,
            });
            let is_clients = CLIENTS.contains(&self.owner(at));
            match named {
                Some(url) if is_url(url) => (!is_local(address(url).0)).then(|| shown(url)),
                Some(path) if path.starts_with('/') => remote(is_clients),
                _ if is_clients => remote(true),
                _ => None,
            }
        })
    }

    /// Whether a token is a call of `delete`, or is Ruby's `Net::HTTP::Delete`.
    fn is_deletion(&self, at: usize) -> bool {
        match self.name(at) {
            Some("delete" | "delete_async" | "del") => self.is_called(at),
            Some("Delete") => self.owner(at) == "HTTP",
            _ => false,
        }
    }

    /// Whether a token is the method of a request: `method="DELETE"`, `request("DELETE", …)`.
    fn names_method(&self, at: usize) -> bool {
        let is_method = match self.tokens.get(at) {
            Some(Token::Text(Some(text))) => text.eq_ignore_ascii_case("delete"),
            // This is `HTTP::Request->new(DELETE => $url)`.
            Some(Token::Name(name)) => name == "DELETE",
            _ => false,
        };
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.tokens.get(at));
        let is_one = |token: Option<&Token>, names: &[&str]| match token {
            Some(Token::Name(name) | Token::Text(Some(name))) => names.contains(&name.as_str()),
            _ => false,
        };
        is_method
            && match before(1) {
                Some(Token::Sign(':' | '=')) => is_one(before(2), &["method"]),
                // This is `'method' => 'DELETE'`.
                Some(Token::Sign('>')) => is_one(before(3), &["method"]),
                Some(Token::Sign('(')) => is_one(before(2), &REQUESTS),
                Some(Token::Sign(',')) => is_one(before(2), &["CURLOPT_CUSTOMREQUEST"]),
                _ => false,
            }
    }

    /// Returns an address of another machine in the code, and whether the code may still make one because it has none.
    fn remote(&self, command: &Command<'_>) -> (Option<String>, bool) {
        let stdin = command.facts.stdin.as_ref().map(Word::from);
        let texts: Vec<&str> = command.args().iter().chain(&stdin).map(Word::text).collect();
        let urls = || texts.iter().flat_map(|text| addresses(text));
        let remote = urls().find(|url| !is_local(address(url).0)).map(shown);
        (remote, urls().next().is_none() && !self.has_text(&LOCAL))
    }
}

/// Returns the addresses in code, also those of which a part is not known: `https://{host}/x`.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("http").filter_map(|(at, _)| text.get(at..)).filter(|rest| is_url(rest));
    starts.map(|rest| {
        let end = rest.find(|c: char| c.is_whitespace() || "\"'`)<>,;".contains(c));
        end.and_then(|end| rest.get(..end)).unwrap_or(rest)
    })
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Returns an address, shortened, for use in reasons.
fn shown(url: &str) -> String {
    url.chars().take(80).collect()
}
