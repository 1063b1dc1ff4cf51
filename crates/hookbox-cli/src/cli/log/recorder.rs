//! The recorder of this process's decisions in the decision log.

use crate::cli::scope::Scope;
use hookbox::config::Loaded;
use hookbox::record::{Decided, Log, Mask, Settings, new_id};
use hookbox::{Code, Warning};
use hookbox_secrets::Finder;
use std::sync::Arc;

/// The recorder of this process's decisions in the log, if the config asks for one.
#[derive(Default)]
pub(in crate::cli) struct Recorder {
    log: Option<Arc<Log>>,
    loaded: Option<Arc<Loaded>>,
    id: String,
}

impl Recorder {
    /// Creates a recorder for an event that is judged with this config.
    pub(in crate::cli) fn new(loaded: &Arc<Loaded>) -> Self {
        Recorder::with(loaded.log.clone().map(|settings| Arc::new(open(settings))), loaded)
    }

    /// Creates a recorder for an event that is judged with this config, with a log that is already open.
    pub(in crate::cli) fn with(log: Option<Arc<Log>>, loaded: &Arc<Loaded>) -> Self {
        if log.is_none() {
            return Recorder::default();
        }
        Recorder { log, loaded: Some(Arc::clone(loaded)), id: new_id() }
    }

    /// Creates a recorder for an event that is not judged, so that its config was not loaded.
    pub(in crate::cli) fn unjudged(scope: &Scope) -> Self {
        let settings = scope.loader().ok().and_then(|loader| loader.log_settings());
        Recorder { log: settings.map(|settings| Arc::new(open(settings))), loaded: None, id: new_id() }
    }

    /// Returns the id of the line, which tracing shows too.
    pub(in crate::cli) fn id(&self) -> &str {
        &self.id
    }

    /// Writes a line. If that fails, the verdict stands, and the returned warning says so.
    pub(in crate::cli) fn write(&self, decided: Decided<'_>) -> Option<Warning> {
        let log = self.log.as_ref()?;
        let mut decided = decided;
        decided.id = Some(&self.id);
        if let Some(loaded) = &self.loaded {
            decided.hooks = &loaded.hooks;
            decided.config = Some(&loaded.digest);
        }
        let error = log.write(&decided).err()?;
        Some(Warning::new("log", Code::Log, format!("{error}; the decision stands, but this event is not in the log")))
    }
}

/// Opens a log, with detectors of secrets.
pub(in crate::cli) fn open(settings: Settings) -> Log {
    Log::new(settings, Some(Box::new(Secrets(Finder::default()))))
}

/// The detectors of the policy `no-secret-leaks`.
struct Secrets(Finder);

impl Mask for Secrets {
    fn mask(&self, text: &str) -> Option<String> {
        self.0.redact(text, usize::MAX).map(|redaction| redaction.text)
    }
}
