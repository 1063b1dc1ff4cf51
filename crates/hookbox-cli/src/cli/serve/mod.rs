//! `hookbox serve`: a long-lived host for programs in any language.

mod eager;
#[cfg(feature = "listen")]
mod http;
mod lines;
mod out;
mod parent;
mod project;
mod request;
mod salvage;
mod service;
mod stdio;

use super::Exit;
use super::scope::Scope;
use anyhow::bail;
use clap::Args;
use service::Service;

/// The name of the file with the token, in the state directory.
pub(super) const TOKEN_FILE: &str = "serve.token";

/// The text of `--help`. It is not a doc comment, because rustdoc would take the indented lines for Rust code.
const LONG_ABOUT: &str = r#"Answer many events in one process, whose hooks follow their config: a call costs microseconds

With --stdio, each line of stdin is a request and each line of stdout an answer, in any order:

    {"id":1,"input":{…}}                    → {"id":1,"outcome":{…}}
    {"id":2,"agent":"claude","payload":{…}} → {"id":2,"reply":{"stdout":"…","stderr":"","status":0}}
    {"id":3,"cancel":1}                     → {"id":3,"cancelled":true}
    {"id":4,"ping":true}                    → {"id":4,"pong":true,"version":"…"}

A request may have "project", the directory that the agent works in, and "deadline_ms".
The server ends when stdin ends, and with its parent."#;

/// Answer many events in one process, whose hooks follow their config: a call costs microseconds
#[derive(Args)]
#[command(long_about = LONG_ABOUT)]
#[command(after_help = "Example:\n  \
    echo '{\"id\":1,\"input\":{\"event\":\"pre_tool\",\"tool_name\":\"bash\",\"tool_input\":{\"command\":\"ls\"}}}' |\n    \
    hookbox serve --stdio")]
pub(super) struct Serve {
    /// Read requests from stdin, and write answers to stdout
    #[arg(long)]
    stdio: bool,

    /// Answer HTTP on `unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`
    #[cfg(feature = "listen")]
    #[arg(long, value_name = "ADDRESS", value_parser = http::Address::parse, conflicts_with = "stdio")]
    listen: Option<http::Address>,

    /// The token that TCP clients send; made if it does not exist. Default: `serve.token` in the state directory
    #[cfg(feature = "listen")]
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<std::path::PathBuf>,

    /// Only record what the hooks decide: events go on as they are
    #[arg(long)]
    monitor: bool,

    #[command(flatten)]
    scope: Scope,
}

impl Serve {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        #[cfg(feature = "listen")]
        if let Some(address) = &self.listen {
            return http::serve(self.scope, self.monitor, address, self.token_file);
        }
        if !self.stdio {
            bail!("say where requests come from: --stdio, or --listen ADDRESS");
        }
        stdio::serve(&Service::new(self.scope, self.monitor, None)?)
    }
}
