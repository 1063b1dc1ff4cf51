//! Outgoing HTTP for hooks, allowed one URL prefix at a time.
//!
//! A hook that judges an agent's action may have to ask a service. This crate sends the hook's requests: only those
//! that a [`Rule`] covers, only to addresses that were checked, with secrets that the hook never sees, and within a
//! deadline.
//!
//! # Defaults
//! * Nothing is allowed without a rule. A rule allows only `GET`, unless it names other methods.
//! * No connection to this machine or a private network is made unless the rule says `private = true`. Link-local
//!   addresses and metadata services are never allowed. All addresses of a name must be allowed, and only these
//!   addresses are used.
//! * A call may make 8 requests. A body may have 1 MiB each way, and a head 64 headers and 32 KiB.
//! * The lookup, the connection and the TLS handshake may take 2 s together. Everything ends at the call's deadline.
//! * TLS with the system's certificate authorities. `SSL_CERT_FILE` has no effect. The proxy variables have an effect
//!   only on a rule with `proxy = true`.
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
