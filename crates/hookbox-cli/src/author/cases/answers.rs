//! Records the network's answers in a case.

use super::{Actual, Case};
use hookbox::Json;
use hookbox::internal::ObjectWriter;
use hookbox::runtime::component::NetAnswer;

/// Returns the members of `http` that differ from the network's answers, with those answers; `None` if there are none.
///
/// # Errors
/// Returns an error if a case cannot express the answers.
pub(super) fn edits(case: &Case, given: &Actual) -> Result<Option<Json>, String> {
    let mut came: Vec<&NetAnswer> = Vec::new();
    for answer in &given.requests {
        match came.iter().find(|other| is_same_request(other, answer)) {
            None => came.push(answer),
            Some(other) if same(other, answer) => {}
            Some(_) => {
                let NetAnswer { method, url, .. } = answer;
                return Err(format!("`{method} {url}` was answered in two ways, and a case has one answer for it"));
            }
        }
    }
    let mut out = ObjectWriter::with_capacity(256);
    let mut is_empty = true;
    for answer in came {
        let known = case.powers.http.iter().find(|known| is_same_request(known, answer));
        if known.is_none_or(|known| !same(known, answer)) {
            // The request keeps the case's own spelling, so that the old answer is replaced.
            let NetAnswer { method, url, .. } = known.unwrap_or(answer);
            out.raw(&format!("{method} {url}"), &spell(answer)?);
            is_empty = false;
        }
    }
    let json = (!is_empty).then(|| Json::parse(&out.finish()).map_err(|error| error.message));
    json.transpose()
}

fn is_same_request(one: &NetAnswer, other: &NetAnswer) -> bool {
    one.method == other.method && plain(&one.url) == plain(&other.url)
}

/// Returns a URL with its host in lower case, and with the path `/` if it has none.
fn plain(url: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(start..).and_then(|rest| rest.find(['/', '?'])).map_or(url.len(), |at| start + at);
    let (host, path) = url.split_at_checked(end).unwrap_or((url, ""));
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{}{slash}{path}", host.to_lowercase())
}

fn same(one: &NetAnswer, other: &NetAnswer) -> bool {
    (one.status, headers(one), &one.body) == (other.status, headers(other), &other.body)
}

/// Returns the headers in sorted order. Headers of the same name are joined.
fn headers(answer: &NetAnswer) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for (name, value) in &answer.headers {
        match headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, values)) => values.extend([", ", value]),
            None => headers.push((name.to_lowercase(), value.clone())),
        }
    }
    headers.sort();
    headers
}

/// Returns an answer in the form that a case has.
fn spell(answer: &NetAnswer) -> Result<String, String> {
    let NetAnswer { method, url, status, body, .. } = answer;
    let text = std::str::from_utf8(body)
        .map_err(|_| format!("the answer to `{method} {url}` is not UTF-8 text, which a case cannot say"))?;
    let mut out = ObjectWriter::with_capacity(text.len() + 128);
    if *status != 200 {
        out.raw("status", &status.to_string());
    }
    let headers = headers(answer);
    if !headers.is_empty() {
        let mut table = ObjectWriter::with_capacity(128);
        for (name, value) in &headers {
            table.text(name, value);
        }
        out.raw("headers", &table.finish());
    }
    // An object is easier to read as a table, if nothing is lost.
    let object = Json::parse(text).ok().filter(|json| text.starts_with('{') && json.as_str() == text);
    match object {
        Some(object) => out.raw("body", object.as_str()),
        None if text.is_empty() => &mut out,
        None => out.text("body", text),
    };
    Ok(out.finish())
}
