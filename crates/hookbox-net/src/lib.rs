//! Outgoing HTTP for hooks, allowed one URL prefix at a time.
//!
//! A hook that judges an agent's action may have to ask a service. This crate sends its requests: only those that a
//! [`Rule`] covers, only to addresses that were checked, with secrets that the hook never sees, and within a deadline.
//!
//! # Defaults
//! * Nothing is allowed without a rule. A rule allows only `GET`, unless it names other methods.
//! * No connection to this machine or a private network, unless the rule says `private = true`; none to link-local
//!   addresses and metadata services in any case. All addresses of a name must be allowed, and only these are used.
//! * 8 requests in a call, 1 MiB for a body each way, 64 headers and 32 KiB for a head.
//! * 2 s for the lookup, the connection and the TLS handshake; the call's deadline for everything.
//! * TLS with the system's certificate authorities. `SSL_CERT_FILE` and the proxies' variables have no effect; a rule with
//!   `proxy = true` obeys the latter.
//! * HTTP/1.1. Redirects are not followed, bodies are not decompressed, protocols are not changed.
//!
//! # Example
//! ```no_run
//! use bytes::Bytes;
//! use hookbox_net::{Client, Options, RuleText, Rules, Surroundings, Timeouts};
//! use http_body_util::{BodyExt, Empty};
//! use std::path::Path;
//! use std::time::{Duration, Instant};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = Rules::parse(&[RuleText::new("https://api.example.com/v1/")])?;
//! let from = Surroundings { variables: &|name| std::env::var_os(name), dir: Path::new("/etc/hooks") };
//! let client = Client::new(rules, from, Options::default())?;
//!
//! let call = client.call(Instant::now() + Duration::from_secs(1));
//! let request = http::Request::get("https://api.example.com/v1/status").body(Empty::<Bytes>::new())?;
//! let response = call.send(request, Timeouts::default()).await?;
//! let body = response.into_body().collect().await?.to_bytes();
//! # Ok(())
//! # }
//! ```

pub mod address;
mod body;
mod call;
mod client;
mod connect;
mod error;
mod exchange;
mod headers;
mod host;
mod idle;
mod link;
pub mod metadata;
mod outgoing;
mod path;
mod proxy;
mod refusal;
mod resolve;
mod rule;
mod secret;
mod target;
mod tls;

pub use body::Body;
pub use call::{Call, Timeouts};
pub use client::{Client, LoadError, Options};
pub use error::{Error, ErrorKind};
pub use headers::is_forbidden_header;
pub use host::Host;
pub use proxy::ProxyError;
pub use refusal::{Quoted, Refusal};
pub use resolve::{Addresses, BlockingResolver, MAX_LOOKUPS, Resolve};
pub use rule::{Rule, RuleError, RuleProblem, RuleText, Rules};
pub use secret::{Secret, SecretError, SecretProblem, SecretSource, SourceError, Surroundings};
pub use target::{Scheme, Target};
pub use tls::CaError;
