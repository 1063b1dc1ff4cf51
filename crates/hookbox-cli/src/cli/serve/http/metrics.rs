//! Counters for a monitoring system, in the OpenMetrics format. Labels have a bounded number of values: never names of
//! tools, sessions or hooks.

use super::super::service::{Observer, Service};
use hookbox::{Code, Outcome, Verdict};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

const DECISIONS: [&str; 4] = ["allow", "deny", "ask", "modify"];

const RELOADS: [&str; 2] = ["used", "faulty"];

/// The prefix of the codes of failed calls.
const OF_CALLS: &str = "E1";

/// The upper bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 12] = [5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 5e-3, 0.02, 0.1, 0.5, 1.0, 5.0, 25.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Decision {
    decision: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Failure {
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reload {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refused {
    status: u16,
}

pub(super) struct Metrics {
    registry: Registry,
    decisions: Family<Decision, Counter>,
    failures: Family<Failure, Counter>,
    refused: Family<Refused, Counter>,
    reloads: Family<Reload, Counter>,
    durations: Histogram,
    under_way: Gauge,
    projects: Gauge,
    cached: Gauge,
    cached_bytes: Gauge,
    usable: Gauge,
}

/// A request under way, until it is dropped.
pub(super) struct UnderWay(Gauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("hookbox"),
            decisions: Family::default(),
            failures: Family::default(),
            refused: Family::default(),
            reloads: Family::default(),
            durations: Histogram::new(BUCKETS),
            under_way: Gauge::default(),
            projects: Gauge::default(),
            cached: Gauge::default(),
            cached_bytes: Gauge::default(),
            usable: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("decisions", "Events that were decided", metrics.decisions.clone());
        registry.register(
            "failures",
            "Failures of hooks, and events that could not be judged, by code",
            metrics.failures.clone(),
        );
        registry.register("refused", "Requests that were refused, by status", metrics.refused.clone());
        registry.register("reloads", "Configs that were read again, by what came of it", metrics.reloads.clone());
        registry.register_with_unit("decision", "Time of a decision", Unit::Seconds, metrics.durations.clone());
        registry.register("requests_under_way", "Requests under way", metrics.under_way.clone());
        registry.register(
            "projects",
            "Projects that are kept ready, besides the server's own",
            metrics.projects.clone(),
        );
        registry.register("cache_entries", "Components in the cache of compiled code", metrics.cached.clone());
        registry.register_with_unit(
            "cache",
            "Size of the cache of compiled code",
            Unit::Bytes,
            metrics.cached_bytes.clone(),
        );
        registry.register("config_usable", "Whether the server's own config can be used", metrics.usable.clone());
        metrics.begin_at_zero();
        metrics
    }
}

impl Observer for Metrics {
    fn decided(&self, outcome: &Outcome, took: Duration) {
        let decision = match outcome.verdict {
            Verdict::Allow if outcome.modified => "modify",
            verdict => verdict.as_str(),
        };
        self.decisions.get_or_create(&Decision { decision }).inc();
        let failed = outcome.hooks.iter().filter_map(|record| record.code);
        for code in failed.chain(not_judged(outcome)) {
            self.failures.get_or_create(&Failure { code: code.as_str() }).inc();
        }
        self.durations.observe(took.as_secs_f64());
    }

    fn reloaded(&self, is_used: bool) {
        let result = if is_used { "used" } else { "faulty" };
        self.reloads.get_or_create(&Reload { result }).inc();
    }
}

/// Returns the code with which hookbox itself denied an event without asking a hook.
fn not_judged(outcome: &Outcome) -> Option<Code> {
    let reason = outcome.reason.as_deref().filter(|_| outcome.hooks.is_empty())?;
    Code::ALL.iter().copied().find(|code| reason.strip_prefix(code.as_str()).is_some_and(|rest| rest.starts_with(": ")))
}

impl Metrics {
    /// Creates the counters whose labels are known. A counter that appeared only with its first event would show no
    /// increase.
    fn begin_at_zero(&self) {
        for decision in DECISIONS {
            drop(self.decisions.get_or_create(&Decision { decision }));
        }
        for result in RELOADS {
            drop(self.reloads.get_or_create(&Reload { result }));
        }
        for code in Code::ALL.iter().map(|code| code.as_str()).filter(|code| code.starts_with(OF_CALLS)) {
            drop(self.failures.get_or_create(&Failure { code }));
        }
    }

    /// Counts a request as under way.
    pub(super) fn begin(&self) -> UnderWay {
        self.under_way.inc();
        UnderWay(self.under_way.clone())
    }

    /// Returns how many requests are under way.
    pub(super) fn under_way(&self) -> i64 {
        self.under_way.get()
    }

    pub(super) fn refused(&self, status: u16) {
        self.refused.get_or_create(&Refused { status }).inc();
    }

    pub(super) fn text(&self, service: &Service) -> String {
        let entries = service.places().ok().and_then(|places| places.any_cache().entries().ok()).unwrap_or_default();
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.cached.set(number(entries.len()));
        self.cached_bytes.set(i64::try_from(entries.iter().map(|entry| entry.size).sum::<u64>()).unwrap_or(i64::MAX));
        self.projects.set(number(service.count()));
        self.usable.set(i64::from(service.problem().is_none()));
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(error) => format!("# {error}\n"),
        }
    }
}
