//! `http_post` and `unload`: builtins that send requests and ignore the results.

use crate::protocol::{Field, Input};
use bytes::Bytes;
use hookbox_net::{Client, Options, RuleText, Rules, Surroundings, Timeouts};
use http::{Request, Uri, header};
use http_body_util::Full;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time limit of one request of `http_post`.
const POST_LIMIT: Duration = Duration::from_secs(30);
/// The time limit of one request of `unload`.
const UNLOAD_LIMIT: Duration = Duration::from_secs(10);
/// The provider whose models can be unloaded.
const PROVIDER: &str = "dmr";

/// Posts the second argument to the URL in the first. A request that fails is only logged.
///
/// # Errors
/// Returns an error if the URL is not an absolute HTTP or HTTPS URL.
pub(super) async fn post(args: &[String], private: bool) -> Result<(), String> {
    let Some(url) = args.first().filter(|url| !url.is_empty()) else {
        return Ok(());
    };
    let uri = absolute(url).ok_or_else(|| format!("http_post: {url:?} is not an absolute http(s) URL"))?;
    let body = args.get(1).cloned().unwrap_or_default();
    send("http_post", uri, body, private, POST_LIMIT).await;
    Ok(())
}

/// Tells the local model runner that the agent that hands off no longer needs its models.
pub(super) async fn unload(input: &Input) {
    let text = |field| input.text(field).unwrap_or_default();
    let from = text(Field::FromAgent);
    if from.is_empty() || from == text(Field::ToAgent) {
        return;
    }
    let models: Vec<Value> = input.field(Field::FromAgentModels).and_then(|list| list.to().ok()).unwrap_or_default();
    for model in models {
        let text = |key| model.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("provider") != PROVIDER {
            continue;
        }
        match unload_url(text("base_url"), text("unload_api")) {
            // The runner is on this machine.
            Ok(Some(uri)) => send("unload", uri, json!({"model": text("model")}).to_string(), true, UNLOAD_LIMIT).await,
            Ok(None) => {}
            Err(error) => tracing::warn!(error, "unload: a model has no URL to be unloaded at"),
        }
    }
}

/// Returns the URL at which a model is unloaded: `own`, or one beside the API at `base`. `None` if both are empty.
fn unload_url(base: &str, own: &str) -> Result<Option<Uri>, String> {
    if base.is_empty() && own.is_empty() {
        return Ok(None);
    }
    if let Some(uri) = absolute(own) {
        return Ok(Some(uri));
    }
    let not_absolute = || format!("{base:?} is not absolute");
    let base_uri = absolute(base).ok_or_else(not_absolute)?;
    let path = match own {
        "" => {
            let path = base_uri.path().trim_end_matches('/');
            format!("{}/_unload", path.strip_suffix("/v1").unwrap_or(path))
        }
        own => format!("/{}", own.trim_start_matches('/')),
    };
    let (scheme, authority) = (base_uri.scheme_str(), base_uri.authority());
    let (scheme, authority) = scheme.zip(authority).ok_or_else(not_absolute)?;
    format!("{scheme}://{authority}{path}").parse().map(Some).map_err(|error| format!("{path:?}: {error}"))
}

/// Parses a URL. `None` if it is not an absolute HTTP or HTTPS URL with a host.
fn absolute(url: &str) -> Option<Uri> {
    let uri: Uri = url.parse().ok()?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_http && uri.host().is_some_and(|host| !host.is_empty())).then_some(uri)
}

/// Sends the request. An error is logged without the parts of the URL that may be secret.
async fn send(builtin: &str, uri: Uri, body: String, private: bool, limit: Duration) {
    let host = uri.host().unwrap_or_default().to_owned();
    match exchange(uri, body, private, limit).await {
        Ok(status) if status < 400 => {}
        Ok(status) => tracing::warn!(builtin, host, status, "the server refused a request"),
        Err(error) => tracing::warn!(builtin, host, error, "a request was not answered"),
    }
}

async fn exchange(uri: Uri, body: String, private: bool, limit: Duration) -> Result<u16, String> {
    let scheme = uri.scheme_str().unwrap_or_default();
    let port = uri.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut rule = RuleText::new(format!("{scheme}://{}{port}/", uri.host().unwrap_or_default()));
    rule.methods = Some(vec!["POST".to_owned()]);
    rule.private = private;
    let rules = Rules::parse(&[rule]).map_err(|error| error.to_string())?;
    let from = Surroundings { variables: &|_| None, dir: Path::new("/") };
    let client = Client::new(rules, from, Options::default()).map_err(|error| error.to_string())?;
    let request = Request::post(uri)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(body)))
        .map_err(|error| error.to_string())?;
    let call = client.call(Instant::now() + limit);
    let response = call.send(request, Timeouts::default()).await.map_err(|error| error.to_string())?;
    Ok(response.status().as_u16())
}
