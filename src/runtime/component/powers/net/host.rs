//! `wasi:http`: requests through the standard interface.

use super::super::super::state::State;
use super::NetRecord;
use super::answers::Answers;
use super::error::report;
use bytes::Bytes;
use hookbox_net::{Call, Timeouts, is_forbidden_header};
use http_body_util::BodyExt;
use std::sync::Arc;
use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi_http::p2::bindings::LinkOptions;
use wasmtime_wasi_http::p2::bindings::http::{outgoing_handler, types};
use wasmtime_wasi_http::{
    Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttp, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks,
};

/// The maximum size of a guest's headers in the host's memory, in bytes. On the wire, hookbox-net allows less.
const MAX_FIELDS: usize = 64 << 10;
/// The maximum number of bytes that a guest writes to a body at once.
const CHUNK: usize = 64 << 10;

/// The source of the answers to the requests of one call.
#[derive(Clone)]
pub(super) enum Sender {
    /// No source: the network is not granted.
    None,
    Network(Arc<Call>, Option<NetRecord>),
    Answers(Arc<Answers>),
}

/// The requests of one call.
pub(in super::super::super) struct Requests {
    hooks: Hooks,
    context: WasiHttpCtx,
}

struct Hooks(Sender);

/// The state that the functions of `wasi:http` work on.
pub(in super::super::super) type View<'a> = WasiHttpCtxView<'a>;

impl Requests {
    pub(super) fn new(sender: Sender) -> Self {
        let mut context = WasiHttpCtx::new();
        context.set_field_size_limit(MAX_FIELDS);
        Requests { hooks: Hooks(sender), context }
    }

    /// Creates the requests of a component that imports the interface only for its types.
    pub(in super::super::super) fn none() -> Self {
        Requests::new(Sender::None)
    }

    pub(in super::super::super) fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> View<'a> {
        WasiHttpCtxView { hooks: &mut self.hooks, table, ctx: &mut self.context }
    }

    pub(super) fn sender(&self) -> Sender {
        self.hooks.0.clone()
    }
}

type Sent = Result<(http::Response<WasiBody>, Box<dyn Future<Output = Result<(), Error>> + Send>), Error>;

impl WasiHttpHooks for Hooks {
    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(is_forbidden_header)
    }

    /// Returns `None`, so that a URL must have a scheme.
    fn default_scheme(&mut self) -> Option<http::uri::Scheme> {
        None
    }

    /// Returns false: the sender sets the header itself, because the authority that a guest gives may contain more than
    /// a host.
    fn set_host_header(&mut self) -> bool {
        false
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK
    }

    fn send_request(
        &mut self,
        request: http::Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Sent> + Send> {
        let (call, record) = match &self.0 {
            Sender::Network(call, record) => (call, record.clone()),
            Sender::Answers(answers) => {
                let answer = answers.answer(request.method(), request.uri());
                return Box::new(async move { answered(answer) });
            }
            Sender::None => return Box::new(async { Err(Error::HttpRequestDenied) }),
        };
        let options = options.unwrap_or_default();
        let timeouts = Timeouts {
            connect: options.connect_timeout,
            first_byte: options.first_byte_timeout,
            between_bytes: options.between_bytes_timeout,
        };
        let (method, uri) = (request.method().clone(), request.uri().clone());
        // The request is counted and checked here, before the future is polled.
        let sent = call.send(request, timeouts);
        Box::new(async move {
            let response = sent.await.map_err(|error| report(&error))?;
            if let Some(record) = record {
                let (head, body) = response.into_parts();
                let body = body.collect().await.map_err(|error| report(&error))?.to_bytes();
                record.keep(&method, &uri, &head, &body);
                return answered(Ok(http::Response::from_parts(head, body)));
            }
            let response = response.map(|body| body.map_err(|error| report(&error)).boxed_unsync());
            // The body drives the connection.
            Ok((response, nothing_beside()))
        })
    }
}

fn answered(answer: Result<http::Response<Bytes>, String>) -> Sent {
    let response = answer.map_err(|why| {
        tracing::warn!(error = why, "a request of a component failed");
        Error::InternalError(Some(why))
    })?;
    let response = response.map(|body| Whole::new(body).map_err(|never| match never {}).boxed_unsync());
    Ok((response, nothing_beside()))
}

/// Returns a future that does nothing: there is no task to run beside the response.
fn nothing_beside() -> Box<dyn Future<Output = Result<(), Error>> + Send> {
    Box::new(async { Ok(()) })
}

/// Links `wasi:http/types`.
pub(in super::super::super) fn link_types(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, WasiHttp>(linker, &(&LinkOptions::default()).into(), State::http)
}

/// Links `wasi:http/outgoing-handler`.
pub(in super::super::super) fn link_handler(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    outgoing_handler::add_to_linker::<_, WasiHttp>(linker, State::http)
}

/// A body that is in memory as a whole.
pub(super) type Whole = http_body_util::Full<Bytes>;
