//! Signals, and notifications to the service manager (systemd).

use super::super::service::Service;
use sd_notify::NotifyState;
use std::future::pending;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Tells the service manager that requests are served.
pub(super) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// Tells the service manager that no more requests are taken.
pub(super) fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Repeatedly tells the service manager that the runtime still runs tasks, if the manager has a watchdog. Never
/// returns.
pub(super) async fn feed_watchdog() {
    let Some(time) = sd_notify::watchdog_enabled() else { return pending().await };
    let mut turns = tokio::time::interval(time / 2);
    loop {
        turns.tick().await;
        tell(&[NotifyState::Watchdog]);
    }
}

/// Waits for a signal that asks this process to end. SIGHUP is one too, but under a service manager it asks to read the
/// config again.
pub(super) async fn ended(service: &Service) {
    let is_managed = std::env::var_os("NOTIFY_SOCKET").is_some();
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::quit(), SignalKind::hangup()];
    let [Ok(mut term), Ok(mut int), Ok(mut quit), Ok(mut hangup)] = kinds.map(signal) else { return pending().await };
    loop {
        let name = tokio::select! {
            name = received(&mut term, "SIGTERM") => name,
            name = received(&mut int, "SIGINT") => name,
            name = received(&mut quit, "SIGQUIT") => name,
            _ = hangup.recv() => {
                if is_managed {
                    reload(service).await;
                    continue;
                }
                "SIGHUP"
            }
        };
        tracing::info!(name, "ending");
        return;
    }
}

async fn received(signal: &mut Signal, name: &'static str) -> &'static str {
    signal.recv().await;
    name
}

async fn reload(service: &Service) {
    let since = NotifyState::monotonic_usec_now().ok();
    let states: Vec<NotifyState<'_>> = [NotifyState::Reloading].into_iter().chain(since).collect();
    tell(&states);
    service.reload().await;
    ready();
}

/// Notifies the service manager, if there is one.
fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}
