//! What the hooks that ask a model have used up in a session, and the answers that still count.

use crate::config::{Budget, ModelPlace};
use crate::protocol::{Code, Failure};
use hookbox_model::{Price, Question, Usage};
use hookbox_store::{Bucket, Layer, Limits, Namespace, Scope, Store};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// The number of bytes of text that count as one token before the provider has counted.
const BYTES_PER_TOKEN: u64 = 3;

/// How long a session's counts are kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The most bytes that the answers of one hook may take up.
const CACHE_QUOTA: u64 = 4 << 20;

fn open(place: &ModelPlace, hook: &str) -> Result<(Store, Layer, String), Failure> {
    let Some((dir, layer)) = &place.state else {
        let message =
            "cannot keep its `budget` or `cache`: this program keeps no state (it calls `Loader::state` if it does)";
        return Err(Failure::new(Code::Grant, message));
    };
    let store = Store::local(dir)
        .map_err(|error| Failure::new(Code::Grant, format!("cannot keep its `budget` or `cache`: {error}")))?;
    // A hook can have any name, so only a separate layer keeps these values apart from the stores of components.
    Ok((store, Layer::Named(format!("{layer} (models)")), hook.to_owned()))
}

/// The counts of what is used up in a session, across all processes.
pub(super) struct Ledger {
    store: Store,
    layer: Layer,
    hook: String,
    budget: Budget,
}

impl Ledger {
    /// Opens the ledger of a hook. `None` if nothing is bounded.
    pub(super) fn new(place: &ModelPlace, hook: &str, budget: Budget) -> Result<Option<Self>, Failure> {
        if budget.is_unlimited() {
            return Ok(None);
        }
        let (store, layer, hook) = open(place, hook)?;
        Ok(Some(Ledger { store, layer, hook, budget }))
    }

    /// Sets aside what a question may use up at most, so that simultaneous questions do not exceed the budget together.
    ///
    /// # Errors
    /// Returns an error if the budget does not allow the question, or cannot be read.
    pub(super) async fn reserve(
        &self,
        session: Option<&str>,
        question: &Question,
        price: Option<Price>,
        deadline: Instant,
    ) -> Result<Reservation, Failure> {
        let unusable = |error: &dyn Display| Failure::failed(format!("its budget cannot be read: {error}"));
        let scope = Scope::session(session.unwrap_or_default());
        let namespace = scope.and_then(|scope| Namespace::new(self.layer.clone(), &self.hook, scope));
        let namespace = namespace.map_err(|error| unusable(&error))?;
        let bucket = self.store.bucket(&namespace, Limits::default().with_ttl(Some(KEPT)), deadline);
        let bytes = question.system.len().saturating_add(question.prompt.len()) as u64;
        let usage = Usage::new(bytes / BYTES_PER_TOKEN, question.max_tokens.into());
        let mut reservation = Reservation { bucket, taken: Vec::new() };
        let Budget { calls, tokens, micro_usd } = self.budget;
        let usd = price.map_or(0, |price| price.of(usage));
        let bounds = [
            (CALLS, calls, 1, "questions"),
            (TOKENS, tokens, usage.total(), "tokens"),
            (USD, micro_usd, usd, "millionths of a US dollar"),
        ];
        for (key, most, amount, unit) in bounds {
            let Some(most) = most else { continue };
            let amount = i64::try_from(amount).unwrap_or(i64::MAX);
            let used = match reservation.bucket.increment(key, amount).await {
                Ok(used) => used,
                Err(error) => {
                    reservation.release().await;
                    return Err(unusable(&error));
                }
            };
            reservation.taken.push((key, amount));
            // The count is negative if it was deleted during a question that then used less than was reserved.
            if u64::try_from(used).unwrap_or(0) > most {
                reservation.release().await;
                let message = format!("its budget for this session is used up: {most} {unit}");
                return Err(Failure::failed(message));
            }
        }
        Ok(reservation)
    }
}

const CALLS: &str = "calls";
const TOKENS: &str = "tokens";
const USD: &str = "micro_usd";

/// What is set aside for a question.
pub(super) struct Reservation {
    bucket: Bucket,
    taken: Vec<(&'static str, i64)>,
}

impl Reservation {
    /// Counts what the question has used up, in place of what was set aside. If the provider does not count, what was
    /// set aside stays counted.
    pub(super) async fn settle(self, usage: Usage, answered: bool, price: Option<Price>) {
        if usage.total() == 0 && answered {
            return;
        }
        for (key, taken) in self.taken {
            let used = match key {
                TOKENS => usage.total(),
                USD => price.map_or(0, |price| price.of(usage)),
                _ => continue,
            };
            let rest = i64::try_from(used).unwrap_or(i64::MAX).saturating_sub(taken);
            // What was set aside stays counted, so a failure here can only make the budget smaller.
            if let Err(error) = self.bucket.increment(key, rest).await {
                tracing::warn!(%error, "a budget could not be settled");
            }
        }
    }

    /// Gives back what was set aside, because the question is not asked.
    pub(super) async fn release(&self) {
        for (key, taken) in &self.taken {
            if let Err(error) = self.bucket.increment(key, taken.saturating_neg()).await {
                tracing::warn!(%error, "a budget could not be settled");
            }
        }
    }
}

/// The answers that count for equal questions.
pub(super) struct Cache {
    store: Store,
    namespace: Namespace,
    limits: Limits,
}

impl Cache {
    pub(super) fn new(place: &ModelPlace, hook: &str, ttl: Duration) -> Result<Self, Failure> {
        let (store, layer, hook) = open(place, hook)?;
        let namespace = Namespace::new(layer, format!("{hook} answers"), Scope::User)
            .map_err(|error| Failure::new(Code::Grant, format!("cannot keep its `cache`: {error}")))?;
        let limits = Limits::default().with_ttl(Some(ttl)).with_quota(CACHE_QUOTA);
        Ok(Cache { store, namespace, limits })
    }

    /// Returns an answer that still counts. A cache that cannot be read has none.
    pub(super) async fn get(&self, key: &str, deadline: Instant) -> Option<String> {
        let found = self.store.bucket(&self.namespace, self.limits, deadline).get(key).await;
        let found = found.inspect_err(|error| tracing::warn!(%error, "the answers of a model could not be read")).ok();
        String::from_utf8(found??).ok()
    }

    pub(super) async fn set(&self, key: &str, text: &str, deadline: Instant) {
        let bucket = self.store.bucket(&self.namespace, self.limits, deadline);
        if let Err(error) = bucket.set(key, text.as_bytes()).await {
            tracing::warn!(%error, "the answer of a model could not be kept");
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::path::PathBuf;

    /// The operator deletes the counts during a question.
    #[tokio::test]
    async fn deleted_counts_begin_anew() {
        let dir = tempfile::tempdir().unwrap();
        let state = Some((dir.path().join("state"), "user".to_owned()));
        let place = ModelPlace { dir: PathBuf::new(), variables: HashMap::new(), state };
        let budget = Budget { tokens: Some(2_000), ..Budget::default() };
        let ledger = Ledger::new(&place, "judge", budget).unwrap().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let question = Question::new("", "ls").with_max_tokens(1_000);
        let asked = ledger.reserve(Some("s"), &question, None, deadline).await.unwrap();
        asked.bucket.delete(TOKENS).await.unwrap();
        asked.settle(Usage::new(1, 1), true, None).await;
        let question = question.with_max_tokens(10);
        assert!(ledger.reserve(Some("s"), &question, None, deadline).await.is_ok());
    }
}
