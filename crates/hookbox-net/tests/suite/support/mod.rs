//! Helpers of the tests. Servers run on their own threads, so that all tasks of the runtime belong to the client.

pub(crate) mod server;
pub(crate) mod tls;

use bytes::Bytes;
use hookbox_net::{
    Addresses, Body, Call, Client, Error, ErrorKind, Options, Resolve, RuleText, Rules, Surroundings, Timeouts,
};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle};

/// A time longer than any test that succeeds.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// A time long enough for a loopback connection that then hangs.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// Runs a test on a current-thread runtime, and checks that no task is left.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let value = runtime.block_on(async {
        let value = test.await;
        tokio::task::yield_now().await;
        assert_eq!(Handle::current().metrics().num_alive_tasks(), 0, "tasks are left");
        value
    });
    runtime.shutdown_background();
    value
}

/// Returns a rule for a URL, with `private = true`.
pub(crate) fn private(url: &str) -> RuleText {
    let mut rule = RuleText::new(url);
    rule.private = true;
    rule
}

pub(crate) fn client(rules: &[RuleText]) -> Client {
    client_with(rules, Options::default())
}

pub(crate) fn client_with(rules: &[RuleText], options: Options) -> Client {
    try_client(rules, options, &|_| None, Path::new("/nonexistent")).unwrap()
}

pub(crate) fn try_client(
    rules: &[RuleText],
    options: Options,
    variables: &dyn Fn(&str) -> Option<std::ffi::OsString>,
    dir: &Path,
) -> Result<Client, hookbox_net::LoadError> {
    Client::new(Rules::parse(rules).unwrap(), Surroundings { variables, dir }, options)
}

/// Returns a client for a URL of a local server, with the methods `GET`, `HEAD`, `POST` and `PUT`.
pub(crate) fn client_for(url: &str) -> Client {
    let mut rule = private(url);
    rule.methods = Some(vec!["GET".into(), "HEAD".into(), "POST".into(), "PUT".into()]);
    client(&[rule])
}

pub(crate) fn call(client: &Client, within: Duration) -> Call {
    client.call(Instant::now() + within)
}

pub(crate) fn get(url: &str) -> Request<Full<Bytes>> {
    Request::get(url).body(Full::default()).unwrap()
}

pub(crate) fn post(url: &str, body: &str) -> Request<Full<Bytes>> {
    Request::post(url).body(Bytes::copy_from_slice(body.as_bytes()).into()).unwrap()
}

/// Sends a request and reads the whole response.
pub(crate) async fn fetch<B>(call: &Call, request: Request<B>) -> Result<Response<Bytes>, Error>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    read(call.send(request, Timeouts::default()).await?).await
}

pub(crate) async fn read(response: Response<Body>) -> Result<Response<Bytes>, Error> {
    let (parts, body) = response.into_parts();
    Ok(Response::from_parts(parts, body.collect().await?.to_bytes()))
}

/// Returns the kind of failure of a `GET` request in a separate call.
pub(crate) fn failure(client: &Client, url: &str) -> ErrorKind {
    let result = run(fetch(&call(client, LONG), get(url)));
    result.expect_err("the request must fail").kind()
}

/// A resolver with fixed answers. Each lookup gives the next answer, and the last answer is repeated.
#[derive(Clone)]
pub(crate) struct Names {
    answers: Arc<Vec<Vec<IpAddr>>>,
    pub(crate) lookups: Arc<AtomicUsize>,
}

impl Names {
    pub(crate) fn new(answers: &[&[&str]]) -> Self {
        let answers = answers.iter().map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect()).collect();
        Names { answers: Arc::new(answers), lookups: Arc::default() }
    }
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> Addresses<'a> {
        Box::pin(async move {
            let nth = self.lookups.fetch_add(1, Ordering::SeqCst);
            let answer = self.answers.get(nth).or(self.answers.last());
            answer.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
        })
    }
}
