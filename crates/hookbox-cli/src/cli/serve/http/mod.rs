//! Requests over HTTP, on a Unix socket or on the loopback interface.

mod activity;
mod connection;
mod denied;
mod guard;
mod listener;
mod manager;
mod metrics;
mod prefixed;
mod routes;
mod token;
mod unparsed;

use super::TOKEN_FILE;
use super::service::{Observer, Service};
use crate::cli::scope::Scope;
use crate::cli::{Exit, render};
use anyhow::Context;
use connection::Connections;
use guard::Guard;
use hookbox::record::Via;
pub(super) use listener::Address;
use listener::Listener;
use metrics::Metrics;
use routes::Routes;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use token::Token;

/// How long requests under way may take after a signal that asks this process to end.
const LAST_TIME: Duration = Duration::from_secs(10);

/// Answers requests until a signal asks this process to end.
pub(super) fn serve(
    scope: Scope,
    is_monitored: bool,
    address: &Address,
    token_file: Option<PathBuf>,
) -> anyhow::Result<Exit> {
    let metrics = Arc::new(Metrics::default());
    let observer: Arc<dyn Observer> = metrics.clone();
    let service = Service::new(scope, is_monitored, Some(observer))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let inside = runtime.enter();
    let listener = Listener::bind(address)?;
    let port = listener.port();
    let token = match port {
        // Only the user can connect to the socket.
        None => None,
        Some(_) => {
            let file = token_file
                .map_or_else(|| service.places().map(|places| places.state().join(TOKEN_FILE)), anyhow::Ok)?;
            Some(Token::read_or_make(&file)?)
        }
    };
    render::progress(&format!("hookbox serves on {listener}"));
    let routes = Routes {
        service: Arc::clone(&service),
        guard: Guard { port, token },
        metrics,
        via: if port.is_some() { Via::Http } else { Via::Unix },
    };
    let connections = Connections::new(routes);
    manager::ready();
    drop(inside);
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = manager::ended(&service) => {}
            () = manager::feed_watchdog() => {}
            () = connections.accept(&listener) => {}
        }
        manager::stopping();
        listener.close();
        if tokio::time::timeout(LAST_TIME, connections.finish()).await.is_err() {
            render::progress("requests still under way after 10 s were given up");
        }
        service.close().await;
    });
    runtime.shutdown_background();
    Ok(Exit::Success)
}
