//! The stores of a process, and what a call gets of them.

use super::{StoreGrant, StorePlace, StoreScope};
use crate::protocol::{Code, Failure};
pub(in super::super::super) use hookbox_store::Bucket;
use hookbox_store::{Error, ErrorKind, Layer, Limits, Namespace, Scope, Store};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The local stores of a process, by directory. Hooks that are granted stores in the same directory share one.
#[derive(Default)]
pub(in super::super::super) struct Stores(Mutex<BTreeMap<PathBuf, Store>>);

/// A store that a component is granted.
#[derive(Debug)]
pub(in super::super::super) struct Opened {
    store: Store,
    scope: StoreScope,
    place: StorePlace,
    limits: Limits,
}

impl Stores {
    /// # Errors
    /// Where the store is, is not known.
    pub(in super::super::super) fn open(&self, grant: &StoreGrant) -> Result<Opened, Failure> {
        let StoreGrant { scope, quota, ttl, place } = grant;
        let place = place.clone().ok_or_else(|| cannot("where it is, is not known".to_owned()))?;
        if *scope == StoreScope::Shared {
            return Err(cannot("stores that machines share cannot be granted in this version".to_owned()));
        }
        let mut stores = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match stores.get(&place.dir) {
            Some(store) => store.clone(),
            None => {
                let store = Store::local(&place.dir).map_err(|error| cannot(error.to_string()))?;
                stores.insert(place.dir.clone(), store.clone());
                store
            }
        };
        let limits = Limits::default().with_quota(*quota).with_ttl(*ttl);
        Ok(Opened { store, scope: *scope, place, limits })
    }
}

impl Opened {
    /// The component's own part of the store, until the deadline.
    ///
    /// # Errors
    /// The store is one of a session, and the Input has none.
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

/// What the operator should know of a failed operation; the component hears less.
pub(super) fn warn(error: &Error) {
    tracing::warn!(error = %error, "the store of a component failed");
}

fn cannot(why: String) -> Failure {
    Failure::new(Code::Grant, format!("cannot be given its store: {why}"))
}
