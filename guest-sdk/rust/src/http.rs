//! HTTP requests to the URLs that the operator granted with `net`.
//!
//! ```
//! use hookbox_sdk::{Action, Error, Input, http, json};
//!
//! fn judge(input: &Input) -> Result<Action, Error> {
//!     let question = json!({ "tool": input.tool_name }).to_string();
//!     let answer = http::post("https://approvals.example.com/v1/ask", question)
//!         .header("content-type", "application/json")
//!         .send()?;
//!     match answer.status {
//!         200 => Ok(Action::allow()),
//!         403 => Ok(Action::deny(answer.text()?)),
//!         other => Err(Error::new(format!("the approval service answered {other}"))),
//!     }
//! }
//!
//! // In a test, a function takes the place of the network.
//! http::answer_with(|request| {
//!     assert_eq!(request.method, "POST");
//!     Ok(http::Response::new(403, "not on a Friday"))
//! });
//! let action = judge(&Input::pre_tool("deploy", json!({})))?;
//! assert_eq!(action.reason.as_deref(), Some("not on a Friday"));
//! # Ok::<(), Error>(())
//! ```
//!
//! The engine sends the request, and adds the secrets that the operator chose; the hook does not see them. Redirects
//! are not followed, and bodies are not decompressed. A call sends at most 8 requests, with bodies of at most 1 MiB
//! each way, within its time limit.

use std::fmt;

/// The reason why there is no response: the request is not granted, or failed on the way. The text comes from the
/// engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(crate) String);

impl Error {
    /// Creates an error with this text. For tests: see [`answer_with`].
    pub fn new(message: impl Into<String>) -> Self {
        Error(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// A request that has not been sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "a request does nothing until `send` is called"]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The whole URL.
    pub url: String,
    /// Names and values, without those that the engine adds.
    pub headers: Vec<(String, String)>,
    /// The body, if the request has one.
    pub body: Option<Vec<u8>>,
}

/// Creates a `GET` request.
pub fn get(url: impl Into<String>) -> Request {
    Request::new("GET", url)
}

/// Creates a `POST` request.
pub fn post(url: impl Into<String>, body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", url).body(body)
}

impl Request {
    /// Creates a request without headers and without a body.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Request { method: method.into(), url: url.into(), headers: Vec::new(), body: None }
    }

    /// Adds a header.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends the request and waits for the whole response, whatever its status.
    ///
    /// # Errors
    /// Returns an error if the request is not granted, or failed on the way.
    pub fn send(&self) -> Result<Response, Error> {
        crate::powers::fetch(self)
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The status code, such as 200.
    pub status: u16,
    /// Names in lower case, and values, in the order in which the server sent them.
    pub headers: Vec<(String, String)>,
    /// The body, as the server sent it.
    pub body: Vec<u8>,
}

impl Response {
    /// Creates a response without headers. For tests: see [`answer_with`].
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Response { status, headers: Vec::new(), body: body.into() }
    }

    /// Returns the value of the first header with this name, ignoring case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    ///
    /// # Errors
    /// Returns an error if the body is not UTF-8.
    pub fn text(&self) -> Result<&str, Error> {
        std::str::from_utf8(&self.body).map_err(|_| Error::new("the body of the response is not text"))
    }
}

/// Answers the requests of the current thread from now on. For tests.
#[cfg(not(target_family = "wasm"))]
pub fn answer_with(answer: impl FnMut(&Request) -> Result<Response, Error> + 'static) {
    crate::powers::answer_with(Box::new(answer));
}
