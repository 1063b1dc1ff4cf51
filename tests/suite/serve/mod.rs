//! `hookbox serve`.

mod client;
mod hostile;
mod http;
mod http2;
mod installed;
mod limits;
mod manager;
mod server;
mod stdio;
