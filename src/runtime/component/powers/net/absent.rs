//! The substitute for the network in a hookbox that is built without it.

use super::{BadRule, NetGrant, NetRule};
use crate::protocol::{Code, Failure};
use std::convert::Infallible;
use std::time::Instant;

/// The network access of a process: this hookbox has none.
#[derive(Default)]
pub(in super::super::super) struct Networks;

/// The network access of a component, which cannot exist in this hookbox.
#[derive(Debug)]
pub(in super::super::super) struct Opened(Infallible);

/// The requests of a call, which cannot exist in this hookbox.
pub(in super::super::super) type Requests = Infallible;

/// Accepts all rules, since no component with the grant can run.
pub(crate) fn check(_: &[NetRule]) -> Result<(), BadRule> {
    Ok(())
}

impl Networks {
    pub(in super::super::super) fn kept_alive() -> Self {
        Networks
    }

    pub(in super::super::super) fn open(&self, _: &NetGrant) -> Result<Opened, Failure> {
        let message = "cannot be given the network: this hookbox was built without the feature `net`";
        Err(Failure::new(Code::Grant, message.to_owned()))
    }
}

impl Opened {
    pub(in super::super::super) fn requests(&self, _: Instant) -> Requests {
        self.0
    }
}
