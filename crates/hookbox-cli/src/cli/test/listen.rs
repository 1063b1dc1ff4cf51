//! A listener that records what components write, which the engine only logs.

use crate::author::Recorder;
use std::fmt::Debug;
use std::sync::Arc;
use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// The fields of the engine's log event for a guest's output.
const STREAM: &str = "stream";
const TEXT: &str = "text";

/// Sends the output of components to `recorder` while the returned guard is alive.
pub(super) fn listen(recorder: &Arc<Recorder>) -> DefaultGuard {
    tracing::subscriber::set_default(tracing_subscriber::registry().with(Listener(Arc::clone(recorder))))
}

struct Listener(Arc<Recorder>);

impl<S: Subscriber> Layer<S> for Listener {
    /// Enables only the events for a guest's output. Other events are not even formatted.
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        let fields = metadata.fields();
        metadata.is_event() && fields.field(STREAM).is_some() && fields.field(TEXT).is_some()
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut wrote = Texts::default();
        event.record(&mut wrote);
        self.0.keep(&wrote.stream, wrote.text);
    }
}

#[derive(Default)]
struct Texts {
    stream: String,
    text: String,
}

impl Visit for Texts {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            STREAM => value.clone_into(&mut self.stream),
            TEXT => value.clone_into(&mut self.text),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // The event's message is also a field.
        if matches!(field.name(), STREAM | TEXT) {
            self.record_str(field, &format!("{value:?}"));
        }
    }
}
