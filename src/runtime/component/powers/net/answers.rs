//! Answers in place of the network, for tests of hooks.

use super::{NetAnswer, NetRule};
use crate::protocol::{Code, Failure};
use bytes::Bytes;
use hookbox_net::{Rules, Target};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, Uri};

/// The answers that a test gives to a component's requests.
#[derive(Debug)]
pub(in super::super::super) struct Answers {
    rules: Rules,
    answers: Vec<(Method, Target, Response<Bytes>)>,
}

impl Answers {
    /// Creates the answers for a component with these rules.
    ///
    /// # Errors
    /// Returns a failure if a rule or an answer is not valid.
    pub(super) fn new(rules: &[NetRule], answers: &[NetAnswer]) -> Result<Self, Failure> {
        let cannot = |why: String| Failure::new(Code::Grant, format!("cannot be given the network: {why}"));
        let rules = super::open::parse(rules).map_err(|error| cannot(error.to_string()))?;
        let answers = answers.iter().map(|answer| {
            let NetAnswer { method, url, .. } = answer;
            read(answer).map_err(|why| cannot(format!("the answer to `{method} {url}`: {why}")))
        });
        Ok(Answers { rules, answers: answers.collect::<Result<_, _>>()? })
    }

    /// Returns the answer to a request.
    ///
    /// # Errors
    /// Returns an error if the request is not granted, or if there is no answer for it.
    pub(super) fn answer(&self, method: &Method, uri: &Uri) -> Result<Response<Bytes>, String> {
        let target = target(uri)?;
        self.rules.find(&target, method).map_err(|refusal| refusal.to_string())?;
        let answer = self.answers.iter().find(|(for_method, url, _)| for_method == method && *url == target);
        let (.., response) = answer.ok_or_else(|| format!("no answer is given for `{method} {target}`"))?;
        Ok(response.clone())
    }
}

fn read(answer: &NetAnswer) -> Result<(Method, Target, Response<Bytes>), String> {
    let NetAnswer { method, url, status, headers, body } = answer;
    let method = method.parse::<Method>().map_err(|error| error.to_string())?;
    let target = target(&url.parse::<Uri>().map_err(|error| error.to_string())?)?;
    let mut response = Response::new(Bytes::from(body.clone()));
    *response.status_mut() = StatusCode::from_u16(*status).map_err(|error| error.to_string())?;
    for (name, value) in headers {
        let name = HeaderName::try_from(name).map_err(|error| error.to_string())?;
        let value = HeaderValue::try_from(value).map_err(|error| error.to_string())?;
        response.headers_mut().append(name, value);
    }
    Ok((method, target, response))
}

fn target(uri: &Uri) -> Result<Target, String> {
    let authority = uri.authority().map_or("", http::uri::Authority::as_str);
    let path = uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    Target::parse(uri.scheme_str().unwrap_or_default(), authority, path).map_err(|refusal| refusal.to_string())
}
