use super::{Rule, RuleError, RuleProblem, RuleText};
use crate::address::{self, AddressClass};
use crate::headers;
use crate::host::{Host, HostPattern};
use crate::path;
use crate::refusal::{Quoted, Refusal};
use crate::secret::SecretSource;
use crate::target::{Scheme, split_authority};
use http::{HeaderName, Method};

/// The maximum length of a method, in bytes. The methods in IANA's registry have at most 17.
const MAX_METHOD: usize = 32;

impl Rule {
    /// Reads a rule. This neither resolves names nor reads files.
    ///
    /// # Errors
    /// Returns an error if a part of the rule is not valid.
    pub fn parse(text: &RuleText) -> Result<Self, RuleError> {
        parse(text).map_err(|problem| RuleError { url: Quoted::new(&without_user(&text.url)), problem })
    }
}

fn parse(text: &RuleText) -> Result<Rule, RuleProblem> {
    let RuleText { url, methods, bearer, headers, private, ca, proxy } = text;
    let (scheme, host, port, path) = parse_url(url)?;
    if let HostPattern::Exact(Host::Ip(ip)) = &host {
        match address::classify(*ip) {
            AddressClass::Private if !private => {
                return Err(RuleProblem::Address("the address is private: it needs `private = true`"));
            }
            AddressClass::Never => {
                return Err(RuleProblem::Address("the address is link-local, reserved or of a metadata service"));
            }
            AddressClass::Public | AddressClass::Private => {}
        }
    }
    let methods = match methods {
        None => vec![Method::GET],
        Some(methods) if methods.is_empty() => return Err(RuleProblem::NoMethod),
        Some(methods) => methods.iter().map(|method| parse_method(method)).collect::<Result<_, _>>()?,
    };
    let source = |key: &str, text: &str| {
        SecretSource::parse(text).map_err(|error| RuleProblem::Source { key: Quoted::new(key), error })
    };
    let bearer = bearer.as_deref().map(|text| source("bearer", text)).transpose()?;
    let mut added: Vec<(HeaderName, SecretSource)> = Vec::with_capacity(headers.len());
    for (name, text) in headers {
        let bad = || RuleProblem::Header(Quoted::new(name));
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let twice = added.iter().any(|(other, _)| *other == header)
            || (bearer.is_some() && header == http::header::AUTHORIZATION);
        if twice || headers::belongs_to_connection(&header) {
            return Err(bad());
        }
        added.push((header, source(name, text)?));
    }
    if scheme == Scheme::Http {
        let is_public =
            matches!(&host, HostPattern::Exact(Host::Ip(ip)) if address::classify(*ip) == AddressClass::Public);
        if (!private || is_public) && (bearer.is_some() || !added.is_empty()) {
            return Err(RuleProblem::PlainSecret);
        }
        if ca.is_some() {
            return Err(RuleProblem::NeedsHttps("ca"));
        }
        if *proxy {
            return Err(RuleProblem::NeedsHttps("proxy"));
        }
    }
    let (ca, private, proxy) = (ca.clone(), *private, *proxy);
    Ok(Rule { scheme, host, port, path, methods, bearer, headers: added, private, ca, proxy })
}

fn parse_url(url: &str) -> Result<(Scheme, HostPattern, u16, String), RuleProblem> {
    // The `url` crate, which parses some of the hosts, drops tabs and reads a backslash as a slash.
    if url.chars().any(|char| char.is_whitespace() || char.is_control() || char == '\\') {
        return Err(RuleProblem::Character);
    }
    let (scheme, rest) = match url.split_once("://") {
        Some(("https", rest)) => (Scheme::Https, rest),
        Some(("http", rest)) => (Scheme::Http, rest),
        _ => return Err(RuleProblem::Scheme),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    if path.contains(['?', '#']) {
        return Err(RuleProblem::Query);
    }
    let (host, port) = split_authority(authority).map_err(|refusal| match refusal {
        Refusal::UserInfo(_) => RuleProblem::UserInfo,
        _ => RuleProblem::Port,
    })?;
    let host = match host.strip_prefix("*.") {
        Some(parent) => match parse_host(parent)? {
            Host::Name(name) if name.contains('.') => HostPattern::Below(name),
            _ => return Err(RuleProblem::Wildcard),
        },
        None => HostPattern::Exact(parse_host(host)?),
    };
    let path = if path.is_empty() { "/" } else { path };
    path::check_path(path).map_err(RuleProblem::Path)?;
    Ok((scheme, host, port.unwrap_or(scheme.default_port()), path.to_owned()))
}

/// Reads a host, which may be in punycode or in letters of any script.
fn parse_host(text: &str) -> Result<Host, RuleProblem> {
    if text.contains('*') {
        return Err(RuleProblem::Wildcard);
    }
    let host = |text: &str| {
        Host::parse(text).map_err(|refusal| match refusal {
            Refusal::Host { why, .. } => RuleProblem::Host(why.to_owned()),
            other => RuleProblem::Host(other.to_string()),
        })
    };
    if text.is_ascii() && !text.to_ascii_lowercase().contains("xn--") {
        return host(text);
    }
    match url::Host::parse(text) {
        Ok(url::Host::Domain(name)) => host(&name),
        Ok(_) => Err(RuleProblem::Host("write the address in plain digits".to_owned())),
        Err(error) => Err(RuleProblem::Host(error.to_string())),
    }
}

fn parse_method(text: &str) -> Result<Method, RuleProblem> {
    let bad = || RuleProblem::Method(Quoted::new(text));
    let plain = text.len() <= MAX_METHOD && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
    let method = Method::from_bytes(text.as_bytes()).ok().filter(|_| plain).ok_or_else(bad)?;
    if method == Method::CONNECT || method == Method::TRACE { Err(bad()) } else { Ok(method) }
}

/// Returns the URL without a user name and a password, for messages.
fn without_user(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => format!("{scheme}://{}", rest.rsplit('@').next().unwrap_or_default()),
        None => url.rsplit('@').next().unwrap_or_default().to_owned(),
    }
}
