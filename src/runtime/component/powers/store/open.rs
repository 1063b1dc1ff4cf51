//! The stores of a process, and the part of a store that a call gets.

use super::{StoreGrant, StorePlace, StoreScope, StoreServer};
use crate::protocol::{Code, Failure};
pub(in super::super::super) use hookbox_store::Bucket;
use hookbox_store::{Error, ErrorKind, Layer, Limits, Namespace, Scope, Store};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of calls of components with a store after which a long-lived process tidies its stores. 1,000 calls that
/// each write a value leave about 4 MiB of log.
const TIDY_AFTER: u32 = 1_000;
/// The time that tidying may take, since it waits for the disk.
const TIDY_TIME: Duration = Duration::from_secs(1);

/// The time that reading or replacing the values of a test may take.
const TEST_TIME: Duration = Duration::from_secs(10);

/// The stores of a process. Hooks that are granted stores in the same place share a connection.
#[derive(Default)]
pub(in super::super::super) struct Stores {
    open: Mutex<Vec<(Place, Store)>>,
    /// The calls since the last tidying.
    calls: AtomicU32,
}

/// The place that contains the values of several hooks.
#[derive(PartialEq)]
enum Place {
    Dir(PathBuf),
    Server(StoreServer),
}

/// A store that a component is granted.
#[derive(Debug)]
pub(in super::super::super) struct Opened {
    store: Store,
    scope: StoreScope,
    place: StorePlace,
    limits: Limits,
}

impl Stores {
    /// Opens the store that a component is granted.
    ///
    /// # Errors
    /// Returns a failure if the place or the server of the store is unknown, or if the store cannot be opened.
    pub(in super::super::super) fn open(&self, grant: &StoreGrant) -> Result<Opened, Failure> {
        let StoreGrant { scope, quota, ttl: _, place, server } = grant;
        let place = place.clone().ok_or_else(|| cannot("where it is, is not known".to_owned()))?;
        let at = match (scope, server) {
            (StoreScope::Shared, Some(server)) => Place::Server(server.clone()),
            (StoreScope::Shared, None) => return Err(cannot("no server is named for it".to_owned())),
            _ => Place::Dir(place.dir.clone()),
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match open.iter().find(|(known, _)| *known == at) {
            Some((_, store)) => store.clone(),
            None => {
                let store = at.store()?;
                open.push((at, store.clone()));
                store
            }
        };
        let limits = Limits::default().with_quota(*quota).with_ttl(grant.lifetime());
        Ok(Opened { store, scope: *scope, place, limits })
    }

    /// Counts a call that had a store. After [`TIDY_AFTER`] calls, starts to tidy the stores in the background.
    pub(in super::super::super) fn call_ended(&self) {
        if self.calls.fetch_add(1, Ordering::Relaxed) == TIDY_AFTER {
            self.calls.store(0, Ordering::Relaxed);
            for store in self.all() {
                tokio::spawn(tidy(store));
            }
        }
    }

    /// Tidies the stores, if there were calls since the last tidying.
    pub(in super::super::super) async fn tidy(&self) {
        if self.calls.swap(0, Ordering::Relaxed) > 0 {
            for store in self.all() {
                tidy(store).await;
            }
        }
    }

    fn all(&self) -> Vec<Store> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().map(|(_, store)| store.clone()).collect()
    }
}

async fn tidy(store: Store) {
    if let Err(error) = store.tidy(Instant::now() + TIDY_TIME).await {
        tracing::debug!(error = %error, "a store could not be tidied");
    }
}

impl Place {
    fn store(&self) -> Result<Store, Failure> {
        match self {
            Place::Dir(dir) => Store::local(dir).map_err(|error| cannot(error.to_string())),
            #[cfg(feature = "shared")]
            Place::Server(server) => Store::shared(server.url()).map_err(|error| cannot(error.to_string())),
            #[cfg(not(feature = "shared"))]
            Place::Server(_) => Err(cannot("this hookbox was built without the feature `shared`".to_owned())),
        }
    }
}

impl Opened {
    /// Returns the component's own part of the store, for use until the deadline.
    ///
    /// # Errors
    /// Returns a failure if the store belongs to a session and the Input has none.
    pub(in super::super::super) fn bucket(&self, session: Option<&str>, deadline: Instant) -> Result<Bucket, Failure> {
        let StorePlace { layer, hook, project, .. } = &self.place;
        let scope = match self.scope {
            StoreScope::Session => Scope::session(session.unwrap_or_default()),
            StoreScope::Project => Ok(Scope::Project(project.clone())),
            StoreScope::User => Ok(Scope::User),
            StoreScope::Shared => Ok(Scope::Shared),
        };
        let namespace = scope.and_then(|scope| Namespace::new(Layer::Named(layer.clone()), hook, scope));
        let namespace = namespace.map_err(|error| match error.kind() {
            ErrorKind::Invalid if self.scope == StoreScope::Session => {
                cannot("it belongs to a session, and the Input has no `session_id`".to_owned())
            }
            _ => cannot(error.to_string()),
        })?;
        Ok(self.store.bucket(&namespace, self.limits, deadline))
    }
}

impl Opened {
    /// Returns all values of a session, for tests of hooks.
    pub(in super::super::super) async fn values(
        &self,
        session: Option<&str>,
    ) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let bucket = self.bucket(session, Instant::now() + TEST_TIME)?;
        let (mut values, mut cursor) = (BTreeMap::new(), None);
        loop {
            let page = bucket.list_keys(cursor.as_deref()).await.map_err(unusable)?;
            for key in page.keys {
                if let Some(value) = bucket.get(&key).await.map_err(unusable)? {
                    values.insert(key, value);
                }
            }
            cursor = page.cursor;
            if cursor.is_none() {
                return Ok(values);
            }
        }
    }

    /// Replaces all values of a session, for tests of hooks.
    pub(in super::super::super) async fn replace(
        &self,
        session: Option<&str>,
        values: &BTreeMap<String, Vec<u8>>,
    ) -> Result<(), Failure> {
        let bucket = self.bucket(session, Instant::now() + TEST_TIME)?;
        for key in self.values(session).await?.keys() {
            bucket.delete(key).await.map_err(unusable)?;
        }
        for (key, value) in values {
            bucket.set(key, value).await.map_err(unusable)?;
        }
        Ok(())
    }
}

fn unusable(error: Error) -> Failure {
    cannot(error.to_string())
}

/// Logs a failed operation for the operator. The component is told less.
pub(super) fn warn(error: &Error) {
    tracing::warn!(error = %error, "the store of a component failed");
}

fn cannot(why: String) -> Failure {
    Failure::new(Code::Grant, format!("cannot be given its store: {why}"))
}
