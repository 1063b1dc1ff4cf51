//! The substitute for stores in a hookbox that is built without them.

use super::StoreGrant;
use crate::protocol::{Code, Failure};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Instant;

/// The stores of a process: this hookbox has none.
#[derive(Default)]
pub(in super::super::super) struct Stores;

/// The store of a component, which cannot exist in this hookbox.
#[derive(Debug)]
pub(in super::super::super) struct Opened(Infallible);

/// A component's part of a store, which cannot exist in this hookbox.
pub(in super::super::super) type Bucket = Infallible;

impl Stores {
    pub(in super::super::super) fn open(&self, _: &StoreGrant) -> Result<Opened, Failure> {
        Err(Failure::new(
            Code::Grant,
            "cannot be given its store: this hookbox was built without the feature `store`".to_owned(),
        ))
    }
}

impl Stores {
    pub(in super::super::super) fn call_ended(&self) {}

    pub(in super::super::super) async fn tidy(&self) {}
}

impl Opened {
    pub(in super::super::super) async fn values(&self, _: Option<&str>) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        match self.0 {}
    }

    pub(in super::super::super) async fn replace(
        &self,
        _: Option<&str>,
        _: &BTreeMap<String, Vec<u8>>,
    ) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(in super::super::super) fn bucket(&self, _: Option<&str>, _: Instant) -> Result<Bucket, Failure> {
        match self.0 {}
    }
}
