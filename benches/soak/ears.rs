//! A subscriber that receives what hooks log, as an operator's log would.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The counter of the calls whose messages were cut off.
pub(crate) struct Ears(Arc<AtomicU64>);

impl Ears {
    /// Receives everything that this program logs from now on.
    pub(crate) fn open() -> Self {
        let cut = Arc::default();
        tracing::subscriber::set_global_default(Listener(Arc::clone(&cut))).unwrap();
        Ears(cut)
    }

    /// Returns the number of calls that logged more than is kept.
    pub(crate) fn cut(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

struct Listener(Arc<AtomicU64>);

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        if text.is_about_a_cut {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// An event as a line of a log.
#[derive(Default)]
struct Text {
    line: String,
    is_about_a_cut: bool,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        use std::fmt::Write;
        self.is_about_a_cut |= field.name() == "dropped";
        let _ = write!(self.line, "{}={value:?} ", field.name());
    }
}
