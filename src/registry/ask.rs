//! Asks hooks, and makes sure that each one answers in time.

use super::facts::FactFinder;
use crate::chain::Chain;
use crate::protocol::{Answer, Code, Failure, Input, Kind};
use crate::runtime::{Caller, CallerLeft, Hook};
use futures_util::FutureExt;
use futures_util::future::join_all;
use std::future::{pending, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use tracing::Instrument;

/// The time that a hook with a time limit of its own gets beyond that limit, because it must also end what it started.
const BACKSTOP: Duration = Duration::from_secs(2);

/// Asks hooks as the chain requires until it is finished.
pub(super) async fn ask_all(
    hooks: &[&Arc<dyn Hook>],
    chain: &mut Chain<'_>,
    caller: &Caller,
    fact_finder: &FactFinder,
    wants_commands: bool,
) {
    loop {
        let due = chain.due();
        if !due.is_empty() {
            // A rewrite removes the facts of the Input, so they may have to be found again.
            fact_finder.add_facts(chain.input_mut(), wants_commands).await;
        }
        match due.as_slice() {
            [] => break,
            [index] => {
                let Some(hook) = hooks.get(*index) else { break };
                let (answer, took) = ask(hook.as_ref(), chain.input(), caller).await;
                chain.answer(*index, answer, took);
            }
            due => {
                let asked = due.iter().filter_map(|index| Some((*index, *hooks.get(*index)?)));
                let answers =
                    join_all(asked.map(async |(index, hook)| (index, ask(hook.as_ref(), chain.input(), caller).await)));
                for (index, (answer, took)) in answers.await {
                    chain.answer(index, answer, took);
                }
            }
        }
    }
}

/// Asks a hook and measures how long it took. A panic or an overdue answer becomes a failure.
pub(super) async fn ask(hook: &dyn Hook, input: &Input, caller: &Caller) -> (Answer, Duration) {
    let span = tracing::debug_span!("hook", name = hook.info().name, kind = %hook.kind());
    let started = Instant::now();
    let answer = in_time(hook, input, caller, started).instrument(span).await;
    (answer, started.elapsed())
}

async fn in_time(hook: &dyn Hook, input: &Input, caller: &Caller, started: Instant) -> Answer {
    let mut call = pin!(AssertUnwindSafe(hook.answer(input, caller)).catch_unwind());
    // A hook that only computes answers on the first poll, and a timer would cost as much as the call.
    let answered_at_once = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
    let ended = match answered_at_once {
        Poll::Ready(ended) => ended,
        Poll::Pending => {
            // A pure hook needs no runtime up to this point. Callers of a single event, such as `Blocking`, rely on
            // that.
            yield_once().await;
            let kind = hook.kind();
            let overdue = async {
                match hook.info().timeout {
                    Some(limit) => {
                        // Any hook but a native one enforces its own limit, and may need time to end what it started.
                        let grace = if kind == Kind::Native { Duration::ZERO } else { BACKSTOP };
                        match started.checked_add(limit.saturating_add(grace)) {
                            Some(end) => tokio::time::sleep_until(end).await,
                            // The limit is beyond what the clock can express.
                            None => pending().await,
                        }
                        limit
                    }
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                ended = call => ended,
                limit = overdue => return Err(Failure::overdue(limit)).into(),
                gone = gone_for(caller, kind) => return Err(given_up(gone)).into(),
            }
        }
    };
    let mut answer = ended.unwrap_or_else(|_| Err(Failure::new(Code::Trap, "panicked")).into());
    // A shell hook enforces its own limit, and reports the caller's deadline as a time-out of its own.
    if answer.result.as_ref().is_err_and(|failure| failure.code == Code::Timeout)
        && hook.info().timeout.is_none_or(|limit| started.elapsed() < limit)
        && caller.has_left() == Some(CallerLeft::Deadline)
    {
        answer.result = Err(given_up(CallerLeft::Deadline));
    }
    answer
}

pub(super) async fn yield_once() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Waits until the caller no longer waits for the hook. Never completes for a shell hook, which handles this itself
/// because it must end its process. Other hooks may handle it too: their answer is checked first.
async fn gone_for(caller: &Caller, kind: Kind) -> CallerLeft {
    if kind == Kind::Shell {
        return pending().await;
    }
    caller.left().await
}

fn given_up(gone: CallerLeft) -> Failure {
    let message = match gone {
        CallerLeft::Deadline => "did not answer before its caller's deadline",
        CallerLeft::Cancelled => "did not answer before its caller gave up",
    };
    Failure::new(Code::Cancelled, message)
}
