//! How an agent reaches hookbox: by a command, or by a request to `hookbox serve`.

use super::words::{is_only_hookbox, names_hookbox};
use anyhow::{Context, bail};
use hookbox::agent::{Agent, Entries, Member, Settings};
use jsonc_parser::cst::CstInputValue;
use serde_json::{Map, Value};
use std::net::SocketAddr;

/// The variable in the agent's environment with the token of `hookbox serve`.
pub(in crate::cli) const TOKEN: &str = "HOOKBOX_TOKEN";

/// The way in which a hook reaches hookbox.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) enum Call {
    /// A line for a shell.
    Command(String),
    /// A request to this URL.
    Http(String),
}

/// The ways in which the hooks of an agent reach hookbox.
pub(super) struct Calls {
    command: Call,
    http: Option<Call>,
}

impl Calls {
    /// Returns calls by this command, or by requests to `http` for the events for which the agent has HTTP hooks.
    ///
    /// # Errors
    /// Returns an error if requests are wanted and the agent has no HTTP hooks, or would let a tool run when a request
    /// fails.
    pub(super) fn new(command: String, http: Option<SocketAddr>, agent: &dyn Agent) -> anyhow::Result<Self> {
        let has_http = agent.settings().is_some_and(|settings| match settings {
            Settings::Entries(entries) => entries.http.is_some(),
            _ => false,
        });
        if http.is_some() && !has_http {
            let title = agent.title();
            bail!(
                "{title} has no HTTP hooks, or runs a tool when the server of one cannot be reached: \
                use `hookbox install {}` without --http",
                agent.name()
            );
        }
        let http = http.map(|server| Call::Http(url_of(server, agent.name())));
        Ok(Calls { command: Call::Command(command), http })
    }

    /// Returns how the hook for an event reaches hookbox.
    pub(super) fn of(&self, entries: &Entries, event: &str) -> &Call {
        let takes_http = entries.http.is_some_and(|http| !http.never.contains(&event));
        self.http.as_ref().filter(|_| takes_http).unwrap_or(&self.command)
    }
}

impl Call {
    /// Returns how this hook reaches hookbox, if that is all it does.
    pub(super) fn in_hook(hook: &Map<String, Value>, entries: &Entries, agent: &str) -> Option<Self> {
        Call::in_any(hook, entries, agent).filter(|call| match call {
            Call::Command(line) => is_only_hookbox(line, agent),
            Call::Http(_) => true,
        })
    }

    /// Returns how this hook reaches hookbox, whatever else it does; `None` if it does not.
    pub(super) fn in_any(hook: &Map<String, Value>, entries: &Entries, agent: &str) -> Option<Self> {
        let text = |name: &str| hook.get(name).and_then(Value::as_str);
        if let Some(command) = text(entries.command).filter(|command| names_hookbox(command, agent)) {
            return Some(Call::Command(command.to_owned()));
        }
        let is_ours = |url: &&str| url.trim_end_matches('/').ends_with(&path(agent));
        text("url").filter(is_ours).filter(|_| entries.http.is_some()).map(|url| Call::Http(url.to_owned()))
    }

    /// Returns the members of the hook, in the order in which they are written.
    pub(super) fn members(&self, entries: &Entries) -> Vec<(String, CstInputValue)> {
        let (wait, time) = entries.wait;
        let (kind, name, value) = match self {
            Call::Command(line) => ("command", entries.command, line),
            Call::Http(url) => ("http", "url", url),
        };
        let mut members = vec![
            ("type".to_owned(), CstInputValue::from(kind)),
            (name.to_owned(), CstInputValue::from(value.as_str())),
        ];
        if let Call::Http(_) = self {
            let bearer = CstInputValue::from(format!("Bearer ${{{TOKEN}}}").as_str());
            let headers = CstInputValue::Object(vec![("Authorization".to_owned(), bearer)]);
            members.push(("headers".to_owned(), headers));
            let variables = CstInputValue::Array(vec![CstInputValue::from(TOKEN)]);
            members.push(("allowedEnvVars".to_owned(), variables));
        }
        members.push((wait.to_owned(), CstInputValue::from(time)));
        members.extend(entries.more.iter().map(|(name, member)| {
            let value = match member {
                Member::Text(text) => CstInputValue::from(*text),
                _ => CstInputValue::from(true),
            };
            ((*name).to_owned(), value)
        }));
        members
    }

    /// Whether the value of this member differs from one installation to the next.
    pub(super) fn is_own(&self, member: &str, entries: &Entries) -> bool {
        match self {
            Call::Command(_) => member == entries.command,
            Call::Http(_) => member == "url",
        }
    }

    /// Returns what keeps the agent from reaching hookbox in this way for an event.
    pub(super) fn fault(&self, entries: &Entries, event: &str) -> Option<String> {
        let Call::Http(url) = self else { return None };
        if entries.http.is_some_and(|http| http.never.contains(&event)) {
            return Some("the agent calls no HTTP hook for this event".to_owned());
        }
        server(url).err().map(|error| format!("`url` is {url:?}: {error:#}"))
    }
}

/// Returns the address of the server that `--http` names.
///
/// # Errors
/// Returns an error if `hookbox serve` cannot have this address, or if the agent could reach another server by this
/// URL.
pub(super) fn server(url: &str) -> anyhow::Result<SocketAddr> {
    const USE: &str = "use `http://127.0.0.1:PORT` or `http://[::1]:PORT`, where `hookbox serve --listen` listens";
    let rest = url.strip_prefix("http://").context(USE)?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    if !path.is_empty() && !path.starts_with("v1/agents/") {
        bail!("it has a path, which hookbox adds: {USE}");
    }
    if authority.starts_with("localhost:") {
        bail!("`localhost` may be looked up, and requests to it may go to a proxy: {USE}");
    }
    let server: SocketAddr = authority.parse().context(USE)?;
    if !server.ip().is_loopback() || server.port() == 0 {
        bail!("hookbox serves only programs of this machine: {USE}");
    }
    Ok(server)
}

/// Whether `hookbox install --http` writes this URL. No other URL may be asked, because its server would get the token.
pub(super) fn is_written(url: &str, agent: &str) -> bool {
    server(url).is_ok_and(|server| url == url_of(server, agent))
}

/// Says why this URL is not asked.
pub(super) fn not_asked(url: &str, agent: &str) -> String {
    format!(
        "`{url}` was not asked, because it would get the token: it is not a URL that `hookbox install {agent} --http` writes"
    )
}

/// Returns a warning if the requests of agents in this environment go to a proxy.
pub(in crate::cli) fn proxy_warning() -> Option<String> {
    let value = |name: &str| {
        let names = [name.to_owned(), name.to_ascii_lowercase()];
        names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    };
    let is_excepted = value("NO_PROXY").is_some_and(|list| {
        list.split(',').map(str::trim).any(|host| ["*", "127.0.0.1", "::1", "[::1]"].contains(&host))
    });
    value("HTTP_PROXY").filter(|_| !is_excepted).map(|proxy| {
        format!("HTTP_PROXY is {proxy:?}, where the agent's requests to hookbox would go: add `127.0.0.1` to NO_PROXY")
    })
}

/// Returns the URL where a server answers an agent.
fn url_of(server: SocketAddr, agent: &str) -> String {
    format!("http://{server}{}", path(agent))
}

/// Returns the path where `hookbox serve` answers an agent.
fn path(agent: &str) -> String {
    format!("/v1/agents/{agent}")
}
